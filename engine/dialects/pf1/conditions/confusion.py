"""Confusion in pf1: what its table makes a creature do, and striking back (pf1.cond.confused)."""

import re
from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.conditions.compulsion import (
    ACT,
    ATTACK,
    BABBLE,
    STRIKES_BACK,
    compel,
    nearest_creature,
    strikes_back,
)
from affray.engine.rules.conditions.fascination import fascination_over
from affray.engine.rules.damage.weapon_damage import amount_dealt, rolled_part, suffer
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.steps import Roll, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "pf1.cond.confused"
#: What somebody hurts itself with who holds nothing.
BARE: Final = "bludgeoning"
#: The dice in what the table says.
DICE: Final = re.compile(r"\d+d\d+")


def attacked_by(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the last attacker of a confused creature while that lives and is in sight; None for nobody."""
    found = [one.against for one in combatant.effects if one.stat == STRIKES_BACK]
    attacker = fight.state.combatants.get(found[-1]) if found else None
    if attacker is None or "dead" in attacker.conditions or not sees(fight, combatant, attacker):
        return None
    return attacker


def confuse(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Settle at the start of its turn what a confused creature does (pf1.cond.confused).

    It attacks its last attacker until that is dead or out of sight; else d% decides by the table.
    """
    if is_down(fight, combatant):
        return
    rule = fight.rule(TOPIC)
    attacker = attacked_by(fight, combatant)
    if attacker is not None:
        yield RuleApplied(who=combatant.id, what=f"strikes back at {attacker.id}", cites=(rule,))
        yield compel(fight, combatant, ATTACK, TOPIC, attacker.id)
        yield from strikes_back(fight, attacker, combatant)
        return
    table = fight.figure(TOPIC)
    rolled = yield Roll(combatant.id, "confusion", f"1d{table[-1]['d100'][1]}")
    row = next(row for row in table if row["d100"][0] <= rolled.total <= row["d100"][1])
    what = str(row["do"])
    yield RuleApplied(who=combatant.id, what=f"confused: {what}", cites=(rule,))
    if what.startswith("act normally"):
        yield compel(fight, combatant, ACT, TOPIC)
    elif what.startswith("attack nearest"):
        near = yield from nearest_creature(fight, combatant)
        yield compel(fight, combatant, ATTACK if near else BABBLE, TOPIC, near)
    else:
        yield compel(fight, combatant, BABBLE, TOPIC)
        if found := DICE.search(what):
            yield from hurt_itself(fight, combatant, found.group())


def hurt_itself(fight: Fight, combatant: Combatant, dice: str) -> Steps[None]:
    """Let a confused creature hurt itself with what it holds: the dice and Strength (pf1.cond.confused)."""
    rolled = yield Roll(combatant.id, "self-harm", dice)
    weapons = (one for one in combatant.sheet.weapons if one.name in combatant.held)
    weapon = next(weapons, None)
    kind, source = (weapon.damage_type, weapon.name) if weapon is not None else (BARE, "its own hands")
    strength = Modifier(ability_now(fight, combatant, "str"), "ability", "Strength", fight.rule(TOPIC))
    harm = Harm(combatant, max(1, rolled.total + strength.value), kind, source, combatant)
    part = rolled_part(harm, dice, rolled)
    yield amount_dealt(fight, harm, part, fight.rule(TOPIC), modifiers=(strength,), why="confused")
    yield from suffer(fight, harm)


def rouse_attacked(fight: Fight, blow: Blow) -> Steps[None]:
    """Let an attack end fascination, and draw the confused to its attacker.

    pf1.cond.fascinated, pf1.cond.confused.
    """
    if "fascinated" in blow.target.conditions:
        yield fascination_over(fight, blow.target, f"attacked by {blow.attacker.id}")
    if "confused" in blow.target.conditions:
        yield from strikes_back(fight, blow.attacker, blow.target)
