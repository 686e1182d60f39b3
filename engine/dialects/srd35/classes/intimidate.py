"""Demoralizing an opponent, and picking its pockets (srd35.skill.intimidate, srd35.skill.sleight)."""

from affray.engine.dialects.srd35.maneuvers.opposed_checks import opposed
from affray.engine.dialects.srd35.senses.concealment import look
from affray.engine.dialects.srd35.senses.hide import spot_parts
from affray.engine.fight import Fight
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import ability, size_step
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ItemChanged, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier

FEAR, SLEIGHT = "skill.intimidate", "skill.sleight"


def demoralize(fight: Fight, act: acts.Demoralize) -> Steps[None]:
    """Shake an opponent within reach that sees the actor, for a round (srd35.skill.intimidate)."""
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(FEAR)
    refuse_unless_allowed(fight, who, "standard")
    if not threatens(fight, who, target):
        raise Refusal(f"{who.id} does not threaten {target.id}", rule)
    if look(fight, target, who, True).unseen:
        raise Refusal(f"{target.id} does not see {who.id}", rule)
    yield spending(fight, who, "standard", "demoralize", rule)
    immune = fight.dialect.conditions.immune_mind(fight, target, "shaken")
    if immune:
        yield RuleApplied(who=target.id, what="immune: not shaken", cites=immune)
        return
    mine = skill_parts(fight, who, "intimidate", "cha", rule)
    steps = size_step(who) - size_step(target)
    if steps:
        source = "larger" if steps > 0 else "smaller"
        mine.append(Modifier(fight.figure(FEAR, "size") * steps, "size difference", source, rule))
    theirs = [
        Modifier(target.sheet.hit_dice, "level", "level or Hit Dice", rule),
        Modifier(max(0, ability(target.sheet, "wis")), "ability", "Wisdom", rule),
        *fight.dialect.classes.save_against_condition(fight, target, "shaken"),
    ]
    contest = yield from opposed(fight, "demoralize", Side(who, mine), Side(target, theirs), rule)
    if contest.won:
        until = Until("turn-start", who.id, fight.state.round + fight.figure(FEAR, "rounds"))
        yield ConditionGained(who=target.id, condition="shaken", source=who.id, until=until, cites=(rule,))


def pilfer(fight: Fight, act: acts.Pilfer) -> Steps[None]:
    """Take something from somebody: a standard action, or in passing at a penalty (srd35.skill.sleight).

    Whether it comes away is one thing; that the owner notices depends on its Spot.
    """
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(SLEIGHT)
    check_turn(fight, who)
    if not act.fast:
        refuse_unless_allowed(fight, who, "standard")
    if not next_to(who, target):
        raise Refusal(f"{target.id} is out of {who.id}'s reach", rule)
    if act.item in target.held:
        raise Refusal(f"{target.id} holds the {act.item}", rule)
    if not act.fast:
        yield spending(fight, who, "standard", "sleight of hand", rule)
    parts = skill_parts(fight, who, "sleight of hand", "dex", rule)
    if act.fast:
        parts.append(fight.modifier(SLEIGHT, "free_penalty", kind="penalty", source="as a free action"))
    lift = fight.figure(SLEIGHT, "lift")
    by = yield from check_by(fight, who, "sleight of hand", parts, lift, rule, why=f"to take the {act.item}")
    spotted = yield from check_by(
        fight,
        target,
        "spot",
        list(spot_parts(fight, target, who)),
        lift + by,
        rule,
        why="to notice the theft",
    )
    if by >= 0:
        yield ItemChanged(who=target.id, item=act.item, state="gone", cites=(rule,))
    what = f"notices {who.id}'s hand" if spotted >= 0 else "notices nothing"
    yield RuleApplied(who=target.id, what=what, cites=(rule,))
