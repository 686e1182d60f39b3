"""Numbers that a sheet leaves to be reckoned from class levels and feats.

srd35.attack.bab-progression, srd35.feat.toughness.
"""

import re

from msgspec.structs import replace

from affray.engine.fight import Fight
from affray.engine.rules.classes.derived_statistics import BASE_ATTACK
from affray.events.facts.sheet import Sheet

HIT_POINTS = "hit points"
_SHARE = re.compile(r"level(?:\*(\d+))?(?:/(\d+))?")


def reckoned(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet with the numbers that it left out, and the rules that gave them.

    Each class adds its share of its levels to the base attack bonus, rounded down by itself; Toughness adds
    hit points each time it was taken. A sheet that leaves nothing out comes back as it is.
    """
    cites: list[str] = []
    if BASE_ATTACK in sheet.bare:
        whole, rounded = base_attack(fight, sheet)
        sheet = replace(sheet, base_attack=sheet.base_attack + whole)
        cites += fight.rules("attack.bab-progression", *(("math.round-down",) if rounded else ()))
    times = sheet.feats.count("toughness") if HIT_POINTS in sheet.bare else 0
    if times:
        sheet = replace(sheet, hp=sheet.hp + times * fight.figure("feat.toughness", "hp"))
        cites += fight.rules("feat.toughness")
    return sheet, tuple(cites)


def base_attack(fight: Fight, sheet: Sheet) -> tuple[int, bool]:
    """Return the base attack bonus of all class levels, and whether a fraction was dropped."""
    total, rounded = 0, False
    for progression in fight.figure("attack.bab-progression").values():
        share = _SHARE.search(progression["formula"])
        times, parts = (int(number or 1) for number in share.groups()) if share else (0, 1)
        for name in progression["classes"]:
            levels = sheet.classes.get(name, 0)
            total += levels * times // parts
            rounded = rounded or levels * times % parts > 0
    return total, rounded
