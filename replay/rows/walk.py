"""Read a log and make its rows: every event once, with a row for each that has one.

A row has the columns of its table in `affray.projections.rows.TABLES`, in order.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from fractions import Fraction
from functools import lru_cache
from typing import Any, Self

import msgspec
from msgspec import Raw, Struct

from affray.engine.dice import parse
from affray.engine.dice.distribution import distribution
from affray.engine.dice.notation import Dice
from affray.engine.kernel.places import distance, height_of
from affray.engine.language.cast import dialect_words
from affray.events.codec import decode
from affray.events.envelope import Branch, Event
from affray.events.errors import AffrayError, BrokenLog
from affray.events.facts import combat, flow
from affray.events.facts.flow import Declared
from affray.events.facts.sheet import Modifier
from affray.events.stores.store import Store, line_parts, owner
from affray.projections.fold import CHANGING, HANDLERS, TAG_NAMES, impossible_event_error
from affray.projections.state import Encounter, duplicate
from affray.replay.campaign.origins import identity
from affray.replay.chance.luck import is_given_roll, is_rolled_for_attack
from affray.replay.chance.recorded_tests import Decided, RecordedTests, mean_damage
from affray.replay.privacy.redaction import Redaction

# --- The mean of dice, and the chance of each total or more, computed once for each notation


class Spread(Struct, frozen=True):
    """The totals of some dice together: their mean, the chance of each or more, and the sides of the dice.

    `sides` is None if they differ or there are none.
    """

    mean: float
    low: int
    chances: tuple[float, ...]
    sides: int | None

    def at_least(self, total: int) -> float:
        """Return the chance of `total` or more."""
        place = total - self.low
        return 1.0 if place < 0 else self.chances[place] if place < len(self.chances) else 0.0


@lru_cache(maxsize=4096)
def spread_of(notations: tuple[str, ...]) -> Spread | None:
    """Return the totals of these dice together; None if they cannot be counted. Cached."""
    try:
        found = distribution(*notations)
        terms = [term for text in notations for term in parse(text).terms if isinstance(term, Dice)]
    except AffrayError:
        return None
    sizes = {term.sides for term in terms}
    cases, possible = found.ways, found.possible
    low, high = min(cases), max(cases)
    chances, left = [], possible
    for total in range(low, high + 1):
        chances.append(left / possible)
        left -= cases.get(total, 0)
    return Spread(float(found.mean), low, tuple(chances), sizes.pop() if len(sizes) == 1 else None)


# --- The state just before the next event of a line of play, as far as rows contain it

_NOBODY: tuple[object, ...] = (None,) * 10


class RowContext:
    """The state of a fight at one place of a line, and further data for rows.

    `met` is the target number of the last attack roll against each combatant's usual defense, `given` the
    keys of rolls that were not rolled. For the current declaration `notations` are its dice by key, and
    `blows` the newest attack roll of each attacker at each target. `shows` returns whose numbers may be
    included.
    """

    def __init__(self, shows: Callable[[str], bool] | None = None) -> None:
        self.state = Encounter()
        self.met: dict[str, int] = {}
        self.given: set[str] = set()
        self.notations: dict[str, str] = {}
        self.blows: dict[tuple[str, str], int] = {}
        self.act, self.declared = "", 0
        self._tests = RecordedTests(self.state)
        self._shows = shows

    def copy(self) -> Self:
        """Return an independent copy, for a line that leaves here. O(combatants)."""
        made = copy(self)
        made.state = duplicate(self.state)
        made._tests = RecordedTests(made.state)
        made.met, made.given = {**self.met}, {*self.given}
        made.notations, made.blows = {**self.notations}, {**self.blows}
        return made

    def shows(self, who: str) -> bool:
        """Return whether the numbers of a combatant may be included."""
        return self._shows is None or self._shows(who)

    def of(self, who: str) -> tuple[object, ...]:
        """Return the state of a combatant, in the order of the columns; empty for an unknown one."""
        one = self.state.combatants.get(who)
        if one is None:
            return _NOBODY
        conditions = "; ".join(one.conditions) if one.conditions else ""
        place = (*one.at, height_of(one) if conditions else 0, conditions)
        if self._shows is not None and not self._shows(who):
            return (one.side, None, None, None, None, None, *place)
        return (
            one.side,
            one.hp,
            one.max_hp,
            one.nonlethal,
            one.temporary,
            self.met.get(who),
            *place,
        )

    def apart(self, one: str, other: str) -> int | None:
        """Return the feet between the nearest squares of two combatants, including height; None for an
        unknown one.
        """
        combatants = self.state.combatants
        a, b = combatants.get(one), combatants.get(other)
        if a is None or b is None:
            return None
        return distance(a, b)

    def chance(self, fact: Decided) -> Fraction | None:
        """Return the exact chance of a test of the current declaration, if its dice decided it."""
        return self._tests.chance(fact, self.notations.get(fact.key, ""))

    def sides(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return by side the number of combatants with hit points left, and these hit points, if they may be
        included.
        """
        count: dict[str, int] = {}
        points: dict[str, int] = {}
        for who, one in self.state.combatants.items():
            if self.shows(who):
                count[one.side] = count.get(one.side, 0) + (one.hp > 0)
                points[one.side] = points.get(one.side, 0) + max(one.hp, 0)
        return count, points


# --- The rows of an attack: attack roll, confirmation, miss chance, damage

Cells = tuple[object, ...]
Made = tuple[str, Cells]
"""The table of a row, and its cells after those of its place."""

BY = "; "
"""The separator of several words in one cell."""
_NONE = Raw(b"[]")


class _Parts(Struct, gc=False):
    """The lists of modifiers in the bytes of an event."""

    attack: Raw = _NONE
    defense: Raw = _NONE
    parts: Raw = _NONE
    opposed_parts: Raw = _NONE
    modifiers: Raw = _NONE


parts_of = msgspec.json.Decoder(_Parts).decode


def encode_modifiers(part: Raw) -> str:
    """Return a list of modifiers as the text of its bytes."""
    return bytes(part).decode()


def convert_chance_to_share(chance: Fraction | None) -> float | None:
    """Return a chance as a number from 0 to 1, if there is one."""
    return None if chance is None else float(chance)


def make_attack_row(at: RowContext, fact: combat.AttackResolved, data: bytes) -> Made:
    """Make the row of an attack roll, whose target number is known from then on."""
    if fact.against == dialect_words(at.state).defense:
        at.met[fact.target] = fact.needed
    chance = convert_chance_to_share(at.chance(fact))
    return "attacks", (
        *_blow(at, fact),
        fact.weapon,
        fact.mode,
        fact.against,
        fact.result,
        fact.result != "miss",
        *_sums(fact),
        fact.total - fact.needed,
        chance,
        is_rolled_for_attack(fact, at.given),
        # The key of a roll in a reaction contains the reaction and the reacting combatant in place of the
        # actor.
        f":{fact.attacker}/" in fact.key,
        fact.why,
        *_both_parts(data),
    )


def make_confirmation_row(at: RowContext, fact: combat.ConfirmationResolved, data: bytes) -> Made:
    """Make the row of a confirmation roll."""
    chance = convert_chance_to_share(at.chance(fact))
    sums = (*_sums(fact), fact.total - fact.needed, chance)
    return "confirmations", (*_blow(at, fact), fact.confirmed, *sums, *_both_parts(data))


def make_miss_chance_row(at: RowContext, fact: combat.MissChanceResolved, data: bytes) -> Made:
    """Make the row of a miss chance for a hit."""
    return "miss_chances", (*_blow(at, fact), fact.percent, fact.rolled, fact.missed, fact.key, fact.why)


def make_damage_row(at: RowContext, fact: combat.DamageResolved, data: bytes) -> Made:
    """Make the row of damage. `expected` is empty if a rule has halved it, or spared the target."""
    shown = sum([part.total for part in fact.dice])
    spread = spread_of(tuple([part.notation for part in fact.dice]))
    mean = mean_damage(fact) if spread else None
    return "damage", (
        *_blow(at, fact),
        at.blows.get((fact.attacker, fact.target)),
        fact.weapon,
        fact.total,
        fact.reduced,
        fact.total - fact.reduced,
        shown,
        fact.multiplier,
        fact.nonlethal,
        BY.join(dict.fromkeys([part.kind for part in fact.dice])),
        BY.join([part.notation for part in fact.dice]),
        convert_chance_to_share(mean),
        spread.at_least(shown) if spread else None,
        fact.why,
        encode_modifiers(parts_of(data).modifiers),
    )


Blow = combat.AttackResolved | combat.ConfirmationResolved | combat.MissChanceResolved | combat.DamageResolved


def _blow(at: RowContext, fact: Blow) -> Cells:
    attacker, target = fact.attacker, fact.target
    return (attacker, target, *at.of(attacker), *at.of(target), at.apart(attacker, target))


def _sums(fact: combat.AttackResolved | combat.ConfirmationResolved) -> Cells:
    """Return the d20 and both sides of the comparison, from `face` to `key`."""
    return (
        fact.natural,
        fact.total - fact.natural,
        fact.total,
        fact.needed,
        _sum_of_kind(fact.defense, "cover"),
        _sum_of_kind(fact.attack, "flanking"),
        fact.key,
    )


def _sum_of_kind(parts: tuple[Modifier, ...], kind: str) -> int:
    return sum([part.value for part in parts if part.kind == kind and not part.denied])


def _both_parts(data: bytes) -> Cells:
    lists = parts_of(data)
    return encode_modifiers(lists.attack), encode_modifiers(lists.defense)


# --- The row of each kind of fact, after the columns of its place


def _json(value: dict[str, int]) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def _hit_points_row(at: RowContext, fact: combat.HitPointsChanged, data: bytes) -> Made:
    now: Cells = (fact.change, fact.hp, fact.nonlethal, fact.temporary)
    now = now if at.shows(fact.who) else (None, None, None, None)
    return "hit_points", (fact.who, *at.of(fact.who), *now, fact.why)


def _check(at: RowContext, fact: combat.CheckResolved, data: bytes) -> Made:
    what, _, kind = fact.check.partition(".")
    chance = convert_chance_to_share(at.chance(fact))
    who = (fact.who, *at.of(fact.who))
    sums = (fact.natural, fact.total - fact.natural, fact.total, fact.dc, chance)
    parts = encode_modifiers(parts_of(data).parts)
    if what == "save":
        return "saves", (*who, kind, fact.success, *sums, parts, fact.key, fact.why)
    return "checks", (*who, "check", fact.check, "", fact.success, *sums, parts, "[]", fact.key, fact.why)


def _contest(at: RowContext, fact: combat.ContestResolved, data: bytes) -> Made:
    lists = parts_of(data)
    sums = (None, None, fact.total, fact.opposed, None)
    told = (encode_modifiers(lists.parts), encode_modifiers(lists.opposed_parts), "", "")
    who = (fact.who, *at.of(fact.who))
    return "checks", (*who, "contest", fact.contest, fact.against, fact.won, *sums, *told)


def _turning(at: RowContext, fact: combat.TurningResolved, data: bytes) -> Made:
    sums = (fact.natural, fact.total - fact.natural, fact.total, None, None)
    told = (encode_modifiers(parts_of(data).parts), "[]", fact.key, f"reaches {fact.most} Hit Dice")
    return "checks", (fact.who, *at.of(fact.who), "turning", fact.what, fact.kind, None, *sums, *told)


def _moved(at: RowContext, fact: combat.Moved, data: bytes) -> Made:
    to = fact.path[-1] if fact.path else fact.start
    path = "[" + ", ".join([f"[{x}, {y}]" for x, y in fact.path]) + "]"
    way = (fact.feet, len(fact.path), fact.diagonals, *to, path, "")
    return "moves", (fact.who, *at.of(fact.who), fact.how, *way)


def _saddle(at: RowContext, fact: combat.Mounted | combat.Dismounted, data: bytes) -> Made:
    how = f"dismounts: {fact.how}" if isinstance(fact, combat.Dismounted) else "mounts"
    return "moves", (fact.who, *at.of(fact.who), how, 0, 0, 0, *fact.at, "[]", fact.mount)


def _condition(at: RowContext, fact: combat.ConditionGained, data: bytes) -> Made:
    until = (fact.until.when, fact.until.who, fact.until.round)
    what = ("condition", "began", fact.condition, fact.source, fact.level, None, None)
    return "conditions", (fact.who, *at.of(fact.who), *what, *until)


def _condition_lost(at: RowContext, fact: combat.ConditionLost, data: bytes) -> Made:
    what = ("condition", "ended", fact.condition, fact.why, None, None, None, None, None, None)
    return "conditions", (fact.who, *at.of(fact.who), *what)


def _effect(at: RowContext, fact: combat.EffectGained, data: bytes) -> Made:
    until = (fact.until.when, fact.until.who, fact.until.round)
    what = ("effect", "began", fact.id, fact.modifier.source, None, fact.stat, fact.modifier.value)
    return "conditions", (fact.who, *at.of(fact.who), *what, *until)


def _effect_ended(at: RowContext, fact: combat.EffectEnded, data: bytes) -> Made:
    what = ("effect", "ended", fact.id, fact.why, None, None, None, None, None, None)
    return "conditions", (fact.who, *at.of(fact.who), *what)


def _round(at: RowContext, fact: flow.RoundBegan, data: bytes) -> Made:
    count, points = at.sides()
    sides = (sum(count.values()), _json(count), _json(points))
    return "rounds", (fact.number, fact.phase, *sides)


def _rolled(at: RowContext, fact: flow.Rolled, data: bytes) -> Made:
    given = is_given_roll(fact)
    if given:
        at.given.add(fact.key)
    at.notations[fact.key] = fact.notation
    key = fact.key.split("/")
    spread = spread_of((fact.notation,))
    faces = fact.faces
    return "rolls", (
        fact.who,
        *at.of(fact.who),
        fact.key,
        key[-2] if len(key) > 2 else "",
        fact.notation,
        spread.sides if spread else None,
        BY.join(map(str, faces)),
        faces[0] if len(faces) == 1 else None,
        fact.total,
        len(fact.dropped),
        len(fact.rerolled),
        len(fact.exploded),
        spread.mean if spread else None,
        spread.at_least(fact.total) if spread else None,
        fact.provenance,
        not given,
    )


def _chosen(at: RowContext, fact: flow.Chosen, data: bytes) -> Made:
    told = (fact.key, fact.question, BY.join(fact.options), fact.answer, fact.by, fact.rule)
    return "choices", (fact.who, *at.of(fact.who), *told)


def _ruled(at: RowContext, fact: flow.Ruled, data: bytes) -> Made:
    about = (fact.subject, fact.event, fact.dispute, fact.scope, BY.join(fact.changes))
    return "rulings", ("ruling", fact.id, fact.author, fact.verdict, fact.text, *about)


def _disputed(at: RowContext, fact: flow.Disputed, data: bytes) -> Made:
    about = (fact.subject, fact.event, "", "", "")
    return "rulings", ("dispute", fact.id, fact.by, "", fact.claim, *about)


def _refused(at: RowContext, fact: flow.Refused, data: bytes) -> Made:
    return "refusals", ("refused", fact.id, fact.reason, fact.rule)


def _invalidated(at: RowContext, fact: flow.Invalidated, data: bytes) -> Made:
    return "refusals", ("invalidated", fact.id, fact.reason, fact.rule)


def _entered(at: RowContext, fact: flow.CombatantEntered, data: bytes) -> Made:
    sheet = fact.sheet
    kind = (sheet.kind, sheet.size, sheet.hit_dice, sheet.base_attack, sheet.speed)
    return "combatants", (fact.id, sheet.name, fact.side, *kind, fact.hp, fact.max_hp, *fact.at)


MAKERS: dict[str, Callable[[RowContext, Any, bytes], Made]] = {
    "attack.resolved": make_attack_row,
    "check.resolved": _check,
    "chosen": _chosen,
    "combatant.entered": _entered,
    "condition.gained": _condition,
    "condition.lost": _condition_lost,
    "confirmation.resolved": make_confirmation_row,
    "contest.resolved": _contest,
    "damage.resolved": make_damage_row,
    "dismounted": _saddle,
    "disputed": _disputed,
    "effect.ended": _effect_ended,
    "effect.gained": _effect,
    "hit-points.changed": _hit_points_row,
    "invalidated": _invalidated,
    "miss-chance.resolved": make_miss_chance_row,
    "mounted": _saddle,
    "moved": _moved,
    "refused": _refused,
    "rolled": _rolled,
    "round.began": _round,
    "ruled": _ruled,
    "turning.resolved": _turning,
}
"""Type of event -> the function that makes its row from the state, its fact and its bytes."""


Row = tuple[object, ...]

DIGITS = 16
"""Digits of the digest of its first event that identify a log."""


class Piece(Struct, frozen=True):
    """A piece of a line of play: the part on one branch, after `after` and up to `upto`."""

    fight: str
    line: str
    branch: str
    after: int
    upto: int
    main: bool


def rows_of(
    store: Store,
    branch: str = "",
    *,
    side: str = "",
    hide: Iterable[str] = (),
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[str, Row]]:
    """Yield the rows of one line of play, the main line for "", each with the name of its table.

    With `side` or `hide`, only what a side may see, without numbers of other sides and without hidden
    combatants; see `affray.replay.privacy.redaction`. O(events). Raises UnknownStream, AffrayError for a side
    or a combatant that does not exist and for a log without an encounter, and BrokenLog or NewerLog as
    decoding does.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import rows_of
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> table, row = next(rows_of(store))
    >>> table
    'combatants'
    """
    branch = branch or store.main_line()
    fight = identity(store)[:DIGITS]
    hidden: Callable[[Event], str] | None = None
    standing = RowContext()
    if hide or side:
        redaction = Redaction(store, branch, side=side, hide=hide)
        hidden = redaction.why

        def shows(who: str) -> bool:
            one = standing.state.combatants.get(who)
            own = not side or one is None or side in (one.side, one.own_side)
            return own and who not in redaction.hide

        standing = RowContext(shows)
    yield from _walked(fight, standing, store.read(branch), hidden, progress)


def yield_rows_of_branches(
    store: Store, progress: Callable[[int], None] | None = None
) -> Iterator[tuple[str, Row]]:
    """Yield the rows of every branch, each once: on the branch that contains its event.

    `pieces` returns which of them belong to a line of play. O(events).
    """
    fight = identity(store)[:DIGITS]
    branches = store.branches()
    leaves = {one.name: _leaves(store, one) for one in branches}
    awaited = Counter(leaves.values())
    kept: dict[tuple[str, int], RowContext] = {("", 0): RowContext()}
    for branch in branches:
        place = leaves[branch.name]
        begun = kept.get(place)
        if begun is None:
            raise BrokenLog(branch.name, branch.at, f"it left {place[0]}#{place[1]}, which is not an event")
        awaited[place] -= 1
        # The last branch to leave takes the stored state; the others, and the beginning of a log, take
        # copies.
        standing = kept.pop(place) if not awaited[place] else begun.copy()
        after = branch.at
        for at in sorted(at for name, at in awaited if name == branch.name and awaited[name, at]):
            yield from _walked(fight, standing, store.read(branch.name, after, at), None, progress)
            kept[branch.name, at] = standing.copy()
            after = at
        yield from _walked(fight, standing, store.read(branch.name, after), None, progress)


def pieces(store: Store) -> Iterator[Piece]:
    """Yield the pieces of every line of play, the oldest piece of each line first. O(branches x depth)."""
    fight, main = identity(store)[:DIGITS], store.main_line()
    for branch in store.branches():
        end = store.head(branch.name).seq
        for name, after, upto in line_parts(store.lineage(branch.name), 0, end):
            yield Piece(fight, branch.name, name, after, upto, branch.name == main)


def _leaves(store: Store, branch: Branch) -> tuple[str, int]:
    """Return the stream and position of the last event before a branch; "" and 0 for none."""
    if not branch.parent or not branch.at:
        return "", 0
    return owner(store.lineage(branch.parent), branch.at), branch.at


def _walked(
    fight: str,
    standing: RowContext,
    events: Iterable[Event],
    hidden: Callable[[Event], str] | None,
    progress: Callable[[int], None] | None,
) -> Iterator[tuple[str, Row]]:
    """Yield the rows of consecutive events, and leave `standing` after the last."""
    state, handlers, makers = standing.state, HANDLERS, MAKERS
    for event in events:
        kind = event.type
        maker = makers.get(kind)
        if maker is None and kind not in CHANGING and kind in TAG_NAMES:
            continue
        fact = decode(event)
        seen = hidden is None or not hidden(event)
        if kind == "declared":
            _declare(standing, event, fact, seen)
        elif maker is not None:
            table, cells = maker(standing, fact, event.data)
            if table == "attacks":
                standing.blows[fact.attacker, fact.target] = event.seq
            if seen:
                act = standing.act if event.cause == standing.declared else ""
                cites = getattr(fact, "cites", None)
                place = (fight, event.stream, event.seq, event.round, event.turn, event.actor)
                yield table, (*place, event.cause, act, "; ".join(cites) if cites else "", *cells)
        handler = handlers.get(type(fact))
        if handler is not None:
            try:
                handler(state, fact)
            except (LookupError, AttributeError, TypeError, ValueError) as error:
                raise impossible_event_error(event, error) from None
        if progress is not None:
            progress(event.seq)


def _declare(standing: RowContext, event: Event, fact: Declared, seen: bool) -> None:
    standing.declared = event.seq
    standing.act = str(fact.act.__struct_config__.tag) if seen else ""
    standing.notations.clear()
    standing.blows.clear()
