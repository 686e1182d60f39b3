"""A readied action whose trigger comes: taken, missed or over (woa.ready.*)."""

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.grid.battlefield import Square
from affray.engine.rules.conditions.mental_actions import STILL
from affray.engine.rules.turns.delay_and_ready import anybody_ready, readied_for
from affray.engine.rules.turns.interruption import about_to_be_interrupted, stop_if_impossible
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ReadyEnded
from affray.projections.state import Combatant

PREPARING = "preparing"
"""The condition of whoever has declared a trigger and has not had its turn yet."""

MISSED = "missed trigger"
"""The condition of whoever's trigger came before its turn; its source is who set it off."""

KEPT = "kept ready"
"""The condition of whoever keeps up an act readied in an earlier round; its level counts these."""


def end_readiness(fight: Fight, combatant: Combatant, how: str, *topics: str) -> Steps[None]:
    """End a readied act, "triggered" or "lapsed", and the keeping of it."""
    cites = fight.rules(*topics)
    yield ReadyEnded(who=combatant.id, how=how, cites=cites)
    if KEPT in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition=KEPT, why=how, cites=cites)


def triggered(fight: Fight, actor: Combatant, what: str, there: Square | None = None) -> Steps[None]:
    """Let whoever readied for what `actor` is about to do act first; the order of turns stays.

    With `there` those who would see it go with its next step, before it does.

    woa.ready.window, woa.ready.interrupt, woa.ready.multi-round
    """
    if not fight.memory.company[anybody_ready]:
        return
    before = about_to_be_interrupted(fight, actor)
    for combatant, plan in readied_for(fight, actor, what, there):
        if any(rule_of(fight, name).actions in STILL for name in combatant.conditions):
            continue
        if PREPARING in combatant.conditions:
            if MISSED not in combatant.conditions:
                yield too_early(fight, combatant, actor)
            continue
        tag = plan.then.__struct_config__.tag
        answer = yield Choice(
            combatant.id,
            "ready",
            f"{actor.id} {what}: does {combatant.id} take the readied {tag}?",
            ("act", "wait"),
            fight.rule("woa.ready.window"),
        )
        if answer == "act":
            yield from fight.dialect.turns.take_readied(fight, combatant, actor, plan)
    stop_if_impossible(fight, before)


def too_early(fight: Fight, combatant: Combatant, actor: Combatant) -> ConditionGained:
    """Return the fact that a declared trigger came before the readier's turn."""
    return ConditionGained(
        who=combatant.id,
        condition=MISSED,
        source=actor.id,
        until=Until("round-end", "", fight.state.round),
        cites=(fight.rule("woa.ready.missed-trigger"),),
    )


def let_readied_act(fight: Fight, combatant: Combatant) -> Steps[None]:
    """After movement, let whoever readied for it act."""
    yield from triggered(fight, combatant, "moves")
