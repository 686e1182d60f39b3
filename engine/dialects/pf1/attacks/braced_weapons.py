"""Weapons that can be set against a charge (pf1.weapons.brace)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import Weapon

TOPIC: Final = "pf1.weapons.brace"


def is_listed(fight: Fight, weapon: Weapon) -> bool:
    """Say whether a weapon is one of the list, whose names stand turned round there: "urgrosh, dwarven"."""
    listed: list[str] = fight.figure(TOPIC)
    return any(weapon.name in (name, " ".join(reversed(name.split(", ")))) for name in listed)
