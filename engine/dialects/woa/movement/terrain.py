"""The ground under a mover: difficult terrain, perilous surfaces, obstacles (woa.terrain.*).

The map's rough ground is difficult terrain, its low walls and barriers are hampering obstacles;
`Encounter.ground` names what covers parts of the map: perilous surfaces by the names of their table, or
examples of difficult terrain.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from affray.engine.dialects.woa.movement.speed import aloft, is_slowed
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.movement.barriers import crossed_by
from affray.engine.rules.movement.unseen import known_occupants
from affray.engine.steps import Refusal
from affray.events.facts.terrain import Barrier
from affray.projections.state import Combatant

ROUGH, LOW, WALL = "~", "=", "#"
#: Ways of going over obstacles and through others by skill: at the full speed, or over the top.
FAST, OVER = "fast", "vault"


def is_spared(mover: Combatant) -> bool:
    """Say whether difficult terrain does not slow somebody (woa.terrain.difficult.exempt)."""
    return aloft(mover) or is_a(mover, INCORPOREAL) or is_a(mover, "gaseous")


def avoids_obstacles(mover: Combatant) -> bool:
    """Say whether somebody avoids most obstacles (woa.terrain.obstacle.flying-incorporeal)."""
    return aloft(mover) or is_a(mover, INCORPOREAL)


def squares_of_space(at: Square, side: int) -> Iterator[Square]:
    """Yield the squares of a space."""
    yield from ((at[0] + dx, at[1] + dy) for dy in range(side) for dx in range(side))


def coverings_of_space(fight: Fight, at: Square, side: int) -> list[str]:
    """Return the names of what covers a space."""
    if not fight.state.ground:
        return []
    found = []
    for area in fight.state.ground:
        left, right = sorted((area.here[0], area.there[0]))
        top, bottom = sorted((area.here[1], area.there[1]))
        if at[0] <= right and left < at[0] + side and at[1] <= bottom and top < at[1] + side:
            found.append(area.what)
    return found


def surfaces(fight: Fight, at: Square, side: int) -> list[str]:
    """Return the perilous surfaces under a space (woa.terrain.perilous.definition)."""
    named = coverings_of_space(fight, at, side)
    if not named:
        return []
    known = {row["surface"] for row in fight.figure("woa.terrain.perilous.check") if "surface" in row}
    return [name for name in named if name in known]


def difficulties(fight: Fight, at: Square, side: int) -> list[str]:
    """Return the kinds of difficult terrain under a space, each once (woa.terrain.difficult.examples)."""
    found = (
        ["difficult terrain"]
        if any(fight.field.at(one) == ROUGH for one in squares_of_space(at, side))
        else []
    )
    if fight.state.ground:
        known = fight.figure("woa.terrain.difficult.examples")
        found += [name for name in dict.fromkeys(coverings_of_space(fight, at, side)) if name in known]
    return found


def is_rough(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Say whether difficult terrain at a place hampers a mover."""
    return not is_spared(mover) and bool(difficulties(fight, at, mover.space))


def is_barred(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Say whether a square bars a mover's way: to fliers only walls do, to those without a body nothing.

    woa.terrain.obstacle.blocking, woa.terrain.obstacle.flying-incorporeal.
    """
    if is_a(mover, INCORPOREAL):
        return False
    return fight.field.at(at) == WALL if aloft(mover) else not fight.field.passable(at)


def is_obstacle(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Say whether a hampering obstacle at a place is in a mover's way."""
    return not avoids_obstacles(mover) and any(
        fight.field.at(one) == LOW for one in squares_of_space(at, mover.space)
    )


def barriers_in_way(fight: Fight, mover: Combatant, here: Square, there: Square) -> list[Barrier]:
    """Return the hampering obstacles between squares that a step crosses; none those that avoid them."""
    if not fight.state.barriers or avoids_obstacles(mover):
        return []
    return crossed_by(fight, mover, here, there)


def is_fenced(fight: Fight, mover: Combatant, whole: Sequence[Square]) -> bool:
    """Say whether a way, the first square being where the mover stands, crosses such an obstacle."""
    return any(barriers_in_way(fight, mover, here, there) for here, there in pairwise(whole))


def hampers(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Say whether the ground at a place hampers a mover in any way."""
    return is_rough(fight, mover, at) or is_obstacle(fight, mover, at)


def rules_of_ground(fight: Fight, mover: Combatant, whole: Sequence[Square]) -> tuple[str, ...]:
    """Return the rules of the ground that have a part in what a way costs."""
    topics, path = [], whole[1:]
    kinds = [difficulties(fight, at, mover.space) for at in path]
    if any(kinds):
        if is_spared(mover):
            topics.append("woa.terrain.difficult.exempt")
        else:
            topics += ["woa.terrain.default", "woa.terrain.difficult.half-speed"]
            if any(len(one) > 1 for one in kinds) or is_slowed(fight, mover):
                topics.append("woa.terrain.difficult.multiply")
            if any(name != "difficult terrain" for one in kinds for name in one):
                topics.append("woa.terrain.difficult.examples")
    barred = [at for at in path if not fight.field.passable(at, mover.space)]
    low = any(fight.field.at(one) == LOW for at in path for one in squares_of_space(at, mover.space))
    low = low or any(crossed_by(fight, mover, here, there) for here, there in pairwise(whole))
    if avoids_obstacles(mover) and (barred or low):
        topics.append("woa.terrain.obstacle.flying-incorporeal")
    elif low:
        topics += ["woa.terrain.default", "woa.terrain.obstacle.hampering"]
    return fight.rules(*topics)


def refuse_rough(fight: Fight, mover: Combatant, path: Sequence[Square], what: str, topic: str) -> None:
    """Refuse to rush or step (`what`) over ground that hampers."""
    for at in path:
        if is_rough(fight, mover, at) or (what == "step" and is_obstacle(fight, mover, at)):
            where = f"the ground at {at[0]},{at[1]}"
            raise Refusal(f"{where} is too difficult to {what}", fight.rule(topic))
    if what == "step" and is_fenced(fight, mover, (mover.at, *path)):
        reason = f"an obstacle before {path[-1][0]},{path[-1][1]} is in the way of a short step"
        raise Refusal(reason, fight.rule(topic))


def perilous_underfoot(fight: Fight, mover: Combatant, at: Square) -> list[str]:
    """Return the perilous surfaces on which somebody keeps its feet at a place; none for those aloft."""
    return [] if not fight.state.ground or avoids_obstacles(mover) else surfaces(fight, at, mover.space)


#: Ways of a move that lead through opponents: by Acrobatics, slowly or at the full speed, or by their leave.
TUMBLE, TUMBLE_FAST, LEAVE = "tumble", "tumble-fast", "leave"


def paralyzed_on_way(fight: Fight, mover: Combatant, path: Sequence[Square]) -> tuple[int, tuple[str, ...]]:
    """Return how many squares of a way lead over paralyzed creatures, and the rule if there are any.

    They are crossed like any lifeless obstacle, at half speed (woa.condition.paralyzed.obstacle).
    """
    bodies = [one for one in fight.state.combatants.values() if "paralyzed" in one.conditions]
    if not bodies:
        return 0, ()
    count = sum(any(one in bodies for one in known_occupants(fight, mover, at)) for at in path)
    return count, fight.rules("woa.condition.paralyzed.obstacle") if count else ()
