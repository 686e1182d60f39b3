"""Aid another in full: in melee, with a check, against what holds a friend (srd35.aid.*)."""

from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.aid_with_check import AID, helper_and_friend, provoke_as_helped
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, EffectEnded
from affray.projections.state import Combatant


def with_condition(fight: Fight, act: acts.Aid) -> Steps[None]:
    """Help a friend whom something holds; whether that ends it the game master says.

    srd35.aid.other-uses.
    """
    actor, friend = helper_and_friend(fight, act)
    rule = fight.rule("srd35.aid.other-uses")
    if act.what not in friend.conditions:
        reason = f"{friend.id} is not {act.what}" if act.what else "no condition to help against is named"
        raise Refusal(reason, rule)
    yield spending(fight, actor, "standard", f"aid against {act.what}", rule)
    yield from provoke_as_helped(fight, actor, "", f"helps against {act.what}")
    if is_down(fight, actor):
        return
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
