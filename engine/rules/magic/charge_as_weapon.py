"""The held charge of a touch spell as a weapon: who holds one counts as armed, out of turn too.

srd35.unarmed.armed, pf1.unarmed.provokes.
"""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.opportunity import ReactionBlow
from affray.engine.rules.gear.held_weapons import longer_reach
from affray.engine.rules.magic.held_charge import touch_opponent
from affray.engine.rules.magic.lost_charge import CHARGED, held_spell
from affray.engine.rules.position.place import reaches
from affray.engine.steps import Steps
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def bands_of_charge(
    fight: Fight, combatant: Combatant, found: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens, with the touch of its charge too."""
    if not is_weapon(fight, combatant):
        return found
    return tuple(dict.fromkeys((*found, band(combatant))))


def is_weapon(fight: Fight, combatant: Combatant) -> bool:
    """Say whether the charge is that of a touch that harms, not one of what is meant for friends."""
    spell = held_spell(fight, combatant)
    return bool(spell.damage or spell.condition or spell.riders or spell.ongoing or spell.save)


def band(combatant: Combatant) -> tuple[int, int]:
    """Return the distances, (least, most) in feet, at which an opponent is touched."""
    return 0, combatant.reach + longer_reach(combatant)


def charge_at_hand(
    fight: Fight, combatant: Combatant, target: Combatant, found: list[Weapon]
) -> list[Weapon]:
    """Return the weapons with which a combatant strikes out of turn, the touch of its charge behind them."""
    if not is_weapon(fight, combatant) or not reaches(combatant, target, *band(combatant)):
        return found
    return [*found, touch_out_of_turn(fight, combatant, target).weapon]


def touch_by_charge(
    fight: Fight, combatant: Combatant, target: Combatant, weapon: Weapon
) -> ReactionBlow | None:
    """Return the touch with the charge out of turn, if it is the weapon; energy of its own may be one too."""
    if CHARGED not in combatant.conditions:
        return None
    blow = touch_out_of_turn(fight, combatant, target)
    return ReactionBlow(blow, touch_with_charge) if blow.weapon == weapon else None


def touch_with_charge(fight: Fight, blow: Blow) -> Steps[bool]:
    """Touch an opponent with the charge that is held; return whether it has gone off."""
    return (yield from touch_opponent(fight, held_spell(fight, blow.attacker), blow))


def touch_out_of_turn(fight: Fight, combatant: Combatant, target: Combatant) -> Blow:
    """Return the touch with the charge as the blow of an attack of opportunity."""
    spell = held_spell(fight, combatant)
    blow = fight.dialect.magic.spell_blow(fight, combatant, spell, target)
    blow.intent = replace(blow.intent, kind="opportunity")
    blow.cites.append(fight.rule("unarmed.armed"))
    return blow
