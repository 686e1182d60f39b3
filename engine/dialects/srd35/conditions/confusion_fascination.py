"""Confusion and fascination, and what a creature can do under either (srd35.cond.*)."""

from affray.engine.dialects.srd35.conditions.fear import panic
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.conditions.compulsion import (
    ACT,
    ATTACK,
    BABBLE,
    FLEE,
    STRIKES_BACK,
    compel,
    nearest_creature,
    strikes_back,
)
from affray.engine.rules.conditions.fascination import fascination_over
from affray.engine.rules.conditions.flight import cause_of
from affray.engine.steps import Roll, Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

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
        yield from strikes_back(fight, attacker, target)
