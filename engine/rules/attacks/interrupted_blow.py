"""A blow that was interrupted: struck as it was meant, with another weapon in hand, or lost.

srd35.ready.interrupt, woa.ready.interrupt.
"""

from collections.abc import Callable
from contextlib import suppress

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.gear.thrown_weapons import draw_next
from affray.engine.rules.gear.weapons_in_hand import refuse_lost_weapon, unarmed
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.interruption import (
    Footing,
    attack_is_lost,
    refuse_impeded,
    standing,
)
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The answer of an attacker that does not strike with another weapon.
GIVEN_UP = "none"
#: Sources of what a blow's own kind of damage makes of its roll, with whatever weapon.
KINDS_OF_DAMAGE = ("for nonlethal damage", "for lethal damage")


def still_strikes(fight: Fight, before: Footing, blow: Blow) -> Steps[Blow | None]:
    """Return the blow that can be struck after an interruption: the one meant, or with another weapon.

    None if there is none: what was told of the attacker or the target says why, or that the attack is lost.
    """
    attacker, target = blow.attacker, blow.target
    if standing(attacker, target) == before.stood:
        return blow
    if is_down(fight, attacker) or "dead" in target.conditions:
        return None
    try:
        refuse_impeded(fight, attacker, before.permitted)
        refuse_blow(fight, blow)
    except Refusal as lost:
        return (yield from strike_otherwise(fight, before.permitted, blow, lost))
    blow.distance = distance(attacker, target)
    return blow


def still_planned(
    fight: Fight, planned: Blow | Attempt, special: bool = False
) -> Steps[Blow | Attempt | None]:
    """Return a later attack of several that can be made: as planned, or with another weapon; else None.

    A special attack, which a blow may carry too (`special`), is not made with another weapon.
    """
    blow = planned.blow if type(planned) is Attempt else planned
    special = special or planned is not blow
    yield from draw_next(fight, blow)
    try:
        refuse_impeded(fight, blow.attacker, not special)
        if special:
            refuse_lost_weapon(fight, blow.attacker, blow.weapon)
        else:
            refuse_blow(fight, blow)
    except Refusal as lost:
        if not special:
            return (yield from strike_otherwise(fight, True, blow, lost))
        yield attack_is_lost(blow.attacker, lost, "the attempt")
        return None
    return planned


def refuse_blow(fight: Fight, blow: Blow) -> None:
    """Refuse a blow that cannot be struck any more: its weapon, the posture, the place, the line."""
    attacker, weapon = blow.attacker, blow.weapon
    refuse_lost_weapon(fight, attacker, weapon)
    again = fight.dialect.attacks.prepare(
        fight, attacker, blow.target, weapon, blow.intent.kind, thrown=not blow.melee
    )
    if again.melee != blow.melee:
        reason = f"{blow.target.id} is out of the {weapon.name}'s reach"
        raise Refusal(reason, fight.rule("blow.out-of-reach"))


def strike_otherwise(fight: Fight, permitted: bool, blow: Blow, lost: Refusal) -> Steps[Blow | None]:
    """Let an attacker whose weapon is lost to it strike with another one; return that blow, None for none."""
    attacker = blow.attacker

    def making(weapon: Weapon) -> Blow:
        return fight.dialect.attacks.prepare(fight, attacker, blow.target, weapon, blow.intent.kind)

    made = yield from another_blow(fight, attacker, blow.weapon, making, lost, permitted)
    if made is not None:
        made.attack_extra += [part for part in blow.attack_extra if part.source not in KINDS_OF_DAMAGE]
    return made


def blow_at_end(
    fight: Fight, attacker: Combatant, weapon: Weapon, making: Callable[[Weapon], Blow]
) -> Steps[Blow | None]:
    """Return the blow at the end of a movement, with that weapon or another in hand; None if it is lost.

    `making` prepares it as both stand then, or refuses it.
    """
    try:
        refuse_impeded(fight, attacker, False)
        refuse_lost_weapon(fight, attacker, weapon)
        return making(weapon)
    except Refusal as lost:
        return (yield from another_blow(fight, attacker, weapon, making, lost, False))


def another_blow(
    fight: Fight,
    attacker: Combatant,
    weapon: Weapon,
    making: Callable[[Weapon], Blow],
    lost: Refusal,
    permitted: bool,
) -> Steps[Blow | None]:
    """Ask with what an attacker strikes instead of a weapon; return that blow, None where the attack is lost.

    It strikes with what is in hand already, or with the bare hand; one that is kept from acting with nothing.
    """
    others: dict[str, Blow] = {}
    for one in (*held_weapons(attacker), unarmed(fight, attacker)):
        if one.name != weapon.name and one.name not in others:
            with suppress(Refusal):
                refuse_impeded(fight, attacker, permitted)
                others[one.name] = making(one)
    if others:
        question = f"{lost.reason}: with what does {attacker.id} strike instead?"
        armed = [name for name, one in others.items() if one.weapon.wield != "unarmed"]
        bare = [name for name in others if name not in armed]
        answer = yield Choice(attacker.id, "instead", question, (*armed, GIVEN_UP, *bare), lost.rule)
        if answer in others:
            return others[answer]
    yield attack_is_lost(attacker, lost)
    return None
