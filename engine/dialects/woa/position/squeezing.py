"""Squeezing through what is narrower or lower than oneself (woa.squeezing.*, woa.squeeze.*)."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.opportunity import attacks_of_opportunity
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import who_may_strike
from affray.engine.dialects.woa.position.crowding import TIGHT
from affray.engine.dialects.woa.position.high_ground import own_height
from affray.engine.dialects.woa.position.prone import lies
from affray.engine.dialects.woa.position.room_to_share import refuse_full, steps_along
from affray.engine.dialects.woa.position.space_and_reach import space_and_reach
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Battlefield, Square
from affray.engine.grid.thin_walls import bars_step
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.position.occupants import holders_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Moved
from affray.projections.state import Combatant

SPACE, ARTIST, LOW, LOWEST = (
    "woa.squeezing.space",
    "squeezing.escape-artist",
    "woa.squeeze.low-ceiling",
    "woa.squeeze.very-low-ceiling",
)
BOTH = "woa.squeeze.narrow-and-low"


class Fit(Struct, frozen=True):
    """How somebody gets through: under which condition, how often its penalties count, by which rules."""

    condition: str
    level: int
    cites: tuple[str, ...]


def squeeze_through(fight: Fight, act: acts.Move) -> Steps[None]:
    """Squeeze at half speed as a move action; through less than half one's width by Escape Artist.

    The way is as wide and high as the declaration says, or as the map has it. What it costs in combat lasts
    as long as one is in there (woa.squeezing.*, woa.squeeze.*).
    """
    actor = fight.combatant(act.actor)
    movement.refuse_after_step(fight, actor)
    rule = fight.rule(SPACE)
    full = space_and_reach(fight, actor.sheet)[0]
    side = refuse_too_tight(fight, actor, act.path, full)
    fit = fitting(fight, actor, act, full, side)
    if fit.condition != "worming":
        movement.refuse_lying(fight, actor)
    feet = movement.speed_with_burdens(fight, actor)
    share = fight.figure(SPACE, "speed_multiplier")
    feet = SQUARE_FT if fit.condition == "worming" else int(feet * share)
    if len(act.path) * SQUARE_FT > feet:
        raise Refusal(f"the path costs {len(act.path) * SQUARE_FT} ft., {actor.id} has {feet} ft.", rule)
    yield spending(fight, actor, "move", "squeeze", *fit.cites)
    if fit.condition == "wriggling":
        artist = fight.rule(ARTIST)
        parts = skill_parts(fight, actor, "escape artist", "dex", artist)
        why = "to get through"
        if not (yield from check(fight, actor, "escape artist", parts, act.dc, artist, why=why)):
            return
    for name in TIGHT:
        if name in actor.conditions and name != fit.condition:
            yield ConditionLost(who=actor.id, condition=name, why="the way is another", cites=fit.cites)
    yield ConditionGained(
        who=actor.id, condition=fit.condition, source="a tight place", level=fit.level, cites=fit.cites
    )
    yield from go_squeezed(fight, actor, act.path, full, side, *fit.cites)


def fitting(fight: Fight, actor: Combatant, act: acts.Move, full: int, side: int) -> Fit:
    """Return how somebody fits through. Refuses what is too narrow or too low for how it goes about it."""
    own, tall = full * SQUARE_FT, own_height(actor)
    wide = min(act.wide or side * SQUARE_FT, side * SQUARE_FT)
    narrow = wide < own
    low = 0 < act.high < tall
    if not narrow and not low:
        raise Refusal(f"{actor.id} has room enough there and need not squeeze", fight.rule(SPACE))
    cites: list[str] = []
    condition = ""
    if narrow:
        condition = "squeezed"
        cites += fight.rules(SPACE, "woa.squeezing.penalties")
        if wide < own * share_of(fight):
            condition = "wriggling"
            cites = [fight.rule(ARTIST)]
            if act.how != "wriggle":
                reason = f"{actor.id} is more than twice as wide as that: it takes Escape Artist ('wriggle')"
                raise Refusal(reason, cites[0])
    if low:
        if act.high * fight.figure(LOW, "height_divisor") >= tall:
            condition, cites = condition or "stooping", [*cites, fight.rule(LOW)]
        elif act.high * fight.figure(LOWEST, "height_divisor") >= tall:
            if not lies(actor):
                reason = f"{actor.id} is more than twice as high as that: it gets through only prone"
                raise Refusal(reason, fight.rule(LOWEST))
            condition = condition if condition == "wriggling" else "worming"
            cites.append(fight.rule(LOWEST))
        else:
            reason = f"{actor.id} is more than four times as high as that and does not get through"
            raise Refusal(reason, fight.rule(LOWEST))
    if narrow and low:
        return Fit(condition, fight.figure(BOTH, "multiplier"), (*cites, fight.rule(BOTH)))
    return Fit(condition, 1, tuple(cites))


def share_of(fight: Fight) -> float:
    """Return the least share of its own space that somebody squeezes into without Escape Artist."""
    above, below = str(fight.figure(SPACE, "min_width")).split()[0].split("/")
    return int(above) / int(below)


def refuse_too_tight(fight: Fight, combatant: Combatant, path: Sequence[Square], full: int) -> int:
    """Refuse a way that even squeezing does not open; return how many squares of it are free side by side.

    Nobody may be in it, but those three sizes smaller.
    """
    rule = fight.rule(SPACE)
    narrowest = full
    for here, there in steps_along(combatant.at, path, rule):
        side = next((one for one in range(full, 0, -1) if fits(fight.field, here, there, one)), 0)
        if not side:
            raise Refusal(
                f"the way to {there[0]},{there[1]} is blocked", fight.rule("woa.terrain.obstacle.blocking")
            )
        narrowest = min(narrowest, side)
    for there in path:
        others = holders_of(fight, combatant, there, narrowest, narrowest)
        if others:
            refuse_full(fight, combatant, others)
            small = fight.figure("woa.squeezing.no-sharing", "min_smaller_size_categories")
            near = [one for one in others if size_step(combatant) - size_step(one) < small]
            if near:
                why = f"{near[0].id} is in the way and {combatant.id} cannot share its space while squeezing"
                raise Refusal(why, fight.rule("woa.squeezing.no-sharing"))
    refuse_no_end(fight, combatant, path, full - narrowest)
    return narrowest


def fits(field: Battlefield, here: Square, there: Square, side: int) -> bool:
    """Say whether a space of that side has room at `there` and no thin wall bars the step from `here`."""
    return field.passable(there, side) and not bars_step(field, here, there, side)


def refuse_no_end(fight: Fight, combatant: Combatant, path: Sequence[Square], along: int) -> None:
    """Refuse an end where a combatant as long as it is wide elsewhere does not fit lengthwise."""
    if not along:
        return
    (x, y), before = path[-1], (combatant.at, *path)[-2]
    upright = x == before[0]
    last = (x, y)
    for step in range(along + 1):
        square = (x, y + step) if upright else (x + step, y)
        if not fits(fight.field, last, square, 1) or holders_of(fight, combatant, square, 1, 1):
            place = f"{square[0]},{square[1]}"
            raise Refusal(
                f"{combatant.id} is too long to end there: {place} is not free",
                fight.rule("woa.squeezing.space"),
            )
        last = square


def go_squeezed(
    fight: Fight, combatant: Combatant, path: Sequence[Square], full: int, side: int, *cites: str
) -> Steps[None]:
    """Go along a way found open, provoking step by step; at its end one takes up what fits there."""
    here = start = combatant.at
    done: list[Square] = []
    for there in path:
        found = who_may_strike(fight, combatant, here, there, "squeeze")
        if found:
            if done:
                yield squeezed_along(combatant, start, done, side, full, cites)
                start, done = here, []
            yield from attacks_of_opportunity.provoke_by_movement(fight, combatant, found)
            if is_down(fight, combatant) or combatant.at != here:
                return
        here = there
        done.append(there)
    yield squeezed_along(combatant, start, done, side, full, cites)
    yield from fight.dialect.movement.after_movement(fight, combatant)


def squeezed_along(
    combatant: Combatant, start: Square, path: Sequence[Square], side: int, full: int, cites: tuple[str, ...]
) -> Moved:
    """Return the fact of having squeezed along squares, and what one takes up then."""
    whole = (start, *path)
    last, before = whole[-1], whole[-2]
    along = (full - side) if full > side else 0
    upright = last[0] == before[0]
    diagonals = sum(1 for a, b in pairwise(whole) if a[0] != b[0] and a[1] != b[1])
    return Moved(
        who=combatant.id,
        start=start,
        path=tuple(path),
        feet=len(path) * SQUARE_FT,
        diagonals=diagonals,
        how="squeeze",
        space=side if full > 1 else 0,
        stretch=(0, along) if upright else (along, 0),
        cites=cites,
    )


def leave_tight_place(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End what a tight place costs once somebody has moved out of it, and let it take up its whole space."""
    tight = [name for name in TIGHT if name in combatant.conditions]
    if not tight:
        return
    full = space_and_reach(fight, combatant.sheet)[0]
    if full != combatant.space:
        if not fight.field.passable(combatant.at, full) or holders_of(
            fight, combatant, combatant.at, full, full
        ):
            return
        yield displaced(combatant, (), "room again", *fight.rules("woa.space.definition"), space=full)
    for name in tight:
        cites = fight.rules(TIGHT[name])
        yield ConditionLost(who=combatant.id, condition=name, why="has room again", cites=cites)
