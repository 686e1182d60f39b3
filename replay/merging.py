"""Branches being put together: what each of them changed in one line, and what stands against it."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

from affray.engine.table.policies import Answers
from affray.events.errors import AffrayError
from affray.events.store import Store
from affray.projections.state import Encounter, digest, duplicate
from affray.replay.amendments import concerned
from affray.replay.groups import group_of, known_seed
from affray.replay.merge_answers import Given
from affray.replay.merge_conflicts import (
    Conflict,
    Found,
    MergeConflict,
    Side,
    agree,
    contradiction,
    missing,
    pairs,
    side,
)
from affray.replay.merged_again import Attempt, Base
from affray.replay.merged_lines import Change, Line, Lines, common
from affray.replay.people import People
from affray.replay.playhead import state_at
from affray.replay.register import Register, register
from affray.replay.scripts import Script, fact_of
from affray.replay.whatif import declared_ids


class BadMerge(AffrayError):
    """The branches named cannot be put together: too few, one twice, or none that a side is taken of."""


IDLE = "it finds nothing to rule on on one of its own branches"
"""Why a change is left out that has no object any more, and had none before on a branch that holds it."""


class Putting:
    """Puts branches together: after `join` the line stands in `attempt`, and `changes` are what holds on it.

    `lines` are the branches after the last event in common, `longest` the one that declares what all do;
    `idle` are changes without an object already on a branch of theirs, `agreed` and `dropped` those that said
    what another one says, and that gave way to the side taken. `given` is what people answered and threw.
    """

    def __init__(
        self, store: Store, branches: Sequence[str], take: Sequence[str], answers: Answers, leave_open: bool
    ) -> None:
        self.store, self.take = store, take
        self.answers, self.leave_open = answers, leave_open
        self.names = sorted({*branches})
        if len(self.names) < 2 or len(self.names) < len(branches):
            raise BadMerge("a merge puts two or more branches together: name each of them once")
        self.after, self.stream = common(store, self.names)
        if self.after:
            whole = [group_of(store, one, self.after) for one in (self.stream, *self.names)]
            cut = any(group[-1].seq > self.after for group in whole)
            self.after = whole[0][0].seq - 1 if cut else self.after
        if self.after < 1:
            raise BadMerge("the branches have no beginning in common")
        self.read = Lines(store, self.after, self.stream)
        self.lines = [self.read.line(one) for one in self.names]
        self.given = Given(self.read, self.names)
        self.longest, self.changes = self.lines[0], list[Change]()
        self.register: Register = register(store)
        self.found = {one: Found.on(store.read(one, after=self.after)) for one in self.names}
        self.dropped: list[Side] = []
        self.agreed: list[Side] = []
        self.idle: list[Side] = []

    def join(self) -> Attempt:
        """Decide the line again with all changes, or with those left of a conflict. Raises MergeConflict."""
        changes = _once(change for line in self.lines for change in line.changes)
        known = {*self.names, *(change.ruling.id for change in changes if change.ruling is not None)}
        for one in self.take:
            if one not in known:
                raise BadMerge(f"no side is called {one!r}; there are {', '.join(sorted(known - {''}))}")
        self.longest = self._longest(self.lines)
        base = self._base()
        changes = self._agreeing(_in_order(changes, base.line))
        while True:
            attempt = base.attempt(changes)
            idle = [change for change in changes if self._trouble(change, attempt) == IDLE]
            if idle:
                self.idle += map(side, idle)
                changes = [change for change in changes if change not in idle]
                continue
            conflicts = self._conflicts(base, changes, attempt)
            if not conflicts:
                break
            losers = self._settled(conflicts)
            if not losers:
                raise MergeConflict(conflicts)
            self.dropped += [one for one in losers if one not in self.dropped]
            changes = [change for change in changes if side(change) not in losers]
        self.changes = changes
        return attempt

    def _longest(self, lines: Sequence[Line]) -> Line:
        """Return the line that declares what all of them do. Raises MergeConflict where they part."""
        conflicts, losers = [], set[str]()
        for at, other in enumerate(lines):
            for one in lines[:at]:
                found = self._parted(one, other)
                if found is None:
                    continue
                lost = self._loser(found)
                if lost is None:
                    conflicts.append(found)
                else:
                    losers.update(lost.branches)
                    self.dropped.append(lost)
        if conflicts:
            raise MergeConflict(conflicts)
        kept = [one for one in lines if one.name not in losers]
        self.given.hold([one.name for one in kept])
        return max(kept, key=lambda line: (len(line.counted), len(line.plain)))

    def _parted(self, one: Line, other: Line) -> Conflict | None:
        """Return how two lines were played on in different ways, None if they were not."""
        parted = _parting(one, other)
        if parted is not None:
            sides = _played(one, parted), _played(other, parted)
            return Conflict(sides, f"they were played on in different ways from {parted} on")
        said = self.given.parted(one.name, other.name)
        if said is None:
            return None
        id, mine, theirs = said
        sides = Side(mine, (one.name,), subject=id), Side(theirs, (other.name,), subject=id)
        return Conflict(sides, f"they were played on in different ways in {id}")

    def _base(self) -> Base:
        """Return what is decided again, with the rolls and answers that any of the lines knows."""
        line = [self.given.knowing(script) for script in self.longest.plain.values()]
        states = [state_at(self.store, one, self.store.head(one).seq) for one in self.names]
        state = state_at(self.store, self.stream, self.after)
        if not state.dialect:
            raise BadMerge("the log holds no encounter")
        return Base(
            state=state,
            after=self.after,
            line=line,
            people=People.in_fight(state, *states),
            ids={*declared_ids(self.store, self.stream, self.after), *(script.id for script in line)},
            seed=known_seed(self.store, self.stream),
            answers=self.answers,
            leave_open=self.leave_open,
            open=self.given.open,
        )

    def _agreeing(self, changes: Sequence[Change]) -> list[Change]:
        """Return the changes without those that say what one before them says."""
        kept: list[Change] = []
        for change in changes:
            same = next((one for one in kept if agree(one, change)), None)
            if same is None:
                kept.append(change)
            else:
                same.branches = sorted({*same.branches, *change.branches})
                self.agreed.append(side(change))
        return kept

    def _conflicts(self, base: Base, changes: Sequence[Change], attempt: Attempt) -> list[Conflict]:
        found = [
            Conflict((side(one), side(other)), why)
            for one, other in pairs(changes)
            if (why := contradiction(one, other))
        ]
        if found:
            return found
        for change in changes:
            why = self._trouble(change, attempt)
            if why and why != IDLE:
                found.append(Conflict((self._against(base, changes, change), side(change)), why))
        return found or self._either_way(base, changes, attempt)

    def _trouble(self, change: Change, attempt: Attempt) -> str:
        """Return why a change finds nothing to rule on in an attempt, though it did on its own lines."""
        if why := attempt.failed.get(change.place, ""):
            return why if all(self._holds(change, name) for name in change.branches) else IDLE
        now, roll = Found.on(attempt.entries), self._roll(change)
        told = [missing(change, roll, self.found[name], now) for name in change.branches]
        return told[0] if all(told) else ""

    def _holds(self, change: Change, name: str) -> bool:
        """Say whether a ruling has something to rule on on a branch that holds it."""
        ruling, found = change.ruling, self.found[name]
        if ruling is None or not ruling.id or not any(ruling.id in one.cited for one in self.found.values()):
            return ruling is None or not found.ends.get(change.subject, "")
        return ruling.id in found.cited

    def _roll(self, change: Change) -> str:
        """Return the key of the roll that a ruling is about: the last one up to its event, "" for none."""
        ruling = change.ruling
        if ruling is None or not ruling.id or not ruling.event:
            return ""
        made = self.register.ruling(ruling.id)
        rolled = ""
        for event in group_of(self.store, made.parent, made.event):
            if event.seq <= made.event and event.type == "rolled":
                rolled = fact_of(event).key
        return rolled

    def _against(self, base: Base, changes: Sequence[Change], change: Change) -> Side:
        """Return what keeps a change from finding something to rule on: the other side of the conflict."""
        strange = [one for one in changes if not {*one.branches} & {*change.branches}]
        for one in strange:
            rest = [other for other in changes if other is not one]
            if not self._trouble(change, base.attempt(rest)):
                return side(one)
        others = tuple(name for name in self.names if name not in change.branches)
        return Side("what was changed there", others or tuple(self.names))

    def _either_way(self, base: Base, changes: Sequence[Change], attempt: Attempt) -> list[Conflict]:
        """Return conflicts of changes about one declaration whose order makes a difference."""
        state = _without_order(attempt.state)
        for one, other in pairs(changes):
            if one.anchor != other.anchor or not (one.subject or one.faces) or one.beside or other.beside:
                continue
            turned = [other if each is one else one if each is other else each for each in changes]
            again = base.attempt(turned)
            if again.failed or _without_order(again.state) != state:
                why = f"both are about {one.subject or one.anchor}, and each order ends otherwise"
                return [Conflict((side(one), side(other)), why)]
        return []

    def _settled(self, conflicts: Iterable[Conflict]) -> list[Side]:
        lost = [self._loser(one) for one in conflicts]
        return [one for one in lost if one is not None]

    def _loser(self, conflict: Conflict) -> Side | None:
        """Return the side that gives way to the one taken, None if neither or both are taken."""
        one, other = conflict.sides
        taken = [
            any(name == each.what or name in each.branches for name in self.take) for each in (one, other)
        ]
        if taken[0] == taken[1]:
            return None
        return other if taken[0] else one


def _once(changes: Iterable[Change]) -> list[Change]:
    """Return changes of which each is there once, with all the branches that hold it."""
    found: dict[object, Change] = {}
    for change in changes:
        known = found.setdefault(change.same, change)
        known.branches = sorted({*known.branches, *change.branches})
    return list(found.values())


def _in_order(changes: Sequence[Change], line: Sequence[Script]) -> list[Change]:
    """Return changes in the order of the line; those about one declaration in that of the rulings."""
    places = {script.id: at for at, script in enumerate(line) if script.id}

    def place(change: Change) -> tuple[int, int]:
        at = places.get(change.anchor, len(line))
        amendments = change.sorted.amendments
        if amendments:
            # Where it is not declared what is to be changed, the attempt tells it.
            with suppress(AffrayError):
                at = min(at, concerned(amendments, line))
        ruling = change.ruling.id if change.ruling is not None else ""
        return at, int(ruling[1:]) if ruling[1:].isdecimal() else 0

    ordered = sorted(changes, key=place)
    for number, change in enumerate(ordered):
        change.place = number
    return ordered


def _parting(one: Line, other: Line) -> str | None:
    """Return the first declaration in which two lines were played on differently, None if in none."""
    mine, theirs = one.counted, other.counted
    for id in mine:
        if id in other.plain and one.plain[id].facts[0].act != other.plain[id].facts[0].act:
            return id
    more = [id for id in mine if id not in other.plain]
    if more and any(id not in one.plain for id in theirs):
        return more[0]
    return None


def _played(line: Line, parted: str) -> Side:
    return Side(f"what was declared from {parted} on", (line.name,), subject=parted)


def _without_order(state: Encounter) -> str:
    """Return a digest of a state in which it does not matter what came first of conditions and effects."""
    plain = duplicate(state)
    for one in plain.combatants.values():
        one.conditions = dict(sorted(one.conditions.items()))
        one.effects = tuple(sorted(one.effects, key=lambda effect: effect.id))
    return digest(plain)
