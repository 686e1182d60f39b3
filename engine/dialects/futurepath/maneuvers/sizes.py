"""Whom size keeps out of reach of a maneuver, and what the larger of two gets (futurepath.*.size-limit)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import sizes_larger
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def refuse_unfit(fight: Fight, attacker: Combatant, target: Combatant, topic: str) -> None:
    """Refuse a target that is more sizes larger than the rule on `topic` allows, the dead and oneself."""
    rule = fight.rule(topic)
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot do that to itself", rule)
    if sizes_larger(target, attacker) > fight.figure(topic, "max_sizes_larger"):
        raise Refusal(f"{target.id} is too big for {attacker.id}", rule)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", rule)


def for_larger(fight: Fight, one: Combatant, other: Combatant, topic: str) -> list[Modifier]:
    """Return what the one has for being larger than the other, for each size category."""
    larger = sizes_larger(one, other)
    if larger <= 0:
        return []
    per = int(fight.figure(topic, "per_size"))
    return [Modifier(per * larger, "size difference", f"larger than {other.id}", fight.rule(topic))]
