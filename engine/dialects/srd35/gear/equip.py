"""What a combatant brings along: arms and armor named by the rulebook's tables, as parts of the sheet."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.gear.armor_table import clothed
from affray.engine.dialects.srd35.gear.object_creature import made
from affray.engine.dialects.srd35.gear.weapon_tables import armed
from affray.engine.fight import Fight
from affray.events.facts.sheet import Sheet


def from_tables(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet whose weapons and armor have their figures, and the rules that these come from.

    Refuses names that the tables lack and figures that contradict them (srd35.weapons.*, srd35.armor.*).
    """
    sheet, cites = clothed(fight, sheet)
    weapons = []
    for weapon in sheet.weapons:
        found, rules = armed(fight, sheet, weapon)
        weapons.append(found)
        cites += rules
    sheet, rules = made(fight, replace(sheet, weapons=tuple(weapons)))
    return sheet, tuple(dict.fromkeys((*cites, *rules)))
