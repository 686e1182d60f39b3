"""The referee of a fight: it reads the recorded events, keeps its own books, and objects.

It knows of the engine nothing but the JSON that stands in a log.

    for objection in judged(event.data for event in store.read("main")):
        print(objection)
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from tests.referee.book import Book, Fact
from tests.referee.budgets import Budgets
from tests.referee.check import Check, Hook
from tests.referee.conditions import Conditions
from tests.referee.dice import Dice
from tests.referee.ends import Ends
from tests.referee.hit_points import HitPoints
from tests.referee.movement import Movement
from tests.referee.reactions import Reactions
from tests.referee.squares import Squares
from tests.referee.sums import Sums
from tests.referee.supplies import Supplies
from tests.referee.turns import Turns

CHECKS: tuple[type[Check], ...] = (
    Squares,
    Movement,
    Budgets,
    Reactions,
    HitPoints,
    Dice,
    Sums,
    Ends,
    Turns,
    Conditions,
    Supplies,
)


@dataclass(frozen=True, slots=True)
class Objection:
    """What the referee has against an event: its number in the log, which check, and why."""

    seq: int
    check: str
    text: str

    def __str__(self) -> str:
        return f"event {self.seq}: {self.check}: {self.text}"


class Referee:
    """Looks on while a fight is recorded. `seen` counts the events, `objections` gathers what is wrong."""

    def __init__(self) -> None:
        self.book = Book()
        self.checks = [kind() for kind in CHECKS]
        self.seen = 0
        self.objections: list[Objection] = []
        self._hooks: dict[str, tuple[list[tuple[str, Hook]], list[tuple[str, Hook]]]] = {}

    def see(self, data: bytes) -> None:
        """Look at the next event, given as its JSON."""
        fact: Fact = json.loads(data)
        if fact["type"] == "declared":
            self.settle()
        self.seen += 1
        before, after = self._of(fact["type"])
        for name, hook in before:
            self.objections += [Objection(self.seen, name, text) for text in hook(self.book, fact)]
        self.book.write(fact)
        for name, hook in after:
            self.objections += [Objection(self.seen, name, text) for text in hook(self.book, fact)]

    def settle(self) -> None:
        """Look at the books as they stand between two declarations; nothing while a question is open."""
        if not self.book.waits:
            for check in self.checks:
                if self.book.dialect in check.dialects:
                    self.objections += [
                        Objection(self.seen, check.name, text) for text in check.settled(self.book)
                    ]

    def _of(self, type: str) -> tuple[list[tuple[str, Hook]], list[tuple[str, Hook]]]:
        """Return the hooks for events of a type, those before it is entered and those after."""
        if type not in self._hooks:
            found: list[list[tuple[str, Hook]]] = [[], []]
            for hooks, when in zip(found, ("before", "after"), strict=True):
                for check in self.checks:
                    hook = check.hook(when, type)
                    if hook is not None and (not self.book.dialect or self.book.dialect in check.dialects):
                        hooks.append((check.name, hook))
            if not self.book.dialect:  # the first event only; the books are still empty
                return found[0], found[1]
            self._hooks[type] = found[0], found[1]
        return self._hooks[type]


def judged(log: Iterable[bytes]) -> list[Objection]:
    """Return what the referee has against a log, given as the JSON of its events in order."""
    referee = Referee()
    for data in log:
        referee.see(data)
    referee.settle()
    return referee.objections
