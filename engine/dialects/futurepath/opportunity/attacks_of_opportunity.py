"""Attacks of opportunity in Futurepath: the rules that openings and the blows into them come of."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.contested import in_force
from affray.engine.dialects.futurepath.opportunity.gun_butt import BUTT, DAMAGE, is_butt
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Steps, altered
from affray.events.facts.combat import Provoked
from affray.events.facts.flow import ReactionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TRIGGERS: Final = "futurepath.aoo.two-triggers"
SQUARES: Final = "futurepath.threat.threatened-squares"
RANGE: Final = "futurepath.threat.range-5-ft"
#: Movement that goes with an action which provokes nothing by itself.
ON_ACTIONS: Final = ("charge", "withdraw", "climb", "crawl", "swim")


def name_rules(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Go through a declaration, its attacks of opportunity under the rules that speak of them.

    One may be declined; it is made at the full attack bonus, whatever was attacked before
    (futurepath.aoo.optional, futurepath.aoo.attack-bonus, futurepath.aoo.definition,
    futurepath.aoo.concept.legacy).
    """

    def named(step: Any) -> Any:
        kind = type(step)
        if kind is Choice and step.purpose == "take":
            return replace(step, rule=fight.rule("futurepath.aoo.optional"))
        if kind is Provoked:
            return replace(step, cites=(*step.cites, *rules_of_opening(fight, step)))
        if kind is ReactionSpent and step.kind == "opportunity":
            return replace(
                step,
                cites=(*step.cites, *fight.rules("futurepath.aoo.definition", "futurepath.aoo.attack-bonus")),
            )
        return step

    return altered(steps, named)


def rules_of_opening(fight: Fight, fact: Provoked) -> tuple[str, ...]:
    """Return the rules by which somebody has an opening: what provokes, and how far it threatens.

    futurepath.aoo.trigger-action, futurepath.aoo.trigger-movement, futurepath.aoo.two-triggers,
    futurepath.threat.range-5-ft, futurepath.threat.reach-weapons, futurepath.threat.threatened-squares.
    """
    moving = fight.rule("aoo.triggers") in fact.cites
    trigger = in_force(fight, TRIGGERS, {"what provokes": "movement" if moving else "action"})
    feet = distance(fight.combatant(fact.by), fight.combatant(fact.who))
    near = feet <= fight.book.figure(RANGE, "default_threat_range_ft")
    threat = in_force(fight, SQUARES, {"threat range": "5 feet" if near else "longer"})
    return tuple(one for one in (trigger, threat) if one not in fact.cites)


def rules_of_way(
    fight: Fight, mover: Combatant, enemy: Combatant, here: Square, there: Square, how: str
) -> Sequence[str]:
    """Return the rules of leaving an enemy's range on a way: with a safe action, or having entered it.

    futurepath.aoo.column-excludes-movement, futurepath.action.withdraw.other-squares,
    futurepath.action.tactical-retreat, futurepath.aoo.trigger-on-exit,
    futurepath.aoo.entering-threatened-square.
    """
    topics = []
    if how in ON_ACTIONS:
        topics.append("futurepath.aoo.column-excludes-movement")
    if how == "withdraw":
        topics.append("futurepath.action.withdraw.other-squares")
    if mover.spent.get("feet"):
        topics.append("futurepath.aoo.entering-threatened-square")
    return fight.rules(*topics)


def rules_of_weapon(weapon: Weapon) -> tuple[str, ...]:
    """Return the topics of what lets a weapon strike out of turn.

    futurepath.aoo.must-be-able-to-melee, futurepath.aoo.melee-only, futurepath.aoo.weapon-type,
    futurepath.aoo.improvised-gun-butt, futurepath.assumed.gun-butt.
    """
    if is_butt(weapon):
        return (BUTT, DAMAGE)
    return ("futurepath.aoo.must-be-able-to-melee", "futurepath.aoo.weapon-type")
