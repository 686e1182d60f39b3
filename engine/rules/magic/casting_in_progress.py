"""Castings that outlast a turn, and what disturbs them or a spell that is kept up.

srd35.cast.one-round, srd35.cast.maintain, pf1.cast.one-round, pf1.cast.maintain.
"""

from typing import Final

from affray.engine.fight.fight import Fight, is_helpless, rule_of
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.magic import casting, known_spells
from affray.engine.rules.magic.components import BOUND, MUTE, attention_lost_by
from affray.engine.rules.magic.concentration import HELD, TABLE, parts_against
from affray.engine.rules.magic.long_castings import CONCENTRATING, begin_concentrating, let_lapse
from affray.engine.rules.magic.targets_and_areas import targets_of_spell
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.prohibitions import permit
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import CastingBegan, CastingEnded, RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

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
    """Begin a casting that takes effect so many rounds from now, by the rules on these topics."""
    due = fight.state.round + rounds
    yield CastingBegan(who=caster.id, act=act, due=due, cites=fight.rules(*topics))


def can_cast(fight: Fight, caster: Combatant) -> bool:
    """Say whether a caster is in a state to go on with a long casting, which takes its body too."""
    return not is_helpless(fight, caster) and has_its_mind(fight, caster)


def has_its_mind(fight: Fight, caster: Combatant) -> bool:
    """Say whether a caster can concentrate.

    srd35.cast.maintain, srd35.cond.nauseated, .stunned, .dazed, .cowering, .fascinated.
    """
    return not attention_lost_by(fight, caster)


def concentrate(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Begin to concentrate on a spell that takes it (srd35.cast.maintain)."""
    if spell.concentration:
        yield from begin_concentrating(fight, caster, spell)


def older_spell_lapses(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let the spell that a caster keeps up end as it casts another (srd35.cast.maintain)."""
    if not spell.ability and not spell.item and CONCENTRATING in caster.conditions:
        yield from let_lapse(fight, caster, "another spell is cast", fight.rule("cast.maintain"))


def come_due(fight: Fight, caster: Combatant) -> Steps[None]:
    """Let a long casting that is due take effect, just before the caster's turn begins.

    Targets that are out of reach by now are lost to it (srd35.cast.one-round).
    """
    act = caster.casting
    if act is None or not caster.casting_due or fight.state.round < caster.casting_due:
        return
    rule = fight.rule("cast.one-round")
    spell = known_spells.spell_known(caster, act.spell)
    yield CastingEnded(who=caster.id, how="complete", cites=(rule,))
    try:
        targets = targets_of_spell(fight, caster, spell, act)
    except Refusal as missed:
        yield RuleApplied(who=caster.id, what=f"{spell.name} is lost: {missed.reason}", cites=(missed.rule,))
        return
    yield from casting.take_effect(fight, caster, spell, targets, act.at)


def concentrates_on(caster: Combatant) -> tuple[Spell, str] | None:
    """Return the spell that a combatant is casting or keeping up, and the topic of the rule, if any."""
    if caster.casting is not None and caster.casting_due:
        return known_spells.spell_known(caster, caster.casting.spell), "cast.one-round"
    kept = caster.conditions.get(CONCENTRATING)
    return (known_spells.spell_known(caster, kept.source), "cast.maintain") if kept is not None else None


def lose_casting(fight: Fight, caster: Combatant, *cites: str) -> Steps[None]:
    """Lose the spell that is being cast or kept up."""
    if caster.casting is not None and caster.casting_due:
        yield CastingEnded(who=caster.id, how="lost", cites=cites)
    if CONCENTRATING in caster.conditions:
        yield from let_lapse(fight, caster, "concentration is broken", *cites)


def lose_with_mind(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Lose the spell that is being cast or kept up with a condition that leaves no room for it.

    A casting takes the body too, what is kept up the mind alone (srd35.cast.one-round, srd35.cast.maintain).
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
    """Let a condition disturb a long casting under way as it would disturb one that begins.

    One under which the spell could not be cast loses it; one that makes casting hard calls for a check. What
    is kept up is checked as its caster concentrates on it again.

    srd35.cast.one-round, pf1.cast.one-round.
    """
    spell, rule = known_spells.spell_known(caster, act.spell), fight.rule("cast.one-round")
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


def shaken_by_harm(fight: Fight, caster: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Let damage disturb a long casting or a spell kept up; whoever is down by it has lost that already.

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

    What hampers casting calls for the same checks here (srd35.cast.maintain).
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("cast.maintain")
    kept = caster.conditions.get(CONCENTRATING)
    if kept is None:
        raise Refusal(f"{caster.id} is not concentrating on a spell", rule)
    spell = known_spells.spell_known(caster, kept.source)
    yield spending(fight, caster, "standard", f"concentrate on {spell.name}", rule)
    for name, topic, dc in fight.dialect.magic.hindrances(fight, caster, spell):
        parts = parts_against(fight, caster, spell, name, topic)
        cites = fight.rules(topic, "cast.maintain")
        why = f"concentrating while {name}"
        if not (yield from check(fight, caster, "concentration", parts, dc, *cites, why=why)):
            yield from lose_casting(fight, caster, rule)
            return
    yield from begin_concentrating(fight, caster, spell)
