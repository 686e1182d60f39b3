"""The declarations that a combatant may make, for people: acts by target, squares in reach on the map."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import fields, replace

from affray.engine.book.card import wrapped
from affray.engine.grid.battlefield import SQUARE_FT, battlefield
from affray.engine.grid.lines_and_cover import draw
from affray.engine.kernel.paths import ReachablePath
from affray.engine.language.cast import Cast
from affray.engine.record.chapters import Left
from affray.engine.table.legal import Legal
from affray.engine.text.map import explain_signs, get_marks_between_squares, yield_rows_with_barriers
from affray.events.errors import counted, square
from affray.events.facts import acts
from affray.events.facts.base import Act
from affray.events.facts.flow import AnyAct
from affray.events.facts.words import DialectWords
from affray.projections.state import Encounter

PAST = "!"
"""The mark of a square on the map whose best path provokes."""
ON_THE_MAP = (acts.Move, acts.Withdraw, acts.Run, acts.Step)
"""Declarations that lead to a square, of which there are many: only their number is printed."""


def shown(found: Legal, state: Encounter) -> Legal:
    """Return what a combatant may declare as people read it.

    Kinds have their names without the dialect; of each kind the declarations at enemies come first.
    """
    own, kinds = state.combatants[found.who].side, dict[str, int]()

    def place(act: AnyAct) -> tuple[int, bool]:
        target = state.combatants.get(said_of(act)[0])
        return kinds.setdefault(name_of(act), len(kinds)), target is not None and target.side == own

    return replace(
        found,
        open=tuple(sorted(found.open, key=place)),
        closed=tuple(replace(shut, kind=plain_name(shut.kind)) for shut in found.closed),
        not_all=tuple(map(plain_name, found.not_all)),
    )


def yield_allowed_acts(found: Legal) -> Iterator[tuple[str, str]]:
    """Yield (name of an act, its choices) for all allowed acts, in the order of the dialect's chapters."""
    by_kind: dict[str, list[Act]] = {}
    for act in found.open:
        by_kind.setdefault(name_of(act), []).append(act)
    for name, some in by_kind.items():
        more = ", and more" if name in found.not_all else ""
        if isinstance(some[0], ON_THE_MAP):
            yield name, f"to {counted(len(some), 'square')}{more}"
        else:
            yield name, "; ".join(_by_target(some)) + more
    for name in found.not_all:
        if name not in by_kind:
            yield name, "with your own details"


def describe_left(left: Sequence[Left], words: DialectWords) -> str:
    """Return what a combatant has left, then what it has used up: "action, movement 10/30 ft."."""
    there = ", ".join(_describe_one_left(one, words) for one in left if one.amount > 0)
    gone = ", ".join(words.actions.get(one.kind, one.kind) for one in left if one.amount <= 0)
    return "; ".join(filter(None, (there, f"used up: {gone}" if gone else "")))


def _describe_one_left(one: Left, words: DialectWords) -> str:
    name = words.actions.get(one.kind, one.kind)
    if (one.amount, one.most, one.unit) == (1, 1, ""):
        return name
    return f"{name} {one.amount}/{one.most}{f' {one.unit}' if one.unit else ''}"


def _by_target(some: Sequence[Act]) -> Iterator[str]:
    """Yield each target with the variants of the act."""
    grouped: dict[str, list[str]] = {}
    for act in some:
        target, how = said_of(act)
        grouped.setdefault(target, []).extend([how] if how else [])
    for target, hows in grouped.items():
        ways = ", ".join(dict.fromkeys(hows))
        yield f"{target}: {ways}" if target and ways else target or ways


def said_of(act: Act) -> tuple[str, str]:
    """Return the target of a declaration, and its other details."""
    target, rest = "", []
    for name, value in _details(act):
        if name in ("target", "targets", "friend"):
            target = value if isinstance(value, str) else ", ".join(value)
        elif name != "path":
            rest.append(_word(name, value))
    return target, " ".join(rest)


def _details(act: Act) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a declaration that are not at their defaults, the actor aside."""
    if isinstance(act, acts.Custom):
        yield from act.fields.items()
        return
    for one in fields(type(act)):
        value = getattr(act, one.name)
        if one.name != "actor" and value != one.default and value not in ((), None, ""):
            yield one.name, value


def _word(name: str, value: Any) -> str:
    if name == "strikes":
        target = value[0].target
        return f"{target} with {', '.join(_of_strike(one) for one in value)}"
    if name == "actions":
        return ", then ".join(f"{one.what} {one.target}".strip() for one in value)
    if name in ("at", "to") and isinstance(value, tuple):
        return f"{name} {value[0]},{value[1]}"
    if name in ("weapon", "item", "spell", "what", "condition", "ability", "feat"):
        return str(value)
    return name if value is True else f"{name} {value}"


def _of_strike(strike: acts.Strike) -> str:
    return (strike.weapon or "the usual weapon") + (" (autofire)" if strike.autofire else "")


def draw_reach_map(state: Encounter, ways: Sequence[ReachablePath], letters: Mapping[str, str]) -> list[str]:
    """Return the rows of the map with the squares in reach: a digit is the cost in squares, + ten or more.

    `letters` are those of the combatants by id. The last row explains the signs between squares.
    """
    field = battlefield(state.terrain)
    marks = {way.to: PAST if way.past else _cost(way) for way in ways}
    sides = dict.fromkeys(marks, 1)
    for one in state.combatants.values():
        marks[one.at] = letters[one.id]
        sides[one.at] = one.space
    taken = {
        (one.at[0] + dx, one.at[1] + dy)
        for one in state.combatants.values()
        for dx in range(one.space)
        for dy in range(one.space)
        if (dx, dy) != (0, 0)
    }
    shown = {at: mark for at, mark in marks.items() if at not in taken}
    parted = get_marks_between_squares(state.barriers)
    rows = list(yield_rows_with_barriers(draw(field, shown, sides).splitlines(), field, parted))
    return [*rows, f"between squares: {explain_signs(parted)}"] if parted else rows


def _cost(way: ReachablePath) -> str:
    squares = way.feet // SQUARE_FT
    return str(squares) if squares < 10 else "+"


def yield_provoked(ways: Sequence[ReachablePath]) -> Iterator[str]:
    """Yield the combatants that paths provoke, with the squares, and how many of these have a path around."""
    by_whom: dict[tuple[str, ...], list[ReachablePath]] = {}
    for way in ways:
        if way.past:
            by_whom.setdefault(way.past, []).append(way)
    for whom, some in by_whom.items():
        around = sum(1 for way in some if way.around)
        safe = f"; {around} of them have a safe path" if around else ""
        yield f"{counted(len(some), 'square')} provoking {', '.join(whom)}{safe}"


# --- Allowed declarations, each with a key to press

MOST_OF_A_KIND = 6
"""Most declarations shown of one kind if no kind is named."""


def keyed(found: Legal, kind: str = "") -> list[AnyAct]:
    """Return the declarations with keys, the first of them 1: of all kinds, or of those that begin with
    `kind`.
    """
    return [act for act in found.open if not isinstance(act, ON_THE_MAP) and name_of(act).startswith(kind)]


def name_of(act: Act) -> str:
    """Return the name of a kind of declaration, without its dialect."""
    return plain_name(act.name if isinstance(act, acts.Custom) else str(act.__struct_config__.tag))


def plain_name(kind: str) -> str:
    """Return the name of a kind of declaration without its dialect: dash for srd52.dash."""
    return kind.partition(".")[2] or kind


def yield_menu_rows(
    acts: Sequence[Act], cast: Cast, width: int, *, all_of_them: bool = False
) -> Iterator[str]:
    """Yield the declarations by kind with their keys, at the width of the terminal."""
    kinds: dict[str, list[tuple[int, Act]]] = {}
    for number, act in enumerate(acts, 1):
        kinds.setdefault(name_of(act), []).append((number, act))
    wide = max(map(len, kinds), default=0)
    for kind, some in kinds.items():
        shown = some if all_of_them else some[:MOST_OF_A_KIND]
        words = ",  ".join(f"{number} {listed(act, cast)}".rstrip() for number, act in shown)
        rest = len(some) - len(shown)
        more = f",  and {rest} more: ? {kind}" if rest else ""
        yield from wrapped(f"{kind:<{wide}}  {words}{more}", width, "  ", " " * (wide + 4))


def listed(act: Act, cast: Cast) -> str:
    """Return the details of a declaration other than its kind and its actor."""
    target, how = said_of(act)
    names = ", ".join(cast.name(one) for one in target.split(", ")) if target else ""
    path = getattr(act, "path", ())
    return f"{names} {how}{f' to {square(path[-1])}' if path else ''}".strip()
