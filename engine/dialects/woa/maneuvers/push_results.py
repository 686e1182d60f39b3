"""Driven back: where a push takes its target, who is in the way, and what it strikes against.

woa.maneuver.push.distance, .follow, .into-obstacle, .into-hazard, .multiple-opponents.
"""

from msgspec import Struct, field

from affray.engine.dialects.woa.maneuvers.maneuver_check import (
    THROUGH,
    attempt_maneuver,
    limit_passed,
    maneuver_blow,
    provoke_by_failure,
)
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.grid.thin_walls import bars_step
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.movement.brink import fall_over, falls_at, is_barred
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.movement.movement import halted, tell_halt
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Choice, Roll, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

ALONG = "pushed"


class Drive(Struct, gc=False):
    """A push under way: the blow behind it, its direction, the feet that it drives in all.

    `bonus` is what going along adds to the margin, `left` the feet that the pusher may go (0: it stays).
    `pushed` are those who are on the move, the nearest first.
    """

    blow: Blow
    way: Square
    feet: int
    bonus: int
    left: int
    pushed: list[Combatant] = field(default_factory=list)


def drive_target(fight: Fight, push: Drive) -> Steps[None]:
    """Drive the target back square by square, until the feet are used up or something stops it."""
    attacker = push.blow.attacker
    push.pushed = [push.blow.target]
    penalties: list[Modifier] = []
    done = gone = 0
    stopped: Combatant | None = None
    while done < push.feet:
        front = push.pushed[-1]
        at = place_of(front, push.way, done - gone)
        if is_blocked_by_ground(fight, front, at, push.way):
            stopped = front
            break
        other = next((one for one in those_ahead(fight, push, front, at)), None)
        there = (at[0] + push.way[0], at[1] + push.way[1])
        if other is None and falls_at(fight, front, at, there):
            yield from move_pushed(fight, push, done - gone)
            gone = done
            yield from fall_over(fight, front, there, ALONG, *fight.rules("woa.maneuver.push.distance"))
            push.pushed.remove(front)
            if not push.pushed:
                break
            continue
        if other is None:
            done += SQUARE_FT
            continue
        if limit_passed(fight, attacker, other, "push") and size_step(other) > size_step(attacker):
            stopped = front
            break
        yield from move_pushed(fight, push, done - gone)
        gone = done
        penalties.append(penalty_of_weight(fight, attacker, front))
        if not (yield from push_too(fight, push, other, penalties)):
            break
    yield from move_pushed(fight, push, done - gone)
    if stopped is not None:
        yield from strike_against(fight, push, stopped)
    if push.left and done:
        yield from go_along(fight, push, min(done, push.left))


def place_of(combatant: Combatant, way: Square, feet: int) -> Square:
    """Return where the target is after it was driven so many feet."""
    steps = feet // SQUARE_FT
    return (combatant.at[0] + way[0] * steps, combatant.at[1] + way[1] * steps)


def those_ahead(fight: Fight, push: Drive, front: Combatant, at: Square) -> list[Combatant]:
    """Return those in whose space the foremost, being at a square, would be after one more step."""
    there = occupants(fight, front, (at[0] + push.way[0], at[1] + push.way[1]))
    already = [*occupants(fight, front, front.at), *push.pushed, push.blow.attacker]
    return [one for one in there if one not in already]


def is_blocked_by_ground(fight: Fight, front: Combatant, at: Square, way: Square) -> bool:
    """Say whether the ground stops the target that is driven one step on from a square."""
    return is_barred(fight, front, at, (at[0] + way[0], at[1] + way[1]))


def move_pushed(fight: Fight, push: Drive, feet: int) -> Steps[None]:
    """Move all who are pushed so many feet, the foremost first; it is no movement of their own."""
    cites = fight.rules("woa.maneuver.push.distance")
    for combatant in reversed(push.pushed if feet else ()):
        path = tuple(place_of(combatant, push.way, far) for far in range(SQUARE_FT, feet + 1, SQUARE_FT))
        yield displaced(combatant, path, ALONG, *cites)


def go_along(fight: Fight, push: Drive, feet: int) -> Steps[None]:
    """Move the pusher after whom it pushes, as far as the ground and its movement allow."""
    attacker = push.blow.attacker
    if halted(fight, attacker, attacker.at):
        yield from tell_halt(fight, attacker, "push")
        return
    path: list[Square] = []
    at = attacker.at
    for _ in range(feet // SQUARE_FT):
        there = (at[0] + push.way[0], at[1] + push.way[1])
        if obstructed(fight.field, at, there, attacker.space) or stands_in_way(fight, push, there):
            break
        path.append(there)
        at = there
    if path:
        yield from fight.dialect.movement.walk(
            fight, attacker, path, "normal", fight.rule("woa.maneuver.push.follow")
        )


def stands_in_way(fight: Fight, push: Drive, there: Square) -> bool:
    """Say whether a combatant stands where the pusher would go that is not in its space already."""
    attacker = push.blow.attacker
    already = occupants(fight, attacker, attacker.at)
    return any(one not in already for one in occupants(fight, attacker, there))


def penalty_of_weight(fight: Fight, combatant: Combatant, before: Combatant) -> Modifier:
    """Return the penalty for who is pushed already, by its size (woa.maneuver.push.multiple-opponents)."""
    steps = size_step(before) - size_step(combatant)
    row = "larger" if steps > 0 else "same" if steps == 0 else "smaller"
    topic = "woa.maneuver.push.multiple-opponents"
    path = (f"preceding_opponent_relative_size={row}", "penalty_each")
    return fight.modifier(topic, *path, kind="penalty", source=f"pushing {before.id} already")


def push_too(fight: Fight, push: Drive, other: Combatant, penalties: list[Modifier]) -> Steps[bool]:
    """Make another check for a combatant in the way; return whether the push goes on.

    The lesser result says how far; a failure stops all and lets that one strike
    (woa.maneuver.push.multiple-opponents, .failure).
    """
    first = push.blow
    blow = maneuver_blow(fight, first.attacker, other, "push", kind=THROUGH)
    blow.attack_extra += [part for part in first.attack_extra if part.kind != "size"] + penalties
    result = yield from attempt_maneuver(
        fight, blow, "woa.maneuver.push.multiple-opponents", "woa.maneuver.push.attack-bonus"
    )
    if result is None:
        return False
    if not result.won:
        yield from provoke_by_failure(fight, blow, "woa.maneuver.push.failure")
        return False
    unit = first.attacker.space * SQUARE_FT
    step = fight.figure("woa.maneuver.push.distance", "margin_step")
    push.feet = min(push.feet, (1 + (result.margin + push.bonus) // step) * unit)
    push.pushed.append(other)
    return True


def strike_against(fight: Fight, push: Drive, front: Combatant) -> Steps[None]:
    """Stop the foremost in front of what it strikes against, and hurt it as by a fall of twice the distance.

    At a brink, and where the map ends, there is nothing to strike against. A dangerous obstruction is the
    game master's to play (woa.maneuver.push.into-obstacle, .into-hazard).
    """
    if open_end := open_ahead(fight, front, push.way):
        cites = fight.rules("woa.maneuver.push.distance")
        yield RuleApplied(who=front.id, what=f"stops at {open_end}", cites=cites)
        return
    hazard, obstacle = fight.rules("woa.maneuver.push.into-hazard", "woa.maneuver.push.into-obstacle")
    question = f"{front.id} is pushed into something: does it strike a plain obstacle?"
    if (yield Choice("", "obstacle", question, ("plain", "dangerous"), hazard)) == "dangerous":
        yield RuleApplied(who=front.id, what="is pushed into a hazard of its own kind", cites=(hazard,))
        return
    feet = push.feet * fight.figure("woa.maneuver.push.into-obstacle", "fall_multiplier")
    most, die = (str(fight.figure("woa.falling.damage", name)).split("d") for name in ("max", "per_10ft"))
    count = min(feet // fight.figure("woa.falling.damage", "per_ft") * int(die[0]), int(most[0]))
    what = f"stops in front of it, as after a fall of {feet} ft."
    yield RuleApplied(who=front.id, what=what, cites=(obstacle,))
    if count:
        rolled = yield Roll(front.id, "collision", f"{count}d{die[1]}")
        cites = (obstacle, fight.rule("woa.falling.damage"))
        harm = Harm(front, rolled.total, "bludgeoning", "the collision", push.blow.attacker, cites=cites)
        yield from fight.dialect.damage.suffer(fight, harm)


def open_ahead(fight: Fight, front: Combatant, way: Square) -> str:
    """Return what ends the way of one more step without being solid: a brink, or the map; "" if neither."""
    field, side = fight.field, front.space
    x, y = place_of(front, way, SQUARE_FT)
    if bars_step(field, front.at, (x, y), side):
        return ""
    squares = [(x + dx, y + dy) for dx in range(side) for dy in range(side)]
    barred = [at for at in squares if not field.passable(at)]
    if not barred or any(at in field.covering for at in barred):
        return ""
    return "the brink" if any(field.holds(at) for at in barred) else "the edge of the map"
