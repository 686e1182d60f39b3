"""How likely a recorded outcome was: exactly, as fractions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from msgspec import Struct

from affray.engine.dice import parse
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import combat
from affray.events.facts.declared import Declared
from affray.events.facts.rolled import Rolled
from affray.events.store import Store
from affray.projections.audit import rolls_of
from affray.projections.state import Encounter
from affray.replay.again import Again
from affray.replay.groups import group_of
from affray.replay.playhead import state_at
from affray.replay.sums import total_of


class Chance(Struct, frozen=True):
    """How likely it was that event `seq` came out so (or so high): `favourable` of `possible` cases.

    `outcome` says what came out, `others` how many cases lead to anything else, by what.
    """

    seq: int
    key: str
    outcome: str
    favourable: int
    possible: int
    others: dict[str, int]

    @property
    def fraction(self) -> Fraction:
        """The probability."""
        return Fraction(self.favourable, self.possible)

    def __str__(self) -> str:
        others = "".join(
            f"; {name}: {percent(Fraction(n, self.possible))}" for name, n in self.others.items()
        )
        shown = self.fraction
        told = f" ({shown})" if shown.denominator <= 1_000_000 else ""
        return f"#{self.seq} {self.outcome}: {percent(shown)}{told}{others}"


def percent(of: Fraction) -> str:
    """Return a probability in percent with one decimal, never rounded to none or all."""
    tenths = round(of * 1000)
    if 0 < of < 1:
        tenths = min(max(tenths, 1), 999)
    return f"{tenths // 10}.{tenths % 10} %"


def chances(store: Store, branch: str, seqs: Sequence[int], before: Encounter | None = None) -> list[Chance]:
    """Return the odds of those of the events, all of one declaration, that dice decided.

    Attacks, confirmations, checks, saves, contests and miss chances: every face in turn is put to the rules
    of today, everything else as recorded. Damage, and a roll of which none of the events tells: the sum of
    the dice, convolved; such a roll brings along what it decided. `before` is the state before the
    declaration, if it is known already; it is not changed. Raises AffrayError if there is no such event.
    """
    if not seqs:
        return []
    branch = branch or store.main_line()
    group = group_of(store, branch, min(seqs))
    first = decode(group[0])
    if type(first) is not Declared:
        return []
    before = before or state_at(store, branch, group[0].seq - 1)
    facts = [decode(event) for event in group]
    rolls = {fact.key: fact for fact in facts if type(fact) is Rolled}
    wanted = {at for at, event in enumerate(group) if event.seq in seqs}
    tell = {at: keys for at in range(len(facts)) if (keys := _decisive(facts, at))}
    told = {key for at in wanted for key in tell.get(at, ())}
    plain = {facts[at].key for at in wanted if type(facts[at]) is Rolled} - told
    wanted |= {at for at, keys in tell.items() if plain.intersection(keys)}
    found: list[Chance] = []
    again: Again | None = None
    for at in sorted(wanted):
        seq, fact = group[at].seq, facts[at]
        if type(fact) is combat.DamageResolved:
            found += _damage(seq, fact)
        elif type(fact) is Rolled and fact.key in plain:
            found += _thrown(seq, fact)
        elif type(fact) in _OUTCOMES and at in tell:
            dice = {key: parse(rolls[key].notation) for key in tell[at] if key in rolls}
            if dice and all(die.count == 1 for die in dice.values()):
                sides = {key: die.sides for key, die in dice.items()}
                again = again or Again(before, first, group[0].seq, facts)
                found += _counted(seq, fact, sides, again.outcomes(fact, sides))
    return found


def _decisive(facts: Sequence[Any], at: int) -> list[str]:
    """Return the keys of the rolls that decided the fact at index `at`."""
    fact = facts[at]
    if type(fact) is combat.ContestResolved:
        return [facts[i].key for i in rolls_of(facts, at)]
    if type(fact) is combat.DamageResolved:
        return [part.key for part in fact.dice]
    return [fact.key] if type(fact) in _OUTCOMES and fact.key else []


def _counted(seq: int, fact: Any, sides: Mapping[str, int], came: Sequence[Any]) -> Iterator[Chance]:
    """Count what the faces come to; nothing where today's rules would never decide as recorded."""
    possible = prod(sides.values())
    for label in _OUTCOMES[type(fact)]:
        cases: dict[str, int] = {}
        for name in filter(None, map(label, came)):
            cases[name] = cases.get(name, 0) + 1
        outcome = label(fact)
        favourable = cases.pop(outcome, 0)
        if len(came) < possible:
            cases["does not come to that"] = possible - len(came)
        if favourable:
            yield Chance(seq, list(sides)[-1], outcome, favourable, possible, cases)


_OUTCOMES: dict[type, tuple[Callable[[Any], str], ...]] = {
    combat.AttackResolved: (
        lambda fact: "misses" if fact.result == "miss" else "hits",
        lambda fact: "threatens a critical" if fact.result in ("threat", "critical") else "",
    ),
    combat.ConfirmationResolved: (lambda fact: "confirms" if fact.confirmed else "does not confirm",),
    combat.MissChanceResolved: (lambda fact: "misses by chance" if fact.missed else "finds its mark",),
    combat.CheckResolved: (lambda fact: "succeeds" if fact.success else "fails",),
    combat.ContestResolved: (
        lambda fact: "rolls again" if fact is None else "wins" if fact.won else "does not win",
    ),
    combat.TurningResolved: (lambda fact: f"reaches {fact.most} Hit Dice",),
    combat.InjurySuffered: (lambda fact: fact.name,),
}
"""What came out, in words; "" where a question does not arise."""


def _thrown(seq: int, fact: Rolled) -> Iterator[Chance]:
    """Yield the odds of that total or more on the dice; nothing for dice that cannot be counted."""
    try:
        cases = total_of((fact.notation,))
    except AffrayError:
        return
    favourable = sum(n for total, n in cases.items() if total >= fact.total)
    outcome = f"{fact.total} or more on {fact.notation}"
    yield Chance(seq, fact.key, outcome, favourable, sum(cases.values()), {})


def _damage(seq: int, fact: combat.DamageResolved) -> Iterator[Chance]:
    """Yield the odds of that damage or more; nothing for dice that cannot be counted."""
    outcome = f"{fact.total} damage or more"
    shown = sum(part.total for part in fact.dice)
    try:
        cases = total_of(tuple(part.notation for part in fact.dice))
    except AffrayError:
        return
    possible = sum(cases.values())
    # At the least damage that a hit deals, no throw would have brought less.
    least = fact.why.startswith("a hit deals at least")
    favourable = possible if least else sum(n for total, n in cases.items() if total >= shown)
    yield Chance(seq, "", outcome, favourable, possible, {})
