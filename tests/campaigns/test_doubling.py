"""The campaign of doubled inputs in small: a few kinds of each reader, from fewer milliseconds on."""

import sys
import time

import pytest

from tests.campaigns.doubling import grown, measured
from tests.fuzz.growing import MOST_BYTES, READERS_OF_TEXT, Kind, structured

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the campaign counts processor time by a signal"
)

SECONDS, DOUBLINGS = 0.004, 3
CHOSEN = {
    "referee": ("\n", "1d20+5 = 12 ", "1d6+", "attacks A hits B "),
    "referee pbp": (" ", "1d6rr", "rolled 5 using 1d6 "),
    "referee avrae": ("A attacks with a ",),
    "referee roll20": ("<span title='", "<span dropped>", "rolling 1d6\n"),
    "referee foundry": ("[12:30] a  ",),
    "notation": ("# a\n",),
    "notation line": ("word ", "1,1>"),
    "scenario": ("[a]\n", "a."),
    "map": ("[",),
    "outcome": ("(not ", "and "),
    "effect": ("a+",),
}
"""Readers, with pieces of which a text of a hundred kilobytes once took seconds, and of their own words."""


def test_texts_take_time_by_their_size() -> None:
    """Twice the text takes about twice as long, also in signs that are never closed."""
    for reader, pieces in CHOSEN.items():
        read, _ = READERS_OF_TEXT[reader]
        for piece in pieces:
            check(Kind(f"{reader}: {piece!r}", piece.__mul__, read, 64, MOST_BYTES // len(piece)))


def test_files_and_logs_take_time_by_their_size() -> None:
    """Twice the entries, walls, events or rolls take about twice as long."""
    parts = ("map of outlines", "map of portals", "referee of", "export of", "line of", "speech")
    for kind in structured():
        if kind.name.startswith(parts):
            check(kind)


def check(kind: Kind) -> None:
    """Assert that a kind is in proportion, from more seconds on where a busy machine may have misled."""
    found = grown(kind, SECONDS, DOUBLINGS)
    if found.fault:
        found = measured(kind, 5 * SECONDS, DOUBLINGS)
    assert not found.fault, found


def test_a_reader_that_is_too_slow_is_found() -> None:
    """One that goes through everything for each part is named, after few doublings."""

    def slow(text: str) -> object:
        return [text.count("b", at) for at in range(0, len(text), 16)]

    assert grown(Kind("slow", "a".__mul__, slow), SECONDS, DOUBLINGS).fault
    begun = time.process_time()
    assert not grown(Kind("quick", "a".__mul__, lambda text: text.count("b")), SECONDS, DOUBLINGS).fault
    assert time.process_time() - begun < 2
