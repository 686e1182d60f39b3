"""3.0 prints attacks without their damage, and the damage on a line of its own."""

import re

from affray.engine.statblock.creature import singular
from affray.engine.statblock.fields import Field
from affray.engine.statblock.lines import split_top

_COUNT = re.compile(r"^[0-9]{1,3} ")
_BONUSES = re.compile(r" [+-][0-9]")
_DEALT = re.compile(r"[0-9]{1,3}(?:d[0-9]{1,3})?(?:[+-][0-9]{1,4})?(?=[ ,/.]|$)")


def with_damage(fields: list[Field]) -> list[Field]:
    """Return the fields, the damage on a line of its own put behind each attack.

    "Claw 1d6+6, bite 1d8+3" goes to "2 claws +9 melee, bite +4 melee" by the names.
    """
    damage = next((one for one in fields if one.name == "damage"), None)
    if damage is None:
        return fields
    said: dict[str, str] = {}
    for piece in split_top(damage.value, ",", ";", " or ", " and "):
        name, _, dice = piece.strip(". ").rpartition(" ")
        dealt = _DEALT.search(piece)
        if dealt is not None:
            name, dice = piece[: dealt.start()].strip(" :"), piece[dealt.start() :].strip(". ")
        said[singular(_COUNT.sub("", name.lower()))] = dice
    return [
        _dealing(one, said) if one.name in ("full attack", "attack") else one
        for one in fields
        if one is not damage
    ]


def _dealing(field: Field, said: dict[str, str]) -> Field:
    """Return a field of attacks with the damage of each in parentheses."""
    routines = []
    for group in split_top(field.value, " or ", ";"):
        pieces = []
        for piece in split_top(group, ",", " and "):
            name = singular(_COUNT.sub("", _BONUSES.split(piece, maxsplit=1)[0]).strip().lower())
            dice = said.get(name) or (next(iter(said.values())) if len(said) == 1 else "")
            pieces.append(f"{piece} ({dice})" if dice and "(" not in piece else piece)
        routines.append(", ".join(pieces))
    return Field(field.line, field.name, " or ".join(routines))
