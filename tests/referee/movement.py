"""Movement: every step to a neighbour, every second diagonal twice, nothing beyond the speed."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from tests.referee.book import FEET, Body, Book, Fact, Square, place
from tests.referee.check import Check

LEAPS = (
    "fiat",
    "leap",
    "to the closest legal place",
    "back to the last legal place",
    "carried",
    "dragged",
    "falls",
    "grapple",
    "into one space",
    "into the grapple",
    "off",
    "out of the grapple",
    "thrown",
)
"""Ways of getting somewhere that need not lead from square to square."""
PLAIN = ("normal", "charge", "run", "withdraw", "step", "double", "defensive")
"""Ways of moving that cost what the ground makes of them."""
BY_STEPS = ("overrun", "bull rush", "thrown back")
"""Ways that are told step by step, each for itself; who is thrown back goes 5 feet, even across a corner."""
LIGHT = ("incorporeal", "flying", "gaseous", "swarm")
"""Whom rough ground does not slow."""
BODILESS = ("incorporeal", "ethereal")
"""Whom no wall between squares stops."""
PACES = {"run": 5, "charge": 2, "withdraw": 2, "double": 2, "double move": 2, "fly": 4}
"""The most times the speed that a way of moving covers; any other covers it once."""
FASTER = {
    "overrun": 2,
    "bull-rush": 2,
    "charge": 2,
    "run": 5,
    "withdraw": 2,
    "ride": 5,
    "trample": 2,
    "flyby": 2,
    "guide": 2,
    "end-turn": 5,
    "plan": 2,
    "turn-undead": 2,
}
"""The same for what is declared, where the way of moving alone does not tell: of fear one flees at a run."""


def through_walls(book: Book, body: Body, way: Sequence[Square]) -> Iterator[str]:
    """Object to a straight step of any square of a body through a wall between squares."""
    for (x, y), (to_x, to_y) in pairwise(way):
        dx, dy = to_x - x, to_y - y
        for across, down in product(range(max(body.space, 1)), repeat=2):
            square = (x + across, y + down)
            if not (dx and dy) and book.walled_off(square, (square[0] + dx, square[1] + dy)):
                yield f"{body.id} goes through a wall beside {square}"


class Movement(Check):
    """Ways by themselves: where they begin, how they go on, what they cost, how far they lead."""

    name = "movement"

    def __init__(self) -> None:
        self.feet: dict[str, int] = {}

    def before_declared(self, book: Book, fact: Fact) -> Iterator[str]:
        """Count the feet of each declaration anew."""
        self.feet = {}
        yield from ()

    def before_moved(self, book: Book, fact: Fact) -> Iterator[str]:
        """Look at one stretch of a way."""
        body, how = book.bodies[fact["who"]], fact["how"]
        way = [place(fact["start"]), *(place(one) for one in fact["path"])]
        if way[0] != body.at:
            yield f"{body.id} sets out from {way[0]} and stands at {body.at}"
        if min(fact["feet"], fact["diagonals"]) < 0:
            yield f"{body.id} goes {fact['feet']} ft. and {fact['diagonals']} diagonals"
        if how in LEAPS:
            return
        for here, there in pairwise(way):
            if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
                yield f"{body.id} gets from {here} to {there} in one step ({how})"
                return
        if book.barriers and not (body.is_a(*BODILESS) or body.has(*BODILESS)):
            yield from through_walls(book, body, way)
        if fact["feet"]:
            yield from costs(book, body, fact, way)
            yield from self.too_far(book, body, fact)

    def too_far(self, book: Book, body: Body, fact: Fact) -> Iterator[str]:
        """Object to more feet in one declaration than its pace allows."""
        how, act = fact["how"], book.act.get("act", "")
        self.feet[body.id] = self.feet.get(body.id, 0) + fact["feet"]
        most = speed(body) * max(PACES.get(how, 1), FASTER.get(act, 1))
        if how == "step":
            most = max(FEET, body.sheet["reach"] or 0, body.space * FEET)  # woa: as far as one's reach
        if act == "bull-rush":
            most += FEET  # who fails goes back where it came from
        if self.feet[body.id] > max(most, FEET):
            yield f"{body.id} goes {self.feet[body.id]} ft. and has {most} ({act}, {how})"


def costs(book: Book, body: Body, fact: Fact, way: Sequence[Square]) -> Iterator[str]:
    """Object to a way that costs less than its squares, or more where nothing hampers it."""
    how, feet, counted = fact["how"], fact["feet"], fact["diagonals"]
    diagonals = sum(here[0] != there[0] and here[1] != there[1] for here, there in pairwise(way))
    plain = how in PLAIN and not hampered(book, body, way)
    if counted > diagonals or (counted < diagonals and plain):
        yield f"{body.id} goes {diagonals} diagonals, not {counted}"
    least = FEET * len(fact["path"]) if how in BY_STEPS else cost(book, body, way, how)
    if feet < least or (plain and feet != least):
        yield f"{body.id} pays {feet} ft. for a way of {least} ({how})"


def speed(body: Body) -> int:
    """Return the most feet that a combatant could go in a move, by its sheet and what helps it."""
    sheet = body.sheet
    named = [sheet[name] or 0 for name in ("speed", "base_speed", "fly", "swim", "climb")]
    traits = [int(word) for trait in sheet["traits"] for word in trait.split() if word.isdigit()]
    printed = max(*named, *(one for one in traits if one % FEET == 0), 0)
    if sheet["race"] or sheet["speed_bonuses"] or "monk" in sheet["classes"]:
        printed = max(printed, 30) + sum(max(0, one["value"]) for one in sheet["speed_bonuses"])
        printed += 10 * ("barbarian" in sheet["classes"]) + 10 * (sheet["classes"].get("monk", 0) // 3)
    return printed + sum(max(0, one.level) for one in body.effects.values() if "speed" in one.stat)


def cost(book: Book, body: Body, way: Sequence[Square], how: str) -> int:
    """Return the least that a way costs: the steps, every second diagonal twice, on rough ground double.

    A short step is one square, whatever diagonals the turn had before it.
    """
    squares, odd = 0, body.spent.get("diagonals", 0) % 2 if how != "step" else 0
    light = body.height() > 0 or body.is_a(*LIGHT) or body.has(*LIGHT)
    for here, there in pairwise(way):
        across = here[0] != there[0] and here[1] != there[1]
        rough = how in PLAIN and not light and any(book.at(square) == "~" for square in body.squares(there))
        if rough and across and book.dialect == "woa":
            squares, odd = squares + 2 * (1 + odd), 1 - odd
        elif rough:
            squares += 3 if across else 2
        else:
            squares += 1 + odd if across else 1
            odd = 1 - odd if across else odd
    return squares * FEET


def hampered(book: Book, body: Body, way: Sequence[Square]) -> bool:
    """Say whether something on a way may make it dearer: ground, obstacles, others, a tight place."""
    if book.ground or book.barriers or body.has("squeezing", "squeezed", "in water"):
        return True
    squares = {square for at in way for square in body.squares(at)}
    return any(book.at(square) in "~=T%" for square in squares) or any(
        other is not body and other.squares() & squares for other in book.bodies.values()
    )
