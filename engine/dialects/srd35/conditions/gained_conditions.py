"""How a condition comes over a combatant, and what comes of it besides (srd35.cond.*)."""

from affray.engine.dialects.srd35.conditions.combined_conditions import gain_combined
from affray.engine.dialects.srd35.conditions.fear import FEAR, frighten
from affray.engine.dialects.srd35.damage.injury import below_death_line
from affray.engine.fight.fight import Fight
from affray.engine.rules.damage.injury import apart_from_hit_points, go_limp
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained


def start_dead(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a combatant enter dead: below its death line, as if killed outright (srd35.death-effects)."""
    yield fact
    yield from below_death_line(fight, fight.combatant(fact.who))


def gain_with_consequences(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition with what comes of it: fear adds up, panic drops things, death is final.

    Whoever is left at anybody's mercy holds on to nothing and nobody (srd35.cond.fear-ladder,
    srd35.cond.panicked, srd35.cond.paralyzed, srd35.death-effects).
    """
    combatant = fight.combatant(fact.who)
    if fact.condition in FEAR:
        yield from frighten(fight, combatant, fact)
        return
    had = fact.condition in combatant.conditions
    yield from gain_combined(fight, apart_from_hit_points(fact))
    if had or fact.condition not in combatant.conditions:
        return
    if fact.condition == "dead":
        yield from below_death_line(fight, combatant)
    yield from go_limp(fight, combatant, fact.condition)
