"""Of what a memory's key has to hold: what changes while nothing is touched, and still has a say."""

import pytest

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.rules.opportunity.attacks_of_opportunity import substitutes_for
from affray.engine.steps import Refusal
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Thing, Weapon
from affray.events.memory import MemoryStore
from tests.house.fights import DIALECTS

SWORD = Weapon("longsword", "1d8", "slashing", "one-handed", traits=("ghost touch",))


def between_two(dialect: str, weapon: Weapon, *traits: str) -> Fight:
    """Return a fight of one with that weapon beside another, of these traits."""
    table = Table.create(MemoryStore(), dialect=dialect, terrain=("...", ".#.", "..."), seed=b"keys")
    sheets = Sheet("One", hp=9, weapons=(weapon,)), Sheet("Other", hp=9, weapons=(SWORD,), traits=traits)
    for id, sheet, at in zip(("one", "other"), sheets, ((0, 1), (0, 0)), strict=True):
        outcome = table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=at))
        assert outcome.refused is None, outcome.refused
    table.declare(acts.Begin())
    return table.fight


def can_strike(fight: Fight) -> bool:
    """Say whether the one can strike the other with its weapon."""
    one, other = fight.combatant("one"), fight.combatant("other")
    try:
        fight.dialect.attacks.prepare(fight, one, other, one.sheet.weapons[0], "ready")
    except Refusal:
        return False
    return True


def test_who_is_inside_a_wall_is_struck_only_while_it_strikes() -> None:
    """By those who have readied for that; that it could be struck once is forgotten with its turn."""
    fight = between_two("srd35", SWORD, "incorporeal")
    other = fight.combatant("other")
    other.at, fight.readied = (1, 1), "one"
    fight.memory.touch_places()
    fight.state.active, other.spent = "other", {"standard": 1}
    assert can_strike(fight)
    other.spent = {"move": 1}
    assert not can_strike(fight)
    fight.state.active, other.spent = "one", {"standard": 1}
    assert not can_strike(fight)


def test_a_thing_bars_a_blow_wherever_it_stood() -> None:
    """Others plain and standing do not, and what can be struck is not asked anew for them; a door does."""
    bow = Weapon("longbow", "1d8", "piercing", "projectile", range=100, hands=2, family="bow")
    rows = ("....", "####")
    table = Table.create(MemoryStore(), dialect="futurepath", terrain=rows, seed=b"keys")
    door = Sheet("Door", hp=120, thing=Thing("steel door"))
    archer, other = Sheet("One", hp=9, weapons=(bow,)), Sheet("Other", hp=9)
    for x, (id, sheet) in enumerate((("one", archer), ("door", door), ("other", other))):
        outcome = table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=(x, 0)))
        assert outcome.refused is None, outcome.refused
    table.declare(acts.Begin())
    fight = table.fight
    said = []
    for x in (1, 3, 1, 3):
        fight.combatant("door").at = (x, 0)
        fight.memory.touch_places()
        said.append(can_strike(fight))
    assert said == [False, True, False, True]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_is_used_up_takes_the_place_of_no_opportunity(dialect: str) -> None:
    """A special attack with the last javelin is none once that is thrown."""
    javelin = Weapon("javelin", "1d6", "piercing", "one-handed", range=30, thrown=True, ammunition=2)
    fight = between_two(dialect, javelin)
    fresh = Fight(fight.state, load(dialect), memory=False)
    one, other = fight.combatant("one"), fight.combatant("other")
    found = set()
    for used in (0, 1, 2, 0):
        one.resources = {"javelin": used}
        said = substitutes_for(fight, one, other, True)
        assert said == substitutes_for(fresh, one, other, True)
        found.add(said)
    assert len(found) == (1 if dialect == "woa" else 2)  # in woa each takes a feat of its own
