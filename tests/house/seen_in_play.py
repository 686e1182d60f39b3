"""Writes engine/dialects/*/seen_in_play.toml, the rolls and questions of declarations in all scenarios.

python tests/house/seen_in_play.py
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.book.packages import shipped
from tests.scenarios.cases import all_cases
from tests.scenarios.plays import heard, played

HEAD = "# Written by tests/house/seen_in_play.py from the play of all scenarios.\n"


def place(dialect: str) -> Path:
    """Return the file of a dialect."""
    return Path(__file__).parents[2] / "engine" / "dialects" / dialect / "seen_in_play.toml"


def text(dialect: str) -> str:
    """Return the content of that file: a table for each declaration that rolled or asked anything."""
    found: dict[str, dict[str, set[str]]] = {}
    for _, case in all_cases():
        if case.dialect == dialect:
            for one in heard(played(case, memory=True)):
                found.setdefault(one.act, {}).setdefault(one.kind, set()).add(one.name)
    tables = (
        "\n".join([f"[{json.dumps(act) if ' ' in act else act}]", *lines(found[act])])
        for act in sorted(found)
    )
    return "\n\n".join([HEAD.strip(), *tables]) + "\n"


def lines(heard: dict[str, set[str]]) -> Iterator[str]:
    """Yield the lines of a declaration's table."""
    for kind in ("rolls", "asks"):
        if kind in heard:
            yield f"{kind} = {json.dumps(sorted(heard[kind]))}"


if __name__ == "__main__":
    for one in shipped():
        place(one).write_text(text(one), encoding="utf-8")
