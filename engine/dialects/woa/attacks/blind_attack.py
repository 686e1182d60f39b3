"""An attack that names a place and not a target (woa.concealment.total.blind-attack)."""

from functools import partial

from msgspec.structs import replace

from affray.engine.dialects.woa.senses.attack_unseen import BLIND, roll_at_nobody, squares_in_reach
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.senses.guessed_square import unseen_in_square
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


def attack_square(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack whoever unseen may be in a square, `at`; a wrong guess costs the attack."""
    assert act.at is not None
    actor, rule = fight.combatant(act.actor), fight.rule(BLIND)
    weapon = find_weapon(fight, actor, act.weapon)
    if act.at not in squares_in_reach(fight, actor, weapon):
        topic = "woa.attack.reach-weapons" if weapon.reach else "woa.attack.melee-reach"
        raise Refusal(f"{act.at[0]},{act.at[1]} is out of the {weapon.name}'s reach", fight.rule(topic))
    there = unseen_in_square(fight, actor, act.at, partial(unseen, fight, actor), rule)
    if there is not None:
        blow = fight.dialect.attacks.prepare(fight, actor, there, weapon, "attack", nonlethal=act.nonlethal)
        blow.cites.append(rule)
        blow.intent = replace(blow.intent, kind="blind")
        yield spending(fight, actor, "standard", "attack", *fight.rules("woa.attack.single"))
        yield from fight.dialect.attacks.deliver(fight, blow)
        return
    yield spending(fight, actor, "standard", "attack", rule)
    yield from roll_at_nobody(fight, actor, act.at)
