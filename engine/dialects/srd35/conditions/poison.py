"""Poison: smeared on weapons, slipping to its own user, and working on a minute later (srd35.poison)."""

from affray.engine.dialects.srd35.damage import attack_riders
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.saves_and_checks import check, saving_throw, skill_parts
from affray.engine.rules.conditions.poisoned_weapons import (
    dose_for_weapon,
    poisons_of,
    smear,
    spend_poison,
)
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import AfflictionEnded, AfflictionHeld
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Affliction, Combatant


def envenom(fight: Fight, act: acts.Envenom) -> Steps[None]:
    """Smear a dose on a weapon in hand, as a standard action; 1 time in 20 it gets at its user."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.poison")
    dose, weapon = dose_for_weapon(fight, actor, act)
    yield spending(fight, actor, "standard", "poison a weapon", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "handles poison", f"poison:{fight.declaration}", rule
    )
    if not is_down(fight, actor):
        yield from smear(fight, actor, dose, weapon)


def poison_from_weapon(fight: Fight, blow: Blow, harm: Harm | None, critical: bool) -> Steps[None]:
    """Let the poison on a weapon take effect, which the first hit spends (srd35.poison)."""
    doses = yield from spend_poison(fight, blow)
    yield from attack_riders.apply_riders(fight, blow, harm, critical, doses)


def poison_by_fumble(fight: Fight, blow: Blow) -> Steps[None]:
    """Have whoever fumbles with a poisoned weapon save by Reflex, or the poison takes the wrong one.

    srd35.poison.
    """
    for poison in poisons_of(blow):
        dc = fight.figure("srd35.poison", "fumble_dc")
        rule = fight.rule("srd35.poison")
        saved = yield from saving_throw(fight, blow.attacker, "ref", dc, "its own poisoned weapon", rule)
        if not saved:
            yield from attack_riders.resist_or_suffer(fight, blow.attacker, poison)


def poison_again(fight: Fight, victim: Combatant, held: Affliction) -> Steps[None]:
    """Let poison work once more: another save, or its second effect; a healer's check may do for the save."""
    rule = fight.rule("srd35.poison")
    rider = held.rider
    saved = yield from saving_throw(fight, victim, "fort", held.dc, f"{rider.name}, a minute later", rule)
    if not saved and held.treated >= held.dc:
        saved = True
        what = f"the healer's {held.treated} holds the {rider.name} off"
        yield RuleApplied(who=victim.id, what=what, cites=fight.rules("srd35.skill.heal"))
    why = "held off" if saved else "it has done its worst"
    yield AfflictionEnded(who=victim.id, id=held.id, why=why, cites=(rule,))
    if not saved:
        by = fight.state.combatants.get(held.by)
        yield from attack_riders.apply_effect(fight, victim, rider, rider.secondary, by)


def treat_poison(fight: Fight, act: acts.Treat) -> Steps[None]:
    """Look after the poisoned: a standard action that provokes.

    The Heal check, against the poison's DC, may stand in for the next save; where several are at work the
    healer says which one it is for (srd35.skill.heal).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.skill.heal")
    at_work: dict[str, Affliction] = {}
    for one in target.afflictions:
        if one.rider.kind in ("poison", "disease"):
            at_work.setdefault(one.rider.name, one)
    if not at_work:
        raise Refusal(f"no poison or disease is at work in {target.id}", rule)
    refuse_apart(actor, target, rule)
    yield spending(fight, actor, "standard", "treat poison", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), f"treats {target.id}", f"treat:{fight.declaration}", rule
    )
    if is_down(fight, actor):
        return
    named = next(iter(at_work))
    if len(at_work) > 1:
        question = f"against what does {actor.id} treat {target.id}?"
        named = yield Choice(actor.id, "treat", question, tuple(at_work), rule)
    held = at_work[named]
    total = yield from heal_check(fight, actor, held.dc, rule)
    yield AfflictionHeld(
        who=target.id,
        id=held.id,
        rider=held.rider,
        by=held.by,
        dc=held.dc,
        round=held.round,
        minute=held.minute,
        treated=max(total, held.treated),
        cites=(rule,),
    )


def heal_check(fight: Fight, combatant: Combatant, dc: int, rule: str) -> Steps[int]:
    """Roll a Heal check against a DC and return its total where it succeeds, else -1."""
    parts = skill_parts(fight, combatant, "heal", "wis", rule)
    return dc if (yield from check(fight, combatant, "heal", parts, dc, rule)) else -1
