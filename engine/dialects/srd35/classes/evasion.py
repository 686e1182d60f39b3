"""What a Reflex save spares: half the damage, or with evasion all of it (srd35.class.evasion)."""

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.saves_and_checks import Spared
from affray.projections.state import Combatant

CRAMPED = ("pinned", "squeezing")
PLAIN, IMPROVED = "evasion", "improved evasion"


def evade(
    fight: Fight, who: Combatant, kind: str, on_save: str, saved: bool, amount: int, found: Spared
) -> Spared:
    """Return what evasion leaves of damage after a save, why, and the rules that had a part in it.

    Evasion takes light or no armor, room to move, and not being helpless (srd35.class.evasion).
    """
    left, why, cites = found
    improved = has_trait(who, IMPROVED)
    if kind != "ref" or on_save != "half" or not (improved or (saved and has_trait(who, PLAIN))):
        return found
    rule = fight.rule("class.evasion")
    hindered = hindrance(fight, who)
    if hindered:
        return left, "; ".join(filter(None, (why, f"no evasion: {hindered}"))), (*cites, rule)
    if saved:
        return 0, "evasion: no damage on a successful save", (*cites, rule)
    return amount // 2, "improved evasion: half damage", (*cites, rule)


def hindrance(fight: Fight, who: Combatant) -> str:
    """Return what keeps a combatant from evading, "" for nothing."""
    weight = who.sheet.armor_weight
    if weight not in ("none", "light"):
        return f"{who.id} wears {weight} armor"
    if is_helpless(fight, who):
        return f"{who.id} is helpless"
    cramped = next((name for name in CRAMPED if name in who.conditions), "")
    return f"{who.id} is {cramped}" if cramped else ""
