"""Monks in pf1: the flurry of blows (pf1.monk)."""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import FLURRY
from affray.engine.rules.attacks import attack_series
from affray.engine.rules.defense.force_armor import is_of_force
from affray.engine.rules.gear import weapons_in_hand
from affray.engine.rules.gear.held_weapons import OFF
from affray.engine.rules.turns.action_budget import ATTACKS
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "pf1.monk"


def monk_level(combatant: Combatant) -> int:
    """Return a combatant's monk levels, which stand for its base attack bonus.

    Negative levels leave that as it is.
    """
    return combatant.sheet.classes.get("monk", 0)


def in_armor(combatant: Combatant) -> str:
    """Return what of a monk's gear keeps it from a flurry: armor or a shield; "" for nothing."""
    for part in combatant.sheet.armor:
        # Nobody wears force.
        worn = combatant.items.get(part.source) not in OFF and not is_of_force(part.source)
        if part.kind in ("armor", "shield") and worn:
            return "in armor" if part.kind == "armor" else "with a shield"
    return ""


def series_of_flurry(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack of a flurry, from the highest bonus down.

    The monk's level stands for what it gives of the base attack bonus. One attack more, from levels 8 and 15
    two and three, as lower than each other as those of an off hand would be. Refuses other than unarmored
    monks with bare hands or monk weapons (pf1.monk, pf1.feat.two-weapon).
    """
    rule, level = fight.rule(TOPIC), monk_level(actor)
    if not level:
        raise Refusal(f"{actor.id} is no monk", rule)
    if hindrance := in_armor(actor):
        raise Refusal(f"{actor.id} cannot flurry {hindrance}", rule)
    for strike in act.strikes:
        weapon = weapons_in_hand.find_weapon(fight, actor, strike.weapon)
        if weapon.wield != "unarmed" and "monk" not in weapon.traits:
            raise Refusal(f"the {weapon.name} is no weapon for a flurry", rule)
    better = [Modifier(gain_of_level(fight, level), "class", "monk level for base attack bonus", rule)]
    usual = attack_series.iterative_parts(fight, actor.sheet.base_attack + better[0].value)
    steps: list[int] = fight.figure("pf1.feat.two-weapon", "off_hand")
    further = [
        [Modifier(step, "iterative", "flurry of blows", rule)] if step else []
        for step, least in zip(steps, fight.figure(TOPIC, "extra_levels"), strict=True)
        if level >= least
    ]
    rows = sorted((*usual, *further), key=lambda row: -sum(part.value for part in row))
    return [[*better, *row] for row in rows][actor.spent.get(ATTACKS, 0) :]


def gain_of_level(fight: Fight, level: int) -> int:
    """Return by how much monk levels exceed the base attack bonus that they give (pf1.monk)."""
    share = fight.figure(TOPIC, "base_attack")
    return int(level - level * share["numerator"] // share["denominator"])


def flurry_penalty(
    fight: Fight, combatant: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[EffectGained]:
    """Take what a flurry costs off each of its attacks (pf1.monk)."""
    part = fight.modifier(TOPIC, "penalty", kind="flurry", source="flurry of blows")
    yield EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{FLURRY}",
        stat="attack",
        modifier=part,
        until=Until("turn-end", combatant.id, fight.state.round),
        cites=(part.rule,),
    )
