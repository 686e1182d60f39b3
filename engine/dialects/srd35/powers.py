"""Points of srd35 in which turning and class abilities have a part beside the shared steps."""

from affray.engine.fight import Fight
from affray.engine.rules import hold, turned
from affray.engine.rules.blow import Blow
from affray.engine.steps import Steps
from affray.events.facts.acts import Act


def permit(fight: Fight, act: Act) -> None:
    """Refuse what a grapple, a flight or a command forbids."""
    hold.permit(fight, act)
    turned.permit(fight, act)


def reactions(fight: Fight, blow: Blow) -> Steps[None]:
    """Settle before the roll whom a blow into a grapple strikes, and whether it breaks a turning."""
    yield from hold.into_grapple(fight, blow)
    if blow.target.conditions:
        yield from turned.before_blow(fight, blow)
