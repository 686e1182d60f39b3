"""The recorded line of a fight, group by group, with the states between them, and what is asked of it."""

from collections.abc import Iterator

from affray.events.errors import AffrayError
from affray.events.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter, duplicate
from affray.projections.timeline import END as END_OF_LINE
from affray.projections.timeline import Timeline
from affray.replay.changes import AFTER, BEGINS, END, OPENING, Change, Rest, When, mark_of
from affray.replay.fight_over import fight_over, reading_now
from affray.replay.groups import groups, known_seed
from affray.replay.predicates import Atom, holds, outcome
from affray.replay.scripts import scripts


class RecordedLine:
    """The recorded line, group by group, with the states between them."""

    def __init__(self, store: Store, branch: str, text: str) -> None:
        self.store, self.branch = store, branch
        self.head = store.head(branch).seq
        state = fold(store.read(branch, upto=OPENING))
        if not state.dialect:
            raise AffrayError("the log holds no encounter")
        recorded = list(groups(store.read(branch, after=OPENING)))
        self.groups = scripts(recorded, state.active)
        self.states = [duplicate(state)]
        for group in recorded:
            self.states.append(duplicate(fold(group, state)))
        self.marks = [mark_of(one) for one in self.states]
        self.starts = [group[0].seq - 1 for group in recorded] + [self.head]
        self.seed = known_seed(store, branch)
        self.ids = {one.id for one in self.groups if one.id}
        self.fight = fight_over(self.states[-1], self.seed)
        self.outcome = outcome(self.fight, text)
        self.timeline = Timeline.of(store.read(branch))
        whens = [self._when(atom) for atom in self.outcome.atoms]
        self.whens = tuple(when for when, _ in whens)
        self.recorded = tuple(
            holds(fight_over(then, None), atom)
            for (_, then), atom in zip(whens, self.outcome.atoms, strict=True)
        )

    def _when(self, atom: Atom) -> tuple[When, Encounter]:
        """Return the moment of an atom and the state then. Raises BadPosition."""
        last = len(self.groups)
        if atom.at == END_OF_LINE:
            return When(END, 0, 0, last), self.states[-1]
        seq = self.timeline.seq_of(atom.at)
        at = sum(start < seq for start in self.starts[:-1]) - 1
        if atom.at.seq is not None:
            return When(AFTER, at, 0, at), self.states[at + 1]
        then = fold(self.store.read(self.branch, self.starts[at], seq), duplicate(self.states[at]))
        return When(BEGINS, atom.at.round or 0, atom.at.turn or 0, at), then

    def parts(self) -> Iterator[Rest]:
        """Yield what can be worked out apart: each reading, and the line from each declaration on."""
        last = max(when.group for when in self.whens)
        if last >= 0:
            for entry in self.fight.dialect.book.contested.values():
                now = reading_now(self.states[0], entry.option)
                others = [one.name for one in entry.readings if one.name != now and not entry.awaits]
                yield from (self.rest(0, [Change("reading", entry.option, one)]) for one in others)
        for at, script in enumerate(self.groups[: last + 1]):
            if script.id and len(script.facts) > 1:
                yield self.rest(at, [])

    def rest(self, at: int, changes: list[Change]) -> Rest:
        """Return the line from its group `at` on, for changes of that group or these."""
        recorded = zip(self.whens, self.recorded, strict=True)
        return Rest(
            at,
            self.starts[at],
            self.states[at],
            self.groups[at:],
            self.marks[at:],
            self.seed,
            self.ids,
            self.outcome,
            self.whens,
            tuple(truth if when.group < at else None for when, truth in recorded),
            self.recorded,
            changes,
        )
