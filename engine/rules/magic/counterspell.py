"""Counterspells, and telling which spell it is.

srd35.ready.counterspell*, srd35.skill.spellcraft, pf1.ready.counterspell, pf1.cast.counter-identify.
"""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check, check_result, skill_parts
from affray.engine.rules.magic import known_spells
from affray.engine.rules.magic.spell_resistance import caster_level, tradition
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import CastingBegan, CastingEnded, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: The topic of the rule on telling spells apart.
CRAFT = "skill.spellcraft"

#: What sets the DC to identify a spell that one means to counter.
COUNTERED = ("ready.counterspell", "spellcraft_dc")

#: The caster level that counts for a dispel check, by caster and spell.
DispelLevel = Callable[[Fight, Combatant, Spell], int]
#: Whether something else lets a spell answer another that is not the same: by its caster and both.
Stands = Callable[[Fight, Combatant, Spell, Spell], Steps[bool]]


def countered(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast | None) -> Steps[bool]:
    """Let those act who readied for a casting; return whether they have countered the spell."""
    return react_to_casting(fight, caster, act or acts.Cast(actor=caster.id, spell=spell.name), triggered)


def answer_casting(
    fight: Fight,
    act: acts.Counter,
    dispel_level: DispelLevel,
    stands_in: Stands,
) -> Steps[None]:
    """Ruin the spell that is being cast: with the same spell once identified, or by dispelling.

    Whoever cannot identify the spell, or cannot cast what answers it, has readied in vain. `stands_in` says
    what answers it besides, `dispel_level` what counts for a dispel check (srd35.ready.counterspell,
    srd35.ready.counterspell-same-spell, srd35.ready.counterspell-divine-arcane,
    srd35.ready.counterspell-dispel, srd35.cast.counterspell-dispel, srd35.skill.spellcraft,
    pf1.ready.counterspell, pf1.cast.counter-identify).
    """
    caster, rule = fight.combatant(act.actor), fight.rule("ready.counterspell")
    if fight.readied != caster.id or (target := fight.combatant(act.target)).casting is None:
        raise Refusal("a spell is countered by readying against its caster", rule)
    theirs = known_spells.spell_known(target, target.casting.spell)
    mine = next((one for one in caster.sheet.spells if one.name == (act.spell or theirs.name)), None)
    if act.spell and not has_spell_left(caster, mine):
        raise Refusal(f"{caster.id} cannot cast {act.spell}", rule)
    what = f"counter with {act.spell}" if act.spell else "counterspell"
    if mine is not None and act.spell and mine.dispels:
        yield from counter_by_dispelling(fight, caster, mine, target, theirs, dispel_level)
        return
    yield spending(fight, caster, "standard", what, rule)
    if not (
        yield from identify_by_spellcraft(
            fight, caster, theirs, "cast", f"{theirs.name} being cast", *COUNTERED
        )
    ):
        return
    answers = yield from answers_spell(fight, caster, mine, target, theirs, stands_in)
    if mine is None or not answers:
        return
    topics = ["ready.counterspell-same-spell"]
    if {tradition(fight, caster), tradition(fight, target)} == {"divine", "arcane"}:
        topics.append("ready.counterspell-divine-arcane")
    cites = fight.rules(*topics)
    yield from use_up_spell(caster, mine, *cites)
    yield CastingEnded(who=target.id, how="countered", cites=cites)


def counter_by_dispelling(
    fight: Fight,
    caster: Combatant,
    mine: Spell,
    target: Combatant,
    theirs: Spell,
    dispel_level: DispelLevel,
) -> Steps[None]:
    """Counter with dispel magic, which need not identify the spell and does not always work."""
    cites = fight.rules("ready.counterspell-dispel", "cast.counterspell-dispel")
    if not is_within_spell_range(fight, caster, target, mine):
        raise Refusal(f"{target.id} is out of the range of {mine.name}", cites[0])
    yield spending(fight, caster, "standard", f"counter with {mine.name}", cites[0])
    level = dispel_level(fight, caster, mine)
    done = yield from dispel(fight, caster, level, target, theirs)
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


def dispel(fight: Fight, caster: Combatant, level: int, target: Combatant, theirs: Spell) -> Steps[bool]:
    """Make a dispel check against a spell that is being cast: caster level against 11 and the other's.

    srd35.cast.counterspell-dispel, pf1.cast.counter-identify.
    """
    topic = "cast.counterspell-dispel"
    rule = fight.rule(topic)
    die, _, _ = str(fight.figure(topic, "check")).partition(" ")
    dc = fight.formula(topic, "dc") + caster_level(fight, target, theirs)
    parts = [Modifier(level, "level", "caster level", rule)]
    cites, why = (fight.rule("ready.counterspell-dispel"), rule), f"to counter {theirs.name}"
    total = yield from check_result(fight, caster, "dispel", parts, *cites, dc=dc, why=why, dice=f"1{die}")
    return bool(total >= dc)


def answers_spell(
    fight: Fight, caster: Combatant, mine: Spell | None, target: Combatant, theirs: Spell, stands_in: Stands
) -> Steps[bool]:
    """Say whether a spell answers one that is identified: the same, or what stands in for it."""
    rule, craft = fight.rules("ready.counterspell-same-spell", CRAFT)
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
    if (yield from stands_in(fight, caster, mine, theirs)):
        return True
    what = f"{mine.name} does not counter {theirs.name}"
    yield RuleApplied(who=caster.id, what=what, cites=(rule, craft))
    return False


def react_to_casting(
    fight: Fight, caster: Combatant, act: acts.Cast, react: Callable[[Fight, Combatant, str], Steps[None]]
) -> Steps[bool]:
    """Let those `react` who readied for a casting; return whether they have countered the spell."""
    if not any(
        one.readied is not None and one.readied.trigger.what == "casts"
        for one in fight.state.combatants.values()
    ):
        return False
    yield CastingBegan(who=caster.id, act=act, due=0)
    yield from react(fight, caster, "casts")
    if caster.casting is None:
        return True
    yield CastingEnded(who=caster.id, how="")
    return False


def identify_by_spellcraft(
    fight: Fight, caster: Combatant, spell: Spell, case: str, why: str, topic: str = CRAFT, path: str = ""
) -> Steps[bool]:
    """Make the Spellcraft check that tells a spell: `case` "cast" or "in_place".

    The rule on a `topic` with a figure at `path` may set the DC instead (srd35.skill.spellcraft,
    pf1.cast.counter-identify).
    """
    cites = tuple(dict.fromkeys(fight.rules(topic, CRAFT)))
    parts = skill_parts(fight, caster, "spellcraft", "int", cites[0])
    dc = fight.formula(topic, path or case) + spell.level
    return (yield from check(fight, caster, "spellcraft", parts, dc, *cites, why=why))
