"""Casting in a grapple: hardly possible, with concentration (woa.grapple.activity.cast)."""

from affray.engine.dialects.woa.magic import concentration
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.steps import Steps, onward
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.projections.state import Combatant

#: What a casting costs, before anything comes of it.
COSTS = (ActionSpent, ReactionSpent, ResourceSpent)


def casting_in_grapple(fight: Fight, act: acts.Cast, casting: Steps[None]) -> Steps[None]:
    """Cast; a grappler needs concentration once the cost is paid (woa.grapple.activity.cast)."""
    grappler = fight.state.combatants.get(act.actor)
    if grappler is None or "grappling" not in grappler.conditions or is_special_ability(grappler, act.spell):
        yield from casting
        return
    step = next(casting, None)
    while isinstance(step, COSTS) or (isinstance(step, ConditionGained) and step.condition == "casting"):
        yield step
        step = next(casting, None)
    if (yield from keeps_concentration(fight, grappler, act.spell)) and step is not None:
        yield from onward(casting, step)


def is_special_ability(combatant: Combatant, name: str) -> bool:
    """Say whether something is an ability of a creature, and no spell that it casts."""
    return any(one.name == name and one.ability for one in combatant.sheet.spells)


def keeps_concentration(fight: Fight, combatant: Combatant, name: str) -> Steps[bool]:
    """Check concentration against 20 and twice the spell's level, and the damage taken this round.

    A failure loses the spell (woa.grapple.activity.cast, woa.spell.fizzle).
    """
    spell = next(one for one in combatant.sheet.spells if one.name == name)
    topic = "woa.grapple.activity.cast"
    rule = fight.rule(topic)
    base, each = str(fight.figure(topic, "dc")).split(" + ")
    hurt = combatant.conditions.get(concentration.DISTURBED)
    dc = int(base) + int(each.split()[0]) * spell.level + (hurt.level if hurt is not None else 0)
    why = "while grappling" + (f", struck for {hurt.level}" if hurt is not None else "")
    kept = yield from check(
        fight,
        combatant,
        "concentration",
        concentration.concentration_parts(fight, combatant),
        dc,
        rule,
        why=why,
    )
    if hurt is not None:
        yield ConditionLost(who=combatant.id, condition=concentration.DISTURBED, why="settled", cites=(rule,))
    if not kept:
        yield RuleApplied(who=combatant.id, what=f"{name} is lost", cites=(fight.rule("woa.spell.fizzle"),))
    return kept
