"""What is remembered between two combatants is what would be found out anew, however all have moved."""

import random
from contextlib import suppress
from itertools import product

import pytest

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import touched_by
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import sum_blow_modifiers
from affray.engine.rules.gear.hands import held_weapons
from affray.engine.rules.opportunity.attacks_of_opportunity import prospective_blow, substitutes_for
from affray.engine.steps import Refusal
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Moved, Until
from affray.events.facts.sheet import Abilities, Bonus, Sheet, Weapon
from affray.events.stores.memory import MemoryStore
from affray.projections.fold import apply
from affray.projections.state import Combatant
from tests.relatives import RELATIVES

pytestmark = pytest.mark.slow

MAP = (
    "..........#...",
    "..==....^^....",
    "....T.........",
    ".......%%.....",
    "..............",
    "......~~..==..",
    "..............",
    ".............#",
)
WEAPONS = (
    Weapon("dagger", "1d4", "piercing", "light"),
    Weapon("halberd", "1d10", "slashing", "two-handed", hands=2),
    Weapon("spear", "1d8", "piercing", "two-handed", hands=2, reach=True),
    Weapon("longbow", "1d8", "piercing", "projectile", range=100, hands=2, family="bow"),
)
CONDITIONS = ("prone", "stunned", "blinded", "unconscious", "dying", "dead")


def everybody(dialect: str, dice: random.Random) -> Table:
    """Return a table with seven of several sizes, arms and sides, anywhere on a small map."""
    table = Table.create(MemoryStore(), dialect=dialect, terrain=MAP, seed=b"anywhere")
    for number, weapon in enumerate((*WEAPONS, *WEAPONS[:3])):
        sheet = Sheet(
            f"Number {number}",
            hp=50,
            size="large" if number in (1, 5) else "medium",
            abilities=Abilities(str=14, dex=15),
            armor=(Bonus(4, "armor", "mail"), Bonus(1, "dodge", "Dodge")),
            feats=("precise shot",) if number % 3 == 0 else (),
            weapons=(weapon,),
        )
        at = (number % 4 * 2, number // 4 * 4)
        outcome = table.declare(acts.Enter(id=f"n{number}", side="ab"[number % 2], sheet=sheet, at=at))
        assert outcome.refused is None, outcome.refused
    table.declare(acts.Begin())
    return table


def shift(fight: Fight, dice: random.Random) -> None:
    """Move somebody anywhere, or change its condition."""
    who = dice.choice(list(fight.state.combatants.values()))
    name = dice.choice(CONDITIONS)
    fact: Moved | ConditionGained | ConditionLost
    if dice.random() < 0.8 and not (name in who.conditions and dice.random() < 0.7):
        fact = Moved(who=who.id, start=who.at, path=(anywhere(dice, who),), feet=5, diagonals=0, how="walk")
    elif name in who.conditions:
        fact = ConditionLost(who=who.id, condition=name, why="over")
    else:
        fact = ConditionGained(who=who.id, condition=name, source="chance", until=Until())
    apply(fight.state, fact)
    touch = touched_by(type(fact))
    assert touch is not None
    touch(fight.memory, fact)


def anywhere(dice: random.Random, who: Combatant) -> tuple[int, int]:
    """Return a place of the map, mostly one that somebody has stood on before."""
    places = ((0, 0), (2, 0), (3, 3), (5, 4), (6, 2), (9, 5), (11, 2), (12, 5))
    if dice.random() < 0.7:
        return dice.choice(places)
    return dice.randrange(len(MAP[0]) - who.space + 1), dice.randrange(len(MAP) - who.space + 1)


def known(fight: Fight, one: Combatant, other: Combatant) -> object:
    """Return what the rules make of a blow between two, and of one out of turn."""
    weapon = held_weapons(one)[0]
    feet = distance(one, other)
    blow = Blow(one, other, weapon, weapon.range == 0, feet)
    sums = sum_blow_modifiers(fight, blow)
    aims: list[object] = []
    for each in one.sheet.weapons:
        with suppress(Refusal):
            aimed = fight.dialect.attacks.prepare(fight, one, other, each, "attack")
            aims.append((aimed.melee, aimed.distance, aimed.intent, aimed.cites, aimed.attack_extra))
    instead = substitutes_for(fight, one, other, True)
    return sums.bonus, sums.against, blow.cites, prospective_blow(fight, one, other), aims, instead


@pytest.mark.parametrize(
    ("dialect", "seed"), [*product(RELATIVES, range(3)), ("srd35", 24)]
)  # the last one shoots past who has fallen beside the target
def test_sums_are_those_of_a_fight_that_remembers_nothing(dialect: str, seed: int) -> None:
    """For any two, after any moves and conditions of anybody."""
    dice = random.Random(seed)
    fight = everybody(dialect, dice).fight
    fresh = Fight(fight.state, load(dialect), memory=False)
    for _ in range(40):
        shift(fight, dice)
        for one in fight.state.combatants.values():
            for other in fight.state.combatants.values():
                if one is not other:
                    assert known(fight, one, other) == known(fresh, one, other), (one.id, other.id)
