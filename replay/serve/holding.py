"""Declarations that are held for the game master: refused by what their player cannot know.

A refusal would tell that somebody hidden is there, at no cost. So none is given: the game master is shown the
true reason, and declares something in the player's place or turns it down. Nothing of it is a fact of the
fight, and it is remembered while the server runs: whoever waits when the server ends declares anew.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from affray.engine.steps import Refusal
from affray.engine.table.runner import refusal_of
from affray.events.facts.declared import AnyAct, Declared
from affray.events.store import Store
from affray.replay.fight_over import fight_over
from affray.replay.options_told import said_of
from affray.replay.playhead import state_at
from affray.replay.serve.access import Guest
from affray.replay.serve.audience import Audience, Eyes
from affray.replay.serve.errors import Problem
from affray.replay.serve.messages import Held
from affray.replay.serve.positions import Expects, end_of
from affray.replay.serve.seen_views import without
from affray.replay.sieve import words_of

MISSED: Final = (LookupError, AttributeError, TypeError, ValueError)
"""What the rules may raise where somebody is missing whom they need."""


def refused_by_hidden(store: Store, audience: Audience, act: AnyAct, expected: Expects) -> Refusal | None:
    """Return why a declaration is refused that would not be without those hidden from an audience, else None.

    None too where the fight has gone on or waits: that is told before anything is asked of the rules.
    """
    place = end_of(store)
    if not audience.hide or not expected.stands(store, place):
        return None
    state = state_at(store, place.branch, place.seq)
    if state.pending is not None:
        return None
    declared = Declared("held", act, "")
    refusal = refusal_of(fight_over(state, None), declared)
    if refusal is None:
        return None
    try:
        found = refusal_of(fight_over(without(state, audience.hide), None), declared)
    except MISSED:
        return refusal
    depends = found is None or Eyes(audience, state).sieve.names_hidden(found.reason, words_of(act))
    return refusal if depends else None


class Holding:
    """What is held: for each combatant the last that its player declared, until it declares another thing."""

    def __init__(self) -> None:
        """Hold nothing."""
        self._held: dict[str, tuple[Held, str, str]] = {}
        self._counts: Counter[str] = Counter()  # each its own: one tells nothing of the others
        self.changed: Callable[[], None] = lambda: None
        """Called when what is held has changed, or what became of it."""

    def again(self, request: str, act: AnyAct, now: Expects) -> str:
        """Return the id under which a request is held, "" if it is not. Raises Problem for another act."""
        for held, asked, _ in self._held.values():
            if asked == request:
                if held.act != act:
                    reason = "that request id came with another command before"
                    raise Problem("request_reused", reason, position=str(now))
                return held.id
        return ""

    def hold(self, guest: Guest, act: AnyAct, place: Expects, refusal: Refusal, request: str) -> str:
        """Hold a declaration in place of what was held of its actor; return its id."""
        self._counts[act.actor] += 1
        path = getattr(act, "path", ())
        where = f"to {path[-1][0]},{path[-1][1]}" if path else ""
        label = " ".join(filter(None, (str(act.__struct_config__.tag), *said_of(act), where)))
        by = guest.name or guest.role
        held = Held(
            f"{act.actor}-{self._counts[act.actor]}",
            act.actor,
            act,
            label,
            by,
            str(place),
            "waiting",
            "",
            refusal.reason,
            refusal.rule,
        )
        self._held[act.actor] = held, request, ""
        self.changed()
        return held.id

    def let_go(self, who: str) -> None:
        """Hold nothing of a combatant any more: its player has declared something else."""
        if self._held.pop(who, None) is not None:
            self.changed()

    def waiting(self, id: str, request: str) -> Held:
        """Return what waits under an id, or was decided by that request. Raises Problem for anything else."""
        for held, _, decided_by in self._held.values():
            if held.id == id and (held.status == "waiting" or decided_by == request):
                return held
        raise Problem("not_found", f"nothing waits under {id[:40]!r}")

    def decide(self, id: str, status: str, words: str, request: str) -> None:
        """Put down what the game master has decided by a request, and what it says to the player."""
        for who, (held, asked, _) in self._held.items():
            if held.id == id:
                self._held[who] = replace(held, status=status, words=words), asked, request
                self.changed()
                return

    def seen_by(self, guest: Guest) -> tuple[Held, ...]:
        """Return what a guest may know of what is held: all, or a player its own without the reasons."""
        held = [one for one, _, _ in self._held.values()]
        if guest.role == "game master":
            return tuple(held)
        return tuple(replace(one, reason="", rule="") for one in held if one.who in guest.combatants)
