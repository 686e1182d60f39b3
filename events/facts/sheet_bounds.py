"""What the numbers of a sheet may be with which a combatant is in a fight.

A declaration may show any sheet, for it is recorded even where it is refused; this is asked of those that
have entered. Beyond these bounds squares, lines and dice would take longer to count than anybody waits.
"""

from collections.abc import Iterator

from affray.events.facts.sheet import Sheet, Spell, Weapon

MOST_FEET = 10_000
LARGEST_SPACE_FT = 100
FARTHEST_REACH_FT = 500
FASTEST_FT = 5_000
LARGEST_AREA_FT = 1_000
HIGHEST_SCORE = 100
MOST_TIMES = 10


def beyond_bounds(sheet: Sheet) -> str:
    """Return which number of a sheet no creature in a fight has, in one sentence; "" if there is none."""
    return next(filter(None, _faults(sheet)), "")


def _faults(sheet: Sheet) -> Iterator[str]:
    ways = (sheet.speed, sheet.base_speed or 0, sheet.fly, sheet.swim, sheet.climb)
    if min(*ways, sheet.reach or 0, sheet.space or 5) < 0:
        yield "speed, reach and space cannot be negative"
    for name, feet, most in (
        ("speed", max(ways), FASTEST_FT),
        ("reach", sheet.reach or 0, FARTHEST_REACH_FT),
        ("space", sheet.space or 0, LARGEST_SPACE_FT),
    ):
        if feet > most:
            yield f"a {name} of {feet} ft. is beyond the {most} ft. that a map has room for"
    for score in ("str", "dex", "con", "int_", "wis", "cha"):
        value = getattr(sheet.abilities, score)
        if value is not None and not 0 <= value <= HIGHEST_SCORE:
            yield f"ability scores run from 0 to {HIGHEST_SCORE}, not {value}"
    for weapon in sheet.weapons:
        if fault := _of_weapon(weapon):
            yield f"{weapon.name}: {fault}"
    for spell in sheet.spells:
        if fault := _of_spell(spell):
            yield f"{spell.name}: {fault}"


def _of_weapon(weapon: Weapon) -> str:
    if not 0 <= weapon.range <= MOST_FEET:
        return f"a range increment is 0 to {MOST_FEET} ft., not {weapon.range}"
    if not 0 <= weapon.far <= FARTHEST_REACH_FT:
        return f"a weapon reaches 0 to {FARTHEST_REACH_FT} ft. far, not {weapon.far}"
    if not 2 <= weapon.threat <= 20:
        return f"a weapon threatens on 20 or from a lower number down to 2, not {weapon.threat}"
    if not 1 <= weapon.multiplier <= MOST_TIMES:
        return f"a critical multiplier is 1 to {MOST_TIMES}, not {weapon.multiplier}"
    if not 0 <= weapon.second_multiplier <= MOST_TIMES:
        return (
            f"the critical multiplier of the other end is 0 to {MOST_TIMES}, not {weapon.second_multiplier}"
        )
    if weapon.hands < 0 or (weapon.ammunition or 0) < 0:
        return "hands and ammunition cannot be negative"
    return ""


def _of_spell(spell: Spell) -> str:
    if not 0 <= spell.range <= MOST_FEET:
        return f"a range is 0 to {MOST_FEET} ft., not {spell.range}"
    if not 0 <= spell.area_feet <= LARGEST_AREA_FT:
        return f"an area is 0 to {LARGEST_AREA_FT} ft., not {spell.area_feet}"
    return ""
