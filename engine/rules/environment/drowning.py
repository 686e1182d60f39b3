"""Holding one's breath, and drowning (srd35.hazard.drown, pf1.hazard.ref)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import ConditionRule
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import lowered, score_now
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.conditions.immunities import SUFFOCATION, immunity_to
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.damage.injury import change_health
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "hazard.drown"
HOLDING, DROWNING = "holding its breath", "drowning"
#: Kinds of creatures that have no Constitution, whatever a sheet leaves unsaid.
LIFELESS: Final = ("undead", "construct")


def take_air(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Take the air from a creature; one without Constitution, as undead, needs none.

    srd35.hazard.drown, pf1.hazard.ref.
    """
    needless = target.sheet.abilities.con is None or nature_among(target, LIFELESS)
    if needless or immunity_to(fight, target, SUFFOCATION):
        raise Refusal(f"{target.id} needs no air", fight.rule(TOPIC))
    yield from without_air(fight, target, act.degree or "no air")


def give_air(fight: Fight, target: Combatant, degree: str) -> Steps[None]:
    """Let somebody breathe again once it is out of the water or whatever took its air."""
    yield from breathe(fight, target, "in the air again")


def without_air(fight: Fight, combatant: Combatant, source: str) -> Steps[None]:
    """Begin to hold one's breath; the level of the condition counts the rounds that are used up."""
    if HOLDING not in combatant.conditions and DROWNING not in combatant.conditions:
        yield ConditionGained(who=combatant.id, condition=HOLDING, source=source, cites=(fight.rule(TOPIC),))


def breathe(fight: Fight, combatant: Combatant, why: str) -> Steps[None]:
    """Come back to the air."""
    for name in (HOLDING, DROWNING):
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=(fight.rule(TOPIC),))


def breath_in_rounds(fight: Fight, combatant: Combatant) -> int:
    """Return for how many rounds a creature can hold its breath: twice its Constitution."""
    return fight.formula(TOPIC, "breath_rounds") * (score_now(fight, combatant, "con") or 0)


def use_up_breath(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Use up a round of breath; once it is gone, a Constitution check of a rising DC each round."""
    state = combatant.conditions[HOLDING]
    used, most = state.level, breath_in_rounds(fight, combatant)
    rule = fight.rule(TOPIC)
    if used >= most:
        dc = fight.figure(TOPIC, "dc") + (used - most) * fight.figure(TOPIC, "dc_step")
        parts = [Modifier(ability(combatant.sheet, "con"), "ability", "Constitution", rule)]
        parts += lowered(fight, combatant, "con")
        parts += fight.dialect.environment.hardy(fight, combatant)
        if not (
            yield from check(fight, combatant, "constitution", parts, dc, rule, why="holding its breath")
        ):
            yield ConditionLost(who=combatant.id, condition=HOLDING, why="begins to drown", cites=(rule,))
            yield ConditionGained(who=combatant.id, condition=DROWNING, source=state.source, cites=(rule,))
            yield from drop_to_stage(fight, combatant, fight.formula(TOPIC, "stages", 0), "unconscious")
            return
    yield ConditionGained(
        who=combatant.id, condition=HOLDING, source=state.source, level=used + 1, cites=(rule,)
    )


def use_up_breath_by_exertion(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Use up breath by a standard or full-round action: a round less is left."""
    state = combatant.conditions[HOLDING]
    most = breath_in_rounds(fight, combatant)
    if (combatant.spent.get("standard") or combatant.spent.get("full-round")) and state.level < most:
        level = min(most, state.level + fight.figure(TOPIC, "per_action"))
        yield ConditionGained(
            who=combatant.id, condition=HOLDING, source=state.source, level=level, cites=(fight.rule(TOPIC),)
        )


def drown(fight: Fight, victim: Combatant) -> Steps[None]:
    """Drown: unconscious at 0 hit points, in the next round dying at -1, in the third dead."""
    state = victim.conditions[DROWNING]
    if state.level == 0:
        yield ConditionGained(
            who=victim.id, condition=DROWNING, source=state.source, level=1, cites=(fight.rule(TOPIC),)
        )
        yield from drop_to_stage(fight, victim, fight.formula(TOPIC, "stages", 1), "dying")
    else:
        yield from change_health(fight, victim, "dead", "drowned", TOPIC)


def drop_to_stage(fight: Fight, victim: Combatant, hp: int, state: str) -> Steps[None]:
    """Drop to the hit points of a stage of drowning, and into its state."""
    if victim.hp > hp:
        yield hit_points_set(victim, hp, "drowning", fight.rule(TOPIC))
    yield from change_health(fight, victim, state, "drowning", TOPIC)


CONDITIONS: Final = {
    HOLDING: ConditionRule(TOPIC, each_turn=use_up_breath, turn_over=use_up_breath_by_exertion),
    DROWNING: ConditionRule(TOPIC, each_turn=drown),
}
