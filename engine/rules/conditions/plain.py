"""The plain values of the chapter on conditions: complete, for a dialect to start from."""

from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import Conditions
from affray.engine.record.silent import no_rules, nothing
from affray.engine.rules.classes.ability_scores import printed_scores
from affray.engine.rules.damage.injury import apart_from_hit_points, go_limp, state_of
from affray.engine.rules.turns.expiry import end_condition
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained


def gained_apart(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition that something else than hit points brings about, with what comes of it besides."""
    combatant = fight.combatant(fact.who)
    had = fact.condition in combatant.conditions
    yield apart_from_hit_points(fact)
    if not had:
        yield from go_limp(fight, combatant, fact.condition)


def start_apart(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a combatant enter under a condition, told from what its hit points call for."""
    called_for = state_of(fight, fight.combatant(fact.who))[0]
    yield fact if fact.condition == called_for else apart_from_hit_points(fact)


PLAIN_CONDITIONS = Conditions(
    acts={},
    table={},
    states=frozenset(),
    leveled=frozenset(),
    degrees={},
    paired=frozenset(),
    cast=frozenset(),
    local=frozenset(),
    unthreatening=frozenset({"grappling", "grappled"}),
    gain=gained_apart,
    lapses=nothing,
    start=start_apart,
    time_over=end_condition,
    over=nothing,
    felling=frozenset({"unconscious", "dying", "stable", "dead"}),
    limp=nothing,
    take_rider=nothing,
    immune_mind=no_rules,
    immune_natures={},
    score_steps=printed_scores,
)
