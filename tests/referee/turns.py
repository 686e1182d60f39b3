"""Turns: rounds one after the other, in each a turn for everybody, in the order of initiative."""

from collections.abc import Iterator

from tests.referee.book import Book, Fact
from tests.referee.check import Check

APART = (" cannot act", " are grappling", " is grappling")
"""Why some have their place in the order by something else than their own initiative."""


def names(told: str) -> list[str]:
    """Return those of whom it is told, as "one, two are grappling"."""
    for end in APART:
        told = told.removesuffix(end)
    return told.split(", ")


class Turns(Check):
    """The order of play."""

    name = "turns"

    def __init__(self) -> None:
        self.had: set[str] = set()
        self.excused: set[str] = set()
        self.midway = False

    def before_round_began(self, book: Book, fact: Fact) -> Iterator[str]:
        """Rounds are counted without gaps."""
        if book.round is not None and fact["number"] != book.round + 1:
            yield f"round {fact['number']} follows round {book.round}"
        self.had, self.excused, self.midway = set(), set(), book.round is None

    def before_round_ended(self, book: Book, fact: Fact) -> Iterator[str]:
        """Everybody who could has had a turn."""
        if fact["number"] != book.round:
            yield f"round {fact['number']} ends in round {book.round}"
        for id in self.waiting(book, book.order):
            yield f"{id} has had no turn in round {book.round}"

    def before_turn_delayed(self, book: Book, fact: Fact) -> Iterator[str]:
        """A turn that is put off comes later."""
        self.had.discard(fact["who"])
        yield from ()

    def before_turn_began(self, book: Book, fact: Fact) -> Iterator[str]:
        """Nobody has two turns, or one while another's runs, or one ahead of those who come first."""
        who = fact["who"]
        if book.active:
            yield f"{who}'s turn begins in that of {book.active}"
        if who in self.had:
            yield f"{who} has a second turn in round {book.round}"
        if who not in book.order:
            yield f"{who} has a turn and no place in the order"
            return
        if fact["number"] != book.turn + 1:
            yield f"turn {fact['number']} follows turn {book.turn}"
        if book.bodies[who].has("dead"):
            yield f"{who} is dead and has a turn"
        earlier = book.order[: book.order.index(who)]
        if self.midway:
            self.excused |= set(earlier)  # play begins in the middle of a round
        self.midway = False
        for id in self.waiting(book, earlier):
            yield f"{who} has a turn ahead of {id}"
        self.had.add(who)

    def before_turn_ended(self, book: Book, fact: Fact) -> Iterator[str]:
        """Only a turn that runs ends."""
        if fact["who"] != book.active:
            yield f"{fact['who']}'s turn ends in that of {book.active or 'nobody'}"

    def before_order_set(self, book: Book, fact: Fact) -> Iterator[str]:
        """The order lists each once, the higher initiative first, those who cannot act last."""
        order = fact["order"]
        if len(set(order)) != len(order):
            yield f"the order {order} lists one twice"
        whys = [one["why"] for one in (*book.told, fact) if one["type"] == "order.set"]
        out = [id for why in whys for told in why.split("; ") if told.endswith(APART) for id in names(told)]
        ranks = [book.bodies[id].initiative for id in order if id not in out]
        known = [rank for rank in ranks if rank is not None]
        if known != sorted(known, reverse=True):
            yield f"the order {order} goes by {ranks}"

    def before_ready_ended(self, book: Book, fact: Fact) -> Iterator[str]:
        """What was readied is done ahead of the present turn, and the next turn comes there."""
        if fact["how"] == "triggered":
            self.excused.add(fact["who"])
        yield from ()

    def before_condition_lost(self, book: Book, fact: Fact) -> Iterator[str]:
        """Who has grappled in a round of woa had no turn of its own in it, nor who was dead until now."""
        if fact["condition"] == "dead" or (book.dialect == "woa" and fact["condition"] == "grappling"):
            self.excused.add(fact["who"])
        yield from ()

    def before_mounted(self, book: Book, fact: Fact) -> Iterator[str]:
        """A mount acts in its rider's turn."""
        self.excused.add(fact["mount"])
        yield from ()

    before_dismounted = before_mounted

    def before_combatant_entered(self, book: Book, fact: Fact) -> Iterator[str]:
        """Who comes late has its first turn when the order comes to it."""
        if book.round is not None:
            self.excused.add(fact["id"])
        yield from ()

    def before_initiative_changed(self, book: Book, fact: Fact) -> Iterator[str]:
        """A changed order lists the same combatants."""
        if sorted(fact["order"]) != sorted({*book.order, fact["who"]}):
            yield f"the order becomes {fact['order']} from {book.order}"

    def waiting(self, book: Book, ids: list[str]) -> Iterator[str]:
        """Yield those who should have had a turn and have not."""
        for id in ids:
            body = book.bodies[id]
            unaware = book.round == 0 and id in book.surprised
            knot = book.dialect == "woa" and body.has("grappling")
            away = body.has("dead") or body.rider or body.delaying or unaware or knot
            if not away and id not in self.had | self.excused:
                yield id
