"""Confusion and fascination, and what a creature can do under either (srd35.cond.*)."""

from typing import Any

from affray.engine.dialects.srd35.conditions.fear import COMPELLED, FLEE, cause_of, compel, compulsion, panic
from affray.engine.fight.fight import Fight, is_down, is_marked
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.conditions.fear import squared_distance
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance, next_to
from affray.engine.rules.turns.action_budget import has_acted, spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

STRIKES_BACK = "strikes-back"
ATTACK, BABBLE, ACT = "attack", "babble", "act"
MOVES = (acts.Move, acts.Run, acts.Withdraw, acts.Charge)
#: What is no action of the creature's mind: the game goes on.
ALWAYS = (acts.Enter, acts.Begin, acts.Close, acts.EndTurn, acts.Hazard)


# what the mind does at the start of a turn


def settle_confusion_and_panic(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of a turn, settle what the confused do and where the panicked run."""
    if not combatant.conditions or is_down(fight, combatant):
        return
    if "confused" in combatant.conditions:
        yield from confuse(fight, combatant)
    elif "panicked" in combatant.conditions:
        yield from panic(fight, combatant)


def confuse(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Roll what a confused creature does, unless it strikes back at its last attacker (srd35.cond.confused).

    What it cannot do becomes babbling.
    """
    topic = "srd35.cond.confused"
    rule = fight.rule(topic)
    back = next((one for one in combatant.effects if one.stat == STRIKES_BACK), None)
    if back is not None and "dead" not in fight.combatant(back.against).conditions:
        yield RuleApplied(who=combatant.id, what=f"strikes back at {back.against}", cites=(rule,))
        yield compel(fight, combatant, ATTACK, topic, back.against)
        return
    table = fight.figure(topic)
    rolled = yield Roll(combatant.id, "confusion", f"1d{table[-1]['d100'][1]}")
    row = next(row for row in table if row["d100"][0] <= rolled.total <= row["d100"][1])
    yield RuleApplied(who=combatant.id, what=f"confused: {row['do']}", cites=(rule,))
    what = str(row["do"])
    cause = cause_of(fight, combatant.conditions["confused"])
    if what.startswith("act normally"):
        yield compel(fight, combatant, ACT, topic)
    elif what.startswith("babble"):
        yield compel(fight, combatant, BABBLE, topic)
    elif what.startswith("attack the nearest"):
        near = yield from nearest_creature(fight, combatant)
        yield compel(fight, combatant, ATTACK if near else BABBLE, topic, near)
    elif cause is None or cause is combatant:
        yield RuleApplied(who=combatant.id, what="cannot do that and babbles", cites=(rule,))
        yield compel(fight, combatant, BABBLE, topic)
    else:
        yield compel(fight, combatant, FLEE if what.startswith("flee") else ATTACK, topic, cause.id)


def nearest_creature(fight: Fight, combatant: Combatant) -> Steps[str]:
    """Return the nearest other creature, "" when there is none; of equally near ones a die decides.

    srd35.distance.closest-tie
    """
    others = [
        one
        for one in fight.state.combatants.values()
        if one is not combatant and "dead" not in one.conditions
    ]
    if not others:
        return ""
    least = min(distance(combatant, one) for one in others)
    near = [one for one in others if distance(combatant, one) == least]
    if len(near) > 1:
        rolled = yield Roll(combatant.id, "closest", f"1d{len(near)}")
        near = [near[rolled.total - 1]]
        what = f"of those equally near {near[0].id} counts as nearest"
        yield RuleApplied(who=combatant.id, what=what, cites=fight.rules("srd35.distance.closest-tie"))
    return near[0].id


def refuse_against_compulsion(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse what the confused or the panicked cannot bring themselves to do."""
    if not actor.effects or isinstance(act, ALWAYS):
        return
    effect = compulsion(actor)
    if effect is None or fight.readied == actor.id:
        return
    what, rule = effect.modifier.source, effect.modifier.rule
    if what == ACT:
        return
    if what == BABBLE:
        raise Refusal(f"{actor.id} only babbles", rule)
    if what == ATTACK:
        refuse_other_prey(fight, actor, effect.against, act, rule)
        return
    if not isinstance(act, MOVES) or not act.path or isinstance(act, acts.Charge):
        raise Refusal(f"{actor.id} can only flee", rule)
    _, _, by = what.partition(" by ")
    if by and not actor.spent.get("feet") and by != f"{act.path[0][0]},{act.path[0][1]}":
        raise Refusal(f"{actor.id} flees by {by}", rule)
    other = fight.state.combatants.get(effect.against)
    if other is not None and squared_distance(act.path[-1], other) <= squared_distance(actor.at, other):
        raise Refusal(f"{actor.id} flees from {other.id}", rule)


def refuse_other_prey(fight: Fight, actor: Combatant, prey: str, act: Any, rule: str) -> None:
    """Refuse all but attacking one creature, closing in on it, and getting ready for that."""
    if isinstance(act, acts.FullAttack):
        if any(strike.target != prey for strike in act.strikes):
            raise Refusal(f"{actor.id} attacks {prey} and nobody else", rule)
        return
    if isinstance(act, acts.Attack | acts.Charge):
        if act.target != prey:
            raise Refusal(f"{actor.id} attacks {prey} and nobody else", rule)
        return
    if isinstance(act, acts.Cast):
        if act.targets != (prey,):
            raise Refusal(f"{actor.id} attacks {prey} and nobody else", rule)
        return
    if isinstance(act, acts.Draw | acts.Load | acts.Stand):
        return
    other = fight.combatant(prey)
    if (
        isinstance(act, acts.Move)
        and act.path
        and squared_distance(act.path[-1], other) < squared_distance(actor.at, other)
    ):
        return
    raise Refusal(f"{actor.id} can only attack {prey} or close in", rule)


def rouse_attacked(fight: Fight, blow: Blow) -> Steps[None]:
    """Let an attack wake the fascinated, and make the confused strike back on their next turn.

    srd35.cond.fascinated, srd35.cond.confused.
    """
    return rouse_by_attempt(fight, blow.attacker, blow.target)


def rouse_by_attempt(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Let a special attack rouse as any attack does, whether it takes an attack roll or not.

    srd35.cond.fascinated, srd35.cond.confused, srd35.special-attack.table.
    """
    if "fascinated" in target.conditions:
        yield fascination_over(fight, target, f"attacked by {attacker.id}")
    if "confused" in target.conditions:
        rule = fight.rule("srd35.cond.confused")
        name = f"{fight.declaration}:{STRIKES_BACK}:{attacker.id}"
        if any(one.id == name for one in target.effects):
            return
        later = fight.state.active == target.id or has_acted(fight, target)
        yield EffectGained(
            who=target.id,
            id=name,
            stat=STRIKES_BACK,
            modifier=Modifier(0, "compulsion", "attacked", rule),
            until=Until("turn-end", target.id, fight.state.round + later),
            against=attacker.id,
            cites=(rule,),
        )


def why_confused_ignores(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a confused creature takes no attack of opportunity: its mind is on somebody else."""
    attacker = blow.attacker
    after = next((one.against for one in attacker.effects if one.stat in (COMPELLED, STRIKES_BACK)), "")
    return ("", "") if after == blow.target.id else (f"{attacker.id} is confused", "srd35.cond.confused")


# fascination


def fascination_over(fight: Fight, combatant: Combatant, why: str) -> ConditionLost:
    """Return the fact that somebody is fascinated no longer."""
    cites = (fight.rule("srd35.cond.fascinated"),)
    return ConditionLost(who=combatant.id, condition="fascinated", why=why, cites=cites)


def obvious_threat(fight: Fight, by: Combatant, what: str) -> Steps[None]:
    """Let something that nobody can mistake wake the fascinated opponents who see it."""
    for one in fight.enemies(by):
        if one.conditions and "fascinated" in one.conditions and sees(fight, one, by):
            yield fascination_over(fight, one, f"{by.id} {what}")


def startled_by_casting(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let a casting break the fascination of its caster's enemies (srd35.cond.fascinated)."""
    return obvious_threat(fight, caster, f"casts {spell.name}")


def startled_by_drawing(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Let a drawn weapon break the fascination of its bearer's enemies (srd35.cond.fascinated)."""
    return obvious_threat(fight, fight.combatant(act.actor), f"draws the {act.item}")


def possible_threat(fight: Fight, by: Combatant) -> Steps[None]:
    """Give the fascinated another saving throw when an opponent comes nearer (srd35.cond.fascinated)."""
    for one in fight.enemies(by) if is_marked(fight) else ():
        held = one.conditions.get("fascinated")
        if held is None or not sees(fight, one, by):
            continue
        found = spell_named(fight, held.source)
        if found is None:
            continue
        caster, spell = found
        dc, cites = fight.dialect.magic.spell_dc(fight, caster, spell)
        rule = fight.rule("srd35.cond.fascinated")
        if (yield from saving_throw(fight, one, spell.save or "will", dc, spell.name, rule, *cites)):
            yield fascination_over(fight, one, f"wary of {by.id}")


def spell_named(fight: Fight, name: str) -> tuple[Combatant, Spell] | None:
    """Return who has the spell of that name, and the spell."""
    for one in fight.state.combatants.values():
        for spell in one.sheet.spells:
            if spell.name == name:
                return one, spell
    return None


def rouse(fight: Fight, act: acts.Rouse) -> Steps[None]:
    """Shake a friend out of its fascination: a standard action (srd35.cond.fascinated)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.cond.fascinated")
    if "fascinated" not in target.conditions or not next_to(actor, target):
        raise Refusal(f"{actor.id} has nobody beside it called {target.id} to rouse", rule)
    yield spending(fight, actor, "standard", f"rouse {target.id}", rule)
    yield fascination_over(fight, target, f"roused by {actor.id}")
