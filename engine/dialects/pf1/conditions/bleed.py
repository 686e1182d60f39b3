"""Bleeding: what it costs at the start of each turn, and what stops it (pf1.cond.bleed)."""

import re
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

BLEED = "bleed"
TOPIC = "pf1.cond.bleed"
#: What bleeding may cost a round.
DICE: Final = re.compile(r"(?P<count>[1-9]\d?)d(?P<sides>[1-9]\d{0,2})(?P<more>[+-]\d{1,3})?")


def damage_of(source: str, level: int) -> str:
    """Return what bleeding costs a round: what its source ends with ("bleed 1d6"), else its level.

    A whole number, or dice; 1 where neither says anything.
    """
    said = source.rpartition(" ")[2]
    if DICE.fullmatch(said) or (said.isdecimal() and int(said)):
        return said
    return str(max(1, level))


def severity(damage: str) -> float:
    """Return what a wound of that damage costs a round on average."""
    dice = DICE.fullmatch(damage)
    if dice is None:
        return int(damage)
    return int(dice["count"]) * (int(dice["sides"]) + 1) / 2 + int(dice["more"] or 0)


def gain_bleed(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a combatant bleed; of two wounds the worse counts, they do not add up (pf1.cond.bleed)."""
    combatant = fight.combatant(fact.who)
    held = combatant.conditions.get(BLEED)
    rule = fight.rule(TOPIC)
    if held is not None:
        has = damage_of(held.source, held.level)
        if severity(has) >= severity(damage_of(fact.source, fact.level)):
            yield RuleApplied(who=combatant.id, what=f"bleeds for {has} already", cites=(rule,))
            return
    cites = tuple(dict.fromkeys((*fact.cites, rule)))
    yield ConditionGained(
        who=fact.who,
        condition=BLEED,
        source=fact.source,
        until=fact.until,
        level=fact.level,
        cites=cites,
    )


def bleed(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Lose what bleeding costs, as a turn begins (pf1.cond.bleed)."""
    if "dead" in combatant.conditions:
        return
    held = combatant.conditions[BLEED]
    damage = damage_of(held.source, held.level)
    if damage.isdecimal():
        points = int(damage)
    else:
        rolled = yield Roll(combatant.id, BLEED, damage)
        points = max(0, rolled.total)
    harm = Harm(combatant, points, BLEED, "bleeding", cites=fight.rules(TOPIC))
    yield from fight.dialect.damage.suffer(fight, harm)


def stop_bleeding(fight: Fight, combatant: Combatant, why: str) -> ConditionLost:
    """Return the fact that a combatant bleeds no more."""
    return ConditionLost(who=combatant.id, condition=BLEED, why=why, cites=fight.rules(TOPIC))
