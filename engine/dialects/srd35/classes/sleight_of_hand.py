"""Picking pockets (srd35.skill.sleight)."""

from affray.engine.dialects.srd35.senses.hide import spot_parts
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied

SLEIGHT = "srd35.skill.sleight"


def pick_pocket(fight: Fight, act: acts.Pilfer) -> Steps[None]:
    """Take something from a target: a standard action, or in passing at a penalty (srd35.skill.sleight).

    Whether it comes away is one thing; that the owner notices depends on its Spot.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(SLEIGHT)
    check_turn(fight, actor)
    if not next_to(actor, target):
        raise Refusal(f"{target.id} is out of {actor.id}'s reach", rule)
    if act.item in target.held:
        raise Refusal(f"{target.id} holds the {act.item}", rule)
    if not act.fast:
        yield spending(fight, actor, "standard", "sleight of hand", rule)
    parts = skill_parts(fight, actor, "sleight of hand", "dex", rule)
    if act.fast:
        parts.append(fight.modifier(SLEIGHT, "free_penalty", kind="penalty", source="as a free action"))
    lift = fight.figure(SLEIGHT, "lift")
    by = yield from check_by(
        fight, actor, "sleight of hand", parts, lift, rule, why=f"to take the {act.item}"
    )
    spotted = yield from check_by(
        fight,
        target,
        "spot",
        list(spot_parts(fight, target, actor)),
        lift + by,
        rule,
        why="to notice the theft",
    )
    if by >= 0:
        yield from lose(fight, target, act.item, "gone", (rule,))
    what = f"notices {actor.id}'s hand" if spotted >= 0 else "notices nothing"
    yield RuleApplied(who=target.id, what=what, cites=(rule,))
