"""The ways of moving that a declaration can name, and what any movement ends."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.woa.movement import movement_rules
from affray.engine.dialects.woa.position import enter_shared_space, posture, squeezing
from affray.engine.dialects.woa.senses import hide
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts

WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "crawl": posture.crawl,
    "squeeze": squeezing.squeeze,
    "wriggle": squeezing.squeeze,
    "crowd": enter_shared_space.crowd_in,
}


def move_out_of_hiding(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move in the way that the declaration names; whoever moves openly hides no longer."""
    who = fight.combatant(act.actor)
    yield from WAYS.get(act.how, movement_rules.move_along_ground)(fight, act)
    yield from hide.end_hiding(who)
    if act.how not in ("squeeze", "wriggle"):
        yield from squeezing.leave_tight_place(fight, who)
