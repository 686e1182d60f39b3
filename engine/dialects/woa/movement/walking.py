"""Walking a path, and what each step of it meets with: openings, obstacles, dangers (woa.move.*)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.classes.turned_undead import turning_of
from affray.engine.dialects.woa.movement import obstacles, terrain
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import (
    ENGAGING,
    Guard,
    provoke_by_movement,
    who_may_strike,
)
from affray.engine.dialects.woa.opportunity.dodge_and_block_bonuses import take_stance
from affray.engine.dialects.woa.opportunity.engage_disengage import (
    rules_of_no_opening,
    stays_engaged,
)
from affray.engine.dialects.woa.position import pass_through, trampling_hazard
from affray.engine.dialects.woa.turns.triggers import triggered
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.rules.movement.footing import step_aside
from affray.engine.rules.movement.movement import halted, tell_halt
from affray.engine.rules.movement.noticed import met_unseen
from affray.engine.rules.movement.unseen import stop_short
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.delay_and_ready import MOVES, leaves_watched
from affray.engine.steps import Steps
from affray.events.facts.combat import Moved
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def walk(
    fight: Fight,
    mover: Combatant,
    path: Sequence[Square],
    how: str,
    *cites: str,
    spared: Sequence[str] = (),
    legal: Square | None = None,
    onward: bool = False,
) -> Steps[bool]:
    """Go along a path already found legal, provoking step by step; return whether the end was reached.

    A mover who drops stays in the square that it was about to leave. One that sets out from a place where it
    may not stay, having come there on the same way, goes back to `legal` if it is stopped before it reaches a
    better one. Before somebody whom it does not perceive and cannot pass it stops; at the end of the path
    nobody may be, unless the way goes `onward`. Leaving those with an id in `spared`
    does not provoke (woa.aoo.avoid.improved-overrun).
    """
    start = here = mover.at
    legal = here if legal is None else legal
    done: list[Square] = []
    perilous = terrain.perilous_underfoot(fight, mover, here)
    if perilous and not (yield from obstacles.keep_footing(fight, mover, perilous, how, "moving on")):
        return False
    awaited = any(
        one.readied is not None or turning_of(one) is not None for one in fight.state.combatants.values()
    )

    def so_far() -> Moved:
        whole = (start, *done)
        cost = pass_through.measure(fight, mover, whole, how)
        counted = fight.rules("woa.distance.grid") if cost.diagonals else ()
        return Moved(
            who=mover.id,
            start=start,
            path=tuple(done),
            feet=cost.feet,
            diagonals=cost.diagonals,
            how=how,
            cites=tuple(
                dict.fromkeys((*cites, *counted, *cost.cites, *rules_of_no_opening(fight, mover, whole, how)))
            ),
        )

    begun = here
    for step, there in enumerate(path):
        met = met_unseen(fight, mover, here, there, step == len(path) - 1 and not onward, how)
        if met is not None:
            if done:
                yield so_far()
            yield from stop_short(fight, mover, met, how, legal, here != begun)
            return False
        if pass_through.step_needs_check(fight, mover, here, there, how):
            if done:
                yield so_far()
                start, done = here, []
            if not (yield from pass_through.check_before_step(fight, mover, here, there, how)):
                yield from step_aside(fight, mover, legal)
                return False
        if awaited and leaves_watched(fight, mover, there):
            yield from triggered(fight, mover, MOVES, there)
            if halted(fight, mover, here, how):
                yield from tell_halt(fight, mover, how)
                yield from step_aside(fight, mover, legal)
                return False
        found = who_may_strike(fight, mover, here, there, how)
        if spared:
            found = yield from without_spared_openings(fight, mover, found, spared)
        anew = [guard for guard in found if guard[2] == ENGAGING]
        found = [guard for guard in found if guard[2] != ENGAGING]
        if found:
            if done:
                yield so_far()
                start, done = here, []
            yield from provoke_by_movement(fight, mover, found, how, passing=there != path[-1])
            if halted(fight, mover, here, how):
                yield from tell_halt(fight, mover, how)
                yield from step_aside(fight, mover, legal)
                return False
        yield from stays_engaged(fight, mover, here, there, how)
        before, here = here, there
        if not occupants(fight, mover, here):
            legal = here
        done.append(there)
        danger = [name for name in terrain.perilous_underfoot(fight, mover, there) if name not in perilous]
        trodden = trampling_hazard.underfoot(fight, mover, before, there)
        if awaited or anew or danger or trodden or there == path[-1]:
            yield so_far()
            if mover.sheet.feats:
                yield from take_stance(fight, mover)
            start, done = here, []
            yield from trampling_hazard.endanger_underfoot(fight, mover, trodden)
            if danger:
                perilous = [*perilous, *danger]
                yield from obstacles.keep_footing(fight, mover, danger, how, f"on {danger[0]}")
            yield from provoke_by_movement(fight, mover, anew, how)
            if not is_down(fight, mover):
                yield from fight.dialect.movement.after_movement(fight, mover)
            if halted(fight, mover, here, how):
                if how == "charge" or there != path[-1]:
                    yield from tell_halt(fight, mover, how)
                yield from step_aside(fight, mover, legal)
                return False
    return True


def without_spared_openings(
    fight: Fight, mover: Combatant, found: Sequence[Guard], spared: Sequence[str]
) -> Steps[list[Guard]]:
    """Return the openings but for those that leaving the run down would give, which are told."""
    left = []
    for guard in found:
        if guard[0].id in spared and guard[2] == "aoo.provoke.disengaging":
            what = f"gives {guard[0].id}, whom it has overrun, no opening"
            yield RuleApplied(who=mover.id, what=what, cites=fight.rules("woa.aoo.avoid.improved-overrun"))
        else:
            left.append(guard)
    return left
