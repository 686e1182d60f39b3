"""The header of a text in combat notation: the opening of the fight, and its sheets."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import groupby

import msgspec
from msgspec import Struct, field

from affray.engine.dialects import dialects
from affray.engine.dice import Notation, Seeded
from affray.engine.dice.sources import Answer
from affray.engine.kernel.sheets import expand_sheet, fault_of
from affray.engine.notation.statements import MAGIC, VERSION, Row, Tag, trimmed
from affray.engine.notation.tokens import NotationError, expected_by, field_of, written
from affray.engine.table.scenario_parts import packaged_sheets, reading_of
from affray.engine.table.table import open_encounter
from affray.events.chain import SALT_KEY, salt_key
from affray.events.envelope import Entry
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import EncounterOpened
from affray.events.facts.sheet import MOST_ROWS, Sheet
from affray.events.secrets import SEED
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import MAIN, Store

OPENING = ("name", "dialect", "options", "commitment", "algorithm", "engine", "catalogue", "barriers",
           "ground", "tables", "packages", "until_closed", "things_lie", "defaults", "words",
           "cites")  # fmt: skip
OURS = ("seed", "salted", "faces", "answers", "packages_missing", "main_lines", "house_rules", "sheet")

PRESUMED: Mapping[str, object] = {"algorithm": "blake2b-1", "until_closed": True, "things_lie": True}
"""The way in which an exported fight was opened, if the tags of version 1 of the notation do not give it."""

FEWEST_COUNTED = 5
"""Fewest equal rows that are written once with their number."""

_KINDS: Mapping[str, type] = {
    "salted": bool,
    "packages_missing": bool,
    "main_lines": list,
    "house_rules": list,
}
"""The types of our tags that are not text."""


class Header(Struct):
    """The values of the tags: fields of the opening, and how to read the text."""

    opening: JsonObject = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    columns: dict[str, tuple[int, int]] = field(default_factory=dict)
    sheets: dict[str, Sheet] = field(default_factory=dict)
    seed: str = ""
    salted: bool = True
    faces: str = "imported"
    answers: str = "person"
    packages_missing: bool = False
    main_lines: list[str] = field(default_factory=list)
    house_rules: list[str] = field(default_factory=list)

    def add(self, tag: Tag | Row) -> None:
        """Take a tag or a row of the map. Raises NotationError."""
        if isinstance(tag, Row):
            if len(self.rows) + tag.times > MOST_ROWS:
                raise NotationError(tag.line, tag.column, f"at most {MOST_ROWS} rows of the map")
            self.rows += [tag.text] * tag.times
            return
        name, where = tag.name, (tag.line, tag.column)
        if name == "sheet":
            self._sheet(tag)
            return
        if name not in OPENING and name not in OURS:
            known = ", ".join((*OPENING, *OURS))
            raise NotationError(tag.line, tag.column, f"a tag: {known}", name)
        if len(tag.values) != 1:
            raise NotationError(tag.line, tag.column, f"one value of the tag {name!r}")
        if name in self.columns:
            raise NotationError(tag.line, tag.column, "each tag once", name)
        self.columns[name] = where
        (value,), (column,) = tag.values, tag.columns
        if name in OPENING:
            self.opening[name] = value
        elif not isinstance(value, _KINDS.get(name, str)) or (
            isinstance(value, list) and not all(isinstance(one, str) for one in value)
        ):
            raise NotationError(tag.line, column, f"a value of {name!r}", written(value))
        else:
            setattr(self, name, value)
        if name == "seed":
            try:
                bytes.fromhex(self.seed)
            except ValueError:
                raise NotationError(tag.line, column, "a seed in hexadecimal digits", self.seed) from None

    def sheet_named(self, name: str) -> Sheet | None:
        """Return a sheet of the text or of the library, None for an unknown name."""
        return self.sheets.get(name) or library(str(self.opening.get("dialect", ""))).get(name)

    def _sheet(self, tag: Tag) -> None:
        if len(tag.values) not in (2, 3) or not all(isinstance(one, str) for one in tag.values[:-1]):
            raise NotationError(
                tag.line, tag.column, "a sheet: its name, optionally that of another, and its fields"
            )
        *names, fields = tag.values
        if not isinstance(fields, dict):
            raise NotationError(tag.line, tag.columns[-1], "the fields of a sheet in braces")
        raw: JsonObject = {}
        if len(names) == 2:
            other = self.sheet_named(names[1])
            if other is None:
                self.check_dialect()
                raise NotationError(tag.line, tag.columns[1], "the name of a sheet", names[1])
            raw = msgspec.to_builtins(other)
        try:
            self.sheets[names[0]] = msgspec.convert({**raw, **expand_sheet(fields)}, Sheet)
        except (msgspec.ValidationError, RecursionError) as error:
            expected, found = expected_by(error, fields, Sheet, "the sheet")
            raise NotationError(tag.line, tag.columns[-1], expected, found) from None
        fault = "" if "commitment" in self.opening else fault_of(self.sheets[names[0]])
        if fault:
            raise NotationError(tag.line, tag.columns[-1], f"a sheet of a possible creature: {fault}")

    def check_dialect(self) -> None:
        """Raise NotationError for an unknown dialect."""
        name = self.opening.get("dialect")
        if "dialect" in self.columns and name not in dialects():
            raise NotationError(
                *self.columns["dialect"], f"a dialect: {', '.join(dialects())}", written(name)
            )

    def opened(self, line: int) -> EncounterOpened:
        """Return the opening that is given in full. Raises NotationError."""
        found = {
            **PRESUMED,
            "cites": [],
            "options": {},
            **self.opening,
            "terrain": self.rows,
            "type": "encounter.opened",
        }
        return check_opening_fields(found, self.columns, line)


def check_opening_fields(
    found: Mapping[str, object], columns: Mapping[str, tuple[int, int]], line: int
) -> EncounterOpened:
    """Return the opening with these fields. Raises NotationError at the tag of one that does not fit."""
    try:
        return msgspec.convert(found, EncounterOpened)
    except (msgspec.ValidationError, RecursionError) as error:
        expected, told = expected_by(error, found, EncounterOpened, "the opening")
        raise NotationError(*columns.get(field_of(error), (line, 1)), expected, told) from None


@lru_cache(maxsize=8)
def library(dialect: str) -> Mapping[str, Sheet]:
    """Return the included sheets of a dialect, by name: the complete ones."""
    found = {}
    for name, raw in packaged_sheets(dialect).items():
        try:
            found[name] = msgspec.convert(expand_sheet(raw), Sheet)
        except msgspec.ValidationError:
            continue
    return found


class SheetNames:
    """Names for the sheets of a fight: those of the library, or tags written at first use."""

    def __init__(self, dialect: str, add: Callable[[str], None]) -> None:
        self._library, self._add = library(dialect), add
        self._names: list[tuple[Sheet, str]] = [(sheet, name) for name, sheet in self._library.items()]
        self._taken = {*self._library}

    def name(self, sheet: Sheet, id: str) -> str:
        """Return the name of a sheet; an unnamed sheet is written as a tag."""
        for known, name in self._names:
            if known == sheet:
                return name
        name, number = id, 1
        while name in self._taken:
            number += 1
            name = f"{id}-{number}"
        self._taken.add(name)
        told = f"[sheet {written(name)} {written(trimmed(sheet))}]"
        for known, other in self._names:
            changed = _changed(known, sheet)
            if changed is not None and len(
                near := f"[sheet {written(name)} {written(other)} {changed}]"
            ) < len(told):
                told = near
        self._names.append((sheet, name))
        self._add(told)
        return name


def _changed(known: Sheet, sheet: Sheet) -> str | None:
    """Return the fields in which a sheet differs from a known one."""
    was, now = msgspec.to_builtins(known), msgspec.to_builtins(sheet)
    return written({name: value for name, value in now.items() if was.get(name) != value})


def yield_header_lines(opening: EncounterOpened) -> list[str]:
    """Return the first lines of a text: the format, the fields of the opening, the map."""
    plain = {name: getattr(opening, name) for name in PRESUMED} | trimmed(opening)
    told = [f"{MAGIC} {VERSION}"]
    for name in OPENING:
        if name in plain and plain[name] != PRESUMED.get(name) and plain[name] not in ([], {}):
            told.append(f"[{name} {written(plain[name])}]")
    for row, alike in groupby(opening.terrain):
        times = len([*alike])
        told += [f"|{row}"] * times if times < FEWEST_COUNTED else [f"{times}|{row}"]
    return told


# --- Parts that a text may leave out: its own opening, dice that are not rolled yet

_UNSAID = {"commitment": "", "algorithm": "", "engine": "", "catalogue": "", "name": "encounter", "cites": []}
ELSEWHERE = (
    "algorithm",
    "engine",
    "catalogue",
    "packages",
    "until_closed",
    "things_lie",
    "defaults",
    "words",
    "cites",
    "salted",
)
"""Tags of fights that were opened elsewhere."""


def make_new_opening(header: Header, line: int, secrets: dict[str, bytes]) -> Entry:
    """Return the opening of a fight from its dialect, map and options, and put its secrets into `secrets`.

    Raises NotationError, and what `open_encounter` raises.
    """
    given = header.opening
    options = given.get("options", {})
    if isinstance(options, dict):
        options = {name: reading_of(one) if isinstance(one, bool) else one for name, one in options.items()}
    for name in ELSEWHERE:
        if name in header.columns:
            raise NotationError(*header.columns[name], "the tag 'commitment' as well", name)
    if "dialect" not in given:
        raise NotationError(line, 1, "the tag 'dialect' before the first declaration")
    header.check_dialect()
    asked = {**_UNSAID, **given, "options": options, "terrain": header.rows, "type": "encounter.opened"}
    made = check_opening_fields(asked, header.columns, line)
    store = MemoryStore()
    open_encounter(
        store,
        dialect=made.dialect,
        terrain=made.terrain,
        name=made.name,
        options=dict(made.options),
        seed=bytes.fromhex(header.seed) or None,
        changes=None,
        barriers=made.barriers,
        ground=made.ground,
        tables=dict(made.tables),
        house_rules=header.house_rules,
        salted=True,
    )
    seed = store.secret(SEED) or b""
    secrets.update({SEED: seed, SALT_KEY: salt_key(seed)})
    return next(iter(store.read(MAIN)))  # type: ignore[return-value]


class Rolling:
    """Seeded dice for unknown results in a text: seeded if it is the fight's own seed, else imported."""

    def __init__(self, seeded: Seeded, own: bool) -> None:
        self._seeded, self._own = seeded, own

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the seed's throw for this key; never None."""
        thrown = self._seeded.throw(key, notation)
        return thrown if self._own or thrown is None else (thrown[0], "imported")


# --- The bytes of a text in combat notation: its beginning, and whether it is text

LARGEST = 100_000_000
SUFFIX = ".affray"
"""The suffix of a file in combat notation, with or without a header."""


def is_notation(beginning: bytes) -> bool:
    """Return whether a file with this beginning is in combat notation."""
    return beginning.removeprefix(b"\xef\xbb\xbf").startswith(MAGIC.encode())


def check_first_line(data: bytes) -> str:
    """Return the text after the first line, which names the format. Raises NotationError."""
    if len(data) > LARGEST:
        raise NotationError(1, 1, "a text of at most a hundred megabytes", str(len(data)))
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode()) + 1
        raise NotationError(line, column, "UTF-8", f"the byte {data[error.start]:#04x}") from None
    first, _, rest = text.partition("\n")
    words = first.split()
    if words[:2] != MAGIC.split():
        raise NotationError(1, 1, f"'{MAGIC} {VERSION}'", first)
    if words[2:] != [str(VERSION)]:
        raise NotationError(
            1, len(MAGIC) + 2, f"version {VERSION}, which this release reads", " ".join(words[2:])
        )
    return rest


# --- The comments of a text, stored with the log that was made from it, and written again with it

_NOTE = "comments of the notation"

Comments = dict[str, list[tuple[int, str, bool]]]
"""By line of play: the declaration or event that a comment comes before, its words, and whether it is after
it on the same line.
"""


def keep_comments(store: Store, comments: Comments) -> None:
    """Store the comments with the log, if there are any."""
    if any(comments.values()):
        store.keep_note(_NOTE, msgspec.json.encode(comments))


def load_comments(store: Store) -> Comments:
    """Return the comments stored with a log; none if they cannot be read."""
    kept = store.note(_NOTE)
    found: Comments = {}
    if kept:
        try:
            found = msgspec.json.decode(kept, type=Comments)
        except msgspec.MsgspecError:
            found = {}
    return dict(found)
