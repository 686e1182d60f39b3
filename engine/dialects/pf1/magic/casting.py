"""Casting a spell in pf1, on the defensive too."""

from affray.engine.dialects.pf1.turns.flow import refuse_immediate
from affray.engine.fight.fight import Fight
from affray.engine.rules.magic import casting
from affray.engine.rules.magic.targets_and_areas import targets_of_spell
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def cast_immediate_spell(fight: Fight, act: acts.Cast) -> Steps[None] | None:
    """Return the casting of an immediate spell, also out of turn; None of another (pf1.action.immediate)."""
    caster = fight.combatant(act.actor)
    spell = casting.known_spell(fight, caster, act.spell)
    return cast_as_immediate(fight, caster, spell, act) if spell.casting == "immediate" else None


def cast_as_immediate(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> Steps[None]:
    """Cast a spell as an immediate action (pf1.action.immediate, pf1.cast.provokes)."""
    kind = refuse_immediate(fight, caster)
    fight.dialect.magic.refuse_casting(fight, caster, spell, act)
    targets = targets_of_spell(fight, caster, spell, act)
    cites = fight.rules("pf1.action.immediate", "pf1.cast.provokes")
    yield ActionSpent(who=caster.id, kind=kind, what=f"cast {spell.name}", cites=cites)
    yield from casting.finish_casting(fight, caster, spell, targets, act.defensively)


def defensive_casting(fight: Fight, spell: Spell) -> tuple[int, str]:
    """Return the DC to cast without provoking, 15 + 2 x spell level, and the topic (pf1.cast.defensively)."""
    base, _, times, _ = str(fight.figure("pf1.cast.defensively", "dc")).split(maxsplit=3)
    return int(base) + int(times) * spell.level, "pf1.cast.defensively"
