"""Fights in four modes, in small: `python tests/campaigns/modes.py` is the whole."""

import pytest

from affray.engine.fight.memory import StaleAnswer, per_scene
from affray.engine.rules.attacks import attack_roll
from affray.engine.table.scenario import fixed_seed, play
from affray.events import MemoryStore
from tests.campaigns.modes import Tally, play_in_modes, players
from tests.scenarios.cases import all_cases

PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_fights_are_the_same_in_all_modes(part: int) -> None:
    """Cached, checked, uncached and reopened give the same bytes, and no cached answer is stale."""
    tally = Tally()
    for title, player in list(players(every=60, fights=24))[part::PARTS]:
        play_in_modes(tally, title, player)
    assert tally.failures == []
    assert tally.fights > 20


def test_a_key_that_lacks_something_raises_in_checked_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the function, its key and both answers."""
    plain = attack_roll.standing_parts
    monkeypatch.setattr(
        attack_roll, "standing_parts", per_scene("blow.attacker.id", "blow.target.id")(plain.__wrapped__)
    )
    with pytest.raises(StaleAnswer, match=r"stale answer of .*standing_parts for .*cached .*now ") as raised:
        play_all_checked()
    assert raised.value.function.endswith("attack_roll.standing_parts")
    assert raised.value.cached != raised.value.current


def play_all_checked() -> None:
    """Play all scenarios in checked mode."""
    for _, case in all_cases():
        play(case, MemoryStore(), seed=fixed_seed(case), strict=True, memory="checked")


def test_an_unknown_mode_is_refused() -> None:
    """The error lists the modes."""
    with pytest.raises(ValueError, match="memory is cached, checked, uncached, reopened, not 'forgetful'"):
        play(all_cases()[0][1], MemoryStore(), memory="forgetful")  # type: ignore[arg-type]
