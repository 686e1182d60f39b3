"""Being moved by a maneuver: how far, step by step, and to whom that gives an opening.

pf1.bull-rush, pf1.drag, pf1.reposition, pf1.feat.maneuver-greater.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from affray.engine.dialects.pf1.maneuvers.maneuver_check import Check
from affray.engine.dialects.pf1.maneuvers.maneuver_feats import GREATER, has_greater
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.rules.classes.natures import FLYING
from affray.engine.rules.movement.brink import fall_over, falls_at
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.rules.turns.prohibitions import permit
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

#: By so many points the CMD is exceeded for each further stretch: what the figures call `per_5`.
MARGIN: Final = 5


def feet_of(fight: Fight, check: Check, topic: str, figure: str = "ft") -> int:
    """Return how far a success moves its target: 5 feet, and 5 more for each 5 points over the CMD."""
    least, more = (int(fight.figure(topic, name)) for name in (figure, "per_5"))
    return least + check.times(MARGIN) * more


def choose_feet(fight: Fight, attacker: Combatant, most: int, topic: str, question: str) -> Steps[int]:
    """Ask how far of at most so many feet; the least is not asked about."""
    if most <= SQUARE_FT:
        return most
    options = tuple(str(feet) for feet in range(most, 0, -SQUARE_FT))
    return int((yield Choice(attacker.id, "push", question, options, fight.rule(topic))))


def forced_feet(path: Sequence[Square]) -> int:
    """Return the feet of a way from its first square on: every second diagonal counts two."""
    slanted = sum(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(path))
    return (len(path) - 1 + slanted // 2) * SQUARE_FT


def force(
    fight: Fight, attacker: Combatant, target: Combatant, there: Square, name: str, *cites: str
) -> Steps[bool]:
    """Move the target by a step of the maneuver `name`; return whether it is there and can be moved on.

    It provokes from nobody; by the Greater feat from the attacker's friends, once for the whole way. Over a
    brink it falls.
    """
    if has_greater(fight, attacker, name):
        friends = [
            one for one in threatening(fight, target) if one.side == attacker.side and one is not attacker
        ]
        opportunity = f"{name}:{fight.declaration}:{target.id}"
        reason = f"is moved by {attacker.id}"
        yield from fight.dialect.opportunity.provoke(
            fight, target, friends, reason, opportunity, fight.rule(GREATER)
        )
        if "dead" in target.conditions:
            return False
    if falls_at(fight, target, target.at, there):
        yield from fall_over(fight, target, there, name, *cites)
        return False
    yield displaced(target, (there,), name, *cites)
    yield from fight.dialect.grapple.parted(fight, target)
    return target.at == there


def refuse_to_go(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> None:
    """Refuse whoever goes along with its target what its state forbids it to go, as beyond a net's rope."""
    how = "fly" if FLYING in mover.conditions else "normal"
    permit(fight, acts.Move(actor=mover.id, path=path, how=how))


def refuse_without_move(fight: Fight, combatant: Combatant, rule: str) -> None:
    """Refuse to whoever has not both a standard and a move action left: a readied act leaves no movement."""
    if fight.readied == combatant.id:
        raise Refusal(f"{combatant.id} has no movement left for it", rule)
    refuse_unless_allowed(fight, combatant, "standard")
    used = combatant.spent.get("standard", 0) + combatant.spent.get("move", 0)
    if used + 2 > fight.dialect.turns.allowance(fight, combatant).total:
        raise Refusal(f"{combatant.id} needs a move and a standard action", rule)
