"""Sneak attack: extra dice against a target that cannot defend itself (srd35.class.sneak-attack)."""

import re
from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_modifiers import flanking_partner
from affray.engine.rules.attacks.critical_hits import immune_to_criticals
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.features import features_at
from affray.engine.rules.classes.levels import class_level
from affray.engine.rules.classes.uncanny_dodge import cannot_be_flanked
from affray.engine.rules.conditions.immunities import immunity_to
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet_parts import ExtraDamage

_RATE = re.compile(r"(\d+)d(\d+) per (\d+) levels")
_DICE = re.compile(r"\d+d\d+")


def look_for_opening(fight: Fight, blow: Blow) -> None:
    """Note before the roll whether the target is open to a sneak attack.

    What a feint has won ends with the roll, before the damage.
    """
    dice = features_at(fight, blow.attacker, "dice")
    if not any(say is sneak_dice for say, _ in dice):
        return
    reason, _ = fight.dialect.defense.dexterity_denied(fight, blow)
    if reason:
        blow.damage.sneak_attack = reason
    elif blow.melee and flanking_partner(fight, blow) and not is_unflankable(fight, blow):
        blow.damage.sneak_attack = "flanked"


def is_unflankable(fight: Fight, blow: Blow) -> bool:
    """Say whether improved uncanny dodge or an immunity keeps the target from being flanked."""
    return cannot_be_flanked(fight, blow) or immunity_to(fight, blow.target, "flanking") is not None


def is_open_to_sneak_attack(blow: Blow) -> bool:
    """Say whether the target is denied its Dexterity, flanked, or at the attacker's mercy."""
    return blow.damage.sneak_attack != "" or blow.intent.kind == "coup de grace"


def sneak_dice(fight: Fight, blow: Blow, detail: str) -> Iterator[ExtraDamage]:
    """Yield the dice of a sneak attack; a critical hit does not multiply them.

    The sheet says how many ("sneak attack 3d6"), or levels of rogue do (srd35.class.sneak-attack,
    srd35.coup-de-grace.sneak-attack, pf1.sneak-attack).
    """
    dice = dice_of_sneak_attack(fight, blow, detail)
    if not dice or not is_open_to_sneak_attack(blow) or why_no_sneak_attack(fight, blow)[0]:
        return
    also = ("class.sneak-attack-nonlethal",) if blow.intent.nonlethal else ()
    if blow.intent.kind == "coup de grace":
        also = (*also, "coup-de-grace.sneak-attack")
    blow.damage.cites += fight.rules("class.sneak-attack", *also)
    blow.damage.sneak_attack_dice = True
    yield ExtraDamage(dice, "sneak-attack", f"sneak attack: {blow.damage.sneak_attack or 'helpless'}")


def sneak_denied(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the sneak attack that would be, with what forbids it."""
    if dice_of_sneak_attack(fight, blow, detail) and is_open_to_sneak_attack(blow):
        reason, topic = why_no_sneak_attack(fight, blow)
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


def why_no_sneak_attack(fight: Fight, blow: Blow) -> tuple[str, str]:
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
