"""The points of this chapter where nothing special happens."""

from affray.engine.blow import Blow
from affray.engine.fight import Fight
from affray.engine.steps import Steps
from affray.projections.state import Combatant, Effect


def as_made(fight: Fight, blow: Blow) -> Steps[str]:
    """Return the type of damage as the weapon's entry has it."""
    return blow.weapon.damage_type
    yield


def nothing_due(fight: Fight, who: Combatant) -> Steps[None]:
    """Begin a turn with nothing of the kind."""
    return
    yield


def stays(fight: Fight, who: Combatant, effect: Effect) -> Steps[None]:
    """Let an effect end without anything more."""
    return
    yield
