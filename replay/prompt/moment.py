"""The fight as the prompt sees it before a line is typed: state, names, and what was decided last."""

from collections.abc import Iterable, Iterator

from affray.engine.fight.fight import Fight
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import did_you_mean
from affray.events.store import Store
from affray.projections.state import Combatant, Encounter
from affray.replay.decisions import decides
from affray.replay.fight_over import fight_over
from affray.replay.narrate.cast import Cast
from affray.replay.playhead import Playhead
from affray.replay.prompt.meant import Unclear

MOST_BACK = 400
"""So many events from the end the last outcome is looked for."""


class Moment:
    """The end of the main line. The state must not be written."""

    def __init__(self, store: Store) -> None:
        """Read where the fight stands. O(events since a checkpoint)."""
        playhead = Playhead(store)
        self.state: Encounter = playhead.seek("end")
        self.branch, self.seq = playhead.branch, playhead.last
        self.cast = Cast()
        for one in self.state.combatants.values():
            self.cast.enter(one.id, one.side, one.sheet.name)
        self._store = store
        self._fight: Fight | None = None

    @property
    def fight(self) -> Fight:
        """The fight as the rules see it; made when it is first asked for."""
        if self._fight is None:
            self._fight = fight_over(self.state, None)
        return self._fight

    @property
    def actor(self) -> Combatant:
        """Whose turn it is. Raises Unclear where nobody's is running."""
        actor = self.state.combatants.get(self.state.active)
        if actor is None:
            raise Unclear("nobody's turn is running" + ("" if self.state.begun else ": b begins the fight"))
        return actor

    def outcomes(self) -> Iterator[Event]:
        """Yield the latest events that numbers or rules explain, the last first."""
        events = list(self._store.read(self.branch, max(0, self.seq - MOST_BACK), self.seq))
        yield from (event for event in reversed(events) if decides(decode(event)))

    def called(self, word: str) -> list[str]:
        """Return the ids that a word means: by id or name or the beginning of one, else by the letter."""
        people = self.state.combatants
        names = {id: (id.casefold(), *self.cast.name(id).casefold().split()) for id in people}
        whole = word.casefold()
        exact = [id for id in people if whole in (names[id][0], self.cast.name(id).casefold())]
        some = exact or [id for id in people if any(name.startswith(whole) for name in names[id])]
        return some or [id for id in people if self.cast.letters[id] == word]

    def one_called(self, word: str, of: Iterable[str] = ()) -> str:
        """Return the one id that a word means, of those given if that decides. Raises Unclear."""
        found = self.called(word)
        some = [id for id in found if id in (*of,)] or found
        if len(some) == 1:
            return some[0]
        if some:
            raise Unclear(f"{word!r} begins several names: {', '.join(some)}")
        meant = did_you_mean(word, [self.cast.name(id) for id in self.state.combatants])
        raise Unclear(f"nobody here is called {word!r}{meant}")

    def fact_of(self, seq: int) -> object:
        """Return the fact of an event of the line."""
        return decode(next(iter(self._store.read(self.branch, seq - 1, seq))))
