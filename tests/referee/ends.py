"""Ends: what lasts until a moment is over at that moment, neither later nor earlier."""

from collections.abc import Iterator

from tests.referee.book import Body, Book, Fact, Held
from tests.referee.check import Check

OVER = "its time is over"


class Ends(Check):
    """Durations of conditions and effects, each to its round and turn."""

    name = "ends"

    def __init__(self) -> None:
        self.rested = False

    def before_declared(self, book: Book, fact: Fact) -> Iterator[str]:
        """Begin another declaration."""
        self.rested = False
        yield from ()

    def before_time_passed(self, book: Book, fact: Fact) -> Iterator[str]:
        """Note that time passes, over which durations run out whatever the round."""
        self.rested = True
        yield from ()

    def holding(self, book: Book) -> Iterator[tuple[Body, Held]]:
        """Yield all conditions and effects that hold."""
        for body in book.bodies.values():
            for held in (*body.conditions.values(), *body.effects.values()):
                yield body, held

    def before_turn_began(self, book: Book, fact: Fact) -> Iterator[str]:
        """Object to what should have ended as this turn comes."""
        yield from self.late(book, "turn-start", fact["who"])
        yield from self.past_count(book, book.bodies[fact["who"]].initiative)

    def before_turn_ended(self, book: Book, fact: Fact) -> Iterator[str]:
        """Object to what should have ended with this turn."""
        if fact["skipped"] != "delays":
            yield from self.late(book, "turn-end", fact["who"])

    def before_round_began(self, book: Book, fact: Fact) -> Iterator[str]:
        """Object to what should have ended with the round before."""
        for body, held in self.holding(book):
            until = held.until
            if until["when"] == "round-end" and until["round"] < fact["number"]:
                yield f"{body.id}'s {held.name} outlasts round {until['round']}"

    def late(self, book: Book, when: str, who: str) -> Iterator[str]:
        """Object to what lasts until this moment and still holds."""
        for body, held in self.holding(book):
            until = held.until
            due = until["when"] == when and until["who"] == who and until["round"] <= (book.round or 0)
            if due and "count" not in until:
                yield f"{body.id}'s {held.told} outlasts the {when} of {who} in round {until['round']}"

    def past_count(self, book: Book, count: int | None) -> Iterator[str]:
        """Object to what lasts until a count that has come with this one, and still holds."""
        now = book.round or 0
        for body, held in self.holding(book):
            until = held.until
            if "count" not in until or count is None:
                continue
            if until["round"] < now or (until["round"] == now and count <= until["count"]):
                yield f"{body.id}'s {held.told} outlasts count {until['count']} of round {until['round']}"

    def before_condition_lost(self, book: Book, fact: Fact) -> Iterator[str]:
        """Look at a condition that ends."""
        held = book.bodies[fact["who"]].conditions.get(fact["condition"])
        if held is not None and fact["why"] == OVER:
            yield from self.early(book, fact["who"], held)

    def before_effect_ended(self, book: Book, fact: Fact) -> Iterator[str]:
        """Look at an effect that ends."""
        held = book.bodies[fact["who"]].effects.get(fact["id"])
        if held is not None and fact["why"] == OVER:
            yield from self.early(book, fact["who"], held)

    def early(self, book: Book, id: str, held: Held) -> Iterator[str]:
        """Object to what is over by its time before that time."""
        until = held.until
        if not until["when"]:
            yield f"{id}'s {held.told} has no time to be over"
        elif (book.round or 0) < until["round"] and not self.rested:
            yield f"{id}'s {held.told} ends in round {book.round}, not {until['round']}"

    def settled(self, book: Book) -> Iterator[str]:
        """Object to what needs the concentration of one who can keep none up."""
        for body, held in self.holding(book):
            if held.until["when"] == "concentration":
                by = book.bodies.get(held.until["who"])
                if by is not None and by.has("dead", "dying", "unconscious", "stable"):
                    yield f"{body.id}'s {held.told} rests on {by.id}, who cannot concentrate"
