"""What classes of pf1 give so many times a day, by the names under which it is used up."""

from collections.abc import Iterator

from affray.engine.dialects.pf1.classes import rage, smite
from affray.engine.dialects.pf1.classes.channeling import channel_of
from affray.engine.fight.fight import Fight
from affray.projections.state import Combatant


def daily_pools(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the rounds of rage, the smitings and the channelings of a day."""
    if "barbarian" in combatant.sheet.classes or "rage" in combatant.sheet.traits:
        yield rage.RAGE, rage.rounds_a_day(fight, combatant)
    if combatant.sheet.classes.get("paladin"):
        yield smite.SMITE, smite.smites_a_day(fight, combatant)
    found = channel_of(fight, combatant)
    if found is not None:
        yield found.pool, found.uses
