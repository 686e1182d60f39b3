"""Castings that outlast a turn, and spells that last while one concentrates."""

from affray.engine.dialects.srd35.magic.components import can_cast, has_its_mind
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.magic import casting, known_spells
from affray.engine.rules.magic.concentration import concentration
from affray.engine.rules.magic.long_castings import CONCENTRATING, begin_concentrating, let_lapse
from affray.engine.rules.magic.targets_and_areas import targets_of_spell
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import ActionSpent, CastingBegan, CastingEnded, RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

TABLE = "srd35.skill.concentration-table"


def full_round_action(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, tuple[str, ...]]:
    """Return a whole round's action for long castings and for spontaneous metamagic; "" for other spells.

    srd35.cast.one-round, srd35.cast.metamagic-spontaneous.
    """
    if spell.casting == "standard" and spell.spontaneous and spell.metamagic:
        return "full-round", (fight.rule("srd35.cast.metamagic-spontaneous"),)
    if spell.casting == "one-round":
        return "full-round", (fight.rule("srd35.cast.one-round"),)
    return "", ()


def begin_long_casting(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> Steps[bool]:
    """Begin a casting that outlasts this turn; return whether it does.

    One round's casting ends just before the caster's next turn; metamagic by a spontaneous caster takes one
    more full-round action (srd35.cast.one-round, srd35.cast.metamagic-spontaneous).
    """
    rounds = 1 if spell.casting == "one-round" else 0
    cites = [fight.rule("srd35.cast.one-round")] if rounds else []
    if spell.spontaneous and spell.metamagic and spell.casting in ("full-round", "one-round"):
        rounds += 1
        cites.append(fight.rule("srd35.cast.metamagic-spontaneous"))
    if not rounds:
        return False
    yield CastingBegan(who=caster.id, act=act, due=fight.state.round + rounds, cites=tuple(cites))
    return True


def concentrate(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Begin to concentrate on a spell that takes it (srd35.cast.maintain)."""
    if spell.concentration:
        yield from begin_concentrating(fight, caster, spell)


def older_spell_lapses(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let the spell that a caster keeps up end as it casts another (srd35.cast.maintain)."""
    if not spell.ability and not spell.item and CONCENTRATING in caster.conditions:
        yield from let_lapse(fight, caster, "another spell is cast", fight.rule("srd35.cast.maintain"))


def come_due(fight: Fight, caster: Combatant) -> Steps[None]:
    """Let a long casting that is due take effect, just before the caster's turn begins.

    Targets that are out of reach by now are lost to it (srd35.cast.one-round).
    """
    act = caster.casting
    if act is None or not caster.casting_due or fight.state.round < caster.casting_due:
        return
    rule = fight.rule("srd35.cast.one-round")
    spell = known_spells.spell_known(caster, act.spell)
    yield CastingEnded(who=caster.id, how="complete", cites=(rule,))
    try:
        targets = targets_of_spell(fight, caster, spell, act)
    except Refusal as missed:
        yield RuleApplied(who=caster.id, what=f"{spell.name} is lost: {missed.reason}", cites=(missed.rule,))
        return
    yield from casting.take_effect(fight, caster, spell, targets)


def continue_casting(fight: Fight, caster: Combatant) -> Steps[None]:
    """Spend the turn on a casting that is not due yet."""
    if caster.casting is not None:
        rule = fight.rule("srd35.cast.one-round")
        what = f"go on casting {caster.casting.spell}"
        yield ActionSpent(who=caster.id, kind="full-round", what=what, cites=(rule,))


def concentrates_on(caster: Combatant) -> tuple[Spell, str] | None:
    """Return the spell that a combatant is casting or keeping up, and the topic of the rule, if any."""
    if caster.casting is not None and caster.casting_due:
        return known_spells.spell_known(caster, caster.casting.spell), "srd35.cast.one-round"
    kept = caster.conditions.get(CONCENTRATING)
    return (
        (known_spells.spell_known(caster, kept.source), "srd35.cast.maintain") if kept is not None else None
    )


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


def shaken_by_harm(fight: Fight, caster: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Let damage disturb a long casting or a spell kept up; whoever is down by it has lost that already.

    srd35.skill.concentration-table, srd35.cast.one-round, srd35.cast.maintain.
    """
    found = concentrates_on(caster)
    if found is None:
        return
    spell, topic = found
    dc = fight.formula(TABLE, "case=damaged", "dc") + harm.amount + spell.level
    yield from keep_by_concentration(fight, caster, dc, f"struck for {harm.amount}", topic)


def shaken_by_spell(fight: Fight, caster: Combatant, dc: int) -> Steps[None]:
    """Let another spell, which did no damage, disturb a long casting or a spell kept up: by its save DC."""
    found = concentrates_on(caster)
    if found is not None:
        spell, topic = found
        yield from keep_by_concentration(fight, caster, dc + spell.level, "distracted by a spell", topic)


def keep_by_concentration(fight: Fight, caster: Combatant, dc: int, why: str, topic: str) -> Steps[bool]:
    """Check concentration by the table of its skill; a failure loses the spell. Return whether it is kept."""
    cites = fight.rules(TABLE, topic)
    done = yield from check(
        fight, caster, "concentration", concentration(fight, caster, TABLE), dc, *cites, why=why
    )
    if not done:
        yield from lose_casting(fight, caster, fight.rule(topic))
    return done


def maintain_spell(fight: Fight, act: acts.Maintain) -> Steps[None]:
    """Go on concentrating: a standard action that does not provoke.

    What hampers casting calls for the same checks here (srd35.cast.maintain).
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("srd35.cast.maintain")
    kept = caster.conditions.get(CONCENTRATING)
    if kept is None:
        raise Refusal(f"{caster.id} keeps no spell up", rule)
    spell = known_spells.spell_known(caster, kept.source)
    yield spending(fight, caster, "standard", f"concentrate on {spell.name}", rule)
    for name, topic, dc in fight.dialect.magic.hindrances(fight, caster, spell):
        parts = concentration(fight, caster, topic)
        cites = fight.rules(topic, "srd35.cast.maintain")
        why = f"concentrating while {name}"
        if not (yield from check(fight, caster, "concentration", parts, dc, *cites, why=why)):
            yield from lose_casting(fight, caster, rule)
            return
    yield from begin_concentrating(fight, caster, spell)
