"""What stands against a spell, and how hard it is: spell resistance, save DCs, feats for either."""

import re
from collections.abc import Iterator

from affray.engine.dialects.srd35.magic.components import suppress_in_antimagic
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.saves_and_checks import check_result
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

SaveDC = tuple[int, tuple[str, ...]]
NUMBERS = re.compile(r"\d+")
LOWERED = "spell resistance lowered"
#: What a spell gives that gives spell resistance.
RESISTANCE = "spell resistance"
#: The ability behind the DC of a special ability, by how it comes.
POWERS = {
    "breath": ("breath", "con"),
    "gaze": ("srd35.gaze.save", "cha"),
    "presence": ("frightful-presence", "cha"),
}


def caster_level(fight: Fight, caster: Combatant, spell: Spell) -> int:
    """Return the caster level of a spell.

    The printed one, else the most levels in a class that casts, else in any class, else the Hit Dice.
    """
    if spell.caster_level:
        return spell.caster_level
    classes = caster.sheet.classes
    listed = fight.figure("srd35.ready.counterspell-divine-arcane")
    casting = max((classes.get(name, 0) for names in listed.values() for name in names), default=0)
    return casting or max(classes.values(), default=0) or caster.sheet.hit_dice


def tradition(fight: Fight, combatant: Combatant) -> str:
    """Return "divine" or "arcane" by the classes of a caster, "" where they do not tell."""
    listed = fight.figure("srd35.ready.counterspell-divine-arcane")
    return next((kind for kind in listed if any(one in listed[kind] for one in combatant.sheet.classes)), "")


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


def special_ability_dc(fight: Fight, caster: Combatant, spell: Spell, found: SaveDC) -> SaveDC:
    """Return the save DC of a breath, a gaze or a presence: 10 + half Hit Dice + an ability.

    srd35.breath, srd35.gaze.save, srd35.frightful-presence.
    """
    if found[0] or not spell.delivery:
        return found
    topic, name = POWERS[spell.delivery]
    half, score = caster.sheet.hit_dice // 2, ability_now(fight, caster, spell.key or name)
    return fight.formula(topic, "dc") + half + score, (fight.rule(topic),)


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


def resistance_of(target: Combatant) -> int:
    """Return the best spell resistance of a creature: several do not add."""
    given = [one.modifier.value for one in target.effects if one.stat == RESISTANCE]
    return max([target.sheet.spell_resistance, *given])


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
    """Return whether spell resistance stops a spell.

    The caster level check is made once for each casting (srd35.spell-resistance,
    srd35.spell-resistance.lower, srd35.cast.abilities-table).
    """
    resistance = resistance_of(target)
    if not resistance or not spell.resistance:
        return False
    topic = "srd35.cast.abilities-table"
    if spell.ability and not fight.figure(topic, f"type={spell.ability}", "spell_resistance"):
        what = f"spell resistance does not stop {spell.name}"
        yield RuleApplied(who=target.id, what=what, cites=(fight.rule(topic),))
        return False
    if target is caster or LOWERED in target.conditions:
        why = "its own spell" if target is caster else f"{spell.name}, its resistance being lowered"
        rule = fight.rule("srd35.spell-resistance.lower")
        yield RuleApplied(who=target.id, what=f"is open to {why}", cites=(rule,))
        return False
    return not (yield from overcomes(fight, caster, spell, target, resistance))


def breathes(target: Combatant, kind: str) -> bool:
    """Say whether a creature has a breath weapon of that kind of damage."""
    return any(one.delivery == "breath" and one.damage_type == kind for one in target.sheet.spells)


def overcomes(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, resistance: int
) -> Steps[bool]:
    """Check the caster level against spell resistance; return whether the spell gets through."""
    rule = fight.rule("srd35.spell-resistance")
    parts = [
        Modifier(caster_level(fight, caster, spell), "level", "caster level", rule),
        *spell_penetration(fight, caster),
    ]
    die, _, _ = str(fight.figure("srd35.spell-resistance", "check")).partition(" ")
    total = yield from check_result(
        fight,
        caster,
        "caster level",
        parts,
        rule,
        dc=resistance,
        why=f"spell resistance of {target.id} against {spell.name}",
        purpose="spell-resistance",
        dice=f"1{die}",
    )
    return bool(total >= resistance)


def spell_penetration(fight: Fight, combatant: Combatant) -> Iterator[Modifier]:
    """Yield what Spell Penetration and its greater form add (srd35.feat.spell-feats)."""
    for feat in ("spell penetration", "greater spell penetration"):
        if has_feat(combatant, feat):
            yield fight.modifier("srd35.feat.spell-feats", "penetration", kind="untyped", source=feat.title())


def lower_resistance(fight: Fight, act: acts.LowerResistance) -> Steps[None]:
    """Lower one's spell resistance until one's next turn: a standard action that does not provoke."""
    caster = fight.combatant(act.actor)
    rule = fight.rule("srd35.spell-resistance.lower")
    if not resistance_of(caster):
        raise Refusal(f"{caster.id} has no spell resistance", rule)
    yield spending(fight, caster, "standard", "lower spell resistance", rule)
    until = Until("turn-start", caster.id, fight.state.round + 1)
    yield ConditionGained(who=caster.id, condition=LOWERED, source="by choice", until=until, cites=(rule,))
