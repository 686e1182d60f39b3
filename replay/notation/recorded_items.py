"""The items of a line of the notation, as the rules ask for what was recorded."""

from collections.abc import Sequence
from typing import Any

from affray.engine.dice import Notation, rethrow, throw
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.notation.statements import MOST_MOOT
from affray.engine.notation.tokens import quoted, written
from affray.engine.steps import Choice
from affray.events.errors import AffrayError
from affray.events.facts.declared import Asked, Chosen, Invalidated, Refused
from affray.events.facts.rolled import Rolled

MOOT = "-"


class RecordedItems:
    """Dice and answers as they were recorded, which note the items of the line as they are asked for.

    `faces_by` and `answers_by` need not be said.
    """

    waits = goes_on = False

    def again(self) -> None:
        """Nothing is waited for here: the reading of the line does that."""

    def __init__(self, facts: Sequence[Any], faces_by: str, answers_by: str) -> None:
        self.items: list[str] = []
        self._faces = faces_by
        self._answers = answers_by
        self._open = type(facts[-1]) is Asked
        self._asked = {fact.key for fact in facts if type(fact) is Asked}
        self._rolled = {fact.key: fact for fact in facts if type(fact) is Rolled}
        self._chosen = {fact.key: fact for fact in facts if type(fact) is Chosen}

    def throw(self, key: str, notation: Notation) -> Answer | None:
        found = self._rolled.pop(key, None)
        wait = "wait " if key in self._asked else ""
        if found is None and (wait or self._is_over()):
            self.items.append("wait")
            return None
        if found is not None:
            try:
                thrown = rethrow(notation, found.faces)
            except AffrayError:
                found = None
        if found is None:
            return self._moot(throw(notation, lambda sides, count: (sides,) * count))
        by = "" if found.provenance == self._faces else f" ({written(found.provenance)})"
        self.items.append(f"{wait}{' '.join(map(str, found.faces)) or 'none'}{by}")
        return thrown, found.provenance

    def _is_over(self) -> bool:
        """Say whether all was thrown and answered, and the fight waits: perhaps for a link."""
        return self._open and not self._rolled and not self._chosen

    def _moot(self, thrown: Any) -> Answer:
        if len(self.items) >= MOST_MOOT:
            raise AffrayError("the rules ask for ever")
        self.items.append(MOOT)
        return thrown, "imported"

    def answer(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        found = self._chosen.pop(key, None)
        wait = "wait " if key in self._asked else ""
        if found is None and (wait or self._is_over()):
            self.items.append("wait")
            return None
        if found is None or found.answer not in choice.options:
            self._moot(None)
            return choice.options[0], "moot"
        by = "" if found.by == self._answers else f" ({written(found.by)})"
        self.items.append(f"{wait}={written(found.answer)}{by}")
        return found.answer, found.by


def verdict_of(facts: Sequence[Any]) -> str | None:
    """Return in words what became of a declaration that the rules were not asked about, None if they were."""
    last = facts[-1]
    if len(facts) != 2 or not (type(last) is Invalidated or (type(last) is Refused and last.stays)):
        return None
    word = "void" if type(last) is Invalidated else "refused"
    return f"{word} {quoted(last.reason)} {written(last.rule) if last.rule else ''}".rstrip()
