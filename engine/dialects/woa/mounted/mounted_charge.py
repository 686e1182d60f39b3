"""Charging on a mount (woa.mount.combat.charge)."""

from functools import partial

from affray.engine.dialects.woa.mounted.mount_control import refuse_out_of_hand
from affray.engine.dialects.woa.mounted.mount_movement import STRUCK
from affray.engine.dialects.woa.mounted.mounted_combat import lower_riders_shield, refuse_both_hands
from affray.engine.dialects.woa.mounted.mounted_modifiers import refuse_unstirruped
from affray.engine.dialects.woa.movement import movement, rush_prohibitions
from affray.engine.dialects.woa.turns.keep_to_plan import use_up_planned
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, is_lance
from affray.engine.rules.maneuvers.special_attacks import charging_blow
from affray.engine.rules.movement.movement import refuse_path
from affray.engine.rules.position.place import in_band
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def mounted_charge(fight: Fight, act: acts.Charge, rider: Combatant) -> Steps[None]:
    """Have the mount charge, by its own action; the rider strikes once, by its own (woa.mount.combat.charge).

    Both have the lowered guard of a charge. A lance deals double damage.
    """
    steed, target = fight.state.combatants[rider.mount], fight.combatant(act.target)
    topic = "woa.mount.combat.charge"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, steed, "full-round")
    refuse_unless_allowed(fight, rider, "standard")
    refuse_out_of_hand(fight, steed)
    refuse_unstirruped(fight, rider)
    movement.refuse_after_step(fight, steed)
    rush_prohibitions.refuse_rush(fight, steed, act)
    weapon = find_weapon(fight, rider, act.weapon)
    refuse_both_hands(fight, rider, [weapon])
    if not strikes_in_melee(weapon):
        raise Refusal(f"one cannot charge with the {weapon.name}", fight.rule("woa.charge.attack"))
    rush_prohibitions.refuse_out_of_sight(fight, rider, target)
    movement.refuse_slowed(fight, steed)
    least = movement.leading_number(fight, "min") * steed.space
    most = movement.leading_number(fight, "max") * movement.speed_with_burdens(fight, steed)
    refuse_path(fight, steed, act.path, most, fight.rule("woa.charge.distance"))
    if len(act.path) < least:
        raise Refusal(f"a charge covers at least {least * SQUARE_FT} ft.", fight.rule("woa.charge.distance"))
    movement.refuse_hindered(fight, steed, target, act.path)
    near, far_ = melee_band(rider, weapon)
    if not in_band(act.path[-1], steed.space, target.at, target.space, near, far_):
        raise Refusal(f"the charge does not end within reach of {target.id}", fight.rule("woa.charge.path"))
    if rider.plan and fight.readied != rider.id:
        meant = acts.Attack(actor=rider.id, target=act.target, weapon=act.weapon)
        if not (yield from use_up_planned(fight, rider, meant)):
            return
    cites = fight.rules("woa.charge.definition", "woa.charge.distance", "woa.charge.path", topic)
    yield ActionSpent(who=steed.id, kind="full-round", what="charge", cites=cites)
    yield ActionSpent(who=steed.id, kind="rush", what="charge", cites=fight.rules("woa.charge.no-short-step"))
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(
        who=steed.id,
        condition="charging",
        source=target.id,
        until=until,
        cites=fight.rules("woa.charge.attack"),
    )
    yield ConditionGained(
        who=rider.id, condition="riding a charge", source=steed.id, until=until, cites=(rule,)
    )
    first = fight.rule("woa.charge.move-before-attack")
    there = yield from fight.dialect.movement.walk(fight, steed, act.path, "charge", rule, first)
    if not there or not rider.mount or is_down(fight, rider) or "dead" in target.conditions:
        return
    yield spending(fight, rider, "standard", "attack", rule)
    yield ActionSpent(who=rider.id, kind=STRUCK, what="attacks from the saddle", cites=(rule,))
    yield from lower_riders_shield(fight, rider)
    making = partial(charging_blow, fight, rider, target)
    blow = yield from fight.dialect.attacks.blow_at_end(fight, rider, weapon, making)
    if blow is None:
        return
    weapon = blow.weapon
    blow.attack_extra.append(
        fight.modifier(topic, "rider_attack_bonus", kind="circumstance", source="charging")
    )
    if is_lance(weapon):
        blow.damage.multipliers += ((fight.figure(topic, "lance_damage_multiplier"), rule),)
    yield from fight.dialect.attacks.deliver(fight, blow)
