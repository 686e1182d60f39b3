"""How a spell disturbs other casters (srd35.skill.concentration-table)."""

from affray.engine.dialects.srd35.magic import long_castings as srd35_long_castings
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def distract_caster(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Let a spell without damage distract an enemy who casts or concentrates.

    srd35.skill.concentration-table.
    """
    if spell.damage or target is caster or target.side == caster.side or "dead" in target.conditions:
        return
    dc, _ = fight.dialect.magic.spell_dc(fight, caster, spell)
    yield from srd35_long_castings.shaken_by_spell(fight, target, dc)
