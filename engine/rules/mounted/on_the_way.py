"""Shooting and casting on the way of a mount: at half of it, or where it is said (srd35.mount.*)."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks import full_attack
from affray.engine.rules.attacks.attack_action import fight_defensively
from affray.engine.rules.attacks.attack_modifiers import refuse_no_opponent
from affray.engine.rules.attacks.declared_blow import refuse_empty
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.thrown_weapons import draw_between, plan_throws
from affray.engine.rules.gear.weapons_in_hand import find_weapon, refuse_lost_weapon
from affray.engine.rules.magic.casting import known_spell
from affray.engine.rules.magic.targets_and_areas import refuse_unaimed
from affray.engine.rules.mounted.hands_and_reins import lower_riders_shield, refuse_both_hands
from affray.engine.rules.mounted.mounted_combat import CAST_LAST, SHOTS, refuse_ride_on
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.mounted.shots_from_the_saddle import feet_of, half_way, ride_on
from affray.engine.rules.movement.movement import (
    refuse_after_step,
    refuse_crooked,
    refuse_path,
    refuse_rush,
    speed,
)
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.rules.turns.named_in_acts import refuse_unknown_names
from affray.engine.rules.turns.subjects import TWO_MOVES, first_rule
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant

TOPIC = "mount.speed"
Casting = Callable[[Fight, acts.Cast], Steps[None]]
#: What motion does to a rider who casts in it, as conditions of the dialect.
MOTION = {"move": "on a moving mount", "double": "on a moving mount", "run": "on a running mount"}


class Shot(Struct, gc=False):
    """One shot from the saddle: at whom, with what, its iterative penalty, and after how many squares."""

    target: Combatant
    weapon: Weapon
    extra: list[Modifier]
    after: int


def act_on_the_way(fight: Fight, act: acts.Ride, casting: Casting) -> Steps[None]:
    """Ride on and act on the way: shots at half of it, a spell after some squares.

    The mount spends a move, both its actions or a run; the rider what shooting or casting takes. `casting`
    is how spells of one's own are cast.
    """
    actor = fight.combatant(act.actor)
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", fight.rule(TOPIC))
    refuse_gait(fight, actor, steed, act)
    refuse_unknown_names(fight, actor, act.then)
    if isinstance(act.then, acts.Cast):
        yield from cast_on_the_way(fight, actor, steed, act, casting)
    else:
        yield from shoot_on_the_way(fight, actor, steed, act, act.then)


def refuse_gait(fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride) -> None:
    """Refuse a way that the mount cannot go at that pace now."""
    refuse_unless_allowed(fight, steed, "full-round" if act.pace == "run" else "move")
    rule = fight.rule("run.action" if act.pace == "run" else TOPIC)
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
    """Spend what the mount's pace takes; a running mount lowers its guard."""
    if pace == "run":
        rule = fight.rule("run.action")
        yield ActionSpent(who=steed.id, kind="full-round", what="run", cites=(rule,))
        if not has_feat(steed, "run"):
            yield fight.dialect.movement.running(fight, steed)
        return
    moves = 2 if pace == "double" else 1
    rules = fight.rules(TOPIC, "move-action.move")
    yield ActionSpent(who=steed.id, kind="move", what="move", amount=moves, cites=rules)


def shoot_on_the_way(
    fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride, then: acts.Attack | acts.FullAttack
) -> Steps[None]:
    """Shoot at half the way: at -4 on a double move, -8 on a run, none on a single move.

    A full attack too; option `mounted_full_attack_timing` may let each of its shots fall anywhere along
    the way (srd35.mount.ranged-double-move, srd35.mount.ranged-run, .ranged-timing, .ranged-full-attack).
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
        if not (yield from ride_on(fight, rider, steed, act, (gone, shot.after), TOPIC)):
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
    yield from ride_on(fight, rider, steed, act, (gone, len(act.path)), TOPIC)


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
    """Return what the mount's pace does to a shot; Mounted Archery halves it (srd35.feat.mounted-archery)."""
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
    """Return the shots that are meant, in order, and where they fall. Refuses all that is no shot."""
    rule = fight.rule("mount.ranged-timing")
    extras: list[list[Modifier]] = [[]]
    strikes: Sequence[acts.Attack | acts.Strike] = (then,) if isinstance(then, acts.Attack) else then.strikes
    if isinstance(then, acts.FullAttack):
        extras = fight.dialect.attacks.attack_series(fight, rider, then)
    if not 1 <= len(strikes) <= len(extras):
        raise Refusal(f"{rider.id} has {counted(len(extras), 'shot')}, not {len(strikes)}", rule)
    half = half_way(fight, steed, act.path)
    if act.after and fight.option("mounted_full_attack_timing") != "spread":
        raise Refusal("shots from a moving mount fall at half its way (mounted_full_attack_timing)", rule)
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
        # What no way of the mount makes possible is refused before it sets off.
        refuse_no_opponent(fight, rider, target)
        refuse_empty(fight, rider, weapon)
        found.append(Shot(target, weapon, list(extra), after))
    return found


def cast_on_the_way(
    fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride, casting: Casting
) -> Steps[None]:
    """Cast with the mount in motion: a Concentration check, or the spell is lost.

    DC 10 + spell level while it moves before and after, 15 + spell level on a run, where the spell comes
    within the first part of the way (srd35.mount.cast-moving, .cast-running).
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
            raise Refusal(f"on a run the spell comes within the first {most} ft.", rule)
    yield from set_off(fight, steed, act.pace)
    motion = MOTION[act.pace]
    if not (yield from ride_on(fight, rider, steed, act, (0, len(before)), TOPIC)):
        return
    yield ConditionGained(who=rider.id, condition=motion, source=steed.id, cites=(rule,))
    try:
        yield from casting(fight, replace(then, actor=rider.id))
    except Refusal as lost:
        yield RuleApplied(who=rider.id, what=f"{then.spell} is not cast: {lost.reason}", cites=(lost.rule,))
    if motion in rider.conditions:
        yield ConditionLost(who=rider.id, condition=motion, why="cast", cites=(rule,))
    yield ActionSpent(who=rider.id, kind=CAST_LAST, what=f"cast {then.spell} on the way", cites=(rule,))
    yield from ride_on(fight, rider, steed, act, (len(before), len(act.path)), TOPIC)
