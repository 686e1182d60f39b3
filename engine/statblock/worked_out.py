"""Printed figures beside those that the engine works out: which agree, and which named parts explain."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from affray.engine.dialects import load
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.statblock import figures
from affray.engine.statblock.fields import Field
from affray.engine.statblock.lines import Note, shown
from affray.engine.statblock.played import Played, is_plain, play
from affray.engine.statblock.printed_attack import PRINTED, Strike
from affray.engine.statblock.routines import Routine
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet
from affray.events.facts.sheet_parts import Bonus
from affray.events.wording import counted

_TOTAL = re.compile(r"^([+-]? ?[0-9]{1,4})\b")
_GRAPPLE = re.compile(r"/ ?([+-]? ?[0-9]{1,4})\b")


class Figure(Struct, frozen=True, gc=False):
    """A printed figure and what the engine makes of the sheet.

    `explained` says that it agrees and that each part of it is one that a rule names. `parts` are given where
    the sheet does not hold them: for combat maneuvers and grapples.
    """

    name: str
    printed: int
    given: int
    explained: bool
    parts: tuple[Bonus, ...] = ()


class Shares(Struct, frozen=True, gc=False):
    """How many figures are printed, how many of them the engine gives back, how many all parts of explain."""

    printed: int
    agree: int
    explained: int


def shares_of(worked_out: Sequence[Figure]) -> Shares:
    """Return the shares of the figures that agree and that are explained."""
    return Shares(
        len(worked_out),
        sum(one.printed == one.given for one in worked_out),
        sum(one.explained for one in worked_out),
    )


def combat_maneuver_bonus(sheet: Sheet) -> tuple[Bonus, ...]:
    """Return the parts of a combat maneuver bonus, as it counts in play (pf1.cmb)."""
    return as_bonuses(figures.combat_maneuver_bonus(sheet, "pf1"))


def combat_maneuver_defense(sheet: Sheet) -> tuple[Bonus, ...]:
    """Return the parts of a combat maneuver defense, as it counts in play (pf1.cmd)."""
    return as_bonuses(figures.combat_maneuver_defense(sheet, "pf1"))


def as_bonuses(parts: Sequence[Modifier]) -> tuple[Bonus, ...]:
    """Return modifiers as parts of a sheet."""
    return tuple(Bonus(part.value, part.kind, part.source) for part in parts)


def grapple_modifier(sheet: Sheet) -> tuple[Bonus, ...]:
    """Return the parts of a grapple check (srd35.grapple.check, srd35.grapple.size-modifier)."""
    return (
        Bonus(sheet.base_attack, "base", "base attack"),
        Bonus(ability(sheet, "str"), "ability", "Strength"),
        *_size(sheet, "srd35.grapple.size-modifier", "srd35"),
        *(Bonus(4, "untyped", "Improved Grapple"),) * ("improved grapple" in sheet.feats),
    )


def _size(sheet: Sheet, rule: str, dialect: str) -> tuple[Bonus, ...]:
    value = load(dialect).book.figure(rule, sheet.size.capitalize())
    return (Bonus(value, "size", sheet.size),) if value else ()


def work_out_maneuvers(sheet: Sheet, fields: dict[str, Field], notes: list[Note]) -> Iterator[Figure]:
    """Yield the printed combat maneuver bonus, its defense and the grapple, each with its parts.

    What differs from print, and what is printed besides the total, is noted.
    """
    for key, name, parts in (
        ("cmb", "CMB", combat_maneuver_bonus),
        ("cmd", "CMD", combat_maneuver_defense),
        ("grapple", "grapple", grapple_modifier),
        ("base attack/grapple", "grapple", grapple_modifier),
    ):
        field = fields.get(key)
        found = (_GRAPPLE.search if "/" in key else _TOTAL.match)(field.value) if field is not None else None
        if field is None or found is None:
            continue
        printed, of = int(found[1].replace(" ", "")), parts(sheet)
        given = sum(part.value for part in of)
        if printed != given:
            reason = f"{name}: the parts give {given}, printed is {printed}: the parts count"
            notes.append(Note(field.line, shown(field.value), reason, "unplayed"))
        if rest := field.value[found.end() :].strip(" ,;-"):
            notes.append(Note(field.line, shown(rest), f"{name} in some cases only", "unplayed"))
        yield Figure(name, printed, given, printed == given, of)


def work_out_attacks(
    sheet: Sheet, strikes: Sequence[Strike], routines: Sequence[Routine], dialect: str, notes: list[Note]
) -> Iterator[Figure]:
    """Yield the attack and the damage bonus of each printed attack, in its routine or, as printed, by itself.

    A routine that the rules refuse as one full attack, or that comes out otherwise, is noted.
    """
    weapons = {weapon.name: weapon for weapon in sheet.weapons}
    played: dict[int, tuple[Played, ...]] = {}
    for number, routine in enumerate(routines):
        if is_plain(sheet, routine, dialect):
            continue
        came = play(sheet, routine, dialect)
        if isinstance(came, tuple) and len(came) == len(routine.strikes):
            played[number] = came
            bonuses = tuple(one.bonus for one in came)
            what = "" if bonuses == routine.bonuses else " ".join(f"{one:+d}" for one in bonuses)
        else:
            what = came if isinstance(came, str) else counted(len(came), "attack")
        if what:
            line, text = next((one.attack.line, one.attack.text) for one in strikes if one.routine == number)
            notes.append(Note(line, shown(text), f"with all others as one full attack: {what}", "unplayed"))
    for strike in strikes:
        weapon, attack, melee = weapons[strike.weapon], strike.attack, strike.attack.mode == "melee"
        among = [*played[strike.routine][strike.at : strike.at + 1]] if strike.routine in played else []
        ways = [one.bonus for one in among] + [figures.attack_bonus(sheet, weapon, melee, dialect)]
        printed = attack.bonuses[0]
        named = all(part.source != PRINTED for part in weapon.attack)
        given = printed if printed in ways else ways[0]
        yield Figure(f"attack with {weapon.name}", printed, given, given == printed and named)
        if attack.dice != "0":
            harms = [one.damage for one in among if one.damage is not None]
            harms.append(figures.damage_bonus(sheet, weapon, melee, dialect))
            named = all(part.source != PRINTED for part in weapon.bonus_damage)
            given = attack.flat if attack.flat in harms else harms[0]
            yield Figure(f"damage of {weapon.name}", attack.flat, given, given == attack.flat and named)


def work_out_totals(
    sheet: Sheet, armor: tuple[int | None, ...], saves: dict[str, int], initiative: int | None, dialect: str
) -> Iterator[Figure]:
    """Yield Armor Class in its three forms, the saves and the initiative.

    A base save is explained if Hit Dice give it, as a good or a poor one.
    """
    named = all(part.kind != "untyped" and "as printed" not in part.source for part in sheet.armor)
    names = ("Armor Class", "touch", "flat-footed")
    for name, total, given in zip(names, armor, figures.armor_class(sheet, dialect), strict=True):
        if total is not None:
            yield Figure(name, total, given, given == total and named)
    usual = (sheet.hit_dice // 3, 2 + sheet.hit_dice // 2)
    for kind, total in saves.items():
        given = figures.save_bonus(sheet, kind, dialect)
        yield Figure(kind, total, given, given == total and getattr(sheet.saves, kind) in usual)
    if initiative is not None:
        given = figures.initiative_modifier(sheet, dialect)
        named = all("as printed" not in part.source for part in sheet.initiative)
        yield Figure("initiative", initiative, given, given == initiative and named)
