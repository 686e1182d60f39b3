"""Auras at the start and end of turns, and bursts in death."""

from collections.abc import Iterable

from affray.engine.dialects.srd52.conditions import incapacitating
from affray.engine.dialects.srd52.monster import affect, in_area, topic_of, why_excluded
from affray.engine.dialects.srd52.printed import Action, actions_of, owners_of
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def act_around(fight: Fight, owner: Combatant, action: Action, whom: Iterable[Combatant]) -> Steps[None]:
    """Let an aura or a burst act on some of those in its area; enemies alone, if it chooses."""
    struck = [
        one
        for one in in_area(fight, owner, action, None)
        if one in list(whom) and not why_excluded(fight, owner, action, one)
    ]
    if struck:
        cites = fight.rules(topic_of(action))
        yield RuleApplied(who=owner.id, what=action.name, cites=cites)
        yield from affect(fight, owner, action, struck)


def auras_at_start(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let auras act on a combatant that starts its turn in them."""
    for owner in map(fight.combatant, owners_of(fight, "aura start")):
        if owner.id == combatant.id or "dead" in owner.conditions:
            continue
        for action in actions_of(fight, owner).values():
            if action.kind == "aura start" and not is_asleep(owner, action):
                yield from act_around(fight, owner, action, [combatant])


def auras_at_end(fight: Fight, owner: Combatant) -> Steps[None]:
    """Let the auras of a combatant act as its turn ends."""
    for action in actions_of(fight, owner).values():
        if action.kind == "aura end" and not is_asleep(owner, action):
            yield from act_around(fight, owner, action, list(fight.state.combatants.values()))


def is_asleep(owner: Combatant, action: Action) -> bool:
    """Return whether an aura stops because its owner is Incapacitated."""
    return action.awake and bool(incapacitating(owner))


def burst(fight: Fight, dying: Combatant) -> Steps[None]:
    """Let a combatant that dies explode, if its stat block says so."""
    for action in actions_of(fight, dying).values():
        if action.kind == "death":
            rule = fight.rule("monster.trait-death-burst")
            yield RuleApplied(who=dying.id, what=action.name, cites=(rule,))
            yield from act_around(fight, dying, action, list(fight.state.combatants.values()))
