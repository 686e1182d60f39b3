"""The touch with which a trip or a grab begins (srd35.ac.touch, futurepath.attack.touch)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, varied
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE, NO_THREAT
from affray.engine.steps import Steps


def touch(fight: Fight, blow: Blow, *cites: str) -> Steps[Blow | None]:
    """Make a melee touch attack that does no damage; return the blow that has touched, None for a miss.

    srd35.ac.touch, futurepath.attack.touch.
    """
    harmless = replace(blow.weapon, damage=NO_DAMAGE, threat=NO_THREAT, extra=())
    intent = replace(blow.intent, against=TOUCH_ARMOR_CLASS)
    touching = varied(blow, weapon=harmless, intent=intent)
    touching.cites = list(dict.fromkeys((*blow.cites, *cites, fight.rule("ac.touch"))))
    return touching if (yield from strike(fight, touching)) else None
