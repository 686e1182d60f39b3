"""Catching fire, burning, and putting out flames (srd35.hazard.fire, pf1.hazard.ref)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.environment.hazard_damage import BURNING, deal_hazard_damage
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

FIRE: Final = "hazard.fire"
"""srd35.hazard.fire, pf1.hazard.ref."""


def catch_fire(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Let somebody catch fire unless a Reflex save avoids it: 1d6 at once.

    srd35.hazard.fire, pf1.hazard.ref.
    """
    rule = fight.rule(FIRE)
    if (yield from saving_throw(fight, target, "ref", fight.figure(FIRE, "dc"), "catching fire", rule)):
        return
    yield ConditionGained(who=target.id, condition=BURNING, source="flames", cites=(rule,))
    yield from deal_hazard_damage(fight, target, fight.figure(FIRE, "damage"), "fire", "burning", rule)


def burn(fight: Fight, victim: Combatant) -> Steps[None]:
    """Burn for another round unless a save has put the flames out (srd35.hazard.fire, pf1.hazard.ref)."""
    rule = fight.rule(FIRE)
    if (yield from saving_throw(fight, victim, "ref", fight.figure(FIRE, "dc"), "burning", rule)):
        yield ConditionLost(who=victim.id, condition=BURNING, why="the flames go out", cites=(rule,))
        return
    yield from deal_hazard_damage(fight, victim, fight.figure(FIRE, "damage"), "fire", "burning", rule)


def whom_to_douse(fight: Fight, act: acts.Extinguish, rule: str) -> Combatant:
    """Return whose flames are put out: the actor's own without a target. Refuses who does not burn or is far.

    srd35.hazard.fire, pf1.hazard.ref, futurepath.action.extinguish-flames.
    """
    actor = fight.combatant(act.actor)
    target = fight.combatant(act.target) if act.target else actor
    if BURNING not in target.conditions:
        raise Refusal(f"{target.id} does not burn", rule)
    if target is not actor:
        refuse_apart(actor, target, rule)
    return target


def extinguish(fight: Fight, act: acts.Extinguish) -> Steps[None]:
    """Put out flames: water does so at once, rolling and smothering give another save at +4.

    srd35.hazard.fire, pf1.hazard.ref.
    """
    actor, rule = fight.combatant(act.actor), fight.rule(FIRE)
    target = whom_to_douse(fight, act, rule)
    yield spending(fight, actor, "full-round", "extinguish flames", rule)
    out = act.water
    if not out:
        bonus = fight.modifier(FIRE, "smother", kind="circumstance", source="smothering the flames")
        dc = fight.figure(FIRE, "dc")
        out = yield from saving_throw(fight, target, "ref", dc, "burning", rule, extra=(bonus,))
    if out:
        why = "doused" if act.water else "smothered"
        yield ConditionLost(who=target.id, condition=BURNING, why=why, cites=(rule,))


def doused(fight: Fight, target: Combatant) -> Steps[None]:
    """Let the flames of whoever is in the water go out (srd35.hazard.fire, pf1.hazard.ref)."""
    if BURNING in target.conditions:
        cites = fight.rules(FIRE)
        yield ConditionLost(who=target.id, condition=BURNING, why="in water", cites=cites)
