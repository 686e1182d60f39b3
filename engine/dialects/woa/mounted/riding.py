"""Implement riding: getting into the saddle and out of it, and guiding the mount (woa.mount.*).

Rider and mount are two combatants in one place. A guided mount neither declares nor rolls initiative: it
moves, with its own action, as its rider directs in the rider's turn. Traits of a mount: "war-trained",
"military saddle"; a riding saddle is assumed.
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.mounted.mounted_modifiers import (
    BESET,
    BOLTING,
    IN_HAND,
    KNEES,
    ONE_HAND,
    TRIED,
    UNRULY,
    has_stirrups,
    is_trained,
    ride_parts,
)
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.movement.flight import strike_ground
from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left, swift_cost
from affray.engine.dialects.woa.turns.swift_actions import refuse_swift
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.durations import expire
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.mounted.riding import (
    SLUMPED,
    find_landings,
    find_rider,
    guides,
    is_guided,
    mount_of,
    refuse_steed,
    seated_fact,
    separate_from_mount,
    share_turn,
)
from affray.engine.rules.mounted.stay_mounted import stays_or_slumps
from affray.engine.rules.movement.movement import flight_path
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, MountDirected, Until
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.projections.state import Combatant

#: Acts that a mount without a guide never takes by itself.
FIGHTING = (acts.Attack, acts.FullAttack, acts.Charge, acts.Overrun, acts.Trip, acts.Push)


def topic_of_steed(fight: Fight, steed: Combatant) -> str:
    """Return the topic of the rule on a steed: one of the usual kinds, or another.

    woa.mount.eligible-steeds, woa.mount.combat.other-steeds
    """
    name = steed.sheet.name.casefold()
    usual = any(name.endswith(one) for one in fight.figure("woa.mount.eligible-steeds"))
    return "woa.mount.eligible-steeds" if usual else "woa.mount.combat.other-steeds"


def take_saddle(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a newcomer into the saddle of its mount."""
    steed = fight.combatant(act.riding)
    yield seated_fact(fight, fight.state.combatants[act.id], steed, fight.rule(topic_of_steed(fight, steed)))


def mount(fight: Fight, act: acts.Mount) -> Steps[None]:
    """Get into the saddle: a move action, or a swift one by a Ride check (woa.mount.mount-dismount)."""
    return fast_mount(fight, act) if act.fast else climb_up(fight, act)


def climb_up(fight: Fight, act: acts.Mount) -> Steps[None]:
    """Get into the saddle as a move action."""
    actor, steed = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("woa.mount.mount-dismount")
    refuse_unless_allowed(fight, actor, "move")
    refuse_mount(fight, actor, steed)
    yield spending(fight, actor, "move", "mount", rule)
    yield from take_seat(fight, actor, steed)


def fast_mount(fight: Fight, act: acts.Mount) -> Steps[None]:
    """Try to get into the saddle as a swift action."""
    actor, steed = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_mount(fight, actor, steed)
    if (yield from is_swift_mounting(fight, actor, "mount")):
        yield from take_seat(fight, actor, steed)


def refuse_mount(fight: Fight, rider: Combatant, steed: Combatant) -> None:
    """Refuse a steed that cannot carry the rider: wrong size, out of reach, or not free."""
    rule = fight.rule("woa.mount.mount-dismount")
    movement.refuse_lying(fight, rider)
    refuse_steed(fight, rider, steed, rule)


def take_seat(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Seat the rider; from now on the mount acts in its rider's turn (woa.mount.shared-initiative)."""
    yield seated_fact(
        fight, rider, steed, *fight.rules("woa.mount.mount-dismount", topic_of_steed(fight, steed))
    )
    yield from share_turn(fight, rider, steed)


def is_swift_mounting(fight: Fight, combatant: Combatant, what: str) -> Steps[bool]:
    """Check whether mounting or dismounting is a swift action; once a round (woa.mount.mount-dismount)."""
    topic = "woa.mount.mount-dismount"
    rule = fight.rule(topic)
    check_turn(fight, combatant)
    if combatant.spent.get(TRIED):
        raise Refusal(f"{combatant.id} has tried to {what} fast this round", rule)
    refuse_swift(fight, combatant, "swift")
    dc = fight.figure(topic, "swift_action_dc")
    done = yield from check(
        fight, combatant, "ride", ride_parts(fight, combatant, rule), dc, rule, why=f"to {what} fast"
    )
    yield ActionSpent(who=combatant.id, kind=TRIED, what=f"{what} fast", cites=(rule,))
    if done:
        yield ActionSpent(who=combatant.id, kind="swift", what=what, cites=(rule,))
        yield swift_cost(
            fight, combatant, *fight.rules("woa.action-type.swift-cost", "woa.reaction.swift-immediate-cost")
        )
    else:
        yield RuleApplied(who=combatant.id, what=f"needs a move action to {what}", cites=(rule,))
    return done


def dismount(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Get out of the saddle: a move action, or a swift one by a Ride check."""
    return fast_dismount(fight, act) if act.fast else climb_down(fight, act)


def climb_down(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Get out of the saddle as a move action."""
    actor = fight.combatant(act.actor)
    steed = refuse_dismount(fight, actor, act)
    rule = fight.rule("woa.mount.mount-dismount")
    yield spending(fight, actor, "move", "dismount", rule)
    yield from separate_from_mount(fight, actor, steed, "climbs down", rule, to=act.to)


def fast_dismount(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Try to get out of the saddle as a swift action."""
    actor = fight.combatant(act.actor)
    steed = refuse_dismount(fight, actor, act)
    if (yield from is_swift_mounting(fight, actor, "dismount")):
        cites = fight.rules("woa.mount.mount-dismount")
        yield from separate_from_mount(fight, actor, steed, "climbs down", *cites, to=act.to)


def refuse_dismount(fight: Fight, actor: Combatant, act: acts.Dismount) -> Combatant:
    """Return the mount that a rider gets off.

    Refuse a combatant that does not ride, and an occupied square.
    """
    rule = fight.rule("woa.mount.mount-dismount")
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", rule)
    if act.to not in find_landings(fight, actor, steed):
        raise Refusal(f"{act.to[0]},{act.to[1]} is not a free place next to {steed.id}", rule)
    return steed


def guide(fight: Fight, act: acts.Guide) -> Steps[None]:
    """Guide a mount: keep control of an untrained one, or free both hands."""
    actor = fight.combatant(act.actor)
    if not actor.mount:
        raise Refusal(f"{actor.id} does not ride", fight.rule("woa.mount.shared-initiative"))
    if act.what == "control":
        return control(fight, act)
    if act.what == "knees":
        return guide_with_knees(fight, actor)
    raise unknown_word(
        "way to guide a mount", act.what, ("control", "knees"), fight.rule("woa.mount.shared-initiative")
    )


def control(fight: Fight, act: acts.Guide) -> Steps[None]:
    """Control a mount that is not trained for war, for this round: a move action and a Ride check.

    A failure may be tried again (woa.mount.control.untrained); a hurt mount is harder to control
    (woa.mount.attacked.untrained).
    """
    actor = fight.combatant(act.actor)
    steed = fight.state.combatants[actor.mount]
    topic = "woa.mount.control.untrained"
    rule = fight.rule(topic)
    if is_trained(steed):
        raise Refusal(f"{steed.id} needs no control", fight.rule("woa.mount.control.war-training"))
    if IN_HAND in steed.conditions:
        raise Refusal(f"{actor.id} has control of {steed.id} this round", rule)
    yield spending(fight, actor, "move", f"controls {steed.id}", rule)
    dc, cites = fight.figure(topic, "dc"), [rule, fight.rule("woa.mount.control.war-training")]
    if UNRULY in steed.conditions:
        dc += steed.conditions[UNRULY].level
        cites.append(fight.rule("woa.mount.attacked.untrained"))
    parts = ride_parts(fight, actor, rule)
    done = yield from check(fight, actor, "ride", parts, dc, *cites, why=f"to control {steed.id}")
    if UNRULY in steed.conditions:
        yield ConditionLost(who=steed.id, condition=UNRULY, why="counted", cites=tuple(cites[2:]))
    if done:
        until = Until("round-end", "", fight.state.round)
        yield ConditionGained(who=steed.id, condition=IN_HAND, source=actor.id, until=until, cites=(rule,))


def guide_with_knees(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Guide the mount with the knees, which frees both hands this round (woa.mount.guide-with-knees)."""
    check_turn(fight, combatant)
    topic = "woa.mount.guide-with-knees"
    rule = fight.rule(topic)
    if combatant.spent.get(KNEES) or combatant.spent.get(ONE_HAND):
        raise Refusal(f"{combatant.id} has tried to guide with the knees this round", rule)
    parts, dc = ride_parts(fight, combatant, rule), fight.figure(topic, "dc")
    done = yield from check(fight, combatant, "ride", parts, dc, rule, why="to guide with the knees")
    kind = KNEES if done else ONE_HAND
    yield ActionSpent(who=combatant.id, kind=kind, what="guides with the knees", cites=(rule,))


def refuse_unguided(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse a mount without a guide everything except staying, fleeing and, if trained for war, striking
    back.

    woa.mount.unguided-behavior
    """
    if not (actor.riderless or actor.rider) or is_guided(fight, actor):
        return
    rule = fight.rule("woa.mount.unguided-behavior")
    if isinstance(act, FIGHTING):
        target = getattr(act, "target", "") or next((one.target for one in getattr(act, "strikes", ())), "")
        beset = actor.conditions.get(BESET)
        if not is_trained(actor) or beset is None or beset.source != target:
            raise Refusal(f"{actor.id} has no guide: it only strikes back at its attackers", rule)
    elif isinstance(act, acts.Move | acts.Run) and act.path:
        for enemy in fight.enemies(actor):
            there = replace(actor, at=act.path[-1])
            if not is_down(fight, enemy) and distance(there, enemy) < distance(actor, enemy):
                raise Refusal(f"{actor.id} has no guide: it stays put or flees from {enemy.id}", rule)


def remember_attacker(fight: Fight, steed: Combatant, attacker: Combatant) -> Steps[None]:
    """Record the attacker of a mount without a guide, if the mount is trained to strike back."""
    if is_guided(fight, steed) or not (steed.riderless or steed.rider) or not is_trained(steed):
        return
    rule = fight.rule("woa.mount.unguided-behavior")
    yield ConditionGained(who=steed.id, condition=BESET, source=attacker.id, cites=(rule,))


def direct_mount(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a mount act in its rider's turn; one out of control flees instead.

    woa.mount.shared-initiative, woa.mount.control.untrained
    """
    if not guides(fight, combatant):
        return
    steed = fight.state.combatants[combatant.mount]
    cites = fight.rules("woa.mount.shared-initiative")
    yield MountDirected(who=combatant.id, mount=steed.id, renewed=False, cites=cites)
    yield from expire(fight, steed, "turn-start")
    if BOLTING in steed.conditions:
        yield from flee(fight, steed)


def flee(fight: Fight, steed: Combatant) -> Steps[None]:
    """Make a mount flee from the nearest enemy with all the movement it has."""
    rule = fight.rule("woa.mount.control.untrained")
    allowed = fight.dialect.turns.allowance(fight, steed)
    if not allowed.move:
        return
    cites = (rule,) if allowed.full else (rule, fight.rule(allowed.topic))
    yield ActionSpent(who=steed.id, kind="full-round" if allowed.full else "move", what="flees", cites=cites)
    for _ in range(2 if allowed.full else 1):
        enemies = [one for one in fight.enemies(steed) if not is_down(fight, one)]
        danger = min(enemies, key=lambda one: (distance(steed, one), one.id), default=None)
        path = flight_path(fight, steed, danger) if danger is not None else ()
        if not path or not (yield from fight.dialect.movement.walk(fight, steed, path, "normal", rule)):
            return


def end_round_of_mounts(fight: Fight) -> Steps[None]:
    """At the end of a round, mark frightened mounts that no rider controlled: they flee in the next round.

    Also end what should last until a mount's turn although it had no turn (woa.mount.shared-initiative).
    """
    for steed in list(fight.state.combatants.values()):
        if steed.rider or steed.riderless:
            for moment in ("turn-start", "turn-end"):
                yield from expire(fight, steed, moment)
        rider = find_rider(fight, steed)
        if rider is None or is_trained(steed) or IN_HAND in steed.conditions or is_down(fight, steed):
            continue
        if guides(fight, rider):
            until = Until("round-end", "", fight.state.round + 1)
            cites = fight.rules("woa.mount.control.untrained", "woa.mount.control.war-training")
            yield ConditionGained(who=steed.id, condition=BOLTING, source="fright", until=until, cites=cites)


# --- Keeping one's seat: when rider or mount is attacked, hurt or down (woa.mount.*)


def fall_from_saddle(fight: Fight, rider: Combatant, steed: Combatant, how: str, *cites: str) -> Steps[None]:
    """Fall off the mount and lie next to it. The rules give this no damage."""
    yield from separate_from_mount(fight, rider, steed, how, *cites)
    if "prone" not in rider.conditions:
        yield ConditionGained(who=rider.id, condition="prone", source="the fall", cites=cites)


def keeps_seat(fight: Fight, rider: Combatant, steed: Combatant, dc: int, rule: str, why: str) -> Steps[None]:
    """Keep the seat by a Ride check, or fall off."""
    parts = ride_parts(fight, rider, rule)
    if not (yield from check(fight, rider, "ride", parts, dc, rule, why=why)):
        yield from fall_from_saddle(fight, rider, steed, "is unseated", rule)


def check_attacked_rider(fight: Fight, rider: Combatant, lost: int) -> Steps[None]:
    """Make an attacked rider without stirrups check to keep its seat (woa.mount.combat.saddle-required)."""
    steed = mount_of(fight, rider)
    if steed is None or has_stirrups(steed) or not guides(fight, rider):
        return
    topic = "mount.combat.saddle-required"
    dc = fight.figure(topic, "stay_dc") + max(0, lost)
    yield from keeps_seat(fight, rider, steed, dc, fight.rule(topic), "attacked without stirrups")


def rear_when_hurt(fight: Fight, steed: Combatant) -> Steps[None]:
    """Make a hurt mount that is not trained for war rear; it is harder to control afterwards.

    woa.mount.attacked.untrained
    """
    rider = find_rider(fight, steed)
    if rider is None or is_down(fight, steed) or not guides(fight, rider):
        return
    if is_trained(steed):
        return
    topic = "woa.mount.attacked.untrained"
    rule = fight.rule(topic)
    more = fight.figure(topic, "next_control_dc_increase")
    before = steed.conditions[UNRULY].level if UNRULY in steed.conditions else 0
    yield ConditionGained(who=steed.id, condition=UNRULY, source="hurt", level=before + more, cites=(rule,))
    dc = fight.figure(topic, "stay_in_saddle_dc")
    yield from keeps_seat(fight, rider, steed, dc, rule, f"{steed.id} rears")


def rear_at_strange(fight: Fight, rider: Combatant, source: str) -> Steps[None]:
    """Make a mount trained for war rear at something strange, as the game master declares.

    woa.mount.attacked.war-trained; other mounts react as when they are hurt.
    """
    steed = fight.state.combatants[rider.mount]
    topic = "woa.mount.attacked.war-trained" if is_trained(steed) else "woa.mount.attacked.untrained"
    dc = fight.figure(topic, "stay_in_saddle_dc")
    yield from keeps_seat(fight, rider, steed, dc, fight.rule(topic), f"{steed.id} rears at {source}")


def on_condition(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Resolve a condition's effects on riding: the mount falls, the rider is knocked out, or falls prone."""
    combatant = fight.state.combatants[fact.who]
    if fact.condition != "prone" and not rule_of(fight, fact.condition).down:
        return
    rider, steed = find_rider(fight, combatant), mount_of(fight, combatant)
    if rider is not None:
        yield from fall_with(fight, rider, combatant)
    elif steed is not None and fact.condition == "prone":
        yield from separate_from_mount(fight, combatant, steed, "comes down", *fact.cites)
    elif steed is not None and SLUMPED not in combatant.conditions:
        yield from keep_seat_unconscious(fight, combatant, steed)


def fall_with(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Fall with a mount, softly by a Ride check, otherwise hard (woa.mount.falls)."""
    topic = "woa.mount.falls"
    rule = fight.rule(topic)
    soft = False
    if not is_down(fight, rider):
        dc = fight.figure(topic, "dc")
        parts = ride_parts(fight, rider, rule)
        soft = yield from check(fight, rider, "ride", parts, dc, rule, why="to fall softly")
    yield from separate_from_mount(fight, rider, steed, "falls softly" if soft else "falls", rule)
    if not soft:
        yield from land_hard(fight, rider, fight.figure(topic, "damage_on_failure"), rule)


def land_hard(fight: Fight, rider: Combatant, dice: str, rule: str) -> Steps[None]:
    """Take the damage of a fall from the saddle, and fall prone."""
    if "dead" not in rider.conditions:
        rolled = yield Roll(rider.id, "fall", dice)
        yield from strike_ground(fight, Harm(rider, rolled.total, "", "the fall", cites=(rule,)))
    if "prone" not in rider.conditions:
        yield ConditionGained(who=rider.id, condition="prone", source="the fall", cites=(rule,))


def keep_seat_unconscious(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Roll whether a rider that is knocked out stays in the saddle or falls (woa.mount.rider-unconscious)."""
    topic = "woa.mount.rider-unconscious"
    rule = fight.rule(topic)
    row = "saddle=military" if has_stirrups(steed) else "saddle=ordinary or none"
    percent = fight.figure(topic, row, "stay_percent")
    if not (yield from stays_or_slumps(fight, rider, steed, percent, rule)):
        yield from land_hard(fight, rider, str(fight.figure(topic, 2, "on_fall")).split()[0], rule)


def averted(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a rider with Mounted Combat avert a hit on the mount: Ride against the attack roll.

    It is a combat reaction (woa.mount.mounted-combat-feat).
    """
    rider = find_rider(fight, blow.target)
    if rider is None or not has_feat(rider, "mounted combat") or not has_reaction_left(fight, rider, "ride"):
        return False
    rule = fight.rule("woa.mount.mounted-combat-feat")
    named = fight.rule("woa.mount.combat.feats")
    question = f"{blow.attacker.id} hits {blow.target.id}: does {rider.id} try to avert the blow?"
    if (yield Choice(rider.id, "avert", question, ("try", "decline"), rule)) != "try":
        return False
    yield ReactionSpent(
        who=rider.id,
        kind="ride",
        against=blow.attacker.id,
        opportunity="",
        cites=(rule, named, fight.rule("woa.reaction.count-by-bab")),
    )
    parts = ride_parts(fight, rider, rule)
    done = yield from check(
        fight, rider, "ride", parts, blow.outcome.total, rule, why="against the attack roll"
    )
    if done:
        yield RuleApplied(who=rider.id, what=f"averts the blow from {blow.target.id}", cites=(rule,))
    return done
