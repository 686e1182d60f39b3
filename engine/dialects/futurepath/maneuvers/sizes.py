"""Whom size keeps out of reach of a maneuver, and what the larger of two gets (futurepath.*.size-limit)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import sizes_larger
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: What size keeps out of reach of, and the rule.
LIMITS: Final = {
    "bull rush": "futurepath.bull-rush.size-limit",
    "overrun": "futurepath.overrun.size-limit",
    "trip": "futurepath.trip.size-limit",
}


def refuse_unfit(fight: Fight, attacker: Combatant, target: Combatant, what: str) -> None:
    """Refuse things, the dead, oneself, and who is more sizes larger than the rule of the maneuver allows."""
    topic = LIMITS[what]
    rule = fight.rule(topic)
    refuse_thing(fight, target, rule)
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot {what} itself", rule)
    if sizes_larger(target, attacker) > fight.figure(topic, "max_sizes_larger"):
        raise Refusal(f"{target.id} is too big for {attacker.id} to {what}", rule)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("futurepath.injury.dead-at-minus-10"))


def refuse_thing(fight: Fight, target: Combatant, rule: str) -> None:
    """Refuse a maneuver against a thing, which is no opponent."""
    if target.sheet.thing is not None:
        raise Refusal(f"{target.id} is a thing and no opponent", rule)


def for_larger(fight: Fight, one: Combatant, other: Combatant, topic: str) -> list[Modifier]:
    """Return what the one has for being larger than the other, for each size category."""
    larger = sizes_larger(one, other)
    if larger <= 0:
        return []
    per = int(fight.figure(topic, "per_size"))
    return [Modifier(per * larger, "size difference", f"larger than {other.id}", fight.rule(topic))]
