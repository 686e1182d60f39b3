"""The fold: facts in, state out. No rules, no dice, no clock.

Every fact carries what became of the state, so that a log reads the same whatever the rules code
has become. Facts that only explain (rolls, resolved attacks and checks) change nothing and need not
even be decoded.
"""

from collections.abc import Iterable
from typing import Any

from affray.events.codec import TAG_OF, decode
from affray.events.envelope import Event
from affray.events.errors import BrokenLog
from affray.events.facts import rolled
from affray.projections import combat_folds as combat_folds  # registers what it folds, like the next
from affray.projections import flow_folds as flow_folds
from affray.projections import items as items
from affray.projections.handlers import HANDLERS as HANDLERS
from affray.projections.state import Encounter

CHANGING: frozenset[str] = frozenset(TAG_OF[fact] for fact in HANDLERS if fact is not rolled.Rolled)
"""Types of events that change the state; a roll only does while the fight waits for it."""


def apply(state: Encounter, fact: Any) -> None:
    """Write into `state` what `fact` says became true. O(1) but for the size of one combatant."""
    handler = HANDLERS.get(type(fact))
    if handler is not None:
        handler(state, fact)


def fold(events: Iterable[Event], state: Encounter | None = None) -> Encounter:
    """Return the state after `events`, continuing from `state` (which is changed) or from nothing.

    O(events). Raises BrokenLog or NewerLog as `decode` does, BrokenLog also for a fact that cannot follow
    from those before (about somebody who never entered); never skips an event that changes
    something, and never decodes one that does not.
    """
    state = state if state is not None else Encounter()
    handlers = HANDLERS
    for event in events:
        kind = event.type
        if kind in CHANGING or kind not in TAG_NAMES or (kind == "rolled" and state.pending is not None):
            fact = decode(event)
            try:
                handlers[type(fact)](state, fact)
            except (LookupError, AttributeError, TypeError, ValueError) as error:
                raise out_of_place(event, error) from None
    return state


def out_of_place(event: Event, error: Exception) -> BrokenLog:
    """Return what is said of an event that cannot follow from those before.

    Good digests over nonsense: who wrote it could reckon, but not play.
    """
    reason = f"{event.type} does not fit the events before it ({type(error).__name__}: {error})"
    return BrokenLog(event.stream, event.seq, reason)


TAG_NAMES: frozenset[str] = frozenset(TAG_OF.values())
