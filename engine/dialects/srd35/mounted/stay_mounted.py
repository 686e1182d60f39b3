"""Staying in the saddle: what follows for the other when rider or mount is struck down (srd35.mount.*)."""

from functools import partial
from typing import Any

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.fight.memory import per_scene
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.damage.injury import state_of
from affray.engine.rules.maneuvers.opposed_checks import side_of, size_part
from affray.engine.rules.mounted.rider_and_mount import guides, mount_of, rider_of
from affray.engine.rules.mounted.riding import MILITARY_SADDLE, SLUMPED, come_off, ride_parts
from affray.engine.rules.mounted.stay_mounted import come_off_in_the_air, part_if_driven_off, stays_or_slumps
from affray.engine.rules.position.place import height_of
from affray.engine.steps import NOTHING, Choice, Roll, Steps, answered
from affray.events.facts.combat import ConditionGained, HitPointsChanged, Moved
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.projections.state import Combatant

KNOCKED_OUT = frozenset({"unconscious", "dying", "dead"})


def watch_seats(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Go through steps and add, right after each fact, what it does to the seat of a rider."""
    return (
        answered(steps, partial(what_fact_does_to_seat, fight))
        if fight.memory.company[is_anybody_mounted]
        else steps
    )


@per_scene(reads=("combatants", "mounts"))
def is_anybody_mounted(fight: Fight) -> bool:
    """Say whether anybody rides."""
    return any([one.mount for one in fight.state.combatants.values()])


def what_fact_does_to_seat(fight: Fight, step: Any) -> Steps[None]:
    """Return the steps that a fact brings about for the seat of a rider; None for nothing."""
    kind = type(step)
    if kind is ConditionGained:
        return on_condition(fight, step)
    if kind is HitPointsChanged and step.change < 0:
        return on_wound(fight, fight.state.combatants[step.who])
    if kind is Moved and fight.state.combatants[step.who].mount:
        return part_if_driven_off(fight, fight.state.combatants[step.who])
    return NOTHING


def on_condition(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Answer a condition: the mount falls, the rider is knocked out, or is brought to the ground."""
    combatant = fight.state.combatants[fact.who]
    down = fact.condition == "prone" or rule_of(fight, fact.condition).down
    if not down:
        return
    rider, steed = rider_of(fight, combatant), mount_of(fight, combatant)
    if rider is not None:
        yield from fall_with(fight, rider, combatant)
    elif steed is not None and fact.condition in KNOCKED_OUT and SLUMPED not in combatant.conditions:
        yield from keep_seat(fight, combatant, steed)
    elif steed is not None and fact.condition == "prone":
        pulled = fight.rule("srd35.trip.prone") in fact.cites
        cites = fight.rules("srd35.trip.mounted") if pulled else fact.cites
        yield from come_off_in_the_air(
            fight, combatant, steed, "is pulled" if pulled else "comes down", *cites
        )


def fall_with(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Let a rider whose mount falls come down with it, softly or hard (srd35.mount.falls)."""
    if is_down(fight, rider):
        if not (
            yield from come_off_in_the_air(fight, rider, steed, "falls", fight.rule("srd35.mount.falls"))
        ):
            yield from land_hard(fight, rider)
        return
    yield from fall_off_mount(fight, rider, steed, fight.rule("srd35.mount.falls"))


def fall_off_mount(fight: Fight, rider: Combatant, steed: Combatant, *cites: str) -> Steps[None]:
    """Come off the mount: a Ride check makes it a soft fall, on one's feet and without damage.

    Not in the air, where it is a long way down.
    """
    if height_of(rider):
        yield from come_off_in_the_air(fight, rider, steed, "falls", *cites)
        return
    rule = fight.rule("srd35.mount.falls")
    dc = fight.figure("srd35.mount.falls", "ride_dc")
    parts = ride_parts(fight, rider, steed, rule)
    soft = yield from check(fight, rider, "ride", parts, dc, rule, why="to fall softly")
    yield from come_off(fight, rider, steed, "falls softly" if soft else "falls", *cites)
    if not soft:
        yield from land_hard(fight, rider)


def land_hard(fight: Fight, rider: Combatant, topic: str = "srd35.mount.falls") -> Steps[None]:
    """Take the damage of a fall from the saddle, and lie where one fell."""
    rule = fight.rule(topic)
    if "dead" not in rider.conditions:
        rolled = yield Roll(rider.id, "fall", fight.figure(topic, "damage"))
        harm = Harm(rider, rolled.total, "", "the fall")
        harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
        harm.cites = (rule, *harm.reduced_by)
        yield from fight.dialect.damage.suffer(fight, harm)
    if "prone" not in rider.conditions:
        yield ConditionGained(who=rider.id, condition="prone", source="the fall", cites=(rule,))


def keep_seat(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Let a rider who is knocked out stay in the saddle or fall from it (srd35.mount.rider-unconscious)."""
    topic = "srd35.mount.rider-unconscious"
    rule = fight.rule(topic)
    military = has_trait(steed, MILITARY_SADDLE)
    percent = fight.figure(topic, "stay_percent_military_saddle" if military else "stay_percent")
    aloft = height_of(rider)
    if not (yield from stays_or_slumps(fight, rider, steed, percent, rule)) and not aloft:
        yield from land_hard(fight, rider, topic)


def on_wound(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a rider who is wounded and stays up keep its seat by a Ride check (srd35.skill.ride-table)."""
    steed = mount_of(fight, combatant)
    if (
        steed is None
        or not guides(fight, combatant)
        or state_of(fight, combatant)[0] in ("stable", *KNOCKED_OUT)
    ):
        return
    rule = fight.rule("srd35.skill.ride-table")
    dc = fight.figure("srd35.skill.ride-table", "saddle")
    parts = ride_parts(fight, combatant, steed, rule, staying=True)
    if not (yield from check(fight, combatant, "ride", parts, dc, rule, why="to stay in the saddle")):
        yield from fall_off_mount(fight, combatant, steed, rule)


def rider_footing(fight: Fight, combatant: Combatant, topic: str, whole: bool, usual: Side) -> Side:
    """Return the check of whoever is being tripped: a rider may oppose Ride, if that is better.

    Its own size counts, the many legs of its mount do not (srd35.trip.mounted).
    """
    steed = mount_of(fight, combatant)
    if steed is None:
        return usual
    rule = fight.rule("srd35.trip.mounted")
    parts = ride_parts(fight, combatant, steed, rule)
    ability = usual.parts[0].value
    if sum(part.value for part in parts) < ability:
        return usual
    parts += size_part(fight, combatant, topic)
    if whole:
        return side_of(fight, combatant, "ride", parts)
    return Side(combatant, parts)


def averted(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a rider with Mounted Combat undo a hit on the mount, once a round, by a Ride check.

    The check must beat the attack roll (srd35.feat.mounted-combat).
    """
    rider = rider_of(fight, blow.target)
    feat = "mounted combat"
    if rider is None or not has_feat(rider, feat) or not guides(fight, rider):
        return False
    rule = fight.rule("srd35.feat.mounted-combat")
    if rider.reactions.get(feat, 0) >= fight.figure("srd35.feat.mounted-combat", "per_round"):
        yield RuleApplied(who=rider.id, what="has averted a blow this round already", cites=(rule,))
        return False
    question = f"{blow.attacker.id} hits {blow.target.id}: does {rider.id} try to avert the blow?"
    if (yield Choice(rider.id, "avert", question, ("try", "decline"), rule)) != "try":
        return False
    yield ReactionSpent(who=rider.id, kind=feat, against=blow.attacker.id, opportunity="", cites=(rule,))
    parts = ride_parts(fight, rider, blow.target, rule)
    # To beat the attack roll is to reach one more.
    done = yield from check(
        fight, rider, "ride", parts, blow.outcome.total + 1, rule, why="against the attack roll"
    )
    if done:
        yield RuleApplied(who=rider.id, what=f"averts the blow from {blow.target.id}", cites=(rule,))
    return done
