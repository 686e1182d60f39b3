"""The record of the chapter on gear: weapons, armor and things."""

from collections.abc import Callable
from typing import NamedTuple

from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant


class Drawing(NamedTuple):
    """How a weapon is drawn: the `kind` of action, the rules behind it, its row in the table of actions."""

    kind: str
    cites: tuple[str, ...] = ()
    column: str = "move"
    action: str = "Draw a weapon"


class Gear(Chapter, frozen=True, kw_only=True):
    """Weapons, armor and things.

    equip: a sheet with what its arms and armor come to, and the rules.
    drawing: how a weapon is drawn.
    hurled: a weapon as it is when thrown.
    families: the groups of weapons that rules speak of.
    materials: what weapons and armor may be made of, besides the usual.
    postures: the postures into which one lets oneself drop.
    unarmed_dice: the damage dice of an unarmed strike.
    tool_parts: what the state of a tool does to a check that is made with it.
    corner_situation: what the thrower's state and the distance do to a throw at a grid corner.
    splash_centre: the square of a target from which a hit with such a weapon splashes, None for all of them.
    stray_squares: how many squares such a weapon goes astray that misses, thrown so many feet.
    spared_noise: whether noise cannot deafen a creature at all.
    doors: the doors that stand on the map, open or closed.
    fills_place: whether a thing fills its place, so that nobody gets past it.
    refills: whether loading fills a weapon again from which missiles were shot; asked of automatic play.
    frees_hand: whether a combatant has a hand for a door, or needs none; asked of automatic play.
    in_other_hands: a weapon of another as who has taken it wields it, None if it cannot; and the rules.
    """

    equip: Callable[[Context, Sheet], tuple[Sheet, tuple[str, ...]]]
    drawing: Callable[[Context, Combatant, str], Drawing]
    hurled: Callable[[Context, Weapon], Weapon]
    families: frozenset[str]
    materials: frozenset[str]
    postures: frozenset[str]
    unarmed_dice: Callable[[Context, Combatant], str]
    tool_parts: Callable[[Context, Combatant, str], list[Modifier]]
    corner_situation: Callable[[Context, Blow], list[Modifier]]
    splash_centre: Callable[[Context, Combatant, Weapon, Combatant], Steps[Square | None]]
    stray_squares: Callable[[Context, Weapon, int], int]
    spared_noise: Callable[[Context, Combatant, str], Steps[bool]]
    doors: Callable[[Context], list[Combatant]]
    fills_place: Callable[[Context, Combatant], bool]
    refills: Callable[[Context, Combatant, Weapon], bool]
    frees_hand: Callable[[Context, Combatant], bool]
    in_other_hands: Callable[[Context, Combatant, Combatant, Weapon], tuple[Weapon | None, tuple[str, ...]]]
