"""One opponent in the way of an overrun: it steps aside, is run down, or holds (woa.maneuver.overrun.*)."""

from functools import partial

from msgspec import Struct, field

from affray.engine.dialects.woa.maneuvers.maneuver_check import (
    RUN_DOWN,
    attempt_maneuver,
    maneuver_blow,
    provoke_by_failure,
)
from affray.engine.dialects.woa.maneuvers.stability import cannot_fall, stability
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import (
    provoke_by_movement,
    strikes_at_entry,
    who_may_strike,
)
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.line import can_be_put
from affray.engine.rules.attacks.weapon_blow import build_blow, strike_and_settle
from affray.engine.rules.classes.ability_modifiers import has_feat, size_step
from affray.engine.rules.gear.held_weapons import natural_weapons
from affray.engine.rules.movement.displaced import stepped
from affray.engine.rules.movement.movement import halted, tell_halt
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

SEVERAL = "woa.maneuver.overrun.multiple-opponents"
ENTERING = "aoo.provoke.entering-space"


class Way(Struct, gc=False):
    """An overrun under way: who moves, who decides (a rider for its mount), and how.

    `penalties` are for those overrun already, whose ids are `behind`; `checks` counts the checks made,
    `ends_inside` says that a lost one has ended the way in an opponent's space.
    """

    who: Combatant
    leader: Combatant
    path: tuple[Square, ...]
    charging: bool = False
    penalties: list[Modifier] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    checks: int = 0
    ends_inside: bool = False


def go_over(fight: Fight, way: Way, target: Combatant, into: Square) -> Steps[bool]:
    """Settle what becomes of an opponent whose space is entered next; return whether the way is free.

    Whoever makes way costs nothing; a success leaves it prone, a failure lets it strike and ends the way
    in its space (woa.maneuver.overrun.target-may-avoid, .success, .failure).
    """
    attacker = way.who
    spared = strikes_at_entry(target, attacker)
    if (yield from steps_aside(fight, way, target)):
        cites = fight.rules("woa.maneuver.overrun.target-may-avoid", *(free_entry() if spared else ()))
        yield RuleApplied(who=target.id, what=f"lets {attacker.id} by", cites=cites)
        return True
    way.checks += 1
    blow = maneuver_blow(fight, attacker, target, "overrun", weapon=bearing_down(fight, way), kind=RUN_DOWN)
    blow.attack_extra += way.penalties
    topics = ["woa.maneuver.overrun.attack-bonus"]
    if attacker is not way.leader:
        topics = ["woa.maneuver.overrun.mounted"]
        if fight.option("mounted_overrun_bonus") == "unarmed":
            topics.append("woa.maneuver.overrun.attack-bonus")
    if way.charging:
        topic = "woa.maneuver.overrun.charge"
        blow.attack_extra.append(fight.modifier(topic, "check", kind="circumstance", source="charging"))
    blow.defense_extra += stability(fight, target, "woa.maneuver.overrun.stability-bonus")
    here = attacker.at
    again = partial(refuse_if_gone, fight, attacker, target, into)
    result = yield from attempt_maneuver(fight, blow, *topics, again=again)
    if result is None:
        if is_in_way(fight, attacker, target, into) or halted(fight, attacker, here):
            return False
        way.checks -= 1  # who has got out of the way by itself has let the mover by
        return True
    if not result.won:
        yield from provoke_by_failure(fight, blow, "woa.maneuver.overrun.failure")
        if halted(fight, attacker, here):
            yield from tell_halt(fight, attacker, "overrun")
        else:
            yield stepped(way.who, into, "overrun", fight.rule("woa.maneuver.overrun.failure"))
            way.ends_inside = True
        return False
    if spared:
        what = f"gives {target.id} no opening by entering its space"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules(*free_entry()))
    yield from knock_down(fight, way, target)
    yield from fight.dialect.attacks.after_maneuver(fight, blow)
    way.behind.append(target.id)
    way.penalties.append(penalty_for_overrun(fight, attacker, target))
    return True


def is_in_way(fight: Fight, attacker: Combatant, target: Combatant, into: Square) -> bool:
    """Say whether a target takes up squares that the attacker would take up at `into`."""
    return target in occupants(fight, attacker, into)


def refuse_if_gone(fight: Fight, attacker: Combatant, target: Combatant, into: Square) -> None:
    """Refuse to run down who does not stand in the way any more."""
    if not is_in_way(fight, attacker, target, into):
        rule = fight.rule("woa.maneuver.overrun.target-may-avoid")
        raise Refusal(f"{target.id} has got out of the way", rule)


def free_entry() -> tuple[str, ...]:
    """Return the topics by which an overrun does not provoke by entering a space."""
    return ("woa.maneuver.overrun.no-entry-aoo", "woa.aoo.avoid.overrun")


def steps_aside(fight: Fight, way: Way, target: Combatant) -> Steps[bool]:
    """Ask an opponent whether it lets the mover by, unless it may or can not.

    Improved Overrun and a rider's Trample do not allow it, and a narrow place has no room
    (woa.maneuver.overrun.target-may-avoid, .trample-feat, .no-room-to-avoid).
    """
    rider = way.leader
    rule = fight.rule("woa.maneuver.overrun.target-may-avoid")
    if has_feat(rider, "improved overrun"):
        yield RuleApplied(who=target.id, what="may not step aside (Improved Overrun)", cites=(rule,))
        return False
    if rider is not way.who and has_feat(rider, "trample"):
        cites = fight.rules("woa.maneuver.overrun.trample-feat")
        yield RuleApplied(who=target.id, what="may not step aside (Trample)", cites=cites)
        return False
    if not has_room(fight, way, target):
        cites = fight.rules("woa.maneuver.overrun.no-room-to-avoid")
        yield RuleApplied(who=target.id, what="has no room to step aside", cites=cites)
        return False
    question = f"{way.who.id} overruns {target.id}: does {target.id} stand fast or step aside?"
    return bool((yield Choice(target.id, "overrun", question, ("stand", "step aside"), rule)) == "step aside")


def has_room(fight: Fight, way: Way, target: Combatant) -> bool:
    """Say whether there is a free place next to a target, off the mover's way."""
    side, mover = way.who.space, way.who
    swept = {(x + dx, y + dy) for x, y in (mover.at, *way.path) for dx in range(side) for dy in range(side)}
    steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    for dx, dy in steps:
        there = (target.at[0] + dx, target.at[1] + dy)
        held = {(there[0] + x, there[1] + y) for x in range(target.space) for y in range(target.space)}
        if held & swept or not can_be_put(fight.field, target.at, target.space, there, target.space):
            continue
        if not [one for one in occupants(fight, target, there) if one is not mover]:
            return True
    return False


def bearing_down(fight: Fight, way: Way) -> Weapon | None:
    """Return with what the check is made: nothing, or a mount's hooves (option `mounted_overrun_bonus`)."""
    if way.who is way.leader or fight.option("mounted_overrun_bonus") == "unarmed":
        return None
    return hoof(way.who)


def hoof(steed: Combatant) -> Weapon | None:
    """Return a mount's hoof, else its first natural weapon, None without one."""
    found = natural_weapons(steed)
    return next((one for one in found if "hoo" in one.name), found[0] if found else None)


def knock_down(fight: Fight, way: Way, target: Combatant) -> Steps[None]:
    """Leave who was run down prone, and let the mount of a rider with Trample strike it once.

    Who cannot be knocked prone is passed all the same (woa.maneuver.overrun.success, .cannot-be-proned,
    .trample-feat).
    """
    attacker = way.who
    if cannot_fall(target):
        cites = fight.rules("woa.maneuver.overrun.cannot-be-proned")
        yield RuleApplied(who=target.id, what="is passed, but cannot be knocked prone", cites=cites)
        return
    if "prone" in target.conditions:
        cites = fight.rules("woa.maneuver.overrun.success")
        yield RuleApplied(who=target.id, what="is passed where it lies", cites=cites)
        return
    cites = fight.rules("woa.maneuver.overrun.success")
    yield ConditionGained(who=target.id, condition="prone", source=f"overrun by {attacker.id}", cites=cites)
    weapon = hoof(attacker)
    if attacker is not way.leader and has_feat(way.leader, "trample") and weapon is not None:
        feet = distance(attacker, target)
        blow = build_blow(fight, attacker, target, weapon, "trample", feet=feet)
        blow.cites += fight.rules("woa.maneuver.overrun.trample-feat")
        yield from strike_and_settle(fight, blow)


def penalty_for_overrun(fight: Fight, attacker: Combatant, target: Combatant) -> Modifier:
    """Return the penalty on further checks for one opponent overrun, by its size."""
    steps = size_step(target) - size_step(attacker)
    row = {0: "same", -1: "one category smaller"}.get(min(steps, 0), "two categories smaller")
    row = "larger" if steps > 0 else row
    path = (f"overrun_opponent_relative_size={row}", "penalty_each")
    return fight.modifier(SEVERAL, *path, kind="penalty", source=f"after overrunning {target.id}")


def provoke_by_entering(fight: Fight, way: Way, targets: list[Combatant], into: Square) -> Steps[None]:
    """Let those strike whom a step into opponents' spaces gives an opening, but not for entering these."""
    how = "charge" if way.charging else "normal"
    found = who_may_strike(fight, way.who, way.who.at, into, how)
    others = [one for one in found if not (one[2] == ENTERING and one[0] in targets)]
    if others:
        yield from provoke_by_movement(fight, way.who, others, "overrun")
