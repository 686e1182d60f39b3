"""Pivots: every single change that alone would have made the difference to an outcome."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.events.errors import AffrayError
from affray.events.facts.declared import Chosen
from affray.events.store import Store
from affray.replay.changes import OPENING, Change, Rest
from affray.replay.fan_out import fan_out
from affray.replay.fight_over import reading_now
from affray.replay.found_pivots import Pivot, Pivots, Shown, Unknown
from affray.replay.narrate.cast import Cast
from affray.replay.outcome_by_word import purpose_of
from affray.replay.recorded_line import RecordedLine
from affray.replay.rest_of_line import Lines, Verdict
from affray.replay.ruling import Ruling
from affray.replay.single_changes import TOLD, Thrown, came_to, choices, rolls, struck, throws
from affray.replay.whatif import WhatIf, what_if


class NotDecidedSo(AffrayError):
    """Today's rules decide the recorded line otherwise than it was: no change would be a single one."""


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
    on: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Pivots:
    """Return every single change that alone makes the difference to an outcome (`predicates`) of a line.

    Tried are all throws of each roll, all answers to each question, all readings of each contested rule, and
    each modifier struck out; the rest of the line is decided again as a what-if decides it: recorded acts,
    dice by their keys. What is found is the same however many workers share the work (`fan_out`); `progress`
    is told how many of how many parts are done. Costs a part of a what-if for each change. Raises BadOutcome,
    UnknownPath, BadPosition, NotDecidedSo, and AffrayError for a log that holds no encounter.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import import_notation, pivots
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> found = pivots(store, "goblin.hp < 5")
    >>> found.holds, found.tried
    (False, 135)
    >>> found.pivots[0].told, found.pivots[0].percent
    ("Brannoc's damage roll: 4-8 instead of 3", 62.5)
    """
    branch = branch or store.main_line()
    line = RecordedLine(store, branch, text)
    if parted := Lines(line.rest(0, [])).parted():
        raise NotDecidedSo(f"today's rules decide {parted} otherwise than it was recorded: see affray verify")
    parts = list(line.parts())
    made = Tried([], [])
    for done, tried in enumerate(fan_out(tried_part, parts, jobs=jobs, on=on), 1):
        made.found += tried.found
        made.unknown += tried.unknown
        made.tried += tried.tried
        made.rolls += tried.rolls
        if progress is not None:
            progress(done, len(parts))
    order = {kind: at for at, kind in enumerate(("die", "choice", "modifier", "reading"))}
    found = sorted(made.found, key=lambda one: (order[one.kind], -(one.chance or 0), one.seq))
    cast = Cast()
    for one in line.states[-1].combatants.values():
        cast.enter(one.id, one.side, one.sheet.name)
    return Pivots(
        branch,
        line.head,
        line.outcome.text,
        line.outcome.of(line.recorded),
        made.tried,
        made.rolls,
        tuple(_in_words(one, cast) for one in found),
        tuple(made.unknown),
    )


def pivot_branch(store: Store, found: Pivots, number: int, name: str = "") -> WhatIf:
    """Decide the line again under the pivot of that number, counted from 1, on a new branch `name`.

    O(events after the change). Raises AffrayError if there is none of that number, and whatever `what_if`
    raises.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import import_notation, pivot_branch, pivots, state_at
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> found = pivots(store, "goblin.hp < 5")
    >>> made = pivot_branch(store, found, 1, name="harder")
    >>> state_at(store, "harder", made.head).combatants["goblin"].hp
    4
    """
    if not 1 <= number <= len(found.pivots):
        there = f"they go from 1 to {len(found.pivots)}" if found.pivots else "there is none"
        raise AffrayError(f"there is no pivot {number}: {there}")
    one = found.pivots[number - 1]
    if one.kind == "die":
        return what_if(store, found.branch, at=one.seq, faces={one.key: one.faces}, name=name)
    if one.kind == "reading":
        return what_if(store, found.branch, reading={one.key: one.would}, name=name)
    effect = f"{one.key}={one.would}" if one.kind == "choice" else one.key
    return what_if(store, found.branch, at=one.seq, ruling=Ruling(one.told, (effect,)), name=name)


def _in_words(one: Pivot, cast: Cast) -> Pivot:
    percent = None if one.chance is None else round(float(100 * one.chance), 2)
    return replace(one, told=_pivot_told(one, cast), percent=percent)


def _pivot_told(pivot: Pivot, cast: Cast) -> str:
    """Return a pivot in words: what would have to be otherwise, and what was."""
    name = cast.name(pivot.who)
    if pivot.kind == "die":
        purpose = cast.prose(purpose_of(pivot.key)).replace("-", " ")
        return f"{name}'s {purpose} roll: {_shown_told(pivot.shown)} instead of {pivot.was}"
    if pivot.kind == "choice":
        return f"{name} chooses {pivot.would} instead of {pivot.was}"
    if pivot.kind == "modifier":
        return f"{name}'s {pivot.would.removeprefix('save.')} without {cast.prose(pivot.was)}"
    return f"{pivot.key} is {pivot.would} instead of {pivot.was}"


def _shown_told(shown: Sequence[Shown]) -> str:
    """Return faces or totals, and what comes of them: "1-9 misses", "12-19 hits, 20 threatens a critical"."""
    parts = []
    for one in shown:
        numbers = str(one.low) if one.low == one.high else f"{one.low}-{one.high}"
        parts.append(f"{numbers} {one.comes}".strip())
    return ", ".join(parts)


def tried_part(rest: Rest) -> Tried:
    """Return what single changes of the first group of a line, or readings, come to."""
    lines, made = Lines(rest), Tried([], [])
    if rest.changes:
        for change in rest.changes:
            was = reading_now(rest.state, change.key)
            plain = Pivot("reading", OPENING, "", "", change.key, was, change.value)
            _take(made, plain, lines.under(change), rest)
        return made
    first, facts = rest.groups[0], rest.groups[0].facts
    for at, rolled in rolls(facts):
        plain = Pivot(
            "die",
            rest.seq + 1 + at,
            first.id,
            rolled.who,
            rolled.key,
            _faces_told(rolled.faces, rolled.total),
            "",
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
