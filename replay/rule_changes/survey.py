"""Errata: decide many logs again with a rule change, and report the differences, rule by rule."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any

from affray.engine.book.packages import for_a_while
from affray.engine.dialects import load
from affray.engine.dice import Notation
from affray.engine.dice.sources import Answer, Source
from affray.engine.fight.fight import Fight, is_down
from affray.engine.language.cast import Cast
from affray.engine.steps import Roll
from affray.engine.table.policies import Recorded, ask, by_combatant
from affray.engine.table.runner import refusal_of, resolve
from affray.engine.text.narrate import told
from affray.events.codec import decode, encode
from affray.events.envelope import Branch, Entry, Event
from affray.events.errors import AffrayError, BrokenLog
from affray.events.facts.flow import (
    Declared,
    EncounterOpened,
    Invalidated,
    OptionsChanged,
    Refused,
    RoundEnded,
    Ruled,
)
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.events.validation import Unreadable, read_json
from affray.projections.audit import Part, cited, parts_of_fact
from affray.projections.fold import apply, fold
from affray.projections.state import Encounter, duplicate
from affray.replay.checks import Problem
from affray.replay.difference import compared, gathered
from affray.replay.log.declarations import NO_OUTCOME, Recording, find_known_seed, groups, scripts
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.log_files import find_logs_in, open_any
from affray.replay.redecide.redecide import BranchWriter, Reach
from affray.replay.redecide.rule_change import Change, Rules, check_change, concerned
from affray.replay.rule_changes.another_dialect import DoesNotFit, decide_under
from affray.replay.rule_changes.report import ChangePlace, Errata, Fate, LogEffects, by_rule
from affray.replay.verification.line_audit import LineAudit
from affray.replay.workers import fan_out

# --- Who now wins, lives and dies; and a short reason for a log that is not as recorded


def fates(
    found: LogEffects, before: tuple[Encounter, Fight | None], after: tuple[Encounter, Fight | None]
) -> None:
    """Store who wins, lives and dies after a change, and did not before."""
    found.won, found.wins = _get_standing_side(*before), _get_standing_side(*after)
    for id, other in after[0].combatants.items():
        one = before[0].combatants.get(id)
        dead = one is not None and before[0].is_dead(one), after[0].is_dead(other)
        if one is not None and dead[0] != dead[1]:
            (found.dies if dead[1] else found.lives).append(Fate(id, other.sheet.name))


def _get_standing_side(state: Encounter, fight: Fight | None) -> str:
    """Return the only side with a combatant standing, "" if there is not exactly one."""
    if fight is None:
        return ""
    sides = {one.side for one in state.combatants.values() if not is_down(fight, one)}
    return next(iter(sides)) if len(sides) == 1 else ""


def summarize_difference(problem: Problem) -> str:
    """Return the difference of an event today in brief: its type and the fields that differ."""
    try:
        sides = [read_json(side) for side in (problem.recorded, problem.found)]
        names = [name for name in {**sides[0], **sides[1]} if sides[0].get(name) != sides[1].get(name)]
        return f"{problem.what}: {sides[0]['type']} differs in {', '.join(names)}"
    except (Unreadable, TypeError, AttributeError, LookupError):
        kind = _TYPE.match(problem.recorded)
        if kind:
            return f"{problem.what}: {kind[1]} differs"
        both = f": recorded {problem.recorded}, today {problem.found}" if problem.found else ""
        return f"{problem.what}{both}"[:300]


_TYPE = re.compile(r'\{"type":"([a-z.-]+)"')


# --- Where two decisions of a declaration first differ, and by which rules


def is_same_fact(a: object, b: object) -> bool:
    """Return whether two facts are the same, ignoring the digest of the state at a round's end.

    The digest covers the chosen readings, and differs with them.
    """
    if type(a) is not type(b):
        return False
    if isinstance(a, RoundEnded) and isinstance(b, RoundEnded):
        return a.number == b.number
    # The parts of an attack may be in a fact in their encoded form: then the bytes are compared.
    return bool(a == b or encode(a) == encode(b))


def find_first_difference(a: Sequence[object], b: Sequence[object]) -> int:
    """Return the place of the first fact that differs; the length of both if they are the same."""
    for at, (one, other) in enumerate(zip(a, b, strict=False)):
        if not is_same_fact(one, other):
            return at
    return min(len(a), len(b))


def rules_apart(a: Sequence[object], b: Sequence[object], about: Collection[str] = ()) -> tuple[str, ...]:
    """Return the rules cited where the facts of a declaration first differ, the distinguishing ones first.

    These are the rules of modifiers that only one of both has; then the changed rules (`about`) that are
    cited there; then those cited by only one; then all. If no rule is cited (a roll), the following facts are
    used.
    """
    at = find_first_difference(a, b)
    for near in (1, None):
        one, other = a[at:][:near], b[at:][:near]
        all_cited = [rule for fact in (*other, *one) for rule in cited(fact)]
        if all_cited:
            mine, theirs = ({rule for fact in side for rule in cited(fact)} for side in (one, other))
            first = [
                *_rules_of_parts(one, other),
                *(rule for rule in all_cited if rule in about),
                *(rule for rule in all_cited if (rule in mine) != (rule in theirs)),
            ]
            return tuple(dict.fromkeys((*first, *all_cited)))
    return ()


def apart_in_words(a: Sequence[object], b: Sequence[object]) -> tuple[object, object]:
    """Return the first facts that differ and are outcomes, None where one side has none."""
    at = find_first_difference(a, b)
    return next(_outcomes(a[at:]), None), next(_outcomes(b[at:]), None)


def _outcomes(facts: Sequence[Any]) -> Iterator[object]:
    return (fact for fact in facts if fact.__struct_config__.tag not in NO_OUTCOME - {"invalidated"})


def _rules_of_parts(a: Sequence[object], b: Sequence[object]) -> Iterator[str]:
    mine, theirs = ([part for fact in side for part in _parts(fact)] for side in (a, b))
    for part in (*theirs, *mine):
        if part.rule and ((part in mine) != (part in theirs)):
            yield part.rule


def _parts(fact: object) -> Iterator[Part]:
    return parts_of_fact(0, fact)


# --- Deciding a recorded line in parallel with changed rules, until they differ; and the consequences


class MissingRoll(Exception):
    """Changed rules need dice that were not rolled."""


class Thrown:
    """The dice of a declaration as rolled. Raises OtherRoll for any others."""

    def __init__(self, then: Source) -> None:
        self.then = then

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the recorded throw of these dice; None for a roll that the fight waits for."""
        try:
            found = self.then.throw(key, notation)
        except Exception as fault:
            raise MissingRoll from fault
        return found


class ParallelReplay:
    """Changed rules in parallel with a record: `parted` holds the groups from the first difference on.

    As long as both agree they share one state except for the readings and house rules in force, so that later
    differences are due to the change alone.
    """

    def __init__(self, rules: Rules, seed: bytes | None) -> None:
        self.rules, self.seed = rules, seed
        self.fight: Fight | None = None
        self.before: Encounter | None = None
        self.parted: list[Sequence[Event]] = []
        self.voided: set[str] = set()

    def hear(self, group: Sequence[Event], facts: Sequence[object]) -> None:
        """Decide the next group of the record, or copy it if no rule decides it."""
        if self.parted:
            self.parted.append(group)
            return
        first = facts[0]
        if type(first) is Ruled and first.verdict == "void":
            self.voided.add(first.subject)
        if type(first) is Declared and self.fight is not None and first.id not in self.voided:
            before = duplicate(self.fight.state)
            if self._same(self.fight, first, group, facts):
                return
            self.before = before
            self.parted.append(group)
            return
        self._take(facts)

    def _take(self, facts: Sequence[object]) -> None:
        """Apply facts as recorded; the changed readings stay as changed."""
        state = self.fight.state if self.fight is not None else Encounter()
        for fact in facts:
            apply(state, fact)
        if self.fight is None or type(facts[0]) is OptionsChanged:
            state.options.update(self.rules.readings)
            self.fight = self.over(state)
        else:
            self.fight.memory.touch_everything()

    def over(self, state: Encounter) -> Fight:
        """Return the working context of the changed rules for a state, which it takes over."""
        state.packages = self.rules.packages
        fight = Fight(state, load(state.dialect, self.rules.figures, state.tables, state.packages))
        fight.dialect.book.check_changes(state.options)
        fight.seed = self.seed.hex() if self.seed else ""
        return fight

    def _same(self, fight: Fight, first: Declared, group: Sequence[Event], facts: Sequence[object]) -> bool:
        """Return whether the rules decide a declaration as recorded, and apply it if so."""
        last = facts[-1]
        if type(last) is Refused:
            apply(fight.state, first)
            refusal = refusal_of(fight, first)
            same = last.stays or (
                refusal is not None and (refusal.reason, refusal.rule) == (last.reason, last.rule)
            )
            apply(fight.state, last)
            fight.memory.touch_everything()
            return same
        ends = next((at for at, fact in enumerate(facts) if type(fact) in (Ruled, Invalidated)), len(facts))
        known = Recording.of(facts)
        heard: list[object] = []
        try:
            result = resolve(
                fight,
                first,
                seq=group[0].seq,
                dice=Thrown(known.dice()),
                answers=Recorded(known.answers, ask),
                tell=heard.append,
            )
        except MissingRoll:
            return False
        heard = [fact for fact in heard if type(fact) is not Roll]
        if type(last) is Invalidated:
            refused = result.refused
            return refused is not None and (refused.reason, refused.rule) == (last.reason, last.rule)
        if len(heard) != ends or find_first_difference(heard, facts[:ends]) != ends:
            return False
        for fact in facts[ends:]:
            apply(fight.state, fact)
        if ends < len(facts):
            fight.memory.touch_everything()
        return True

    def onward(self) -> tuple[BranchWriter, list[list[Event]]]:
        """Decide everything from the first difference on with the changed rules; return the results by
        declaration.

        The same roll has the same result, the same question gets the same answer; others use the seed and the
        combatants' policies. Raises what the rules raise.
        """
        assert self.before is not None
        start = self.parted[0][0].seq - 1
        recorded = scripts(self.parted, self.before.active)
        again = BranchWriter(
            self.over(duplicate(self.before)),
            start,
            {},
            by_combatant(),
            self.seed,
            {one.id for one in recorded},
        )
        if self.rules.readings:
            again.options(self.rules.readings)  # readings recorded later do not undo them
        skipped = len(again.entries)
        Reach(again, recorded).run()
        events = [
            Event("", start + number, made.type, made.version, made.round, made.turn, *_rest(made))
            for number, made in enumerate(again.entries, 1)
        ]
        return again, [list(group) for _, group in groupby(events[skipped:], key=lambda event: event.cause)]


def _rest(made: Entry) -> tuple[str, int, bytes, bytes]:
    return made.actor, made.cause, made.data, b""


def decoded(group: Sequence[Event]) -> list[object]:
    """Return the facts of a group."""
    return [decode(event) for event in group]


def errata(
    places: Iterable[str | Path],
    change: Change | None = None,
    *,
    branch: str = "",
    jobs: int = 1,
    on: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Errata:
    """Decide logs again as they were recorded, then with a change, and report the differences.

    `places` are logs and folders of logs. Each is read along its main line, or along `branch`; one that is
    not decided as recorded is listed separately, so that a difference is due to the change. A log of another
    version of a package in the change is only decided with it, and compared with the record. After the first
    difference the same roll has the same result. The logs are only read, and the result is the same however
    many workers share the work (`workers`); `progress` is called with the number of finished logs and of all.

    O(events), some tens of milliseconds per fight. Problems with a log are in the result. Raises BadChange,
    UnknownFigure, BadPackage and the like for a change that no rulebook knows, AffrayError if there is no
    log.

    >>> from tempfile import TemporaryDirectory
    >>> from affray.engine import packaged, play
    >>> from affray.events import SqliteStore
    >>> from affray.replay import Change, errata
    >>> with TemporaryDirectory() as folder:
    ...     with SqliteStore(f"{folder}/wall.db") as store:
    ...         table = play(packaged("demo_srd35"), store)
    ...     found = errata([folder], Change(readings={"soft_cover": "none"}))
    >>> len(found.logs)
    1
    """
    change = change if change is not None else Change()
    logs = []
    with for_a_while():
        check_change(change)
        found, passed = find_logs_in(places)
        for one in fan_out(decide, [(log, branch, change) for log in found], jobs=jobs, on=on):
            logs.append(one)
            if progress is not None:
                progress(len(logs), len(found))
    return Errata(str(change), logs, by_rule(logs), passed)


def decide(given: tuple[Path, str, Change]) -> LogEffects:
    """Decide one log, a file with a branch ("" for its main line), as recorded and with a change.

    All problems are in the result; nothing is raised.
    """
    log, branch, change = given
    found = LogEffects(str(log), "cannot be read")
    try:
        with open_any(log) as store:
            _decide(found, store, branch or store.main_line(), change)
    except (AffrayError, OSError) as fault:
        found.why = found.why or _one_line(fault)
    except Exception as fault:  # a forged log: reported, and the others continue
        found.why = found.why or f"{type(fault).__name__}: {_one_line(fault)}"
    return found


def _decide(found: LogEffects, store: Store, branch: str, change: Change) -> None:
    opening = next((decode(event) for event in store.read(branch, upto=1)), None)
    if type(opening) is not EncounterOpened:
        raise AffrayError("the log contains no encounter")
    found.dialect, found.name = opening.dialect, opening.name
    known = find_known_seed(store, branch)
    found.length = store.head(branch).seq
    line = _Line(store, next(store.lineage(branch)), known)
    try:
        rules = concerned(change, opening)
    except AffrayError as fault:
        found.state, found.why = "fails", _one_line(fault)
        rules = None
    if rules is not None:
        line.beside = ParallelReplay(rules, known or _get_substitute_seed(store, branch))
        line.edited = bool(rules.edited)
    line.run()
    if line.unsaid is not None:
        raise line.unsaid
    for check in (line.chain, line.structure):
        if check.problem is not None:
            raise BrokenLog(check.problem.stream, check.problem.seq, check.problem.what)
    if (problem := line.problem) is not None:
        found.state = "does not come out as recorded"
        found.why = f"#{problem.seq}: {summarize_difference(problem)}"
    elif found.state == "fails":
        pass
    elif change.dialect and change.dialect != opening.dialect:
        _under(found, store, branch, change.dialect, known or _get_substitute_seed(store, branch))
    elif rules is None:
        found.state = "same" if change.empty else "other rulebook"
    elif line.fault:
        found.state, found.why = "fails", line.fault
    elif line.beside is not None and line.beside.parted:
        _compare(found, line, line.beside, secret=known is None)
    else:
        found.state = "same"


class _Line(LineAudit):
    """The audit of a line, in parallel with changed rules."""

    def __init__(self, store: Store, branch: Branch, seed: bytes | None) -> None:
        super().__init__(store, branch, seed=lambda: seed)
        self.beside: ParallelReplay | None = None
        self.fault = ""
        self.edited = False
        """Whether another version of a package replaces the recorded one, which then decides nothing."""

    def _decide(self, group: Sequence[Event], facts: Sequence[object]) -> None:
        if self.beside is not None and not self.fault:
            try:
                self.beside.hear(group, facts)
            except Exception as fault:  # any error in unfinished rules
                self.fault = f"#{group[0].seq}: {type(fault).__name__}: {_one_line(fault)}"
        if not self.edited:
            super()._decide(group, facts)
        elif type(facts[0]) is Ruled:
            self.ruled.add(group[0].stream)


def _compare(found: LogEffects, line: _Line, beside: ParallelReplay, *, secret: bool) -> None:
    """Store where the changed rules differ from the record and the consequences."""
    assert beside.before is not None
    base, first = beside.before, beside.parted[0]
    try:
        again, came = beside.onward()
    except Exception as fault:
        found.state, found.why = "fails", f"#{first[0].seq}: {type(fault).__name__}: {_one_line(fault)}"
        return
    found.state = "changed"
    seq = first[0].seq - 1
    one = gathered((event for group in beside.parted for event in group), duplicate(base))
    other = gathered((event for group in came for event in group), duplicate(base))
    made = compared(base, ("recorded", "changed"), seq, one, other)
    id = decode(first[0]).id
    mine = decoded(first)
    theirs = next((facts for facts in map(decoded, came) if getattr(facts[0], "id", "") == id), [])
    cast = Cast.of(one.state, other.state)
    before, after = (told(fact, cast) if fact else "nothing else" for fact in apart_in_words(mine, theirs))
    rules = rules_apart(mine, theirs, beside.rules.about)
    if id in again.allowed:
        reason, rule = again.allowed[id]
        rules, before = (rule,) if rule else (), f"Refused: {reason}"
        after = "It would be allowed, but stays refused as declared"
    event = first[min(find_first_difference(mine, theirs), len(first) - 1)]
    found.parting = ChangePlace(event.seq, event.round, event.turn, id, rules, before, after)
    found.sentence = made.sentence
    found.events, found.rolls = len(made.events), len(made.rolls)
    found.declarations = len(made.declarations)
    found.others = [cast.name(change.id) for change in made.combatants]
    fight = again.fight
    ended = line.fight if line.fight is not None else beside.over(duplicate(line.folded))
    fates(found, (line.folded, ended), (fight.state, fight))
    notes = []
    if again.fresh and secret and not fight.state.chains:
        notes.append("the seed is secret: new rolls use a seed from the log's digest")
    if again.waiting is not None:
        notes.append(f"it stops at a question: {again.waiting.question}")
    found.why = "; ".join(notes)


def _under(found: LogEffects, store: Store, branch: str, dialect: str, seed: bytes) -> None:
    """Decide a line under another rulebook, and store the differences."""
    into = MemoryStore()
    try:
        made = decide_under(store, dialect, into, branch=branch, new_dice=seed)
    except DoesNotFit as fault:
        found.state, found.why = "fails", _one_line(fault)
        return
    except Exception as fault:
        found.state, found.why = "fails", f"{type(fault).__name__}: {_one_line(fault)}"
        return
    found.state = "changed" if made.partings else "same"
    stops = [f"it stops at a question: {made.waiting}"] if made.waiting else []
    found.why = "; ".join((*stops, *made.not_carried))
    states = fold(store.read(branch)), fold(into.read("main"))
    fates(found, *((state, make_fight_context(state, None)) for state in states))
    if not made.partings:
        return
    first = made.partings[0]
    groups_of = {_id(group): group for group in groups(store.read(branch))}
    event = groups_of[first.id][0] if first.id in groups_of else groups_of[""][-1]
    before, after = (
        side.beyond(other) if side is not None else []
        for side, other in ((first.a, first.b), (first.b, first.a))
    )
    reason, rule = made.impossible.get(first.id, ("", ""))
    rules = (rule,) if rule else tuple(dict.fromkeys(id for one in (*after, *before) for id in one.rules))
    said = f"It cannot be made: {reason}" if reason else after[0].text if after else "nothing else"
    found.parting = ChangePlace(
        event.seq,
        event.round,
        event.turn,
        first.id,
        rules,
        before[0].text if before else "nothing else",
        said,
    )
    found.sentence = first.said
    found.declarations = len(made.partings)
    found.others = [change.id for change in made.combatants]
    found.rolls = len(made.fresh) + len(made.unrolled)
    found.events = sum(
        len(side.beyond(other))
        for one in made.partings
        for side, other in ((one.a, one.b), (one.b, one.a))
        if side is not None
    )


def _id(group: Sequence[Event]) -> str:
    first = decode(group[0])
    return first.id if type(first) is Declared else ""


def _get_substitute_seed(store: Store, branch: str) -> bytes:
    """Return the seed of new rolls in a log with a secret seed: the same each time."""
    return blake2b(store.head(branch).digest, digest_size=32, person=b"affray errata").digest()


def _one_line(fault: Exception) -> str:
    return " ".join(str(fault).split())
