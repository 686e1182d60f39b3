"""What the campaigns over scenario tables share: a dialect's scenarios, their logs, a progress bar."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

from affray.engine.table.scenario_parts import Scenario
from affray.engine.testing import check
from affray.events import MemoryStore
from tests.scenarios.cases import all_cases

T = TypeVar("T")


def scenarios_of(dialect: str) -> list[tuple[str, Scenario]]:
    """Return the scenarios of a dialect, each with the name of its file and its own."""
    return [(name, case) for name, case in all_cases() if case.dialect == dialect]


def played(scenario: Scenario) -> MemoryStore:
    """Return the log of a scenario, which must hold what its table says."""
    store = MemoryStore()
    check(scenario, store)
    return store


def counted(items: Sequence[T], what: str) -> Iterator[T]:
    """Yield the items, telling on standard error how many of them have been begun."""
    for number, item in enumerate(items, 1):
        if number % 10 == 0 or number == len(items):
            print(f"\r{number}/{len(items)} {what}", end="", file=sys.stderr, flush=True)
        yield item
    print(file=sys.stderr)
