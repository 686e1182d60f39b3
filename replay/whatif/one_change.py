"""A recorded line, and the possible changes in it, in a form that can be sent between processes."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b

import msgspec
from msgspec import Struct, field

from affray.engine.table.policies import by_combatant
from affray.events.errors import AffrayError
from affray.events.facts.flow import Invalidated, RoundBegan, TurnBegan
from affray.events.stores.store import Store
from affray.projections.fold import apply, fold
from affray.projections.state import Encounter, duplicate
from affray.projections.timeline import END as END_OF_LINE
from affray.projections.timeline import Timeline
from affray.replay.log.declarations import Script, fact_of, find_known_seed, groups, scripts
from affray.replay.log.rules_for_fight import make_fight_context, reading_now
from affray.replay.predicates import Atom, Outcome, holds, outcome
from affray.replay.redecide.redecide import BranchWriter, Reach
from affray.replay.redecide.rulings import Ruling, facts_of, sort

# In the order in which combatants and conditions were added, which rules read.
_packed = msgspec.json.Encoder().encode

OPENING = 1
"""The event that opens a fight: no change affects it."""
END, AFTER, BEGINS = "end", "after", "begins"


class When(Struct, frozen=True):
    """The moment of an atom: at the END, AFTER group `first` of the line, or when round `first`, turn BEGINS.

    `group` is the group of the recorded line that contains it.
    """

    kind: str
    first: int
    turn: int
    group: int


class Change(Struct, frozen=True):
    """One change: results for a roll, an effect of a ruling, or another reading of an option."""

    kind: str
    key: str
    value: str = ""
    faces: tuple[int, ...] = ()

    @property
    def effect(self) -> str:
        """The change as an effect of a ruling; "" for dice results and readings."""
        return {"choice": f"{self.key}={self.value}", "modifier": self.key}.get(self.kind, "")


class Rest(Struct):
    """A line from its group `index` on: the state before it, the groups, and the mark of the state before
    each.

    `marks` has one more than `groups`; `known` and `recorded` are the values of the atoms: so far, and at the
    end.
    """

    index: int
    seq: int
    state: Encounter
    groups: list[Script]
    marks: list[bytes]
    seed: bytes | None
    ids: set[str]
    outcome: Outcome
    whens: tuple[When, ...]
    known: tuple[bool | None, ...]
    recorded: tuple[bool, ...]
    changes: list[Change] = field(default_factory=list)


def mark_of(state: Encounter) -> bytes:
    """Return a digest that two states share only if they are equal, including the order of their records."""
    return blake2b(_packed(state), digest_size=16).digest()


# --- The recorded line of a fight, group by group, with the states between them, and the outcome in question


class RecordedLine:
    """The recorded line, group by group, with the states between them."""

    def __init__(self, store: Store, branch: str, text: str) -> None:
        self.store, self.branch = store, branch
        self.head = store.head(branch).seq
        state = fold(store.read(branch, upto=OPENING))
        if not state.dialect:
            raise AffrayError("the log contains no encounter")
        recorded = list(groups(store.read(branch, after=OPENING)))
        self.groups = scripts(recorded, state.active)
        self.states = [duplicate(state)]
        for group in recorded:
            self.states.append(duplicate(fold(group, state)))
        self.marks = [mark_of(one) for one in self.states]
        self.starts = [group[0].seq - 1 for group in recorded] + [self.head]
        self.seed = find_known_seed(store, branch)
        self.ids = {one.id for one in self.groups if one.id}
        self.fight = make_fight_context(self.states[-1], self.seed)
        self.outcome = outcome(self.fight, text)
        self.timeline = Timeline.of(store.read(branch))
        whens = [self._when(atom) for atom in self.outcome.atoms]
        self.whens = tuple(when for when, _ in whens)
        self.recorded = tuple(
            holds(make_fight_context(then, None), atom)
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
        """Yield the parts that can be computed separately: each reading, and the line from each declaration
        on.
        """
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
        """Return the line from its group `at` on, for changes of that group or the given ones."""
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


# --- The rest of a line decided again under one change, until the outcome is known


class Verdict(Struct, frozen=True):
    """The result of a change: whether the outcome holds, and its other effects on the line.

    `impossible` are declarations with reason and rule, `fresh` rolls that were not made before, `asked` new
    questions with their answers. `unknown` is the reason the result is unknown; `facts` are those of the
    first group.
    """

    holds: bool = False
    impossible: tuple[tuple[str, str, str], ...] = ()
    fresh: tuple[str, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    unknown: str = ""
    facts: tuple[object, ...] = ()


class _Tail(Struct, frozen=True):
    """The results of a line from some state on."""

    truths: tuple[bool, ...]
    impossible: tuple[tuple[str, str, str], ...] = ()
    fresh: tuple[str, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()


class Lines:
    """Decide the rest of a line again under many changes, reusing equal parts."""

    def __init__(self, rest: Rest) -> None:
        self.rest = rest
        self._before = {one.id for one in rest.groups if type(one.facts[-1]) is Invalidated}
        self._tails: dict[tuple[object, ...], _Tail] = {}
        # Values computed from sheets, map and squares before the first change are the same every time.
        self._fight = make_fight_context(duplicate(rest.state), rest.seed)

    def under(self, change: Change, tell: Callable[[str], bool] = lambda kind: False) -> Verdict:
        """Return the result of a change, and of the first group the facts whose types `tell` selects.

        The rest is decided until every atom has had its moment, or the state equals that of the recorded line
        or of another change: from there on everything is known.
        """
        try:
            again = self._changed(change)
            return self._followed(again, change.kind != "reading", tell)
        except AffrayError as error:
            return Verdict(unknown=str(error))

    def parted(self) -> str:
        """Return the first declaration that today's rules decide differently from the record, "" if none."""
        rest = self.rest
        again = self._changed(Change("", ""))
        reach = Reach(again, rest.groups)
        for at, script in enumerate(rest.groups, 1):
            if not reach.step() or again.ended or mark_of(again.fight.state) != rest.marks[at]:
                return script.id or "a fact outside the declarations"
        return ""

    def _changed(self, change: Change) -> BranchWriter:
        """Return the line with the change made, at the declaration of the change."""
        rest = self.rest
        ruling = Ruling("what if", (change.effect,)) if change.effect else None
        self._fight.begin_again(rest.state)
        again = BranchWriter(
            self._fight,
            rest.seq,
            {change.key: change.faces} if change.kind == "die" else {},
            by_combatant(),
            rest.seed,
            set(rest.ids),
            ruled=sort(ruling) if ruling else None,
        )
        if change.kind == "reading":
            again.options({change.key: change.value})
        if ruling:
            subject = rest.groups[0].id
            again.rule(ruling, subject, facts_of(again.fight, ruling, subject))
        return again

    def _followed(self, again: BranchWriter, alike: bool, tell: Callable[[str], bool]) -> Verdict:
        rest, truths = self.rest, list(self.rest.known)
        reach = Reach(again, rest.groups, lambda script: self._look_after(again, script, truths))
        way = list[tuple[tuple[object, ...], tuple[int, int, int]]]()
        facts: tuple[object, ...] | None = None
        tail = _Tail(())
        exact = any(one.kind == BEGINS for one in rest.whens)
        while None in truths:
            if alike and facts is not None and (found := self._place(again, reach, truths)) is not None:
                if isinstance(found, _Tail):
                    tail = found
                    break
                way.append((found, (len(again.invalidated), len(again.fresh), len(again.asked))))
            before, made = duplicate(again.fight.state) if exact else None, len(again.entries)
            if not reach.step():
                break
            if facts is None:
                facts = tuple(fact_of(one) for one in again.entries if tell(one.type))
            if before is not None:
                self._look_back(again, truths, before, made)
        whole = [
            truth if truth is not None else tail.truths[at] if tail.truths else holds(again.fight, atom)
            for at, (truth, atom) in enumerate(zip(truths, rest.outcome.atoms, strict=True))
        ]
        return self._kept(again, whole, tail, way, facts or ())

    def _place(
        self, again: BranchWriter, reach: Reach, truths: Sequence[bool | None]
    ) -> _Tail | tuple[object, ...] | None:
        """Return a key for the place of a line, its known results from there on, or None if it has no such
        place.
        """
        rest, left = self.rest, len(reach.queue)
        at = len(rest.groups) - left
        # Groups played ahead of their place leave gaps: then the rest is not the same.
        if left and reach.queue[0] is not rest.groups[at]:
            return None
        mark = mark_of(again.fight.state)
        if mark == rest.marks[at] and again.waiting is None:
            return _Tail(rest.recorded)
        key = at, mark, tuple(truths), again.numbering
        return self._tails.get(key, key)

    def _look_after(self, again: BranchWriter, script: Script, truths: list[bool | None]) -> None:
        """Determine the atoms whose moment comes once a group was played."""
        for at, (when, atom) in enumerate(zip(self.rest.whens, self.rest.outcome.atoms, strict=True)):
            due = when.kind == AFTER and truths[at] is None
            if due and self.rest.groups[when.first - self.rest.index] is script:
                truths[at] = holds(again.fight, atom)

    def _look_back(
        self, again: BranchWriter, truths: list[bool | None], before: Encounter, made: int
    ) -> None:
        """Determine the atoms whose round or turn began in the last group."""
        for at, (when, atom) in enumerate(zip(self.rest.whens, self.rest.outcome.atoms, strict=True)):
            due = when.kind == BEGINS and truths[at] is None
            if due and (then := _begun(again, before, made, when)) is not None:
                truths[at] = holds(make_fight_context(then, None), atom)

    def _kept(
        self,
        again: BranchWriter,
        truths: list[bool],
        tail: _Tail,
        way: Sequence[tuple[tuple[object, ...], tuple[int, int, int]]],
        facts: tuple[object, ...],
    ) -> Verdict:
        """Store the results of every state on the way, and return the result of the whole."""
        impossible = [
            (id, *why) if id not in self._before else ("", "", "") for id, why in again.invalidated.items()
        ]
        fresh, asked = again.fresh, list(again.asked.items())

        def since(gone: tuple[int, int, int]) -> _Tail:
            one, two, three = gone
            return _Tail(
                tuple(truths),
                (*impossible[one:], *tail.impossible),
                (*fresh[two:], *tail.fresh),
                (*asked[three:], *tail.asked),
            )

        for key, gone in way:
            self._tails[key] = since(gone)
        whole = since((0, 0, 0))
        told = tuple(one for one in whole.impossible if one[0])
        return Verdict(self.rest.outcome.of(truths), told, whole.fresh, whole.asked, facts=facts)


def _begun(again: BranchWriter, before: Encounter, made: int, when: When) -> Encounter | None:
    """Return the state when a round or turn began, or a later one, in the last group; None if it did not."""
    now = again.fight.state
    if (now.round, now.turn) < (when.first, when.turn):
        return None
    state = duplicate(before)
    for one in again.entries[made:]:
        fact = fact_of(one)
        apply(state, fact)
        kind = type(fact)
        if kind in (RoundBegan, TurnBegan):
            begins = (fact.number, 0) if kind is RoundBegan else (state.round, fact.number)
            if begins >= (when.first, when.turn):
                return state
    return None
