"""Fascination, and what breaks it.

srd35.cond.fascinated, pf1.cond.fascinated.
"""

from affray.engine.fight.fight import Fight, is_marked
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def fascination_over(fight: Fight, combatant: Combatant, why: str) -> ConditionLost:
    """Return the fact that somebody is fascinated no longer."""
    cites = (fight.rule("cond.fascinated"),)
    return ConditionLost(who=combatant.id, condition="fascinated", why=why, cites=cites)


def obvious_threat(fight: Fight, by: Combatant, what: str) -> Steps[None]:
    """Let something that nobody can mistake wake the fascinated opponents who see it."""
    for one in fight.enemies(by):
        if one.conditions and "fascinated" in one.conditions and sees(fight, one, by):
            yield fascination_over(fight, one, f"{by.id} {what}")


def startled_by_casting(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let a casting break the fascination of its caster's enemies.

    srd35.cond.fascinated, pf1.cond.fascinated.
    """
    return obvious_threat(fight, caster, f"casts {spell.name}")


def startled_by_drawing(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Let a drawn weapon break the fascination of its bearer's enemies.

    srd35.cond.fascinated, pf1.cond.fascinated.
    """
    return obvious_threat(fight, fight.combatant(act.actor), f"draws the {act.item}")


def possible_threat(fight: Fight, by: Combatant) -> Steps[None]:
    """Give the fascinated another saving throw when an opponent comes nearer.

    srd35.cond.fascinated, pf1.cond.fascinated.
    """
    for one in fight.enemies(by) if is_marked(fight) else ():
        held = one.conditions.get("fascinated")
        if held is None or not sees(fight, one, by):
            continue
        found = spell_named(fight, held.source)
        if found is None:
            continue
        caster, spell = found
        dc, cites = fight.dialect.magic.spell_dc(fight, caster, spell)
        rule = fight.rule("cond.fascinated")
        if (yield from saving_throw(fight, one, spell.save or "will", dc, spell.name, rule, *cites)):
            yield fascination_over(fight, one, f"wary of {by.id}")


def spell_named(fight: Fight, name: str) -> tuple[Combatant, Spell] | None:
    """Return who has the spell of that name, and the spell."""
    for one in fight.state.combatants.values():
        for spell in one.sheet.spells:
            if spell.name == name:
                return one, spell
    return None


def rouse(fight: Fight, act: acts.Rouse) -> Steps[None]:
    """Shake a friend out of its fascination: a standard action.

    srd35.cond.fascinated, pf1.cond.fascinated.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("cond.fascinated")
    if "fascinated" not in target.conditions:
        raise Refusal(f"{target.id} is not fascinated", rule)
    refuse_apart(actor, target, rule)
    yield spending(fight, actor, "standard", f"rouse {target.id}", rule)
    yield fascination_over(fight, target, f"roused by {actor.id}")
