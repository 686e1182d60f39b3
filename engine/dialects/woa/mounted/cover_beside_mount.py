"""Dropping beside the mount for cover (woa.mount.combat.use-as-cover)."""

from affray.engine.dialects.woa.mounted.mount_control import ride_parts
from affray.engine.dialects.woa.mounted.mount_movement import STRUCK
from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left
from affray.engine.dialects.woa.table_cells import table_modifier
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.mounted.rider_and_mount import guides
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ReactionSpent
from affray.projections.state import Combatant

BESIDE = "beside the mount"


def take_cover(fight: Fight, blow: Blow) -> Steps[None]:
    """Offer a rider to drop beside its mount for half cover, as an immediate action and by a Ride check.

    One check holds for all who attack on one initiative count from one side; not for who attacks, casts or
    charges (woa.mount.combat.use-as-cover, .use-as-cover-limits).
    """
    rider, topic = blow.target, "woa.mount.combat.use-as-cover"
    busy = rider.spent.get(STRUCK) or any(name in rider.conditions for name in ("casting", "riding a charge"))
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
        question = f"{blow.attacker.id} attacks {rider.id}: does it drop beside {rider.mount} for cover?"
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
            fight, "woa.cover.table", f"degree={degree}", "ac", kind="cover", source=source
        )
        blow.cites.append(rule)


def mount_in_way(fight: Fight, blow: Blow) -> Combatant | None:
    """Return the mount beside which the target hangs, if that covers it from this blow."""
    held = blow.target.conditions.get(BESIDE)
    if held is None or not held.level or held.source != side_of(blow):
        return None
    return fight.state.combatants.get(blow.target.mount)


def side_of(blow: Blow) -> str:
    """Return the initiative count and the side from which an attack comes."""
    (x, y), (a, b) = blow.target.at, blow.attacker.at
    way = ((a > x) - (a < x), (b > y) - (b < y))
    return f"{blow.attacker.initiative}, from {way[0]},{way[1]}"
