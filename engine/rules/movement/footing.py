"""The ground under a step, plainly: what it costs, what forbids it, and what it brings about.

These are the points of dialects that have no more to say about it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed, path_cost
from affray.engine.record.movement import Measure
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.movement.noticed import noticed
from affray.engine.rules.movement.unseen import known_occupants
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Refusal, Steps
from affray.projections.state import Combatant


def measure(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return what it costs to go along squares, the first being where the mover stands."""
    cost = path_cost(fight.field, whole, side=mover.space, parity=mover.spent.get("diagonals", 0) % 2)
    return Measure(cost.squares * SQUARE_FT, cost.diagonals)


def shape(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> dict[str, Any]:
    """Return what of its shape a mover has changed at the end of a way: nothing."""
    return {}


def refuse_blocked(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step that the map forbids (futurepath.assumed.ground, pf1.terrain.obstacle)."""
    if obstructed(fight.field, here, there, mover.space):
        way = f"from {here[0]},{here[1]} to {there[0]},{there[1]}"
        raise Refusal(f"the way {way} is blocked", fight.rule("obstacle.blocking"))


def refuse_occupied(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step into a square that others hold, as far as these are in the way and the mover knows."""
    movement = fight.dialect.movement
    if others := movement.in_way(fight, mover, here, there, last, how):
        movement.refuse_entry(fight, mover, there, noticed(fight, mover, others), last, through, how)


def in_way(
    fight: Fight, mover: Combatant, here: Square, there: Square, last: bool, how: str
) -> list[Combatant]:
    """Return who holds the squares that a step leads into, for movers that never squeeze."""
    return occupants(fight, mover, there)


def refuse_crowded(fight: Fight, mover: Combatant, at: Square, last: bool) -> None:
    """Refuse a square that others hold, as far as the mover knows, as it would be with the mover there."""
    refuse_held(fight, mover, at, known_occupants(fight, mover, at), last, None, "")


def refuse_held(
    fight: Fight,
    mover: Combatant,
    at: Square,
    others: Iterable[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a square that others hold: opponents on the way, anybody at the end.

    Friends, the helpless and those three sizes apart may be passed (srd35.pass.*).

    futurepath.movement.through-enemy-blocked, pf1.pass.end, pf1.pass.opponent.
    """
    for other in others:
        helpless = is_helpless(fight, other)
        if last and not helpless:
            raise Refusal(f"{other.id} stands at {at[0]},{at[1]}", fight.rule("pass.ending-movement"))
        if other is through:
            continue
        if (
            other.side != mover.side
            and not helpless
            and not fight.dialect.movement.may_pass(fight, mover, other)
        ):
            raise Refusal(f"{other.id} bars the way at {at[0]},{at[1]}", fight.rule("pass.opponent-blocked"))


def refuse_rough(fight: Fight, mover: Combatant, path: Sequence[Square], what: str, rule: str) -> None:
    """Refuse to run, charge or take a 5-foot step (`what`) across ground that hampers."""
    for square in path:
        if fight.field.doublings(square, mover.space):
            reasons = {
                "run": "one cannot run across difficult terrain",
                "step": "a 5-foot step cannot go into difficult terrain",
            }
            raise Refusal(reasons.get(what, f"the ground at {square[0]},{square[1]} hinders a {what}"), rule)


def may_stop(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Say whether a mover who is stopped at `at` may stay there."""
    return not occupants(fight, mover, at)


def last_stop(fight: Fight, mover: Combatant, way: Sequence[Square]) -> Square:
    """Return the last place of a way where a mover may stay, the first one if there is none."""
    may_stop = fight.dialect.movement.may_stop
    return next((at for at in reversed(way) if may_stop(fight, mover, at)), way[0])


def step_aside(fight: Fight, mover: Combatant, legal: Square) -> Steps[None]:
    """Put a mover who was stopped in somebody's square back where it last could stand.

    srd35.special-move.illegal-space.
    """
    if mover.at != legal and occupants(fight, mover, mover.at):
        yield displaced(
            mover, (legal,), "back to the last legal place", fight.rule("special-move.illegal-space")
        )
