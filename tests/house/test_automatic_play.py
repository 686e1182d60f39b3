"""Automatic play ends every turn."""

from typing import Any

import pytest

from affray.engine.table import tactics
from affray.engine.table.scenario import parse_scenario, play
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from tests.house.fights import DIALECTS, opened

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


@pytest.mark.parametrize("dialect", DIALECTS)
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
