"""Flying: how a flier turns, climbs and dives by its maneuverability (srd35.move.fly-table)."""

import re
from itertools import pairwise
from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.natures import FLYING
from affray.engine.rules.movement.fly import (
    DIVING,
    NAMES,
    STALLED,
    degrees_between,
    fly_along,
    height_flown,
    refuse_blocked_flight,
)
from affray.engine.rules.movement.movement import refuse_after_step
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

TABLE, STALL, FEATS = "srd35.move.fly-table", "srd35.move.stall", "srd35.feat.flyby-attack"

#: Rise over run of the steepest angles of the table, in hundredths.
SLOPES = {45: 100, 60: 173}


def fly(fight: Fight, act: acts.Move) -> Steps[None]:
    """Fly along a path as a move action, `up` feet up, or down if below 0.

    What a maneuverability allows decides the turns, the angle and the price of going up and down. The
    condition's level is the height in feet, its source the heading.
    """
    mover = fight.combatant(act.actor)
    refuse_to_fly(fight, mover)
    plan_flight(fight, mover, act.path, act.up)
    cites = (TABLE, FEATS) if wings_over(fight, mover, act.path) else (TABLE,)
    sharply = f", turning up to {fight.figure(FEATS, 'wingover_degrees')} degrees" if len(cites) > 1 else ""
    yield spending(fight, mover, "move", f"fly{sharply}", *fight.rules(*cites))
    yield from carry_out_flight(fight, mover, act.path, act.up)


def refuse_to_fly(fight: Fight, mover: Combatant) -> None:
    """Refuse to creatures without wings or out of control."""
    rule = fight.rule(TABLE)
    refuse_after_step(fight, mover)
    if not mover.sheet.fly:
        raise Refusal(f"{mover.id} cannot fly", rule)
    if STALLED in mover.conditions:
        raise Refusal(f"{mover.id} falls and must recover first", fight.rule(STALL))


def maneuverability_row(fight: Fight, mover: Combatant) -> dict[str, Any]:
    """Return the row of the table for a creature's maneuverability (average without one)."""
    row: dict[str, Any] = fight.figure(TABLE, f"class={mover.sheet.maneuver or 'average'}")
    return row


def plan_flight(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int) -> int:
    """Refuse a flight that a creature's maneuverability does not allow; return what it costs in feet."""
    rule = fight.rule(TABLE)
    row = maneuverability_row(fight, mover)
    height = height_flown(mover)
    hover = row["hover"] or has_feat(mover, "hover")
    if not path and not hover:
        raise Refusal(f"{mover.id} cannot stay in one place in the air", rule)
    if not path and not row["hover"] and up:
        raise Refusal(f"{mover.id} hovers by its feat and cannot rise or sink meanwhile", fight.rule(FEATS))
    if height + up < 0:
        raise Refusal(f"{mover.id} is {height} ft. up and cannot sink {-up} ft.", rule)
    level = sum(way for way, _ in costs_of_flight(fight, mover, path))
    extra = sum(more for _, more in costs_of_flight(fight, mover, path))
    refuse_angle(fight, mover, row, level, up)
    if up > 0 and DIVING in mover.conditions and row["between"]:
        if level < row["between"]:
            raise Refusal(
                f"{mover.id} must fly level for {row['between']} ft. between diving and climbing", rule
            )
        raise Refusal(f"{mover.id} must end its dive by level flight first", rule)
    cost = level + extra + (int(up / row["up_speed"]) if up > 0 else int(-up / row["down_speed"]))
    if cost > mover.sheet.fly:
        raise Refusal(f"the flight costs {cost} ft., {mover.id} flies {mover.sheet.fly} ft.", rule)
    if path or up:
        refuse_blocked_flight(fight, mover, path or (mover.at,), height + up)
    return cost


def costs_of_flight(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> list[tuple[int, int]]:
    """Return for each step of a flight its feet and what turning costs besides. Refuses too sharp turns.

    A turn is what lies between two steps, the first measured against the heading of the flight before.
    """
    row = maneuverability_row(fight, mover)
    angle, per = turn_of_row(row["turn"])
    found = []
    parity = 0
    heading = mover.conditions[FLYING].source if FLYING in mover.conditions else ""
    since = per
    over = False
    for here, there in pairwise((mover.at, *path)):
        way = (there[0] - here[0], there[1] - here[1])
        if way not in NAMES:
            raise Refusal(
                f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}", fight.rule(TABLE)
            )
        turn = degrees_between(heading, NAMES[way])
        extra = 0
        if turn and angle is not None and (turn > angle or since < per):
            wingover = fight.figure(FEATS, "wingover_degrees")
            if turn == 180 and isinstance(row.get("backward"), str):
                extra = int(row["backward"].lstrip("-").split()[0])
            elif has_feat(mover, "wingover") and turn <= wingover and not over:
                extra, over = fight.figure(FEATS, "wingover_ft"), True
            else:
                told = f"turns {turn} degrees after {since} ft.; it can turn {row['turn']}"
                raise Refusal(f"{mover.id} {told}", fight.rule(TABLE))
        heading, since = NAMES[way], 0 if turn else since
        cost = path_cost(fight.field, (here, there), doublings_of=lambda square: 0, parity=parity)
        parity = cost.parity
        since = min(per, since + cost.squares * SQUARE_FT)
        found.append((cost.squares * SQUARE_FT, extra))
    return found


def wings_over(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> bool:
    """Say whether a flight takes a turn that only Wingover allows."""
    price = fight.figure(FEATS, "wingover_ft")
    return has_feat(mover, "wingover") and any(
        extra == price for _, extra in costs_of_flight(fight, mover, path)
    )


def turn_of_row(text: str) -> tuple[int | None, int]:
    """Return by how many degrees and after how many feet a creature turns; (None, 0) for any turn."""
    found = re.match(r"(\d+) deg/(\d+) ft", text)
    return (int(found[1]), int(found[2])) if found else (None, 0)


def refuse_angle(fight: Fight, mover: Combatant, row: dict[str, Any], level: int, up: int) -> None:
    """Refuse to rise or sink more steeply than a creature can."""
    steepest = row["up_angle"] if up > 0 else row["down_angle"]
    if not up or steepest == "any":
        return
    slope = SLOPES.get(steepest)
    if slope is None or abs(up) * 100 > level * slope:
        verb = "rises" if up > 0 else "sinks"
        raise Refusal(
            f"{mover.id} {verb} {abs(up)} ft. in {level} ft., more than {steepest} degrees", fight.rule(TABLE)
        )


def carry_out_flight(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int) -> Steps[bool]:
    """Carry out a flight that is allowed; return whether its end was reached."""
    rule = fight.rule(TABLE)
    level = sum(way for way, _ in costs_of_flight(fight, mover, path))
    hovered = not path and not maneuverability_row(fight, mover)["hover"]
    yield ActionSpent(who=mover.id, kind="forward", what="fly", amount=level, cites=(rule,))
    if hovered:
        yield ActionSpent(who=mover.id, kind="hover", what="hover", cites=fight.rules(FEATS))
    if not (yield from fly_along(fight, mover, path, up, rule)):
        return False
    if FLYING not in mover.conditions:
        return True
    if up < 0 and maneuverability_row(fight, mover)["between"]:
        yield ConditionGained(who=mover.id, condition=DIVING, source="sinking", cites=(rule,))
    elif not up and DIVING in mover.conditions and level >= maneuverability_row(fight, mover)["between"]:
        yield ConditionLost(who=mover.id, condition=DIVING, why="flies level", cites=(rule,))
    return True
