"""The modifiers that a spell gives for its time."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.spell_effects import lasting_until
from affray.engine.steps import Steps
from affray.events.facts.combat import EffectGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def give_modifiers(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Give the modifiers of a spell for its time, unless the target has saved.

    The same spell twice counts once, with its best figures (srd35.bonus.same-spell,
    srd35.bonus.types-table, srd35.round.duration-expiry, pf1.bonus.stacking, pf1.round.duration-expiry).
    """
    if saved or not spell.grants or "dead" in target.conditions:
        return
    rule = fight.rule("bonus.same-spell")
    again = any(one.modifier.source == spell.name for one in target.effects)
    cites = (fight.rule("round.duration-expiry"),) if spell.rounds else ()
    for number, given in enumerate(spell.grants, 1):
        yield EffectGained(
            who=target.id,
            id=f"{fight.declaration}:{spell.name}:{target.id}:{number}",
            stat=given.stat,
            modifier=Modifier(given.value, given.kind, spell.name, fight.rule("bonus.types-table")),
            until=lasting_until(fight, caster, spell),
            cites=cites,
        )
    if again:
        what = f"{spell.name} is on {target.id} twice: the best of each figure counts"
        yield RuleApplied(who=target.id, what=what, cites=(rule,))
