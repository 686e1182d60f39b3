"""Delay and ready across rounds: what becomes of one's place and one's turn."""

from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.turns import delay_and_ready, expiry
from affray.engine.steps import Steps, altered
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, InitiativeChanged, ReadyEnded, RuleApplied
from affray.projections.state import Combatant

RESUMED = "resumed"


def cite_new_count(fight: Fight, act: acts.Resume, resuming: Steps[None]) -> Steps[None]:
    """Take the delayed turn right after the one that is running, and act on that count from then on.

    Before the regular turn of the next round it raises the initiative and takes the place of that turn
    (srd35.delay.initiative-result, srd35.delay.next-round).
    """
    actor = fight.combatant(act.actor)
    next_round = actor.waited is not None and actor.waited < fight.state.round
    count = "srd35.delay.next-round" if next_round else "srd35.delay.lower-initiative"
    cites = fight.rules("srd35.delay.initiative-result", count, "srd35.initiative-action.overview")
    tie = fight.rule("srd35.initiative.ties")

    def cited(fact: Any) -> Any:
        if not isinstance(fact, InitiativeChanged):
            return fact
        return replace(fact, cites=(*cites, tie) if tie in fact.cites else cites)

    return altered(resuming, cited)


def take_delayed_turn(fight: Fight, act: acts.Resume) -> Steps[None]:
    """Note that the delayed turn is taken: from now on it cannot be lost (srd35.delay.action)."""
    yield ActionSpent(
        who=act.actor, kind=RESUMED, what="takes the delayed turn", cites=fight.rules("srd35.delay.action")
    )


def lose_delayed_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a turn be lost that was put off until the next one comes round (srd35.delay.lost)."""
    if combatant.delaying and not combatant.spent.get(RESUMED):
        rule = fight.rule("srd35.delay.lost")
        yield RuleApplied(who=combatant.id, what="the delayed turn is lost", cites=(rule,))
        yield from expiry.expire(fight, combatant, "turn-end", rounds_ago=1)


def interrupt(fight: Fight, combatant: Combatant, actor: Combatant, plan: acts.Ready) -> Steps[None]:
    """Take the readied act just ahead of what set it off, perhaps with a 5-foot step before it.

    Who set it off is interrupted and goes on afterwards, if still able. The initiative becomes the count of
    the readied act; taken before the regular turn of the next round, it is that turn, so that what lasts
    until its start is over (srd35.ready.interrupt, .initiative-result, .next-round).
    """
    topics = ["srd35.ready.trigger", "srd35.ready.interrupt"]
    if plan.trigger.what == "casts" and type(plan.then) is not acts.Counter:
        topics.append("srd35.ready.vs-caster")
    yield ReadyEnded(who=combatant.id, how="triggered", cites=fight.rules(*topics))
    yield from expiry.keep_counts(fight, combatant)
    next_round = delay_and_ready.before_own_turn(fight, combatant)
    if next_round:
        yield from delay_and_ready.begin_as_turn(fight, combatant)
    if plan.step is not None:
        yield from delay_and_ready.step_first(fight, combatant, plan.step)
    yield from delay_and_ready.out_of_turn(
        fight,
        combatant,
        delay_and_ready.aimed_at_actor(plan, combatant.id, actor.id),
    )
    topics = [
        "srd35.ready.initiative-change",
        "srd35.ready.initiative-result",
        "srd35.initiative-action.overview",
    ]
    if next_round:
        topics.append("srd35.ready.next-round")
    yield from delay_and_ready.move_ahead(fight, combatant, *fight.rules(*topics))
