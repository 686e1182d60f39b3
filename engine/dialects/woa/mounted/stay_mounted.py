"""Keeping one's seat: when rider or mount is attacked, hurt or down (woa.mount.*)."""

from affray.engine.dialects.woa.mounted.mount_control import UNRULY, ride_parts
from affray.engine.dialects.woa.mounted.mounted_modifiers import has_stirrups, is_trained
from affray.engine.dialects.woa.movement.fall import strike_ground
from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.mounted.rider_and_mount import guides, mount_of, rider_of
from affray.engine.rules.mounted.riding import SLUMPED, come_off
from affray.engine.rules.mounted.stay_mounted import stays_or_slumps
from affray.engine.steps import Choice, Roll, Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.projections.state import Combatant


def fall_from_saddle(fight: Fight, rider: Combatant, steed: Combatant, how: str, *cites: str) -> Steps[None]:
    """Come off the mount and lie beside it. No rule gives that a damage of its own."""
    yield from come_off(fight, rider, steed, how, *cites)
    if "prone" not in rider.conditions:
        yield ConditionGained(who=rider.id, condition="prone", source="the fall", cites=cites)


def keeps_seat(fight: Fight, rider: Combatant, steed: Combatant, dc: int, rule: str, why: str) -> Steps[None]:
    """Keep the seat by a Ride check, or fall off."""
    parts = ride_parts(fight, rider, rule)
    if not (yield from check(fight, rider, "ride", parts, dc, rule, why=why)):
        yield from fall_from_saddle(fight, rider, steed, "is unseated", rule)


def check_attacked_rider(fight: Fight, rider: Combatant, lost: int) -> Steps[None]:
    """Let a rider without stirrups who was attacked keep its seat (woa.mount.combat.saddle-required)."""
    steed = mount_of(fight, rider)
    if steed is None or has_stirrups(steed) or not guides(fight, rider):
        return
    topic = "mount.combat.saddle-required"
    dc = fight.figure(topic, "stay_dc") + max(0, lost)
    yield from keeps_seat(fight, rider, steed, dc, fight.rule(topic), "attacked without stirrups")


def mount_hurt(fight: Fight, steed: Combatant) -> Steps[None]:
    """Let a mount that is not trained for war rear when it is hurt, and be the harder to control.

    woa.mount.attacked.untrained.
    """
    rider = rider_of(fight, steed)
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
    """Let a mount trained for war rear at something strange, as the game master says.

    woa.mount.attacked.war-trained; another one does as when it is hurt.
    """
    steed = fight.state.combatants[rider.mount]
    topic = "woa.mount.attacked.war-trained" if is_trained(steed) else "woa.mount.attacked.untrained"
    dc = fight.figure(topic, "stay_in_saddle_dc")
    yield from keeps_seat(fight, rider, steed, dc, fight.rule(topic), f"{steed.id} rears at {source}")


def on_condition(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Answer a condition: the mount falls, the rider is knocked out, or comes to the ground."""
    combatant = fight.state.combatants[fact.who]
    if fact.condition != "prone" and not rule_of(fight, fact.condition).down:
        return
    rider, steed = rider_of(fight, combatant), mount_of(fight, combatant)
    if rider is not None:
        yield from fall_with(fight, rider, combatant)
    elif steed is not None and fact.condition == "prone":
        yield from come_off(fight, combatant, steed, "comes down", *fact.cites)
    elif steed is not None and SLUMPED not in combatant.conditions:
        yield from keep_seat_unconscious(fight, combatant, steed)


def fall_with(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Come down with a mount that falls, softly by a Ride check or hard (woa.mount.falls)."""
    topic = "woa.mount.falls"
    rule = fight.rule(topic)
    soft = False
    if not is_down(fight, rider):
        dc = fight.figure(topic, "dc")
        parts = ride_parts(fight, rider, rule)
        soft = yield from check(fight, rider, "ride", parts, dc, rule, why="to fall softly")
    yield from come_off(fight, rider, steed, "falls softly" if soft else "falls", rule)
    if not soft:
        yield from land_hard(fight, rider, fight.figure(topic, "damage_on_failure"), rule)


def land_hard(fight: Fight, rider: Combatant, dice: str, rule: str) -> Steps[None]:
    """Take the damage of a fall from the saddle, and lie where one fell."""
    if "dead" not in rider.conditions:
        rolled = yield Roll(rider.id, "fall", dice)
        yield from strike_ground(fight, Harm(rider, rolled.total, "", "the fall", cites=(rule,)))
    if "prone" not in rider.conditions:
        yield ConditionGained(who=rider.id, condition="prone", source="the fall", cites=(rule,))


def keep_seat_unconscious(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Let a rider who is knocked out stay in the saddle or fall from it (woa.mount.rider-unconscious)."""
    topic = "woa.mount.rider-unconscious"
    rule = fight.rule(topic)
    row = "saddle=military" if has_stirrups(steed) else "saddle=ordinary or none"
    percent = fight.figure(topic, row, "stay_percent")
    if not (yield from stays_or_slumps(fight, rider, steed, percent, rule)):
        yield from land_hard(fight, rider, str(fight.figure(topic, 2, "on_fall")).split()[0], rule)


def averted(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a rider with Mounted Combat turn a hit on the mount aside: Ride against the attack roll.

    It is a combat reaction (woa.mount.mounted-combat-feat).
    """
    rider = rider_of(fight, blow.target)
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
