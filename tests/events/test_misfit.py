"""What does not fit its type is told with the word that was probably meant."""

from typing import Any

import pytest

from affray.engine.table.scenario_parts import Scenario
from affray.events.facts.sheet import Sheet
from affray.events.validation import Unreadable, fitted


@pytest.mark.parametrize(
    ("value", "type", "told"),
    [
        ({"name": "a", "initative": 2}, Sheet, "did you mean initiative?"),
        ({"name": "a", "weapons": [{"name": "b", "trait": []}]}, Sheet, "did you mean traits?"),
        ({"dialect": "srd35", "combatant": []}, Scenario, "did you mean combatants?"),
    ],
)
def test_a_misspelt_field_is_told_with_the_one_that_is_meant(value: Any, type: Any, told: str) -> None:
    """However deep it stands: the fields are those of the record that has it."""
    with pytest.raises(Unreadable, match="unknown field") as caught:
        fitted(value, type)
    assert str(caught.value).endswith(told)
