"""Whose declaration it is: of a combatant in the fight, of the game master, or of either."""

import pytest
from msgspec.json import encode
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.events.facts import acts
from affray.events.facts.base import Act
from tests.dialects.test_honoured import fight, filled
from tests.relatives import RELATIVES

each_dialect = pytest.mark.parametrize("dialect", RELATIVES)


def known_to(dialect: str, *by: str) -> list[type[Act]]:
    """Return the kinds of declarations of a dialect that those declare."""
    return [kind for kind in load(dialect).acts if kind.declared_by in by]


@each_dialect
@pytest.mark.parametrize("actor", ["", "nobody"])
def test_nobody_declares_nothing(dialect: str, actor: str) -> None:
    """What a combatant declares is refused where none is named, or one who is not in the fight."""
    table = fight(dialect)
    before = encode(table.state.combatants)
    kinds = known_to(dialect, "combatant", *(["either", "game master"] if actor else []))
    for kind in kinds:
        outcome = table.declare(replace(filled(kind), actor=actor))
        assert outcome.refused is not None, kind
        assert [event.type for event in outcome.events] == ["declared", "refused"]
    assert encode(table.state.combatants) == before
    assert len(kinds) > 20


@each_dialect
def test_what_the_game_master_declares_no_combatant_does(dialect: str) -> None:
    """Each of them is refused to a combatant by name; without one it is the game master's."""
    table = fight(dialect)
    actor = next(iter(table.state.combatants))
    kinds = known_to(dialect, "game master")
    for kind in kinds:
        outcome = table.declare(replace(filled(kind), actor=actor))
        assert outcome.refused is not None, kind
        tag = kind.__struct_config__.tag
        assert outcome.refused.reason == f"only the game master declares {tag!r}, {actor} does not"
        assert outcome.refused.rule == load(dialect).book.topic_id("encounter")
    assert {acts.Enter, acts.Begin, acts.Close, acts.Hazard} <= set(kinds)
