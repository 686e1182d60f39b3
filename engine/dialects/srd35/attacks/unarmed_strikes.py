"""Bare hands: the fist that stuns, and missiles turned aside (srd35.feat.stunning-fist, .deflect-arrows)."""

from typing import Any

from affray.engine.dialects.srd35.classes.monk_levels import has_table
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.attacks.critical_hits import immune_to_criticals
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import ability_now, score_now
from affray.engine.rules.classes.feat_prerequisites import masters, refuse_without, topic_of
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.conditions.condition_rules import can_react
from affray.engine.rules.gear.held_weapons import SPIKES
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.combat import ConditionGained, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.projections.state import Combatant

STUNNING = "stunning fist"
DEFLECT = "deflect arrows"
SNATCH = "snatch arrows"
#: Missiles too massive to be turned aside carry this trait.
MASSIVE = "massive"


def rules_of_bare_hands(fight: Fight, blow: Blow) -> tuple[str, ...]:
    """Return the rules that the damage of a bare hand rests on, nothing for one that discharges a spell.

    srd35.unarmed.damage, srd35.feat.improved-unarmed-strike.
    """
    weapon, attacker = blow.weapon, blow.attacker
    if weapon.family == "spell":
        return ()
    feat = "improved unarmed strike"
    # A Medium monk's fists have a table of their own.
    own = any(one.name == weapon.name for one in attacker.sheet.weapons) or has_table(attacker)
    topics = () if own else ("unarmed.damage",)
    return fight.rules(*topics, *((topic_of(feat),) if has_feat(attacker, feat) else ()))


def daily_uses(fight: Fight, combatant: Combatant) -> int:
    """Return how often a day somebody may try to stun.

    Once for every four levels; a monk once for every monk level and every four others.
    """
    monk = combatant.sheet.classes.get("monk", 0)
    each = fight.figure("srd35.feat.stunning-fist", "levels_per_use")
    return int(monk + (combatant.sheet.hit_dice - monk) // each)


def stunning_fist(fight: Fight, attacker: Combatant, blow: Blow) -> list[Any]:
    """Return the facts of a stunning attempt, declared before the attack roll and wasted by a miss.

    Refuses without an unarmed strike, more than once a round and beyond the uses of the day.
    """
    rule = refuse_without(fight, attacker, STUNNING)
    if blow.weapon.wield != "unarmed" or not blow.melee:
        raise Refusal("only an unarmed strike stuns", rule)
    if attacker.spent.get(STUNNING):
        raise Refusal(f"{attacker.id} has tried to stun this round", rule)
    uses = daily_uses(fight, attacker)
    if attacker.resources.get(STUNNING, 0) >= uses:
        raise Refusal(f"{attacker.id} has no Stunning Fist left of {uses} a day", rule)
    return [
        ActionSpent(who=attacker.id, kind=STUNNING, what=STUNNING, cites=(rule,)),
        ResourceSpent(who=attacker.id, resource=STUNNING, amount=1, cites=(rule,)),
    ]


def stun(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After damage, let the struck save or be stunned until just before the attacker's next turn.

    Fortitude, DC 10 + half the attacker's level + Wisdom; nothing to whom criticals are nothing, to the
    unhurt, and to who was down already (srd35.feat.stunning-fist).
    """
    attacker, target = blow.attacker, blow.target
    if not standing or before == (target.hp, target.nonlethal, target.temporary):
        return
    topic = "srd35.feat.stunning-fist"
    rule = fight.rule(topic)
    if immune_to_criticals(fight, blow):
        cites = (rule, fight.rule("srd35.crit.immune"))
        yield RuleApplied(who=target.id, what=f"{target.id} cannot be stunned", cites=cites)
        return
    level = attacker.sheet.hit_dice
    dc = fight.formula(topic, "dc") + level // 2 + ability_now(fight, attacker, "wis")
    halved = fight.rules("srd35.math.round-down") if level % 2 else ()
    saved = yield from saving_throw(fight, target, "fort", dc, "Stunning Fist", rule, *halved)
    if not saved:
        rounds = fight.figure(topic, "rounds")
        yield from fight.dialect.conditions.gain(
            fight,
            ConditionGained(
                who=target.id,
                condition="stunned",
                source=f"Stunning Fist of {attacker.id}",
                until=Until("turn-start", attacker.id, fight.state.round + rounds),
                cites=(rule,),
            ),
        )


def hands_free(combatant: Combatant) -> int:
    """Return how many of two hands hold neither weapon nor shield."""
    held = sum(
        max(1, one.hands)
        for one in combatant.sheet.weapons
        if one.name in combatant.held and one.wield != "natural" and one.table != SPIKES
    )
    shields = sum(
        part.kind == "shield" and combatant.items.get(part.source) not in ("broken", "dropped", "gone")
        for part in combatant.sheet.armor
    )
    return 2 - held - shields


def is_deflected(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let the target turn aside a missile that hits it; return whether nothing of it arrives.

    Once a round, with a hand free, aware of it and not flat-footed; not spells, not massive missiles. Of
    several on one roll it turns one aside. Snatch Arrows catches it and may throw a thrown weapon back.
    """
    target = blow.target
    if blow.melee or not masters(fight, target, DEFLECT) or not may_deflect(fight, blow):
        return False
    rule = fight.rule("srd35.feat.deflect-arrows")
    snatches = SNATCH in target.sheet.feats and not lacks_for_snatching(fight, target)
    ways = (("throw back",) if blow.weapon.thrown else ()) + (("catch",) if snatches else ())
    options = ("deflect", *(ways if snatches else ()), "decline")
    question = f"does {target.id} turn the {blow.weapon.name} of {blow.attacker.id} aside?"
    answer = yield Choice(target.id, "deflect", question, options, rule)
    if answer == "decline":
        return False
    yield ReactionSpent(who=target.id, kind=DEFLECT, against=blow.attacker.id, opportunity="", cites=(rule,))
    done = "catches" if answer != "deflect" else "turns aside"
    yield RuleApplied(who=target.id, what=f"{target.id} {done} the {blow.weapon.name}", cites=(rule,))
    if answer == "throw back":
        yield from throw_back(fight, blow)
        blow.outcome.landed = blow.attacker.at
    elif answer == "catch":
        blow.outcome.kept = True
    blow.outcome.deflected = 1
    return blow.intent.arrows == 1


def may_deflect(fight: Fight, blow: Blow) -> bool:
    """Say whether the target can turn this missile aside now."""
    target, weapon = blow.target, blow.weapon
    used = target.reactions.get(DEFLECT, 0) >= fight.figure("srd35.feat.deflect-arrows", "per_round")
    if used or weapon.family == "spell" or MASSIVE in weapon.traits or hands_free(target) < 1:
        return False
    unseen = "invisible" in blow.attacker.conditions or "blinded" in target.conditions
    flat_footed = not target.acted or "flat-footed" in target.conditions
    return not unseen and not flat_footed and not can_react(fight, target)


def lacks_for_snatching(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant is not quick enough for Snatch Arrows."""
    least: int = fight.figure("srd35.feat.deflect-arrows", "snatch_dex")
    return (score_now(fight, combatant, "dex") or 0) < least


def throw_back(fight: Fight, blow: Blow) -> Steps[None]:
    """Throw a caught weapon back at whoever threw it, though it is not one's turn."""
    thrower, catcher = blow.attacker, blow.target
    back = Blow(catcher, thrower, blow.weapon, False, distance(catcher, thrower), Intent("thrown back"))
    back.cites.append(fight.rule("srd35.feat.deflect-arrows"))
    outer = fight.scope
    fight.scope = f"{outer}.back:{catcher.id}" if outer else f"back:{catcher.id}"
    try:
        yield from strike(fight, back)
    finally:
        fight.scope = outer
