"""Great beasts on the attack: pounce, powerful charge, awesome blow."""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.attacks.natural_weapons import ordinary_natural_weapons
from affray.engine.rules.classes.ability_modifiers import has_trait, size_step
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.conditions.condition_rules import falls_prone
from affray.engine.rules.gear.held_weapons import strikes_per_full_attack
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.grapple.rake import raking_claws
from affray.engine.rules.maneuvers.bull_rush import straight_on
from affray.engine.rules.movement.brink import fall_over, falls_at, is_barred
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.position.chosen_square import COMPASS, choose_way
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.events.facts.sheet_parts import ExtraDamage
from affray.projections.state import Combatant

AWESOME: Final = "srd35.feat.awesome-blow"


def pounce_after_charge(fight: Fight, act: acts.Charge, charging: Steps[None]) -> Steps[None]:
    """Charge; who pounces goes on with all its other natural weapons, and rakes (srd35.pounce)."""
    actor = fight.combatant(act.actor)
    yield from charging
    if has_trait(actor, "pounce") and not act.special and "charging" in actor.conditions:
        yield from pounce(fight, actor, fight.combatant(act.target), find_weapon(fight, actor, act.weapon))


def pounce(fight: Fight, attacker: Combatant, target: Combatant, first: Weapon) -> Steps[None]:
    """Strike with what has not struck in the charge: every natural weapon, then the claws that rake."""
    rule = fight.rule("srd35.pounce")
    limbs = [
        weapon
        for weapon in ordinary_natural_weapons(attacker)
        for _ in range(strikes_per_full_attack(weapon))
    ]
    if first in limbs:
        limbs.remove(first)
    for number, weapon in enumerate((*limbs, *raking_claws(attacker)), 2):
        if is_down(fight, attacker) or "dead" in target.conditions:
            return
        try:
            blow = fight.dialect.attacks.prepare(fight, attacker, target, weapon, "charge")
        except Refusal as lost:
            yield RuleApplied(who=attacker.id, what=f"no pounce: {lost.reason}", cites=(lost.rule,))
            return
        blow.attack_extra.append(
            fight.modifier("srd35.charge.attack", "attack", kind="circumstance", source="charging")
        )
        blow.cites.append(rule)
        if "rake" in weapon.traits:
            blow.cites.append(fight.rule("srd35.constrict-rake-rend"))
        fight.scope = f"{attacker.id}#{number}"
        yield from fight.dialect.attacks.deliver(fight, blow, f"{fight.declaration}#{number}")
    fight.scope = ""


def charge_dice(fight: Fight, blow: Blow, detail: str) -> Iterator[ExtraDamage]:
    """Yield the dice of a powerful charge, a trait such as "powerful charge 2d6" (srd35.pounce)."""
    if blow.intent.kind == "charge":
        blow.damage.cites += fight.rules("srd35.pounce")
        yield ExtraDamage(detail, blow.weapon.damage_type, "powerful charge")


def awesome_blow(fight: Fight, act: acts.AwesomeBlow) -> Steps[None]:
    """Strike a smaller opponent at -4, so that it may fly 10 feet and lie prone (srd35.feat.awesome-blow).

    The damage is the DC of its Reflex save; what stands in the way takes harm, and so does it.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = refuse_without(fight, actor, "awesome blow")
    if size_step(target) >= size_step(actor):
        raise Refusal(f"{target.id} is not smaller than {actor.id}", rule)
    if is_a(target, INCORPOREAL):
        raise Refusal(f"{target.id} has no body to strike", rule)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, find_weapon(fight, actor, act.weapon), "attack"
    )
    blow.attack_extra.append(fight.modifier(AWESOME, "attack", kind="penalty", source="awesome blow"))
    yield spending(fight, actor, "standard", "awesome blow", rule)
    before = target.hp
    if (
        not (yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration))
        or "dead" in target.conditions
    ):
        return
    dc = before - target.hp
    if not (yield from saving_throw(fight, target, "ref", dc, "the awesome blow", rule)):
        yield from fling(fight, actor, target)


def fling(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Send the target flying where the attacker will, and down; an obstacle stops it and hurts both."""
    rule = fight.rule(AWESOME)
    question = f"which way does {attacker.id} send {target.id} flying?"
    way = yield from choose_way(attacker.id, question, ways_off(fight, attacker, target), rule)
    path: list[tuple[int, int]] = []
    here = target.at
    hit: list[Combatant] | None = None
    over: Square | None = None
    for _ in range(fight.figure(AWESOME, "push_ft") // SQUARE_FT):
        there = (here[0] + way[0], here[1] + way[1])
        in_the_way = occupants(fight, target, there)
        if in_the_way or is_barred(fight, target, here, there):
            hit = in_the_way
            break
        if falls_at(fight, target, here, there):
            over = there
            break
        path.append(there)
        here = there
    if path:
        feet = len(path) * SQUARE_FT
        yield displaced(target, path, f"knocked {feet} ft.", rule)
        yield from fight.dialect.grapple.parted(fight, target)
    if over is not None:
        yield from fall_over(fight, target, over, "awesome blow", rule)
    if hit is not None:
        rolled = yield Roll(attacker.id, "obstacle", fight.figure(AWESOME, "obstacle"))
        for one in (target, *hit):
            harm = Harm(one, rolled.total, "bludgeoning", "the obstacle", attacker, cites=(rule,))
            yield from fight.dialect.damage.suffer(fight, harm)
    if "dead" not in target.conditions:
        yield from falls_prone(target, f"awesome blow of {attacker.id}", (rule,))


def ways_off(fight: Fight, attacker: Combatant, target: Combatant) -> list[Square]:
    """Return the directions that bring a target no closer to the attacker, straight away from it first."""
    away, near = straight_on(attacker.at, attacker, target), distance(attacker, target)
    off = [
        (dx, dy)
        for dx, dy in COMPASS.values()
        if (dx, dy) != away
        and all(
            distance_ft(
                attacker.at, (target.at[0] + n * dx, target.at[1] + n * dy), attacker.space, target.space
            )
            >= near
            for n in range(1, fight.figure(AWESOME, "push_ft") // SQUARE_FT + 1)
        )
    ]
    return [away, *off] if any(away) else off
