"""What explodes and what splashes, in hand: how the sheet marks it, and how it is thrown."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE, NO_THREAT
from affray.events.facts.sheet import Weapon

#: The trait of what explodes.
EXPLOSIVE: Final = "explosive"
TOUCH: Final = "futurepath.attack.splash.ranged-touch"
DEFINITION: Final = "futurepath.attack.splash.definition"


@per_fight(Same("weapon"))
def as_thrown(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a splash weapon as it is thrown: by a touch, and the hit itself rolls no damage.

    futurepath.attack.splash.ranged-touch.
    """
    traits = (*weapon.traits, "touch")
    return replace(weapon, thrown=True, damage=NO_DAMAGE, threat=NO_THREAT, extra=(), traits=traits)
