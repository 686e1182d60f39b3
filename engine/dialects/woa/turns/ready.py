"""Readied actions: declared with the round, prepared on one's turn, taken when the trigger comes.

woa.ready.*. A trigger that is declared with the plan may come before the turn: then it is missed, and the
turn brings a choice. What is not taken may be kept up round after round.
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.turns.ready_concentration import WATCHING, long_watch
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.rules.conditions.mental_actions import STILL
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.delay_and_ready import aimed_at_actor, is_triggered, out_of_turn
from affray.engine.rules.turns.named_in_acts import refuse_unknown_names
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ActionSpent, ActReadied, ReadyEnded, RuleApplied
from affray.projections.state import Combatant

PREPARING = "preparing"
"""The condition of whoever has declared a trigger and has not had its turn yet."""
MISSED = "missed trigger"
"""The condition of whoever's trigger came before its turn; its source is who set it off."""
KEPT = "kept ready"
"""The condition of whoever keeps up an act readied in an earlier round; its level counts these."""
ANSWERS = ("act", "continue", "abandon")


def refuse_ready(fight: Fight, who: Combatant, act: acts.Ready) -> None:
    """Refuse to ready what is no standard, move or free action (woa.ready.declare)."""
    rule = fight.rule("ready.declare")
    if type(act.then) not in fight.dialect.acts:
        raise Refusal("that cannot be readied", rule)
    if isinstance(act.then, acts.Cast):
        spell = next((one for one in who.sheet.spells if one.name == getattr(act.then, "spell", "")), None)
        if spell is not None and spell.casting == "full-round":
            raise Refusal("a full-round action cannot be readied", rule)
    refuse_unknown_names(fight, who, act.then, act.trigger)


def announce(fight: Fight, who: Combatant, act: acts.Ready) -> Steps[None]:
    """Declare with the plan what is readied, and for what; it is ready from one's turn on."""
    if who.readied is not None:
        yield from end_readiness(fight, who, "lapsed", "ready.multi-round-cost")
    elif KEPT in who.conditions:
        rule = fight.rule("ready.multi-round")
        yield ConditionLost(who=who.id, condition=KEPT, why="something else is readied", cites=(rule,))
    cites = fight.rules("ready.declare", "ready.window")
    yield ActReadied(who=who.id, act=replace(act, actor=who.id), cites=cites)
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(who=who.id, condition=PREPARING, source="ready", until=until, cites=cites)


def end_readiness(fight: Fight, who: Combatant, how: str, *topics: str) -> Steps[None]:
    """End a readied act, "triggered" or "lapsed", and the keeping of it."""
    cites = fight.rules(*topics)
    yield ReadyEnded(who=who.id, how=how, cites=cites)
    if KEPT in who.conditions:
        yield ConditionLost(who=who.id, condition=KEPT, why=how, cites=cites)


def keep_ready(fight: Fight, who: Combatant, index: int) -> Steps[None]:
    """Keep up an act readied in an earlier round, for the standard action of this one.

    It counts as having won initiative; the game master may ask for a check (woa.ready.multi-round,
    woa.ready.multi-round-cost, woa.ready.extended-watch).
    """
    rule = fight.rule("ready.multi-round-cost")
    earlier = who.conditions.get(KEPT)
    rounds = earlier.level + 1 if earlier is not None else 1
    yield ActionSpent(who=who.id, kind="standard", what="keep ready", cites=(rule,))
    yield ActionSpent(
        who=who.id,
        kind="planned",
        what="ready",
        amount=1 << index,
        cites=(fight.rule("declare.start-of-round"),),
    )
    yield from watch_for_trigger(fight, who)
    yield ConditionGained(
        who=who.id,
        condition=KEPT,
        source="ready",
        until=Until("round-end", "", fight.state.round + 1),
        level=rounds,
        cites=fight.rules("ready.multi-round"),
    )
    if rounds > 1:
        yield from long_watch(fight, who)


def watch_for_trigger(fight: Fight, who: Combatant) -> Steps[None]:
    """Watch for the trigger until the round's end: no reactions, and an eye for nothing else."""
    yield ConditionGained(
        who=who.id,
        condition=WATCHING,
        source="ready",
        until=Until("round-end", "", fight.state.round),
        cites=(fight.rule("ready.no-reactions"),),
    )


def ready(fight: Fight, act: acts.Ready) -> Steps[None]:
    """Prepare an act for a trigger, as a standard action; no reactions this round (woa.ready.declare).

    What was declared with the plan holds. If its trigger has come already, the act is taken now, kept for the
    next round, or given up with the standard action (woa.ready.missed-trigger).
    """
    who = fight.combatant(act.actor)
    announced = PREPARING in who.conditions and who.readied is not None
    if not announced:
        refuse_ready(fight, who, act)
    yield spending(fight, who, "standard", "ready", fight.rule("ready.declare"))
    if announced:
        yield ConditionLost(
            who=who.id, condition=PREPARING, why="its turn", cites=(fight.rule("ready.window"),)
        )
        if MISSED in who.conditions and not (yield from ask_after_missed_trigger(fight, who)):
            return
    else:
        yield ActReadied(who=who.id, act=act, cites=fight.rules("ready.declare", "ready.window"))
    yield from watch_for_trigger(fight, who)


def ask_after_missed_trigger(fight: Fight, who: Combatant) -> Steps[bool]:
    """Ask what becomes of an act whose trigger came too early; return whether it is kept ready."""
    rule = fight.rule("ready.missed-trigger")
    at, plan = who.conditions[MISSED].source, who.readied
    question = f"the trigger came before {who.id}'s turn: act now, stay ready for the next round, or give up?"
    answer = yield Choice(who.id, "missed", question, ANSWERS, rule)
    yield ConditionLost(who=who.id, condition=MISSED, why=answer, cites=(rule,))
    if answer == "continue":
        return True
    yield from end_readiness(fight, who, "triggered" if answer == "act" else "lapsed", "ready.missed-trigger")
    if answer == "act" and plan is not None:
        yield from out_of_turn(fight, who, aimed_at_actor(plan.then, who.id, at))
    return False


def triggered(fight: Fight, actor: Combatant, what: str) -> Steps[None]:
    """Let whoever readied for what `actor` is about to do act first; the order of turns stays.

    woa.ready.window, woa.ready.interrupt, woa.ready.multi-round
    """
    for who in list(fight.state.combatants.values()):
        plan = who.readied
        if plan is None or who is actor or not is_triggered(fight, who, actor, plan.trigger, what):
            continue
        if is_down(fight, who) or any(rule_of(fight, name).actions in STILL for name in who.conditions):
            continue
        if PREPARING in who.conditions:
            if MISSED not in who.conditions:
                yield too_early(fight, who, actor)
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
            yield from end_readiness(fight, who, "triggered", *rules_of_readied(who, plan))
            if plan.step is not None:
                yield from step_first(fight, who, plan.step)
            yield from out_of_turn(fight, who, aimed_at_actor(plan.then, who.id, actor.id))


def too_early(fight: Fight, who: Combatant, actor: Combatant) -> ConditionGained:
    """Return the fact that a declared trigger came before the readier's turn."""
    return ConditionGained(
        who=who.id,
        condition=MISSED,
        source=actor.id,
        until=Until("round-end", "", fight.state.round),
        cites=(fight.rule("ready.missed-trigger"),),
    )


def rules_of_readied(who: Combatant, plan: acts.Ready) -> list[str]:
    """Return the topics of the rules by which a readied act is taken now."""
    topics = ["ready.window", "ready.interrupt"]
    if KEPT in who.conditions:
        topics.append("ready.multi-round")
    if plan.trigger.what == "casts" and isinstance(plan.then, acts.Attack):
        topics.append("ready.distract-caster")
    return topics


def step_first(fight: Fight, who: Combatant, to: tuple[int, int]) -> Steps[None]:
    """Take the short step that belongs to a readied act, if nothing else was moved this round.

    woa.ready.short-step.
    """
    rule = fight.rule("ready.short-step")
    if who.spent.get("feet"):
        yield RuleApplied(who=who.id, what="no short step: has moved this round", cites=(rule,))
        return
    yield RuleApplied(who=who.id, what="takes a short step with the readied act", cites=(rule,))
    yield from out_of_turn(fight, who, acts.Step(actor=who.id, to=to))


def letting_go(fight: Fight, act: acts.Drop | acts.Sheathe, acting: Steps[None]) -> Steps[None]:
    """Put a weapon away; an act readied with it is cancelled (woa.ready.multi-round-cost)."""
    yield from acting
    who = fight.combatant(act.actor)
    plan = who.readied
    weapon = getattr(plan.then, "weapon", "") if plan is not None else ""
    if weapon and weapon == act.item and weapon not in who.held:
        yield from end_readiness(fight, who, "lapsed", "ready.multi-round-cost")
