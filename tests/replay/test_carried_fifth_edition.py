"""Fifth edition between two fights: what goes along, and what a Short and a Long Rest then give back."""

import pytest
from msgspec.structs import replace

from affray.engine import acts
from affray.engine.dialects import load
from affray.engine.table.scenario import parse_scenario, set_up
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events.stores.memory import MemoryStore
from affray.projections.state import Combatant
from affray.replay import Between, CannotCarry, Journey, carry, verify

FORD = """
dialect = "srd52"
name = "ford"
seed = "ford"
map = ["........", "........", "........"]
combatants = [
  {id = "maera", side = "heroes", use = "fighter", at = [1, 1], initiative = 20},
  {id = "neria", side = "heroes", use = "wizard", at = [0, 1], initiative = 15},
  {id = "goblin", side = "foes", use = "goblin", at = [2, 1], hp = 1, initiative = 5},
]
"""
BRIDGE = """
dialect = "srd52"
seed = "bridge"
map = ["........", "........", "........"]
combatants = [{id = "ogre", side = "foes", use = "ogre", at = [6, 0], initiative = 1}]
"""


@pytest.fixture
def bridge() -> Table:
    """Return the next fight, ten minutes later: the fighter is hurt and tired, the wizard has cast."""
    ford = set_up(parse_scenario(FORD), MemoryStore())
    game = load("srd52")
    own = game.own_acts
    for act in (
        acts.Begin(),
        own["srd52.use-feature"](actor="maera", feature="action surge"),
        own["srd52.use-feature"](actor="maera", feature="second wind"),
        acts.Attack(actor="maera", target="goblin"),
        acts.EndTurn(actor="maera"),
        own["srd52.cast"](actor="neria", spell="mage armor", targets=("neria",)),
        acts.Fiat(target="maera", hp=20, text="a fall"),
        acts.Fiat(target="maera", gains=("exhaustion", "grappled"), text="a long night"),
        own["srd52.boon"](target="maera", temporary="5", inspiration=True, source="a song"),
    ):
        declared = game.recorded(act)
        assert ford.declare(declared).refused is None, declared
    table = set_up(parse_scenario(BRIDGE), MemoryStore())
    carry(ford.store, ["maera", "neria"], table.store, journey=Journey(between=Between(after=100)))
    return Table(table.store)


def figures(one: Combatant) -> dict[str, object]:
    """Return what rests change."""
    used = {name: amount for name, amount in one.resources.items() if amount}
    levels = {name: held.level for name, held in one.conditions.items()}
    return {"hp": one.hp, "temporary": one.temporary, "used": used, "conditions": levels}


def test_a_fighter_is_as_it_left(bridge: Table) -> None:
    """Hit points, temporary ones, uses, Exhaustion and Heroic Inspiration; a grapple stays behind."""
    maera = bridge.state.combatants["maera"]
    used = {"second wind": 1, "action surge": 1}
    assert figures(maera) == {"hp": 20, "temporary": 5, "used": used, "conditions": {"exhaustion": 1}}
    assert maera.counters["heroic inspiration"] == 1
    assert [one.modifier.source for one in bridge.state.combatants["neria"].effects] == ["mage armor"]
    assert figures(bridge.state.combatants["neria"])["used"] == {"level 1 slots": 1}


def test_a_short_rest_spends_hit_point_dice(bridge: Table) -> None:
    """Each heals a d10 and the Constitution modifier; uses of a Short Rest return, Exhaustion stays."""
    assert bridge.declare(acts.Rest(hours=1)).refused is None
    maera, neria = bridge.state.combatants["maera"], bridge.state.combatants["neria"]
    used = dict(figures(maera)["used"])  # type: ignore[call-overload]
    dice = used.pop("hit point d10")
    assert used == {}
    assert maera.hp == maera.max_hp or dice == 5
    assert (maera.temporary, list(maera.conditions)) == (5, ["exhaustion"])
    assert figures(neria)["used"] == {"arcane recovery": 1}


def test_a_long_rest_gives_everything_back(bridge: Table) -> None:
    """Hit points, dice and slots; temporary hit points and a level of Exhaustion go."""
    bridge.declare(acts.Rest(hours=1))
    assert bridge.declare(acts.Rest(hours=8)).refused is None
    for id in ("maera", "neria"):
        one = bridge.state.combatants[id]
        assert figures(one) == {"hp": one.max_hp, "temporary": 0, "used": {}, "conditions": {}}
    assert bridge.state.combatants["maera"].counters["heroic inspiration"] == 1


def carried_after(bridge: Table, after: int) -> tuple[Table, list[str]]:
    """Return a third fight so many rounds after the second one, and what the fighter left behind."""
    third = set_up(parse_scenario(BRIDGE.replace('seed = "bridge"', 'seed = "hill"')), MemoryStore())
    (made,) = carry(bridge.store, ["maera"], third.store, journey=Journey(between=Between(after=after)))
    return Table(third.store), [one.what for one in made.leaving.left if one.field == "effects"]


@pytest.mark.parametrize(("hours", "recovers"), [(15, False), (16, True)])
def test_the_hours_since_a_long_rest_are_carried(bridge: Table, hours: int, recovers: bool) -> None:
    """In the next fight a Long Rest is one if sixteen hours have passed, otherwise a Short Rest."""
    bridge.declare(acts.Rest(hours=8))
    third, _ = carried_after(bridge, hours * 600)
    third.declare(acts.Fiat(target="maera", hp=20, text="a fall"))
    assert third.declare(acts.Rest(hours=8)).refused is None
    maera = third.state.combatants["maera"]
    assert bool(figures(maera)["used"]) is not recovers


def test_a_long_rest_of_an_unknown_time_is_reported(bridge: Table) -> None:
    """Without the time that has passed, the last Long Rest stays behind, with the reason."""
    bridge.declare(acts.Rest(hours=8))
    third, left = carried_after(bridge, -1)
    assert left == ["a Long Rest"]
    assert not third.state.combatants["maera"].effects


def test_those_carried_fight_on(bridge: Table) -> None:
    """The next fight is played to its end, and is decided so again."""
    bridge.declare(acts.Begin())
    for _ in range(60):
        if bridge.state.active:
            act = next_act(bridge)
            bridge.declare(act if act is not None else acts.EndTurn(actor=bridge.state.active))
    assert verify(bridge.store).ok


def test_nobody_is_carried_in_another_form() -> None:
    """Polymorph has to end first: the sheet carried is that of the true form."""
    ford = set_up(parse_scenario(FORD), MemoryStore())
    game = load("srd52")
    own = ford.state.combatants["maera"].sheet
    spells = (*game.custom_of(ford.state.combatants["neria"].sheet).spells, "polymorph")
    neria = replace(
        ford.state.combatants["neria"].sheet,
        custom={"character": True, "spells": spells, "slots": (0, 0, 0, 9)},
    )
    ford.declare(acts.Enter(id="mage", side="heroes", sheet=neria, at=(0, 0), initiative=25))
    ford.declare(acts.Begin())
    cast = game.own_acts["srd52.cast"](actor="mage", spell="polymorph", targets=("maera",), choice="wolf")
    while ford.state.combatants["maera"].true_form is None:  # until she fails her save
        while ford.state.active != "mage":
            ford.declare(acts.EndTurn(actor=ford.state.active))
        assert ford.declare(game.recorded(cast)).refused is None
        ford.declare(acts.EndTurn(actor="mage"))
    assert ford.state.combatants["maera"].true_form == own
    table = set_up(parse_scenario(BRIDGE), MemoryStore())
    journey = Journey(between=Between(after=100))
    with pytest.raises(CannotCarry, match="maera has another form by a spell"):
        carry(ford.store, ["maera"], table.store, journey=journey)
    while ford.state.active != "mage":
        ford.declare(acts.EndTurn(actor=ford.state.active))
    ended = game.own_acts["srd52.end-spell"](actor="mage")
    assert ford.declare(game.recorded(ended)).refused is None
    carry(ford.store, ["maera"], table.store, journey=journey)
    assert Table(table.store).state.combatants["maera"].sheet == own
