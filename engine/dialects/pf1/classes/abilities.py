"""Class abilities and feats: monks, fighters, rage, smiting, channeling, saves and skills."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions.afflictions import DEMORALIZE
from affray.engine.dialects.pf1.conditions.afflictions import FEAR as afflictions_FEAR
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import distance, refuse_no_opponent
from affray.engine.record.acts import SheetNames, fields, names
from affray.engine.record.blow import FLURRY, Blow, Harm
from affray.engine.rules.attacks import full_attack
from affray.engine.rules.classes.abilities import (
    ability_now,
    character_level,
    class_level,
    lower_level,
    lowered,
    rules_of_level,
)
from affray.engine.rules.classes.checks import (
    KNOWLEDGE,
    check_by,
    explain_unusable_feat,
    masters,
    refuse_without,
    skill_parts,
)
from affray.engine.rules.classes.feats import (
    RAGING,
    TOPIC,
    Reckoned,
    change_rage_hit_points,
    is_printed_among,
    refuse_to_rage,
    refuse_unlearned,
    refuse_without_symbol,
)
from affray.engine.rules.classes.sheets import (
    UNDEAD,
    ability,
    has_feat,
    has_trait,
    is_a,
    nature_among,
    size_step,
    trait_detail,
)
from affray.engine.rules.damage.injury import settle_health
from affray.engine.rules.defense import is_of_force
from affray.engine.rules.gear import weapons_in_hand
from affray.engine.rules.gear.hands import OFF
from affray.engine.rules.magic.concentration import MUTE
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import ATTACKS, spending
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import (
    CheckResolved,
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import SCORES, Modifier, Reduction, Sheet, Weapon
from affray.projections.state import Combatant, Condition, Effect

# --- Arcane Strike: extra damage, and weapons that count as magic (pf1.feat.combat-casting)

ARCANE_STRIKE_TOPIC: Final = "pf1.feat.combat-casting"
NAME: Final = "arcane strike"
#: The lists of casting classes by the source of their magic.
TRADITIONS: Final = "pf1.cast.counter-identify"


def arcane_level(fight: Fight, combatant: Combatant) -> int:
    """Return the caster level of a combatant in arcane magic, 0 for none.

    By its classes; without a class that casts, by its spells.
    """
    classes, listed = combatant.sheet.classes, fight.figure(TRADITIONS, "traditions")
    if any(name in classes for names in (listed["arcane"], listed["divine"]) for name in names):
        return max((class_level(combatant, name) for name in listed["arcane"]), default=0)
    own = [one for one in combatant.sheet.spells if not (one.ability or one.item)]
    printed = (one.caster_level or combatant.sheet.hit_dice for one in own)
    return max((lower_level(combatant, level) for level in printed), default=0)


def declare_arcane_strike(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Imbue the combatant's weapons with power as a swift action, until its next turn begins.

    They deal 1 point more, one more for each five caster levels, 5 at most, and count as magic
    (pf1.feat.combat-casting).
    """
    actor = fight.combatant(act.actor)
    rule = refuse_without(fight, actor, NAME)
    level = arcane_level(fight, actor)
    if not level:
        raise Refusal(f"{actor.id} casts no arcane spells", rule)
    yield spending(fight, actor, "swift", NAME, rule)
    least, each, most = (
        int(fight.figure(ARCANE_STRIKE_TOPIC, NAME, one)) for one in ("damage", "levels_per_point", "most")
    )
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:{NAME}",
        stat=NAME,
        modifier=Modifier(min(most, least + level // each), "untyped", "Arcane Strike", rule),
        until=Until("turn-start", actor.id, fight.state.round + 1),
        cites=(rule,),
    )


def arcane_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the bonus of Arcane Strike to the damage of a weapon, which a ray is not."""
    if blow.weapon.family != "spell":
        yield from (one.modifier for one in blow.attacker.effects if one.stat == NAME)


def overcome_by_arcane_strike(fight: Fight, harm: Harm, reduction: Reduction) -> bool:
    """Return whether Arcane Strike makes the weapon magic for a reduction that magic bypasses."""
    if harm.attacker is None or harm.weapon is None or "magic" not in reduction.bypass:
        return False
    found = any(one.stat == NAME for one in harm.attacker.effects)
    if found:
        harm.reduced_by += fight.rules(ARCANE_STRIKE_TOPIC)
    return found


# --- Channeling: a combatant's energy and uses, the save against it, and its targets (pf1.channel.*)
# A cleric's sheet has "channel positive energy" or "channel negative energy" among its traits; paladins
# channel positive energy, from their lay on hands.

ACTION, AMOUNT, PALADIN = "pf1.channel.action", "pf1.channel.amount", "pf1.channel.paladin"
FEATS: Final = "pf1.feat.extra-channel"
POSITIVE, NEGATIVE = "positive energy", "negative energy"
CHANNEL, HANDS = "channel energy", "lay on hands"
#: Creatures that are neither alive nor undead.
LIFELESS: Final = ("construct", "object")
RESISTANCE: Final = "channel resistance "


class Channel(NamedTuple):
    """A combatant's channeling: energy, level, the pool that it uses, and how much of it for each use."""

    energy: str
    level: int
    pool: str
    cost: int
    uses: int
    cites: tuple[str, ...]


def channel_of(fight: Fight, combatant: Combatant) -> Channel | None:
    """Return a combatant's channeling; None if it has none (pf1.channel.action, pf1.channel.paladin)."""
    classes, charisma = combatant.sheet.classes, ability_now(fight, combatant, "cha")
    more = int(fight.figure(FEATS, "uses")) if has_feat(combatant, "extra channel") else 0
    also = (FEATS,) if more else ()
    drained = rules_of_level(fight, combatant)
    energy = next((one for one in (POSITIVE, NEGATIVE) if has_trait(combatant, f"channel {one}")), "")
    level = class_level(combatant, "cleric")
    if level and energy:
        uses = max(0, fight.formula(ACTION, "per_day") + charisma) + more
        return Channel(energy, level, CHANNEL, 1, uses, (*drained, *fight.rules(ACTION, *also)))
    level = class_level(combatant, "paladin")
    if level and classes.get("paladin", 0) >= fight.figure(PALADIN, "level"):
        cost = int(fight.figure(PALADIN, "cost"))
        hands = max(0, level // fight.figure(PALADIN, "uses_per_levels") + charisma)
        cites = (*drained, *fight.rules(ACTION, PALADIN, *also))
        return Channel(POSITIVE, level, HANDS, cost, hands + more * cost, cites)
    return None


def refuse_to_channel(fight: Fight, actor: Combatant) -> Channel:
    """Return an actor's channeling. Refuses it without energy, symbol, or uses left."""
    rule, found = fight.rule(ACTION), channel_of(fight, actor)
    if found is None:
        raise Refusal(f"{actor.id} channels no energy", rule)
    refuse_without_symbol(fight, actor, ACTION)
    if found.uses - actor.resources.get(found.pool, 0) < found.cost:
        raise Refusal(f"{actor.id} has no use of {found.pool} left today", found.cites[-1])
    return found


def save_dc(fight: Fight, actor: Combatant, level: int) -> tuple[int, tuple[str, ...]]:
    """Return the DC against a channeling, 10 + half the level + Charisma, and its rules.

    pf1.channel.amount; Improved Channel adds to it (pf1.feat.extra-channel).
    """
    dc = fight.formula(AMOUNT, "dc") + level // 2 + ability_now(fight, actor, "cha")
    if not has_feat(actor, "improved channel"):
        return dc, fight.rules(AMOUNT)
    return dc + int(fight.figure(FEATS, "dc")), fight.rules(AMOUNT, FEATS)


def resistance_to_channeling(fight: Fight, target: Combatant) -> tuple[Modifier, ...]:
    """Return the bonus of an undead's channel resistance to its save (pf1.channel.resistance)."""
    found = (trait.removeprefix(RESISTANCE) for trait in target.sheet.traits if trait.startswith(RESISTANCE))
    most = max((int(text) for text in found if text.removeprefix("+").isdecimal()), default=0)
    if not most or not is_a(target, UNDEAD):
        return ()
    return (Modifier(most, "untyped", "channel resistance", fight.rule("pf1.channel.resistance")),)


def spared_by(fight: Fight, actor: Combatant, act: acts.TurnUndead) -> list[Combatant]:
    """Return the combatants that a burst leaves out. Refuses more than Selective Channeling allows."""
    spared = [fight.combatant(id) for id in act.targets]
    others = [one for one in spared if one is not actor]
    rule = refuse_without(fight, actor, "selective channeling") if others else ""
    most = max(0, ability_now(fight, actor, "cha"))
    if len(others) > most:
        raise Refusal(f"{actor.id} can spare {most}, not {len(others)}", rule)
    return spared


def in_burst(fight: Fight, actor: Combatant) -> list[Combatant]:
    """Return all combatants in the burst around a channeler, itself included, in order of entry."""
    most = fight.figure(ACTION, "radius_ft")
    return [
        one
        for one in fight.state.combatants.values()
        if "dead" not in one.conditions
        and (one is actor or (distance(actor, one) <= most and sees(fight, actor, one)))
    ]


def begin_channeling(fight: Fight, actor: Combatant, found: Channel, what: str) -> Steps[None]:
    """Spend the standard action, which does not provoke, and the use."""
    yield spending(fight, actor, "standard", what, *found.cites)
    yield ResourceSpent(who=actor.id, resource=found.pool, amount=found.cost, cites=found.cites)


def dice_of(fight: Fight, level: int) -> str:
    """Return the dice of a channeling: 1d6 for every two levels, rounded up (pf1.channel.amount)."""
    dice, _, rest = str(fight.figure(AMOUNT, "dice")).partition(" per ")
    count, _, faces = dice.partition("d")
    return f"{-(-level // int(rest.split()[0])) * int(count)}d{faces}"


def is_harmed(energy: str, one: Combatant) -> bool:
    """Return whether an energy harms a creature rather than heals it."""
    return is_a(one, UNDEAD) == (energy == POSITIVE)


# --- Combat feats with different modifiers in pf1 than in other dialects (pf1.feat.*)

FOCUS = "pf1.feat.weapon-focus"
#: The entry of a sheet that leaves its hit points to be derived.
HIT_POINTS = "hit points"


def dodge(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add to Armor Class against all attackers, while Dexterity counts (pf1.feat.dodge)."""
    topic = "pf1.feat.dodge"
    if explain_unusable_feat(fight, blow.target, "dodge"):
        return
    part = fight.modifier(topic, "ac_dodge", kind="dodge", source="Dodge")
    reason, why = fight.dialect.defense.dexterity_denied(fight, blow)
    if reason:
        part = replace(part, denied=f"{reason}: dodge bonuses denied ({fight.rule(why)})")
    yield part


def greater_focus(fight: Fight, blow: Blow, weapon: str) -> Iterator[Modifier]:
    """Add the second bonus to attacks with one weapon (pf1.feat.weapon-focus)."""
    name = "Greater Weapon Focus"
    if weapon != blow.weapon.name or is_printed_among(blow.weapon.attack, name):
        return
    if not explain_unusable_feat(fight, blow.attacker, f"greater weapon focus ({weapon})"):
        yield fight.modifier(FOCUS, "attack", kind="untyped", source=name)


def greater_specialization(fight: Fight, blow: Blow, weapon: str) -> Iterator[Modifier]:
    """Add the second bonus to damage with one weapon (pf1.feat.weapon-focus)."""
    name = "Greater Weapon Specialization"
    if weapon != blow.weapon.name or is_printed_among(blow.weapon.bonus_damage, name):
        return
    if not explain_unusable_feat(fight, blow.attacker, f"greater weapon specialization ({weapon})"):
        yield fight.modifier(FOCUS, "damage", kind="untyped", source=name)


def confirm_surely(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of Critical Focus to the confirmation roll (pf1.feat.improved-critical)."""
    if not has_feat(blow.attacker, "critical focus"):
        return []
    return [fight.modifier("pf1.feat.improved-critical", "confirm", kind="untyped", source="Critical Focus")]


def toughness(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the hit points of Toughness if it omits them: more by Hit Dice.

    pf1.feat.toughness.
    """
    topic = "pf1.feat.toughness"
    if HIT_POINTS not in sheet.bare or "toughness" not in sheet.feats:
        return sheet, ()
    beyond = max(0, sheet.hit_dice - fight.figure(topic, "over_hd"))
    more = fight.figure(topic, "base") + beyond * fight.figure(topic, "per_hd_over_3")
    return replace(sheet, hp=sheet.hp + more), fight.rules(topic)


# --- Class features of fighters: armor training, weapon training, bravery (pf1.fighter)

FIGHTER_TOPIC: Final = "pf1.fighter"
FIGHTER: Final = "fighter"
ARMOR: Final = "armor_training"
TRAINING: Final = "weapon training"
#: Effects against which bravery helps.
FEAR: Final = ("shaken", "frightened", "panicked")


def times_learned(fight: Fight, level: int, what: str) -> int:
    """Return how often fighters of a level have gained a feature: first at one level, then every few."""
    first, each = (int(fight.figure(FIGHTER_TOPIC, what, name)) for name in ("level", "each"))
    return 0 if level < first else 1 + (level - first) // each


def armor_training(fight: Fight, combatant: Combatant) -> int:
    """Return how many steps of armor training a combatant has by its effective fighter level."""
    most = int(fight.figure(FIGHTER_TOPIC, ARMOR, "most"))
    return min(most, times_learned(fight, class_level(combatant, FIGHTER), ARMOR))


def more_dexterity(fight: Fight, combatant: Combatant) -> int:
    """Return how much more Dexterity counts in armor by training."""
    return armor_training(fight, combatant) * int(fight.figure(FIGHTER_TOPIC, ARMOR, "max_dex"))


def dexterity_in_armor(
    fight: Fight, combatant: Combatant, found: tuple[int | None, str, str]
) -> tuple[int | None, str, str]:
    """Return how much Dexterity counts in a fighter's armor: more by training (pf1.fighter)."""
    cap, source, _ = found
    more = more_dexterity(fight, combatant)
    if cap is None or not more:
        return found
    return cap + more, f"{source} with training", fight.rule(FIGHTER_TOPIC)


def lighter_armor(fight: Fight, combatant: Combatant, skill: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the check penalty of armor and shield, the armor's lessened by training (pf1.fighter)."""
    sheet = combatant.sheet
    armor = {one.source or one.kind for one in sheet.check_penalties if one.kind == "armor"}
    heavy = -sum(part.value for part in parts if part.source.removesuffix(" (broken)") in armor)
    eased = min(heavy, armor_training(fight, combatant) * int(fight.figure(FIGHTER_TOPIC, ARMOR, "check")))
    if eased <= 0:
        return parts
    return [*parts, Modifier(eased, "untyped", "armor training", fight.rule(FIGHTER_TOPIC))]


def cite_training(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class; cite the training by which more Dexterity counts in them."""
    sheet = blow.target.sheet
    cap = fight.dialect.defense.dexterity_cap(fight, blow.target)[0]
    more = more_dexterity(fight, blow.target)
    if cap is not None and more and cap - more < ability(sheet, "dex") <= cap:
        blow.cites += fight.rules(FIGHTER_TOPIC)
    return parts


def moves_freely(fight: Fight, sheet: Sheet) -> bool:
    """Return whether training lets a fighter move at full speed in its armor (pf1.fighter)."""
    weight = sheet.armor_weight
    if weight not in ("medium", "heavy"):
        return False
    return sheet.classes.get(FIGHTER, 0) >= int(fight.figure(FIGHTER_TOPIC, ARMOR, weight))


def is_slowed_in_armor(fight: Fight, sheet: Sheet, found: tuple[Sheet, tuple[str, ...]]) -> bool:
    """Return whether armor slows its wearer, which training may prevent (pf1.fighter)."""
    return not moves_freely(fight, found[0])


def trained_attack(fight: Fight, blow: Blow, groups: str) -> Iterator[Modifier]:
    """Add to attacks and maneuvers with weapons of the fighter's training groups (pf1.fighter)."""
    return trained_parts(fight, blow.attacker, blow.weapon, groups)


def trained_damage(fight: Fight, blow: Blow, groups: str) -> Iterator[Modifier]:
    """Add to damage with weapons of the fighter's training groups (pf1.fighter)."""
    return trained_parts(fight, blow.attacker, blow.weapon, groups)


def guarded_weapon(fight: Fight, target: Combatant, item: str) -> list[Modifier]:
    """Return the bonus of weapon training to the CMD for keeping hold of such a weapon (pf1.fighter)."""
    weapon = next((one for one in target.sheet.weapons if one.name == item), None)
    if weapon is None:
        return []
    return list(trained_parts(fight, target, weapon, trait_detail(target, TRAINING)))


def trained_parts(fight: Fight, combatant: Combatant, weapon: Weapon, groups: str) -> Iterator[Modifier]:
    """Yield the bonus of weapon training with a weapon: of several groups only the best counts."""
    found = training(fight, combatant, groups)
    value = max((found[group] for group in weapon.traits if group in found), default=0)
    if value:
        yield Modifier(value, "untyped", "weapon training", fight.rule(FIGHTER_TOPIC))


def training(fight: Fight, combatant: Combatant, groups: str) -> dict[str, int]:
    """Return the bonus with each group of weapons, such as those of "heavy blades, bows".

    A fighter's groups are in the order of choice: the first one grows with each further one. For others the
    printed bonus counts: "heavy blades +2, bows +1".
    """
    level, bonus = class_level(combatant, FIGHTER), int(fight.figure(FIGHTER_TOPIC, TRAINING, "bonus"))
    chosen, learns = times_learned(fight, level, TRAINING), FIGHTER in combatant.sheet.classes
    made = {}
    for place, text in enumerate(groups.split(",")):
        group, _, printed = text.partition("+")
        by_print = int(printed) if printed.strip().isdecimal() else 0
        made[group.strip()] = max(0, chosen - place) * bonus if learns else by_print
    return made


def bravery(fight: Fight, combatant: Combatant, condition: str, save: str) -> list[Modifier]:
    """Return the bonus of a fighter's bravery to a Will save against fear (pf1.fighter)."""
    level = class_level(combatant, FIGHTER)
    bonus = times_learned(fight, level, "bravery") * int(fight.figure(FIGHTER_TOPIC, "bravery", "will"))
    if save != "will" or condition not in FEAR or not bonus:
        return []
    return [Modifier(bonus, "untyped", "bravery", fight.rule(FIGHTER_TOPIC))]


# --- Demoralizing opponents in pf1, one or all around (pf1.skill.intimidate, pf1.feat.dazzling-display)

INTIMIDATE_TOPIC, DISPLAY_TOPIC = "pf1.skill.intimidate", "pf1.feat.dazzling-display"
DISPLAY: Final = "dazzling display"
SHATTER: Final = "shatter defenses"


def why_unimpressed(fight: Fight, actor: Combatant, target: Combatant, feet: int) -> str:
    """Return what keeps an opponent from noticing a threat within a distance in feet, "" for nothing."""
    if distance(actor, target) > feet:
        return f"{target.id} is more than {feet} ft. away"
    unseen = "invisible" in actor.conditions and "see invisibility" not in target.sheet.traits
    if "blinded" in target.conditions or unseen or not sees(fight, target, actor):
        return f"{target.id} does not see {actor.id}"
    if "deafened" in target.conditions or any(name in actor.conditions for name in MUTE):
        return f"{target.id} does not hear {actor.id}"
    return ""


def demoralize(fight: Fight, act: acts.Demoralize) -> Steps[None]:
    """Shake an opponent within 30 feet that sees and hears the actor, as a standard action.

    pf1.skill.intimidate.
    """
    actor, target, rule = (
        fight.combatant(act.actor),
        fight.combatant(act.target),
        fight.rule(INTIMIDATE_TOPIC),
    )
    refuse_no_opponent(actor, target, rule, "to demoralize")
    why = why_unimpressed(fight, actor, target, int(fight.figure(INTIMIDATE_TOPIC, "range_ft")))
    if why:
        raise Refusal(why, rule)
    yield spending(fight, actor, "standard", "demoralize", rule)
    yield from daunt(fight, actor, target, rule)


def display(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Demoralize all opponents within 30 feet that see and hear it, as a full-round action.

    pf1.feat.dazzling-display.
    """
    actor = fight.combatant(act.actor)
    rule = refuse_without(fight, actor, DISPLAY)
    yield spending(fight, actor, "full-round", DISPLAY, rule)
    feet = int(fight.figure(DISPLAY_TOPIC, "range_ft"))
    for one in fight.enemies(actor):
        if not is_down(fight, one) and not why_unimpressed(fight, actor, one, feet):
            yield from daunt(fight, actor, one, rule, fight.rule(INTIMIDATE_TOPIC))


def daunt(fight: Fight, actor: Combatant, target: Combatant, *cites: str) -> Steps[None]:
    """Check Intimidate against 10 + Hit Dice + Wisdom; shaken for a round, and one more for each 5 over.

    pf1.skill.intimidate.
    """
    rule = fight.rule(INTIMIDATE_TOPIC)
    parts = skill_parts(fight, actor, "intimidate", "cha", rule)
    steps, size = size_step(actor) - size_step(target), int(fight.figure(INTIMIDATE_TOPIC, "size"))
    for by, value, told in ((steps, size, "larger"), (-steps, -size, "smaller")):
        if by > 0:
            parts.append(Modifier(value, "size", told, rule))
    dc = fight.formula(INTIMIDATE_TOPIC, "dc") + character_level(target) + ability_now(fight, target, "wis")
    why = f"to demoralize {target.id}"
    over = yield from check_by(fight, actor, "intimidate", parts, dc, *cites, why=why)
    if over < 0:
        return
    rounds = int(fight.figure(INTIMIDATE_TOPIC, "rounds")) + over // int(
        fight.figure(INTIMIDATE_TOPIC, "round_per")
    )
    until = for_rounds(fight, actor, rounds)
    daunted = ConditionGained(
        who=target.id, condition="shaken", source=DEMORALIZE, until=until, cites=tuple(cites)
    )
    yield from fight.dialect.conditions.gain(fight, daunted)


def shatter_defenses(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Make a frightened target hit by a combatant with Shatter Defenses flat-footed to it in melee.

    It lasts to the end of the attacker's next turn (pf1.feat.dazzling-display).
    """
    attacker, target = blow.attacker, blow.target
    afraid = next((name for name in afflictions_FEAR if name in target.conditions), "")
    if not afraid or "dead" in target.conditions or not masters(fight, attacker, SHATTER):
        return
    rule, id = fight.rule(DISPLAY_TOPIC), f"{fight.declaration}:{SHATTER}:{target.id}"
    if any(one.id == id for one in attacker.effects):  # a further hit of the same full attack
        return
    yield EffectGained(
        who=attacker.id,
        id=id,
        stat="denies-dexterity",
        modifier=Modifier(0, "feat", SHATTER, rule),
        until=Until("turn-end", attacker.id, fight.state.round + 1),
        against=target.id,
        cites=(rule,),
    )


# --- Monks in pf1: the flurry of blows (pf1.monk)

MONK_TOPIC: Final = "pf1.monk"


def monk_level(combatant: Combatant) -> int:
    """Return a combatant's monk levels, which replace its base attack bonus.

    Negative levels do not change that.
    """
    return combatant.sheet.classes.get("monk", 0)


def in_armor(combatant: Combatant) -> str:
    """Return the part of a monk's gear that prevents a flurry: armor or a shield; "" for nothing."""
    for part in combatant.sheet.armor:
        # Force is not worn.
        worn = combatant.items.get(part.source) not in OFF and not is_of_force(part.source)
        if part.kind in ("armor", "shield") and worn:
            return "in armor" if part.kind == "armor" else "with a shield"
    return ""


def series_of_flurry(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack of a flurry, from the highest bonus down.

    The monk's level replaces its share of the base attack bonus. One more attack, from levels 8 and 15 two
    and three, at the penalties of off-hand attacks. Refuses all but unarmored monks with bare hands or monk
    weapons (pf1.monk, pf1.feat.two-weapon).
    """
    rule, level = fight.rule(MONK_TOPIC), monk_level(actor)
    if not level:
        raise Refusal(f"{actor.id} is no monk", rule)
    if hindrance := in_armor(actor):
        raise Refusal(f"{actor.id} cannot flurry {hindrance}", rule)
    for strike in act.strikes:
        weapon = weapons_in_hand.find_weapon(fight, actor, strike.weapon)
        if weapon.wield != "unarmed" and "monk" not in weapon.traits:
            raise Refusal(f"the {weapon.name} cannot be used in a flurry", rule)
    better = [Modifier(gain_of_level(fight, level), "class", "monk level for base attack bonus", rule)]
    usual = full_attack.iterative_parts(fight, actor.sheet.base_attack + better[0].value)
    steps: list[int] = fight.figure("pf1.feat.two-weapon", "off_hand")
    further = [
        [Modifier(step, "iterative", "flurry of blows", rule)] if step else []
        for step, least in zip(steps, fight.figure(MONK_TOPIC, "extra_levels"), strict=True)
        if level >= least
    ]
    rows = sorted((*usual, *further), key=lambda row: -sum(part.value for part in row))
    return [[*better, *row] for row in rows][actor.spent.get(ATTACKS, 0) :]


def gain_of_level(fight: Fight, level: int) -> int:
    """Return by how much monk levels exceed the base attack bonus that they give (pf1.monk)."""
    share = fight.figure(MONK_TOPIC, "base_attack")
    return int(level - level * share["numerator"] // share["denominator"])


def flurry_penalty(
    fight: Fight, combatant: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[EffectGained]:
    """Apply the penalty of a flurry to each of its attacks (pf1.monk)."""
    part = fight.modifier(MONK_TOPIC, "penalty", kind="flurry", source="flurry of blows")
    yield EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{FLURRY}",
        stat="attack",
        modifier=part,
        until=Until("turn-end", combatant.id, fight.state.round),
        cites=(part.rule,),
    )


# --- Rage in pf1: a number of rounds a day, and fatigue for twice as long after it (pf1.rage)

RAGE: Final = "rage"
END: Final = "end rage"
#: The stat of the effect that records the rounds of rage used before this one began.
BEGAN: Final = "rounds of rage before"
OVER: Final = "the rage is over"


def rounds_a_day(fight: Fight, combatant: Combatant) -> int:
    """Return the rounds of rage of a day: 4 + Constitution, and 2 for each level after the first.

    Temporary Constitution from rage or a spell adds none.
    """
    level = max(1, class_level(combatant, "barbarian"))
    more = int(fight.figure(TOPIC, "per_level")) * (level - 1)
    lasting, now = ability(combatant.sheet, "con"), ability_now(fight, combatant, "con")
    return max(0, fight.formula(TOPIC, "rounds") + min(lasting, now) + more)


def rounds_left(fight: Fight, combatant: Combatant) -> int:
    """Return how many rounds of rage a combatant has left today."""
    return rounds_a_day(fight, combatant) - combatant.resources.get(RAGE, 0)


def rage(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Begin a rage as a free action; each round of it uses one up (pf1.rage)."""
    actor, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    refuse_to_rage(fight, actor, rule)
    if rounds_left(fight, actor) <= 0:
        raise Refusal(f"{actor.id} has no rounds of rage left today", rule)
    yield ActionSpent(who=actor.id, kind="free", what=RAGE, cites=(rule,))
    yield from fly_into_rage(fight, actor, RAGE)


def fly_into_rage(fight: Fight, actor: Combatant, source: str, *cited: str) -> Steps[None]:
    """Rage from now on, with its hit points, as long as there are rounds of rage."""
    cites = fight.rules(TOPIC)
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:{RAGE}",
        stat=BEGAN,
        modifier=Modifier(actor.resources.get(RAGE, 0), "untyped", RAGE, cites[0]),
        until=Until(),
        cites=cites,
    )
    yield ResourceSpent(who=actor.id, resource=RAGE, amount=1, cites=cites)
    fact = ConditionGained(
        who=actor.id, condition=RAGING, source=source, until=Until(), cites=(*cites, *cited)
    )
    yield fact
    yield from change_rage_hit_points(fight, actor, 1, RAGE)


def come_into_rage(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Begin a rage given to a combatant, with its hit points; without a duration it uses up rounds."""
    actor = fight.combatant(fact.who)
    if fact.until.when:
        yield fact
        yield from change_rage_hit_points(fight, actor, 1, RAGE)
    else:
        yield from fly_into_rage(fight, actor, fact.source, *fact.cites)


def start_raging(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Make a combatant enter in a rage that begins with its entry."""
    return fly_into_rage(fight, fight.combatant(fact.who), fact.source)


def rage_on(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Use up another round of rage as a turn begins, or end the rage with the last one (pf1.rage).

    A rage from a spell uses up none.
    """
    if beginning_of(combatant) is None:
        return
    if rounds_left(fight, combatant) > 0:
        yield ResourceSpent(who=combatant.id, resource=RAGE, amount=1, cites=fight.rules(TOPIC))
    else:
        yield from end_rage(fight, combatant, "no rounds of rage are left")


def lose_rage(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the rage of a combatant that falls unconscious, which may kill it (pf1.rage)."""
    if is_down(fight, combatant):
        yield from end_rage(fight, combatant, "unconscious")


def calm_down(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """End one's rage as a free action."""
    actor, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    check_turn(fight, actor)
    if RAGING not in actor.conditions:
        raise Refusal(f"{actor.id} does not rage", rule)
    yield ActionSpent(who=actor.id, kind="free", what=END, cites=(rule,))
    yield from end_rage(fight, actor, "ends the rage")


def end_rage(fight: Fight, combatant: Combatant, why: str) -> Steps[None]:
    """End a rage: remove its hit points, and give fatigue for twice the rounds that it has lasted
    (pf1.rage).
    """
    rule, began = fight.rule(TOPIC), beginning_of(combatant)
    if began is not None:
        yield EffectEnded(who=combatant.id, id=began.id, why=why, cites=(rule,))
    yield from change_rage_hit_points(fight, combatant, -1, OVER)
    yield ConditionLost(who=combatant.id, condition=RAGING, why=why, cites=(rule,))
    yield from tire(fight, combatant, began)


def wear_off(fight: Fight, combatant: Combatant, condition: str, held: Condition) -> Steps[None]:
    """Apply the consequences of a rage that ended otherwise: the hit points, and fatigue after one's own."""
    began = beginning_of(combatant)
    if began is not None:
        yield EffectEnded(who=combatant.id, id=began.id, why=OVER, cites=fight.rules(TOPIC))
    yield from change_rage_hit_points(fight, combatant, -1, OVER)
    yield from tire(fight, combatant, began)


def beginning_of(combatant: Combatant) -> Effect | None:
    """Return the effect that records how a combatant's own rage began, None for a spell's."""
    return next((one for one in combatant.effects if one.stat == BEGAN), None)


def tire(fight: Fight, combatant: Combatant, began: Effect | None) -> Steps[None]:
    """Apply the consequences of the lost hit points; after one's own rage give fatigue."""
    yield from settle_health(fight, combatant, OVER)
    if began is None or "dead" in combatant.conditions:
        return
    rule, raged = fight.rule(TOPIC), combatant.resources.get(RAGE, 0) - began.modifier.value
    rounds = raged * int(fight.figure(TOPIC, "fatigue"))
    until = for_rounds(fight, combatant, rounds)
    tired = ConditionGained(who=combatant.id, condition="fatigued", source=RAGE, until=until, cites=(rule,))
    yield from fight.dialect.conditions.gain(fight, tired)


# --- Saving throws in pf1

UNDEAD_TRAITS: Final = "pf1.creature.undead"
#: The rules on every saving throw: an unusual or magical attack, one of three kinds, a DC of that attack.
GENERAL: Final = ("pf1.save.when", "pf1.save.types", "pf1.save.dc")


def save_without_constitution(
    fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]
) -> list[Modifier]:
    """Return the parts of an undead's save: Charisma replaces Constitution (pf1.creature.undead)."""
    if kind != "fort":
        return parts
    name = str(fight.figure(UNDEAD_TRAITS, kind))
    own = Modifier(ability(combatant.sheet, name), "ability", SCORES[name], fight.rule(UNDEAD_TRAITS))
    found = [own if part.source == SCORES["con"] else part for part in parts]
    return [*found, *lowered(fight, combatant, name)]


def cite_saves(fight: Fight, steps: Steps[None], watched: Steps[None]) -> Steps[None]:
    """Run a declaration, citing the general rules for its saving throws.

    pf1.save.when, pf1.save.types, pf1.save.dc.
    """

    def named(step: object) -> object:
        if type(step) is CheckResolved and step.check.startswith("save."):
            return replace(step, cites=(*step.cites, *fight.rules(*GENERAL)))
        return step

    return altered(watched, named)


# --- Names on a sheet that pf1 reads, in addition to those of its features

SHEET_NAMES = SheetNames(
    feats=names(
        """
        agile maneuvers, arcane strike, bleeding critical, blind-fight, blinding critical, channel smite,
        cleave, combat casting, combat expertise, combat reflexes, command undead, critical focus, critical
        mastery,
        dazzling display, deadly aim, deafening critical, defensive combat training, diehard, disruptive,
        dodge, double slice, exhausting critical, extra channel, far shot, fleet, great cleave, greater
        bull rush, greater dirty trick, greater disarm, greater drag, greater feint, greater grapple,
        greater overrun, greater penetrating strike, greater reposition, greater steal, greater sunder,
        greater trip, greater two-weapon fighting, greater vital strike, improved bull rush, improved
        channel, improved critical (*), improved dirty trick, improved disarm, improved drag, improved
        feint, improved grapple, improved overrun, improved precise shot, improved reposition,
        improved shield bash, improved steal, improved sunder, improved trip, improved two-weapon
        fighting, improved unarmed strike, improved vital strike, lunge, manyshot, mobility, mounted
        archery, mounted combat, multiattack, multiweapon fighting, penetrating strike, point blank
        shot, power attack, precise shot, quick draw, rapid shot, ride-by attack, run, selective
        channeling, shatter defenses, shield focus, shield master, shield slam, shot on the run,
        sickening critical, spellbreaker, spirited charge, spring attack, staggering critical, stand
        still, step up, stunning critical, stunning fist, tiring critical, toughness, trample, turn
        undead, two-weapon fighting, two-weapon rend, unseat, weapon finesse, weapon focus (*),
        weapon specialization (*), whirlwind attack
        """
    ),
    traits=names(
        """
        arms *, bareback, bonus feat *, bulky, careful, channel negative energy, channel positive energy,
        channel resistance *, combat trained, constrict *, construct, darkvision, darkvision *, elemental,
        evasion, evil, freedom of movement, hive mind, improved evasion, improved uncanny dodge,
        incorporeal, locked gauntlet, military saddle, mindless, multiweapon mastery, no holy symbol,
        object, ooze, outsider, plant, rage, rend *, see invisibility, sneak attack, sneak attack *, stable,
        superior two-weapon fighting, swallow whole *, swarm, trained tumbler, trample, trample *,
        uncanny dodge, undead,
        unsuited, vermin, vitals out of reach, vulnerability to *, warhorse, wingless
        """
    ),
    weapon_traits=names(
        """
        a hand, adamantine, armed, attacks *, axes, bows, brace, broken, close, crossbows, disarm,
        double, drawn as ammunition, entangle, finesse, flails, force, ghost touch, grab, hafted, hammers,
        heavy blades, hidden, in one hand, incorporeal, lance, lethal, light blades, locked gauntlet,
        magic, metal-hafted, monk, natural, near-and-far, no melee use, no-threat, nonlethal, not a hand,
        pole arms, polearms, primary, pull *, push *, rake, rends, secondary, shield bash, slow-load, spears,
        splash, thrown, touch, trip, unfolded
        """
    ),
    skills=names(
        """
        acrobatics, appraise, bluff, climb, craft (*), craft, diplomacy, disable device, disguise,
        escape artist, fly, handle animal, heal, intimidate, knowledge (*), knowledge, linguistics,
        perception, perform (*), perform, profession (*), profession, ride, sense motive, sleight of
        hand, spellcraft, stealth, survival, swim, use magic device
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
        fascinated, entangled, fear, mind-affecting, paralysis, sleep, stunning, petrification, fatigue,
        exhaustion, death, bleed, poison, disease, ability loss, ability damage, ability drain, energy
        drain, physical ability damage, critical hits, precision damage, flanking, nonlethal, gaze,
        suffocation, abjuration, conjuration, divination, enchantment, evocation, illusion, necromancy,
        transmutation
        """
    ),
    class_immunities={
        "druid": {"poison": 9},
        "monk": {"disease": 5, "poison": 11},
        "paladin": {"fear": 3, "disease": 3},
    },
    unread=fields(
        Sheet="carried speed_bonuses good_saves spell_failure",
        Weapon="masterwork ounces",
        Worn="failure ounces",
        Spell="arcane reach works",
        Rider="secondary",
    ),
)


# --- The skills of pf1 and the ability behind each, for a combatant that only has the ability

SKILLS: Final = MappingProxyType(
    {
        **dict.fromkeys(("climb", "swim"), "str"),
        **dict.fromkeys(("acrobatics", "disable device", "escape artist", "fly", "ride"), "dex"),
        **dict.fromkeys(("sleight of hand", "stealth"), "dex"),
        **dict.fromkeys(("appraise", "craft", "linguistics", "spellcraft"), "int"),
        **dict.fromkeys(("knowledge", *(f"knowledge ({one})" for one in KNOWLEDGE)), "int"),
        **dict.fromkeys(("heal", "perception", "profession", "sense motive", "survival"), "wis"),
        **dict.fromkeys(("bluff", "diplomacy", "disguise", "handle animal", "intimidate"), "cha"),
        **dict.fromkeys(("perform", "use magic device"), "cha"),
    }
)


# --- Smiting evil in pf1: one opponent, until it is dead or the smiter has rested (pf1.smite)

SMITE_TOPIC: Final = "pf1.smite"
SMITE: Final = "smite evil"
#: The stat of the bonus of the first hit only.
FIRST: Final = "smite evil: first hit"


def smites_a_day(fight: Fight, combatant: Combatant) -> int:
    """Return how often a day a paladin of that level smites evil."""
    level = class_level(combatant, "paladin")
    return sum(level >= least for least in fight.figure(SMITE_TOPIC, "per_day_levels"))


def declare_smite(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Smite an evil creature as a swift action, until it is dead or the smiter rests.

    Charisma on attacks and as a deflection bonus against it, the level on damage, twice that on the first hit
    against the most evil. It is wasted on targets that are not evil (pf1.smite).
    """
    actor, target, rule = fight.combatant(act.actor), fight.combatant(act.target), fight.rule(SMITE_TOPIC)
    level = class_level(actor, "paladin")
    if not actor.sheet.classes.get("paladin"):
        raise Refusal(f"{actor.id} is no paladin", rule)
    refuse_no_opponent(actor, target, rule, "to smite")
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("pf1.cond.dead"))
    if actor.resources.get(SMITE, 0) >= smites_a_day(fight, actor):
        raise Refusal(f"{actor.id} has no smiting of evil left today", rule)
    yield spending(fight, actor, "swift", SMITE, rule)
    yield ResourceSpent(who=actor.id, resource=SMITE, amount=1, cites=(rule,))
    if not has_trait(target, "evil"):
        what = f"{target.id} is not evil: the smiting is wasted"
        yield RuleApplied(who=actor.id, what=what, cites=(rule,))
        return
    charisma = max(0, ability_now(fight, actor, "cha"))
    given = {
        "attack": (charisma, "untyped"),
        "defense": (charisma, "deflection"),
        "damage": (level, "untyped"),
    }
    if nature_among(target, fight.figure(SMITE_TOPIC, "double")):
        given[FIRST] = (level, "untyped")
    for stat, (value, kind) in given.items():
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=Modifier(value, kind, SMITE, rule),
            until=Until("rest", actor.id),
            against=target.id,
            cites=(rule, *rules_of_level(fight, actor)),
        )


def first_hit_of(blow: Blow) -> Effect | None:
    """Return the bonus of the first hit on the target of a smiting; None without one."""
    effects = blow.attacker.effects
    return next((one for one in effects if one.stat == FIRST and one.against == blow.target.id), None)


def damage_of_first_hit(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the extra damage of the first hit (pf1.smite)."""
    found = first_hit_of(blow)
    if found is not None:
        yield Modifier(found.modifier.value, "untyped", FIRST, found.modifier.rule)


def first_hit_is_over(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """End the bonus of the first hit, once it has hit (pf1.smite)."""
    found = first_hit_of(blow)
    if found is not None:
        cites = (found.modifier.rule,)
        yield EffectEnded(who=blow.attacker.id, id=found.id, why="the first hit", cites=cites)


def smites(fight: Fight, harm: Harm, reduction: Reduction) -> bool:
    """Return whether a blow is one of a smiting, which overcomes any damage reduction (pf1.smite)."""
    attacker = harm.attacker
    if attacker is None:
        return False
    smitten = any(one.modifier.source == SMITE and one.against == harm.target.id for one in attacker.effects)
    if smitten:
        harm.reduced_by += fight.rules(SMITE_TOPIC)
    return smitten


# --- The daily uses of pf1's class abilities, by the names under which they are spent


def daily_pools(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the rounds of rage, the smitings and the channelings of a day."""
    if "barbarian" in combatant.sheet.classes or "rage" in combatant.sheet.traits:
        yield RAGE, rounds_a_day(fight, combatant)
    if combatant.sheet.classes.get("paladin"):
        yield SMITE, smites_a_day(fight, combatant)
    found = channel_of(fight, combatant)
    if found is not None:
        yield found.pool, found.uses


# --- Using a special ability by name in pf1, the list of them, and their actions

#: Abilities by the name they are used under: their class, the name on the sheet, the action.
OF: Final = {
    "rage": ("barbarian", "rage", "free"),
    "end rage": ("barbarian", "rage", "free"),
    "smite evil": ("paladin", "smite evil", "swift"),
    "lunge": ("", "lunge", "free"),
    "dazzling display": ("", "dazzling display", "full-round"),
    "channel smite": ("", "channel smite", "swift"),
    "arcane strike": ("", "arcane strike", "swift"),
}


#: The rule of an ability that belongs to a class, or is a separate feat.
RULES: Final = {
    "rage": "pf1.rage",
    "smite evil": "pf1.smite",
    "lunge": "pf1.feat.lunge",
    "dazzling display": "pf1.feat.dazzling-display",
    "channel smite": "pf1.feat.extra-channel",
    "arcane strike": "pf1.feat.combat-casting",
}


def refuse_ability(fight: Fight, act: acts.UseAbility) -> None:
    """Refuse an ability that the actor has neither from a class nor from the sheet."""
    actor = fight.combatant(act.actor)
    entries = (*actor.sheet.traits, *actor.sheet.feats, *actor.unusable)
    refuse_unlearned(fight, act, {name: listed[:2] for name, listed in OF.items()}, RULES, entries)
