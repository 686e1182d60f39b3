"""What-ifs: decide the rest of a fight again under another reading, another die result or a ruling.

The branch leaves before the declaration concerned; that one and every later one is decided again. The same
roll (by key) has the same result and the same question gets the same answer, so that all differences follow
from the change.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from affray.engine.language.names import People, folded, names_of
from affray.engine.table.policies import Answers, by_combatant
from affray.events.codec import decode
from affray.events.errors import AffrayError, InvalidBranch
from affray.events.facts.flow import Declared, Refused
from affray.events.stores.store import Store
from affray.replay.log.declarations import Script, find_known_seed, group_of, groups, scripts
from affray.replay.log.playhead import state_at
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.redecide.redecide import BranchWriter, Reach
from affray.replay.redecide.rulings import (
    BadRuling,
    Ruling,
    Sorted,
    amended,
    check_sheets,
    combatants_named,
    concerned,
    facts_of,
    sort,
)


class NothingToChange(AffrayError):
    """A what-if names no dice results, no reading and no ruling, or not where to begin."""


class UnknownKey(AffrayError):
    """Dice results were given for a roll that was not made."""


class NotRefused(AffrayError):
    """A declaration that was not refused cannot be revived."""


class WhatIf(Struct):
    """The result of a what-if: the branch `name` leaves `parent` after event `at` and ends at `head`.

    `invalidated` are declarations that are no longer possible, with (reason, rule), `possible` those that are
    possible again. `allowed` were refused when they were declared, with (reason, rule), and would be allowed
    now: they stay refused, unless they are among the `revived`; `refused` are revived, changed or new ones
    that the rules refuse. `fresh` are the keys of rolls that were not made before; `asked` the new questions
    with the answers by policy; `ended` the turns that policy ended, by declaration with their combatant. A
    branch that waits has its pending question in `waiting`, and in `left` the declarations that were not
    reached.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import what_if
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> made = what_if(store, reading={"soft_cover": "none"}, name="bare")
    >>> made.parent, made.name
    ('main', 'bare')
    """

    name: str
    parent: str
    at: int
    head: int
    redecided: int
    invalidated: dict[str, tuple[str, str]] = field(default_factory=dict)
    possible: list[str] = field(default_factory=list)
    allowed: dict[str, tuple[str, str]] = field(default_factory=dict)
    revived: list[str] = field(default_factory=list)
    refused: dict[str, tuple[str, str]] = field(default_factory=dict)
    overridden: list[str] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    waiting: str = ""
    left: list[str] = field(default_factory=list)


def what_if(
    store: Store,
    branch: str = "",
    *,
    at: int | None = None,
    faces: Mapping[str, Sequence[int]] | None = None,
    reading: Mapping[str, str] | None = None,
    ruling: Ruling | None = None,
    revive: Sequence[str] = (),
    name: str = "",
    answers: Answers | None = None,
    leave_open: bool = False,
) -> WhatIf:
    """Decide a branch's fight again from the declaration that event `at` belongs to, on a new branch.

    `faces` gives other results to rolls by key, `reading` other values to options from there on (without
    `at`: from the opening), `ruling` a ruling on the declaration at `at`. Without `at`, `faces` begin at the
    first declaration they belong to. Declarations that were refused stay refused, even if the rules would
    allow them now, except for the ids in `revive`: these are decided like all others. New questions go to
    `answers`, by default the combatants' own policies. Questions that these leave open get the usual answer,
    or with `leave_open` end the branch there, waiting to be played on. Everything is appended in one
    transaction, nothing after an error.

    O(events after the fork, and the distance of the fork to a checkpoint); O(events) once a turn is ended by
    policy. Raises NothingToChange, UnknownKey, NotRefused, BadRuling, ImpossibleFaces, UnknownOption,
    UnknownReading, UnreadOption, InvalidBranch.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Ruling, what_if
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> stones = Ruling("the fallen stones cover her", ("sorcerer.defense+4:cover",), author="GM")
    >>> other = what_if(store, at=52, ruling=stones, name="stones")
    >>> other.name, other.parent, other.at
    ('stones', 'main', 42)
    >>> what_if(store, "main", faces={"d6/ogre/attack/1": [2]}, name="luck").at
    23
    """
    branch = branch or store.main_line()
    faces, reading = dict(faces or {}), dict(reading or {})
    sorted_ruling = sort(ruling) if ruling is not None else Sorted()
    name = free_name(store, name)
    start = _start(store, branch, at, (*faces, *revive), reading, ruling)
    if sorted_ruling.amendments:
        start = _amended_start(store, branch, start, sorted_ruling)
    seed = find_known_seed(store, branch)
    state = state_at(store, branch, start)
    if not state.dialect:
        raise AffrayError("the log contains no encounter")
    recorded = scripts(groups(store.read(branch, after=start)), state.active)
    ruled_for = next((item.id for item in recorded if item.id), "")
    ids, changed, inserted = {item.id for item in recorded}, list[str](), set[str]()
    if ruling is not None and sorted_ruling.amendments:
        ids.update(yield_declared_ids(store, branch, start))
        before = {id(item.facts[0]) for item in recorded}
        people = People.find_combatants_in_fights(state, state_at(store, branch, store.head(branch).seq))
        known = set(ids)
        recorded = amended(recorded, sorted_ruling.amendments, people, ids, ruling.rule or "what-if")
        inserted = ids - known
        changed = [item.id for item in recorded if id(item.facts[0]) not in before]
    again = BranchWriter(
        make_fight_context(state, seed),
        start,
        faces,
        answers or by_combatant(),
        seed,
        ids,
        lambda: yield_declared_ids(store, branch, start),
        ruled=sorted_ruling,
        rules=sorted_ruling.cited(ruling.rule) if ruling is not None else None,
        leave_open=leave_open,
        revive=revive,
        amended=changed,
        inserted=inserted,
        ruled_for=ruled_for,
    )
    _check_revived(again.revive, recorded)
    entered = set(changed)
    check_sheets(again.fight.dialect, [item for item in recorded if item.id in entered])
    again.fight.dialect.book.check_readings(sorted_ruling.options)
    if reading:
        again.fight.dialect.book.check_readings(reading)
        again.options(reading)
    if ruling is not None:
        _rule(again, ruling, recorded)
    reach = Reach(again, recorded)
    reach.run()
    wanted = (*faces, *sorted_ruling.faces)
    unused = [key for key in wanted if key not in again.overridden]
    unused += [key for key in sorted_ruling.choices if key not in again.chosen]
    unused += [roll for roll in sorted_ruling.words if roll not in again.worded]
    if unused and again.waiting is None:
        rolls, choices = _nearest(unused[0], again.keys), _nearest(unused[0], again.choices)
        raise UnknownKey(
            f"there is no roll or choice {unused[0]!r} there; rolls: {rolls}; choices: {choices}"
        )
    store.fork(name, branch, start)
    store.append(name, again.entries, start)
    return WhatIf(
        name=name,
        parent=branch,
        at=start,
        head=start + len(again.entries),
        redecided=again.count,
        invalidated=again.invalidated,
        possible=again.possible,
        allowed=again.allowed,
        revived=again.revived,
        refused=again.refused,
        overridden=list(again.overridden),
        fresh=again.fresh,
        asked=again.asked,
        ended=again.ended,
        waiting=again.waiting.question if again.waiting is not None else "",
        left=[script.id for script in reach.queue if script.id],
    )


def yield_declared_ids(store: Store, branch: str, upto: int) -> Iterator[str]:
    """Yield the ids of a line's declarations up to an event. O(events)."""
    for event in store.read(branch, upto=upto):
        if event.type == "declared":
            yield decode(event).id


def free_name(store: Store, wanted: str = "", stem: str = "whatif") -> str:
    """Return the wanted name of a branch, or the first free one of `whatif-1`, `whatif-2`, ...

    Raises InvalidBranch if it is taken.
    """
    taken = {one.name for one in store.branches()}
    if wanted in taken:
        raise InvalidBranch(f"branch {wanted!r} exists already")
    if wanted:
        return wanted
    return next(f"{stem}-{n}" for n in range(1, len(taken) + 2) if f"{stem}-{n}" not in taken)


def _start(
    store: Store,
    branch: str,
    at: int | None,
    concerned: Sequence[str],
    reading: Mapping[str, str],
    ruling: Ruling | None,
) -> int:
    """Return the event after which the new branch leaves: before the declaration, or after the opening.

    `concerned` are ids of declarations and keys of rolls to be changed.
    """
    if not (concerned or reading or ruling):
        raise NothingToChange(
            "a what-if needs dice results, a reading, a declaration to revive or a ruling: give one of them"
        )
    if ruling is not None and ruling.scope == "fight":
        return _find_start_of_ruling(store, branch, ruling)
    if ruling is not None and at is None and sort(ruling).amendments:
        return store.head(branch).seq
    if at is None and ruling is not None:
        raise NothingToChange("a ruling is about one declaration: name its event")
    if at is None and reading:
        at = 1
    if at is None:
        at = _first_declaration(store, branch, concerned)
    if at <= 1:
        return 1
    return max(1, group_of(store, branch, at)[0].seq - 1)


def _amended_start(store: Store, branch: str, start: int, changes: Sorted) -> int:
    """Return the event after which a branch with changed declarations leaves.

    Raises BadRuling if a ruling changes them and, later, something else: that is two rulings.
    """
    recorded = list(groups(store.read(branch)))
    first = recorded[concerned(changes.amendments, scripts(recorded, ""))][0].seq - 1
    others = bool(changes.rest or changes.options or changes.faces or changes.choices or changes.words)
    if first < start and others:
        raise BadRuling(
            "this ruling changes two moments: make two rulings, the second on the line of the first"
        )
    return max(1, min(first, start))


def _find_start_of_ruling(store: Store, branch: str, ruling: Ruling) -> int:
    """Return the event from which a ruling on the whole fight applies: when all combatants it names have
    entered.
    """
    left = {folded(name) for name in combatants_named(ruling)}
    last = 1
    if left:
        for group in groups(store.read(branch)):
            for event in group:
                if event.type == "combatant.entered":
                    fact = decode(event)
                    left -= {folded(fact.id), *names_of(fact.sheet.name)}
            last = group[-1].seq
            if not left:
                break
    return last


def _nearest(key: str, known: Sequence[str]) -> str:
    """Return up to eight known keys, those of the same declaration first."""
    id = key.partition("/")[0]
    found = sorted(known, key=lambda one: one.partition("/")[0] != id)
    more = f" and {len(found) - 8} more" if len(found) > 8 else ""
    return ", ".join(found[:8]) + more or "none"


def _first_declaration(store: Store, branch: str, concerned: Sequence[str]) -> int:
    ids = {key.split("/")[0] for key in concerned}
    for event in store.read(branch):
        if event.type == "declared" and decode(event).id in ids:
            return event.seq
    first = concerned[0]
    what = f"has a roll or choice {first!r}" if "/" in first else f"is called {first!r}"
    raise UnknownKey(f"no declaration of {branch!r} {what}")


def _check_revived(revive: Iterable[str], recorded: Sequence[Script]) -> None:
    """Raise NotRefused for a declaration to be revived that was not refused."""
    refused = [script.id for script in recorded if type(script.facts[-1]) is Refused]
    for id in sorted(revive):
        if id not in refused:
            there = ", ".join(refused) or "nothing"
            raise NotRefused(
                f"{id} was not refused there and cannot be revived; refused declarations: {there}"
            )


def _rule(again: BranchWriter, ruling: Ruling, recorded: Sequence[Script]) -> None:
    """Put the ruling in front of the declaration."""
    if ruling.scope == "fight":
        again.rule(ruling, "", facts_of(again.fight, ruling, "fight"))
        return
    subject = next((item for item in recorded if type(item.facts[0]) is Declared), None)
    if sort(ruling).amendments and subject is not None:
        subject = recorded[0] if type(recorded[0].facts[0]) is Declared else subject
    elif subject is None or subject is not recorded[0]:
        raise NothingToChange("there is no declaration to rule on")
    again.rule(ruling, subject.id, facts_of(again.fight, ruling, subject.id))


__all__ = ["NotRefused", "NothingToChange", "Ruling", "UnknownKey", "WhatIf", "free_name", "what_if"]
