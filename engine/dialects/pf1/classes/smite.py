"""Smiting evil in pf1: one foe, until it is dead or its smiter has rested (pf1.smite)."""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.levels import class_level, rules_of_level
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.sides import refuse_no_opponent
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, ResourceSpent, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Reduction
from affray.projections.state import Combatant, Effect

TOPIC: Final = "pf1.smite"
SMITE: Final = "smite evil"
#: The stat of what the first hit alone adds.
FIRST: Final = "smite evil: first hit"


def smites_a_day(fight: Fight, combatant: Combatant) -> int:
    """Return how often a day a paladin of that level smites evil."""
    level = class_level(combatant, "paladin")
    return sum(level >= least for least in fight.figure(TOPIC, "per_day_levels"))


def declare_smite(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Smite an evil creature as a swift action, until it is dead or the smiter rests.

    Charisma on attacks and as a deflection bonus against it, the level on damage, twice that on the first
    hit against the worst of evil. It is lost on whoever is not evil (pf1.smite).
    """
    actor, target, rule = fight.combatant(act.actor), fight.combatant(act.target), fight.rule(TOPIC)
    level = class_level(actor, "paladin")
    if not actor.sheet.classes.get("paladin"):
        raise Refusal(f"{actor.id} is no paladin", rule)
    refuse_no_opponent(actor, target, rule, "to smite")
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("pf1.cond.dead"))
    if actor.resources.get(SMITE, 0) >= smites_a_day(fight, actor):
        raise Refusal(f"{actor.id} has no smiting of evil left today", rule)
    yield spending(fight, actor, "swift", SMITE, rule)
    yield ResourceSpent(who=actor.id, resource=SMITE, amount=1, cites=(rule,))
    if not has_trait(target, "evil"):
        what = f"{target.id} is not evil: the smiting is wasted"
        yield RuleApplied(who=actor.id, what=what, cites=(rule,))
        return
    charisma = max(0, ability_now(fight, actor, "cha"))
    given = {
        "attack": (charisma, "untyped"),
        "defense": (charisma, "deflection"),
        "damage": (level, "untyped"),
    }
    if nature_among(target, fight.figure(TOPIC, "double")):
        given[FIRST] = (level, "untyped")
    for stat, (value, kind) in given.items():
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=Modifier(value, kind, SMITE, rule),
            until=Until("rest", actor.id),
            against=target.id,
            cites=(rule, *rules_of_level(fight, actor)),
        )


def first_hit_of(blow: Blow) -> Effect | None:
    """Return what the first hit on the target of a smiting still adds; None without that."""
    effects = blow.attacker.effects
    return next((one for one in effects if one.stat == FIRST and one.against == blow.target.id), None)


def damage_of_first_hit(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield what the first hit adds once more to the damage (pf1.smite)."""
    found = first_hit_of(blow)
    if found is not None:
        yield Modifier(found.modifier.value, "untyped", FIRST, found.modifier.rule)


def first_hit_is_over(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """End what the first hit alone adds, once it has struck (pf1.smite)."""
    found = first_hit_of(blow)
    if found is not None:
        cites = (found.modifier.rule,)
        yield EffectEnded(who=blow.attacker.id, id=found.id, why="the first hit", cites=cites)


def smites(fight: Fight, harm: Harm, reduction: Reduction) -> bool:
    """Say whether a blow is one of a smiting, which overcomes any damage reduction (pf1.smite)."""
    attacker = harm.attacker
    if attacker is None:
        return False
    smitten = any(one.modifier.source == SMITE and one.against == harm.target.id for one in attacker.effects)
    if smitten:
        harm.reduced_by += fight.rules(TOPIC)
    return smitten
