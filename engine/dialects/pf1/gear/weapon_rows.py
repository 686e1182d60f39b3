"""Weapons by the rows of Pathfinder's own tables: new ones, other figures and qualities, natural weapons.

A sheet names the row (`table`); of other weapons the figures are those of 3.5 and stand on the sheet
(pf1.weapons.new-table, pf1.weapons.diff-table, pf1.weapons.specials-table, pf1.natural.size-table).
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.table_rows import other_figure
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Sheet, Weapon

NEW: Final = "pf1.weapons.new-table"
DIFFERENT: Final = "pf1.weapons.diff-table"
QUALITIES: Final = "pf1.weapons.specials-table"
CHAIN: Final = "pf1.weapons.spiked-chain"
UNARMED: Final = "pf1.weapons.unarmed-note"
NATURAL: Final = "pf1.natural.size-table"
#: Qualities of which the table has the last word, and what 3.5 notes in their place.
TABLED: Final = frozenset(
    {"brace", "disarm", "double", "monk", "near-and-far", "nonlethal", "trip", "piercing", "bludgeoning"}
)
TYPES: Final = {"B": "bludgeoning", "P": "piercing", "S": "slashing"}
BLANK: Final = Weapon("", "")
SECONDARY: Final = " (secondary)"
#: Ounces of a pound.
OUNCES: Final = 16


def with_own_rows(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet whose weapons are as their rows have them, and the rules.

    Refuses contradictions, and a weapon without damage.
    """
    weapons: list[Weapon] = []
    topics: list[str] = []
    for weapon in sheet.weapons:
        if weapon.table:
            weapon = natural_row(fight, sheet, weapon, topics)
            weapon = new_row(fight, sheet, weapon, topics)
            weapon = other_figures(fight, weapon, topics)
            weapon = with_qualities(fight, weapon, topics)
            if not weapon.damage:
                reason = f"{weapon.name}: no table of Pathfinder's own gives a {weapon.table} its damage"
                raise Refusal(reason, fight.rule(DIFFERENT))
        weapons.append(weapon)
    if not topics:
        return sheet, ()
    return replace(sheet, weapons=tuple(weapons)), fight.rules(*topics)


def is_row(weapon: Weapon, row: str) -> bool:
    """Say whether a weapon names a row, as it stands there or as people say it: a spiked chain."""
    first, _, rest = row.partition(", ")
    return weapon.table in (row, f"{rest} {first}".strip())


def filled(fight: Fight, weapon: Weapon, found: Mapping[str, Any], topic: str) -> Weapon:
    """Return a weapon with the figures of its row. Refuses others that are given."""
    for name, value in found.items():
        given = getattr(weapon, name)
        if given not in (getattr(BLANK, name), value):
            raise Refusal(other_figure(weapon.name, name, weapon.table, value, given), fight.rule(topic))
    return replace(weapon, **found)


def new_row(fight: Fight, sheet: Sheet, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon that the tables of 3.5 lack, with its figures (pf1.weapons.new-table)."""
    row = next((one for one in fight.figure(NEW) if is_row(weapon, one["name"])), None)
    if row is None:
        return weapon
    topics.append(NEW)
    shoots = row["cat"] == "ranged"
    found = {
        "damage_type": TYPES[row["type"]],
        "wield": "projectile" if shoots else row["cat"],
        "threat": row["threat"],
        "multiplier": int(row["mult"][1:]),
        "range": row["range_ft"] or 0,
        "thrown": bool(row["range_ft"]) and not shoots,
        "hands": 2 if row["cat"] == "two-handed" else weapon.hands,
    }
    column = {"small": "dmg_s", "medium": "dmg_m"}.get(weapon.size or sheet.size)
    if column is not None:
        found["damage"] = row[column]
    if column == "dmg_m":
        found["ounces"] = row["weight_lb"] * OUNCES
    return filled(fight, weapon, found, NEW)


def other_figures(fight: Fight, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon of which Pathfinder has other figures than 3.5 (pf1.weapons.diff-table).

    A sai is not thrown; a gnome hooked hammer is of one kind or the other, not of both.
    """
    row = next((one for one in fight.figure(DIFFERENT) if is_row(weapon, one["name"])), None)
    if row is None:
        return weapon
    topics.append(DIFFERENT)
    changes = row["changes"]
    if "range_ft" in changes:
        feet = changes["range_ft"]["pf1"] or 0
        weapon = replace(weapon, range=feet, thrown=bool(feet))
    if "type" in changes:
        kinds = [TYPES[letter] for letter in changes["type"]["pf1"].split(" or ")]
        if weapon.damage_type not in (BLANK.damage_type, *kinds):
            words = f"a {weapon.table} is {' or '.join(kinds)}, not {weapon.damage_type}"
            raise Refusal(f"{weapon.name}: {words}", fight.rule(DIFFERENT))
        if weapon.damage_type not in kinds:
            weapon = replace(weapon, damage_type=kinds[0])
    return weapon


def with_qualities(fight: Fight, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon with the qualities that its row lists, in place of those of 3.5.

    A spiked chain has no reach; a quality of subduing is no matter of bare hands, which are no natural
    weapons (pf1.weapons.specials-table, pf1.weapons.spiked-chain, pf1.weapons.unarmed-note).
    """
    row = next((one for one in fight.figure(QUALITIES) if is_row(weapon, one)), "")
    if not row:
        return weapon
    topics.append(QUALITIES)
    listed = list(fight.figure(QUALITIES, row))
    reach = "reach" in listed
    if is_row(weapon, "chain, spiked"):
        topics.append(CHAIN)
        reach = bool(fight.figure(CHAIN, "reach"))
        listed.append("finesse")
    if "nonlethal" in listed:
        topics.append(UNARMED)
        if row == "unarmed strike":
            if weapon.wield == "natural":
                reason = f"{weapon.name}: an unarmed strike is no natural weapon"
                raise Refusal(reason, fight.rule(UNARMED))
            listed.remove("nonlethal")
            weapon = replace(weapon, wield="unarmed")
    kept = [trait for trait in weapon.traits if trait not in TABLED]
    traits = dict.fromkeys((*kept, *(one for one in listed if one != "reach")))
    return replace(weapon, reach=reach, traits=tuple(traits))


def natural_row(fight: Fight, sheet: Sheet, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a natural weapon with the damage of its creature's size, secondary where its kind is.

    Refuses what creatures of that size do not have, and other dice (pf1.natural.size-table).
    """
    kinds = (one for one in fight.figure(NATURAL) if one != "sizes")
    kind = next((one for one in kinds if weapon.table in one.removesuffix(SECONDARY).split(", ")), "")
    if not kind:
        return weapon
    topics.append(NATURAL)
    place = fight.figure(NATURAL, "sizes").index(sheet.size.capitalize())
    dice = fight.figure(NATURAL, kind)[place]
    if dice is None:
        reason = f"{weapon.name}: no {sheet.size} creature harms with a {weapon.table}"
        raise Refusal(reason, fight.rule(NATURAL))
    weapon = filled(fight, weapon, {"damage": dice, "wield": "natural"}, NATURAL)
    secondary = kind.endswith(SECONDARY) and not {"primary", "secondary"} & set(weapon.traits)
    return replace(weapon, traits=(*weapon.traits, "secondary")) if secondary else weapon
