"""What a person sees of the catalogue: search, cards, comparisons, coverage."""

import pytest

from affray.engine.book import (
    Book,
    UnknownRule,
    card,
    card_text,
    contested,
    coverage,
    dialects,
    diff,
    search,
    topics,
    unknown_citations,
)
from affray.engine.book.rules import Contested, Reading, Rule


def rule(id: str, figures: object = None, *, tier: str = "core", provenance: str = "text") -> Rule:
    return Rule(id, id.upper(), "s", "action", f"text of {id}", tier, provenance, figures)


def test_search_finds_all_words_and_puts_names_first() -> None:
    """Rules with every word in id or title come before those with it in the wording."""
    found = search(Book.load("srd35"), "Soft COVER")
    assert [entry.id for entry in found[:2]] == ["srd35.cover.soft", "srd35.cover.soft-limits"]
    for entry in found:
        assert "soft" in f"{entry.id} {entry.title} {entry.text}".casefold()


def test_search_narrows_by_kind_and_tier() -> None:
    """Kind and tier restrict the list; no criterion lists the whole catalogue."""
    book = Book.load("pf1")
    assert len(search(book)) == len(book)
    assert {entry.tier for entry in search(book, tier="edge")} == {"edge"}
    assert {entry.kind for entry in search(book, kind="condition")} == {"condition"}


def test_a_card_tells_everything_about_a_rule() -> None:
    """The card has id, title, provenance, wording, figures and the readings with the default marked."""
    text = card_text(card(Book.load("srd35"), "srd35.cover.soft"))
    for part in (
        "srd35.cover.soft",
        "Cover: soft",
        "printed in the text",
        "worth +4 AC",
        "ac: 4",
        "-> on: soft cover forbids",
        "off: only cover",
    ):
        assert part in text


@pytest.mark.parametrize("dialect", dialects())
def test_every_rule_has_a_card(dialect: str) -> None:
    """The card of any rule of any dialect can be shown, in lines of bearable width."""
    book = Book.load(dialect)
    for entry in book:
        lines = card_text(card(book, entry.id)).splitlines()
        assert lines[0] == entry.id
        assert lines[1] == entry.title


def test_a_card_names_the_topics_of_its_rule() -> None:
    """Aliases that lead to the rule stand on its card."""
    book = Book("toy", [rule("toy.a")], [], {"rush": "toy.a", "dash": "toy.a"})
    assert card(book, "toy.a").topics == ("dash", "rush")
    assert "topics: dash, rush" in card_text(card(book, "toy.a"))


def test_contested_lists_the_disputes_of_a_dialect() -> None:
    """The list is that of the dialect's file, each with its readings."""
    listed = contested("pf1")
    assert [entry.option for entry in listed] == list(Book.load("pf1").contested)


def test_diff_parts_topics_by_figures_and_provenance() -> None:
    """Topics of both books differ by figures or provenance, the others stand on one side."""
    a = Book("a", [rule("a.x", {"n": 1}), rule("a.y", 2), rule("a.z"), rule("a.only")], [], {})
    b = Book("b", [rule("b.x", {"n": 2}), rule("b.y", 2, provenance="standard"), rule("b.z")], [], {})
    found = diff(a, b)
    assert [(entry.topic, entry.figures, entry.provenance) for entry in found.differing] == [
        ("x", True, False),
        ("y", False, True),
    ]
    assert (found.same, found.only_a, found.only_b) == (("z",), ("only",), ())
    assert diff(b, a).only_b == ("only",)


def test_diff_takes_the_topics_it_is_given() -> None:
    """Given mappings decide which rules are compared; a rule that is not there is an error."""
    a = Book("a", [rule("a.x", 1)], [], {"rush": "a.x"})
    b = Book("b", [rule("b.q", 2)], [], {"rush": "b.q"})
    assert [entry.topic for entry in diff(a, b, a.topics, b.topics).differing] == ["rush"]
    assert topics(a) == {"x": "a.x", "rush": "a.x"}
    with pytest.raises(UnknownRule):
        diff(a, b, {"rush": "a.none"}, b.topics)


def test_a_book_does_not_differ_from_itself() -> None:
    """Comparing a dialect with itself finds nothing."""
    found = diff(Book.load("woa"), Book.load("woa"))
    assert (found.differing, found.only_a, found.only_b) == ((), (), ())
    assert len(found.same) >= len(Book.load("woa"))


def test_coverage_counts_core_and_edge_rules() -> None:
    """Advice is not counted, foreign ids do not matter, and covered plus missing is everything."""
    book = Book("toy", [rule("toy.a"), rule("toy.b", tier="edge"), rule("toy.c", tier="advice")], [], {})
    found = coverage(book, ["toy.b", "toy.c", "srd35.x", "toy.b"])
    assert (found.dialect, found.rules, found.covered, found.missing) == ("toy", 2, ("toy.b",), ("toy.a",))
    assert unknown_citations(book, ["toy.a", "srd35.x", "srd35.x"]) == ("srd35.x",)


def test_contested_entries_are_shared_structs() -> None:
    """A dialect of one's own can bring its disputes as plain values."""
    dispute = Contested("o", "t", "q?", ("toy.a",), (Reading("on", "m"), Reading("off", "n")), "off")
    assert card(Book("toy", [rule("toy.a")], [dispute], {}), "toy.a").contested == (dispute,)
