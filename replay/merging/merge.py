"""Merge: combine the rulings on several branches of a fight in one line, by deciding it again.

Only declarations and changes by hand are compared. The line is decided again from the last event that the
branches have in common, each change in its place; the order of the branches does not matter.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct, field

from affray.engine.dice import RULED
from affray.engine.language.names import People
from affray.engine.table.policies import AGAIN, Answers, by_combatant
from affray.events.envelope import Entry
from affray.events.errors import AffrayError
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import Asked, Chosen, Declared, OptionsChanged, Rolled, Ruled
from affray.events.stores.store import Store
from affray.projections.state import Encounter, digest, duplicate
from affray.replay.difference import Difference, diff
from affray.replay.log.branches import Origins, keep_origins
from affray.replay.log.declarations import BESIDE, Script, fact_of, find_known_seed, group_of
from affray.replay.log.playhead import state_at
from affray.replay.log.register import Register, register
from affray.replay.merging.conflicts import (
    Conflict,
    LineContents,
    MergeConflict,
    Side,
    agree,
    contradiction,
    missing,
    pairs,
    side,
)
from affray.replay.merging.lines import BY_HAND, Change, Line, Lines, common
from affray.replay.merging.redecision import Attempt, Base
from affray.replay.redecide.rulings import concerned
from affray.replay.whatif.what_if import free_name, yield_declared_ids

# --- The answers and rolls on the branches of a merge, and their pending questions

BY_PEOPLE = frozenset({"physical", "scripted", "imported"})
"""Provenances of results that do not come from a seed: rolling again gives others."""

Said = dict[str, JsonObject]
"""Answers and throws by declaration and key."""


class PlayerInput:
    """The answers and rolls by people on the branches `names`, each as it was played.

    Left out are results of the seed, those given by a ruling or a what-if, and answers by policy on a line
    that was decided again. `open` are the pending questions of a branch that no branch has answered.
    """

    open: frozenset[str] = frozenset()

    def __init__(self, read: Lines, names: Sequence[str]) -> None:
        self.read, self.names = read, names
        self._on = {name: self._said(name) for name in names}
        self._held: Said = {}

    def _said(self, name: str) -> Said:
        found: Said = {}
        for script in self.read.scripts(name):
            for fact in script.facts:
                if _is_said(fact):
                    found.setdefault(script.id, {})[fact.key] = fact
        return found

    def parted(self, one: str, other: str) -> tuple[str, str, str] | None:
        """Return the first declaration in which two branches answered or rolled differently, and how.

        None if there is none. Questions and rolls on only one of them are not differences, nor are other
        dice.
        """
        for id, said in self._on[one].items():
            for key, fact in said.items():
                theirs = self._on[other].get(id, {}).get(key)
                if type(theirs) is type(fact) and _differ(fact, theirs):
                    return id, _called(fact), _called(theirs)
        return None

    def hold(self, names: Sequence[str]) -> None:
        """Use the answers and rolls of these branches, which do not contradict each other."""
        self._held, waiting, answered = {}, set[str](), set[str]()
        for name in names:
            for id, said in self._on[name].items():
                self._held.setdefault(id, {}).update(said)
            waiting.update(_open(self.read.scripts(name)))
            answered.update(fact.key for fact in self.read.answers(name))
        self.open = frozenset(waiting - answered)

    def knowing(self, script: Script) -> Script:
        """Return a declaration with all known answers and rolls, those by people first."""
        first, *rest = script.facts
        more = {**self._held.get(script.id, {})}
        rest = [fact for fact in rest if getattr(fact, "key", "") not in more.keys() | self.open]
        known = {fact.key for fact in rest if hasattr(fact, "key") and type(fact) is not Asked}
        for name in self.names:
            for fact in self.read.answers(name, script.id):
                if fact.key not in known:
                    more.setdefault(fact.key, fact)
        # An answer on one branch counts: the question with which the line ended is no longer pending.
        rest = [fact for fact in rest if type(fact) is not Asked or fact.key not in more]
        return Script(script.id, [first, *more.values(), *rest], script.owner, script.round)

    def alone(self) -> dict[str, list[str]]:
        """Return by key the branches with an answer or roll by people, if not all have it."""
        found: dict[str, list[str]] = {}
        for name in self.names:
            for id, said in self._on[name].items():
                for key, fact in said.items():
                    held = self._held.get(id, {}).get(key)
                    if held is not None and not _differ(fact, held):
                        found.setdefault(key, []).append(name)
        return {key: names for key, names in found.items() if len(names) < len(self.names)}

    def unasked(self, gone: Collection[str], asked: Collection[str]) -> dict[str, str]:
        """Return answers by people to questions that are not `asked`, by key, except those of `gone`."""
        return {
            key: fact.answer
            for id, said in self._held.items()
            if id not in gone
            for key, fact in said.items()
            if type(fact) is Chosen and key not in asked
        }


def _is_said(fact: object) -> bool:
    if type(fact) is Chosen:
        return not fact.by.startswith((AGAIN, RULED))
    return type(fact) is Rolled and fact.provenance in BY_PEOPLE


def _differ(fact: object, theirs: object) -> bool:
    if isinstance(fact, Chosen) and isinstance(theirs, Chosen):
        return fact.answer != theirs.answer
    if isinstance(fact, Rolled) and isinstance(theirs, Rolled):
        return fact.notation == theirs.notation and fact.faces != theirs.faces
    return False


def _called(fact: Any) -> str:
    if isinstance(fact, Chosen):
        return f"the answer {fact.answer!r} to {fact.key}"
    return f"the throw of {','.join(map(str, fact.faces))} for {fact.key}"


def _open(line: Sequence[Script]) -> set[str]:
    """Return the keys of the questions and rolls with which declarations end unanswered."""
    return {script.facts[-1].key for script in line if type(script.facts[-1]) is Asked}


# --- Merging branches: the changes of each on one line, and the conflicts between them


class BadMerge(AffrayError):
    """The branches cannot be merged: too few, one twice, or a side that none of them is."""


IDLE = "it has no object on one of the merged branches"
"""The reason to leave out a change without an object, if it had none on one of the merged branches."""


class Putting:
    """Merge branches: after `join` the line is in `attempt`, and `changes` are those in force on it.

    `lines` are the branches after the last common event, `longest` the one that includes the declarations of
    all; `idle` are changes without an object already on one of their branches, `agreed` and `dropped` those
    equal to another one, and those overridden by the chosen side. `given` are the answers and rolls by
    people.
    """

    def __init__(
        self, store: Store, branches: Sequence[str], take: Sequence[str], answers: Answers, leave_open: bool
    ) -> None:
        self.store, self.take = store, take
        self.answers, self.leave_open = answers, leave_open
        self.names = sorted({*branches})
        if len(self.names) < 2 or len(self.names) < len(branches):
            raise BadMerge("a merge needs two or more branches: name each of them once")
        self.after, self.stream = common(store, self.names)
        if self.after:
            whole = [group_of(store, one, self.after) for one in (self.stream, *self.names)]
            cut = any(group[-1].seq > self.after for group in whole)
            self.after = whole[0][0].seq - 1 if cut else self.after
        if self.after < 1:
            raise BadMerge("the branches have no beginning in common")
        self.read = Lines(store, self.after, self.stream)
        self.lines = [self.read.line(one) for one in self.names]
        self.given = PlayerInput(self.read, self.names)
        self.longest, self.changes = self.lines[0], list[Change]()
        self.register: Register = register(store)
        self.found = {one: LineContents.on(store.read(one, after=self.after)) for one in self.names}
        self.dropped: list[Side] = []
        self.agreed: list[Side] = []
        self.idle: list[Side] = []

    def join(self) -> Attempt:
        """Decide the line again with all changes, or those left after a conflict. Raises MergeConflict."""
        changes = _once(change for line in self.lines for change in line.changes)
        known = {*self.names, *(change.ruling.id for change in changes if change.ruling is not None)}
        for one in self.take:
            if one not in known:
                raise BadMerge(f"there is no side {one!r}; choose one of {', '.join(sorted(known - {''}))}")
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
        """Return the line that includes the declarations of all. Raises MergeConflict if they conflict."""
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
        """Return how two lines were played on differently, None if they were not."""
        parted = _parting(one, other)
        if parted is not None:
            sides = _played(one, parted), _played(other, parted)
            return Conflict(sides, f"they were played on differently from {parted} on")
        said = self.given.parted(one.name, other.name)
        if said is None:
            return None
        id, mine, theirs = said
        sides = Side(mine, (one.name,), subject=id), Side(theirs, (other.name,), subject=id)
        return Conflict(sides, f"they were played on differently in {id}")

    def _base(self) -> Base:
        """Return the declarations to decide again, with all known rolls and answers of the lines."""
        line = [self.given.knowing(script) for script in self.longest.plain.values()]
        states = [state_at(self.store, one, self.store.head(one).seq) for one in self.names]
        state = state_at(self.store, self.stream, self.after)
        if not state.dialect:
            raise BadMerge("the log contains no encounter")
        return Base(
            state=state,
            after=self.after,
            line=line,
            people=People.find_combatants_in_fights(state, *states),
            ids={*yield_declared_ids(self.store, self.stream, self.after), *(script.id for script in line)},
            seed=find_known_seed(self.store, self.stream),
            answers=self.answers,
            leave_open=self.leave_open,
            open=self.given.open,
        )

    def _agreeing(self, changes: Sequence[Change]) -> list[Change]:
        """Return the changes without those equal to an earlier one."""
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
        """Return why a change has no object in an attempt, although it had one on its own lines."""
        if why := attempt.failed.get(change.place, ""):
            return why if all(self._holds(change, name) for name in change.branches) else IDLE
        now, roll = LineContents.on(attempt.entries), self._roll(change)
        told = [missing(change, roll, self.found[name], now) for name in change.branches]
        return told[0] if all(told) else ""

    def _holds(self, change: Change, name: str) -> bool:
        """Return whether a ruling has an object on a branch that contains it."""
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
        """Return what deprives a change of its object: the other side of the conflict."""
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
                why = f"both are about {one.subject or one.anchor}, and their order makes a difference"
                return [Conflict((side(one), side(other)), why)]
        return []

    def _settled(self, conflicts: Iterable[Conflict]) -> list[Side]:
        lost = [self._loser(one) for one in conflicts]
        return [one for one in lost if one is not None]

    def _loser(self, conflict: Conflict) -> Side | None:
        """Return the side overridden by the chosen one, None if neither or both are chosen."""
        one, other = conflict.sides
        taken = [
            any(name == each.what or name in each.branches for name in self.take) for each in (one, other)
        ]
        if taken[0] == taken[1]:
            return None
        return other if taken[0] else one


def _once(changes: Iterable[Change]) -> list[Change]:
    """Return changes without duplicates, each with all the branches that contain it."""
    found: dict[object, Change] = {}
    for change in changes:
        known = found.setdefault(change.same, change)
        known.branches = sorted({*known.branches, *change.branches})
    return list(found.values())


def _in_order(changes: Sequence[Change], line: Sequence[Script]) -> list[Change]:
    """Return changes in the order of the line; those about one declaration in the order of the rulings."""
    places = {script.id: at for at, script in enumerate(line) if script.id}

    def place(change: Change) -> tuple[int, int]:
        at = places.get(change.anchor, len(line))
        amendments = change.sorted.amendments
        if amendments:
            # If the declaration to change does not exist, the attempt reports it.
            with suppress(AffrayError):
                at = min(at, concerned(amendments, line))
        ruling = change.ruling.id if change.ruling is not None else ""
        return at, int(ruling[1:]) if ruling[1:].isdecimal() else 0

    ordered = sorted(changes, key=place)
    for number, change in enumerate(ordered):
        change.place = number
    return ordered


def _parting(one: Line, other: Line) -> str | None:
    """Return the first declaration in which two lines were played on differently, None for none."""
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
    """Return a digest of a state that ignores the order of conditions and effects."""
    plain = duplicate(state)
    for one in plain.combatants.values():
        one.conditions = dict(sorted(one.conditions.items()))
        one.effects = tuple(sorted(one.effects, key=lambda effect: effect.id))
    return digest(plain)


# --- The branches that the events of the new line come from


def traced(
    entries: Sequence[Entry],
    at: int,
    changes: Iterable[Change],
    added: Mapping[str, Iterable[str]],
    answered: Mapping[str, Sequence[str]],
) -> dict[int, list[str]]:
    """Return the branches that the events after event `at` of a line come from.

    `added` are declarations by the branch that made them, `answered` the branches by the key of an answer
    that only they have. O(entries).
    """
    holds: dict[tuple[str, str], set[str]] = {}
    for change in changes:
        for mark in _marks(change):
            holds.setdefault(mark, set()).update(change.branches)
    for branch, ids in added.items():
        for id in ids:
            holds.setdefault(("declared", id), set()).add(branch)
    for key, names in answered.items():
        holds.setdefault(("said", key), set()).update(names)
    found = {}
    for seq, made in enumerate(entries, at + 1):
        held = set[str]().union(*(holds.get(mark, ()) for mark in _marks_of(made)))
        if held:
            found[seq] = sorted(held)
    return found


def _marks(change: Change) -> Iterator[tuple[str, str]]:
    """Yield marks of the events that a change causes."""
    ruling = change.ruling
    if ruling is not None:
        yield "ruled", ruling.id or ruling.text
    for id in (change.subject, change.revived):
        if id:
            yield "declared", id
    for key in change.faces:
        yield "hand", key
    if change.options is not None:
        yield from (("option", f"{name}={value}") for name, value in change.options.options.items())
    if change.beside is not None:
        yield "beside", repr(change.beside.facts[0])


def _marks_of(made: Entry) -> Iterator[tuple[str, str]]:
    """Yield the mark of an event, and the rulings that it cites."""
    fact = fact_of(made)
    kind = type(fact)
    cited = *getattr(fact, "cites", ()), getattr(fact, "by", ""), getattr(fact, "provenance", "")
    yield from (("ruled", one.removeprefix(RULED)) for one in cited if one.startswith(RULED))
    if kind is Ruled:
        yield "ruled", fact.id or fact.text
    elif kind is Declared:
        yield "declared", fact.id
    elif kind is Rolled:
        yield "hand" if fact.provenance == BY_HAND else "said", fact.key
    elif kind is Chosen:
        yield "said", fact.key
    elif kind is OptionsChanged:
        yield from (("option", f"{name}={value}") for name, value in fact.options.items())
    elif kind in BESIDE:
        yield "beside", repr(fact)


class Merged(Struct):
    """The result of a merge: the branch `name` leaves `parent` after event `at`, where all `branches`
    separate.

    `held` are the changes in force on it, in the order of the line; `agreed` those equal to another one,
    `dropped` those overridden by the chosen side, `idle` those without an object on one of their own
    branches. `added` are declarations of only some of the branches, `left_out` those that the line does not
    include, by branch. `unasked` are answers of people on a branch, by the key of their question, which is
    not asked on the line. `digest` is that of the state at its end. The rest is as in `WhatIf`; `differences`
    compare each branch with the new one.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Ruling, import_notation, merge, what_if
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> high = Ruling("it stands higher", ("goblin.defense+1:high ground",), author="Bob")
    >>> one = what_if(store, "main", at=19, ruling=high, name="high")
    >>> two = what_if(store, "main", faces={"d4/fighter/damage/1": [8]}, name="hard")
    >>> merged = merge(store, ["high", "hard"])
    >>> [side.what for side in merged.held], merged.dropped
    (['d4/fighter/damage/1=8', "the ruling 'it stands higher'"], [])
    """

    name: str
    branches: list[str]
    parent: str
    at: int
    head: int
    digest: str
    redecided: int
    held: list[Side]
    agreed: list[Side] = field(default_factory=list)
    dropped: list[Side] = field(default_factory=list)
    idle: list[Side] = field(default_factory=list)
    added: dict[str, list[str]] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    invalidated: dict[str, tuple[str, str]] = field(default_factory=dict)
    possible: list[str] = field(default_factory=list)
    allowed: dict[str, tuple[str, str]] = field(default_factory=dict)
    revived: list[str] = field(default_factory=list)
    refused: dict[str, tuple[str, str]] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    waiting: str = ""
    unasked: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)


def merge(
    store: Store,
    branches: Sequence[str],
    *,
    name: str = "",
    take: Sequence[str] = (),
    answers: Answers | None = None,
    leave_open: bool = False,
) -> Merged:
    """Merge the changes made by hand on several branches into one new line, and return the result.

    Rulings, dice results and readings given by hand, revived and amended declarations of all branches are in
    force on it, and so are later declarations of one of them. Everything is decided again from where they
    separate, with the recorded dice and answers; new questions go to `answers` (and with `leave_open` stay
    pending), as in `what_if`. An answer on one branch counts; a question pending on a branch and answered on
    none stays pending, and the line ends there, whatever `answers` would return.

    A change without an object, two contradicting changes, and branches that were played on or answered
    differently are conflicts: MergeConflict names both sides of each, and nothing is written. `take` resolves
    them for a branch or a ruling: its side is used, the other dropped. O(events after the common part), again
    for two changes of one declaration and for each change of a conflict. Also raises BadMerge, UnknownStream,
    InvalidBranch.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Ruling, merge, what_if
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> stones = Ruling("the fallen stones cover her", ("sorcerer.defense+4:cover",), author="GM")
    >>> one = what_if(store, "main", at=52, ruling=stones, name="stones")
    >>> two = what_if(store, "main", faces={"d6/ogre/attack/1": [2]}, name="luck")
    >>> merged = merge(store, ["stones", "luck"], name="both")
    >>> merged.parent, merged.at
    ('main', 23)
    """
    name = free_name(store, name, "merge")
    putting = Putting(store, branches, take, answers or by_combatant(), leave_open)
    attempt = putting.join()
    again, at = attempt.again, putting.after
    common, taken = putting.read.line(putting.stream).plain, putting.longest.plain
    # The numbers of declarations are those of the parent, and refusals there stay.
    parent = putting.stream if {*taken} <= {*common} else putting.longest.name
    store.fork(name, parent, at)
    store.append(name, attempt.entries, at)
    declared = {line.name: line.plain for line in putting.lines}

    def is_taken(script: Script) -> bool:
        found = taken.get(script.id)
        return found is not None and found.facts[0].act == script.facts[0].act

    added = _these(
        declared, lambda one: is_taken(one) and any(one.id not in ids for ids in declared.values())
    )
    found = traced(attempt.entries, at, putting.changes, added, putting.given.alone())
    keep_origins(store, name, Origins(putting.names, found))
    return Merged(
        name=name,
        branches=putting.names,
        parent=parent,
        at=at,
        head=at + len(attempt.entries),
        digest=digest(attempt.state),
        redecided=again.count,
        held=[side(change) for change in putting.changes],
        agreed=putting.agreed,
        dropped=putting.dropped,
        idle=putting.idle,
        added=added,
        left_out=_these({putting.stream: common} | declared, lambda one: not is_taken(one)),
        invalidated=again.invalidated,
        possible=again.possible,
        allowed=again.allowed,
        revived=again.revived,
        refused=again.refused,
        fresh=again.fresh,
        asked=again.asked,
        ended=again.ended,
        waiting=again.waiting.question if again.waiting is not None else "",
        unasked=putting.given.unasked(
            {*attempt.left, *again.invalidated, *again.refused},
            {*again.choices, again.waiting.key if again.waiting is not None else ""},
        ),
        left=attempt.left,
        differences=[diff(store, one, name) for one in putting.names],
    )


def _these(
    declared: Mapping[str, Mapping[str, Script]], wanted: Callable[[Script], bool]
) -> dict[str, list[str]]:
    """Return the wanted declarations of each branch, without branches that have none."""
    found = {name: [id for id, one in line.items() if wanted(one)] for name, line in declared.items()}
    return {name: ids for name, ids in found.items() if ids}
