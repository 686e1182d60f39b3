"""Implement fighting from the saddle: attacks of the rider and of the mount (woa.mount.combat.*)."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa.damage.injury import CAST
from affray.engine.dialects.woa.mounted.mounted_modifiers import (
    KNEES,
    MOUNT_FIGHTS,
    SHOTS,
    STRIKES,
    STRUCK,
    has_moved_far,
    has_moved_too_far,
    is_trained,
    refuse_out_of_hand,
    refuse_ride_on,
    refuse_unstirruped,
    ride_parts,
)
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left
from affray.engine.dialects.woa.table_cells import table_modifier
from affray.engine.dialects.woa.turns.declared_actions import use_up_planned
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.kernel.actions import permit
from affray.engine.kernel.places import in_band
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.gear.hands import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import draw_between, find_weapon, is_lance, plan_throws
from affray.engine.rules.maneuvers.opposed_checks import charging_blow
from affray.engine.rules.mounted import mounted_combat
from affray.engine.rules.mounted.riding import deny_riders_shield, find_rider_and_mount, guides, mount_of
from affray.engine.rules.movement.movement import refuse_crooked, refuse_path
from affray.engine.rules.turns.actions import refuse_unknown_names, refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Hanging at the mount's side for cover (woa.mount.combat.use-as-cover)

BESIDE = "beside the mount"


def take_cover(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer a rider cover at its mount's side, half cover, as an immediate action with a Ride check.

    One check counts against all attackers with one initiative count on one side; riders that attack, cast or
    charge have no such cover (woa.mount.combat.use-as-cover, .use-as-cover-limits).
    """
    rider, topic = blow.target, "woa.mount.combat.use-as-cover"
    acted = rider.spent.get(STRUCK) or rider.spent.get(CAST)
    busy = acted or any(name in rider.conditions for name in ("casting", "riding a charge"))
    if not guides(fight, rider):
        return
    if busy or fight.state.active == rider.id:
        if BESIDE in rider.conditions or has_reaction_left(fight, rider, "immediate"):
            blow.cites.append(fight.rule("woa.mount.combat.use-as-cover-limits"))
        return
    rule, side = fight.rule(topic), side_of(blow)
    held = rider.conditions.get(BESIDE)
    if held is None or held.source != side:
        if not has_reaction_left(fight, rider, "immediate"):
            return
        question = (
            f"{blow.attacker.id} attacks {rider.id}: does it drop to the side of {rider.mount} for cover?"
        )
        if (yield Choice(rider.id, "cover", question, ("decline", "cover"), rule)) != "cover":
            return
        yield ReactionSpent(
            who=rider.id,
            kind="immediate",
            against=blow.attacker.id,
            opportunity="",
            amount=fight.figure("woa.action-type.immediate", "cost_combat_reactions"),
            cites=(rule, *fight.rules("woa.action-type.immediate", "woa.reaction.swift-immediate-cost")),
        )
        parts, dc = ride_parts(fight, rider, rule), fight.figure(topic, "dc")
        done = yield from check(fight, rider, "ride", parts, dc, rule, why="to drop to the mount's side")
        until = Until("round-end", "", fight.state.round)
        yield ConditionGained(
            who=rider.id, condition=BESIDE, source=side, until=until, level=int(done), cites=(rule,)
        )
        held = rider.conditions[BESIDE]
    if held.level:
        degree = fight.figure(topic, "cover")
        source = f"{degree} cover: beside {rider.mount}"
        blow.defense_extra += table_modifier(
            fight, "woa.cover.table", f"degree={degree}", "ac", kind="cover", source=source
        )
        blow.cites.append(rule)


def find_mount_as_cover(fight: Fight, blow: Blow) -> Combatant | None:
    """Return the mount at whose side the target hangs, if it covers the target from this attack."""
    held = blow.target.conditions.get(BESIDE)
    if held is None or not held.level or held.source != side_of(blow):
        return None
    return fight.state.combatants.get(blow.target.mount)


def side_of(blow: Blow) -> str:
    """Return the initiative count and the side from which an attack comes."""
    (x, y), (a, b) = blow.target.at, blow.attacker.at
    way = ((a > x) - (a < x), (b > y) - (b < y))
    return f"{blow.attacker.initiative}, from {way[0]},{way[1]}"


#: The topic of what a rider may do after its mount has moved.
WHILE_MOVING = "woa.mount.combat.melee-while-moving"


def strikes_of(act: Any) -> tuple[acts.Strike, ...] | None:
    """Return the strikes of an attack or a maneuver, None for other acts."""
    if isinstance(act, acts.FullAttack):
        return act.strikes
    if isinstance(act, acts.Attack) and act.at is not None:
        return ()
    if isinstance(act, acts.Grab) and act.what not in ("start", ""):
        return None
    weapon = "unarmed strike" if isinstance(act, acts.Push | acts.Grab) else getattr(act, "weapon", "")
    return (acts.Strike(act.target, weapon, getattr(act, "thrown", False)),)


def refuse_mounted(fight: Fight, act: acts.Act) -> None:
    """Refuse an attack that rider or mount cannot make.

    woa.mount.combat.saddle-required, .melee-while-moving, .ranged, woa.mount.control.war-training
    """
    actor = fight.combatant(act.actor)
    if not (actor.mount or actor.rider):
        return
    pair, strikes = find_rider_and_mount(fight, actor), strikes_of(act)
    if pair is None or strikes is None:
        return
    if actor.mount:
        refuse_from_the_saddle(fight, strikes, *pair)
    else:
        refuse_untrained(fight, actor)


def refuse_from_the_saddle(
    fight: Fight, strikes: tuple[acts.Strike, ...], rider: Combatant, steed: Combatant
) -> None:
    """Refuse from a moving saddle more than one melee attack, late shots, and two-handed weapons."""
    weapons = [find_weapon(fight, rider, one.weapon) for one in strikes]
    melee = number_in_melee(fight, rider, strikes, weapons)
    hurried = has_moved_too_far(fight, steed) and not skirmishes(rider, steed)
    if hurried and melee > fight.figure(WHILE_MOVING, "max_melee_attacks_if_exceeded"):
        most = fight.figure(WHILE_MOVING, "mount_move_threshold_ft")
        reason = f"{steed.id} has moved more than {most} ft.: {rider.id} can make only one melee attack"
        raise Refusal(reason, fight.rule(WHILE_MOVING))
    if melee < len(weapons) and has_moved_far(steed) and fight.readied != rider.id:
        raise Refusal(
            f"{steed.id} has gone all its way: on a double move or run {rider.id} shoots at half of it",
            fight.rule("woa.mount.combat.ranged"),
        )
    refuse_both_hands(fight, rider, weapons)


def refuse_untrained(fight: Fight, steed: Combatant) -> None:
    """Refuse attacks by a mount that is not trained for war (woa.mount.control.war-training)."""
    if not is_trained(steed):
        rule = fight.rule("woa.mount.control.war-training")
        raise Refusal(f"{steed.id} is not trained for war and cannot attack", rule)


def fight_mounted(fight: Fight, act: acts.Act, attacking: Steps[None]) -> Steps[None]:
    """Attack, from the saddle if mounted, or let the mount attack."""
    actor = fight.combatant(act.actor)
    if not (actor.mount or actor.rider):
        return attacking
    pair, strikes = find_rider_and_mount(fight, actor), strikes_of(act)
    if pair is None or strikes is None:
        return attacking
    if actor.mount:
        return rider_attacks(fight, act, attacking, strikes, *pair)
    return mount_attacks(fight, act, attacking, *pair)


def rider_attacks(
    fight: Fight,
    act: object,
    attacking: Steps[None],
    strikes: tuple[acts.Strike, ...],
    rider: Combatant,
    steed: Combatant,
) -> Steps[None]:
    """Attack from the saddle, with the shield lowered; rider and mount both attack only by a Ride check.

    woa.mount.combat.mount-attacks, .use-as-cover-limits, .melee-while-moving, .ranged
    """
    weapons = [find_weapon(fight, rider, one.weapon) for one in strikes]
    melee = number_in_melee(fight, rider, strikes, weapons)
    # Attacks are refused before their first step, so all checks here come before it too.
    first = next(attacking)
    if rider.spent.get(MOUNT_FIGHTS) and not (yield from are_both_attacking(fight, rider, steed)):
        kind = "full-round" if isinstance(act, acts.FullAttack | acts.CalledShot) else "standard"
        yield ActionSpent(
            who=rider.id,
            kind=kind,
            what="directs the mount",
            cites=fight.rules("woa.mount.combat.mount-attacks"),
        )
        return
    yield from lower_riders_shield(fight, rider)
    yield first
    yield ActionSpent(
        who=rider.id,
        kind=STRUCK,
        what="attacks from the saddle",
        cites=fight.rules("woa.mount.combat.use-as-cover-limits"),
    )
    if melee > 1 and has_moved_too_far(fight, steed):
        what = f"strikes in full although {steed.id} moves"
        yield RuleApplied(who=rider.id, what=what, cites=fight.rules("woa.mount.combat.feats"))
    yield from attacking
    if melee < len(weapons) and steed.spent.get("feet") and isinstance(act, acts.FullAttack):
        what = f"shoots in full although {steed.id} moves"
        yield RuleApplied(who=rider.id, what=what, cites=fight.rules("woa.mount.combat.ranged"))
    done = (STRIKES, int(melee > 1), WHILE_MOVING), (SHOTS, len(weapons) - melee, "woa.mount.combat.ranged")
    for kind, number, rule in done:
        if number and fight.readied != rider.id:
            cites = fight.rules(rule)
            yield ActionSpent(who=rider.id, kind=kind, what="from the saddle", amount=number, cites=cites)


def number_in_melee(
    fight: Fight, rider: Combatant, strikes: tuple[acts.Strike, ...], weapons: list[Weapon]
) -> int:
    """Return how many of the strikes are in melee."""
    return sum(in_melee(fight, rider, *pair) for pair in zip(strikes, weapons, strict=True))


def in_melee(fight: Fight, rider: Combatant, one: acts.Strike, weapon: Weapon) -> bool:
    """Return whether a strike is in melee."""
    target = fight.combatant(one.target)
    near, most = melee_band(rider, weapon)
    reached = in_band(rider.at, rider.space, target.at, target.space, near, most)
    return strikes_in_melee(weapon) and reached and not one.thrown


def skirmishes(rider: Combatant, steed: Combatant) -> bool:
    """Return whether Mounted Skirmisher allows a full attack: the mount made a single move."""
    return has_feat(rider, "mounted skirmisher") and not has_moved_far(steed)


def refuse_both_hands(fight: Fight, rider: Combatant, weapons: list[Weapon]) -> None:
    """Refuse two-handed weapons while a hand guides the mount.

    A lance is couched in one hand (woa.mount.guide-with-knees).
    """
    if rider.spent.get(KNEES):
        return
    for weapon in weapons:
        both = weapon.hands == 2 or weapon.wield == "two-handed" or weapon.off_hand
        if both and not is_lance(weapon):
            raise Refusal(
                f"{rider.id} needs a hand to guide the mount, and both for the {weapon.name}",
                fight.rule("woa.mount.guide-with-knees"),
            )


def lower_riders_shield(fight: Fight, rider: Combatant) -> Steps[None]:
    """Lower the shield of a rider until the end of the round (woa.mount.guide-with-knees)."""
    until = Until("round-end", "", fight.state.round)
    yield from deny_riders_shield(fight, rider, "woa.mount.guide-with-knees", until)


def are_both_attacking(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[bool]:
    """Check whether rider and mount can both attack this round (woa.mount.combat.mount-attacks)."""
    topic = "woa.mount.combat.mount-attacks"
    rule = fight.rule(topic)
    parts, dc = ride_parts(fight, rider, rule), fight.figure(topic, "dc")
    return (yield from check(fight, rider, "ride", parts, dc, rule, why=f"to fight together with {steed.id}"))


def mount_attacks(
    fight: Fight, act: object, attacking: Steps[None], rider: Combatant, steed: Combatant
) -> Steps[None]:
    """Let a mount attack; its rider then attacks too only by a Ride check.

    woa.mount.combat.mount-attacks, woa.mount.control.war-training
    """
    rules = fight.rules("woa.mount.combat.mount-attacks", "woa.mount.control.war-training")
    first = next(attacking)
    if rider.spent.get(STRUCK) and not (yield from are_both_attacking(fight, rider, steed)):
        kind = "full-round" if isinstance(act, acts.FullAttack) else "standard"
        yield ActionSpent(who=steed.id, kind=kind, what="is not brought to attack", cites=rules[:1])
        return
    yield first
    yield ActionSpent(who=rider.id, kind=MOUNT_FIGHTS, what=f"directs {steed.id} to attack", cites=rules)
    yield from attacking


def refuse_mounted_maneuver(fight: Fight, act: acts.Act) -> None:
    """Refuse a maneuver that rider or mount cannot make.

    The mount must be under control, and trained for war for every maneuver except an overrun
    (woa.mount.combat.mount-maneuvers).
    """
    actor = fight.combatant(act.actor)
    pair = find_rider_and_mount(fight, actor)
    if pair is None:
        return
    if isinstance(act, acts.Overrun):
        refuse_out_of_hand(fight, pair[1])
    else:
        refuse_mounted(fight, act)


def maneuver_mounted(fight: Fight, act: acts.Act, trying: Steps[None]) -> Steps[None]:
    """Attempt a maneuver, from the saddle if mounted, or let the mount attempt it."""
    actor = fight.combatant(act.actor)
    pair = find_rider_and_mount(fight, actor)
    if pair is None:
        return trying
    if isinstance(act, acts.Overrun):
        return make_mount_maneuver(fight, trying, *pair)
    return fight_mounted(fight, act, make_mount_maneuver(fight, trying, *pair) if actor.rider else trying)


def make_mount_maneuver(fight: Fight, trying: Steps[None], rider: Combatant, steed: Combatant) -> Steps[None]:
    """Make a mount perform a maneuver (woa.mount.combat.mount-maneuvers)."""
    first = next(trying)
    what = f"has {steed.id} perform a maneuver"
    yield RuleApplied(who=rider.id, what=what, cites=fight.rules("woa.mount.combat.mount-maneuvers"))
    yield first
    yield from trying


# --- Charging on a mount (woa.mount.combat.charge)


def mounted_charge(fight: Fight, act: acts.Charge, rider: Combatant) -> Steps[None]:
    """Let the mount charge with its action; the rider makes one attack with its own.

    Both have the AC penalty of a charge. A lance deals double damage (woa.mount.combat.charge).
    """
    steed, target = fight.state.combatants[rider.mount], fight.combatant(act.target)
    topic = "woa.mount.combat.charge"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, steed, "full-round")
    refuse_unless_allowed(fight, rider, "standard")
    refuse_out_of_hand(fight, steed)
    refuse_unstirruped(fight, rider)
    movement.refuse_after_step(fight, steed)
    movement.refuse_rush(fight, steed, act)
    weapon = find_weapon(fight, rider, act.weapon)
    refuse_both_hands(fight, rider, [weapon])
    if not strikes_in_melee(weapon):
        raise Refusal(f"the {weapon.name} cannot be used in a charge", fight.rule("woa.charge.attack"))
    movement.refuse_out_of_sight(fight, rider, target)
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


# --- Shooting and casting while the mount moves (woa.mount.combat.ranged, woa.mount.casting)

Shots = Sequence[acts.Attack | acts.Strike]
TOPIC = "woa.mount.combat.ranged"
PLAIN = "woa.mount.shared-initiative"
ROWS = {"double": "double move", "run": "run or charge"}


def ride(fight: Fight, act: acts.Ride) -> Steps[None]:
    """Ride on and act on the way: shots at half of it, a spell at the start or after a number of squares.

    The mount spends a move, both its moves or a run; the rider spends the action for shooting or casting.
    """
    actor = fight.combatant(act.actor)
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", fight.rule(PLAIN))
    refuse_pace(fight, actor, steed, act)
    refuse_unknown_names(fight, actor, act.then)
    then = replace(act.then, actor=actor.id)
    permit(fight, then)
    refuse_place(fight, act, isinstance(then, acts.Cast))
    half = act.after[0] if act.after else mounted_combat.count_squares_to_half_way(fight, steed, act.path)
    if isinstance(then, acts.Cast):
        spell = next(one for one in actor.sheet.spells if one.name == then.spell)
        refuse_unless_allowed(fight, actor, spell.casting)
    else:
        refuse_shots(fight, actor, then)
    if actor.plan and not (yield from use_up_planned(fight, actor, then)):
        return
    yield from set_off(fight, steed, act.pace)
    if not (yield from mounted_combat.ride_on(fight, actor, steed, act, (0, half), PLAIN)):
        return
    try:
        if isinstance(then, acts.Cast):
            yield from fight.dialect.magic.acts[acts.Cast].resolver(fight, then)
        else:
            yield from shoot_from_mount(fight, actor, then, act.pace)
    except Refusal as lost:
        yield RuleApplied(who=actor.id, what=f"that comes to nothing: {lost.reason}", cites=(lost.rule,))
    yield from mounted_combat.ride_on(fight, actor, steed, act, (half, len(act.path)), PLAIN)


def refuse_place(fight: Fight, act: acts.Ride, casts: bool) -> None:
    """Refuse shots anywhere but at half the way, and a spell at a square that is not on the way.

    woa.mount.combat.ranged, woa.mount.casting
    """
    if act.after and not casts:
        raise Refusal("shots on the way are made at half of it: name no other place", fight.rule(TOPIC))
    if act.after and (len(act.after) > 1 or not 0 < act.after[0] < len(act.path)):
        reason = "name one number of squares before the spell, between the first and the last"
        raise Refusal(reason, fight.rule("woa.mount.casting"))


def refuse_pace(fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride) -> None:
    """Refuse a path that the mount cannot take at that pace now."""
    run = act.pace == "run"
    refuse_unless_allowed(fight, steed, "full-round" if run else "move")
    refuse_out_of_hand(fight, steed)
    movement.refuse_after_step(fight, steed)
    if act.pace == "double" and (steed.spent.get("move") or steed.spent.get("standard")):
        reason = f"{steed.id} has acted already and has no two moves left"
        raise Refusal(reason, fight.rule("woa.round.action-budget"))
    refuse_ride_on(fight, rider, steed, len(act.path), act.pace != "move")
    rule = fight.rule("woa.run.action" if run else PLAIN)
    times = fight.figure("woa.run.action", "multiplier") if run else 2 if act.pace == "double" else 1
    refuse_path(fight, steed, act.path, movement.speed_with_burdens(fight, steed) * times, rule)
    if run:
        refuse_crooked(steed, act.path, rule)


def refuse_shots(fight: Fight, combatant: Combatant, then: acts.Attack | acts.FullAttack) -> None:
    """Refuse on the way everything except shots, and shots without the hands or action for them."""
    whole = isinstance(then, acts.FullAttack)
    refuse_unless_allowed(fight, combatant, "full-round" if whole else "standard")
    strikes: Shots = then.strikes if isinstance(then, acts.FullAttack) else (then,)
    most = len(rows_of_shots(fight, combatant, then))
    if not 1 <= len(strikes) <= most:
        raise Refusal(
            f"{combatant.id} has {counted(most, 'shot')}, not {len(strikes)}",
            fight.rule("woa.attack.full-attack"),
        )
    weapons = [find_weapon(fight, combatant, one.weapon) for one in strikes]
    for one, weapon in zip(strikes, weapons, strict=True):
        if not (weapon.wield == "projectile" or (weapon.thrown and one.thrown)):
            topic = "woa.mount.combat.melee-while-moving"
            raise Refusal(
                f"{combatant.id} can attack in melee only after its mount has arrived", fight.rule(topic)
            )
    refuse_both_hands(fight, combatant, weapons)
    plan_throws(fight, combatant, [Blow(combatant, combatant, weapon, False, 0) for weapon in weapons])


def rows_of_shots(
    fight: Fight, combatant: Combatant, then: acts.Attack | acts.FullAttack
) -> list[list[Modifier]]:
    """Return the modifiers of each shot on the way, one row for each shot allowed."""
    if isinstance(then, acts.FullAttack):
        return fight.dialect.attacks.attack_series(fight, combatant, then)
    return [[]]


def set_off(fight: Fight, steed: Combatant, pace: str) -> Steps[None]:
    """Spend the action of the mount's pace; a running mount takes the AC penalty."""
    if pace == "run":
        rule = fight.rule("woa.run.action")
        yield ActionSpent(who=steed.id, kind="full-round", what="run", cites=(rule,))
        yield ActionSpent(
            who=steed.id, kind="rush", what="run", cites=fight.rules("woa.action-type.full-round-no-step")
        )
        yield movement.running(fight, steed)
        return
    rules = fight.rules(PLAIN, "woa.move.action")
    yield ActionSpent(
        who=steed.id, kind="move", what="move", amount=2 if pace == "double" else 1, cites=rules
    )


def shoot_from_mount(
    fight: Fight, combatant: Combatant, then: acts.Attack | acts.FullAttack, pace: str
) -> Steps[None]:
    """Shoot once or in full from the mount's present square, with the penalty of its pace.

    Mounted Archery halves the penalty (woa.mount.combat.ranged).
    """
    extra = penalty_of_pace(fight, combatant, pace)
    rule = fight.rule(TOPIC)
    whole = isinstance(then, acts.FullAttack)
    strikes: Shots = then.strikes if isinstance(then, acts.FullAttack) else (then,)
    blows = []
    for one, row in zip(strikes, rows_of_shots(fight, combatant, then), strict=False):
        weapon = find_weapon(fight, combatant, one.weapon)
        target = fight.combatant(one.target)
        blow = fight.dialect.attacks.prepare(
            fight, combatant, target, weapon, "ride", thrown=True, nonlethal=then.nonlethal
        )
        blow.attack_extra += [*row, *extra]
        blow.cites.append(rule)
        blows.append(blow)
    yield ActionSpent(
        who=combatant.id, kind="full-round" if whole else "standard", what="shoots on the way", cites=(rule,)
    )
    limits = fight.rules("woa.mount.combat.use-as-cover-limits")
    yield ActionSpent(who=combatant.id, kind=STRUCK, what="attacks from the saddle", cites=limits)
    for number, blow in enumerate(blows, 1):
        if "dead" not in blow.target.conditions:
            fight.scope = f"{combatant.id}#{number}" if whole else ""
            yield from draw_between(fight, combatant, blow.weapon.name)
            if number == 1 or (yield from fight.dialect.attacks.still_planned(fight, blow)) is blow:
                yield from fight.dialect.attacks.deliver(fight, blow)
            fight.scope = ""
    yield ActionSpent(who=combatant.id, kind=SHOTS, what="on the way", amount=len(blows), cites=(rule,))


def penalty_of_pace(fight: Fight, combatant: Combatant, pace: str) -> list[Modifier]:
    """Return the penalty of the mount's pace to a shot."""
    if pace not in ROWS:
        return []
    archer = has_feat(combatant, "mounted archery")
    path = (f"mount_movement={ROWS[pace]}", "with_mounted_archery" if archer else "attack_penalty")
    source = f"{ROWS[pace]} of the mount" + (", Mounted Archery" if archer else "")
    return [fight.modifier(TOPIC, *path, kind="penalty", source=source)]
