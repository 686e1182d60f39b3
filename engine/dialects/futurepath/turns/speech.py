"""Speech and gestures: free at any time, but no more than two seconds of words and one gesture a round."""

import re

from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

#: What is counted between two turns of a combatant: sentences said, and gestures made.
SENTENCES, GESTURES = "sentences", "gestures"
SENTENCE = re.compile(r"\w[^.!?]*")


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Say something, also out of turn or in the midst of a full-round action; it counts as no free action.

    All that one says from turn to turn has to fit into two seconds: beyond a first sentence the game master
    says whether it does. By the old rules a sentence or two are free.

    futurepath.action.speak, futurepath.action.speak.limit, futurepath.action.speak.out-of-turn,
    futurepath.action.speak.during-full-round, futurepath.action.free.examples.legacy.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("futurepath.action.speak")
    refuse_down(fight, actor, "speak")
    return gesture(fight, act, actor) if act.gesture else say(fight, act, actor, rule)


def say(fight: Fight, act: acts.Speak, actor: Combatant, rule: str) -> Steps[None]:
    """Say it, if the game master finds that it fits into what is left of the round's two seconds."""
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
    """Tell something by a gesture: once a round, and not with both hands at an attack.

    It uses up no words (futurepath.action.gesture).
    """
    rule = fight.rule("futurepath.action.gesture")
    most = fight.figure("futurepath.action.gesture", "gestures_per_round")
    if actor.spent.get(GESTURES, 0) >= most:
        raise Refusal(f"{actor.id} has made a gesture this round", rule)
    attacks = actor.spent.get("standard") or actor.spent.get("full-round")
    if attacks and any(weapon.hands > 1 for weapon in held_weapons(actor)):
        raise Refusal(f"{actor.id} attacks with both hands this round and has none for a gesture", rule)
    yield ActionSpent(who=actor.id, kind=GESTURES, what="gesture", cites=(rule,))
    yield RuleApplied(who=actor.id, what=f"signs: {act.words}", cites=(rule,))
