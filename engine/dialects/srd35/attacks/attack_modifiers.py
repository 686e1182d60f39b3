"""What the tables of attacks say of missiles: range, height, blank cells (srd35.attack-mod.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_modifiers import flanking_partner, higher, increments
from affray.events.facts.modifier import Modifier


def range_penalty(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for each full range increment (srd35.attack-action.range-increment)."""
    increment = fight.dialect.attacks.range_increment(fight, blow)
    full = increments(blow.distance, increment) if increment else 0
    if not full or "entangle" in blow.weapon.traits:  # how far a net reaches is no increment
        return []
    topic = "attack-action.range-increment"
    per = fight.figure(topic, "penalty_per_full_increment")
    return [Modifier(per * full, "penalty", f"range {blow.distance} ft.", fight.rule(topic))]


def higher_ground_at_range(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what higher ground gives to a missile, as the table has it (srd35.attack-mod.higher-ground)."""
    if not higher(fight, blow):
        return []
    topic = "attack-mod.higher-ground"
    return [fight.modifier(topic, "ranged", kind="circumstance", source="higher ground")]


def flanking_at_range(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what flanking gives to a missile where blank cells read as melee (attack_table_slips).

    srd35.attack-mod.flanking.
    """
    friend = flanking_partner(fight, blow) if fight.option("attack_table_slips") == "as-melee" else None
    if friend is None:
        return []
    source = f"flanking with {friend.id}"
    return [fight.modifier("attack-mod.flanking", "melee", kind="flanking", source=source)]
