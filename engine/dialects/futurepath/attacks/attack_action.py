"""Declared attacks in Futurepath: one attack, fighting defensively, total defense, aid."""

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.attacks.caught_unaware import (
    catch_unaware,
    may_be_caught,
    no_longer_unaware,
)
from affray.engine.dialects.futurepath.attacks.defensively import fight_defensively
from affray.engine.dialects.futurepath.attacks.engaged import is_engaged
from affray.engine.dialects.futurepath.attacks.prepared import prepare_declared
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.aid_another import aid_roll, weapon_to_aid_with
from affray.engine.rules.attacks.attack_modifiers import refuse_untargetable
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import has_acted, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack as the attack action (futurepath.action.attack.definition).

    The game master may find that somebody surprised is at the attacker's mercy
    (futurepath.condition.helpless.unaware-target).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    weapon = find_weapon(fight, actor, act.weapon)
    blow = prepare_declared(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    refuse_hopeless(fight, blow)
    caught = may_be_caught(fight, blow) and (yield from catch_unaware(fight, blow))
    reach = "futurepath.attack.melee.reach" if blow.melee else "futurepath.attack.ranged.range-and-los"
    yield spending(
        fight, actor, "standard", "attack", *fight.rules("futurepath.action.attack.definition", reach)
    )
    if act.defensively:
        yield from fight_defensively(fight, actor, "melee" if blow.melee else "ranged")
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)
    if caught:
        yield from no_longer_unaware(fight, target, "attacked")


def total_defense(fight: Fight, act: acts.TotalDefense) -> Steps[None]:
    """Defend and do not attack: +4 dodge to Defense for a round, as a move action.

    By the old reading an attack action. It helps from now on, in one's own move as well
    (futurepath.action.total-defense, .is-move-action, futurepath.action.total-defense.timing).
    """
    actor = fight.combatant(act.actor)
    as_move = fight.option("total_defense_action") == "move-action"
    kind = "move" if as_move else "standard"
    rule = fight.rule("futurepath.action.total-defense")
    # What was spent to ready it is no attack.
    if actor.spent.get("standard") and as_move and fight.readied != actor.id:
        raise Refusal(f"{actor.id} has taken an attack action this round and cannot defend totally", rule)
    if "total-defense" in actor.conditions:
        raise Refusal(f"{actor.id} defends totally already", rule)
    cost = fight.rules("futurepath.action.total-defense.is-move-action") if as_move else ()
    yield spending(fight, actor, kind, "total defense", rule, *cost)
    until = Until(
        "turn-start", actor.id, fight.state.round + fight.figure("futurepath.action.total-defense", "rounds")
    )
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:defense",
        stat="defense",
        modifier=fight.modifier(
            "futurepath.action.total-defense", "defense_dodge", kind="dodge", source="total defense"
        ),
        until=until,
        cites=(rule, fight.rule("futurepath.action.total-defense.timing")),
    )
    yield ConditionGained(
        who=actor.id, condition="total-defense", source="total defense", until=until, cites=(rule,)
    )


def aid(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Help a friend against an opponent: an attack roll against Defense 10 gives +2 on its next turn.

    The friend is engaged with the opponent in melee, and the helper has a weapon in hand that reaches it.

    futurepath.attack.aid-another.precondition, .effect, futurepath.attack.aid-another.roll.
    """
    actor, friend, opponent = (fight.combatant(id) for id in (act.actor, act.friend, act.opponent))
    rule = fight.rule("futurepath.attack.aid-another.precondition")
    if friend.side != actor.side or friend is actor or opponent.side == actor.side:
        raise Refusal(
            f"{actor.id} aids a friend against an opponent, not {friend.id} against {opponent.id}", rule
        )
    weapon = weapon_to_aid_with(fight, actor, opponent, act.weapon, rule)
    if not is_engaged(fight, friend, opponent):
        raise Refusal(f"{opponent.id} is not engaged with {friend.id}", rule)
    blow = Blow(actor, opponent, weapon, True, distance(actor, opponent), Intent("aid"))
    refuse_untargetable(fight, blow)
    refuse_hopeless(fight, blow)
    yield spending(fight, actor, "standard", "aid another", rule)
    if not (yield from aid_roll(fight, blow)):
        return
    topic = "futurepath.attack.aid-another.effect"
    yield EffectGained(
        who=friend.id,
        id=f"{fight.declaration}:aid",
        stat=act.benefit,
        modifier=fight.modifier(topic, "bonus", kind="circumstance", source=f"aid from {actor.id}"),
        until=Until("turn-end", friend.id, fight.state.round + has_acted(fight, friend)),
        against=opponent.id,
        cites=fight.rules(topic),
    )
