"""The points of this chapter where nothing special happens."""

from affray.engine.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained


def gained_as_is(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition, whatever else there is."""
    yield fact
