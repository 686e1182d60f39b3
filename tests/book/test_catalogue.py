"""Looking rules up, changing figures and choosing readings."""

from pathlib import Path

import msgspec
import pytest

from affray.engine.book import (
    Book,
    Contested,
    Reading,
    Rule,
    UnknownDialect,
    UnknownFigure,
    UnknownOption,
    UnknownReading,
    UnknownRule,
    dialects,
    nudged,
)
from affray.engine.book.catalogue import read_rules
from affray.events.errors import AffrayError
from tests.timing import seconds


def small_book() -> Book:
    rules = [
        Rule(
            "toy.charge",
            "Charge",
            "s",
            "action",
            "Run and hit.",
            "core",
            "text",
            {"bonus": 2, "dice": "2d6+1"},
        ),
        Rule(
            "toy.table",
            "T",
            "s",
            "table",
            "Rows.",
            "edge",
            "text",
            [{"who": "ogre", "a/b": -1}, {"who": "imp"}],
        ),
        Rule("toy.note", "Note", "s", "note", "Be kind.", "advice", "text"),
    ]
    readings = (Reading("on", "yes"), Reading("off", "no"), Reading("half", "some"))
    disputes = [Contested("wall", "Wall", "Does it count?", ("toy.charge",), readings, "on")]
    return Book("toy", rules, disputes, {"rush": "toy.charge"})


def test_a_rule_is_found_by_its_id() -> None:
    """A lookup by id gives the rule with its wording and figures."""
    rule = Book.load("srd35")["srd35.injury.dead"]
    assert rule.id == "srd35.injury.dead"
    assert "-10" in rule.text


def test_an_unknown_rule_names_the_nearest_ids() -> None:
    """A misspelt id is refused with the ids that look most like it."""
    with pytest.raises(UnknownRule, match=r"did you mean srd35\.cover\.soft") as caught:
        Book.load("srd35")["srd35.cover.sofd"]
    assert isinstance(caught.value, AffrayError)
    assert "\n" not in str(caught.value)


def test_an_unknown_dialect_names_those_there_are() -> None:
    """A dialect without a catalogue is refused with the list of catalogues."""
    with pytest.raises(UnknownDialect, match="futurepath, pf1, srd35, srd52, woa"):
        Book.load("gurps")


def test_a_topic_is_an_alias_or_an_id_without_its_dialect() -> None:
    """Topics are resolved through the aliases first, then as the rest of an id."""
    book = small_book()
    assert book.topic("rush").id == "toy.charge"
    assert book.topic("charge").id == "toy.charge"
    assert book.has("rush")
    assert book.has("note")
    assert not book.has("swim")
    with pytest.raises(UnknownRule):
        book.topic("swim")


def test_a_figure_is_read_by_path_index_or_row() -> None:
    """A path leads through keys, indices and rows named by a field."""
    book = small_book()
    assert book.figure("toy.charge", "bonus") == 2
    assert book.figure("toy.table", 0, "a/b") == -1
    assert book.figure("toy.table", "who=ogre", "a/b") == -1
    assert book.figure("toy.charge") == {"bonus": 2, "dice": "2d6+1"}


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("toy.charge", ("malus",)),
        ("toy.charge", ("bonus", "deep")),
        ("toy.table", (7,)),
        ("toy.table", ("who=elf",)),
        ("toy.note", ()),
    ],
)
def test_a_missing_figure_names_rule_and_path(rule: str, path: tuple[str | int, ...]) -> None:
    """A path that leads nowhere is refused with the rule, the path and what there is."""
    with pytest.raises(UnknownFigure, match=f"{rule} has no figure '{'/'.join(map(str, path))}'"):
        small_book().figure(rule, *path)


def test_figures_walks_numbers_and_texts_with_numbers() -> None:
    """Every number is found with an address under which it can be changed."""
    found = {(figure.address, figure.value, figure.kind) for figure in small_book().figures()}
    assert found == {
        ("toy.charge/bonus", 2, "integer"),
        ("toy.charge/dice", "2d6+1", "text"),
        ("toy.table/0/a~1b", -1, "integer"),
    }


@pytest.mark.parametrize("dialect", dialects())
def test_a_changed_figure_changes_nothing_else(dialect: str) -> None:
    """Changing a figure alters exactly that one, for figures all over the catalogue."""
    book = Book.load(dialect)
    before = list(book.figures())
    for number in range(0, len(before), max(1, len(before) // 40)):
        figure = before[number]
        mutant = Book.load(dialect, {figure.address: nudged(figure.value)})
        after = list(mutant.figures())
        assert len(after) == len(before)
        changed = [new for old, new in zip(before, after, strict=True) if old != new]
        assert changed == [figure._replace(value=nudged(figure.value))]
        assert [rule.text for rule in mutant] == [rule.text for rule in book]
    assert list(book.figures()) == before
    assert Book.load(dialect) is book


def test_a_change_reaches_a_row_by_name() -> None:
    """An address may name a row of a table by one of its fields."""
    mutant = small_book().changed({"toy.table/who=ogre/a~1b": -5})
    assert mutant.figure("toy.table", 0, "a/b") == -5
    assert mutant.figure("toy.table", 1) == {"who": "imp"}


@pytest.mark.parametrize("address", ["toy.charge/malus", "toy.note", "toy.table/9/who"])
def test_a_change_of_nothing_is_refused(address: str) -> None:
    """A change that would not alter any figure is an error, so that no mutant is silently the original."""
    with pytest.raises(UnknownFigure):
        small_book().changed({address: 1})


@pytest.mark.parametrize(
    ("value", "other"), [(3, 4), (0.5, 1.5), ("2d6+1", "3d6+1"), ("15 + level", "16 + level")]
)
def test_a_nudged_figure_differs(value: float | str, other: float | str) -> None:
    """A nudge makes a near but different value of the same kind."""
    assert nudged(value) == other


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "on"),
        ({"wall": "half"}, "half"),
        ({"wall": False}, "off"),
        ({"wall": True}, "on"),
        ({"x": 1}, "on"),
    ],
)
def test_a_reading_is_the_chosen_one_or_the_default(options: dict[str, object], name: str) -> None:
    """The encounter's option decides; truth values stand for on and off."""
    assert small_book().reading("wall", options).name == name


def test_unknown_options_and_readings_are_refused() -> None:
    """A misspelt option or reading never falls back to the default."""
    with pytest.raises(UnknownOption, match="wall"):
        small_book().reading("wal", {})
    with pytest.raises(UnknownReading, match="on, off, half"):
        small_book().reading("wall", {"wall": "maybe"})


@pytest.mark.parametrize("dialect", dialects())
def test_a_catalogue_loads_fast(dialect: str) -> None:
    """Reading a catalogue takes milliseconds, not tenths of seconds, the best of five tries."""
    assert seconds(lambda: Book(dialect, read_rules(dialect)), 0.1) < 0.1


def test_data_files_stand_beside_the_dialect_code() -> None:
    """The catalogue of a dialect is in the folder of its package."""
    import affray.engine

    folder = Path(str(affray.engine.__file__)).parent / "dialects"
    for dialect in dialects():
        first = (folder / dialect / "rules.jsonl").read_bytes().splitlines()[0]
        assert msgspec.json.decode(first)["id"] == next(iter(Book.load(dialect))).id
