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
    who = fight.combatant(act.actor)
    rule = fight.rule("woa.water.swim-check")
    refuse_unless_allowed(fight, who, "move")
    movement.refuse_after_step(fight, who)
    if water.depth_of(who) not in (water.SURFACE, water.UNDER, water.BOTTOM):
        raise Refusal(f"{who.id} is not in deep water", rule)
    feet, why = swimming_feet(fight, who)
    if act.path or not act.up:
        refuse_path(fight, who, act.path, feet, why)
    yield spending(fight, who, "move", "swim", why, fight.rule("woa.movement.swim-fly-special"))
    required = fight.rules("woa.water.swim-action-required")
    if not who.sheet.swim:
        yield ActionSpent(who=who.id, kind=SWAM, what="swim", cites=required)
        margin = yield from swim_and_drown.check_in_water(fight, who, why="to swim")
        if margin < 0:
            yield RuleApplied(who=who.id, what="makes no progress", cites=(rule,))
            under = cell(fight, "woa.water.swim-check", "water=any", "under_by")
            if under is not None and margin <= -under.value:
                yield from swim_and_drown.sink(fight, who, under.rule)
            return
    if act.up:
        yield from swim_and_drown.go_to_depth(fight, who, water.SURFACE if act.up > 0 else water.UNDER, rule)
    if act.path:
        yield from fight.dialect.movement.walk(fight, who, act.path, "swim", why)


def swimming_feet(fight: Fight, who: Combatant) -> tuple[int, str]:
    """Return how far a move action of swimming leads, and the rule that says so."""
    if who.sheet.swim:
        return who.sheet.swim, fight.rule("woa.movement.distance.natural")
    topic = "woa.movement.distance.skill-based"
    return movement.speed_with_burdens(fight, who) // divisor_of_share(fight, topic), fight.rule(topic)


def divisor_of_share(fight: Fight, topic: str) -> int:
    """Return the divisor of a share such as "1/2 normal ground speed"."""
    return int(str(fight.figure(topic, "distance")).split()[0].split("/")[1])


def on_the_bottom(fight: Fight, act: acts.Move) -> Steps[None]:
    """Walk along the bottom, which is difficult terrain, weighed down enough (woa.water.bottom-walk)."""
    who = fight.combatant(act.actor)
    rule = fight.rule("woa.water.bottom-walk")
    refuse_unless_allowed(fight, who, "move")
    movement.refuse_after_step(fight, who)
    movement.refuse_lying(fight, who)
    if not water.is_under(who):
        raise Refusal(f"{who.id} swims on the water and cannot walk", fight.rule("woa.water.swim-check"))
    least, weight = weight_needed(fight, who), fight.rule("woa.water.bottom-walk.weight")
    if who.sheet.carried < least:
        raise Refusal(f"{who.id} carries {who.sheet.carried} lb. and floats: {least} lb. weigh down", weight)
    refuse_path(fight, who, act.path, movement.speed_with_burdens(fight, who) // 2, rule)
    yield spending(fight, who, "move", "walk along the bottom", rule)
    yield from swim_and_drown.go_to_depth(fight, who, water.BOTTOM, rule, weight)
    yield from fight.dialect.movement.walk(fight, who, act.path, "normal", rule)


def weight_needed(fight: Fight, who: Combatant) -> int:
    """Return the pounds that keep somebody of that size on the bottom (woa.water.bottom-walk.weight)."""
    topic = "woa.water.bottom-walk.weight"
    steps = SIZES.index(who.sheet.size) - SIZES.index("medium")
    path = "per_category_larger" if steps > 0 else "per_category_smaller"
    factor = int(str(fight.figure(topic, path))[1:]) ** abs(steps)
    pounds = int(fight.figure(topic, "medium_lb"))
    return int(pounds * factor if steps > 0 else pounds // factor)


def pull_along(fight: Fight, act: acts.Move) -> Steps[None]:
    """Pull oneself along a hull as one climbs: half the speed, no faster, and nobody falls.

    `dc` is that of what one holds on to (woa.water.pull-along).
    """
    who = fight.combatant(act.actor)
    rule = fight.rule("woa.water.pull-along")
    refuse_unless_allowed(fight, who, "move")
    movement.refuse_after_step(fight, who)
    if not water.depth_of(who):
        raise Refusal(f"{who.id} is not in the water", rule)
    if act.fast:
        raise Refusal("nobody climbs fast under water", rule)
    topic = "woa.movement.distance.skill-based"
    refuse_path(
        fight, who, act.path, movement.speed_with_burdens(fight, who) // divisor_of_share(fight, topic), rule
    )
    yield spending(fight, who, "move", "pull oneself along", rule, fight.rule(topic))
    yield ActionSpent(who=who.id, kind=SWAM, what="holds on", cites=(rule,))
    parts = skill_parts(fight, who, water.ATHLETICS, water.STRENGTH, rule)
    if (yield from check(fight, who, water.ATHLETICS, parts, act.dc, rule, why="to pull oneself along")):
        yield from fight.dialect.movement.walk(fight, who, act.path, "pull", rule)
    else:
        yield RuleApplied(who=who.id, what="makes no progress and does not fall", cites=(rule,))
