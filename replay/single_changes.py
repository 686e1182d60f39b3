"""Every single change of a declaration: throws of its dice, other answers, modifiers struck out."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb
from typing import Any

from msgspec import Struct

from affray.engine.dice import parse, rethrow
from affray.engine.dice.notation import Dice, Notation, Number
from affray.events.errors import AffrayError
from affray.events.facts import combat, flow
from affray.events.facts.declared import Chosen
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.replay.changes import Change
from affray.replay.ruling import BadRuling, Ruling, sort
from affray.replay.sums import MOST

SAVES = ("save.fort", "save.ref", "save.will")
"""The checks whose modifiers a ruling can strike out."""


class Thrown(Struct, frozen=True):
    """Throws of which the rules make the same: `faces` stand for all of them, `ways` of them there are."""

    faces: tuple[int, ...]
    total: int
    ways: int


def throws(text: str) -> list[Thrown]:
    """Return every throw of some dice, those of one total and one first face together.

    Of the faces of a throw the rules read the total and the first face, nothing else. Raises AffrayError for
    dice that are rolled again and for more throws than can be listed.
    """
    notation = parse(text)
    if notation.count:
        return list(_plain(notation.count, notation.sides, notation.bonus))
    dice = [term for term in notation.terms if not isinstance(term, Number)]
    return list(_every_throw(notation, dice)) if dice else []


def _plain(count: int, sides: int, bonus: int) -> Iterator[Thrown]:
    for first in range(1, sides + 1):
        for rest in range(count - 1, (count - 1) * sides + 1):
            yield Thrown(
                (first, *_spread(rest, count - 1, sides)), first + rest + bonus, _ways(rest, count - 1, sides)
            )


def _spread(total: int, count: int, sides: int) -> Iterator[int]:
    """Yield so many faces that come to a total, as even as they can be."""
    for left in range(count, 0, -1):
        face = -(-total // left)
        total -= face
        yield face


def _ways(total: int, count: int, sides: int) -> int:
    """Return in how many ways so many dice come to a total."""
    if not count:
        return 1
    over = range((total - count) // sides + 1)
    return sum((-1) ** k * comb(count, k) * comb(total - k * sides - 1, count - 1) for k in over)


def _every_throw(notation: Notation, dice: Sequence[Dice]) -> Iterator[Thrown]:
    possible = 1
    for one in dice:
        possible *= one.sides**one.count
        if one.reroll is not None or one.explode is not None or possible > MOST:
            raise AffrayError(f"the throws of {notation} cannot be listed")
    found: dict[tuple[int, int], tuple[tuple[int, ...], int]] = {}
    for faces in product(*(range(1, one.sides + 1) for one in dice for _ in range(one.count))):
        alike = faces[0], rethrow(notation, faces).total
        known = found.get(alike, (faces, 0))
        found[alike] = known[0], known[1] + 1
    for (_, total), (faces, ways) in found.items():
        yield Thrown(faces, total, ways)


def choices(fact: Chosen) -> Iterator[Change]:
    """Yield the other answers to a question."""
    for option in dict.fromkeys(fact.options):
        if option != fact.answer:
            yield Change("choice", fact.key, option)


def struck(facts: Sequence[Any]) -> Iterator[tuple[int, Change, Modifier]]:
    """Yield the modifiers that count in the sums of a declaration, each once, as a ruling strikes them out.

    With each goes the index of the first fact that it stands in. A ruling strikes out by source, or by kind
    where there is no source, for the whole declaration.
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


def _sums(fact: Any) -> Iterator[tuple[str, str, tuple[Modifier, ...]]]:
    """Yield the sums of a fact that rulings can change: whose, which, and its modifiers."""
    kind = type(fact)
    if kind is combat.AttackResolved or kind is combat.ConfirmationResolved:
        yield fact.attacker, "attack" if kind is combat.AttackResolved else "confirm", fact.attack
        yield fact.target, "defense", fact.defense
    elif kind is combat.DamageResolved:
        yield fact.attacker, "damage", fact.modifiers
    elif kind is flow.InitiativeRolled:
        yield fact.who, "initiative", fact.parts
    elif kind is combat.CheckResolved and fact.check in SAVES:
        yield fact.who, fact.check, fact.parts


def _is_read(effect: str) -> bool:
    """Say whether a ruling reads an effect as it is meant: names may hold signs that mean something else."""
    try:
        return sort(Ruling("", (effect,))).rest == [effect]
    except BadRuling:
        return False


def came_to(facts: Sequence[Any], key: str) -> str:
    """Return what the roll of a key came to, in a word; "" where that is no matter of one word."""
    for fact in facts:
        if getattr(fact, "key", "") != key:
            continue
        kind = type(fact)
        if kind is combat.AttackResolved:
            return {"miss": "misses", "hit": "hits"}.get(fact.result, "threatens a critical")
        if kind is combat.ConfirmationResolved:
            return "confirms" if fact.confirmed else "does not confirm"
        if kind is combat.CheckResolved:
            return "succeeds" if fact.success else "fails"
        if kind is combat.MissChanceResolved:
            return "misses by chance" if fact.missed else "finds its mark"
    return ""


TOLD = frozenset({"attack.resolved", "confirmation.resolved", "check.resolved", "miss-chance.resolved"})
"""The types of facts that `came_to` reads."""


def rolls(facts: Sequence[Any]) -> Iterator[tuple[int, Rolled]]:
    """Yield the rolls of a declaration, with where they stand in it."""
    for at, fact in enumerate(facts):
        if type(fact) is Rolled:
            yield at, fact
