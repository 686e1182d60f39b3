"""Total defense, refocusing, handling weapons, treatment."""

from affray.engine.dialects.woa.damage.bleeding import worst_wound, wound_held, wounds
from affray.engine.dialects.woa.damage.treatment import refuse_patient, rounds_out, rule_of_timing, treat
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import skill_parts, skill_result
from affray.engine.rules.gear.let_go import UNLOADED
from affray.engine.rules.gear.loading import loads_slowly
from affray.engine.rules.gear.weapons_in_hand import weapon_to_load
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    EffectGained,
    ItemChanged,
    Until,
)
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def total_defense(fight: Fight, act: acts.TotalDefense) -> Steps[None]:
    """Defend: +4 dodge bonus to AC, reactions only to dodge and block (woa.total-defense.*).

    It holds to the round's end. In a further round it has held from the declaration on (see `defend`).
    """
    actor = fight.combatant(act.actor)
    yield spending(fight, actor, "standard", "total defense", fight.rule("woa.total-defense.bonus"))
    yield from defend(fight, actor, "woa.total-defense.bonus", "dodge_bonus")
    yield ConditionGained(
        who=actor.id,
        condition="defended",
        source="total defense",
        until=Until("round-end", "", fight.state.round + 1),
        cites=(fight.rule("woa.total-defense.consecutive"),),
    )


def defend(fight: Fight, combatant: Combatant, topic: str, path: str) -> Steps[None]:
    """Give the bonus and the limits of total defense until the round's end, once a round."""
    if "total-defense" in combatant.conditions:
        return
    until = Until("round-end", "", fight.state.round)
    rule = fight.rule(topic)
    yield EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{combatant.id}:defense",
        stat="defense",
        modifier=fight.modifier(topic, path, kind="dodge", source="total defense"),
        until=until,
        cites=(rule,),
    )
    yield ConditionGained(
        who=combatant.id,
        condition="total-defense",
        source="total defense",
        until=until,
        cites=(rule, fight.rule("woa.total-defense.reactions")),
    )


def declared_defense(fight: Fight) -> Steps[None]:
    """Before the first turn, let total defense hold for those who declared it in the round before too.

    With the reading `whole-round` it holds so the first time as well (option `total_defense_span`).
    """
    whole = fight.option("total_defense_span") == "whole-round"
    for combatant in fight.state.combatants.values():
        if any(what == "total-defense" for _, what, _ in combatant.plan):
            if "defended" in combatant.conditions:
                yield from defend(fight, combatant, "woa.total-defense.consecutive", "ac")
            elif whole:
                yield from defend(fight, combatant, "woa.total-defense.bonus", "dodge_bonus")


def refocus(fight: Fight, act: acts.Refocus) -> Steps[None]:
    """Refocus: next round's initiative counts as a rolled 20 (woa.refocus.rule)."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.refocus.rule")
    yield spending(fight, actor, "standard", "refocus", rule)
    until = Until("round-end", "", fight.state.round + 1)
    yield ConditionGained(who=actor.id, condition="refocused", source="refocus", until=until, cites=(rule,))


def load(fight: Fight, act: acts.Load) -> Steps[None]:
    """Load a weapon: a move action, a full-round one for the slow (woa.items.manipulate-move, -long)."""
    actor = fight.combatant(act.actor)
    weapon = weapon_to_load(fight, actor, act.item, fight.rule("woa.items.draw-sheathe"))
    slow = loads_slowly(weapon)
    rule = fight.rule("woa.items.manipulate-long" if slow else "woa.items.manipulate-move")
    if actor.items.get(act.item) != UNLOADED:
        raise Refusal(f"the {act.item} needs no loading", rule)
    kind = "full-round" if slow else "move"
    yield spending(fight, actor, kind, "load", rule)
    yield ItemChanged(who=actor.id, item=act.item, state="loaded", cites=(rule,))


def stabilize(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Treat somebody unconscious with the Heal skill: its fate is settled now (woa.knocked-out.*)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "woa.knocked-out.mod-treatment"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, actor, "standard")
    refuse_patient(actor, target, rule)
    yield spending(fight, actor, "standard", "treat", rule, fight.rule("woa.healing.assisted"))
    words = str(fight.figure(topic, "heal_skill"))
    least, per = int(words.split("-")[1].split(")")[0]), int(words.rsplit("/", 1)[1].strip(" )"))
    total = yield from heal_check(fight, actor, least, rule)
    if total >= least:
        bonus = int(words.split()[0]) + (total - least) // per
        treatment = Modifier(bonus, "treatment", f"treated by {actor.id}", rule)
        yield from treat(fight, target, treatment, rule_of_timing(fight, rounds_out(fight, target)))


def treat_wound(fight: Fight, act: acts.Treat) -> Steps[None]:
    """Tend a bleeding wound with the Heal skill: a bonus on its next save (woa.bleeding.heal-skill).

    One wound a round, the worst that is not tended yet (woa.bleeding.one-wound-per-round).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "woa.bleeding.heal-skill"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, actor, "standard")
    found = [one for one in wounds(target) if one.treated < 0]
    if not found:
        raise Refusal(f"{target.id} has no wound to be tended", rule)
    if actor is not target:
        refuse_apart(actor, target, rule)
    dc, bonus = cell(fight, topic, 0, "dc"), cell(fight, topic, 0, "bonus")
    if dc is None or bonus is None:
        reason = "what the Heal skill does for a wound is not printed, and only printed figures are in force"
        raise Refusal(reason, rule)
    one_each = fight.rules("woa.bleeding.one-wound-per-round") if len(found) > 1 else ()
    yield spending(fight, actor, "standard", "tend a wound", rule, *one_each)
    total = yield from heal_check(fight, actor, dc.value, rule)
    if total >= dc.value:
        wound = worst_wound(fight, found)
        yield wound_held(target, wound.id, wound.rider.effect, wound.by, bonus.value, rule, *one_each)


def heal_check(fight: Fight, combatant: Combatant, dc: int, rule: str) -> Steps[int]:
    """Roll Heal against the DC from which treatment counts; return the total."""
    return (
        yield from skill_result(
            fight, combatant, "heal", skill_parts(fight, combatant, "heal", "wis", rule), rule, dc=dc
        )
    )
