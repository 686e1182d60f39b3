"""Armor for mounts: what medium and heavy barding does to speed (srd35.armor.barding)."""

from affray.engine.dialects.srd35.movement.speed import speed_in_armor_or_load
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.conditions.condition_rules import effect_parts
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

SLOWING = ("medium", "heavy")


def is_barded(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a creature wears barding that slows it: the trait, and armor of that weight."""
    return combatant.sheet.armor_weight in SLOWING and has_trait(combatant, "barding")


def speed_in_barding(fight: Fight, combatant: Combatant) -> int:
    """Return the speed in feet of the barded, whose sheet names that without barding.

    What its own table does not list is slowed as by any armor (srd35.speed.reduced-table).
    """
    slowed = fight.figure("srd35.armor.barding").get(str(combatant.sheet.speed))
    feet = int(slowed or speed_in_armor_or_load(fight, combatant.sheet.speed))
    return feet + sum(part.value for part in effect_parts(combatant, "speed", ""))


def tell_speed(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Tell how fast a creature is that enters in barding."""
    actor = fight.state.combatants[act.id]
    if is_barded(fight, actor):
        feet = speed_in_barding(fight, actor)
        what = f"in {actor.sheet.armor_weight} barding moves {feet} ft. instead of {actor.sheet.speed} ft."
        if actor.sheet.fly:
            what += " and does not fly"
        yield RuleApplied(who=actor.id, what=what, cites=(fight.rule("srd35.armor.barding"),))
