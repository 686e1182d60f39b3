"""What a combatant brings along: statistics, ranges that the text prints, enhancements, base attack bonus.

woa.stats.list, woa.range.increment-defined, woa.ac.superior-armor, woa.attack-bonus.superior-weapon
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.derived_statistics import BASE_ATTACK, Reckoned
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.facts.sheet_parts import Bonus


def superior_gear(fight: Fight, sheet: Sheet) -> Reckoned:
    """Refuse an enhancement bonus of arms or armor out of bounds.

    woa.attack-bonus.superior-weapon, woa.ac.superior-armor, woa.stats.list.
    """
    for weapon in sheet.weapons:
        refuse_enhancement(fight, weapon.name, weapon.attack, "woa.attack-bonus.superior-weapon")
    refuse_enhancement(fight, "armor", sheet.armor, "woa.ac.superior-armor")
    return sheet, fight.rules("woa.stats.list")


def range_increments(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the range increments that the text prints (woa.range.increment-defined)."""
    printed = [printed_range(fight, weapon) for weapon in sheet.weapons]
    if not any(printed):
        return sheet, ()
    weapons = tuple(
        replace(weapon, range=feet or weapon.range)
        for weapon, feet in zip(sheet.weapons, printed, strict=True)
    )
    return replace(sheet, weapons=weapons), fight.rules("woa.range.increment-defined")


def class_base_attack(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the base attack bonus of its class levels, where it leaves that out.

    The progressions are a table, each class rounded down by itself (woa.attack-bonus.bab-source).
    """
    topic = "woa.attack-bonus.bab-source"
    if BASE_ATTACK not in sheet.bare:
        return sheet, ()
    total = 0
    for row in fight.figure(topic):
        place = f"progression={row['progression']}"
        share, parts = cell(fight, topic, place, "share"), cell(fight, topic, place, "parts")
        if share is not None and parts is not None:
            levels = (sheet.classes.get(name, 0) for name in row["classes"])
            total += sum(level * share.value // parts.value for level in levels)
    return replace(sheet, base_attack=sheet.base_attack + total), fight.rules(topic)


def printed_range(fight: Fight, weapon: Weapon) -> int:
    """Return the increment in feet that the text gives to a weapon whose sheet leaves it out, 0 for none."""
    if weapon.range or not (weapon.thrown or weapon.wield == "projectile"):
        return 0
    printed = fight.figure("woa.range.increment-defined")
    return int(printed.get(f"{'thrown_' if weapon.thrown else ''}{weapon.name}_ft", 0))


def refuse_enhancement(fight: Fight, what: str, parts: tuple[Bonus, ...], topic: str) -> None:
    """Refuse an enhancement bonus that is none of the superior kinds (+1 to +5)."""
    least, most = fight.figure(topic, "enhancement_min"), fight.figure(topic, "enhancement_max")
    for part in parts:
        if part.kind in ("enhancement", "shield enhancement") and not least <= part.value <= most:
            raise Refusal(f"there is no {what} of {part.value:+d}", fight.rule(topic))
