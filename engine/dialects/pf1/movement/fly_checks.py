"""Fly checks: the skill, maneuverability, and who has wings (pf1.skill.fly)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "pf1.skill.fly"
USUAL: Final = "average"
"""The maneuverability of those of whom none is printed."""


def has_wings(mover: Combatant) -> bool:
    """Say whether a flier has wings: it has, unless its sheet says otherwise or it has no body."""
    return not has_trait(mover, "wingless") and not is_a(mover, INCORPOREAL)


def fly_parts(fight: Fight, mover: Combatant) -> list[Modifier]:
    """Return the parts of a Fly check; a printed total has the maneuverability in it (pf1.skill.fly)."""
    parts = skill_parts(fight, mover, "fly", "dex", fight.rule(TOPIC))
    if "fly" not in mover.sheet.skills:
        grade = mover.sheet.maneuver or USUAL
        parts.append(fight.modifier(TOPIC, grade, kind="maneuverability", source=f"{grade} maneuverability"))
    return parts


def check_flight(fight: Fight, mover: Combatant, figure: str, why: str) -> Steps[bool]:
    """Make a Fly check against the DC that a figure of the skill names (pf1.skill.fly)."""
    parts = fly_parts(fight, mover)
    return check(fight, mover, "fly", parts, fight.figure(TOPIC, figure), fight.rule(TOPIC), why=why)
