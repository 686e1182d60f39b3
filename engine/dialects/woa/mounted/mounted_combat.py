"""Fighting from the saddle: what the rider strikes, and the mount (woa.mount.combat.*)."""

from typing import Any

from affray.engine.dialects.woa.mounted.mount_control import KNEES, refuse_out_of_hand, ride_parts
from affray.engine.dialects.woa.mounted.mount_movement import (
    MOUNT_FIGHTS,
    SHOTS,
    STRIKES,
    STRUCK,
    has_moved_far,
)
from affray.engine.dialects.woa.mounted.mounted_modifiers import is_trained, moved_far
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, is_lance
from affray.engine.rules.mounted.hands_and_reins import deny_riders_shield
from affray.engine.rules.mounted.rider_and_mount import pair_of
from affray.engine.rules.position.place import in_band
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The topic of what a mount that has moved leaves to its rider.
WHILE_MOVING = "woa.mount.combat.melee-while-moving"


def strikes_of(act: Any) -> tuple[acts.Strike, ...] | None:
    """Return the strikes that an attack or a maneuver means, None if it is nothing of the kind."""
    if isinstance(act, acts.FullAttack):
        return act.strikes
    if isinstance(act, acts.Attack) and act.at is not None:
        return ()
    if isinstance(act, acts.Grab) and act.what not in ("start", ""):
        return None
    weapon = "unarmed strike" if isinstance(act, acts.Push | acts.Grab) else getattr(act, "weapon", "")
    return (acts.Strike(act.target, weapon, getattr(act, "thrown", False)),)


def refuse_mounted(fight: Fight, act: Any) -> None:
    """Refuse an attack that rider or mount cannot make as they are.

    woa.mount.combat.saddle-required, .melee-while-moving, .ranged, woa.mount.control.war-training
    """
    actor = fight.combatant(act.actor)
    if not (actor.mount or actor.rider):
        return
    pair, strikes = pair_of(fight, actor), strikes_of(act)
    if pair is None or strikes is None:
        return
    if actor.mount:
        refuse_from_the_saddle(fight, strikes, *pair)
    else:
        refuse_untrained(fight, actor)


def refuse_from_the_saddle(
    fight: Fight, strikes: tuple[acts.Strike, ...], rider: Combatant, steed: Combatant
) -> None:
    """Refuse in the saddle more blows than one on the way, shots after it, and what takes both hands."""
    weapons = [find_weapon(fight, rider, one.weapon) for one in strikes]
    melee = number_in_melee(fight, rider, strikes, weapons)
    hurried = moved_far(fight, steed) and not skirmishes(rider, steed)
    if hurried and melee > fight.figure(WHILE_MOVING, "max_melee_attacks_if_exceeded"):
        most = fight.figure(WHILE_MOVING, "mount_move_threshold_ft")
        reason = f"{steed.id} has moved more than {most} ft.: {rider.id} makes one melee attack"
        raise Refusal(reason, fight.rule(WHILE_MOVING))
    if melee < len(weapons) and has_moved_far(steed) and fight.readied != rider.id:
        raise Refusal(
            f"{steed.id} has gone all its way: on a double move or run {rider.id} shoots at half of it",
            fight.rule("woa.mount.combat.ranged"),
        )
    refuse_both_hands(fight, rider, weapons)


def refuse_untrained(fight: Fight, steed: Combatant) -> None:
    """Refuse to attack to a mount that is not trained for war (woa.mount.control.war-training)."""
    if not is_trained(steed):
        rule = fight.rule("woa.mount.control.war-training")
        raise Refusal(f"{steed.id} is not trained for war and does not attack", rule)


def fight_mounted(fight: Fight, act: Any, attacking: Steps[None]) -> Steps[None]:
    """Attack, from the saddle too, or have the mount attack."""
    actor = fight.combatant(act.actor)
    if not (actor.mount or actor.rider):
        return attacking
    pair, strikes = pair_of(fight, actor), strikes_of(act)
    if pair is None or strikes is None:
        return attacking
    if actor.mount:
        return rider_attacks(fight, act, attacking, strikes, *pair)
    return mount_attacks(fight, act, attacking, *pair)


def rider_attacks(
    fight: Fight,
    act: Any,
    attacking: Steps[None],
    strikes: tuple[acts.Strike, ...],
    rider: Combatant,
    steed: Combatant,
) -> Steps[None]:
    """Attack from the saddle, with the shield lowered; both rider and mount only by a Ride check.

    woa.mount.combat.mount-attacks, .use-as-cover-limits, .melee-while-moving, .ranged
    """
    weapons = [find_weapon(fight, rider, one.weapon) for one in strikes]
    melee = number_in_melee(fight, rider, strikes, weapons)
    # The attack is refused before its first step, and so must everything here be.
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
    if melee > 1 and moved_far(fight, steed):
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
    """Return how many of the strikes are made hand to hand."""
    return sum(in_melee(fight, rider, *pair) for pair in zip(strikes, weapons, strict=True))


def in_melee(fight: Fight, rider: Combatant, one: acts.Strike, weapon: Weapon) -> bool:
    """Say whether a strike is one hand to hand."""
    target = fight.combatant(one.target)
    near, most = melee_band(rider, weapon)
    reached = in_band(rider.at, rider.space, target.at, target.space, near, most)
    return strikes_in_melee(weapon) and reached and not one.thrown


def skirmishes(rider: Combatant, steed: Combatant) -> bool:
    """Say whether Mounted Skirmisher leaves time for a full attack: the mount made a single move."""
    return has_feat(rider, "mounted skirmisher") and not has_moved_far(steed)


def refuse_both_hands(fight: Fight, rider: Combatant, weapons: list[Weapon]) -> None:
    """Refuse what takes both hands while one of them guides the mount (woa.mount.guide-with-knees).

    A lance is couched in one hand.
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
    """Lower the shield of a rider until the round's end (woa.mount.guide-with-knees)."""
    until = Until("round-end", "", fight.state.round)
    yield from deny_riders_shield(fight, rider, "woa.mount.guide-with-knees", until)


def are_both_attacking(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[bool]:
    """Check whether rider and mount both attack this round (woa.mount.combat.mount-attacks)."""
    topic = "woa.mount.combat.mount-attacks"
    rule = fight.rule(topic)
    parts, dc = ride_parts(fight, rider, rule), fight.figure(topic, "dc")
    return (yield from check(fight, rider, "ride", parts, dc, rule, why=f"to fight together with {steed.id}"))


def mount_attacks(
    fight: Fight, act: Any, attacking: Steps[None], rider: Combatant, steed: Combatant
) -> Steps[None]:
    """Have a mount attack; its rider then attacks too only by a Ride check.

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


def refuse_mounted_maneuver(fight: Fight, act: Any) -> None:
    """Refuse a maneuver that rider or mount cannot make as they are (woa.mount.combat.mount-maneuvers).

    The mount must be under control, and trained for war for all but an overrun.
    """
    actor = fight.combatant(act.actor)
    pair = pair_of(fight, actor)
    if pair is None:
        return
    if isinstance(act, acts.Overrun):
        refuse_out_of_hand(fight, pair[1])
    else:
        refuse_mounted(fight, act)


def maneuver_mounted(fight: Fight, act: Any, trying: Steps[None]) -> Steps[None]:
    """Try a maneuver, from the saddle too, or have the mount try it."""
    actor = fight.combatant(act.actor)
    pair = pair_of(fight, actor)
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
