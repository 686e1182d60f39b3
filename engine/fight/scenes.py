"""What one fight remembers, and what facts make it forget; how functions remember stands in `memory.py`."""

from collections.abc import Callable
from itertools import count
from operator import attrgetter
from typing import Any, Final, get_origin
from weakref import ref

from msgspec.structs import fields

from affray.engine.fight.kept import Asker, Forgetful, Kept
from affray.engine.fight.lasting import Lasting, lent
from affray.engine.fight.memory import MOST
from affray.projections.state import Combatant, taken_over
from affray.projections.touches import TOUCHES, Touches

MOST_MEETINGS: Final = 65_536
"""Pairs of combatants, as they and those near once stood, that a fight remembers before it begins anew."""

MOST_IN_SCENES: Final = 65_536
"""Combatants in all scenes that a fight remembers before it begins anew with them."""

PASSING: Final = frozenset(
    {
        *("at", "space", "stretch"),
        *("hp", "nonlethal", "temporary"),
        *("spent", "reactions", "opportunities", "acted"),
        *("initiative", "fixed_initiative", "initiative_modifier"),
    }
)
"""What of a combatant changes while nothing but a place is touched: where it counts it stands in the key."""

_FIELDS: Final = {
    one.name: get_origin(one.type) is dict
    for one in fields(Combatant)
    if one.name not in PASSING and one.name != "sheet"
}
"""What facts that touch one combatant may change of it, and whether that is a dictionary.

The sheet changes with that of everybody.
"""
_PLAIN: Final = attrgetter(*(name for name, mapping in _FIELDS.items() if not mapping))
_MAPPINGS: Final = attrgetter(*(name for name, mapping in _FIELDS.items() if mapping))
_PLACE: Final = attrgetter("at", "space", "stretch")


class Memory:
    """What one fight remembers.

    `fight` holds for the whole fight, `map` for it too, and `sums` goes with the very same modifiers. `scene`
    depends on places too, `company` on anything but places; either is another one when a fact touches that.
    `pairs` holds what was found out between two in this scene; a meeting is the same again when they, and all
    near them, stand as they stood.

    A fight that begins again comes to the same scenes as it did, and as others did that were like it: it
    takes up what they remember together (see `lasting.py`). Once it has begun again and again each scene is
    kept, and is the same again when all are, and stand, as they were and stood. In others that would only
    take room.
    """

    def __init__(self, fight: Any, store: type[Kept] = Kept) -> None:
        self.store = store
        self.keeps = store is not Forgetful
        # Not held: so a fight goes, with all that it remembers, when it is left.
        self._fight: Callable[[], Any] = ref(fight)
        self._asker = Asker(self._fight)
        self.fight, self.map, self.sums = self._new(), self._new(), self._new()
        self.scene, self.company = self._new(), self._new()
        self.pairs = self._new()
        self.stamps: dict[str, int] = {}
        """Numbers of those about whom anything but their place has changed; where scenes are kept, of all,
        and the same for the same."""
        self.meetings: dict[Any, Kept] = {}
        self._stamped = count(1)
        self._age = self._around = 0
        self._plans = True
        """Whether anybody may have a plan for the round."""
        self._lasting: Lasting | None = None
        self._first: tuple[Any, ...] = ()
        self._opening: tuple[Any, ...] = None, None, None, None
        """The first scene of a fight that has begun again; `_first` are its numbers."""
        self._comes_back = False
        """Whether the fight has begun again more than once: then scenes come back."""

    def _new(self) -> Kept:
        return self.store(self._asker)

    def touch_everything(self, fact: object = None) -> None:
        """Take up a new scene: anything may have changed that what was remembered of this one depends on."""
        self._around = self._age = next(self._stamped)
        self.touch_everybody()

    def touch_map(self, fact: object = None) -> None:
        """Take up a scene on a map of which other sides are walled off."""
        fight, lasting = self._fight(), self._lasting
        vars(fight).pop("field", None)
        self.map = self._new() if lasting is None else lasting.map_with(fight.state.barriers)
        self.touch_everything()

    def touch_everybody(self, fact: object = None) -> None:
        """Take up a scene in which anything may be new about anybody, and nothing else is."""
        if self._lasting is None:
            self._age = next(self._stamped)
        else:
            self._number_everybody(self._lasting)
            self._age = self._lasting.world((self._around, self._fight().state.begun))
        self._touch()

    def touch_plan(self, fact: Any) -> None:
        """Take up a scene in which a combatant has a plan for the round."""
        self._plans = True
        self.touch_one(fact)

    def touch_round(self, fact: Any) -> None:
        """Take up a scene in which nobody has a plan any more, if anybody had one."""
        if self._plans:
            self._plans = False
            self.touch_everybody()

    def touch_one(self, fact: Any) -> None:
        """Take up a scene in which something about the fact's combatant is new, nothing about others."""
        if self._lasting is None:
            self.stamps[fact.who] = next(self._stamped)
        else:
            number = self._number(self._lasting, self._fight().state.combatants[fact.who])
            if self.stamps[fact.who] == number:
                return
            self.stamps[fact.who] = number
        self._touch()

    def touch_item(self, fact: Any) -> None:
        """Take up a scene in which an item is new to somebody, and may be gone from another combatant."""
        if fact.of:
            self.touch_everybody()
        else:
            self.touch_one(fact)

    def touch_unnumbered(self, fact: Any) -> None:
        """Take up a scene in which the fact's combatant is new in what its number does not stand for."""
        self.stamps[fact.who] = next(self._stamped)
        self._touch()

    def _touch(self) -> None:
        lasting = self._lasting
        if self._comes_back and lasting is not None:
            self.company = lasting.company((self._age, *self.stamps.values()))
        elif self.company is self._opening[0]:
            self.company = self._new()
        else:
            self.company.clear()
        self.touch_places()

    def touch_places(self, fact: object = None) -> None:
        """Take up a scene in which nothing has changed but where combatants stand."""
        lasting = self._lasting
        if self._comes_back and lasting is not None:
            combatants = self._fight().state.combatants
            key = (self.company.number, *map(_PLACE, combatants.values()))
            found = lasting.scenes.get(key)
            if found is None:
                # A scene of many takes the more room.
                if len(lasting.scenes) * len(combatants) >= MOST_IN_SCENES:
                    lasting.scenes.clear()
                found = lasting.scenes[key] = lasting.new(), lasting.new()
            self.scene, self.pairs = found
        elif self.scene is self._opening[1]:
            self.scene, self.pairs = self._new(), self._new()
        else:
            self.scene.clear()
            self.pairs.clear()

    def begin_again(self) -> None:
        """Take up the first scene again, of which what was remembered still holds."""
        if not self.keeps:
            return
        self._plans = True
        if self._first:
            stamps, self._around, self._age = self._first
            self.stamps, self._comes_back = dict(stamps), True
            self.company, self.scene, self.pairs, self.map = self._opening
            return
        fight = self._fight()
        state = fight.state
        said = map(_items, (state.options, state.tables))
        ground = fight.dialect, state.terrain, state.barriers, state.packages, state.defaults, *said
        lasting = self._lasting = lent(fight, ground, self.store)
        self._stamped = lasting.numbers
        self.fight, self.map, self.sums = lasting.fight, lasting.map_with(state.barriers), lasting.sums
        self.meetings = lasting.meetings
        taken_over(state, lasting.records)
        self._around = lasting.world(
            (
                *(state.closed, state.pending, state.until_closed, state.things_lie),
                *(state.ground, state.minutes, state.phase),
            )
        )
        self._comes_back = True  # the first scene does
        self.touch_everybody()
        # Another fight began just so, and this one may go as that one went.
        order = [(*_PLACE(one), one.initiative) for one in state.combatants.values()]
        self._comes_back = lasting.has_begun((self.company.number, *order))
        self._first = dict(self.stamps), self._around, self._age
        self._opening = self.company, self.scene, self.pairs, self.map

    def _number_everybody(self, lasting: Lasting) -> None:
        combatants = self._fight().state.combatants
        self.stamps = {id: self._number(lasting, one) for id, one in combatants.items()}

    def _number(self, lasting: Lasting, one: Combatant) -> int:
        """Return the number of what a combatant is now, its place apart: a new one if it never was that."""
        mappings = [tuple(each.items()) if each else () for each in _MAPPINGS(one)]
        content = (id(one), id(one.sheet), _PLAIN(one), *mappings)
        known = lasting.contents.get(content)
        if known is None:
            if len(lasting.contents) >= MOST:
                lasting.contents.clear()
            # With record and sheet, whose identity is given to no other for as long.
            known = lasting.contents[content] = next(lasting.numbers), one, one.sheet
        return known[0]

    def meeting(self, one: str, other: str, near: tuple[Any, ...]) -> Kept:
        """Return what was found out between two when those `near` stood so."""
        key = (self._age, one, other, near)
        found = self.meetings.get(key)
        if found is None:
            if len(self.meetings) >= MOST_MEETINGS:
                self.meetings.clear()
            found = self.meetings[key] = self._new()
        return found


def _items(mapping: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(mapping.items())


TOUCHING: Final[dict[Touches, Callable[[Memory, Any], None] | None]] = {
    "nothing": None,
    "places": Memory.touch_places,
    "one": Memory.touch_one,
    "item": Memory.touch_item,
    "unnumbered": Memory.touch_unnumbered,
    "everybody": Memory.touch_everybody,
    "map": Memory.touch_map,
    "plan": Memory.touch_plan,
    "round": Memory.touch_round,
    "everything": Memory.touch_everything,
}


def touched_by(kind: type) -> Callable[[Memory, Any], None] | None:
    """Return what a fact of that kind makes a memory forget; None for nothing."""
    return TOUCHING[TOUCHES.get(kind, "nothing")]
