"""Rows of the tables of arms and armor: how people call them, what they weigh by size."""

from typing import Final

from affray.engine.fight.fight import Fight

#: Ounces of a pound.
OUNCES: Final = 16


def usual_name(row: str) -> str:
    """Return the name of a row as people say it: "sword, short" is a short sword."""
    first, _, rest = row.partition(", ")
    return f"{rest} {first}" if rest else first


def weight_for_size(fight: Fight, pounds: float, size: str, topics: list[str]) -> int:
    """Return the weight of a thing made for a size, from that of a Medium one.

    srd35.armor.cost-notes, pf1.armor.diff-table.
    """
    weight = pounds * OUNCES
    if weight and size in ("small", "large"):
        topics.append("armor.cost-notes")
        weight *= fight.figure("armor.cost-notes", f"{size}_weight")
    return int(weight)


#: What the figures of a weapon, armor or shield are called, where their fields are called otherwise.
FIGURES: Final = {
    "check": "armor check penalty",
    "damage_type": "damage type",
    "failure": "arcane spell failure",
    "max_dex": "maximum Dexterity bonus",
    "multiplier": "critical multiplier",
    "range": "range increment",
    "second": "damage of the second end",
    "threat": "threat range",
    "wield": "handling",
}


def other_figure(name: str, field: str, row: str, printed: object, given: object) -> str:
    """Return why a sheet's figure for what it calls `name` is refused: the row of a table prints another."""
    return f"{name}: the {FIGURES.get(field, field)} of {row!r} is {printed} by its table, not {given}"
