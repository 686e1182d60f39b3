"""What feats ask of whoever has them, as far as it stands among the figures of their rules."""

from collections.abc import Mapping
from typing import Any, Final

from affray.events.facts.sheet import Sheet

SCORES: Final = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}


def topic_of(feat: str) -> str:
    """Return the topic of the rule on a feat."""
    return f"feat.{feat.replace(' ', '-')}"


def prerequisite_lacked(sheet: Sheet, figures: Mapping[str, Any]) -> str:
    """Return the first prerequisite among a feat's figures that a sheet does not meet, "" for none.

    Those are ability scores and the base attack bonus; a class that grants the feat asks for nothing.
    """
    if any(sheet.classes.get(name) for name in figures.get("granted", ())):
        return ""
    for score, name in SCORES.items():
        least = figures.get(score, 0)
        own = getattr(sheet.abilities, "int_" if score == "int" else score) or 0
        if isinstance(least, int) and own < least:
            return f"{name} {least}"
    least = figures.get("base_attack_bonus", 0)
    short = isinstance(least, int) and sheet.base_attack < least
    return f"base attack bonus {least:+d}" if short else ""
