"""What forbids a blow by whatever declaration it comes: as a maneuver, a called shot, at the end of a charge.

What forbids attacks is asked of plain ones before they are resolved; here of all others, blow by blow.
"""

from affray.engine.dialects.woa.grapple.grab_modifiers import refuse_arm
from affray.engine.dialects.woa.position import size_difference
from affray.engine.dialects.woa.position.space_and_reach import idle
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import sizes_larger
from affray.engine.steps import Refusal
from affray.events.facts import acts

#: What keeps somebody from striking at all, as it is told.
TOLD = {
    "squeezing.escape-artist": "wriggles through and cannot attack",
    "mount.combat.saddle-required": "has no stirrups to strike from",
    "mount.control.war-training": "is not trained for war and does not attack",
}


def refuse_barred(fight: Fight, blow: Blow, thrown: bool) -> None:
    """Refuse a blow that its maker's hands, seat or place, or the size of its target, do not allow.

    woa.grab.occupied-limbs, woa.squeezing.escape-artist, woa.mount.combat.saddle-required,
    woa.battlefield-monster.balance, woa.size.combat.target-four-larger, woa.size.vertical-reach
    """
    attacker, target = blow.attacker, blow.target
    if blow.melee and (topic := idle(fight, attacker)):
        raise Refusal(f"{attacker.id} {TOLD[topic]}", fight.rule(topic))
    if attacker.conditions:
        refuse_arm(fight, attacker, blow.weapon)
        size_difference.refuse_clinging(fight, attacker, blow.weapon)
    if target.conditions and not thrown:
        size_difference.refuse_above_reach(fight, attacker, target, blow.weapon)
    if sizes_larger(target, attacker) > 1:
        size_difference.refuse_too_large(fight, attacker, acts.Attack(attacker.id, target.id))
