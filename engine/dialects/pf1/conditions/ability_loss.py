"""Ability damage and drain: what they take off rolls and scores, and what all of a score gone means.

pf1.ability-damage, pf1.ability-damage.con, pf1.damage.ability-damage.
"""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight, condition_changes
from affray.engine.record.conditions import Step
from affray.engine.rules.classes.ability_modifiers import ability_modifier, score_of
from affray.engine.rules.classes.ability_scores import at_zero, points_after, points_left
from affray.engine.rules.classes.rage_scores import TOPIC as RAGE
from affray.engine.rules.classes.rage_scores import points_of_rage
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.conditions.immunities import is_immune_to_loss
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.damage.injury import change_health, go_limp, settle_health
from affray.engine.steps import Steps
from affray.events.facts.combat import AbilityChanged, ConditionGained, ConditionLost, MaximumChanged
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant

DRAINED = "energy drained"
TOPIC = "pf1.ability-damage"


def penalty_of(fight: Fight, points: int) -> int:
    """Return what that much damage to an ability is on its rolls: -1 for every 2 points."""
    return int(fight.figure(TOPIC, "penalty")) * (points // int(fight.figure(TOPIC, "per_points")))


def score_steps(fight: Fight, combatant: Combatant, name: str, use: str) -> tuple[Step, ...]:
    """Return what drain, damage, a rage and helplessness make of an ability's modifier.

    pf1.ability-damage, pf1.rage, pf1.cond.helpless, pf1.cond.paralyzed.
    """
    found = list(loss_steps(fight, combatant, name))
    score = found[-1].score if found else score_of(combatant.sheet, name)
    if score is None:
        return ()
    now = found[-1].after if found else ability_modifier(score)
    for source, points, rule in score_shifts(fight, combatant, name, score):
        after = now + ability_modifier(score + points) - ability_modifier(score)
        score += points
        found.append(Step(now, after, score, source, rule))
        now = after
    return tuple(found)


def score_shifts(fight: Fight, combatant: Combatant, name: str, score: int) -> Iterator[tuple[str, int, str]]:
    """Yield what else changes a score, with its points and its rule: a rage, and what makes it count as 0.

    pf1.rage, pf1.cond.helpless, pf1.cond.paralyzed.
    """
    if points := points_of_rage(fight, combatant, name):
        score += points
        yield "rage", points, fight.rule(RAGE)
    for condition, change, _ in condition_changes(fight, combatant, f"zero.{name}"):
        points = int(fight.figure(change.topic, *change.path)) - score
        if points:  # what leaves it at 0 once more takes nothing
            score += points
            yield f"{condition}: {SCORES[name]} {points:+d}", points, fight.rule(change.topic)


def loss_steps(fight: Fight, combatant: Combatant, name: str) -> tuple[Step, ...]:
    """Return what drain and damage make of an ability's modifier.

    Drain lowers the score, damage leaves it and is a penalty on what hangs on it (pf1.ability-damage).
    """
    score = score_of(combatant.sheet, name)
    if score is None:
        return ()
    found, now, rule = [], ability_modifier(score), fight.rule(TOPIC)
    if drained := combatant.losses.get(f"{name} drain", 0):
        score = max(0, score - drained)
        after = ability_modifier(score)
        found.append(Step(now, after, score, f"ability drain: {SCORES[name]} {-drained:+d}", rule))
        now = after
    if damage := combatant.losses.get(name, 0):
        after = now + penalty_of(fight, damage)
        found.append(Step(now, after, score, f"ability damage: {SCORES[name]} {-damage:+d}", rule))
    return tuple(found)


def lose_ability_points(
    fight: Fight, victim: Combatant, name: str, points: int, source: str, *, drain: bool = False
) -> Steps[None]:
    """Take points off an ability, and settle what it means that none is left.

    All of it gone leaves a creature unconscious, all of Constitution kills (pf1.ability-damage,
    pf1.cond.dead).
    """
    if score_of(victim.sheet, name) is None or points <= 0 or "dead" in victim.conditions:
        return
    if (yield from is_immune_to_loss(fight, victim, name, drain, source)):
        return
    left = points_left(victim, name)
    yield from record_change(fight, victim, name, min(points, left), source, drain=drain)
    if points < left or "dead" in victim.conditions:
        return
    undying = fight.dialect.damage.undying(fight, victim) if name == "con" else ""
    if undying:
        yield RuleApplied(
            who=victim.id, what="cannot die of it now", cites=fight.rules("pf1.cond.dead", undying)
        )
    if name == "con" and not undying:
        yield from change_health(fight, victim, "dead", f"Constitution 0 ({source})", "pf1.cond.dead")
    elif "unconscious" not in victim.conditions:
        cites = fight.rules(TOPIC, "pf1.cond.unconscious")
        # A level tells it from what hit points bring about and take away again.
        gained = ConditionGained(
            who=victim.id, condition="unconscious", source=at_zero(name), level=1, cites=cites
        )
        yield from come_over(fight, gained)
        yield from go_limp(fight, victim, "unconscious")


def regain_ability_points(
    fight: Fight, victim: Combatant, name: str, points: int, source: str, *cites: str
) -> Steps[None]:
    """Give back points of ability damage, and awareness with them if that had gone; drain stays."""
    points = min(points, victim.losses.get(name, 0))
    if not points:
        return
    yield from record_change(fight, victim, name, -points, source, cites=cites)
    held = victim.conditions.get("unconscious")
    if held is not None and held.source == at_zero(name):
        yield ConditionLost(who=victim.id, condition="unconscious", why=source, cites=cites)
        yield from settle_health(fight, victim, source)


def record_change(
    fight: Fight,
    combatant: Combatant,
    name: str,
    points: int,
    source: str,
    *,
    drain: bool = False,
    cites: tuple[str, ...] = (),
) -> Steps[None]:
    """Record lost (or, negative, regained) points, and the hit points that go with Constitution."""
    damage, drained = points_after(combatant, name, points, drain=drain)
    lasting = "pf1.damage.ability-damage"
    before = hit_point_adjustment(fight, combatant)
    yield AbilityChanged(
        who=combatant.id,
        ability=name,
        damage=damage,
        drain=drained,
        score=max(0, (score_of(combatant.sheet, name) or 0) - drained),
        why=source,
        cites=cites or fight.rules(TOPIC, lasting),
    )
    yield from readjust_hit_points(fight, combatant, before, source, fight.rule("pf1.ability-damage.con"))


def hit_point_adjustment(fight: Fight, combatant: Combatant) -> int:
    """Return by how much lost Constitution and negative levels change full hit points.

    Hit Dice times the penalty (pf1.ability-damage.con), 5 for each negative level (pf1.negative-levels).
    """
    steps = loss_steps(fight, combatant, "con") if combatant.losses else ()
    found = (steps[-1].after - steps[0].before) * combatant.sheet.hit_dice if steps else 0
    held = combatant.conditions.get(DRAINED)
    return found + (int(fight.figure("pf1.negative-levels", "hp")) * held.level if held else 0)


def readjust_hit_points(
    fight: Fight, combatant: Combatant, before: int, source: str, rule: str
) -> Steps[None]:
    """Let full and current hit points follow an adjustment that was `before`, and settle what that does."""
    changed = hit_point_adjustment(fight, combatant) - before
    if not changed:
        return
    full = max(1, combatant.sheet.hp + before + changed)
    if full != combatant.max_hp:
        yield MaximumChanged(who=combatant.id, max_hp=full, why=source, cites=(rule,))
    yield hit_points_set(combatant, min(full, combatant.hp + changed), source, rule)
    yield from settle_health(fight, combatant, source)
