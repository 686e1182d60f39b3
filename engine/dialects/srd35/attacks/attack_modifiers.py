"""What the situation on the map does to an attack: cover, range (srd35.attack-mod.*)."""

from affray.engine.blow import Blow
from affray.engine.fight import Fight
from affray.engine.rules.attacks.attack_modifiers import increments, melee_parts, place_parts
from affray.engine.rules.attacks.attack_roll import common_attack_situation
from affray.events.facts.modifier import Modifier


def attack_situation(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what place and company do to the attack roll, with conditions and passing effects.

    In melee: flanking and higher ground. At range: increments and friends in the melee
    (srd35.flank.bonus, srd35.attack-mod.higher-ground, srd35.attack-action.range-increment, .into-melee).
    """
    parts = common_attack_situation(fight, blow)
    if blow.melee:
        return parts + place_parts(fight, blow)
    return parts + range_parts(fight, blow) + melee_parts(fight, blow)


def range_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for each full range increment (srd35.attack-action.range-increment)."""
    increment = fight.dialect.attacks.range_increment(fight, blow)
    full = increments(blow.distance, increment) if increment else 0
    if not full or "entangle" in blow.weapon.traits:  # how far a net reaches is no increment
        return []
    topic = "attack-action.range-increment"
    per = fight.figure(topic, "penalty_per_full_increment")
    return [Modifier(per * full, "penalty", f"range {blow.distance} ft.", fight.rule(topic))]
