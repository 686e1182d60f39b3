"""Movement on foot over squares: what a step may enter, what a path costs, and going along it."""

from collections.abc import Sequence
from itertools import pairwise

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed, path_cost, space
from affray.engine.kernel.actions import spend
from affray.engine.kernel.places import squares_of
from affray.engine.record.chapters import Measure
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import Moved
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant


def occupants(fight: Fight, combatant: Combatant, at: Square) -> list[Combatant]:
    """Return the others that are up in the squares that a combatant would take up at `at`."""
    wanted = set(space(at, combatant.space))
    return [
        one
        for one in fight.state.combatants.values()
        if one.id != combatant.id and not is_down(fight, one) and wanted.intersection(squares_of(one))
    ]


def printed_space(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the space of a sheet in squares and its reach in feet; one square and 5 feet if not printed."""
    feet = SQUARE_FT if sheet.space is None else sheet.space
    return max(1, feet // SQUARE_FT), SQUARE_FT if sheet.reach is None else sheet.reach


def printed_speed(fight: Fight, mover: Combatant) -> int:
    """Return the speed of the sheet; 0 under a condition that forbids movement."""
    return mover.sheet.speed if all(rule_of(fight, name).moves for name in mover.conditions) else 0


def measure(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return the cost of a path whose first square is the mover's own: every second diagonal counts twice."""
    cost = path_cost(fight.field, whole, side=mover.space, parity=mover.spent.get("diagonals", 0) % 2)
    return Measure(cost.squares * SQUARE_FT, cost.diagonals)


def measure_by_squares(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return the cost of a path whose first square is the mover's own: diagonals count as one square."""
    squares = 0
    for there in whole[1:]:
        squares += 1 << fight.field.doublings(there, mover.space)
    return Measure(squares * SQUARE_FT, 0)


def refuse_step(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step that the map forbids, into an enemy, or the last one into a friend."""
    x, y = there
    if obstructed(fight.field, here, there, mover.space):
        raise Refusal(f"the path from {here[0]},{here[1]} to {x},{y} is blocked", fight.rule("movement"))
    for one in fight.dialect.kernel.occupants(fight, mover, there):
        if last or one.side != mover.side:
            raise Refusal(f"{one.id} is in the way at {x},{y}", fight.rule("movement"))


def move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move along a path of at most the speed, with the action that the dialect gives a move."""
    kernel, mover = fight.dialect.kernel, fight.combatant(act.actor)
    rule = fight.rule("movement")
    whole = whole_path(fight, mover, act, rule)
    cost, most = kernel.measure(fight, mover, whole, act.how), kernel.speed(fight, mover)
    if cost.feet > most:
        raise Refusal(f"{mover.id} has {most} ft. left, and the path takes {cost.feet} ft.", rule)
    if kind := kernel.action_type(fight, mover, act):
        yield spend(fight, mover, kind, "move", rule)
    yield from walk(fight, mover, act.path, act.how, rule)


def whole_path(fight: Fight, mover: Combatant, act: acts.Move, rule: str) -> tuple[Square, ...]:
    """Return the squares of a move, its mover's own first. Refuses a step that is forbidden, and no path."""
    if not act.path:
        raise Refusal("a move needs a path", rule)
    whole = (mover.at, *act.path)
    for at, (here, there) in enumerate(pairwise(whole), 2):
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"{there[0]},{there[1]} is not next to {here[0]},{here[1]}", rule)
        fight.dialect.kernel.refuse_step(fight, mover, here, there, at == len(whole), None, act.how)
    return whole


def walk(fight: Fight, mover: Combatant, path: Sequence[Square], how: str, rule: str) -> Steps[bool]:
    """Go along a legal path; return whether its end was reached.

    Before a square is left that enemies may attack from, they react (`kernel.react`). A mover that is moved
    or cannot act after that has stopped there, and so has one that does not go on from a square where
    something happens to it (`kernel.arriving`).
    """
    kernel, here = fight.dialect.kernel, mover.at
    part: list[Square] = []
    for there in path:
        enemies = [
            one for one in kernel.leaving(fight, mover, here, there, how) if kernel.can_react(fight, one)
        ]
        if enemies:
            if part:
                yield _moved(fight, mover, part, how, rule)
                part = []
            goes_on = yield from kernel.react(fight, mover, enemies)
            if goes_on is False or mover.at != here or not kernel.can_act(fight, mover):
                return False
        part.append(there)
        here = there
        events = kernel.arriving(fight, mover, there, how)
        if events is not None:
            yield _moved(fight, mover, part, how, rule)
            part = []
            if not (yield from events):
                return False
    if part:
        yield _moved(fight, mover, part, how, rule)
    return True


def _moved(fight: Fight, mover: Combatant, path: Sequence[Square], how: str, rule: str) -> Moved:
    cost = fight.dialect.kernel.measure(fight, mover, (mover.at, *path), how)
    return Moved(
        who=mover.id,
        start=mover.at,
        path=tuple(path),
        feet=cost.feet,
        diagonals=cost.diagonals,
        how=how,
        cites=(rule, *cost.cites),
    )
