"""The parts of a scenario: its combatants, its beginning, and the lines of its script."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache, partial
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Protocol

import msgspec
from msgspec import Meta, Struct, field

from affray.engine.book.catalogue import dialects
from affray.engine.book.packages import dialect_folder, edition, shipped
from affray.engine.book.rules import parsed
from affray.engine.dice import Source
from affray.engine.kernel.sheets import expand_sheet, fault_of
from affray.engine.notation.statements import (
    Comment,
    DeclarationStatement,
    DiceAndAnswers,
    Marker,
    act_of,
    check_marker,
    statements,
)
from affray.engine.notation.tokens import NotationError
from affray.engine.table.appending import Outcome
from affray.engine.table.policies import Answers
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts.acts import Begin, Square, custom_form
from affray.events.facts.base import MOST_COMBATANTS, JsonObject, Name, Names, Number, Tables, Words
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Barriers, Grounds, Numbers, Rows, Sheet
from affray.events.files import UnfitFile, read_bytes, resolve_within
from affray.events.validation import Unreadable, fitted
from affray.projections.state import Encounter

# --- The named sheets that ship with each dialect


SHEETS: Final = "sheets.toml"
"""The file of named sheets in the folder of a package with a dialect."""


def packaged_sheets(dialect: str) -> Mapping[str, JsonObject]:
    """Return the named sheets that come with a dialect, read once; none for an unknown dialect.

    Raises BadScenario for a file of a package that cannot be read, BadPackage.
    """
    if dialect in shipped():
        return _shipped_sheets(dialect)
    return _sheets_of_package(dialect, edition(dialect)) if dialect in dialects() else {}


@cache
def _shipped_sheets(dialect: str) -> Mapping[str, JsonObject]:
    file = resources.files("affray.engine").joinpath("scenarios", f"sheets_{dialect}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@cache
def _sheets_of_package(dialect: str, edition: str) -> Mapping[str, JsonObject]:
    folder = dialect_folder(dialect)
    file = folder / SHEETS
    return _sheets_in(read_text(file, folder), str(file)) if file.exists() else {}


# --- The possible values and limits of the fields of scenario files

Fields = Annotated[dict[Name, Any], Meta(max_length=1000)]
Sheets = Annotated[dict[Name, Fields], Meta(max_length=10_000)]
Faces = Annotated[list[Number], Meta(max_length=10_000)]
Dice = Faces | Annotated[dict[Words, Number | Faces], Meta(max_length=10_000)] | Words
Chosen = Annotated[
    dict[Words, Words | Annotated[list[Words], Meta(max_length=1000)]], Meta(max_length=10_000)
]
Expected = Annotated[list[Fields], Meta(max_length=10_000)]
After = Annotated[dict[Name, Fields], Meta(max_length=1000)]


# --- Reading the TOML of scenario files: size, shape, and one-line errors

LARGEST_FILE = 1_000_000

LONGEST_TEXT = 20_000


class BadScenario(AffrayError):
    """A scenario file that cannot be played: where it is wrong and why, in one line."""


def read_text(path: str | Path, within: Path | None = None) -> str:
    """Return the text of a file of at most a megabyte. Raises BadScenario.

    With `within` it is a file that another one names: a regular one under that folder.
    """
    try:
        data = read_bytes(Path(path), LARGEST_FILE, within)
    except (OSError, ValueError) as error:
        raise BadScenario(f"{path}: {getattr(error, 'strerror', '') or error}") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadScenario(f"{path}: not a UTF-8 text") from None


def place_named(name: str, where: str, within: Path | None) -> tuple[Path, Path]:
    """Return the path of a file that the file `where` names, and the folder that it must be in.

    That is the folder of `where`, unless `within` allows another. Raises BadScenario for one elsewhere.
    """
    beside = Path(where).parent
    folder = within if within is not None else beside
    try:
        resolve_within(beside / name, folder)
    except (UnfitFile, ValueError) as fault:
        told = getattr(fault, "strerror", "") or fault
        raise BadScenario(
            f"{where}: {name}: {told}; files that it names may lie elsewhere with --within FOLDER"
        ) from None
    return beside / name, folder


def read_toml(text: str, where: str) -> JsonObject:
    """Return the data of a TOML text. Raises BadScenario."""
    try:
        value = parsed(text)
    except ValueError as error:
        raise BadScenario(f"{where}: {error}") from None
    _refuse_long(value, where)
    return value


def _refuse_long(value: object, where: str) -> None:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str) and len(item) > LONGEST_TEXT:
            raise BadScenario(f"{where}: a text of {len(item)} characters is too long")
        if isinstance(item, dict):
            stack.extend(item.values())
            stack.extend(item)
        elif isinstance(item, list):
            stack.extend(item)


def converted(value: object, type: object, where: str) -> Any:
    try:
        return fitted(value, type)
    except Unreadable as error:
        raise BadScenario(f"{where}: {error}") from None


def with_custom_acts(raw: JsonObject) -> JsonObject:
    """Return a scenario as read from a file, with the acts of an installed dialect in their recorded form."""
    lines = raw.get("script")
    if not isinstance(lines, list):
        return raw
    forms = {"do", "declares"}
    script = [
        {name: custom_form(value) if name in forms else value for name, value in line.items()}
        if isinstance(line, dict)
        else line
        for line in lines
    ]
    return raw | {"script": script}


def reading_of(value: str | bool) -> str:
    """Return the name of a reading in a file: true and false are on and off."""
    return value if isinstance(value, str) else ("on" if value else "off")


# --- Files of sheets that several scenarios share


def read_sheets(name: str, where: str, within: Path | None = None) -> Sheets:
    """Return the sheets of a file of sheets that the file `where` names (see `place_named`)."""
    path, folder = place_named(name, where, within)
    try:
        return _sheets_in(read_text(path, folder), str(path))
    except BadScenario as fault:
        raise BadScenario(f"{where}: sheets_from: {fault}") from None


@lru_cache(maxsize=4)
def _sheets_in(text: str, where: str) -> Sheets:
    # Neighbouring tables name the same file: its text is parsed once.
    sheets: Sheets = converted(read_toml(text, where), Sheets, where)
    return sheets


# --- The script of a scenario in the notation of combat: its lines, and how one is declared at a table


class ScriptDeclaration(Struct, frozen=True):
    """A line of a script in notation: the declaration, the rounds and turns it must fall in, and its
    position.
    """

    said: DeclarationStatement
    act: AnyAct
    markers: tuple[Marker, ...]
    where: str


class AtTable(Protocol):
    """The part of a table that a script needs."""

    answers: Answers

    @property
    def state(self) -> Encounter:
        """Return the current state."""
        ...

    @property
    def seeded(self) -> Source:
        """Return the encounter's own dice, by its seed."""
        ...

    def use(self, dice: Source | None = None, answers: Answers | None = None) -> None:
        """Take other dice or another policy from here on."""
        ...

    def declare(self, act: AnyAct, by: str = "") -> Outcome:
        """Declare an act and append its events."""
        ...


def spoken(text: str, dialect: str, sheets: JsonObject, where: str) -> Iterator[ScriptDeclaration]:
    """Yield the declarations of a script. Raises BadScenario with line, column and what was expected.

    Combatants that enter have a sheet of `sheets` or of the library of the dialect.
    """
    named = partial(_sheet, {**packaged_sheets(dialect), **sheets}, where)
    markers: list[Marker] = []
    try:
        for one in statements(text):
            if isinstance(one, DeclarationStatement):
                if one.id:
                    raise NotationError(
                        one.line, one.columns["@"], "no id: a script counts its declarations itself"
                    )
                if one.verdict is not None:
                    raise NotationError(
                        one.line, one.column, "no verdict: the rules decide a script", one.verdict.word
                    )
                yield ScriptDeclaration(one, act_of(one, named), tuple(markers), where)
                markers.clear()
            elif isinstance(one, Marker):
                markers.append(one)
            elif not isinstance(one, Comment):
                raise NotationError(one.line, one.column, "a declaration, '== round' or a comment")
    except NotationError as error:
        raise BadScenario(f"{where}: script: {error}") from error


def _sheet(sheets: JsonObject, where: str, name: str) -> Sheet | None:
    if name not in sheets:
        return None
    sheet: Sheet = converted(expand_sheet(sheets[name]), Sheet, f"{where}: sheet of {name}")
    if fault := fault_of(sheet):
        raise BadScenario(f"{where}: {name}: {fault}")
    return sheet


def declare_script_line(
    table: AtTable, one: ScriptDeclaration, *, strict: bool, spare: list[str] | None
) -> Outcome:
    """Declare a line of the script with its dice and answers, all of which must be used up.

    Missing dice are thrown by the table's dice, unless `strict`, and missing answers are given as at the
    table. With `spare` leftovers are listed there instead of being an error. Raises BadScenario.
    """
    answers, said = table.answers, one.said
    told = DiceAndAnswers(said, None if strict else table.seeded, answers, "scripted", "script")
    try:
        for marker in one.markers:
            check_marker(marker, table.state)
        table.use(told, told.answer)
        outcome = table.declare(one.act, said.by)
    except NotationError as error:
        raise BadScenario(f"{one.where}: script: {error}") from error
    finally:
        table.use(None, answers)
    if outcome.waiting is None and outcome.refused is None:
        try:
            told.check_empty()
        except NotationError as error:
            if spare is None:
                raise BadScenario(f"{one.where}: script: {error}") from error
            spare.append(str(error))
    return outcome


LONGEST_AUTO = 10_000


class Entrant(Struct, frozen=True, forbid_unknown_fields=True):
    """A combatant of the scenario: with an inline sheet, or a named one with some fields changed."""

    id: Name
    side: Name
    at: Square
    use: Name = ""
    sheet: Fields = field(default_factory=dict)
    change: Fields = field(default_factory=dict)
    hp: Number | None = None
    nonlethal: Number = 0
    conditions: Names = ()
    held: Names | None = None
    initiative: Number | None = None
    acted: bool = False
    policy: Literal["", "auto", "cautious", "ask"] = ""
    riding: Name = ""
    by: Annotated[dict[Name, Name], Meta(max_length=200)] = field(default_factory=dict)
    levels: Numbers = field(default_factory=dict)
    losses: Numbers = field(default_factory=dict)
    used: Numbers = field(default_factory=dict)
    grapples: Name = ""
    grip: Name = ""
    unloaded: Names = ()


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """How the fight begins: see `acts.Begin`."""

    unaware: Names = ()
    round: Number = 1
    turn: Name = ""
    ambushes: Annotated[tuple[tuple[Name, Name, Name], ...], Meta(max_length=200)] = ()
    stealthy: Names = ()

    def act(self) -> Begin:
        """Return the declaration that begins the fight."""
        return Begin(**msgspec.structs.asdict(self))


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """One scripted declaration, with its dice and answers, and the expectations of a test.

    Without `do` it is the next declaration of automatic play; `declares` is what that must be.
    """

    do: AnyAct | None = None
    dice: Dice = ""
    choose: Chosen = field(default_factory=dict)
    expect: Expected = field(default_factory=list)
    never: Names = ()
    after: After = field(default_factory=dict)
    declares: AnyAct | None = None


class NotationLine(Line, frozen=True, forbid_unknown_fields=True):
    """A line of a script in the notation of combat."""

    said: ScriptDeclaration | None = None


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """A fight to be played.

    `dice` and `choose` are for the beginning; `auto` plays on by tactics for at most that many rounds after
    the script. `house_rules` names those of installed packages, in the order in which they apply. `map` may
    name a file relative to this one (see `map_in`); once read, it is the rows, and the barriers between
    squares are among the `barriers`. `tables` names the folder of a campaign's tables, relative to the file;
    once read, it is their rows (see `book.read_folder`). `sheets_from` names a file of sheets shared by
    several scenarios, relative to the file too; once read, they are among the `sheets`, and it is empty. A
    file may give the `script` as one text in the notation of combat instead. `cites` names rules that the log
    must cite anywhere, its setup included, in a test of rules.

    A scenario is immutable; derive another one from it:

    >>> from msgspec.structs import replace
    >>> from affray.engine import Scenario, packaged, play
    >>> from affray.events import MemoryStore
    >>> def duel(fight: Scenario, *ids: str) -> Scenario:
    ...     both = tuple(one for one in fight.combatants if one.id in ids)
    ...     return replace(fight, combatants=both, script=(), dice="seed", seed="a duel")
    >>> table = play(duel(packaged("demo_srd35"), "fighter", "ogre"), MemoryStore())
    >>> table.state.combatants["ogre"].hp
    -2
    """

    map: Rows | Words
    combatants: Annotated[tuple[Entrant, ...], Meta(max_length=MOST_COMBATANTS)]
    barriers: Barriers = ()
    ground: Grounds = ()
    tables: Words | Tables = ""
    house_rules: Names = ()
    dialect: Name = ""
    name: Words = "scenario"
    title: Words = ""
    options: Annotated[dict[Name, Name | bool], Meta(max_length=1000)] = field(default_factory=dict)
    seed: Words = ""
    sheets: Sheets = field(default_factory=dict)
    sheets_from: Words = ""
    begin: Start = Start()
    dice: Dice = ""
    choose: Chosen = field(default_factory=dict)
    expect: Expected = field(default_factory=list)
    after: After = field(default_factory=dict)
    cites: Names = ()
    script: Annotated[tuple[Line, ...], Meta(max_length=10_000)] = ()
    auto: Annotated[int, Meta(ge=0, le=LONGEST_AUTO)] = 0


# --- Files of many scenarios: what they share


class Opening(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys that scenarios of a file can share: see `Scenario`."""

    map: Rows | Words = ()
    combatants: Annotated[tuple[Entrant, ...], Meta(max_length=MOST_COMBATANTS)] = ()
    barriers: Barriers = ()
    ground: Grounds = ()
    tables: Words = ""
    house_rules: Names = ()
    options: Annotated[dict[Name, Name | bool], Meta(max_length=1000)] = field(default_factory=dict)
    seed: Words = ""
    begin: Start = Start()
    dice: Dice = ""
    choose: Chosen = field(default_factory=dict)


class Scenarios(Opening, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file of many scenarios, for tests: in a list, or in a table by name.

    They share its sheets (`sheets_from` is that of a scenario), its own keys and those of its openings: see
    `whole_scenarios`.
    """

    dialect: Name
    scenario: (
        Annotated[list[Fields], Meta(max_length=10_000)]
        | Annotated[dict[Words, Fields], Meta(max_length=10_000)]
    )
    openings: Annotated[dict[Name, Opening], Meta(max_length=1000)] = field(default_factory=dict)
    sheets: Sheets = field(default_factory=dict)
    sheets_from: Words = ""


class Departure(Struct, frozen=True, forbid_unknown_fields=True):
    """What a scenario does with the keys that it shares: see `whole_scenarios`.

    `opening` names its opening, `but` the fields of shared combatants that differ, by their ids.
    """

    opening: Name = ""
    but: Sheets = field(default_factory=dict)


def whole_scenarios(raw: JsonObject, where: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield the scenarios of a file with the keys that they share, each after its place for messages.

    A key that a scenario does not give is that of its opening, otherwise that of the file. In its list of
    combatants an id is the shared combatant. Raises BadScenario, also for a shared key that none takes.
    """
    file: Scenarios = converted(raw, Scenarios, where)
    openings: JsonObject = raw.get("openings", {})
    shared = {key: raw[key] for key in Opening.__struct_fields__ if key in raw}
    untaken = {"": {*shared}, **{name: {"", *keys} for name, keys in openings.items()}}
    for name, fields in _named(file.scenario, where):
        place = f"{where}: {name}" if name else where
        own = dict(fields)
        departing = {key: own.pop(key) for key in Departure.__struct_fields__ if key in own}
        departure: Departure = converted(departing, Departure, place)
        opening = departure.opening
        if opening and opening not in openings:
            raise BadScenario(f"{place}: no opening {opening!r}{did_you_mean(opening, sorted(openings))}")
        opened = openings.get(opening, {})
        whole = {**shared, **opened, **own}
        cast = {**shared, **opened}.get("combatants", [])
        listed = own.get("combatants", [one["id"] for one in cast])
        if "combatants" in whole and isinstance(listed, list):
            whole["combatants"] = list(_present(listed, cast, departure.but, place))
        taken = {"", *shared, *opened} - own.keys()
        if isinstance(listed, list) and any(isinstance(one, str) for one in listed):
            taken.add("combatants")
        untaken[opening] -= taken
        untaken[""] -= taken - opened.keys()
        yield place, whole
    for name, keys in untaken.items():
        of = f"of the opening {name!r}" if name else "of the file"
        if "" in keys:
            raise BadScenario(f"{where}: no scenario has the opening {name!r}")
        for key in sorted(keys):
            raise BadScenario(f"{where}: no scenario takes the `{key}` {of}: all have another")


def _named(
    scenarios: list[JsonObject] | Mapping[str, JsonObject], where: str
) -> Iterator[tuple[str, JsonObject]]:
    """Yield the scenarios of a file with their names. Raises BadScenario for one that is named twice."""
    if not isinstance(scenarios, Mapping):
        yield from ((str(one.get("name", "")), one) for one in scenarios)
        return
    for name, one in scenarios.items():
        if "name" in one:
            raise BadScenario(f"{where}: {name}: the name is already that of the table: leave out `name`")
        yield name, {"name": name, **one}


def _present(listed: list[object], cast: list[JsonObject], but: Sheets, where: str) -> Iterator[object]:
    """Yield the combatants of a scenario: its own, and for each id the shared one with its changes."""
    shared = {one["id"]: one for one in cast}
    if len(shared) < len(cast):
        twice = next(one["id"] for one in cast if shared[one["id"]] is not one)
        raise BadScenario(f"{where}: two shared combatants are {twice!r}")
    for id, fields in but.items():
        if "id" in fields:
            raise BadScenario(f"{where}: `but` has `id` among the fields of {id!r}: an id cannot differ")
    for id in (*but, *(one for one in listed if isinstance(one, str))):
        if id not in shared:
            raise BadScenario(f"{where}: no shared combatant {id!r}{did_you_mean(id, [*shared])}")
        if id not in listed:
            raise BadScenario(f"{where}: `but` changes {id!r}, which is not listed as a shared combatant")
    yield from ({**shared[one], **but.get(one, {})} if isinstance(one, str) else one for one in listed)
