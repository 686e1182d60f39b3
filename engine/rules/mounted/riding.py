"""Mounted combat: mounting and dismounting, and the turn that rider and mount share.

Rider and mount are two combatants in one place. The mount moves, spends its actions and provokes by its own
rules, in its rider's turn; the rider takes up its whole space (srd35.mount.initiative, srd35.mount.space).
"""

from collections.abc import Callable
from functools import wraps
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, Standing, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft, space, threatened
from affray.engine.grid.lines_and_cover import can_be_put
from affray.engine.kernel import durations as kernel_durations
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import refuse_apart
from affray.engine.kernel.turns import run_condition_steps
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import has_trait, size_step
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.rules.damage.injury import lose_one
from affray.engine.rules.gear.hands import raise_lances
from affray.engine.rules.gear.weapons_in_hand import is_lance
from affray.engine.rules.movement.movement import refuse_prone
from affray.engine.rules.position.places import choose_square
from affray.engine.rules.turns.actions import is_open, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    Dismounted,
    EffectGained,
    MountDirected,
    Mounted,
    Until,
)
from affray.events.facts.flow import ActionSpent, InitiativeChanged, RuleApplied
from affray.events.facts.sheet import SIZES, Modifier, Weapon
from affray.projections.state import Combatant

# --- The hand that guides the mount, and the hands left for weapons and shield (srd35.mount.knees)


def refuse_both_hands(fight: Fight, combatant: Combatant, weapons: list[Weapon], second: str = "") -> None:
    """Refuse a rider acts that take both hands while one of them holds the reins.

    A lance is couched in one hand; a `second` weapon takes the other hand (srd35.mount.knees,
    pf1.mount.knees).
    """
    if combatant.spent.get("knees"):
        return
    if second:
        raise Refusal(
            f"{combatant.id} needs a hand to guide the mount, and the other for the {second}",
            fight.rule("mount.knees"),
        )
    for weapon in weapons:
        both = weapon.hands == 2 or weapon.wield == "two-handed" or weapon.family == "bow"
        if (both and not is_lance(weapon)) or weapon.off_hand:
            raise Refusal(
                f"{combatant.id} needs a hand to guide the mount, and both for the {weapon.name}",
                fight.rule("mount.knees"),
            )


def lower_riders_shield(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Lower the shield of a rider until the next turn (srd35.mount.knees)."""
    yield from deny_riders_shield(
        fight, combatant, "mount.knees", Until("turn-start", combatant.id, fight.state.round + 1)
    )


def deny_riders_shield(fight: Fight, combatant: Combatant, topic: str, until: Until) -> Steps[None]:
    """Deny the shield of a rider that has attacked with one hand and guided the mount with the other."""
    shields = any(bonus.kind == "shield" for bonus in combatant.sheet.armor)
    lowered = any(effect.id.endswith(":reins") for effect in combatant.effects)
    if combatant.spent.get("knees") or not shields or lowered:
        return
    rule = fight.rule(topic)
    yield EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:reins",
        stat="no.defense",
        modifier=Modifier(0, "untyped", "shield", rule),
        until=until,
        cites=(rule,),
    )


# --- Rider and mount as a pair: which is which, and which decides for both


def mount_of(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the mount of a combatant, None on foot."""
    return fight.state.combatants[combatant.mount] if combatant.mount else None


def find_rider(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the rider of a combatant, None if it has none."""
    return fight.state.combatants[combatant.rider] if combatant.rider else None


def guides(fight: Fight, rider: Combatant) -> bool:
    """Return whether a rider can guide a mount: not while down or helpless."""
    return not rider.conditions or not (is_down(fight, rider) or is_helpless(fight, rider))


def is_guided(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is a mount that acts only in its rider's turn."""
    return combatant.rider != "" and guides(fight, fight.state.combatants[combatant.rider])


def leader(fight: Fight, combatant: Combatant) -> Combatant:
    """Return the combatant that decides for another: the rider of a mount that is guided, otherwise
    itself.
    """
    rider = find_rider(fight, combatant)
    return rider if rider is not None and guides(fight, rider) else combatant


def find_rider_and_mount(fight: Fight, combatant: Combatant) -> tuple[Combatant, Combatant] | None:
    """Return (rider, mount) if a combatant rides, or is a mount that is guided; None on foot."""
    steed = mount_of(fight, combatant)
    if steed is not None:
        return combatant, steed
    return (leader(fight, combatant), combatant) if is_guided(fight, combatant) else None


SLUMPED = "slumped"
MILITARY_SADDLE = "military saddle"
#: The greatest distance in feet from its mount at which a rider that comes off is placed.
FAR = 30


def seated_fact(fight: Fight, rider: Combatant, mount: Combatant, *cites: str) -> Mounted:
    """Return the fact that a combatant rides a mount and shares its space (srd35.mount.space).

    woa.mount.space.
    """
    rules = (*cites, *fight.rules("mount.space", "mount.initiative"))
    return Mounted(who=rider.id, mount=mount.id, at=mount.at, space=mount.space, cites=rules)


def enter_at_mount(fight: Fight, act: acts.Enter) -> acts.Enter:
    """Return a mounted newcomer's entry with the mount's place."""
    return replace(act, at=fight.combatant(act.riding).at)


def refuse_taken_mount(fight: Fight, mount: Combatant) -> None:
    """Refuse a mount that has a rider, rides another, or cannot carry a rider."""
    rule = fight.rule("move-action.mount")
    if mount.rider or mount.mount:
        what = f"carries {mount.rider} already" if mount.rider else f"rides {mount.mount} itself"
        raise Refusal(f"{mount.id} {what}", rule)
    refuse_down(fight, mount, "carry a rider")
    if "prone" in mount.conditions:
        raise Refusal(f"{mount.id} is prone and must stand up first", rule)


def refuse_unwilling_or_small(steed: Combatant, rider: str, side: str, size: int, rule: str) -> None:
    """Refuse a steed of another side, and one that is not larger than its rider."""
    if steed.side != side:
        raise Refusal(f"{steed.id} is of another side and does not carry {rider}", rule)
    if size_step(steed) <= size:
        raise Refusal(f"{steed.id} is not larger than {rider} and cannot carry it", rule)


def refuse_saddle(fight: Fight, act: acts.Enter) -> None:
    """Refuse a newcomer's mount that has a rider, is too small or is of another side."""
    steed = fight.combatant(act.riding)
    if act.sheet is None or not act.id:
        return  # an entry without a sheet or an id is refused elsewhere
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
    """Refuse a steed that cannot carry the rider: wrong size, out of reach, or not free."""
    if rider.mount or rider.rider:
        what = f"rides {rider.mount} already" if rider.mount else f"carries {rider.rider}"
        raise Refusal(f"{rider.id} {what} and cannot mount {steed.id}", rule)
    refuse_taken_mount(fight, steed)
    refuse_unwilling_or_small(steed, rider.id, rider.side, size_step(rider), rule)
    refuse_apart(rider, steed, rule)


FAST_MOUNT: Final = "fast mount"
"""The use of Ride to which a check penalty may apply though the skill has none (srd35.move-action.mount)."""


def spend_mounting(fight: Fight, rider: Combatant, steed: Combatant, what: str, fast: bool) -> Steps[None]:
    """Spend the action of mounting or dismounting: a move action, or nothing if a fast attempt succeeds."""
    rule = fight.rule("move-action.mount")
    done = False
    if fast:
        dc = fight.figure("move-action.mount", "fast_ride_dc")
        parts = ride_parts(fight, rider, steed, rule)
        parts += fight.dialect.classes.check_penalty(fight, rider, FAST_MOUNT)
        done = yield from check(fight, rider, "ride", parts, dc, rule, why=f"to {what} fast")
    yield ActionSpent(who=rider.id, kind="free" if done else "move", what=what, cites=(rule,))


def share_turn(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Let a mount act in its new rider's turn; it has nothing left if its own turn came before.

    Not even the rest of an unfinished full attack (srd35.mount.initiative).
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
    """Dismount next to the mount: a move action, or a free one with a Ride check.

    srd35.move-action.mount.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("move-action.mount")
    refuse_unless_allowed(fight, actor, "move")
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", rule)
    if act.to not in find_landings(fight, actor, steed):
        raise Refusal(f"{act.to[0]},{act.to[1]} is no free place next to {steed.id}", rule)
    yield from spend_mounting(fight, actor, steed, "dismount", act.fast)
    yield from separate_from_mount(fight, actor, steed, "climbs down", rule, to=act.to)


def find_landings(fight: Fight, rider: Combatant, steed: Combatant) -> list[Square]:
    """Return the free places next to a mount for its rider."""
    return places_around(fight, rider, steed, SQUARE_FT)


def places_around(fight: Fight, rider: Combatant, steed: Combatant, feet: int) -> list[Square]:
    """Return the free places for a rider at most `feet` from its mount, nearest first."""
    side = side_of(fight, rider)
    x, y = steed.at
    held = {
        square
        for one in fight.state.combatants.values()
        if "dead" not in one.conditions
        for square in space(one.at, one.space)
    }
    # A space's distance from the mount is that of its upper left square from the mount enlarged by the rest
    # of it.
    around = threatened((x - side + 1, y - side + 1), steed.space + side - 1, SQUARE_FT, feet)
    free = [
        at
        for at in around
        if can_be_put(fight.field, steed.at, steed.space, at, side) and not held.intersection(space(at, side))
    ]
    return sorted(free, key=lambda at: (distance_ft(at, steed.at, side, steed.space), at))


def nearest_places(fight: Fight, rider: Combatant, steed: Combatant) -> list[Square]:
    """Return the free places for a rider that are nearest to its mount; the mount's own if there are none."""
    free = places_around(fight, rider, steed, FAR)
    side = side_of(fight, rider)
    feet = [distance_ft(at, steed.at, side, steed.space) for at in free]
    return [at for at, far in zip(free, feet, strict=True) if far == feet[0]] or [steed.at]


def side_of(fight: Fight, combatant: Combatant) -> int:
    """Return the side in squares of a rider's own space."""
    return fight.dialect.position.space_and_reach(fight, combatant.sheet)[0]


def separate_from_mount(
    fight: Fight, rider: Combatant, steed: Combatant, how: str, *cites: str, to: Square | None = None
) -> Steps[None]:
    """Separate a rider from its mount; it is placed at `to`, or at the nearest place the game master
    chooses.
    """
    if to is None:
        question = f"{rider.id} {how} from {steed.id}: where does it come down?"
        near = nearest_places(fight, rider, steed)
        to = yield from choose_square("", "lands", question, near, fight.rule("mount.space"))
    # The mount of a slumped rider has had separate turns since then.
    alone = SLUMPED in rider.conditions
    yield Dismounted(who=rider.id, mount=steed.id, at=to, space=side_of(fight, rider), how=how, cites=cites)
    for name in ("behind the mount", SLUMPED):
        if name in rider.conditions:
            yield ConditionLost(who=rider.id, condition=name, why="out of the saddle", cites=cites)
    yield from raise_lances(fight, rider)
    if not alone:
        yield from release_mount(fight, rider, steed)


def release_mount(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Give an unguided mount a separate turn, just before its rider's; it avoids combat.

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
        # Its turn of this round was its rider's: its separate turn comes before that from the next round on.
        yield from kernel_durations.expire(fight, steed, "turn-end")


def ride_parts(
    fight: Fight, rider: Combatant, steed: Combatant, rule: str, *, staying: bool = False
) -> list[Modifier]:
    """Return the parts of a Ride check: the skill, and the mount's tack.

    `staying` in the saddle gets the bonus of a military saddle. Unless the mount's sheet has such a trait it
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


# --- Uses of the Ride skill: control, knees, cover, sending the mount into the fight (srd35.skill.ride-table)

BEHIND = "behind the mount"

#: Acts that a rider may still take while its frightened mount is out of control.
UNHINDERED = (
    acts.Enter,
    acts.Begin,
    acts.Close,
    acts.EndTurn,
    acts.Guide,
    acts.Dismount,
    acts.Speak,
    acts.Drop,
    acts.Delay,
    acts.Resume,
    acts.Hazard,
)

#: Acts that are impossible while hanging at the mount's side.
HINDERED = (
    acts.Attack,
    acts.FullAttack,
    acts.Charge,
    acts.Cast,
    acts.Touch,
    acts.Counter,
    acts.Ride,
    acts.Trip,
    acts.Disarm,
    acts.Sunder,
    acts.Grapple,
    acts.BullRush,
    acts.Overrun,
    acts.Reposition,
    acts.Drag,
    acts.Steal,
    acts.DirtyTrick,
    acts.CoupDeGrace,
    acts.Brace,
    acts.Aid,
)

#: Acts that an unguided mount never takes.
FIGHTING = tuple(kind for kind in HINDERED if kind is not acts.Aid)


def is_trained(fight: Fight, steed: Combatant) -> bool:
    """Return whether a mount is trained for combat (srd35.mount.combat-trained)."""
    return is_listed(fight, steed, "trained")


def is_listed_as_frightened(fight: Fight, steed: Combatant) -> bool:
    """Return whether combat frightens a mount: the horses of the list, unless they are trained for it.

    srd35.mount.combat-trained.
    """
    return is_listed(fight, steed, "frightened") and not is_trained(fight, steed)


def is_listed(fight: Fight, steed: Combatant, column: str) -> bool:
    """Return whether a mount's name or one of its traits is, or ends with, a name of the list."""
    listed = fight.figure("mount.combat-trained", column)
    names = (steed.sheet.name.casefold(), *steed.sheet.traits)
    return any(name == one or name.endswith(f" {one}") for name in names for one in listed)


def refuse_astride(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse a rider or mount acts that a frightened or unguided mount, or hanging at its side, does not
    allow.
    """
    if actor.mount:
        steed = fight.state.combatants[actor.mount]
        refuse_out_of_hand(fight, actor, steed, act)
        if BEHIND in actor.conditions and isinstance(act, HINDERED):
            reason = f"{actor.id} hangs at the side of {steed.id} and neither attacks nor casts"
            raise Refusal(reason, fight.rule("skill.ride-details"))
        return
    rider = find_rider(fight, actor)
    if rider is not None and is_guided(fight, actor):
        refuse_out_of_hand(fight, rider, actor, act)
    elif isinstance(act, FIGHTING):
        raise Refusal(f"{actor.id} is unguided and avoids combat", fight.rule("mount.riderless"))


def refuse_out_of_hand(fight: Fight, rider: Combatant, steed: Combatant, act: acts.Act) -> None:
    """Refuse a rider and its frightened mount acts before the control check of the turn.

    srd35.mount.control-check, srd35.mount.combat-trained.
    """
    if fight.state.active != rider.id or rider.spent.get("control"):
        return
    urging = isinstance(act, acts.Guide) and act.what in ("spur", "leap")
    if isinstance(act, UNHINDERED) and not urging:
        return
    if fight.dialect.mounted.frightened(fight, steed):
        raise Refusal(
            f"combat frightens {steed.id}: {rider.id} must control it first",
            fight.rule("mount.control-check"),
        )


def refuse_to_control(fight: Fight, rider: Combatant, steed: Combatant) -> None:
    """Refuse to control a mount that needs no control, or is under control, and without the action for it."""
    if not fight.dialect.mounted.frightened(fight, steed):
        raise Refusal(f"{steed.id} needs no control", fight.rule("mount.combat-trained"))
    refuse_unless_allowed(fight, rider, "move")
    if rider.spent.get("control"):
        rule = fight.rule("mount.control-check")
        raise Refusal(f"{rider.id} has control of {steed.id} this round", rule)


def control(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Control a frightened mount: a move action each round; failure takes the whole round.

    srd35.mount.control-check, pf1.mount.control.
    """
    rules = fight.rules("mount.control-check", "mount.combat-trained")
    dc = fight.figure("mount.control-check", "ride_dc")
    parts = ride_parts(fight, rider, steed, rules[0])
    if (yield from check(fight, rider, "ride", parts, dc, *rules, why=f"to control {steed.id}")):
        yield ActionSpent(who=rider.id, kind="move", what=f"controls {steed.id}", cites=rules[:1])
        yield ActionSpent(who=rider.id, kind="control", what=f"controls {steed.id}", cites=rules[:1])
        return
    for one in (rider, steed):
        if not one.spent.get("full-round"):
            yield ActionSpent(who=one.id, kind="full-round", what="fright of the mount", cites=rules[:1])


def guide_with_knees(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Guide the mount with the knees for this turn, to have both hands free: a free action, once."""
    check_turn(fight, rider)
    rule = fight.rule("mount.knees")
    if rider.spent.get("knees") or rider.spent.get("one hand"):
        raise Refusal(f"{rider.id} has tried to guide with the knees this turn", rule)
    parts = ride_parts(fight, rider, steed, rule)
    dc = fight.figure("mount.knees", "ride_dc")
    done = yield from check(fight, rider, "ride", parts, dc, rule, why="to guide with the knees")
    yield ActionSpent(who=rider.id, kind="free", what="guides with the knees", cites=(rule,))
    kind = "knees" if done else "one hand"
    yield ActionSpent(who=rider.id, kind=kind, what="both hands" if done else "one hand", cites=(rule,))


def refuse_to_hang(fight: Fight, rider: Combatant, steed: Combatant) -> None:
    """Refuse to hang at the mount's side if the rider does already, or guides no mount."""
    rule = fight.rule("skill.ride-details")
    if BEHIND in rider.conditions:
        raise Refusal(f"{rider.id} hangs at the side of {steed.id} already", rule)
    if not guides(fight, rider):
        raise Refusal(f"{rider.id} does not guide {steed.id} and cannot hang at its side", rule)


def hang_beside_mount(fight: Fight, rider: Combatant, steed: Combatant, until: Until) -> Steps[None]:
    """Hang at the mount's side by a Ride check and use it as cover until `until`.

    Until then the rider neither attacks nor casts (srd35.skill.ride-details, pf1.skill.ride).
    """
    rules = fight.rules("skill.ride-table", "skill.ride-details")
    parts = ride_parts(fight, rider, steed, rules[0])
    dc = fight.figure("skill.ride-table", "cover")
    if (yield from check(fight, rider, "ride", parts, dc, *rules, why="to hang at the side of the mount")):
        yield ConditionGained(who=rider.id, condition=BEHIND, source=steed.id, until=until, cites=rules)


def urge_on(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[bool]:
    """Spur the mount as a move action, once a round; return whether it is faster for a round.

    srd35.skill.ride-table, srd35.skill.ride-details, pf1.skill.ride.
    """
    rules = fight.rules("skill.ride-table", "skill.ride-details")
    if steed.resources.get(spurred_in(fight.state.round)):
        raise Refusal(f"{steed.id} has been spurred this round", rules[-1])
    yield spending(fight, rider, "move", "spurs the mount", rules[0])
    parts = ride_parts(fight, rider, steed, rules[0])
    dc = fight.figure("skill.ride-table", "spur")
    if not (yield from check(fight, rider, "ride", parts, dc, *rules, why="to spur the mount")):
        return False
    yield EffectGained(
        who=steed.id,
        id=f"{fight.declaration}:spur",
        stat="speed",
        modifier=fight.modifier("skill.ride-details", "spur_ft", kind="circumstance", source="spurred"),
        until=Until("turn-start", steed.id, fight.state.round + 1),
        cites=rules[-1:],
    )
    return True


def spurred_in(number: int) -> str:
    """Return the name under which a round's spurring of a mount is recorded."""
    return f"spurred in round {number}"


def behind_mount(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the cover of a rider that hangs at its mount's side."""
    if BEHIND not in blow.target.conditions or blow.attacker.id == blow.target.mount:
        return []
    blow.cites.append(fight.rule("skill.ride-details"))
    return [fight.modifier("ac-mod.cover", "melee", kind="cover", source=f"cover behind {blow.target.mount}")]


def reflex_behind_mount(
    fight: Fight, attacker: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return the bonus of a mount's body to a Reflex save (srd35.cover.reflex, pf1.cover.reflex)."""
    source = f"cover behind {target.mount}"
    return (fight.modifier("cover.reflex", "reflex", kind="cover", source=source),)


def from_above(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return a rider's bonus against a creature on foot that is smaller than the mount.

    It is the bonus of higher ground, which counts once (srd35.mount.higher-ground, pf1.mount.attack).
    """
    steed, target = fight.state.combatants[blow.attacker.mount], blow.target
    if target.mount or size_step(target) >= size_step(steed):
        return []
    return [fight.modifier("mount.higher-ground", "melee", kind="circumstance", source="higher ground")]


def direct_to_fight(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[bool]:
    """Let a rider send a trained mount into the fight; return whether the mount attacks.

    The Ride check is a free action and leaves the rider its own attacks; failure takes them, and a rider that
    has made them already cannot direct the mount (srd35.skill.ride-table).
    """
    rule = fight.rule("skill.ride-table")
    parts = ride_parts(fight, rider, steed, rule)
    dc = fight.figure("skill.ride-table", "fight")
    if (yield from check(fight, rider, "ride", parts, dc, rule, why=f"to fight together with {steed.id}")):
        return True
    if rider.spent.get("standard") or rider.spent.get("full-round"):
        yield RuleApplied(who=rider.id, what=f"cannot direct {steed.id} as well", cites=(rule,))
        return False
    yield ActionSpent(who=rider.id, kind="standard", what=f"directs {steed.id}", cites=(rule,))
    return True


# --- The turn that rider and mount share (srd35.mount.initiative, pf1.mount.control)

Stage = Callable[[Fight, Combatant], Steps[None]]


def turn_of_mount(fight: Fight, combatant: Combatant) -> Steps[None] | None:
    """End what lasts until the mount's turn, which is the rider's (srd35.mount.initiative)."""
    steed = mount_of(fight, combatant)
    return kernel_durations.expire(fight, steed, "turn-start") if steed is not None else None


def begin_with_mount(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let the mount begin its turn with the rider's."""
    return direct_mount(fight, combatant, renewed=True)


def go_on_with_mount(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let the mount resume a turn that the rider had delayed."""
    return direct_mount(fight, combatant, renewed=False)


def direct_mount(fight: Fight, combatant: Combatant, *, renewed: bool) -> Steps[None]:
    """Let a rider that guides its mount direct it this turn (srd35.mount.initiative)."""
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


def apply_effects_to_mount(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Apply to a guided mount the effects that a creature suffers as its turn begins.

    Lasting poison, fast healing, smoke and fire: its turn is the rider's (srd35.mount.initiative).
    """
    steed = fight.state.combatants[combatant.mount]
    if not is_guided(fight, steed):
        return
    if steed.afflictions or steed.sheet.fast_healing or steed.sheet.regeneration:
        yield from fight.dialect.turns.turn_onset(fight, steed)
    yield from run_condition_steps(fight, steed, "each_turn")


def end_turn_of_mount(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the turn of the mount that a rider guides, with the rider's own."""
    steed = fight.state.combatants[combatant.mount]
    if not is_guided(fight, steed):
        return
    spent = steed.spent
    if "disabled" in steed.conditions and spent.get("standard") and not spent.get("healed"):
        yield from lose_one(fight, steed, "strain", "injury.disabled", "strain_damage")
    yield from run_condition_steps(fight, steed, "turn_over")
    yield from kernel_durations.expire(fight, steed, "turn-end")


def refuse_begun_mount(fight: Fight, act: acts.Delay) -> None:
    """Refuse to delay the turn of a rider whose mount has begun to act (srd35.delay.action)."""
    steed = mount_of(fight, fight.combatant(act.actor))
    if steed is not None and steed.spent:
        raise Refusal(f"{steed.id} has begun to act: {act.actor} cannot delay", fight.rule("delay.action"))


def rider_and_mount(stage: Stage) -> Stage:
    """Return a stage that runs for a combatant and then for the mount that it guides."""

    @wraps(stage)
    def both(fight: Fight, combatant: Combatant) -> Steps[None]:
        return run_for_rider_and_mount(fight, combatant, stage)

    return both


def run_for_rider_and_mount(fight: Fight, combatant: Combatant, stage: Stage) -> Steps[None]:
    """Run a stage for a combatant, then for the mount that it guided when it began."""
    steed = mount_of(fight, combatant)
    guided = [steed] if steed is not None and is_guided(fight, steed) else []
    yield from stage(fight, combatant)
    for one in guided:
        yield from stage(fight, one)
