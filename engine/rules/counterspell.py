"""Counterspells: a readied spell that ruins another one as it begins (srd35.ready.counterspell*)."""

from affray.engine.fight import Fight
from affray.engine.rules.budget import spending
from affray.engine.rules.checks import check, skill_parts
from affray.engine.rules.place import distance, sees
from affray.engine.rules.ready import triggered
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

DISPEL = "dispel magic"


def begun(fight: Fight, who: Combatant, spell: Spell) -> Steps[bool]:
    """Let whoever readied for a casting act first; return whether a counterspell has ruined the spell."""
    outer = fight.casting
    fight.casting = spell.name, who.id
    try:
        yield from triggered(fight, who, "casts")
        return fight.casting is None
    finally:
        fight.casting = outer


def counterspell(fight: Fight, act: acts.Counterspell) -> Steps[None]:
    """Ruin the spell that is being cast; only as a readied act (srd35.ready.counterspell).

    By the same spell, once it is identified, or by dispel magic, which need not identify it and does not
    always work. Whoever cannot identify the spell has readied in vain.
    """
    who = fight.combatant(act.actor)
    rule = fight.rule("ready.counterspell")
    if fight.readied != who.id or fight.casting is None:
        raise Refusal("one counters a spell by readying against the caster", rule)
    name, by = fight.casting
    caster = fight.combatant(by)
    spell = next(one for one in caster.sheet.spells if one.name == name)
    if act.spell == DISPEL:
        yield from dispel(fight, who, caster, spell)
        return
    yield spending(fight, who, "standard", "counterspell", rule)
    parts = skill_parts(fight, who, "spellcraft", "int", rule)
    dc = fight.formula("ready.counterspell", "spellcraft_dc") + spell.level
    if not (yield from check(fight, who, "spellcraft", parts, dc, rule, why="to identify the spell")):
        return
    topics = ["ready.counterspell-same-spell"]
    if not able(who, name) or not in_range(fight, who, caster, spell):
        what = f"cannot cast {name} against it"
        yield RuleApplied(who=who.id, what=what, cites=fight.rules(*topics))
        return
    if {tradition(fight, who), tradition(fight, caster)} == {"divine", "arcane"}:
        topics.append("ready.counterspell-divine-arcane")
    yield from ruin(fight, who, caster, name, name, *fight.rules(*topics))


def able(who: Combatant, name: str) -> bool:
    """Say whether somebody has a spell and has not used it up."""
    spell = next((one for one in who.sheet.spells if one.name == name), None)
    return spell is not None and (spell.uses is None or who.resources.get(name, 0) < spell.uses)


def in_range(fight: Fight, who: Combatant, caster: Combatant, spell: Spell) -> bool:
    """Say whether the caster stands within the spell's range, in line of effect."""
    return distance(who, caster) <= (spell.range or who.reach) and sees(fight, who, caster)


def tradition(fight: Fight, who: Combatant) -> str:
    """Return "divine" or "arcane" by the classes of a caster, "" where they do not tell."""
    listed = fight.figure("ready.counterspell-divine-arcane")
    return next((kind for kind in listed if any(one in listed[kind] for one in who.sheet.classes)), "")


def dispel(fight: Fight, who: Combatant, caster: Combatant, spell: Spell) -> Steps[None]:
    """Counter with dispel magic: a check of d20 and caster level against 11 and the other's level.

    srd35.ready.counterspell-dispel, srd35.cast.counterspell-dispel.
    """
    rules = fight.rules("ready.counterspell-dispel", "cast.counterspell-dispel")
    mine = next((one for one in who.sheet.spells if one.name == DISPEL), None)
    if mine is None or not able(who, DISPEL) or not in_range(fight, who, caster, mine):
        raise Refusal(f"{who.id} cannot cast {DISPEL} at {caster.id}", rules[0])
    yield spending(fight, who, "standard", "counterspell", rules[0])
    most = fight.figure("cast.counterspell-dispel", "most")
    level = min(caster_level(fight, who), most)
    parts = [Modifier(level, "base", "caster level", rules[1])]
    dc = fight.formula("cast.counterspell-dispel", "dc") + caster_level(fight, caster)
    if (yield from check(fight, who, "dispel", parts, dc, *rules, why=f"to counter {spell.name}")):
        yield from ruin(fight, who, caster, spell.name, DISPEL, *rules)
    elif mine.uses is not None:
        yield ResourceSpent(who=who.id, resource=DISPEL, amount=1, cites=rules[:1])


def caster_level(fight: Fight, who: Combatant) -> int:
    """Return the caster level: the most levels in one class that casts, else the Hit Dice."""
    listed = fight.figure("ready.counterspell-divine-arcane")
    levels = [who.sheet.classes.get(name, 0) for names in listed.values() for name in names]
    return max(levels, default=0) or who.sheet.hit_dice


def ruin(fight: Fight, who: Combatant, caster: Combatant, name: str, by: str, *cites: str) -> Steps[None]:
    """Spend the counterspell and the spell that it ruins."""
    mine = next(one for one in who.sheet.spells if one.name == by)
    if mine.uses is not None:
        yield ResourceSpent(who=who.id, resource=by, amount=1, cites=cites)
    yield RuleApplied(who=caster.id, what=f"{name} is ruined by the counterspell of {who.id}", cites=cites)
    fight.casting = None
