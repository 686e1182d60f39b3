"""Wands: which a combatant has, to be drawn and put away as weapons are."""

from affray.projections.state import Combatant


def wands_of(holder: Combatant) -> tuple[str, ...]:
    """Return the names of the wands on the sheet of a combatant (srd35.move-action.draw)."""
    return tuple(spell.name for spell in holder.sheet.spells if spell.item == "wand")
