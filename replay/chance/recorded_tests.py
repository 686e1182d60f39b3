"""The chances that recorded tests had, by the rules of their fight and the distribution of their dice, and
the mean of recorded damage.
"""

from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from msgspec import UNSET

from affray.engine.dice.distribution import Test, distribution
from affray.engine.fight.fight import Fight
from affray.engine.language.names import playable
from affray.events.facts.combat import AttackResolved, CheckResolved, ConfirmationResolved, DamageResolved
from affray.projections.sentence import is_first_of_contest
from affray.projections.state import Encounter
from affray.replay.log.rules_for_fight import make_fight_context

Decided: TypeAlias = AttackResolved | ConfirmationResolved | CheckResolved


def mean_damage(fact: DamageResolved) -> Fraction | None:
    """Return the exact mean of damage with its dice and modifiers, before reductions.

    None where it is not their sum, because a rule halved it or spared the target.
    """
    if not fact.dice:
        return Fraction(fact.total)
    added = fact.multiplier * sum([part.value for part in fact.modifiers if not part.denied])
    least = 1 if fact.least is UNSET else fact.least
    if fact.total != max(least, sum([part.total for part in fact.dice]) + added):
        return None
    return _mean_of_sum(tuple([part.notation for part in fact.dice]), added, least)


@lru_cache(maxsize=4096)
def _mean_of_sum(notations: tuple[str, ...], added: int, least: int) -> Fraction:
    thrown = distribution(*notations)
    raised = sum(
        ways * (least - added - total) for total, ways in thrown.ways.items() if total + added < least
    )
    return thrown.mean + added + Fraction(raised, thrown.possible)


class RecordedTests:
    """The tests of one fight, whose `state` may go on changing: which faces decide them says its dialect."""

    def __init__(self, state: Encounter) -> None:
        self._state = state
        self._fight: Fight | None = None

    def chance(self, fact: Decided, notation: str) -> Fraction | None:
        """Return the exact chance that a test had beforehand to succeed with the dice of this notation.

        None where something else than the sums decided it, or where the dialect is not installed here.
        """
        if type(fact) is CheckResolved and notation == "1d100" and not (fact.parts or "." in fact.check):
            # A plain percentage is that of success or, as that of a spell that armor spoils, of failure.
            low = Test("1d100", -fact.dc, 1).chance
            return 1 - low if (fact.total <= fact.dc) == fact.success else low
        test = self._test(fact, notation)
        return test.chance if test is not None and test.passes(fact.natural) == succeeded(fact) else None

    def attack(self, fact: AttackResolved, notation: str) -> Fraction | None:
        """Return the exact chance that an attack roll had to hit, whatever decided it afterwards."""
        test = self._test(fact, notation)
        return test.chance if test is not None else None

    def _test(self, fact: Decided, notation: str) -> Test | None:
        fight = self._rules()
        if fight is None or not notation:
            return None
        bonus, kernel = fact.total - fact.natural, fight.dialect.kernel
        if type(fact) is CheckResolved:
            if is_first_of_contest(fact):
                return None
            faces = kernel.sure_faces(fight, fact.check, fact.cites)
            return Test(notation, bonus, fact.dc, *faces, under=bool(fact.under))
        assert not isinstance(fact, CheckResolved)
        purpose = "attack" if type(fact) is AttackResolved else "confirm"
        fails, succeeds = kernel.sure_faces(fight, purpose, fact.cites)
        if f"{self._state.dialect}.disadvantage.auto-fail" in fact.cites:
            # The penalties make it fail whatever the dice show, but for a natural 20.
            return Test(notation, bonus, IMPOSSIBLE, fails, succeeds)
        return Test(notation, bonus, fact.needed, fails, succeeds)

    def _rules(self) -> Fight | None:
        if self._fight is None and playable(self._state):
            self._fight = make_fight_context(self._state, None)
        return self._fight


IMPOSSIBLE = 1_000_000
"""More than any dice and bonus come to."""


def succeeded(fact: Decided) -> bool:
    """Return whether a test was recorded as made."""
    if isinstance(fact, AttackResolved):
        return fact.result != "miss"
    return fact.confirmed if isinstance(fact, ConfirmationResolved) else fact.success
