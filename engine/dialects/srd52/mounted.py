"""Mounts: getting on and off, controlled and independent mounts, and falling off."""

from collections.abc import Sequence
from typing import Final

from affray.engine.dialects.srd52 import movement, test
from affray.engine.dialects.srd52.classes import fields_of
from affray.engine.dialects.srd52.conditions import gain, incapacitating
from affray.engine.dialects.srd52.position import (
    nearest_free,
    others_at,
    size_of,
    space_and_reach,
    within,
)
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import gaps
from affray.engine.kernel import turns
from affray.engine.kernel.actions import check_turn
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import Dismounted, MountDirected, Mounted, Moved
from affray.events.facts.flow import InitiativeChanged
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Getting on and off


def mount(fight: Fight, act: acts.Mount) -> Steps[None]:
    """Mount a willing creature nearby, for half of the Speed. A trained one is controlled from then on."""
    rider, steed = fight.combatant(act.actor), fight.combatant(act.target)
    check_turn(fight, rider)
    refuse_steed(fight, rider, steed)
    rule = fight.rule("mounted.mount-cost")
    if not within(rider, steed, fight.figure("mounted.mount-cost", "distance_ft")):
        raise Refusal(f"{steed.id} is not next to {rider.id}", rule)
    yield climb(fight, rider, "mounts")
    yield from seat(fight, rider, steed)


def refuse_steed(fight: Fight, rider: Combatant, steed: Combatant) -> None:
    """Refuse a mount that is unwilling, too small, taken or without the saddle that it needs."""
    rule = fight.rule("mounted.eligible")
    larger = fight.figure("mounted.eligible", "min_size_above")
    if steed is rider or steed.side != rider.side or incapacitating(steed):
        raise Refusal(f"{steed.id} is no willing mount of {rider.id}", rule)
    if size_of(steed) - size_of(rider) < larger:
        raise Refusal(f"{steed.id} is too small for {rider.id}", rule)
    if rider.mount or steed.rider or rider.rider or steed.mount:
        raise Refusal(f"{rider.id} cannot mount {steed.id} now", rule)
    aloft = steed.sheet.fly or (steed.sheet.swim and not steed.sheet.speed)
    if aloft and "exotic saddle" not in fields_of(fight, steed).items:
        raise Refusal(f"{steed.id} needs an exotic saddle", fight.rule("mounted.exotic-saddle"))


def climb(fight: Fight, rider: Combatant, how: str) -> Moved:
    """Return the fact that mounting or dismounting takes half of the Speed. Refuses without as much left."""
    rule, speed = fight.rule("mounted.mount-cost"), movement.full_speed(fight, rider)
    cost, left = speed // fight.figure("mounted.mount-cost", "divisor"), movement.feet_left(fight, rider)
    if not speed or cost > left:
        raise Refusal(f"{rider.id} has {left} ft. left, and that takes {cost} ft.", rule)
    return Moved(who=rider.id, start=rider.at, path=(), feet=cost, diagonals=0, how=how, cites=(rule,))


def seat(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Put a rider on its mount; a trained mount takes the rider's place in the order, and acts at once."""
    cites = fight.rules("mounted.eligible")
    yield Mounted(who=rider.id, mount=steed.id, at=steed.at, space=steed.space, cites=cites)
    if not is_controlled(fight, steed):
        return
    if rider.id in fight.state.order:
        cites = fight.rules("mounted.controlled-initiative")
        order = beside_riders(fight, fight.state.order)
        yield InitiativeChanged(who=steed.id, value=rider.initiative, order=order, cites=cites)
    cites = fight.rules("mounted.control", "mounted.controlled-same-turn")
    yield MountDirected(who=rider.id, mount=steed.id, cites=cites)


def dismount(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Dismount to a free place next to the mount, for half of the Speed."""
    rider, rule = fight.combatant(act.actor), fight.rule("mounted.mount-cost")
    check_turn(fight, rider)
    if not rider.mount:
        raise Refusal(f"{rider.id} is not mounted", rule)
    if act.to not in places_beside(fight, rider):
        raise Refusal(f"{rider.id} cannot dismount to {act.to[0]},{act.to[1]}", rule)
    yield climb(fight, rider, "dismounts")
    yield get_off(fight, rider, act.to, "dismounts", rule)


def get_off(fight: Fight, rider: Combatant, to: Square, how: str, *cites: str) -> Dismounted:
    """Return the fact that a rider is off its mount, in its own space."""
    cites = (*cites, fight.rule("position.size-space"))
    side, _ = space_and_reach(fight, rider.sheet)
    return Dismounted(who=rider.id, mount=rider.mount, at=to, space=side, how=how, cites=cites)


def places_beside(fight: Fight, rider: Combatant) -> list[Square]:
    """Return the free places within 5 feet of a rider's mount."""
    steed = fight.combatant(rider.mount)
    side, _ = space_and_reach(fight, rider.sheet)
    x, y = steed.at
    found = []
    for at in (
        (x + dx, y + dy) for dy in range(-side, steed.space + 1) for dx in range(-side, steed.space + 1)
    ):
        on_foot = Combatant(rider.id, rider.side, rider.sheet, at, side, 0, 1, 1)
        beside = max(gaps(at, side, steed.at, steed.space)) == 1
        if beside and fight.field.passable(at, side) and not others_at(fight, on_foot, at):
            found.append(at)
    return found


# --- Controlled and independent mounts


def is_controlled(fight: Fight, steed: Combatant) -> bool:
    """Return whether a mount obeys its rider: it has been trained for one, who can direct it."""
    rider = fight.state.combatants.get(steed.rider)
    return rider is not None and not incapacitating(rider) and fields_of(fight, steed).trained


def beside_riders(fight: Fight, order: Sequence[str]) -> tuple[str, ...]:
    """Return an order of turns in which controlled mounts come right after their riders."""
    found = fight.state.combatants
    led = {one.id: one.rider for one in found.values() if is_controlled(fight, one) and one.rider in order}
    made: list[str] = []
    for id in order:
        if id not in led:
            made += [id, *(steed for steed, rider in led.items() if rider == id and steed in order)]
    return tuple(made)


def direct(fight: Fight, rider: Combatant) -> Steps[None]:
    """Let a controlled mount act in its rider's turn, which begins."""
    steed = fight.state.combatants.get(rider.mount)
    if steed is not None and is_controlled(fight, steed):
        cites = fight.rules("mounted.controlled-actions")
        yield MountDirected(who=rider.id, mount=steed.id, cites=cites)


def can_act(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant can act: a controlled mount has no separate turn."""
    own = fight.state.active == combatant.id and is_controlled(fight, combatant)
    return not own and turns.can_act(fight, combatant)


ALLOWED: Final = (acts.Move, acts.Stand, acts.Jump, acts.Drop)
"""The acts of a controlled mount other than Dash, Disengage and Dodge."""


def refuse_unguided(fight: Fight, combatant: Combatant, act: acts.Act) -> None:
    """Refuse acts of a controlled mount but Dash, Disengage and Dodge, and an independent one out of turn."""
    if not combatant.rider:
        return
    if not is_controlled(fight, combatant):
        if fight.state.active == combatant.rider:
            reason = f"{combatant.id} is independent of its rider"
            raise Refusal(reason, fight.rule("mounted.independent"))
        return
    tag = str(act.__struct_config__.tag).rpartition(".")[2]
    known = fight.figure("mounted.controlled-actions", "actions")
    if not isinstance(act, ALLOWED) and tag not in known:
        raise Refusal(
            f"a controlled mount can only {', '.join(known)}", fight.rule("mounted.controlled-actions")
        )


# --- Falling off


def unseat(fight: Fight, rider: Combatant, why: str, topic: str, stays: bool = True) -> Steps[None]:
    """Let a rider make the save to stay on its mount; one that fails lies prone beside it.

    Unless it `stays` after a success, it comes to stand beside the mount.
    """
    rule = fight.rule(topic)
    save, number = fight.figure(topic, "save"), fight.figure(topic, "dc")
    sources = saddle_part(fight, rider)
    held = yield from test.save(fight, rider, save, number, *sources, why=why, cites=(rule,))
    places = places_beside(fight, rider) or nearest_free(fight, rider, rider.at)[:1]
    if (held and stays) or not places:
        return
    near = min(places, key=lambda at: (abs(at[0] - rider.at[0]) + abs(at[1] - rider.at[1]), at))
    yield get_off(fight, rider, near, "lands on its feet" if held else "falls off", rule)
    if not held:
        yield from gain(fight, rider, "prone", "falls off its mount")


def saddle_part(fight: Fight, rider: Combatant) -> list[Modifier]:
    """Return what a military saddle does to staying mounted; it is printed for checks, not for saves."""
    steed = fight.combatant(rider.mount)
    worn = "military saddle" in fields_of(fight, steed).items
    if not worn or fight.option("military_saddle") == "checks-only":
        return []
    return [test.source(fight, "mounted.military-saddle", "effect", "military saddle")]


FORCED: Final = ("pushed", "pulled")
"""How a movement against one's will begins."""


def after_push(fight: Fight, fact: Moved) -> Steps[None]:
    """Let the rider of a mount that was moved against its will try to stay on."""
    rider = fight.state.combatants.get(fight.combatant(fact.who).rider)
    if rider is not None and fact.how.startswith(FORCED):
        yield from unseat(fight, rider, "the mount is moved", "mounted.fall-off")


def after_fall(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a rider try to stay on when it, or its mount, is knocked prone."""
    topic = "mounted.fall-off-prone"
    if combatant.mount:
        yield from unseat(fight, combatant, "knocked prone", topic)
    rider = fight.state.combatants.get(combatant.rider)
    if rider is not None:
        stays = fight.option("rider_on_prone_mount") == "stays-mounted"
        yield from unseat(fight, rider, "the mount is prone", topic, stays)
