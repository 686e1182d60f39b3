"""Opposed checks of Strength in maneuvers: who pushes or trips, and who keeps its feet.

futurepath.bull-rush.modifiers, futurepath.trip.modifiers.
"""

from typing import NamedTuple

from affray.engine.dialects.futurepath.maneuvers.sizes import for_larger
from affray.engine.fight.fight import Fight
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import ability, has_trait
from affray.engine.rules.classes.ability_scores import ability_now, lowered
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

LEGS = 2


class Check(NamedTuple):
    """The rules of an opposed check of Strength: that it is made, and what counts besides the abilities."""

    made: str
    modifiers: str


def check_of_attacker(
    fight: Fight, attacker: Combatant, target: Combatant, check: Check, charging: bool = False
) -> Side:
    """Return the Strength check of who pushes or trips."""
    parts = [
        Modifier(ability(attacker.sheet, "str"), "ability", "Strength", fight.rule(check.made)),
        *lowered(fight, attacker, "str"),
        *for_larger(fight, attacker, target, check.modifiers),
    ]
    if charging:
        parts.append(fight.modifier(check.modifiers, "charge", kind="circumstance", source="charging"))
    return side_of(fight, attacker, "strength", parts)


def check_of_target(fight: Fight, target: Combatant, attacker: Combatant, check: Check, nimble: bool) -> Side:
    """Return the check against it: Strength, or Dexterity where that is `nimble` and better.

    More than two legs, or being exceptionally stable, help.
    """
    ways = (("str", "Strength"), ("dex", "Dexterity")) if nimble else (("str", "Strength"),)
    short, name = max(ways, key=lambda way: ability_now(fight, target, way[0]))
    parts = [
        Modifier(ability(target.sheet, short), "ability", name, fight.rule(check.made)),
        *lowered(fight, target, short),
        *for_larger(fight, target, attacker, check.modifiers),
    ]
    many = target.sheet.legs > LEGS
    if many or has_trait(target, "stable"):
        source = f"{target.sheet.legs} legs" if many else "stable"
        parts.append(fight.modifier(check.modifiers, "stability", kind="stability", source=source))
    return side_of(fight, target, name.lower(), parts)


def oppose_strength(
    fight: Fight, name: str, mine: Side, theirs: Side, check: Check, *cites: str
) -> Steps[int]:
    """Roll both checks; return by how much the first beats the other, 0 or less for no success."""
    yield from fight.dialect.maneuvers.before_contest(fight, mine.who, theirs.who)
    counts = any(part.rule == fight.rule(check.modifiers) for part in (*mine.parts, *theirs.parts))
    topics = (check.made, check.modifiers) if counts else (check.made,)
    return (yield from roll_opposed(fight, name, mine, theirs, *cites, *fight.rules(*topics)))
