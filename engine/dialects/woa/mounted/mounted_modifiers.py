"""Implement the modifiers of being mounted, and what it forbids (woa.mount.combat.*)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.checks import skill_parts
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.mounted.riding import find_rider_and_mount, mount_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

MILITARY_SADDLE = "military saddle"
WAR_TRAINED = "war-trained"


def has_stirrups(steed: Combatant) -> bool:
    """Return whether a mount wears a military saddle, which has stirrups."""
    return has_trait(steed, MILITARY_SADDLE)


def is_trained(steed: Combatant) -> bool:
    """Return whether a mount is trained for war (woa.mount.control.war-training)."""
    return has_trait(steed, WAR_TRAINED)


def strikes_nobody(fight: Fight, combatant: Combatant) -> str:
    """Return the topic by which rider or mount makes no melee attacks, "" if it may.

    Riders without stirrups make none, nor do mounts frightened by combat.
    """
    if combatant.mount and not has_stirrups(fight.state.combatants[combatant.mount]):
        return "mount.combat.saddle-required"
    if (combatant.rider or combatant.riderless) and not is_trained(combatant):
        return "mount.control.war-training"
    return ""


def has_moved_too_far(fight: Fight, steed: Combatant) -> bool:
    """Return whether a mount has moved too far this round for several attacks."""
    topic = "woa.mount.combat.melee-while-moving"
    return bool(steed.spent.get("feet", 0) > fight.figure(topic, "mount_move_threshold_ft"))


def mount_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifier of the mount's movement to a melee attack from the saddle: the rule's 0."""
    steed = mount_of(fight, blow.attacker)
    if steed is None or not blow.melee or not has_moved_too_far(fight, steed):
        return []
    topic = "woa.mount.combat.melee-while-moving"
    return [fight.modifier(topic, "melee_penalty", kind="penalty", source=f"{steed.id} in motion")]


def refuse_unstirruped(fight: Fight, combatant: Combatant) -> None:
    """Refuse melee attacks from a saddle without stirrups (woa.mount.combat.saddle-required)."""
    steed = mount_of(fight, combatant)
    if steed is not None and not has_stirrups(steed):
        raise Refusal(
            f"{combatant.id} has no stirrups to strike from", fight.rule("woa.mount.combat.saddle-required")
        )


def refuse_afoot(fight: Fight, actor: Combatant, act: acts.Skirmish | acts.Clamber | acts.Hide) -> None:
    """Refuse movement on foot to a rider in the saddle (woa.mount.shared-initiative)."""
    if actor.mount and (not isinstance(act, acts.Hide) or act.path):
        reason = f"{actor.id} rides {actor.mount} and cannot move on foot"
        raise Refusal(reason, fight.rule("woa.mount.shared-initiative"))


def refuse_gestures_unstirruped(fight: Fight, actor: Combatant, act: acts.Cast) -> None:
    """Refuse somatic spells in a saddle without stirrups (woa.mount.casting-stirrups)."""
    steed = mount_of(fight, actor)
    spell = next((one for one in actor.sheet.spells if one.name == act.spell), None)
    if steed is None or spell is None or spell.ability or "somatic" not in spell.components:
        return
    if not has_stirrups(steed):
        raise Refusal(f"{actor.id} has no stirrups to cast from", fight.rule("woa.mount.casting-stirrups"))


# --- Controlling a mount that combat frightens (woa.mount.control.*)

IN_HAND, UNRULY, BOLTING, BESET = "in hand", "unruly", "bolting", "beset"

KNEES, ONE_HAND, TRIED = "knees", "one hand", "fast in the saddle"


def ride_parts(fight: Fight, combatant: Combatant, rule: str) -> list[Modifier]:
    """Return the parts of a Ride check."""
    return skill_parts(fight, combatant, "ride", "dex", rule)


def refuse_out_of_hand(fight: Fight, steed: Combatant) -> None:
    """Refuse to direct a mount frightened by combat that is not under control this round."""
    if not is_trained(steed) and IN_HAND not in steed.conditions:
        reason = f"{steed.id} is not trained for war and must be brought under control first"
        raise Refusal(reason, fight.rule("woa.mount.control.untrained"))


# --- Riding: the mount's movement as its rider directs, and what both have done this round

#: Names for things that rider and mount have done this round, in addition to spending actions.
STRUCK, STRIKES, SHOTS, MOUNT_FIGHTS = "struck", "strikes", "shots", "the mount fights"


def refuse_to_ride(fight: Fight, act: acts.Move | acts.Run | acts.Step) -> None:
    """Refuse movement of a mount out of control, or movement that would invalidate what the rider
    has done.
    """
    pair = find_rider_and_mount(fight, fight.combatant(act.actor))
    if pair is not None:
        rider, steed = pair
        refuse_out_of_hand(fight, steed)
        squares = 1 if isinstance(act, acts.Step) else len(act.path)
        refuse_ride_on(fight, rider, steed, squares, isinstance(act, acts.Run))


def as_mount(fight: Fight, act: acts.Act) -> object:
    """Return a rider's movement as the mount's.

    It takes the mount's action, at the mount's speed, and none of the rider's (woa.mount.shared-initiative).
    """
    pair = find_rider_and_mount(fight, fight.combatant(act.actor))
    return act if pair is None else replace(act, actor=pair[1].id)


def tell_ride(fight: Fight, act: acts.Act, moving: Steps[None]) -> Steps[None]:
    """Move; for a rider also report that the mount's speed and action were used."""
    pair = find_rider_and_mount(fight, fight.combatant(act.actor))
    return moving if pair is None else report_movement_of_mount(fight, moving, *pair)


def report_movement_of_mount(
    fight: Fight, moving: Steps[None], rider: Combatant, steed: Combatant
) -> Steps[None]:
    """Run the movement of a mount and report its speed and action."""
    yield from moving
    rule = fight.rule("woa.mount.shared-initiative")
    yield RuleApplied(who=rider.id, what=f"rides at the speed of {steed.id}, by its action", cites=(rule,))


def refuse_ride_on(fight: Fight, rider: Combatant, steed: Combatant, squares: int, whole: bool) -> None:
    """Refuse movement that would invalidate what the rider has done: several attacks, or a shot at half the
    way.
    """
    topic = "woa.mount.combat.melee-while-moving"
    feet = steed.spent.get("feet", 0) + squares * SQUARE_FT
    if rider.spent.get(STRIKES, 0) and feet > fight.figure(topic, "mount_move_threshold_ft"):
        most = fight.figure(topic, "mount_move_threshold_ft")
        reason = f"{rider.id} has made more than one attack: {steed.id} can move at most {most} ft."
        raise Refusal(reason, fight.rule(topic))
    if rider.spent.get(SHOTS) and (whole or steed.spent.get("move")):
        raise Refusal(
            f"{rider.id} has shot already: on a double move or run it shoots at half the way",
            fight.rule("woa.mount.combat.ranged"),
        )


def has_moved_far(steed: Combatant) -> bool:
    """Return whether a mount has gone farther than one move this round."""
    return bool(steed.spent.get("feet")) and (
        steed.spent.get("move", 0) > 1 or bool(steed.spent.get("full-round"))
    )
