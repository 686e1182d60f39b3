"""Helping a friend with a skill check (srd35.aid.other-uses, srd35.aid.another-save, pf1.aid-another)."""

from collections.abc import Callable, Mapping
from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.line_of_effect import side_by_side
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.sides import refuse_no_friend
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.projections.state import Combatant

#: How the effects of help end.
AID: Final = ":aid"
TABLE: Final = "actions-table.standard"
#: The row of the table on skills that have none of their own.
OTHER: Final = "Use skill that takes one action"


def helper_and_friend(fight: Fight, act: acts.Aid) -> tuple[Combatant, Combatant]:
    """Return who helps whom. Refuses help for oneself, for an opponent, and from afar.

    srd35.aid.other-uses, pf1.aid-another.
    """
    actor, friend = fight.combatant(act.actor), fight.combatant(act.friend)
    rule = fight.rule("aid.other-uses")
    refuse_no_friend(actor, friend, rule)
    if not side_by_side(fight, actor, friend) and actor.mount != friend.id and actor.rider != friend.id:
        raise Refusal(f"{actor.id} is not at {friend.id}'s side", rule)
    return actor, friend


def with_check_of(skills: Mapping[str, str]) -> Callable[[Fight, acts.Aid], Steps[None]]:
    """Return what helps with a check of one of a dialect's skills, given with the ability behind each."""

    def with_check(fight: Fight, act: acts.Aid) -> Steps[None]:
        """Make the same check as a friend will: reaching 10 gives it +2, until the helper's next turn.

        It provokes as the action does that it helps (srd35.aid.another-save, srd35.actions-table.standard,
        pf1.aid-another, pf1.actions-table.standard).
        """
        actor, friend = helper_and_friend(fight, act)
        topic = "aid.another-save"
        rules = tuple(dict.fromkeys(fight.rules("aid.other-uses", topic)))
        if act.what not in skills:
            known = did_you_mean(act.what, skills)
            reason = f"there is no skill {act.what!r}" if act.what else "no skill to help with is named"
            raise Refusal(f"{reason}{known}", rules[0])
        yield spending(fight, actor, "standard", f"aid with {act.what}", *rules)
        yield from provoke_as_helped(fight, actor, act.what, f"helps with {act.what}")
        if is_down(fight, actor):
            return
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


def provoke_as_helped(fight: Fight, helper: Combatant, skill: str, reason: str) -> Steps[None]:
    """Let those who threaten a helper strike if the action that it helps provokes.

    The table of actions says so of first aid; of most uses of a skill it says "usually", and the game master
    says whether this one does (srd35.actions-table.standard, pf1.actions-table.standard).
    """
    enemies = threatening(fight, helper)
    if not enemies:
        return
    rule = fight.rule(TABLE)
    rows = {row["action"]: row["provokes"] for row in fight.figure(TABLE)}
    provokes = next((said for row, said in rows.items() if f"({skill.title()})" in row), rows[OTHER])
    if provokes not in ("yes", "no"):
        question = f"{helper.id} {reason}: does what it helps with provoke?"
        provokes = yield Choice("", "provokes", question, ("yes", "no"), rule)
    if provokes == "yes":
        opportunity = f"aid:{fight.declaration}"
        yield from fight.dialect.opportunity.provoke(fight, helper, enemies, reason, opportunity, rule)
