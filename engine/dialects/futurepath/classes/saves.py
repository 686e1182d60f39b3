"""Saving throws in Futurepath: what they are for."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.spell_effects import printed_dc
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def dc_of_spell(fight: Fight, caster: Combatant, spell: Spell) -> tuple[int, tuple[str, ...]]:
    """Return the DC of the saving throw against a magical or unusual attack, and why there is one.

    futurepath.save.purpose.
    """
    dc, cites = printed_dc(fight, caster, spell)
    return dc, (*cites, fight.rule("futurepath.save.purpose"))
