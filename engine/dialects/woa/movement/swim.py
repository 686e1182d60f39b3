"""Implement movement through water: swimming, walking on the bottom, pulling along a hull (woa.water.*)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from affray.engine.dialects.woa.defense.defense import BARRIER
from affray.engine.dialects.woa.environment import environment, hazard
from affray.engine.dialects.woa.grapple import grab_modifiers
from affray.engine.dialects.woa.grapple.grapple_checks import GRABBING
from affray.engine.dialects.woa.mounted import riding
from affray.engine.dialects.woa.movement import flight, movement, speed, walking
from affray.engine.dialects.woa.position import posture, shared_space
from affray.engine.dialects.woa.senses import hide
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.record.acts import Under
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.mounted.stay_mounted import part_if_driven_off
from affray.engine.rules.movement.movement import refuse_path
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps, answered
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, HitPointsChanged, Moved
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import SIZES
from affray.projections.state import Combatant

# --- Checks that an attack or damage requires at once of swimmers, flyers and riders

#: How the record describes that a combatant was the target of a maneuver.
TRIED = {"grab": "grabbed at", "trip": "tripped", "push": "pushed", "overrun": "overrun"}


#: Movement by others, which takes a climber off its wall.
FORCED = ("pushed", "thrown", "dragged")
#: Conditions that facts about a combatant may end at once.
UNSTABLE = frozenset({speed.FLYING, GRABBING, walking.CLIMBING, walking.BRACHIATING})
#: When an attack affects its target beyond the damage.
CONCERNED = "target.mount or target.rider or target.riderless or target.conditions"


def check_after_unhurt(fight: Fight, blow: Blow) -> Steps[None]:
    """After an attack without damage, make the checks that it requires of swimmers, flyers and riders."""
    return check_swimmer_and_flyer(fight, blow, 0)


def check_after_hit(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool, following: Steps[None]
) -> Steps[None]:
    """After all other consequences of a hit, make the checks that any attack requires of its target.

    The target's loss is measured for the hit alone, before the other consequences.
    """
    target = blow.target
    lost = before[0] + before[2] - target.hp - target.temporary
    yield from following
    if is_affected_by_attacks(target):
        yield from check_swimmer_and_flyer(fight, blow, lost)


def upset_flyer(fight: Fight, blow: Blow) -> Steps[None]:
    """Check whether a flyer that is grabbed at, tripped, pushed or overrun loses its balance, or falls.

    The maneuver need not succeed (woa.fly.buoyant.hazard, .powered.hazard).
    """
    target = blow.target
    upsetting = f"{blow.intent.maneuver} attempt" in fight.figure("woa.fly.buoyant.hazard", "triggers")
    if speed.is_flying(target) and upsetting and not explain_warding_off(blow):
        yield from flight.upset_flyer(fight, target, f"{TRIED[blow.intent.maneuver]} in the air")


def is_affected_by_attacks(target: Combatant) -> bool:
    """Return whether an attack may require a check of this target: it rides, is ridden, or has a
    condition.
    """
    return bool(target.mount or target.rider or target.riderless or target.conditions)


def check_swimmer_and_flyer(fight: Fight, blow: Blow, lost: int) -> Steps[None]:
    """Check whether a swimmer stays up, and whether a flyer that warded off the attack keeps its balance.

    A flyer that was hurt has checked already (see `consequences_of_fact`); woa.fly.*.hazard,
    woa.water.swimming.attacked-check.
    """
    target = blow.target
    if "dead" in target.conditions:
        return
    if target.mount:
        yield from riding.check_attacked_rider(fight, target, lost)
    yield from riding.remember_attacker(fight, target, blow.attacker)
    yield from environment.check_attacked_swimmer(fight, target)
    if speed.is_flying(target) and not lost and (why := explain_warding_off(blow)):
        yield from flight.upset_flyer(fight, target, why)


def explain_warding_off(blow: Blow) -> str:
    """Return how the target of an attack warded it off, "" if it did not."""
    if blow.damage.blocked:
        return "blocking in the air"
    dodged = any(part.kind == "dodge" for part in blow.defense_extra)
    return "dodging in the air" if dodged else ""


def watch_consequences(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Run the steps; after each fact, run its consequences for flyers, riders, mounts and holders."""
    if any(one.mount or (one.conditions and flies_or_holds(one)) for one in fight.state.combatants.values()):
        return answered(steps, partial(consequences_of_fact, fight))
    return steps


def flies_or_holds(mover: Combatant) -> bool:
    """Return whether a mover flies, climbs, or holds a combatant."""
    return not UNSTABLE.isdisjoint(mover.conditions)


def consequences_of_fact(fight: Fight, step: Any) -> Steps[None]:
    """Run the consequences of a fact for a flyer, a seat or a hold: damage, falls, pushes."""
    kind = type(step)
    if kind is HitPointsChanged and step.change < 0:
        mover = fight.state.combatants[step.who]
        yield from flight.upset_flyer(fight, mover, "hurt in the air")
        yield from riding.rear_when_hurt(fight, mover)
    elif kind is Moved and fight.state.combatants[step.who].mount:
        yield from part_if_driven_off(fight, fight.state.combatants[step.who])
    elif kind is Moved and step.how in FORCED:
        yield from walking.fall_off_wall(fight, fight.state.combatants[step.who])
    elif kind is ConditionGained and step.condition == "prone":
        yield from riding.on_condition(fight, step)
        yield from walking.fall_off_wall(fight, fight.state.combatants[step.who])
    elif kind is ConditionGained and step.condition == "paralyzed":
        yield from flight.fall_paralyzed(fight, fight.state.combatants[step.who])
    elif kind is ConditionGained and rule_of(fight, step.condition).down:
        yield from riding.on_condition(fight, step)
        mover = fight.state.combatants[step.who]
        yield from flight.upset_flyer(fight, mover, "knocked out in the air")
        yield from grab_modifiers.falls_off(fight, mover)


def break_cover(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Report that a thing in the way is broken and exposes the creature behind it.

    woa.cover.total.break-through
    """
    target = blow.target
    if BARRIER in target.sheet.traits and standing and is_down(fight, target):
        yield RuleApplied(
            who=target.id,
            what="is broken through and covers nobody any more",
            cites=fight.rules("woa.cover.total.break-through"),
        )


SWAM = "swam"


def swim(fight: Fight, act: acts.Move) -> Steps[None]:
    """Swim as a move action: at the swim speed, or at half speed by Athletics (woa.water.swim-check).

    On a failure the swimmer makes no progress, and goes under if it fails by much; `up` surfaces, below 0
    dives.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.water.swim-check")
    refuse_unless_allowed(fight, mover, "move")
    movement.refuse_after_step(fight, mover)
    if environment.depth_of(mover) not in (environment.SURFACE, environment.UNDER, environment.BOTTOM):
        raise Refusal(f"{mover.id} is not in deep water", rule)
    feet, why = swimming_feet(fight, mover)
    if act.path or not act.up:
        refuse_path(fight, mover, act.path, feet, why)
    yield spending(fight, mover, "move", "swim", why, fight.rule("woa.movement.swim-fly-special"))
    required = fight.rules("woa.water.swim-action-required")
    if not mover.sheet.swim:
        yield ActionSpent(who=mover.id, kind=SWAM, what="swim", cites=required)
        margin = yield from environment.check_in_water(fight, mover, why="to swim")
        if margin < 0:
            yield RuleApplied(who=mover.id, what="makes no progress", cites=(rule,))
            under = cell(fight, "woa.water.swim-check", "water=any", "under_by")
            if under is not None and margin <= -under.value:
                yield from environment.sink(fight, mover, under.rule)
            return
    if act.up:
        yield from environment.go_to_depth(
            fight, mover, environment.SURFACE if act.up > 0 else environment.UNDER, rule
        )
    if act.path:
        yield from fight.dialect.movement.walk(fight, mover, act.path, "swim", why)


def swimming_feet(fight: Fight, mover: Combatant) -> tuple[int, str]:
    """Return the feet of a move action of swimming, and the rule."""
    if mover.sheet.swim:
        return mover.sheet.swim, fight.rule("woa.movement.distance.natural")
    topic = "woa.movement.distance.skill-based"
    return movement.speed_with_burdens(fight, mover) // divisor_of_share(fight, topic), fight.rule(topic)


def divisor_of_share(fight: Fight, topic: str) -> int:
    """Return the divisor of a share such as "1/2 normal ground speed"."""
    return int(str(fight.figure(topic, "distance")).split()[0].split("/")[1])


def walk_on_bottom(fight: Fight, act: acts.Move) -> Steps[None]:
    """Walk along the bottom, which is difficult terrain, if weighed down enough (woa.water.bottom-walk)."""
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.water.bottom-walk")
    movement.refuse_after_step(fight, mover)
    movement.refuse_lying(fight, mover)
    if not environment.is_under_water(mover):
        raise Refusal(f"{mover.id} swims on the water and cannot walk", fight.rule("woa.water.swim-check"))
    least, weight = weight_needed(fight, mover), fight.rule("woa.water.bottom-walk.weight")
    if mover.sheet.carried < least:
        raise Refusal(
            f"{mover.id} carries {mover.sheet.carried} lb. and floats: {least} lb. weigh down", weight
        )
    refuse_path(fight, mover, act.path, movement.speed_with_burdens(fight, mover) // 2, rule)
    yield spending(fight, mover, "move", "walk along the bottom", rule)
    yield from environment.go_to_depth(fight, mover, environment.BOTTOM, rule, weight)
    yield from fight.dialect.movement.walk(fight, mover, act.path, "normal", rule)


def weight_needed(fight: Fight, mover: Combatant) -> int:
    """Return the pounds that keep a creature of the mover's size on the bottom.

    woa.water.bottom-walk.weight
    """
    topic = "woa.water.bottom-walk.weight"
    steps = SIZES.index(mover.sheet.size) - SIZES.index("medium")
    path = "per_category_larger" if steps > 0 else "per_category_smaller"
    factor = int(str(fight.figure(topic, path))[1:]) ** abs(steps)
    pounds = int(fight.figure(topic, "medium_lb"))
    return int(pounds * factor if steps > 0 else pounds // factor)


def pull_along(fight: Fight, act: acts.Move) -> Steps[None]:
    """Pull along a hull as if climbing: half the speed, no faster, and without falling.

    `dc` is that of the surface to hold on to (woa.water.pull-along).
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.water.pull-along")
    refuse_unless_allowed(fight, mover, "move")
    movement.refuse_after_step(fight, mover)
    if not environment.depth_of(mover):
        raise Refusal(f"{mover.id} is not in the water", rule)
    if act.fast:
        raise Refusal(f"{mover.id} is in the water and cannot climb fast", rule)
    topic = "woa.movement.distance.skill-based"
    refuse_path(
        fight,
        mover,
        act.path,
        movement.speed_with_burdens(fight, mover) // divisor_of_share(fight, topic),
        rule,
    )
    yield spending(fight, mover, "move", "pull oneself along", rule, fight.rule(topic))
    yield ActionSpent(who=mover.id, kind=SWAM, what="holds on", cites=(rule,))
    parts = skill_parts(fight, mover, environment.ATHLETICS, environment.STRENGTH, rule)
    if (
        yield from check(
            fight, mover, environment.ATHLETICS, parts, act.dc, rule, why="to pull oneself along"
        )
    ):
        yield from fight.dialect.movement.walk(fight, mover, act.path, "pull", rule)
    else:
        yield RuleApplied(who=mover.id, what="makes no progress and does not fall", cites=(rule,))


# --- The ways to move, and hazards of the surroundings: which step carries out a declaration

#: Ways to move by their names in a declaration.
WAYS = {"fly": flight.fly, "swim": swim, "pull": pull_along}
#: Ways to move in tight places or close to the ground.
LOW_AND_NARROW_WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "crawl": posture.crawl,
    "squeeze": shared_space.squeeze_through,
    "wriggle": shared_space.squeeze_through,
    "crowd": shared_space.crowd_in,
}
#: Ways over the ground and along it, other than on foot.
GROUND_WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "double": movement.double_move,
    **dict.fromkeys(walking.WAYS, walking.climb_or_burrow),
}
#: Ways on foot that may begin with getting up, in addition to a move up to the speed.
RISING_WAYS = {"double": movement.double_move}
#: The values that `how` of a move may have.
HOW = (*movement.PLAIN, "defensive", *WAYS, *LOW_AND_NARROW_WAYS, *GROUND_WAYS)
#: The ways of moving for which the figures of a wall, a gap and a height, and haste, count.
READ_BY: Under = {
    "surface": {"how": ("climb", "brachiate")},
    "dc": {"how": ("climb", "brachiate", "burrow", "wriggle", "pull")},
    "up": {"how": ("climb", "brachiate", "burrow", "fly", "swim")},
    "fast": {"how": ("normal", "tumble", "leave", "vault", "climb", "brachiate", "burrow", "pull")},
    "wide": {"how": ("squeeze", "wriggle")},
    "high": {"how": ("squeeze", "wriggle")},
    "rise": {"how": (*movement.PLAIN, "defensive", *RISING_WAYS)},
}
BURNS = ("goes out", "burns all the same")


def move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move in the declared way, as required by the mover's place."""
    if act.how in WAYS:
        return WAYS[act.how](fight, act)
    mover = fight.combatant(act.actor)
    if speed.height_aloft(mover):
        raise Refusal(
            f"{mover.id} is {speed.height_aloft(mover)} ft. up and must fly", fight.rule("woa.fly.kinds")
        )
    if environment.depth_of(mover) in (environment.SURFACE, environment.UNDER, environment.BOTTOM):
        return walk_on_bottom(fight, act)
    return move_out_of_hiding(fight, act)


def expose(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Set a combatant's place as the game master declares: in the water, or elsewhere."""
    if act.to != "water":
        return hazard.set_circumstance_of_place(fight, act)
    return environment.into_water(fight, fight.combatant(act.target), act)


def hazard_by_place(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Expose a combatant to a hazard: fire that water may put out, or an event that upsets a flyer."""
    target = fight.combatant(act.target)
    if act.skill == "ride" and target.mount:
        return riding.rear_at_strange(fight, target, act.source)
    if act.skill and speed.is_flying(target):
        return flight.upset_flyer(fight, target, act.source)
    if act.damage_type == "fire" and environment.is_under_water(target):
        return fire_under_water(fight, act, target)
    if speed.is_flying(target) and (act.damage or act.save == "ref"):
        return hazard_in_the_air(fight, act, target)
    return hazard.hazard(fight, act)


def hazard_in_the_air(fight: Fight, act: acts.Hazard, target: Combatant) -> Steps[None]:
    """Upset a flyer by a physical danger even if it does no harm; damage does so by itself.

    woa.fly.buoyant.hazard, woa.fly.powered.hazard
    """
    before = target.hp
    yield from hazard.hazard(fight, act)
    if target.hp == before:
        yield from flight.upset_flyer(fight, target, act.source)


def fire_under_water(fight: Fight, act: acts.Hazard, target: Combatant) -> Steps[None]:
    """Extinguish mundane fire under water, unless the game master makes an exception.

    woa.water.fire.nonmagical
    """
    rule = fight.rule("woa.water.fire.nonmagical")
    verdict = yield Choice("", "burns", f"{act.source} under water, at {target.id}", BURNS, rule)
    if verdict == BURNS[0]:
        yield RuleApplied(who=target.id, what=f"{act.source} does not burn under water", cites=(rule,))
        return
    yield from hazard.hazard(fight, act)


def move_out_of_hiding(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move in the way that the declaration names; a mover in the open is no longer hidden."""
    mover = fight.combatant(act.actor)
    if act.rise:
        yield from posture.rise_and_move(fight, act, RISING_WAYS.get(act.how, movement.move_up_to_speed))
    else:
        way = LOW_AND_NARROW_WAYS.get(act.how) or GROUND_WAYS.get(act.how, movement.move_up_to_speed)
        yield from way(fight, act)
    yield from hide.end_hiding(mover)
    if act.how not in ("squeeze", "wriggle"):
        yield from shared_space.leave_tight_place(fight, mover)
