"""What a combatant has to use up: ammunition and spells."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.projections.state import Combatant


def pools_of_sheet(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the ammunition and the spells of a sheet that are used up, by name, with how many there are."""
    for weapon in combatant.sheet.weapons:
        if weapon.ammunition is not None:
            yield weapon.name, weapon.ammunition
    for spell in combatant.sheet.spells:
        if spell.uses is not None:
            yield spell.name, spell.uses
