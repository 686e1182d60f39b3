"""Casting a spell: the action, what disturbs it, and then its effects (srd35.cast.*)."""

from collections.abc import Callable, Sequence
from typing import Final

from affray.engine.fight.fight import Fight, is_down, is_helpless, rule_of
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.actions import permit
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.checks import check, check_result, skill_parts
from affray.engine.rules.magic import concentration
from affray.engine.rules.magic.concentration import (
    BOUND,
    CONCENTRATING,
    HELD,
    LONG,
    MUTE,
    TABLE,
    attention_lost_by,
    begin_concentrating,
    collect_distractions,
    keep_unprovoked,
    let_lapse,
    parts_against,
    provoke_or_defend,
    soundness,
    spell_of,
)
from affray.engine.rules.magic.spell_effects import caster_level, targets_of_spell, tradition
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.steps import Distraction, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ResourceSpent
from affray.events.facts.flow import CastingBegan, CastingEnded, Rolled, RuleApplied
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant


def cast_spell(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell of the sheet (srd35.cast.*).

    It provokes from all who threaten unless it is cast defensively (a concentration check, whose failure
    loses the spell); damage during the casting takes a check too (futurepath.assumed.casting).
    """
    caster = fight.combatant(act.actor)
    spell = known_spell(fight, caster, act.spell)
    yield from spend_and_cast(fight, caster, spell, act, f"cast {spell.name}", fight.rule("cast.provokes"))


def spend_and_cast(
    fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast, what: str, *cites: str
) -> Steps[None]:
    """Spend the action for a spell that may be cast now and cast it. Refuses before anything else."""
    kind, reasons = fight.dialect.magic.casting_action(fight, caster, spell)
    refuse_unless_allowed(fight, caster, kind)
    fight.dialect.magic.refuse_casting(fight, caster, spell, act)
    targets = targets_of_spell(fight, caster, spell, act)
    yield spending(fight, caster, kind, what, *cites, *reasons)
    if act.opening:
        rule = fight.rule(fight.dialect.magic.line_topic)
        what = f"{spell.name} passes an opening of {act.opening} sq. ft"
        yield RuleApplied(who=caster.id, what=what, cites=(rule,))
    yield from finish_casting(fight, caster, spell, targets, act.defensively, act, act.at)


def printed_action(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, tuple[str, ...]]:
    """Return the action that a spell takes, and its rules: the printed casting time."""
    return "full-round" if spell.casting == "one-round" else spell.casting, ()


def known_spell(fight: Fight, caster: Combatant, name: str) -> Spell:
    """Return the spell of that name. Refuses one that the caster does not have, or has no longer."""
    return spell_of(caster, name, fight.rule("cast.provokes"))


def finish_casting(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    targets: list[Combatant],
    defensively: bool,
    act: acts.Cast | None = None,
    at: Square | None = None,
) -> Steps[None]:
    """Cast a spell whose action is spent: what disturbs it, then its effects.

    `act` is the declaration, for castings that may go on beyond this turn; an area is aimed `at` a corner.
    """
    dialect = fight.dialect
    if spell.uses is not None:
        yield ResourceSpent(who=caster.id, resource=spell.name, amount=1)
    yield from dialect.magic.prelude(fight, caster, spell)
    distractions: list[int] = []
    interrupted = go_through_interruptions(fight, caster, spell, defensively, act, distractions)
    if (yield from collect_distractions(interrupted, caster, distractions)):
        return
    if act is not None and (yield from dialect.magic.drawn_out(fight, caster, spell, act)):
        return
    yield from take_effect(fight, caster, spell, targets, at)


def go_through_interruptions(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    defensively: bool,
    act: acts.Cast | None,
    distractions: Sequence[int],
) -> Steps[bool]:
    """Handle the interruptions of a casting; return whether the spell is lost.

    `distractions` are the DCs of the spells that have distracted the caster so far.
    """
    magic = fight.dialect.magic
    topic, disturbed = magic.casting_provokes(fight, caster, spell)
    healthy = soundness(caster)
    if disturbed:
        if (yield from magic.heard(fight, caster, spell, act)) or is_down(fight, caster):
            return True
        lost = yield from provoke_or_defend(fight, caster, spell, defensively, healthy, distractions, topic)
        return lost or is_down(fight, caster)
    if spell.ability or spell.item:
        return False
    if (yield from magic.heard(fight, caster, spell, act)) or is_down(fight, caster):
        return True
    return (yield from keep_unprovoked(fight, caster, spell, healthy, distractions))


def take_effect(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant], at: Square | None = None
) -> Steps[None]:
    """Apply the effects of a cast spell: by touch, or on each of its targets; an area from its point of
    origin.
    """
    dialect = fight.dialect
    if (yield from dialect.magic.spell_fails(fight, caster, spell)):
        return
    if spell.touch:
        yield from dialect.magic.touching(fight, caster, spell, targets)
        return
    rolled: Rolled | None = None
    yield from dialect.magic.begin(fight, caster, spell)
    for target in (yield from dialect.magic.affected(fight, caster, spell, targets, at)):
        rolled = yield from fight.dialect.magic.affect(fight, caster, spell, target, rolled, False, at)


def never_countered(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast | None) -> Steps[bool]:
    """Return False: for dialects without counterspells."""
    yield from triggered(fight, caster, "casts")
    return False


def long_casting_provokes(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, bool]:
    """Return the topic of the rule, and whether a casting provokes: one of a standard action or longer."""
    return "cast.provokes", spell.casting in LONG


def all_targets(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant], at: Square | None
) -> Steps[list[Combatant]]:
    """Return all targets of a spell: for dialects in which it reaches them all."""
    return targets
    yield


# --- Castings that outlast a turn, and what disturbs them or a maintained spell
# srd35.cast.one-round, srd35.cast.maintain, pf1.cast.one-round, pf1.cast.maintain.

#: Conditions that leave no voice, no gestures, or no time for a long casting.
DEPRIVING: Final = frozenset({*MUTE, *BOUND, *HELD, "tied up"})


def full_round_action(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, tuple[str, ...]]:
    """Return a whole round's action for long castings and for spontaneous metamagic; "" for other spells.

    srd35.cast.one-round, srd35.cast.metamagic-spontaneous, pf1.cast.one-round, pf1.cast.metamagic.
    """
    if spell.casting == "standard" and spell.spontaneous and spell.metamagic:
        return "full-round", (fight.rule("cast.metamagic-spontaneous"),)
    if spell.casting == "one-round":
        return "full-round", (fight.rule("cast.one-round"),)
    return "", ()


def begin_one_round(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> Steps[bool]:
    """Begin a casting of one round, which ends just before the caster's next turn; return whether it is one.

    srd35.cast.one-round, pf1.cast.one-round.
    """
    if spell.casting != "one-round":
        return False
    yield from begin_casting(fight, caster, act, 1, "cast.one-round")
    return True


def begin_casting(fight: Fight, caster: Combatant, act: acts.Cast, rounds: int, *topics: str) -> Steps[None]:
    """Begin a casting that takes effect `rounds` rounds from now, by the rules on these topics."""
    due = fight.state.round + rounds
    yield CastingBegan(who=caster.id, act=act, due=due, cites=fight.rules(*topics))


def can_cast(fight: Fight, caster: Combatant) -> bool:
    """Return whether a caster's state allows a long casting to go on, which takes its body too."""
    return not is_helpless(fight, caster) and has_its_mind(fight, caster)


def has_its_mind(fight: Fight, caster: Combatant) -> bool:
    """Return whether a caster can concentrate.

    srd35.cast.maintain, srd35.cond.nauseated, .stunned, .dazed, .cowering, .fascinated.
    """
    return not attention_lost_by(fight, caster)


def concentrate(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Begin to concentrate on a spell that requires it (srd35.cast.maintain)."""
    if spell.concentration:
        yield from begin_concentrating(fight, caster, spell)


def older_spell_lapses(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """End the spell that a caster maintains as it casts another (srd35.cast.maintain)."""
    if not spell.ability and not spell.item and CONCENTRATING in caster.conditions:
        yield from let_lapse(fight, caster, "another spell is cast", fight.rule("cast.maintain"))


def come_due(fight: Fight, caster: Combatant) -> Steps[None]:
    """Apply a long casting that is due, just before the caster's turn begins.

    Targets that are out of reach by now are unaffected (srd35.cast.one-round).
    """
    act = caster.casting
    if act is None or not caster.casting_due or fight.state.round < caster.casting_due:
        return
    rule = fight.rule("cast.one-round")
    spell = concentration.spell_known(caster, act.spell)
    yield CastingEnded(who=caster.id, how="complete", cites=(rule,))
    try:
        targets = targets_of_spell(fight, caster, spell, act)
    except Refusal as missed:
        yield RuleApplied(who=caster.id, what=f"{spell.name} is lost: {missed.reason}", cites=(missed.rule,))
        return
    yield from take_effect(fight, caster, spell, targets, act.at)


def concentrates_on(caster: Combatant) -> tuple[Spell, str] | None:
    """Return the spell that a combatant is casting or maintaining, and the topic of the rule, if any."""
    if caster.casting is not None and caster.casting_due:
        return concentration.spell_known(caster, caster.casting.spell), "cast.one-round"
    kept = caster.conditions.get(CONCENTRATING)
    return (concentration.spell_known(caster, kept.source), "cast.maintain") if kept is not None else None


def lose_casting(fight: Fight, caster: Combatant, *cites: str) -> Steps[None]:
    """Lose the spell that is being cast or maintained."""
    if caster.casting is not None and caster.casting_due:
        yield CastingEnded(who=caster.id, how="lost", cites=cites)
    if CONCENTRATING in caster.conditions:
        yield from let_lapse(fight, caster, "concentration is broken", *cites)


def lose_with_mind(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Lose the spell that is being cast or maintained to a condition that makes it impossible.

    A casting takes the body too, a maintained spell only the mind (srd35.cast.one-round,
    srd35.cast.maintain).
    """
    caster = fight.combatant(fact.who)
    found = concentrates_on(caster)
    if found is None:
        return
    goes_on = can_cast if caster.casting is not None else has_its_mind
    if not goes_on(fight, caster):
        cites = fight.rules(found[1], rule_of(fight, fact.condition).topic)
        yield from lose_casting(fight, caster, *cites)
    elif caster.casting is not None:
        yield from unsettle_casting(fight, caster, caster.casting, fact.condition)


def unsettle_casting(fight: Fight, caster: Combatant, act: acts.Cast, condition: str) -> Steps[None]:
    """Let a condition disturb a long casting in progress as it would disturb one that begins.

    A condition that forbids casting the spell loses it; one that hinders casting takes a check. A maintained
    spell is checked when its caster concentrates on it again.

    srd35.cast.one-round, pf1.cast.one-round.
    """
    spell, rule = concentration.spell_known(caster, act.spell), fight.rule("cast.one-round")
    if condition in DEPRIVING:
        try:
            permit(fight, act)
            fight.dialect.magic.refuse_casting(fight, caster, spell, act)
        except Refusal as refused:
            yield from lose_casting(fight, caster, rule, refused.rule)
            return
    for name, topic, dc in fight.dialect.magic.hindrances(fight, caster, spell):
        if name == condition and caster.casting is not None:
            why = f"casting {spell.name} while {name}"
            parts = parts_against(fight, caster, spell, name, topic)
            if not (
                yield from check(fight, caster, "concentration", parts, dc, fight.rule(topic), rule, why=why)
            ):
                yield from lose_casting(fight, caster, rule)


def disturb_casting_by_damage(fight: Fight, caster: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Let damage disturb a long casting or a maintained spell; a caster that is down has lost it already.

    srd35.skill.concentration-table, srd35.cast.one-round, srd35.cast.maintain.
    """
    found = concentrates_on(caster)
    if found is None:
        return
    spell, topic = found
    dc = fight.formula(TABLE, "case=damaged", "dc") + harm.amount + spell.level
    yield from keep_by_concentration(fight, caster, spell, dc, f"struck for {harm.amount}", topic)


def keep_by_concentration(
    fight: Fight, caster: Combatant, spell: Spell, dc: int, why: str, topic: str
) -> Steps[bool]:
    """Check concentration by the table of its skill; a failure loses the spell. Return whether it is kept."""
    cites = fight.rules(TABLE, topic)
    parts = fight.dialect.magic.concentration(fight, caster, spell, TABLE)
    done = yield from check(fight, caster, "concentration", parts, dc, *cites, why=why)
    if not done:
        yield from lose_casting(fight, caster, fight.rule(topic))
    return done


def maintain_spell(fight: Fight, act: acts.Maintain) -> Steps[None]:
    """Go on concentrating: a standard action that does not provoke.

    Hindrances of casting take the same checks here (srd35.cast.maintain).
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("cast.maintain")
    kept = caster.conditions.get(CONCENTRATING)
    if kept is None:
        raise Refusal(f"{caster.id} is not concentrating on a spell", rule)
    spell = concentration.spell_known(caster, kept.source)
    yield spending(fight, caster, "standard", f"concentrate on {spell.name}", rule)
    for name, topic, dc in fight.dialect.magic.hindrances(fight, caster, spell):
        parts = parts_against(fight, caster, spell, name, topic)
        cites = fight.rules(topic, "cast.maintain")
        why = f"concentrating while {name}"
        if not (yield from check(fight, caster, "concentration", parts, dc, *cites, why=why)):
            yield from lose_casting(fight, caster, rule)
            return
    yield from begin_concentrating(fight, caster, spell)


# --- Counterspells, and identifying spells
# srd35.ready.counterspell*, srd35.skill.spellcraft, pf1.ready.counterspell, pf1.cast.counter-identify.

#: The topic of the rule on identifying spells.
CRAFT = "skill.spellcraft"

#: The address of the DC to identify a spell in order to counter it.
COUNTERED = ("ready.counterspell", "spellcraft_dc")

#: The caster level for a dispel check, by caster and spell.
DispelLevel = Callable[[Fight, Combatant, Spell], int]
#: Whether a different spell may counter one: by its caster and both spells.
Stands = Callable[[Fight, Combatant, Spell, Spell], Steps[bool]]


def countered(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast | None) -> Steps[bool]:
    """Let those with an act readied for a casting act; return whether they have countered the spell."""
    return react_to_casting(fight, caster, act or acts.Cast(actor=caster.id, spell=spell.name), triggered)


def counter_casting(
    fight: Fight,
    act: acts.Counter,
    dispel_level: DispelLevel,
    stands_in: Stands,
) -> Steps[None]:
    """Counter the spell that is being cast: with the same spell once identified, or by dispelling.

    A caster that cannot identify the spell, or cannot cast a spell that counters it, has wasted its readied
    act. `stands_in` tests other spells that counter it, `dispel_level` gives the level for a dispel check
    (srd35.ready.counterspell, srd35.ready.counterspell-same-spell, srd35.ready.counterspell-divine-arcane,
    srd35.ready.counterspell-dispel, srd35.cast.counterspell-dispel, srd35.skill.spellcraft,
    pf1.ready.counterspell, pf1.cast.counter-identify).
    """
    caster, rule = fight.combatant(act.actor), fight.rule("ready.counterspell")
    if fight.readied != caster.id or (target := fight.combatant(act.target)).casting is None:
        raise Refusal("a spell is countered by readying against its caster", rule)
    theirs = concentration.spell_known(target, target.casting.spell)
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
    answers = yield from is_countered_by(fight, caster, mine, target, theirs, stands_in)
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
    """Counter with dispel magic, which need not identify the spell and may fail."""
    cites = fight.rules("ready.counterspell-dispel", "cast.counterspell-dispel")
    if not is_within_spell_range(fight, caster, target, mine):
        raise Refusal(f"{target.id} is out of the range of {mine.name}", cites[0])
    yield spending(fight, caster, "standard", f"counter with {mine.name}", cites[0])
    level = dispel_level(fight, caster, mine)
    done = yield from dispel(fight, caster, level, target, theirs, "to counter", cites)
    yield from use_up_spell(caster, mine, *cites)
    if done:
        yield CastingEnded(who=target.id, how="countered", cites=cites)


def use_up_spell(caster: Combatant, mine: Spell, *cites: str) -> Steps[None]:
    """Use up the spell that counters, if its uses are limited."""
    if mine.uses is not None:
        yield ResourceSpent(who=caster.id, resource=mine.name, amount=1, cites=cites)


def has_spell_left(caster: Combatant, mine: Spell | None) -> bool:
    """Return whether a caster has a spell and has not used it up."""
    return mine is not None and (mine.uses is None or caster.resources.get(mine.name, 0) < mine.uses)


def is_within_spell_range(fight: Fight, caster: Combatant, target: Combatant, mine: Spell) -> bool:
    """Return whether a target is within the range of a caster's spell, in line of effect."""
    return distance(caster, target) <= fight.dialect.magic.spell_range(fight, caster, mine) and sees(
        fight, caster, target
    )


def dispel(
    fight: Fight,
    caster: Combatant,
    level: int,
    target: Combatant,
    theirs: Spell,
    purpose: str,
    cites: Sequence[str],
) -> Steps[bool]:
    """Make a dispel check against a caster's spell: caster level against 11 and the other's.

    srd35.cast.counterspell-dispel, pf1.cast.counter-identify.
    """
    topic = "cast.counterspell-dispel"
    rule = fight.rule(topic)
    die, _, _ = str(fight.figure(topic, "check")).partition(" ")
    dc = fight.formula(topic, "dc") + caster_level(fight, target, theirs)
    parts = [Modifier(level, "level", "caster level", rule)]
    why = f"{purpose} {theirs.name}"
    total = yield from check_result(fight, caster, "dispel", parts, *cites, dc=dc, why=why, dice=f"1{die}")
    return bool(total >= dc)


def is_countered_by(
    fight: Fight, caster: Combatant, mine: Spell | None, target: Combatant, theirs: Spell, stands_in: Stands
) -> Steps[bool]:
    """Return whether a spell counters an identified one: the same, or one that may replace it."""
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
    """Let those that `react` by readied acts to a casting act; return whether they have countered the
    spell.
    """
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
    """Make the Spellcraft check that identifies a spell: `case` "cast" or "in_place".

    The rule on a `topic` with a figure at `path` may set the DC instead (srd35.skill.spellcraft,
    pf1.cast.counter-identify).
    """
    cites = tuple(dict.fromkeys(fight.rules(topic, CRAFT)))
    parts = skill_parts(fight, caster, "spellcraft", "int", cites[0])
    dc = fight.formula(topic, path or case) + spell.level
    return (yield from check(fight, caster, "spellcraft", parts, dc, *cites, why=why))


# --- Spells without damage that distract a caster: during a casting, a long one, or a maintained spell
# srd35.skill.concentration-table, pf1.cast.concentration-table.


def distract_caster(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Let a spell without damage distract an enemy that casts or concentrates, by the DC of its save.

    During a casting that it interrupts, the check is made when that goes on.
    """
    if spell.damage or target is caster or target.side == caster.side or "dead" in target.conditions:
        return
    dc, _ = fight.dialect.magic.spell_dc(fight, caster, spell)
    yield Distraction(target.id, dc)
    found = concentrates_on(target)
    if found is not None:
        other, topic = found
        why = "distracted by a spell"
        yield from keep_by_concentration(fight, target, other, dc + other.level, why, topic)
