"""Counterspells, and telling which spell it is (srd35.ready.counterspell*, srd35.skill.spellcraft)."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.flow import CastingBegan, CastingEnded
from affray.projections.state import Combatant


def react_to_casting(
    fight: Fight, caster: Combatant, act: acts.Cast, react: Callable[[Fight, Combatant, str], Steps[None]]
) -> Steps[bool]:
    """Let those `react` who readied for a casting; return whether they have countered the spell."""
    if not any(
        one.readied is not None and one.readied.trigger.what == "casts"
        for one in fight.state.combatants.values()
    ):
        return False
    yield CastingBegan(who=caster.id, act=act, due=0)
    yield from react(fight, caster, "casts")
    if caster.casting is None:
        return True
    yield CastingEnded(who=caster.id, how="")
    return False
