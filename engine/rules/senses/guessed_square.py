"""Who is struck by a blow into a square where somebody unseen is thought to be."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.position.place import squares_of
from affray.engine.steps import Refusal
from affray.projections.state import Combatant


def unseen_in_square(
    fight: Fight, attacker: Combatant, at: Square, unseen: Callable[[Combatant], bool], rule: str
) -> Combatant | None:
    """Return who unseen stands in a square, an enemy first, friends too; None if the guess is wrong.

    Refuses a square where only those stand whom the attacker sees: they are attacked by name
    (srd35.concealment.total-attack-square, woa.concealment.total.blind-attack).
    """
    there = [
        one
        for one in fight.state.combatants.values()
        if one is not attacker and "dead" not in one.conditions and at in squares_of(one)
    ]
    hidden = [one for one in there if unseen(one)]
    if there and not hidden:
        raise Refusal(f"{there[0].id} is seen there: name it as the target", rule)
    return min(hidden, key=lambda one: one.side == attacker.side, default=None)
