"""Spells that take next to no time: quickened ones, and those that are cast out of turn.

srd35.action.swift-immediate, srd35.free.list, srd35.cast.provokes.
"""

from typing import Final

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.conditions.condition_rules import leaves_powerless
from affray.engine.rules.turns.action_budget import OUT_OF_TURN, check_turn, has_acted
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

TOPIC: Final = "srd35.action.swift-immediate"
FEAT: Final = "quicken spell"
QUICK: Final = ("free", "swift", "immediate")
#: What counts the quickened spells of a round, and the stat of an effect that takes the next swift action.
SPENT: Final = "quickened"
ANTICIPATED: Final = "swift-action-taken"


def is_quick(spell: Spell) -> bool:
    """Say whether a spell takes a free, swift or immediate action only: so made, or by Quicken Spell."""
    if spell.ability or spell.item:
        return False
    return spell.casting in QUICK or FEAT in spell.metamagic


def swift_in_play(fight: Fight) -> bool:
    """Say whether swift actions are in play (swift_actions)."""
    return fight.option("swift_actions") == "one-a-turn"


def is_interjected(fight: Fight, caster: Combatant, spell: Spell) -> bool:
    """Say whether an immediate spell is being cast in the turn of another."""
    return spell.casting == "immediate" and fight.state.active != caster.id


def quick_action(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, tuple[str, ...]]:
    """Return the action of a quick spell, a free one or the swift one of the turn; "" for another spell.

    srd35.action.swift-immediate, srd35.free.list.
    """
    if not is_quick(spell):
        return "", ()
    swift = swift_in_play(fight)
    cites = fight.rules(TOPIC) if swift else fight.rules(TOPIC, "srd35.free.list")
    if is_interjected(fight, caster, spell):
        return OUT_OF_TURN, cites
    return "swift" if swift else str(fight.figure(TOPIC, "core_equivalent")).removesuffix(" action"), cites


def quick_spell_provokes(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, bool]:
    """Return the topic by which a quick spell does not provoke; "" for another (srd35.cast.provokes)."""
    return ("srd35.cast.provokes", False) if is_quick(spell) else ("", False)


def refuse_quick(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse more quickened spells than a round allows, and to cast out of turn what one cannot.

    Spontaneous casters cannot quicken (srd35.cast.metamagic-spontaneous). Nobody casts out of turn who is
    out of action, who does not know of the fight, or, with swift actions in play, who is flat-footed.
    """
    if not is_quick(spell):
        return
    rule = fight.rule(TOPIC)
    if spell.spontaneous and FEAT in spell.metamagic:
        reason = f"{spell.name} takes a spontaneous caster longer and cannot be quickened"
        raise Refusal(reason, fight.rule("srd35.cast.metamagic-spontaneous"))
    most = fight.figure(TOPIC, "quickened_per_round")
    if not swift_in_play(fight) and caster.spent.get(SPENT, 0) >= most:
        raise Refusal(f"{caster.id} has cast a quickened spell this round", rule)
    if not is_interjected(fight, caster, spell):
        return
    if fight.state.closed or not fight.state.begun:
        check_turn(fight, caster)
    if barring := next((name for name in caster.conditions if leaves_powerless(fight, name)), ""):
        reason = f"{caster.id} is {barring} and cannot act now"
        raise Refusal(reason, fight.rule(rule_of(fight, barring).topic))
    if not caster.aware:
        reason = f"{caster.id} is not aware of the fight and cannot act now"
        raise Refusal(reason, fight.rule("srd35.surprise.unaware"))
    if swift_in_play(fight) and (not caster.acted or has_used_next_swift(caster)):
        why = "has taken the next swift action already" if caster.acted else "is flat-footed"
        raise Refusal(f"{caster.id} {why}", rule)


def has_used_next_swift(combatant: Combatant) -> bool:
    """Say whether an immediate action has used up the next swift one."""
    return any(effect.stat == ANTICIPATED for effect in combatant.effects)


def count_quickened(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Count a quickened spell; out of turn, with swift actions in play, it takes that of the next turn."""
    if not is_quick(spell):
        return
    rule = fight.rule(TOPIC)
    what = f"casting {spell.name}"
    yield from fight.dialect.turns.told_safe(fight, caster, "free", "Cast a quickened spell", what)
    yield ActionSpent(who=caster.id, kind=SPENT, what=spell.name, cites=(rule,))
    if is_interjected(fight, caster, spell) and swift_in_play(fight):
        turn_of = fight.state.round + has_acted(fight, caster)
        yield EffectGained(
            who=caster.id,
            id=f"{fight.declaration}:immediate",
            stat=ANTICIPATED,
            modifier=Modifier(0, "untyped", f"{spell.name}, out of turn", rule),
            until=Until("turn-end", caster.id, turn_of),
            cites=(rule,),
        )
