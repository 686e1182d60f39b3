"""Conditions of the mind: fear that adds up, panic, confusion, fascination (srd35.cond.*)."""

from typing import Any

from affray.engine.fight import Fight
from affray.engine.grid.area import DIRECTIONS
from affray.engine.rules.blow import Blow
from affray.engine.rules.budget import spending
from affray.engine.rules.checks import saving_throw
from affray.engine.rules.conditions import is_down
from affray.engine.rules.magic.resistance import spell_dc
from affray.engine.rules.place import distance, next_to, occupants, sees
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectGained,
    HitPointsChanged,
    ItemChanged,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant, Condition, Effect

Square = tuple[int, int]
FEAR = ("shaken", "frightened", "panicked")
COMPELLED = "compelled"
STRIKES_BACK = "strikes-back"
ATTACK, BABBLE, FLEE, ACT = "attack", "babble", "flee", "act"
MOVES = (acts.Move, acts.Run, acts.Withdraw, acts.Charge)
#: What is no action of the creature's mind: the game goes on.
ALWAYS = (acts.Enter, acts.Begin, acts.Close, acts.EndTurn, acts.Hazard)


def gain(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition with what comes of it: fear adds up, panic drops things, death is final.

    srd35.cond.fear-ladder, srd35.cond.panicked, srd35.death-effects.
    """
    who = fight.combatant(fact.who)
    if fact.condition in FEAR:
        yield from frighten(fight, who, fact)
        return
    yield fact
    if fact.condition == "dead":
        yield from beyond_help(fight, who)


def frighten(fight: Fight, who: Combatant, fact: ConditionGained) -> Steps[None]:
    """Add fear to fear: two of a lesser kind make one of a greater."""
    has = next((name for name in reversed(FEAR) if name in who.conditions), "")
    worse = fight.figure("cond.fear-ladder").get(f"{has}+{fact.condition}", "") if has else ""
    rule = fight.rule("cond.fear-ladder")
    if has and not worse:
        yield RuleApplied(who=who.id, what=f"is {has} already", cites=(rule,))
        return
    if worse:
        yield ConditionLost(who=who.id, condition=has, why=worse, cites=(rule,))
        cites = tuple(dict.fromkeys((rule, *fact.cites)))
        fact = ConditionGained(
            who=who.id, condition=worse, source=fact.source, until=fact.until, level=fact.level, cites=cites
        )
    yield fact
    if fact.condition == "panicked":
        for item in who.held:
            cites = (fight.rule("cond.panicked"),)
            yield ItemChanged(who=who.id, item=item, state="dropped", cites=cites)


def beyond_help(fight: Fight, who: Combatant) -> Steps[None]:
    """Count a creature that has died without dying first as far below zero (srd35.death-effects)."""
    topic = "death-effects"
    line = fight.figure(topic, "hit_points")
    if "dead" in who.conditions and who.hp > line:
        yield HitPointsChanged(
            who=who.id,
            hp=line,
            nonlethal=who.nonlethal,
            temporary=0,
            change=line - who.hp,
            why="death comes at once",
            cites=(fight.rule(topic),),
        )


# what the mind does at the start of a turn


def possess(fight: Fight, who: Combatant) -> Steps[None]:
    """At the start of a turn, settle what the confused do and where the panicked run."""
    if not who.conditions or is_down(fight, who):
        return
    if "confused" in who.conditions:
        yield from confuse(fight, who)
    elif "panicked" in who.conditions:
        yield from panic(fight, who)


def compel(fight: Fight, who: Combatant, what: str, topic: str, against: str = "") -> EffectGained:
    """Return the fact that a creature does this on its turn and nothing else."""
    rule = fight.rule(topic)
    return EffectGained(
        who=who.id,
        id=f"{fight.declaration}:{COMPELLED}:{who.id}:{fight.state.round}",
        stat=COMPELLED,
        modifier=Modifier(0, "compulsion", what, rule),
        until=Until("turn-end", who.id, fight.state.round),
        against=against,
        cites=(rule,),
    )


def compulsion(who: Combatant) -> Effect | None:
    """Return what a creature is compelled to do on its turn, if anything."""
    return next((one for one in who.effects if one.stat == COMPELLED), None)


def confuse(fight: Fight, who: Combatant) -> Steps[None]:
    """Roll what a confused creature does, unless it strikes back at its last attacker (srd35.cond.confused).

    What it cannot do becomes babbling.
    """
    topic = "cond.confused"
    rule = fight.rule(topic)
    back = next((one for one in who.effects if one.stat == STRIKES_BACK), None)
    if back is not None and "dead" not in fight.combatant(back.against).conditions:
        yield RuleApplied(who=who.id, what=f"strikes back at {back.against}", cites=(rule,))
        yield compel(fight, who, ATTACK, topic, back.against)
        return
    table = fight.figure(topic)
    rolled = yield Roll(who.id, "confusion", f"1d{table[-1]['d100'][1]}")
    row = next(row for row in table if row["d100"][0] <= rolled.total <= row["d100"][1])
    yield RuleApplied(who=who.id, what=f"confused: {row['do']}", cites=(rule,))
    what = str(row["do"])
    cause = cause_of(fight, who.conditions["confused"])
    if what.startswith("act normally"):
        yield compel(fight, who, ACT, topic)
    elif what.startswith("babble"):
        yield compel(fight, who, BABBLE, topic)
    elif what.startswith("attack the nearest"):
        near = nearest(fight, who)
        yield compel(fight, who, ATTACK if near else BABBLE, topic, near)
    elif cause is None or cause is who:
        yield RuleApplied(who=who.id, what="cannot do that and babbles", cites=(rule,))
        yield compel(fight, who, BABBLE, topic)
    else:
        yield compel(fight, who, FLEE if what.startswith("flee") else ATTACK, topic, cause.id)


def cause_of(fight: Fight, condition: Condition) -> Combatant | None:
    """Return who brought a condition about, if that is known."""
    combatants = fight.state.combatants
    return combatants.get(condition.until.who) or combatants.get(condition.source)


def nearest(fight: Fight, who: Combatant) -> str:
    """Return the nearest other creature, "" when there is none."""
    others = [
        one for one in fight.state.combatants.values() if one is not who and "dead" not in one.conditions
    ]
    return min(others, key=lambda one: distance(who, one)).id if others else ""


def panic(fight: Fight, who: Combatant) -> Steps[None]:
    """Choose at random which way the panicked flee; the cornered cower instead (srd35.cond.panicked)."""
    topic = "cond.panicked"
    ways = ways_out(fight, who)
    if not ways:
        until = Until("turn-start", who.id, fight.state.round + 1)
        cites = (fight.rule(topic),)
        yield ConditionGained(who=who.id, condition="cowering", source="cornered", until=until, cites=cites)
        return
    rolled = yield Roll(who.id, "flight", f"1d{len(ways)}")
    x, y = ways[rolled.total - 1]
    yield compel(fight, who, f"{FLEE} by {x},{y}", topic)


def ways_out(fight: Fight, who: Combatant) -> list[Square]:
    """Return the squares next to a creature that lead away from what it fears, clockwise from above."""
    cause = cause_of(fight, who.conditions["panicked"])
    dangers = [cause] if cause is not None else fight.enemies(who)
    x, y = who.at
    found = []
    for dx, dy in DIRECTIONS:
        there = (x + dx, y + dy)
        free = fight.field.passable(there, who.space) and not occupants(fight, who, there)
        if free and all(gap(there, one) > gap(who.at, one) for one in dangers):
            found.append(there)
    return found


def gap(at: Square, other: Combatant) -> int:
    """Return the square of the straight distance from a place to a creature, in squares."""
    return (at[0] - other.at[0]) ** 2 + (at[1] - other.at[1]) ** 2


def obey(fight: Fight, act: acts.Act) -> None:
    """Refuse what the confused or the panicked cannot bring themselves to do."""
    who = fight.state.combatants.get(act.actor)
    if who is None or not who.effects or isinstance(act, ALWAYS):
        return
    effect = compulsion(who)
    if effect is None or fight.readied == who.id:
        return
    what, rule = effect.modifier.source, effect.modifier.rule
    if what == ACT:
        return
    if what == BABBLE:
        raise Refusal(f"{who.id} only babbles", rule)
    if what == ATTACK:
        refuse_other_prey(fight, who, effect.against, act, rule)
        return
    if not isinstance(act, MOVES) or not act.path or isinstance(act, acts.Charge):
        raise Refusal(f"{who.id} can only flee", rule)
    _, _, by = what.partition(" by ")
    if by and not who.spent.get("feet") and by != f"{act.path[0][0]},{act.path[0][1]}":
        raise Refusal(f"{who.id} flees by {by}", rule)
    other = fight.state.combatants.get(effect.against)
    if other is not None and gap(act.path[-1], other) <= gap(who.at, other):
        raise Refusal(f"{who.id} flees from {other.id}", rule)


def refuse_other_prey(fight: Fight, who: Combatant, prey: str, act: Any, rule: str) -> None:
    """Refuse all but attacking one creature, closing in on it, and getting ready for that."""
    if isinstance(act, acts.FullAttack):
        if any(strike.target != prey for strike in act.strikes):
            raise Refusal(f"{who.id} attacks {prey} and nobody else", rule)
        return
    if isinstance(act, acts.Attack | acts.Charge):
        if act.target != prey:
            raise Refusal(f"{who.id} attacks {prey} and nobody else", rule)
        return
    if isinstance(act, acts.Cast):
        if act.targets != (prey,):
            raise Refusal(f"{who.id} attacks {prey} and nobody else", rule)
        return
    if isinstance(act, acts.Draw | acts.Load | acts.Stand):
        return
    other = fight.combatant(prey)
    if isinstance(act, acts.Move) and act.path and gap(act.path[-1], other) < gap(who.at, other):
        return
    raise Refusal(f"{who.id} can only attack {prey} or close in", rule)


def attacked(fight: Fight, blow: Blow) -> Steps[None]:
    """Let an attack wake the fascinated, and make the confused strike back on their next turn."""
    target = blow.target
    if not target.conditions:
        return
    if "fascinated" in target.conditions:
        yield come_to(fight, target, f"attacked by {blow.attacker.id}")
    if "confused" in target.conditions and "dead" not in target.conditions:
        rule = fight.rule("cond.confused")
        yield EffectGained(
            who=target.id,
            id=f"{fight.declaration}:{STRIKES_BACK}:{target.id}",
            stat=STRIKES_BACK,
            modifier=Modifier(0, "compulsion", "attacked", rule),
            until=Until("turn-end", target.id, fight.state.round),
            against=blow.attacker.id,
            cites=(rule,),
        )


def minds_other_things(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a confused creature takes no attack of opportunity: its mind is on somebody else."""
    who = blow.attacker
    if "confused" not in who.conditions:
        return "", ""
    after = next((one.against for one in who.effects if one.stat in (COMPELLED, STRIKES_BACK)), "")
    return ("", "") if after == blow.target.id else (f"{who.id} is confused", "cond.confused")


# fascination


def come_to(fight: Fight, who: Combatant, why: str) -> ConditionLost:
    """Return the fact that somebody is fascinated no longer."""
    cites = (fight.rule("cond.fascinated"),)
    return ConditionLost(who=who.id, condition="fascinated", why=why, cites=cites)


def obvious_threat(fight: Fight, by: Combatant, what: str) -> Steps[None]:
    """Let something that nobody can mistake wake the fascinated opponents who see it."""
    for one in fight.enemies(by):
        if one.conditions and "fascinated" in one.conditions and sees(fight, one, by):
            yield come_to(fight, one, f"{by.id} {what}")


def possible_threat(fight: Fight, by: Combatant) -> Steps[None]:
    """Give the fascinated another saving throw when an opponent comes nearer (srd35.cond.fascinated)."""
    for one in fight.enemies(by):
        held = one.conditions.get("fascinated")
        if held is None or not sees(fight, one, by):
            continue
        found = spell_named(fight, held.source)
        if found is None:
            continue
        caster, spell = found
        dc, cites = spell_dc(fight, caster, spell)
        rule = fight.rule("cond.fascinated")
        if (yield from saving_throw(fight, one, spell.save or "will", dc, spell.name, rule, *cites)):
            yield come_to(fight, one, f"wary of {by.id}")


def spell_named(fight: Fight, name: str) -> tuple[Combatant, Spell] | None:
    """Return who has the spell of that name, and the spell."""
    for one in fight.state.combatants.values():
        for spell in one.sheet.spells:
            if spell.name == name:
                return one, spell
    return None


def rouse(fight: Fight, act: acts.Rouse) -> Steps[None]:
    """Shake a friend out of its fascination: a standard action (srd35.cond.fascinated)."""
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("cond.fascinated")
    if "fascinated" not in target.conditions or not next_to(who, target):
        raise Refusal(f"{who.id} has nobody beside it called {target.id} to rouse", rule)
    yield spending(fight, who, "standard", f"rouse {target.id}", rule)
    yield come_to(fight, target, f"roused by {who.id}")
