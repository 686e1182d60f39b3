"""Fighting from the saddle: directing the mount, and what its movement leaves to the rider."""

from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.mounted.hands_and_reins import lower_riders_shield
from affray.engine.rules.mounted.rider_and_mount import guides, is_guided, mount_of, rider_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

Movement = acts.Move | acts.Step | acts.Withdraw | acts.Run
#: Who rides, who is ridden, and who is either, of a declaration whose actor is known.
MOUNTED = "fight.state.combatants[act.actor].mount"
RIDDEN = "fight.state.combatants[act.actor].rider"
PAIRED = f"{MOUNTED} or {RIDDEN}"
#: The conditions of a rider in a grapple, whom no mount carries off.
GRAPPLES = ("grappling", "grappled")
#: What a rider has done this turn, beside the actions that it took.
STRIKES, SHOTS, CAST_FIRST, CAST_LAST = "strikes", "shots", "cast before moving", "cast after moving"


def refuse_to_ride(fight: Fight, act: Movement) -> None:
    """Refuse movement of a mount that nobody guides, or that the rider's turn so far does not allow."""
    actor = fight.combatant(act.actor)
    if actor.mount and not guides(fight, actor):
        raise Refusal(f"{actor.id} cannot guide {actor.mount}", fight.rule("mount.riderless"))
    rider, steed = (actor, mount_of(fight, actor)) if actor.mount else (rider_of(fight, actor), actor)
    if rider is not None and steed is not None and is_guided(fight, steed):
        squares = 1 if isinstance(act, acts.Step) else len(act.path)
        refuse_ride_on(fight, rider, steed, squares, isinstance(act, acts.Withdraw | acts.Run))


def as_mount(fight: Fight, act: Any) -> Any:
    """Return the movement of a rider as the mount's: its action, at its own speed (srd35.mount.speed)."""
    return replace(act, actor=fight.combatant(act.actor).mount)


def tell_ride(fight: Fight, act: Movement, moving: Steps[None]) -> Steps[None]:
    """Have the mount move, and tell whose speed and action that was (srd35.mount.speed)."""
    rider = fight.combatant(act.actor)
    yield from moving
    # Who has come off its mount on the way did not ride to the end.
    if rider.mount:
        what, rule = f"rides at the speed of {rider.mount}, by its action", fight.rule("mount.speed")
        yield RuleApplied(who=rider.id, what=what, cites=(rule,))


def refuse_ride_on(fight: Fight, rider: Combatant, steed: Combatant, squares: int, whole: bool) -> None:
    """Refuse movement that would spoil what the rider has done this turn.

    Several melee attacks allow 5 feet in all; a shot falls at half the way of a double move or run; a
    spell is cast before or after one move of the mount (srd35.mount.single-attack-if-moved,
    srd35.mount.ranged-timing, srd35.mount.cast-normal).
    """
    for name in GRAPPLES:
        if name in rider.conditions:
            reason = f"{rider.id} is {name} and does not ride on"
            raise Refusal(reason, fight.rule(rule_of(fight, name).topic))
    spent, topic = rider.spent, "mount.single-attack-if-moved"
    feet = steed.spent.get("feet", 0) + squares * SQUARE_FT
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


def has_moved_far(steed: Combatant) -> bool:
    """Say whether a mount has gone farther this turn than one move: a double move, a run, a charge."""
    return bool(steed.spent.get("feet")) and (
        steed.spent.get("move", 0) > 1 or bool(steed.spent.get("full-round"))
    )


def refuse_late_shot(fight: Fight, combatant: Combatant, shots: int) -> None:
    """Refuse a shot after the mount's double move or run: its moment was at half the way."""
    steed = mount_of(fight, combatant)
    if shots and steed is not None and has_moved_far(steed) and fight.readied != combatant.id:
        raise Refusal(
            f"{steed.id} has gone all its way: on a double move or run one shoots at half of it",
            fight.rule("mount.ranged-timing"),
        )


def after_blows(
    fight: Fight, combatant: Combatant, melee: int, shots: int, *, whole: bool = False
) -> Steps[None]:
    """Note what a rider did in its turn, perhaps a `whole` full attack, for the mount's further movement.

    srd35.mount.no-melee-speed-penalty, pf1.mount.attack.
    """
    steed = mount_of(fight, combatant)
    if melee and steed is not None and has_moved_far(steed):
        rule = fight.rule("mount.no-melee-speed-penalty")
        yield RuleApplied(
            who=combatant.id, what=f"no penalty in melee, however fast {steed.id} goes", cites=(rule,)
        )
    if fight.readied == combatant.id:
        return
    for kind, number, topic in (
        (STRIKES, melee if whole else 0, "mount.single-attack-if-moved"),
        (SHOTS, shots, "mount.ranged-timing"),
    ):
        if number:
            yield ActionSpent(
                who=combatant.id, kind=kind, what="from the saddle", amount=number, cites=fight.rules(topic)
            )
    if steed is not None:
        yield from lower_riders_shield(fight, combatant)


def planned_blows(fight: Fight, actor: Combatant, act: acts.Attack | acts.FullAttack) -> list[Blow]:
    """Return the ordinary blows that an attack or full attack means. Refuses those that cannot be struck."""
    strikes = act.strikes if isinstance(act, acts.FullAttack) else (act,)
    found = []
    for one in strikes:
        if isinstance(one, acts.Strike) and one.special:
            continue
        weapon = find_weapon(fight, actor, one.weapon)
        found.append(
            fight.dialect.attacks.prepare(
                fight,
                actor,
                fight.combatant(one.target),
                weapon,
                "attack",
                thrown=one.thrown,
                nonlethal=act.nonlethal,
            )
        )
    return found
