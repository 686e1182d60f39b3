"""Natural weapons: primary and secondary ones, the only one, and all of them in a full attack.

srd35.natural-weapons, srd35.natural-weapons.single, srd35.feat.multiattack, pf1.natural.attacks.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow, Harm, Intent
from affray.engine.record.compose import amend, choose, refine, when
from affray.engine.rules.attacks.attack_roll import immune_to_criticals
from affray.engine.rules.classes.abilities import ability_now, character_level, class_level
from affray.engine.rules.classes.checks import masters, refuse_without, saving_throw, topic_of
from affray.engine.rules.classes.sheets import has_feat, has_trait, is_mindless
from affray.engine.rules.conditions.conditions import OF_THE_BODY, SPARED_BY, is_immune, is_spared_fortitude
from affray.engine.rules.damage.damage import amount_dealt
from affray.engine.rules.gear.hands import held_weapons, natural_weapons, strikes_per_full_attack
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import ATTACKS, LIMB, OFF_HAND
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, DamagePart, ResourceSpent
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Spell, Weapon
from affray.projections.state import Combatant

SECONDARY: Final = "secondary"
#: Notes in a printed stat block on what an attack's bonus already includes.
PRINTED: Final = ("secondary natural attack", "Strength,")


def ordinary_natural_weapons(combatant: Combatant) -> list[Weapon]:
    """Return the natural weapons of an ordinary full attack: all except those that rake."""
    return [weapon for weapon in natural_weapons(combatant) if "rake" not in weapon.traits]


def accounted_for(weapon: Weapon) -> bool:
    """Return whether the weapon's bonuses, as printed, include those of a secondary or only attack."""
    parts = (*weapon.attack, *weapon.bonus_damage)
    return any(part.source.startswith(PRINTED) for part in parts)


def is_marked_secondary(fight: Fight, combatant: Combatant, weapon: Weapon) -> bool:
    """Return whether a natural weapon is secondary by its trait, and its own bonuses do not include that."""
    return SECONDARY in weapon.traits and not accounted_for(weapon)


def is_secondary(fight: Fight, blow: Blow) -> bool:
    """Return whether a natural weapon attacks as a secondary one: by its nature, or along with held
    weapons.
    """
    weapon = blow.weapon
    if accounted_for(weapon):
        return False
    if any(part.kind == SECONDARY for part in blow.attack_extra):
        return True
    return fight.dialect.attacks.secondary_limb(fight, blow.attacker, weapon)


def is_single(blow: Blow) -> bool:
    """Return whether a natural weapon is the creature's only attack.

    A weapon marked as primary is one of several, even on a sheet without others
    (srd35.natural-weapons.single, pf1.natural.attacks).
    """
    weapon = blow.weapon
    if "primary" in weapon.traits or accounted_for(weapon):
        return False
    return ordinary_natural_weapons(blow.attacker) == [weapon] and strikes_per_full_attack(weapon) == 1


def secondary_part(fight: Fight, combatant: Combatant) -> Modifier:
    """Return the penalty of a secondary natural weapon, less with Multiattack.

    srd35.natural-weapons, srd35.feat.multiattack, pf1.natural.attacks.
    """
    if masters(fight, combatant, "multiattack"):
        return fight.modifier(
            "feat.multiattack", "secondary", kind=SECONDARY, source="secondary, Multiattack"
        )
    source = "secondary natural weapon"
    return fight.modifier("natural-weapons", "secondary_attack", kind=SECONDARY, source=source)


def lower_secondary_attack(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the attack modifiers from sheet and weapon, lower for a secondary natural weapon."""
    attacker = blow.attacker
    if not fight.dialect.attacks.secondary_limb(fight, attacker, blow.weapon):
        return parts
    return (*parts, secondary_part(fight, attacker))


def is_natural_strike(fight: Fight, actor: Combatant, act: acts.FullAttack) -> bool:
    """Return whether a strike of a full attack is one of a natural weapon."""
    for one in actor.sheet.weapons:
        if one.wield == "natural":
            break
    else:
        return False
    found = [find_weapon(fight, actor, one.weapon) for one in act.strikes if not one.special]
    return any(weapon.wield == "natural" for weapon in found)


def struck_with(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[Weapon | None]:
    """Return the natural weapon of each strike of a full attack, None for other strikes."""
    found = [find_weapon(fight, actor, one.weapon) if not one.special else None for one in act.strikes]
    return [weapon if weapon is not None and weapon.wield == "natural" else None for weapon in found]


def refuse_limbs(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse more strikes than a natural weapon has in the whole full attack, and raking ones.

    srd35.natural-weapons, srd35.constrict-rake-rend, pf1.natural.attacks, pf1.constrict-rend-rake.
    """
    limbs = [weapon for weapon in struck_with(fight, actor, act) if weapon is not None]
    rule = fight.rule("natural-weapons")
    for weapon in limbs:
        refuse_rake(fight, actor, weapon)
        if limbs.count(weapon) + count_limb_attacks(actor, weapon) > strikes_per_full_attack(weapon):
            times = counted(strikes_per_full_attack(weapon), "time")
            raise Refusal(f"the {weapon.name} strikes only {times} in a full attack", rule)


def refuse_rake(fight: Fight, actor: Combatant, weapon: Weapon) -> None:
    """Refuse to attack with a limb that only rakes (srd35.constrict-rake-rend, pf1.constrict-rend-rake)."""
    if "rake" in weapon.traits:
        reason = f"{actor.id} can rake only an opponent that it holds in a grapple"
        raise Refusal(reason, fight.rule("constrict-rake-rend"))


def are_all_strikes_natural(fight: Fight, actor: Combatant, act: acts.FullAttack) -> bool:
    """Return whether all strikes of a full attack are those of natural weapons."""
    return all(struck_with(fight, actor, act))


def no_hands(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the attacks of a full attack without hands: none."""
    return []


def drop_natural_strikes(fight: Fight, actor: Combatant, act: acts.FullAttack) -> acts.FullAttack:
    """Return a full attack without the strikes of natural weapons."""
    limbs = struck_with(fight, actor, act)
    held = [one for one, limb in zip(act.strikes, limbs, strict=True) if limb is None]
    return replace(act, strikes=tuple(held))


def with_limbs(
    fight: Fight, actor: Combatant, act: acts.FullAttack, hands: list[list[Modifier]]
) -> list[list[Modifier]]:
    """Return the modifiers of each attack of a full attack with natural weapons, then the rest.

    Along with held weapons, whose attacks are given, all of them are secondary (srd35.natural-weapons,
    pf1.natural.attacks).
    """
    series = iter(hands)
    found = struck_with(fight, actor, act)
    held = not all(found) or hands_used(actor) > 0
    parts: list[list[Modifier]] = []
    for each in found:
        if each is None:
            following = next(series, None)
            if following is None:
                return parts
            parts.append(following)
        else:
            parts.append(get_penalty_with_held_weapons(fight, actor, each) if held else [])
    left = sum(
        strikes_per_full_attack(one) - count_limb_attacks(actor, one) - found.count(one)
        for one in ordinary_natural_weapons(actor)
    )
    return [*parts, *series, *([] for _ in range(left))]


def get_penalty_with_held_weapons(fight: Fight, actor: Combatant, weapon: Weapon) -> list[Modifier]:
    """Return the penalty of a natural weapon along with weapons in hand, unless each of its attacks has it
    already.
    """
    return [] if has_secondary_penalty(fight, actor, weapon) else [secondary_part(fight, actor)]


def count_limb_attacks(actor: Combatant, weapon: Weapon) -> int:
    """Return how many attacks with a natural weapon an open full attack has made."""
    return actor.spent.get(f"{LIMB}{weapon.name}", 0)


def count_main_hand_attacks(actor: Combatant) -> int:
    """Return how many attacks of the main hand an open full attack has made."""
    limbs = sum(amount for kind, amount in actor.spent.items() if kind.startswith(LIMB))
    return actor.spent.get(ATTACKS, 0) - limbs


def hands_used(actor: Combatant) -> int:
    """Return how many attacks of either hand an open full attack has made."""
    return count_main_hand_attacks(actor) + actor.spent.get(OFF_HAND, 0)


def refuse_hands_after_limbs(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse attacks with hands in a full attack that began with natural weapons as primary ones.

    srd35.natural-weapons, pf1.natural.attacks.
    """
    if not hands_used(actor) and not all(struck_with(fight, actor, act)):
        reason = "natural weapons have attacked at their full bonus: only they may attack now"
        raise Refusal(reason, fight.rule("natural-weapons"))


def has_secondary_penalty(fight: Fight, actor: Combatant, weapon: Weapon) -> bool:
    """Return whether each attack with a natural weapon has the penalty of a secondary one already."""
    printed = SECONDARY in weapon.traits and accounted_for(weapon)
    return printed or fight.dialect.attacks.secondary_limb(fight, actor, weapon)


def limbs_and_hands(
    series_of_hands: Callable[..., list[list[Modifier]]],
) -> Callable[..., list[list[Modifier]]]:
    """Return the series of a full attack with natural weapons: alone, or along with those of hands."""
    alone = when("", no_hands, holds=are_all_strikes_natural)
    return refine(choose(alone, amend(drop_natural_strikes, series_of_hands)), with_limbs)


def strikes_of_every_limb(
    fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon
) -> tuple[acts.Strike, ...]:
    """Return the strikes of a usual full attack with every limb."""
    reaching = [one for one in held_weapons(attacker) if one in ordinary_natural_weapons(attacker)]
    return tuple(
        acts.Strike(enemy.id, one.name) for one in reaching for _ in range(strikes_per_full_attack(one))
    )


# --- Rending with attacks that hit often enough, and damage as printed
# srd35.constrict-rake-rend, pf1.constrict-rend-rake.

REND_HOLDS: Final = "constrict-rake-rend"


def natural_weapon_as_printed(name: str, dice: str, kind: str = "bludgeoning") -> Weapon:
    """Return a natural weapon whose dice include all of its damage, Strength too."""
    return Weapon(name, dice, kind, "natural", traits=("as printed",))


def tear(fight: Fight, combatant: Combatant, target: Combatant, dice: str) -> Steps[None]:
    """Deal the damage of a rend, dice and modifiers (constrict-rake-rend).

    srd35.constrict-rake-rend, pf1.constrict-rend-rake.
    """
    yield RuleApplied(who=combatant.id, what=f"rends {target.id}", cites=fight.rules(REND_HOLDS))
    weapon = natural_weapon_as_printed("rend", dice, "slashing")
    blow = Blow(combatant, target, weapon, True, 0, Intent("full"))
    yield from fight.dialect.damage.deal(fight, blow, False)


# --- Stunning Fist: unarmed attacks that stun a target that fails to save

STUNNING = "stunning fist"
#: Whether a blow is meant to stun.
MEANT_TO_STUN: Final[Callable[[Blow], bool]] = attrgetter("intent.stunning")


def daily_uses(fight: Fight, combatant: Combatant) -> int:
    """Return how often a day a combatant may try to stun.

    Once for every four levels; a monk once for every monk level and every four others.
    """
    monk = class_level(combatant, "monk")
    each = fight.figure("feat.stunning-fist", "levels_per_use")
    return int(monk + (character_level(combatant) - monk) // each)


def stunning_fist(fight: Fight, attacker: Combatant, blow: Blow) -> list[object]:
    """Return the facts of a stunning attempt, declared before the attack roll and wasted by a miss.

    Refuses other weapons, a second attempt in a round and more than the uses of the day.
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


def attempts_to_stun(fight: Fight, attacker: Combatant, blows: Sequence[Blow]) -> list[object]:
    """Return the facts of the one stunning blow of an attack. Refuses more than one."""
    tried = list(filter(MEANT_TO_STUN, blows))
    if len(tried) > 1:
        raise Refusal(f"{attacker.id} tries to stun once a round", fight.rule("feat.stunning-fist"))
    return stunning_fist(fight, attacker, tried[0]) if tried else []


def yield_daily_stuns(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield how often a day a combatant with the feat may try to stun."""
    if has_feat(combatant, STUNNING):
        yield STUNNING, daily_uses(fight, combatant)


def stun(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After damage, make the target save or be stunned until just before the attacker's next turn.

    Fortitude, DC 10 + half the attacker's level + Wisdom; no effect on a target that is immune to critical
    hits, took no damage, or was down already (srd35.feat.stunning-fist, pf1.feat.stunning-fist).
    """
    attacker, target = blow.attacker, blow.target
    if not standing or before == (target.hp, target.nonlethal, target.temporary):
        return
    topic = "feat.stunning-fist"
    rule = fight.rule(topic)
    if immune_to_criticals(fight, blow):
        cites = (rule, fight.rule("crit.immune"))
        yield RuleApplied(who=target.id, what=f"{target.id} cannot be stunned", cites=cites)
        return
    if (yield from is_immune(fight, target, "Stunning Fist", ("stunning", OF_THE_BODY))):
        return
    level = character_level(attacker)
    dc = fight.formula(topic, "dc") + level // 2 + ability_now(fight, attacker, "wis")
    saved = yield from saving_throw(fight, target, "fort", dc, "Stunning Fist", rule)
    if not saved:
        rounds = fight.figure(topic, "rounds")
        yield from fight.dialect.conditions.gain(
            fight,
            ConditionGained(
                who=target.id,
                condition="stunned",
                source=f"Stunning Fist of {attacker.id}",
                until=for_rounds(fight, attacker, rounds),
                cites=(rule,),
            ),
        )


# --- Acts that a swarm cannot take, and acts that cannot target it (srd35.swarm, pf1.creature.swarm)

TOPIC: Final = "swarm"
#: Acts that are impossible with a swarm on either side.
SWARM_PROHIBITIONS_HOLDS = (acts.Trip, acts.Grapple, acts.BullRush)
#: The same by the names of special attacks.
HELD = ("trip", "grapple", "bull rush")
#: Acts that aim a spell at single targets.
AIMED = (acts.Cast, acts.Touch, acts.Activate, acts.Redirect)
#: The trait of a swarm with a hive mind, which mind-affecting spells may target.
HIVE_MIND = "hive mind"
#: Acts that a swarm cannot take: it deals damage to creatures in its space.
BLOWS = (acts.Attack, acts.FullAttack, acts.Charge, acts.Skirmish)


def refuse_single(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse a swarm single blows, and others to trip, grapple, bull rush or aim a spell at a swarm."""
    combatants = fight.state.combatants
    if type(act) in BLOWS and TOPIC in actor.sheet.traits:
        raise Refusal(explain_no_swarm_attack(actor), fight.rule(TOPIC))
    if type(act) in SWARM_PROHIBITIONS_HOLDS and act.target in combatants:
        refuse_hold(fight, actor, combatants[act.target], str(act.__struct_config__.tag))
    for id in act.targets if type(act) in AIMED else ():
        target = combatants.get(id)
        if (
            target is not None
            and has_trait(target, TOPIC)
            and not is_blocked_by_swarm_mind(actor, target, act)
        ):
            raise Refusal(f"{id} is a swarm, which no spell has for its single target", fight.rule(TOPIC))


def explain_no_swarm_attack(attacker: Combatant) -> str:
    """Return why a swarm makes no attack of the usual kind."""
    return f"{attacker.id} is a swarm and strikes no single blow"


def bar_single_blow(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a swarm makes no attack out of turn either, and the topic; ("", "") for others."""
    return (explain_no_swarm_attack(blow.attacker), TOPIC) if has_trait(blow.attacker, TOPIC) else ("", "")


def none_of_swarm(fight: Fight, combatant: Combatant, target: Combatant, found: list[Weapon]) -> list[Weapon]:
    """Return the weapons with which a combatant attacks out of turn: a swarm has none."""
    return [] if has_trait(combatant, TOPIC) else found


def refuse_hold(fight: Fight, attacker: Combatant, target: Combatant, name: str) -> None:
    """Refuse to trip, grapple or bull rush if either side is a swarm."""
    for one in (attacker, target):
        if has_trait(one, TOPIC):
            raise Refusal(f"{one.id} is a swarm: there is no {name} with it", fight.rule(TOPIC))


def is_blocked_by_swarm_mind(caster: Combatant, target: Combatant, act: object) -> bool:
    """Return whether a spell is mind-affecting and the target is a swarm with a hive mind."""
    if not has_trait(target, HIVE_MIND) or is_mindless(target):
        return False
    name = getattr(act, "spell", "")
    cast = (one for one in caster.sheet.spells if one.name == name)
    return any("mind-affecting" in SPARED_BY.get(one.condition, ()) for one in cast)


# --- Swarms: one creature made of very many, which damages creatures in its space
# srd35.swarm, pf1.creature.swarm.

EDGED = ("slashing", "piercing")


def swarm_resists(fight: Fight, harm: Harm, detail: str) -> tuple[int, str]:
    """Return the damage that a swarm takes, and why; "" if it takes all.

    Weapons do nothing to creatures as small as Diminutive and half to Tiny ones if they cut or pierce; areas
    do half as much again.
    """
    size = harm.target.sheet.size
    left, why = harm.amount, ""
    if harm.area:
        left, why = int(harm.amount * fight.figure(TOPIC, "area_multiplier")), "an area, to a swarm"
    elif harm.weapon is not None and size in ("fine", "diminutive"):
        left, why = 0, f"weapons do nothing to a swarm of {size} creatures"
    elif harm.weapon is not None and harm.damage_type in EDGED:
        share = fight.figure(TOPIC, "tiny_slash_pierce")
        left, why = int(harm.amount * share), f"{harm.damage_type} does half to a swarm"
    if why:
        harm.reduced_by += (fight.rule(TOPIC),)
    return left, why


def can_swarm_harm(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a creature is a swarm that can damage those in its space."""
    return has_trait(combatant, TOPIC) and not is_down(fight, combatant)


def swarm_damage_to_all(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a swarm damage all creatures in its space as its turn ends.

    Without an attack roll: damage by Hit Dice, and a Fortitude save against being nauseated for a round.
    """
    for victim in occupants(fight, combatant, combatant.at):
        yield from damage_in_swarm(fight, combatant, victim)


def damage_in_swarm(fight: Fight, attacker: Combatant, victim: Combatant) -> Steps[None]:
    """Let a swarm damage one creature in its space."""
    rule = fight.rule(TOPIC)
    dice = swarm_dice(fight, attacker)
    rolled = yield Roll(attacker.id, TOPIC, dice)
    harm = Harm(victim, rolled.total, "swarm", f"{attacker.id}'s swarm", attacker)
    part = DamagePart(dice, rolled.key, rolled.total, "swarm", TOPIC)
    yield replace(amount_dealt(fight, harm, (part,), rule), weapon=TOPIC)
    yield from fight.dialect.damage.suffer(fight, harm)
    if harm.amount <= 0 or is_down(fight, victim):
        return
    if (yield from is_spared_fortitude(fight, victim, f"{attacker.id}'s distraction")):
        return
    dc = (
        int(fight.figure(TOPIC, "nauseate_dc"))
        + character_level(attacker) // 2
        + ability_now(fight, attacker, "con")
    )
    if not (yield from saving_throw(fight, victim, "fort", dc, f"{attacker.id}'s distraction", rule)):
        until = for_rounds(fight, attacker, int(fight.figure(TOPIC, "nauseated_rounds")))
        fact = ConditionGained(
            who=victim.id, condition="nauseated", source=attacker.id, until=until, cites=(rule,)
        )
        yield from fight.dialect.conditions.gain(fight, fact)


def swarm_dice(fight: Fight, combatant: Combatant) -> str:
    """Return the damage of a swarm by its Hit Dice: the last row that begins with no more."""
    rows = fight.figure(TOPIC, "damage")
    return next(
        str(rows[row])
        for row in sorted(rows, key=first_of, reverse=True)
        if first_of(row) <= max(1, combatant.sheet.hit_dice)
    )


def first_of(row: str) -> int:
    """Return the least number of Hit Dice that a row such as "6-10" is for."""
    return int(row.split()[0].split("-")[0].rstrip("+"))


def hindering_swarms(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return how a swarm around a caster hinders casting (pf1.creature.swarm)."""
    around = [one for one in occupants(fight, caster, caster.at) if one.side != caster.side]
    if not any(can_swarm_harm(fight, one) for one in around):
        return []
    return [("in a swarm", TOPIC, int(fight.figure(TOPIC, "casting_dc")) + spell.level)]


# --- Unarmed attacks that count as armed, and why they do not provoke


def cite_armed_fists(fight: Fight, blow: Blow) -> Steps[None]:
    """Report why an unarmed attack does not provoke, if the target threatens the attacker.

    srd35.unarmed.armed, pf1.unarmed.provokes, pf1.feat.improved-unarmed.
    """
    attacker = blow.attacker
    if endangers(fight, blow.target, attacker):
        feat = "improved unarmed strike"
        cites = fight.rules("unarmed.armed", *((topic_of(feat),) if has_feat(attacker, feat) else ()))
        what = f"{attacker.id} counts as armed and does not provoke"
        yield RuleApplied(who=attacker.id, what=what, cites=cites)
