"""Fighting from the saddle: directing the mount, and what its movement leaves to the rider."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks import full_attack
from affray.engine.rules.attacks.attack_roll import build_blow, refuse_no_opponent, strike_and_settle
from affray.engine.rules.attacks.charge import lower_guard
from affray.engine.rules.attacks.declared_blow import fight_defensively, refuse_empty
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.gear.hands import COUCHED, natural_weapons
from affray.engine.rules.gear.others_things import TOPIC, change_grip, weapon_to_grip
from affray.engine.rules.gear.weapons_in_hand import (
    draw_between,
    find_weapon,
    is_lance,
    plan_throws,
    refuse_lost_weapon,
)
from affray.engine.rules.magic.casting import known_spell
from affray.engine.rules.magic.spell_effects import refuse_unaimed
from affray.engine.rules.mounted.riding import (
    direct_to_fight,
    find_rider,
    guides,
    is_guided,
    leader,
    lower_riders_shield,
    mount_of,
    refuse_both_hands,
    ride_parts,
)
from affray.engine.rules.movement.movement import (
    refuse_after_step,
    refuse_crooked,
    refuse_path,
    refuse_rush,
    speed,
)
from affray.engine.rules.turns.actions import (
    TWO_MOVES,
    first_rule,
    refuse_unknown_names,
    refuse_unless_allowed,
)
from affray.engine.rules.turns.delay_and_ready import attack_is_lost
from affray.engine.steps import Choice, Refusal, Steps, onward
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectGained, Until
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- A rider's negation of hits on its mount (srd35.feat.mounted-combat, pf1.feat.mounted)

FEAT, AVERTED_BLOWS_TOPIC = "mounted combat", "feat.mounted-combat"


def averted(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a rider with Mounted Combat negate a hit on the mount, once a round, by a Ride check.

    The check must beat the attack roll (srd35.feat.mounted-combat).
    """
    rider = find_rider(fight, blow.target)
    if rider is None or not (yield from tries_to_avert(fight, rider, blow)):
        return False
    return (yield from beats_attack_roll(fight, rider, blow))


def tries_to_avert(fight: Fight, rider: Combatant, blow: Blow) -> Steps[bool]:
    """Ask a rider that has the feat, and has not used it this round, whether it tries to negate a hit."""
    if not has_feat(rider, FEAT) or not guides(fight, rider):
        return False
    rule = fight.rule(AVERTED_BLOWS_TOPIC)
    if rider.reactions.get(FEAT, 0) >= fight.figure(AVERTED_BLOWS_TOPIC, "per_round"):
        yield RuleApplied(who=rider.id, what="has averted a blow this round already", cites=(rule,))
        return False
    question = f"{blow.attacker.id} hits {blow.target.id}: does {rider.id} try to avert the blow?"
    return bool((yield Choice(rider.id, "avert", question, ("try", "decline"), rule)) == "try")


def beats_attack_roll(fight: Fight, rider: Combatant, blow: Blow) -> Steps[bool]:
    """Spend the one attempt of the round; return whether the Ride check beats the attack roll."""
    rule = fight.rule(AVERTED_BLOWS_TOPIC)
    yield ReactionSpent(who=rider.id, kind=FEAT, against=blow.attacker.id, opportunity="", cites=(rule,))
    parts = ride_parts(fight, rider, blow.target, rule)
    # To beat the attack roll is to reach one more than it.
    done = yield from check(
        fight, rider, "ride", parts, blow.outcome.total + 1, rule, why="against the attack roll"
    )
    if done:
        yield RuleApplied(who=rider.id, what=f"averts the blow from {blow.target.id}", cites=(rule,))
    return done


# --- The lance in one hand, from the saddle (srd35.weapons.handed-use, woa.damage.two-handed-strength)


def is_lance_in_saddle(fight: Fight, act: acts.Grip) -> bool:
    """Return whether a rider means to take its lance in one hand."""
    rider = fight.combatant(act.actor)
    lances = (one.name for one in rider.sheet.weapons if is_lance(one))
    return bool(rider.mount) and act.hands == "one" and act.item in lances


def couch_lance(fight: Fight, act: acts.Grip) -> Steps[None]:
    """Take a lance in one hand; it counts as a one-handed weapon as long as it stays there in the saddle."""
    rider = fight.combatant(act.actor)
    check_turn(fight, rider)
    weapon = weapon_to_grip(fight, rider, act)
    changed = yield from change_grip(fight, rider, weapon, act, "one-handed")
    if not changed or weapon.wield != "two-handed":
        return
    rule = fight.rule(TOPIC)
    yield EffectGained(
        who=rider.id,
        id=f"{COUCHED}:{weapon.name}",
        stat=COUCHED,
        modifier=Modifier(0, "untyped", f"{weapon.name} in one hand", rule),
        until=Until(),
        cites=(rule,),
    )


# --- Hoof attacks on targets that a ridden mount has overrun (srd35.feat.trample, pf1.feat.mounted)


def trample_by_mount(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Let the mount of a rider with Trample make one hoof attack on a target that it has knocked down.

    srd35.overrun.trample, srd35.feat.trample, pf1.feat.mounted.
    """
    rider = leader(fight, attacker)
    if rider is attacker or not has_feat(rider, "trample"):
        return
    found = natural_weapons(attacker)
    hoof = next((weapon for weapon in found if "hoof" in weapon.name or "hooves" in weapon.name), None)
    if hoof is None:
        return
    blow = build_blow(fight, attacker, target, hoof, "trample", feet=distance(attacker, target))
    blow.cites += fight.rules("overrun.trample", "feat.trample")
    yield from strike_and_settle(fight, blow)


# --- Charging on a mount: the AC of both, its multipliers, and Ride-By Attack (srd35.mount.charge)


def lower_riders_guard(fight: Fight, rider: Combatant, target: Combatant) -> Steps[None]:
    """Lower the rider's AC as its mount charges (srd35.mount.charge)."""
    rule = fight.rule("mount.charge")
    yield from lower_guard(fight, rider, target, rule, rule)


def ride_by_spares(past: tuple[Square, ...], target: Combatant) -> Callable[[int, Combatant], bool]:
    """Return the steps that a ride-by attack does not provoke in from its target
    (srd35.feat.ride-by-attack).
    """
    return lambda step, enemy: bool(past) and enemy is target


def multiply_mounted_charge(fight: Fight, blow: Blow) -> Steps[None]:
    """Multiply the damage of a mounted charge: by two with a lance; Spirited Charge by two, a lance by three.

    srd35.charge.lance, srd35.mount.charge-lance, srd35.feat.spirited-charge, pf1.charge.lance-brace,
    pf1.mount.attack, pf1.feat.mounted.
    """
    lance = is_lance(blow.weapon)
    if has_feat(blow.attacker, "spirited charge"):
        factor = fight.figure("feat.spirited-charge", "lance" if lance else "melee")
        blow.damage.multipliers += ((factor, fight.rule("feat.spirited-charge")),)
    elif lance:
        factor = fight.figure("charge.lance", "multiplier")
        blow.damage.multipliers += ((factor, fight.rule("charge.lance")),)
        couched = f"couches the {blow.weapon.name} on a charging mount"
        yield RuleApplied(who=blow.attacker.id, what=couched, cites=fight.rules("mount.charge-lance"))


Movement = acts.Move | acts.Step | acts.Withdraw | acts.Run
#: Conditions for a rider, a mount, and either, in a declaration whose actor is known.
MOUNTED = "fight.state.combatants[act.actor].mount"
RIDDEN = "fight.state.combatants[act.actor].rider"
PAIRED = f"{MOUNTED} or {RIDDEN}"
#: The conditions of a grappled rider, whose mount cannot carry it away.
GRAPPLES = ("grappling", "grappled")
#: The rider's acts this turn, in addition to the actions that it took.
STRIKES, SHOTS, CAST_FIRST, CAST_LAST = "strikes", "shots", "cast before moving", "cast after moving"


def refuse_to_ride(fight: Fight, act: Movement) -> None:
    """Refuse movement of an unguided mount, and movement that the rider's turn so far does not allow."""
    actor = fight.combatant(act.actor)
    if actor.mount and not guides(fight, actor):
        raise Refusal(f"{actor.id} cannot guide {actor.mount}", fight.rule("mount.riderless"))
    rider, steed = (actor, mount_of(fight, actor)) if actor.mount else (find_rider(fight, actor), actor)
    if rider is not None and steed is not None and is_guided(fight, steed):
        squares = 1 if isinstance(act, acts.Step) else len(act.path)
        refuse_ride_on(fight, rider, steed, squares, isinstance(act, acts.Withdraw | acts.Run))


def as_mount(fight: Fight, act: acts.Act) -> object:
    """Return the movement of a rider as its mount's: the mount's action, at the mount's speed
    (srd35.mount.speed).
    """
    return replace(act, actor=fight.combatant(act.actor).mount)


def tell_ride(fight: Fight, act: Movement, moving: Steps[None]) -> Steps[None]:
    """Have the mount move, and report that its speed and action were used (srd35.mount.speed)."""
    rider = fight.combatant(act.actor)
    yield from moving
    # A rider that has come off its mount on the way did not ride to the end.
    if rider.mount:
        what, rule = f"rides at the speed of {rider.mount}, by its action", fight.rule("mount.speed")
        yield RuleApplied(who=rider.id, what=what, cites=(rule,))


def refuse_ride_on(fight: Fight, rider: Combatant, steed: Combatant, squares: int, whole: bool) -> None:
    """Refuse movement that contradicts the rider's acts this turn.

    Several melee attacks allow 5 feet in all; a shot is made at half the path of a double move or run; a
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
    """Return whether a mount has gone farther this turn than one move: a double move, a run, a charge."""
    return bool(steed.spent.get("feet")) and (
        steed.spent.get("move", 0) > 1 or bool(steed.spent.get("full-round"))
    )


def refuse_late_shot(fight: Fight, combatant: Combatant, shots: int) -> None:
    """Refuse a shot after the mount's double move or run: it had to be made at half the path."""
    steed = mount_of(fight, combatant)
    if shots and steed is not None and has_moved_far(steed) and fight.readied != combatant.id:
        raise Refusal(
            f"{steed.id} has gone all its way: on a double move or run the rider shoots at half of it",
            fight.rule("mount.ranged-timing"),
        )


def record_rider_attacks(
    fight: Fight, combatant: Combatant, melee: int, shots: int, *, whole: bool = False
) -> Steps[None]:
    """Record a rider's attacks in its turn, perhaps a `whole` full attack, for the mount's further movement.

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
    """Return the ordinary blows of an attack or full attack. Refuses those that cannot be made."""
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


# --- Attacks of rider and mount (srd35.mount.*, pf1.mount.attack)


def rider_attacks(fight: Fight, act: acts.Attack, attacking: Steps[None]) -> Steps[None]:
    """Make one attack from the saddle: in melee as on foot, however fast the mount went."""
    actor = fight.combatant(act.actor)
    weapon = find_weapon(fight, actor, act.weapon)
    target = fight.combatant(act.target)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    refuse_both_hands(fight, actor, [weapon])
    refuse_late_shot(fight, actor, int(not blow.melee))
    yield from attacking
    yield from record_rider_attacks(fight, actor, int(blow.melee), int(not blow.melee))


def rider_strikes(fight: Fight, act: acts.FullAttack, striking: Steps[None]) -> Steps[None]:
    """Make a full attack from the saddle: at range always, in melee if the mount has hardly moved.

    srd35.mount.single-attack-if-moved, srd35.mount.ranged-full-attack, pf1.mount.attack, pf1.mount.ranged.
    """
    actor = fight.combatant(act.actor)
    steed = fight.state.combatants[actor.mount]
    blows = planned_blows(fight, actor, act)
    shots = sum(not blow.melee for blow in blows)
    # A whirlwind attacks all around.
    melee = len(act.strikes) - shots + (2 if act.whirlwind else 0)
    topic = "mount.single-attack-if-moved"
    most = fight.figure(topic, "threshold_ft")
    if melee and melee + actor.spent.get(STRIKES, 0) > 1 and steed.spent.get("feet", 0) > most:
        raise Refusal(
            f"{steed.id} has moved more than {most} ft.: {actor.id} has time for one melee attack",
            fight.rule(topic),
        )
    refuse_both_hands(
        fight, actor, [blow.weapon for blow in blows], full_attack.second_weapon(fight, actor, act)
    )
    refuse_late_shot(fight, actor, shots)
    yield from striking
    if shots and steed.spent.get("feet"):
        rule = fight.rule("mount.ranged-full-attack")
        yield RuleApplied(who=actor.id, what=f"shoots in full although {steed.id} moves", cites=(rule,))
    yield from record_rider_attacks(fight, actor, melee, shots, whole=True)


def refuse_to_send(fight: Fight, act: acts.Attack | acts.FullAttack) -> None:
    """Refuse to send a mount into the fight if combat frightens it.

    srd35.mount.combat-trained, pf1.mount.control.
    """
    steed = fight.combatant(act.actor)
    if fight.dialect.mounted.frightened(fight, steed):
        raise Refusal(f"{steed.id} is not trained for combat", fight.rule("mount.combat-trained"))


def mount_attacks(fight: Fight, act: acts.Attack | acts.FullAttack, attacking: Steps[None]) -> Steps[None]:
    """Have a mount attack by a Ride check of its rider (srd35.skill.ride-table, pf1.skill.ride).

    Illegal attacks are refused before the check.
    """
    steed = fight.combatant(act.actor)
    rider = find_rider(fight, steed)
    assert rider is not None
    first = next(attacking)
    if (yield from direct_to_fight(fight, rider, steed)):
        yield from onward(attacking, first)


# --- Casting from the saddle (srd35.mount.cast-normal)


def from_the_saddle(fight: Fight, act: acts.Cast, casting: Steps[None]) -> Steps[None]:
    """Cast, from the saddle too: no check if the mount moves once, before or after it.

    srd35.mount.cast-normal
    """
    actor = fight.combatant(act.actor)
    return rider_casts(fight, act, actor, casting) if actor.mount else casting


def rider_casts(fight: Fight, act: acts.Cast, actor: Combatant, casting: Steps[None]) -> Steps[None]:
    """Cast while the mount is still: it has moved at most once, and does not move again after that."""
    steed = fight.state.combatants[actor.mount]
    rule = fight.rule("mount.cast-normal")
    if has_moved_far(steed):
        raise Refusal(f"{steed.id} has moved too far for an undisturbed casting", rule)
    moved = bool(steed.spent.get("feet"))
    yield from casting
    if fight.readied == actor.id:
        return
    when = CAST_LAST if moved else CAST_FIRST
    yield ActionSpent(who=actor.id, kind=when, what=f"cast {act.spell} from the saddle", cites=(rule,))
    if moved:
        yield RuleApplied(who=actor.id, what=f"no check to cast: {steed.id} stands again", cites=(rule,))


# --- Opportunities from a mount's movement: against the mount, and by the usual reading against its rider as
# well
# srd35.mount.speed, srd35.aoo.triggers, pf1.aoo.moving-provokes (option `rider_provokes`).


def open_rider_too(fight: Fight, steed: Combatant, enemies: Sequence[Combatant]) -> Steps[None]:
    """Let the enemies whose squares a mount leaves attack its rider, as a separate opportunity.

    An enemy with one attack of opportunity per round has one in all, against the mount or the rider (option
    `rider_provokes`).
    """
    rider = fight.state.combatants.get(steed.rider)
    if rider is None or is_down(fight, rider) or fight.option("rider_provokes") != "both":
        return
    opportunity = fight.dialect.opportunity.opportunity_name(fight, rider)
    left = [enemy for enemy in enemies if enemy.side != rider.side and opportunity not in enemy.opportunities]
    if left:
        reason = f"is carried out of a threatened square by {steed.id}"
        cites = fight.rules("aoo.triggers")
        yield from fight.dialect.opportunity.provoke(fight, rider, left, reason, opportunity, *cites)


# --- Shooting and casting during a mount's movement: at half of the path, or at a given square
# (srd35.mount.*)


def count_squares_to_half_way(fight: Fight, steed: Combatant, path: Sequence[Square]) -> int:
    """Return the number of squares after which a mount has done half of its movement."""
    whole = feet_of(fight, steed, path)
    return next(n for n in range(len(path) + 1) if 2 * feet_of(fight, steed, path[:n]) >= whole)


def feet_of(fight: Fight, steed: Combatant, path: Sequence[Square]) -> int:
    """Return the cost in feet of a mount's path from its square."""
    parity = steed.spent.get("diagonals", 0) % 2
    scaled = fight.dialect.movement.scaled_diagonals
    cost = path_cost(fight.field, (steed.at, *path), side=steed.space, parity=parity, scaled=scaled)
    return int(cost.squares) * SQUARE_FT


def ride_on(
    fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride, part: tuple[int, int], topic: str
) -> Steps[bool]:
    """Have the mount go on along its path; return whether it still carries its rider, and the rider is up.

    `part` gives the number of squares of the path before and after this stretch. `topic` is the rule by which
    a mount moves when it does not run. Without a rider to guide it, it goes no further.
    """
    done, upto = part
    if rider.mount != steed.id or is_down(fight, rider):
        return False
    how, why = ("run", "run.action") if act.pace == "run" else ("normal", topic)
    path = act.path[done:upto]
    if not (yield from fight.dialect.movement.walk(fight, steed, path, how, fight.rule(why))):
        return False
    return rider.mount == steed.id and not is_down(fight, rider)


# --- Shooting and casting during a mount's movement: at half of the path, or at a given square
# (srd35.mount.*)

ON_THE_WAY_TOPIC = "mount.speed"
Casting = Callable[[Fight, acts.Cast], Steps[None]]
#: The effect of the mount's pace on a casting rider, as conditions of the dialect.
MOTION = {"move": "on a moving mount", "double": "on a moving mount", "run": "on a running mount"}


class Shot(Struct, gc=False):
    """One shot from the saddle: its target, weapon, iterative penalty, and the square count at which it is
    made.
    """

    target: Combatant
    weapon: Weapon
    extra: list[Modifier]
    after: int


def ride_and_act_midway(fight: Fight, act: acts.Ride, casting: Casting) -> Steps[None]:
    """Ride on and act on the way: shots at half of the path, a spell after some squares.

    The mount spends a move, both its actions or a run; the rider the action of shooting or casting. `casting`
    is the resolver of a rider's spells.
    """
    actor = fight.combatant(act.actor)
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", fight.rule(ON_THE_WAY_TOPIC))
    refuse_gait(fight, actor, steed, act)
    refuse_unknown_names(fight, actor, act.then)
    if isinstance(act.then, acts.Cast):
        yield from cast_on_the_way(fight, actor, steed, act, casting)
    else:
        yield from shoot_on_the_way(fight, actor, steed, act, act.then)


def refuse_gait(fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride) -> None:
    """Refuse a path that the mount cannot go at that pace now."""
    refuse_unless_allowed(fight, steed, "full-round" if act.pace == "run" else "move")
    rule = fight.rule("run.action" if act.pace == "run" else ON_THE_WAY_TOPIC)
    if act.pace == "double":
        allowed = fight.dialect.turns.allowance(fight, steed)
        if steed.spent.get("standard", 0) + steed.spent.get("move", 0) or allowed.total < 2:
            raise Refusal(
                f"{steed.id} cannot move twice now",
                first_rule(fight, TWO_MOVES),
            )
    refuse_after_step(fight, steed)
    feet = speed(fight, steed)
    if act.pace == "double":
        feet *= 2
    elif act.pace == "run":
        refuse_rush(fight, steed)
        feet *= fight.dialect.movement.run_multiple(fight, steed)
    refuse_path(fight, steed, act.path, feet, rule)
    if act.pace == "run":
        refuse_crooked(steed, act.path, rule)
        fight.dialect.movement.refuse_rough(fight, steed, act.path, "run", rule)
    refuse_ride_on(fight, rider, steed, len(act.path), act.pace != "move")


def set_off(fight: Fight, steed: Combatant, pace: str) -> Steps[None]:
    """Spend the action of the mount's pace; a running mount loses its Dexterity bonus."""
    if pace == "run":
        rule = fight.rule("run.action")
        yield ActionSpent(who=steed.id, kind="full-round", what="run", cites=(rule,))
        if not has_feat(steed, "run"):
            yield fight.dialect.movement.running(fight, steed)
        return
    moves = 2 if pace == "double" else 1
    rules = fight.rules(ON_THE_WAY_TOPIC, "move-action.move")
    yield ActionSpent(who=steed.id, kind="move", what="move", amount=moves, cites=rules)


def shoot_on_the_way(
    fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride, then: acts.Attack | acts.FullAttack
) -> Steps[None]:
    """Shoot at half of the path: at -4 on a double move, -8 on a run, without penalty on a single move.

    Includes full attacks; option `mounted_full_attack_timing` may allow each of the shots anywhere along the
    path (srd35.mount.ranged-double-move, srd35.mount.ranged-run, .ranged-timing, .ranged-full-attack).
    """
    whole = isinstance(then, acts.FullAttack)
    kind = "full-round" if whole else "standard"
    refuse_unless_allowed(fight, rider, kind)
    shots = shots_of(fight, rider, steed, act, then)
    refuse_both_hands(fight, rider, [shot.weapon for shot in shots])
    blows = [Blow(rider, shot.target, shot.weapon, False, 0, Intent("ride")) for shot in shots]
    plan_throws(fight, rider, blows)
    pledged = fight.dialect.attacks.declared_feats(fight, rider, then, blows)
    topics = ("mount.ranged-full-attack", "attack-action.multiple") if whole else ("attack-action.ranged",)
    yield from set_off(fight, steed, act.pace)
    spread = " (mounted_full_attack_timing: spread)" if act.after else ""
    what = f"shoots on the way{spread}"
    yield ActionSpent(who=rider.id, kind=kind, what=what, cites=fight.rules(*topics))
    yield from pledged
    if isinstance(then, acts.FullAttack) and then.rapid_shot:
        until = Until("turn-start", rider.id, fight.state.round + 1)
        yield full_attack.rapid_shot(fight, rider, until)
    if then.defensively:
        yield from fight_defensively(fight, rider)
    gone = 0
    hindered = penalty_of_pace(fight, rider, act.pace)
    for number, shot in enumerate(shots, 1):
        if not (yield from ride_on(fight, rider, steed, act, (gone, shot.after), ON_THE_WAY_TOPIC)):
            return
        gone = shot.after
        fight.scope = f"{rider.id}#{number}" if whole else ""
        yield from shoot_once(fight, rider, shot, then, hindered, number)
        fight.scope = ""
    yield ActionSpent(
        who=rider.id,
        kind=SHOTS,
        what="on the way",
        amount=len(shots),
        cites=fight.rules("mount.ranged-timing"),
    )
    yield from lower_riders_shield(fight, rider)
    yield from ride_on(fight, rider, steed, act, (gone, len(act.path)), ON_THE_WAY_TOPIC)


def shoot_once(
    fight: Fight,
    combatant: Combatant,
    shot: Shot,
    then: acts.Attack | acts.FullAttack,
    hindered: list[Modifier],
    number: int,
) -> Steps[None]:
    """Deliver one shot from where the mount is now; one that has become impossible is lost."""
    if "dead" in shot.target.conditions:
        return
    yield from draw_between(fight, combatant, shot.weapon.name)
    try:
        refuse_lost_weapon(fight, combatant, shot.weapon)
        blow = fight.dialect.attacks.prepare(
            fight, combatant, shot.target, shot.weapon, "ride", thrown=True, nonlethal=then.nonlethal
        )
    except Refusal as lost:
        yield attack_is_lost(combatant, lost, "the shot")
        return
    blow.attack_extra += [*shot.extra, *hindered]
    blow.cites.append(fight.rule("mount.ranged-timing"))
    yield from fight.dialect.attacks.deliver(fight, blow, f"{fight.declaration}#{number}")


def penalty_of_pace(fight: Fight, combatant: Combatant, pace: str) -> list[Modifier]:
    """Return the penalty of the mount's pace on a shot; Mounted Archery halves it
    (srd35.feat.mounted-archery).
    """
    if pace == "move":
        return []
    source = "double move of the mount" if pace == "double" else "running mount"
    if has_feat(combatant, "mounted archery"):
        figure = "double_move" if pace == "double" else "run"
        source = f"{source}, Mounted Archery"
        return [fight.modifier("feat.mounted-archery", figure, kind="penalty", source=source)]
    topic = "mount.ranged-double-move" if pace == "double" else "mount.ranged-run"
    return [fight.modifier(topic, "ranged", kind="penalty", source=source)]


def shots_of(
    fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride, then: acts.Attack | acts.FullAttack
) -> list[Shot]:
    """Return the declared shots, in order, with their places on the path. Refuses anything that is no
    shot.
    """
    rule = fight.rule("mount.ranged-timing")
    extras: list[list[Modifier]] = [[]]
    strikes: Sequence[acts.Attack | acts.Strike] = (then,) if isinstance(then, acts.Attack) else then.strikes
    if isinstance(then, acts.FullAttack):
        extras = fight.dialect.attacks.attack_series(fight, rider, then)
    if not 1 <= len(strikes) <= len(extras):
        raise Refusal(f"{rider.id} has {counted(len(extras), 'shot')}, not {len(strikes)}", rule)
    half = count_squares_to_half_way(fight, steed, act.path)
    if act.after and fight.option("mounted_full_attack_timing") != "spread":
        raise Refusal(
            "shots from a moving mount are made at half of its path (mounted_full_attack_timing)", rule
        )
    places = [*act.after[: len(strikes)], *[half] * (len(strikes) - len(act.after))]
    if places != sorted(places) or not 0 <= places[0] <= places[-1] <= len(act.path):
        raise Refusal(f"`after` must name squares of the path in order, from 0 to {len(act.path)}", rule)
    found = []
    for one, extra, after in zip(strikes, extras, places, strict=False):
        weapon = find_weapon(fight, rider, one.weapon)
        if getattr(one, "special", "") or not (weapon.wield == "projectile" or weapon.thrown):
            raise Refusal(
                f"{rider.id} strikes in melee only where {steed.id} has arrived",
                fight.rule("mount.single-attack-if-moved"),
            )
        target = fight.combatant(one.target)
        # Attacks that are impossible everywhere on the path are refused before the mount sets off.
        refuse_no_opponent(fight, rider, target)
        refuse_empty(fight, rider, weapon)
        found.append(Shot(target, weapon, list(extra), after))
    return found


def cast_on_the_way(
    fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride, casting: Casting
) -> Steps[None]:
    """Cast with the mount in motion: a Concentration check, or the spell is lost.

    DC 10 + spell level while it moves before and after, 15 + spell level on a run, where the spell is cast
    within the first part of the path (srd35.mount.cast-moving, .cast-running).
    """
    then = act.then
    assert isinstance(then, acts.Cast)
    spell = known_spell(fight, rider, then.spell)
    refuse_unless_allowed(fight, rider, fight.dialect.magic.casting_action(fight, rider, spell)[0])
    refuse_unaimed(fight, spell, then)
    if not spell.area:
        fight.dialect.magic.refuse_casting(fight, rider, spell, then)
    running = act.pace == "run"
    topic = "mount.cast-running" if running else "mount.cast-moving"
    rule = fight.rule(topic)
    if len(act.after) != 1 or not 0 < act.after[0] < len(act.path):
        raise Refusal("`after` must say after how many squares of the path the spell is cast", rule)
    before = act.path[: act.after[0]]
    if running:
        most = speed(fight, steed) * fight.figure("mount.cast-running", "max_speed_multiple")
        if feet_of(fight, steed, before) > most:
            raise Refusal(f"on a run the spell must be cast within the first {most} ft.", rule)
    yield from set_off(fight, steed, act.pace)
    motion = MOTION[act.pace]
    if not (yield from ride_on(fight, rider, steed, act, (0, len(before)), ON_THE_WAY_TOPIC)):
        return
    yield ConditionGained(who=rider.id, condition=motion, source=steed.id, cites=(rule,))
    try:
        yield from casting(fight, replace(then, actor=rider.id))
    except Refusal as lost:
        yield RuleApplied(who=rider.id, what=f"{then.spell} is not cast: {lost.reason}", cites=(lost.rule,))
    if motion in rider.conditions:
        yield ConditionLost(who=rider.id, condition=motion, why="cast", cites=(rule,))
    yield ActionSpent(who=rider.id, kind=CAST_LAST, what=f"cast {then.spell} on the way", cites=(rule,))
    yield from ride_on(fight, rider, steed, act, (len(before), len(act.path)), ON_THE_WAY_TOPIC)
