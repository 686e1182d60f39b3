"""The bonus of a concentration check, which the text uses and does not define (woa.spell.concentration-*)."""

from affray.engine.fight import Fight
from affray.engine.rules.abilities import ability
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def parts(fight: Fight, who: Combatant) -> list[Modifier]:
    """Return the parts of a concentration check (option `concentration_bonus`)."""
    rule = fight.rule("spell.concentration-check")
    sheet = who.sheet
    if sheet.concentration is not None:
        return [Modifier(sheet.concentration, "skill", "concentration", rule)]
    if fight.option("concentration_bonus") == "sheet-only":
        return []
    best = max(ability(sheet, name) for name in ("int", "wis", "cha"))
    return [
        Modifier(sheet.hit_dice, "level", "level", rule),
        Modifier(best, "ability", "casting ability", rule),
    ]
