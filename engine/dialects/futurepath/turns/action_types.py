"""Determine the type of action of each declaration in futurepath, where an attack action is the standard one.

futurepath.table.actions.*, futurepath.action.ready.what
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.contested import in_force, old_only
from affray.engine.dialects.futurepath.movement import LOW
from affray.engine.dialects.futurepath.turns.flow import provokes_by_row
from affray.engine.fight.fight import Fight
from affray.engine.record.chapters import NO_ACTION as chapters_NO_ACTION
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.rules.gear.hands import held_weapons
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.rules.turns import actions
from affray.engine.rules.turns.actions import (
    COMMON,
    FREE,
    FULL_ROUND,
    HALF,
    MOVE,
    STANDARD,
    ActionType,
    begun_effect,
    name_of,
    refuse_no_half,
    spend_half,
    spending,
)
from affray.engine.steps import Choice, Refusal, Steps, onward, reciting
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent, ActReadied, RuleApplied, TurnDelayed
from affray.projections.state import Combatant

#: Names of the types of action in the text, by their names here.
NAMES: Final[Mapping[str, str]] = {"attack": STANDARD}


def of_dropping(fight: Fight, combatant: Combatant, act: acts.Drop) -> str:
    """Return the action of dropping: going down takes longer in low gravity.

    futurepath.action.drop-prone.low-gravity
    """
    return STANDARD if act.item in LOW and fight.option("gravity") == "low" else FREE


def of_attacking(fight: Fight, combatant: Combatant, act: acts.Attack) -> str:
    """Return the action of an attack: aiming at a thing takes the full round.

    futurepath.object.attack.full-round-immobile
    """
    return FULL_ROUND if act.aim else STANDARD


def of_defending(fight: Fight, combatant: Combatant, act: acts.TotalDefense) -> str:
    """Return the action of total defense: move, or by the old reading an attack action."""
    return MOVE if fight.option("total_defense_action") == "move-action" else STANDARD


def of_grappling(fight: Fight, combatant: Combatant, act: acts.Grapple) -> str:
    """Return the action of a grapple option: an attack, but a move action for drawing a light weapon."""
    return MOVE if act.what == "draw" else STANDARD


def of_first_aid(fight: Fight, combatant: Combatant, act: acts.Stabilize) -> str:
    """Return the action of first aid: a full round, by the old rules an attack action."""
    return STANDARD if old_only(fight) else FULL_ROUND


def of_reloading(fight: Fight, combatant: Combatant, act: acts.Load) -> str:
    """Return the action of reloading: an internal magazine takes the full round.

    futurepath.action.reload.internal-magazine
    """
    weapons = combatant.sheet.weapons
    internal = any(one.name == act.item and "internal-magazine" in one.traits for one in weapons)
    return FULL_ROUND if internal else actions.of_loading(fight, combatant, act)


TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Dismiss: FREE,
    # A move with the attack action in it, or a charge: more than can be readied.
    acts.BullRush: FULL_ROUND,
    acts.Overrun: FULL_ROUND,
    acts.Trip: STANDARD,
    acts.Disarm: STANDARD,
    acts.Grapple: of_grappling,
    acts.Attack: of_attacking,
    acts.Burst: STANDARD,
    acts.Drop: of_dropping,
    acts.Extinguish: FULL_ROUND,
    acts.Feint: STANDARD,
    acts.KnockoutBlow: FULL_ROUND,
    acts.Load: of_reloading,
    acts.Prepare: MOVE,
    acts.Repair: chapters_NO_ACTION,
    acts.Sunder: STANDARD,
    acts.Speak: lambda fight, speaker, act: FULL_ROUND if act.converse else FREE,
    acts.Split: STANDARD,
    acts.Stabilize: of_first_aid,
    acts.Stunt: STANDARD,
    acts.TotalDefense: of_defending,
    acts.UseAbility: STANDARD,
    acts.UseFeat: STANDARD,
    acts.UseSkill: STANDARD,
}


def readiable(fight: Fight) -> tuple[tuple[str, ...], str]:
    """Return the types of action that can be readied, and the rule: an attack or a move action (ready_what).

    By the narrower reading only an attack action (futurepath.action.ready.split, .is-attack-action).
    """
    if fight.option("ready_what") == "attack-only":
        return (STANDARD,), fight.rule("futurepath.action.ready.split")
    named = fight.figure("futurepath.action.ready.what")
    return tuple(NAMES.get(one, one) for one in named), fight.rule("futurepath.action.ready.what")


# --- Delaying and readying in Futurepath: their names, and that neither provokes

#: A combatant may act later than its initiative, at a better moment or in answer to another's act.
SPECIAL = "futurepath.initiative.special-actions"
NO_ACTION = "futurepath.table.actions.no-action.legacy"


def report_ready(fight: Fight, act: acts.Ready, readying: Steps[None]) -> Steps[None]:
    """Ready an act, which provokes nothing; the readied act may provoke.

    futurepath.action.ready.aoo, futurepath.initiative.special-actions, futurepath.table.actions.attack
    """
    yield from reciting(readying, ActReadied, fight.rule(SPECIAL))
    provokes, table = provokes_by_row(
        fight, "futurepath.table.actions.attack", "ready (triggers an attack action)"
    )
    if not provokes:
        cites = (*fight.rules("futurepath.action.ready.aoo"), table)
        yield from told_safe(fight, fight.combatant(act.actor), "readying", cites)


def report_delay(fight: Fight, act: acts.Delay, delaying: Steps[None]) -> Steps[None]:
    """Delay, which provokes nothing.

    futurepath.initiative.special-actions, futurepath.table.actions.varies,
    futurepath.table.actions.no-action.legacy
    """
    first: object = next(delaying)
    provokes, table = provokes_by_row(fight, in_force(fight, NO_ACTION, {"row": "delay"}), "delay")
    if not provokes:
        yield from told_safe(fight, fight.combatant(act.actor), "delaying", (table,))
    yield from reciting(onward(delaying, first), TurnDelayed, fight.rule(SPECIAL))


def told_safe(fight: Fight, actor: Combatant, what: str, cites: tuple[str, ...]) -> Iterator[RuleApplied]:
    """Report for each enemy that threatens an actor that its act does not provoke."""
    for enemy in fight.enemies(actor):
        if endangers(fight, enemy, actor):
            yield RuleApplied(who=actor.id, what=f"{what} does not provoke from {enemy.id}", cites=cites)


# --- Speech and gestures: free at any time, but at most two seconds of words and one gesture a round

#: The names for what is counted between two turns of a combatant: sentences said, and gestures made.
SENTENCES, GESTURES = "sentences", "gestures"
SENTENCE = re.compile(r"\w[^.!?]*")


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Speak, also out of turn or during a full-round action; it does not count as a free action.

    Everything said from turn to turn must fit into two seconds: beyond a first sentence the game master
    decides. By the old rules a sentence or two are free.

    futurepath.action.speak, futurepath.action.speak.limit, futurepath.action.speak.out-of-turn,
    futurepath.action.speak.during-full-round, futurepath.action.free.examples.legacy.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("futurepath.action.speak")
    refuse_down(fight, actor, "speak")
    if act.converse:
        return converse(fight, act, actor)
    return gesture(fight, act, actor) if act.gesture else say(fight, act, actor, rule)


def converse(fight: Fight, act: acts.Speak, actor: Combatant) -> Steps[None]:
    """Take part in a longer conversation: a full-round action, until the next turn.

    futurepath.action.speak.conversation-full-round.
    """
    rule = fight.rule("futurepath.action.speak.conversation-full-round")
    yield spending(fight, actor, "full-round", "converse", rule)
    until = Until("turn-start", actor.id, fight.state.round + 1)
    yield ConditionGained(
        who=actor.id, condition="conversing", source="conversation", until=until, cites=(rule,)
    )
    yield RuleApplied(who=actor.id, what=f"says: {act.words}", cites=(rule,))


def say(fight: Fight, act: acts.Speak, actor: Combatant, rule: str) -> Steps[None]:
    """Speak, if the game master finds that it fits into the rest of the round's two seconds."""
    if old_only(fight):
        yield RuleApplied(who=actor.id, what=f"says: {act.words}", cites=(rule,))
        return
    topics = []
    if fight.state.active and fight.state.active != actor.id:
        topics.append("futurepath.action.speak.out-of-turn")
    if actor.spent.get("full-round"):
        topics.append("futurepath.action.speak.during-full-round")
    cites = (rule, *fight.rules(*topics))
    many = len(SENTENCE.findall(act.words))
    if many + actor.spent.get(SENTENCES, 0) > 1:
        limit = fight.rule("futurepath.action.speak.limit")
        seconds = fight.figure("futurepath.action.speak.limit", "seconds_per_round")
        question = f"does all that {actor.id} says this round fit into {seconds} seconds?"
        if (yield Choice("", "speech", question, ("fits", "too much"), limit)) == "too much":
            yield RuleApplied(who=actor.id, what=f"has no time to say: {act.words}", cites=(limit,))
            return
        cites = (*cites, limit)
    yield ActionSpent(who=actor.id, kind=SENTENCES, what="speak", amount=many, cites=cites)
    yield RuleApplied(who=actor.id, what=f"says: {act.words}", cites=cites)


def gesture(fight: Fight, act: acts.Speak, actor: Combatant) -> Steps[None]:
    """Communicate by a gesture: once a round, and not with both hands in an attack.

    It uses up no words (futurepath.action.gesture).
    """
    rule = fight.rule("futurepath.action.gesture")
    most = fight.figure("futurepath.action.gesture", "gestures_per_round")
    if actor.spent.get(GESTURES, 0) >= most:
        raise Refusal(f"{actor.id} has made a gesture this round", rule)
    attacks = actor.spent.get("standard") or actor.spent.get("full-round")
    if attacks and any(weapon.hands > 1 for weapon in held_weapons(actor)):
        raise Refusal(f"{actor.id} attacks with both hands this round and has no hand for a gesture", rule)
    yield ActionSpent(who=actor.id, kind=GESTURES, what="gesture", cites=(rule,))
    yield RuleApplied(who=actor.id, what=f"signs: {act.words}", cites=(rule,))


# --- A full-round action over two rounds in Futurepath: begun in one turn, completed in the next

TOPIC = "futurepath.action.start-complete-full-round"


def start_or_complete(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with an attack action, or complete one with another.

    Full attacks, charges, runs and withdrawals cannot be split (futurepath.action.start-complete-full-round,
    futurepath.action.start-complete.exclusions).
    """
    actor = fight.combatant(act.actor)
    then = replace(act.then, actor=actor.id)
    excluded = "futurepath.action.start-complete.exclusions"
    if name_of(then) in fight.figure(excluded):
        raise Refusal(f"a {name_of(then)} cannot be split", fight.rule(excluded))
    rule = fight.rule(TOPIC)
    refuse_no_half(fight, actor, then, rule)
    first = begun_effect(actor, then)
    yield from spend_half(fight, actor, then, rule, first)


def refuse_out_of_turn(fight: Fight, combatant: Combatant, act: acts.Ready) -> None:
    """Refuse to ready half an action: it is begun when the combatant's turn ends, completed when the next
    begins.

    futurepath.action.start-complete-full-round
    """
    if isinstance(act.then, acts.Split):
        reason = f"{combatant.id} can begin or complete half an action only on its own turn"
        raise Refusal(reason, fight.rule(TOPIC))


def refuse_before_completing(fight: Fight, combatant: Combatant, act: acts.Act) -> None:
    """Refuse other actions to a combatant that has begun a full-round action: it must complete it first.

    Non-actions and free actions are allowed as usual (futurepath.action.start-complete.must-complete).
    """
    half = next((one for one in combatant.effects if one.stat == HALF), None)
    if half is None:
        return
    # An act being split is checked by itself, as the second half of the begun action.
    meant = fight.doing if isinstance(fight.doing, acts.Split) else act
    if isinstance(meant, acts.Split):
        if begun_effect(combatant, replace(meant.then, actor=combatant.id)) is not None:
            return
    elif not isinstance(act, acts.Ready) and not takes_action(fight, combatant, act):
        return
    reason = f"{combatant.id} must first complete the full-round action that it has begun"
    raise Refusal(reason, fight.rule("futurepath.action.start-complete.must-complete"))


def takes_action(fight: Fight, combatant: Combatant, act: acts.Act) -> bool:
    """Return whether a declaration takes an attack, a move or a full-round action."""
    known = type(act) in TABLE
    return known and fight.dialect.turns.action_type(fight, combatant, act) in (STANDARD, MOVE, FULL_ROUND)


# --- Total defense allows nothing else except moving (futurepath.action.total-defense)

#: Attacks, and acts in place of one.
ATTACKS: Final = (
    *(acts.Attack, acts.FullAttack, acts.Aid, acts.Burst, acts.Charge, acts.Disarm, acts.Grapple),
    *(acts.BullRush, acts.CoupDeGrace, acts.Feint, acts.KnockoutBlow, acts.Overrun, acts.Sunder, acts.Trip),
)
#: Activities, with any type of action.
ACTIVITIES: Final = (acts.Cast, acts.Ready, acts.UseAbility, acts.UseFeat, acts.UseSkill)


def refuse_while_defending(fight: Fight, combatant: Combatant, act: acts.Act) -> None:
    """Refuse attacks and other activities in a round of total defense.

    The move action is left, and so are non-actions and free actions (futurepath.action.total-defense,
    futurepath.action.total-defense.timing).
    """
    if isinstance(act, ATTACKS):
        what = "cannot attack"
    elif isinstance(act, ACTIVITIES) or type_of_action(fight, combatant, act) in (STANDARD, FULL_ROUND):
        what = "can take only a move action"
    else:
        return
    rule = fight.rule("futurepath.action.total-defense")
    raise Refusal(f"{combatant.id} is in total defense and {what}", rule)


def type_of_action(fight: Fight, combatant: Combatant, act: acts.Act) -> str:
    """Return the type of action that a declaration takes, "" for a non-action."""
    return fight.dialect.turns.action_type(fight, combatant, act) if type(act) in TABLE else ""
