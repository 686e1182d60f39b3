"""A roll that decides has one distribution, on which explanations, rows, luck, rulings and the page agree.

A house rule rolls every test with other dice; the chances are compared with the listing of all throws.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest

from affray.engine.dice.distribution import BURSTS, distribution
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, CheckResolved
from affray.events.facts.sheet import Abilities, Bonus, Saves, Sheet, Weapon
from affray.events.stores.memory import MemoryStore
from affray.projections.rows import TABLES
from affray.replay.chance.luck import luck
from affray.replay.chance.outcome_odds import chances, percent
from affray.replay.explain.disputes import rule
from affray.replay.explain.why import text, why
from affray.replay.rows.walk import rows_of
from affray.replay.verification.verify import verify
from affray.replay.viewer.frames import frames
from affray.replay.whatif.pivots import throws
from tests.dice.test_distribution import every_throw, exploded
from tests.house.test_house_rules import offer

HOUSE = """
from affray.engine.record.house_rules import HouseRules, Put

def dice(fight, combatant, purpose):
    return {dice!r}

def faces(fight, purpose, cites):
    return {faces!r}

HOUSE = HouseRules(
    dialect="srd35",
    stages=(Put("attacks.test_dice", "decide", dice), Put("attacks.sure_faces", "decide", faces)),
)
"""

TESTS = {
    "one d20": ("1d20", (1, 20)),
    "advantage": ("2d20kh1", (1, 20)),
    "disadvantage": ("2d20kl1", (1, 20)),
    "three d6": ("3d6", (3, 18)),
    "two d10": ("2d10", (0, 0)),
    "d100": ("1d100", (0, 0)),
    "keep two of three": ("3d10kh2", (0, 0)),
    "drop the lowest": ("4d6dl1", (0, 0)),
    "reroll ones": ("1d20ro1", (1, 20)),
    "no face decides": ("1d20", (0, 0)),
    "exploding": ("1d10!", (0, 0)),
    "the better of two that explode": ("2d10!kh1", (0, 0)),
}


FIGHTER = Sheet(
    "Fighter",
    hp=200,
    base_attack=3,
    saves=Saves(fort=4),
    abilities=Abilities(str=14),
    weapons=(Weapon("longsword", "1d8"),),
)


@pytest.fixture(params=TESTS)
def tested(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, Table]:
    """The dice of a kind of test, and a fight in which all tests are rolled with them."""
    dice, faces = TESTS[request.param]
    module = f"dice_of_{list(TESTS).index(request.param)}"
    offer(
        tmp_path, module, "1", f"{module} = {module}:HOUSE", **{module: HOUSE.format(dice=dice, faces=faces)}
    )
    monkeypatch.syspath_prepend(tmp_path)
    return request.param, fight(module)


def fight(package: str) -> Table:
    """Play six attacks and six saves under a house rule."""
    table = Table.create(
        MemoryStore(), dialect="srd35", house_rules=(package,), terrain=("....",) * 3, seed=b"one test"
    )
    target = Sheet("Target", hp=900, armor=(Bonus(3, "armor", "mail"),))
    for id, sheet, at in (("fighter", FIGHTER, (0, 0)), ("target", target, (1, 0))):
        outcome = table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=at, initiative=20 - at[0]))
        assert outcome.refused is None, outcome.refused
    table.declare(acts.Begin())
    for _ in range(6):
        table.declare(acts.Attack(actor="fighter", target="target"))
        table.declare(acts.Hazard(target="fighter", save="fort", dc=14, damage="1"))
        table.declare(acts.EndTurn(actor="fighter"))
        table.declare(acts.EndTurn(actor="target"))
    return table


def decided(table: Table) -> Iterator[tuple[int, Any, bool, int]]:
    """Yield the seq and the fact of each test, whether it was made, and what it had to reach."""
    for event in table.store.read("main"):
        fact = decode(event)
        if type(fact) is AttackResolved:
            yield event.seq, fact, fact.result != "miss", fact.needed
        elif type(fact) is CheckResolved:
            yield event.seq, fact, fact.success, fact.dc


def all_throws(dice: str) -> Iterator[tuple[int, Fraction]]:
    """Yield the total and the chance of every throw; a die of d10 explodes BURSTS times at most."""
    if "!" not in dice:
        yield from every_throw(dice)
        return
    chains = exploded(10, {10}, BURSTS)
    for together in product(chains, repeat=2 if dice.startswith("2") else 1):
        faces = [face for chain, _ in together for face in chain]
        total = max(faces) if dice.endswith("kh1") else sum(faces)
        yield total, prod(chance for _, chance in together)


def listed_chance(dice: str, faces: tuple[int, int], bonus: int, needed: int) -> Fraction:
    """Return the chance to make a test, by listing all throws."""
    fails, succeeds = faces
    return sum(
        (
            chance
            for natural, chance in all_throws(dice)
            if natural != fails and (natural == succeeds or natural + bonus >= needed)
        ),
        Fraction(0),
    )


def rows(table: Table, *names: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of these tables as mappings."""
    for name, row in rows_of(table.store):
        if name in names:
            yield dict(zip((one.name for one in TABLES[name].columns), row, strict=True))


def test_all_agree_with_the_listing_of_all_throws(tested: tuple[str, Table]) -> None:
    """Explanations, odds, rows, luck and the page state the same chance, to the last digit."""
    name, table = tested
    dice, faces = TESTS[name]
    assert verify(table.store).ok
    shares = {row["seq"]: row["chance"] for row in rows(table, "attacks", "saves")}
    (line,) = frames(table.store, "main").lines
    expected = Fraction(0)
    tests = list(decided(table))
    assert len(tests) == 12
    for seq, fact, made, needed in tests:
        chance = listed_chance(dice, faces, fact.total - fact.natural, needed)
        own = chance if made else 1 - chance
        (odds,) = [one for one in chances(table.store, "main", [seq]) if "critical" not in one.outcome]
        assert odds.fraction == own
        assert f"{percent(own)}" in text(why(table.store, "main", seq))
        assert shares[seq] == float(chance)
        if type(fact) is AttackResolved:
            expected += chance
            assert line.frames[seq - 1].chance == round(float(100 * chance), 2)
    found = next(one for one in luck(table.store).combatants if one.who == "fighter")
    assert found.expected_hits == round(float(expected), 2)


def test_a_ruling_by_word_finds_dice(tested: tuple[str, Table]) -> None:
    """Ruling that an attack hits puts dice of the nearest total that hits in the place of those that fell."""
    _, table = tested
    for seq, fact, made, needed in decided(table):
        if type(fact) is AttackResolved and needed - (fact.total - fact.natural) in range(4, 13):
            word = "miss" if made else "hit"
            line = rule(
                table.store, "amend", word, at=seq, by="GM", changes=(f"attack={word}",), name=f"w{seq}"
            )
            other = next(
                decode(event)
                for event in table.store.read(f"w{seq}", after=seq - 1)
                if event.type == "attack.resolved"
            )
            assert (other.result != "miss") is not made, line
            assert verify(table.store, f"w{seq}").ok
            break
    else:
        raise AssertionError("no attack could have gone the other way")


@pytest.mark.parametrize("dice", sorted({dice for dice, _ in TESTS.values() if "!" not in dice}))
def test_pivots_try_every_total(dice: str) -> None:
    """Each total once, with the ways of all throws that come to it."""
    possible = distribution(dice).possible
    listed: dict[int, Fraction] = {}
    for total, chance in every_throw(dice):
        listed[total] = listed.get(total, Fraction(0)) + chance
    assert {one.total: Fraction(one.ways, possible) for one in throws(dice)} == listed


def test_the_mean_of_damage_knows_its_minimum() -> None:
    """Luck and rows compare with the mean of sums that are raised to the minimum, exactly."""
    table = Table.create(MemoryStore(), dialect="srd35", terrain=("....",) * 3, seed=b"weak")
    weak = Sheet("Weak", hp=9, abilities=Abilities(str=6), base_attack=20, weapons=(Weapon("dagger", "1d4"),))
    for id, sheet, at in (("weak", weak, (0, 0)), ("target", Sheet("Target", hp=900), (1, 0))):
        table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=at, initiative=20 - at[0]))
    table.declare(acts.Begin())
    for _ in range(12):
        table.declare(acts.Attack(actor="weak", target="target"))
        table.declare(acts.EndTurn(actor="weak"))
        table.declare(acts.EndTurn(actor="target"))
    found = [row for row in rows(table, "damage") if row["multiplier"] == 1]
    assert {row["total"] for row in found} == {1, 2}
    assert {row["expected"] for row in found} == {(1 + 1 + 1 + 2) / 4}
    doubled = [row["expected"] for row in rows(table, "damage") if row["multiplier"] == 2]
    sums = [max(1, a + b - 4) for a, b in product(range(1, 5), repeat=2)]
    assert {*doubled} <= {sum(sums) / 16}
    (told,) = [one for one in luck(table.store).combatants if one.who == "weak"]
    assert told.expected_damage == round(1.25 * len(found) + sum(doubled), 2)
