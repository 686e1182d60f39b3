"""Axes of a grid: what is varied, and the values that it takes."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Literal

from msgspec import Struct, convert
from msgspec.structs import fields, replace

from affray.engine.book import Book
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.sheets import ability, fault_of, spelled_out
from affray.engine.table.scenario_parts import (
    BadScenario,
    converted,
    packaged_sheets,
    read_text,
    read_toml,
    reading_of,
)
from affray.events.errors import AffrayError, did_you_mean, nearest
from affray.events.facts.acts import Enter
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.facts.sheet_parts import Bonus
from affray.events.wording import counted
from affray.projections.state import Encounter
from affray.replay.people import People, names_of
from affray.replay.rule_changes.change import address_in, rule_in, value_for
from affray.replay.sheet_figures import with_figure

MOST_VALUES = 100
"""An axis has no more values than this."""
ARMOR, WEAPON, SHEET, PLACE = "armor", "weapon", "sheet", "at"
"""What is varied as a whole: the total of the Armor Class, the only weapon, the sheet, the place."""
SIZE, OVERLAP = "size.attack-ac-table", "ac.natural-armor-no-stack"
"""Topics of the Armor Class that not every rulebook has a rule on."""
_RANGE = re.compile(r"(?P<first>-?\d{1,6})\.\.(?P<last>-?\d{1,6})(?:\.\.(?P<step>\d{1,6}))?")


class BadAxis(AffrayError):
    """An axis that says nothing of this fight, or a value that it cannot take."""


class Axis(Struct, frozen=True):
    """What is varied, as it was said, and its values in their order.

    `kind` says what it is: a reading, a figure (by `name` its address) or something of the sheet of `who`.
    """

    said: str
    values: tuple[str, ...]
    kind: Literal["", "reading", "figure", "sheet"] = ""
    name: str = ""
    who: str = ""


def axis(text: str) -> Axis:
    """Return the axis that a text says: `NAME=1..6`, `NAME=1..20..5` or `NAME=one,other`.

    Values that hold commas are parted by `|`. Raises BadAxis.
    """
    name, equals, said = text.rpartition("=")
    if not (name.strip() and equals and said.strip()):
        raise BadAxis(f"{text!r} is no axis: NAME=FIRST..LAST, or NAME=ONE,OTHER")
    if found := _RANGE.fullmatch(said.strip()):
        first, last, step = int(found["first"]), int(found["last"]), int(found["step"] or 1)
        if not step or last < first:
            raise BadAxis(f"{text!r}: a range goes from its first number up to its last")
        numbers = list(islice(range(first, last + 1, step), MOST_VALUES + 1))
        values = tuple(map(str, numbers))
    else:
        values = tuple(one.strip() for one in said.split("|" if "|" in said else ","))
    if len(values) > MOST_VALUES:
        raise BadAxis(f"{text!r}: an axis has at most {counted(MOST_VALUES, 'value')}")
    if not all(values) or len(set(values)) < len(values):
        raise BadAxis(f"{text!r}: each value is there once, and none is empty")
    return Axis(name.strip(), values)


def resolved(one: Axis, book: Book, state: Encounter) -> Axis:
    """Return an axis with what it means in a fight. Raises BadAxis with the nearest name, BadFigure."""
    name = one.said
    if name in book.contested:
        for value in one.values:
            book.check_readings({name: reading_of(value)})
        return replace(one, kind="reading", name=name)
    people = People.in_fight(state)
    # An id may hold a dot itself.
    for at in (at for at, sign in enumerate(name) if sign == "."):
        if people.knows(name[:at]):
            return replace(
                one, kind="sheet", who=people.id_of(name[:at]), name=_checked(name[at + 1 :], name)
            )
    if rule_in(book, name):
        return replace(one, kind="figure", name=address_in(book, name))
    near = nearest(name, [*book.contested, *(rule.id for rule in book)])
    first, _, rest = name.partition(".")
    called = [word for one in state.combatants.values() for word in (*names_of(one.sheet.name), one.id)]
    whom = nearest(first, called) if rest else ""
    near = f"; did you mean {f'{whom}.{rest}' if whom else near}?" if whom or near else ""
    raise BadAxis(f"{name!r} is no option, no figure (RULE.FIGURE) and no field of a sheet (WHO.FIELD){near}")


def figure_value(one: Axis, value: str, book: Book) -> object:
    """Return a value as a figure's axis holds it; the figure's own value may be among them."""
    rule, _, path = one.name.partition("/")
    before = book.figure(rule, *path.split("/")) if path else book.figure(rule)
    return before if str(before) == value else value_for(book, one.name, value)


def value_there(one: Axis, book: Book, state: Encounter) -> str | None:
    """Return the value that holds in a fight as it stands, None where that cannot be said in a word."""
    if one.kind == "reading":
        return book.reading(one.name, book.chosen(state.options, state.defaults)).name
    if one.kind == "figure":
        rule, _, path = one.name.partition("/")
        return str(book.figure(rule, *path.split("/")) if path else book.figure(rule))
    sheet = state.combatants[one.who].sheet
    if one.name == WEAPON:
        return sheet.weapons[0].name if sheet.weapons else None
    if one.name in (ARMOR, SHEET, PLACE):
        return None
    with suppress(AffrayError):
        return next((value for value in one.values if with_figure(sheet, one.name, value) == sheet), None)
    return None


def entering(one: Axis, value: str, act: Enter, dialect: str, total: int) -> Enter:
    """Return the act with which somebody enters, with a value of an axis in its sheet.

    `total` is the Armor Class that the sheet comes to without it. Raises BadAxis, BadFigure, BadScenario.
    """
    if one.name == PLACE:
        try:
            x, y = map(int, value.split(","))
        except ValueError:
            raise BadAxis(f"{one.said}={value}: a square is x,y; squares are parted by |") from None
        return replace(act, at=(x, y))
    if act.sheet is None:
        raise BadAxis(f"{one.said}: {act.id} has no sheet")
    return replace(act, sheet=with_value(one, value, act.sheet, dialect, total))


def with_value(one: Axis, value: str, sheet: Sheet, dialect: str, total: int) -> Sheet:
    """Return a sheet with a value of an axis in it. Raises BadAxis, BadFigure, BadScenario."""
    if one.name == SHEET:
        return _whole(one, value, dialect)
    if one.name == WEAPON:
        return replace(sheet, weapons=(_weapon(value, sheet),))
    is_armor = one.name == ARMOR
    made = _armored(one, value, sheet, total) if is_armor else with_figure(sheet, one.name, value)
    if fault := fault_of(made):
        raise BadAxis(f"{one.said}={value}: {fault}")
    return made


def armor_class(fight: Fight, who: str) -> int:
    """Return the Armor Class that a sheet comes to in a fight, nothing denied (ac.formula).

    No size is in it where the rulebook has no such rule. Raises BadAxis where worn and natural armor do not
    add up (woa.ac.natural-armor-no-stack): no part by itself makes up the total.
    """
    one = fight.state.combatants[who]
    cap = fight.dialect.defense.dexterity_cap(fight, one)[0]
    dexterity = ability(one.sheet, "dex")
    parts = sum(part.value for part in one.sheet.armor)
    if fight.book.has(OVERLAP) and any(part.kind == "natural" for part in one.sheet.armor):
        there = ", ".join(_sources(one.sheet))
        raise BadAxis(
            f"{who}.armor: worn and natural armor do not add up; name the part that is varied: {there}"
        )
    base = int(fight.figure("ac.formula", "base"))
    sized = fight.book.has(SIZE)
    size = int(fight.figure(SIZE, one.sheet.size.capitalize())) if sized else 0
    return base + parts + size + (dexterity if cap is None else min(dexterity, cap))


def _checked(path: str, said: str) -> str:
    field = path.partition(".")[0]
    known = {WEAPON, SHEET, PLACE, *(one.name for one in fields(Sheet))}
    if field not in known:
        raise BadAxis(f"{said!r}: a sheet has no {field!r}{did_you_mean(field, sorted(known))}")
    return path


def _whole(one: Axis, value: str, dialect: str) -> Sheet:
    """Return the sheet of a TOML file, or one that ships by its name."""
    sheets = packaged_sheets(dialect)
    if value in sheets:
        raw = dict(sheets[value])
    elif Path(value).is_file():
        raw = read_toml(read_text(value), value)
    else:
        meant = did_you_mean(value, sheets)
        raise BadAxis(f"{one.said}={value}: no file, and no sheet that ships with {dialect}{meant}")
    if not isinstance(raw, dict):
        raise BadScenario(f"{value}: no sheet")
    sheet: Sheet = converted(spelled_out(raw), Sheet, value)
    if fault := fault_of(sheet):
        raise BadAxis(f"{value}: {fault}")
    return sheet


def _weapon(name: str, sheet: Sheet) -> Weapon:
    """Return a weapon of the sheet by its name, else one that is a row of the rulebook's tables."""
    for weapon in sheet.weapons:
        if weapon.name.casefold() == name.casefold():
            return weapon
    made: Weapon = convert(spelled_out({"weapons": [name]})["weapons"][0], Weapon)
    return made


def _armored(one: Axis, value: str, sheet: Sheet, total: int) -> Sheet:
    """Return a sheet that comes to another Armor Class, by the part of it that is armor."""
    try:
        more = int(value) - total
    except ValueError:
        raise BadAxis(f"{one.said}={value}: an Armor Class is a number") from None
    parts = [part for part in sheet.armor if part.kind == "armor"]
    if len(parts) > 1 or sheet.worn:
        there = ", ".join(_sources(sheet)) or "worn"
        raise BadAxis(f"{one.said}={value}: name the part that is varied, {one.said}.PART: {there}")
    before = parts[0] if parts else Bonus(0, "armor", "armor")
    if before.value + more < 0:
        least = total - before.value
        raise BadAxis(f"{one.said}={value}: without its armor it has {least}: begin there")
    made = Bonus(before.value + more, "armor", before.source)
    rest = tuple(part for part in sheet.armor if part.kind != "armor")
    return replace(sheet, armor=(made, *rest) if made.value else rest)


def _sources(sheet: Sheet) -> Iterator[str]:
    yield from (part.source or part.kind for part in sheet.armor)
