"""Directing a spell that is at work at another target (srd35.move-action.redirect)."""

from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.spell_effects import DIRECTED, affect
from affray.engine.rules.magic.targets_and_areas import refuse_origin, targets_of_spell
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Refusal, Steps, observed
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained
from affray.events.facts.flow import CastingEnded
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled


def stay_at_work(fight: Fight, act: acts.Cast, casting: Steps[None]) -> Steps[None]:
    """Cast; a spell that can be directed stays at work for its rounds.

    A spell's sheet says so among its components: "directed" (srd35.move-action.redirect).
    """
    caster = fight.combatant(act.actor)
    spell = next((one for one in caster.sheet.spells if one.name == act.spell), None)
    if spell is None or DIRECTED not in spell.components:
        return casting
    return note_spell_at_work(fight, act, casting, spell.rounds)


def note_spell_at_work(fight: Fight, act: acts.Cast, casting: Steps[None], rounds: int) -> Steps[None]:
    """Go through a casting and, unless the spell is lost, keep in mind how long it is at work."""
    caster = fight.combatant(act.actor)
    lost = False

    def watch(step: Any) -> None:
        nonlocal lost
        lost = lost or getattr(step, "what", "") == f"{act.spell} is lost"
        lost = lost or (isinstance(step, CastingEnded) and step.who == caster.id and bool(step.how))

    yield from observed(casting, watch)
    if lost or not fight.state.begun:
        return
    rule = fight.rule("srd35.move-action.redirect")
    yield EffectGained(
        who=caster.id,
        id=f"{fight.declaration}:directed",
        stat=f"spell: {act.spell}",
        modifier=Modifier(0, "untyped", act.spell, rule),
        until=for_rounds(fight, caster, max(1, rounds)),
        cites=(rule,),
    )


def redirect(fight: Fight, act: acts.Redirect) -> Steps[None]:
    """Direct a spell at work at others: a move action that provokes nothing and takes no concentration.

    srd35.move-action.redirect.
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("srd35.move-action.redirect")
    if not any(effect.stat == f"spell: {act.spell}" for effect in caster.effects):
        raise Refusal(f"{caster.id} has no {act.spell or 'spell'} at work to redirect", rule)
    spell = next(one for one in caster.sheet.spells if one.name == act.spell)
    aim = acts.Cast(actor=caster.id, spell=act.spell, targets=act.targets, at=act.at)
    refuse_origin(fight, caster, spell, aim)
    targets = targets_of_spell(fight, caster, replace(spell, touch=""), aim)
    yield spending(fight, caster, "move", f"redirect {act.spell}", rule)
    rolled: Rolled | None = None
    for target in targets:
        rolled = yield from affect(fight, caster, spell, target, rolled, at=act.at)
