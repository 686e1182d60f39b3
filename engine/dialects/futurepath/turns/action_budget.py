"""What a turn allows: one attack and one move action, and what free actions cost."""

from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.record.turns import Allowance
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

#: What conditions leave of a turn, the strictest first: attack actions, and actions in all.
LIMITS = {"none": (0, 0), "move": (0, 1), "single": (1, 1)}
FORGONE = {"attack": "forgone-attack", "move": "forgone-move"}


def allowance(fight: Fight, combatant: Combatant) -> Allowance:
    """Return what this turn allows: an attack and a move action, two moves, or a full-round action.

    Less in the surprise round and in some conditions. What free actions have cost is gone, and a free
    action forbids a full-round one (futurepath.action.normal-round-budget, .free.multiple-cost-standard,
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
    """Return (attack actions, actions in all, full-round allowed, topic) before free actions take theirs."""
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
    """Say whether the situation allows one attack or move action only."""
    _, total, full, _ = basic_allowance(fight, combatant)
    return total == 1 and not full


def price_of_free_action(fight: Fight, combatant: Combatant) -> tuple[tuple[str, ...], str]:
    """Return what the next free action costs: the actions one of which must go, and the rule's topic.

    The first is free, the second takes an attack or a move action, the third nothing more, the fourth
    the other one. Refuses what is no longer there to pay with.
    """
    if fight.readied == combatant.id:
        return (), "futurepath.action.ready.5-foot-step"
    if old_only(fight):
        if combatant.spent.get("full-round"):
            return (), "futurepath.action.full-round.with-free"
        return (), "futurepath.action.free.gm-limit"
    if combatant.spent.get("full-round"):
        raise Refusal(
            f"{combatant.id} has no free action beside a full-round one",
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
    """Spend a free action and what it costs; there is time for it then."""
    yield from spend_free_action(fight, combatant, what, *cites)
    return True


def spend_free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> Steps[None]:
    """Spend a free action and what it costs; the combatant chooses which action to give up.

    futurepath.action.free.definition, .one-per-round, .multiple-cost-standard, .four-or-more,
    futurepath.table.actions.free.
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
