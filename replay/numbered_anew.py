"""Declarations decided again in a log of their own, numbered as its table would have numbered them.

The dice follow from the numbers, so a log must count on without gaps; but a line that was decided again (a
what-if, a ruling) has numbers of its parent and some of its own, and in another rulebook turns may come in
another order. A roll of a declaration that has another number here shows the same faces, which are imported:
the seed would show others for its new key.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from affray.events.facts.declared import REFUSED, Asked, Chosen, Declared, Invalidated, Refused, Ruled
from affray.events.facts.rolled import Rolled
from affray.replay.redecide import Again
from affray.replay.ruling import relevant
from affray.replay.scripts import Script

IMPORTED = "imported"
"""The provenance of faces that were thrown elsewhere."""


class NumberedAnew(Again):
    """A new log being written: `names` has the old numbers with the new ones, `left` what stays behind.

    What was refused is recorded as refused if the rules of the new log refuse it too. If they would allow it
    there is nothing to record: it never happened. Rulings are about `subjects`, by their old numbers.
    """

    subjects: Mapping[str, str] = {}

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.names: dict[str, str] = {}
        self.left: list[str] = []
        self._struck: dict[str, str] = {}

    def play(self, script: Script) -> None:
        """Decide a recorded group again."""
        first, rest = script.facts[0], script.facts[1:]
        if type(first) is not Ruled:
            super().play(script)
        elif relevant(self.fight, rest):
            self._ruled(replace(first, subject=self.subjects.get(first.subject, first.subject)), rest)
            if first.verdict == "void":
                self._struck[first.subject] = first.text

    def _declaration(self, first: Declared, facts: Sequence[Any]) -> None:
        refused = type(facts[-1]) is Refused
        state = self.fight.state
        id = f"{REFUSED}{state.refusals + 1}" if refused else self._id_of_its_own()
        self.names[first.id] = id
        if first.id in self._struck:
            self._voided[id] = self._struck[first.id]
        told = [renamed(fact, first.id, id) for fact in facts]
        super()._declaration(told[0], told)

    def _refused_before(self, first: Declared, then: Refused) -> None:
        super()._refused_before(first, then)
        if self.allowed.pop(first.id, None) is not None:
            # Taken back: nothing but its number has been counted.
            del self.entries[-2:]
            self.seq -= 2
            self.fight.state.refusals -= 1
            self.left.append(next(old for old, new in self.names.items() if new == first.id))
            del self.names[self.left[-1]]

    def _id_of_its_own(self) -> str:
        return f"d{self.fight.state.declarations + 1}"


def renamed(fact: Any, old: str, new: str) -> Any:
    """Return a fact of a declaration as it is where that has another number."""
    if old == new:
        return fact
    if isinstance(fact, Declared | Refused | Invalidated):
        return replace(fact, id=new)
    if isinstance(fact, Ruled):
        return replace(fact, subject=new)
    if isinstance(fact, Rolled | Chosen | Asked):
        fact = replace(fact, key=new + fact.key.removeprefix(old))
    if isinstance(fact, Rolled) and fact.provenance == "seeded":
        return replace(fact, provenance=IMPORTED, algorithm="")
    return fact
