"""Feats, class abilities and special qualities: what each adds, and where.

A feature is named on the sheet, among its feats or traits, and stands in the dialect's record, in the list of
each point at which it has a say. The steps of an attack, a saving throw or a check ask here what the features
of those who take part have to add; no step knows the feats that there are.
"""

from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.record.blow import Blow
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet_parts import ExtraDamage
from affray.projections.state import Combatant


@per_fight(Same("combatant.sheet"), "point")
def features_at(fight: Fight, combatant: Combatant, point: str) -> tuple[tuple[Any, str], ...]:
    """Return what the features of a combatant have to say at a point, each with its detail.

    In the order of the dialect's list.
    """
    levels = (f"{name} {level}" for name, level in combatant.sheet.classes.items())
    entries = (*combatant.sheet.feats, *combatant.sheet.traits, *levels)
    found: tuple[tuple[Any, str], ...] = getattr(fight.dialect.classes, f"{point}_features")(entries)
    return found


def blow_parts(fight: Fight, blow: Blow, point: str) -> list[Modifier]:
    """Return the modifiers that features give to a blow at "attack", "defense", "moving" or "damage"."""
    found = features_at(fight, blow.target if point in ("defense", "moving") else blow.attacker, point)
    parts: list[Modifier] = []
    for say, detail in found:
        parts += say(fight, blow, detail)
    return parts


def blow_dice(fight: Fight, blow: Blow) -> list[ExtraDamage]:
    """Return the damage dice that the attacker's features add, rolled once whatever the multiplier.

    Of several missiles on one roll the first alone carries them (srd35.feat.manyshot).
    """
    found = () if blow.intent.further_arrow else features_at(fight, blow.attacker, "dice")
    return [dice for say, detail in found for dice in say(fight, blow, detail)] if found else []


def roll_parts(fight: Fight, combatant: Combatant, point: str, name: str) -> list[Modifier]:
    """Return the modifiers that features give to a "save", "check" or "initiative" of that name."""
    return [
        part
        for say, detail in features_at(fight, combatant, point)
        for part in say(fight, combatant, name, detail)
    ]
