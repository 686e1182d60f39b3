"""Shooting and throwing at what an opponent holds, carries or wears (futurepath.object.attack-breaking).

Such a shot is a ranged attack like any other, with its range, cover, concealment and openings. But its roll
has to reach the Defense of the object, and its damage is the object's.
"""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.attacks.prepared import prepare_declared
from affray.engine.dialects.futurepath.gear.object_defense import HELD, defense_of_carried
from affray.engine.dialects.futurepath.gear.strike_held import (
    BREAKING,
    PROVOKES,
    damage_item,
    item_to_strike,
    refuse_no_bearer,
)
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import ARMOR_CLASS, Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.item_hardness import Durability
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.attempts import attempt_goes_on
from affray.engine.rules.position.place import reaches
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import Footing
from affray.engine.steps import Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import Provoked
from affray.events.facts.modifier import Modifier

#: When a blow is a shot or throw at an object that its target has.
AT_ITEM: Final = "intent.item"


def is_shot(fight: Fight, act: acts.Sunder) -> bool:
    """Say whether an object of somebody is struck at from afar: with what shoots, or what is thrown."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, actor, act.weapon)
    in_reach = strikes_in_melee(weapon) and reaches(actor, target, *melee_band(actor, weapon))
    return act.thrown or (bool(weapon.range) and not in_reach)


def shoot_at_item(fight: Fight, act: acts.Sunder) -> Steps[None]:
    """Shoot or throw at an object that an opponent has, with an attack action.

    futurepath.object.attack-breaking, futurepath.object.defense.held-carried-worn,
    futurepath.attack.ranged.range-and-los.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_no_bearer(fight, actor, target)
    item, size, _ = item_to_strike(fight, target, act)
    weapon = find_weapon(fight, actor, act.weapon)
    blow = prepare_declared(fight, actor, target, weapon, "attack", thrown=act.thrown)
    blow.intent = replace(blow.intent, item=item, against=f"the {item}")
    blow.defense_extra += defense_of_carried(fight, target, size)
    blow.cites += fight.rules(BREAKING, HELD)
    refuse_hopeless(fight, blow)
    shot = fight.rules(
        BREAKING, "futurepath.action.attack.definition", "futurepath.attack.ranged.range-and-los"
    )
    yield spending(fight, actor, "standard", "sunder", *shot)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def provoke_by_shot(fight: Fight, blow: Blow, declaration: str, delivering: Steps[bool]) -> Steps[bool]:
    """Deliver a shot at an object; to its holder it gives the opening twice over, unless one has Sunder.

    The feat takes back what the blow at the object provokes, not what the shot does
    (futurepath.object.attack.held-provokes).
    """
    rule, holder = fight.rule(PROVOKES), blow.target.id
    feat = has_feat(blow.attacker, "sunder")

    def cited(step: Any) -> Any:
        if isinstance(step, Provoked) and step.by == holder and not feat:
            return replace(step, cites=tuple(dict.fromkeys((*step.cites, rule))))
        return step

    return altered(delivering, cited)


def still_at_item(fight: Fight, before: Footing, blow: Blow) -> Steps[Blow | None]:
    """Return the shot if it can still be made after an interruption, the object being there."""
    goes_on = yield from attempt_goes_on(fight, before, Attempt(blow, blow.intent.item))
    return blow if goes_on else None


def strike_whom_it_meets(fight: Fight, blow: Blow) -> None:
    """Let a shot into a grapple that strikes at another than was meant be a plain shot at that one.

    futurepath.modifier.defender-grappling-random-target.
    """
    if blow.target.id != struck_at(fight).target:
        blow.intent = replace(blow.intent, item="", against=ARMOR_CLASS)
        blow.defense_extra = []
        spoken = fight.rules(BREAKING, HELD)
        blow.cites = [rule for rule in blow.cites if rule not in spoken]


def struck_at(fight: Fight) -> acts.Sunder:
    """Return the declaration that is being carried out, by which an object is shot at."""
    act = fight.doing
    assert isinstance(act, acts.Sunder)
    return act


def no_defense_of_bearer(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return that nothing of its bearer's own Defense guards an object, but what its own rule says."""
    return ()


def cover_of_item(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what guards an object besides: the cover of whoever has it."""
    covered: list[Modifier] = fight.dialect.defense.cover(fight, blow)
    return covered


def deal_to_item(fight: Fight, blow: Blow, critical: bool) -> Steps[None]:
    """Deal the damage of a shot to the object that it has hit; what breaks and splashes deals it then."""
    if blow.weapon.damage != NO_DAMAGE:
        yield from damage_item(fight, blow, blow.intent.item, durability(fight, blow))


def durability(fight: Fight, blow: Blow) -> Durability:
    """Return how sturdy the object is that a shot is aimed at."""
    return item_to_strike(fight, blow.target, struck_at(fight))[2]
