"""A rule change to apply to logs: readings, figures, packages, another rulebook."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from affray.engine.book import Book, dialects
from affray.engine.book.packages import installed, offered_house_rules, packages_named
from affray.engine.book.rules import split, walk
from affray.engine.dialects import book_for, dialect_of_house_rules, packages_for
from affray.engine.table.scenario_parts import reading_of
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import EncounterOpened
from affray.events.facts.sheet import Package


class BadChange(AffrayError):
    """A change that no rulebook knows, that changes nothing, or that cannot be combined with another."""


class Change(Struct, frozen=True, kw_only=True):
    """The rules to use in place of the recorded ones; an empty change decides the logs as recorded.

    `readings` maps contested options to readings, `figures` addresses (`RULE/PATH`, or `RULE.FIGURE`) to
    values, as text or as they are; `packages` names packages, each by folder, file or installed name. Their
    house rules are added to those of a fight; one that the fight was opened with, house rules or its dialect,
    is used as it is now. `dialect` is another rulebook, which excludes all others.

    >>> from affray.replay import Change
    >>> Change(readings={"soft_cover": "none"}).readings
    {'soft_cover': 'none'}
    """

    readings: Mapping[str, str | bool] = {}
    figures: JsonObject = {}
    packages: tuple[str, ...] = ()
    dialect: str = ""

    def __str__(self) -> str:
        figures = {name: f"{name}={value}" for name, value in self.figures.items()}
        readings = (f"{name}={reading_of(value)}" for name, value in self.readings.items())
        dialect = (f"dialect {self.dialect}",) if self.dialect else ()
        return ", ".join((*dialect, *readings, *figures.values(), *self.packages))

    @property
    def empty(self) -> bool:
        """Whether it changes nothing."""
        return not (self.readings or self.figures or self.packages or self.dialect)


class Rules(Struct, frozen=True):
    """The part of a change that concerns one fight: readings, figures by address, and all its packages.

    `about` are the ids of the rules that are changed, by figure or by reading; `edited` are the names of the
    packages that are used in another version than the recorded one.
    """

    readings: dict[str, str]
    figures: JsonObject
    packages: tuple[Package, ...]
    about: frozenset[str]
    edited: tuple[str, ...] = ()


def check_change(change: Change) -> None:
    """Raise BadChange, UnknownFigure or the like unless each part of a change is known to a rulebook."""
    if change.dialect:
        if change.readings or change.figures or change.packages:
            raise BadChange("another dialect cannot be combined with a reading, figure or package")
        if change.dialect not in dialects():
            raise BadChange(f"no dialect {change.dialect!r}{did_you_mean(change.dialect, dialects())}")
        return
    books = [Book.load(name) for name in dialects()]
    books += [book for name in (*change.packages, *offered_house_rules()) for book in _books_with(name)]
    for option, value in change.readings.items():
        _check_reading(option, reading_of(value), books)
    for said, figure in change.figures.items():
        knowing = [book for book in books if rule_in(book, said)]
        if not knowing:
            _no_rule(said, books)
        for book in knowing:
            value_for(book, address_in(book, said), figure)


def concerned(change: Change, opening: EncounterOpened) -> Rules | None:
    """Return the part of a change that concerns a fight, None if it does not. Raises BadChange,
    MissingPackage.
    """
    own = {one.name: one for one in opening.packages or ()}
    named = {one.name: one for said in change.packages for one in _packages(said, opening.dialect)}
    packages = tuple({**own, **named}.values())
    edited = tuple(name for name, one in own.items() if named.get(name, one) != one)
    book = book_for(opening.dialect, opening.tables, packages)
    readings = {
        option: reading_of(value) for option, value in change.readings.items() if option in book.contested
    }
    readings = book.known_readings(readings)
    addresses = {
        address_in(book, said): value for said, value in change.figures.items() if rule_in(book, said)
    }
    figures = {address: value_for(book, address, value) for address, value in addresses.items()}
    if not (named or readings or figures):
        return None
    about = {address.partition("/")[0] for address in figures}
    about.update(rule for option in readings for rule in book.contested[option].rules)
    return Rules(readings, figures, packages, frozenset(about), edited)


def rule_in(book: Book, said: str) -> str:
    """Return the rule id at the beginning of a figure's address, "" if the book has none."""
    rule, slash, _ = said.partition("/")
    if slash:
        return rule if rule in book else ""
    ends = (at for at in range(len(said), 0, -1) if at == len(said) or said[at] == ".")
    return next((said[:at] for at in ends if said[:at] in book), "")


def address_in(book: Book, said: str) -> str:
    """Return the full address (`RULE/PATH`) in a book. Raises UnknownFigure."""
    rule = rule_in(book, said)
    rest = said[len(rule) + 1 :]
    if said[len(rule) : len(rule) + 1] == "." and rest:
        there = [figure.path for figure in walk(rule, book[rule].figures)]
        rest = next((path for path in there if path.replace("/", ".") == rest), rest.replace(".", "/"))
    book.figure(rule, *split(rest))
    return f"{rule}/{rest}" if rest else rule


def value_for(book: Book, address: str, said: object) -> str | bool | int:
    """Return a value in the type of the figure at an address. Raises BadChange."""
    rule, _, path = address.partition("/")
    before = book.figure(rule, *split(path))
    if isinstance(before, dict | list) or before is None:
        there = [figure.address for figure in walk(rule, before, path)]
        meant = did_you_mean("", there, 3, f"affray rules --id {rule}")
        raise BadChange(f"{address} is not a single figure{meant}")
    try:
        if not isinstance(said, str | type(before)):
            raise TypeError
        value = type(before)(said) if not isinstance(before, bool) else _TRUTH[str(said).casefold()]
    except (ValueError, KeyError, TypeError):
        raise BadChange(f"{address} is {before!r}: {said!r} cannot replace it") from None
    if value == before:
        raise BadChange(f"{address} is {before!r} already: this changes nothing")
    return value


_TRUTH = {"true": True, "false": False, "on": True, "off": False}


def _packages(said: str, dialect: str) -> Iterator[Package]:
    """Yield the packages of a folder, a file or a name that a fight of this dialect can use."""
    for name in packages_named(said):
        if name == dialect:
            yield installed(name)
        elif name in offered_house_rules() and dialect_of_house_rules(name) == dialect:
            yield packages_for(dialect, (name,))[-1]


def _books_with(said: str) -> Iterator[Book]:
    """Yield the catalogues of the rulebooks that packages are for, including their house rules."""
    for dialect in dialects():
        if packages := tuple(_packages(said, dialect)):
            yield book_for(dialect, None, packages)


def _check_reading(option: str, reading: str, books: list[Book]) -> None:
    knowing = [book for book in books if option in book.contested]
    if not knowing:
        known = {name: None for book in books for name in book.contested}
        raise BadChange(f"no rulebook has an option {option!r}{did_you_mean(option, known)}")
    faults = []
    for book in knowing:
        try:
            book.check_readings({option: reading})
        except AffrayError as fault:
            faults.append(fault)
    if len(faults) == len(knowing):
        raise BadChange(str(faults[0])) from faults[0]


def _no_rule(said: str, books: list[Book]) -> None:
    known = [rule.id for book in books for rule in book]
    rule, _, _ = said.partition("/") if "/" in said else said.rpartition(".")
    meant = did_you_mean(rule, known) or did_you_mean(said, known)
    raise BadChange(f"no rulebook has the rule of {said!r} (RULE.FIGURE){meant}")
