"""Ways through the water: swimming, walking on the bottom, pulling oneself along (woa.water.*)."""

from affray.engine.dialects.woa.environment import swim_and_drown, water
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.movement.movement import refuse_path
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import SIZES
from affray.projections.state import Combatant

SWAM = "swam"


def swim(fight: Fight, act: acts.Move) -> Steps[None]:
    """Swim as a move action: at the swim speed, or at half speed by Athletics (woa.water.swim-check).

    Who fails gets nowhere, and goes under by much; `up` surfaces, below 0 dives.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.water.swim-check")
    refuse_unless_allowed(fight, mover, "move")
    movement.refuse_after_step(fight, mover)
    if water.depth_of(mover) not in (water.SURFACE, water.UNDER, water.BOTTOM):
        raise Refusal(f"{mover.id} is not in deep water", rule)
    feet, why = swimming_feet(fight, mover)
    if act.path or not act.up:
        refuse_path(fight, mover, act.path, feet, why)
    yield spending(fight, mover, "move", "swim", why, fight.rule("woa.movement.swim-fly-special"))
    required = fight.rules("woa.water.swim-action-required")
    if not mover.sheet.swim:
        yield ActionSpent(who=mover.id, kind=SWAM, what="swim", cites=required)
        margin = yield from swim_and_drown.check_in_water(fight, mover, why="to swim")
        if margin < 0:
            yield RuleApplied(who=mover.id, what="makes no progress", cites=(rule,))
            under = cell(fight, "woa.water.swim-check", "water=any", "under_by")
            if under is not None and margin <= -under.value:
                yield from swim_and_drown.sink(fight, mover, under.rule)
            return
    if act.up:
        yield from swim_and_drown.go_to_depth(
            fight, mover, water.SURFACE if act.up > 0 else water.UNDER, rule
        )
    if act.path:
        yield from fight.dialect.movement.walk(fight, mover, act.path, "swim", why)


def swimming_feet(fight: Fight, mover: Combatant) -> tuple[int, str]:
    """Return how far a move action of swimming leads, and the rule that says so."""
    if mover.sheet.swim:
        return mover.sheet.swim, fight.rule("woa.movement.distance.natural")
    topic = "woa.movement.distance.skill-based"
    return movement.speed_with_burdens(fight, mover) // divisor_of_share(fight, topic), fight.rule(topic)


def divisor_of_share(fight: Fight, topic: str) -> int:
    """Return the divisor of a share such as "1/2 normal ground speed"."""
    return int(str(fight.figure(topic, "distance")).split()[0].split("/")[1])


def on_the_bottom(fight: Fight, act: acts.Move) -> Steps[None]:
    """Walk along the bottom, which is difficult terrain, weighed down enough (woa.water.bottom-walk)."""
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.water.bottom-walk")
    movement.refuse_after_step(fight, mover)
    movement.refuse_lying(fight, mover)
    if not water.is_under(mover):
        raise Refusal(f"{mover.id} swims on the water and cannot walk", fight.rule("woa.water.swim-check"))
    least, weight = weight_needed(fight, mover), fight.rule("woa.water.bottom-walk.weight")
    if mover.sheet.carried < least:
        raise Refusal(
            f"{mover.id} carries {mover.sheet.carried} lb. and floats: {least} lb. weigh down", weight
        )
    refuse_path(fight, mover, act.path, movement.speed_with_burdens(fight, mover) // 2, rule)
    yield spending(fight, mover, "move", "walk along the bottom", rule)
    yield from swim_and_drown.go_to_depth(fight, mover, water.BOTTOM, rule, weight)
    yield from fight.dialect.movement.walk(fight, mover, act.path, "normal", rule)


def weight_needed(fight: Fight, mover: Combatant) -> int:
    """Return the pounds that keep somebody of that size on the bottom (woa.water.bottom-walk.weight)."""
    topic = "woa.water.bottom-walk.weight"
    steps = SIZES.index(mover.sheet.size) - SIZES.index("medium")
    path = "per_category_larger" if steps > 0 else "per_category_smaller"
    factor = int(str(fight.figure(topic, path))[1:]) ** abs(steps)
    pounds = int(fight.figure(topic, "medium_lb"))
    return int(pounds * factor if steps > 0 else pounds // factor)


def pull_along(fight: Fight, act: acts.Move) -> Steps[None]:
    """Pull oneself along a hull as one climbs: half the speed, no faster, and nobody falls.

    `dc` is that of what one holds on to (woa.water.pull-along).
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.water.pull-along")
    refuse_unless_allowed(fight, mover, "move")
    movement.refuse_after_step(fight, mover)
    if not water.depth_of(mover):
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
    parts = skill_parts(fight, mover, water.ATHLETICS, water.STRENGTH, rule)
    if (yield from check(fight, mover, water.ATHLETICS, parts, act.dc, rule, why="to pull oneself along")):
        yield from fight.dialect.movement.walk(fight, mover, act.path, "pull", rule)
    else:
        yield RuleApplied(who=mover.id, what="makes no progress and does not fall", cites=(rule,))
