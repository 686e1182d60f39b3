"""The plain values of the chapter on conditions: complete, for a dialect to start from."""

from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import Conditions
from affray.engine.record.silent import no_rules, nothing
from affray.engine.rules.classes.ability_scores import printed_scores
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained


def gained_as_is(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition as the fact says, whatever others there are."""
    yield fact


PLAIN_CONDITIONS = Conditions(
    acts={},
    table={},
    states=frozenset(),
    leveled=frozenset(),
    gain=gained_as_is,
    start=gained_as_is,
    take_rider=nothing,
    immune_mind=no_rules,
    score_steps=printed_scores,
)
