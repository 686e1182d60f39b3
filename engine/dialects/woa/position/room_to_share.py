"""Room in a space that others hold (woa.crowd.max-same-size, woa.squeezing.no-sharing)."""

from collections.abc import Sequence
from itertools import pairwise

from affray.engine.dialects.woa.position.crowding import OTHER_SIZES, TIGHT
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed, path_cost
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.movement import footing
from affray.engine.steps import Refusal
from affray.projections.state import Combatant


def refuse_full(fight: Fight, combatant: Combatant, there: Sequence[Combatant]) -> tuple[str, ...]:
    """Refuse a space in which there is no room for one more; return the rules by which there is."""
    topic = "woa.crowd.max-same-size"
    equals = [one for one in there if size_step(one) == size_step(combatant) and not is_helpless(fight, one)]
    if len(equals) >= fight.figure(topic, "occupants"):
        names = ", ".join(one.id for one in equals)
        raise Refusal(f"{names} leave no room for {combatant.id}", fight.rule(topic))
    limit = fight.figure("woa.squeezing.no-sharing", "min_smaller_size_categories")
    for one in there:
        if any(name in one.conditions for name in TIGHT) and size_step(one) - size_step(combatant) < limit:
            raise Refusal(
                f"{one.id} squeezes and shares its space with nobody", fight.rule("woa.squeezing.no-sharing")
            )
    other = any(size_step(one) != size_step(combatant) for one in there)
    return fight.rules(topic, *((OTHER_SIZES,) if other else ()))


def steps_along(start: Square, path: Sequence[Square], rule: str) -> list[tuple[Square, Square]]:
    """Return the steps of a path: from where to where. Refuses by `rule` one that is empty or has a gap."""
    if not path:
        raise Refusal("the path is empty", rule)
    steps = list(pairwise((start, *path)))
    for here, there in steps:
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}", rule)
    return steps


def refuse_way(fight: Fight, combatant: Combatant, path: Sequence[Square], feet: int, rule: str) -> None:
    """Refuse a way that the map or an opponent before its end forbids, or that is too long."""
    for here, there in steps_along(combatant.at, path, rule):
        if obstructed(fight.field, here, there, combatant.space):
            place = f"{there[0]},{there[1]}"
            raise Refusal(f"the way to {place} is blocked", fight.rule("woa.terrain.obstacle.blocking"))
        if there != path[-1]:
            footing.refuse_crowded(fight, combatant, there, False)
    cost = path_cost(
        fight.field,
        (combatant.at, *path),
        side=combatant.space,
        parity=combatant.spent.get("diagonals", 0) % 2,
        scaled=True,
    )
    if cost.squares * SQUARE_FT > feet:
        raise Refusal(f"the path costs {cost.squares * SQUARE_FT} ft., {combatant.id} has {feet} ft.", rule)
