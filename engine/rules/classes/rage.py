"""What a rage gives besides the raised scores: hit points and resolve (srd35.class.rage, pf1.rage)."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import ability_modifier
from affray.engine.rules.classes.rage_scores import RAGING, RAISED, TOPIC, rage_figure
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained, MaximumChanged
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: States in which nobody can fly into a rage.
WEARY = ("fatigued", "exhausted")


def rage_modifier(fight: Fight, combatant: Combatant, name: str) -> int:
    """Return by how much rage raises the modifier of Strength or Constitution."""
    score = getattr(combatant.sheet.abilities, name)
    if score is None:
        return 0
    more = rage_figure(fight, combatant, RAISED.index(name), name)
    return ability_modifier(score + more) - ability_modifier(score)


def rage_hit_points(fight: Fight, combatant: Combatant, sign: int, why: str) -> Steps[None]:
    """Give or take the hit points of the raised Constitution."""
    points = sign * rage_modifier(fight, combatant, "con") * combatant.sheet.hit_dice
    if points:
        rule = fight.rule(TOPIC)
        yield MaximumChanged(who=combatant.id, max_hp=combatant.max_hp + points, why=why, cites=(rule,))
        yield hit_points_set(combatant, combatant.hp + points, why, rule)


def rage_save_bonus(fight: Fight, combatant: Combatant, kind: str, detail: str) -> Iterator[Modifier]:
    """Yield the morale bonus for Will."""
    if RAGING in combatant.conditions and kind == "will":
        yield Modifier(rage_figure(fight, combatant, 2, "will"), "morale", "rage", fight.rule(TOPIC))


def begins_to_rage(fight: Fight, fact: ConditionGained) -> bool:
    """Say whether a rage comes over a combatant that is in none."""
    return fact.condition == RAGING and RAGING not in fight.combatant(fact.who).conditions


def refuse_to_rage(fight: Fight, actor: Combatant, rule: str) -> None:
    """Refuse a rage out of turn, to who rages already, and to the weary (pf1.rage, srd35.class.rage)."""
    check_turn(fight, actor)
    if RAGING in actor.conditions:
        raise Refusal(f"{actor.id} rages already", rule)
    weary = next((name for name in WEARY if name in actor.conditions), "")
    if weary:
        raise Refusal(f"{actor.id} is {weary} and cannot rage", rule)
