"""The flow of a Futurepath fight: everybody rolls, then surprise, ties by Dexterity, short rounds."""

from collections.abc import Sequence

from affray.engine.dialects.futurepath.contested import by_new_rules
from affray.engine.dialects.futurepath.turns.action_budget import is_limited_to_one
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.classes.ability_modifiers import ability, has_feat
from affray.engine.rules.classes.saves_and_checks import check_parts
from affray.engine.rules.damage.injury import lose_one
from affray.engine.rules.turns import expiry
from affray.engine.rules.turns.initiative import roll_off
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import (
    AwarenessSettled,
    BudgetRenewed,
    OrderSet,
    RoundBegan,
    RoundEnded,
    RuleApplied,
    TurnBegan,
    TurnEnded,
)
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant
from affray.projections.view import VIEW

AWARENESS = ("futurepath.flow.step-2-surprise", "futurepath.condition.flat-footed.all-combatants")
NO_LIMIT = 1_000_000


def surprise(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Roll initiative for everybody, then settle who is surprised; they are skipped in the round before.

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
    """Let a feat help with initiative (futurepath.initiative.improved-initiative-feat)."""
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
    """Say whether ties go by the initiative modifier and a die (initiative_ties)."""
    return fight.option("initiative_ties") == "modifier"


def order_by_dexterity(fight: Fight, ids: Sequence[str]) -> Steps[None]:
    """Set the order: highest result first, ties by Dexterity score, then Dexterity checks until one wins.

    futurepath.initiative.tie-break
    """
    groups: dict[tuple[int, int], list[str]] = {}
    for id in ids:
        groups.setdefault(initiative_rank(fight.state.combatants[id]), []).append(id)
    totals = [initiative for initiative, _ in groups]
    result: list[str] = []
    why = []
    for initiative, score in sorted(groups, reverse=True):
        tied = yield from check_off(fight, groups[initiative, score])
        if totals.count(initiative) > 1:
            why.append(f"{', '.join(tied)} at {initiative} by Dexterity {score}")
        if len(tied) > 1:
            why.append(f"{', '.join(tied)} at {initiative} by Dexterity checks")
        result += tied
    topics = (
        *by_new_rules(fight, "futurepath.flow.step-1-initiative"),
        "futurepath.initiative.order-descending",
        *(("futurepath.initiative.tie-break",) if why else ()),
    )
    yield OrderSet(order=tuple(result), why="; ".join(why), cites=fight.rules(*topics))


def initiative_rank(combatant: Combatant) -> tuple[int, int]:
    """Return what the order goes by: the initiative result and the Dexterity score."""
    return combatant.initiative, combatant.sheet.abilities.dex or 0


def precedence(combatant: Combatant) -> tuple[int, ...]:
    """Return what the order goes by among several who delayed to the same count: modifier, then Dexterity.

    futurepath.action.delay.multiple-delayers
    """
    return combatant.initiative_modifier, combatant.sheet.abilities.dex or 0


def check_off(fight: Fight, ids: Sequence[str]) -> Steps[list[str]]:
    """Return tied combatants in the order of Dexterity checks, repeated while any are level."""
    return roll_off(ids, "tie-break", lambda id: dexterity_check(fight, fight.state.combatants[id]))


def dexterity_check(fight: Fight, combatant: Combatant) -> int:
    """Return what is added to a Dexterity check: the modifier, and what hampers or helps such checks."""
    rule = fight.rule("futurepath.initiative.tie-break")
    own = [Modifier(ability(combatant.sheet, "dex"), "ability", "Dexterity", rule)]
    return int(fight.stack(check_parts(fight, combatant, "dexterity", own)).total)


def open_round(fight: Fight, number: int) -> Steps[None]:
    """Begin a round of 2 seconds (6 by the old reading); latecomers take their place in the order.

    futurepath.round.duration, futurepath.flow.step-3-review, futurepath.initiative.joining-late,
    futurepath.initiative.order-persists.
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
    """Let whoever comes into a fight while a turn is running roll then, and act as its count comes up.

    That is in this round unless it is past already. A mere thing has no turn to wait for, and where no turn
    is running there is none to come before: the next round puts them into the order
    (futurepath.initiative.joining-late).
    """
    if fight.state.active and fight.combatant(act.id).sheet.thing is None:
        yield from join_order(fight, (act.id,))


def join_order(fight: Fight, late: Sequence[str]) -> Steps[None]:
    """Put latecomers into the running order, behind those who are level with them."""
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
    """End the cycle and record the digest of the state (futurepath.flow.step-5-counters).

    What lasts until a count of the next round is none the shorter for it
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
    """Say whether something on a combatant lasts from this round into the turns of a later one."""
    held = [one.until for one in combatant.conditions.values()] + [one.until for one in combatant.effects]
    return any(one.when.startswith("turn-") and one.round > fight.state.round for one in held)


def begin_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn: budgets are renewed, nobody stays flat-footed.

    futurepath.condition.flat-footed.ends-on-turn, futurepath.action.types,
    futurepath.action.single-action-restriction.
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
    """End a turn: strain on the disabled by the assumed standard, and what lasts until now ends.

    futurepath.injury.disabled-at-0.
    """
    if (
        "disabled" in combatant.conditions
        and combatant.spent.get("standard")
        and standard_injuries(fight, combatant)
    ):
        yield from lose_one(fight, combatant, "strain", "injury.disabled", "strain_damage")
    yield from expiry.expire(fight, combatant, "turn-end")
    reason = next((name for name in combatant.conditions if rule_of(fight, name).actions == "none"), "")
    yield TurnEnded(who=combatant.id, skipped=reason, cites=fight.rules("futurepath.round.turn-structure"))


def standard_injuries(fight: Fight, combatant: Combatant) -> bool:
    """Say whether the 3.5 rules fill in what the text leaves out about injuries."""
    return fight.option("injury_rules") == "standard"


def massive_damage(fight: Fight, combatant: Combatant) -> int:
    """Return the damage of one attack that calls for a save against death: out of reach if not assumed."""
    if not standard_injuries(fight, combatant):
        return NO_LIMIT
    return int(fight.figure("futurepath.assumed.massive-damage", "threshold"))
