"""The ways to move, and what the game master's surroundings do: which step carries out a declaration."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.woa.environment import circumstances, swim_and_drown, water
from affray.engine.dialects.woa.environment import hazard as hazards
from affray.engine.dialects.woa.mounted import stay_mounted
from affray.engine.dialects.woa.movement import (
    aloft,
    climb_and_burrow,
    double_move_and_run,
    fly,
    flying_moves,
    movement,
    swim,
)
from affray.engine.dialects.woa.position import enter_shared_space, posture, squeezing
from affray.engine.dialects.woa.senses import hide
from affray.engine.fight.fight import Fight
from affray.engine.record.other_fields import Under
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: Ways to move by the name that a declaration gives them.
WAYS = {"fly": flying_moves.fly, "swim": swim.swim, "pull": swim.pull_along}
#: Ways to move in little room or close to the ground.
LOW_AND_NARROW_WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "crawl": posture.crawl,
    "squeeze": squeezing.squeeze_through,
    "wriggle": squeezing.squeeze_through,
    "crowd": enter_shared_space.crowd_in,
}
#: Ways over the ground and along it, besides that on foot.
GROUND_WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "double": double_move_and_run.double_move,
    **dict.fromkeys(climb_and_burrow.WAYS, climb_and_burrow.climb_or_burrow),
}
#: Ways on foot that may begin with getting up, besides a move up to the speed.
RISING_WAYS = {"double": double_move_and_run.double_move}
#: What `how` may say of a move.
HOW = (*movement.PLAIN, "defensive", *WAYS, *LOW_AND_NARROW_WAYS, *GROUND_WAYS)
#: The ways of moving under which the figures of a wall, of a gap and of a height count, and haste.
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
    """Move in the way that is declared, and that the place of the mover asks for."""
    if act.how in WAYS:
        return WAYS[act.how](fight, act)
    mover = fight.combatant(act.actor)
    if aloft.height_aloft(mover):
        raise Refusal(
            f"{mover.id} is {aloft.height_aloft(mover)} ft. up and must fly", fight.rule("woa.fly.kinds")
        )
    if water.depth_of(mover) in (water.SURFACE, water.UNDER, water.BOTTOM):
        return swim.on_the_bottom(fight, act)
    return move_out_of_hiding(fight, act)


def expose(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Say where somebody is, by the game master's word: in the water, or elsewhere."""
    if act.to != "water":
        return circumstances.describe_place(fight, act)
    return swim_and_drown.into_water(fight, fight.combatant(act.target), act)


def hazard_by_place(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Confront somebody with a hazard: fire that water may put out, or what upsets a flyer."""
    target = fight.combatant(act.target)
    if act.skill == "ride" and target.mount:
        return stay_mounted.rear_at_strange(fight, target, act.source)
    if act.skill and aloft.is_flying(target):
        return fly.upset_flyer(fight, target, act.source)
    if act.damage_type == "fire" and water.is_under(target):
        return fire_under_water(fight, act, target)
    return hazards.hazard(fight, act)


def fire_under_water(fight: Fight, act: acts.Hazard, target: Combatant) -> Steps[None]:
    """Let mundane fire go out under water, unless the game master says it is an exception.

    woa.water.fire.nonmagical.
    """
    rule = fight.rule("woa.water.fire.nonmagical")
    verdict = yield Choice("", "burns", f"{act.source} under water, at {target.id}", BURNS, rule)
    if verdict == BURNS[0]:
        yield RuleApplied(who=target.id, what=f"{act.source} does not burn under water", cites=(rule,))
        return
    yield from hazards.hazard(fight, act)


def move_out_of_hiding(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move in the way that the declaration names; whoever moves openly hides no longer."""
    mover = fight.combatant(act.actor)
    if act.rise:
        yield from posture.rise_and_move(fight, act, RISING_WAYS.get(act.how, movement.move_up_to_speed))
    else:
        way = LOW_AND_NARROW_WAYS.get(act.how) or GROUND_WAYS.get(act.how, movement.move_up_to_speed)
        yield from way(fight, act)
    yield from hide.end_hiding(mover)
    if act.how not in ("squeeze", "wriggle"):
        yield from squeezing.leave_tight_place(fight, mover)
