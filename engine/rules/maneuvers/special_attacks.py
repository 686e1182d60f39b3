"""Special attacks that take the place of an ordinary one: in an attack, a charge, an opportunity."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Substitute
from affray.engine.steps import Refusal, Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def attack_is_lost(combatant: Combatant, refused: Refusal, what: str = "the attack") -> RuleApplied:
    """Return that what a combatant was about to do is lost, since by now the rules refuse it."""
    return RuleApplied(who=combatant.id, what=f"{what} is lost: {refused.reason}", cites=(refused.rule,))


def substitute(fight: Fight, name: str) -> Substitute:
    """Return the special attack of that name. Refuses one that the dialect does not know."""
    found = fight.dialect.maneuvers.substitutes.get(name)
    if found is None:
        raise Refusal(f"{fight.dialect.name} knows no {name!r} in place of an attack", fight.rule("actions"))
    return found


def blow_at_end(fight: Fight, combatant: Combatant, making: Callable[[], Blow]) -> Steps[Blow | None]:
    """Return the blow at the end of a movement, None if it cannot be made from there: then it is lost."""
    try:
        return making()
    except Refusal as lost:
        yield attack_is_lost(combatant, lost)
        return None
