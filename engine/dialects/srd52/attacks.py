"""Attacks: who may be attacked with what, the attack roll, the hit, and weapon mastery."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.srd52 import damage, test
from affray.engine.dialects.srd52.classes import (
    DIFFICULTY,
    ability,
    difficulty,
    fields_of,
    modifier_of,
    proficiency,
    score_now,
)
from affray.engine.dialects.srd52.conditions import (
    AGAINST,
    CRITICAL_NEAR,
    ON_OWN_ATTACKS,
    gain,
    incapacitating,
    is_away,
    is_charmed_by,
    levels_of,
    refuse_charmer,
)
from affray.engine.dialects.srd52.environment import sinks_short, sources_of_surroundings
from affray.engine.dialects.srd52.features import (
    After,
    Blow,
    Dice,
    Strike,
    ask,
    features_of,
    is_settled,
    steps_of,
)
from affray.engine.dialects.srd52.gear import (
    NEEDS_ATTUNEMENT,
    STRIKES,
    TAKEN,
    armor_class,
    attack_begun,
    attacks_left,
    can_attack,
    improvised,
    is_improvised,
    long_range,
    masteries_with,
    poison_dice,
    topic_of_table,
    weapon_in_hand,
    wields_two_handed,
)
from affray.engine.dialects.srd52.hiding import HIDDEN, reveal
from affray.engine.dialects.srd52.position import (
    SIZES,
    cover_of,
    cover_part,
    distance,
    push_away,
    size_of,
    within,
)
from affray.engine.dialects.srd52.printed import (
    STRIKES_WITH,
    actions_of,
    left_of,
    refuse_busy,
    refuse_unavailable,
)
from affray.engine.dialects.srd52.printed import use_up as use_up_entry
from affray.engine.dialects.srd52.ready import ATTACKS, respond
from affray.engine.dialects.srd52.senses import HIDING, in_sight, knows_place, sees, sight_topics
from affray.engine.dialects.srd52.test import PHYSICAL
from affray.engine.dialects.srd52.turns import dodges, next_end, next_start
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_company, per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.kernel.places import squares_of
from affray.engine.modifiers import affected_parts, effect_parts
from affray.engine.record.acts import details_of
from affray.engine.record.chapters import StandingSums
from affray.engine.steps import Choice, Refusal, Roll, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.combat import (
    AttackResolved,
    CheckResolved,
    DamageResolved,
    EffectGained,
    ItemChanged,
    Moved,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import SCORES, Modifier, Weapon
from affray.projections.state import Combatant

ATTACKED: Final = "attacked"
"""The effect on the next attack roll against a combatant by any attacker."""


# --- Preparing an attack


def prepare(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: Weapon,
    thrown: bool,
    spares: bool | None = None,
    known: bool = False,
) -> Strike:
    """Return an attack with a weapon. Refuses a target out of reach or range, out of sight, or charming.

    Refuses one whose place the attacker does not know, unless that is `known` to be guessed.
    """
    used, melee, name = means_of(fight, attacker, target, weapon, thrown, known)
    return Strike(attacker, target, used, melee, name, spares=spares)


@per_scene("attacker.id", "attacker.at", "target.id", "target.at", Same("weapon"), "thrown", "known")
def means_of(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon, thrown: bool, known: bool
) -> tuple[Weapon, bool, str]:
    """Return the weapon of an attack as it is used, whether it is in melee, and the ability. Refuses it."""
    rule = fight.rule("attacks.choose-target")
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot attack itself", rule)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead", rule)
    if is_away(target):
        raise Refusal(f"{target.id} is not there", fight.rule("magic.spell-banishment"))
    refuse_inside(fight, attacker, target)
    refuse_charmer(fight, attacker, target)
    refuse_busy(fight, attacker, weapon.name, target)
    if thrown and not weapon.thrown:
        weapon = improvised(fight, weapon)
    far, reach = distance(attacker, target), reach_with(fight, attacker, weapon)
    melee = not is_ranged(weapon) and not thrown and (far <= reach or not weapon.range)
    if not known and not knows_place(fight, attacker, target):
        reason = f"{attacker.id} does not know where {target.id} is: it can attack a square"
        raise Refusal(reason, fight.rule("attacks.wrong-location"))
    if melee and far > reach:
        raise Refusal(
            f"{target.id} is {far} ft. away, out of the reach of {reach} ft.", fight.rule("attacks.reach")
        )
    if not melee and far > max(weapon.range, long_range(weapon)):
        topic = "attacks.range-long" if long_range(weapon) else "attacks.range-single"
        raise Refusal(
            f"{target.id} is {far} ft. away, beyond the range of the {weapon.name}", fight.rule(topic)
        )
    if not in_sight(fight, attacker, target) or cover_of(fight, attacker, target)[0] == "total":
        raise Refusal(f"{target.id} has total cover from {attacker.id}", fight.rule("defense.cover-total"))
    return weapon, melee, ability_for(fight, attacker, weapon)


def refuse_inside(fight: Fight, attacker: Combatant, target: Combatant) -> None:
    """Refuse an attack into a creature on what it has swallowed, and from inside on anything outside."""
    bodies = [
        one.conditions["swallowed"].source if "swallowed" in one.conditions else ""
        for one in (attacker, target)
    ]
    if bodies[0] != bodies[1] and not (bodies[0] == target.id and not bodies[1]):
        rule = fight.rule("monster.trait-swallow")
        raise Refusal(f"{target.id} has total cover from {attacker.id}: one of them is swallowed", rule)


def reach_with(fight: Fight, attacker: Combatant, weapon: Weapon) -> int:
    """Return how far a weapon reaches in melee, in feet."""
    more = fight.figure("gear.reach", "reach_ft") if "reach" in weapon.traits else 0
    return weapon.far or attacker.reach + more


def ability_for(fight: Fight, attacker: Combatant, weapon: Weapon) -> str:
    """Return the ability of attack and damage: Strength; Dexterity at range; the better with Finesse.

    Features may offer others; the best one counts.
    """
    usable = abilities_for(fight, attacker, weapon)
    return max(usable, key=lambda name: modifier_of(fight, attacker, name))


@per_company("attacker.id", Same("weapon"))
def abilities_for(fight: Fight, attacker: Combatant, weapon: Weapon) -> Mapping[str, str]:
    """Return the abilities that a weapon can be used with, each with the feature's topic if one offers it."""
    printed = next((one for one in details_of("ability", weapon.traits) if one in SCORES), "")
    if printed:
        return {printed: ""}
    own = "dex" if is_ranged(weapon) else "str"
    usable = dict.fromkeys(PHYSICAL if "finesse" in weapon.traits else (own,), "")
    for function, held in ask(fight, attacker, "abilities"):
        for name in function(fight, held, weapon):
            usable.setdefault(name, held.feature.topic)
    return usable


def topic_on_ability(weapon: Weapon) -> str:
    """Return the topic of the rule on the ability of an attack with a weapon."""
    return "gear.finesse" if "finesse" in weapon.traits else "test.attack-ability"


# --- The attack roll


def attack_parts(fight: Fight, strike: Strike) -> Iterator[Modifier]:
    """Yield the parts of an attack roll that features of both combatants add."""
    for function, held in ask(fight, strike.attacker, "on_attack"):
        yield from function(fight, held, strike)
    for function, held in ask(fight, strike.target, "on_attacked"):
        yield from function(fight, held, strike)


class Aim(Struct, frozen=True, gc=False):
    """The constant parts of attacks of one kind on a target, valid while no combatant moves or changes.

    parts: of the attack roll, but those of features.
    defense: the parts of Armor Class.
    needed: their sum.
    near: the topic of the rule that makes a hit critical; "" for none.
    sunk: the rule by which it misses in any case; "" for none.
    cites: the rules of its roll.
    """

    parts: tuple[Modifier, ...]
    defense: tuple[Modifier, ...]
    needed: int
    near: str
    sunk: str
    cites: tuple[str, ...]


@per_scene("attacker.id", "attacker.at", "target.id", "target.at", Same("weapon"), "melee", "name", "spell")
def aim_of(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon, melee: bool, name: str, spell: bool
) -> Aim:
    """Return the constant parts of attacks with a weapon by an ability, or with a spell."""
    defense = defense_parts(fight, attacker, target)
    near = topic_on_critical(fight, attacker, target, melee)
    topics = ["attacks.structure", "attacks.resolve", "attacks.bonus", "attacks.hit"]
    topics += ["test.meets-beats", "test.target-numbers", *sight_topics(fight, attacker, target)]
    topics += ["test.kinds"] if levels_of(attacker) else []
    topics += [] if weapon.proficient or is_improvised(weapon) else ["test.weapon-proficiency"]
    topics += topics_of_defense(fight, target, defense)
    topics += [near] if near else []
    topics += ["monster.ammunition"] if "ranged" in weapon.traits else []
    topics += [] if melee else ["gear.range", "movement.grid-range"]
    topics += ["gear.reach"] if melee and "reach" in weapon.traits else []
    topics += ["maneuvers.unarmed-strike"] if weapon.wield == "unarmed" else []
    topics += ["gear.attunement"] if NEEDS_ATTUNEMENT in weapon.traits else []
    topics += ["monster.gear"] if attacker.counters.get(f"{TAKEN}{weapon.name}") else []
    topics += ["attacks.improvised-weapon", "attacks.improvised-range"] if is_improvised(weapon) else []
    topics += ["attacks.improvised-equivalent"] if "improvised equivalent" in weapon.traits else []
    topics += ["mounted.lance"] if attacker.mount and (weapon.table or weapon.name) == "lance" else []
    by_feature = abilities_for(fight, attacker, weapon).get(name)
    topics += [by_feature, "test.exceptions-supersede"] if by_feature else []
    topics += ["attacks.spell-attack"] if spell else []
    topics += ["attacks.weapon-attack"] if weapon.table else []
    return Aim(
        parts=standing_parts(fight, attacker, target, weapon, melee, name),
        defense=tuple(defense),
        needed=sum(one.value for one in defense),
        near=near,
        sunk="" if melee else sinks_short(fight, attacker, weapon, distance(attacker, target)),
        cites=fight.rules(*topics),
    )


def standing_parts(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon, melee: bool, name: str
) -> tuple[Modifier, ...]:
    """Return the constant parts of an attack roll: all but those of features.

    name: the ability of the attack.
    """
    parts = [ability(fight, attacker, name, topic_on_ability(weapon))]
    if weapon.proficient:
        monster = not fields_of(fight, attacker).character
        topic = "gear.monster-proficiency" if monster else "test.attack-proficiency"
        parts.append(proficiency(fight, attacker, topic=topic))
    parts += test.hampered_by_armor(fight, attacker, name)
    parts += sources_of_surroundings(fight, attacker, weapon, melee)
    rule = fight.rule("attacks.determine-modifiers")
    parts += (Modifier(one.value, one.kind, one.source or one.kind, rule) for one in weapon.attack)
    parts += effect_parts(attacker, f"attack with {weapon.name}", target.id)
    parts += test.exhaustion(fight, attacker, "attack")
    parts += sources_of_attacker(fight, attacker, target, weapon, melee)
    parts += sources_of_target(fight, attacker, target)
    return tuple(parts)


def sources_of_attacker(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon, melee: bool
) -> Iterator[Modifier]:
    """Yield what the attacker's own state, its weapon and the range do to its attack roll."""
    for name, topic, path in ON_OWN_ATTACKS:
        if name == "invisible" and not counts_as_invisible(fight, attacker, target):
            continue
        if name in attacker.conditions:
            yield test.source(fight, topic, path, name)
    if "frightened" in attacker.conditions and test.source_in_sight(fight, attacker, "frightened"):
        yield test.source(fight, "conditions.frightened-rolls", "attacks", "frightened")
    held = attacker.conditions.get("grappled")
    if held is not None and held.source != target.id:
        yield test.source(fight, "conditions.grappled-attacks", "own_attacks", "grappled")
    if not sees(fight, attacker, target) and "blinded" not in attacker.conditions:
        yield test.source(fight, "attacks.unseen-target", "attacker", f"{target.id} is not seen")
    if not melee:
        if distance(attacker, target) > weapon.range:
            yield test.source(fight, "attacks.range-long", "long", "long range")
        near = fight.figure("attacks.ranged-close-combat", "distance_ft")
        spared = target.id if fight.option("close_ranged") == "not-vs-that-enemy" else ""
        thrown = weapon.thrown and weapon.wield != "projectile" and fight.option("thrown_close") == "none"
        close = (
            ()
            if thrown
            else (one for one in fight.enemies(attacker) if within(attacker, one, near) and one.id != spared)
        )
        for one in close:
            if not incapacitating(one) and sees(fight, one, attacker):
                yield test.source(fight, "attacks.ranged-close-combat", "effect", f"{one.id} is close")
                break
    if "heavy" in weapon.traits:
        kind = "ranged" if weapon.wield == "projectile" else "melee"
        name, least = str(fight.figure("gear.heavy", kind)).split()
        if (score_now(attacker, name) or 0) < int(least):
            yield test.source(fight, "gear.heavy", "else", "heavy weapon")


def sources_of_target(fight: Fight, attacker: Combatant, target: Combatant) -> Iterator[Modifier]:
    """Yield what the target's state does to attack rolls against it."""
    for name, topic, path in AGAINST:
        if name in target.conditions and not (name == "invisible" and sees(fight, attacker, target)):
            yield test.source(fight, topic, path, f"target {name}")
    if "prone" in target.conditions:
        near = within(attacker, target, fight.figure("conditions.prone-attacked", "near_ft"))
        yield test.source(
            fight, "conditions.prone-attacked", "within_5_ft" if near else "beyond", "target prone"
        )
    unseen = not sees(fight, target, attacker) and not is_known_by_condition(target, attacker)
    both = fight.option("mutual_unseen") == "disadvantage" and not sees(fight, attacker, target)
    if unseen and not both:
        yield test.source(fight, "attacks.unseen-attacker", "attacker", f"{attacker.id} is not seen")
    blind = fight.option("dodge_sight") == "required" and not sees(fight, target, attacker)
    if dodges(fight, target) and not blind:
        yield test.source(fight, "turns.dodge-attacks", "attackers", "target dodging")
    for effect in target.effects:
        if effect.stat in (ATTACKED, f"attacked by {attacker.side}") and effect.against in ("", attacker.id):
            yield effect.modifier


def is_known_by_condition(target: Combatant, attacker: Combatant) -> bool:
    """Return whether a condition that has a separate rule keeps a target from seeing its attacker."""
    return (
        any(one in target.conditions for one in ("blinded", "unconscious"))
        or "invisible" in attacker.conditions
    )


def counts_as_invisible(fight: Fight, attacker: Combatant, target: Combatant) -> bool:
    """Return whether an attacker has the advantage of being invisible: the target does not see it.

    That of hiding lasts for one roll, or for the whole action, or does not count, by the reading in force.
    """
    veil, reading = attacker.conditions.get("invisible"), fight.option("hidden_attack_advantage")
    if veil is not None and veil.source == HIDING and reading == "none":
        return False
    return not sees(fight, target, attacker)


Resolving: TypeAlias = Steps[AttackResolved]
"""Steps that lead to the result of an attack roll."""


def roll(fight: Fight, strike: Strike) -> Resolving:
    """Roll an attack against Armor Class; a natural 20 is a Critical Hit, a natural 1 a miss."""
    attacker, target = strike.attacker, strike.target
    yield from steps_of(fight, attacker, "own_attack", strike)
    extra = yield from test.rolled_parts(fight, attacker, "attack")
    aim = aim_of(fight, attacker, target, strike.weapon, strike.melee, strike.ability, strike.spell)
    listed = (*aim.parts, *attack_parts(fight, strike), *extra)
    dice, parts, total, rules = test.dice_of(fight, affected_parts(attacker, "attack", listed, target.id))
    defense, needed, near, sunk = aim.defense, aim.needed, aim.near, aim.sunk
    worst, best = fight.figure("attacks.natural-1", "die"), fight.figure("attacks.natural-20", "die")
    plain = dice == "1d20"
    cites = (*aim.cites, *fight.rules(*([] if plain else ["attacks.determine-modifiers"])), *rules)
    beyond = ""
    for function, held in ask(fight, target, "escapes"):
        if not beyond and function(fight, held, strike):
            beyond = fight.rule(held.feature.topic)
    asked = () if strike.spell else ask(fight, attacker, "critical")
    wide = {function(fight, held): fight.rule(held.feature.topic) for function, held in asked}
    lowest = min(wide, default=best)
    made_to_hit: list[str] = []

    def result(key: str, natural: int) -> AttackResolved:
        made = natural + total
        hit = (natural == best or (natural != worst and made >= needed)) and not (sunk or beyond)
        critical = hit and (natural >= lowest or bool(near))
        why = f"{made} reaches {needed}" if made >= needed else f"{made} falls short of {needed}"
        extra: tuple[str, ...] = ()
        if natural in (worst, best):
            why = f"a natural {natural} always {'hits' if hit else 'misses'}"
            extra = fight.rules("attacks.natural-20" if hit else "attacks.natural-1")
        if critical and lowest <= natural < best:
            extra = (*extra, wide[lowest])
        if made_to_hit and not hit:
            hit, why, extra = True, f"{made_to_hit[0]} makes it a hit", (made_to_hit[1],)
        if sunk:
            why, extra = "a shot underwater misses beyond its normal range", (sunk,)
        elif beyond:
            why, extra = f"{target.id} is immune to it", (beyond,)
        return AttackResolved(
            attacker=attacker.id,
            target=target.id,
            weapon=strike.weapon.name,
            mode="melee" if strike.melee else "ranged",
            against="Armor Class",
            key=key,
            natural=natural,
            total=made,
            needed=needed,
            result="critical" if critical else "hit" if hit else "miss",
            why=why,
            attack=parts,
            defense=defense,
            cites=(*cites, *extra),
        )

    def settle(key: str, natural: int) -> Resolving:
        nonlocal needed, defense
        fact = result(key, natural)
        if fact.result == "miss":
            for function, held in ask(fight, attacker, "on_miss"):
                if not made_to_hit and (yield from function(fight, held, strike)):
                    made_to_hit.extend((held.name, fight.rule(held.feature.topic)))
                    fact = result(key, natural)
            return fact
        for function, held in ask(fight, target, "before_hit"):
            more = yield from function(fight, held, strike, fact.total, needed)
            defense = (*defense, *more)
            needed += sum(one.value for one in more)
            fact = result(key, natural)
        return fact

    if sunk:
        missed = result("", 0)
        yield missed
        return missed
    fact = yield from test.decide(fight, attacker, "attack", result, dice, settle)
    if fight.option("next_attack_rider") == "consumed-by-roll" or not plain:
        for one, stats in ((attacker, ("attack",)), (target, (ATTACKED, f"attacked by {attacker.side}"))):
            yield from test.use_up(fight, one, stats, attacker.id if one is target else target.id)
    return fact


def defense_parts(fight: Fight, attacker: Combatant, target: Combatant) -> list[Modifier]:
    """Return the parts of Armor Class against an attacker, cover among them."""
    defense = [*armor_class(fight, target), *cover_part(fight, attacker, target, "ac")]
    return [*defense, *effect_parts(target, "defense", attacker.id)]


def standing_sums(fight: Fight, attacker: Combatant, target: Combatant, weapon: str) -> StandingSums:
    """Return the parts of an attack and of the Armor Class against it, as they are before the roll.

    A die that a feature adds is listed without a value.
    """
    found = weapon_in_hand(fight, attacker, weapon)
    strike = prepare(fight, attacker, target, found, False)
    aim = aim_of(fight, attacker, target, strike.weapon, strike.melee, strike.ability, strike.spell)
    listed = (*aim.parts, *attack_parts(fight, strike))
    _, parts, total, _ = test.dice_of(fight, affected_parts(attacker, "attack", listed, target.id))
    for function, held in ask(fight, attacker, "extra_die"):
        if notation := function(fight, held, "attack"):
            more = Modifier(0, "die", f"{held.name} {notation}", fight.rule(held.feature.topic))
            parts = (*parts, more)
    return StandingSums(
        found.name,
        parts,
        total,
        tuple(one for one in parts if one.value),
        aim.defense,
        aim.needed,
        tuple(one for one in aim.defense if one.kind != "cover"),
    )


def topics_of_defense(fight: Fight, target: Combatant, defense: Sequence[Modifier]) -> Iterator[str]:
    """Yield the topics of the rules on the parts of Armor Class, cover among them."""
    if any(one.kind == "armor" for one in defense):
        yield from ("gear.armor-table", "defense.one-base-ac")
    if any(one.kind not in ("base", "armor", "ability") for one in defense):
        yield "defense.ac-bonuses"
    for one in defense:
        if one.kind == "cover":
            yield from ("defense.cover-direction", "defense.cover-best")
            if "creature" in one.source:
                yield "defense.cover-creature"


def topic_on_critical(fight: Fight, attacker: Combatant, target: Combatant, melee: bool) -> str:
    """Return the topic of the rule that makes a hit on the target critical; "" for none."""
    if fight.option("auto_crit") == "melee-only" and not melee:
        return ""
    for name, topic in CRITICAL_NEAR:
        near = fight.figure(topic, "auto_crit_within_ft")
        if name in target.conditions and within(attacker, target, near):
            return topic
    return ""


# --- Carrying an attack out


def use_missile(fight: Fight, strike: Strike) -> Steps[None]:
    """Use up a missile, or a copy of a thrown weapon."""
    weapon = strike.weapon
    if weapon.ammunition is not None and not strike.melee:
        cites = fight.rules("gear.thrown" if weapon.thrown else "gear.ammunition")
        many = 1 if weapon.thrown else fight.figure("gear.ammunition", "per_attack")
        yield ResourceSpent(who=strike.attacker.id, resource=weapon.name, amount=many, cites=cites)


def strike_with(fight: Fight, strike: Strike) -> Steps[bool]:
    """Make one attack: ammunition, the roll, damage on a hit, and the mastery of the weapon."""
    attacker = strike.attacker
    yield from use_missile(fight, strike)
    if (yield from is_settled(fight, strike.target, "before_attack", attacker)):
        return False
    outcome, dealt = (yield from roll(fight, strike)), dict[str, int]()
    hit = outcome.result != "miss" and not (yield from is_settled(fight, strike.target, "diverts", strike))
    strike = replace(strike, outcome=outcome)
    yield from show_hidden(fight, attacker)
    if hit:
        dealt = yield from damage_of_hit(fight, strike)
    yield from after_attack(fight, replace(strike, dealt=dealt), hit, sum(dealt.values()))
    yield from respond(fight, ATTACKS, attacker)
    return hit


def is_ranged(weapon: Weapon) -> bool:
    """Return whether a weapon makes ranged attacks alone."""
    return weapon.wield == "projectile" or "ranged" in weapon.traits


def show_hidden(fight: Fight, attacker: Combatant) -> Steps[None]:
    """End the hiding of an attacker after its attack roll; its place is known then."""
    if HIDDEN not in attacker.conditions:
        return
    yield from reveal(fight, attacker, "it has made an attack roll", "attacks.hidden-revealed")
    if fight.option("hidden_attack_advantage") == "whole-action":
        rule = fight.rule("senses.hide-ends")
        yield EffectGained(
            who=attacker.id,
            id=f"from hiding:{attacker.id}",
            stat="attack",
            modifier=Modifier(0, test.ADVANTAGE, "attacked from hiding", rule),
            until=Until("turn-end", attacker.id, fight.state.round),
            cites=(rule,),
        )


class WeaponDamage(Struct, frozen=True, gc=False):
    """The damage of a weapon, the same for each target and without the additions of features.

    first: the dice of the weapon itself; more: its other ones.
    parts: what is added to damage of the first type.
    """

    first: Dice
    more: tuple[Dice, ...]
    parts: tuple[Modifier, ...]
    cites: tuple[str, ...]


@per_company("attacker.id", Same("weapon"), "melee", "name", "adds_ability")
def damage_with(
    fight: Fight, attacker: Combatant, weapon: Weapon, melee: bool, name: str, adds_ability: bool
) -> WeaponDamage:
    """Return the damage of a weapon by an ability, in melee or at range.

    A negative ability modifier counts even if the ability is not added.
    """
    two_handed = melee and weapon.second and wields_two_handed(fight, attacker, weapon)
    parts, topics = list[Modifier](), ["damage.roll"]
    modifier = ability(fight, attacker, name)
    if (adds_ability or modifier.value < 0) and "plain damage" not in weapon.traits:
        rule = fight.rule("damage.ability-modifier")
        parts.append(Modifier(modifier.value, "ability", modifier.source, rule))
    for one in weapon.bonus_damage:
        parts.append(Modifier(one.value, one.kind, one.source or one.kind, fight.rule("damage.roll")))
    topics += ["attacks.improvised-damage"] if is_improvised(weapon) else []
    topics += ["gear.versatile"] if two_handed else []
    topics += [topic_of_table(fight, weapon)] if weapon.table and not is_improvised(weapon) else []
    topics += ["maneuvers.unarmed-damage"] if weapon.wield == "unarmed" else []
    return WeaponDamage(
        Dice(weapon.second if two_handed else weapon.damage, weapon.damage_type, weapon.name),
        tuple(Dice(one.dice, one.kind, one.source or weapon.name) for one in weapon.extra),
        tuple(parts),
        fight.rules(*topics),
    )


def damage_of_hit(fight: Fight, strike: Strike) -> Steps[dict[str, int]]:
    """Roll and deal the damage of a hit; return how much of each type was taken."""
    attacker, weapon, critical = strike.attacker, strike.weapon, strike.critical
    answers = yield from answers_to_hit(fight, strike)
    plain = damage_with(fight, attacker, weapon, strike.melee, strike.ability, strike.adds_ability)
    first, topics, ledger = plain.first, list[str](), dict[str, int]()
    for function, held in ask(fight, attacker, "weapon_dice"):
        before, first = first, (yield from function(fight, held, strike, first))
        topics += [held.feature.topic] if first != before else []
    more: list[Dice | Modifier | After] = [*(yield from poison_dice(fight, attacker, weapon))]
    rules_of_hit: list[str] = []
    for function, held in ask(fight, attacker, "on_hit"):
        given = [*(yield from function(fight, held, strike, critical))]
        more += given
        rules_of_hit += [held.feature.topic] if given else []
    extra = [one for one in more if isinstance(one, Dice)]
    dice = [*([first] if first.notation else []), *plain.more, *extra]
    parts = (*plain.parts, *(one for one in more if isinstance(one, Modifier)))
    for function, held in ask(fight, attacker, "least_die"):
        least = function(fight, held, strike)
        dice = [replace(one, least=max(one.least, least)) for one in dice]
        topics += [held.feature.topic] if least else []
    topics += rules_of_hit
    topics += ["damage.critical-extra-dice"] if critical and (weapon.extra or extra) else []
    blow = Blow(
        attacker.id,
        weapon.name,
        critical,
        strike.spares,
        attack=True,
        magical=strike.spell,
        melee=strike.melee,
        answers=answers,
    )
    if dice:
        cites = (*plain.cites, *fight.rules(*topics))
        yield from damage.deal(fight, strike.target, blow, dice, parts, cites=cites, ledger=ledger)
    for after in more:
        if not isinstance(after, Dice | Modifier):
            yield from after()
    return ledger


def answers_to_hit(fight: Fight, strike: Strike) -> Steps[tuple[str, ...]]:
    """Return the features by which the target of a hit answers it with its Reaction."""
    names = []
    for function, held in ask(fight, strike.target, "answers_hit"):
        if (yield from function(fight, held, strike)):
            names.append(held.name)
    return tuple(names)


# --- Weapon mastery: further effects of a hit or a miss


def after_attack(fight: Fight, strike: Strike, hit: bool, dealt: int) -> Steps[None]:
    """Carry out the mastery property of a weapon for a wielder that has mastered it.

    Some take a hit that deals damage.
    """
    weapon = strike.weapon
    yield from steps_of(fight, strike.attacker, "after_attack", strike, hit)
    if not hit:
        if "graze" in masteries_with(fight, strike.attacker, weapon):
            yield from graze(fight, strike)
        return
    dead = "dead" in strike.target.conditions
    for name in masteries_with(fight, strike.attacker, weapon):
        # On the dead, only Cleave has an effect: it concerns another creature.
        if name in ON_HIT and not (dead and name != "cleave") and (dealt or name not in WITH_DAMAGE):
            access = fight.rule("gear.mastery-access")
            yield from reciting(
                ON_HIT[name](fight, strike), (EffectGained, Moved, CheckResolved, ActionSpent), access
            )


def cleave(fight: Fight, strike: Strike) -> Steps[None]:
    """Let a melee hit lead to a second attack on a creature next to the first, once a turn.

    Its damage lacks the ability modifier, unless that is negative.
    """
    attacker, first, topic = strike.attacker, strike.target, "gear.mastery-cleave"
    if not strike.melee or attacker.spent.get(CLEAVED, 0) >= fight.figure(topic, "per_turn"):
        return
    near, reach = fight.figure(topic, "second_within_ft"), reach_with(fight, attacker, strike.weapon)
    others = [
        one
        for one in fight.enemies(attacker)
        if one is not first and "dead" not in one.conditions and not damage.is_object(one)
        if within(one, first, near) and within(attacker, one, reach) and knows_place(fight, attacker, one)
        if not is_charmed_by(attacker, one)
    ]
    if not others:
        return
    rule, options = fight.rule(topic), (*(one.id for one in others), "decline")
    question = f"{attacker.id} hits {first.id}: which creature does it cleave as well?"
    answer = yield Choice(attacker.id, "cleave", question, options, rule)
    if answer == "decline":
        return
    yield ActionSpent(who=attacker.id, kind=CLEAVED, what=strike.weapon.name, cites=(rule,))
    second = replace(strike, target=fight.combatant(answer), adds_ability=False, spares=None)
    yield from reciting(strike_with(fight, second), (AttackResolved, DamageResolved), rule)


CLEAVED: Final = "cleave"
"""The counter of a turn for second attacks by Cleave."""


def graze(fight: Fight, strike: Strike) -> Steps[None]:
    """Deal the ability modifier as damage although the attack misses."""
    modifier, rule = ability(fight, strike.attacker, strike.ability), fight.rule("gear.mastery-graze")
    if modifier.value > 0:
        part = Modifier(modifier.value, "ability", modifier.source, rule)
        source = f"{strike.weapon.name} (graze)"
        blow = Blow(strike.attacker.id, source, spares=strike.spares, melee=strike.melee)
        kind = strike.weapon.damage_type
        yield from damage.settle(fight, strike.target, blow, [], [part], kind=kind, cites=(rule,))


def push(fight: Fight, strike: Strike) -> Steps[None]:
    """Push a creature up to Large straight away."""
    topic = "gear.mastery-push"
    if size_of(strike.target) <= SIZES.index(fight.figure(topic, "max_size")):
        yield from push_away(fight, strike.attacker, strike.target, fight.figure(topic, "push_ft"), topic)


def sap(fight: Fight, strike: Strike) -> Steps[None]:
    """Give the target Disadvantage on its next attack roll before the attacker's next turn."""
    until = next_start(fight, strike.attacker)
    yield rider(fight, strike, "gear.mastery-sap", until, strike.target)


def slow(fight: Fight, strike: Strike) -> Steps[None]:
    """Lower the target's Speed until the attacker's next turn; several such hits do not add up."""
    topic, target = "gear.mastery-slow", strike.target
    effects = [one for one in target.effects if one.stat == "speed" and one.modifier.source == "slow"]
    left = fight.figure(topic, "max_ft") - sum(one.modifier.value for one in effects)
    if left >= 0:
        return
    part = Modifier(max(left, fight.figure(topic, "speed_ft")), "untyped", "slow", fight.rule(topic))
    yield EffectGained(
        who=target.id,
        id=f"slow:{strike.attacker.id}",
        stat="speed",
        modifier=part,
        until=next_start(fight, strike.attacker),
        cites=fight.rules(topic),
    )


def topple(fight: Fight, strike: Strike) -> Steps[None]:
    """Make the target prone unless it makes a Constitution save."""
    topic = "gear.mastery-topple"
    number = difficulty(fight, strike.attacker, strike.ability, topic, "dc")
    save, cites = fight.figure(topic, "save"), fight.rules(topic, *DIFFICULTY)
    if not (yield from test.save(fight, strike.target, save, number, why="topple", cites=cites)):
        yield from gain(fight, strike.target, "prone", f"{strike.weapon.name} of {strike.attacker.id}")


def vex(fight: Fight, strike: Strike) -> Steps[None]:
    """Give the attacker Advantage on its next attack on the target, until the end of its next turn."""
    until, against = next_end(fight, strike.attacker), strike.target.id
    if fight.option("vex_scope") == "any-next-attack":
        against = ""
    yield rider(fight, strike, "gear.mastery-vex", until, strike.attacker, against)


def rider(
    fight: Fight, strike: Strike, topic: str, until: Until, holder: Combatant, against: str = ""
) -> EffectGained:
    """Return the fact that a hit changes the holder's next attack roll."""
    name = topic.rpartition("-")[2]
    id = f"{name}:{strike.attacker.id}:{fight.key(strike.attacker.id, name)}"
    part = test.source(fight, topic, "effect", f"{name} of {strike.attacker.id}")
    return test.for_one_roll(holder, id, "attack", part, until, against)


ON_HIT: Final = {"cleave": cleave, "push": push, "sap": sap, "slow": slow, "topple": topple, "vex": vex}
"""The mastery properties of a hit."""
WITH_DAMAGE: Final = ("slow", "vex")
"""Those of a hit that deals damage."""


# --- The Attack action

ATTACK: Final = "attack"
"""The source of an attack of the Attack action."""


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack of the Attack action; the first takes the action, Extra Attack allows more.

    With another Light weapon than before, an attack beyond these takes the Bonus Action. Instead of a target
    it may name a square, where an unseen creature may be.
    """
    attacker = fight.combatant(act.actor)
    check_turn(fight, attacker)
    weapon = weapon_in_hand(fight, attacker, act.weapon, act.thrown)
    if act.at is not None:
        yield from attack_square(fight, act, attacker, weapon)
        return
    target = fight.combatant(act.target)
    strike = prepare(fight, attacker, target, weapon, act.thrown, bool(act.nonlethal))
    refuse_knock_out(fight, strike)
    entry = actions_of(fight, attacker).get(weapon.name)
    if entry is not None:
        refuse_unavailable(fight, attacker, entry)
    yield from spend_attack(fight, strike)
    if entry is not None:
        yield from use_up_entry(fight, attacker, entry)
    yield from strike_with(fight, replace(strike, by=ATTACK))
    if act.thrown:
        yield from leave_hand(fight, attacker, weapon, target.at)


def refuse_knock_out(fight: Fight, strike: Strike) -> None:
    """Refuse to knock out with what is no melee attack."""
    if strike.spares and not strike.melee:
        raise Refusal("only a melee attack knocks out", fight.rule("damage.knock-out"))


def leave_hand(fight: Fight, thrower: Combatant, weapon: Weapon, at: Square) -> Steps[None]:
    """Let a thrown weapon lie where it was thrown."""
    if any(one.name == weapon.name for one in thrower.sheet.weapons):
        cites = fight.rules("gear.thrown")
        yield ItemChanged(who=thrower.id, item=weapon.name, state="dropped", at=at, cites=cites)


def attack_square(fight: Fight, act: acts.Attack, attacker: Combatant, weapon: Weapon) -> Steps[None]:
    """Attack a square in which an unseen creature may be; where none is, the attack misses."""
    assert act.at is not None
    at, rule = act.at, fight.rule("attacks.wrong-location")
    there = [
        one
        for one in fight.state.combatants.values()
        if one is not attacker and at in squares_of(one) and not sees(fight, attacker, one)
    ]
    if any(sees(fight, attacker, one) for one in fight.enemies(attacker) if at in squares_of(one)):
        raise Refusal("attack a creature that is seen there as a target", rule)
    ghost = there[0] if there else replace_place(attacker, at)
    strike = prepare(fight, attacker, ghost, weapon, act.thrown, known=True)
    yield from spend_attack(fight, strike)
    if there:
        yield from reciting(strike_with(fight, strike), AttackResolved, rule)
    else:
        yield from use_missile(fight, strike)
        if fight.option("empty_guess") == "roll-hidden-result-miss":
            yield Roll(attacker.id, "attack", "2d20kl1")
        told = fight.option("empty_guess") == "told-empty"
        what = f"attacks {at[0]},{at[1]} and misses" + (": no creature is there" if told else "")
        yield RuleApplied(who=attacker.id, what=what, squares=(at,), cites=(rule,))
        yield from show_hidden(fight, attacker)
    if act.thrown:
        yield from leave_hand(fight, attacker, weapon, at)


def replace_place(attacker: Combatant, at: Square) -> Combatant:
    """Return a stand-in without an id in a square, for what an attack on an empty one aims at."""
    return Combatant("nobody", "", attacker.sheet, at, 1, 0, 1, 1)


def spend_attack(fight: Fight, strike: Strike, replaced: bool = False) -> Steps[None]:
    """Use up what an attack takes: the action, or one of its further attacks.

    A creature with Multiattack makes the attacks that its stat block lists, each once; something else may
    come in place of one if it is `replaced`.
    """
    attacker, weapon = strike.attacker, strike.weapon
    left = left_of(fight, attacker)
    what = left[0] if replaced and left else weapon.name
    refuse_loading(fight, strike)
    yield from spend_part(fight, attacker, what, fight.rule("turns.attack-action"))


def spend_part(fight: Fight, attacker: Combatant, name: str, rule: str) -> Steps[None]:
    """Use up a part of the Attack action: an attack, or something else that the Multiattack lists."""
    made, names = attacker.spent.get(STRIKES, 0), left_of(fight, attacker)
    listed = bool(fields_of(fight, attacker).multiattack)
    left = attacks_left(fight, attacker)
    over = left <= 0 or (listed and not names)
    if made and over and not can_attack(fight, attacker):
        raise Refusal(f"{attacker.id} has no attack left in this turn", rule)
    if made and names and name not in names and left > 0:
        reason = f"the Multiattack of {attacker.id} leaves {' or '.join(names)}"
        raise Refusal(reason, fight.rule("monster.multiattack"))
    more = fight.rules("monster.multiattack" if listed else "classes.extra-attack") if made else ()
    if over:
        yield attack_begun(fight, attacker, *more, counts=(STRIKES, strike_of(name)))
    else:
        also, cites = (strike_of(name),), (rule, *more)
        yield ActionSpent(who=attacker.id, kind=STRIKES, what=name, also=also, cites=cites)


def has_attack(fight: Fight, attacker: Combatant) -> bool:
    """Return whether a combatant has an attack left, or can take the Attack action."""
    over = fields_of(fight, attacker).multiattack and not left_of(fight, attacker)
    return (attacks_left(fight, attacker) > 0 and not over) or can_attack(fight, attacker)


def refuse_loading(fight: Fight, strike: Strike) -> None:
    """Refuse a second shot with a Loading weapon by one action."""
    weapon, attacker = strike.weapon, strike.attacker
    shots = attacker.spent.get(strike_of(weapon.name), 0)
    if "loading" not in weapon.traits or strike.melee or not shots:
        return
    most = fight.figure("gear.loading", "shots_per_action")
    if shots >= most * attacker.spent.get("action", 0):
        raise Refusal(f"the {weapon.name} shoots once per action", fight.rule("gear.loading"))


def strike_of(weapon: str) -> str:
    """Return the counter of a turn for attacks with a weapon."""
    return f"{STRIKES_WITH}{weapon}"


class OffHand(acts.Act, frozen=True, gc=False, tag="srd52.off-hand"):
    """Make the extra attack with another Light weapon, after an attack with a Light weapon.

    target: the target of the attack.
    weapon: the other Light weapon.
    thrown: throw it.
    nonlethal: in melee, knock out instead of taking the last hit point.
    """

    target: Name = ""
    weapon: Name = ""
    thrown: bool = False
    nonlethal: bool = False


def off_hand(fight: Fight, act: OffHand) -> Steps[None]:
    """Make the extra attack of two Light weapons: a Bonus Action, or part of the Attack action with Nick.

    Its damage lacks the ability modifier, unless that is negative.
    """
    attacker, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("attacks.two-weapon")
    check_turn(fight, attacker)
    weapon = weapon_in_hand(fight, attacker, act.weapon, act.thrown)
    others = [
        one.name
        for one in attacker.sheet.weapons
        if "light" in one.traits and one.name != weapon.name and attacker.spent.get(strike_of(one.name))
    ]
    if "light" not in weapon.traits:
        raise Refusal(f"the {weapon.name} is not Light", rule)
    if not others:
        raise Refusal(f"{attacker.id} has not attacked with another Light weapon in this turn", rule)
    nick = "nick" in masteries_with(fight, attacker, weapon)
    most = ("gear.mastery-nick", "per_turn") if nick else ("attacks.two-weapon", "extra_attacks")
    if attacker.spent.get(OFF_HAND, 0) >= fight.figure(*most):
        raise Refusal(f"{attacker.id} has made its extra attack in this turn", rule)
    strike = prepare(fight, attacker, target, weapon, act.thrown, act.nonlethal)
    refuse_knock_out(fight, strike)
    if nick:
        yield ActionSpent(
            who=attacker.id, kind=OFF_HAND, what=weapon.name, cites=fight.rules("gear.mastery-nick")
        )
    else:
        cites = fight.rules("gear.light", "turns.bonus-action-limit", "turns.bonus-action-timing")
        yield spend(fight, attacker, "bonus", "extra attack", rule, *cites)
        yield ActionSpent(who=attacker.id, kind=OFF_HAND, what=weapon.name, cites=(rule,))
    style = next((one for one in features_of(fight, attacker) if one.feature.adds_to_extra_attack), None)
    yield from reciting(
        strike_with(fight, replace(strike, adds_ability=style is not None)),
        DamageResolved,
        fight.rule(style.feature.topic if style else "attacks.two-weapon-damage"),
    )
    if act.thrown:
        yield from leave_hand(fight, attacker, weapon, target.at)


OFF_HAND: Final = "off-hand attack"
"""The counter of a turn for the extra attack with a Light weapon."""
