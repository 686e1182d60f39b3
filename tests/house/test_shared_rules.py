"""Shared rules are reached in play by two dialects; what one alone reaches stands with that one."""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path
from types import FrameType

from affray.engine.chapters import tables_in
from affray.engine.dialects import load
from affray.engine.table.scenario import fixed_seed, packaged, play
from affray.engine.table.scenario_parts import Scenario
from affray.events import MemoryStore
from tests.scenarios.cases import all_cases

RULES = Path(__file__).parents[2] / "engine" / "rules"
TABLES = Path(__file__).parents[1] / "scenarios"

FEW = 60
"""Scenarios of each dialect that are played before those of single chapters."""

WAITING: tuple[str, ...] = ()
"""Modules that only one dialect reaches so far and that the texts of pf1 or futurepath clearly call for."""


ASKED = {"turns/proposals"}
"""Modules that are asked what may be declared, and never run in play."""


def shared() -> set[str]:
    """Return the modules of the shared rules that define something besides a chapter's plain values."""
    files = (
        file for file in RULES.rglob("*.py") if file.name not in ("__init__.py", "plain.py", "as_kernel.py")
    )
    return {file.relative_to(RULES).with_suffix("").as_posix() for file in files} - ASKED


def rounds(dialect: str) -> Iterator[tuple[str, Scenario]]:
    """Yield a dialect's scenarios with their chapters, the first of each table first."""
    chapters = {file.stem: file.parent.name for file in tables_in(TABLES / dialect)}
    tables = defaultdict(list)
    for title, case in all_cases():
        if case.dialect == dialect:
            table = title.partition(":")[0].partition("/")[2]
            tables[table].append((chapters[table], case))
    yield "turns", packaged(f"demo_{dialect}")
    for row in zip_longest(*tables.values()):
        yield from filter(None, row)


def named_in(case: Scenario) -> set[str]:
    """Return the rules that a scenario's table names."""
    wanted = [one for line in case.script for one in line.expect] + list(case.expect)
    return {*case.cites, *(str(rule) for one in wanted for rule in (one.get("rule"), *one.get("cites", ())))}


@cache
def spoken_of(module: str) -> frozenset[str]:
    """Return the rules of any dialect that a module names in full."""
    text = (RULES / f"{module}.py").read_text(encoding="utf-8")
    return frozenset(re.findall(r"(?<![\w.-])[a-z0-9]+(?:\.[a-z0-9-]+)+", text))


def test_shared_rules_are_reached_by_two_dialects() -> None:
    """Each module is met under two dialects: in a few scenarios, in those that name its rules, or in any."""
    met: dict[str, set[str]] = {module: set() for module in shared()}
    modules = {f"affray.engine.rules.{module.replace('/', '.')}": module for module in met}
    playing = ""

    def watch(frame: FrameType, event: str, argument: object) -> None:
        module = modules.get(frame.f_globals.get("__name__", ""))
        if module is not None:
            met[module].add(playing)

    def lacking() -> set[str]:
        return {module for module, by in met.items() if len(by) < 2}

    def unmet() -> set[str]:
        return {module for module in lacking() if playing not in met[module]}

    def tells(case: Scenario) -> bool:
        named = named_in(case)
        return any(not named.isdisjoint(spoken_of(module)) for module in unmet())

    stages: tuple[Callable[[int, str, Scenario], bool], ...] = (
        lambda number, chapter, case: number < FEW,
        lambda number, chapter, case: tells(case),
        lambda number, chapter, case: chapter in {module.partition("/")[0] for module in unmet()},
        lambda number, chapter, case: True,
    )
    for wanted in stages:
        for playing in ("srd35", "pf1", "futurepath", "woa"):
            load(playing)
            for number, (chapter, case) in enumerate(rounds(playing), 1):
                if all(playing in met[module] for module in lacking()):
                    break
                if not wanted(number, chapter, case):
                    continue
                sys.settrace(watch)  # of calls alone: a frame that is not followed tells no lines
                try:
                    play(case, MemoryStore(), seed=fixed_seed(case))
                finally:
                    sys.settrace(None)
    print("waiting for pf1 and futurepath:", ", ".join(WAITING) or "nothing")
    assert sorted(lacking()) == sorted(WAITING)
