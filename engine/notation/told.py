"""The dice and answers that a line of the notation tells, in the order in which the rules ask for them."""

from collections.abc import Sequence
from typing import NoReturn

from affray.engine.dice import ImpossibleFaces, Notation, Source, rethrow, throw
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.notation.errors import NotationError
from affray.engine.notation.lines import Item, Said
from affray.engine.steps import Choice
from affray.engine.table.policies import Answers

MOST_MOOT = 1000
"""So many moot throws of one line at most: equal rolls may be thrown again for ever."""


class Told:
    """Dice and answers of one line. What it does not tell comes from `dice` and `answers`, if they are given.

    `faces_by` and `answers_by` say who threw and who answered where the line does not.
    """

    def __init__(
        self,
        said: Said,
        dice: Source | None = None,
        answers: Answers | None = None,
        faces_by: str = "imported",
        answers_by: str = "person",
    ) -> None:
        self.said, self._dice, self._answers = said, dice, answers
        self._faces_by, self._answers_by = faces_by, answers_by
        self._items: Sequence[Item] = said.items
        self._at = 0
        self._waited: set[int] = set()
        self.goes_on = False
        """Whether what the fight waits for now comes next on the line."""
        self._line_end = said.items[-1].column if said.items else said.column

    @property
    def waits(self) -> bool:
        """Whether the fight waited for any of it."""
        return any(one.wait for one in self._items)

    def again(self) -> None:
        """Begin from the first once more; what the fight has waited for is there now."""
        self._at, self.goes_on = 0, False

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the faces that come next. Raises NotationError where they are none of these dice."""
        item, expected = self._next(), f"the faces of {notation} for {key}"
        if item is None or item.kind == "unknown":
            if self._dice is None:
                self._fail(item, f"{expected}; nobody is to throw them")
            found = self._dice.throw(key, notation)
        elif item.kind == "open" or self._waits(item):
            return None
        elif item.kind == "moot":
            if self._at > MOST_MOOT:
                self._fail(item, "fewer moot throws")
            found = throw(notation, lambda sides, count: (sides,) * count), "imported"
        elif item.kind != "faces":
            self._fail(item, expected)
        else:
            try:
                found = rethrow(notation, item.faces), item.by or self._faces_by
            except ImpossibleFaces as error:
                raise NotationError(item.line, item.column, f"{expected}: {error}") from None
        self._at += 1
        return found

    def answer(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the answer that comes next. Raises NotationError where it is none to this question."""
        item = self._next()
        expected = f"one of {', '.join(choice.options[:20])} for {key}"
        if item is None or item.kind == "unknown":
            if self._answers is None:
                self._fail(item, f"{expected}; nobody is to answer")
            found = self._answers(fight, key, choice)
        elif item.kind == "open" or self._waits(item):
            return None
        elif item.kind == "moot":
            found = choice.options[0], "moot"
        elif item.kind != "answer" or item.answer not in choice.options:
            self._fail(item, expected)
        else:
            found = item.answer, self._answers_by if item.by is None else item.by
        self._at += 1
        return found

    def check_empty(self, why: str = "the rules ask for nothing more") -> None:
        """Raise NotationError, saying why, if the rules asked for less than the line tells."""
        if self._at < len(self._items) and self._items[self._at].kind != "open":
            item = self._items[self._at]
            raise NotationError(item.line, item.column, f"the end of the line: {why}")

    def _next(self) -> Item | None:
        return self._items[self._at] if self._at < len(self._items) else None

    def _waits(self, item: Item) -> bool:
        """Say whether the fight is to wait for an item, the first time it is asked for."""
        if not item.wait or self._at in self._waited:
            return False
        self._waited.add(self._at)
        self.goes_on = True
        return True

    def _fail(self, item: Item | None, expected: str) -> NoReturn:
        if item is None:
            raise NotationError(self.said.line, self._line_end, expected, "nothing more on the line")
        found = {
            "faces": " ".join(map(str, item.faces)),
            "answer": f"={item.answer}",
            "unknown": "?",
            "moot": "-",
        }
        raise NotationError(item.line, item.column, expected, found.get(item.kind, item.kind))
