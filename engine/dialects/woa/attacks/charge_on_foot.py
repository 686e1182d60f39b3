"""A charge on foot, straight at the target (woa.charge.path, woa.charge.distance)."""

from functools import partial

from affray.engine.dialects.woa.attacks.called_shot_aim import (
    aim_blow_of_charge,
    difficulty_of,
    refuse_combined,
)
from affray.engine.dialects.woa.maneuvers import maneuvers_as_attacks
from affray.engine.dialects.woa.movement.movement import (
    leading_number,
    only_one,
    refuse_after_step,
    refuse_hindered,
    refuse_lying,
    refuse_slowed,
    speed_with_burdens,
)
from affray.engine.dialects.woa.movement.rush_prohibitions import refuse_out_of_sight
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.special_attacks import charging_blow
from affray.engine.rules.movement.movement import refuse_path
from affray.engine.rules.position.place import in_band
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def charge_on_foot(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Charge: straight at the target, twice the own space at least, twice the speed at most, one attack.

    +2 on the attack, -2 AC for the round (woa.charge.*). Movement that leaves a threatened area provokes.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "full-round")
    refuse_after_step(fight, actor)
    refuse_lying(fight, actor)
    weapon = unarmed(fight, actor) if act.special == "push" else find_weapon(fight, actor, act.weapon)
    if act.special:
        maneuvers_as_attacks.refuse_before(fight, actor, target, act.special, act.weapon, act.item)
    refuse_combined(fight, actor, act.part, True, "a charge")
    if act.part:
        difficulty_of(fight, target, act.part)
    if not strikes_in_melee(weapon):
        raise Refusal(f"one cannot charge with the {weapon.name}", fight.rule("woa.charge.attack"))
    refuse_out_of_sight(fight, actor, target)
    refuse_slowed(fight, actor)
    rule = fight.rule("woa.charge.distance")
    least = leading_number(fight, "min") * actor.space
    most = leading_number(fight, "max") * speed_with_burdens(fight, actor)
    refuse_path(fight, actor, act.path, most, rule, how="charge")
    if len(act.path) < least:
        raise Refusal(f"a charge covers at least {least * SQUARE_FT} ft.", rule)
    refuse_hindered(fight, actor, target, act.path)
    near, far = melee_band(actor, weapon)
    if not in_band(act.path[-1], actor.space, target.at, target.space, near, far):
        raise Refusal(f"the charge does not end within reach of {target.id}", fight.rule("woa.charge.path"))
    cites = fight.rules(
        "woa.charge.definition", "woa.charge.distance", "woa.charge.path", "woa.move.charge-summary"
    )
    yield ActionSpent(who=actor.id, kind="full-round", what="charge", cites=cites)
    yield ActionSpent(
        who=actor.id, kind="rush", what="charge", cites=(fight.rule("woa.charge.no-short-step"),)
    )
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(
        who=actor.id,
        condition="charging",
        source=target.id,
        until=until,
        cites=(fight.rule("woa.charge.attack"),),
    )
    there = yield from fight.dialect.movement.walk(
        fight, actor, act.path, "charge", rule, fight.rule("woa.charge.move-before-attack")
    )
    if not there or is_down(fight, actor) or "dead" in target.conditions:
        return
    blow = yield from blow_of_charge(fight, actor, target, act, weapon)
    if blow is None:
        return
    weapon = blow.weapon
    blow.attack_extra.append(
        fight.modifier("woa.charge.attack", "attack_bonus", kind="circumstance", source="charging")
    )
    yield from aim_blow_of_charge(fight, blow, act.part)
    blow.cites += only_one(fight, actor, target, weapon)
    yield from fight.dialect.attacks.deliver(fight, blow)


def blow_of_charge(
    fight: Fight, attacker: Combatant, target: Combatant, act: acts.Charge, weapon: Weapon
) -> Steps[Blow | None]:
    """Return the attack, or the maneuver in its place, at the end of a charge; None if it is lost by now."""
    if not act.special:
        making = partial(charging_blow, fight, attacker, target)
        return (yield from fight.dialect.attacks.blow_at_end(fight, attacker, weapon, making))
    try:
        return maneuvers_as_attacks.maneuver_for_attack(
            fight, attacker, target, act.special, act.weapon, act.item, "charge"
        )
    except Refusal as lost:
        yield attack_is_lost(attacker, lost)
        return None
