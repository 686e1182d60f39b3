"""Points to which several subjects belong, each in its place: blows, ways, sheets."""

from affray.engine.blow import Blow
from affray.engine.dialects.woa.attacks import after_blow
from affray.engine.dialects.woa.classes import turn_undead
from affray.engine.dialects.woa.gear import equip
from affray.engine.dialects.woa.movement import checks_when_struck, movement_rules
from affray.engine.dialects.woa.position import size_table
from affray.engine.dialects.woa.turns import ready_concentration
from affray.engine.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit: broken cover, seats, flight and footing; then stuns and what was held ready."""
    yield from checks_when_struck.struck(fight, blow, before, standing)
    yield from after_blow.struck(fight, blow, before, standing)


def missed(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss: cover that was struck, seats and footing; then shields, stray missiles, readiness."""
    yield from checks_when_struck.missed(fight, blow)
    yield from after_blow.missed(fight, blow)


def tried(fight: Fight, blow: Blow) -> Steps[None]:
    """After an attempt at a maneuver, which is an attack: footing, seats, flight; then readiness.

    woa.movement.unusual.attacked-check, woa.ready.concentration-broken
    """
    yield from checks_when_struck.tried(fight, blow)
    if blow.target.readied is not None:
        yield from ready_concentration.shaken(fight, blow.target, 0)


def arrived(fight: Fight, who: Combatant) -> Steps[None]:
    """After movement: who is carried along, who readied for it, which turnings take hold."""
    yield from movement_rules.arrived(fight, who)
    yield from turn_undead.sweep_all(fight)


def reckoned(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet with what classes and size say of it, and the rules."""
    sheet, by_class = equip.reckoned(fight, sheet)
    sheet, by_size = size_table.reckoned(fight, sheet)
    return sheet, (*by_class, *by_size)
