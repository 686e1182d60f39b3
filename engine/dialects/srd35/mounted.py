"""Mounted combat: mounting and dismounting, directing the mount, staying mounted."""

from affray.engine.dialects.srd35.magic import cast_own_spell
from affray.engine.dialects.srd35.movement.flight import come_down
from affray.engine.dialects.srd35.movement.speed import speed_in_armor_or_load
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import height_of
from affray.engine.modifiers import effect_parts
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapters import Side
from affray.engine.rules.classes.checks import skill_parts
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.maneuvers.opposed_checks import side_of, size_part
from affray.engine.rules.mounted import mounted_combat
from affray.engine.rules.mounted.riding import (
    control,
    guide_with_knees,
    hang_beside_mount,
    mount_of,
    refuse_to_control,
    refuse_to_hang,
    ride_parts,
    spurred_in,
    urge_on,
)
from affray.engine.rules.mounted.stay_mounted import leap_from_saddle
from affray.engine.rules.movement.skills import BORNE
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

# --- Mounting and dismounting in the air (srd35.mount.space, srd35.falling.damage)


def lift_rider(fight: Fight, act: acts.Enter | acts.Mount) -> Steps[None]:
    """Raise a combatant that has mounted to the height of its mount."""
    actor = fight.combatant(act.id if isinstance(act, acts.Enter) else act.actor)
    steed = mount_of(fight, actor)
    if steed is not None and height_of(steed):
        cites = fight.rules("srd35.mount.space")
        yield ConditionGained(
            who=actor.id, condition=BORNE, source=steed.id, level=height_of(steed), aloft=True, cites=cites
        )


def fall_from_saddle(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Make a combatant that has dismounted in the air fall from the mount's height."""
    actor = fight.combatant(act.actor)
    if BORNE in actor.conditions and not actor.mount:
        feet = height_of(actor)
        cites = fight.rules("srd35.falling.damage")
        yield ConditionLost(who=actor.id, condition=BORNE, why="out of the saddle", cites=cites)
        yield from come_down(fight, actor, feet)


# --- Barding: the effect of medium and heavy barding on speed (srd35.armor.barding)

SLOWING = ("medium", "heavy")


def is_barded(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a creature wears barding that slows it: the trait, and armor of that weight."""
    return combatant.sheet.armor_weight in SLOWING and has_trait(combatant, "barding")


def bar_longbow(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a plain longbow cannot be used by a rider (srd35.weapons.composite)."""
    if not blow.melee and "not mounted" in blow.weapon.traits:
        return f"the {blow.weapon.name} cannot be used from the saddle", "srd35.weapons.composite"
    return "", ""


def speed_in_barding(fight: Fight, combatant: Combatant) -> int:
    """Return the speed in feet of the barded, whose sheet gives that without barding.

    Speeds that the barding table does not list are slowed as by any armor (srd35.speed.reduced-table).
    """
    slowed = fight.figure("srd35.armor.barding").get(str(combatant.sheet.speed))
    feet = int(slowed or speed_in_armor_or_load(fight, combatant.sheet.speed))
    return feet + sum(part.value for part in effect_parts(combatant, "speed", ""))


def tell_speed(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Report the speed of a creature that enters in barding."""
    actor = fight.state.combatants[act.id]
    if is_barded(fight, actor):
        feet = speed_in_barding(fight, actor)
        what = f"in {actor.sheet.armor_weight} barding moves {feet} ft. instead of {actor.sheet.speed} ft."
        if actor.sheet.fly:
            what += " and does not fly"
        yield RuleApplied(who=actor.id, what=what, cites=(fight.rule("srd35.armor.barding"),))


# --- Shooting and casting during a mount's movement (srd35.mount.ranged-timing, srd35.mount.cast-moving)


def ride(fight: Fight, act: acts.Ride) -> Steps[None]:
    """Ride on and shoot, or cast one of the rider's spells, on the way."""
    return mounted_combat.ride_and_act_midway(fight, act, cast_own_spell)


# --- The effect of spurs on the mount (srd35.skill.ride-details)


def spur(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Spur the mount: it is faster for a round and damaged, twice as much in each consecutive round.

    srd35.skill.ride-table, srd35.skill.ride-details.
    """
    if not (yield from urge_on(fight, rider, steed)):
        return
    rules = fight.rules("srd35.skill.ride-details")
    before = steed.resources.get(spurred_in(fight.state.round - 1), 0)
    hurt = before * int(fight.figure("srd35.skill.ride-details", "spur_doubling"))
    hurt = hurt or int(fight.figure("srd35.skill.ride-details", "spur_damage"))
    yield ResourceSpent(who=steed.id, resource=spurred_in(fight.state.round), amount=hurt, cites=rules)
    yield from fight.dialect.damage.suffer(fight, Harm(steed, hurt, "", "the spurs", cites=rules))


# --- The rider's acts by the Ride skill (srd35.skill.ride-table)


def control_openly(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Control a frightened mount, which provokes (srd35.mount.control-check, srd35.actions-table.move)."""
    cites = fight.dialect.turns.table_rules(fight, "move", "Control a frightened mount")
    enemies = threatening(fight, rider) if cites else []
    name, reason = f"control:{fight.declaration}", f"controls {steed.id}"
    yield from fight.dialect.opportunity.provoke(fight, rider, enemies, reason, name, *cites)
    if not is_down(fight, rider) and rider.mount == steed.id:
        yield from control(fight, rider, steed)


def guide(fight: Fight, act: acts.Guide) -> Steps[None]:
    """Use the Ride skill: control, guide with the knees, hang at the mount's side, spur, leap."""
    actor = fight.combatant(act.actor)
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", fight.rule("srd35.skill.ride-table"))
    if act.what == "control":
        refuse_to_control(fight, actor, steed)
        return control_openly(fight, actor, steed)
    if act.what == "knees":
        return guide_with_knees(fight, actor, steed)
    if act.what == "cover":
        refuse_to_hang(fight, actor, steed)
        until = Until("turn-start", actor.id, fight.state.round + 1)
        return hang_beside_mount(fight, actor, steed, until)
    if act.what == "spur":
        return spur(fight, actor, steed)
    jumping = skill_parts(fight, steed, "jump", "str", fight.rule("srd35.skill.ride-details"))
    return leap_from_saddle(fight, actor, steed, act.path, "jump", jumping)


# --- A rider's resistance to a trip (srd35.trip.mounted)


def rider_footing(fight: Fight, combatant: Combatant, topic: str, whole: bool, usual: Side) -> Side:
    """Return the check of a trip's target: a rider may oppose Ride, if that is better.

    Its own size counts, the many legs of its mount do not (srd35.trip.mounted).
    """
    steed = mount_of(fight, combatant)
    if steed is None:
        return usual
    rule = fight.rule("srd35.trip.mounted")
    parts = ride_parts(fight, combatant, steed, rule)
    ability = usual.parts[0].value
    if sum(part.value for part in parts) < ability:
        return usual
    parts += size_part(fight, combatant, topic)
    if whole:
        return side_of(fight, combatant, "ride", parts)
    return Side(combatant, parts)
