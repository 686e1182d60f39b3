"""Paladins: smiting evil, laying on hands, divine grace (srd35.class.smite, .lay-on-hands, .divine-grace)."""

from collections.abc import Iterator

from affray.engine.dialects.srd35.damage.injury import heal
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Harm, Intent
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.ability_scores import ability_now, score_now
from affray.engine.rules.classes.levels import class_level, rules_of_level
from affray.engine.rules.classes.natures import UNDEAD, is_a
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import DamageResolved, EffectEnded, EffectGained, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

SMITE, HANDS = "smite evil", "lay on hands"


def paladin_level(combatant: Combatant) -> int:
    """Return a combatant's effective paladin level."""
    return class_level(combatant, "paladin")


def bonus_of(fight: Fight, combatant: Combatant) -> int:
    """Return the Charisma bonus: never a penalty."""
    return max(0, ability_now(fight, combatant, "cha"))


def smites_a_day(fight: Fight, combatant: Combatant) -> int:
    """Return how often a day a paladin smites evil: once, and once more for so many levels."""
    topic = "srd35.class.smite"
    more = paladin_level(combatant) // fight.figure(topic, "one_more_per_levels")
    return int(fight.figure(topic, "per_day") + more)


def healing_a_day(fight: Fight, combatant: Combatant) -> int:
    """Return the hit points that a paladin's hands heal in a day: its level x its Charisma bonus."""
    return paladin_level(combatant) * bonus_of(fight, combatant)


def declare_smite(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Declare that the next melee attack of this turn on the target smites evil (srd35.class.smite)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.class.smite")
    check_turn(fight, actor)
    if not actor.sheet.classes.get("paladin"):
        raise Refusal(f"{actor.id} is no paladin", rule)
    if actor.resources.get(SMITE, 0) >= smites_a_day(fight, actor):
        raise Refusal(f"{actor.id} has no smiting of evil left today", rule)
    yield ActionSpent(who=actor.id, kind="free", what=SMITE, cites=(rule,))
    yield ResourceSpent(who=actor.id, resource=SMITE, amount=1, cites=(rule,))
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:smite",
        stat=SMITE,
        modifier=Modifier(bonus_of(fight, actor), "smite", SMITE, rule),
        until=Until("turn-end", actor.id, fight.state.round),
        against=target.id,
        uses=1,
        cites=(rule,),
    )


def smite(fight: Fight, blow: Blow) -> Steps[None]:
    """Let a declared smiting count for this blow; on those who are not evil it is wasted."""
    attacker, target = blow.attacker, blow.target
    declared = next((one for one in attacker.effects if one.stat == SMITE and one.against == target.id), None)
    if declared is None or not blow.melee:
        return
    rule = declared.modifier.rule
    if has_trait(target, "evil"):
        blow.attack_extra.append(declared.modifier)
        blow.damage.extra += (Modifier(paladin_level(attacker), "smite", SMITE, rule),)
        blow.damage.cites += rules_of_level(fight, attacker)
    else:
        yield RuleApplied(
            who=attacker.id, what=f"{target.id} is not evil: the smiting is wasted", cites=(rule,)
        )
    yield EffectEnded(who=attacker.id, id=declared.id, why="used", cites=(rule,))


def lay_on_hands(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Heal by touch as a standard action, level x Charisma bonus points a day; undead it hurts.

    Undead have to be touched by an attack, and a touch that misses uses nothing up
    (srd35.class.lay-on-hands).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target or act.actor)
    rule = fight.rule("srd35.class.lay-on-hands")
    level, charisma = actor.sheet.classes.get("paladin", 0), score_now(fight, actor, "cha") or 0
    if level < fight.figure("srd35.class.lay-on-hands", "level") or charisma < fight.figure(
        "srd35.class.lay-on-hands", "cha"
    ):
        least = (
            fight.figure("srd35.class.lay-on-hands", "level"),
            fight.figure("srd35.class.lay-on-hands", "cha"),
        )
        raise Refusal(
            f"{actor.id} cannot lay on hands: that takes paladin level {least[0]} and Charisma {least[1]}",
            rule,
        )
    left = healing_a_day(fight, actor) - actor.resources.get(HANDS, 0)
    if act.amount < 0:
        raise Refusal(f"{actor.id} cannot heal {act.amount} hit points", rule)
    if left <= 0:
        raise Refusal(f"{actor.id} has no healing left today", rule)
    if distance(actor, target) > actor.reach:
        raise Refusal(f"{target.id} is {distance(actor, target)} ft. away, out of reach", rule)
    undead = is_a(target, UNDEAD)
    wanted = act.amount or (left if undead else target.max_hp - target.hp)
    amount = min(left, max(1, wanted))
    yield spending(fight, actor, "standard", HANDS, rule)
    spent = ResourceSpent(who=actor.id, resource=HANDS, amount=amount, cites=(rule,))
    if not undead:
        yield spent
        yield from heal(fight, target, amount, f"{actor.id} lays on hands", rule)
        return
    touch = Weapon(HANDS, NO_DAMAGE, "positive energy", "unarmed", traits=("armed", "spell"), family="spell")
    blow = Blow(actor, target, touch, True, distance(actor, target), Intent("spell", TOUCH_ARMOR_CLASS))
    blow.cites += [rule, fight.rule("srd35.ac.touch")]
    if (yield from strike(fight, blow)) and not is_down(fight, target):
        yield spent
        yield DamageResolved(
            attacker=actor.id,
            target=target.id,
            weapon=HANDS,
            dice=(),
            modifiers=(),
            multiplier=1,
            total=amount,
            nonlethal=False,
            cites=(rule,),
        )
        yield from fight.dialect.damage.suffer(
            fight, Harm(target, amount, touch.damage_type, HANDS, actor, energy=True, cites=(rule,))
        )


def divine_grace_bonus(fight: Fight, combatant: Combatant, kind: str, detail: str) -> Iterator[Modifier]:
    """Yield the Charisma bonus on all saves (srd35.class.divine-grace)."""
    topic, bonus = "srd35.class.divine-grace", bonus_of(fight, combatant)
    if bonus and combatant.sheet.classes.get("paladin", 0) >= fight.figure(topic, "grace_level"):
        yield Modifier(bonus, "divine grace", "divine grace", fight.rule(topic))
