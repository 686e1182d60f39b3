"""Free actions and speech: on the fly, within reason, and what is too long to be free.

woa.action-type.free, woa.speak.*
"""

from affray.engine.dialects.woa.gear.draw_and_sheathe import is_hurled, refuse_unheld
from affray.engine.dialects.woa.gear.handling import hurl
from affray.engine.dialects.woa.position import posture
from affray.engine.dialects.woa.turns.declared_intents import is_long
from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.rules.turns.free_actions import is_reasonable
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant


def free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> ActionSpent:
    """Return the fact of a free action, chosen at the moment that it is taken (woa.declare.on-the-fly)."""
    ids = (*cites, *fight.rules("woa.action-type.free", "woa.declare.on-the-fly"))
    return ActionSpent(who=combatant.id, kind="free", what=what, cites=tuple(dict.fromkeys(ids)))


def spend_free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> Steps[bool]:
    """Spend a free action, if the game master finds that there is time for it; return whether there is."""
    if not (yield from is_reasonable(fight, combatant, what)):
        return False
    yield free_action(fight, combatant, what, *cites)
    return True


def drop(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Drop a held item, or into another posture: free actions (woa.items.drop, woa.posture.drop).

    The item lies at the feet or within reach; to hurl it farther off is a move action (woa.items.hurl).
    """
    actor = fight.combatant(act.actor)
    if is_hurled(actor, act):
        yield from hurl(fight, actor, act)
        return
    check_turn(fight, actor)
    if act.item in posture.POSTURES:
        posture.refuse_down(fight, actor, act.item)
        if act.to is not None:
            reason = f"{actor.id} drops {act.item} where it stands: name no square"
            raise Refusal(reason, fight.rule("woa.posture.drop"))
        if (yield from is_reasonable(fight, actor, f"drop {act.item}")):
            yield free_action(
                fight, actor, f"drop {act.item}", *fight.rules("woa.posture.drop", "woa.posture.states")
            )
            yield from posture.drop_into_posture(fight, actor, act.item)
        return
    rule = fight.rule("woa.items.drop")
    refuse_unheld(actor, act.item, rule)
    if (yield from is_reasonable(fight, actor, f"drop the {act.item}")):
        yield free_action(fight, actor, "drop", rule)
        yield from lose(fight, actor, act.item, "dropped", (rule,), act.to)
        if act.to is not None:
            x, y = act.to
            yield RuleApplied(who=actor.id, what=f"the {act.item} lies at {x},{y}", cites=(rule,))


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Say something: free and possible out of turn, but not while flat-footed.

    More than a sentence or two takes a whole round, or several: the game master says whether it is said
    (woa.speak.free, .flat-footed, .long).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.speak.free")
    refuse_down(fight, actor, "speak")
    if "flat-footed" in actor.conditions:
        raise Refusal(f"{actor.id} is flat-footed and cannot speak", fight.rule("woa.speak.flat-footed"))
    if is_long(fight, act):
        yield from speak_long(fight, actor, act)
        return
    cites = [rule]
    if fight.state.begun and fight.state.active == actor.id:
        cites.append(fight.rule("woa.declare.on-the-fly"))
    yield RuleApplied(who=actor.id, what=f"says: {act.words}", cites=tuple(cites))


def speak_long(fight: Fight, actor: Combatant, act: acts.Speak) -> Steps[None]:
    """Spend a round on speaking; the game master says whether all is said by its end (woa.speak.long)."""
    rule = fight.rule("woa.speak.long")
    yield spending(fight, actor, "full-round", "speak at length", rule)
    question = f"{actor.id} has much to say: does this round suffice?"
    answer = yield Choice("", "speech", question, ("said", "another round"), rule)
    what = f"says: {act.words}" if answer == "said" else "goes on speaking: it takes another round"
    yield RuleApplied(who=actor.id, what=what, cites=(rule,))
