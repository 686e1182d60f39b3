"""Spells without damage that distract a caster: in the midst of a casting, a long one, or one kept up.

srd35.skill.concentration-table, pf1.cast.concentration-table.
"""

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.casting_in_progress import concentrates_on, keep_by_concentration
from affray.engine.steps import Distraction, Steps
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def distract_caster(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Let a spell without damage distract an enemy who casts or concentrates, by the DC of its own save.

    In the midst of a casting, which it interrupts, the check comes as that goes on.
    """
    if spell.damage or target is caster or target.side == caster.side or "dead" in target.conditions:
        return
    dc, _ = fight.dialect.magic.spell_dc(fight, caster, spell)
    yield Distraction(target.id, dc)
    found = concentrates_on(target)
    if found is not None:
        other, topic = found
        why = "distracted by a spell"
        yield from keep_by_concentration(fight, target, other, dc + other.level, why, topic)
