"""Through the squares of others: who lets whom pass, and by which rule (pf1.pass.*)."""

from collections.abc import Iterable
from typing import Final

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.rules.maneuvers.trample import TRAMPLE, runs_over
from affray.engine.rules.movement.footing import refuse_held
from affray.engine.rules.movement.unseen import noticed
from affray.engine.rules.position.occupants import holders_of
from affray.engine.rules.position.squeezing import form_at
from affray.projections.state import Combatant

#: The trait of what remains an obstacle even when it is helpless.
BULKY: Final = "bulky"


def rule_of_passing(fight: Fight, mover: Combatant, other: Combatant, how: str) -> str:
    """Return the topic of the rule that lets a mover through another's square, "" if none does.

    Friends, the helpless, and those of very different size; a charge leads past the helpless alone
    (pf1.pass.friend, pf1.pass.opponent, pf1.pass.size, pf1.charge.no-blocking).
    """
    if is_helpless(fight, other):
        return "pf1.charge.no-blocking" if how == "charge" else "pf1.pass.opponent"
    if other.side == mover.side:
        return "pf1.pass.friend"
    return "pf1.pass.size" if fight.dialect.movement.may_pass(fight, mover, other) else ""


def lets_pass(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Say whether somebody lets a mover through its square: a friend, or whoever is helpless."""
    return other.side == mover.side or is_helpless(fight, other)


def refuse_step(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step that the map forbids, or others of whom it knows, to what the mover takes up there."""
    form = form_at(fight, mover, here, there, how, through)
    if others := holders_of(fight, mover, there, form.columns, form.rows):
        refuse_entry = fight.dialect.movement.refuse_entry
        refuse_entry(fight, mover, there, noticed(fight, mover, others), last, through, how)


def refuse_untrampled(
    fight: Fight,
    mover: Combatant,
    at: Square,
    others: Iterable[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a square that others hold, but for those whom a trample runs over on its way."""
    if how == TRAMPLE and not last:
        others = [one for one in others if not runs_over(mover, one)]
    refuse_held(fight, mover, at, others, last, through, how)
