"""What forbids a step, and what it brings about (srd35.terrain.*, srd35.obstacle.*, srd35.special-move.*)."""

from collections.abc import Sequence
from itertools import pairwise

from affray.engine.dialects.srd35.movement.step_costs import barriers_between, ground_topics
from affray.engine.dialects.srd35.position.escape_artist import stop_wriggling
from affray.engine.dialects.srd35.position.inside_objects import COMBAT, enters_object
from affray.engine.dialects.srd35.position.pass_through import may_stop, very_small
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Battlefield, Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.line import line_of_effect
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.natures import CLEAR_OF_GROUND, nature_among
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.movement.obstacle_checks import overcome
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.occupants import holders_of
from affray.engine.rules.position.place import anchors_of
from affray.engine.rules.position.squeezing import (
    Form,
    settle_in,
    taken_up,
)
from affray.engine.rules.position.tight_form import WRIGGLING
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def refuse_rough(fight: Fight, mover: Combatant, path: Sequence[Square], what: str, rule: str) -> None:
    """Refuse to run, charge or take a 5-foot step (`what`) across ground that hampers the mover."""
    form = Form(mover.space, mover.stretch)
    if form.squeezed and what == "charge":
        raise Refusal(f"{mover.id} squeezes and cannot charge", rule)
    for square in path:
        names = [] if nature_among(mover, CLEAR_OF_GROUND) else ground_topics(fight, square, form)
        if names:
            rough = names[0] == "terrain.difficult-cost" and what == "run"
            raise Refusal(
                f"the ground at {square[0]},{square[1]} forbids to {what}",
                fight.rule("srd35.terrain.difficult-no-run-charge") if rough else rule,
            )
    if what == "charge" and not nature_among(mover, CLEAR_OF_GROUND):
        for here, there in pairwise((mover.at, *path)):
            if barriers_between(fight, here, there, form):
                raise Refusal(f"an obstacle before {there[0]},{there[1]} hinders the charge", rule)


def step_needs_check(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether an obstacle asks for a check before a step can be taken."""
    if not fight.state.barriers or nature_among(mover, CLEAR_OF_GROUND):
        return False
    crossed = barriers_between(fight, here, there, Form(mover.space, mover.stretch))
    return any(barrier.check for barrier in crossed)


def check_before_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[bool]:
    """Make the skill check that an obstacle asks for; a failure ends the movement before it."""
    return overcome(fight, mover, barriers_between(fight, here, there, Form(mover.space, mover.stretch)))


def step_is_told(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether a step leads into an object, or so small a creature into a held square."""
    if WRIGGLING in mover.conditions or enters_object(fight, mover, here, there):
        return True
    return very_small(fight, mover.sheet) and bool(holders_of(fight, mover, there, 1, 1))


def after_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[None]:
    """Let squeezing begin or end; let enemies strike at a very small creature that enters a held square.

    By a 5-foot step it provokes from those alone into whose square it must go to reach them, and not at all
    where `step_into_opponent` has it so (srd35.pass.very-small-provokes, srd35.size.tiny-entering-provokes).
    """
    yield from stop_wriggling(fight, mover)
    if enters_object(fight, mover, here, there):
        what = f"passes into the object at {there[0]},{there[1]}"
        yield RuleApplied(who=mover.id, what=what, cites=fight.rules(COMBAT))
    yield from settle_in(fight, mover, taken_up(fight, mover, here, there, how))
    held = holders_of(fight, mover, there, 1, 1)
    if not held or not very_small(fight, mover.sheet) or has_trait(mover, "swarm"):
        return
    enemies = [enemy for enemy in fight.enemies(mover) if threatens(fight, enemy, mover)]
    intruded_on = [] if mover.reach else [enemy for enemy in enemies if enemy in held]
    if how == "step":
        enemies = [] if fight.option("step_into_opponent") == "never" else intruded_on

    def intruded(enemy: Combatant) -> tuple[str, ...]:
        return fight.rules("srd35.size.tiny-entering-provokes") if enemy in intruded_on else ()

    yield from fight.dialect.opportunity.provoke(
        fight,
        mover,
        enemies,
        "enters an occupied square",
        f"enters:{fight.declaration}:{there[0]},{there[1]}",
        fight.rule("srd35.pass.very-small-provokes"),
        more=intruded,
    )


def step_aside(fight: Fight, mover: Combatant, legal: Square) -> Steps[None]:
    """Put a mover who was stopped where it may not stay back where it last could, or nearer if it can.

    Of places equally near a die decides (srd35.special-move.illegal-space, srd35.distance.closest-tie).
    """
    if mover.at == legal or may_stop(fight, mover, mover.at):
        return
    near = nearer(fight, mover, distance_ft(mover.at, legal))
    cites = [fight.rule("srd35.special-move.illegal-space")]
    to = legal
    if len(near) > 1:
        rolled = yield Roll(mover.id, "closest", f"1d{len(near)}")
        to = near[rolled.total - 1]
        cites.append(fight.rule("srd35.distance.closest-tie"))
    elif near:
        to = near[0]
    yield displaced(
        mover, (to,), "to the closest legal place" if near else "back to the last legal place", *cites
    )


def nearer(fight: Fight, mover: Combatant, limit: int) -> list[Square]:
    """Return the nearest places, closer than `limit` feet, where a mover may stand, row by row."""
    field: Battlefield = fight.field
    x, y = mover.at
    most = limit // SQUARE_FT
    found: dict[int, list[Square]] = {}
    for dy in range(-most, most + 1):
        for dx in range(-most, most + 1):
            at = (x + dx, y + dy)
            feet = distance_ft(mover.at, at)
            if (
                0 < feet < limit
                and all(field.passable(one, mover.space) for one in anchors_of(mover, at))
                and may_stop(fight, mover, at)
                and line_of_effect(field, mover.at, mover.space, at, mover.space)
            ):
                found.setdefault(feet, []).append(at)
    return found[min(found)] if found else []
