"""The rule dialects by name."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from affray.engine.book import BadPackage, Book, UnknownDialect, dialects, shipped
from affray.engine.book.packages import entry_point, installed, required
from affray.engine.fight.fight import Chapters, Dialect
from affray.engine.record.house_rules import HouseRules, put_into
from affray.events.errors import AffrayError
from affray.events.facts.package import Package


def load(
    name: str,
    changes: Mapping[str, Any] | None = None,
    tables: Mapping[str, str] | None = None,
    packages: Sequence[Package] = (),
) -> Dialect:
    """Return a dialect ready for play, imported on first use.

    `changes` alters figures of its catalogue, `tables` replaces tables (see `Book.load`); `packages` are
    those that a fight was opened with (`packages_for`), its house rules in their order. All give a separate
    dialect.
    Raises UnknownDialect, BadTable, MissingPackage, BadPackage.
    """
    if not changes and not tables and not packages and name in shipped():
        return _installed(name)
    required(packages)
    if name not in dialects():
        raise UnknownDialect(name, dialects())
    wanted = (name, dict(changes or {}), dict(tables or {}), tuple(packages))
    # Every declaration of a fight asks for the same one.
    if _last.get("wanted") != wanted:
        houses = {one.name: house_rules(one.name, name) for one in packages if one.name != name}
        book = Book.load(name, None, tables)
        for house in houses.values():
            book = book.with_rules(house.rules).changed(house.figures)
        _last.update(wanted=wanted, dialect=_build(name, book.changed(changes or {}), houses))
    made: Dialect = _last["dialect"]
    return made


def packages_for(name: str, house_rules: Iterable[str] = ()) -> tuple[Package, ...]:
    """Return the installed packages that a fight is played with: the dialect's, and those of its house rules.

    Raises MissingPackage, BadPackage.
    """
    own = [name] if name not in shipped() and name in dialects() else []
    return tuple(installed(one) for one in (*own, *house_rules))


def house_rules(name: str, dialect: str) -> HouseRules:
    """Return the house rules of an installed package. Raises MissingPackage, BadPackage."""
    try:
        found = entry_point(name).load()
    except AffrayError:
        raise
    except Exception as fault:  # whatever a package does when it is imported
        raise BadPackage(f"the package {name!r} cannot be loaded: {type(fault).__name__}: {fault}") from fault
    if not isinstance(found, HouseRules):
        raise BadPackage(f"the package {name!r} offers no house rules, but a {type(found).__name__}")
    if found.dialect != dialect:
        raise BadPackage(f"the house rules {name!r} are for {found.dialect}, not for {dialect}")
    return found


_last: dict[str, Any] = {}
"""The last dialect that was built with changes, tables or packages."""


@cache
def _installed(name: str) -> Dialect:
    return _build(name, Book.load(name), {})


def _build(name: str, book: Book, houses: Mapping[str, HouseRules]) -> Dialect:
    module = import_module(
        f"affray.engine.dialects.{name}" if name in shipped() else entry_point(name).module
    )
    chapters: Chapters = module.CHAPTERS
    for house, changed in houses.items():
        chapters = put_into(chapters, changed, house)
    return Dialect(
        name=name,
        title=module.TITLE,
        book=book,
        options={option: entry.default for option, entry in book.contested.items()},
        **{chapter: getattr(chapters, chapter) for chapter in Chapters.__struct_fields__},
    )


__all__ = ["Chapters", "Dialect", "dialects", "house_rules", "load", "packages_for"]
