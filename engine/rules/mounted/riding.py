"""Mounted combat: into the saddle and out of it, and the turn that rider and mount share.

Rider and mount are two combatants in one place. The mount goes, pays and provokes by its own rules, and
acts in its rider's turn; the rider takes up its whole space (srd35.mount.initiative, srd35.mount.space).
"""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.line import can_be_put
from affray.engine.grid.reach import space as squares
from affray.engine.grid.reach import threatened
from affray.engine.rules.classes.ability_modifiers import has_trait, size_step
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.gear.let_go import raise_lances
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.movement.movement import refuse_prone
from affray.engine.rules.position.chosen_square import choose_square
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns import expiry
from affray.engine.rules.turns.action_budget import is_open, refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, Dismounted, MountDirected, Mounted
from affray.events.facts.flow import ActionSpent, InitiativeChanged, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SIZES
from affray.projections.state import Combatant

SLUMPED = "slumped"
MILITARY_SADDLE = "military saddle"
#: How far from its mount a rider who comes off it is laid down at most, in feet.
FAR = 30


def seated_fact(fight: Fight, rider: Combatant, mount: Combatant, *cites: str) -> Mounted:
    """Return the fact that somebody rides a mount and shares its space (srd35.mount.space).

    woa.mount.space.
    """
    rules = (*cites, *fight.rules("mount.space", "mount.initiative"))
    return Mounted(who=rider.id, mount=mount.id, at=mount.at, space=mount.space, cites=rules)


def at_the_mount(fight: Fight, act: acts.Enter) -> acts.Enter:
    """Return the entry of somebody in the saddle as one at the place of the mount."""
    return replace(act, at=fight.combatant(act.riding).at)


def refuse_taken_mount(fight: Fight, mount: Combatant) -> None:
    """Refuse a mount that has a rider, or rides itself, or cannot carry anybody."""
    rule = fight.rule("move-action.mount")
    if mount.rider or mount.mount:
        what = f"carries {mount.rider} already" if mount.rider else f"rides {mount.mount} itself"
        raise Refusal(f"{mount.id} {what}", rule)
    refuse_down(fight, mount, "carry a rider")
    if "prone" in mount.conditions:
        raise Refusal(f"{mount.id} is prone and must stand up first", rule)


def refuse_unwilling_or_small(steed: Combatant, rider: str, side: str, size: int, rule: str) -> None:
    """Refuse a steed of another side than its rider, and one that is not larger."""
    if steed.side != side:
        raise Refusal(f"{steed.id} is of another side and does not carry {rider}", rule)
    if size_step(steed) <= size:
        raise Refusal(f"{steed.id} is not larger than {rider} and cannot carry it", rule)


def refuse_saddle(fight: Fight, act: acts.Enter) -> None:
    """Refuse to bring a combatant in on a mount that has a rider, is too small or is of another side."""
    steed = fight.combatant(act.riding)
    if act.sheet is None or not act.id:
        return  # an entry without a sheet or an id is refused anyway
    refuse_taken_mount(fight, steed)
    size = SIZES.index(act.sheet.size)
    refuse_unwilling_or_small(steed, act.id, act.side, size, fight.rule("move-action.mount"))


def take_saddle(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a newcomer into the saddle of its mount."""
    yield seated_fact(fight, fight.state.combatants[act.id], fight.combatant(act.riding))


def mount(fight: Fight, act: acts.Mount) -> Steps[None]:
    """Climb into the saddle: a move action, or a free one with a Ride check (srd35.move-action.mount)."""
    actor, steed = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("move-action.mount")
    refuse_unless_allowed(fight, actor, "move")
    refuse_prone(fight, actor)
    refuse_steed(fight, actor, steed, rule)
    yield from spend_mounting(fight, actor, steed, "mount", act.fast)
    yield seated_fact(fight, actor, steed, rule)
    yield from share_turn(fight, actor, steed)


def refuse_steed(fight: Fight, rider: Combatant, steed: Combatant, rule: str) -> None:
    """Refuse a steed that does not carry somebody: not of the right size, not at hand, not free."""
    if rider.mount or rider.rider:
        what = f"rides {rider.mount} already" if rider.mount else f"carries {rider.rider}"
        raise Refusal(f"{rider.id} {what} and cannot mount {steed.id}", rule)
    refuse_taken_mount(fight, steed)
    refuse_unwilling_or_small(steed, rider.id, rider.side, size_step(rider), rule)
    refuse_apart(rider, steed, rule)


def spend_mounting(fight: Fight, rider: Combatant, steed: Combatant, what: str, fast: bool) -> Steps[None]:
    """Spend what mounting or dismounting takes: a move action, or nothing if a fast attempt succeeds."""
    rule = fight.rule("move-action.mount")
    done = False
    if fast:
        dc = fight.figure("move-action.mount", "fast_ride_dc")
        parts = ride_parts(fight, rider, steed, rule)
        done = yield from check(fight, rider, "ride", parts, dc, rule, why=f"to {what} fast")
    yield ActionSpent(who=rider.id, kind="free" if done else "move", what=what, cites=(rule,))


def share_turn(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Let a mount act in its new rider's turn; it has nothing left if its own turn came before.

    Not even the rest of a full attack that it made only in part (srd35.mount.initiative).
    """
    order, rule = fight.state.order, fight.rule("mount.initiative")
    before = steed.id in order and rider.id in order and order.index(steed.id) < order.index(rider.id)
    if before:
        whole = steed.spent.get("full-round")
        if not whole or is_open(steed):
            kind = "move" if whole else "full-round"
            yield ActionSpent(who=steed.id, kind=kind, what="has had its turn", cites=(rule,))
    else:
        yield MountDirected(who=rider.id, mount=steed.id, cites=(rule,))


def dismount(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Climb down beside the mount: a move action, or a free one with a Ride check.

    srd35.move-action.mount.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("move-action.mount")
    refuse_unless_allowed(fight, actor, "move")
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", rule)
    if act.to not in landings(fight, actor, steed):
        raise Refusal(f"{act.to[0]},{act.to[1]} is no free place beside {steed.id}", rule)
    yield from spend_mounting(fight, actor, steed, "dismount", act.fast)
    yield from come_off(fight, actor, steed, "climbs down", rule, to=act.to)


def landings(fight: Fight, rider: Combatant, steed: Combatant) -> list[Square]:
    """Return the free places next to a mount where its rider could stand."""
    return places_around(fight, rider, steed, SQUARE_FT)


def places_around(fight: Fight, rider: Combatant, steed: Combatant, feet: int) -> list[Square]:
    """Return the free places for a rider up to so many `feet` off its mount, nearest first."""
    side = side_of(fight, rider)
    x, y = steed.at
    held = {
        square
        for one in fight.state.combatants.values()
        if "dead" not in one.conditions
        for square in squares(one.at, one.space)
    }
    # A space of that side is as far off as its upper left square from the mount grown by the rest of it.
    around = threatened((x - side + 1, y - side + 1), steed.space + side - 1, SQUARE_FT, feet)
    free = [
        at
        for at in around
        if can_be_put(fight.field, steed.at, steed.space, at, side)
        and not held.intersection(squares(at, side))
    ]
    return sorted(free, key=lambda at: (distance_ft(at, steed.at, side, steed.space), at))


def nearest_places(fight: Fight, rider: Combatant, steed: Combatant) -> list[Square]:
    """Return the free places for a rider that are nearest to its mount; the mount's own where none is."""
    free = places_around(fight, rider, steed, FAR)
    side = side_of(fight, rider)
    feet = [distance_ft(at, steed.at, side, steed.space) for at in free]
    return [at for at, far in zip(free, feet, strict=True) if far == feet[0]] or [steed.at]


def side_of(fight: Fight, combatant: Combatant) -> int:
    """Return the squares along a side of a rider's own space."""
    return fight.dialect.position.space_and_reach(fight, combatant.sheet)[0]


def come_off(
    fight: Fight, rider: Combatant, steed: Combatant, how: str, *cites: str, to: Square | None = None
) -> Steps[None]:
    """Part a rider from its mount; it stands at `to`, or where the game master says of the nearest places."""
    if to is None:
        question = f"{rider.id} {how} from {steed.id}: where does it come down?"
        near = nearest_places(fight, rider, steed)
        to = yield from choose_square("", "lands", question, near, fight.rule("mount.space"))
    # The mount of somebody who hung in the saddle has had a turn of its own since then.
    alone = SLUMPED in rider.conditions
    yield Dismounted(who=rider.id, mount=steed.id, at=to, space=side_of(fight, rider), how=how, cites=cites)
    for name in ("behind the mount", SLUMPED):
        if name in rider.conditions:
            yield ConditionLost(who=rider.id, condition=name, why="out of the saddle", cites=cites)
    yield from raise_lances(fight, rider)
    if not alone:
        yield from release_mount(fight, rider, steed)


def release_mount(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Give a mount that nobody guides a turn of its own, just before its rider's; it avoids combat.

    srd35.mount.riderless.
    """
    if "dead" in steed.conditions or not fight.state.begun:
        return
    rule = fight.rule("mount.riderless")
    if not is_down(fight, steed):
        yield RuleApplied(who=steed.id, what="has nobody to guide it and avoids combat", cites=(rule,))
    others = [id for id in fight.state.order if id != steed.id]
    # A mount whose own turn is running has its place in this round already.
    if rider.id not in others or fight.state.active == steed.id:
        return
    place = others.index(rider.id)
    yield InitiativeChanged(
        who=steed.id,
        value=rider.initiative,
        order=(*others[:place], steed.id, *others[place:]),
        before=rider.id,
        cites=(rule, fight.rule("mount.initiative")),
    )
    if fight.state.active == rider.id:
        # Its turn of this round was its rider's: its own comes before that from the next one on.
        yield from expiry.expire(fight, steed, "turn-end")


def ride_parts(
    fight: Fight, rider: Combatant, steed: Combatant, rule: str, *, staying: bool = False
) -> list[Modifier]:
    """Return the parts of a Ride check: the skill, and what the mount wears (srd35.skill.ride-details).

    `staying` in the saddle is what a military saddle helps with. A mount whose sheet names no such trait
    wears a riding saddle and suits its rider.
    """
    parts = skill_parts(fight, rider, "ride", "dex", rule)
    topic = "skill.ride-details"
    if has_trait(steed, "bareback"):
        parts.append(fight.modifier(topic, "bareback", kind="penalty", source="bareback"))
    if has_trait(steed, "unsuited"):
        parts.append(fight.modifier(topic, "unsuited", kind="penalty", source="unsuited mount"))
    if staying and has_trait(steed, MILITARY_SADDLE):
        parts.append(fight.modifier(topic, "saddle", kind="circumstance", source=MILITARY_SADDLE))
    return parts
