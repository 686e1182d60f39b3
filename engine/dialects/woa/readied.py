"""Readied actions: prepared on one's turn, taken when the trigger comes (woa.ready.*)."""

from affray.engine.fight import Fight
from affray.engine.rules.budget import spending
from affray.engine.rules.conditions import is_down, rule_of
from affray.engine.rules.ready import aimed, matches, out_of_turn
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActReadied, ReadyEnded
from affray.projections.state import Combatant


def ready(fight: Fight, act: acts.Ready) -> Steps[None]:
    """Prepare an act for a trigger, as a standard action; no reactions this round (woa.ready.declare)."""
    who = fight.combatant(act.actor)
    if type(act.then) not in fight.dialect.acts:
        raise Refusal("that cannot be readied", fight.rule("ready.declare"))
    yield spending(fight, who, "standard", "ready", fight.rule("ready.declare"))
    yield ActReadied(who=who.id, act=act, cites=fight.rules("ready.declare", "ready.window"))
    yield ConditionGained(
        who=who.id,
        condition="readying",
        source="ready",
        until=Until("round-end", "", fight.state.round),
        cites=(fight.rule("ready.no-reactions"),),
    )


def triggered(fight: Fight, actor: Combatant, what: str) -> Steps[None]:
    """Let whoever readied for what `actor` is about to do act first; the order of turns stays.

    woa.ready.window, woa.ready.interrupt
    """
    for who in list(fight.state.combatants.values()):
        plan = who.readied
        if plan is None or who is actor or not matches(fight, who, actor, plan.trigger, what):
            continue
        if is_down(fight, who) or any(rule_of(fight, name).actions == "none" for name in who.conditions):
            continue
        tag = plan.then.__struct_config__.tag
        answer = yield Choice(
            who.id,
            "ready",
            f"{actor.id} {what}: does {who.id} take the readied {tag}?",
            ("act", "wait"),
            fight.rule("ready.window"),
        )
        if answer == "act":
            yield ReadyEnded(
                who=who.id, how="triggered", cites=fight.rules("ready.window", "ready.interrupt")
            )
            yield from out_of_turn(fight, who, aimed(plan.then, who.id, actor.id))
