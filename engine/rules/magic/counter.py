"""Counterspells, and telling which spell it is (srd35.cast.counterspell-dispel, srd35.skill.spellcraft)."""

from affray.engine.fight import Fight
from affray.engine.rules.abilities import has_feat
from affray.engine.rules.budget import check_turn, spending
from affray.engine.rules.checks import check, skill_parts
from affray.engine.rules.magic import casting
from affray.engine.rules.magic.resistance import caster_level
from affray.engine.rules.ready import triggered
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import CheckResolved, ResourceSpent
from affray.events.facts.flow import ActionSpent, CastingBegan, CastingEnded, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def heard(fight: Fight, who: Combatant, spell: Spell, act: acts.Cast | None) -> Steps[bool]:
    """Let those act who readied for a casting; return whether they have countered the spell."""
    waiting = any(
        one.readied is not None and one.readied.trigger.what == "casts"
        for one in fight.state.combatants.values()
    )
    if not waiting:
        return False
    yield CastingBegan(who=who.id, act=act or acts.Cast(actor=who.id, spell=spell.name), due=0)
    yield from triggered(fight, who, "casts")
    if who.casting is None:
        return True
    yield CastingEnded(who=who.id, how="")
    return False


def counter(fight: Fight, act: acts.Counter) -> Steps[None]:
    """Counter the spell of whoever set this off: with the same spell once identified, or by dispelling.

    Improved Counterspell takes any spell of the school that is of a higher level
    (srd35.cast.counterspell-dispel, srd35.skill.spellcraft, srd35.feat.spell-feats).
    """
    who, target = fight.combatant(act.actor), fight.combatant(act.target or fight.state.active)
    rule = fight.rule("ready.counterspell")
    if fight.readied != who.id or target.casting is None:
        raise Refusal("a spell is countered by readying against its caster", rule)
    mine = casting.known_spell(fight, who, act.spell)
    if mine.dispels:
        rule = fight.rule("cast.counterspell-dispel")
    theirs = casting.known(target, target.casting.spell)
    yield spending(fight, who, "standard", f"counter with {mine.name}", rule)
    done: bool | None
    if mine.dispels:
        done = yield from dispel(fight, who, mine, target, theirs)
    else:
        done = yield from match(fight, who, mine, theirs)
        if done is None:
            return
    if mine.uses is not None:
        yield ResourceSpent(who=who.id, resource=mine.name, amount=1, cites=(rule,))
    if done:
        cites = (rule,) if mine.dispels else fight.rules("ready.counterspell-same-spell")
        yield CastingEnded(who=target.id, how="countered", cites=cites)


def dispel(fight: Fight, who: Combatant, mine: Spell, target: Combatant, theirs: Spell) -> Steps[bool]:
    """Make a dispel check against a spell that is being cast; no identification is needed."""
    topic = "cast.counterspell-dispel"
    rule = fight.rule(topic)
    most = fight.figure(topic, "max_greater" if mine.dispels == "greater" else "max")
    level = min(most, caster_level(who, mine))
    die, _, _ = str(fight.figure(topic, "check")).partition(" ")
    dc = fight.formula(topic, "dc") + caster_level(target, theirs)
    rolled = yield Roll(who.id, "dispel", f"1{die}")
    yield CheckResolved(
        who=who.id,
        check="dispel",
        key=rolled.key,
        natural=rolled.total,
        total=rolled.total + level,
        dc=dc,
        success=rolled.total + level >= dc,
        parts=(Modifier(level, "level", "caster level", rule),),
        why=f"to counter {theirs.name}",
        cites=(rule,),
    )
    return bool(rolled.total + level >= dc)


def match(fight: Fight, who: Combatant, mine: Spell, theirs: Spell) -> Steps[bool | None]:
    """Identify a spell and answer it in kind; None when it stays unknown and nothing is cast."""
    if not (yield from identified(fight, who, theirs, "cast", f"{theirs.name} being cast")):
        return None
    same = mine.name == theirs.name
    higher = mine.school != "" and mine.school == theirs.school and mine.level > theirs.level
    improved = has_feat(who, "improved counterspell")
    if higher and improved and not same:
        cites = (fight.rule("feat.spell-feats"),)
        yield RuleApplied(who=who.id, what=f"counters with {mine.name} of the same school", cites=cites)
    elif not same:
        cites = (fight.rule("skill.spellcraft"),)
        yield RuleApplied(who=who.id, what=f"{mine.name} does not counter {theirs.name}", cites=cites)
        return None
    return True


def identified(fight: Fight, who: Combatant, spell: Spell, case: str, why: str) -> Steps[bool]:
    """Make the Spellcraft check that tells a spell: `case` "cast" or "in_place" (srd35.skill.spellcraft)."""
    topic = "skill.spellcraft"
    rule = fight.rule(topic)
    parts = skill_parts(fight, who, "spellcraft", "int", rule)
    dc = fight.formula(topic, case) + spell.level
    return (yield from check(fight, who, "spellcraft", parts, dc, rule, why=why))


def identify(fight: Fight, act: acts.Identify) -> Steps[None]:
    """Tell a spell that is being cast, or one that is in place: free, for those who know Spellcraft."""
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("skill.spellcraft")
    if "spellcraft" not in who.sheet.skills:
        raise Refusal(f"{who.id} has not learned Spellcraft", rule)
    if target.casting is not None:
        spell = casting.known(target, target.casting.spell)
        yield from identified(fight, who, spell, "cast", f"{target.id} casting")
        return
    check_turn(fight, who)
    found = spell_on(fight, target, act.spell)
    if found is None:
        raise Refusal(f"there is no spell {act.spell!r} on {target.id}", rule)
    yield ActionSpent(who=who.id, kind="free", what="identify a spell", cites=(rule,))
    yield from identified(fight, who, found, "in_place", f"the spell on {target.id}")


def spell_on(fight: Fight, target: Combatant, name: str) -> Spell | None:
    """Return the spell of that name whose condition or modifier somebody bears, "" for any."""
    sources = {condition.source for condition in target.conditions.values()}
    sources |= {effect.modifier.source for effect in target.effects}
    for one in fight.state.combatants.values():
        for spell in one.sheet.spells:
            if spell.name in sources and name in ("", spell.name):
                return spell
    return None
