"""The tables of arms and armor, and what a combatant carries and wears."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import asdict, replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.sheets import is_printed_as, wielded_in_two_hands
from affray.engine.rules.defense import is_of_force
from affray.engine.rules.gear.hands import OFF
from affray.engine.steps import Refusal
from affray.events.errors import did_you_mean
from affray.events.facts.base import JsonObject
from affray.events.facts.sheet import SIZES, Bonus, Reduction, Sheet, Weapon, Worn
from affray.projections.state import Combatant

# --- A combatant's equipment: arms and armor named by the rulebook's tables, as parts of the sheet


def keep_sheet(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet unchanged: for dialects without tables. Refuses items that only name a row of one.

    futurepath.assumed.space-and-reach.
    """
    rule = fight.rule("size.table-space-reach")
    for table in (*(one.table for one in sheet.weapons), *(one.table for one in sheet.worn)):
        if table:
            raise Refusal(f"{fight.dialect.name} has no tables of arms to find a {table} in", rule)
    return sheet, ()


# --- Rows of the tables of arms and armor: their usual names, their weight by size

#: Ounces of a pound.
OUNCES: Final = 16


def usual_name(row: str) -> str:
    """Return the usual name of a row: "sword, short" is a short sword."""
    first, _, rest = row.partition(", ")
    return f"{rest} {first}" if rest else first


def weight_for_size(fight: Fight, pounds: float, size: str, topics: list[str]) -> int:
    """Return the weight of an item for a size, from that of a Medium one.

    srd35.armor.cost-notes, pf1.armor.diff-table.
    """
    weight = pounds * OUNCES
    if weight and size in ("small", "large"):
        topics.append("armor.cost-notes")
        weight *= fight.figure("armor.cost-notes", f"{size}_weight")
    return int(weight)


#: The names of the figures of a weapon, armor or shield, if they differ from their fields.
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


def explain_other_figure(name: str, field: str, row: str, printed: object, given: object) -> str:
    """Return why a sheet's figure of the item `name` is refused: the row of a table prints another."""
    return f"{name}: the {FIGURES.get(field, field)} of {row!r} is {printed} by its table, not {given}"


# --- The armor table: a sheet names worn items, and the parts come from the row
# srd35.armor.table, srd35.armor.cost-notes, srd35.speed.reduced-table, pf1.armor.diff-table.

TABLE: Final = "armor.table"
MATERIALS: Final = "weapons.special-materials"
WEIGHTS: Final = ("light", "medium", "heavy")
SMALL: Final = SIZES.index("small")
BLANK: Final = Worn("")


def with_table_armor(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet with the parts of its armor and shields, and their rules.

    Bonuses by type, the tightest Dexterity cap, the summed check penalty and spell failure, the weight of the
    armor. A sheet that already has all this is unchanged.
    """
    if not sheet.worn:
        return sheet, ()
    topics: list[str] = []
    worn = tuple(armor_from_table(fight, sheet, one, topics) for one in sheet.worn)
    armor = list(sheet.armor)
    for one in worn:
        part = Bonus(one.bonus + one.enhancement, one.kind, one.name)
        if part.value and part not in armor:
            armor.append(part)
    caps = [cap for cap in (sheet.max_dex, *(one.max_dex for one in worn)) if cap is not None]
    heaviest = max((one.weight for one in worn), key=("none", *WEIGHTS).index)
    reductions = sheet.reductions
    if hard := adamantine_reduction(fight, sheet):
        topics.append(MATERIALS)
        reductions = tuple(dict.fromkeys((*reductions, Reduction(hard))))
    dressed = replace(
        sheet,
        worn=worn,
        armor=tuple(armor),
        armor_weight=max(sheet.armor_weight, heaviest, key=("none", *WEIGHTS).index),
        max_dex=min(caps, default=None),
        check_penalties=tuple(dict.fromkeys((*sheet.check_penalties, *check_penalties(worn)))),
        spell_failure=sum(one.failure for one in worn),
        reductions=reductions,
    )
    return dressed, fight.rules(*topics)


def check_penalties(worn: tuple[Worn, ...]) -> Iterator[Bonus]:
    """Yield the check penalties of worn items: of armor, and of a shield."""
    for one in worn:
        if one.check:
            yield Bonus(one.check, one.kind, one.name)


def armor_from_table(fight: Fight, sheet: Sheet, worn: Worn, topics: list[str]) -> Worn:
    """Return armor or a shield with the figures of its row, its make and its material.

    Refuses a name that the table lacks, figures that differ from the row's, armor of another size.
    """
    if worn.size and worn.size != sheet.size:
        reason = f"{worn.name} is made for a {worn.size} creature, not for a {sheet.size} one"
        raise Refusal(reason, fight.rule(TABLE))
    if not worn.table:
        return worn
    row = armor_row(fight, worn.table)
    topics.append(TABLE)
    found = fields_of_armor_row(fight, sheet, worn, row, topics)
    for name in ("bonus", "max_dex", "check", "failure", "weight"):
        given = getattr(worn, name)
        if given not in (getattr(BLANK, name), found[name]):
            raise Refusal(
                explain_other_figure(worn.name, name, row["name"], found[name], given), fight.rule(TABLE)
            )
    kept = {name: value for name, value in asdict(worn).items() if value != getattr(BLANK, name)}
    return Worn(**{**found, **kept, "table": row["name"]})


def armor_row(fight: Fight, name: str) -> JsonObject:
    """Return the row of armor or a shield, by its name there or its usual name. Refuses others."""
    for row in fight.figure(TABLE):
        if name in (row["name"], usual_name(row["name"])):
            found: JsonObject = row
            return found
    known = did_you_mean(name, (row["name"] for row in fight.figure(TABLE)))
    raise Refusal(f"the armor table has no {name!r}{known}", fight.rule(TABLE))


def fields_of_armor_row(
    fight: Fight, sheet: Sheet, worn: Worn, row: JsonObject, topics: list[str]
) -> JsonObject:
    """Return the fields from a row: half the bonus for the tiny, a finer make, a better material."""
    shield = row["cat"] == "shield"
    bonus = fight.figure(TABLE, f"name={row['name']}", "bonus")
    check, failure = row["check"], row["arcane_failure_pct"]
    cap, weight = row["max_dex"], "none" if shield else row["cat"]
    if SIZES.index(sheet.size) < SMALL:
        topics.append("armor.cost-notes")
        bonus = int(bonus * fight.figure("armor.cost-notes", "tiny_bonus"))
    finer = worn.masterwork or worn.enhancement > 0 or worn.material == "adamantine"
    if worn.material == "mithral":
        topics.append(MATERIALS)
        gain = fight.figure(MATERIALS, "mithral")
        cap = None if cap is None else cap + gain["max_dex"]
        check, failure = min(0, check + gain["check"]), max(0, failure + gain["failure_pct"])
        weight = weight if shield else WEIGHTS[max(0, WEIGHTS.index(weight) + gain["category_shift"])]
    elif finer:
        topics.append("weapon.masterwork")
        check = min(0, check + fight.figure("weapon.masterwork", "armor_check"))
    return {
        "name": worn.name,
        "kind": "shield" if shield else "armor",
        "bonus": bonus,
        "max_dex": cap,
        "check": check,
        "failure": failure,
        "weight": weight,
        "ounces": weight_for_size(fight, row["weight_lb"], sheet.size, topics),
    }


def slowed_by_armor(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet with its speed in armor, unless it gives its speed without armor, and the rules.

    Armor that counts as lighter slows like lighter armor; dwarves keep their speed (srd35.armor.cost-notes,
    pf1.armor.diff-table).
    """
    if sheet.base_speed is not None:
        return sheet, ()
    topics: list[str] = []
    slow = [feet for one in sheet.worn if (feet := speed_in(fight, sheet, one, topics)) is not None]
    feet = min(slow, default=sheet.speed)
    if feet == sheet.speed:
        return sheet, fight.rules(*topics)
    if is_printed_as(sheet, "dwarf") and sheet.speed == fight.figure("armor.cost-notes", "dwarf_speed"):
        topics.append("armor.cost-notes")
        return sheet, fight.rules(*topics)
    return replace(sheet, base_speed=sheet.speed, speed=feet), fight.rules(*topics)


def speed_in(fight: Fight, sheet: Sheet, worn: Worn, topics: list[str]) -> int | None:
    """Return the speed in armor by the table, None if it has none: a shield, light mithral.

    Speeds without a column are in the table of reduced speeds (srd35.speed.reduced-table).
    """
    if not worn.table or worn.weight == "none":
        return None
    row = armor_row(fight, worn.table)
    lightened = worn.weight == "light" and row["cat"] != "light"
    column = f"speed_{sheet.speed}"
    if column in row:
        return None if lightened else int(row[column])
    reduced = fight.figure("speed.reduced-table")
    if worn.weight == "light" or str(sheet.speed) not in reduced:
        return None
    topics.append("speed.reduced-table")
    return int(reduced[str(sheet.speed)])


def adamantine_reduction(fight: Fight, sheet: Sheet) -> int:
    """Return the damage reduction that adamantine armor gives (srd35.weapons.special-materials)."""
    rows = [armor_row(fight, one.table) for one in sheet.worn if one.material == "adamantine" and one.table]
    by_weight = fight.figure(MATERIALS, "adamantine", "dr")
    return max((int(by_weight[row["cat"]]) for row in rows if row["cat"] in by_weight), default=0)


# --- A combatant's current armor and shields, and the weapons wielded by a shield's arm

SHIELD: Final = "shield"


def worn_now(combatant: Combatant) -> Iterator[Worn]:
    """Yield the armor and shields that a combatant has on."""
    for one in combatant.sheet.worn:
        if not combatant.items or combatant.items.get(one.name) not in OFF:
            yield one


def uses_shield_arm(weapon: Weapon) -> bool:
    """Return whether the arm with a buckler wields the weapon; bows and crossbows are exempt.

    srd35.armor.buckler, pf1.armor.buckler.
    """
    both = weapon.off_hand or wielded_in_two_hands(weapon)
    return both and weapon.family not in ("bow", "crossbow")


def borne_shields(combatant: Combatant) -> list[str]:
    """Return the names of the shields on a combatant's arms, worn or given as parts of its defense."""
    names = dict.fromkeys([part.source or SHIELD for part in combatant.sheet.armor if part.kind == SHIELD])
    away = (*OFF, "stowed")
    return [name for name in names if combatant.items.get(name) not in away and not is_of_force(name)]


def shields_of_row(sheet: Sheet, row: str, word: str) -> list[str]:
    """Return the names of the shields of a row of the table, or without one and with a word in the name."""
    rows = {one.name: one.table for one in sheet.worn}
    names = [part.source for part in sheet.armor if part.kind == SHIELD]
    return [name for name in names if rows.get(name) == row or (not rows.get(name) and word in name)]


def shields_struck_with(blow: Blow) -> list[str]:
    """Return the shields whose bonus a shield bash loses: the one of its name, otherwise all."""
    borne = borne_shields(blow.attacker)
    return [name for name in borne if name == blow.weapon.name] or borne


def borne_of_row(combatant: Combatant, row: str, word: str) -> list[str]:
    """Return those of the shields of a row that a combatant has on its arms."""
    borne = borne_shields(combatant)
    return [name for name in shields_of_row(combatant.sheet, row, word) if name in borne]
