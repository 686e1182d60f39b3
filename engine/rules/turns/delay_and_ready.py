"""Special initiative actions: delaying, and readying an act for a trigger."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down, leaves_nothing, rule_of
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.actions import permit
from affray.engine.kernel.durations import expire
from affray.engine.kernel.places import distance, in_band
from affray.engine.record.acts import Fields
from affray.engine.record.chapters import NO_ACTION, SEVERAL
from affray.engine.rules.conditions.conditions import cannot_act, condition_leaving_a_move
from affray.engine.rules.magic.concentration import named_spell
from affray.engine.rules.mounted.riding import mount_of
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.actions import CARE, refuse_unknown_names, spending
from affray.engine.rules.turns.initiative import keep_counts
from affray.engine.steps import Choice, Interrupted, Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.flow import (
    ActionSpent,
    ActReadied,
    BudgetRenewed,
    InitiativeChanged,
    ReadyEnded,
    RuleApplied,
)
from affray.projections.state import Combatant

# --- Interruptions: after each, an action checks again what it needs (srd35.ready.interrupt)
# Attacks of opportunity, readied acts and other reactions happen in the middle of an action. A combatant that
# is still capable of it goes on. What an interruption made impossible ends there, with the reason and the
# rule.

#: Declarations that check their own requirements, step by step and blow by blow. The end of a turn cannot be
#: prevented: its events check for themselves.
BY_PARTS: tuple[type[acts.Act], ...] = (
    acts.Attack,
    acts.AwesomeBlow,
    acts.Brace,
    acts.BullRush,
    acts.CalledShot,
    acts.Charge,
    acts.Clamber,
    acts.DirtyTrick,
    acts.Disarm,
    acts.Dismount,
    acts.Drag,
    acts.EndTurn,
    acts.Flyby,
    acts.FullAttack,
    acts.Grab,
    acts.Grapple,
    acts.Jump,
    acts.Manyshot,
    acts.Mount,
    acts.Move,
    acts.Overrun,
    acts.Push,
    acts.Reposition,
    acts.Ride,
    acts.Run,
    acts.Skirmish,
    acts.Split,
    acts.Steal,
    acts.Step,
    acts.Stunt,
    acts.Sunder,
    acts.Trample,
    acts.Trip,
    acts.Withdraw,
)


#: Descriptions of acts whose names are no nouns.
IN_WORDS = {
    "activate": "the use of the item",
    "aid": "the aid",
    "bind": "the binding",
    "break-free": "the breaking free",
    "burst": "the bursting",
    "cast": "the spell",
    "counter": "the counterspell",
    "demoralize": "the threat",
    "doff": "the taking off",
    "don": "the putting on",
    "draw": "the drawing",
    "envenom": "the smearing of poison",
    "extinguish": "the putting out",
    "gather": "the gathering up",
    "get-free": "the getting free",
    "grip": "the change of grip",
    "guide": "the guiding",
    "handle": "the handling",
    "hide": "the hiding",
    "identify": "the look at the spell",
    "lift": "the lifting",
    "load": "the loading",
    "lower-resistance": "the lowering of resistance",
    "maintain": "the keeping up",
    "pilfer": "the theft",
    "ready": "the readying",
    "recover": "the recovering",
    "redirect": "the redirecting",
    "rouse": "the rousing",
    "seek": "the search",
    "shake-off": "the shaking off",
    "sheathe": "the putting away",
    "shelter": "the sheltering",
    "stabilize": "the first aid",
    "stand": "the standing up",
    "tend-feet": "the care of the feet",
    "treat": "the treatment",
    "turn-undead": "the turning",
    "use-ability": "the use of the ability",
    "use-feat": "the use of the feat",
    "use-skill": "the use of the skill",
}


class ActionSnapshot(Struct, gc=False):
    """The state of a combatant as an interruption began, and its options then.

    `stood` is the part that an interruption may change, of the combatant and its target. `permitted` is
    whether no rule forbade the act, `possible` whether it could have been begun at that moment, for acts that
    only ask that.
    """

    combatant: Combatant
    other: Combatant | None
    stood: tuple[object, ...]
    permitted: bool
    possible: bool = False


def standing(combatant: Combatant, other: Combatant | None = None) -> tuple[object, ...]:
    """Return what an interruption may change for both: positions, held and stored items, conditions."""
    own = (combatant.at, combatant.held, tuple(combatant.conditions), tuple(combatant.items.items()))
    if other is None:
        return own
    return (*own, other.at, other.held, tuple(other.conditions), tuple(other.items.items()))


def footing(fight: Fight, combatant: Combatant, other: Combatant | None = None) -> ActionSnapshot:
    """Return a combatant's state before it may be interrupted in an act on `other`."""
    # A combatant without conditions may do what it was permitted to declare.
    permitted = not combatant.conditions or is_permitted(fight, combatant)
    return ActionSnapshot(combatant, other, standing(combatant, other), permitted)


def is_permitted(fight: Fight, combatant: Combatant) -> bool:
    """Return whether no condition and no prohibition forbids a combatant's current act."""
    try:
        refuse_impeded(fight, combatant, True)
    except Refusal:
        return False
    return True


def refuse_impeded(fight: Fight, combatant: Combatant, permitted: bool) -> None:
    """Refuse a combatant that can no longer act or, if it was `permitted`, that may not go on with this
    act.
    """
    for name in combatant.conditions:
        if leaves_nothing(fight, name):
            raise Refusal(f"{combatant.id} is {name}", fight.rule(rule_of(fight, name).topic))
    act = fight.doing
    if permitted and act is not None and act.actor == combatant.id:
        fight.dialect.turns.prohibitions(fight, combatant, act)


def refuse_if_changed(fight: Fight, before: ActionSnapshot, again: Callable[[], object]) -> None:
    """Refuse what has become impossible since `before`: by a condition, or because `again` refuses it."""
    if standing(before.combatant, before.other) != before.stood:
        refuse_impeded(fight, before.combatant, before.permitted)
        again()


def about_to_be_interrupted(fight: Fight, combatant: Combatant) -> ActionSnapshot | None:
    """Return a combatant's state in the middle of its declaration; None if that checks for itself."""
    act = fight.doing
    if act is None or act.actor != combatant.id or isinstance(act, BY_PARTS):
        return None
    found = footing(fight, combatant)
    found.possible = found.permitted and could_begin(fight, act) is None
    return found


def stop_if_impossible(fight: Fight, before: ActionSnapshot | None) -> None:
    """End a combatant's act, by raising Interrupted, if the interruption has made it impossible.

    For a combatant that is down this has been reported. An act that could have been begun before and now
    cannot is over.
    """
    act = fight.doing
    if before is None or act is None or is_down(fight, before.combatant):
        return
    refused: Refusal | None = None
    try:
        refuse_impeded(fight, before.combatant, before.permitted)
    except Refusal as refusal:
        refused = refusal
    if refused is None and before.possible:
        refused = could_begin(fight, act)
    if refused is not None:
        raise Interrupted(attack_is_lost(before.combatant, refused, what_is_done(act)))


def what_is_done(act: acts.Act) -> str:
    """Return a description of an act: "the spell" for a casting."""
    tag = str(act.__struct_config__.tag)
    return IN_WORDS.get(tag) or f"the {tag.replace('-', ' ')}"


def could_begin(fight: Fight, act: acts.Act) -> Refusal | None:
    """Return why a declaration could not be begun now, apart from its own costs; None if it could.

    Its costs are its action, and what it has used up since it began: the last use of a spell is not missing
    for its own casting. A resolver refuses before its first step and changes the state only by its steps:
    none of them is run.
    """
    act = as_begun_anew(fight, act)
    readied, scope, counts, doing = fight.readied, fight.scope, dict(fight.counts), fight.doing
    actor = fight.combatant(act.actor)
    resources = actor.resources
    # A trial is no act in progress: an interruption right at its beginning checks nothing again.
    fight.readied, fight.doing, actor.resources = act.actor, None, dict(fight.used_before)
    try:
        next(fight.dialect.acts[type(act)](fight, act), None)
    except Refusal as refusal:
        return refusal
    finally:
        fight.readied, fight.scope, fight.counts, fight.doing = readied, scope, counts, doing
        actor.resources = resources
    return None


def as_begun_anew(fight: Fight, act: acts.Act) -> acts.Act:
    """Return a declaration in a form that could be begun now.

    A touch spell needs no target within reach while its charge can be held (srd35.cast.hold-charge,
    woa.spell.hold-charge).
    """
    if not isinstance(act, acts.Cast | acts.Activate) or not fight.dialect.magic.holds_charges:
        return act
    spell = named_spell(fight.combatant(act.actor), act.spell if isinstance(act, acts.Cast) else act.item)
    touching = spell is not None and spell.touch == "melee" and spell.item != "potion"
    return replace(act, targets=()) if touching else act


def attack_is_lost(combatant: Combatant, refused: Refusal, what: str = "the attack") -> RuleApplied:
    """Return the fact that an attack is lost, because the rules now refuse it."""
    return RuleApplied(who=combatant.id, what=f"{what} is lost: {refused.reason}", cites=(refused.rule,))


def goes_on(fight: Fight, before: ActionSnapshot, again: Callable[[], object], what: str) -> Steps[bool]:
    """Return whether an action goes on after an interruption; report one that is lost.

    A combatant that is down does not go on; this has been reported already.
    """
    if is_down(fight, before.combatant):
        return False
    try:
        refuse_if_changed(fight, before, again)
    except Refusal as refused:
        yield attack_is_lost(before.combatant, refused, what)
        return False
    return True


# --- What can be readied: acts of an action type that the dialect allows
# srd35.ready.what, pf1.ready, futurepath.action.ready.what, woa.ready.declare.

READIED: Final = "readied"
"""The kind of a readied act's action: its cost was spent when it was readied."""

#: Types of action that a readied act does not take from a turn.
OF_A_TURN = ("standard", "move", "swift")


def types_of_text(fight: Fight) -> tuple[tuple[str, ...], str]:
    """Return which types of action can be readied, and the rule (srd35.ready.what, pf1.ready)."""
    return tuple(fight.figure("ready.what")), fight.rule("ready.what")


def refuse_unreadiable(fight: Fight, combatant: Combatant, then: acts.Act) -> None:
    """Refuse to ready an act whose action type cannot be readied.

    Checked when an act is readied and again when its trigger occurs: whether it takes the full round may
    depend on events in between. A readied act may consist only of the short step that goes with it
    (srd35.ready.five-foot-step, futurepath.action.ready.5-foot-step, woa.ready.short-step).
    """
    if isinstance(then, acts.Step):
        return
    turns = fight.dialect.turns
    allowed, rule = turns.readiable(fight)
    kind = turns.action_type(fight, combatant, then)
    if kind not in allowed:
        raise Refusal(f"{in_words(kind)} cannot be readied", rule)


def in_words(kind: str) -> str:
    """Return a type of action with its article."""
    if kind == SEVERAL:
        return "what takes several actions"
    if kind == NO_ACTION:
        return "an act without an action"
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind} action"


def as_readied(fight: Fight, combatant: Combatant, fact: object) -> object:
    """Return a fact of a readied act in its recorded form: its action takes nothing from a turn.

    Refuses an act whose rule makes it spend the full round, and what takes more than the move action that a
    condition leaves (srd35.cond.nauseated, pf1.cond.nauseated).
    """
    if not isinstance(fact, ActionSpent) or fact.who != combatant.id:
        return fact
    if fact.kind == "full-round":
        raise Refusal(f"{in_words(fact.kind)} cannot be readied", fight.dialect.turns.readiable(fight)[1])
    if fact.kind == "standard" and (name := condition_leaving_a_move(fight, combatant)):
        raise Refusal(f"{combatant.id} is {name}", fight.rule(rule_of(fight, name).topic))
    return replace(fact, kind=READIED) if fact.kind in OF_A_TURN else fact


#: The trigger for a combatant that enters or leaves a square.
MOVES = "moves"
#: Acts on a friend, a mount, an object or the actor: their target is not the trigger's combatant.
NOT_AT_AN_OPPONENT = (*CARE, acts.UseAbility, acts.UseFeat, acts.UseSkill)
#: The fields of a readied act's trigger that are read only if others have certain values.
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
    """Refuse to ready an act that the dialect does not know, that names unknown combatants or items, or whose
    action cannot be readied.

    Whether it can be carried out is decided when its trigger occurs.
    """
    if type(act.then) not in fight.dialect.acts:
        reason = f"{fight.dialect.name} knows no {str(act.then.__struct_config__.tag)!r} to be readied"
        raise Refusal(reason, fight.dialect.turns.readiable(fight)[1])
    refuse_unknown_names(fight, combatant, act.then, act.trigger)
    refuse_unreadiable(fight, combatant, act.then)
    refuse_trigger(fight, combatant, act)


def refuse_trigger(fight: Fight, combatant: Combatant, act: acts.Ready) -> None:
    """Refuse a trigger by the actor, a negative distance, and a friend's trigger for an act without a
    target.
    """
    trigger, rule = act.trigger, fight.dialect.turns.readiable(fight)[1]
    if trigger.who == combatant.id:
        raise Refusal(f"{combatant.id} does not wait for itself", rule)
    if trigger.feet < 0:
        raise Refusal(f"a trigger cannot be within {trigger.feet} ft.", rule)
    friendly = trigger.who and fight.combatant(trigger.who).side == combatant.side
    if friendly and takes_its_target(act.then):
        what = what_is_done(act.then)
        raise Refusal(f"{what}: no target is named, and {trigger.who}, who sets it off, is a friend", rule)


def takes_its_target(then: object) -> bool:
    """Return whether a readied act's target is the opponent that triggers it, as none is named."""
    if isinstance(then, NOT_AT_AN_OPPONENT) or (isinstance(then, acts.Attack) and then.at is not None):
        return False
    return getattr(then, "target", None) == ""


@per_company()
def anybody_ready(fight: Fight) -> bool:
    """Return whether any combatant has a readied act."""
    return any([one.readied is not None for one in fight.state.combatants.values()])


def readied_for(
    fight: Fight, actor: Combatant, what: str, there: Square | None = None
) -> Iterator[tuple[Combatant, acts.Ready]]:
    """Yield the combatants with an act readied for what `actor` is about to do, one by one, with the readied
    act.

    The results of earlier ones count: each is checked when it is asked for. `there` is the destination of a
    step out of a watched area.
    """
    for combatant in list(fight.state.combatants.values()):
        plan = combatant.readied
        if plan is None or combatant is actor:
            continue
        if is_triggered(fight, combatant, actor, plan.trigger, what, there):
            yield combatant, plan


def leaves_watched(fight: Fight, mover: Combatant, there: Square) -> bool:
    """Return whether a step leaves an area that a readied act watches for the mover's movement."""
    return next(readied_for(fight, mover, MOVES, there), None) is not None


def triggered(fight: Fight, actor: Combatant, what: str, there: Square | None = None) -> Steps[None]:
    """Let those with an act readied for what `actor` is about to do act first.

    With `there`, it concerns those that would see the actor leave with its next step, before that step.

    The readier may act or let it pass; acting moves it directly ahead of the actor in the order. An act that
    has become impossible is lost, and so is the actor's own act (srd35.ready.trigger,
    srd35.ready.initiative-change, futurepath.action.ready.before-trigger).
    """
    if not fight.memory.company[anybody_ready]:
        return
    before = about_to_be_interrupted(fight, actor)
    for combatant, plan in readied_for(fight, actor, what, there):
        # A state that forbids attacks of opportunity does not forbid readied acts.
        if cannot_act(fight, combatant):
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
    """Take the readied act just ahead of the combatant that triggered it, and keep that place in the order.

    Before the regular turn of the next round it replaces that turn
    (futurepath.action.ready.initiative-change, futurepath.action.ready.taken-next-round, pf1.ready).
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
    """Return whether the regular turn of a combatant is still to come in this round."""
    order, now = fight.state.order, fight.state.active
    return now in order and combatant.id in order[order.index(now) + 1 :]


def begin_as_turn(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End what lasts until a combatant's turn: the readied act replaces that turn.

    Its reactions are those of the new turn (srd35.ready.next-round, pf1.ready,
    futurepath.action.ready.taken-next-round).
    """
    yield from expire(fight, combatant, "turn-start")
    steed = mount_of(fight, combatant)
    if steed is not None:
        yield from expire(fight, steed, "turn-start")
    yield BudgetRenewed(who=combatant.id, what=("reactions",), cites=fight.rules("ready.next-round"))


def step_first(fight: Fight, combatant: Combatant, to: tuple[int, int]) -> Steps[None]:
    """Take the 5-foot step of a readied act, unless the combatant has moved this round.

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

    The event that triggered its act may itself have happened out of turn.
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


def aimed_at_actor(plan: acts.Ready, actor_id: str, at: str) -> acts.Doable:
    """Return the readied act with its actor; if it is aimed at an opponent and names none, with the
    triggering one.

    If a trigger names a rider and its mount triggers it, the rider is the target. Acts on friends, the actor
    or objects keep their named target, an attack on a place has none.
    """
    act = replace(plan.then, actor=actor_id)
    return replace(act, target=plan.trigger.who or at) if takes_its_target(act) else act


def is_triggered(
    fight: Fight,
    combatant: Combatant,
    actor: Combatant,
    trigger: acts.Trigger,
    what: str,
    there: Square | None = None,
) -> bool:
    """Return whether a trigger is met: by the combatant that it names, friend or foe, otherwise by any enemy.

    With `there`, by a step that leaves the watched area.
    """
    if trigger.what != what:
        return False
    if not trigger.who:
        if actor.side == combatant.side:
            return False
    # A rider moves with its mount.
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
    """Return whether an actor at a square would be within the feet of a trigger, or its readier's reach."""
    if trigger.feet and at == actor.at:
        return distance(combatant, actor) <= trigger.feet
    if trigger.feet:
        return in_band(combatant.at, combatant.space, at, actor.space, 0, trigger.feet)
    return threatens(fight, combatant, actor, at)


def out_of_turn(fight: Fight, actor: Combatant, act: acts.Act) -> Steps[None]:
    """Carry out an act outside the actor's turn; one that is impossible is lost and noted."""
    resolver: Callable[[Fight, object], Steps[None]] = fight.dialect.acts[type(act)]
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
