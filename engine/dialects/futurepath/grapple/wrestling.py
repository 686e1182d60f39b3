"""Grapple checks of Futurepath (futurepath.grapple.check, futurepath.grapple.multi.choose-one)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.maneuvers import Side
from affray.engine.rules.grapple.grapple_checks import grapple_bonus, what_hampers_grappling
from affray.engine.rules.grapple.holds import opponents
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def side_of_grappler(fight: Fight, one: Combatant, other: Combatant, *extra: Modifier) -> Side:
    """Return a grapple check: base attack bonus, Strength, grapple modifier, and what hampers attacks.

    futurepath.grapple.check, futurepath.grapple.modifier-by-size.
    """
    parts = [*grapple_bonus(fight, one), *extra, *what_hampers_grappling(fight, one, other)]
    return Side(one, parts, "grapple")


def wins_check(fight: Fight, one: Combatant, other: Combatant, topic: str, *extra: Modifier) -> Steps[bool]:
    """Oppose grapple checks with one opponent, of one's choice; return whether the first beats the other.

    futurepath.grapple.multi.choose-one.
    """
    several = ("futurepath.grapple.multi.choose-one",) if len(opponents(fight, one)) > 1 else ()
    margin = yield from roll_opposed(
        fight,
        "grapple",
        side_of_grappler(fight, one, other, *extra),
        side_of_grappler(fight, other, one),
        *fight.rules(topic, "futurepath.grapple.check", *rules_of_size(one, other), *several),
    )
    return margin > 0


def rules_of_size(*those: Combatant) -> tuple[str, ...]:
    """Return the topic of the rule on grapple modifiers, if the size of any of them has one."""
    return (
        ("futurepath.grapple.modifier-by-size",) if any(one.sheet.size != "medium" for one in those) else ()
    )
