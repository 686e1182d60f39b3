"""Special abilities: spell-like ones used defensively, frightful presence."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.levels import character_level
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.magic.gazes import reach_of
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

UNIMPRESSED = "unimpressed"


def defensive_spell_like_ability(
    fight: Fight, caster: Combatant, spell: Spell
) -> tuple[int, tuple[str, ...]]:
    """Return the DC to use a spell-like ability without provoking, and its topic; 0 for anything else.

    srd35.cast.spell-like-defensive.
    """
    if spell.ability != "spell-like":
        return 0, ()
    topic = "srd35.cast.spell-like-defensive"
    return fight.formula(topic, "dc") + spell.level, (topic,)


def frightful_presence(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let a frightful presence be felt: a free action on one's own turn."""
    rule = fight.rule("srd35.frightful-presence")
    check_turn(fight, caster)
    felt = f"{spell.name}, felt for {reach_of(fight, spell)} ft."
    yield ActionSpent(who=caster.id, kind="free", what=felt, cites=(rule,))
    yield from overawe(fight, caster, spell, witnesses(fight, caster, spell))


def overawe(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Frighten the weaker witnesses: shaken or worse for 5d6 rounds, unimpressed for a day after a success.

    srd35.frightful-presence.
    """
    topic = "frightful-presence"
    rule = fight.rule(topic)
    dialect = fight.dialect
    dc, cites = dialect.magic.spell_dc(fight, caster, spell)
    state = spell.condition or "shaken"
    for target in targets:
        if character_level(target) >= character_level(caster) or has_withstood_presence(target, caster):
            yield RuleApplied(who=target.id, what=f"is not impressed by {caster.id}", cites=(rule,))
            continue
        immune = dialect.conditions.immune_mind(fight, target, state)
        if immune:
            yield RuleApplied(who=target.id, what=f"immune: not {state}", cites=immune)
            continue
        wards = dialect.classes.save_against_condition(fight, target, state, "will")
        cited, extra = cites or (rule,), tuple(wards)
        if (yield from saving_throw(fight, target, "will", dc, spell.name, *cited, extra=extra)):
            yield EffectGained(
                who=target.id,
                id=f"{fight.declaration}:{UNIMPRESSED}:{target.id}",
                stat=UNIMPRESSED,
                modifier=Modifier(0, "immunity", spell.name, rule),
                until=Until(),
                against=caster.id,
                cites=(rule,),
            )
            continue
        rolled = yield Roll(target.id, "rounds", str(fight.figure(topic, "rounds")))
        until = for_rounds(fight, caster, rolled.total)
        fact = ConditionGained(who=target.id, condition=state, source=caster.id, until=until, cites=(rule,))
        yield from dialect.conditions.gain(fight, fact)


def has_withstood_presence(target: Combatant, combatant: Combatant) -> bool:
    """Say whether a target has withstood this presence before."""
    return any(one.stat == UNIMPRESSED and one.against == combatant.id for one in target.effects)


def witnesses(fight: Fight, caster: Combatant, spell: Spell) -> list[Combatant]:
    """Return the opponents in range who see it."""
    reach = reach_of(fight, spell)
    return [
        enemy
        for enemy in fight.enemies(caster)
        if not is_down(fight, enemy) and distance(caster, enemy) <= reach and sees(fight, enemy, caster)
    ]
