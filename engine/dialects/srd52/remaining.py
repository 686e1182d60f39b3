"""What a combatant has left of its turn: actions, Reaction, attacks of the Attack action, and movement."""

from collections.abc import Iterator
from typing import Final

from affray.engine.dialects.srd52.gear import ATTACKING, attacks_left, most_attacks
from affray.engine.dialects.srd52.movement import feet_left, special_speed
from affray.engine.dialects.srd52.ready import can_react
from affray.engine.fight.fight import Fight
from affray.engine.kernel.actions import actions_left
from affray.engine.record.chapters import Left
from affray.projections.state import Combatant

SPECIAL: Final = ("climb", "swim", "fly", "burrow")
"""The ways of moving with a Speed of their own."""


def left_of_turn(fight: Fight, combatant: Combatant) -> Iterator[Left]:
    """Yield what is left of a turn; attacks if the Attack action has been taken."""
    yield from actions_left(fight, combatant)
    yield Left("reaction", int(can_react(fight, combatant)), fight.figure("turns.reaction-limit", "max"))
    if combatant.spent.get(ATTACKING):
        yield Left("attacks", max(0, attacks_left(fight, combatant)), most_attacks(fight, combatant))
    for how in ("normal", *(one for one in SPECIAL if special_speed(fight, combatant, one))):
        feet = feet_left(fight, combatant, how)
        yield Left(how, feet, feet + combatant.spent.get("feet", 0), "ft.")
