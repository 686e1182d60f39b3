"""Striking into a square where somebody unseen is thought to be (pf1.concealment)."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_action import fight_defensively
from affray.engine.rules.gear.substances import SPLASH
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.position.place import distance
from affray.engine.rules.senses.guessed_square import strike_nobody, unseen_in_square
from affray.engine.rules.senses.hidden import is_hidden_from, knows_square
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOPIC: Final = "pf1.concealment"


def is_guess(fight: Fight, act: acts.Attack, *given: object) -> bool:
    """Say whether an attack goes into a square: what splashes is thrown at its corner."""
    return act.at is not None and SPLASH not in weapon_of(fight, act).traits


def who_is_there(fight: Fight, act: acts.Attack) -> acts.Attack:
    """Return an attack into a square as one at whoever unseen stands there; as it is where nobody does."""
    if act.at is None or not is_guess(fight, act):
        return act
    actor = fight.combatant(act.actor)
    there = unseen_in_square(
        fight, actor, act.at, lambda one: is_unseen(fight, actor, one), fight.rule(TOPIC)
    )
    return act if there is None else replace(act, target=there.id, at=None)


def strike_at_nobody(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack a square in which nobody unseen stands: the wrong guess costs the attack."""
    actor, weapon = fight.combatant(act.actor), weapon_of(fight, act)
    meant = Blow(actor, actor, weapon, not act.thrown and weapon.wield != "projectile", 0)
    pledged = fight.dialect.attacks.declared_feats(fight, actor, act, (meant,))
    striking = strike_nobody(fight, act, act.at or actor.at, fight.rule(TOPIC))
    yield next(striking)
    yield from pledged
    if act.defensively:
        yield from fight_defensively(fight, actor)
    yield from striking


def weapon_of(fight: Fight, act: acts.Attack) -> Weapon:
    """Return the weapon of an attack."""
    return find_weapon(fight, fight.combatant(act.actor), act.weapon)


def is_located(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Say whether a combatant sees where another is, or has pinpointed it.

    pf1.concealment, pf1.skill.stealth, pf1.invisibility.perception-table.
    """
    if not (combatant.conditions or combatant.effects or other.conditions or other.effects):
        return not fight.field.concealing or not is_unseen(fight, combatant, other)
    return knows_square(combatant, other) or not is_unseen(fight, combatant, other)


def is_unseen(fight: Fight, viewer: Combatant, other: Combatant) -> bool:
    """Say whether a combatant has total concealment from another, or has hidden from it."""
    if is_hidden_from(other, viewer):
        return True
    feet = distance(viewer, other)
    blow = Blow(viewer, other, unarmed(fight, viewer), False, feet)
    percent, _, _ = fight.dialect.attacks.miss_chance(fight, blow)
    return bool(percent >= fight.figure(TOPIC, "total"))
