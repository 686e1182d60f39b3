"""What stands against a spell, and how hard it is: ranges, save DCs, feats."""

import re
from collections.abc import Iterator

from affray.engine.dialects.srd35.magic.components import suppress_in_antimagic
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.magic import spell_resistance
from affray.engine.rules.magic.spell_resistance import SaveDC, caster_level
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

NUMBERS = re.compile(r"\d+")


def standard_range(fight: Fight, caster: Combatant, spell: Spell) -> int:
    """Return a standard range in feet, which grows with the caster level; 0 for a spell that has none.

    srd35.cast.ranges.
    """
    if not spell.reach:
        return 0
    start, step, levels = map(
        int, NUMBERS.findall(f"{fight.figure('srd35.cast.ranges', spell.reach)} per 1")[:3]
    )
    return start + step * (caster_level(fight, caster, spell) // levels)


def key_ability_dc(fight: Fight, caster: Combatant, spell: Spell, found: SaveDC) -> SaveDC:
    """Return the save DC of a spell that has none printed: 10 + level + key ability (srd35.cast.save-dc)."""
    if found[0] or spell.delivery or not spell.key:
        return found
    dc = fight.formula("srd35.cast.save-dc", "dc") + spell.level + ability_now(fight, caster, spell.key)
    return dc, (fight.rule("srd35.cast.save-dc"),)


def spell_focus(fight: Fight, caster: Combatant, spell: Spell, found: SaveDC) -> SaveDC:
    """Add to the save DC what Spell Focus in the school of the spell gives (srd35.feat.spell-feats)."""
    if not spell.school:
        return found
    feats = (f"spell focus ({spell.school})", f"greater spell focus ({spell.school})")
    number = sum(has_feat(caster, feat) for feat in feats)
    if not number:
        return found
    topic = "srd35.feat.spell-feats"
    return found[0] + number * fight.figure(topic, "dc"), (*found[1], fight.rule(topic))


def in_antimagic(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a place without magic, into which a spell is cast, stops it.

    srd35.cast.abilities-table.
    """
    sheltered = "antimagic" in target.conditions and "antimagic" not in caster.conditions
    return sheltered and (yield from suppress_in_antimagic(fight, target, spell))


def immune_to_breath(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a target is immune to a breath because it breathes the like (srd35.breath)."""
    if spell.delivery != "breath" or not (target is caster or breathes(target, spell.damage_type)):
        return False
    rule = fight.rule("srd35.breath")
    yield RuleApplied(who=target.id, what=f"is immune to {spell.damage_type} breath", cites=(rule,))
    return True


def resists_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether spell resistance stops a spell; Spell Penetration helps (srd35.spell-resistance)."""
    penetration = tuple(spell_penetration(fight, caster))
    return spell_resistance.is_resisted(fight, caster, spell, target, penetration)


def breathes(target: Combatant, kind: str) -> bool:
    """Say whether a creature has a breath weapon of that kind of damage."""
    return any(one.delivery == "breath" and one.damage_type == kind for one in target.sheet.spells)


def spell_penetration(fight: Fight, combatant: Combatant) -> Iterator[Modifier]:
    """Yield what Spell Penetration and its greater form add (srd35.feat.spell-feats)."""
    for feat in ("spell penetration", "greater spell penetration"):
        if has_feat(combatant, feat):
            yield fight.modifier("srd35.feat.spell-feats", "penetration", kind="untyped", source=feat.title())
