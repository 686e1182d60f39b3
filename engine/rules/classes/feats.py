"""Feats and class abilities that several dialects share."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Final, TypeAlias

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_helpless, rule_of
from affray.engine.fight.memory import Same, per_fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.kernel.actions import check_turn
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow, SaveMade
from affray.engine.rules.attacks.attack_roll import find_flanking_partner, immune_to_criticals
from affray.engine.rules.classes.abilities import ability_now, character_level, class_level, features_at
from affray.engine.rules.classes.checks import Spared, explain_unusable_feat
from affray.engine.rules.classes.sheets import ability_modifier, has_trait
from affray.engine.rules.conditions.conditions import FLEEING, UNWILLED, immunity_to
from affray.engine.rules.damage.injury import hit_points_set
from affray.engine.rules.gear.hands import wields_two
from affray.engine.rules.movement.movement import feet_apart, flight_path
from affray.engine.rules.turns.actions import refuse_unless_allowed, rule_about
from affray.engine.steps import Refusal, Steps
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, MaximumChanged
from affray.events.facts.sheet import Bonus, ExtraDamage, Modifier, Sheet
from affray.projections.state import Combatant

# --- Combat feats that are the same in several dialects: at close range, in both hands, on the move


def is_printed_among(bonuses: tuple[Bonus, ...], name: str) -> bool:
    """Return whether a sheet lists a feat's bonus among its parts, so that it must not count twice."""
    return any(one.source == name for one in bonuses)


def point_blank_attack(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add to the attack of shots at close range (srd35.feat.point-blank-shot, pf1.feat.point-blank)."""
    return point_blank(fight, blow, "attack")


def point_blank_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add to the damage of shots at close range (srd35.feat.point-blank-shot, pf1.feat.point-blank)."""
    return point_blank(fight, blow, "damage")


def point_blank(fight: Fight, blow: Blow, figure: str) -> Iterator[Modifier]:
    """Yield a figure of the feat for a shot or throw within its range."""
    topic = "feat.point-blank-shot"
    # The first square out of range is one square further.
    if not blow.melee and blow.distance < fight.figure(topic, "range_ft") + SQUARE_FT:
        yield fight.modifier(topic, figure, kind="untyped", source="Point Blank Shot")


def two_weapon_defense(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Give a shield bonus to combatants with a weapon in each hand, higher while they defend.

    srd35.feat.two-weapon-defense, pf1.feat.two-weapon-defense.
    """
    topic, target = "feat.two-weapon-defense", blow.target
    if (
        explain_unusable_feat(fight, target, "two-weapon defense")
        or not wields_two(target)
        or is_helpless(fight, target)
    ):
        return
    defending = "total-defense" in target.conditions or any(  # srd35.total-defense, pf1.total-defense
        effect.modifier.source == "fighting defensively" for effect in target.effects
    )
    figure = "defensive" if defending else "ac_shield"
    part = fight.modifier(topic, figure, kind="shield", source="Two-Weapon Defense")
    if blow.intent.touch:
        why = f"touch attack: shield does not count ({fight.rule('ac.touch')})"
        part = Modifier(part.value, part.kind, part.source, part.rule, why)
    yield part


def improved_initiative_bonus(
    fight: Fight, combatant: Combatant, name: str, detail: str
) -> Iterator[Modifier]:
    """Add to initiative (srd35.feat.improved-initiative, pf1.feat.improved-initiative)."""
    source = "Improved Initiative"
    if not is_printed_among(combatant.sheet.initiative, source):
        yield fight.modifier("feat.improved-initiative", "initiative", kind="untyped", source=source)


def mobility_bonus(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the dodge bonus against attacks of opportunity for moving, lost with Dexterity.

    srd35.feat.mobility, pf1.feat.mobility.
    """
    if explain_unusable_feat(fight, blow.target, "mobility"):
        return
    part = fight.modifier("feat.mobility", "ac_dodge", kind="dodge", source="Mobility")
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    if reason:
        denied = f"{reason}: dodge bonuses denied ({fight.rule(topic)})"
        part = Modifier(part.value, part.kind, part.source, part.rule, denied)
    yield part


# --- Numbers that a sheet leaves to be derived from class levels, and those that stay as printed

Reckoned = tuple[Sheet, tuple[str, ...]]
"""A sheet with derived numbers, and the rules."""

#: Names of numbers that a sheet may leave to be derived.
BASE_ATTACK = "base attack"


def as_printed(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet as it is: for dialects in which every number is printed."""
    return sheet, ()


def on_sheet_so_far(
    reckon: Callable[[Fight, Sheet], Reckoned],
) -> Callable[[Fight, Sheet, Reckoned], Reckoned]:
    """Return a stage that continues from the sheet of the stages before it, and adds its rules."""

    @wraps(reckon)
    def stage(fight: Fight, sheet: Sheet, found: Reckoned) -> Reckoned:
        made, cites = reckon(fight, found[0])
        return made, tuple(dict.fromkeys((*found[1], *cites)))

    return stage


# --- Evasion: no damage where a Reflex save would halve it (srd35.class.evasion, pf1.evasion)

EVASION_PLAIN, EVASION_IMPROVED = "evasion", "improved evasion"


def evasion(cramped: tuple[str, ...] = ()) -> Callable[..., Spared]:
    """Return evasion's stage for damage after a save; `cramped` are the conditions that leave no room."""

    def evade(fight: Fight, combatant: Combatant, save: SaveMade, found: Spared) -> Spared:
        """Return the damage that evasion leaves after a save, the reason, and the rules that contributed.

        Evasion takes light or no armor, room to move, and not being helpless (srd35.class.evasion,
        pf1.evasion).
        """
        left, why, cites = found
        improved = has_trait(combatant, EVASION_IMPROVED)
        evades = improved or (save.succeeded and has_trait(combatant, EVASION_PLAIN))
        if save.kind != "ref" or save.on_save != "half" or not evades:
            return found
        rule = fight.rule("class.evasion")
        hindered = explain_no_evasion(fight, combatant, cramped)
        if hindered:
            return left, "; ".join(filter(None, (why, f"no evasion: {hindered}"))), (*cites, rule)
        if save.succeeded:
            return 0, "evasion: no damage on a successful save", (*cites, rule)
        return save.amount // 2, "improved evasion: half damage", (*cites, rule)

    return evade


def explain_no_evasion(fight: Fight, combatant: Combatant, crampedness: tuple[str, ...]) -> str:
    """Return what keeps a combatant from evading, "" for nothing."""
    weight = combatant.sheet.armor_weight
    if weight not in ("none", "light"):
        return f"{combatant.id} wears {weight} armor"
    if is_helpless(fight, combatant):
        return f"{combatant.id} is helpless"
    cramped = next((name for name in crampedness if name in combatant.conditions), "")
    return f"{combatant.id} is {cramped}" if cramped else ""


# --- The flight of the turned: the acts that they may take, and that they lead away (srd35.turn.flee)
# pf1.turn.feat.


def turner_of(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the combatant that a turned creature flees from, None if it is not turned."""
    turned = combatant.conditions.get("turned")
    return fight.state.combatants.get(turned.source) if turned is not None else None


def refuse_but_flight(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse the turned acts that do not lead away from the turner (srd35.turn.flee, pf1.turn.feat)."""
    turner = turner_of(fight, actor)
    if turner is None or isinstance(act, UNWILLED):
        return
    rule = fight.rule("turn.flee")
    if isinstance(act, FLEEING):
        if act.path and feet_apart(actor, act.path[-1], turner) <= feet_apart(actor, actor.at, turner):
            raise Refusal(
                f"{actor.id} is turned and flees from {turner.id}: this path leads no farther from it", rule
            )
        return
    if isinstance(act, acts.EndTurn):
        if (
            fight.state.active == actor.id
            and can_still_move(fight, actor)
            and flight_path(fight, actor, turner)
        ):
            raise Refusal(f"{actor.id} is turned and flees from {turner.id} as fast as it can", rule)
        return
    if not isinstance(act, acts.Stand):
        raise Refusal(f"{actor.id} is turned and does nothing but flee from {turner.id}", rule)


def can_still_move(fight: Fight, combatant: Combatant) -> bool:
    """Return whether the turn leaves a move action."""
    try:
        refuse_unless_allowed(fight, combatant, "move")
    except Refusal:
        return False
    return not combatant.spent.get("step")


# --- Special abilities used by name, and whether a combatant has learned them

Abilities: TypeAlias = Mapping[str, tuple[str, str]]
"""For the name by which each is used: its class, and its name on a sheet."""

ABILITY: Final = "special ability"


def refuse_unlearned(
    fight: Fight, act: acts.UseAbility, abilities: Abilities, rules: Mapping[str, str], sheet: Sequence[str]
) -> None:
    """Refuse an ability that the actor has neither from a class nor among the entries of its sheet.

    `rules` are the topics of the abilities by their names on a sheet.
    """
    actor = fight.combatant(act.actor)
    if act.ability not in abilities:
        known = did_you_mean(
            act.ability, (name for name in abilities if has_learned(actor, abilities[name], sheet))
        )
        reason = f"there is no {ABILITY} {act.ability!r}" if act.ability else f"no {ABILITY} is named"
        raise Refusal(f"{reason}{known}", rule_about(fight, acts.UseAbility))
    if not has_learned(actor, abilities[act.ability], sheet):
        listed = abilities[act.ability][1]
        raise Refusal(f"{actor.id} has no {listed}", fight.rule(rules[listed]))


def has_learned(actor: Combatant, ability: tuple[str, str], sheet: Sequence[str]) -> bool:
    """Return whether a combatant has an ability of a class or among the entries of its sheet."""
    name, listed = ability
    return name in actor.sheet.classes or any(True for _ in details_of(listed, sheet))


# --- The effect of a rage on Strength and Constitution while it lasts (srd35.class.rage, pf1.rage)

TOPIC: Final = "class.rage"
RAGING: Final = "raging"
#: The abilities that a rage raises, in the order of its figures.
RAISED: Final = ("str", "con")


def rage_figure(fight: Fight, combatant: Combatant, place: int, plain: str) -> int:
    """Return the bonus of rage: figure `plain`, or the one at `place` of greater and mighty rage."""
    level = combatant.sheet.classes.get("barbarian", 0)
    for grade in ("mighty", "greater"):
        if level >= fight.figure(TOPIC, f"{grade}_level"):
            return int(fight.figure(TOPIC, grade, place))
    return int(fight.figure(TOPIC, plain))


def points_of_rage(fight: Fight, combatant: Combatant, name: str) -> int:
    """Return the points by which a rage raises an ability, 0 out of one."""
    if name not in RAISED or RAGING not in combatant.conditions:
        return 0
    return rage_figure(fight, combatant, RAISED.index(name), name)


# --- The effects of a rage in addition to the raised scores: hit points and Will saves (srd35.class.rage,
# pf1.rage)

#: States in which a combatant cannot begin a rage.
WEARY = ("fatigued", "exhausted")


def rage_modifier(fight: Fight, combatant: Combatant, name: str) -> int:
    """Return by how much rage raises the modifier of Strength or Constitution."""
    score = getattr(combatant.sheet.abilities, name)
    if score is None:
        return 0
    more = rage_figure(fight, combatant, RAISED.index(name), name)
    return ability_modifier(score + more) - ability_modifier(score)


def change_rage_hit_points(fight: Fight, combatant: Combatant, sign: int, why: str) -> Steps[None]:
    """Add or remove the hit points of the raised Constitution."""
    points = sign * rage_modifier(fight, combatant, "con") * combatant.sheet.hit_dice
    if points:
        rule = fight.rule(TOPIC)
        yield MaximumChanged(who=combatant.id, max_hp=combatant.max_hp + points, why=why, cites=(rule,))
        yield hit_points_set(combatant, combatant.hp + points, why, rule)


def rage_save_bonus(fight: Fight, combatant: Combatant, kind: str, detail: str) -> Iterator[Modifier]:
    """Yield the morale bonus for Will."""
    if RAGING in combatant.conditions and kind == "will":
        yield Modifier(rage_figure(fight, combatant, 2, "will"), "morale", "rage", fight.rule(TOPIC))


def is_rage_beginning(fight: Fight, fact: ConditionGained) -> bool:
    """Return whether a combatant without a rage begins one."""
    return fact.condition == RAGING and RAGING not in fight.combatant(fact.who).conditions


def refuse_to_rage(fight: Fight, actor: Combatant, rule: str) -> None:
    """Refuse a rage out of turn, during a rage, and to the weary (pf1.rage, srd35.class.rage)."""
    check_turn(fight, actor)
    if RAGING in actor.conditions:
        raise Refusal(f"{actor.id} rages already", rule)
    weary = next((name for name in WEARY if name in actor.conditions), "")
    if weary:
        raise Refusal(f"{actor.id} is {weary} and cannot rage", rule)


# --- Turning: the energy, the level, the holy symbol, the daily attempts, and turn resistance

SYMBOL = "holy symbol"
LOST = ("dropped", "broken", "gone")


def turn_resistance(combatant: Combatant) -> int:
    """Return the number in the trait "turn resistance": "turn resistance +4"."""
    found = (trait.removeprefix("turn resistance ") for trait in combatant.sheet.traits)
    return max((int(text) for text in found if text.removeprefix("+").isdecimal()), default=0)


def refuse_without_symbol(fight: Fight, combatant: Combatant, topic: str) -> None:
    """Refuse by the rule on a topic a turner without a holy symbol to present.

    srd35.turn.holy-symbol, woa.turn-undead.action-cost.
    """
    if combatant.items.get(SYMBOL) in LOST or has_trait(combatant, "no holy symbol"):
        raise Refusal(f"{combatant.id} has no holy symbol to present", fight.rule(topic))


# --- Uncanny dodge: keeping Dexterity when surprised, and immunity to flanking

GRANTING = ("barbarian", "rogue")
UNCANNY_DODGE_PLAIN, UNCANNY_DODGE_IMPROVED = "class.uncanny-dodge", "class.improved-uncanny-dodge"
#: When a target may be unaware of a blow.
TAKEN_UNAWARES: Final = "not target.acted or target.conditions or 'invisible' in attacker.conditions"


def find_granting_classes(fight: Fight, combatant: Combatant, topic: str) -> list[str]:
    """Return the classes whose levels give the ability on a topic."""
    classes = combatant.sheet.classes
    return [name for name in GRANTING if name in classes and classes[name] >= fight.figure(topic, name)]


@per_fight(Same("combatant.sheet"))
def is_uncanny(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant keeps its Dexterity flat-footed or against the unseen.

    By the sheet's trait, or by levels of barbarian or rogue (srd35.class.uncanny-dodge, pf1.uncanny-dodge).
    """
    if has_trait(combatant, "uncanny dodge") or has_trait(combatant, "improved uncanny dodge"):
        return True
    return bool(combatant.sheet.classes and find_granting_classes(fight, combatant, UNCANNY_DODGE_PLAIN))


def is_improved(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant has the improved form: by its level, or by having the plain form twice."""
    if has_trait(combatant, "improved uncanny dodge") or find_granting_classes(
        fight, combatant, UNCANNY_DODGE_IMPROVED
    ):
        return True
    return len(find_granting_classes(fight, combatant, UNCANNY_DODGE_PLAIN)) > 1


def cannot_be_flanked(fight: Fight, blow: Blow) -> bool:
    """Return whether improved uncanny dodge keeps the attacker from flanking.

    A rogue of enough levels more flanks anyway; levels of all granting classes count together.
    """
    target = blow.target
    if not is_improved(fight, target):
        return False
    granting = find_granting_classes(fight, target, UNCANNY_DODGE_PLAIN)
    level = class_level(target, *granting) if granting else character_level(target)
    gap = fight.figure(UNCANNY_DODGE_IMPROVED, "level_gap")
    return bool(class_level(blow.attacker, "rogue") < level + gap)


def deny_flanking(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack with the flanking bonus denied against targets that cannot be flanked.

    srd35.class.improved-uncanny-dodge, pf1.uncanny-dodge.
    """
    if not any(part.kind == "flanking" for part in parts) or not is_improved(fight, blow.target):
        return parts
    rule = fight.rule(UNCANNY_DODGE_IMPROVED)
    blow.cites.append(rule)
    if not cannot_be_flanked(fight, blow):
        return parts
    denied = f"{blow.target.id} cannot be flanked ({rule})"
    return [replace(part, denied=denied) if part.kind == "flanking" else part for part in parts]


def cite_uncanny_dodge(fight: Fight, blow: Blow) -> None:
    """Cite the rule on uncanny dodge if it keeps the target's Dexterity against this blow.

    srd35.class.uncanny-dodge, pf1.uncanny-dodge.
    """
    target = blow.target
    caught = not target.acted or "invisible" in blow.attacker.conditions
    caught = caught or any(rule_of(fight, name).off_guard for name in target.conditions)
    if (
        not caught
        or not fight.dialect.defense.uncanny_dodge(fight, target)
        or ability_now(fight, target, "dex") <= 0
    ):
        return
    if not fight.dialect.defense.dexterity_denied(fight, blow)[0]:
        blow.cites.append(fight.rule(UNCANNY_DODGE_PLAIN))


# --- Sneak attack: extra dice against a target that cannot defend itself (srd35.class.sneak-attack)

_RATE = re.compile(r"(\d+)d(\d+) per (\d+) levels")
_DICE = re.compile(r"\d+d\d+")


def record_sneak_opening(fight: Fight, blow: Blow) -> None:
    """Record before the roll whether the target is open to a sneak attack.

    The opening from a feint ends with the roll, before the damage.
    """
    dice = features_at(fight, blow.attacker, "dice")
    if not any(say is sneak_dice for say, _ in dice):
        return
    reason, _ = fight.dialect.defense.dexterity_denied(fight, blow)
    if reason:
        blow.damage.sneak_attack = reason
    elif blow.melee and find_flanking_partner(fight, blow) and not is_unflankable(fight, blow):
        blow.damage.sneak_attack = "flanked"


def is_unflankable(fight: Fight, blow: Blow) -> bool:
    """Return whether improved uncanny dodge or an immunity keeps the target from being flanked."""
    return cannot_be_flanked(fight, blow) or immunity_to(fight, blow.target, "flanking") is not None


def is_open_to_sneak_attack(blow: Blow) -> bool:
    """Return whether the target is denied its Dexterity, flanked, or helpless."""
    return blow.damage.sneak_attack != "" or blow.intent.kind == "coup de grace"


def sneak_dice(fight: Fight, blow: Blow, detail: str) -> Iterator[ExtraDamage]:
    """Yield the dice of a sneak attack; a critical hit does not multiply them.

    The sheet gives their number ("sneak attack 3d6"), or levels of rogue do (srd35.class.sneak-attack,
    srd35.coup-de-grace.sneak-attack, pf1.sneak-attack).
    """
    dice = dice_of_sneak_attack(fight, blow, detail)
    if not dice or not is_open_to_sneak_attack(blow) or explain_no_sneak_attack(fight, blow)[0]:
        return
    also = ("class.sneak-attack-nonlethal",) if blow.intent.nonlethal else ()
    if blow.intent.kind == "coup de grace":
        also = (*also, "coup-de-grace.sneak-attack")
    blow.damage.cites += fight.rules("class.sneak-attack", *also)
    blow.damage.sneak_attack_dice = True
    yield ExtraDamage(dice, "sneak-attack", f"sneak attack: {blow.damage.sneak_attack or 'helpless'}")


def sneak_denied(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the denied sneak attack, with what forbids it."""
    if dice_of_sneak_attack(fight, blow, detail) and is_open_to_sneak_attack(blow):
        reason, topic = explain_no_sneak_attack(fight, blow)
        if reason:
            yield Modifier(0, "sneak attack", "sneak attack", fight.rule(topic), reason)


def dice_of_sneak_attack(fight: Fight, blow: Blow, detail: str) -> str:
    """Return the dice of a sneak attack, "" for none."""
    printed = _DICE.search(detail)
    if printed:
        return printed.group()
    found = _RATE.match(fight.figure("class.sneak-attack", "dice"))
    if found is None:
        return ""
    count, faces, per = map(int, found.groups())
    times = -(-class_level(blow.attacker, "rogue") // per)
    return f"{times * count}d{faces}" if times else ""


def explain_no_sneak_attack(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return what forbids a sneak attack on an open target and the rule's topic; ("", "") for nothing.

    srd35.class.sneak-attack, srd35.class.sneak-attack-immune, srd35.class.sneak-attack-nonlethal,
    pf1.sneak-attack.
    """
    target, weapon = blow.target, blow.weapon
    if immune_to_criticals(fight, blow) or fight.dialect.classes.spared_precision(fight, target):
        return f"{target.id} has no vital spot", "class.sneak-attack-immune"
    own = weapon.wield == "unarmed" or "nonlethal" in weapon.traits
    if blow.intent.nonlethal and not own:
        return (
            f"a {weapon.name} does not strike so for nonlethal damage",
            "class.sneak-attack-nonlethal",
        )
    most = fight.figure("class.sneak-attack", "range_ft")
    if not blow.melee and blow.distance > most:
        return f"{blow.distance} ft. away, beyond {most} ft.", "class.sneak-attack"
    percent, why, _ = fight.dialect.attacks.miss_chance(fight, blow)
    if percent:
        return f"the vital spots are not seen: {why}", "class.sneak-attack"
    if has_trait(target, "vitals out of reach") and blow.melee:
        return f"{target.id}'s vital spots are out of reach", "class.sneak-attack"
    return "", ""
