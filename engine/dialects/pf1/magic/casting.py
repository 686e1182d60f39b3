"""Casting a spell in pf1."""

from affray.engine.dialects.pf1.turns.flow import refuse_immediate
from affray.engine.fight import Fight
from affray.engine.rules.magic import casting
from affray.engine.rules.magic.targets_and_areas import aims
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent


def cast(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell; an immediate one also out of turn (pf1.cast.*, pf1.action.immediate)."""
    who = fight.combatant(act.actor)
    spell = casting.known_spell(fight, who, act.spell)
    if spell.casting != "immediate":
        yield from casting.cast(fight, act)
        return
    kind = refuse_immediate(fight, who)
    targets = aims(fight, who, spell, act)
    cites = fight.rules("action.immediate", "cast.provokes")
    yield ActionSpent(who=who.id, kind=kind, what=f"cast {spell.name}", cites=cites)
    yield from casting.complete(fight, who, spell, targets, act.defensively)
