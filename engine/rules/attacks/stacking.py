"""Stacking of bonuses by their types, and by grades of advantage."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.modifiers import Tally
from affray.events.facts.sheet import Modifier

NOTHING: Final[frozenset[str]] = frozenset()

#: Kinds that stack unless one source gives them twice.
STACKING: Final = frozenset({"ability", "base", "circumstance", "dodge", "penalty", "racial", "untyped"})

#: Kinds of situational advantages, for dialects that grade these.
GRADES: Final = frozenset({"advantage", "major", "minor", "moderate"})

#: Kinds that describe the combatant and not its situation: never a graded advantage or disadvantage.
STATISTICS: Final = frozenset({"ability", "armor", "base", "class", "equipment", "natural", "shield", "size"})

#: Kinds of bonus that rulebooks of this family name, and other kinds of parts of a number.
KINDS: Final = frozenset(
    {
        *(STACKING | STATISTICS),
        *("alchemical", "competence", "deflection", "enhancement", "feat", "inherent", "insight", "luck"),
        *("morale", "natural armor", "profane", "resistance", "sacred", "trait"),
    }
)

#: Types of bonuses that a penalty can have too: of several penalties of one type only the worst counts.
TYPED: Final = KINDS - STACKING - STATISTICS - {"feat", "trait"}


class GradingRules(Struct, frozen=True, gc=False):
    """The rule ids to cite for each step of graded stacking."""

    half: str = ""
    cap: str = ""
    fail: str = ""
    rounding: str = ""
    tie: str = ""
    sum: str = ""
    apart: str = ""


UNCITED: Final = GradingRules()


def stack_typed(
    parts: Sequence[Modifier],
    *,
    stacks: frozenset[str] = STACKING,
    named: frozenset[str] = NOTHING,
    rule: str = "",
) -> Tally:
    """Return the tally by bonus types: of one type the best counts, different types add up.

    Kinds in `stacks` add up unless they have one source; so do penalties, but of those whose kind is in
    `named` only the worst counts. Of equals the first counts; an empty source is never the same as another.
    Cost: O(n), without a new modifier when nothing is suppressed.
    """
    total = 0
    live = 0
    seen = set()
    for part in parts:
        if not part.denied:
            value = part.value
            total += value
            live += 1
            # Kinds and sources share one set: a chance match only means the exact way below.
            kind = part.kind
            seen.add(kind if (kind not in stacks if value > 0 else kind in named) else part.source)
    if len(seen) == live:
        return Tally(total, tuple(parts))
    return _stack_clashing(parts, stacks, named, rule)


def _stack_clashing(
    parts: Sequence[Modifier], stacks: frozenset[str], named: frozenset[str], rule: str
) -> Tally:
    best: dict[tuple[bool, str, str], Modifier] = {}
    keys: list[tuple[bool, str, str] | None] = []
    for part in parts:
        key = None
        if part.value and not part.denied:
            bonus = part.value > 0
            if part.kind not in stacks if bonus else part.kind in named:
                key = (bonus, part.kind, "")
            elif part.source:
                key = (bonus, part.kind, part.source)
        keys.append(key)
        if key and (key not in best or abs(part.value) > abs(best[key].value)):
            best[key] = part
    kept: list[Modifier] = []
    total = 0
    taken = set()
    for part, key in zip(parts, keys, strict=True):
        if key is None:
            total += 0 if part.denied else part.value
        elif part is best[key] and key not in taken:
            taken.add(key)
            total += part.value
        else:
            same = "same source" if key[2] else f"same type: {part.kind}"
            winner = best[key]
            part = replace(part, denied=f"overruled by {winner.source} {winner.value:+d} ({same})")
        kept.append(part)
    suppressed = any(new is not old for new, old in zip(kept, parts, strict=True))
    return Tally(total, tuple(kept), (rule,) if rule and suppressed else ())


def stack_graded(
    parts: Sequence[Modifier],
    *,
    cap: int = 12,
    fail_at: int = -20,
    stacks: frozenset[str] = STACKING,
    grades: frozenset[str] = GRADES,
    half_of_one: int = 1,
    divisor: int = 2,
    below_a_tie_in_full: bool = False,
    rule: str = "",
    rules: GradingRules = UNCITED,
) -> Tally:
    """Return the tally with graded advantages: the largest counts whole, every other one half (its
    `divisor`).

    Halves are rounded down, but the half of 1 is `half_of_one`. Advantages (bonuses of a kind in `grades`)
    count for `cap` at most in all; penalties count in full, and when those that are no statistics reach
    `fail_at` the tally has `failed`. A reduced advantage is in `parts` twice: with the part that counts and
    the part that does not. `below_a_tie_in_full` is the printed-example reading: when two tie for the
    largest, the smaller ones are not halved. Everything else stacks by type.
    """
    typed = stack_typed(parts, stacks=stacks | grades, rule=rule)
    advantages = [
        at
        for at, part in enumerate(typed.parts)
        if part.value > 0 and not part.denied and part.kind in grades
    ]
    burdens = [
        part.value
        for part in typed.parts
        if part.value < 0 and not part.denied and part.kind not in STATISTICS
    ]
    burden = sum(burdens)
    failed = burden <= fail_at
    decided = [(len(burdens) > 1, rules.sum), (failed, rules.fail)]
    decided.append((bool(burdens and advantages), rules.apart))
    cites = [*typed.cites, *(name for holds, name in decided if holds and name)]
    ranked = sorted(advantages, key=lambda at: -typed.parts[at].value)
    first = typed.parts[ranked[0]] if ranked else None
    if first is None or (len(ranked) == 1 and first.value <= cap):
        return Tally(typed.total, typed.parts, tuple(cites), failed, burden)

    tied = len(ranked) > 1 and typed.parts[ranked[1]].value == first.value
    pieces: dict[int, list[Modifier]] = {}
    room, total = cap, typed.total
    halved = capped = rounded = False
    for rank, at in enumerate(ranked):
        part = typed.parts[at]
        share = part.value
        if rank and not (below_a_tie_in_full and tied and part.value < first.value):
            share = half_of_one if part.value == 1 else part.value // divisor
            rounded = rounded or part.value == 1
        counted = min(share, room)
        room -= counted
        total += counted - part.value
        halved, capped = halved or share < part.value, capped or counted < share
        pieces[at] = _split(part, counted, share, first, cap)
    decided = [(halved, rules.half), (capped, rules.cap), (rounded, rules.rounding), (tied, rules.tie)]
    cites += [name for holds, name in decided if holds and name]
    kept = tuple(piece for at, part in enumerate(typed.parts) for piece in pieces.get(at, [part]))
    return Tally(total, kept, tuple(cites), failed, burden)


def _split(part: Modifier, counted: int, share: int, first: Modifier, cap: int) -> list[Modifier]:
    """Return the part as what counts, what halving takes and what the cap takes; only what is not zero."""
    if counted == part.value:
        return [part]
    pieces = [
        (counted, ""),
        (part.value - share, f"halved: {first.source} {first.value:+d} counts in full"),
        (share - counted, f"over the cap of {cap:+d} on advantages"),
    ]
    return [replace(part, value=value, denied=why) for value, why in pieces if value]
