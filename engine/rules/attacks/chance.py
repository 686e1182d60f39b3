"""Chances in percent: a hundred-sided die that comes up with so much or less."""

from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import CheckResolved, MissChanceResolved
from affray.projections.state import Combatant

HUNDRED = "1d100"


def chance(
    who: Combatant, name: str, percent: int, why: str, *cites: str, hoped: bool = True, purpose: str = ""
) -> Steps[bool]:
    """Roll a chance as the check `name` and return whether it came up.

    That is a success, unless it is not `hoped` for; `purpose` names the roll where it is not `name`.
    """
    rolled = yield Roll(who.id, purpose or name.replace(" ", "-"), HUNDRED)
    up = bool(rolled.total <= percent)
    yield CheckResolved(
        who=who.id,
        check=name,
        key=rolled.key,
        natural=rolled.total,
        total=rolled.total,
        dc=percent,
        success=up is hoped,
        parts=(),
        why=why,
        cites=cites,
    )
    return up


def misses(
    attacker: Combatant, target: Combatant, percent: int, why: str, *cites: str, purpose: str = "miss-chance"
) -> Steps[bool]:
    """Roll the chance that a blow which hits misses all the same, and return whether it does."""
    rolled = yield Roll(attacker.id, purpose, HUNDRED)
    missed = bool(rolled.total <= percent)
    yield MissChanceResolved(
        attacker=attacker.id,
        target=target.id,
        percent=percent,
        key=rolled.key,
        rolled=rolled.total,
        missed=missed,
        why=why,
        cites=cites,
    )
    return missed
