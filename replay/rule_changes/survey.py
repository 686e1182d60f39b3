"""Errata: many logs decided again with a change of the rules, and what comes out otherwise, rule by rule."""

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from affray.engine.book.packages import for_a_while
from affray.events.codec import decode
from affray.events.envelope import Branch, Event
from affray.events.errors import AffrayError, BrokenLog
from affray.events.facts.declared import Declared
from affray.events.facts.flow import EncounterOpened
from affray.events.memory import MemoryStore
from affray.events.store import Store
from affray.projections.fold import fold
from affray.projections.state import duplicate
from affray.replay.another_dialect import DoesNotFit, decide_under
from affray.replay.difference import compared, gathered
from affray.replay.fan_out import fan_out
from affray.replay.fight_over import fight_over
from affray.replay.groups import groups, known_seed
from affray.replay.line_audit import LineAudit
from affray.replay.log_file import open_any
from affray.replay.narrate.listing import told
from affray.replay.rule_changes.beside import Beside, decoded
from affray.replay.rule_changes.change import Change, check_change, concerned
from affray.replay.rule_changes.fates import fates, in_brief
from affray.replay.rule_changes.first_parting import apart_in_words, first_apart, rules_apart
from affray.replay.rule_changes.found import Errata, OneLog, Place, by_rule
from affray.replay.rule_changes.logs import logs_in
from affray.replay.sentence_of_difference import cast_of


def errata(
    places: Iterable[str | Path],
    change: Change | None = None,
    *,
    branch: str = "",
    jobs: int = 1,
    on: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Errata:
    """Decide logs again as they were recorded, then with a change, and say what comes out otherwise.

    `places` are logs and folders of logs. Each is read along its main line, or along `branch`; one that does
    not come out again as it was recorded is told apart, so that a difference is the change's own. After the
    first difference the same roll shows the same faces. The logs are only read, and the result is the same
    however many workers share the work (`fan_out`); `progress` is told how many of how many logs are done.

    O(events), some tens of milliseconds for a fight. What is wrong with a log stands in the result. Raises
    BadChange, UnknownFigure, BadPackage and the like for a change that no rulebook knows, AffrayError where
    there is no log.

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
        found, passed = logs_in(places)
        for one in fan_out(decide, [(log, branch, change) for log in found], jobs=jobs, on=on):
            logs.append(one)
            if progress is not None:
                progress(len(logs), len(found))
    return Errata(str(change), logs, by_rule(logs), passed)


def decide(given: tuple[Path, str, Change]) -> OneLog:
    """Decide one log, a file with a branch ("" for its main line), as recorded and with a change.

    Whatever is wrong with it stands in what is returned; nothing is raised.
    """
    log, branch, change = given
    found = OneLog(str(log), "cannot be read")
    try:
        with open_any(log) as store:
            _decide(found, store, branch or store.main_line(), change)
    except (AffrayError, OSError) as fault:
        found.why = found.why or _one_line(fault)
    except Exception as fault:  # a log that somebody forged: told, and the others go on
        found.why = found.why or f"{type(fault).__name__}: {_one_line(fault)}"
    return found


def _decide(found: OneLog, store: Store, branch: str, change: Change) -> None:
    opening = next((decode(event) for event in store.read(branch, upto=1)), None)
    if type(opening) is not EncounterOpened:
        raise AffrayError("the log holds no encounter")
    found.dialect, found.name = opening.dialect, opening.name
    known = known_seed(store, branch)
    found.length = store.head(branch).seq
    line = _Line(store, next(store.lineage(branch)), known)
    try:
        rules = concerned(change, opening)
    except AffrayError as fault:
        found.state, found.why = "fails", _one_line(fault)
        rules = None
    if rules is not None:
        line.beside = Beside(rules, known or _stand_in(store, branch))
    line.run()
    if line.unsaid is not None:
        raise line.unsaid
    for check in (line.chain, line.structure):
        if check.problem is not None:
            raise BrokenLog(check.problem.stream, check.problem.seq, check.problem.what)
    if (problem := line.problem) is not None:
        found.state = "does not come out as recorded"
        found.why = f"#{problem.seq}: {in_brief(problem)}"
    elif found.state == "fails":
        pass
    elif change.dialect and change.dialect != opening.dialect:
        _under(found, store, branch, change.dialect, known or _stand_in(store, branch))
    elif rules is None:
        found.state = "same" if change.empty else "other rulebook"
    elif line.fault:
        found.state, found.why = "fails", line.fault
    elif line.beside is not None and line.beside.parted:
        _compare(found, line, line.beside, secret=known is None)
    else:
        found.state = "same"


class _Line(LineAudit):
    """The audit of a line, with changed rules beside it."""

    def __init__(self, store: Store, branch: Branch, seed: bytes | None) -> None:
        super().__init__(store, branch, seed=lambda: seed)
        self.beside: Beside | None = None
        self.fault = ""

    def _decide(self, group: Sequence[Event], facts: Sequence[Any]) -> None:
        if self.beside is not None and not self.fault:
            try:
                self.beside.hear(group, facts)
            except Exception as fault:  # whatever rules do that are not finished
                self.fault = f"#{group[0].seq}: {type(fault).__name__}: {_one_line(fault)}"
        super()._decide(group, facts)


def _compare(found: OneLog, line: _Line, beside: Beside, *, secret: bool) -> None:
    """Write down where the changed rules part from the record and what follows from it."""
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
    cast = cast_of((one.state, other.state))
    before, after = (told(fact, cast) if fact else "nothing else" for fact in apart_in_words(mine, theirs))
    rules = rules_apart(mine, theirs, beside.rules.about)
    if id in again.allowed:
        reason, rule = again.allowed[id]
        rules, before = (rule,) if rule else (), f"Refused: {reason}"
        after = "It would be allowed, and stays refused as it was declared"
    event = first[min(first_apart(mine, theirs), len(first) - 1)]
    found.parting = Place(event.seq, event.round, event.turn, id, rules, before, after)
    found.sentence = made.sentence
    found.events, found.rolls = len(made.events), len(made.rolls)
    found.declarations = len(made.declarations)
    found.others = [cast.name(change.id) for change in made.combatants]
    fight = again.fight
    fates(found, (line.folded, line.fight), (fight.state, fight))
    notes = []
    if again.fresh and secret and not fight.state.chains:
        notes.append("the seed is secret: new rolls follow from a seed of the log's digest")
    if again.waiting is not None:
        notes.append(f"it stops at a question: {again.waiting.question}")
    found.why = "; ".join(notes)


def _under(found: OneLog, store: Store, branch: str, dialect: str, seed: bytes) -> None:
    """Decide a line under another rulebook, and write down what differs."""
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
    fates(found, *((state, fight_over(state, None)) for state in states))
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
    found.parting = Place(
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


def _stand_in(store: Store, branch: str) -> bytes:
    """Return the seed of new rolls in a log that keeps its own secret: the same each time."""
    return blake2b(store.head(branch).digest, digest_size=32, person=b"affray errata").digest()


def _one_line(fault: Exception) -> str:
    return " ".join(str(fault).split())
