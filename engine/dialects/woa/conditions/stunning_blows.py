"""Blows that stun: how a round of actions is lost (woa.round.effect-duration-stun-example)."""

from affray.engine.dialects.woa.classes.saves import saving_throw
from affray.engine.dialects.woa.conditions.durations import last_round
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, Until

STUNNED = "stunned"


def stun(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit with a weapon that stuns, let the target save or lose its rounds of actions.

    The round that runs, if the target has not acted in it, else the next; it makes no combat reactions
    while stunned, and drops what it holds. What stuns, and the DC, stand with the weapon (its riders of the
    kind "stunning").
    """
    target = blow.target
    for rider in blow.weapon.riders:
        if rider.kind != "stunning" or is_down(fight, target):
            continue
        topic = "woa.round.effect-duration-stun-example"
        rule = fight.rule(topic)
        if rider.save:
            saved = yield from saving_throw(fight, target, rider.save, rider.dc, rider.name)
            if saved.success:
                continue
        if STUNNED not in target.conditions:
            rounds = max(1, rider.rounds)
            fact = ConditionGained(
                who=target.id,
                condition=STUNNED,
                source=rider.name,
                until=Until("round-end", "", last_round(fight, target, rounds)),
                cites=(rule,),
            )
            yield from fight.dialect.conditions.gain(fight, fact)
