"""Directing a spell at work at another target (woa.spell.redirect)."""

from msgspec.structs import replace

from affray.engine.dialects.woa.magic.spell_effects import refuse_not_at_work, strike_all
from affray.engine.dialects.woa.magic.spell_targets import refuse_unseen
from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.targets_and_areas import refuse_origin, targets_of_spell
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Steps
from affray.events.facts import acts


def redirect(fight: Fight, act: acts.Redirect) -> Steps[None]:
    """Direct a spell at work at others, at once: a move action that takes no concentration.

    An area spreads from where it is directed to; what touches or strikes as a ray does so anew.
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("woa.spell.redirect")
    kind = str(fight.figure("woa.spell.redirect", "action"))
    refuse_not_at_work(caster, act.spell, "spell: ", "redirect", rule)
    spell = next(one for one in caster.sheet.spells if one.name == act.spell)
    aim = acts.Cast(actor=caster.id, spell=act.spell, targets=act.targets, at=act.at)
    refuse_origin(fight, caster, spell, aim)
    targets = targets_of_spell(fight, caster, replace(spell, touch=""), aim)
    refuse_unseen(fight, caster, spell, targets)
    yield spending(fight, caster, kind, f"redirect {act.spell}", rule)
    # It is the effect that touches now, not its caster's hand.
    flying = replace(spell, touch="ranged") if spell.touch else spell
    yield from strike_all(fight, caster, flying, targets, False, act.at)
