"""The book: one dialect's rules, contested readings and topics, read once and never changed."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Self

import msgspec
from msgspec import Struct

from affray.engine.book.packages import dialect_folder, edition, offered_dialects, shelf, shipped
from affray.engine.book.rules import (
    BadPackage,
    BadTable,
    Contested,
    Figure,
    MissingPackage,
    PrecedenceFile,
    Prerequisites,
    Reading,
    Rule,
    TableFile,
    Tree,
    UnknownDialect,
    UnknownFigure,
    UnknownOption,
    UnknownReading,
    UnknownRule,
    UnreadFigure,
    UnreadOption,
    escape,
    parse_table,
    replaced,
    split,
    value_at,
    walk,
    with_rows,
)
from affray.events.errors import counted
from affray.events.facts.base import JsonObject
from affray.events.facts.words import NO_WORDS, DialectWords

# --- Reading the data files of a dialect: rules, contested readings, precedence, topics and tables


class _ContestedFile(msgspec.Struct, forbid_unknown_fields=True):
    contested: list[Contested] = []


class _PrerequisitesFile(msgspec.Struct, forbid_unknown_fields=True):
    feat: list[Prerequisites] = []


class SeenInPlay(msgspec.Struct, frozen=True):
    """The names of what was seen to be rolled and asked with a declaration."""

    rolls: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


MEANWHILE = ("attack of opportunity", "readied act")
"""The interruptions that any declaration may have, whose rolls and questions are listed separately."""

_RULES = msgspec.json.Decoder(Rule)

KERNEL = "kernel"
"""The prefix of the ids of the kernel's rules, and its folder."""


def dialects() -> tuple[str, ...]:
    """Return the names of the dialects that have a rule catalogue, in alphabetical order; those of packages
    too.
    """
    return tuple(sorted({*shipped(), *offered_dialects()}))


def data_folder(dialect: str) -> Traversable:
    """Return the folder of a dialect's data: the one that ships, or a package's; raises UnknownDialect."""
    if dialect in shipped():
        return shelf().joinpath(dialect)
    if dialect in offered_dialects():
        return dialect_folder(dialect)
    raise UnknownDialect(dialect, dialects())


def _text(dialect: str, name: str) -> str | None:
    file = data_folder(dialect).joinpath(name)
    return file.read_text(encoding="utf-8") if file.is_file() else None


def read_rules(dialect: str) -> tuple[Rule, ...]:
    """Return the rules of a dialect in the order of its catalogue; UnknownDialect when there is none."""
    return tuple(_RULES.decode_lines(_text(dialect, "rules.jsonl") or ""))


def read_contested(dialect: str) -> tuple[Contested, ...]:
    """Return the contested rules of a dialect in the order of its file, none when it has no such file."""
    text = _text(dialect, "contested.toml") or ""
    return tuple(msgspec.toml.decode(text, type=_ContestedFile).contested)


def read_prerequisites(dialect: str) -> Mapping[str, Prerequisites]:
    """Return the prerequisites of a dialect's feats, by name, from prerequisites.toml; none without the
    file.
    """
    return _prerequisites(dialect, edition(dialect))


@cache
def _prerequisites(dialect: str, edition: str) -> Mapping[str, Prerequisites]:
    text = _text(dialect, "prerequisites.toml") or ""
    return {one.name: one for one in msgspec.toml.decode(text, type=_PrerequisitesFile).feat}


def read_precedence(dialect: str) -> PrecedenceFile:
    """Return the rules of a dialect that take precedence, from precedence.toml; none without the file."""
    return msgspec.toml.decode(_text(dialect, "precedence.toml") or "", type=PrecedenceFile)


def read_seen(dialect: str) -> dict[str, SeenInPlay]:
    """Return the observed rolls and questions of declarations, by name; none without such a file."""
    return msgspec.toml.decode(_text(dialect, "seen_in_play.toml") or "", type=dict[str, SeenInPlay])


def table_texts(dialect: str) -> dict[str, str]:
    """Return the files of the dialect's tables by name, as text, in alphabetical order; UnknownDialect for
    none.
    """
    folder = data_folder(dialect).joinpath("tables")
    files = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else []
    return {file.name: file.read_text(encoding="utf-8") for file in files if file.name.endswith(".toml")}


def read_tables(dialect: str) -> dict[str, TableFile]:
    """Rule id -> the table that the rule names, for the tables that the dialect's text does not print."""
    if dialect not in dialects():
        raise UnknownDialect(dialect, dialects())
    return _tables(dialect, edition(dialect))


@cache
def _tables(dialect: str, edition: str) -> dict[str, TableFile]:
    found = (parse_table(text, name) for name, text in table_texts(dialect).items())
    return {table.rule: table for table in found}


def read_words(dialect: str) -> DialectWords:
    """Return the words of a dialect from words.toml; none without the file, and for one not installed.

    Raises BadPackage.
    """
    try:
        return _words(dialect, edition(dialect))
    except (UnknownDialect, MissingPackage):
        return NO_WORDS


@cache
def _words(dialect: str, edition: str) -> DialectWords:
    try:
        return msgspec.toml.decode(_text(dialect, "words.toml") or "", type=DialectWords)
    except (msgspec.MsgspecError, UnicodeError) as fault:
        raise BadPackage(f"the package of {dialect!r}: its words cannot be read: {fault}") from fault


class FoundryPaths(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a game system of Foundry VTT keeps what is not hit points, as paths in an actor's `system`.

    `system` is the id of the game system; `counters`, `conditions` (their levels) and `pools` (what is left)
    are by the names of the dialect.
    """

    system: str
    counters: dict[str, str] = {}
    conditions: dict[str, str] = {}
    pools: dict[str, str] = {}


@cache
def read_foundry_paths(dialect: str) -> FoundryPaths | None:
    """Return the paths in foundry.toml of a dialect; None without the file. Raises BadPackage."""
    try:
        text = _text(dialect, "foundry.toml")
        return msgspec.toml.decode(text, type=FoundryPaths) if text else None
    except (UnknownDialect, MissingPackage):
        return None
    except (msgspec.MsgspecError, UnicodeError) as fault:
        raise BadPackage(f"the package of {dialect!r}: foundry.toml cannot be read: {fault}") from fault


def read_aliases(dialect: str) -> dict[str, str]:
    """Topic -> rule id from the dialect's topics.toml (table `[topics]`), empty without the file."""
    return _names(dialect, "topics")


def read_figure_aliases(dialect: str) -> dict[str, str]:
    """Address "topic/path" -> "rule-id/path" from topics.toml (table `[figures]`), empty without the file."""
    return _names(dialect, "figures")


def read_equals(dialect: str) -> dict[str, str]:
    """Topic -> id of another dialect's rule with the same figures, from topics.toml (table `[equal]`)."""
    return _names(dialect, "equal")


def _names(dialect: str, table: str) -> dict[str, str]:
    text = _text(dialect, "topics.toml") or ""
    return msgspec.convert(tomllib.loads(text).get(table, {}), dict[str, str])


class Book:
    """The rule catalogue of one dialect: `book["srd35.charge.attack"]` is a `Rule`.

    Immutable. A lookup costs O(1); iterating gives the rules in the order of the catalogue.
    """

    def __init__(
        self,
        dialect: str,
        rules: Iterable[Rule],
        contested: Iterable[Contested] | None = None,
        aliases: Mapping[str, str] | None = None,
        changes: Mapping[str, object] | None = None,
    ) -> None:
        """A custom book; `contested` and `aliases` are read from the dialect's files when None."""
        self.dialect = dialect
        self.changes = MappingProxyType(dict(changes or {}))
        self._rules = {rule.id: rule for rule in rules}
        self._contested = None if contested is None else tuple(contested)
        self._aliases = aliases
        self._in_force: Mapping[str, str] = {}
        for address, value in self.changes.items():
            self._change(address, value)

    @classmethod
    def load(
        cls,
        dialect: str,
        changes: Mapping[str, object] | None = None,
        tables: Mapping[str, str] | None = None,
    ) -> "Book":
        """Return the installed catalogue of `dialect`, read once a process (a few milliseconds).

        `changes` maps addresses of figures (`rule-id/path/inside/figures`) to new values, `tables` rule ids
        to the rows of a campaign's own tables (`tables.read_folder`); both give a separate book. Raises
        UnknownDialect, UnknownRule, UnknownFigure or BadTable.
        """
        if dialect not in dialects():
            raise UnknownDialect(dialect, dialects())
        book = _installed(dialect, edition(dialect))
        if tables:
            book = _campaign(dialect, tuple(tables.items()), edition(dialect))
        return book.changed(changes) if changes else book

    def changed(self, changes: Mapping[str, object]) -> Self:
        """Return a book that differs in the figures at these addresses and shares everything else."""
        both = {**self.changes, **changes}
        return type(self)(self.dialect, self, self._contested, self._aliases, both)

    def under(self, chosen: Mapping[str, str]) -> "Book":
        """Return a book for an encounter with these readings: a topic finds the rule in force of those on it.

        This book itself where no rule takes precedence over another. Raises BadPrecedence.
        """
        redirected = self.precedence.redirected(chosen)
        if not redirected:
            return self
        made = Book(self.dialect, self, self._contested, self._aliases)
        made.changes, made._in_force = self.changes, redirected
        return made

    @cached_property
    def precedence(self) -> Tree:
        """Return the rules that take precedence over others; raises BadPrecedence."""
        options = {option: entry.default for option, entry in self.contested.items()}
        tree = Tree(read_precedence(self.dialect), options)
        tree.check(
            {rule.id: rule.figures for rule in self},
            {option: [one.name for one in entry.readings] for option, entry in self.contested.items()},
        )
        return tree

    def with_rules(self, rules: Iterable[Rule]) -> Self:
        """Return a book with these additional rules, each a topic by its id. Raises BadPackage for a known
        id.
        """
        added = {rule.id: rule for rule in rules}
        if known := sorted(id for id in added if id in self):
            raise BadPackage(f"house rules cannot add the rule {known[0]!r}: {self.dialect} has it already")
        names = {**self.topics, **{id: id for id in added}}
        return type(self)(self.dialect, (*self, *added.values()), self._contested, names, self.changes)

    def __getitem__(self, rule: str) -> Rule:
        """The rule of that id; raises UnknownRule naming the nearest ids."""
        try:
            return self._rules[rule]
        except KeyError:
            raise UnknownRule(rule, self.dialect, self._rules) from None

    def __contains__(self, rule: object) -> bool:
        return rule in self._rules

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules.values())

    def __len__(self) -> int:
        return len(self._rules)

    def __repr__(self) -> str:
        changed = counted(len(self.changes), "changed figure")
        return f"<Book {self.dialect}: {counted(len(self), 'rule')}, {changed}>"

    @cached_property
    def topics(self) -> Mapping[str, str]:
        """Topic -> rule id as the dialect names them; topics that are ids themselves are not listed."""
        found = read_aliases(self.dialect) if self._aliases is None else dict(self._aliases)
        return MappingProxyType(found)

    def topic_id(self, topic: str) -> str:
        """Return the id of the rule for a topic shared by dialects, or for an id; raises UnknownRule.

        The id of a shipped dialect means what another files under the same topic, so that one can be built on
        the code of the other.
        """
        rule = self[self._own(topic)].id
        return self._in_force.get(rule, rule)

    def _own(self, topic: str) -> str:
        if topic in self._rules:
            return topic
        dialect, _, rest = topic.partition(".")
        name = rest if dialect != self.dialect and dialect in shipped() else topic
        own = self.topics.get(name) or f"{self.dialect}.{name}"
        return own if own in self._rules or f"{KERNEL}.{name}" not in self._rules else f"{KERNEL}.{name}"

    def topic(self, topic: str) -> Rule:
        """Return the rule for a topic such as "charge.attack": by alias, else the id `dialect.topic`."""
        return self[self.topic_id(topic)]

    @cached_property
    def figure_topics(self) -> Mapping[str, str]:
        """Address "topic/path" -> "rule-id/path", where the dialect keeps a shared figure elsewhere."""
        return MappingProxyType(read_figure_aliases(self.dialect))

    def place(self, topic: str, *path: str | int) -> tuple[str, tuple[str | int, ...]]:
        """Return the address of a topic's figure: the rule's id and the path; raises UnknownRule."""
        moved = self.figure_topics.get(address_of(topic, path))
        if moved is None:
            return self.topic_id(topic), path
        rule, _, rest = moved.partition("/")
        return self.topic_id(rule), split(rest)

    @cached_property
    def equals(self) -> Mapping[str, str]:
        """Topic -> id of another dialect's rule, where the text says that its figures are equal to those."""
        return MappingProxyType(read_equals(self.dialect))

    def topic_figure(self, topic: str, *path: str | int) -> Any:
        """Return the figure of a topic: that of the rule on it, or of the other dialect's that it is equal
        to.

        Raises UnknownRule or UnknownFigure.
        """
        equal = self.equals.get(topic)
        if equal is not None and address_of(topic, path) not in self.figure_topics:
            other = equal.partition(".")[0]
            return _installed(other, edition(other)).figure(equal, *path)
        rule, place = self.place(topic, *path)
        return self.figure(rule, *place)

    def has(self, topic: str) -> bool:
        """Return whether `topic`, or an id, finds a rule here."""
        return self._own(topic) in self._rules

    def figure(self, rule: str, *path: str | int) -> Any:
        """Return the figure of a rule at `path`, all its figures without one.

        `book.figure("srd35.weapons.table-simple-melee", "name=dagger", "dmg_m")`: a step is a key, an index
        or, in a table, `field=text` for the first row that reads so.

        Raises UnknownRule, or UnknownFigure naming the rule, the path and what there is instead.
        """
        value = self[rule].figures
        try:
            for key in path:
                value = value_at(value, key)
        except LookupError:
            raise self._no_figure(rule, path) from None
        if value is None and not path:
            raise self._no_figure(rule, path)
        return value

    def figures(self) -> Iterator[Figure]:
        """Return every number of every rule, in the order of the catalogue."""
        for rule in self:
            yield from walk(rule.id, rule.figures)

    @cached_property
    def contested(self) -> Mapping[str, Contested]:
        """Option -> contested rule, in the order of the dialect's file."""
        found = read_contested(self.dialect) if self._contested is None else self._contested
        return MappingProxyType({entry.option: entry for entry in found})

    @property
    def prerequisites(self) -> Mapping[str, Prerequisites]:
        """Return the prerequisites of feats, by name, as far as the dialect's published rules print them."""
        return read_prerequisites(self.dialect)

    @cached_property
    def defaults(self) -> int:
        """Return the number of today's default readings, which the opening of a fight records."""
        return max((entry.since for entry in self.contested.values()), default=0)

    def chosen(self, options: Mapping[str, str], defaults: int) -> dict[str, str]:
        """Return the readings in force that differ from today's defaults, by age or by choice.

        `defaults` is the number in the opening: a fight recorded before a default was changed keeps the
        reading that held then, unless its `options` name another.
        """
        if defaults >= self.defaults:
            return {**options}
        older = {entry.option: entry.before for entry in self.contested.values() if entry.since > defaults}
        return {**older, **options}

    def reading(self, option: str, options: Mapping[str, object]) -> Reading:
        """Return the reading of a contested rule under an encounter's options, the default without one.

        True and False stand for "on" and "off"; raises UnknownOption or UnknownReading.
        """
        if option not in self.contested:
            raise UnknownOption(option, self.dialect, self.contested)
        entry = self.contested[option]
        name = options.get(option, entry.default)
        if isinstance(name, bool):
            name = "on" if name else "off"
        for reading in entry.readings:
            if reading.name == name:
                return reading
        raise UnknownReading(option, str(name), (reading.name for reading in entry.readings))

    def check_readings(self, options: Mapping[str, object]) -> None:
        """Accept the readings that an encounter or a ruling chooses.

        Raises UnknownOption, UnknownReading; UnreadOption where another one than the default has no effect.
        """
        for option in options:
            chosen, entry = self.reading(option, options), self.contested[option]
            if entry.awaits and chosen.name != entry.default:
                raise UnreadOption(option, self.dialect, entry.awaits)

    def check_changes(self, options: Mapping[str, str]) -> None:
        """Accept the changed figures under these readings. Raises UnreadFigure for a rule not in force."""
        redirected = self.precedence.redirected(options) if self.changes else {}
        for address in self.changes:
            if (rule := address.partition("/")[0]) in redirected:
                raise UnreadFigure(address, redirected[rule])

    def known_readings(self, options: Mapping[str, str]) -> dict[str, str]:
        """Return those readings that an encounter may choose here, of ones chosen under another rulebook."""
        found = {}
        for option, reading in options.items():
            with suppress(UnknownOption, UnknownReading, UnreadOption):
                self.check_readings({option: reading})
                found[option] = reading
        return found

    def _change(self, address: str, value: object) -> None:
        name, _, path = address.partition("/")
        rule = self[name]
        try:
            figures = replaced(rule.figures, split(path), value)
        except LookupError:
            raise self._no_figure(name, split(path)) from None
        self._rules[name] = msgspec.structs.replace(rule, figures=figures)

    def _no_figure(self, rule: str, path: tuple[str | int, ...]) -> UnknownFigure:
        there = sorted({figure.path for figure in walk(rule, self[rule].figures)})
        shown = there if len(there) <= 8 else [*there[:8], "..."]
        return UnknownFigure(rule, "/".join(map(str, path)), shown)


def address_of(topic: str, path: tuple[str | int, ...]) -> str:
    """Return the address of a figure under a topic: "topic/path"."""
    return "/".join((topic, *(escape(key) for key in path)))


@cache
def _installed(dialect: str, edition: str) -> Book:
    try:
        rows = {rule: table.row for rule, table in read_tables(dialect).items()}
        rules = with_rows(read_rules(dialect), rows, "assumed")
        return Book(dialect, rules if dialect in shipped() else (*rules, *_kernel_rules()))
    except (msgspec.MsgspecError, UnicodeError, OSError) as fault:
        if dialect in shipped():
            raise
        raise BadPackage(f"the package of {dialect!r}: its catalogue cannot be read: {fault}") from fault


@cache
def _kernel_rules() -> tuple[Rule, ...]:
    """Return the rules of the kernel, which a dialect of a package has where it has none of its own."""
    text = resources.files("affray.engine").joinpath(KERNEL, "rules.jsonl").read_text(encoding="utf-8")
    return tuple(_RULES.decode_lines(text))


@lru_cache(maxsize=16)
def _campaign(dialect: str, tables: tuple[tuple[str, str], ...], edition: str) -> Book:
    try:
        rows = {rule: _ROWS.decode(text) for rule, text in tables}
    except (msgspec.MsgspecError, UnicodeError) as fault:
        raise BadTable(f"the encounter's tables cannot be read: {fault}") from fault
    for rule in rows:
        if rule not in read_tables(dialect):
            raise BadTable(f"no table of {dialect} belongs to {rule!r}")
    return Book(dialect, with_rows(_installed(dialect, edition), rows, "campaign"))


_ROWS = msgspec.json.Decoder(tuple[JsonObject, ...])
