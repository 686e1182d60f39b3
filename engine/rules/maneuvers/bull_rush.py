"""Bull rush: into an opponent's space, to push it straight back (srd35.bull-rush.*)."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.rules.conditions.condition_rules import falls_prone
from affray.engine.rules.movement.brink import fall_over, falls_at, is_barred
from affray.engine.rules.movement.displaced import displaced, moved, stepped
from affray.engine.rules.movement.movement import halted, tell_halt
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import anchors_of, in_band
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def straight_on(start: Square, attacker: Combatant, target: Combatant) -> Square:
    """Return the step, (dx, dy), that leads from one space straight on into the other."""
    dx = 2 * (target.at[0] - start[0]) + target.space - attacker.space
    dy = 2 * (target.at[1] - start[1]) + target.space - attacker.space
    return (direction_of(dx, dy), direction_of(dy, dx))


def direction_of(along: int, across: int) -> int:
    """Return -1, 0 or 1: the direction of a distance, 0 when the other one is more than twice as long."""
    return 0 if 2 * abs(along) < abs(across) or not along else along // abs(along)


def is_walled_off(fight: Fight, target: Combatant, there: Square) -> bool:
    """Say whether the ground keeps a target from being pushed to a place next to where it stands."""
    steps = zip(anchors_of(target), anchors_of(target, there), strict=True)
    return any(is_barred(fight, target, *step) for step in steps)


def still_before(
    fight: Fight, attacker: Combatant, target: Combatant, start: Square, into: Square
) -> Steps[bool]:
    """Return whether an interruption has left a bull rush possible: from `start` on into the target's space.

    Why it has not is told (srd35.ready.interrupt, srd35.bull-rush.enter-space,
    futurepath.bull-rush.move-in-provokes).
    """
    if halted(fight, attacker, start):
        yield from tell_halt(fight, attacker, "bull rush")
        return False
    if target not in occupants(fight, attacker, into):
        what = f"the bull rush is lost: {target.id} is not there any more"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules("bull-rush.enter-space"))
        return False
    return True


def would_be_adjacent(at: Square, attacker: Combatant, target: Combatant) -> bool:
    """Say whether a combatant would stand next to the target with its anchor at a square."""
    return in_band(at, attacker.space, target.at, target.space, 0, SQUARE_FT)


def drive_back(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    way: Square,
    feet: int,
    expose: Callable[[Fight, Combatant, Combatant, str], Steps[None]],
) -> Steps[None]:
    """Push the target so many feet, as far as there is room; the attacker goes along beyond the first 5.

    `expose(fight, mover, other, opportunity)` lets others strike at whoever is moved (srd35.bull-rush.push,
    srd35.bull-rush.push-extra, futurepath.bull-rush.success).
    """
    for done in range(0, feet, SQUARE_FT):
        along = done > 0
        cites = fight.rules("bull-rush.push-extra" if along else "bull-rush.push")
        there = (target.at[0] + way[0], target.at[1] + way[1])
        if is_hindered(fight, attacker, target, way) or (
            # A big one that has no room to go along pushes no farther.
            along and is_hindered(fight, target, attacker, way)
        ):
            return
        # What is forced on the target is an opportunity apart from its own movement of the round.
        yield from expose(fight, target, attacker, f"move:{target.id}:{fight.declaration}")
        if along:
            here = attacker.at
            own = fight.dialect.opportunity.opportunity_name(fight, attacker)
            yield from expose(fight, attacker, target, own)
            if halted(fight, attacker, here):
                # Only who goes along pushes beyond the first 5 feet.
                yield from tell_halt(fight, attacker, "bull rush")
                return
        if falls_at(fight, target, target.at, there):
            yield from fall_over(fight, target, there, "bull rush", *cites)
            return
        yield displaced(target, (there,), "bull rush", *cites)
        yield from fight.dialect.grapple.parted(fight, target)
        if along:
            yield stepped(attacker, (attacker.at[0] + way[0], attacker.at[1] + way[1]), "bull rush", *cites)


def is_hindered(fight: Fight, attacker: Combatant, target: Combatant, way: Square) -> bool:
    """Say whether a wall or a combatant besides `attacker` stands where the target would be pushed."""
    there = (target.at[0] + way[0], target.at[1] + way[1])
    in_the_way = [other for other in occupants(fight, target, there) if other is not attacker]
    return is_walled_off(fight, target, there) or bool(in_the_way)


def go_back(fight: Fight, combatant: Combatant, start: Square, feet: int) -> Steps[None]:
    """Go back so many feet to where one came from, and fall prone there if that space is occupied.

    srd35.bull-rush.fail, futurepath.bull-rush.failure.
    """
    cites = fight.rules("bull-rush.fail")
    taken = occupants(fight, combatant, start)
    diagonal = int(start[0] != combatant.at[0] and start[1] != combatant.at[1])
    yield moved(combatant, (start,), feet, "bull rush", *cites, diagonals=diagonal)
    if taken:
        yield from falls_prone(combatant, f"over {taken[0].id}", cites)
