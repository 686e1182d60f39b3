"""Logs of random fights, written as other tools write them: clean ones without a finding, errors found.

    python tests/campaigns/refereeing.py [--fights 100] [--dialect D] [--seed N] [--json]

The rolls of each fight are written in nine ways (play by post twice, Foundry and Roll20 as text, JSON and
page, Avrae, plain), and its story is told as `affray play` tells it. A clean log must have no finding and no
line that is not read. Then errors of eleven kinds are put into about every tenth entry, and each must be
found on its own lines, nothing anywhere else. Prints a line for each way and kind; the exit status is 1 if a
clean log was accused, a finding stood elsewhere, or fewer than 95 of 100 errors of any kind were found.
"""

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.text.narrate import lines
from affray.events.codec import decode
from affray.events.stores.store import Store
from affray.replay.referee.judge import judge_text
from tests.house.fights import DIALECTS
from tests.refereed.entries import Entry, entries_of
from tests.refereed.planting import planted
from tests.refereed.rendering import FORMATS
from tests.replay.carried import fought

WANTED = 0.95


class Tally:
    """What was written, accused, planted and found; `wrong` says where a clean line was accused."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.planted: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.missed: list[str] = []

    def clean(self, dialect: str, seed: int, name: str, entries: list[Entry]) -> None:
        """Write a clean log and read it."""
        format, write = FORMATS[name]
        text, _ = write(entries)
        judged = judge_text(text, dialect)
        self.counts["logs"] += 1
        self.counts["entries"] += len(entries)
        self.counts["judged"] += judged.judged
        where = f"{dialect} {seed} {name}"
        if judged.format != format:
            self.wrong.append(f"{where}: read as {judged.format}")
        self.wrong += [f"{where}: line {one.line}: {one.message}: {one.quote}" for one in judged.findings]
        self.wrong += [f"{where}: line {one.line} not read: {one.text}" for one in judged.unread]

    def story(self, dialect: str, seed: int, store: Store) -> None:
        """Tell the fight as `affray play` does, and read that."""
        told = "\n".join(lines(decode(event) for event in store.read("main")))
        judged = judge_text(told, dialect, "plain")
        self.counts["stories"] += 1
        self.counts["lines of stories"] += judged.lines
        self.counts["rolls of stories"] += judged.rolls
        self.counts["lines of stories not read"] += len(judged.unread)
        where = f"{dialect} {seed} story"
        self.wrong += [f"{where}: line {one.line}: {one.message}: {one.quote}" for one in judged.findings]
        self.missed += [f"{where}: line {one.line} not read: {one.text}" for one in judged.unread]

    def spoilt(self, dialect: str, seed: int, name: str, entries: list[Entry]) -> None:
        """Plant errors, write the log, read it, and look for each."""
        format, write = FORMATS[name]
        spoilt, errors = planted(entries, random.Random(f"{dialect} {seed} {name}"), name)
        text, places = write(spoilt)
        judged = judge_text(text, dialect, format)
        blamed = {one.line for one in judged.findings}
        allowed: set[int] = set()
        for place, kind in errors:
            first, last = places[place]
            lines = set(range(first, last + 1))
            hit = bool(blamed & lines) or (
                kind in _EXCHANGED and bool(blamed & _exchange(spoilt, places, place))
            )
            for key in (kind, f"in {name}"):
                self.planted[key] += 1
                self.found[key] += hit
            if not hit:
                self.missed.append(
                    f"{dialect} {seed} {name}: {kind}: {' / '.join(text.splitlines()[first - 1 : last])}"
                )
            allowed |= lines | _exchange(spoilt, places, place)
        for one in judged.findings:
            if one.line not in allowed:
                self.wrong.append(
                    f"{dialect} {seed} {name}: planted elsewhere, line {one.line}: {one.message}"
                )

    def failed(self) -> bool:
        """Whether anything is not as it must be."""
        short = [kind for kind, many in self.planted.items() if self.found[kind] < WANTED * many]
        return bool(self.wrong or short)


_EXCHANGED = ("turned", "natural 20", "natural 1", "unconfirmed")
"""Errors that may be told where the attack roll stands, or the one that confirms it."""


def _exchange(entries: list[Entry], places: list[tuple[int, int]], place: int) -> set[int]:
    """Return the lines of the same one's attack roll before an entry and of what confirms one behind it.

    Rolls of others may stand between: an attack of opportunity, a roll by chance.
    """
    found: set[int] = set()
    own = [*range(place - 1, max(-1, place - 9), -1)]
    near = [one for one in own if entries[one].kind == "attack"]
    for other in dict.fromkeys(
        (*near[:1], *[one for one in near if entries[one].who == entries[place].who][:1])
    ):
        found |= set(range(places[other][0], places[other][1] + 1))
    for other in range(place + 1, min(len(entries), place + 9)):
        if entries[other].kind == "confirmation" and entries[other].who == entries[place].who:
            found |= set(range(places[other][0], places[other][1] + 1))
            break
        if entries[other].kind == "attack" and entries[other].who == entries[place].who:
            break
    return found


def run(dialects: tuple[str, ...], seeds: range) -> Tally:
    """Play the fights, write them in every way, and return what was found."""
    tally = Tally()
    for dialect in dialects:
        for seed in seeds:
            store = fought(dialect, seed)
            tally.story(dialect, seed, store)
            entries = entries_of(store, random.Random(f"refereeing {dialect} {seed}"))
            for name in FORMATS:
                tally.clean(dialect, seed, name, entries)
                tally.spoilt(dialect, seed, name, entries)
    return tally


def main() -> int:
    """Run the campaign as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--fights", type=int, default=100)
    parser.add_argument("--dialect", action="append", choices=DIALECTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--missed", type=int, default=20)
    given = parser.parse_args()
    dialects = tuple(given.dialect or DIALECTS)
    tally = run(dialects, range(given.seed, given.seed + given.fights))
    if given.json:
        print(
            json.dumps(
                {"counts": tally.counts, "planted": tally.planted, "found": tally.found, "wrong": tally.wrong}
            )
        )
    else:
        print(", ".join(f"{many} {what}" for what, many in tally.counts.items()))
        for kind, many in sorted(tally.planted.items()):
            print(f"  {kind:<20} {tally.found[kind]:>6} of {many:>6} found")
        print(f"  accused though clean: {len(tally.wrong)}")
        for row in [*tally.wrong[:20], *tally.missed[: given.missed]]:
            print(f"  {row}")
    return int(tally.failed())


if __name__ == "__main__":
    sys.exit(main())
