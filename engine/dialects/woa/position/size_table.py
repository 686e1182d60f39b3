"""What size makes of a creature: space, reach, hit points, armor, speed (woa.size.table)."""

from msgspec.structs import replace

from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import ability
from affray.events.facts.sheet import Sheet
from affray.events.facts.sheet_parts import Bonus

#: What a sheet may leave to its size: see `Sheet.bare`.
HIT_POINTS, SPEED = "hit points", "speed"
MEDIUM = "medium"
#: Beyond both ends of the scale.
BEYOND = ("fine", "colossal")


def natural_reach(fight: Fight, sheet: Sheet, feet: int) -> int:
    """Return the reach that goes with a space of so many feet.

    That of a tall creature is as wide as its space, of a long one half as wide (woa.size.reach-tall-long).
    """
    if not is_scaled(sheet):
        return int(size_row(fight, sheet)["reach_ft"])
    word = str(fight.figure("woa.size.reach-tall-long", "tall" if sheet.tall else "long"))
    return feet // int(word.partition("/")[2] or 1)


def size_row(fight: Fight, sheet: Sheet) -> dict[str, int]:
    """Return the row of space and reach of a sheet's size."""
    name = sheet.size.capitalize()
    found: dict[str, int] = next(
        row for row in fight.figure("woa.size.table-space-reach") if row["size"] == name
    )
    return found


def is_scaled(sheet: Sheet) -> bool:
    """Say whether a size is one that is tall or long."""
    return sheet.size in ("large", "huge", "gargantuan", "colossal")


def rules_of_size(fight: Fight, sheet: Sheet, exceptional: bool) -> tuple[str, ...]:
    """Return the rules that space and reach of a newcomer follow from.

    For the Medium there is none, unless their reach is `exceptional`.
    """
    if sheet.size == MEDIUM:
        return fight.rules("woa.size.reach-exceptional") if exceptional else ()
    topics = ["woa.size.categories", "woa.size.default-assumption", "woa.size.combat.space-reach"]
    if sheet.size in BEYOND:
        topics = ["woa.size.pseudo-categories", *topics[1:]]
    if sheet.space is None:
        topics.append("woa.size.space")
    if exceptional:
        topics.append("woa.size.reach-exceptional")
    elif is_scaled(sheet) and sheet.reach is None:
        topics += ["woa.size.tall-long", "woa.size.reach-tall-long"]
    return fight.rules(*topics)


def size_statistics(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet with what its size says about hit points, armor and speed, and the rules.

    Its `bare` names "hit points" that lack the share of Constitution, and a "speed" to be that of its size;
    suits that are `worn` without being among the parts of Armor Class are added to them.
    """
    cites: list[str] = []
    if HIT_POINTS in sheet.bare:
        sheet = with_constitution(fight, sheet, cites)
    if SPEED in sheet.bare:
        found = cell(fight, "woa.size.table", f"size={sheet.size}", "speed")
        if found is not None:
            sheet = replace(sheet, speed=found.value)
            cites += (found.rule, fight.rule("woa.size.ground-speed"))
            cites += fight.rules("woa.size.speed") if sheet.size != MEDIUM else ()
    if sheet.worn:
        sheet = with_armor(fight, sheet, cites)
    return sheet, tuple(dict.fromkeys(cites))


def with_constitution(fight: Fight, sheet: Sheet, cites: list[str]) -> Sheet:
    """Add the hit points of Constitution: by level, times the multiplier of the size, rounded down.

    woa.hp.total, woa.hp.size, woa.size.hp-con-multiplier
    """
    found = cell(fight, "woa.size.table", f"size={sheet.size}", "con")
    share = 100 if found is None else found.value
    level = sum(sheet.classes.values()) or sheet.hit_dice
    more = ability(sheet, "con") * level * share // 100
    cites.append(fight.rule("woa.hp.total"))
    if found is not None and share != 100 and more:
        cites += (*fight.rules("woa.hp.size", "woa.size.hp-con-multiplier"), found.rule)
    return replace(sheet, hp=max(1, sheet.hp + more))


def with_armor(fight: Fight, sheet: Sheet, cites: list[str]) -> Sheet:
    """Add worn armor to the Armor Class, as much of it as the size that it is made for leaves.

    Its magic counts in full; a suit of which nothing is left is useless (woa.size.armor-ac-multiplier).
    """
    parts = []
    for suit in sheet.worn:
        size = suit.size or sheet.size
        bonus = suit.bonus
        if size != MEDIUM and suit.kind == "armor":
            found = cell(fight, "woa.size.table", f"size={size}", "armor")
            bonus = suit.bonus * (100 if found is None else found.value) // 100
            if found is not None and bonus != suit.bonus:
                cites += (fight.rule("woa.size.armor-ac-multiplier"), found.rule)
        if bonus > 0:
            magic = suit.enhancement
            name = suit.name if bonus == suit.bonus else f"{suit.name} ({suit.bonus} at Medium size)"
            parts.append(Bonus(bonus + magic, suit.kind, name))
    return replace(sheet, armor=(*sheet.armor, *parts))
