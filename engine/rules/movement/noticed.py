"""Whom a mover knows of, and who unseen keeps it from a step: what is declared is judged by the first alone.

srd35.concealment.total-definition, pf1.concealment, futurepath.concealment.total-guess-location,
woa.concealment.total.invisibility.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.steps import Refusal
from affray.projections.state import Combatant

#: Ways of moving that lead over others: only where they end somebody can be in the way.
OVERHEAD: Final = ("fly", "stunt")


class Met(Struct, frozen=True, gc=False):
    """Those unseen who are in the way: in which place, and the rule by which one does not get through."""

    those: Sequence[Combatant]
    at: Square
    rule: str


def knows_of(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Say whether a mover, or who rides it, knows that another stands where it stands."""
    locates = fight.dialect.senses.locates
    if locates(fight, mover, other):
        return True
    rider = fight.state.combatants.get(mover.rider) if mover.rider else None
    return rider is not None and (rider is other or locates(fight, rider, other))


def noticed(fight: Fight, mover: Combatant, others: Iterable[Combatant]) -> list[Combatant]:
    """Return those of others of whose place a mover knows: who judges its way counts no others."""
    return [one for one in others if knows_of(fight, mover, one)]


@per_scene(*("mover.id", "here", "there", "last", "how"))
def met_unseen(
    fight: Fight, mover: Combatant, here: Square, there: Square, last: bool, how: str
) -> Met | None:
    """Return who unseen keeps a mover from this step, None if nobody does: some are passed, seen or not."""
    if how in OVERHEAD and not last:
        return None
    movement = fight.dialect.movement
    others = movement.in_way(fight, mover, here, there, last, how)
    unseen = [one for one in others if not knows_of(fight, mover, one)] if others else others
    if unseen:
        try:
            movement.refuse_entry(fight, mover, there, unseen, last, None, how)
        except Refusal as refusal:
            return Met(unseen, there, refusal.rule)
    return None
