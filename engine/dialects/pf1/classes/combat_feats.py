"""The combat feats that add to rolls in pf1, where they differ from those of other dialects (pf1.feat.*)."""

from collections.abc import Iterator

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.combat_feats import is_printed_among
from affray.engine.rules.classes.derived_statistics import Reckoned
from affray.engine.rules.classes.feat_prerequisites import lacks_for_feat
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet

FOCUS = "pf1.feat.weapon-focus"
#: What a sheet that leaves its hit points to be worked out says of them.
HIT_POINTS = "hit points"


def dodge(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add to Armor Class against everybody, as long as Dexterity counts (pf1.feat.dodge)."""
    topic = "pf1.feat.dodge"
    if lacks_for_feat(fight, blow.target, "dodge"):
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
    if not lacks_for_feat(fight, blow.attacker, f"greater weapon focus ({weapon})"):
        yield fight.modifier(FOCUS, "attack", kind="untyped", source=name)


def greater_specialization(fight: Fight, blow: Blow, weapon: str) -> Iterator[Modifier]:
    """Add the second bonus to damage with one weapon (pf1.feat.weapon-focus)."""
    name = "Greater Weapon Specialization"
    if weapon != blow.weapon.name or is_printed_among(blow.weapon.bonus_damage, name):
        return
    if not lacks_for_feat(fight, blow.attacker, f"greater weapon specialization ({weapon})"):
        yield fight.modifier(FOCUS, "damage", kind="untyped", source=name)


def confirm_surely(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what Critical Focus adds to the roll that confirms a threat (pf1.feat.improved-critical)."""
    if not has_feat(blow.attacker, "critical focus"):
        return []
    return [fight.modifier("pf1.feat.improved-critical", "confirm", kind="untyped", source="Critical Focus")]


def toughness(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the hit points of Toughness where it leaves them out: more by Hit Dice.

    pf1.feat.toughness.
    """
    topic = "pf1.feat.toughness"
    if HIT_POINTS not in sheet.bare or "toughness" not in sheet.feats:
        return sheet, ()
    beyond = max(0, sheet.hit_dice - fight.figure(topic, "over_hd"))
    more = fight.figure(topic, "base") + beyond * fight.figure(topic, "per_hd_over_3")
    return replace(sheet, hp=sheet.hp + more), fight.rules(topic)
