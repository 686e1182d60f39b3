"""Feint: Bluff for one blow without the target's Dexterity (pf1.feint, pf1.feat.improved-feint)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import ability_now, score_now
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.classes.natures import is_mindless
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.sides import refuse_no_opponent
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "pf1.feint"
FEAT: Final = "pf1.feat.improved-feint"
#: The most Intelligence that an animal has.
ANIMAL: Final = 2
#: The condition of whom a greater feint has misled.
MISLED: Final = "misled"
GREATER_FEINT: Final = "greater feint"


def feint(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Mislead an opponent: a standard action, a move action with Improved Feint, which provokes nothing.

    If it succeeds, the feinter's next melee attack on the target, until the end of its next turn, denies the
    target its Dexterity bonus; by Greater Feint everybody's do until its next turn begins.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(TOPIC)
    refuse_no_opponent(actor, target, rule, "to mislead")
    refuse_down(fight, target, "be misled")
    if is_mindless(target):
        raise Refusal(f"{target.id} has no mind to mislead", rule)
    feats = fight.rules(FEAT) if has_feat(actor, "improved feint") else ()
    yield spending(fight, actor, feint_action(actor), "feint", rule, *feats)
    parts = [*skill_parts(fight, actor, "bluff", "cha", rule), *by_kind_of_target(fight, target)]
    dc, why = hard_to_mislead(fight, target)
    if (yield from check(fight, actor, "bluff", parts, dc, rule, why=why)):
        yield from mislead(fight, actor, target)


def feint_action(combatant: Combatant) -> str:
    """Return the type of action that a feint takes (pf1.feint, pf1.feat.improved-feint)."""
    return "move" if has_feat(combatant, "improved feint") else "standard"


def by_kind_of_target(fight: Fight, target: Combatant) -> list[Modifier]:
    """Return the penalty for feinting at a creature that is no humanoid, or has an animal's mind."""
    mind = score_now(fight, target, "int")
    if mind is not None and mind <= ANIMAL:
        return [fight.modifier(TOPIC, "animal", kind="penalty", source="animal Intelligence")]
    if target.sheet.kind == "humanoid":
        return []
    return [fight.modifier(TOPIC, "nonhumanoid", kind="penalty", source="no humanoid")]


def hard_to_mislead(fight: Fight, target: Combatant) -> tuple[int, str]:
    """Return the DC of a feint, and what it is made of: the higher of two.

    Base attack bonus and Wisdom, or a trained Sense Motive.
    """
    base = fight.formula(TOPIC, "dc")
    wisdom = base + target.sheet.base_attack + ability_now(fight, target, "wis")
    if "sense motive" not in target.sheet.skills:
        return wisdom, f"base attack bonus and Wisdom of {target.id}"
    parts = skill_parts(fight, target, "sense motive", "wis", fight.rule(TOPIC))
    trained = base + fight.stack(parts).total
    if trained > wisdom:
        return trained, f"Sense Motive of {target.id}"
    return wisdom, f"base attack bonus and Wisdom of {target.id}"


def mislead(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Deny the target its Dexterity bonus against the next blow, by Greater Feint for a round."""
    rule, coming = fight.rule(TOPIC), fight.state.round + 1
    yield EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:feint",
        stat="denies-dexterity",
        modifier=Modifier(0, "feint", "feint", rule),
        until=Until("turn-end", attacker.id, coming),
        against=target.id,
        uses=1,
        cites=(rule,),
    )
    if masters(fight, attacker, GREATER_FEINT):
        until = Until("turn-start", attacker.id, coming)
        cites = fight.rules(FEAT)
        source = f"feint of {attacker.id}"
        yield ConditionGained(who=target.id, condition=MISLED, source=source, until=until, cites=cites)
