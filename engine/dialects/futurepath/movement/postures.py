"""Going down prone, to sitting or to kneeling, and getting up again, in futurepath."""

from affray.engine.dialects.futurepath.contested import by_new_rules, in_force
from affray.engine.dialects.futurepath.turns.action_budget import spend_free_action
from affray.engine.dialects.futurepath.turns.table_rows import provokes_by_row
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.declared import AnyAct
from affray.projections.state import Combatant

#: The postures into which one goes down of one's own accord.
LOW = ("kneeling", "sitting", "prone")
#: The way of moving for which nobody has to stand up.
CRAWLING = "crawl"
TABLE = "futurepath.table.actions.move"


def go_down(fight: Fight, combatant: Combatant, posture: str) -> Steps[None]:
    """Go down into a posture, out of another one too; whoever is prone gets up first.

    futurepath.action.drop-prone, futurepath.action.drop-prone.low-gravity,
    futurepath.condition.changed-by-actions.
    """
    rule = fight.rule("futurepath.action.drop-prone")
    for held in ("prone", posture):
        if held in combatant.conditions:
            raise Refusal(f"{combatant.id} is {held} already", rule)
    what = "drop prone" if posture == "prone" else f"go down to {posture}"
    if fight.option("gravity") == "low":
        rule = fight.rule("futurepath.action.drop-prone.low-gravity")
        yield spending(fight, combatant, "standard", what, rule)
    else:
        yield from spend_free_action(fight, combatant, what, rule)
    changed = fight.rules(*by_new_rules(fight, "futurepath.condition.changed-by-actions"))
    for other in LOW:
        if other in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=other, why=posture, cites=(rule,))
    yield ConditionGained(who=combatant.id, condition=posture, source="by choice", cites=(rule, *changed))


def is_low(fight: Fight, act: acts.Stand) -> bool:
    """Say whether who would stand up kneels or sits; the prone get up by a rule of their own."""
    held = fight.combatant(act.actor).conditions
    return "prone" not in held and any(one in held for one in LOW)


def refuse_to_walk(fight: Fight, mover: Combatant, act: AnyAct) -> None:
    """Refuse to go anywhere from kneeling or sitting but by crawling: one stands up first.

    futurepath.table.actions.move; of the prone each way of moving says so itself.
    """
    if isinstance(act, acts.Move) and act.how == CRAWLING:
        return
    posture = next((one for one in LOW if one in mover.conditions), "")
    rule = in_force(fight, "futurepath.table.actions.move.legacy", {})
    raise Refusal(f"{mover.id} is {posture} and must stand up first", rule)


def rise(fight: Fight, act: acts.Stand) -> Steps[None]:
    """Stand up from sitting or kneeling: a move action that provokes, as from prone.

    futurepath.action.move.definition, futurepath.table.actions.move.
    """
    actor = fight.combatant(act.actor)
    posture = next(one for one in LOW if one in actor.conditions)
    yield spending(fight, actor, "move", "stand up", fight.rule("futurepath.action.move.definition"))
    _, table = provokes_by_row(fight, TABLE, "stand up from prone, sitting, or kneeling")
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "stands up", f"stand:{fight.declaration}", table
    )
    if not is_down(fight, actor):
        changed = fight.rules(*by_new_rules(fight, "futurepath.condition.changed-by-actions"))
        yield ConditionLost(who=actor.id, condition=posture, why="stands up", cites=(table, *changed))
