"""The declaration to grapple: to start, to go on, to let go or to get free (pf1.grapple.*)."""

from typing import Final

from affray.engine.dialects.pf1.grapple.get_free import get_out, opponent_or_refuse, release
from affray.engine.dialects.pf1.grapple.hold import WAYS
from affray.engine.dialects.pf1.grapple.maintain import maintain
from affray.engine.dialects.pf1.grapple.rake import rake
from affray.engine.dialects.pf1.grapple.start_grapple import start
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts

#: What can be done, in the words of the declaration.
WHAT: Final = ("start", *WAYS, "rake", "release", "escape", "take-over")


def grapple(fight: Fight, act: acts.Grapple) -> Steps[None]:
    """Return the steps of what is done in a grapple. Refuses at once."""
    actor = fight.combatant(act.actor)
    if act.what == "start":
        return start(fight, actor, fight.combatant(act.target))
    target = opponent_or_refuse(fight, actor, act.target)
    if act.what in WAYS:
        return maintain(fight, actor, target, act)
    if act.what == "rake":
        return rake(fight, actor, target)
    if act.what == "release":
        return release(fight, actor, target)
    return get_out(fight, actor, target, act)
