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
#: What the trait begins with that names a feat which a creature has by nature.
BONUS: Final = "bonus feat "


def topic_of(feat: str) -> str:
    """Return the topic of the rule on a feat."""
    return f"feat.{feat.replace(' ', '-')}"


def is_bonus_feat(sheet: Sheet, topic: str) -> bool:
    """Say whether a creature has the feat on a topic by its nature: its traits say "bonus feat cleave"."""
    told = (trait.removeprefix(BONUS) for trait in sheet.traits if trait.startswith(BONUS))
    return any(topic.endswith(topic_of(name.partition(" (")[0])) for name in told)


def prerequisite_lacked(sheet: Sheet, topic: str, figures: Mapping[str, Any]) -> str:
    """Return the first prerequisite among the figures of a feat that a sheet does not meet, "" for none.

    Those are ability scores and the base attack bonus; a class that grants the feat asks for nothing, and
    whoever has it as a bonus feat needs nothing.
    """
    if any(sheet.classes.get(name) for name in figures.get("granted", ())) or is_bonus_feat(sheet, topic):
        return ""
    for score, name in SCORES.items():
        least = figures.get(score, 0)
        own = getattr(sheet.abilities, "int_" if score == "int" else score) or 0
        if isinstance(least, int) and own < least:
            return f"{name} {least}"
    least = figures.get("base_attack_bonus", 0)
    short = isinstance(least, int) and sheet.base_attack < least
    return f"base attack bonus {least:+d}" if short else ""
