"""Armor for mounts: what medium and heavy barding does to speed (srd35.armor.barding)."""

from affray.engine.dialects.srd35.movement.speed import land_speed
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.conditions.condition_rules import effect_parts
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

SLOWING = ("medium", "heavy")


def is_barded(who: Combatant) -> bool:
    """Say whether a creature wears barding that slows it: the trait, and armor of that weight."""
    return who.sheet.armor_weight in SLOWING and has_trait(who, "barding")


def speed_in_barding(fight: Fight, who: Combatant) -> int:
    """Return the speed in feet; the sheet of a barded creature has that without barding."""
    if not is_barded(who):
        return land_speed(fight, who)
    slowed = fight.figure("armor.barding")
    feet = int(slowed.get(str(who.sheet.speed), who.sheet.speed))
    return feet + (sum(part.value for part in effect_parts(who, "speed", "")) if who.effects else 0)


def in_heavy_barding(fight: Fight, who: Combatant) -> bool:
    """Say whether a creature wears heavy barding."""
    return is_barded(who) and who.sheet.armor_weight == "heavy"


def heavy_barding_run(fight: Fight, who: Combatant) -> int:
    """Return how many times its speed a creature runs in heavy barding (srd35.armor.barding)."""
    return int(fight.figure("armor.barding", "heavy_run"))


def tell_barded_speed(fight: Fight, who: Combatant) -> Steps[None]:
    """Say how fast a creature is that enters in barding."""
    if is_barded(who):
        feet = speed_in_barding(fight, who)
        what = f"in {who.sheet.armor_weight} barding moves {feet} ft. instead of {who.sheet.speed} ft."
        if who.sheet.fly:
            what += " and does not fly"
        yield RuleApplied(who=who.id, what=what, cites=(fight.rule("armor.barding"),))
