"""Readied actions: declared with the round, prepared on one's turn, taken when the trigger comes.

woa.ready.*. A trigger that is declared with the plan may come before the turn: then it is missed, and the
turn brings a choice. What is not taken may be kept up round after round.
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.turns.ready_concentration import WATCHING, long_watch
from affray.engine.dialects.woa.turns.triggers import (
    KEPT,
    MISSED,
    PREPARING,
    end_readiness,
)
from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.delay_and_ready import aimed_at_actor, out_of_turn, refuse_ready
from affray.engine.steps import Choice, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ActionSpent, ActReadied, RuleApplied
from affray.projections.state import Combatant

ANSWERS = ("act", "continue", "abandon")


def readiable(fight: Fight) -> tuple[tuple[str, ...], str]:
    """Return which types of action can be readied, and the rule (woa.ready.declare)."""
    topic = "woa.ready.declare"
    return tuple(fight.figure(topic, "readiable")), fight.rule(topic)


def announce(fight: Fight, actor: Combatant, act: acts.Ready) -> Steps[None]:
    """Declare with the plan what is readied, and for what; it is ready from one's turn on."""
    if actor.readied is not None:
        yield from end_readiness(fight, actor, "lapsed", "woa.ready.multi-round-cost")
    elif KEPT in actor.conditions:
        rule = fight.rule("woa.ready.multi-round")
        yield ConditionLost(who=actor.id, condition=KEPT, why="something else is readied", cites=(rule,))
    cites = fight.rules("woa.ready.declare", "woa.ready.window")
    yield ActReadied(who=actor.id, act=replace(act, actor=actor.id), cites=cites)
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(who=actor.id, condition=PREPARING, source="ready", until=until, cites=cites)


def keep_ready(fight: Fight, combatant: Combatant, index: int) -> Steps[None]:
    """Keep up an act readied in an earlier round, for the standard action of this one.

    It counts as having won initiative; the game master may ask for a check (woa.ready.multi-round,
    woa.ready.multi-round-cost, woa.ready.extended-watch).
    """
    rule = fight.rule("woa.ready.multi-round-cost")
    earlier = combatant.conditions.get(KEPT)
    rounds = earlier.level + 1 if earlier is not None else 1
    yield ActionSpent(who=combatant.id, kind="standard", what="keep ready", cites=(rule,))
    yield ActionSpent(
        who=combatant.id,
        kind="planned",
        what="ready",
        amount=1 << index,
        cites=(fight.rule("woa.declare.start-of-round"),),
    )
    yield from watch_for_trigger(fight, combatant)
    yield ConditionGained(
        who=combatant.id,
        condition=KEPT,
        source="ready",
        until=Until("round-end", "", fight.state.round + 1),
        level=rounds,
        cites=fight.rules("woa.ready.multi-round"),
    )
    if rounds > 1:
        yield from long_watch(fight, combatant)


def watch_for_trigger(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Watch for the trigger until the round's end: no reactions, and an eye for nothing else."""
    yield ConditionGained(
        who=combatant.id,
        condition=WATCHING,
        source="ready",
        until=Until("round-end", "", fight.state.round),
        cites=(fight.rule("woa.ready.no-reactions"),),
    )


def ready(fight: Fight, act: acts.Ready) -> Steps[None]:
    """Prepare an act for a trigger, as a standard action; no reactions this round (woa.ready.declare).

    What was declared with the plan holds. If its trigger has come already, the act is taken now, kept for the
    next round, or given up with the standard action (woa.ready.missed-trigger).
    """
    actor = fight.combatant(act.actor)
    announced = PREPARING in actor.conditions and actor.readied is not None
    if not announced:
        refuse_ready(fight, actor, act)
    yield spending(fight, actor, "standard", "ready", fight.rule("woa.ready.declare"))
    if announced:
        yield ConditionLost(
            who=actor.id, condition=PREPARING, why="its turn", cites=(fight.rule("woa.ready.window"),)
        )
        if MISSED in actor.conditions and not (yield from ask_after_missed_trigger(fight, actor)):
            return
    else:
        yield ActReadied(who=actor.id, act=act, cites=fight.rules("woa.ready.declare", "woa.ready.window"))
    yield from watch_for_trigger(fight, actor)


def ask_after_missed_trigger(fight: Fight, combatant: Combatant) -> Steps[bool]:
    """Ask what becomes of an act whose trigger came too early; return whether it is kept ready."""
    rule = fight.rule("woa.ready.missed-trigger")
    at, plan = combatant.conditions[MISSED].source, combatant.readied
    question = (
        f"the trigger came before {combatant.id}'s turn: act now, stay ready for the next round, or give up?"
    )
    answer = yield Choice(combatant.id, "missed", question, ANSWERS, rule)
    yield ConditionLost(who=combatant.id, condition=MISSED, why=answer, cites=(rule,))
    if answer == "continue":
        return True
    yield from end_readiness(
        fight, combatant, "triggered" if answer == "act" else "lapsed", "woa.ready.missed-trigger"
    )
    if answer == "act" and plan is not None:
        yield from out_of_turn(fight, combatant, aimed_at_actor(plan, combatant.id, at))
    return False


def take_readied(fight: Fight, combatant: Combatant, actor: Combatant, plan: acts.Ready) -> Steps[None]:
    """Take a readied act before what set it off; the order of turns stays (woa.ready.interrupt)."""
    yield from end_readiness(fight, combatant, "triggered", *rules_of_readied(combatant, plan))
    if plan.step is not None:
        yield from step_first(fight, combatant, plan.step)
    yield from out_of_turn(fight, combatant, aimed_at_actor(plan, combatant.id, actor.id))


def rules_of_readied(combatant: Combatant, plan: acts.Ready) -> list[str]:
    """Return the topics of the rules by which a readied act is taken now."""
    topics = ["woa.ready.window", "woa.ready.interrupt"]
    if KEPT in combatant.conditions:
        topics.append("woa.ready.multi-round")
    if plan.trigger.what == "casts" and isinstance(plan.then, acts.Attack):
        topics.append("woa.ready.distract-caster")
    return topics


def step_first(fight: Fight, combatant: Combatant, to: tuple[int, int]) -> Steps[None]:
    """Take the short step that belongs to a readied act, if nothing else was moved this round.

    woa.ready.short-step.
    """
    rule = fight.rule("woa.ready.short-step")
    if combatant.spent.get("feet"):
        yield RuleApplied(who=combatant.id, what="no short step: has moved this round", cites=(rule,))
        return
    yield RuleApplied(who=combatant.id, what="takes a short step with the readied act", cites=(rule,))
    yield from out_of_turn(fight, combatant, acts.Step(actor=combatant.id, to=to))


def letting_go(fight: Fight, act: acts.Drop | acts.Sheathe, acting: Steps[None]) -> Steps[None]:
    """Put a weapon away; an act readied with it is cancelled (woa.ready.multi-round-cost)."""
    yield from acting
    actor = fight.combatant(act.actor)
    plan = actor.readied
    weapon = getattr(plan.then, "weapon", "") if plan is not None else ""
    if weapon and weapon == act.item and weapon not in actor.held:
        yield from end_readiness(fight, actor, "lapsed", "woa.ready.multi-round-cost")
