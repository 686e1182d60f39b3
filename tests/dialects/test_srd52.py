"""Fifth edition: what its rules do not play yet is reported, not ignored."""

import pytest
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.events.facts.sheet import Sheet, Spell


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"spells": (Spell("fire bolt", damage="1d10"),)},
            "no rule of srd52 reads these fields of the sheet: spells",
        ),
        ({"traits": ("pack tactics",)}, "no rule of srd52 reads these traits: pack tactics"),
        ({"custom": {"items": ("rope", "tent")}}, "no rule of srd52 reads these items: tent"),
        ({"fast_healing": 5}, "no rule of srd52 reads these fields of the sheet: fast_healing"),
    ],
)
def test_what_no_rule_reads_is_reported(change: dict[str, object], told: str) -> None:
    """Spells, traits and figures of other games are named as the combatant enters."""
    plain = Sheet("Guard", 10)
    dialect = load("srd52")
    assert dialect.kernel.remarks(dialect, plain, None) == ()
    assert dialect.kernel.remarks(dialect, replace(plain, **change), None) == (told,)
