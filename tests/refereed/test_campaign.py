"""The small version of the campaign of logs from elsewhere."""

import random

from tests.campaigns.refereeing import WANTED, Tally
from tests.refereed.entries import entries_of
from tests.refereed.rendering import FORMATS
from tests.replay.carried import fought


def test_clean_logs_have_no_finding_and_planted_errors_are_found() -> None:
    """In every format, and as the story tells it: nothing on clean lines, 95 of 100 errors on theirs."""
    tally = Tally()
    for dialect, seed in (("srd35", 1), ("woa", 5)):
        store = fought(dialect, seed, 20)
        tally.story(dialect, seed, store)
        entries = entries_of(store, random.Random(f"small {dialect}"))[:20]
        for name in FORMATS:
            tally.clean(dialect, seed, name, entries)
            tally.spoilt(dialect, seed, name, entries)
    assert tally.wrong == []
    planted = sum(many for kind, many in tally.planted.items() if not kind.startswith("in "))
    found = sum(many for kind, many in tally.found.items() if not kind.startswith("in "))
    assert planted > 25
    assert found >= WANTED * planted, tally.missed
