"""Aid another in full: in melee, with a check, against what holds a friend (srd35.aid.*)."""

from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.words import nearest_word
from affray.engine.rules.classes.saves_and_checks import SKILLS, check, skill_parts
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, EffectEnded, EffectGained, Until
from affray.projections.state import Combatant

AID = ":aid"


def helper_and_friend(fight: Fight, act: acts.Aid) -> tuple[Combatant, Combatant]:
    """Return who helps whom. Refuses help for oneself, for an opponent, and from afar."""
    actor, friend = fight.combatant(act.actor), fight.combatant(act.friend)
    rule = fight.rule("srd35.aid.other-uses")
    if friend is actor or friend.side != actor.side:
        raise Refusal("one helps a friend", rule)
    if not next_to(actor, friend) and actor.mount != friend.id and actor.rider != friend.id:
        raise Refusal(f"{actor.id} is not at {friend.id}'s side", rule)
    return actor, friend


def with_check(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Make the same check as a friend will: reaching 10 gives it +2, until the helper's next turn.

    srd35.aid.another-save.
    """
    actor, friend = helper_and_friend(fight, act)
    topic = "srd35.aid.another-save"
    rules = fight.rules("srd35.aid.other-uses", topic)
    if not act.what:
        raise Refusal("help with a check names the skill", rules[0])
    if act.what not in SKILLS:
        near = nearest_word(act.what, SKILLS)
        raise Refusal(f"there is no skill {act.what!r}" + (f", but {near!r}" if near else ""), rules[0])
    yield spending(fight, actor, "standard", f"aid with {act.what}", *rules)
    parts = skill_parts(fight, actor, act.what, SKILLS[act.what], rules[1])
    dc = fight.figure(topic, "dc")
    if not (yield from check(fight, actor, act.what, parts, dc, *rules, why=f"to help {friend.id}")):
        return
    yield EffectGained(
        who=friend.id,
        id=f"{fight.declaration}{AID}",
        stat=f"check.{act.what}",
        modifier=fight.modifier(topic, "bonus", kind="circumstance", source=f"aid from {actor.id}"),
        until=Until("turn-start", actor.id, fight.state.round + 1),
        uses=1,
        cites=rules[1:],
    )


def with_condition(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Help a friend whom something holds; whether that ends it the game master says.

    srd35.aid.other-uses.
    """
    actor, friend = helper_and_friend(fight, act)
    rule = fight.rule("srd35.aid.other-uses")
    if act.what not in friend.conditions:
        raise Refusal(f"{friend.id} is not {act.what or 'in need of help'}", rule)
    yield spending(fight, actor, "standard", f"aid against {act.what}", rule)
    source = friend.conditions[act.what].source
    question = f"{actor.id} helps {friend.id}, who is {act.what} ({source}): does that end it?"
    if (yield Choice("", "aid", question, ("ends", "lasts"), rule)) == "ends":
        yield ConditionLost(who=friend.id, condition=act.what, why=f"aid from {actor.id}", cites=(rule,))


def cite_aid_to_attack(fight: Fight, blow: Blow) -> None:
    """Cite that several helpers of the attacker add up where they do (srd35.aid.stacks)."""
    if helpers(blow.attacker, "attack", blow.target) > 1:
        blow.cites.append(fight.rule("srd35.aid.stacks"))


def cite_aid_to_defense(fight: Fight, blow: Blow) -> None:
    """Cite that several helpers of the target add up where they do (srd35.aid.stacks)."""
    if helpers(blow.target, "defense", blow.attacker) > 1:
        blow.cites.append(fight.rule("srd35.aid.stacks"))


def helpers(helped: Combatant, stat: str, opponent: Combatant) -> int:
    """Return how many help a combatant's attack or defense against an opponent."""
    return sum(
        one.stat == stat and one.id.endswith(AID) and one.against == opponent.id for one in helped.effects
    )


def cite_lapsed_aid(fight: Fight, combatant: Combatant, opening: Steps[None]) -> Steps[None]:
    """Begin a turn; help that lapses unused as it begins cites its rule (srd35.aid.expiry)."""

    def cited(fact: Any) -> Any:
        if type(fact) is EffectEnded and fact.id.endswith(AID):
            return replace(fact, cites=(*fact.cites, fight.rule("srd35.aid.expiry")))
        return fact

    return altered(opening, cited)
