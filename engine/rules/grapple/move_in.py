"""Into the space of whom one has taken hold of, to keep the grapple up (srd35.grapple.maintain-*)."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.line import can_be_put
from affray.engine.rules.grapple.holds import end_grapple
from affray.engine.rules.movement.closest_place import make_room
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.chosen_square import choose_square
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def move_in(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[bool]:
    """Move into the target's space, free but not unseen; who cannot, lets go.

    srd35.grapple.maintain-move, srd35.grapple.maintain-provokes, srd35.grapple.maintain-fail,
    futurepath.grapple.start.step-4-maintain, futurepath.grapple.start.cannot-move-in.

    Neither does it find room where others stand, nor can whom it seizes on its way through somebody's square
    stay there (srd35.special-move.illegal-space).
    """
    if target in occupants(fight, grappler, grappler.at):
        return True
    may_stop = fight.dialect.movement.may_stop
    if target.id == fight.state.active and not may_stop(fight, target, target.at):
        yield from make_room(fight, target)
    x, y = target.at
    side = grappler.space - 1
    places = [(x + dx, y + dy) for dx in range(-side, target.space) for dy in range(-side, target.space)]
    open_to = [
        place
        for place in places
        if can_be_put(fight.field, grappler.at, grappler.space, place, grappler.space)
        and may_stop(fight, grappler, place)
    ]
    enemies = [enemy for enemy in threatening(fight, grappler) if enemy is not target]
    if open_to:
        yield from fight.dialect.opportunity.provoke(
            fight,
            grappler,
            enemies,
            f"moves into the space of {target.id}",
            fight.dialect.opportunity.opportunity_name(fight, grappler),
            fight.rule("grapple.maintain-provokes"),
        )
    if not open_to or is_down(fight, grappler):
        fail = fight.rule("grapple.maintain-fail")
        yield from end_grapple(fight, grappler, target, "cannot move in", fail)
        return False
    open_to.sort(key=lambda at: (distance_ft(grappler.at, at), at))
    rule = fight.rule("grapple.maintain-move")
    question = f"where in the space of {target.id} does {grappler.id} move?"
    place = yield from choose_square(grappler.id, "in", question, open_to, rule)
    yield displaced(grappler, (place,), "grapple", rule)
    return True
