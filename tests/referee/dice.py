"""Dice: every face within its die, every total the sum of its faces, no roll twice."""

import re
from collections.abc import Iterator

from tests.referee.book import Book, Fact
from tests.referee.check import Check

TERM = re.compile(r"([+-]?)(?:(\d*)d(\d+|%)([a-z0-9<>=!]*)|(\d+))(?:\[[^\]]*\])?")


class Dice(Check):
    """Rolls by themselves: what they show can be shown by such dice, and adds up."""

    name = "dice"

    def __init__(self) -> None:
        self.keys: set[str] = set()

    def before_rolled(self, book: Book, fact: Fact) -> Iterator[str]:
        """Compare the faces with the notation."""
        key, notation, faces = fact["key"], fact["notation"], fact["faces"]
        if key in self.keys:
            yield f"{key} is rolled twice"
        self.keys.add(key)
        if book.declaration and not key.startswith(f"{book.declaration}/"):
            yield f"{key} is rolled in {book.declaration}"
        terms = list(TERM.finditer(notation.replace(" ", "")))
        dice = [
            (sign, int(count or 1), 100 if sides == "%" else int(sides))
            for sign, count, sides, _, number in (one.groups() for one in terms)
            if not number
        ]
        plain = sum(int(sign + number) for sign, _, _, _, number in (one.groups() for one in terms) if number)
        apart = {*fact["dropped"], *fact["rerolled"]}
        extra = len(fact["rerolled"]) + len(fact["exploded"])
        if len(faces) != sum(count for _, count, _ in dice) + extra:
            yield f"{notation} shows {len(faces)} dice"
            return
        sides = [(sign, size) for sign, count, size in dice for _ in range(count)]
        if extra:
            widest = max(size for _, size in sides)
            wrong = [face for face in faces if not 1 <= face <= widest]
        else:
            wrong = [face for face, (_, size) in zip(faces, sides, strict=True) if not 1 <= face <= size]
        if wrong:
            yield f"{notation} shows {wrong[0]}"
        if not extra:
            total = plain + sum(
                -face if sign == "-" else face
                for number, (face, (sign, _)) in enumerate(zip(faces, sides, strict=True))
                if number not in apart
            )
            if total != fact["total"]:
                yield f"{notation} with {faces} makes {total}, not {fact['total']}"
