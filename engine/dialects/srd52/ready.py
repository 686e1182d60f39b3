"""Ready: an action, or a movement, to be taken as a Reaction right after its trigger."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52.classes import fields_of
from affray.engine.dialects.srd52.conditions import incapacitating
from affray.engine.dialects.srd52.features import ask
from affray.engine.dialects.srd52.position import within
from affray.engine.dialects.srd52.printed import matches, routines
from affray.engine.dialects.srd52.senses import sees
from affray.engine.fight.fight import Fight
from affray.engine.kernel.actions import is_permitted, spend
from affray.engine.steps import Choice, Refusal, Steps, onward
from affray.events.facts import acts
from affray.events.facts.flow import ActReadied, ReactionSpent, ReadyEnded
from affray.projections.state import Combatant

MOVES: Final = "moves"
ATTACKS: Final = "attacks"
CASTS: Final = "casts"
"""The triggers of a readied act; a casting calls `respond` with this."""

REACTION: Final = (
    *("turns.reaction", "turns.reaction-limit", "turns.reaction-timing", "turns.reaction-interrupt"),
)
"""The rules on Reactions."""


OPPORTUNITY: Final = "opportunity"
"""The kind of the Reactions that are Opportunity Attacks."""


def can_react(fight: Fight, combatant: Combatant, kind: str = "") -> bool:
    """Return whether a combatant has its Reaction (srd52.turns.reaction-limit).

    Some have more that are only for Opportunity Attacks; those are used first.
    """
    able = all(function(fight, held) for function, held in ask(fight, combatant, "reacts"))
    if not able or "surprised" in combatant.conditions or incapacitating(combatant):
        return False
    most, used = fight.figure("turns.reaction-limit", "max"), combatant.reactions
    if not used:
        return True
    more = sum(function(fight, held) for function, held in ask(fight, combatant, "more_opportunities"))
    attacks = used.get(OPPORTUNITY, 0)
    if kind == OPPORTUNITY and attacks < more:
        return True
    return bool(sum(used.values()) - min(attacks, more) < most)


def can_oppose(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant has a Reaction for an Opportunity Attack."""
    return can_react(fight, combatant, OPPORTUNITY)


def ready(fight: Fight, act: acts.Ready) -> Steps[None]:
    """Name a trigger, and the action or the movement that follows it: that takes the action of the turn."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.ready")
    fact = readied(fight, actor, act, rule)
    yield spend(fight, actor, "action", "ready", rule)
    yield fact


def readied(fight: Fight, actor: Combatant, act: acts.Ready, *cites: str) -> ActReadied:
    """Return the fact that an act is readied. Refuses what is no action or movement of the actor."""
    rule, then = fight.rule("turns.ready"), fight.dialect.understood(act.then)
    if then.actor not in ("", actor.id):
        raise Refusal(f"{actor.id} cannot ready an act of {then.actor}", rule)
    movement = isinstance(then, acts.Move)
    if not movement and fight.dialect.kernel.action_type(fight, actor, then) != "action":
        reason = f"{str(then.__struct_config__.tag)!r} is no action that can be readied"
        raise Refusal(reason, fight.rule("turns.actions"))
    if act.trigger.who:
        fight.combatant(act.trigger.who)
    return ActReadied(who=actor.id, act=replace(act, then=replace(act.then, actor=actor.id)), cites=cites)


def lapse(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End what a combatant had readied: its next turn begins."""
    if combatant.readied is not None:
        yield ReadyEnded(who=combatant.id, how="lapsed", cites=fight.rules("turns.ready"))


# --- The trigger and the response


def waiting_for(
    fight: Fight, what: str, who: Combatant, at: tuple[int, int] | None = None
) -> list[Combatant]:
    """Return the combatants whose trigger this is: an act that they see, or a movement within their range.

    A movement counts as it comes to a square, `at`, if the combatant is not there yet.
    """
    found = []
    for one in fight.state.combatants.values():
        if one.readied is None or one.id == who.id or not can_react(fight, one):
            continue
        trigger = one.readied.trigger
        named = trigger.who == who.id if trigger.who else who.side != one.side
        near = what != MOVES or within(who, one, trigger.feet or one.reach, at)
        if trigger.what == what and named and near and sees(fight, one, who):
            found.append(one)
    return found


def respond(fight: Fight, what: str, who: Combatant) -> Steps[None]:
    """Let others take what they have readied, right after its trigger has finished, or ignore it."""
    for one in waiting_for(fight, what, who):
        yield from take(fight, one, f"{who.id} {what}")


def take(fight: Fight, one: Combatant, trigger: str) -> Steps[None]:
    """Ask whether a readied act is taken, and carry it out as a Reaction; nothing if it is impossible now."""
    assert one.readied is not None
    rule, said = fight.rule("turns.ready-timing"), fight.dialect.understood(one.readied.then)
    outer = fight.scope, fight.readied, fight.doing
    fight.scope, fight.readied = f"reaction:{one.id}", one.id
    try:
        steps = begin(fight, one, said)
        if steps is None:
            return
        question = f"{trigger}: does {one.id} take what it has readied?"
        if (yield Choice(one.id, "ready", question, ("take", "ignore"), rule)) == "ignore":
            steps.close()
            return
        cites = (rule, *fight.rules(*REACTION))
        yield ReactionSpent(who=one.id, kind="ready", against="", opportunity="", cites=cites)
        yield ReadyEnded(who=one.id, how="triggered", cites=(rule,))
        yield from steps
        for act in further(fight, one, said):
            again = begin(fight, one, act)
            if again is not None:
                yield from again
    finally:
        fight.scope, fight.readied, fight.doing = outer


def begin(fight: Fight, one: Combatant, act: acts.Act) -> Steps[None] | None:
    """Return the steps of a readied act, or None if the rules refuse it now."""
    if not is_permitted(fight, act):
        return None
    fight.doing = act
    steps = fight.dialect.acts[type(act)](fight, act)
    try:
        return onward(steps, next(steps))
    except Refusal:
        return None


def further(fight: Fight, one: Combatant, act: acts.Act) -> Iterator[acts.Attack]:
    """Yield the attacks that follow a readied one: those of Multiattack, not those of Extra Attack.

    Extra Attack speaks of the own turn.
    """
    own, reading = fields_of(fight, one), fight.option("readied_attacks")
    if not isinstance(act, acts.Attack) or reading == "one-for-all":
        return
    weapon = act.weapon or (one.held[0] if one.held else "")
    slots = next((some for some in routines(own.multiattack) if matches(some, [weapon])), ())
    left = [slot[0] for slot in slots]
    if left:
        left.remove(weapon if weapon in left else left[0])
    elif reading == "full-for-all":
        left = [act.weapon] * (own.attacks - 1)
    for name in left:
        yield replace(act, weapon=name)
