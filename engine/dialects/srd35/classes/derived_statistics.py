"""Numbers that a sheet leaves to be reckoned from class levels and feats.

srd35.attack.bab-progression, srd35.feat.toughness.
"""

import re

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.derived_statistics import BASE_ATTACK, Reckoned
from affray.events.facts.sheet import Sheet

HIT_POINTS = "hit points"
_SHARE = re.compile(r"level(?:\*(\d+))?(?:/(\d+))?")


def class_base_attack(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the base attack bonus of its classes where it leaves that out, and the rules.

    Each class adds its share of its levels, rounded down by itself (srd35.attack.bab-progression,
    srd35.math.round-down).
    """
    if BASE_ATTACK not in sheet.bare:
        return sheet, ()
    whole, rounded = base_attack(fight, sheet)
    cites = fight.rules("srd35.attack.bab-progression", *(("srd35.math.round-down",) if rounded else ()))
    return replace(sheet, base_attack=sheet.base_attack + whole), cites


def toughness(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the hit points of Toughness, each time it was taken, where it leaves them out.

    srd35.feat.toughness.
    """
    times = sheet.feats.count("toughness") if HIT_POINTS in sheet.bare else 0
    if not times:
        return sheet, ()
    more = times * fight.figure("srd35.feat.toughness", "hp")
    return replace(sheet, hp=sheet.hp + more), fight.rules("srd35.feat.toughness")


def base_attack(fight: Fight, sheet: Sheet) -> tuple[int, bool]:
    """Return the base attack bonus of all class levels, and whether a fraction was dropped."""
    total, rounded = 0, False
    for progression in fight.figure("srd35.attack.bab-progression").values():
        share = _SHARE.search(progression["formula"])
        times, parts = (int(number or 1) for number in share.groups()) if share else (0, 1)
        for name in progression["classes"]:
            levels = sheet.classes.get(name, 0)
            total += levels * times // parts
            rounded = rounded or levels * times % parts > 0
    return total, rounded
