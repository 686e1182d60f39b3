"""Automatic play ends every turn."""

import json
from typing import Any

import pytest

from affray.engine.table import tactics
from affray.engine.table.scenario import parse_scenario, play
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts, flow
from tests.house.fights import opened
from tests.relatives import RELATIVES

FIGHT = """
dialect = "{dialect}"
name = "a spell that costs no action"
map = ["......"]
auto = 2
[[combatants]]
id = "mage"
side = "a"
at = [0, 0]
initiative = 20
acted = true
[combatants.sheet]
name = "Mage"
hp = 30
classes = {{wizard = 5}}
[[combatants.sheet.spells]]
name = "trip up"
casting = "free"
level = 1
range = 60
save = "will"
dc = 0
condition = "prone"
resistance = false
components = []
[[combatants]]
id = "orc"
side = "b"
at = [5, 0]
initiative = 5
acted = true
sheet = {{name = "Orc", hp = 30}}
"""


@pytest.mark.parametrize("dialect", RELATIVES)
def test_a_spell_that_costs_no_action_is_cast_once_a_turn(dialect: str) -> None:
    """Tactics cast it no more than once in a turn, however little it achieves."""
    store = MemoryStore()
    play(parse_scenario(FIGHT.format(dialect=dialect)), store)
    cast = [event.turn for event in store.read("main") if event.type == "declared" and tag(event) == "cast"]
    turns = [event for event in store.read("main") if event.type == "turn.began"]
    assert 0 < len(cast) <= len(turns)


def tag(event: Any) -> str:
    """Return the name of the act that was declared."""
    return str(decode(event).act.__struct_config__.tag)


def test_a_turn_that_does_not_end_stops_automatic_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says whose turn it was and how much was declared."""
    table: Table = opened("srd35", MemoryStore(), 1)
    table.declare(acts.Begin())
    monkeypatch.setattr(tactics, "next_act", lambda table: acts.Speak(actor=table.state.active, words="hold"))
    with pytest.raises(
        AffrayError, match=f"automatic play stops: {table.state.active} has declared 50 acts in one turn"
    ):
        tactics.play_on(table, 1)


LAIR = """
dialect = "{dialect}"
seed = "1"
map = {rows}
auto = 3
combatants = [
  {{id = "a", side = "a", at = [0, 0], {first}, initiative = 20, acted = true}},
  {{id = "b", side = "b", at = {at}, {second}, initiative = 1}},
]
"""
OGRE, GOBLIN = 'use = "ogre"', 'use = "goblin"'
LONG = ["." * 16]
BEHIND_A_WALL = (["......", "......", "####..", "......"], [0, 3])


@pytest.mark.parametrize(
    ("dialect", "rows", "at", "first", "second"),
    [
        *(
            (dialect, ["...."], [1, 0], f'{GOBLIN}, conditions = ["prone"]', f'{GOBLIN}, grapples = "a"')
            for dialect in RELATIVES
        ),
        *((dialect, *BEHIND_A_WALL, OGRE, GOBLIN) for dialect in RELATIVES),
        ("pf1", ["......"], [4, 0], f'{GOBLIN}, conditions = ["panicked"], held = []', GOBLIN),
        ("srd35", ["......"], [4, 0], f'{GOBLIN}, conditions = ["panicked"], held = []', GOBLIN),
        ("woa", LONG, [15, 0], f'{GOBLIN}, conditions = ["exhausted"]', GOBLIN),
        ("woa", LONG, [15, 0], f'{GOBLIN}, conditions = ["entangled"]', GOBLIN),
        ("woa", ["......"], [4, 0], 'use = "cleric"', f'{GOBLIN}, conditions = ["invisible"]'),
    ],
)
def test_tactics_propose_nothing_that_the_rules_refuse(
    dialect: str, rows: list[str], at: list[int], first: str, second: str
) -> None:
    """A grappler does not stand up, a panicked one draws nothing, no blow goes through a wall."""
    store = MemoryStore()
    text = LAIR.format(dialect=dialect, rows=json.dumps(rows), at=at, first=first, second=second)
    play(parse_scenario(text), store)
    facts = [decode(event) for event in store.read("main")]
    assert any(type(fact) is flow.Declared and fact.by == "tactics" for fact in facts)
    assert [fact.reason for fact in facts if type(fact) is flow.Refused] == []
