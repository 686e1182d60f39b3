"""What walls between squares forbid to any declaration, however its resolver goes about it."""

from itertools import pairwise

from affray.engine.fight.fight import Fight
from affray.engine.fight.walled_field import WALL
from affray.engine.grid.battlefield import Side, Square, side_between
from affray.engine.grid.reach import space
from affray.engine.grid.thin_walls import walls_met
from affray.engine.rules.classes.natures import ETHEREAL, INCORPOREAL, nature_among
from affray.engine.rules.position.line_of_effect import line_between, sees
from affray.engine.rules.position.place import footprint, next_to
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.acts import Act
from affray.projections.state import Combatant

#: Those by nature whom no wall stops on their way.
BODILESS = frozenset({ETHEREAL, INCORPOREAL})


def refuse_through_walls(fight: Fight, actor: Combatant, act: Act) -> None:
    """Refuse a way through a wall or a closed door between squares, and what is done to somebody behind one.

    What is done at a distance is judged by the cover of whom it is done to (srd35.obstacle.blocking,
    srd35.cover.total-no-attack, pf1.terrain.obstacle, pf1.cover.total, futurepath.assumed.ground,
    futurepath.attack.ranged.line-of-sight, woa.terrain.obstacle.blocking, woa.cover.total).
    """
    path = getattr(act, "path", ())
    if path and not nature_among(actor, BODILESS):
        # A path leads the actor, its mount, or whom it moves. Who squeezes takes up less: its own rules look.
        mover = fight.state.combatants[actor.mount or actor.id]
        if isinstance(act, acts.Reposition):
            mover = fight.combatant(act.target)
        side = 1 if isinstance(act, acts.Move | acts.Withdraw) else mover.space
        for here, there in pairwise((mover.at, *path)):
            if met := _crossed(fight, here, there, side):
                door = _closed_door(fight, met)
                what = f"the {door} is closed and" if door else "a wall"
                how = f": open it first (handle, what open, item {door})" if door else ""
                reason = f"{what} bars the way from {here[0]},{here[1]} to {there[0]},{there[1]}{how}"
                raise Refusal(reason, fight.rule("obstacle.blocking"))
    target = fight.state.combatants.get(getattr(act, "target", "") or "")
    if target is not None and next_to(actor, target) and not sees(fight, actor, target):
        reason = f"a wall stands between {actor.id} and {target.id}"
        raise Refusal(reason, fight.rule("cover.total-no-attack"))


def is_walled_off(fight: Fight, combatant: Combatant, target: Combatant, at: Square | None) -> bool:
    """Say whether walls keep every line from a combatant off a target, or off that with its anchor there."""
    place, side, stretch = footprint(target)
    clear = line_between(fight, *footprint(combatant), place if at is None else at, side, stretch)
    return not clear and bool(fight.dialect.position.walls_part(fight, combatant, target))


def _crossed(fight: Fight, here: Square, there: Square, side: int) -> set[Side]:
    """Return the walls that the way from the middle of any square of a space to that of the next crosses."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    return {
        met
        for x, y in space(here, side)
        for met in walls_met(
            fight.field.sides, (2 * x + 1, 2 * y + 1), (2 * (x + dx) + 1, 2 * (y + dy) + 1), 2
        )
    }


def _closed_door(fight: Fight, met: set[Side]) -> str:
    """Return the name of the door that alone makes up these walls, "" where anything else is among them."""
    names = {side_between(one.here, one.there): one.door for one in fight.state.barriers if one.cover == WALL}
    found = {names.get(side, "") for side in met}
    return found.pop() if len(found) == 1 else ""
