"""Using feats, skills and special abilities that no rule of their own describes (woa.use-*)."""

from typing import Any

from affray.engine.dialects.woa.classes.skill_checks import called_check
from affray.engine.dialects.woa.turns.declared_actions import unused_plans
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat, has_named
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, stands_for
from affray.engine.rules.turns.readiable import READIED
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

FREE = "free"


def declared_type(combatant: Combatant, name: str) -> str:
    """Return the type of action under which such a use was declared, "free" if it was not."""
    return next((type_ for _, (type_, what, _) in unused_plans(combatant) if what == name), FREE)


def action_of_use(fight: Fight, combatant: Combatant, name: str, topic: str) -> str:
    """Return the action that a use takes; refuse it where the turn leaves none."""
    check_turn(fight, combatant)
    if fight.readied == combatant.id:
        return READIED
    kind = declared_type(combatant, name)
    if kind != FREE:
        refuse_unless_allowed(fight, combatant, kind)
    return kind


def spend_described_action(
    fight: Fight, combatant: Combatant, kind: str, what: str, topic: str
) -> Steps[bool]:
    """Spend the action of a use, if the game master finds it described so; return whether it is.

    What was not declared takes no action, or cannot be done now.
    """
    rule = fight.rule(topic)
    action = "no action" if kind == FREE else f"a {kind} action"
    question = f"{combatant.id} means to {what} as {action}: does its description say so?"
    if (yield Choice("", "use", question, ("allow", "refuse"), rule)) != "allow":
        yield RuleApplied(who=combatant.id, what=f"cannot {what} so", cites=(rule,))
        return False
    cites = (rule, *stands_for(fight, combatant, kind))
    yield ActionSpent(who=combatant.id, kind=kind, what=what, cites=cites)
    return True


def refuse_unlearned(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse a use of a feat, a skill or an ability that the sheet has not (woa.use-feat, woa.use-skill).

    woa.use-special-ability.
    """
    if isinstance(act, acts.UseFeat) and not has_feat(actor, act.feat):
        raise unknown_word(f"feat of {actor.id}", act.feat, actor.sheet.feats, fight.rule("use-feat"))
    if isinstance(act, acts.UseAbility) and not has_named(actor.sheet, act.ability):
        raise unknown_word(f"ability of {actor.id}", act.ability, (), fight.rule("use-special-ability"))
    if isinstance(act, acts.UseSkill) and act.skill not in actor.sheet.skills:
        raise unknown_word(
            f"skill that {actor.id} is trained in", act.skill, actor.sheet.skills, fight.rule("use-skill")
        )


def use_feat(fight: Fight, act: acts.UseFeat) -> Steps[None]:
    """Use a feat that grants a combat action of its own (woa.use-feat)."""
    actor = fight.combatant(act.actor)
    topic = "use-feat"
    refuse_unlearned(fight, actor, act)
    kind = action_of_use(fight, actor, "use-feat", topic)
    yield from spend_described_action(fight, actor, kind, f"use the feat {act.feat}", topic)


def use_described_ability(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Use a special ability of the sheet, as its description says (woa.use-special-ability)."""
    actor = fight.combatant(act.actor)
    topic = "use-special-ability"
    refuse_unlearned(fight, actor, act)
    if act.target:
        raise Refusal(f"no rule says what {act.ability} does to a target: name none", fight.rule(topic))
    kind = action_of_use(fight, actor, "use-ability", topic)
    yield from spend_described_action(fight, actor, kind, f"use {act.ability}", topic)


def use_skill(fight: Fight, act: acts.UseSkill) -> Steps[None]:
    """Use a skill as its description says: a check against the DC of the task (woa.use-skill)."""
    actor = fight.combatant(act.actor)
    topic = "use-skill"
    refuse_unlearned(fight, actor, act)
    kind = action_of_use(fight, actor, "use-skill", topic)
    if not (yield from spend_described_action(fight, actor, kind, f"use {act.skill}", topic)):
        return
    yield from called_check(fight, actor, act.skill, act.dc, f"to use {act.skill}")
