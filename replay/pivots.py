"""Pivots: every single change that alone would have made the difference to an outcome."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.events.errors import AffrayError
from affray.events.facts.declared import Chosen
from affray.events.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter, duplicate
from affray.projections.timeline import END as END_OF_LINE
from affray.projections.timeline import Timeline
from affray.replay.fan_out import fan_out
from affray.replay.fight_over import fight_over
from affray.replay.groups import groups, known_seed
from affray.replay.predicates import Atom, Outcome, holds, outcome
from affray.replay.rest_of_line import AFTER, BEGINS, END, Change, Lines, Rest, Verdict, When, mark_of
from affray.replay.scripts import scripts
from affray.replay.single_changes import TOLD, Thrown, came_to, choices, rolls, struck, throws

OPENING = 1
"""The event with which a fight is opened: whatever is changed, it stays."""


class NotDecidedSo(AffrayError):
    """Today's rules decide the recorded line otherwise than it was: nothing can be said of a single change."""


class Shown(Struct, frozen=True):
    """Faces of a roll that make the difference: the single face, or the total of several, and what comes of it."""

    low: int
    high: int
    comes: str


class Pivot(Struct, frozen=True):
    """A change that alone makes the difference: `kind` is die, choice, modifier or reading.

    It is about event `seq`; `key` names the roll, the question, the modifier as a ruling strikes it out or
    the option. `was` is what was recorded, `would` what it would have to be, the nearest such of a roll with
    its `faces`. Of a roll `ways` of its `possible` throws make the difference, those `shown`; what else is
    changed has no likelihood, and `possible` is 0. Then the declarations `impossible` cannot be made any more
    (id, reason, rule), `fresh` are rolls that nobody made, `asked` questions that nobody was asked.
    """

    kind: str
    seq: int
    declaration: str
    who: str
    key: str
    was: str
    would: str
    ways: int = 0
    possible: int = 0
    faces: tuple[int, ...] = ()
    shown: tuple[Shown, ...] = ()
    impossible: tuple[tuple[str, str, str], ...] = ()
    fresh: tuple[str, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()

    @property
    def chance(self) -> Fraction | None:
        """How likely the change was; None for what no dice decide."""
        return Fraction(self.ways, self.possible) if self.possible else None


class Unknown(Struct, frozen=True):
    """A change of which nothing can be told, and why."""

    seq: int
    key: str
    reason: str


class Pivots(Struct, frozen=True):
    """All pivots of an outcome on a line, the likeliest first, then those without a likelihood.

    `holds` says whether the outcome came about; each pivot is a change with which it is the other way round.
    `tried` counts the changes that were tried, `rolls` the dice among them.
    """

    branch: str
    head: int
    outcome: str
    holds: bool
    tried: int
    rolls: int
    pivots: tuple[Pivot, ...]
    unknown: tuple[Unknown, ...] = ()


class Tried(Struct):
    """What was found in a part of the line."""

    found: list[Pivot]
    unknown: list[Unknown]
    tried: int = 0
    rolls: int = 0


def pivots(
    store: Store,
    text: str,
    *,
    branch: str = "",
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Pivots:
    """Return every single change that alone makes the difference to an outcome (`predicates`) of a line.

    Tried are all throws of each roll, all answers to each question, all readings of each contested rule, and
    each modifier struck out; the rest of the line is decided again as a what-if decides it: recorded acts,
    dice by their keys. What is found is the same however many processes (`jobs`) share the work; `progress`
    is told how many of how many parts are done. Costs a part of a what-if for each change. Raises BadOutcome,
    UnknownPath, BadPosition, NotDecidedSo, and AffrayError for a log that holds no encounter.
    """
    branch = branch or store.main_line()
    line = _Line(store, branch, text)
    parts = list(line.parts())
    made = Tried([], [])
    for done, tried in enumerate(fan_out(tried_part, parts, jobs=jobs), 1):
        made.found += tried.found
        made.unknown += tried.unknown
        made.tried += tried.tried
        made.rolls += tried.rolls
        if progress is not None:
            progress(done, len(parts))
    order = {kind: at for at, kind in enumerate(("die", "choice", "modifier", "reading"))}
    found = sorted(made.found, key=lambda one: (order[one.kind], -(one.chance or 0), one.seq))
    return Pivots(
        branch,
        line.head,
        line.outcome.text,
        line.outcome.of(line.recorded),
        made.tried,
        made.rolls,
        tuple(found),
        tuple(made.unknown),
    )


class _Line:
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
        """Yield what can be worked out apart: for each declaration the line from there on, and each reading."""
        self._check()
        last = max(when.group for when in self.whens)
        if last >= 0:
            for entry in self.fight.dialect.book.contested.values():
                now = self.fight.dialect.book.reading(entry.option, self.states[0].options).name
                others = [one.name for one in entry.readings if one.name != now and not entry.awaits]
                yield from (self._from(0, [Change("reading", entry.option, one)]) for one in others)
        for at, script in enumerate(self.groups[: last + 1]):
            if script.id and len(script.facts) > 1:
                yield self._from(at, [])

    def _from(self, at: int, changes: list[Change]) -> Rest:
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

    def _check(self) -> None:
        """Raise NotDecidedSo where today's rules part from the record."""
        parted = Lines(self._from(0, [])).parted()
        if parted:
            raise NotDecidedSo(
                f"today's rules decide {parted} otherwise than it was recorded: see affray verify"
            )


def tried_part(rest: Rest) -> Tried:
    """Return what single changes of the first group of a line, or readings, come to."""
    lines, made = Lines(rest), Tried([], [])
    if rest.changes:
        for change in rest.changes:
            was = fight_over(rest.state, None).dialect.book.reading(change.key, rest.state.options).name
            plain = Pivot("reading", OPENING, "", "", change.key, was, change.value)
            _take(made, plain, lines.under(change), rest)
        return made
    first, facts = rest.groups[0], rest.groups[0].facts
    for at, rolled in rolls(facts):
        plain = Pivot(
            "die", rest.seq + 1 + at, first.id, rolled.who, rolled.key, _faces_told(rolled.faces, rolled.total), ""
        )
        made.rolls += 1
        _dice(made, lines, rest, plain, rolled)
    for at, fact in enumerate(facts):
        for change in choices(fact) if type(fact) is Chosen else ():
            plain = Pivot(
                "choice", rest.seq + 1 + at, first.id, fact.who, fact.key, fact.answer, change.value
            )
            _take(made, plain, lines.under(change), rest)
    for at, change, part in struck(facts):
        who = change.key[: change.key.index(f".{change.value}-")]
        was = f"{part.value:+d} {part.source or part.kind}"
        plain = Pivot("modifier", rest.seq + 1 + at, first.id, who, change.key, was, change.value)
        _take(made, plain, lines.under(change), rest)
    return made


def _take(made: Tried, plain: Pivot, verdict: Verdict, rest: Rest) -> None:
    made.tried += 1
    if verdict.unknown:
        made.unknown.append(Unknown(plain.seq, plain.key, verdict.unknown))
    elif verdict.holds != rest.outcome.of(rest.recorded):
        made.found.append(_with(plain, verdict))


def _with(plain: Pivot, verdict: Verdict) -> Pivot:
    return replace(plain, impossible=verdict.impossible, fresh=verdict.fresh, asked=verdict.asked)


def _dice(made: Tried, lines: Lines, rest: Rest, plain: Pivot, rolled: Any) -> None:
    """Try all throws of a roll."""
    try:
        every = throws(rolled.notation)
    except AffrayError as error:
        made.unknown.append(Unknown(plain.seq, plain.key, str(error)))
        return
    asked, turned = rest.outcome.of(rest.recorded), list[tuple[Thrown, Verdict]]()
    for one in every:
        if (one.faces[0], one.total) == (rolled.faces[0], rolled.total):
            made.tried += one.ways - 1
            continue
        verdict = lines.under(Change("die", plain.key, faces=one.faces), TOLD.__contains__)
        made.tried += one.ways
        if verdict.unknown:
            made.unknown.append(Unknown(plain.seq, plain.key, verdict.unknown))
        elif verdict.holds != asked:
            turned.append((one, verdict))
    if not turned:
        return
    nearest, verdict = min(turned, key=lambda one: _distance(one[0], rolled))
    shown = tuple(_ranges([(one.total, came_to(found.facts, plain.key)) for one, found in turned]))
    made.found.append(
        replace(
            _with(plain, verdict),
            would=_faces_told(nearest.faces, nearest.total),
            ways=sum(one.ways for one, _ in turned),
            possible=sum(one.ways for one in every),
            faces=nearest.faces,
            shown=shown,
        )
    )


def _distance(one: Thrown, rolled: Any) -> tuple[int, int, int]:
    apart = sum(abs(a - b) for a, b in zip(one.faces, rolled.faces, strict=False))
    return abs(one.total - rolled.total), apart, one.total


def _ranges(turned: Sequence[tuple[int, str]]) -> Iterator[Shown]:
    """Yield the totals that make the difference, runs of them that come to the same together."""
    run: Shown | None = None
    for total, comes in sorted(dict.fromkeys(turned)):
        if run is not None and (total - run.high, comes) in ((0, run.comes), (1, run.comes)):
            run = Shown(run.low, total, comes)
            continue
        if run is not None:
            yield run
        run = Shown(total, total, comes)
    if run is not None:
        yield run


def _faces_told(faces: Sequence[int], total: int) -> str:
    told = ", ".join(map(str, faces))
    return told if len(faces) < 2 else f"{told} = {total}"
