"""What steels against fear and charm: a paladin's aura, a bard's music (srd35.class.divine-grace)."""

from affray.engine.fight import Fight
from affray.engine.rules.conditions.condition_rules import effect_parts, is_down
from affray.engine.rules.position.place import distance
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

FEAR = ("shaken", "frightened", "panicked")
CHARM = ("charmed", "fascinated")
#: What passing effects add to saves against such conditions.
STAT = "saves against fear and charm"
TOPIC = "class.divine-grace"


def is_fearless(fight: Fight, who: Combatant) -> bool:
    """Say whether a combatant is a paladin of enough levels for the aura of courage."""
    level = who.sheet.classes.get("paladin", 0)
    return bool(level and level >= fight.figure(TOPIC, "courage_level"))


def steeled(fight: Fight, who: Combatant, condition: str) -> tuple[Modifier, ...]:
    """Return what adds to a save against a condition of fear or charm.

    Allies near a paladin have a morale bonus against fear; so have those whom music heartens, also
    against charm (srd35.class.divine-grace, srd35.class.inspire-courage).
    """
    if condition not in FEAR and condition not in CHARM:
        return ()
    parts = list(effect_parts(who, STAT, ""))
    if condition in FEAR:
        near = fight.figure(TOPIC, "courage_radius_ft")
        for friend in fight.allies(who):
            if is_fearless(fight, friend) and not is_down(fight, friend) and distance(who, friend) <= near:
                source = f"{friend.id}'s aura of courage"
                parts.append(fight.modifier(TOPIC, "courage_save", kind="morale", source=source))
    return tuple(parts)


def unmoved(fight: Fight, who: Combatant, condition: str) -> tuple[str, ...]:
    """Return the rules that make somebody immune to a condition, () when none does: paladins to fear."""
    return (fight.rule(TOPIC),) if condition in FEAR and is_fearless(fight, who) else ()
