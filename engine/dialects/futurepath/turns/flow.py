"""Run the flow of a Futurepath fight: all roll initiative, then surprise, ties by Dexterity, short rounds."""

from collections.abc import Sequence

from affray.engine.dialects.futurepath.contested import by_new_rules, old_only
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.kernel import durations as kernel_durations
from affray.engine.kernel.actions import check_turn
from affray.engine.record.chapters import Allowance
from affray.engine.rules.classes.checks import check_parts
from affray.engine.rules.classes.sheets import ability, has_feat
from affray.engine.rules.conditions.conditions import can_act
from affray.engine.rules.damage.injury import lose_one
from affray.engine.rules.turns.actions import breaks_off
from affray.engine.rules.turns.flow import act_at
from affray.engine.rules.turns.initiative import keep_counts, roll_off
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import (
    ActionSpent,
    AwarenessSettled,
    BudgetRenewed,
    InitiativeChanged,
    OrderSet,
    RoundBegan,
    RoundEnded,
    RuleApplied,
    TurnBegan,
    TurnEnded,
)
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant
from affray.projections.view import VIEW

# --- What a turn allows: one attack and one move action, and the cost of free actions

#: The actions that conditions leave, the strictest first: attack actions, and actions in all.
LIMITS = {"none": (0, 0), "move": (0, 1), "single": (1, 1)}
FORGONE = {"attack": "forgone-attack", "move": "forgone-move"}


def allowance(fight: Fight, combatant: Combatant) -> Allowance:
    """Return the actions of this turn: an attack and a move action, two moves, or a full-round action.

    The surprise round and some conditions allow less. Free actions may have cost actions, and a free action
    rules out a full-round one (futurepath.action.normal-round-budget, .free.multiple-cost-standard,
    .full-round.excludes-free, futurepath.action.full-round.definition).
    """
    standard, total, full, topic = basic_allowance(fight, combatant)
    attack, move = combatant.spent.get("forgone-attack", 0), combatant.spent.get("forgone-move", 0)
    if attack or move:
        topic = (
            "action.free.multiple-cost-standard"
            if attack + move == 1
            else "futurepath.action.free.four-or-more"
        )
    elif combatant.spent.get("full-round"):
        topic = "futurepath.action.full-round.definition"
    elif full and combatant.spent.get("free") and not old_only(fight):
        full, topic = False, "futurepath.action.full-round.excludes-free"
    left = total - attack - move
    late = "futurepath.action.full-attack.commit-late"
    return Allowance(
        min(standard - attack, left), left, left, full and not attack + move, 0, 1, topic, break_off=late
    )


def basic_allowance(fight: Fight, combatant: Combatant) -> tuple[int, int, bool, str]:
    """Return (attack actions, all actions, full-round allowed, topic) before the cost of free actions."""
    if combatant.conditions:
        held = {rule.actions: rule.topic for rule in (rule_of(fight, name) for name in combatant.conditions)}
        for left, (standard, total) in LIMITS.items():
            if left in held:
                return standard, total, False, held[left]
    if fight.state.round == 0 and fight.option("surprise_round") != "new-full-budget":
        limit = "futurepath.surprise.round-action-limit"
        return 1, int(fight.figure(limit, "actions_per_combatant")), False, limit
    if fight.option("standard_actions") == "one-of-both":
        return 1, 1, True, "futurepath.action.fundamentals"
    return 1, 2, True, "futurepath.action.normal-round-budget"


def is_limited_to_one(fight: Fight, combatant: Combatant) -> bool:
    """Return whether the situation allows only one attack or move action."""
    _, total, full, _ = basic_allowance(fight, combatant)
    return total == 1 and not full


def price_of_free_action(fight: Fight, combatant: Combatant) -> tuple[tuple[str, ...], str]:
    """Return the cost of the next free action: the actions of which one must go, and the rule's topic.

    The first is free, the second costs an attack or a move action, the third nothing more, the fourth the
    other one. Refuse a free action that can no longer be paid for.
    """
    if fight.readied == combatant.id:
        return (), "futurepath.action.ready.5-foot-step"
    if old_only(fight):
        if combatant.spent.get("full-round"):
            return (), "futurepath.action.full-round.with-free"
        return (), "futurepath.action.free.gm-limit"
    if combatant.spent.get("full-round"):
        raise Refusal(
            f"{combatant.id} cannot take a free action with a full-round one",
            fight.rule("futurepath.action.full-round.excludes-free"),
        )
    count = combatant.spent.get("free", 0) + 1
    if count <= fight.figure("futurepath.action.free.one-per-round", "free_of_cost"):
        return (), "action.free.one-per-round"
    dear = fight.figure("futurepath.action.free.four-or-more", "free_actions_min")
    first, last = fight.figure("futurepath.action.free.multiple-cost-standard", "free_actions")
    topic = "futurepath.action.free.four-or-more" if count > last else "action.free.multiple-cost-standard"
    if count > dear and fight.option("four_free_actions") == "exactly-four":
        reason = f"{combatant.id} has taken {dear} free actions this round and has no other left"
        raise Refusal(reason, fight.rule(topic))
    if count not in (first, dear):
        return (), topic
    allowed = allowance(fight, combatant)
    spent = combatant.spent.get("standard", 0)
    left = allowed.total - spent - combatant.spent.get("move", 0)
    if left < 1:
        raise Refusal(f"{combatant.id} has no action left to pay for another free action", fight.rule(topic))
    if left > 1:
        return ("move", "attack"), topic
    return ("attack",) if spent < allowed.standard else ("move",), topic


def free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> Steps[bool]:
    """Spend a free action and its cost; return True."""
    yield from spend_free_action(fight, combatant, what, *cites)
    return True


def spend_free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> Steps[None]:
    """Spend a free action and its cost; the combatant chooses which action to give up.

    futurepath.action.free.definition, .one-per-round, .multiple-cost-standard, .four-or-more,
    futurepath.table.actions.free
    """
    check_turn(fight, combatant)
    options, topic = price_of_free_action(fight, combatant)
    rule = fight.rule(topic)
    if options:
        given = options[0]
        if len(options) > 1:
            given = yield Choice(
                combatant.id, "free-cost", f"{what}: which action does {combatant.id} give up?", options, rule
            )
        yield ActionSpent(who=combatant.id, kind=FORGONE[given], what="free actions", cites=(rule,))
    known = fight.rules("futurepath.action.free.definition", "futurepath.table.actions.free")
    yield ActionSpent(who=combatant.id, kind="free", what=what, cites=(*cites, rule, *known))


# --- Limits on delaying: until all others have acted, and the effect of a forfeited action

MAX, LOST = "futurepath.action.delay.max", "futurepath.action.delay.lost-action"

#: The name, among what a turn has spent, for an action forfeited by waiting until the end of the round.
FORFEITED = "forfeited"


def last_turn(fight: Fight) -> Steps[str]:
    """Return which delayed turn comes now that all others have acted, "" if the round is over.

    Combatants with lower precedence are asked first: the higher one may go last of all
    (futurepath.action.delay.max, futurepath.action.delay.multiple-delayers).
    """
    waiting = [one for one in delaying(fight) if one.waited == fight.state.round]
    for combatant in sorted(waiting, key=fight.dialect.turns.precedence):
        if combatant.spent.get(FORFEITED) or not can_act(fight, combatant):
            continue
        answer = yield Choice(
            combatant.id,
            "last",
            f"all others have acted: does {combatant.id} act now, or forfeit its action of this round?",
            ("act", "forfeit"),
            fight.rule(MAX),
        )
        if answer == "act":
            yield from keep_counts(fight, combatant)
            yield make_delayed_turn_fact(fight, combatant)
            return combatant.id
        yield ActionSpent(
            who=combatant.id, kind=FORFEITED, what="forfeits its action of this round", cites=fight.rules(MAX)
        )
    return ""


def make_delayed_turn_fact(fight: Fight, combatant: Combatant) -> InitiativeChanged:
    """Return that a delayed turn comes after all others, on the lowest count."""
    others = [id for id in fight.state.order if id != combatant.id]
    lowest = min(fight.state.combatants[id].initiative for id in fight.state.order)
    several = ("delay.same-count",) if len(delaying(fight)) > 1 else ()
    return act_at(fight, combatant, lowest, others, len(others), MAX, *several)


def delaying(fight: Fight) -> list[Combatant]:
    """Return the combatants that are delaying, in the order of initiative."""
    return [one for one in map(fight.state.combatants.__getitem__, fight.state.order) if one.delaying]


def offer_early_turns(fight: Fight, number: int) -> Steps[None]:
    """Let combatants that have forfeited an action choose to act before all others in this round.

    Otherwise they `resume` after another turn, or wait for their own (futurepath.action.delay.lost-action).
    The highest precedence is asked last and therefore comes first.
    """
    forfeited = [one for one in delaying(fight) if one.spent.get(FORFEITED)]
    for combatant in sorted(forfeited, key=fight.dialect.turns.precedence):
        order = fight.state.order
        if order[0] == combatant.id:
            continue
        answer = yield Choice(
            combatant.id,
            "first",
            f"{combatant.id} forfeited its action: does it act before all others in this round?",
            ("wait", "act"),
            fight.rule(LOST),
        )
        if answer == "act":
            yield from keep_counts(fight, combatant)
            yield InitiativeChanged(
                who=combatant.id,
                value=fight.state.combatants[order[0]].initiative + 1,
                order=(combatant.id, *(id for id in order if id != combatant.id)),
                before=order[0],
                cites=fight.rules(LOST, "delay.initiative-result"),
            )


AWARENESS = ("futurepath.flow.step-2-surprise", "futurepath.condition.flat-footed.all-combatants")
NO_LIMIT = 1_000_000


def surprise(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Roll initiative for all, then settle surprise; the surprised are skipped in the surprise round.

    By the old reading awareness comes first and only the aware roll before the surprise round
    (futurepath.flow.step-1-initiative, .step-2-surprise, futurepath.surprise.*).
    """
    everybody = tuple(fight.state.combatants)
    unaware = tuple(id for id in everybody if id in act.unaware)
    aware = tuple(id for id in everybody if id not in act.unaware)
    some = bool(unaware) and bool(aware)
    how = fight.option("surprise_round")
    topics = (
        "futurepath.surprise.definition",
        "futurepath.surprise.round-trigger" if some else "futurepath.surprise.no-round-if-all-or-none",
    )
    awareness = AwarenessSettled(
        aware=aware,
        surprised=unaware if some else (),
        cites=fight.rules(*topics, *by_new_rules(fight, *AWARENESS)),
    )
    if how == "old":
        yield awareness
        yield from roll_all(fight, aware if some else everybody)
    else:
        yield from roll_all(fight, everybody)
        yield awareness
    if not some:
        yield from fight.dialect.turns.open_round(fight, act.round)
        return
    for id in unaware:
        yield RuleApplied(
            who=id,
            what=f"{id} is surprised: skipped in the surprise round and still flat-footed",
            cites=fight.rules("futurepath.surprise.unaware-cannot-act"),
        )
    limits = () if how == "new-full-budget" else ("futurepath.surprise.round-action-limit",)
    yield RoundBegan(number=0, cites=fight.rules("futurepath.surprise.round-order", *limits))


def roll_all(fight: Fight, ids: Sequence[str]) -> Steps[None]:
    """Roll initiative for these combatants and set their order."""
    for id in ids:
        yield from fight.dialect.turns.initiative(fight, fight.state.combatants[id])
    yield from fight.dialect.turns.order(fight, ids)


def improved_initiative(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Apply the feat that improves initiative (futurepath.initiative.improved-initiative-feat)."""
    effect = f"improved-initiative:{combatant.id}"
    if has_feat(combatant, "improved initiative"):
        topic = "futurepath.initiative.improved-initiative-feat"
        yield EffectGained(
            who=combatant.id,
            id=effect,
            stat="initiative",
            modifier=fight.modifier(topic, "bonus", kind="feat", source="Improved Initiative"),
            until=Until(),
            cites=(fight.rule(topic),),
        )


def ties_by_modifier(fight: Fight, ids: Sequence[str]) -> bool:
    """Return whether ties go by the initiative modifier and a die (initiative_ties)."""
    return fight.option("initiative_ties") == "modifier"


def order_by_dexterity(fight: Fight, ids: Sequence[str]) -> Steps[None]:
    """Set the order: highest result first, ties by Dexterity score, then Dexterity checks until one wins.

    futurepath.initiative.tie-break
    """
    groups: dict[tuple[int, int], list[str]] = {}
    for id in ids:
        groups.setdefault(initiative_rank(fight.state.combatants[id]), []).append(id)
    totals = [total for total, _ in groups]
    result: list[str] = []
    why = []
    for total, score in sorted(groups, reverse=True):
        tied = yield from roll_off_by_dexterity(fight, groups[total, score])
        if totals.count(total) > 1:
            why.append(f"{', '.join(tied)} at {total} by Dexterity {score}")
        if len(tied) > 1:
            why.append(f"{', '.join(tied)} at {total} by Dexterity checks")
        result += tied
    topics = (
        *by_new_rules(fight, "futurepath.flow.step-1-initiative"),
        "futurepath.initiative.order-descending",
        *(("futurepath.initiative.tie-break",) if why else ()),
    )
    yield OrderSet(order=tuple(result), why="; ".join(why), cites=fight.rules(*topics))


def initiative_rank(combatant: Combatant) -> tuple[int, int]:
    """Return the sort key of the order: the initiative result and the Dexterity score."""
    return combatant.initiative, combatant.sheet.abilities.dex or 0


def precedence(combatant: Combatant) -> tuple[int, ...]:
    """Return the sort key among several combatants that delayed to the same count: modifier, then Dexterity.

    futurepath.action.delay.multiple-delayers
    """
    return combatant.initiative_modifier, combatant.sheet.abilities.dex or 0


def roll_off_by_dexterity(fight: Fight, ids: Sequence[str]) -> Steps[list[str]]:
    """Return tied combatants in the order of Dexterity checks, repeated while any are tied."""
    return roll_off(ids, "tie-break", lambda id: dexterity_check(fight, fight.state.combatants[id]))


def dexterity_check(fight: Fight, combatant: Combatant) -> int:
    """Return the modifier of a Dexterity check, with bonuses and penalties to such checks."""
    rule = fight.rule("futurepath.initiative.tie-break")
    own = [Modifier(ability(combatant.sheet, "dex"), "ability", "Dexterity", rule)]
    return int(fight.stack(check_parts(fight, combatant, "dexterity", own)).total)


def open_round(fight: Fight, number: int) -> Steps[None]:
    """Begin a round of 2 seconds (6 by the old reading); latecomers take their place in the order.

    futurepath.round.duration, futurepath.flow.step-3-review, futurepath.initiative.joining-late,
    futurepath.initiative.order-persists
    """
    late = [id for id in fight.state.combatants if id not in fight.state.order]
    if late and fight.option("surprise_round") == "old":
        for id in late:
            yield from fight.dialect.turns.initiative(fight, fight.state.combatants[id])
        yield from fight.dialect.turns.order(fight, list(fight.state.combatants))
    elif late:
        yield from join_order(fight, late)
    same = ["futurepath.initiative.order-persists"] if number > 1 and not late else []
    again = ["futurepath.flow.step-4-repeats"] if number > 1 else []
    cycle = by_new_rules(fight, "futurepath.flow.step-3-review", "futurepath.flow.cyclic-turns", *again)
    yield RoundBegan(number=number, cites=fight.rules("futurepath.round.duration", *cycle, *same))


def join_at_once(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Make a combatant that joins during a turn roll at once, and act when its count comes up.

    It acts in this round unless its count is past. A thing has no turn, and between turns there is no order
    to join: the next round puts such newcomers into the order (futurepath.initiative.joining-late).
    """
    if fight.state.active and fight.combatant(act.id).sheet.thing is None:
        yield from join_order(fight, (act.id,))


def join_order(fight: Fight, late: Sequence[str]) -> Steps[None]:
    """Put latecomers into the running order, behind those with the same count."""
    rows = list(fight.state.order)
    for id in late:
        combatant = fight.state.combatants[id]
        yield from fight.dialect.turns.initiative(fight, combatant)
        places = (
            n
            for n, other in enumerate(rows)
            if initiative_rank(fight.state.combatants[other]) < initiative_rank(combatant)
        )
        rows.insert(next(places, len(rows)), id)
    yield OrderSet(
        order=tuple(rows),
        why=f"{', '.join(late)} joined",
        cites=fight.rules("futurepath.initiative.joining-late"),
    )


def close_round(fight: Fight) -> Steps[None]:
    """End the round and record the digest of the state (futurepath.flow.step-5-counters).

    Effects that last until a count of the next round are not shortened by it
    (futurepath.round.no-global-boundary).
    """
    topics = by_new_rules(fight, "futurepath.flow.step-5-counters")
    if any(lasts_on(fight, one) for one in fight.state.combatants.values()):
        topics = (*topics, "futurepath.round.no-global-boundary")
    yield RoundEnded(
        number=fight.state.round,
        state=fight.digest(fight.state),
        view=VIEW,
        cites=fight.rules(*topics),
    )


def lasts_on(fight: Fight, combatant: Combatant) -> bool:
    """Return whether an effect on a combatant lasts from this round into a later turn."""
    held = [one.until for one in combatant.conditions.values()] + [one.until for one in combatant.effects]
    return any(one.when.startswith("turn-") and one.round > fight.state.round for one in held)


def begin_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn: budgets are renewed, and the combatant is no longer flat-footed.

    futurepath.condition.flat-footed.ends-on-turn, futurepath.action.types,
    futurepath.action.single-action-restriction
    """
    first = () if combatant.acted else ("futurepath.condition.flat-footed.ends-on-turn",)
    yield TurnBegan(
        who=combatant.id,
        number=fight.state.turn + 1,
        cites=fight.rules(
            "futurepath.round.turn-structure", *by_new_rules(fight, "futurepath.flow.step-4-act", *first)
        ),
    )
    topics = (
        ("futurepath.action.single-action-restriction",)
        if is_limited_to_one(fight, combatant)
        else ("futurepath.action.normal-round-budget", "futurepath.action.types")
    )
    yield BudgetRenewed(
        who=combatant.id,
        what=("actions", "reactions"),
        cites=fight.rules(*topics, "futurepath.aoo.single-attack"),
    )


def close_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End a turn: strain on the disabled by the assumed standard, and effects that last until now end.

    futurepath.injury.disabled-at-0
    """
    if (
        "disabled" in combatant.conditions
        and combatant.spent.get("standard")
        and standard_injuries(fight, combatant)
    ):
        yield from lose_one(fight, combatant, "strain", "injury.disabled", "strain_damage")
    yield from kernel_durations.expire(fight, combatant, "turn-end")
    reason = next((name for name in combatant.conditions if rule_of(fight, name).actions == "none"), "")
    yield TurnEnded(who=combatant.id, skipped=reason, cites=fight.rules("futurepath.round.turn-structure"))


def standard_injuries(fight: Fight, combatant: Combatant) -> bool:
    """Return whether the 3.5 rules supply what the text leaves out about injuries."""
    return fight.option("injury_rules") == "standard"


def massive_damage(fight: Fight, combatant: Combatant) -> int:
    """Return the damage of one attack that calls for a save against death; unreachable if not assumed."""
    if not standard_injuries(fight, combatant):
        return NO_LIMIT
    return int(fight.figure("futurepath.assumed.massive-damage", "threshold"))


# --- What a full-round action leaves of a turn in Futurepath: no movement, and no attack after a charge


def refuse_to_move_on(fight: Fight, act: acts.Move) -> None:
    """Refuse to move after a full-round action, except for a 5-foot step if that is allowed.

    Instead of the rest of a full attack the mover may still move (futurepath.movement.full-round-only-5-ft).
    """
    mover = fight.combatant(act.actor)
    if mover.spent.get("full-round") and fight.state.active == mover.id and not breaks_off(mover):
        rule = fight.rule("futurepath.movement.full-round-only-5-ft")
        raise Refusal(f"{mover.id} has spent the turn on a full-round action and cannot move", rule)


def refuse_after_charge(fight: Fight, combatant: Combatant, act: acts.Attack | acts.FullAttack) -> None:
    """Refuse another attack after that of a charge (futurepath.action.charge.one-attack)."""
    if combatant.spent.get("full-round") and fight.state.active == combatant.id:
        rule = fight.rule("futurepath.action.charge.one-attack")
        raise Refusal(f"{combatant.id} has charged and cannot make another attack", rule)


# --- The tables of actions in Futurepath: whether an action provokes by its row


def provokes_by_row(fight: Fight, topic: str, row: str) -> tuple[bool, str]:
    """Return whether an action provokes by its row of a table of the edition, and the table's rule.

    futurepath.table.actions.*
    """
    return dict(fight.figure(topic))[row] == "yes", fight.rule(topic)
