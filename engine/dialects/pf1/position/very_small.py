"""Creatures of Tiny size and less: they share squares, and enter those of others to strike.

pf1.size.tiny, pf1.pass.size.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.reach import space
from affray.engine.rules.movement.unseen import known_occupants
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import squares_of
from affray.engine.rules.position.squeezing import Form
from affray.engine.steps import Refusal, Steps
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant

TOPIC: Final = "pf1.size.tiny"


def shares_squares(fight: Fight, sheet: Sheet, *given: object) -> bool:
    """Say whether a creature is of a size that shares squares (pf1.size.tiny)."""
    return sheet.size.capitalize() in fight.figure(TOPIC)


def is_very_small(fight: Fight, mover: Combatant, *given: object) -> bool:
    """Say whether a mover is of a size that enters the squares of others (pf1.pass.size)."""
    return shares_squares(fight, mover.sheet)


def refuse_full(fight: Fight, sheet: Sheet, others: Iterable[Combatant], at: Square) -> None:
    """Refuse a square in which so many very small creatures stand that one more has no room."""
    capacity = fight.figure(TOPIC)
    sizes = [one.size.capitalize() for one in (sheet, *(other.sheet for other in others))]
    if sum(Fraction(1, capacity[size]) for size in sizes if size in capacity) > 1:
        raise Refusal(f"there is no room left at {at[0]},{at[1]} for so small a creature", fight.rule(TOPIC))


def refuse_no_room(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a very small creature what the map forbids, and the end of its way in a square that is full.

    It passes through any that others hold.
    """
    fight.dialect.movement.refuse_ground(fight, mover, here, there, Form(mover.space))
    if last:
        refuse_full(fight, mover.sheet, known_occupants(fight, mover, there), there)


def refuse_held_full(
    fight: Fight,
    mover: Combatant,
    at: Square,
    others: Iterable[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a very small creature nothing but to end where others fill the square, known to it or not."""
    if last:
        refuse_full(fight, mover.sheet, occupants(fight, mover, at), at)


def refuse_to_share(fight: Fight, sheet: Sheet, at: Square, side: int) -> None:
    """Refuse to bring a very small creature in where too many stand already."""
    taken = set(space(at, side))
    others = [one for one in fight.state.combatants.values() if taken.intersection(squares_of(one))]
    refuse_full(fight, sheet, others, at)


def has_room(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Say whether a very small creature finds room in a square, whoever else stands there."""
    try:
        refuse_full(fight, mover.sheet, occupants(fight, mover, at), at)
    except Refusal:
        return False
    return True


def enters_held_square(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether a very small mover enters a square that others hold."""
    return is_very_small(fight, mover) and bool(occupants(fight, mover, there))


def provoke_by_entering(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[None]:
    """Let enemies strike at a very small creature that enters a held square.

    It is part of its movement, which gives each of them one opportunity. A 5-foot step gives none, or where
    `step_into_opponent` has it so, to those whose square it enters (pf1.pass.size, pf1.size.tiny,
    pf1.aoo.movement-counts-once, pf1.five-foot-step).
    """
    if not enters_held_square(fight, mover, here, there, how):
        return
    enemies = [enemy for enemy in fight.enemies(mover) if threatens(fight, enemy, mover)]
    if how == "step":
        entered = occupants(fight, mover, there)
        provoking = fight.option("step_into_opponent") == "provokes"
        enemies = [enemy for enemy in enemies if provoking and enemy in entered]
    yield from fight.dialect.opportunity.provoke(
        fight,
        mover,
        enemies,
        "enters an occupied square",
        fight.dialect.opportunity.opportunity_name(fight, mover),
        *fight.rules("pf1.pass.size", TOPIC),
    )
