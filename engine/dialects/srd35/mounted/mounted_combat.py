"""Fighting from the saddle: directing the mount, and what its movement leaves to the rider."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from affray.engine.blow import Blow
from affray.engine.dialects.srd35.attacks import two_weapon_fighting
from affray.engine.dialects.srd35.gear import ammunition, splash_weapons, splash_weapons_in_hand
from affray.engine.dialects.srd35.magic import magic_items
from affray.engine.dialects.srd35.mounted.ride_skill import direct_to_fight, lower_shield, refuse_both_hands
from affray.engine.dialects.srd35.movement import walk_and_run
from affray.engine.fight import Fight
from affray.engine.rules.attacks.declared_blow import prepare
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.special_attacks import attack_is_lost
from affray.engine.rules.mounted.ride_skill import is_frightened
from affray.engine.rules.mounted.rider_and_mount import is_guided, mount_of, rider_of
from affray.engine.rules.movement import movement
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

#: What a rider has done this turn, beside the actions that it took.
STRIKES, SHOTS, CAST_FIRST, CAST_LAST = "strikes", "shots", "cast before moving", "cast after moving"


def move(
    fight: Fight, act: acts.Move, way: Callable[[Fight, acts.Move], Steps[None]] = walk_and_run.move
) -> Steps[None]:
    """Move in some way; whoever rides has the mount move instead (srd35.mount.speed)."""
    who = fight.combatant(act.actor)
    if not (who.mount or who.rider):
        return way(fight, act)
    return under_way(fight, act, len(act.path), way(fight, directed(fight, who, act)))


def step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a 5-foot step, or have the mount take it."""
    who = fight.combatant(act.actor)
    if not (who.mount or who.rider):
        return movement.step(fight, act)
    return under_way(fight, act, 1, movement.step(fight, directed(fight, who, act)))


def withdraw(fight: Fight, act: acts.Withdraw) -> Steps[None]:
    """Withdraw, or have the mount withdraw."""
    who = fight.combatant(act.actor)
    if not (who.mount or who.rider):
        return walk_and_run.withdraw(fight, act)
    return under_way(fight, act, len(act.path), walk_and_run.withdraw(fight, directed(fight, who, act)), True)


def run(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run, or have the mount run."""
    who = fight.combatant(act.actor)
    if not (who.mount or who.rider):
        return walk_and_run.run(fight, act)
    return under_way(fight, act, len(act.path), walk_and_run.run(fight, directed(fight, who, act)), True)


def directed(fight: Fight, who: Combatant, act: Any) -> Any:
    """Return an act of movement as that of the mount."""
    return replace(act, actor=who.mount) if who.mount else act


def under_way(fight: Fight, act: Any, squares: int, steps: Steps[None], whole: bool = False) -> Steps[None]:
    """Have a mount go its way: with its own action, at its own speed (srd35.mount.speed).

    `whole` movement takes all of its turn. Refuses what the rider's turn so far does not allow.
    """
    who = fight.combatant(act.actor)
    rider, steed = (who, mount_of(fight, who)) if who.mount else (rider_of(fight, who), who)
    if rider is not None and steed is not None and is_guided(fight, steed):
        refuse_ride_on(fight, rider, steed, squares, whole)
    yield from steps
    if who.mount:
        rule = fight.rule("mount.speed")
        yield RuleApplied(who=who.id, what=f"rides at the speed of {who.mount}, by its action", cites=(rule,))


def refuse_ride_on(fight: Fight, rider: Combatant, steed: Combatant, squares: int, whole: bool) -> None:
    """Refuse movement that would spoil what the rider has done this turn.

    Several melee attacks allow 5 feet in all; a shot falls at half the way of a double move or run; a
    spell is cast before or after one move of the mount (srd35.mount.single-attack-if-moved,
    srd35.mount.ranged-timing, srd35.mount.cast-normal).
    """
    if "grappling" in rider.conditions:
        raise Refusal(f"{rider.id} is grappling", fight.rule("grapple.no-move"))
    spent, topic = rider.spent, "mount.single-attack-if-moved"
    feet = steed.spent.get("feet", 0) + squares * movement.SQUARE_FT
    most = fight.figure(topic, "threshold_ft")
    if spent.get(STRIKES, 0) > 1 and feet > most:
        raise Refusal(f"{rider.id} has struck more than once: no more than {most} ft.", fight.rule(topic))
    second = whole or bool(steed.spent.get("move"))
    if spent.get(SHOTS) and second:
        raise Refusal(
            f"{rider.id} has shot already: on a double move or run it shoots at half the way",
            fight.rule("mount.ranged-timing"),
        )
    if spent.get(CAST_LAST) or (spent.get(CAST_FIRST) and second):
        raise Refusal(
            f"{rider.id} has cast already: {steed.id} moves once, before the casting or after it",
            fight.rule("mount.cast-normal"),
        )


def far(steed: Combatant) -> bool:
    """Say whether a mount has gone farther this turn than one move: a double move, a run, a charge."""
    return bool(steed.spent.get("feet")) and (
        steed.spent.get("move", 0) > 1 or bool(steed.spent.get("full-round"))
    )


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack, from the saddle too, or have the mount attack."""
    who = fight.combatant(act.actor)
    if who.mount:
        return rider_attacks(fight, act, who)
    if who.rider and is_guided(fight, who):
        return mount_attacks(fight, act, who)
    return splash_weapons.attack_or_throw(fight, act)


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make a full attack, from the saddle too, or have the mount make it."""
    who = fight.combatant(act.actor)
    if splash_weapons_in_hand.has_flasks(fight, who):
        act = splash_weapons_in_hand.as_throws(fight, who, act)
    if who.mount:
        return rider_strikes(fight, act, who)
    if who.rider and is_guided(fight, who):
        return mount_attacks(fight, act, who)
    return ammunition.full_attack_and_rend(fight, who, act)


def rider_attacks(fight: Fight, act: acts.Attack, who: Combatant) -> Steps[None]:
    """Make one attack from the saddle: in melee as on foot, however fast the mount went."""
    if splash_weapons.is_thrown(fight, who, act):
        refuse_late_shot(fight, who, 1)
        yield from splash_weapons.attack_or_throw(fight, act)
        yield from after_blows(fight, who, 0, 1)
        return
    weapon = find_weapon(fight, who, act.weapon)
    target = fight.combatant(act.target)
    blow = prepare(fight, who, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal)
    refuse_both_hands(fight, who, [weapon])
    refuse_late_shot(fight, who, int(not blow.melee))
    yield from ammunition.attack_or_hurl(fight, act)
    yield from after_blows(fight, who, int(blow.melee), int(not blow.melee))


def rider_strikes(fight: Fight, act: acts.FullAttack, who: Combatant) -> Steps[None]:
    """Make a full attack from the saddle: at range always, in melee if the mount has hardly moved.

    srd35.mount.single-attack-if-moved, srd35.mount.ranged-full-attack.
    """
    steed = fight.state.combatants[who.mount]
    blows = planned(fight, who, act)
    shots = sum(not blow.melee for blow in blows)
    # A whirlwind strikes at all around.
    melee = len(act.strikes) - shots + (2 if act.whirlwind else 0)
    topic = "mount.single-attack-if-moved"
    most = fight.figure(topic, "threshold_ft")
    if melee and melee + who.spent.get(STRIKES, 0) > 1 and steed.spent.get("feet", 0) > most:
        raise Refusal(
            f"{steed.id} has moved more than {most} ft.: {who.id} has time for one melee attack",
            fight.rule(topic),
        )
    refuse_both_hands(
        fight, who, [blow.weapon for blow in blows], two_weapon_fighting.second_weapon(fight, who, act)
    )
    refuse_late_shot(fight, who, shots)
    yield from ammunition.full_attack_and_rend(fight, who, act)
    if shots and steed.spent.get("feet"):
        rule = fight.rule("mount.ranged-full-attack")
        yield RuleApplied(who=who.id, what=f"shoots in full although {steed.id} moves", cites=(rule,))
    yield from after_blows(fight, who, melee, shots, whole=True)


def refuse_late_shot(fight: Fight, who: Combatant, shots: int) -> None:
    """Refuse a shot after the mount's double move or run: its moment was at half the way."""
    steed = mount_of(fight, who)
    if shots and steed is not None and far(steed) and fight.readied != who.id:
        raise Refusal(
            f"{steed.id} has gone all its way: on a double move or run one shoots at half of it",
            fight.rule("mount.ranged-timing"),
        )


def after_blows(fight: Fight, who: Combatant, melee: int, shots: int, *, whole: bool = False) -> Steps[None]:
    """Note what a rider did in its turn, perhaps a `whole` full attack, for the mount's further movement."""
    steed = mount_of(fight, who)
    if melee and steed is not None and far(steed):
        rule = fight.rule("mount.no-melee-speed-penalty")
        yield RuleApplied(
            who=who.id, what=f"no penalty in melee, however fast {steed.id} goes", cites=(rule,)
        )
    if fight.readied == who.id:
        return
    for kind, number, topic in (
        (STRIKES, melee if whole else 0, "mount.single-attack-if-moved"),
        (SHOTS, shots, "mount.ranged-timing"),
    ):
        if number:
            yield ActionSpent(
                who=who.id, kind=kind, what="from the saddle", amount=number, cites=fight.rules(topic)
            )
    if steed is not None:
        yield from lower_shield(fight, who)


def mount_attacks(fight: Fight, act: acts.Attack | acts.FullAttack, steed: Combatant) -> Steps[None]:
    """Have a mount attack: only one that combat does not frighten, by a Ride check of its rider.

    srd35.mount.combat-trained, srd35.skill.ride-table.
    """
    rider = rider_of(fight, steed)
    assert rider is not None
    if is_frightened(fight, steed):
        raise Refusal(f"{steed.id} is not trained for combat", fight.rule("mount.combat-trained"))
    planned(fight, steed, act)
    refuse_unless_allowed(fight, steed, "standard" if isinstance(act, acts.Attack) else "full-round")
    if not (yield from direct_to_fight(fight, rider, steed)):
        return
    try:
        if isinstance(act, acts.Attack):
            yield from ammunition.attack_or_hurl(fight, act)
        else:
            yield from ammunition.full_attack_and_rend(fight, steed, act)
    except Refusal as lost:
        yield attack_is_lost(steed, lost)


def planned(fight: Fight, who: Combatant, act: acts.Attack | acts.FullAttack) -> list[Blow]:
    """Return the ordinary blows that an attack or full attack means. Refuses those that cannot be struck."""
    strikes = act.strikes if isinstance(act, acts.FullAttack) else (act,)
    found = []
    for one in strikes:
        if isinstance(one, acts.Strike) and one.special:
            continue
        weapon = find_weapon(fight, who, one.weapon)
        found.append(
            prepare(
                fight,
                who,
                fight.combatant(one.target),
                weapon,
                "attack",
                thrown=one.thrown,
                nonlethal=act.nonlethal,
            )
        )
    return found


def cast_mounted(fight: Fight, act: acts.Cast) -> Steps[None] | None:
    """Return a casting from the saddle: no check if the mount moves once, before or after it; else None.

    srd35.mount.cast-normal.
    """
    who = fight.combatant(act.actor)
    return rider_casts(fight, act, who) if who.mount else None


def rider_casts(fight: Fight, act: acts.Cast, who: Combatant) -> Steps[None]:
    """Cast while the mount stands: it has moved once at most, and not again after it has moved before."""
    steed = fight.state.combatants[who.mount]
    rule = fight.rule("mount.cast-normal")
    if far(steed):
        raise Refusal(f"{steed.id} has moved too far for an undisturbed casting", rule)
    moved = bool(steed.spent.get("feet"))
    yield from magic_items.cast_own_spell(fight, act)
    if fight.readied == who.id:
        return
    when = CAST_LAST if moved else CAST_FIRST
    yield ActionSpent(who=who.id, kind=when, what=f"cast {act.spell} from the saddle", cites=(rule,))
    if moved:
        yield RuleApplied(who=who.id, what=f"no check to cast: {steed.id} stands again", cites=(rule,))
