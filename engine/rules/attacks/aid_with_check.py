"""Helping a friend with a skill check (srd35.aid.other-uses, srd35.aid.another-save, pf1.aid-another)."""

from collections.abc import Callable, Mapping
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.words import nearest_word
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.position.line_of_effect import side_by_side
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.projections.state import Combatant

#: How the effects of help end.
AID: Final = ":aid"


def helper_and_friend(fight: Fight, act: acts.Aid) -> tuple[Combatant, Combatant]:
    """Return who helps whom. Refuses help for oneself, for an opponent, and from afar.

    srd35.aid.other-uses, pf1.aid-another.
    """
    actor, friend = fight.combatant(act.actor), fight.combatant(act.friend)
    rule = fight.rule("aid.other-uses")
    if friend is actor or friend.side != actor.side:
        raise Refusal("one helps a friend", rule)
    if not side_by_side(fight, actor, friend) and actor.mount != friend.id and actor.rider != friend.id:
        raise Refusal(f"{actor.id} is not at {friend.id}'s side", rule)
    return actor, friend


def with_check_of(skills: Mapping[str, str]) -> Callable[[Fight, acts.Aid], Steps[None]]:
    """Return what helps with a check of one of a dialect's skills, given with the ability behind each."""

    def with_check(fight: Fight, act: acts.Aid) -> Steps[None]:
        """Make the same check as a friend will: reaching 10 gives it +2, until the helper's next turn.

        srd35.aid.another-save, pf1.aid-another.
        """
        actor, friend = helper_and_friend(fight, act)
        topic = "aid.another-save"
        rules = tuple(dict.fromkeys(fight.rules("aid.other-uses", topic)))
        if not act.what:
            raise Refusal("help with a check names the skill", rules[0])
        if act.what not in skills:
            near = nearest_word(act.what, skills)
            raise Refusal(f"there is no skill {act.what!r}" + (f", but {near!r}" if near else ""), rules[0])
        yield spending(fight, actor, "standard", f"aid with {act.what}", *rules)
        parts = skill_parts(fight, actor, act.what, skills[act.what], rules[-1])
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
            cites=rules[-1:],
        )

    return with_check
