"""The ways of moving that a declaration can name, and what any movement ends."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.woa.moving import going
from affray.engine.dialects.woa.place import hiding, posture, sharing, squeezing
from affray.engine.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts

WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "crawl": posture.crawl,
    "squeeze": squeezing.squeeze,
    "wriggle": squeezing.squeeze,
    "crowd": sharing.crowd_in,
}


def move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move in the way that the declaration names; whoever moves openly hides no longer."""
    who = fight.combatant(act.actor)
    yield from WAYS.get(act.how, going.move)(fight, act)
    yield from hiding.given_away(fight, who)
    if act.how not in ("squeeze", "wriggle"):
        yield from squeezing.out(fight, who)
