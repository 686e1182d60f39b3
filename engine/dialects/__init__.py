"""The rule dialects by name."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import Any, Final

from affray.engine.book import BadPackage, Book, UnknownDialect, dialects, shipped
from affray.engine.book.catalogue import read_words
from affray.engine.book.packages import edition, entry_point, installed, required
from affray.engine.fight.fight import Chapters, Dialect, NoSheetFields
from affray.engine.record.compose import name_point
from affray.engine.record.house_rules import HouseRules, put_into
from affray.engine.record.kernel import Kernel, OnlyKernel, Untaken
from affray.events.errors import AffrayError
from affray.events.facts.sheet import Package
from affray.events.facts.words import ATTACK_FIELDS, fields_in

_LOADING: Final = RLock()


def load(
    name: str,
    changes: Mapping[str, object] | None = None,
    tables: Mapping[str, str] | None = None,
    packages: Sequence[Package] = (),
) -> Dialect:
    """Return a dialect ready for play, imported on first use.

    `changes` alters figures of its catalogue, `tables` replaces tables (see `Book.load`); `packages` are
    those that a fight was opened with (`packages_for`), its house rules in their order. All give a separate
    dialect. Threads that ask for the same get the same object.
    Raises UnknownDialect, BadTable, MissingPackage, BadPackage.

    >>> from affray.engine import load
    >>> load("woa").title
    'Worlds of Adventure'
    >>> load("srd35").options["soft_cover"]
    'ranged-and-reach'
    """
    with _LOADING:
        if not changes and not tables and not packages and name in shipped():
            return _installed(name)
        return _load_changed(name, changes, tables, packages)


def _load_changed(
    name: str,
    changes: Mapping[str, object] | None,
    tables: Mapping[str, str] | None,
    packages: Sequence[Package],
) -> Dialect:
    required(packages)
    if name not in dialects():
        raise UnknownDialect(name, dialects())
    wanted = (name, edition(name), dict(changes or {}), dict(tables or {}), tuple(packages))
    # Every declaration of a fight asks for the same one, and fights that are compared alternate between a
    # few.
    for known, made in _lately:
        if known == wanted:
            return made
    houses = {one.name: house_rules(one.name, name) for one in packages if one.name != name}
    built = _build(name, book_for(name, tables, packages).changed(changes or {}), houses)
    _lately.appendleft((wanted, built))
    return built


def book_for(name: str, tables: Mapping[str, str] | None = None, packages: Sequence[Package] = ()) -> Book:
    """Return the catalogue of a dialect with these tables and house rules.

    Raises UnknownDialect, BadTable, MissingPackage, BadPackage.
    """
    book = Book.load(name, None, tables)
    for one in packages:
        if one.name != name:
            house = house_rules(one.name, name)
            book = book.with_rules(house.rules).changed(house.figures)
    return book


def packages_for(name: str, house_rules: Iterable[str] = ()) -> tuple[Package, ...]:
    """Return the installed packages that a fight is played with: the dialect's, and those of its house rules.

    Raises MissingPackage, BadPackage.
    """
    own = [name] if name not in shipped() and name in dialects() else []
    return tuple(installed(one) for one in (*own, *house_rules))


def house_rules(name: str, dialect: str) -> HouseRules:
    """Return the house rules of an installed package. Raises MissingPackage, BadPackage."""
    found = _loaded(name)
    if found.dialect != dialect:
        raise BadPackage(f"the house rules {name!r} are for {found.dialect}, not for {dialect}")
    return found


def dialect_of_house_rules(name: str) -> str:
    """Return the dialect that the house rules of an installed package are for.

    Raises MissingPackage, BadPackage.
    """
    return _loaded(name).dialect


def _loaded(name: str) -> HouseRules:
    found = _imported(name, entry_point(name).load)
    if not isinstance(found, HouseRules):
        raise BadPackage(f"the package {name!r} offers no house rules, but a {type(found).__name__}")
    return found


_lately: deque[tuple[object, Dialect]] = deque(maxlen=8)
"""The last dialects that were built with changes, tables or packages, by these."""


@cache
def _installed(name: str) -> Dialect:
    return _build(name, Book.load(name), {})


def _build(name: str, book: Book, houses: Mapping[str, HouseRules]) -> Dialect:
    module = _module(name)
    chapters, kernel = _contents(module, name, houses)
    made = Dialect(
        kernel=kernel,
        name=name,
        title=module.TITLE,
        book=book,
        options={option: entry.default for option, entry in book.contested.items()},
        words=read_words(name),
        sheet_fields=getattr(module, "SHEET_FIELDS", NoSheetFields),
        blocks=getattr(module, "BLOCKS", None),
        difficulty=getattr(module, "DIFFICULTY", None),
        **chapters,
    )
    _check_words(made)
    return made


def _check_words(dialect: Dialect) -> None:
    """Raise BadPackage if a sentence of a dialect names a field that it does not have."""
    words = dialect.recorded_words
    sentences = {act: (said.sentence, ("actor", *said.fields)) for act, said in words.acts.items()}
    sentences["attack"] = words.attack, ATTACK_FIELDS
    for what, (sentence, known) in sentences.items():
        for field in fields_in(sentence):
            if field not in known:
                raise BadPackage(
                    f"the package of {dialect.name!r}: the sentence of {what!r} has no field {field!r}; "
                    f"there are {', '.join(known)}"
                )


def _contents(
    module: ModuleType, name: str, houses: Mapping[str, HouseRules]
) -> tuple[Mapping[str, Any], Kernel]:
    """Return the chapters and the kernel of a dialect, with the stages of these house rules.

    A dialect has either chapters, which also give the kernel, or only a kernel: then each chapter refuses.
    """
    kernel = module.KERNEL if isinstance(getattr(module, "KERNEL", None), Kernel) else None
    record = module.CHAPTERS if kernel is None else OnlyKernel(kernel)
    for house, changed in houses.items():
        record = put_into(record, changed, house)
    for chapter in record.__struct_fields__:
        points = getattr(record, chapter)
        for point in points.__struct_fields__:
            name_point(getattr(points, point), f"{chapter}.{point}")
    if isinstance(record, OnlyKernel):
        return {chapter: Untaken(name, chapter) for chapter in Chapters.__struct_fields__}, record.kernel
    return (
        {chapter: getattr(record, chapter) for chapter in Chapters.__struct_fields__},
        import_module("affray.engine.rules.as_kernel").kernel_of(record),
    )


def _module(name: str) -> ModuleType:
    """Return the module of a dialect. Raises BadPackage for a package without title and contents."""
    if name in shipped():
        return import_module(f"affray.engine.dialects.{name}")
    module: ModuleType = _imported(name, lambda: import_module(entry_point(name).module))
    named = {one: getattr(module, one, None) for one in ("TITLE", "CHAPTERS", "KERNEL")}
    known = isinstance(named["CHAPTERS"], Chapters) or isinstance(named["KERNEL"], Kernel)
    if not isinstance(named["TITLE"], str) or not known:
        raise BadPackage(
            f"the package {name!r} offers no dialect: its module needs TITLE, and KERNEL or CHAPTERS"
        )
    return module


def _imported(name: str, load: Callable[[], Any]) -> Any:
    """Return what a package offers. Raises BadPackage if it cannot be imported."""
    try:
        return load()
    except AffrayError:
        raise
    except Exception as fault:  # any exception that a package raises on import
        raise BadPackage(f"the package {name!r} cannot be loaded: {type(fault).__name__}: {fault}") from fault


__all__ = [
    "Chapters",
    "Dialect",
    "book_for",
    "dialect_of_house_rules",
    "dialects",
    "house_rules",
    "load",
    "packages_for",
]
