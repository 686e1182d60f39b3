"""Points to which several subjects belong, each in its place: blows, ways, sheets."""

from affray.engine.dialects.woa.attacks import consequences
from affray.engine.dialects.woa.casting import turning
from affray.engine.dialects.woa.elements import aftermath
from affray.engine.dialects.woa.gear import arms
from affray.engine.dialects.woa.moving import going
from affray.engine.dialects.woa.place import scale
from affray.engine.dialects.woa.turns import alert
from affray.engine.fight import Fight
from affray.engine.rules.attacks.blow import Blow
from affray.engine.steps import Steps
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit: broken cover, seats, flight and footing; then stuns and what was held ready."""
    yield from aftermath.struck(fight, blow, before, standing)
    yield from consequences.struck(fight, blow, before, standing)


def missed(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss: cover that was struck, seats and footing; then shields, stray missiles, readiness."""
    yield from aftermath.missed(fight, blow)
    yield from consequences.missed(fight, blow)


def tried(fight: Fight, blow: Blow) -> Steps[None]:
    """After an attempt at a maneuver, which is an attack: footing, seats, flight; then readiness.

    woa.movement.unusual.attacked-check, woa.ready.concentration-broken
    """
    yield from aftermath.tried(fight, blow)
    if blow.target.readied is not None:
        yield from alert.shaken(fight, blow.target, 0)


def arrived(fight: Fight, who: Combatant) -> Steps[None]:
    """After movement: who is carried along, who readied for it, which turnings take hold."""
    yield from going.arrived(fight, who)
    yield from turning.sweep_all(fight)


def reckoned(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet with what classes and size say of it, and the rules."""
    sheet, by_class = arms.reckoned(fight, sheet)
    sheet, by_size = scale.reckoned(fight, sheet)
    return sheet, (*by_class, *by_size)
