"""The entries of a rule catalogue, their figures and tables, and which of two rules takes precedence."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from affray.events.errors import AffrayError
from affray.events.facts.base import JsonObject, Size
from affray.events.files import read_found
from affray.events.validation import fitted

# --- What can go wrong when a rule is looked up


def _hint(asked: str, known: Iterable[str]) -> str:
    near = get_close_matches(asked, list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""


class UnknownDialect(AffrayError):
    """No rule catalogue of that name is installed."""

    def __init__(self, dialect: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown dialect {dialect!r}; there are {', '.join(sorted(known))}")
        self.dialect = dialect


class UnknownRule(AffrayError):
    """The catalogue has no rule of that id or topic; the message names the nearest ids."""

    def __init__(self, rule: str, dialect: str, known: Iterable[str]) -> None:
        super().__init__(f"no rule {rule!r} in {dialect}{_hint(rule, known)}")
        self.rule, self.dialect = rule, dialect


class UnknownFigure(AffrayError):
    """The rule has no figure at that path."""

    def __init__(self, rule: str, path: str, known: Iterable[str]) -> None:
        there = ", ".join(known)
        super().__init__(f"rule {rule} has no figure {path!r}; there is {there or 'none'}")
        self.rule, self.path = rule, path


class BadTable(AffrayError):
    """A table that cannot replace one of the dialect: which file, which row, and why, in one line."""


class MissingPackage(AffrayError):
    """A package of a dialect or of house rules is not installed, or not as it was: its name and why."""


class BadPackage(AffrayError):
    """An installed package that offers no dialect and no house rules that can be used: which, and why."""


class BadPrecedence(AffrayError):
    """A tree of rules and exceptions that does not decide which wins: which rules, and why."""


class UnknownOption(AffrayError):
    """The dialect has no contested rule of that option name."""

    def __init__(self, option: str, dialect: str, known: Iterable[str]) -> None:
        super().__init__(f"no contested rule {option!r} in {dialect}{_hint(option, known)}")
        self.option, self.dialect = option, dialect


class UnreadOption(AffrayError):
    """No rule of the dialect reads the option yet, so that no reading but the default has an effect."""

    def __init__(self, option: str, dialect: str, awaits: str) -> None:
        super().__init__(f"no rule of {dialect} reads option {option} yet: it does not play {awaits}")
        self.option, self.dialect = option, dialect


class UnreadFigure(AffrayError):
    """A changed figure belongs to a rule that another one takes precedence over, and would have no effect."""

    def __init__(self, address: str, in_force: str) -> None:
        super().__init__(f"changing {address} has no effect: {in_force} is in force instead of that rule")
        self.address, self.in_force = address, in_force


class UnknownReading(AffrayError):
    """The contested rule has no reading of that name."""

    def __init__(self, option: str, reading: str, known: Iterable[str]) -> None:
        super().__init__(f"option {option} has no reading {reading!r}; there are {', '.join(known)}")
        self.option, self.reading = option, reading


# --- Walking, reading and changing the figures of a rule
#
# A figure's address is `rule-id/key/key/...`, written like a JSON pointer: a key's own `/` is `~1`, its `~`
# is `~0`, and an element of a list is its index or, for a row of a table, `field=text` (`name=dagger`). The
# rule's id alone addresses figures that are one bare value.

Kind = Literal["integer", "fraction", "text"]
_NUMBER = re.compile(r"\d+")


class Figure(NamedTuple):
    """One number of one rule: a whole number, a fraction, or a text with numbers such as "1d6"."""

    rule: str
    path: str
    value: int | float | str
    kind: Kind

    @property
    def address(self) -> str:
        """Return the key under which this figure can be changed."""
        return f"{self.rule}/{self.path}" if self.path else self.rule


def escape(key: str | int) -> str:
    """Return the key as one step of an address."""
    return str(key).replace("~", "~0").replace("/", "~1")


def split(path: str) -> tuple[str, ...]:
    """Return the keys of a path, unescaped; none for the empty path."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in path.split("/")) if path else ()


def walk(rule: str, value: object, path: str = "") -> Iterator[Figure]:
    """Return every number under `value`, in the order of the catalogue; truth values are no numbers."""
    prefix = f"{path}/" if path else ""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(rule, inner, prefix + escape(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from walk(rule, inner, prefix + str(index))
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        yield Figure(rule, path, value, "integer")
    elif isinstance(value, float):
        yield Figure(rule, path, value, "fraction")
    elif isinstance(value, str) and _NUMBER.search(value):
        yield Figure(rule, path, value, "text")


def value_at(value: object, key: str | int) -> object:
    """Return the value under `key`; raises LookupError when there is none.

    A key `field=text` finds the first row of a table whose field reads so; it costs O(rows).
    """
    if isinstance(value, dict):
        return value[str(key)]
    if isinstance(value, list):
        return value[_index(value, str(key))]
    raise LookupError(key)


def _index(rows: list[object], key: str) -> int:
    if key.isdecimal():
        return int(key)
    field, equals, wanted = key.partition("=")
    for index, row in enumerate(rows):
        if equals and isinstance(row, dict) and str(row.get(field)) == wanted:
            return index
    raise LookupError(key)


def replaced(value: Any, path: tuple[str, ...], new: object) -> object:
    """Return a copy of `value` with `new` at `path`, sharing the rest; LookupError if `path` does not
    exist.
    """
    if not path:
        if value is None:
            raise LookupError(path)
        return new
    inner = replaced(value_at(value, path[0]), path[1:], new)
    if isinstance(value, dict):
        return {**value, path[0]: inner}
    index = _index(value, path[0])
    return [*value[:index], inner, *value[index + 1 :]]


def nudged(value: int | float | str, by: int = 1) -> int | float | str:
    """Return a value that differs slightly: a number plus `by`, a text with its first number raised by
    `by`.
    """
    if isinstance(value, str):
        return _NUMBER.sub(lambda found: str(int(found.group()) + by), value, count=1)
    return value + by


# --- Which of two rules of one text takes precedence: a tree of rules and their exceptions, as data
# Futurepath carries unfinished new rules above complete old ones. An old rule is the base, the new one an
# exception to it, and an old rule that returns in a narrower case an exception to the exception. A dialect's
# `precedence.toml` holds the tree; `Tree.in_force` decides which wins, and a tree in which two exceptions
# could win at once is refused when it is loaded.

NOTHING: Mapping[str, str] = {}


class Exceptional(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that takes precedence over another one.

    `when` maps contested options to the readings under which it does, and situations of play ("degree of
    cover") to their required states ("declared"); all have to hold. Without a contested option among them it
    takes precedence as the edition states. `part` names the part of the other rule that it replaces, "" for
    all of it: the other rule stays in force for its other parts, and where no part is specified.
    """

    rule: str
    over: str
    why: str
    when: dict[str, tuple[str, ...]] = {}
    part: str = ""

    def excludes(self, other: "Exceptional") -> bool:
        """Return whether the two can never hold together: they concern different parts, or require different
        things.
        """
        if self.part and other.part and self.part != other.part:
            return True
        return any(set(values).isdisjoint(other.when.get(name, values)) for name, values in self.when.items())


class PrecedenceFile(Struct, frozen=True, forbid_unknown_fields=True, rename={"exceptions": "exception"}):
    """A dialect's precedence.toml.

    `edition` is the contested option by whose default reading exceptions hold, `otherwise` the readings of
    other options that go with another edition, where an encounter names none.
    """

    edition: str = ""
    otherwise: dict[str, str] = {}
    exceptions: tuple[Exceptional, ...] = ()


class Tree:
    """The rules of a dialect that exclude each other, and which of them wins.

    `defaults` are the dialect's contested options with their default readings. Lookups cost as much as the
    chain of exceptions is long.
    """

    def __init__(self, said: PrecedenceFile, defaults: Mapping[str, str]) -> None:
        self.said, self.defaults = said, defaults

    def over(self, rule: str) -> list[Exceptional]:
        """Return the exceptions to a rule, in the order of the file."""
        return [one for one in self.said.exceptions if one.over == rule]

    @cached_property
    def bases(self) -> tuple[str, ...]:
        """Return the rules that are an exception to none, in the order of the file."""
        above = {one.rule for one in self.said.exceptions}
        return tuple(dict.fromkeys(one.over for one in self.said.exceptions if one.over not in above))

    def readings(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the reading in force of every contested option: chosen, the edition's, the default."""
        old = self.said.otherwise if self._is_another_edition(chosen) else NOTHING
        return {**self.defaults, **old, **chosen}

    def in_force(
        self, rule: str, chosen: Mapping[str, str], situation: Mapping[str, str] = NOTHING, part: str = ""
    ) -> str:
        """Return the rule that is in force of all that are based on `rule`, under an encounter's chosen
        readings.

        `situation` gives the current state of what exceptions require, `part` the part of the rule that is
        asked about.
        """
        facts = {**self.readings(chosen), **situation}
        while found := next(
            (one for one in self.over(rule) if one.part in ("", part) and self._holds(one, chosen, facts)),
            None,
        ):
            rule = found.rule
        return rule

    def redirected(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the rules that are not in force under these readings in any situation, and their
        replacements.

        An exception that cannot hold yields to the rule below it; a rule with an exception that holds in
        every situation yields to the exception.
        """
        ids = dict.fromkeys(id for one in self.said.exceptions for id in (one.over, one.rule))
        found = {id: self.in_force(self._below(id, chosen), chosen) for id in ids}
        return {id: rule for id, rule in found.items() if id != rule}

    def root(self, rule: str) -> str:
        """Return the base of a rule, the first of several; itself if it is no exception."""
        while below := next((one.over for one in self.said.exceptions if one.rule == rule), ""):
            rule = below
        return rule

    def walk(self, rule: str, depth: int = 1) -> Iterator[tuple[int, Exceptional]]:
        """Yield the exceptions based on a rule, each with its depth, every one before those to it."""
        for one in self.over(rule):
            yield depth, one
            yield from self.walk(one.rule, depth + 1)

    def check(self, figures: Mapping[str, object], options: Mapping[str, Iterable[str]]) -> None:
        """Accept the tree of a catalogue with these rules and figures, and options with these readings.

        Raises BadPrecedence for a missing rule, option or reading, and for two exceptions to one rule that
        could take precedence together, unless their figures are the same.
        """
        chosen = [*self.said.otherwise.items()]
        for one in self.said.exceptions:
            for id in (one.rule, one.over):
                if id not in figures:
                    raise BadPrecedence(f"{one.rule} over {one.over}: the catalogue has no rule {id!r}")
            known = {name: values for name, values in one.when.items() if name in options}
            chosen += [(name, value) for name, values in known.items() for value in values]
        for name, value in (*chosen, *([(self.said.edition, "")] if self.said.edition else [])):
            if name not in options or (value and value not in options[name]):
                raise BadPrecedence(f"no contested rule is called {name!r} with the reading {value!r}")
        for over in dict.fromkeys(one.over for one in self.said.exceptions):
            self._refuse_circle(over)
            for one, other in combinations(self.over(over), 2):
                same = figures[one.rule] is not None and figures[one.rule] == figures[other.rule]
                if not one.excludes(other) and not same:
                    raise BadPrecedence(
                        f"{one.rule} and {other.rule} could both take precedence over {over}, and differ"
                    )

    def _refuse_circle(self, rule: str) -> None:
        rest = [rule]
        while rest:
            above = [one.rule for each in rest for one in self.over(each)]
            if rule in above:
                raise BadPrecedence(f"{rule} takes precedence over itself")
            rest = above

    def _is_another_edition(self, chosen: Mapping[str, str]) -> bool:
        edition = self.said.edition
        return bool(edition) and chosen.get(edition, self.defaults[edition]) != self.defaults[edition]

    def _holds(self, one: Exceptional, chosen: Mapping[str, str], facts: Mapping[str, str]) -> bool:
        """Return whether an exception takes precedence, given the known facts."""
        if self._is_another_edition(chosen) and not any(name in self.defaults for name in one.when):
            return False
        return all(facts.get(name) in values for name, values in one.when.items())

    def _below(self, rule: str, chosen: Mapping[str, str]) -> str:
        """Return the rule itself if some situation lets it take precedence, otherwise its base."""
        facts = self.readings(chosen)
        own = [one for one in self.said.exceptions if one.rule == rule]
        for one in own:
            if self._holds(one, chosen, {**{name: values[0] for name, values in one.when.items()}, **facts}):
                return rule
        return self._below(own[0].over, chosen) if own else rule


# --- The entries of a rule catalogue: rules, contested rules and their readings


class Rule(Struct, frozen=True):
    """One rule of a dialect: its wording in our words and its figures.

    `figures` is plain JSON data (objects, lists, numbers, strings), None for a rule without any;
    it is shared between callers and must not be changed.
    `tier` is "core", "edge" or "advice"; `provenance` is "text" (printed in the dialect's text),
    "standard" (not printed there but published elsewhere), "assumed" (filled in by us) "campaign" (a
    table that an encounter brought along) or "house" (added by a package of house rules). A `general` rule
    holds for every roll of its kind: explanations list it without its text.
    """

    id: str
    title: str
    section: str
    kind: str
    text: str
    tier: str
    provenance: str
    figures: Any = None
    general: bool = False


class Reading(Struct, frozen=True):
    """One way to read a contested rule: `name` is the option's value, `meaning` the consequence."""

    name: str
    meaning: str


class Contested(Struct, frozen=True):
    """A place where the rule text is silent, damaged or contradicts itself.

    `option` names the setting of an encounter, `rules` the ids of the rules concerned,
    `default` the name of the reading that holds unless an encounter chooses another. `awaits` says what the
    dialect does not play yet, where no rule of it reads the option so far; "" if one does. `since` numbers
    the defaults of the dialect from which on `default` holds; a log whose opening has a lower number is
    decided by the reading `before`.
    """

    option: str
    title: str
    question: str
    rules: tuple[str, ...]
    readings: tuple[Reading, ...]
    default: str
    awaits: str = ""
    since: int = 0
    before: str = ""


class Demands(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The prerequisites that a feat requires of a creature; omitted ones are not required.

    abilities: the least scores ("str": 13).
    base_attack: the least base attack bonus.
    size: the least size.
    fly: a speed of flying.
    hands: how many hands.
    natural_attacks: how many natural attacks.
    feats: other feats; one for something, such as a weapon, is named "weapon focus (*)".
    proficient: proficiency with the "weapon" that the feat is for, or with a "shield".
    ranks: the least ranks in skills.
    levels: the least levels of classes, all of them.
    features: class features, one of which is enough: a trait, or a class with its least level ("paladin 4").
    """

    abilities: dict[str, int] = {}
    base_attack: int = 0
    size: Literal["", Size] = ""
    fly: bool = False
    hands: int = 0
    natural_attacks: int = 0
    feats: tuple[str, ...] = ()
    proficient: Literal["", "weapon", "shield"] = ""
    ranks: dict[str, int] = {}
    levels: dict[str, int] = {}
    features: tuple[str, ...] = ()


class Prerequisites(Demands, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The requirements of a feat under each reading.

    `rule` is the id of the feat's rule. `granted` are the classes that give the feat without prerequisites.
    `some` are the prerequisites under the reading "some" of the option `feat_prerequisites`.
    """

    name: str
    rule: str
    granted: tuple[str, ...] = ()
    some: Demands = Demands()


# --- TOML that people wrote, read in bounds of time

# A key of many parts ("a.b.c...") takes the parser a time that grows with the square of their number.
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?>[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+){50}""")


def parsed(text: str) -> JsonObject:
    """Return what a TOML text holds. Raises ValueError, however deep it nests."""
    if _DEEP_KEY.search(text):
        raise ValueError("nested too deeply")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


# --- Tables that a rule text names and does not print: data files that a campaign can replace
#
# A file has a title, the id of the rule that names the table, and rows:
#
#     title = "Concealment"
#     rule = "woa.concealment.table"
#     key = "degree"
#
#     [[row]]
#     degree = "one-half"
#     attack = -4
#     ac = "= woa.concealment.cap/ac"
#
# A cell that begins with `= ` stands for a printed figure, by its address. In the tables that ship with a
# dialect every other figure is assumed: filled from the nearest published table. The rows become the figures
# of the rule, so a table is read, searched and changed like any other figure.

PRINTED = "= "
"""The prefix of a cell that stands for a printed figure."""

LARGEST_TABLE = 200_000
"""The longest text of a table file, in characters."""


class TableFile(Struct, frozen=True, forbid_unknown_fields=True):
    """One table: the rows of a rule's figures, each a mapping from column to cell.

    `key` is the column by whose texts rows are looked up, "" where they are not.
    """

    title: str
    rule: str
    row: tuple[JsonObject, ...]
    key: str = ""


def parse_table(text: str, where: str) -> TableFile:
    """Return the table that a TOML text holds. Raises BadTable."""
    if len(text) > LARGEST_TABLE:
        raise BadTable(f"{where}: a table has {LARGEST_TABLE} characters at most")
    try:
        table: TableFile = fitted(parsed(text), TableFile)
    except ValueError as fault:
        raise BadTable(f"{where}: {fault}") from fault
    for number, row in enumerate(table.row, 1):
        for column, value in row.items():
            if not _is_plain(value):
                raise BadTable(f"{where}: row {number}: {column} is no text, whole number or list of such")
    return table


def read_folder(folder: Path, known: Mapping[str, TableFile], within: Path | None = None) -> dict[str, str]:
    """Return the tables of a campaign's folder, rule id -> rows as JSON text.

    `known` are those of the dialect: a file must replace one of them and keep its columns and, if rows are
    looked up by a key, all of its keys. Each is a regular file under `within`, or else the folder itself.
    Raises BadTable for a file that does not, and for a folder without tables.
    """
    if not known:
        raise BadTable("this dialect has no tables that a campaign could replace")
    files = sorted(folder.glob("*.toml")) if folder.is_dir() else []
    if not files:
        raise BadTable(f"{folder}: there is no table (*.toml) in this folder")
    found: dict[str, str] = {}
    for file in files:
        try:
            table = parse_table(read_found(file, 4 * LARGEST_TABLE, within or folder).decode(), str(file))
        except (OSError, UnicodeDecodeError) as fault:
            raise BadTable(f"{file}: {getattr(fault, 'strerror', '') or fault}") from fault
        if table.rule not in known:
            raise BadTable(
                f"{file}: no table belongs to {table.rule!r}; there are {', '.join(sorted(known))}"
            )
        if table.rule in found:
            raise BadTable(f"{file}: a second table for {table.rule}")
        _fits(table, known[table.rule], str(file))
        found[table.rule] = msgspec.json.encode(table.row, order="sorted").decode()
    return found


def with_rows(rules: Iterable[Rule], rows: Mapping[str, tuple[JsonObject, ...]], origin: str) -> list[Rule]:
    """Return the rules, those with rows with these as their figures and `origin` as their provenance."""
    return [
        msgspec.structs.replace(rule, figures=list(rows[rule.id]), provenance=origin)
        if rule.id in rows
        else rule
        for rule in rules
    ]


def _is_plain(value: object) -> bool:
    if isinstance(value, list):
        return all(_is_plain(each) for each in value)
    if isinstance(value, dict):
        return all(_is_plain(each) for each in value.values())
    return isinstance(value, str | bool) or (isinstance(value, int) and abs(value) <= 1_000_000)


def _fits(table: TableFile, model: TableFile, where: str) -> None:
    columns = {column for row in model.row for column in row}
    for number, row in enumerate(table.row, 1):
        if unknown := sorted(row.keys() - columns):
            raise BadTable(f"{where}: row {number}: no column {unknown[0]!r}; there are {', '.join(columns)}")
    there = {row.get(model.key) for row in table.row}
    if missing := [row[model.key] for row in model.row if model.key and row[model.key] not in there]:
        raise BadTable(f"{where}: the row {missing[0]!r} is missing")
