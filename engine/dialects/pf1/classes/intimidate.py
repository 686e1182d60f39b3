"""Demoralizing opponents in pf1, one or all around (pf1.skill.intimidate, pf1.feat.dazzling-display)."""

from typing import Final

from affray.engine.dialects.pf1.conditions.gained_conditions import DEMORALIZE, FEAR
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.feat_prerequisites import masters, refuse_without
from affray.engine.rules.classes.levels import character_level
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.magic.components import MUTE
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.rules.turns.sides import refuse_no_opponent
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC, DISPLAY_TOPIC = "pf1.skill.intimidate", "pf1.feat.dazzling-display"
DISPLAY: Final = "dazzling display"
SHATTER: Final = "shatter defenses"


def why_unimpressed(fight: Fight, actor: Combatant, target: Combatant, feet: int) -> str:
    """Return what keeps an opponent from taking notice of a threat within so many feet, "" for nothing."""
    if distance(actor, target) > feet:
        return f"{target.id} is more than {feet} ft. away"
    unseen = "invisible" in actor.conditions and "see invisibility" not in target.sheet.traits
    if "blinded" in target.conditions or unseen or not sees(fight, target, actor):
        return f"{target.id} does not see {actor.id}"
    if "deafened" in target.conditions or any(name in actor.conditions for name in MUTE):
        return f"{target.id} does not hear {actor.id}"
    return ""


def demoralize(fight: Fight, act: acts.Demoralize) -> Steps[None]:
    """Shake an opponent within 30 feet that sees and hears the actor, as a standard action.

    pf1.skill.intimidate.
    """
    actor, target, rule = fight.combatant(act.actor), fight.combatant(act.target), fight.rule(TOPIC)
    refuse_no_opponent(actor, target, rule, "to demoralize")
    why = why_unimpressed(fight, actor, target, int(fight.figure(TOPIC, "range_ft")))
    if why:
        raise Refusal(why, rule)
    yield spending(fight, actor, "standard", "demoralize", rule)
    yield from daunt(fight, actor, target, rule)


def display(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Demoralize all opponents within 30 feet who see and hear it, as a full-round action.

    pf1.feat.dazzling-display.
    """
    actor = fight.combatant(act.actor)
    rule = refuse_without(fight, actor, DISPLAY)
    yield spending(fight, actor, "full-round", DISPLAY, rule)
    feet = int(fight.figure(DISPLAY_TOPIC, "range_ft"))
    for one in fight.enemies(actor):
        if not is_down(fight, one) and not why_unimpressed(fight, actor, one, feet):
            yield from daunt(fight, actor, one, rule, fight.rule(TOPIC))


def daunt(fight: Fight, actor: Combatant, target: Combatant, *cites: str) -> Steps[None]:
    """Check Intimidate against 10 + Hit Dice + Wisdom; shaken for a round, and one more for each 5 over.

    pf1.skill.intimidate.
    """
    rule = fight.rule(TOPIC)
    parts = skill_parts(fight, actor, "intimidate", "cha", rule)
    steps, size = size_step(actor) - size_step(target), int(fight.figure(TOPIC, "size"))
    for by, value, told in ((steps, size, "larger"), (-steps, -size, "smaller")):
        if by > 0:
            parts.append(Modifier(value, "size", told, rule))
    dc = fight.formula(TOPIC, "dc") + character_level(target) + ability_now(fight, target, "wis")
    why = f"to demoralize {target.id}"
    over = yield from check_by(fight, actor, "intimidate", parts, dc, *cites, why=why)
    if over < 0:
        return
    rounds = int(fight.figure(TOPIC, "rounds")) + over // int(fight.figure(TOPIC, "round_per"))
    until = for_rounds(fight, actor, rounds)
    daunted = ConditionGained(
        who=target.id, condition="shaken", source=DEMORALIZE, until=until, cites=tuple(cites)
    )
    yield from fight.dialect.conditions.gain(fight, daunted)


def shatter_defenses(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let whom a master of Shatter Defenses hits in its fear be flat-footed to it in melee.

    It lasts to the end of the attacker's next turn (pf1.feat.dazzling-display).
    """
    attacker, target = blow.attacker, blow.target
    afraid = next((name for name in FEAR if name in target.conditions), "")
    if not afraid or "dead" in target.conditions or not masters(fight, attacker, SHATTER):
        return
    rule, id = fight.rule(DISPLAY_TOPIC), f"{fight.declaration}:{SHATTER}:{target.id}"
    if any(one.id == id for one in attacker.effects):  # a further hit of the same full attack
        return
    yield EffectGained(
        who=attacker.id,
        id=id,
        stat="denies-dexterity",
        modifier=Modifier(0, "feat", SHATTER, rule),
        until=Until("turn-end", attacker.id, fight.state.round + 1),
        against=target.id,
        cites=(rule,),
    )
