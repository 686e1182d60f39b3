"""Falling in futurepath, whose text does not tell what a fall does (futurepath.assumed.ground)."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def fall(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Fall so many feet and lie prone; the game master says what it does (futurepath.assumed.ground)."""
    cites = fight.rules("futurepath.assumed.ground")
    what = f"falls {feet} ft.: what that does the game master says"
    yield RuleApplied(who=mover.id, what=what, cites=cites)
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="a fall", cites=cites)
