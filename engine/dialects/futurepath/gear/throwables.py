"""What explodes and what splashes, in hand: how the sheet marks it, and how it is thrown."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE, NO_THREAT
from affray.events.facts.sheet import Sheet, Weapon

#: The trait of what explodes.
EXPLOSIVE: Final = "explosive"
TOUCH: Final = "futurepath.attack.splash.ranged-touch"
#: The trait of what nobody strikes with.
NO_BLOWS: Final = "no melee use"
KINDS: Final = "futurepath.explosive.thrown-or-planted"
DEFINITION: Final = "futurepath.attack.splash.definition"


@per_fight(Same("weapon"))
def as_thrown(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a splash weapon as it is thrown: by a touch, and the hit itself rolls no damage.

    futurepath.attack.splash.ranged-touch.
    """
    traits = (*weapon.traits, "touch")
    return replace(weapon, thrown=True, damage=NO_DAMAGE, threat=NO_THREAT, extra=(), traits=traits)


def explosives_strike_nobody(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet whose explosives are no weapons to strike with: they are thrown, or planted.

    futurepath.explosive.thrown-or-planted.
    """
    if not any(is_bare_explosive(one) for one in sheet.weapons):
        return sheet, ()
    weapons = tuple(
        replace(one, traits=(*one.traits, NO_BLOWS)) if is_bare_explosive(one) else one
        for one in sheet.weapons
    )
    return replace(sheet, weapons=weapons), fight.rules(KINDS)


def is_bare_explosive(weapon: Weapon) -> bool:
    """Say whether a weapon explodes, and its sheet does not say that nobody strikes with it."""
    return EXPLOSIVE in weapon.traits and NO_BLOWS not in weapon.traits
