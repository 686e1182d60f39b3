"""Squares: nobody off the map, in a wall, or where another one stands."""

from collections.abc import Iterator
from itertools import combinations

from tests.referee.book import FEET, Body, Book, Fact, Square
from tests.referee.check import Check

SOLID = frozenset("#T ")
"""Walls, pillars and the void."""
AT_MERCY = (
    "dead",
    "dying",
    "stable",
    "unconscious",
    "passed out",
    "helpless",
    "paralyzed",
    "petrified",
    "asleep",
    "bound",
    "pinned",
    "inanimate",
    "immobilized",
    "held immobile",
)
"""Conditions in which one stands in nobody's way."""
KNOTTED = ("grappling", "grabbing", "grabbed", "swallowed", "on its body")
"""Conditions in which one shares the space of those with whom one is so."""
FREE = ("incorporeal", "ethereal", "flying", "stunting", "swarm", "in a chasm")
"""Who may be where nobody else can stand, at least on the way; at the bottom of a chasm."""
CROWDING = ("crowd", "into one space", "into the grapple", "dragged", "drag", "grapple", "carried", "climb")
"""Ways in woa of coming into the space of another of one's size."""
MOST_OF_A_SIZE = 3
"""So many of one size find room in one space in woa."""
TINY = 2


class Squares(Check):
    """The places of combatants: on the map, out of walls, and each its own."""

    name = "squares"

    def __init__(self) -> None:
        self.together: set[frozenset[str]] = set()

    def after_combatant_entered(self, book: Book, fact: Fact) -> Iterator[str]:
        """Look at where somebody comes in."""
        yield from on_ground(book, book.bodies[fact["id"]])

    def after_moved(self, book: Book, fact: Fact) -> Iterator[str]:
        """Look at where somebody has got."""
        yield from on_ground(book, book.bodies[fact["who"]])

    after_dismounted = after_moved

    def settled(self, book: Book) -> Iterator[str]:
        """Object to two who have come to stand in one place and may not.

        Who was there together by a rule may stay when what allowed it is over, until one of them leaves.
        """
        held: dict[Square, list[str]] = {}
        for body in book.bodies.values():
            if not body.mount and not body.has("dead", "ethereal"):
                for square in body.squares():
                    held.setdefault(square, []).append(body.id)
        met = {
            frozenset(pair)
            for ids in held.values()
            if len(ids) > 1
            for pair in combinations(ids, 2)
            if level(book.bodies[pair[0]], book.bodies[pair[1]])
        }
        for pair in sorted(met - self.together, key=sorted):
            one, other = (book.bodies[id] for id in sorted(pair))
            if not (book.voided or may_share(book, one, other)):
                yield f"{one.id} at {one.at} and {other.id} at {other.at} stand in one place"
        self.together = met


def on_ground(book: Book, body: Body) -> Iterator[str]:
    """Object to a place that is none."""
    squares = body.squares()
    if body.mount:
        return
    if not all(0 <= x < len(book.terrain[0]) and 0 <= y < len(book.terrain) for x, y in squares):
        yield f"{body.id} stands beyond the map at {body.at}"
    elif SOLID & {book.at(square) for square in squares} and not (body.is_a(*FREE) or body.has(*FREE)):
        yield f"{body.id} stands in what is solid at {body.at}"


def level(one: Body, other: Body) -> bool:
    """Say whether two take up a height in common."""
    low, high = sorted((one, other), key=Body.height)
    return high.height() // FEET < low.height() // FEET + max(low.space, 1)


def may_share(book: Book, one: Body, other: Body) -> bool:
    """Say whether two may stand in one place."""
    both = (one, other)
    saddled = [book.bodies[body.rider] for body in both if body.rider]
    if any(body.has(*AT_MERCY) for body in both) or all(body.has(*KNOTTED) for body in both):
        return True
    if any(body.has("swallowed") for body in both):
        return True  # in the gut of who is there
    if any(rider.has(*KNOTTED) for rider in saddled) and any(body.has(*KNOTTED) for body in both):
        return True  # who grapples with a rider is in the space of its mount
    if any(body.is_a("swarm") or body.sheet["thing"] for body in both):
        return True
    if book.dialect == "woa":
        return may_share_in_woa(book, one, other)
    # Who is thrown back over another one lies there (srd35: bull rush, overrun).
    return min(one.size, other.size) <= TINY or any(body.has("prone") for body in both)


def may_share_in_woa(book: Book, one: Body, other: Body) -> bool:
    """Say whether two may share a space in woa.

    Of different sizes, within the space of one who is larger, by crowding in (three of a size at most), or
    where an overrun was lost.
    """
    if one.size != other.size:
        return True
    here = one.squares() & other.squares()
    inside = [body for body in book.bodies.values() if not body.mount and body.squares() & here]
    if any(body.size > one.size for body in inside):
        return True
    ids = {one.id, other.id}
    lost = any(
        fact["type"] == "attack.resolved" and fact["result"] == "miss" and fact["attacker"] in ids
        for fact in book.told
    )
    ways = [fact["how"] for fact in book.told if fact["type"] == "moved" and fact["who"] in ids]
    crowd = any(way in CROWDING for way in ways) or ("overrun" in ways and lost)
    same = sum(body.size == one.size and not body.has(*AT_MERCY) for body in inside)
    return crowd and same <= MOST_OF_A_SIZE
