"""Through the squares of others: who lets whom pass, and by which rule (pf1.pass.*)."""

from typing import Final

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.projections.state import Combatant

#: The trait of what remains an obstacle even when it is helpless.
BULKY: Final = "bulky"
SWARM: Final = "swarm"


def rule_of_passing(fight: Fight, mover: Combatant, other: Combatant, how: str) -> str:
    """Return the topic of the rule that lets a mover through another's square, "" if none does.

    Friends, the helpless, and those of very different size; a charge leads past the helpless alone
    (pf1.pass.friend, pf1.pass.opponent, pf1.pass.size, pf1.charge.no-blocking).
    """
    if is_helpless(fight, other):
        return "pf1.charge.no-blocking" if how == "charge" else "pf1.pass.opponent"
    if other.side == mover.side:
        return "pf1.pass.friend"
    if passes_as_swarm(mover, other):
        return "pf1.creature.swarm"
    return "pf1.pass.size" if fight.dialect.movement.may_pass(fight, mover, other) else ""


def lets_pass(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Say whether somebody lets a mover through its square: a friend, whoever is helpless, a swarm."""
    return other.side == mover.side or is_helpless(fight, other) or passes_as_swarm(mover, other)


def passes_as_swarm(mover: Combatant, other: Combatant) -> bool:
    """Say whether one of two is a swarm, which passes others and is passed (pf1.creature.swarm)."""
    return has_trait(mover, SWARM) or has_trait(other, SWARM)
