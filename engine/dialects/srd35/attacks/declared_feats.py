"""What an attacker may pledge before its first attack roll: Power Attack, Combat Expertise, Stunning Fist."""

from collections.abc import Sequence
from typing import Any

from affray.engine.dialects.srd35.classes import monk
from affray.engine.dialects.srd35.classes.combat_feats import POWER
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.full_attack import refuse_no_shot
from affray.engine.rules.attacks.stunning_fist import attempts_to_stun
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.turns.action_budget import check_turn, is_open
from affray.engine.rules.turns.sides import refuse_no_opponent
from affray.engine.rules.turns.subjects import rule_about
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def declare_feats(fight: Fight, actor: Combatant, act: Any, blows: Sequence[Blow]) -> list[Any]:
    """Return the facts of what is declared with an attack, to be told once its action is spent.

    Power Attack, Combat Expertise, Stunning Fist, and what a flurry takes off (srd35.feat.power-attack,
    srd35.feat.combat-expertise, srd35.feat.stunning-fist, srd35.class.flurry). Refuses what the attacker
    cannot declare; `blows` are those that it means to strike.
    """
    facts: list[Any] = []
    if act.power:
        facts.append(pledge_power_attack(fight, actor, act.power))
    if getattr(act, "expertise", 0):
        facts += pledge_combat_expertise(fight, actor, act.expertise, blows)
    facts += attempts_to_stun(fight, actor, blows)
    if type(act) is acts.FullAttack:
        if act.rapid_shot:
            refuse_no_shot(fight, actor, blows)
        if act.flurry and not is_open(actor):
            facts.append(monk.flurry_penalty(fight, actor))
    return facts


def pledge_power_attack(fight: Fight, combatant: Combatant, points: int) -> EffectGained:
    """Take points off all melee attack rolls until the next turn, to add them to damage.

    As many as the base attack bonus at most (srd35.feat.power-attack).
    """
    rule = refuse_without(fight, combatant, "power attack")
    if points not in range(1, combatant.sheet.base_attack + 1):
        raise Refusal(f"Power Attack takes 1 to {combatant.sheet.base_attack} off, not {points}", rule)
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:power-attack",
        stat=POWER,
        modifier=Modifier(-points, "penalty", "Power Attack", rule),
        until=next_turn(fight, combatant),
        cites=(rule,),
    )


def pledge_combat_expertise(
    fight: Fight, combatant: Combatant, points: int, blows: Sequence[Blow]
) -> list[EffectGained]:
    """Trade attack for a dodge bonus in a melee attack or full attack (srd35.feat.combat-expertise)."""
    rule = refuse_without(fight, combatant, "combat expertise")
    most = min(fight.figure("srd35.feat.combat-expertise", "max"), combatant.sheet.base_attack)
    if points not in range(1, most + 1):
        raise Refusal(f"Combat Expertise trades 1 to {most}, not {points}", rule)
    if not all(blow.melee for blow in blows):
        raise Refusal("Combat Expertise goes with attacks in melee", rule)
    return [
        EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:expertise-{stat}",
            stat=stat,
            modifier=Modifier(value, kind, "Combat Expertise", rule),
            until=next_turn(fight, combatant),
            cites=(rule,),
        )
        for stat, value, kind in (("attack", -points, "penalty"), ("defense", points, "dodge"))
    ]


def next_turn(fight: Fight, combatant: Combatant) -> Until:
    """Return the start of a combatant's next turn."""
    return Until("turn-start", combatant.id, fight.state.round + 1)


def use_feat(fight: Fight, act: acts.UseFeat) -> Steps[None]:
    """Bring a feat to bear that is no action of its own; naming an opponent for Dodge."""
    actor = fight.combatant(act.actor)
    if act.feat != "dodge":
        reason = f"{act.feat!r} is no feat to be declared by itself" if act.feat else "no feat is named"
        raise Refusal(f"{reason}; there is dodge", rule_about(fight, acts.UseFeat))
    yield from name_dodge_opponent(fight, actor, act.target)


def name_dodge_opponent(fight: Fight, attacker: Combatant, target: str) -> Steps[None]:
    """Name the one opponent against whom to dodge, on one's own turn, until another is named.

    srd35.feat.dodge.
    """
    rule = refuse_without(fight, attacker, "dodge")
    check_turn(fight, attacker)
    enemy = fight.combatant(target)
    refuse_no_opponent(attacker, enemy, rule, "to dodge")
    for effect in attacker.effects:
        if effect.modifier.rule == rule:
            yield EffectEnded(who=attacker.id, id=effect.id, why=f"{enemy.id} instead", cites=(rule,))
    yield EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:dodge",
        stat="defense",
        modifier=fight.modifier("srd35.feat.dodge", "ac_dodge", kind="dodge", source="Dodge"),
        until=Until(),
        against=enemy.id,
        cites=(rule,),
    )
