"""What a fight remembers of its sums: it cannot be told from the results."""

import random

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import MOST
from affray.events.facts.sheet import Modifier
from affray.projections.state import Encounter

KINDS = ("enhancement", "dodge", "armor", "untyped", "penalty", "deflection")


def fresh(dialect: str) -> Fight:
    """Return an empty fight of a dialect that has summed nothing yet."""
    return Fight(Encounter(dialect=dialect), load(dialect))


def some(dice: random.Random) -> list[Modifier]:
    """Return modifiers of which some clash."""
    return [
        Modifier(dice.randint(-3, 5), dice.choice(KINDS), dice.choice(("", "a", "b", "c")), "rule")
        for _ in range(12)
    ]


def test_remembered_sums_are_those_of_the_dialect() -> None:
    """Whatever was summed before, in whatever order, a sum is what the dialect makes of its parts."""
    for dialect in ("srd35", "pf1", "futurepath", "woa"):
        dice, known = random.Random(dialect), fresh(dialect)
        modifiers = some(dice)
        for _ in range(200):
            parts = dice.choices(modifiers, k=dice.randint(0, 6))
            assert known.stack(parts) == known.dialect.attacks.stack(fresh(dialect), parts)


def test_equal_numbers_of_other_modifiers_are_no_mix_up() -> None:
    """Modifiers that are gone by now never lend their sum to others that took their place in memory."""
    known = fresh("srd35")
    for value in range(500):
        assert known.stack([Modifier(value, "dodge", str(value), "rule")]).total == value


def test_what_is_remembered_is_bounded() -> None:
    """Beyond its bound the memory begins anew, and the sums stay right."""
    known = fresh("srd35")
    for value in range(2 * MOST + 10):
        assert known.stack((Modifier(value, "luck", "charm", "rule"),)).total == value
        assert len(known.memory.sums) <= MOST + 1, "a sum and its part come in together"
