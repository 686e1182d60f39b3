"""The immediate consequences of a fact: flyers fall, riders stay on or not, grapples break, Dodge is lost."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from affray.engine.dialects.srd52 import areas, auras, held_spells, magic, monster, mounted, movement, traits
from affray.engine.dialects.srd52.conditions import DODGING, incapacitating
from affray.engine.dialects.srd52.features import steps_of
from affray.engine.dialects.srd52.gear import HASTE
from affray.engine.dialects.srd52.position import distance
from affray.engine.fight.fight import Fight
from affray.engine.kernel.places import squares_of
from affray.engine.steps import NOTHING, Steps, answered
from affray.events.facts.combat import (
    AttackResolved,
    ConditionGained,
    ConditionLost,
    DamageResolved,
    EffectEnded,
    EffectGained,
    Moved,
)
from affray.events.facts.flow import ActionSpent, ReactionSpent
from affray.projections.state import Combatant


def watch(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Go through steps and, right after each fact, through what follows from it, and from that in turn."""
    return answered(steps, partial(follow, fight))


def follow(fight: Fight, fact: object) -> Steps[None]:
    """Return the steps that follow from a fact."""
    found = FOLLOWS.get(type(fact))
    steps = found(fight, fact) if found is not None else NOTHING
    return steps if steps is NOTHING else watch(fight, steps)


def after_condition(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a flyer fall, a rider try to stay on, and end Dodge, by a condition that was gained."""
    one = fight.combatant(fact.who)
    yield from magic.what_follows(fight, fact)
    yield from after_slowing(fight, one)
    if fact.condition == "dead":
        yield from auras.burst(fight, one)
    if fact.condition == "prone" and fact.condition in one.conditions and (one.mount or one.rider):
        yield from mounted.after_fall(fight, one)


def after_effect(fight: Fight, fact: EffectGained) -> Steps[None]:
    """Let a flyer fall, and end Dodge, by an effect that leaves no Speed."""
    return after_slowing(fight, fight.combatant(fact.who))


def after_attack(fight: Fight, fact: AttackResolved) -> Steps[None]:
    """End the spells that an attack roll of their bearer ends."""
    return magic.end_by_deed(fight, fact.attacker, "attack")


def after_damage(fight: Fight, fact: DamageResolved) -> Steps[None]:
    """End the spells that end as their bearer deals damage; let fire set webs on fire."""
    if fact.total <= fact.reduced:
        return
    if fact.attacker in fight.state.combatants:
        yield from magic.end_by_deed(fight, fact.attacker, "damage dealt")
    if "fire" in [one.kind for one in fact.dice]:
        yield from areas.kindle(fight, squares_of(fight.combatant(fact.target)), fact.attacker)


def after_slowing(fight: Fight, one: Combatant) -> Steps[None]:
    """Let a combatant that cannot stay aloft fall; end its Dodge if it is Incapacitated or at Speed 0."""
    if DODGING in one.conditions and (incapacitating(one) or not movement.full_speed(fight, one)):
        cites = fight.rules("turns.dodge-lost")
        yield ConditionLost(who=one.id, condition=DODGING, why="it cannot dodge any more", cites=cites)
    yield from movement.fall_from_air(fight, one)


def after_move(fight: Fight, fact: Moved) -> Steps[None]:
    """End grapples that a forced movement has torn apart; let the rider of a pushed mount try to stay on."""
    yield from traits.note_run(fight, fact)
    yield from monster.take_along(fight, fact)
    if fact.feet or not fact.path or fact.how == movement.SHIFT:
        return
    one = fight.combatant(fact.who)
    yield from areas.entered(fight, one, fact.start, fact.path)
    for other in fight.state.combatants.values():
        for held, grappler in ((one, other), (other, one)):
            grapple = held.conditions.get("grappled")
            reach = movement.reach_of(fight, grappler)
            if grapple is None or grapple.source != grappler.id or distance(grappler, held) <= reach:
                continue
            cites, why = fight.rules("grapple.ends-distance"), f"{grappler.id} is too far away"
            yield ConditionLost(who=held.id, condition="grappled", why=why, cites=cites)
    yield from mounted.after_push(fight, fact)


def after_action(fight: Fight, fact: ActionSpent | ReactionSpent) -> Steps[None]:
    """Let features of a combatant notice its actions, Bonus Actions and Reactions."""
    counts = isinstance(fact, ReactionSpent) or fact.kind in ("action", "bonus", HASTE)
    return steps_of(fight, fight.combatant(fact.who), "on_action") if counts else NOTHING


FOLLOWS: Final[Mapping[type, Callable[[Fight, Any], Steps[None]]]] = {
    AttackResolved: after_attack,
    DamageResolved: after_damage,
    ConditionGained: after_condition,
    EffectGained: after_effect,
    EffectEnded: held_spells.is_lost,
    Moved: after_move,
    ActionSpent: after_action,
    ReactionSpent: after_action,
}
"""The consequences of each kind of fact."""
