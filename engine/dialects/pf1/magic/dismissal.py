"""Ending spells of one's own before their time, by ceasing to concentrate or by dismissing them.

pf1.cast.maintain. A spell with "dismissible" among its components can be dismissed while it lasts.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.long_castings import CONCENTRATING, end_spell, let_lapse
from affray.engine.rules.magic.spell_effects import lasting_until
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant, Effect

TOPIC: Final = "pf1.cast.maintain"
DISMISSIBLE: Final = "dismissible"


def marks(caster: Combatant, name: str) -> list[Effect]:
    """Return what notes that a caster's spell is at work and can be dismissed."""
    return [one for one in caster.effects if one.stat == f"{DISMISSIBLE}: {name}"]


def note_dismissible(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Note of a spell that has taken effect for a time that its caster can dismiss it (pf1.cast.maintain)."""
    if saved or DISMISSIBLE not in spell.components or not spell.rounds:
        return
    if not marks(caster, spell.name):
        rule = fight.rule(TOPIC)
        yield EffectGained(
            who=caster.id,
            id=f"{fight.declaration}:{DISMISSIBLE}",
            stat=f"{DISMISSIBLE}: {spell.name}",
            modifier=Modifier(0, "untyped", spell.name, rule),
            until=lasting_until(fight, caster, spell),
            cites=(rule,),
        )


def dismiss(fight: Fight, act: acts.Dismiss) -> Steps[None]:
    """End a spell of one's own: a free action to cease concentrating, a standard action to dismiss.

    Neither provokes (pf1.cast.maintain).
    """
    caster, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    kept = caster.conditions.get(CONCENTRATING)
    if kept is not None and kept.source == act.spell:
        check_turn(fight, caster)
        what = f"stop concentrating on {act.spell}"
        yield ActionSpent(who=caster.id, kind="free", what=what, cites=(rule,))
        yield from let_lapse(fight, caster, "no longer concentrated on", rule)
        return
    if not marks(caster, act.spell):
        raise Refusal(f"{caster.id} has no {act.spell or 'spell'} at work to dismiss", rule)
    yield spending(fight, caster, "standard", f"dismiss {act.spell}", rule)
    yield from end_spell(fight, caster, act.spell, "dismissed", rule)
