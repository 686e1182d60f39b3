"""Which sides may see an event, decided by the sieve of players' copies as the event is recorded.

A database keeps the answer beside each event, and by it lets players read (`docs/postgres.md`). It is what
`redaction.py` would show a side of the line up to there: what is learned or hidden later changes nothing of
it.
"""

from collections.abc import Iterable, Sequence

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.postgres import PostgresStore
from affray.replay.sieve import Sieve

EVERYBODY = ""
"""What stands for all at the table, onlookers too."""


class Eyes:
    """Says it for one store, event after event, in one thread. Learns a line when it first meets it."""

    def __init__(self) -> None:
        self._sieves: dict[str, Sieve] = {}
        self._at = ("", 0)
        self._hidden: tuple[str, ...] = ()

    def __call__(self, store: PostgresStore, events: Sequence[Event]) -> list[list[str] | None]:
        """Return for events that follow the head of one line who may see each: sides, EVERYBODY, or None.

        What cannot be read is for nobody to see. O(events of the line) where another line was met before.
        """
        stream, before = events[0].stream, events[0].seq - 1
        hidden = store.beside().hidden()
        entering = set(_sides(events)) - self._sieves.keys()
        if self._at != (stream, before) or hidden != self._hidden or entering:
            self._learn(store, stream, before, hidden, entering)
        self._at = stream, events[-1].seq
        try:
            for sieve in self._sieves.values():
                for event in events:
                    sieve.learn(event)
        except AffrayError:
            self._at = "", 0
            return [None] * len(events)
        named = any(sieve.names_hidden(stream) for sieve in self._sieves.values())
        return [None if named else self._who_sees(event) for event in events]

    def _learn(
        self, store: PostgresStore, stream: str, upto: int, hidden: tuple[str, ...], entering: Iterable[str]
    ) -> None:
        line = list(store.read(stream, upto=upto))
        self._hidden = hidden
        self._sieves = {
            side: Sieve(sides=(side,) if side else (), hide=hidden)
            for side in sorted({EVERYBODY, *_sides(line), *entering})
        }
        for sieve in self._sieves.values():
            for event in line:
                sieve.learn(event)

    def _who_sees(self, event: Event) -> list[str] | None:
        try:
            sees = [side for side, sieve in self._sieves.items() if not sieve.why(event)]
        except AffrayError:
            return None
        return [EVERYBODY] if EVERYBODY in sees else sees or None


def _sides(events: Iterable[Event]) -> Iterable[str]:
    """Yield the sides that somebody enters on, or means to."""
    for event in events:
        if event.type == "combatant.entered":
            yield decode(event).side
        elif event.type == "declared" and isinstance(act := decode(event).act, acts.Enter):
            yield act.side
