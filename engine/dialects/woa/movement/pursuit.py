"""A flight that ends the fight: settled at once, or a chase (woa.movement.evasion-pursuit)."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice, Steps, onward
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied

#: A fight that ends because one side runs away.
FLIGHT = "act.reason in ('flight', 'pursuit')"


def settle_flight(fight: Fight, act: acts.Close, closing: Steps[None]) -> Steps[None]:
    """End the encounter; of a flight the game master says first how it goes on.

    One that a round does not settle becomes a chase, which has rules of its own
    (woa.movement.evasion-pursuit).
    """
    first = next(closing)
    rule = fight.rule("woa.movement.evasion-pursuit")
    question = "can one round settle the pursuit, or does a chase begin?"
    answer = yield Choice("", "pursuit", question, ("a chase", "intercepted", "escaped"), rule)
    yield RuleApplied(who="", what=f"pursuit: {answer}", cites=(rule,))
    yield from onward(closing, first)
