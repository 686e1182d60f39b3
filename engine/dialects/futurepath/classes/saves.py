"""Saving throws in Futurepath: what they are for."""

from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def why_there_is_one(
    fight: Fight, caster: Combatant, spell: Spell, found: tuple[int, tuple[str, ...]]
) -> tuple[int, tuple[str, ...]]:
    """Return the DC of the saving throw against a magical or unusual attack, and why there is one.

    futurepath.save.purpose.
    """
    dc, cites = found
    return dc, (*cites, fight.rule("futurepath.save.purpose"))
