"""Prohibitions: what a combatant's state or a rule forbids, asked before each declaration is resolved.

A dialect lists them in its record (`Points.checks`). Each names what it is about, so that a declaration
meets only those that can concern it.
"""

from typing import Any

from affray.engine.fight import Fight
from affray.engine.record.turns import Check
from affray.engine.rules.conditions.condition_rules import is_marked
from affray.engine.steps import Refusal
from affray.events.facts.acts import Act, Attack, Charge, FullAttack, Move, Stabilize
from affray.projections.state import Combatant

#: What only some dialects know of attacks and moves.
FINESSES = (
    "power",
    "expertise",
    "stunning",
    "second",
    "rapid_shot",
    "whirlwind",
    "off_hand",
    "take",
    "at",
    "aim",
    "draw",
    "wide",
    "high",
)


def refuse_unknown(fight: Fight, who: Combatant, act: Any) -> None:
    """Refuse an attack or a move with a finesse that the dialect does not know."""
    strikes = getattr(act, "strikes", ())
    for name in FINESSES:
        if any(getattr(one, name, False) for one in (act, *strikes)):
            raise Refusal(f"{fight.dialect.name} knows no {name!r} here", fight.rule("actions"))


#: For dialects in which an attack is an attack, and a move a move.
PLAIN_ATTACKS = Check(refuse_unknown, (Attack, FullAttack, Charge, Stabilize, Move))


def permit(fight: Fight, act: Act) -> None:
    """Refuse a declaration that one of the dialect's prohibitions forbids. O(those that may concern it)."""
    who = fight.state.combatants.get(act.actor)
    if who is None:
        return
    conditions = who.conditions
    marked = bool(conditions) or fight.memory.company[is_marked]
    paired = bool(who.mount or who.rider or who.riderless)
    for condition, refuse in fight.dialect.checks_of(type(act), marked, paired, bool(conditions)):
        if not condition or condition in conditions:
            refuse(fight, who, act)
