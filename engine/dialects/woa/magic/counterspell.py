"""Counterspells: readied against a caster, with the same spell or by dispelling (woa.ready.counterspell*)."""

from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check, check_result, skill_parts
from affray.engine.rules.magic.known_spells import named_spell
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import CastingEnded, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def counter(fight: Fight, act: acts.Counter) -> Steps[None]:
    """Ruin the spell that is being cast: with the very same spell once identified, or by dispelling.

    Whether caster and counterspeller are of one class does not matter, only the spell does. To identify it
    takes no time of its own: it is part of the counterspell (woa.ready.counterspell,
    woa.action-type.non-action).
    """
    caster = fight.combatant(act.actor)
    target = fight.combatant(act.target) if fight.readied == caster.id else None
    rule = fight.rule("woa.ready.counterspell")
    if target is None or target.casting is None:
        raise Refusal("a counterspell is readied, and cast while an enemy is casting", rule)
    theirs = named_spell(target, target.casting.spell)
    mine = named_spell(caster, act.spell or (theirs.name if theirs is not None else ""))
    if theirs is None or mine is None or is_used_up(caster, mine):
        raise Refusal(f"{caster.id} has no spell left that counters the one of {target.id}", rule)
    if distance(caster, target) > max(mine.range, theirs.range) or not sees(fight, caster, target):
        raise Refusal(f"{target.id} is out of reach of the counterspell", rule)
    if mine.dispels:
        yield from counter_by_dispelling(fight, caster, mine, target, theirs)
        return
    yield spending(fight, caster, "standard", f"counter with {mine.name}", rule)
    dc = cell(fight, "woa.ready.counterspell-dispel", "check=spellcraft", "dc")
    if dc is not None:
        parts = skill_parts(fight, caster, "spellcraft", "int", rule)
        cites = (rule, dc.rule, fight.rule("woa.action-type.non-action"))
        why = f"{theirs.name} being cast"
        if not (
            yield from check(fight, caster, "spellcraft", parts, dc.value + theirs.level, *cites, why=why)
        ):
            return
    if mine.name != theirs.name:
        what = f"{mine.name} does not counter {theirs.name}"
        yield RuleApplied(who=caster.id, what=what, cites=(rule,))
        return
    yield from use_casting(caster, mine, rule)
    yield CastingEnded(who=target.id, how="countered", cites=(rule,))


def counter_by_dispelling(
    fight: Fight, caster: Combatant, mine: Spell, target: Combatant, theirs: Spell
) -> Steps[None]:
    """Counter by dispelling, which need not identify the spell and does not always work.

    The check stands elsewhere in the rules; its figures are a table (woa.ready.counterspell-dispel).
    """
    topic = "woa.ready.counterspell-dispel"
    rule = fight.rule(topic)
    yield spending(fight, caster, "standard", f"counter with {mine.name}", rule)
    yield from use_casting(caster, mine, rule)
    base, most = cell(fight, topic, "check=dispel", "dc"), cell(fight, topic, "check=dispel", "most")
    if base is None or most is None:
        yield RuleApplied(who=caster.id, what="how to dispel is not printed", cites=(rule,))
        return
    level = min(most.value, mine.caster_level or caster.sheet.hit_dice)
    dc = base.value + (theirs.caster_level or target.sheet.hit_dice)
    parts = [Modifier(level, "level", "caster level", rule)]
    why = f"to counter {theirs.name}"
    if (yield from check_result(fight, caster, "dispel", parts, rule, dc=dc, why=why)) >= dc:
        yield CastingEnded(who=target.id, how="countered", cites=(rule,))


def is_used_up(caster: Combatant, spell: Spell) -> bool:
    """Say whether all prepared castings of a spell are used up."""
    return spell.uses is not None and caster.resources.get(spell.name, 0) >= spell.uses


def use_casting(caster: Combatant, spell: Spell, rule: str) -> Steps[None]:
    """Use up one casting, of a spell that is limited."""
    if spell.uses is not None:
        yield ResourceSpent(who=caster.id, resource=spell.name, amount=1, cites=(rule,))
