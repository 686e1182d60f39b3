"""The turn that rider and mount share (srd35.mount.initiative, pf1.mount.control)."""

from collections.abc import Callable
from functools import wraps

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import brings_about
from affray.engine.rules.damage.injury import lose_one
from affray.engine.rules.mounted.rider_and_mount import guides, is_guided, mount_of
from affray.engine.rules.mounted.riding import SLUMPED
from affray.engine.rules.turns import expiry
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, MountDirected
from affray.projections.state import Combatant

Stage = Callable[[Fight, Combatant], Steps[None]]


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
            cites=fight.rules("mount.rider-unconscious"),
        )
    yield MountDirected(
        who=combatant.id, mount=steed.id, renewed=renewed, cites=fight.rules("mount.initiative")
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
        yield from lose_one(fight, steed, "strain", "injury.disabled", "strain_damage")
    yield from brings_about(fight, steed, "turn_over")
    yield from expiry.expire(fight, steed, "turn-end")


def refuse_begun_mount(fight: Fight, act: acts.Delay) -> None:
    """Refuse to put a turn off to a rider whose mount has begun to act (srd35.delay.action)."""
    steed = mount_of(fight, fight.combatant(act.actor))
    if steed is not None and steed.spent:
        raise Refusal(f"{steed.id} has begun to act: {act.actor} cannot delay", fight.rule("delay.action"))


def rider_and_mount(stage: Stage) -> Stage:
    """Return a stage that goes through the same for a combatant and then for the mount that it guides."""

    @wraps(stage)
    def both(fight: Fight, combatant: Combatant) -> Steps[None]:
        return go_through_both(fight, combatant, stage)

    return both


def go_through_both(fight: Fight, combatant: Combatant, stage: Stage) -> Steps[None]:
    """Go through a stage for a combatant, then for the mount that it guided as that began."""
    steed = mount_of(fight, combatant)
    guided = [steed] if steed is not None and is_guided(fight, steed) else []
    yield from stage(fight, combatant)
    for one in guided:
        yield from stage(fight, one)
