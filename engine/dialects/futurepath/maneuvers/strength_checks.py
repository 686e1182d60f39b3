"""Opposed checks of Strength in maneuvers: who pushes or trips, and who keeps its feet.

futurepath.bull-rush.modifiers, futurepath.trip.modifiers.
"""

from affray.engine.dialects.futurepath.maneuvers.sizes import for_larger
from affray.engine.fight.fight import Fight
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import ability, has_trait
from affray.engine.rules.classes.ability_scores import ability_now, lowered
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

LEGS = 2


def check_of_attacker(
    fight: Fight, attacker: Combatant, target: Combatant, topic: str, charging: bool = False
) -> Side:
    """Return the Strength check of who pushes or trips, by the modifiers of the rule on `topic`."""
    parts = [
        Modifier(ability(attacker.sheet, "str"), "ability", "Strength", fight.rule(topic)),
        *lowered(fight, attacker, "str"),
        *for_larger(fight, attacker, target, topic),
    ]
    if charging:
        parts.append(fight.modifier(topic, "charge", kind="circumstance", source="charging"))
    return side_of(fight, attacker, "strength", parts)


def check_of_target(fight: Fight, target: Combatant, attacker: Combatant, topic: str, nimble: bool) -> Side:
    """Return the check against it: Strength, or Dexterity where that is `nimble` and better.

    More than two legs, or being exceptionally stable, help.
    """
    ways = (("str", "Strength"), ("dex", "Dexterity")) if nimble else (("str", "Strength"),)
    short, name = max(ways, key=lambda way: ability_now(fight, target, way[0]))
    parts = [
        Modifier(ability(target.sheet, short), "ability", name, fight.rule(topic)),
        *lowered(fight, target, short),
        *for_larger(fight, target, attacker, topic),
    ]
    many = target.sheet.legs > LEGS
    if many or has_trait(target, "stable"):
        source = f"{target.sheet.legs} legs" if many else "stable"
        parts.append(fight.modifier(topic, "stability", kind="stability", source=source))
    return side_of(fight, target, name.lower(), parts)
