"""Energy drain: negative levels, what they cost, and what becomes of them (srd35.energy-drain.*)."""

from affray.engine.dialects.srd35.conditions.ability_loss import hit_point_adjustment, readjust_hit_points
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.levels import character_level
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.damage.temporary_hit_points import lend_hit_points
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import (
    AfflictionEnded,
    AfflictionHeld,
    ConditionGained,
    ConditionLost,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Affliction, Combatant

DRAINED = "energy drained"
LEVEL = Rider("negative level", "energy drain", "contact", "fort")
MINUTES_AN_HOUR = 60


def negative_levels(
    fight: Fight, combatant: Combatant, levels: int, by: Combatant | None, source: str
) -> Steps[None]:
    """Give negative levels: penalties, 5 hit points and a spell each; as many as Hit Dice kill.

    The drainer gains temporary hit points for each (srd35.energy-drain.level, .save,
    srd35.cond.energy-drained).
    """
    had = combatant.conditions[DRAINED].level if DRAINED in combatant.conditions else 0
    before = hit_point_adjustment(fight, combatant)
    rules = fight.rules("srd35.cond.energy-drained", "srd35.energy-drain.level")
    yield ConditionGained(who=combatant.id, condition=DRAINED, source=source, level=had + levels, cites=rules)
    hours = fight.figure("srd35.energy-drain.save", "hours")
    for _ in range(levels):
        yield AfflictionHeld(
            who=combatant.id,
            id=fight.key(combatant.id, "negative-level"),
            rider=LEVEL,
            by=by.id if by is not None else source,
            dc=drain_dc(fight, by),
            minute=fight.state.minutes + hours * MINUTES_AN_HOUR,
            cites=fight.rules("srd35.energy-drain.save"),
        )
        yield from lose_spell(fight, combatant)
    if had + levels >= max(1, combatant.sheet.hit_dice):
        yield from change_health(fight, combatant, "dead", source, "srd35.cond.energy-drained")
    else:
        yield from readjust_hit_points(
            fight, combatant, before, source, fight.rule("srd35.energy-drain.level")
        )
    if by is not None and "dead" not in by.conditions:
        points = levels * fight.figure("srd35.energy-drain.save", "temp_hp")
        yield from lend_hit_points(
            fight, by, points, "energy drain", Until("rest", by.id), fight.rule("srd35.energy-drain.save")
        )


def start_drained(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a combatant enter with negative levels, which take hit points and spells from what it has."""
    by = fight.state.combatants.get(fact.source)
    return negative_levels(fight, fight.combatant(fact.who), fact.level, by, fact.source)


def drain_one_or_more(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give the negative levels that a condition of that name stands for: its level, at least one."""
    by = fight.state.combatants.get(fact.source)
    return negative_levels(fight, fight.combatant(fact.who), max(1, fact.level), by, fact.source)


def drain_dc(fight: Fight, by: Combatant | None) -> int:
    """Return the DC to shake a negative level off: 10 + half the drainer's Hit Dice + Charisma."""
    dc = fight.formula("srd35.energy-drain.save", "dc")
    return dc + (character_level(by) // 2 + ability_now(fight, by, "cha") if by is not None else 0)


def lose_spell(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Take one spell of the highest level that is left; of several the caster chooses which.

    srd35.energy-drain.level
    """
    left = [
        one for one in combatant.sheet.spells if one.uses and combatant.resources.get(one.name, 0) < one.uses
    ]
    if not left:
        return
    rule, highest = fight.rule("srd35.energy-drain.level"), max(one.level for one in left)
    names = tuple(one.name for one in left if one.level == highest)
    lost = names[0]
    if len(names) > 1:
        question = f"a negative level costs {combatant.id} a spell: which one?"
        lost = yield Choice(combatant.id, "lost-spell", question, names, rule)
    yield ResourceSpent(who=combatant.id, resource=lost, amount=1, cites=(rule,))


def save_against_level(fight: Fight, combatant: Combatant, level: Affliction) -> Steps[None]:
    """Save against a negative level a day later: it is gone, or a real level is (srd35.energy-drain.save)."""
    rule = fight.rule("srd35.energy-drain.save")
    saved = yield from saving_throw(fight, combatant, "fort", level.dc, "a negative level", rule)
    yield AfflictionEnded(
        who=combatant.id, id=level.id, why="shaken off" if saved else "a level is lost", cites=(rule,)
    )
    if not saved:
        yield RuleApplied(
            who=combatant.id, what="loses a level for good: its sheet is to be lowered by one", cites=(rule,)
        )
    before = hit_point_adjustment(fight, combatant)
    left = combatant.conditions[DRAINED].level - 1 if DRAINED in combatant.conditions else 0
    if left > 0:
        source = combatant.conditions[DRAINED].source
        yield ConditionGained(who=combatant.id, condition=DRAINED, source=source, level=left, cites=(rule,))
    elif DRAINED in combatant.conditions:
        yield ConditionLost(
            who=combatant.id, condition=DRAINED, why="no negative level is left", cites=(rule,)
        )
    if saved:
        yield from readjust_hit_points(fight, combatant, before, "a negative level is gone", rule)
