"""Writes what declarations roll and ask, engine/dialects/*/seen_in_play.toml, from the play of all scenarios.

python tests/house/seen_in_play.py
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.book.source import MEANWHILE, shipped
from affray.engine.table.scenario import fixed_seed, play
from affray.engine.vocabulary import listed_as
from affray.events import MemoryStore
from affray.events.codec import decode
from tests.scenarios.test_scenarios import CASES

HEAD = "# Written by tests/house/seen_in_play.py from the play of all scenarios.\n"
KINDS = {"rolled": "rolls", "chosen": "asks"}


def place(dialect: str) -> Path:
    """Return the file of a dialect."""
    return Path(__file__).parents[2] / "engine" / "dialects" / dialect / "seen_in_play.toml"


def text(dialect: str) -> str:
    """Return what that file holds: a table for each declaration that rolled or asked anything."""
    found: dict[str, dict[str, set[str]]] = {}
    for act, kind, name in seen(dialect):
        found.setdefault(act, {}).setdefault(kind, set()).add(name)
    tables = (
        "\n".join([f"[{json.dumps(act) if ' ' in act else act}]", *lines(found[act])])
        for act in sorted(found)
    )
    return "\n\n".join([HEAD.strip(), *tables]) + "\n"


def lines(heard: dict[str, set[str]]) -> Iterator[str]:
    """Yield the lines of a declaration's table."""
    for kind in KINDS.values():
        if kind in heard:
            yield f"{kind} = {json.dumps(sorted(heard[kind]))}"


def seen(dialect: str) -> Iterator[tuple[str, str, str]]:
    """Play a dialect's scenarios and yield each roll and question: where, which of both, its name.

    What is rolled and asked in an attack of opportunity or in a readied act belongs to that.
    """
    for _, case in CASES:
        if case.dialect != dialect:
            continue
        store, act = MemoryStore(), ""
        play(case, store, seed=case.seed or fixed_seed(case), strict=True)
        for event in store.read("main"):
            if event.type == "declared":
                act = str(decode(event).act.__struct_config__.tag)
            elif event.type in KINDS:
                _, scope, name, _ = decode(event).key.split("/")
                within = act
                if "aoo:" in scope or "ready:" in scope:
                    within = MEANWHILE[scope.rfind("ready:") > scope.rfind("aoo:")]
                yield within, KINDS[event.type], listed_as(name)


if __name__ == "__main__":
    for one in shipped():
        place(one).write_text(text(one), encoding="utf-8")
