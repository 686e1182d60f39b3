"""Charging: the rush, its clear path, and the blow at its end."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Battlefield, Square, walls_met
from affray.engine.grid.distance import space
from affray.engine.grid.lines_and_cover import relative_trace
from affray.engine.kernel.places import reaches_from, squares_of
from affray.engine.record.chapters import Attempt, Substitute
from affray.engine.rules.classes.sheets import CLEAR_OF_GROUND, INCORPOREAL, is_a, nature_among
from affray.engine.rules.gear.hands import melee_band
from affray.engine.rules.maneuvers.opposed_checks import charging_blow
from affray.engine.rules.movement.movement import (
    knows_of,
    refuse_after_step,
    refuse_prone,
    refuse_rush,
    speed,
)
from affray.engine.rules.turns.actions import refuse_unless_allowed
from affray.engine.rules.turns.delay_and_ready import attack_is_lost, refuse_impeded
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The ground that stops a flier.
WALLED: Final = "#T"


def attack_of_charge(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    act: acts.Charge,
    weapon: Weapon,
    plan: Substitute | None,
) -> Steps[Attempt | None]:
    """Return the attack at the end of a charge, or the special attack in its `plan`; None if it is lost by
    now.

    It has the bonus of a charge (srd35.charge.attack).
    """
    if plan is None:
        blow = yield from fight.dialect.attacks.blow_at_end(
            fight, attacker, weapon, partial(charging_blow, fight, attacker, target)
        )
        if blow is None:
            return None
        attempt = Attempt(blow)
    else:
        try:
            refuse_impeded(fight, attacker, False)
            attempt = plan.prepare(fight, attacker, target, act.weapon, act.item, "charge")
        except Refusal as lost:
            yield attack_is_lost(attacker, lost)
            return None
    bonus = fight.modifier("charge.attack", "attack", kind="circumstance", source="charging")
    attempt.blow.attack_extra.append(bonus)
    return attempt


def carry_out(fight: Fight, attempt: Attempt, plan: Substitute | None) -> Steps[None]:
    """Deliver the blow at the end of a charge, or carry out the special attack in its place."""
    if plan is not None:
        yield from plan.carry_out(fight, attempt)
    else:
        yield from fight.dialect.attacks.deliver(fight, attempt.blow, fight.declaration)


def refuse_to_charge(fight: Fight, combatant: Combatant) -> tuple[str, str, int]:
    """Return the action that a charge takes now, the rule for it, and how many feet it may cover.

    Refuses those that cannot rush: prone, hampered, after a 5-foot step, without the action.

    pf1.charge, pf1.charge.draw, srd35.charge.distance, srd35.charge.restricted.
    """
    restricted = not fight.dialect.turns.allowance(fight, combatant).full
    kind = "standard" if restricted else "full-round"
    refuse_unless_allowed(fight, combatant, kind)
    refuse_after_step(fight, combatant)
    refuse_prone(fight, combatant)
    refuse_rush(fight, combatant)
    topic = "charge.restricted" if restricted else "charge.distance"
    feet = speed(fight, combatant) * int(fight.figure(topic, "max_speed_multiplier"))
    return kind, fight.rule(topic), feet


def begin_charge(fight: Fight, attacker: Combatant, target: Combatant, rule: str, kind: str) -> Steps[None]:
    """Spend the action of a charge and apply its penalty: -2 to AC until the next turn."""
    cites = fight.rules("charge.action", "charge.distance", "charge.clear-path")
    yield ActionSpent(who=attacker.id, kind=kind, what="charge", cites=(rule, *cites))
    yield from lower_guard(fight, attacker, target, cites[0])


def lower_guard(fight: Fight, attacker: Combatant, target: Combatant, rule: str, *more: str) -> Steps[None]:
    """Record a charge by a rule, at a penalty to AC until the charger's next turn (srd35.charge.attack).

    pf1.charge.attack.
    """
    until = Until("turn-start", attacker.id, fight.state.round + 1)
    yield EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:charge",
        stat="defense",
        modifier=fight.modifier("charge.attack", "ac", kind="penalty", source="charging"),
        until=until,
        cites=(*more, fight.rule("charge.attack")),
    )
    yield ConditionGained(who=attacker.id, condition="charging", source=target.id, until=until, cites=(rule,))


def refuse_no_charge(
    fight: Fight, attacker: Combatant, target: Combatant, path: tuple[tuple[int, int], ...], weapon: Weapon
) -> None:
    """Refuse a charge that is too short, hindered, or does not end at the nearest square in reach."""
    rule = fight.rule("charge.clear-path")
    end = path[-1]
    least, most = melee_band(attacker, weapon)
    refuse_short_or_rough(fight, attacker, path)
    if not reaches_from(attacker, end, target, least, most):
        raise Refusal(f"the charge does not end within reach of {target.id}", rule)
    for square in path[:-1]:
        if reaches_from(attacker, square, target, least, most):
            raise Refusal(f"the charge must end at the first square in reach of {target.id}", rule)
    refuse_hindered_line(fight, attacker, target, path)


def refuse_short_or_rough(fight: Fight, combatant: Combatant, path: tuple[tuple[int, int], ...]) -> None:
    """Refuse a charge of less than 10 feet, or over ground that hampers (srd35.charge.clear-path)."""
    if len(path) < fight.figure("charge.distance", "min_squares"):
        raise Refusal("a charge covers at least 10 ft.", fight.rule("charge.distance"))
    fight.dialect.movement.refuse_rough(fight, combatant, path, "charge", fight.rule("charge.clear-path"))


def refuse_hindered_line(
    fight: Fight, attacker: Combatant, target: Combatant, path: tuple[tuple[int, int], ...]
) -> None:
    """Refuse a charge if known combatants or obstacles are in its line, or if it leaves the line."""
    rule = fight.rule("charge.clear-path")
    crossed = line_squares(attacker.at, path[-1], attacker.space)
    for other in fight.state.combatants.values():
        if other is attacker or other is target or "dead" in other.conditions or is_helpless(fight, other):
            continue
        if crossed.intersection(squares_of(other)) and knows_of(fight, attacker, other):
            raise Refusal(f"{other.id} is in the line of the charge", rule)
    if not is_a(attacker, INCORPOREAL) and has_walls_on_line(
        fight.field, attacker.at, path[-1], attacker.space
    ):
        raise Refusal("a wall is in the line of the charge", rule)
    for square in crossed:
        if hinders(fight, attacker, square):
            raise Refusal(f"the line of the charge is hindered at {square[0]},{square[1]}", rule)
    refuse_swerving(attacker, path, fight.rule("charge.distance"))


def hinders(fight: Fight, mover: Combatant, square: tuple[int, int]) -> bool:
    """Return whether the ground at a square hinders a charge over it; walls and pillars hinder fliers too.

    srd35.charge.clear-path, srd35.obstacle.flying-incorporeal, pf1.charge, pf1.terrain.difficult.
    """
    field = fight.field
    if is_a(mover, INCORPOREAL):
        return False
    if nature_among(mover, CLEAR_OF_GROUND):
        return field.at(square) in WALLED
    return not field.passable(square) or bool(field.doublings(square))


def refuse_swerving(mover: Combatant, path: Sequence[tuple[int, int]], rule: str) -> None:
    """Refuse a path that is not straight: that turns back, zigzags, or bends away from the line to its end.

    On squares a slanted line can only be kept roughly: each square is at most one off the line
    (srd35.charge.distance, pf1.charge, woa.charge.path, futurepath.action.charge.straight-line).
    """
    across, down = path[-1][0] - mover.at[0], path[-1][1] - mover.at[1]
    gone = [sum(abs(b[axis] - a[axis]) for a, b in pairwise((mover.at, *path))) for axis in (0, 1)]
    far = max(abs(across), abs(down))
    beside = max(abs(across * (y - mover.at[1]) - down * (x - mover.at[0])) for x, y in path)
    if gone != [abs(across), abs(down)] or len(path) > far or beside > far:
        raise Refusal("a charge goes along one straight line", rule)


def has_walls_on_line(field: Battlefield, start: Square, end: Square, side: int) -> bool:
    """Return whether a line from a square of a space to its place at the end meets a wall between squares."""
    dx, dy = 2 * (end[0] - start[0]), 2 * (end[1] - start[1])
    middles = [(2 * x + 1, 2 * y + 1) for x, y in space(start, side)]
    return any(walls_met(field.sides, (x, y), (x + dx, y + dy), 2) for x, y in middles)


def line_squares(start: tuple[int, int], end: tuple[int, int], side: int) -> set[tuple[int, int]]:
    """Return the squares that lines from each square of a space to its place at the end pass through."""
    own = space(start, side)
    across, down = end[0] - start[0], end[1] - start[1]
    # The lines between the middles of squares, in half squares, are all alike.
    along = relative_trace(1, 1, 2 * across + 1, 2 * down + 1, 2).squares
    return {(x + dx, y + dy) for x, y in own for dx, dy in along}.difference(own)
