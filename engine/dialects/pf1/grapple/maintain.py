"""Maintaining a grapple, and what that allows: move, hurt, pin, tie up (pf1.grapple.maintain, .options)."""

from typing import Final

from affray.engine.dialects.pf1.grapple.bonds import dc_of_bonds
from affray.engine.dialects.pf1.grapple.get_free import breaks_free_of_harm
from affray.engine.dialects.pf1.grapple.grapple_checks import (
    cmb_of,
    grabbing,
    grapple_blow,
    holds_with_a_limb,
)
from affray.engine.dialects.pf1.grapple.hold import (
    OPTIONS,
    PINNED,
    PINNING,
    TIED,
    end_grapple,
    holds,
    kept_up,
    maintaining_action,
    opponent_of,
)
from affray.engine.dialects.pf1.grapple.room_beside import squares_beside
from affray.engine.dialects.pf1.grapple.swallow import refuse_swallow, swallow
from affray.engine.dialects.pf1.maneuvers.maneuver_check import roll_maneuver
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.attacks.weapon_blow import build_blow, is_nonlethal
from affray.engine.rules.classes.ability_modifiers import has_feat, wielded_in_two_hands
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.grapple.constrict import constrict
from affray.engine.rules.movement.brink import fall_over, is_chasm
from affray.engine.rules.movement.displaced import displaced, moved
from affray.engine.rules.movement.movement import speed
from affray.engine.rules.movement.noticed import met_unseen
from affray.engine.rules.movement.unseen import run_into
from affray.engine.rules.position.chosen_square import choose_square
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOPIC: Final = "pf1.grapple.maintain"
FEAT: Final = "pf1.feat.greater-grapple"


def maintain(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Make the check that keeps a hold for another round, and what it allows.

    A failure ends the grapple; with Greater Grapple another check of the same turn may still save it.
    """
    refuse_option(fight, grappler, target, act)
    master = has_feat(grappler, "greater grapple")
    kind = maintaining_action(fight, grappler)
    rules = fight.rules(TOPIC, OPTIONS, *((FEAT,) if master else ()))
    yield spending(fight, grappler, kind, f"grapple: {act.what}", *rules)
    held = grappler.conditions["holding"]
    blow = grapple_blow(grappler, target, unarmed(fight, grappler))
    blow.attack_extra += grabbing(fight, grappler, holds_with_a_limb(grappler))
    if held.level < fight.state.round:
        later = fight.modifier(TOPIC, "bonus", kind="circumstance", source="held since an earlier round")
        blow.attack_extra.append(later)
    if act.what == "tie-up" and PINNED not in target.conditions:
        less = fight.modifier(
            OPTIONS, "option=tie up", "check", kind="penalty", source="tying up the unpinned"
        )
        blow.attack_extra.append(less)
    check = yield from roll_maneuver(fight, blow, TOPIC)
    if not check.won:
        if not master:
            rule = fight.rule(TOPIC)
            yield from end_grapple(fight, grappler, target, "is not maintained", rule)
        return
    if held.until.round <= fight.state.round:
        yield kept_up(fight, grappler, target, held.level, fight.rule(TOPIC))
    yield from carry_out_option(fight, grappler, target, act)
    yield from constrict(fight, grappler, target, check.won)


def refuse_option(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to whoever keeps up no grapple with the target, and what its option asks besides."""
    rule = fight.rule(OPTIONS)
    if not holds(grappler, target):
        raise Refusal(f"{grappler.id} keeps up no grapple with {target.id}", fight.rule(TOPIC))
    if act.what == "pin" and PINNED in target.conditions:
        raise Refusal(f"{target.id} is pinned already", rule)
    if act.what == "swallow":
        refuse_swallow(fight, grappler, target)
    if act.what == "damage":
        close_weapon(fight, grappler, act.weapon)
    if act.what == "move":
        refuse_way(fight, grappler, target, act.path)
    if act.what == "tie-up" and not act.weapon:
        raise Refusal("nothing to tie with is named: `weapon` names it", rule)


def carry_out_option(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Do what a successful check allows."""
    if act.what == "damage":
        weapon = close_weapon(fight, grappler, act.weapon)
        own = is_nonlethal(grappler, weapon)
        nonlethal = act.nonlethal or (own and not act.lethal)
        blow = build_blow(fight, grappler, target, weapon, "grapple", nonlethal=nonlethal)
        blow.damage.cites += fight.rules(OPTIONS)
        yield from fight.dialect.damage.deal(fight, blow, False)
    elif act.what == "pin":
        yield from pin(fight, grappler, target)
    elif act.what == "move":
        yield from move_along(fight, grappler, target, act)
    elif act.what == "swallow":
        yield from swallow(fight, grappler, target)
    elif act.what == "tie-up":
        yield from tie_up(fight, grappler, target, act.weapon)


def close_weapon(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon that hurts in a grapple: the fist, or what is not wielded in two hands."""
    weapon = find_weapon(fight, combatant, name, fits) if name else None
    if weapon is None:
        ready = (one for one in held_weapons(combatant) if fits(one))
        weapon = next(ready, None) or unarmed(fight, combatant)
    if not fits(weapon):
        raise Refusal(
            f"the {weapon.name} is no melee weapon for one hand, as a grapple takes", fight.rule(OPTIONS)
        )
    return weapon


def fits(weapon: Weapon) -> bool:
    """Say whether a weapon can be used in a grapple."""
    return weapon.wield != "projectile" and not wielded_in_two_hands(weapon)


def pin(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Hold the target immobile, at the cost of one's own Dexterity to AC."""
    cites = fight.rules(OPTIONS, "pf1.cond.pinned")
    gained = ConditionGained(who=target.id, condition=PINNED, source=grappler.id, cites=cites)
    yield from come_over(fight, gained)
    yield ConditionGained(who=grappler.id, condition=PINNING, source=target.id, cites=fight.rules(OPTIONS))


def refuse_way(fight: Fight, grappler: Combatant, target: Combatant, path: tuple[Square, ...]) -> None:
    """Refuse a way of more than half the speed, and one that cannot be walked."""
    rule, movement = fight.rule(OPTIONS), fight.dialect.movement
    feet = speed(fight, grappler) * fight.figure(OPTIONS, "option=move", "speed")
    if not path:
        raise Refusal("no path to move the grapple along is named", rule)
    here = grappler.at
    for there in path:
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"no step leads to {there[0]},{there[1]}", rule)
        movement.refuse_step(
            fight, grappler, here, there, there == path[-1] and there != target.at, target, ""
        )
        here = there
    cost = movement.measure(fight, grappler, (grappler.at, *path), "normal").feet
    if cost > feet:
        raise Refusal(f"the way costs {cost} ft., half the speed is {int(feet)} ft.", rule)


def move_along(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Move with the target, step by step, and put it in a square of one's choice next to oneself.

    Where harm waits for it there, it may try to break free first (pf1.grapple.options); above a chasm it
    falls. Before somebody whom
    it does not perceive the grappler stops.
    """
    cites, dialect = fight.rules(OPTIONS), fight.dialect
    opportunity = dialect.opportunity.opportunity_name(fight, grappler)
    for there in act.path:
        enemies = [
            one
            for one in dialect.movement.leaving(fight, grappler, grappler.at, there, "grapple")
            if one is not target
        ]
        if enemies:
            reason, rule = "leaves a threatened square", fight.rule("aoo.triggers")
            yield from dialect.opportunity.provoke(fight, grappler, enemies, reason, opportunity, rule)
            if opponent_of(fight, grappler) is not target:
                break
        last = there == act.path[-1] and there != target.at
        met = met_unseen(fight, grappler, grappler.at, there, last, "grapple")
        if met is not None and any(one is not target for one in met.those):
            yield from run_into(fight, grappler, met, "grapple")
            break
        cost = dialect.movement.measure(fight, grappler, (grappler.at, there), "normal")
        yield moved(grappler, (there,), cost.feet, "grapple", *cites, diagonals=cost.diagonals)
    if opponent_of(fight, grappler) is target:
        room = sorted(squares_beside(fight, grappler, target, act.hazardous))
        question = f"where next to {grappler.id} does {target.id} come to stand?"
        place = yield from choose_square(grappler.id, "in", question, room, cites[0])
        if act.hazardous and (yield from breaks_free_of_harm(fight, target, grappler)):
            return
        if "flying" not in target.conditions and is_chasm(fight, target, place):
            yield from fall_over(fight, target, place, "grapple", *cites)
        elif place != target.at:
            yield displaced(target, (place,), "grapple", *cites)


def tie_up(fight: Fight, grappler: Combatant, target: Combatant, rope: str) -> Steps[None]:
    """Bind the target: from then on the rope or manacles hold it as a pin does; the grapple is over."""
    cites = fight.rules(OPTIONS, "pf1.skill.escape")
    dc = dc_of_bonds(fight, rope, cmb_of(fight, grappler, target))
    yield from end_grapple(fight, grappler, target, "tied up", *cites)
    yield ConditionGained(who=target.id, condition=TIED, source=f"{rope} {dc}", cites=cites)
