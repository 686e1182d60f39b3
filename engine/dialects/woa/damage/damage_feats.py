"""Feats and class abilities that add to damage (woa.damage.feats-and-class)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.natures import is_a
from affray.events.facts.modifier import Modifier

TOPIC = "woa.damage.feats-and-class"


def named_amount(detail: str) -> tuple[str, int]:
    """Return what a detail such as "undead +4" names, and its number; 0 for one without."""
    name, _, number = detail.rpartition(" +")
    return name, int(number) if number.isdigit() else 0


def weapon_specialization(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Return what Weapon Specialization in this weapon adds: "weapon specialization (longsword +2)"."""
    name, value = named_amount(detail)
    if name != blow.weapon.name:
        return ()
    return (Modifier(value, "feat", "Weapon Specialization", fight.rule(TOPIC)),)


def favored_enemy_bonus(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Return what a ranger adds against a favored enemy: "favored enemy giant +2"."""
    name, value = named_amount(detail)
    if not is_a(blow.target, name):
        return ()
    return (Modifier(value, "class", f"favored enemy: {name}", fight.rule(TOPIC)),)
