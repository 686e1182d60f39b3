"""Everything that can be declared of a grab, and the action that it takes (woa.grab.*)."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.woa.grapple import drag, grab, grab_strength_checks, squeeze_and_throw
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts

DEEDS: Mapping[str, Callable[[Fight, acts.Grab], Steps[None]]] = {
    "start": grab.grab,
    "release": grab_strength_checks.release_grab,
    "escape": grab_strength_checks.escape_grab,
    "drag": drag.drag,
    "squeeze": squeeze_and_throw.squeeze,
    "throw": squeeze_and_throw.throw,
}
"""What `Grab.what` may be."""


def grabbing(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Grab an opponent, or do what one does holding or held."""
    yield from DEEDS[act.what](fight, act)
