"""Random logs of every kind written in the notation and read back, to the same events and digests.

    python tests/campaigns/notation.py [--fights 100] [--dialect D] [--seed N] [--json]

Fights from the middle of any scenario with dice by hand, links of players, held declarations and refused
ones; then what-ifs, rulings, disputes, lines taken back, promoted and merged, and everybody carried into the
next fight. Each comes back to its digests, and its text to itself. Then the text is damaged in some place: it
tells a fight, or one line says line, column and what was expected. Prints a line for each dialect with the
share of bytes of the JSON Lines; the exit status is 1 if anything failed.
"""

import io
import random
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.notation.tokens import NotationError
from affray.engine.table.table import Table
from affray.events.errors import AffrayError
from affray.events.exports import export_jsonl
from affray.events.facts import acts
from affray.events.stores.store import Store
from affray.replay import Between, fork, promote, verify
from affray.replay.explain.disputes import dispute, rule
from affray.replay.merging.merge import merge
from tests.campaigns.by_dialect import fight_by_fight
from tests.notation.texts import comes_back, read, text_of
from tests.replay.carried import all_carried, fought
from tests.replay.test_every_line_verifies import WRITERS, played_on, some_fight

PIECES = (
    "",
    "1",
    "-1",
    ";",
    "{",
    "}",
    "[",
    ")",
    '"',
    "\n",
    "goblin",
    ">",
    "é",
    "* ",
    "? ",
    "=",
    "@d9 ",
    "wait ",
)
MOST_SPOILED = 4


def some_log(dice: random.Random, dialect: str, seed: int) -> Store:
    """Return a random log with lines of all kinds."""
    if dice.random() < 0.2:
        _, following, _ = all_carried(fought(dialect, seed), Between())
        following.declare(acts.Begin())
        played_on(dice, following.store, "main")
        store: Store = following.store
    else:
        store = some_fight(dice, dialect, seed).store
    for _ in range(dice.randint(0, 5)):
        line = dice.choice(store.branches()).name
        with suppress(AffrayError, IndexError):
            deed = dice.random()
            if deed < 0.5:
                dice.choice(WRITERS)(dice, store, line)
            elif deed < 0.6:
                dispute(store, dice.randint(1, store.head(line).seq), "Anna", 'no; "never" #1', line)
            elif deed < 0.7:
                rule(store, "uphold", "it stands", by="GM", dispute="Q1")
            elif deed < 0.8:
                fork(store, str(dice.randint(1, store.head(line).seq)), f"aside {seed}", line)
            elif deed < 0.9:
                merge(store, [line, dice.choice(store.branches()).name])
            else:
                promote(store, line, "Anna")
        if dice.random() < 0.3:
            with suppress(AffrayError):
                played_on(dice, store, dice.choice(store.branches()).name)
    if dice.random() < 0.3:
        with suppress(AffrayError):
            Table(store, store.main_line()).declare(acts.Close(reason="enough"))
    return store


def by_hand(text: str) -> str:
    """Return a text without what only an export has: digests, and how the fight was opened."""
    kept = ("[dialect", "[name", "[options", "[sheet", "[answers", "[ground", "[barriers")
    lines = text.split("\n")
    return "\n".join(one for one in lines if one.startswith(kept) or one[:1] not in ("[", "=", "%"))


def spoiled(dice: random.Random, text: str) -> str:
    """Return a text that was damaged in one place or a few."""
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(text))
        if dice.random() < 0.3:  # whole lines: doubled, left out, or brought elsewhere
            lines = text.split("\n")
            line = lines.pop(dice.randrange(len(lines)))
            for _ in range(dice.choice((0, 1, 2))):
                lines.insert(dice.randint(0, len(lines)), line)
            text = "\n".join(lines)
        else:
            text = text[:at] + dice.choice(PIECES) + text[at + dice.choice((0, 0, 1, 1, 5)) :]
    return text


def checked(dialect: str, seed: int, counts: Counter[str]) -> list[str]:
    """Bring one random log out and back, and damage its text. Raises AssertionError."""
    dice = random.Random(f"notation {dialect} {seed}")
    store = some_log(dice, dialect, seed)
    text = comes_back(store)
    out = io.BytesIO()
    export_jsonl(store, out)
    size, whole = len(text.encode()), len(out.getvalue())
    counts["logs"] += 1
    counts["branches"] += len(store.branches())
    counts["lines"] += text.count("\n")
    counts["over a tenth"] += 10 * size > whole
    counts["packed"] += "\n% " in text
    counts["bytes"] += size
    counts["bytes of JSON Lines"] += whole
    for _ in range(MOST_SPOILED):
        damaged = spoiled(dice, by_hand(text) if dice.random() < 0.5 else text)
        try:
            again = read(damaged, roll=dice.random() < 0.5)
        except NotationError as fault:
            counts["refused"] += 1
            check_fault(fault, damaged)
        else:
            counts["read"] += 1
            report = verify(again)
            assert report.ok, [str(one.problem) for one in report.checks if not one.ok]
            assert text_of(read(text_of(again))) == text_of(again)
    return []


def check_fault(fault: NotationError, text: str) -> None:
    """Assert that one line says which line and column of the text, and what was expected there."""
    assert "\n" not in str(fault)
    assert fault.expected
    assert 1 <= fault.line <= text.count("\n") + 2
    assert fault.column >= 1


if __name__ == "__main__":
    sys.exit(fight_by_fight(__doc__, checked))
