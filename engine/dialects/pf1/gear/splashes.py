"""Where splash weapons and nets of pf1 go their own ways (pf1.splash, pf1.gear.splash-ref)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Side
from affray.engine.rules.gear import nets
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed
from affray.engine.rules.position.chosen_square import choose_square
from affray.engine.rules.position.place import squares_of
from affray.engine.steps import Steps
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def chosen_square_of_target(
    fight: Fight, thrower: Combatant, weapon: Weapon, target: Combatant
) -> Steps[Square | None]:
    """Return the square of a big target from which a hit splashes: the thrower chooses (pf1.splash)."""
    question = f"from which square of {target.id} does the {weapon.name} splash?"
    squares = sorted(squares_of(target))
    return (yield from choose_square(thrower.id, "splash", question, squares, fight.rule("pf1.splash")))


def entangle(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a net that hits entangle its target, and hold it by the trailing rope (pf1.gear.splash-ref)."""
    return nets.cast_over(fight, blow, outpulls)


def outpulls(fight: Fight, mine: Side, theirs: Side, rule: str) -> Steps[bool]:
    """Let two pull against each other, and say whether the first one does so harder."""
    return (yield from roll_opposed(fight, "strength", mine, theirs, rule)) > 0
