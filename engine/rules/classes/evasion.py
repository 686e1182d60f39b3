"""Evasion: no damage where a Reflex save would halve it (srd35.class.evasion, pf1.evasion)."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import SaveMade
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.saves_and_checks import Spared
from affray.projections.state import Combatant

PLAIN, IMPROVED = "evasion", "improved evasion"


def evasion(cramped: tuple[str, ...] = ()) -> Callable[..., Spared]:
    """Return what evasion makes of damage after a save; `cramped` are the conditions that leave no room."""

    def evade(fight: Fight, combatant: Combatant, save: SaveMade, found: Spared) -> Spared:
        """Return what evasion leaves of damage after a save, why, and the rules that had a part in it.

        Evasion takes light or no armor, room to move, and not being helpless (srd35.class.evasion,
        pf1.evasion).
        """
        left, why, cites = found
        improved = has_trait(combatant, IMPROVED)
        evades = improved or (save.succeeded and has_trait(combatant, PLAIN))
        if save.kind != "ref" or save.on_save != "half" or not evades:
            return found
        rule = fight.rule("class.evasion")
        hindered = why_no_evasion(fight, combatant, cramped)
        if hindered:
            return left, "; ".join(filter(None, (why, f"no evasion: {hindered}"))), (*cites, rule)
        if save.succeeded:
            return 0, "evasion: no damage on a successful save", (*cites, rule)
        return save.amount // 2, "improved evasion: half damage", (*cites, rule)

    return evade


def why_no_evasion(fight: Fight, combatant: Combatant, crampedness: tuple[str, ...]) -> str:
    """Return what keeps a combatant from evading, "" for nothing."""
    weight = combatant.sheet.armor_weight
    if weight not in ("none", "light"):
        return f"{combatant.id} wears {weight} armor"
    if is_helpless(fight, combatant):
        return f"{combatant.id} is helpless"
    cramped = next((name for name in crampedness if name in combatant.conditions), "")
    return f"{combatant.id} is {cramped}" if cramped else ""
