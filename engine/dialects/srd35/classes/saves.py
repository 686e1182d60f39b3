"""Saving throws: the base save of classes, feats that help one, what a Reflex save spares.

srd35.save.base-table, srd35.feat.saves, srd35.class.evasion.
"""

from collections.abc import Callable, Iterable

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.compose import named
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.saves_and_checks import Spared
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

CRAMPED = ("pinned", "squeezing")
PLAIN, IMPROVED = "evasion", "improved evasion"


def class_base_save(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw; the base save follows from class levels where the sheet says so.

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
    """Return the feature of that name, which makes saves of one kind better (srd35.feat.saves)."""

    def save(fight: Fight, combatant: Combatant, rolled: str, detail: str) -> Iterable[Modifier]:
        """Return what the feat adds to a save of its kind (srd35.feat.saves)."""
        if rolled != kind:
            return ()
        return (fight.modifier("srd35.feat.saves", "save", kind="untyped", source=name.title()),)

    return named(name, save)


def evade(
    fight: Fight, combatant: Combatant, kind: str, on_save: str, saved: bool, amount: int, found: Spared
) -> Spared:
    """Return what evasion leaves of damage after a save, why, and the rules that had a part in it.

    Evasion takes light or no armor, room to move, and not being helpless (srd35.class.evasion).
    """
    left, why, cites = found
    improved = has_trait(combatant, IMPROVED)
    if kind != "ref" or on_save != "half" or not (improved or (saved and has_trait(combatant, PLAIN))):
        return found
    rule = fight.rule("srd35.class.evasion")
    hindered = why_no_evasion(fight, combatant)
    if hindered:
        return left, "; ".join(filter(None, (why, f"no evasion: {hindered}"))), (*cites, rule)
    if saved:
        return 0, "evasion: no damage on a successful save", (*cites, rule)
    return amount // 2, "improved evasion: half damage", (*cites, rule)


def why_no_evasion(fight: Fight, combatant: Combatant) -> str:
    """Return what keeps a combatant from evading, "" for nothing."""
    weight = combatant.sheet.armor_weight
    if weight not in ("none", "light"):
        return f"{combatant.id} wears {weight} armor"
    if is_helpless(fight, combatant):
        return f"{combatant.id} is helpless"
    cramped = next((name for name in CRAMPED if name in combatant.conditions), "")
    return f"{combatant.id} is {cramped}" if cramped else ""
