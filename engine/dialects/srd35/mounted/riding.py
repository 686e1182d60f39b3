"""Into the saddle and out of it, and the turn that rider and mount share (srd35.mount.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import brings_about
from affray.engine.rules.damage.injury import lose_one
from affray.engine.rules.mounted.rider_and_mount import guides, is_guided, mount_of
from affray.engine.rules.mounted.riding import (
    SLUMPED,
    come_off,
    landings,
    seated_fact,
    spend_mounting,
)
from affray.engine.rules.turns import expiry
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, MountDirected
from affray.projections.state import Combatant


def take_saddle(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a newcomer into the saddle of its mount."""
    yield seated_fact(fight, fight.state.combatants[act.id], fight.combatant(act.riding))


def dismount(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Climb down beside the mount: a move action, or a free one with a Ride check.

    srd35.move-action.mount.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.move-action.mount")
    refuse_unless_allowed(fight, actor, "move")
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", rule)
    if act.to not in landings(fight, actor, steed):
        raise Refusal(f"{act.to[0]},{act.to[1]} is no free place beside {steed.id}", rule)
    yield from spend_mounting(fight, actor, steed, "dismount", act.fast)
    yield from come_off(fight, actor, steed, "climbs down", rule, to=act.to)


def turn_of_mount(fight: Fight, combatant: Combatant) -> Steps[None] | None:
    """End what lasts until the mount's turn, which is the rider's (srd35.mount.initiative)."""
    steed = mount_of(fight, combatant)
    return expiry.expire(fight, steed, "turn-start") if steed is not None else None


def begin_with_mount(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let the mount begin its turn with the rider's."""
    return direct_mount(fight, combatant, renewed=True)


def go_on_with_mount(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let the mount go on with a turn that the rider had put off."""
    return direct_mount(fight, combatant, renewed=False)


def direct_mount(fight: Fight, combatant: Combatant, *, renewed: bool) -> Steps[None]:
    """Let a rider who guides its mount direct it this turn (srd35.mount.initiative)."""
    steed = mount_of(fight, combatant)
    if steed is None or not guides(fight, combatant):
        return
    if SLUMPED in combatant.conditions:
        yield ConditionLost(
            who=combatant.id,
            condition=SLUMPED,
            why="recovered",
            cites=fight.rules("srd35.mount.rider-unconscious"),
        )
    yield MountDirected(
        who=combatant.id, mount=steed.id, renewed=renewed, cites=fight.rules("srd35.mount.initiative")
    )


def befall_mount(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let befall the mount that a rider guides what befalls a creature as its turn begins.

    Poison that works on, fast healing, smoke and fire: its turn is the rider's (srd35.mount.initiative).
    """
    steed = fight.state.combatants[combatant.mount]
    if not is_guided(fight, steed):
        return
    if steed.afflictions or steed.sheet.fast_healing or steed.sheet.regeneration:
        yield from fight.dialect.turns.turn_onset(fight, steed)
    yield from brings_about(fight, steed, "each_turn")


def end_turn_of_mount(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the turn of the mount that a rider guides, with the rider's own."""
    steed = fight.state.combatants[combatant.mount]
    if not is_guided(fight, steed):
        return
    if "disabled" in steed.conditions and steed.spent.get("standard"):
        yield from lose_one(fight, steed, "strain", "srd35.injury.disabled", "strain_damage")
    yield from brings_about(fight, steed, "turn_over")
    yield from expiry.expire(fight, steed, "turn-end")
