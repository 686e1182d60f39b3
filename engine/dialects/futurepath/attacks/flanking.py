"""Flanking: an ally straight across the defender who threatens it."""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.contested import situational
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_modifiers import flanking_partner, why_unflankable
from affray.engine.rules.conditions.immunities import immunity_to
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

FLANKING: Final = "futurepath.attack.flanking"
DEFINITION: Final = "futurepath.modifier.attacker-flanking-definition"
MELEE_ONLY: Final = "futurepath.attack.flanking-melee-only"


def flanking_advantage(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what flanking gives in melee, graded by size; by the new table, or by the old rule alone.

    The ally stands straight across the defender and threatens it (futurepath.modifier.attacker-flanking,
    futurepath.attack.flanking, futurepath.modifier.attacker-flanking-definition).
    """
    friend = flanking_partner(fight, blow)
    if friend is None:
        return []
    blow.cites.append(fight.rule(DEFINITION))
    part = part_of_flanking(fight, friend)
    if (immunity := immunity_to(fight, blow.target, "flanking")) is None:
        return [part]
    blow.cites.append(immunity.rule)
    return [replace(part, denied=why_unflankable(blow.target, immunity))]


def no_flanking_at_range(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what flanking would give, denied: it gives nothing to a ranged attack.

    futurepath.attack.flanking-melee-only.
    """
    friend = flanking_partner(fight, blow)
    if friend is None:
        return []
    rule = fight.rule(MELEE_ONLY)
    return [replace(part_of_flanking(fight, friend), rule=rule, denied="not at range")]


def part_of_flanking(fight: Fight, friend: Combatant) -> Modifier:
    """Return what flanking with a friend is worth, by the text in force (futurepath.attack.flanking)."""
    column = "attack" if fight.rule(FLANKING) == FLANKING else "melee"
    return situational(fight, FLANKING, column, source=f"flanking with {friend.id}")
