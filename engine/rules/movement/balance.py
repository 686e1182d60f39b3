"""Balancing on what is narrow or uneven (srd35.skill.balance, pf1.skill.acrobatics-balance)."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

TOPIC: Final = "skill.balance"
BALANCING, SURELY = "balancing", "balancing surely"


class Balance(Struct, frozen=True):
    """What one balances on, who does so surely, and how a rulebook has one keep its balance.

    ground: what a declaration says of the ground, as the condition keeps it; refuses what is no such ground.
    keeps: check whether somebody keeps its balance on a ground, in haste or not.
    is_sure: whether somebody is not flat-footed while it balances.
    """

    ground: Callable[[Fight, acts.Move], str]
    keeps: Callable[[Fight, Combatant, str, bool], Steps[bool]]
    is_sure: Callable[[Fight, Combatant], bool]


def balance(fight: Fight, act: acts.Move, by: Balance) -> Steps[None]:
    """Balance along a narrow way at half speed, or in haste where a rulebook knows that.

    Who balances is flat-footed unless it is sure, until it walks on firm ground again.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    ground = by.ground(fight, act)
    feet = speed(fight, mover)
    if not act.fast:
        feet = int(feet * fight.figure(TOPIC, "speed"))
    refuse_path(fight, mover, act.path, feet, rule)
    yield spending(fight, mover, "move", "balance", rule)
    if pace := fight.dialect.movement.speed_told(fight, mover):
        yield pace
    name = SURELY if by.is_sure(fight, mover) else BALANCING
    if name not in mover.conditions or mover.conditions[name].source != ground:
        yield ConditionGained(who=mover.id, condition=name, source=ground, cites=(rule,))
    if (yield from by.keeps(fight, mover, ground, act.fast)):
        yield from fight.dialect.movement.walk(fight, mover, act.path, "balance", rule)


def off_balance(fight: Fight, mover: Combatant) -> Steps[None]:
    """Fall off: prone, and no longer balancing. How deep it goes is for the game master to say."""
    rule = fight.rule(TOPIC)
    yield from no_longer_balancing(fight, mover, "falls")
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="losing its balance", cites=(rule,))


def keep_balance_when_hurt(
    fight: Fight, mover: Combatant, by: Balance, broadest: Callable[[str], str]
) -> Steps[None]:
    """Check the balance of somebody hurt while balancing; `broadest` says what ground its words mean."""
    for name in (BALANCING, SURELY):
        if name in mover.conditions and not is_down(fight, mover):
            yield from by.keeps(fight, mover, broadest(mover.conditions[name].source), False)
            return


def onto_firm_ground(fight: Fight, mover: Combatant) -> Steps[None]:
    """End the balancing of somebody who walks on otherwise."""
    yield from no_longer_balancing(fight, mover, "on firm ground")


def no_longer_balancing(fight: Fight, mover: Combatant, why: str) -> Steps[None]:
    """End the balancing of somebody."""
    for name in (BALANCING, SURELY):
        if name in mover.conditions:
            yield ConditionLost(who=mover.id, condition=name, why=why, cites=(fight.rule(TOPIC),))
