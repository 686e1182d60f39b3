"""Bonds: how well they hold, and bursting manacles (pf1.skill.escape, pf1.object.tables-ref)."""

from typing import Final

from affray.engine.dialects.pf1.gear.broken import is_broken
from affray.engine.dialects.pf1.grapple.hold import TIED
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_scores import strength_to_break
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionLost
from affray.projections.state import Combatant

ESCAPE: Final = "pf1.skill.escape"
TABLES: Final = "pf1.object.tables-ref"
#: Bonds with DCs of their own, whoever puts them on.
MANACLES: Final = ("manacles", "masterwork manacles")
#: How sturdy each kind of bonds is in the tables of 3.5; masterwork manacles are only harder to burst.
STURDY: Final = {
    "rope": "hemp",
    "hemp rope": "hemp",
    "silk rope": "silk",
    "chain": "chain",
    **dict.fromkeys(MANACLES, "manacles"),
}


def dc_of_bonds(fight: Fight, bonds: str, cmb: int) -> int:
    """Return the DC to get out of bonds: that of manacles, else by the binder (pf1.skill.escape)."""
    return int(fight.figure(ESCAPE, bonds)) if bonds in MANACLES else fight.formula(ESCAPE, "ropes") + cmb


def bonds_of(victim: Combatant) -> str:
    """Return what somebody is bound with, "" who is not; the source ends with the DC to get out."""
    return victim.conditions[TIED].source.rpartition(" ")[0] if TIED in victim.conditions else ""


def is_in_manacles(victim: Combatant) -> bool:
    """Say whether somebody is bound with manacles."""
    return bonds_of(victim) in MANACLES


def burst_manacles(fight: Fight, victim: Combatant) -> Steps[None]:
    """Try to burst manacles by Strength, as a standard action: easier if they are broken.

    pf1.object.tables-ref.
    """
    bonds, rule = bonds_of(victim), fight.rule(TABLES)
    dc = int(fight.figure("gear.restraints", bonds.partition(" ")[0], "str"))
    if is_broken(victim, bonds):
        dc += int(fight.figure(TABLES, "broken_break_dc"))
    yield spending(fight, victim, "standard", "get free", rule)
    parts = strength_to_break(fight, victim, rule)
    if (yield from check(fight, victim, "strength", parts, dc, rule, why=bonds)):
        yield ConditionLost(who=victim.id, condition=TIED, why=f"breaks the {bonds}", cites=(rule,))
