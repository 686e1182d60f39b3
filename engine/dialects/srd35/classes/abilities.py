"""Class abilities and feats: monks, paladins, rangers, rogues, bards, rage, saves."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes.turning import attempts_a_day
from affray.engine.dialects.srd35.conditions.ability_loss import lose_ability_points
from affray.engine.dialects.srd35.damage.injury import heal
from affray.engine.dialects.srd35.gear import grip_category, load_condition
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.fight.memory import per_company
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.durations import START
from affray.engine.kernel.places import distance
from affray.engine.modifiers import effect_parts
from affray.engine.record.acts import SheetNames, details_of, fields, names
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Harm, Intent
from affray.engine.record.compose import named
from affray.engine.rules.attacks import full_attack
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.classes.abilities import ability_now, class_level, rules_of_level, score_now
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.classes.feats import (
    BASE_ATTACK,
    RAGING,
    TOPIC,
    Reckoned,
    change_rage_hit_points,
    is_printed_among,
    rage_modifier,
    refuse_to_rage,
    refuse_unlearned,
)
from affray.engine.rules.classes.sheets import UNDEAD, has_feat, has_trait, is_a
from affray.engine.rules.damage.damage import NO_DAMAGE
from affray.engine.rules.damage.injury import settle_health
from affray.engine.rules.gear import weapons_in_hand
from affray.engine.rules.gear.tables import worn_now
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.actions import ATTACKS, spending
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import NOTHING, Choice, Refusal, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    DamageResolved,
    EffectEnded,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Sheet, Weapon
from affray.projections.state import Combatant, Condition

# --- The combat feats that add to rolls (srd35.feat.*)

#: The stat of the effect of Power Attack: the penalty on melee attack rolls.
POWER = "melee-attack"


def greater_focus(fight: Fight, blow: Blow, weapon: str) -> Iterator[Modifier]:
    """Add the second +1 to attacks with one weapon (srd35.feat.weapon-focus)."""
    name = "Greater Weapon Focus"
    if weapon == blow.weapon.name and not is_printed_among(blow.weapon.attack, name):
        yield fight.modifier("srd35.feat.weapon-focus", "greater", kind="untyped", source=name)


def greater_specialization(fight: Fight, blow: Blow, weapon: str) -> Iterator[Modifier]:
    """Add the second +2 to damage with one weapon (srd35.feat.weapon-specialization)."""
    name = "Greater Weapon Specialization"
    if weapon == blow.weapon.name and not is_printed_among(blow.weapon.bonus_damage, name):
        yield fight.modifier("srd35.feat.weapon-specialization", "greater", kind="untyped", source=name)


def power_taken(combatant: Combatant) -> Modifier | None:
    """Return a combatant's Power Attack penalty on its melee attacks until its next turn."""
    return next((effect.modifier for effect in combatant.effects if effect.stat == POWER), None)


def power_attack_penalty(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Apply the declared penalty to every melee attack (srd35.feat.power-attack)."""
    pledged = power_taken(blow.attacker) if blow.melee else None
    if pledged is not None:
        yield pledged


def power_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add the declared points to melee damage: twice with both hands, not with a light weapon."""
    pledged = power_taken(blow.attacker) if blow.melee else None
    if pledged is not None:
        held = grip_category(blow.weapon)
        added = -pledged.value * fight.figure("srd35.feat.power-attack", "damage_ratio", held)
        source = "Power Attack" if held == "one-handed" else f"Power Attack ({held.replace('_', ' ')})"
        yield Modifier(added, "untyped", source, pledged.rule)


# --- Numbers that a sheet leaves to be derived from class levels and feats
# srd35.attack.bab-progression, srd35.feat.toughness.

HIT_POINTS = "hit points"
_SHARE = re.compile(r"level(?:\*(\d+))?(?:/(\d+))?")


def class_base_attack(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the base attack bonus of its classes if it omits that, and the rules.

    Each class adds its share of its levels, rounded down separately (srd35.attack.bab-progression,
    srd35.math.round-down).
    """
    if BASE_ATTACK not in sheet.bare:
        return sheet, ()
    whole, rounded = base_attack(fight, sheet)
    cites = fight.rules("srd35.attack.bab-progression", *(("srd35.math.round-down",) if rounded else ()))
    return replace(sheet, base_attack=sheet.base_attack + whole), cites


def toughness(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the hit points of Toughness, each time it was taken, if it omits them.

    srd35.feat.toughness.
    """
    times = sheet.feats.count("toughness") if HIT_POINTS in sheet.bare else 0
    if not times:
        return sheet, ()
    more = times * fight.figure("srd35.feat.toughness", "hp")
    return replace(sheet, hp=sheet.hp + more), fight.rules("srd35.feat.toughness")


def base_attack(fight: Fight, sheet: Sheet) -> tuple[int, bool]:
    """Return the base attack bonus of all class levels, and whether a fraction was dropped."""
    total, rounded = 0, False
    for progression in fight.figure("srd35.attack.bab-progression").values():
        share = _SHARE.search(progression["formula"])
        times, parts = (int(number or 1) for number in share.groups()) if share else (0, 1)
        for name in progression["classes"]:
            levels = sheet.classes.get(name, 0)
            total += levels * times // parts
            rounded = rounded or levels * times % parts > 0
    return total, rounded


# --- Endurance (srd35.feat.endurance-diehard)

ENDURANCE_TOPIC = "srd35.feat.endurance-diehard"


def endurance_parts(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the bonus of Endurance against exertion, lack of breath and the surroundings."""
    if not has_feat(combatant, "endurance"):
        return []
    return [fight.modifier(ENDURANCE_TOPIC, "endurance", kind="feat", source="Endurance")]


# --- A ranger's favored enemies: bonuses to damage, Sense Motive, Spot and the like
# (srd35.class.favored-enemy)

FAVORED_ENEMY_TOPIC = "srd35.class.favored-enemy"
NAME = "favored enemy"


def favored_enemy_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the bonus on weapon damage against a favored enemy: "favored enemy undead +4" on the sheet."""
    if blow.weapon.family != "spell":
        yield from bonus_against(fight, blow.attacker, blow.target, detail)


def check_bonus_against(fight: Fight, combatant: Combatant, other: Combatant, skill: str) -> list[Modifier]:
    """Return the bonus on a skill check about another creature, for each way in which it is a favored enemy.

    Only the best counts, as they are of one type.
    """
    found = [*details_of(NAME, combatant.sheet.traits)] if combatant.sheet.traits else []
    if (
        not found
        or not fight.book.has(FAVORED_ENEMY_TOPIC)
        or skill not in fight.figure(FAVORED_ENEMY_TOPIC, "skills")
    ):
        return []
    return [part for detail in found for part in bonus_against(fight, combatant, other, detail)]


def bonus_against(fight: Fight, combatant: Combatant, other: Combatant, detail: str) -> Iterator[Modifier]:
    """Yield a ranger's bonus against one kind of creature, if the other creature is of that kind.

    The ranger's level limits how often a bonus may have been raised.
    """
    kind, _, printed = detail.partition(" +")
    kind = kind.strip("() ")
    if not is_a(other, kind):
        return
    least, step = fight.figure(FAVORED_ENEMY_TOPIC, "bonus"), fight.figure(FAVORED_ENEMY_TOPIC, "step")
    level = class_level(combatant, "ranger")
    most = sum(level >= reached for reached in fight.figure(FAVORED_ENEMY_TOPIC, "levels"))
    raised = min((int(printed) - least) // step, most) if printed.isdecimal() else 0
    yield Modifier(least + step * max(0, raised), NAME, f"{NAME}: {kind}", fight.rule(FAVORED_ENEMY_TOPIC))


# --- Bonuses against fear and charm: a paladin's aura, a bard's music (srd35.class.divine-grace)

FEAR = ("shaken", "frightened", "panicked")
CHARM = ("charmed", "fascinated")
#: The stat of temporary bonuses to saves against such conditions.
STAT = "saves against fear and charm"
FEAR_BONUSES_TOPIC = "class.divine-grace"


def is_fearless(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is a paladin of enough levels for the aura of courage."""
    level = combatant.sheet.classes.get("paladin", 0)
    return bool(level and level >= fight.figure(FEAR_BONUSES_TOPIC, "courage_level"))


def inspired_save_bonus(fight: Fight, combatant: Combatant, condition: str, save: str) -> list[Modifier]:
    """Return the bonus of music and other temporary effects to a save against fear or charm.

    srd35.class.inspire-courage.
    """
    return list(effect_parts(combatant, STAT, "")) if condition in FEAR or condition in CHARM else []


def aura_of_courage(fight: Fight, combatant: Combatant, condition: str, save: str) -> list[Modifier]:
    """Return the morale bonus against fear for combatants near a paladin (srd35.class.divine-grace)."""
    if condition not in FEAR:
        return []
    near = fight.figure(FEAR_BONUSES_TOPIC, "courage_radius_ft")
    return [
        fight.modifier(
            FEAR_BONUSES_TOPIC, "courage_save", kind="morale", source=f"{friend.id}'s aura of courage"
        )
        for friend in fight.allies(combatant)
        if is_fearless(fight, friend) and not is_down(fight, friend) and distance(combatant, friend) <= near
    ]


def immune_to_fear(fight: Fight, combatant: Combatant, condition: str) -> tuple[str, ...]:
    """Return the rules that make a combatant immune to a condition, () for none: paladins to fear."""
    return (fight.rule(FEAR_BONUSES_TOPIC),) if condition in FEAR and is_fearless(fight, combatant) else ()


# --- Abilities by a monk's level, and the tables that list them

#: The sizes for which one of two tables has the damage of a monk's fists.
TOLD = frozenset({"tiny", "medium", "large"})

#: Conditions of combatants that cannot move, though not helpless.
IMMOBILE = ("pinned", "immobile", "stuck")


def monk_level(combatant: Combatant) -> int:
    """Return a combatant's monk levels, which give its monk abilities."""
    return combatant.sheet.classes.get("monk", 0)


def effective_monk_level(combatant: Combatant) -> int:
    """Return the monk level that gives damage, speed, Armor Class and the penalty of a flurry, at least 1."""
    return max(1, class_level(combatant, "monk"))


def at_level(figures: Mapping[str, object], level: int) -> Any:
    """Return the figure of the highest level reached, None below the first."""
    reached = [int(step) for step in figures if step.isdecimal() and int(step) <= level]
    return figures[str(max(reached))] if reached else None


def has_table(combatant: Combatant) -> bool:
    """Return whether tables give the damage of unarmed strikes: for Medium, Tiny and Large monks."""
    return monk_level(combatant) > 0 and combatant.sheet.size in TOLD


def what_hampers_monk(combatant: Combatant) -> str:
    """Return what keeps a monk from fighting as one: armor, a shield, too heavy a load; "" for nothing."""
    sheet = combatant.sheet
    named = {one.name for one in sheet.worn}
    worn = {part.kind for part in sheet.armor if part.source not in named}
    worn.update(one.kind for one in worn_now(combatant))
    if "armor" in worn or (sheet.armor_weight != "none" and not sheet.worn):
        return "in armor"
    return "with a shield" if "shield" in worn else load_condition(combatant)


# --- Inspire courage: inspiring music, with some rounds of aftereffect (srd35.class.inspire-courage)

INSPIRE, STOP = "inspire courage", "stop music"
INSPIRE_COURAGE_TOPIC = "srd35.class.inspire-courage"
PLAYING = "making music"
STATS = ("attack", "damage", STAT)


def inspire(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Begin to play as a standard action: allies that hear it gain a morale bonus as long as it lasts.

    The bonus counts for attacks, weapon damage, saves against fear and charm (srd35.class.inspire-courage).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(INSPIRE_COURAGE_TOPIC)
    if PLAYING in actor.conditions:
        raise Refusal(f"{actor.id} makes music already", rule)
    value = at_level(fight.figure(INSPIRE_COURAGE_TOPIC), class_level(actor, "bard"))
    if value is None:
        raise Refusal(f"{actor.id} has no level to inspire courage with", rule)
    yield spending(fight, actor, "standard", INSPIRE, rule)
    yield ConditionGained(who=actor.id, condition=PLAYING, source=INSPIRE, cites=(rule,))
    for one in [actor, *fight.allies(actor)]:
        if "deafened" in one.conditions or is_down(fight, one):
            continue
        yield from give_courage(fight, actor, one, Modifier(value, "morale", INSPIRE, rule), Until())


def give_courage(
    fight: Fight, combatant: Combatant, ally: Combatant, part: Modifier, until: Until
) -> Steps[None]:
    """Give one listener the bonus until a moment, "" for as long as the music lasts."""
    for stat in STATS:
        yield EffectGained(
            who=ally.id,
            id=f"{fight.declaration}:{combatant.id}:{ally.id}:{stat}",
            stat=stat,
            modifier=part,
            until=until,
            cites=(part.rule,),
        )


def stop_music(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Stop the music: its effect lingers for some rounds."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(INSPIRE_COURAGE_TOPIC)
    check_turn(fight, actor)
    if PLAYING not in actor.conditions:
        raise Refusal(f"{actor.id} makes no music", rule)
    yield ActionSpent(who=actor.id, kind="free", what=STOP, cites=(rule,))
    yield from end_music(fight, actor, "the music ends")


def end_music(fight: Fight, combatant: Combatant, why: str) -> Steps[None]:
    """End the music and let its bonuses last 5 rounds more."""
    rule = fight.rule(INSPIRE_COURAGE_TOPIC)
    until = for_rounds(fight, combatant, fight.figure(INSPIRE_COURAGE_TOPIC, "linger_rounds"))
    yield ConditionLost(who=combatant.id, condition=PLAYING, why=why, cites=(rule,))
    for one in fight.state.combatants.values():
        mine = [
            effect
            for effect in one.effects
            if effect.modifier.rule == rule and not effect.until.when and f":{combatant.id}:" in effect.id
        ]
        for effect in mine:
            yield EffectEnded(who=one.id, id=effect.id, why=why, cites=(rule,))
        if mine:
            yield from give_courage(fight, combatant, one, mine[0].modifier, until)


# --- Monks: flurry of blows, fists that strike hard, an unarmored body (srd35.class.flurry, .monk-unarmed)


def series_of_flurry(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack of a flurry: one or two more at the highest bonus.

    Refuses all but unarmored monks with bare hands or monk weapons (srd35.class.flurry).
    """
    rule = fight.rule("srd35.class.flurry")
    level = monk_level(actor)
    if not level:
        raise Refusal(f"{actor.id} is no monk", rule)
    if hindrance := what_hampers_monk(actor):
        raise Refusal(f"{actor.id} cannot flurry {hindrance}", rule)
    for declared in act.strikes:
        weapon = weapons_in_hand.find_weapon(fight, actor, declared.weapon)
        if weapon.wield != "unarmed" and "monk" not in weapon.traits:
            raise Refusal(f"the {weapon.name} cannot be used in a flurry", rule)
    more = at_level(fight.figure("srd35.class.flurry", "extra"), level)
    rows: list[list[Modifier]] = [[] for _ in range(more)]
    rows += full_attack.iterative_parts(fight, actor.sheet.base_attack)
    return rows[actor.spent.get(ATTACKS, 0) :]


def flurry_penalty(fight: Fight, combatant: Combatant) -> EffectGained:
    """Return the penalty of a flurry on every attack until the monk's next turn: -2, later less."""
    rule = fight.rule("srd35.class.flurry")
    value = at_level(fight.figure("srd35.class.flurry", "penalty"), effective_monk_level(combatant))
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:flurry",
        stat="attack",
        modifier=Modifier(value, "flurry", "flurry of blows", rule),
        until=Until("turn-start", combatant.id, fight.state.round + 1),
        cites=(rule,),
    )


def monk_fist_dice(fight: Fight, combatant: Combatant) -> str:
    """Return the damage dice of a monk's unarmed strike by level; "" for others (srd35.class.monk-unarmed).

    The table is for Medium monks; the fist of a Tiny or Large one is like a weapon made for its size
    (srd35.weapons.size-damage-table).
    """
    if not has_table(combatant):
        return ""
    level = effective_monk_level(combatant)
    rows = (row for row in fight.figure("srd35.class.monk-unarmed") if "level" in row)
    dice = next(str(row["damage"]) for row in rows if is_among(level, row["level"]))
    return dice_of_size(fight, dice, combatant.sheet.size)


def is_among(level: int, levels: str) -> bool:
    """Return whether a level is among those of a row: "1-3", or the last one and all beyond it: "20"."""
    first, _, last = levels.partition("-")
    return int(first) <= level <= int(last or level)


def dice_of_size(fight: Fight, dice: str, size: str) -> str:
    """Return the dice of a weapon for a Tiny or Large creature, from those for a Medium one."""
    if size == "medium":
        return dice
    rows = {row["medium"]: row for row in fight.figure("srd35.weapons.size-damage-table")}
    return str(rows[dice][size])


def cite_monk_table(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Cite the monk's table for the damage of a fist; return no part of it."""
    drawn = blow.weapon in blow.attacker.sheet.weapons
    if blow.weapon.wield == "unarmed" and has_table(blow.attacker) and not drawn:
        blow.damage.cites += fight.rules("srd35.class.monk-unarmed")
        if blow.attacker.sheet.size != "medium":
            blow.damage.cites += fight.rules("srd35.weapons.size-damage-table")
    return ()


def monk_armor_bonus(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield a monk's Wisdom and level bonus to Armor Class, also against touch attacks and while flat-footed.

    Neither counts in armor, with a shield, under more than a light load, nor for the helpless and the
    immobile. A sheet that lists such parts keeps them instead (srd35.class.monk-unarmed).
    """
    target = blow.target
    if any(part.kind in ("class", "ability") for part in target.sheet.armor):
        return
    rule = fight.rule("srd35.class.monk-unarmed")
    hindrance = what_hampers_monk(target) or next(
        (name for name in IMMOBILE if name in target.conditions), ""
    )
    if not hindrance and is_helpless(fight, target):
        hindrance = "helpless"
    denied = f"{hindrance} ({rule})" if hindrance else ""
    wisdom = ability_now(fight, target, "wis")
    if wisdom > 0:
        yield Modifier(wisdom, "ability", "Wisdom (monk)", rule, denied)
    rows = [row for row in fight.figure("srd35.class.monk-unarmed") if "ac_bonus" in row]
    more = at_level(rows[0]["ac_bonus"], effective_monk_level(target))
    if more:
        yield Modifier(more, "class", "monk", rule, denied)


# --- Paladins: smiting evil, laying on hands, divine grace (srd35.class.smite, .lay-on-hands, .divine-grace)

SMITE, HANDS = "smite evil", "lay on hands"


def paladin_level(combatant: Combatant) -> int:
    """Return a combatant's effective paladin level."""
    return class_level(combatant, "paladin")


def bonus_of(fight: Fight, combatant: Combatant) -> int:
    """Return the Charisma bonus: never a penalty."""
    return max(0, ability_now(fight, combatant, "cha"))


def smites_a_day(fight: Fight, combatant: Combatant) -> int:
    """Return how often a day a paladin smites evil: once, and once more for every few levels."""
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
    """Apply a declared smiting to this blow; it is wasted on targets that are not evil."""
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
    """Heal by touch as a standard action, level x Charisma bonus points a day; it damages undead.

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


# --- The daily uses of srd35's class abilities and feats, by the names under which they are spent


def daily_pools(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the attempts to turn and rebuke, smitings, and points of healing of a day."""
    for what in ("turn", "rebuke"):
        for kind in details_of(what, combatant.sheet.traits):
            if kind != "resistance" and not kind.startswith("resistance "):
                yield f"{what} {kind}", sum(attempts_a_day(fight, combatant))
    if combatant.sheet.classes.get("paladin"):
        yield SMITE, smites_a_day(fight, combatant)
        yield HANDS, healing_a_day(fight, combatant)


# --- Rage: strength and fury for some rounds, and weariness after (srd35.class.rage)

RAGE: Final = "rage"


def rage(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Begin a rage: no action; it lasts 3 rounds + the raised Constitution modifier."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    refuse_to_rage(fight, actor, rule)
    yield ActionSpent(who=actor.id, kind="free", what=RAGE, cites=(rule,))
    yield ResourceSpent(who=actor.id, resource=RAGE, amount=1, cites=(rule,))
    yield from fly_into_rage(fight, actor, RAGE)


def fly_into_rage(fight: Fight, actor: Combatant, source: str, *cited: str) -> Steps[None]:
    """Rage from now on, with the hit points of the raised Constitution, for the usual number of rounds."""
    rounds = (
        fight.formula(TOPIC, "rounds") + ability_now(fight, actor, "con") + rage_modifier(fight, actor, "con")
    )
    until = Until("turn-start", actor.id, max(1, fight.state.round) + max(1, rounds))
    cites = (fight.rule(TOPIC), *cited)
    yield ConditionGained(who=actor.id, condition=RAGING, source=source, until=until, cites=cites)
    yield from change_rage_hit_points(fight, actor, 1, RAGE)


def come_into_rage(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Begin a rage given to a combatant, with its hit points; without a duration it lasts as usual."""
    actor = fight.combatant(fact.who)
    if fact.until.when:
        yield fact
        yield from change_rage_hit_points(fight, actor, 1, RAGE)
    else:
        yield from fly_into_rage(fight, actor, fact.source, *fact.cites)


def start_raging(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Make a combatant enter in a rage that begins with its entry."""
    return fly_into_rage(fight, fight.combatant(fact.who), fact.source)


def calm_down(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """End one's rage before its time."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    check_turn(fight, actor)
    if RAGING not in actor.conditions:
        raise Refusal(f"{actor.id} does not rage", rule)
    held = actor.conditions[RAGING]
    yield ActionSpent(who=actor.id, kind="free", what="end rage", cites=(rule,))
    yield ConditionLost(who=actor.id, condition=RAGING, why="ends the rage", cites=(rule,))
    yield from wear_off(fight, actor, RAGING, held)


def wear_off(fight: Fight, combatant: Combatant, condition: str, held: Condition) -> Steps[None]:
    """After rage remove the hit points and give fatigue, except to the tireless or after a spell."""
    rule = fight.rule(TOPIC)
    yield from change_rage_hit_points(fight, combatant, -1, "the rage is over")
    yield from settle_health(fight, combatant, "the rage is over")
    if "dead" in combatant.conditions or not is_own_rage(combatant, held):
        return
    if combatant.sheet.classes.get("barbarian", 0) >= fight.figure(TOPIC, "tireless_level"):
        yield RuleApplied(who=combatant.id, what="tireless: no fatigue after rage", cites=(rule,))
    else:
        tired = ConditionGained(who=combatant.id, condition="fatigued", source=RAGE, cites=(rule,))
        yield from fight.dialect.conditions.gain(fight, tired)


def is_own_rage(combatant: Combatant, held: Condition) -> bool:
    """Return whether a rage has lasted by the rule on rage, and not as long as a spell."""
    own = held.until.when == START and held.until.who == combatant.id
    return own and all(spell.name != held.source for spell in combatant.sheet.spells)


def refuse_patience(fight: Fight, actor: Combatant, act: acts.Attack | acts.FullAttack) -> None:
    """Refuse the raging acts that take patience: casting spells, Combat Expertise."""
    if isinstance(act, acts.Cast):
        raise Refusal(f"{actor.id} rages and cannot cast spells", fight.rule(TOPIC))
    if act.expertise:
        raise Refusal(f"{actor.id} rages and cannot use Combat Expertise", fight.rule(TOPIC))


# --- Special abilities of high-level rogues: defensive roll, crippling strike, opportunist
# srd35.class.rogue-specials.

ROGUE_TOPIC = "srd35.class.rogue-specials"
ROLL, OPPORTUNIST, CRIPPLING = "defensive roll", "opportunist", "crippling strike"


def has_special(fight: Fight, combatant: Combatant, name: str) -> bool:
    """Return whether a rogue of enough levels has one of the special abilities."""
    if not has_trait(combatant, name):
        return False
    return bool(combatant.sheet.classes.get("rogue", 0) >= fight.figure(ROGUE_TOPIC, "level"))


def roll_with(fight: Fight, harm: Harm) -> Steps[None] | None:
    """Return the defensive roll that a blow allows: one that would bring the target to 0 or below.

    Not for a combatant that cannot move freely or is denied its Dexterity, nor more often than the daily
    limit. None for no roll.
    """
    combatant = harm.target
    if ROLL not in combatant.sheet.traits or harm.weapon is None or harm.nonlethal or harm.energy:
        return None
    if (
        harm.amount < combatant.hp + combatant.temporary
        or not combatant.acted
        or is_helpless(fight, combatant)
    ):
        return None
    if not has_special(fight, combatant, ROLL) or combatant.resources.get(ROLL, 0) >= fight.figure(
        ROGUE_TOPIC, "rolls_per_day"
    ):
        return None
    if harm.attacker is not None:
        blow = Blow(harm.attacker, combatant, harm.weapon, not harm.ranged, 0)
        if fight.dialect.defense.dexterity_denied(fight, blow)[0]:
            return None
    return defensive_roll(fight, harm)


def defensive_roll(fight: Fight, harm: Harm) -> Steps[None]:
    """Let the target make a defensive roll: a Reflex save against the damage halves it."""
    combatant, rule = harm.target, fight.rule(ROGUE_TOPIC)
    question = (
        f"{counted(harm.amount, 'point')} would fell {combatant.id}: does {combatant.id} roll defensively?"
    )
    if (yield Choice(combatant.id, "defensive-roll", question, ("roll", "take"), rule)) != "roll":
        return
    yield ResourceSpent(who=combatant.id, resource=ROLL, amount=1, cites=(rule,))
    if (yield from saving_throw(fight, combatant, "ref", harm.amount, harm.source, rule)):
        harm.amount //= 2
        harm.cites = (*harm.cites, rule)


def crippling_strike(fight: Fight, blow: Blow, harm: Harm | None, critical: bool) -> Steps[None]:
    """Apply the Strength damage of a sneak attack that wounds (srd35.class.rogue-specials).

    It applies in melee and at close range, once per hit: further arrows on one roll are no sneak attacks. A
    blow without damage has no such effect.
    """
    target = blow.target
    if harm is None or "dead" in target.conditions or not has_special(fight, blow.attacker, CRIPPLING):
        return
    rule = fight.rule(ROGUE_TOPIC)
    if harm.amount <= 0:
        what = f"{target.id} is not crippled: no wound"
        soaked = fight.rules("srd35.dr.rider") if harm.soaked else ()
        yield RuleApplied(who=target.id, what=what, cites=(rule, *soaked))
    else:
        points = fight.figure(ROGUE_TOPIC, "strength_damage")
        yield from lose_ability_points(fight, target, "str", points, CRIPPLING, why=rule)


@per_company()
def skilled_opportunists(fight: Fight) -> list[Combatant]:
    """Return the opportunists: combatants that may attack a target hit by another combatant."""
    skilled = [one for one in fight.state.combatants.values() if OPPORTUNIST in one.sheet.traits]
    return [one for one in skilled if has_special(fight, one, OPPORTUNIST)]


def opportunist_attacks(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool
) -> Steps[None]:
    """Return the attacks of opportunists on a target hit in melee by another combatant.

    srd35.class.rogue-specials.
    """
    quick: list[Combatant] = fight.memory.company[skilled_opportunists]
    target = blow.target
    ready = quick and [
        one
        for one in quick
        if one is not blow.attacker and one.side != target.side and threatens(fight, one, target)
    ]
    if not ready:
        return NOTHING
    return fight.dialect.opportunity.provoke(
        fight,
        target,
        ready,
        f"was just hit by {blow.attacker.id}",
        f"opportunist:{fight.state.round}",
        fight.rule(ROGUE_TOPIC),
    )


# --- Saving throws: the base save of classes, feats that help one
#
# srd35.save.base-table, srd35.feat.saves.

#: Conditions that leave no room to evade.
CRAMPED = ("pinned", "squeezing")


def class_base_save(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw; the base save follows from class levels if the sheet says so.

    Good 2 + half the level, poor a third, class by class (srd35.save.base-table).
    """
    if not combatant.sheet.good_saves:
        return parts
    base = sum(
        base_save(fight, level, kind in combatant.sheet.good_saves.get(name, ()))
        for name, level in combatant.sheet.classes.items()
    )
    rule = fight.rule("srd35.save.base-table")
    return [Modifier(base, "base", "base save", rule) if part.kind == "base" else part for part in parts]


def base_save(fight: Fight, level: int, good: bool) -> int:
    """Return the base save of a class at a level, rounded down."""
    topic = "srd35.save.base-table"
    if good:
        start = fight.figure(topic, "good_start")
        return int(start + level // fight.figure(topic, "good_levels"))
    return int(level // fight.figure(topic, "poor_levels"))


def better_save(name: str, kind: str) -> Callable[..., Iterable[Modifier]]:
    """Return the feature of that name, which improves saves of one kind (srd35.feat.saves)."""

    def save(fight: Fight, combatant: Combatant, rolled: str, detail: str) -> Iterable[Modifier]:
        """Return the bonus of the feat to a save of its kind (srd35.feat.saves)."""
        if rolled != kind:
            return ()
        return (fight.modifier("srd35.feat.saves", "save", kind="untyped", source=name.title()),)

    return named(name, save)


# --- Names on a sheet that srd35 reads, in addition to those of its features

SHEET_NAMES = SheetNames(
    feats=names(
        """
        awesome blow, blind-fight, cleave, combat casting, combat expertise, combat reflexes, deflect arrows,
        diehard, dodge, endurance, exotic weapon proficiency (*), extra turning, far shot, flyby attack,
        great cleave, greater spell focus (*), greater spell penetration, greater two-weapon fighting, hover,
        improved bull rush, improved counterspell, improved critical (*), improved disarm, improved feint,
        improved grapple, improved overrun, improved precise shot, improved shield bash, improved sunder,
        improved trip, improved turning, improved two-weapon fighting, improved unarmed strike, manyshot,
        mobility, mounted archery, mounted combat, multiattack, multiweapon fighting, precise shot,
        quick draw, rapid reload (*), rapid shot, ride-by attack, run, shot on the run, snatch arrows,
        spell focus (*), spell penetration, spirited charge, spring attack, stunning fist, toughness, trample,
        two-weapon fighting, weapon finesse, weapon focus (*), weapon specialization (*), whirlwind attack,
        wingover
        """
    ),
    traits=names(
        """
        arcane lock, arms, arms *, barding, bareback, blindsense, blindsense *, blindsight, blindsight *,
        bonus feat *, bulky, careful, carried by, carried by *, constrict, constrict *, construct, crippling
        strike, darkvision, darkvision *, defensive roll, dwarf, elemental, entangle, evasion, evil, exotic
        weapon proficiency (*), fills its space, flying, freedom of movement, good, gut, gut *, hive mind,
        hold portal, human, immune to critical hits, improved evasion, improved grab, improved uncanny dodge,
        improvised, incorporeal, locked gauntlet, low-light vision, martial for dwarves, martial if
        two-handed, military saddle, mindless, multiweapon mastery, no holy symbol, no-threat, nonproficient
        in melee, not made to be thrown, object, ooze, opportunist, outsider, overpowering scent, plant,
        pounce, rapid reload (*), rebuke *, rebuke undead, rend, rend *, scent, see invisibility, spiked
        gauntlet, stable, stones, strong scent, superior two-weapon fighting, swallow whole, swallow whole *,
        swarm, trained tumbler, trample, trample *, tremorsense, tremorsense *, true seeing, turn *, turn
        resistance, turn resistance *, turn undead, uncanny dodge, undead, unsuited, vermin, vitals out of
        reach, vulnerability to *, warhorse
        """
    ),
    weapon_traits=names(
        """
        armed, as printed, attacks *, brace, cannot be disarmed, double, drawn as ammunition, entangle,
        finesse, force, hafted, hidden, improved grab, improvised, in one hand, keen, lance, lethal, locked
        gauntlet, magic, massive, metal-hafted, monk, near-and-far, no 1.5 Str in two hands, no damage vs
        armor +1 or natural armor +3, no melee use, no-threat, nonlethal, not mounted, primary, provokes,
        rake, ranged trip, rends, secondary, shield bash, slow-load, splash, stones, touch, trip, unfolded
        """
    ),
    skills=names(
        """
        appraise, balance, bluff, climb, concentration, craft (*), craft, decipher script,
        diplomacy, disable device, disguise, escape artist, forgery, gather information, handle
        animal, heal, hide, intimidate, jump, knowledge (*), knowledge, listen, move silently, open
        lock, perform (*), perform, profession (*), profession, ride, search, sense motive, sleight
        of hand, speak language, spellcraft, spot, survival, swim, tumble, use magic device, use
        rope
        """
    ),
    classes=names(
        """
        barbarian, bard, cleric, druid, fighter, monk, paladin, ranger, rogue, sorcerer, wizard,
        adept, aristocrat, commoner, expert, warrior
        """
    ),
    immunities=names(
        """
        acid, cold, electricity, fire, sonic, bludgeoning, piercing, slashing, blinded, cowering, dazed,
        dazzled, frightened, nauseated, panicked, shaken, sickened, staggered, confused, deafened,
        fascinated, charmed, charm, entangled, fear, mind-affecting, paralysis, sleep, stunning,
        petrification, fatigue, exhaustion, death, poison, disease, ability loss, ability damage, ability
        drain, energy drain, physical ability damage, critical hits, precision damage, flanking,
        nonlethal, gaze, suffocation, abjuration, conjuration, divination, enchantment, evocation,
        illusion, necromancy, transmutation
        """
    ),
    class_immunities={
        "druid": {"poison": 9},
        "monk": {"disease": 5, "poison": 11},
        "paladin": {"disease": 3},
    },
    unread=fields(Sheet="spell_failure", Weapon="ounces", Worn="ounces traits", Spell="works"),
)


# --- Using a special ability by name, and the list of them

#: Abilities by the name they are used under: their class, and the name on the sheet.
OF = {
    "rage": ("barbarian", "rage"),
    "end rage": ("barbarian", "rage"),
    SMITE: ("paladin", SMITE),
    HANDS: ("paladin", HANDS),
    INSPIRE: ("bard", INSPIRE),
    STOP: ("bard", INSPIRE),
}


#: The rule of each ability.
RULES = {
    "rage": "srd35.class.rage",
    SMITE: "srd35.class.smite",
    HANDS: "srd35.class.lay-on-hands",
    INSPIRE: "srd35.class.inspire-courage",
}


def refuse_ability(fight: Fight, act: acts.UseAbility) -> None:
    """Refuse an ability that the actor has neither from a class nor from the sheet."""
    refuse_unlearned(fight, act, OF, RULES, fight.combatant(act.actor).sheet.traits)
