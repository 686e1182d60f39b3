"""Bull rush: into an opponent's space, to push it straight back (srd35.bull-rush.*, futurepath.bull-rush.*).

Each dialect decides how the attacker gets up to its target, and the cost of that; from there on the steps are
these: `enter_space`, the opposed check, `push_back`.
"""

from collections.abc import Callable

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.places import in_band
from affray.engine.record.chapters import Contest
from affray.engine.rules.conditions.conditions import falls_prone
from affray.engine.rules.maneuvers.opposed_checks import is_walled_off
from affray.engine.rules.movement.movement import (
    displaced,
    fall_over,
    falls_at,
    halted,
    moved,
    report_halt,
    stepped,
)
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.places import occupants
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


class BullRush(Struct, frozen=True, gc=False):
    """A bull rush in progress: the step `way` leads from `start` into the target's space.

    `left` are the feet of movement that remain after that step. `exposes` is the rule by which others may
    attack the combatant that the rush moves; `stray(other)` returns a function that may redirect such a blow
    to the other of the two.
    """

    attacker: Combatant
    target: Combatant
    start: Square
    way: Square
    left: int
    exposes: str
    stray: Callable[[Combatant], Callable[..., Steps[None]]] | None = None

    @property
    def into(self) -> Square:
        """Return the place into which the step leads."""
        return (self.start[0] + self.way[0], self.start[1] + self.way[1])


class PushFigures(Struct, frozen=True, gc=False):
    """How far a push goes: the `least` feet, `extra` ones for each `per` points of margin; and `back`."""

    least: int
    extra: int
    per: int
    back: int = SQUARE_FT


def would_be_adjacent(at: Square, attacker: Combatant, target: Combatant) -> bool:
    """Return whether a combatant would be adjacent to the target with its anchor at a square."""
    return in_band(at, attacker.space, target.at, target.space, 0, SQUARE_FT)


def refuse_no_meeting(fight: Fight, rush: BullRush, rule: str) -> None:
    """Refuse a bull rush at a target whose space is higher or lower than the attacker can enter."""
    if rush.target not in occupants(fight, rush.attacker, rush.into):
        raise Refusal(f"{rush.attacker.id} cannot enter the space of {rush.target.id}", rule)


def enter_space(
    fight: Fight, rush: BullRush, enemies: list[Combatant], reason: str, back: Square, *table: str
) -> Steps[bool]:
    """Move into the target's space, which provokes from these enemies; return whether it was reached.

    A mover that is stopped there goes back to the place `back`. `table` are further rules of what this
    provokes.
    """
    attacker, into, start = rush.attacker, rush.into, rush.attacker.at
    cites = fight.rules("bull-rush.enter-space")
    opportunity = f"bull rush:{fight.declaration}"
    yield from provoke(fight, rush, attacker, rush.target, enemies, reason, opportunity, *cites, *table)
    if not (yield from is_bull_rush_possible(fight, rush, start)):
        return False
    yield stepped(attacker, into, "bull rush", *cites)
    yield from fight.dialect.movement.after_movement(fight, attacker)
    if not (yield from is_bull_rush_possible(fight, rush, into)):
        yield from fight.dialect.movement.step_aside(fight, attacker, back)
        return False
    return True


def provoke(
    fight: Fight,
    rush: BullRush,
    mover: Combatant,
    other: Combatant,
    enemies: list[Combatant],
    reason: str,
    opportunity: str,
    *cites: str,
) -> Steps[None]:
    """Let these enemies attack the one of the two that is moved; blows of third parties may hit the other."""

    def redirect(enemy: Combatant) -> Callable[..., Steps[None]] | None:
        return None if rush.stray is None or enemy is other else rush.stray(other)

    yield from fight.dialect.opportunity.provoke(
        fight, mover, enemies, reason, opportunity, *cites, redirect=redirect
    )


def is_bull_rush_possible(fight: Fight, rush: BullRush, at: Square) -> Steps[bool]:
    """Return whether a bull rush is still possible after an interruption: from `at` on into the target's
    space.

    Report why it is not (srd35.ready.interrupt, srd35.bull-rush.enter-space,
    futurepath.bull-rush.move-in-provokes).
    """
    attacker, target = rush.attacker, rush.target
    if halted(fight, attacker, at):
        yield from report_halt(fight, attacker, "bull rush")
        return False
    if target not in occupants(fight, attacker, rush.into):
        what = f"the bull rush is lost: {target.id} is not there any more"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules("bull-rush.enter-space"))
        return False
    return True


def push_back(fight: Fight, rush: BullRush, contest: Contest, figures: PushFigures) -> Steps[None]:
    """Push the loser of the check back, or go back to the attacker's former place.

    If the attacker goes along, 5 feet more for each 5 points of margin, within the rest of its movement.
    """
    attacker, target, per = rush.attacker, rush.target, figures.per
    hindered = contest.won and is_hindered(fight, attacker, target, rush.way)
    if hindered:
        cites = fight.rules("bull-rush.push")
        yield RuleApplied(who=target.id, what="there is no room to be pushed into", cites=cites)
    if hindered or not contest.won:
        cites = fight.rules("bull-rush.fail")
        yield from step_back(fight, attacker, rush.start, figures.back, "bull rush", *cites)
        return
    feet, extra = figures.least, figures.extra
    most = min(contest.margin // per * extra, rush.left // SQUARE_FT * SQUARE_FT)
    if most:
        question = f"how many feet does {attacker.id} push {target.id}, going along beyond {feet}?"
        options = tuple(str(feet + more) for more in range(most, -1, -extra))
        rule = fight.rule("bull-rush.push-extra")
        feet = int((yield Choice(attacker.id, "push", question, options, rule)))
    yield from drive_back(fight, rush, feet)
    # Combatants in the target's former squares are still there (srd35.special-move.illegal-space).
    yield from fight.dialect.movement.step_aside(fight, attacker, rush.start)


def drive_back(fight: Fight, rush: BullRush, feet: int) -> Steps[None]:
    """Push the target the given feet, as far as there is room; the attacker goes along beyond the first 5.

    srd35.bull-rush.push, srd35.bull-rush.push-extra, futurepath.bull-rush.success.
    """
    attacker, target, way = rush.attacker, rush.target, rush.way
    for done in range(0, feet, SQUARE_FT):
        along = done > 0
        cites = fight.rules("bull-rush.push-extra" if along else "bull-rush.push")
        there = (target.at[0] + way[0], target.at[1] + way[1])
        if is_hindered(fight, attacker, target, way) or (
            # A big attacker without room to go along pushes no farther.
            along and is_hindered(fight, target, attacker, way)
        ):
            return
        # The target's forced movement is a separate opportunity from its own movement of the round.
        yield from expose(fight, rush, target, attacker, f"move:{target.id}:{fight.declaration}")
        if along:
            here = attacker.at
            own = fight.dialect.opportunity.opportunity_name(fight, attacker)
            yield from expose(fight, rush, attacker, target, own)
            if halted(fight, attacker, here):
                # Only an attacker that goes along pushes beyond the first 5 feet.
                yield from report_halt(fight, attacker, "bull rush")
                return
        if falls_at(fight, target, target.at, there):
            yield from fall_over(fight, target, there, "bull rush", *cites)
            return
        yield displaced(target, (there,), "bull rush", *cites)
        yield from fight.dialect.grapple.parted(fight, target)
        if along:
            yield stepped(attacker, (attacker.at[0] + way[0], attacker.at[1] + way[1]), "bull rush", *cites)


def expose(fight: Fight, rush: BullRush, mover: Combatant, other: Combatant, opportunity: str) -> Steps[None]:
    """Let all that threaten the mover attack it, except its opponent.

    srd35.bull-rush.moved-provokes, futurepath.bull-rush.aoos.
    """
    enemies = [enemy for enemy in threatening(fight, mover) if enemy is not other]
    if enemies:
        rule = fight.rule(rush.exposes)
        yield from provoke(fight, rush, mover, other, enemies, "is moved by the bull rush", opportunity, rule)


def is_hindered(fight: Fight, attacker: Combatant, target: Combatant, way: Square) -> bool:
    """Return whether a wall or a combatant other than `attacker` is where the target would be pushed."""
    there = (target.at[0] + way[0], target.at[1] + way[1])
    in_the_way = [other for other in occupants(fight, target, there) if other is not attacker]
    return is_walled_off(fight, target, there) or bool(in_the_way)


def step_back(
    fight: Fight, combatant: Combatant, to: Square, feet: int, how: str, *cites: str, felled: str = ""
) -> Steps[None]:
    """Go back the given feet, and fall prone there if that space is occupied.

    `felled` is the reason why a combatant that has been knocked down is prone in any case
    (srd35.bull-rush.fail, srd35.overrun.fail-prone, srd35.overrun.fail-standing,
    futurepath.bull-rush.failure, futurepath.overrun.blocked).
    """
    taken = occupants(fight, combatant, to)
    diagonal = int(to[0] != combatant.at[0] and to[1] != combatant.at[1])
    yield moved(combatant, (to,), feet, how, *cites, diagonals=diagonal)
    if felled or taken:
        over = "over" if how == "bull rush" else f"{how} over"
        yield from falls_prone(combatant, felled or f"{over} {taken[0].id}", cites)
