"""Which of two rules takes precedence: a base, its exceptions, and theirs."""

from typing import Any

import pytest

from affray.engine.book import Book, UnreadFigure
from affray.engine.book.rules import BadPrecedence, Exceptional, PrecedenceFile, Tree
from affray.engine.table.table import Table
from affray.events import MemoryStore

READINGS = {"edition": ("new", "old"), "seconds": ("two", "six")}
DEFAULTS = {"edition": "new", "seconds": "two"}
FIGURES: dict[str, Any] = {"base": 1, "new": 2, "newer": 3, "rare": 4, "rarer": 4, "prose": None}


def tree(*exceptions: Exceptional, **otherwise: str) -> Tree:
    """Return a tree with an edition, whose other one brings these readings."""
    return Tree(PrecedenceFile("edition", otherwise, exceptions), DEFAULTS)


NEW = Exceptional("new", "base", "newer text")
RARE = Exceptional("rare", "new", "narrower", {"light": ("dim", "none")})
TIMED = Exceptional("newer", "base", "by a reading", {"seconds": ("two",)})


def test_an_exception_holds_and_gives_way_to_the_edition() -> None:
    """By the default edition the new rule, by the other one the base."""
    assert tree(NEW).in_force("base", {}) == "new"
    assert tree(NEW).in_force("base", {"edition": "old"}) == "base"


def test_an_exception_to_an_exception_asks_for_its_situation() -> None:
    """What is narrower wins while its case is there, and only then."""
    known = tree(NEW, RARE)
    assert known.in_force("base", {}) == "new"
    assert known.in_force("base", {}, {"light": "dim"}) == "rare"
    assert known.in_force("base", {}, {"light": "bright"}) == "new"
    assert known.in_force("base", {"edition": "old"}, {"light": "dim"}) == "base"


def test_a_reading_decides_whatever_the_edition() -> None:
    """The other edition brings its own reading; an encounter that names one has it."""
    known = tree(TIMED, seconds="six")
    assert known.in_force("base", {}) == "newer"
    assert known.in_force("base", {"edition": "old"}) == "base"
    assert known.in_force("base", {"edition": "old", "seconds": "two"}) == "newer"
    assert known.readings({"edition": "old"}) == {"edition": "old", "seconds": "six"}


def test_an_exception_to_a_part_leaves_the_rest_as_it_is() -> None:
    """It wins where its part is asked for, and takes no other's place otherwise."""
    known = tree(Exceptional("rare", "base", "narrower", part="the edge"))
    assert known.in_force("base", {}) == "base"
    assert known.in_force("base", {}, part="the edge") == "rare"
    assert known.in_force("base", {}, part="the middle") == "base"
    assert known.in_force("base", {"edition": "old"}, part="the edge") == "base"
    assert known.redirected({}) == {}


def test_what_is_not_in_force_gives_way() -> None:
    """A rule asked for by its id finds the one in force; what a situation may still bring stays itself."""
    known = tree(NEW, RARE)
    assert known.redirected({}) == {"base": "new"}
    assert known.redirected({"edition": "old"}) == {"new": "base", "rare": "base"}


@pytest.mark.parametrize(
    ("exceptions", "told"),
    [
        ((NEW, Exceptional("newer", "base", "too")), "new and newer could both take precedence over base"),
        ((NEW, Exceptional("prose", "base", "too")), "new and prose could both take precedence over base"),
        ((NEW, Exceptional("rare", "base", "too", {"light": ("dim",)})), "new and rare could both"),
        ((NEW, Exceptional("rare", "base", "too", part="the edge")), "new and rare could both"),
        ((Exceptional("new", "base", "", {"seconds": ("ten",)}),), "'seconds' with the reading 'ten'"),
        ((Exceptional("new", "nowhere", ""),), "the catalogue has no rule 'nowhere'"),
        ((NEW, Exceptional("base", "new", "")), "takes precedence over itself"),
    ],
)
def test_a_tree_that_does_not_say_who_wins_is_refused(exceptions: tuple[Exceptional, ...], told: str) -> None:
    """Two exceptions that could win together and differ; what there is not; a circle."""
    with pytest.raises(BadPrecedence, match=told):
        tree(*exceptions).check(FIGURES, READINGS)


def test_exceptions_that_exclude_each_other_or_say_the_same_are_accepted() -> None:
    """One rule in two cases, one figure in two rules, and two cases that cannot be together."""
    tree(
        Exceptional("rare", "base", "", {"light": ("dim",)}),
        Exceptional("rarer", "base", "", {"light": ("dim",)}),
    ).check(FIGURES, READINGS)
    tree(
        Exceptional("new", "base", "", {"light": ("dim",)}),
        Exceptional("newer", "base", "", {"light": ("none",)}),
    ).check(FIGURES, READINGS)
    tree(
        Exceptional("new", "base", "", part="the edge"), Exceptional("newer", "base", "", part="the middle")
    ).check(FIGURES, READINGS)


def test_a_book_under_readings_finds_the_rule_in_force() -> None:
    """Citation and figure come from the same rule, by whichever of the two ids it is asked."""
    book = Book.load("futurepath")
    for topic in ("futurepath.round.duration", "futurepath.round.duration.legacy"):
        new, old = book.under({}), book.under({"edition": "old-only"})
        assert (new.topic_id(topic), new.topic_figure(topic, "seconds")) == ("futurepath.round.duration", 2)
        assert (old.topic_id(topic), old.topic_figure(topic, "seconds")) == (
            "futurepath.round.duration.legacy",
            6,
        )
        changed = book.changed({"futurepath.round.duration/seconds": 3}).under({})
        assert changed.topic_figure(topic, "seconds") == 3


def test_a_change_of_a_rule_that_is_not_in_force_is_refused() -> None:
    """It would have no effect: told when the encounter opens, which then does not."""
    changes = {"futurepath.round.duration.legacy/seconds": 3}
    with pytest.raises(UnreadFigure, match=r"futurepath\.round\.duration is in force instead"):
        Table.create(MemoryStore(), dialect="futurepath", terrain=["."], changes=changes)
    for options in ({"edition": "old-only"}, {"round_seconds": "six"}):
        Table.create(MemoryStore(), dialect="futurepath", terrain=["."], options=options, changes=changes)


def test_other_dialects_are_one_text() -> None:
    """Nothing takes precedence there, and a book under readings is the book itself."""
    for dialect in ("srd35", "pf1", "woa"):
        book = Book.load(dialect)
        assert book.under({"edition": "old"}) is book
