"""Jumping, and coming down of one's own will (srd35.skill.jump)."""

from typing import Final

from affray.engine.dialects.srd35.movement.fall import fall
from affray.engine.fight.fight import Fight
from affray.engine.rules.movement.jump import Leaping, leap
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.projections.state import Combatant


def jump_down(fight: Fight, mover: Combatant, act: acts.Jump) -> Steps[None]:
    """Come down of one's own will, onto the ground or into water (srd35.falling.soften)."""
    yield from fall(fight, mover, act.feet, onto=act.onto, depth=act.depth, jumped=True)


#: The skill of jumping; with a run-up the Run feat helps (srd35.skill.jump, srd35.feat.run).
LEAPING: Final = Leaping("jump", "str", jump_down, ("srd35.feat.run", "running_jump"))


def jump(fight: Fight, act: acts.Jump) -> Steps[None]:
    """Jump by the skill of that name (srd35.skill.jump)."""
    return leap(fight, act, LEAPING)
