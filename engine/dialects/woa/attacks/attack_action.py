"""The attack action out of combat (woa.attack.take-10)."""

from msgspec.structs import replace

from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import threatening
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied


def take_ten(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack as a full-round action as though the die showed 10.

    Not in combat and not while threatened; what else distracts or hurries is the game master's to say.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "woa.attack.take-10"
    rule = fight.rule(topic)
    number = fight.figure(topic, "die")
    if act.take != number:
        raise Refusal(f"an attack takes {number} or is rolled: it cannot take {act.take}", rule)
    if fight.state.begun and not fight.state.closed:
        raise Refusal(f"{actor.id} is in combat and cannot take {number} on an attack", rule)
    if any(not is_down(fight, enemy) for enemy in threatening(fight, actor)):
        raise Refusal(f"{actor.id} is threatened and cannot take {number}", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    blow.intent = replace(blow.intent, taken=number)
    blow.cites.append(rule)
    question = f"{actor.id} would take {number} on an attack: does anything distract or hurry it?"
    if (yield Choice("", "distracted", question, ("calm", "distracted"), rule)) != "calm":
        yield RuleApplied(who=actor.id, what=f"is distracted and cannot take {number}", cites=(rule,))
        return
    yield ActionSpent(who=actor.id, kind="full-round", what=f"attack, taking {number}", cites=(rule,))
    yield from fight.dialect.attacks.deliver(fight, blow)
