"""The record of the chapter on movement: movement: speed, steps and what they bring about."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context, Square
from affray.engine.steps import Steps
from affray.events.facts.terrain import Barrier
from affray.projections.state import Combatant


class Measure(Struct, frozen=True, gc=False):
    """What a way costs: feet, diagonals that count on, and the rules that had a part in it."""

    feet: int
    diagonals: int
    cites: tuple[str, ...] = ()


class Movement(Chapter, frozen=True, kw_only=True):
    """Movement: speed, steps and what they bring about.

    speed: a combatant's speed in feet before a way of moving halves or doubles it.
    laden: what a load does, as a combatant enters.
    speed_told: what is told of where a combatant's speed comes from; None for nothing.
    forfeit: the feet that the next way of a combatant has less than its speed allows.
    slowing_rule: the rule that says how far a combatant gets.
    walk: go along a legal path, with what follows from each step; return whether the end was reached.
    leaving: those who may strike because a mover leaves a square they threaten.
    approach: what follows from coming near somebody; None for nothing.
    refuse_step: refuse a step into a square, as far as its mover knows.
    in_way: who holds the squares that a step leads into, known or not.
    refuse_entry: refuse a square for some of those who hold it.
    after_running_into: what follows once a mover has run into somebody whom it did not perceive.
    refuse_ground: refuse a step that walls, pillars and pits forbid to what a mover takes up.
    refuse_rough: refuse ground on which a way of moving is not possible.
    measure: what a way costs in feet, and the rules.
    scaled_diagonals: whether what doubles the cost of a square doubles each diagonal as it counts, one as a
        square and the next as two, rather than making each three.
    too_far: the rule by which a way is too long.
    shape: what the fact of a movement says about squeezing and the like.
    may_stop: whether a movement may end in a square.
    may_pass: whether a mover may pass through another's square.
    step_needs_check: whether a step meets with something that a check must overcome.
    check_before_step: try to overcome it; return whether the mover goes on.
    barrier_fault: what of a barrier between squares, as the map has it, would mean nothing; "" if all counts.
    step_is_told: whether a step is told as a movement of its own.
    after_step: what entering a square brings about.
    step_aside: move to a legal square whoever has ended in none.
    after_movement: what follows once a movement is over.
    running: the fact of what running takes from a combatant.
    run_multiple: how many times its speed a combatant runs.
    nimble: whether a combatant is trained to tumble.
    fall: have a combatant fall so many feet.
    """

    speed: Callable[[Context, Combatant], int]
    laden: Callable[[Context, Combatant], Steps[None]]
    speed_told: Callable[[Context, Combatant], Any]
    forfeit: Callable[[Context, Combatant], int]
    slowing_rule: Callable[[Context, Combatant, str], str]
    walk: Callable[..., Steps[bool]]
    leaving: Callable[[Context, Combatant, Square, Square, str], list[Combatant]]
    approach: Callable[[Context, Combatant, Square, Square], Steps[None] | None]
    refuse_step: Callable[[Context, Combatant, Square, Square, bool, Combatant | None, str], None]
    in_way: Callable[[Context, Combatant, Square, Square, bool, str], list[Combatant]]
    refuse_entry: Callable[
        [Context, Combatant, Square, Sequence[Combatant], bool, Combatant | None, str], None
    ]
    after_running_into: Callable[[Context, Combatant, Combatant, str], Steps[None]]
    refuse_ground: Callable[[Context, Combatant, Square, Square, Any], None]
    refuse_rough: Callable[[Context, Combatant, Sequence[Square], str, str], None]
    measure: Callable[[Context, Combatant, Sequence[Square], str], Measure]
    scaled_diagonals: bool
    too_far: Callable[[Context, Combatant, Sequence[Square], str, int], str]
    shape: Callable[[Context, Combatant, Sequence[Square], str], dict[str, Any]]
    may_stop: Callable[[Context, Combatant, Square], bool]
    may_pass: Callable[[Context, Combatant, Combatant], bool]
    step_needs_check: Callable[[Context, Combatant, Square, Square, str], bool]
    check_before_step: Callable[[Context, Combatant, Square, Square, str], Steps[bool]]
    barrier_fault: Callable[[Barrier], str]
    step_is_told: Callable[[Context, Combatant, Square, Square, str], bool]
    after_step: Callable[[Context, Combatant, Square, Square, str], Steps[None]]
    step_aside: Callable[[Context, Combatant, Square], Steps[None]]
    after_movement: Callable[[Context, Combatant], Steps[None]]
    running: Callable[[Context, Combatant], Any]
    run_multiple: Callable[[Context, Combatant], int]
    nimble: Callable[[Context, Combatant], bool]
    fall: Callable[[Context, Combatant, int], Steps[None]]
