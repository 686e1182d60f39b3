"""A shot at the helpless from afar, or a blow at a thing, that takes a full round."""

from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.attacks.prepared import prepare_declared
from affray.engine.dialects.futurepath.contested import situational
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.rules.attacks.line_up_blow import line_up
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts

AIMED: Final = "futurepath.attack.helpless.ranged-full-round"


def shoot_helpless(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Shoot at a helpless target, that is not adjacent, as a full-round action: +5 on the attack roll.

    futurepath.attack.helpless.ranged-full-round; from an adjacent square a full round is a coup de grace
    (futurepath.attack.helpless.melee-or-adjacent).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(AIMED)
    if not is_helpless(fight, target):
        raise Refusal(f"{target.id} is not helpless: only at the helpless a full round helps to aim", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    blow = prepare_declared(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    if blow.melee or next_to(actor, target):
        topic = "futurepath.attack.helpless.melee-or-adjacent"
        raise Refusal(f"a full round from where {actor.id} stands is a coup de grace", fight.rule(topic))
    blow.attack_extra.append(situational(fight, AIMED, "attack", source="aimed at the helpless"))
    refuse_hopeless(fight, blow)
    ranged = fight.rule("futurepath.attack.ranged.range-and-los")
    yield spending(fight, actor, "full-round", "aimed shot", rule, ranged)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def is_aimed_at(fight: Fight, act: acts.Attack) -> bool:
    """Say whether it is a thing that somebody aims at."""
    target = fight.state.combatants.get(act.target)
    return target is not None and target.sheet.thing is not None


def line_up_at_thing(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Strike at a thing that keeps still with a full round's care.

    futurepath.object.attack.full-round-immobile.
    """
    return line_up(fight, act, prepare_declared)
