"""Bonuses against fear and charm: a paladin's aura, a bard's music (srd35.class.divine-grace)."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.conditions.condition_rules import effect_parts
from affray.engine.rules.position.place import distance
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

FEAR = ("shaken", "frightened", "panicked")
CHARM = ("charmed", "fascinated")
#: What passing effects add to saves against such conditions.
STAT = "saves against fear and charm"
TOPIC = "class.divine-grace"


def is_fearless(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant is a paladin of enough levels for the aura of courage."""
    level = combatant.sheet.classes.get("paladin", 0)
    return bool(level and level >= fight.figure(TOPIC, "courage_level"))


def inspired_save_bonus(fight: Fight, combatant: Combatant, condition: str, save: str) -> list[Modifier]:
    """Return what music and other passing effects add to a save against fear or charm.

    srd35.class.inspire-courage.
    """
    return list(effect_parts(combatant, STAT, "")) if condition in FEAR or condition in CHARM else []


def aura_of_courage(fight: Fight, combatant: Combatant, condition: str, save: str) -> list[Modifier]:
    """Return the morale bonus against fear of those near a paladin (srd35.class.divine-grace)."""
    if condition not in FEAR:
        return []
    near = fight.figure(TOPIC, "courage_radius_ft")
    return [
        fight.modifier(TOPIC, "courage_save", kind="morale", source=f"{friend.id}'s aura of courage")
        for friend in fight.allies(combatant)
        if is_fearless(fight, friend) and not is_down(fight, friend) and distance(combatant, friend) <= near
    ]


def immune_to_fear(fight: Fight, combatant: Combatant, condition: str) -> tuple[str, ...]:
    """Return the rules that make a combatant immune to a condition, () when none does: paladins to fear."""
    return (fight.rule(TOPIC),) if condition in FEAR and is_fearless(fight, combatant) else ()
