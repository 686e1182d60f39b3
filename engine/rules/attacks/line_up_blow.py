"""A full round to line up a blow at a thing that lies or stands about.

srd35.object.ac, futurepath.object.attack.full-round-immobile.
"""

from collections.abc import Callable
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import trait_detail
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import ActionSpent

TOPIC: Final = "object.ac"


def line_up(fight: Fight, act: acts.Attack, prepare: Callable[..., Blow] | None = None) -> Steps[None]:
    """Strike at a thing with a full round's care: in melee that hits of itself, at range it helps.

    `prepare` makes the blow, by default as the dialect makes all of them. Not at what somebody carries or
    wears, for that moves with its bearer (srd35.object.ac, futurepath.object.attack.full-round-immobile).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(TOPIC)
    refuse_unless_allowed(fight, actor, "full-round")
    if target.sheet.thing is None or trait_detail(target, "carried by"):
        raise Refusal(f"{target.id} is no thing that keeps still", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    making = prepare or fight.dialect.attacks.prepare
    blow = making(fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal)
    yield ActionSpent(who=actor.id, kind="full-round", what="line up a blow", cites=(rule,))
    if blow.melee:
        yield from hit_automatically(fight, blow)
        return
    blow.attack_extra.append(fight.modifier(TOPIC, "aim_ranged", kind="circumstance", source="lined up"))
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def hit_automatically(fight: Fight, blow: Blow) -> Steps[None]:
    """Hit without a roll, and do the damage."""
    yield AttackResolved(
        attacker=blow.attacker.id,
        target=blow.target.id,
        weapon=blow.weapon.name,
        mode="melee",
        against=blow.intent.against,
        key="",
        natural=0,
        total=0,
        needed=0,
        result="hit",
        why="a blow lined up for a full round hits a thing",
        attack=(),
        defense=(),
        cites=fight.rules(TOPIC),
    )
    yield from fight.dialect.damage.deal(fight, blow, False)
