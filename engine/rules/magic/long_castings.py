"""Spells that last while their caster concentrates: how that begins and ends."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded, Until
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

CONCENTRATING = "concentrating"


def begin_concentrating(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Keep up a spell from now on; the next turn takes a standard action for it."""
    until = Until("turn-end", caster.id, fight.state.round + 1)
    cites = (fight.rule("cast.maintain"),)
    yield ConditionGained(who=caster.id, condition=CONCENTRATING, source=spell.name, until=until, cites=cites)


def let_lapse(fight: Fight, caster: Combatant, why: str, *cites: str) -> Steps[None]:
    """Stop concentrating: the spell and all that hung on it end (srd35.cast.maintain)."""
    yield ConditionLost(who=caster.id, condition=CONCENTRATING, why=why, cites=cites)
    for one in fight.state.combatants.values():
        for name, condition in list(one.conditions.items()):
            if condition.until.when == "concentration" and condition.until.who == caster.id:
                yield ConditionLost(who=one.id, condition=name, why=why, cites=cites)
                yield from fight.dialect.conditions.over(fight, one, name, condition)
        for effect in one.effects:
            if effect.until.when == "concentration" and effect.until.who == caster.id:
                yield EffectEnded(who=one.id, id=effect.id, why=why, cites=cites)


def not_kept_up(fight: Fight, holder: Combatant, condition: str) -> Steps[None]:
    """End a spell on which its caster has not concentrated in time (srd35.cast.maintain)."""
    return let_lapse(fight, holder, "not kept up", fight.rule("cast.maintain"))


def end_spell(fight: Fight, caster: Combatant, name: str, why: str, rule: str) -> Steps[None]:
    """End all that a caster's spell has brought about and that goes on."""
    for one in fight.state.combatants.values():
        for state, condition in list(one.conditions.items()):
            if condition.source == name and condition.until.who == caster.id:
                yield ConditionLost(who=one.id, condition=state, why=why, cites=(rule,))
                yield from fight.dialect.conditions.over(fight, one, state, condition)
        for effect in one.effects:
            if effect.modifier.source == name and effect.until.who == caster.id:
                yield EffectEnded(who=one.id, id=effect.id, why=why, cites=(rule,))
