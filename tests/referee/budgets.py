"""Budgets: the actions of a turn, and that only those act who can and whose turn it is."""

from collections.abc import Iterator

from tests.referee.book import Body, Book, Fact
from tests.referee.check import Check

ACTIONS = ("standard", "move", "full-round")
SENSELESS = (
    "dead",
    "dying",
    "stable",
    "unconscious",
    "petrified",
    "asleep",
    "stunned",
    "dazed",
    "cowering",
    "inanimate",
)
"""Conditions that leave no action at all."""
SINGLE = {
    "srd35": ("staggered", "disabled", "slowed"),
    "pf1": ("staggered", "disabled"),
    "futurepath": ("staggered", "disabled"),
    "woa": ("staggered", "slowed"),
}
"""Conditions that leave one standard or one move action, and no full round."""
MOVE_MORE = ("hasted", "ki move")
"""Conditions of woa that give one move action on top."""
BOOKED = (
    "has had its turn",
    "attack at the end",
    "keep ready",
    "attack, taking 10",
    "attack, taking 20",
    "fright of the mount",
)
"""What is entered as spent without being done."""


class Budgets(Check):
    """What a turn allows."""

    name = "budgets"

    def after_action_spent(self, book: Book, fact: Fact) -> Iterator[str]:
        """Look at what has been spent of a turn."""
        body, kind, what = book.bodies[fact["who"]], fact["kind"], fact["what"]
        spent = body.spent
        if any(spent.get(name, 0) < 0 for name in (*ACTIONS, "swift", "step")):
            yield f"{body.id} has spent less than nothing: {spent}"
        if kind == "readied":
            if not any(one["type"] == "ready.ended" and one["who"] == body.id for one in book.told):
                yield f"{body.id} takes a readied act that was not triggered"
            return
        if fact["amount"] <= 0 or what in BOOKED:
            return
        for name in ("step", *(() if book.dialect == "woa" else ("swift",))):
            if kind == name and spent[name] > 1:
                yield f"{body.id} has spent {spent[name]} of {name}"
        if kind in ACTIONS:
            yield from whole_turn(body, what)
            yield from may_act(book, body, fact)


def whole_turn(body: Body, what: str) -> Iterator[str]:
    """Object to more than a standard and a move action, two moves, or a full round."""
    standard, move, full = (body.spent.get(name, 0) for name in ACTIONS)
    extra = int(body.has(*MOVE_MORE))
    # After the first of several attacks a move may take the place of the others.
    broken_off = full == 1 and move == 1 and not standard and "attacks" in " ".join(body.spent)
    if standard > 1 or full > 1 or (standard + move + 2 * full > 2 + extra and not broken_off):
        yield f"{body.id} has spent {standard} standard, {move} move, {full} full-round actions ({what})"


def may_act(book: Book, body: Body, fact: Fact) -> Iterator[str]:
    """Object to who acts out of its turn, or in a state that leaves no such action."""
    kind, what, turn = fact["kind"], fact["what"], book.bodies.get(book.active)
    if turn is None:
        if not book.decided:
            yield f"{body.id} spends {kind} ({what}) in nobody's turn"
    elif body.id not in (turn.id, turn.mount, turn.rider) and not what.startswith("stop "):
        yield f"{body.id} spends {kind} ({what}) in the turn of {turn.id}"
    held = [name for name in SENSELESS if name in body.conditions]
    if held:
        yield f"{body.id} is {held[0]} and spends {kind} ({what})"
    single = [name for name in SINGLE[book.dialect] if name in body.conditions]
    whole = book.options.get("surprise_round") == "new-full-budget"
    if book.round == 0 and not whole:
        single.append("in the surprise round")
    if single and (kind == "full-round" or sum(body.spent.get(name, 0) for name in ACTIONS) > 1):
        yield f"{body.id} is {single[0]} and has spent {body.spent} ({what})"
