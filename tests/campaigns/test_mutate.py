"""The figures that the mutation campaign leaves aside: each is there, and has a reason."""

import re
import tomllib
from collections import defaultdict

import pytest

from affray.engine.book import Book, dialects
from tests.campaigns.mutate import REVIEWED, pattern_of, reviewed

TWICE = tomllib.loads(REVIEWED.read_text(encoding="utf-8"))["twice"]


def test_reviewed_figures_are_there() -> None:
    """Every address of unnoticed.toml is one of a figure, and has a reason."""
    known = [figure.address for dialect in dialects() for figure in Book.load(dialect).figures()]
    missing = [
        pattern.pattern
        for pattern, why in reviewed()
        if not why or not any(pattern.fullmatch(address) for address in known)
    ]
    assert missing == []


def numbers(value: object) -> list[str]:
    """Return the numbers of a figure in order, without those of 0 that fill up a row."""
    return [one for one in re.findall(r"\d+(?:\.\d+)?", str(value)) if one != "0"]


@pytest.mark.parametrize("table", TWICE, ids=lambda table: str(table["figures"][0]))
def test_figures_that_are_printed_twice_agree(table: dict[str, list[str]]) -> None:
    """A figure that the engine does not read has the first numbers of the places that it reads instead."""
    book = Book.load(table["figures"][0].partition(".")[0])

    def found(address: str) -> dict[str, list[str]]:
        by_rule: dict[str, list[str]] = defaultdict(list)
        for figure in book.figures():
            if pattern_of(address).fullmatch(figure.address):
                by_rule[figure.rule] += numbers(figure.value)
        return by_rule

    for address in table["figures"]:
        for rule, printed in found(address).items():
            places = [rule + one if one.startswith("/") else one for one in table["read"]]
            read = [number for place in places for several in found(place).values() for number in several]
            assert printed == read[: len(printed)] != [], address


def test_cantrips_grow_as_their_rule_says() -> None:
    """Each cantrip has a die more at each level of srd52.magic.cantrip-scaling, in its own table."""
    book = Book.load("srd52")
    scaling = book.figure("srd52.magic.cantrip-scaling")
    levels = ["1", *map(str, scaling["levels"])]
    rows = [rule.figures for rule in book if rule.id.startswith("srd52.magic.spell-")]
    tables = [row["damage"]["by_level"] for row in rows if "by_level" in (row.get("damage") or {})]
    assert tables
    for table in tables:
        assert list(table) == levels
        assert [int(dice.partition("d")[0]) for dice in table.values()] == scaling["dice"]
