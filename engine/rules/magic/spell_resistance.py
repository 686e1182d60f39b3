"""Spell resistance, the levels of casters, and the save DCs of breaths, gazes and the like."""

from collections.abc import Iterable

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_scores import ability_now, lowered
from affray.engine.rules.classes.levels import character_level, lost_levels, lower_level, rules_of_level
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
LOWERED = "spell resistance lowered"
#: What a spell gives that gives spell resistance.
RESISTANCE = "spell resistance"
#: The ability behind the DC of a special ability, by how it comes.
POWERS = {
    "breath": ("breath", "con"),
    "gaze": ("gaze.save", "cha"),
    "presence": ("frightful-presence", "cha"),
}


def caster_level(fight: Fight, caster: Combatant, spell: Spell) -> int:
    """Return the caster level of a spell, which negative levels lower but for that of an item.

    srd35.energy-drain.level, pf1.negative-levels.
    """
    level = full_caster_level(fight, caster, spell)
    return level if spell.item else lower_level(caster, level)


def full_caster_level(fight: Fight, caster: Combatant, spell: Spell) -> int:
    """Return the caster level of a spell before negative levels.

    The printed one, else the most levels in a class that casts, else in any class, else the Hit Dice.
    """
    if spell.caster_level:
        return spell.caster_level
    classes = caster.sheet.classes
    listed = fight.figure("ready.counterspell-divine-arcane")
    casting = max((classes.get(name, 0) for names in listed.values() for name in names), default=0)
    return casting or max(classes.values(), default=0) or caster.sheet.hit_dice


def caster_level_parts(fight: Fight, caster: Combatant, spell: Spell, rule: str, kind: str) -> list[Modifier]:
    """Return the caster level of a spell as parts of a roll, what negative levels take off it apart."""
    full = Modifier(full_caster_level(fight, caster, spell), kind, "caster level", rule)
    return [full] if spell.item else [full, *lost_levels(fight, caster)]


def tradition(fight: Fight, combatant: Combatant) -> str:
    """Return "divine" or "arcane" by the classes of a caster, "" where they do not tell."""
    listed = fight.figure("ready.counterspell-divine-arcane")
    return next((kind for kind in listed if any(one in listed[kind] for one in combatant.sheet.classes)), "")


def special_ability_dc(fight: Fight, caster: Combatant, spell: Spell, found: SaveDC) -> SaveDC:
    """Return the save DC of a breath, a gaze or a presence: 10 + half Hit Dice + an ability.

    A printed DC falls with the level and the ability of its bearer (srd35.breath, srd35.gaze.save,
    srd35.frightful-presence).
    """
    if not spell.delivery:
        return found
    topic, name = POWERS[spell.delivery]
    half, key = character_level(caster) // 2, spell.key or name
    if not found[0]:
        cites = (fight.rule(topic), *rules_of_level(fight, caster))
        return fight.formula(topic, "dc") + half + ability_now(fight, caster, key), cites
    dc, cites = shifted_dc(fight, caster, key, found)
    return dc + half - caster.sheet.hit_dice // 2, (*cites, *rules_of_level(fight, caster))


def shifted_dc(fight: Fight, caster: Combatant, key: str, found: SaveDC) -> SaveDC:
    """Return a printed save DC as the ability behind it makes it now, and the rules that have changed it.

    srd35.ability-loss.applied, pf1.ability-damage.
    """
    parts = lowered(fight, caster, key)
    if not parts:
        return found
    return found[0] + sum(part.value for part in parts), (*found[1], *(part.rule for part in parts))


def printed_spell_dc(fight: Fight, caster: Combatant, spell: Spell, found: SaveDC) -> SaveDC:
    """Return the printed save DC of a spell, which goes with its key ability; that of an item does not."""
    if not found[0] or not spell.key or spell.delivery or spell.item:
        return found
    return shifted_dc(fight, caster, spell.key, found)


def resistance_of(target: Combatant) -> int:
    """Return the best spell resistance of a creature: several do not add."""
    given = [one.modifier.value for one in target.effects if one.stat == RESISTANCE]
    return max([target.sheet.spell_resistance, *given])


def is_resisted(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    penetration: Iterable[Modifier],
) -> Steps[bool]:
    """Return whether spell resistance stops a spell.

    The caster level check is made once for each casting; `penetration` adds to it (srd35.spell-resistance,
    srd35.spell-resistance.lower, srd35.cast.abilities-table, pf1.senses.ref,
    pf1.cast.abilities).
    """
    resistance = resistance_of(target)
    if not resistance or not spell.resistance:
        return False
    topic = "cast.abilities-table"
    if spell.ability and not fight.figure(topic, f"type={spell.ability}", "spell_resistance"):
        what = f"spell resistance does not stop {spell.name}"
        yield RuleApplied(who=target.id, what=what, cites=(fight.rule(topic),))
        return False
    if target is caster or LOWERED in target.conditions:
        why = "its own spell" if target is caster else f"{spell.name}, its resistance being lowered"
        rule = fight.rule("spell-resistance.lower")
        yield RuleApplied(who=target.id, what=f"is open to {why}", cites=(rule,))
        return False
    return not (yield from overcomes(fight, caster, spell, target, resistance, penetration))


def overcomes(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    resistance: int,
    penetration: Iterable[Modifier],
) -> Steps[bool]:
    """Check the caster level against spell resistance; return whether the spell gets through."""
    rule = fight.rule("spell-resistance")
    parts = [
        *caster_level_parts(fight, caster, spell, rule, "level"),
        *penetration,
    ]
    die, _, _ = str(fight.figure("spell-resistance", "check")).partition(" ")
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


def lower_resistance(fight: Fight, act: acts.LowerResistance) -> Steps[None]:
    """Lower one's spell resistance until one's next turn: a standard action that does not provoke."""
    caster = fight.combatant(act.actor)
    rule = fight.rule("spell-resistance.lower")
    if not resistance_of(caster):
        raise Refusal(f"{caster.id} has no spell resistance", rule)
    yield spending(fight, caster, "standard", "lower spell resistance", rule)
    until = Until("turn-start", caster.id, fight.state.round + 1)
    yield ConditionGained(who=caster.id, condition=LOWERED, source="by choice", until=until, cites=(rule,))
