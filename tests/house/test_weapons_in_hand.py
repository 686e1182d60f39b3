"""Which of several weapons of one name is meant: what is held, then what is natural or worn, then fists."""

import pytest

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.hands import SPIKES
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant, Encounter
from tests.relatives import RELATIVES

FIST = Weapon("claw", "1d3", "bludgeoning", "unarmed")
CLAW = Weapon("claw", "1d4", "slashing", "natural")
BLADE = Weapon("claw", "1d6", "slashing", "light")
WORN = Weapon("claw", "1d8", "piercing", "light", table=SPIKES)


def meant(dialect: str, *weapons: Weapon, held: tuple[str, ...] = (), name: str = "claw") -> Weapon:
    """Return the weapon that is meant by a name, of somebody with these on its sheet."""
    fight = Fight(Encounter(dialect=dialect, terrain=("..",)), load(dialect))
    holder = Combatant("one", "a", Sheet("One", hp=1, weapons=weapons), (0, 0), 1, 5, 1, 1)
    holder.held = held
    return find_weapon(fight, holder, name)


@pytest.mark.parametrize("dialect", RELATIVES)
def test_of_one_name_the_readier_is_meant(dialect: str) -> None:
    """In whatever order they stand on the sheet; of those as ready as each other the first."""
    assert meant(dialect, FIST, CLAW) is CLAW
    assert meant(dialect, CLAW, FIST) is CLAW
    assert meant(dialect, BLADE, FIST, WORN, CLAW) is WORN
    assert meant(dialect, BLADE, FIST) is FIST
    assert meant(dialect, FIST, BLADE, CLAW, held=("claw",)) is FIST
    assert meant(dialect, FIST, BLADE, CLAW, name="") is CLAW
    with pytest.raises(Refusal, match="does not hold the claw"):
        meant(dialect, BLADE)
    assert meant(dialect, BLADE, name="unarmed strike").wield == "unarmed"
