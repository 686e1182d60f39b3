"""Fighting from the saddle: how the mount moves and attacks, and its rider (woa.mount.combat.*)."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks import attack as plain
from affray.engine.dialects.woa.attacks import blind, charging
from affray.engine.dialects.woa.cells import table_modifier
from affray.engine.dialects.woa.mounts.horseback import lance, moved_far, refuse_unstirruped
from affray.engine.dialects.woa.mounts.riding import KNEES, is_trained, refuse_out_of_hand, ride_parts
from affray.engine.dialects.woa.moving import movement, ways
from affray.engine.dialects.woa.place import struck_cover
from affray.engine.dialects.woa.reactions.budget import able
from affray.engine.dialects.woa.turns.plan import keep, keeping
from affray.engine.fight import Fight
from affray.engine.rules.abilities import has_feat
from affray.engine.rules.blow import Blow
from affray.engine.rules.budget import refuse_unless_allowed, spending
from affray.engine.rules.checks import check
from affray.engine.rules.conditions import is_down
from affray.engine.rules.movement import SQUARE_FT, refuse_path
from affray.engine.rules.pairs import guides, is_guided, mount_of, rider_of
from affray.engine.rules.place import in_band, sees
from affray.engine.rules.weapons import find_weapon, melee_band, strikes_in_melee
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: What rider and mount have done this round, beside the actions that it took.
STRUCK, STRIKES, SHOTS, MOUNT_FIGHTS = "struck", "strikes", "shots", "the mount fights"
BESIDE = "beside the mount"
Resolver = Callable[[Fight, Any], Steps[None]]


def pair_of(fight: Fight, who: Combatant) -> tuple[Combatant, Combatant] | None:
    """Return (rider, mount) if somebody rides, or is a mount that is guided; None on foot."""
    steed = mount_of(fight, who)
    if steed is not None:
        return who, steed
    rider = rider_of(fight, who)
    return (rider, who) if rider is not None and is_guided(fight, who) else None


def riding(resolver: Resolver) -> Resolver:
    """Return a resolver of movement that has the mount go where somebody rides (woa.mount.shared-initiative).

    It takes the mount's own action, at its own speed, and none of the rider's; on foot it is the rider's own
    and keeps to the plan.
    """
    on_foot = keeping(resolver)

    def go(fight: Fight, act: Any) -> Steps[None]:
        pair = pair_of(fight, fight.combatant(act.actor))
        return on_foot(fight, act) if pair is None else directed(fight, act, resolver, *pair)

    return go


def step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a short step, or have the mount take it."""
    pair = pair_of(fight, fight.combatant(act.actor))
    return movement.step(fight, act) if pair is None else directed(fight, act, movement.step, *pair)


def directed(fight: Fight, act: Any, resolver: Resolver, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Have the mount move as its rider directs."""
    refuse_out_of_hand(fight, steed)
    squares = len(act.path) if isinstance(act, acts.Move | acts.Run) else 1
    refuse_ride_on(fight, rider, steed, squares, isinstance(act, acts.Run))
    yield from resolver(fight, replace(act, actor=steed.id))
    rule = fight.rule("mount.shared-initiative")
    yield RuleApplied(who=rider.id, what=f"rides at the speed of {steed.id}, by its action", cites=(rule,))


def refuse_ride_on(fight: Fight, rider: Combatant, steed: Combatant, squares: int, whole: bool) -> None:
    """Refuse movement that would spoil what the rider has done: several blows, or a shot at half the way."""
    topic = "mount.combat.melee-while-moving"
    feet = steed.spent.get("feet", 0) + squares * SQUARE_FT
    if rider.spent.get(STRIKES, 0) and feet > fight.figure(topic, "mount_move_threshold_ft"):
        raise Refusal(f"{rider.id} has made more than one attack", fight.rule(topic))
    if rider.spent.get(SHOTS) and (whole or steed.spent.get("move")):
        raise Refusal(
            f"{rider.id} has shot already: on a double move or run it shoots at half the way",
            fight.rule("mount.combat.ranged"),
        )


def far(steed: Combatant) -> bool:
    """Say whether a mount has gone farther this round than one move."""
    return bool(steed.spent.get("feet")) and (
        steed.spent.get("move", 0) > 1 or bool(steed.spent.get("full-round"))
    )


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack, from the saddle too, or have the mount attack."""
    strikes = (acts.Strike(act.target, act.weapon, act.thrown),) if act.at is None else ()
    return fighting(fight, act, blind.attack, strikes)


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make a full attack, from the saddle too, or have the mount make it."""
    return fighting(fight, act, plain.full_attack, act.strikes)


def fighting(fight: Fight, act: Any, resolver: Resolver, strikes: tuple[acts.Strike, ...]) -> Steps[None]:
    """Carry out an attack on foot, by a rider, or by a mount."""
    who = fight.combatant(act.actor)
    pair = pair_of(fight, who)
    if pair is None:
        return resolver(fight, act)
    if who.mount:
        return rider_attacks(fight, act, resolver, strikes, *pair)
    return mount_attacks(fight, act, resolver, *pair)


def rider_attacks(
    fight: Fight,
    act: Any,
    resolver: Resolver,
    strikes: tuple[acts.Strike, ...],
    rider: Combatant,
    steed: Combatant,
) -> Steps[None]:
    """Attack from the saddle: with stirrups in melee, once only if the mount has moved, with a hand free.

    woa.mount.combat.saddle-required, .melee-while-moving, .ranged, .mount-attacks, .use-as-cover-limits.
    """
    weapons = [find_weapon(fight, rider, one.weapon) for one in strikes]
    melee = sum(in_melee(fight, rider, *pair) for pair in zip(strikes, weapons, strict=True))
    if melee:
        refuse_unstirruped(fight, rider)
    topic = "mount.combat.melee-while-moving"
    hurried = moved_far(fight, steed) and not skirmishes(rider, steed)
    if hurried and melee > fight.figure(topic, "max_melee_attacks_if_exceeded"):
        most = fight.figure(topic, "mount_move_threshold_ft")
        raise Refusal(f"{steed.id} has moved more than {most} ft.: one attack", fight.rule(topic))
    if melee < len(weapons) and far(steed) and fight.readied != rider.id:
        raise Refusal(
            f"{steed.id} has gone all its way: on a double move or run one shoots at half of it",
            fight.rule("mount.combat.ranged"),
        )
    refuse_both_hands(fight, rider, weapons)
    steps = resolver(fight, act)
    # The resolver refuses before its first step, and so must everything here.
    first = next(steps)
    if rider.spent.get(MOUNT_FIGHTS) and not (yield from along(fight, rider, steed)):
        kind = "full-round" if isinstance(act, acts.FullAttack) else "standard"
        yield ActionSpent(
            who=rider.id, kind=kind, what="directs the mount", cites=fight.rules("mount.combat.mount-attacks")
        )
        return
    yield from lower_shield(fight, rider)
    yield first
    yield ActionSpent(
        who=rider.id,
        kind=STRUCK,
        what="attacks from the saddle",
        cites=fight.rules("mount.combat.use-as-cover-limits"),
    )
    if melee > 1 and moved_far(fight, steed):
        what = f"strikes in full although {steed.id} moves"
        yield RuleApplied(who=rider.id, what=what, cites=fight.rules("mount.combat.feats"))
    yield from steps
    if melee < len(weapons) and steed.spent.get("feet") and isinstance(act, acts.FullAttack):
        what = f"shoots in full although {steed.id} moves"
        yield RuleApplied(who=rider.id, what=what, cites=fight.rules("mount.combat.ranged"))
    done = (STRIKES, int(melee > 1), topic), (SHOTS, len(weapons) - melee, "mount.combat.ranged")
    for kind, number, rule in done:
        if number and fight.readied != rider.id:
            cites = fight.rules(rule)
            yield ActionSpent(who=rider.id, kind=kind, what="from the saddle", amount=number, cites=cites)


def in_melee(fight: Fight, rider: Combatant, one: acts.Strike, weapon: Weapon) -> bool:
    """Say whether a strike is one hand to hand."""
    target = fight.combatant(one.target)
    near, most = melee_band(rider, weapon)
    reached = in_band(rider.at, rider.space, target.at, target.space, near, most)
    return strikes_in_melee(weapon) and reached and not one.thrown


def skirmishes(rider: Combatant, steed: Combatant) -> bool:
    """Say whether Mounted Skirmisher leaves time for a full attack: the mount made a single move."""
    return has_feat(rider, "mounted skirmisher") and not far(steed)


def refuse_both_hands(fight: Fight, rider: Combatant, weapons: list[Weapon]) -> None:
    """Refuse what takes both hands while one of them guides the mount (woa.mount.guide-with-knees).

    A lance is couched in one hand.
    """
    if rider.spent.get(KNEES):
        return
    for weapon in weapons:
        both = weapon.hands == 2 or weapon.wield == "two-handed" or weapon.off_hand
        if both and not lance(weapon):
            raise Refusal(
                f"{rider.id} needs a hand to guide the mount, and both for the {weapon.name}",
                fight.rule("mount.guide-with-knees"),
            )


def lower_shield(fight: Fight, rider: Combatant) -> Steps[None]:
    """Take the shield out of the defense of who strikes with one hand and guides with the other."""
    shields = any(bonus.kind == "shield" for bonus in rider.sheet.armor)
    lowered = any(effect.id.endswith(":reins") for effect in rider.effects)
    if rider.spent.get(KNEES) or not shields or lowered:
        return
    rule = fight.rule("mount.guide-with-knees")
    yield EffectGained(
        who=rider.id,
        id=f"{fight.declaration}:reins",
        stat="no.defense",
        modifier=Modifier(0, "untyped", "shield", rule),
        until=Until("round-end", "", fight.state.round),
        cites=(rule,),
    )


def along(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[bool]:
    """Check whether rider and mount both attack this round (woa.mount.combat.mount-attacks)."""
    topic = "mount.combat.mount-attacks"
    rule = fight.rule(topic)
    parts, dc = ride_parts(fight, rider, rule), fight.figure(topic, "dc")
    return (yield from check(fight, rider, "ride", parts, dc, rule, why=f"to fight together with {steed.id}"))


def mount_attacks(
    fight: Fight, act: Any, resolver: Resolver, rider: Combatant, steed: Combatant
) -> Steps[None]:
    """Have a mount attack, if it is trained for war; its rider then attacks too only by a Ride check.

    woa.mount.combat.mount-attacks, woa.mount.control.war-training.
    """
    rules = fight.rules("mount.combat.mount-attacks", "mount.control.war-training")
    if not is_trained(steed):
        raise Refusal(f"{steed.id} is not trained for war and does not attack", rules[1])
    steps = resolver(fight, act)
    first = next(steps)
    if rider.spent.get(STRUCK) and not (yield from along(fight, rider, steed)):
        return
    yield first
    yield ActionSpent(who=rider.id, kind=MOUNT_FIGHTS, what=f"directs {steed.id} to attack", cites=rules)
    yield from steps


def maneuvering(resolver: Resolver) -> Resolver:
    """Return a resolver of a maneuver that a mount may be made to perform (woa.mount.combat.mount-maneuvers).

    The mount must be under control, and trained for war for all but an overrun.
    """

    def go(fight: Fight, act: Any) -> Steps[None]:
        who = fight.combatant(act.actor)
        pair = pair_of(fight, who)
        by_mount = pair is not None and (bool(who.rider) or isinstance(act, acts.Overrun))
        return made_to(fight, act, resolver, *pair) if pair is not None and by_mount else resolver(fight, act)

    return keeping(go)


def made_to(fight: Fight, act: Any, resolver: Resolver, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Make a mount perform a maneuver."""
    refuse_out_of_hand(fight, steed)
    if not is_trained(steed) and not isinstance(act, acts.Overrun):
        raise Refusal(f"{steed.id} is not trained for war", fight.rule("mount.control.war-training"))
    steps = resolver(fight, act)
    first = next(steps)
    what = f"has {steed.id} perform a maneuver"
    yield RuleApplied(who=rider.id, what=what, cites=fight.rules("mount.combat.mount-maneuvers"))
    yield first
    yield from steps


def charge(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Charge on foot, or have the mount charge and strike at the end of it."""
    who = fight.combatant(act.actor)
    return mounted_charge(fight, act, who) if who.mount else planned_charge(fight, act)


planned_charge = keeping(charging.charge)


def mounted_charge(fight: Fight, act: acts.Charge, rider: Combatant) -> Steps[None]:
    """Have the mount charge, by its own action; the rider strikes once, by its own (woa.mount.combat.charge).

    Both have the lowered guard of a charge. A lance deals double damage.
    """
    steed, target = fight.state.combatants[rider.mount], fight.combatant(act.target)
    topic = "mount.combat.charge"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, steed, "full-round")
    refuse_unless_allowed(fight, rider, "standard")
    refuse_out_of_hand(fight, steed)
    refuse_unstirruped(fight, rider)
    movement.refuse_after_step(fight, steed)
    movement.refuse_lying(fight, steed)
    ways.refuse_rush(fight, steed, act)
    weapon = find_weapon(fight, rider, act.weapon)
    refuse_both_hands(fight, rider, [weapon])
    if not strikes_in_melee(weapon):
        raise Refusal(f"one cannot charge with the {weapon.name}", fight.rule("charge.attack"))
    if not sees(fight, rider, target):
        raise Refusal(f"{rider.id} does not see {target.id}", fight.rule("charge.line-of-sight"))
    movement.refuse_slowed(fight, steed)
    least = movement.leading_number(fight, "min") * steed.space
    most = movement.leading_number(fight, "max") * movement.speed(fight, steed)
    refuse_path(fight, steed, act.path, most, fight.rule("charge.distance"))
    if len(act.path) < least:
        raise Refusal(f"the charge is too short: {least} squares at least", fight.rule("charge.distance"))
    movement.refuse_hindered(fight, steed, target, act.path)
    near, far_ = melee_band(rider, weapon)
    if not in_band(act.path[-1], steed.space, target.at, target.space, near, far_):
        raise Refusal(f"the charge does not end within reach of {target.id}", fight.rule("charge.path"))
    if rider.plan and fight.readied != rider.id:
        meant = acts.Attack(actor=rider.id, target=act.target, weapon=act.weapon)
        if not (yield from keep(fight, rider, meant)):
            return
    cites = fight.rules("charge.definition", "charge.distance", "charge.path", topic)
    yield ActionSpent(who=steed.id, kind="full-round", what="charge", cites=cites)
    yield ActionSpent(who=steed.id, kind="rush", what="charge", cites=fight.rules("charge.no-short-step"))
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(
        who=steed.id, condition="charging", source=target.id, until=until, cites=fight.rules("charge.attack")
    )
    yield ConditionGained(
        who=rider.id, condition="riding a charge", source=steed.id, until=until, cites=(rule,)
    )
    first = fight.rule("charge.move-before-attack")
    there = yield from movement.walk(fight, steed, act.path, "charge", rule, first)
    if not there or not rider.mount or is_down(fight, rider) or "dead" in target.conditions:
        return
    yield spending(fight, rider, "standard", "attack", rule)
    yield ActionSpent(who=rider.id, kind=STRUCK, what="attacks from the saddle", cites=(rule,))
    yield from lower_shield(fight, rider)
    blow = plain.prepare(fight, rider, target, weapon, "charge")
    blow.extra.append(fight.modifier(topic, "rider_attack_bonus", kind="circumstance", source="charging"))
    if lance(weapon):
        blow.damage_multipliers.append((fight.figure(topic, "lance_damage_multiplier"), rule))
    yield from plain.deliver(fight, blow)


def before_attack(fight: Fight, blow: Blow) -> Steps[None]:
    """Let a rider take its mount for cover before an attack, and then everybody react."""
    if blow.target.mount and not blow.needed and blow.attacker.id != blow.target.mount:
        yield from take_cover(fight, blow)
    yield from struck_cover.before_attack(fight, blow)


def take_cover(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer a rider to drop beside its mount for half cover, as an immediate action and by a Ride check.

    One check holds for all who attack on one initiative count from one side; not for who attacks, casts or
    charges (woa.mount.combat.use-as-cover, .use-as-cover-limits).
    """
    rider, topic = blow.target, "mount.combat.use-as-cover"
    busy = rider.spent.get(STRUCK) or any(name in rider.conditions for name in ("casting", "riding a charge"))
    if is_down(fight, rider) or not guides(fight, rider):
        return
    if busy or fight.state.active == rider.id:
        blow.cites.append(fight.rule("mount.combat.use-as-cover-limits"))
        return
    rule, side = fight.rule(topic), side_of(blow)
    held = rider.conditions.get(BESIDE)
    if held is None or held.source != side:
        if not able(fight, rider, "immediate"):
            return
        question = f"{blow.attacker.id} attacks {rider.id}: does it drop beside {rider.mount} for cover?"
        if (yield Choice(rider.id, "cover", question, ("decline", "cover"), rule)) != "cover":
            return
        yield ReactionSpent(
            who=rider.id,
            kind="immediate",
            against=blow.attacker.id,
            opportunity="",
            amount=fight.figure("action-type.immediate", "cost_combat_reactions"),
            cites=(rule, *fight.rules("action-type.immediate", "reaction.swift-immediate-cost")),
        )
        parts, dc = ride_parts(fight, rider, rule), fight.figure(topic, "dc")
        done = yield from check(fight, rider, "ride", parts, dc, rule, why="to drop beside the mount")
        until = Until("round-end", "", fight.state.round)
        yield ConditionGained(
            who=rider.id, condition=BESIDE, source=side, until=until, level=int(done), cites=(rule,)
        )
        held = rider.conditions[BESIDE]
    if held.level:
        degree = fight.figure(topic, "cover")
        source = f"{degree} cover: beside {rider.mount}"
        blow.defense_extra += table_modifier(
            fight, "cover.table", f"degree={degree}", "ac", kind="cover", source=source
        )
        blow.cites.append(rule)


def side_of(blow: Blow) -> str:
    """Return the initiative count and the side from which an attack comes."""
    (x, y), (a, b) = blow.target.at, blow.attacker.at
    way = ((a > x) - (a < x), (b > y) - (b < y))
    return f"{blow.attacker.initiative}, from {way[0]},{way[1]}"
