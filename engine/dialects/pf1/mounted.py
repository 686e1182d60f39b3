"""Mounted combat: mounting and dismounting, directing the mount, staying mounted."""

from typing import Final

from affray.engine.dialects.pf1.magic import cast_own_spell
from affray.engine.dialects.pf1.maneuvers.bull_rush_and_overrun import push_back
from affray.engine.dialects.pf1.maneuvers.maneuver_check import (
    Check,
    choose_feet,
    feet_of,
    refuse_too_big,
    roll_maneuver,
)
from affray.engine.dialects.pf1.movement import LEAPING
from affray.engine.dialects.pf1.turns import refuse_immediate
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow, Harm, Intent
from affray.engine.rules.classes.abilities import score_now
from affray.engine.rules.classes.sheets import has_feat, size_step
from affray.engine.rules.gear.weapons_in_hand import is_lance, unarmed
from affray.engine.rules.maneuvers.opposed_checks import straight_on
from affray.engine.rules.mounted import mounted_combat, riding
from affray.engine.rules.mounted.mounted_combat import beats_attack_roll, tries_to_avert
from affray.engine.rules.mounted.riding import BEHIND, find_landings, find_rider, mount_of, side_of
from affray.engine.rules.mounted.stay_mounted import fall_off_mount, leap_from_saddle
from affray.engine.rules.movement.skills import jump_parts
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

# --- A rider's protection of its mount, and safe mounting, in pf1 (pf1.feat.mounted, pf1.move.mount)


def averted(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a rider with Mounted Combat negate a hit on the mount by a Ride check, as an immediate action.

    Once a round, and not without an immediate action left (pf1.feat.mounted, pf1.action.immediate).
    """
    rider = find_rider(fight, blow.target)
    if rider is None:
        return False
    try:
        kind = refuse_immediate(fight, rider)
    except Refusal:
        return False
    if not (yield from tries_to_avert(fight, rider, blow)):
        return False
    cites = fight.rules("pf1.feat.mounted", "pf1.action.immediate")
    yield ActionSpent(who=rider.id, kind=kind, what=f"guards {blow.target.id}", cites=cites)
    return (yield from beats_attack_roll(fight, rider, blow))


def report_safe_mounting(fight: Fight, act: acts.Mount | acts.Dismount) -> Steps[None]:
    """Report that mounting or dismounting does not provoke, if enemies threaten (pf1.actions-table.move)."""
    actor = fight.combatant(act.actor)
    what = "mounting" if isinstance(act, acts.Mount) else "dismounting"
    yield from fight.dialect.turns.told_safe(fight, actor, "move", "Mount or dismount", what)


# --- Acts that are impossible from the saddle: those that move the rider itself (pf1.mount.control)

#: Declarations that move their actor.
AFOOT = (acts.BullRush, acts.Drag, acts.Skirmish, acts.Trample, acts.Jump)


def refuse_own_feet(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse a rider to move by itself, as the mount moves; a bull rush without a charge is no movement."""
    if not isinstance(act, acts.BullRush) or act.charge:
        rule = fight.rule("pf1.mount.control")
        raise Refusal(f"{actor.id} rides {actor.mount} and does not move by itself", rule)


# --- The Ride skill in pf1, where it differs: control, cover, spurs, large mounts
# pf1.skill.ride, pf1.mount.control, pf1.move.mount.

RIDE_SKILL_TOPIC: Final = "pf1.skill.ride"
#: The condition of a mount that has been spurred too often, and the worse one.
TIRED: Final = ("fatigued", "exhausted")
SPURRED: Final = "spurred"


def is_frightened(fight: Fight, steed: Combatant) -> bool:
    """Return whether combat frightens a mount: every mount not trained for it (pf1.mount.control)."""
    return not riding.is_trained(fight, steed)


def guide(fight: Fight, act: acts.Guide) -> Steps[None]:
    """Use the Ride skill: control, guide with the knees, hang at the mount's side, spur, leap.

    The mount leaps by Acrobatics, farther if it is fast (pf1.skill.ride, pf1.skill.jump).
    """
    rider = fight.combatant(act.actor)
    steed = mount_of(fight, rider)
    if steed is None:
        raise Refusal(f"{rider.id} does not ride", fight.rule(RIDE_SKILL_TOPIC))
    if act.what == "control":
        return control(fight, rider, steed)
    if act.what == "knees":
        return riding.guide_with_knees(fight, rider, steed)
    if act.what == "cover":
        return hang_beside_mount(fight, rider, steed)
    if act.what == "spur":
        return spur(fight, rider, steed)
    jumping = jump_parts(fight, steed, False, LEAPING)
    return leap_from_saddle(fight, rider, steed, act.path, LEAPING.skill, jumping)


def control(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Control a frightened mount, which provokes (pf1.mount.control, pf1.actions-table.move)."""
    riding.refuse_to_control(fight, rider, steed)
    cites = fight.dialect.turns.table_rules(fight, "move", "Control a frightened mount")
    enemies = threatening(fight, rider) if cites else []
    yield from fight.dialect.opportunity.provoke(
        fight, rider, enemies, f"controls {steed.id}", f"control:{fight.declaration}", *cites
    )
    if rider.mount == steed.id and not is_down(fight, rider):
        yield from riding.control(fight, rider, steed)


def hang_beside_mount(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Hang at the mount's side as an immediate action and use it as cover until sitting up again.

    pf1.skill.ride, pf1.action.immediate.
    """
    riding.refuse_to_hang(fight, rider, steed)
    kind = refuse_immediate(fight, rider)
    cites = fight.rules(RIDE_SKILL_TOPIC, "pf1.action.immediate")
    yield ActionSpent(who=rider.id, kind=kind, what=f"drops beside {steed.id}", cites=cites)
    yield from riding.hang_beside_mount(fight, rider, steed, Until())


def sit_up(fight: Fight, act: acts.Recover) -> Steps[None]:
    """Get back into the seat from the mount's side: a move action, without a check (pf1.skill.ride)."""
    rider, rule = fight.combatant(act.actor), fight.rule(RIDE_SKILL_TOPIC)
    if BEHIND not in rider.conditions:
        raise Refusal(f"{rider.id} does not hang at the side of a mount", rule)
    yield spending(fight, rider, "move", "sits up again", rule)
    yield ConditionLost(who=rider.id, condition=BEHIND, why="sits up again", cites=(rule,))


def spur(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Spur the mount, which damages it; it tires after as many rounds of that as its Constitution.

    pf1.skill.ride.
    """
    rules = fight.rules(RIDE_SKILL_TOPIC)
    tired = next((name for name in TIRED if name in steed.conditions), "")
    if tired:
        raise Refusal(f"{steed.id} is {tired} and cannot be spurred", rules[0])
    if not (yield from riding.urge_on(fight, rider, steed)):
        return
    now = riding.spurred_in(fight.state.round)
    for resource in (now, SPURRED):
        yield ResourceSpent(who=steed.id, resource=resource, amount=1, cites=rules)
    rolled = yield Roll(rider.id, "spurs", fight.figure(RIDE_SKILL_TOPIC, "spur"))
    yield from fight.dialect.damage.suffer(fight, Harm(steed, rolled.total, "", "the spurs", cites=rules))
    stamina = score_now(fight, steed, "con")
    if stamina is not None and steed.resources[SPURRED] >= stamina and "dead" not in steed.conditions:
        fatigue = ConditionGained(who=steed.id, condition=TIRED[0], source="the spurs", cites=rules)
        yield from fight.dialect.conditions.gain(fight, fatigue)


def refuse_hurry(fight: Fight, act: acts.Mount | acts.Dismount) -> None:
    """Refuse fast mounting or dismounting if the mount is too big for its rider (pf1.skill.ride)."""
    rider = fight.combatant(act.actor)
    steed = fight.combatant(act.target) if isinstance(act, acts.Mount) else mount_of(fight, rider)
    most = fight.figure(RIDE_SKILL_TOPIC, "fast_sizes")
    if act.fast and steed is not None and size_step(steed) - size_step(rider) > most:
        reason = f"{steed.id} is too big for {rider.id} to mount or dismount as a free action"
        raise Refusal(reason, fight.rule(RIDE_SKILL_TOPIC))


# --- Shooting and casting during a mount's movement (pf1.mount.ranged, pf1.mount.cast)


def ride_and_act(fight: Fight, act: acts.Ride) -> Steps[None]:
    """Ride on and shoot, or cast one of the rider's spells, on the way."""
    return mounted_combat.ride_and_act_midway(fight, act, cast_own_spell)


# --- Unseat: a lance that hits in a mounted charge, and a bull rush with it (pf1.feat.mounted)

UNSEAT_TOPIC: Final = "pf1.feat.mounted"
NAME: Final = "bull rush"
PUSH: Final = "pf1.bull-rush"


def unseat(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Offer a free bull rush after a lance's hit: it knocks a rider out of the saddle.

    Other targets are pushed back, and the attacker does not go along (pf1.feat.mounted, pf1.charge.attack).
    """
    attacker, target = blow.attacker, blow.target
    if not (has_feat(attacker, "unseat") and is_lance(blow.weapon)) or "dead" in target.conditions:
        return
    try:
        refuse_too_big(fight, attacker, target, NAME)
    except Refusal:
        return
    question = f"does {attacker.id} try to push {target.id} back with the {blow.weapon.name}?"
    if (yield Choice(attacker.id, "unseat", question, ("try", "decline"), fight.rule(UNSEAT_TOPIC))) != "try":
        return
    intent = Intent("through", maneuver=NAME, against=f"CMD against {NAME}")
    rush = Blow(attacker, target, unarmed(fight, attacker), True, distance(attacker, target), intent)
    bonus = fight.modifier("charge.attack", "bull_rush", kind="circumstance", source="charging")
    rush.attack_extra.append(bonus)
    check = yield from roll_maneuver(fight, rush, PUSH, UNSEAT_TOPIC)
    if not check.won:
        return
    steed = mount_of(fight, target)
    if steed is None:
        yield from push_on(fight, attacker, target, check)
        return
    yield from fall_off_mount(
        fight, target, steed, fight.rule(UNSEAT_TOPIC), to=place_away(fight, attacker, target, steed)
    )


def push_on(fight: Fight, attacker: Combatant, target: Combatant, check: Check) -> Steps[None]:
    """Push back a target on foot, as far as the check allows (pf1.bull-rush)."""
    way = straight_on(attacker.at, attacker, target)
    question = f"how many feet does {attacker.id} push {target.id}?"
    feet = yield from choose_feet(fight, attacker, feet_of(fight, check, PUSH, "push_ft"), PUSH, question)
    yield from push_back(fight, attacker, target, way, feet)


def place_away(fight: Fight, attacker: Combatant, rider: Combatant, steed: Combatant) -> Square | None:
    """Return the free space next to a mount that is directly away from an attacker; None without any."""
    (x, y), half = middle(steed.at, steed.space), side_of(fight, rider)
    across, down = (a - b for a, b in zip((x, y), middle(attacker.at, attacker.space), strict=True))

    def strays(at: Square) -> tuple[float, Square]:
        """Return how little a place lies in the blow's direction, the places in order."""
        there = middle(at, half)
        ahead = (there[0] - x) * across + (there[1] - y) * down
        beside = abs((there[0] - x) * down - (there[1] - y) * across)
        return (beside - ahead, at)

    return min(find_landings(fight, rider, steed), key=strays, default=None)


def middle(at: Square, side: int) -> tuple[float, float]:
    """Return the middle of a space."""
    return (at[0] + side / 2, at[1] + side / 2)
