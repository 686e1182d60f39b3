"""Channel Smite: a use of channeling that goes into the next blow in melee (pf1.feat.extra-channel)."""

from typing import Final

from affray.engine.dialects.pf1.classes.channeling import (
    FEATS,
    dice_of,
    is_harmed,
    refuse_to_channel,
    resistance_to_channeling,
    save_dc,
)
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.damage.weapon_damage import amount_dealt, rolled_part, suffer
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, ResourceSpent, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Effect

SMITE: Final = "channel smite"


def declare_channel_smite(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Spend a swift action and a use of channeling on the next melee attack of this turn."""
    actor = fight.combatant(act.actor)
    rule = refuse_without(fight, actor, SMITE)
    found = refuse_to_channel(fight, actor)
    yield spending(fight, actor, "swift", SMITE, rule)
    yield ResourceSpent(who=actor.id, resource=found.pool, amount=found.cost, cites=(rule,))
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:{SMITE}",
        stat=SMITE,
        modifier=Modifier(found.level, "untyped", found.energy, rule),
        until=Until("turn-end", actor.id, fight.state.round),
        cites=(rule,),
    )


def declared_on(blow: Blow) -> Effect | None:
    """Return what was declared for the next melee attack of the attacker; None for nothing."""
    return next((one for one in blow.attacker.effects if one.stat == SMITE), None) if blow.melee else None


def missed_with_channel(fight: Fight, blow: Blow) -> Steps[None]:
    """Let what was channeled into a blow that missed be lost."""
    found = declared_on(blow)
    if found is not None:
        cites = fight.rules(FEATS)
        yield EffectEnded(who=blow.attacker.id, id=found.id, why="the blow missed", cites=cites)


def strike_with_channel(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool
) -> Steps[None]:
    """Let what was channeled into a blow that hit harm whom it harms, for half on a save."""
    found, target, actor = declared_on(blow), blow.target, blow.attacker
    if found is None:
        return
    energy, level = found.modifier.source, found.modifier.value
    yield EffectEnded(who=actor.id, id=found.id, why="used", cites=fight.rules(FEATS))
    if "dead" in target.conditions:
        return
    if not is_harmed(energy, target):
        what = f"{energy} does not harm {target.id}"
        yield RuleApplied(who=actor.id, what=what, cites=fight.rules(FEATS))
        return
    notation = dice_of(fight, level)
    rolled = yield Roll(actor.id, "channel", notation)
    dc, cites = save_dc(fight, actor, level)
    cites = tuple(dict.fromkeys((*fight.rules(FEATS), *cites)))
    extra = resistance_to_channeling(fight, target)
    saved = yield from saving_throw(fight, target, "will", dc, SMITE, *cites, extra=extra)
    amount = rolled.total // 2 if saved else rolled.total
    harm = Harm(target, amount, energy, SMITE, actor, energy=True)
    why = "half on a successful save" if saved else ""
    yield amount_dealt(fight, harm, rolled_part(harm, notation, rolled), *cites, why=why)
    yield from suffer(fight, harm)
