"""What a creature's kind keeps off, and how a condition comes over somebody.

srd35.creature-immunities, srd35.cond.combine.
"""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.classes.natures import natures_of
from affray.engine.rules.gear.let_go import drop_all
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

LAST_ROUND = 1_000_000
OF_THE_BODY = "Fortitude effects not affecting objects"


def immunity_to(fight: Fight, victim: Combatant, *kinds: str) -> str:
    """Return which of these kinds of harm a creature is immune to by nature or a trait, "" for none."""
    table = fight.figure("srd35.creature-immunities")
    natures = natures_of(victim)
    return next((kind for kind in kinds if keeps_off(table, natures, kind)), "")


def keeps_off(table: Mapping[str, Sequence[str]], natures: Collection[str], kind: str) -> bool:
    """Say whether one of these natures, or a trait of its own among them, keeps off a kind of harm."""
    return f"immunity to {kind}" in natures or any(kind in table.get(one, ()) for one in natures)


def unaffected_fact(fight: Fight, combatant: Combatant, name: str, kind: str) -> RuleApplied:
    """Return the fact that something does nothing to a creature of that kind."""
    what = f"{name} does nothing: {combatant.sheet.kind}, immunity to {kind}"
    return RuleApplied(who=combatant.id, what=what, cites=(fight.rule("srd35.creature-immunities"),))


def untouched(fight: Fight, victim: Combatant, what: str) -> RuleApplied | None:
    """Return that what withers, chokes or sickens a body does nothing to a creature, None if it does."""
    kind = immunity_to(fight, victim, OF_THE_BODY)
    return unaffected_fact(fight, victim, what, kind) if kind else None


def is_spared_fortitude(fight: Fight, victim: Combatant) -> bool:
    """Say whether what calls for a Fortitude save, and is nothing to a thing, is nothing to a creature."""
    return bool(immunity_to(fight, victim, OF_THE_BODY))


def spared_fortitude(fight: Fight, victim: Combatant, what: str) -> Steps[bool]:
    """Tell of a creature that nothing withers, chokes or sickens it, and say whether that is so.

    `what` calls for a Fortitude save and would do nothing to a thing (srd35.creature-immunities).
    """
    if (fact := untouched(fight, victim, what)) is not None:
        yield fact
        return True
    return False


def spared_hazard(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Tell that a danger to the body alone does nothing to the target of a hazard."""
    yield unaffected_fact(fight, fight.combatant(act.target), act.source, OF_THE_BODY)


def is_hazard_to_body(fight: Fight, act: acts.Hazard) -> bool:
    """Say whether a hazard is one to living bodies alone, and its target has none."""
    return is_spared_fortitude(fight, fight.combatant(act.target))


def spared_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Tell of a spell on living bodies alone that it does nothing to a target that has none, and say so."""
    return spared_fortitude(fight, target, spell.name)


def gain_unless_immune(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition to whoever is not immune; what combines with one held already follows the worse.

    The same condition again lasts as long as the longer; fatigue upon fatigue is exhaustion; what empties
    the hands drops all that they hold (srd35.cond.combine, .fatigued, .stunned).
    """
    combatant = fight.combatant(fact.who)
    rule = rule_of(fight, fact.condition)
    if kind := immunity_to(fight, combatant, *rule.spared):
        yield unaffected_fact(fight, combatant, fact.condition, kind)
        return
    if fact.condition == "fatigued" and "fatigued" in combatant.conditions:
        fact = replace(fact, condition="exhausted", cites=(*fact.cites, fight.rule("srd35.cond.fatigued")))
    if fact.condition == "exhausted" and "fatigued" in combatant.conditions:
        cites = fight.rules("srd35.cond.combine")
        yield ConditionLost(who=combatant.id, condition="fatigued", why="exhausted", cites=cites)
    worse = "exhausted" if fact.condition == "fatigued" else fact.condition
    held = combatant.conditions.get(worse)
    if held is not None:
        fact = replace(fact, cites=(*fact.cites, fight.rule("srd35.cond.combine")))
        if worse != fact.condition or last_round_of(held.until) >= last_round_of(fact.until):
            yield RuleApplied(who=combatant.id, what=f"is {worse} already, and for as long", cites=fact.cites)
            return
    yield fact
    if rule.empties:
        yield from drop_all(fight, combatant, fight.rules(rule.topic))


def last_round_of(until: Until) -> int:
    """Return the round to which something lasts; what has no end lasts longest."""
    return until.round if until.when else LAST_ROUND
