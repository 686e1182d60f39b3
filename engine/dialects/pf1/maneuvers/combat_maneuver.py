"""Combat maneuver bonus and defense: what a maneuver's roll and what it must reach are made of.

pf1.cmb, pf1.cmd, pf1.maneuver.size-table.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import weapon_parts
from affray.engine.rules.classes.ability_modifiers import ability, has_feat
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.features import blow_parts
from affray.engine.rules.conditions.condition_rules import condition_parts, effect_parts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: Sizes at which Dexterity stands in for Strength (pf1.cmb).
NIMBLE: Final = ("fine", "diminutive", "tiny")
#: Maneuvers that are made with a weapon and take its bonuses (pf1.maneuver.roll).
WITH_WEAPON: Final = ("disarm", "sunder", "trip")
#: Kinds of what class and Wisdom give a monk, to its CMD too (pf1.monk).
OF_MONKS: Final = ("class", "ability")


def uses_dexterity(fight: Fight, blow: Blow) -> bool:
    """Say whether Dexterity stands for Strength in a maneuver: of the tiny, the agile, the bodiless.

    pf1.cmb, pf1.feat.agile-maneuvers.
    """
    attacker = blow.attacker
    tiny = attacker.sheet.size in NIMBLE or attacker.sheet.abilities.str is None
    return tiny or has_feat(attacker, "agile maneuvers")


def combat_maneuver_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the combat maneuver bonus, and what a weapon gives that the maneuver is made with.

    pf1.cmb, pf1.maneuver.roll.
    """
    attacker, rule = blow.attacker, fight.rule("pf1.cmb")
    agile = uses_dexterity(fight, blow)
    why = fight.rule("pf1.feat.agile-maneuvers") if has_feat(attacker, "agile maneuvers") else rule
    short, name = ("dex", "Dexterity") if agile else ("str", "Strength")
    parts = [
        Modifier(attacker.sheet.base_attack, "base", "base attack bonus", rule),
        Modifier(ability(attacker.sheet, short), "ability", name, why),
        *special_size(fight, attacker),
    ]
    if blow.intent.maneuver in WITH_WEAPON:
        parts += weapon_parts(fight, attacker, blow.weapon, fight.rule("pf1.maneuver.roll"))
    return tuple(parts)


def special_size(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the special modifier for size, which grows with it (pf1.maneuver.size-table)."""
    topic, size = "pf1.maneuver.size-table", combatant.sheet.size
    value = fight.figure(topic, size.capitalize())
    return [Modifier(value, "size", size, fight.rule(topic))] if value else []


def combat_maneuver_defense(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return what the target's sheet gives to its combat maneuver defense, the denied parts marked.

    Of Armor Class those kinds of bonus count that pf1.cmd lists, and every penalty (pf1.cmd, pf1.monk,
    pf1.feat.agile-maneuvers).
    """
    target, rule = blow.target, fight.rule("pf1.cmd")
    sheet = target.sheet
    base = Modifier(sheet.base_attack, "base", "base attack bonus", rule)
    if has_feat(target, "defensive combat training"):
        trained = fight.rule("pf1.feat.agile-maneuvers")
        base = Modifier(sheet.hit_dice, "base", "Hit Dice, Defensive Combat Training", trained)
    return (
        Modifier(fight.formula("pf1.cmd", "formula"), "base", "base", rule),
        base,
        Modifier(ability(sheet, "str"), "ability", "Strength", rule),
        *lowered(fight, target, "str"),
        *dexterity_parts(fight, blow),
        *special_size(fight, target),
        *armor_parts(fight, blow),
    )


def dexterity_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what Dexterity gives to the CMD; the flat-footed are denied a bonus, the helpless have none.

    A penalty stays (pf1.cmd, pf1.helpless.ac).
    """
    target, rule = blow.target, fight.rule("pf1.cmd")
    if is_helpless(fight, target):
        return fight.dialect.defense.helpless_dexterity(fight, blow)
    parts = [Modifier(ability(target.sheet, "dex"), "ability", "Dexterity", rule)]
    parts += lowered(fight, target, "dex", "defense")
    denied = why_flat_footed(fight, blow)
    if denied and sum(part.value for part in parts) > 0:
        said = f"{denied}: Dexterity bonus denied ({rule})"
        parts = [Modifier(part.value, part.kind, part.source, part.rule, said) for part in parts]
    return parts


def why_flat_footed(fight: Fight, blow: Blow) -> str:
    """Return that the target is flat-footed, "" if it is not: its Dexterity does not count then.

    What else denies Dexterity to AC leaves it in the CMD (pf1.cmd).
    """
    reason, _ = fight.dialect.defense.dexterity_denied(fight, blow)
    return reason if reason == "flat-footed" else ""


def armor_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what counts of the parts of Armor Class on the target's sheet: by kind, and all penalties.

    A dodge bonus is lost with Dexterity to AC (pf1.ac.dodge-lost-with-dex).
    """
    target, rule = blow.target, fight.rule("pf1.cmd")
    monk = OF_MONKS if "monk" in target.sheet.classes else ()
    counted = [
        Modifier(part.value, part.kind, part.source or part.kind, rule)
        for part in target.sheet.armor
        if part.kind in monk or counts(fight, part.kind, part.value)
    ]
    return without_dodge(fight, blow, counted)


def counts(fight: Fight, kind: str, value: int) -> bool:
    """Say whether what changes an Armor Class changes the CMD too: listed kinds, and penalties (pf1.cmd)."""
    return value < 0 or kind in fight.figure("pf1.cmd", "adds")


def without_dodge(fight: Fight, blow: Blow, parts: Iterable[Modifier]) -> list[Modifier]:
    """Return the parts with dodge bonuses denied if the target is denied its Dexterity to AC."""
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    if not reason:
        return list(parts)
    said = f"{reason}: dodge bonuses denied ({fight.rule(topic)})"
    return [
        Modifier(part.value, part.kind, part.source, part.rule, said)
        if part.kind == "dodge" and part.value > 0
        else part
        for part in parts
    ]


def situation_of_target(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what conditions, passing effects and features do to the CMD (pf1.cmd, pf1.negative-levels)."""
    target = blow.target
    by_state = [
        *condition_parts(fight, target, "defense.melee"),
        *effect_parts(target, "defense", blow.attacker.id),
        *blow_parts(fight, blow, "defense"),
    ]
    # What lowers both Strength and Dexterity does two things, which are told apart by their sources.
    weaker = [
        replace(part, source=f"{part.source} (Strength)")
        for part in condition_parts(fight, target, "attack.strength")
    ]
    return [
        *condition_parts(fight, target, "maneuver defense"),
        *weaker,
        *without_dodge(fight, blow, (one for one in by_state if counts(fight, one.kind, one.value))),
    ]
