"""Through the squares of others: who lets whom pass, and by which rule (pf1.pass.*)."""

from typing import Final

from affray.engine.fight.fight import Fight, is_helpless
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
