"""The touch of a trip or a grab, and what it sets off (srd35.ac.touch, futurepath.attack.touch)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, varied
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE, NO_THREAT
from affray.engine.rules.magic.held_charge import discharge_by_strike
from affray.engine.steps import Steps


def touch_attack(fight: Fight, blow: Blow, *cites: str) -> Steps[bool]:
    """Make a melee touch attack that does no damage; return whether it hits (srd35.ac.touch).

    With the bare hand it discharges a spell that is held; one it kills is not hit (srd35.cast.hold-charge,
    futurepath.attack.touch).
    """
    harmless = replace(blow.weapon, damage=NO_DAMAGE, threat=NO_THREAT, extra=())
    intent = replace(blow.intent, against=TOUCH_ARMOR_CLASS)
    touching = varied(blow, weapon=harmless, intent=intent)
    touching.cites = list(dict.fromkeys((*blow.cites, *cites, fight.rule("ac.touch"))))
    if not (yield from strike(fight, touching)):
        return False
    yield from discharge_by_strike(fight, touching, True)
    return "dead" not in touching.target.conditions
