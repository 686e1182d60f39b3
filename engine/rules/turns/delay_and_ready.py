"""Special initiative actions: delaying, and readying an act for a trigger."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import Square
from affray.engine.record.acts import Fields
from affray.engine.rules.conditions.condition_rules import powerless
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.place import distance, in_band
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.expiry import expire, keep_counts
from affray.engine.rules.turns.interruption import (
    Interrupted,
    about_to_be_interrupted,
    stop_if_impossible,
    what_is_done,
)
from affray.engine.rules.turns.named_in_acts import CARE, refuse_unknown_names
from affray.engine.rules.turns.prohibitions import permit
from affray.engine.rules.turns.readiable import as_readied, refuse_unreadiable
from affray.engine.steps import Choice, Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.flow import ActReadied, BudgetRenewed, InitiativeChanged, ReadyEnded, RuleApplied
from affray.projections.state import Combatant

#: The trigger of whoever waits for somebody to enter or leave a square.
MOVES = "moves"
#: What is done to a friend, a mount, a thing or oneself: its target is not what sets it off.
NOT_AT_AN_OPPONENT = (*CARE, acts.UseAbility, acts.UseFeat, acts.UseSkill)
#: What is read of the trigger of a readied act.
TRIGGER = Fields("what who feet", under={"feet": {"what": ("moves",)}})


def ready(fight: Fight, act: acts.Ready) -> Steps[None]:
    """Prepare an act for a trigger, as a standard action (srd35.ready.action, srd35.ready.what).

    futurepath.action.ready.is-attack-action, pf1.ready.
    """
    actor = fight.combatant(act.actor)
    refuse_ready(fight, actor, act)
    yield spending(fight, actor, "standard", "ready", *fight.rules("ready.action", "ready.what"))
    yield ActReadied(who=actor.id, act=act, cites=(fight.rule("ready.action"),))


def refuse_ready(fight: Fight, combatant: Combatant, act: acts.Ready) -> None:
    """Refuse to ready what the dialect does not know, what names whom or what there is not, and what takes
    no action that can be readied.

    Whether it can be carried out shows when its trigger comes.
    """
    if type(act.then) not in fight.dialect.acts:
        reason = f"{fight.dialect.name} knows no {str(act.then.__struct_config__.tag)!r} to be readied"
        raise Refusal(reason, fight.dialect.turns.readiable(fight)[1])
    refuse_unknown_names(fight, combatant, act.then, act.trigger)
    refuse_unreadiable(fight, combatant, act.then)
    refuse_trigger(fight, combatant, act)


def refuse_trigger(fight: Fight, combatant: Combatant, act: acts.Ready) -> None:
    """Refuse to wait for oneself, or within less than no feet, or for a friend with an act at nobody."""
    trigger, rule = act.trigger, fight.dialect.turns.readiable(fight)[1]
    if trigger.who == combatant.id:
        raise Refusal(f"{combatant.id} does not wait for itself", rule)
    if trigger.feet < 0:
        raise Refusal(f"a trigger cannot be within {trigger.feet} ft.", rule)
    friendly = trigger.who and fight.combatant(trigger.who).side == combatant.side
    if friendly and takes_its_target(act.then):
        what = what_is_done(act.then)
        raise Refusal(f"{what}: no target is named, and {trigger.who}, who sets it off, is a friend", rule)


def takes_its_target(then: Any) -> bool:
    """Say whether a readied act is done to whoever sets it off: to an opponent that it does not name."""
    if isinstance(then, NOT_AT_AN_OPPONENT) or (isinstance(then, acts.Attack) and then.at is not None):
        return False
    return getattr(then, "target", None) == ""


@per_company()
def anybody_ready(fight: Fight) -> bool:
    """Say whether anybody has an act ready."""
    return any([one.readied is not None for one in fight.state.combatants.values()])


def readied_for(
    fight: Fight, actor: Combatant, what: str, there: Square | None = None
) -> Iterator[tuple[Combatant, acts.Ready]]:
    """Yield in turn whoever has an act ready for what `actor` is about to do, with what was readied.

    What the one before did counts: each is looked at when it is asked for. `there` is the square to which
    a step out of what they watch would lead.
    """
    for combatant in list(fight.state.combatants.values()):
        plan = combatant.readied
        if plan is None or combatant is actor:
            continue
        if is_triggered(fight, combatant, actor, plan.trigger, what, there):
            yield combatant, plan


def leaves_watched(fight: Fight, mover: Combatant, there: Square) -> bool:
    """Say whether a step leads out of where an act is readied for the mover's movement."""
    return next(readied_for(fight, mover, MOVES, there), None) is not None


def triggered(fight: Fight, actor: Combatant, what: str, there: Square | None = None) -> Steps[None]:
    """Let whoever readied for what `actor` is about to do act first.

    With `there` those who would see it go with its next step, before it does.

    The readier may act or let it pass; acting moves it directly ahead of the actor in the order. An act that
    has become impossible is lost, and so is what the actor was about to do (srd35.ready.trigger,
    srd35.ready.initiative-change, futurepath.action.ready.before-trigger).
    """
    if not fight.memory.company[anybody_ready]:
        return
    before = about_to_be_interrupted(fight, actor)
    for combatant, plan in readied_for(fight, actor, what, there):
        # What keeps somebody from attacks of opportunity keeps nobody from what it has readied.
        if powerless(fight, combatant):
            continue
        answer = yield Choice(
            combatant.id,
            "ready",
            f"{actor.id} {what}: does {combatant.id} take the readied {plan.then.__struct_config__.tag}?",
            ("act", "wait"),
            fight.rule("ready.trigger"),
        )
        if answer != "act":
            continue
        yield from fight.dialect.turns.take_readied(fight, combatant, actor, plan)
    stop_if_impossible(fight, before)


def take_readied(fight: Fight, combatant: Combatant, actor: Combatant, plan: acts.Ready) -> Steps[None]:
    """Take the readied act just ahead of whoever set it off, and act ahead of it from then on.

    Before the regular turn of the next round it is that turn (futurepath.action.ready.initiative-change,
    futurepath.action.ready.taken-next-round, pf1.ready).
    """
    yield ReadyEnded(who=combatant.id, how="triggered", cites=(fight.rule("ready.trigger"),))
    yield from keep_counts(fight, combatant)
    next_round = before_own_turn(fight, combatant)
    if next_round:
        yield from begin_as_turn(fight, combatant)
    if plan.step is not None:
        yield from step_first(fight, combatant, plan.step)
    yield from out_of_turn(fight, combatant, aimed_at_actor(plan, combatant.id, actor.id))
    topics = ("ready.initiative-change", *(("ready.next-round",) if next_round else ()))
    yield from move_ahead(fight, combatant, *fight.rules(*topics))


def before_own_turn(fight: Fight, combatant: Combatant) -> bool:
    """Say whether the regular turn of a combatant is still to come in this round."""
    order, now = fight.state.order, fight.state.active
    return now in order and combatant.id in order[order.index(now) + 1 :]


def begin_as_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let what lasts until a combatant's turn end: the readied act takes the place of that turn.

    Its reactions are those of the new turn (srd35.ready.next-round, pf1.ready,
    futurepath.action.ready.taken-next-round).
    """
    yield from expire(fight, combatant, "turn-start")
    steed = mount_of(fight, combatant)
    if steed is not None:
        yield from expire(fight, steed, "turn-start")
    yield BudgetRenewed(who=combatant.id, what=("reactions",), cites=fight.rules("ready.next-round"))


def step_first(fight: Fight, combatant: Combatant, to: tuple[int, int]) -> Steps[None]:
    """Take the 5-foot step that belongs to a readied act, if no other distance was moved this round.

    srd35.ready.five-foot-step, pf1.ready, futurepath.action.ready.5-foot-step.
    """
    rule = fight.rule("ready.five-foot-step")
    if combatant.spent.get("feet") or combatant.spent.get("step"):
        yield RuleApplied(who=combatant.id, what="no 5-foot step: has moved this round", cites=(rule,))
        return
    yield RuleApplied(who=combatant.id, what="takes a 5-foot step with the readied act", cites=(rule,))
    yield from out_of_turn(fight, combatant, acts.Step(actor=combatant.id, to=to))


def move_ahead(fight: Fight, combatant: Combatant, *cites: str) -> Steps[None]:
    """Put a combatant directly ahead of the one whose turn it is, on whose count it has acted.

    What set its act off may itself have been done out of turn.
    """
    others = [id for id in fight.state.order if id != combatant.id]
    now = fight.state.active
    if now in others and combatant.id in fight.state.order:
        place = others.index(now)
        yield InitiativeChanged(
            who=combatant.id,
            value=fight.state.combatants[now].initiative,
            order=(*others[:place], combatant.id, *others[place:]),
            before=now,
            cites=cites,
        )


def aimed_at_actor(plan: acts.Ready, actor_id: str, at: str) -> Any:
    """Return the readied act with its actor; if it is done to an opponent and names none, to what set it off.

    A trigger that names a rider, whose mount sets it off, means the rider. What is done to friends, to
    oneself or to things is done to whom it names, an attack on a place to nobody.
    """
    act: Any = replace(plan.then, actor=actor_id)
    return replace(act, target=plan.trigger.who or at) if takes_its_target(act) else act


def is_triggered(
    fight: Fight,
    combatant: Combatant,
    actor: Combatant,
    trigger: acts.Trigger,
    what: str,
    there: Square | None = None,
) -> bool:
    """Say whether a trigger is met: by whom it names, friend or foe, else by anybody hostile.

    For `there`, by a step that leads out of what is watched.
    """
    if trigger.what != what:
        return False
    if not trigger.who:
        if actor.side == combatant.side:
            return False
    # Where the mount goes its rider goes.
    elif trigger.who != actor.id and (what != MOVES or trigger.who != actor.rider):
        return False
    if what != MOVES:
        return True
    if there is None:
        return watches(fight, combatant, actor, trigger, actor.at)
    return watches(fight, combatant, actor, trigger, actor.at) and not watches(
        fight, combatant, actor, trigger, there
    )


def watches(fight: Fight, combatant: Combatant, actor: Combatant, trigger: acts.Trigger, at: Square) -> bool:
    """Say whether an actor at a square would be within the feet of a trigger, or its readier's reach."""
    if trigger.feet and at == actor.at:
        return distance(combatant, actor) <= trigger.feet
    if trigger.feet:
        return in_band(combatant.at, combatant.space, at, actor.space, 0, trigger.feet)
    return threatens(fight, combatant, actor, at)


def out_of_turn(fight: Fight, actor: Combatant, act: acts.Act) -> Steps[None]:
    """Carry out an act outside the actor's turn; one that is impossible is lost and noted."""
    resolver: Callable[[Fight, Any], Steps[None]] = fight.dialect.acts[type(act)]
    outer, scope, doing, used_before = fight.readied, fight.scope, fight.doing, fight.used_before
    fight.readied, fight.doing, fight.used_before = actor.id, act, actor.resources
    fight.scope = f"{scope}.ready:{actor.id}" if scope else f"ready:{actor.id}"
    try:
        refuse_unreadiable(fight, actor, act)
        permit(fight, act)
        yield from altered(resolver(fight, act), partial(as_readied, fight, actor))
    except Refusal as refusal:
        yield RuleApplied(
            who=actor.id, what=f"the readied act is lost: {refusal.reason}", cites=(refusal.rule,)
        )
    except Interrupted as interrupted:
        yield interrupted.lost
    finally:
        fight.readied, fight.scope, fight.doing, fight.used_before = outer, scope, doing, used_before
