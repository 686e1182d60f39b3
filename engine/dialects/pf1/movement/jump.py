"""Jumping, and coming down of one's own will (pf1.skill.jump)."""

from typing import Final

from affray.engine.dialects.pf1.movement.fall import fall
from affray.engine.fight.fight import Fight
from affray.engine.rules.movement.jump import Leaping, leap
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.projections.state import Combatant


def jump_down(fight: Fight, mover: Combatant, act: acts.Jump) -> Steps[None]:
    """Come down of one's own will (pf1.falling)."""
    yield from fall(fight, mover, act.feet, jumped=True)


#: Jumping is a use of Acrobatics (pf1.skill.jump).
LEAPING: Final = Leaping("acrobatics", "dex", jump_down)


def jump(fight: Fight, act: acts.Jump) -> Steps[None]:
    """Jump by Acrobatics (pf1.skill.jump)."""
    return leap(fight, act, LEAPING)
