"""Pivots: every single change that would have changed an outcome."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.dice import ImpossibleFaces, parse
from affray.engine.dice.distribution import distribution, faces_for
from affray.engine.dice.notation import Dice, rethrow
from affray.engine.language.cast import Cast
from affray.events.errors import AffrayError
from affray.events.facts import combat, flow
from affray.events.facts.flow import Chosen, Rolled
from affray.events.facts.sheet import Modifier
from affray.events.stores.store import Store
from affray.projections.sentence import roll_words
from affray.replay.chance.summaries import OutcomeRange, Pivot, Pivots, Unknown
from affray.replay.log.rules_for_fight import reading_now
from affray.replay.redecide.rulings import BadRuling, Ruling, sort
from affray.replay.whatif.one_change import OPENING, Change, Lines, RecordedLine, Rest, Verdict
from affray.replay.whatif.what_if import WhatIf, what_if
from affray.replay.workers import fan_out

# --- Every single change of a declaration: other dice results, other answers, removed modifiers

"""The checks whose modifiers a ruling can remove."""


class Thrown(Struct, frozen=True):
    """Equivalent throws: `faces` represent all of them, `ways` is their number."""

    faces: tuple[int, ...]
    total: int
    ways: int


def throws(text: str) -> list[Thrown]:
    """Return one throw for each total of some dice, which is all that the rules read.

    Totals that need more explosions than are counted are left out.
    """
    notation, found = parse(text), []
    for total, ways in distribution(text).ways.items():
        with suppress(ImpossibleFaces):
            found.append(Thrown(faces_for(notation, total), total, ways))
    return found


MOST_APART: Final = 500
"""The most different throws of a roll that are tried where its faces matter."""


def throws_apart(text: str) -> list[Thrown]:
    """Return one throw for each set of faces, for a roll of which a question offers single dice.

    An empty list if the notation has several kinds of dice, or there are more than `MOST_APART`.
    """
    notation = parse(text)
    dice = [term for term in notation.terms if isinstance(term, Dice)]
    if len(dice) != 1 or comb(dice[0].sides + dice[0].count - 1, dice[0].count) > MOST_APART:
        return []
    found = []
    for faces in combinations_with_replacement(range(1, dice[0].sides + 1), dice[0].count):
        with suppress(ImpossibleFaces):
            ways = factorial(len(faces)) // prod(factorial(many) for many in Counter(faces).values())
            found.append(Thrown(faces, rethrow(notation, faces).total, ways))
    return found


def offers_dice(rolled: Rolled, following: object) -> bool:
    """Return whether the fact after a roll answers a question that offers single dice of it."""
    said = following.options if type(following) is Chosen else ()
    return any(one.rpartition(" ")[2] in {str(face) for face in rolled.faces} for one in said)


def choices(fact: Chosen) -> Iterator[Change]:
    """Yield the other answers to a question."""
    for option in dict.fromkeys(fact.options):
        if option != fact.answer:
            yield Change("choice", fact.key, option)


def struck(facts: Sequence[object]) -> Iterator[tuple[int, Change, Modifier]]:
    """Yield the modifiers that count in the totals of a declaration, each once, as a ruling removes them.

    Each comes with the index of the first fact that contains it. A ruling removes modifiers by source, or by
    kind if there is no source, for the whole declaration.
    """
    seen: set[str] = set()
    for at, fact in enumerate(facts):
        for who, stat, parts in _sums(fact):
            for part in parts:
                effect = f"{who}.{stat}-{part.source or part.kind}"
                if not part.value or part.denied or effect in seen:
                    continue
                seen.add(effect)
                if _is_read(effect):
                    yield at, Change("modifier", effect, stat), part


def _sums(fact: object) -> Iterator[tuple[str, str, tuple[Modifier, ...]]]:
    """Yield the totals of a fact that rulings can change: whose, which, and the modifiers."""
    if isinstance(fact, combat.AttackResolved | combat.ConfirmationResolved):
        yield fact.attacker, "attack" if isinstance(fact, combat.AttackResolved) else "confirm", fact.attack
        yield fact.target, "defense", fact.defense
    elif isinstance(fact, combat.DamageResolved):
        yield fact.attacker, "damage", fact.modifiers
    elif isinstance(fact, flow.InitiativeRolled):
        yield fact.who, "initiative", fact.parts
    elif isinstance(fact, combat.CheckResolved) and fact.check.startswith("save."):
        yield fact.who, fact.check, fact.parts


def _is_read(effect: str) -> bool:
    """Return whether a ruling parses an effect as intended: names may contain signs with another meaning."""
    try:
        return sort(Ruling("", (effect,))).rest == [effect]
    except BadRuling:
        return False


def describe_roll_outcome(facts: Sequence[object], key: str) -> str:
    """Return the outcome of the roll with a key, in a word; "" if it has none."""
    for fact in facts:
        if getattr(fact, "key", "") != key:
            continue
        if isinstance(fact, combat.AttackResolved):
            outcomes = {"miss": "misses", "hit": "hits", "critical": "is a critical hit"}
            return outcomes.get(fact.result, "threatens a critical")
        if isinstance(fact, combat.ConfirmationResolved):
            return "confirms" if fact.confirmed else "does not confirm"
        if isinstance(fact, combat.CheckResolved):
            return "succeeds" if fact.success else "fails"
        if isinstance(fact, combat.MissChanceResolved):
            return "misses by chance" if fact.missed else "still hits"
    return ""


TOLD = frozenset({"attack.resolved", "confirmation.resolved", "check.resolved", "miss-chance.resolved"})
"""The types of facts that `describe_roll_outcome` reads."""


def rolls(facts: Sequence[object]) -> Iterator[tuple[int, Rolled]]:
    """Yield the rolls of a declaration, with their places in it."""
    for at, fact in enumerate(facts):
        if type(fact) is Rolled:
            yield at, fact


class NotDecidedSo(AffrayError):
    """Today's rules decide the recorded line differently: no change would be a single one."""


class Tried(Struct):
    """The results for a part of the line."""

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
    """Return every single change that would change an outcome (`predicates`) of a line.

    All throws of each roll, all answers to each question, all readings of each contested rule, and the
    removal of each modifier are tried; the rest of the line is decided again as for a what-if: recorded acts,
    dice by their keys. The result is the same however many workers share the work (`workers`); `progress` is
    called with the number of finished parts and of all. Costs a part of a what-if for each change. Raises
    BadOutcome, UnknownPath, BadPosition, NotDecidedSo, and AffrayError for a log without an encounter.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import import_notation, pivots
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> found = pivots(store, "goblin.hp < 5")
    >>> found.holds, found.tried
    (False, 137)
    >>> found.pivots[0].told, found.pivots[0].percent
    ("Brannoc's damage roll: 4-8 instead of 3", 62.5)
    """
    branch = branch or store.main_line()
    line = RecordedLine(store, branch, text)
    if parted := Lines(line.rest(0, [])).parted():
        raise NotDecidedSo(f"today's rules decide {parted} differently from the record: see affray verify")
    parts = list(line.parts())
    made = Tried([], [])
    for done, tried in enumerate(fan_out(try_single_changes, parts, jobs=jobs, on=on), 1):
        made.found += tried.found
        made.unknown += tried.unknown
        made.tried += tried.tried
        made.rolls += tried.rolls
        if progress is not None:
            progress(done, len(parts))
    order = {kind: at for at, kind in enumerate(("die", "choice", "modifier", "reading"))}
    found = sorted(made.found, key=lambda one: (order[one.kind], -(one.chance or 0), one.seq))
    cast = Cast.of(line.states[-1])
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

    O(events after the change). Raises AffrayError if there is no pivot of that number, and all errors of
    `what_if`.

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
    return replace(one, told=_describe_pivot(one, cast), percent=percent)


def _describe_pivot(pivot: Pivot, cast: Cast) -> str:
    """Return a pivot in words: the change, and the recorded value."""
    name = cast.name(pivot.who)
    if pivot.kind == "die":
        purpose = roll_words(pivot.key, cast.words)
        return f"{name}'s {purpose} roll: {_describe_results(pivot.shown)} instead of {pivot.was}"
    if pivot.kind == "choice":
        return f"{name} chooses {pivot.would} instead of {pivot.was}"
    if pivot.kind == "modifier":
        total = cast.words.checks.get(pivot.would, pivot.would)
        return f"{name}'s {total} without {cast.prose(pivot.was)}"
    return f"{pivot.key} is {pivot.would} instead of {pivot.was}"


def _describe_results(shown: Sequence[OutcomeRange]) -> str:
    """Return results or totals with their outcomes: "1-9 misses", "12-19 hits, 20 threatens a critical"."""
    parts = []
    for one in shown:
        numbers = str(one.low) if one.low == one.high else f"{one.low}-{one.high}"
        parts.append(f"{numbers} {one.comes}".strip())
    return ", ".join(parts)


def try_single_changes(rest: Rest) -> Tried:
    """Return the results of single changes of the first group of a line, or of readings."""
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
            _describe_faces(rolled.faces, rolled.total),
            "",
        )
        made.rolls += 1
        _dice(made, lines, rest, plain, rolled, facts)
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


def _dice(
    made: Tried, lines: Lines, rest: Rest, plain: Pivot, rolled: Rolled, facts: Sequence[object]
) -> None:
    """Try all throws of a roll: one for each total, or each set of faces if a question offers its dice."""
    following = next((fact for at, fact in enumerate(facts) if at and facts[at - 1] is rolled), None)
    offered, purposes = offers_dice(rolled, following), load(rest.state.dialect).kernel.single_dice
    every = throws_apart(rolled.notation) if offered or plain.key.split("/")[-2] in purposes else []
    apart = bool(every)
    # Rules that read single dice otherwise do so of few dice, those of a weapon.
    every = every or ([] if offered else throws(rolled.notation))
    if not every:
        made.unknown.append(
            Unknown(plain.seq, plain.key, "its dice are offered one by one, and are too many")
        )
    asked, turned = rest.outcome.of(rest.recorded), list[tuple[Thrown, Verdict]]()
    for one in every:
        if one.total == rolled.total and (not apart or one.faces == tuple(sorted(rolled.faces))):
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
    shown = tuple(
        _ranges([(one.total, describe_roll_outcome(found.facts, plain.key)) for one, found in turned])
    )
    made.found.append(
        replace(
            _with(plain, verdict),
            would=_describe_faces(nearest.faces, nearest.total),
            ways=sum(one.ways for one, _ in turned),
            possible=distribution(rolled.notation).possible,
            faces=nearest.faces,
            shown=shown,
        )
    )


def _distance(one: Thrown, rolled: Rolled) -> tuple[int, int, int]:
    apart = sum(abs(a - b) for a, b in zip(one.faces, rolled.faces, strict=False))
    return abs(one.total - rolled.total), apart, one.total


def _ranges(turned: Sequence[tuple[int, str]]) -> Iterator[OutcomeRange]:
    """Yield the totals that change the outcome, joining adjacent ones with the same result."""
    run: OutcomeRange | None = None
    for total, comes in sorted(dict.fromkeys(turned)):
        if run is not None and (total - run.high, comes) in ((0, run.comes), (1, run.comes)):
            run = OutcomeRange(run.low, total, comes)
            continue
        if run is not None:
            yield run
        run = OutcomeRange(total, total, comes)
    if run is not None:
        yield run


def _describe_faces(faces: Sequence[int], total: int) -> str:
    told = ", ".join(map(str, faces))
    return told if len(faces) < 2 else f"{told} = {total}"
