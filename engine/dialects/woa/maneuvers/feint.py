"""Feint: an opponent misled about the next blow, and those who see it warned (woa.feint.*)."""

from affray.engine.dialects.woa.opportunity.reaction_budget import (
    swift_cost,
)
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.dialects.woa.turns.swift_actions import refuse_swift
from affray.engine.fight.fight import Fight, is_down
from affray.engine.modifiers import Tally
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import ability_now, score_now
from affray.engine.rules.classes.natures import is_mindless
from affray.engine.rules.classes.saves_and_checks import check_parts, skill_parts
from affray.engine.rules.conditions.condition_rules import effect_parts
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

HUMANOIDS = ("humanoid", "monstrous humanoid")
ANIMAL = 2
ABILITIES = {"acrobatics": "dex", "bluff": "cha", "intimidate": "cha", "insight": "wis"}
WARNED = "feint"
"""The stat of what those have who have seen an opponent feint."""


def feint(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Mislead an opponent in melee, as a move action or, with Improved Feint, a swift one.

    Who wins strikes next, within the round, as if the other had no shield, dodge or Dexterity bonus
    (woa.feint.action-cost, .improved-feint, .check, .success).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    quick = has_feat(actor, "improved feint")
    rule = fight.rule("woa.feint.action-cost")
    if quick:
        check_turn(fight, actor)
        refuse_swift(fight, actor, "swift")
    else:
        refuse_unless_allowed(fight, actor, "move")
    refuse_target(fight, actor, target)
    if quick:
        yield from pay_for_swift_feint(fight, actor)
    else:
        yield spending(fight, actor, "move", "feint", rule)
    won = yield from oppose_feint(fight, actor, target)
    if won:
        cites = fight.rules("woa.feint.success")
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:feint",
            stat="denies-dexterity",
            modifier=Modifier(0, "feint", "feint", cites[0]),
            until=Until("round-end", "", fight.state.round),
            against=target.id,
            uses=1,
            cites=cites,
        )
    yield from warn_witnesses(fight, actor, target, resisted=not won)


def refuse_target(fight: Fight, attacker: Combatant, target: Combatant) -> None:
    """Refuse who is no opponent in melee, and who has no mind to mislead (woa.feint.nonhumanoid)."""
    rule = fight.rule("woa.feint.action-cost")
    if target.side == attacker.side or is_down(fight, target):
        raise Refusal(f"{target.id} is no opponent who could be misled", rule)
    if not (threatens(fight, attacker, target) or threatens(fight, target, attacker)):
        raise Refusal(f"{attacker.id} and {target.id} are not in melee", rule)
    if is_mindless(target):
        raise Refusal(f"{target.id} has no mind to mislead", fight.rule("woa.feint.nonhumanoid"))


def pay_for_swift_feint(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Spend a swift action and the combat reaction that it costs (woa.feint.improved-feint)."""
    cites = fight.rules("woa.feint.improved-feint", "woa.action-type.swift-timing")
    yield ActionSpent(who=combatant.id, kind="swift", what="feint", cites=cites)
    yield swift_cost(
        fight, combatant, *fight.rules("woa.action-type.swift-cost", "woa.reaction.swift-immediate-cost")
    )


def oppose_feint(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Roll the opposed checks; the feinter must roll higher. The best skill of each is offered first."""
    rule = fight.rule("woa.feint.check")
    strange = penalty_by_kind(fight, target)
    skills, guards = (fight.figure("woa.feint.check", side) for side in ("attacker", "defender"))
    ways = {str(name): bluff_parts(fight, attacker, str(name).lower()) for name in skills}
    mine = yield from choose_check(
        fight, attacker, "feint", f"{attacker.id} feints at {target.id}: by which skill?", ways
    )
    answers = {str(name): resisting_parts(fight, target, str(name)) for name in guards}
    question = f"{attacker.id} feints: how does {target.id} resist?"
    theirs = yield from choose_check(fight, target, "resist", question, answers)
    ready = warning_bonus(fight, target, attacker)
    one, other = Side(attacker, [*mine, *strange]), Side(target, [*theirs, *ready])
    return (
        yield from roll_opposed(
            fight, "feint", one, other, rule, *rules_behind(strange), *rules_behind(ready)
        )
    ) > 0


def rules_behind(parts: list[Modifier]) -> list[str]:
    """Return the rules of modifiers."""
    return [part.rule for part in parts]


def choose_check(
    fight: Fight, combatant: Combatant, name: str, question: str, ways: dict[str, list[Modifier]]
) -> Steps[list[Modifier]]:
    """Ask by which of several ways a combatant makes a check, the best first; return its parts."""

    def sum_of(way: str) -> int:
        tally: Tally = fight.stack(ways[way])
        return tally.total

    options = tuple(sorted(ways, key=lambda way: -sum_of(way)))
    return ways[(yield Choice(combatant.id, name, question, options, fight.rule("woa.feint.check")))]


def bluff_parts(fight: Fight, combatant: Combatant, skill: str) -> list[Modifier]:
    """Return the parts of the feinter's check with a skill."""
    parts = skill_parts(fight, combatant, skill, ABILITIES[skill], fight.rule("woa.feint.check"))
    return check_parts(fight, combatant, skill, parts)


def resisting_parts(fight: Fight, combatant: Combatant, way: str) -> list[Modifier]:
    """Return the parts of the check to resist: by Insight, or base attack bonus and Wisdom."""
    rule = fight.rule("woa.feint.check")
    if way.lower() in ABILITIES:
        skill = way.lower()
        own = skill_parts(fight, combatant, skill, ABILITIES[skill], rule)
        return check_parts(fight, combatant, skill, own)
    base = Modifier(combatant.sheet.base_attack, "base", "base attack bonus", rule)
    wisdom = Modifier(ability_now(fight, combatant, "wis"), "ability", "Wisdom", rule)
    return check_parts(fight, combatant, "insight", (base, wisdom))


def penalty_by_kind(fight: Fight, target: Combatant) -> list[Modifier]:
    """Return the penalty for feinting at what is no humanoid, or has an animal's mind.

    Option `feint_successive` says whether the two add up (woa.feint.nonhumanoid).
    """
    mind = score_now(fight, target, "int")
    beast = mind is not None and mind <= ANIMAL
    strange = target.sheet.kind not in HUMANOIDS
    rows = []
    if strange and not (beast and fight.option("feint_successive") == "supersedes"):
        rows.append("non-humanoid")
    if beast:
        rows.append(f"animal Intelligence (1 or {ANIMAL})")
    topic = "woa.feint.nonhumanoid"
    names = rows or ["humanoid"]
    parts = [fight.modifier(topic, f"target={row}", "penalty", kind="penalty", source=row) for row in names]
    return [part for part in parts if part.value]


def warning_bonus(fight: Fight, target: Combatant, by: Combatant) -> list[Modifier]:
    """Return what having seen this feinter feint adds to the check (woa.feint.successive).

    The larger of both counts, or both add up (option `feint_successive`).
    """
    if not target.effects:
        return []
    found = list(effect_parts(target, WARNED, by.id))
    if fight.option("feint_successive") == "supersedes":
        found = sorted(found, key=lambda part: -part.value)[:1]
    return found


def warn_witnesses(fight: Fight, attacker: Combatant, target: Combatant, *, resisted: bool) -> Steps[None]:
    """Let every opponent who sees it be on guard against this feinter until the encounter ends.

    woa.feint.successive.
    """
    for one in fight.enemies(attacker):
        if is_down(fight, one) or unseen(fight, one, attacker) or not sees(fight, one, attacker):
            continue
        row = (
            "successfully resisted a feint"
            if resisted and one is target
            else "witnessed a feint (even if fooled)"
        )
        source = f"has {row.split(' (')[0]} of {attacker.id}"
        if any(effect.modifier.source == source for effect in one.effects):
            continue
        topic = "woa.feint.successive"
        bonus = fight.modifier(topic, f"opponent={row}", "bonus", kind="circumstance", source=source)
        yield EffectGained(
            who=one.id,
            id=f"{fight.declaration}:{one.id}:{WARNED}",
            stat=WARNED,
            modifier=bonus,
            until=Until(),
            against=attacker.id,
            cites=(bonus.rule,),
        )
