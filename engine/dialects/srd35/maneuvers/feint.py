"""Feint: Bluff against Sense Motive for one blow without the target's Dexterity."""

from affray.engine.dialects.srd35.classes import favored_enemy
from affray.engine.dialects.srd35.maneuvers.opposed_checks import beats_opposed
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import score_now
from affray.engine.rules.classes.natures import is_mindless
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.sides import refuse_no_opponent
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

HUMANOIDS = ("humanoid", "monstrous humanoid")
ANIMAL = 2


def feint(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Mislead an opponent: a standard action, a move action with Improved Feint, which does not provoke.

    If Bluff beats Sense Motive and base attack bonus, the feinter's next melee attack on the target, until
    the end of its next turn, denies the target its Dexterity bonus (srd35.feint.*).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.feint.action")
    quick = has_feat(actor, "improved feint")
    kind = str(fight.figure("srd35.feint.improved", "action_with_feat")) if quick else "standard"
    refuse_no_opponent(actor, target, rule, "to mislead")
    refuse_down(fight, target, "be misled")
    if is_mindless(target):
        raise Refusal(f"{target.id} has no mind to mislead", fight.rule("srd35.feint.nonhumanoid"))
    learned = fight.rules("srd35.feint.improved", "srd35.feat.improved-feint") if quick else ()
    yield spending(fight, actor, kind, "feint", rule, fight.rule("srd35.skill.bluff-feint"), *learned)
    yield RuleApplied(who=actor.id, what="a feint does not provoke", cites=fight.rules("srd35.feint.no-aoo"))
    strange = penalty_by_kind(fight, target)
    bluff = [
        *skill_parts(fight, actor, "bluff", "cha", rule),
        *favored_enemy.check_bonus_against(fight, actor, target, "bluff"),
        *strange,
    ]
    sense = [
        *skill_parts(fight, target, "sense motive", "wis", rule),
        *favored_enemy.check_bonus_against(fight, target, actor, "sense motive"),
        Modifier(target.sheet.base_attack, "base", "base attack bonus", rule),
    ]
    contest = yield from beats_opposed(
        fight,
        "feint",
        side_of(fight, actor, "bluff", bluff),
        side_of(fight, target, "sense motive", sense),
        rule,
        *(part.rule for part in strange),
    )
    if not contest.won:
        return
    effect = fight.rule("srd35.feint.effect")
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:feint",
        stat="denies-dexterity",
        modifier=Modifier(0, "feint", "feint", effect),
        until=Until("turn-end", actor.id, fight.state.round + 1),
        against=target.id,
        uses=1,
        cites=(effect,),
    )


def penalty_by_kind(fight: Fight, target: Combatant) -> list[Modifier]:
    """Return the penalty for feinting at a creature that is no humanoid, or has an animal's mind."""
    mind = score_now(fight, target, "int")
    if mind is not None and mind <= ANIMAL:
        return [
            fight.modifier("srd35.feint.nonhumanoid", "int_1_2", kind="penalty", source="animal Intelligence")
        ]
    if target.sheet.kind in HUMANOIDS:
        return []
    return [fight.modifier("srd35.feint.nonhumanoid", "nonhumanoid", kind="penalty", source="no humanoid")]
