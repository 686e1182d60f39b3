"""Counterspells, and telling which spell it is (srd35.ready.counterspell*, srd35.skill.spellcraft)."""

from affray.engine.dialects.srd35.magic.spell_resistance import caster_level, tradition
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.saves_and_checks import check, check_result, skill_parts
from affray.engine.rules.magic import known_spells
from affray.engine.rules.magic.counterspell import react_to_casting
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import ActionSpent, CastingEnded, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

CRAFT = "srd35.skill.spellcraft"

#: What sets the DC to identify a spell that one means to counter.
COUNTERED = ("srd35.ready.counterspell", "spellcraft_dc")


def countered(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast | None) -> Steps[bool]:
    """Let those act who readied for a casting; return whether they have countered the spell."""
    return react_to_casting(fight, caster, act or acts.Cast(actor=caster.id, spell=spell.name), triggered)


def counter(fight: Fight, act: acts.Counter) -> Steps[None]:
    """Ruin the spell that is being cast: with the same spell once identified, or by dispelling.

    Improved Counterspell takes any spell of the school that is of a higher level. Whoever cannot identify the
    spell, or cannot cast what answers it, has readied in vain (srd35.ready.counterspell*,
    srd35.cast.counterspell-dispel, srd35.skill.spellcraft, srd35.feat.spell-feats).
    """
    caster, rule = fight.combatant(act.actor), fight.rule("srd35.ready.counterspell")
    if fight.readied != caster.id or (target := fight.combatant(act.target)).casting is None:
        raise Refusal("a spell is countered by readying against its caster", rule)
    theirs = known_spells.spell_known(target, target.casting.spell)
    mine = next((one for one in caster.sheet.spells if one.name == (act.spell or theirs.name)), None)
    if act.spell and not has_spell_left(caster, mine):
        raise Refusal(f"{caster.id} cannot cast {act.spell}", rule)
    what = f"counter with {act.spell}" if act.spell else "counterspell"
    if mine is not None and act.spell and mine.dispels:
        yield from counter_by_dispelling(fight, caster, mine, target, theirs)
        return
    yield spending(fight, caster, "standard", what, rule)
    if not (
        yield from identify_by_spellcraft(
            fight, caster, theirs, "cast", f"{theirs.name} being cast", *COUNTERED
        )
    ):
        return
    answers = yield from answers_spell(fight, caster, mine, target, theirs)
    if mine is None or not answers:
        return
    topics = ["srd35.ready.counterspell-same-spell"]
    if {tradition(fight, caster), tradition(fight, target)} == {"divine", "arcane"}:
        topics.append("srd35.ready.counterspell-divine-arcane")
    cites = fight.rules(*topics)
    yield from use_up_spell(caster, mine, *cites)
    yield CastingEnded(who=target.id, how="countered", cites=cites)


def counter_by_dispelling(
    fight: Fight, caster: Combatant, mine: Spell, target: Combatant, theirs: Spell
) -> Steps[None]:
    """Counter with dispel magic, which need not identify the spell and does not always work."""
    cites = fight.rules("srd35.ready.counterspell-dispel", "srd35.cast.counterspell-dispel")
    if not is_within_spell_range(fight, caster, target, mine):
        raise Refusal(f"{target.id} is out of the range of {mine.name}", cites[0])
    yield spending(fight, caster, "standard", f"counter with {mine.name}", cites[0])
    done = yield from dispel(fight, caster, mine, target, theirs)
    yield from use_up_spell(caster, mine, *cites)
    if done:
        yield CastingEnded(who=target.id, how="countered", cites=cites)


def use_up_spell(caster: Combatant, mine: Spell, *cites: str) -> Steps[None]:
    """Use up the spell that counters, if it is one of so many."""
    if mine.uses is not None:
        yield ResourceSpent(who=caster.id, resource=mine.name, amount=1, cites=cites)


def has_spell_left(caster: Combatant, mine: Spell | None) -> bool:
    """Say whether a caster has a spell and has not used it up."""
    return mine is not None and (mine.uses is None or caster.resources.get(mine.name, 0) < mine.uses)


def is_within_spell_range(fight: Fight, caster: Combatant, target: Combatant, mine: Spell) -> bool:
    """Say whether a caster stands within the range of a spell, in line of effect."""
    return distance(caster, target) <= fight.dialect.magic.spell_range(fight, caster, mine) and sees(
        fight, caster, target
    )


def dispel(fight: Fight, caster: Combatant, mine: Spell, target: Combatant, theirs: Spell) -> Steps[bool]:
    """Make a dispel check against a spell that is being cast: caster level against 11 and the other's."""
    topic = "srd35.cast.counterspell-dispel"
    rule = fight.rule(topic)
    most = fight.figure(topic, "max_greater" if mine.dispels == "greater" else "max")
    level = min(most, caster_level(fight, caster, mine))
    die, _, _ = str(fight.figure(topic, "check")).partition(" ")
    dc = fight.formula(topic, "dc") + caster_level(fight, target, theirs)
    parts = [Modifier(level, "level", "caster level", rule)]
    cites, why = (fight.rule("srd35.ready.counterspell-dispel"), rule), f"to counter {theirs.name}"
    total = yield from check_result(fight, caster, "dispel", parts, *cites, dc=dc, why=why, dice=f"1{die}")
    return bool(total >= dc)


def answers_spell(
    fight: Fight, caster: Combatant, mine: Spell | None, target: Combatant, theirs: Spell
) -> Steps[bool]:
    """Say whether a spell answers one that is identified: the same, or by feat one of its school."""
    rule, craft = fight.rules("srd35.ready.counterspell-same-spell", CRAFT)
    if (
        mine is None
        or not has_spell_left(caster, mine)
        or not is_within_spell_range(fight, caster, target, mine)
    ):
        name = theirs.name if mine is None else mine.name
        yield RuleApplied(who=caster.id, what=f"cannot cast {name} against it", cites=(rule,))
        return False
    if mine.name == theirs.name:
        return True
    higher = mine.school != "" and mine.school == theirs.school and mine.level > theirs.level
    if higher and has_feat(caster, "improved counterspell"):
        cites = (fight.rule("srd35.feat.spell-feats"),)
        yield RuleApplied(who=caster.id, what=f"counters with {mine.name} of the same school", cites=cites)
        return True
    what = f"{mine.name} does not counter {theirs.name}"
    yield RuleApplied(who=caster.id, what=what, cites=(rule, craft))
    return False


def identify_by_spellcraft(
    fight: Fight, caster: Combatant, spell: Spell, case: str, why: str, topic: str = CRAFT, path: str = ""
) -> Steps[bool]:
    """Make the Spellcraft check that tells a spell: `case` "cast" or "in_place" (srd35.skill.spellcraft).

    The rule on a `topic` with a figure at `path` may set the DC instead.
    """
    cites = tuple(dict.fromkeys(fight.rules(topic, CRAFT)))
    parts = skill_parts(fight, caster, "spellcraft", "int", cites[0])
    dc = fight.formula(topic, path or case) + spell.level
    return (yield from check(fight, caster, "spellcraft", parts, dc, *cites, why=why))


def identify(fight: Fight, act: acts.Identify) -> Steps[None]:
    """Tell a spell that is being cast, or one that is in place: free, for those who know Spellcraft."""
    caster, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.skill.spellcraft")
    if "spellcraft" not in caster.sheet.skills:
        raise Refusal(f"{caster.id} has not learned Spellcraft", rule)
    if target.casting is not None:
        spell = known_spells.spell_known(target, target.casting.spell)
        yield from identify_by_spellcraft(fight, caster, spell, "cast", f"{target.id} casting")
        return
    check_turn(fight, caster)
    found = spell_on(fight, target, act.spell)
    if found is None:
        raise Refusal(f"there is no spell {act.spell!r} on {target.id}", rule)
    yield ActionSpent(who=caster.id, kind="free", what="identify a spell", cites=(rule,))
    yield from identify_by_spellcraft(fight, caster, found, "in_place", f"the spell on {target.id}")


def spell_on(fight: Fight, target: Combatant, name: str) -> Spell | None:
    """Return the spell of that name whose condition or modifier a target bears, "" for any."""
    sources = {condition.source for condition in target.conditions.values()}
    sources |= {effect.modifier.source for effect in target.effects}
    for one in fight.state.combatants.values():
        for spell in one.sheet.spells:
            if spell.name in sources and name in ("", spell.name):
                return spell
    return None
