"""How things stand along a line of play just before the next event, as far as rows tell it."""

from collections.abc import Callable
from copy import copy
from typing import Any, Self

from affray.engine.rules.position.places import distance, height_of
from affray.projections.state import Encounter, duplicate

_NOBODY: tuple[Any, ...] = (None,) * 10


class Standing:
    """The state of a fight at one place of a line, and what rows tell of it beside.

    `met` is what the last attack roll at each had to reach of its armor class, `given` the keys of rolls
    whose faces nobody threw. Of the declaration at hand `notations` are its dice by their keys, and `blows`
    the newest attack roll of each at each. `shows` says whose numbers may be told.
    """

    def __init__(self, shows: Callable[[str], bool] | None = None) -> None:
        self.state = Encounter()
        self.met: dict[str, int] = {}
        self.given: set[str] = set()
        self.notations: dict[str, str] = {}
        self.blows: dict[tuple[str, str], int] = {}
        self.act, self.declared = "", 0
        self._shows = shows

    def copy(self) -> Self:
        """Return an independent copy, for a line that leaves here. O(combatants)."""
        made = copy(self)
        made.state = duplicate(self.state)
        made.met, made.given = {**self.met}, {*self.given}
        made.notations, made.blows = {**self.notations}, {**self.blows}
        return made

    def shows(self, who: str) -> bool:
        """Say whether the numbers of a combatant may be told."""
        return self._shows is None or self._shows(who)

    def of(self, who: str) -> tuple[Any, ...]:
        """Return how somebody stands, in the order of the columns; nothing of who is no combatant."""
        one = self.state.combatants.get(who)
        if one is None:
            return _NOBODY
        conditions = "; ".join(one.conditions) if one.conditions else ""
        place = (*one.at, height_of(one) if conditions else 0, conditions)
        if self._shows is not None and not self._shows(who):
            return (one.side, None, None, None, None, None, *place)
        return (
            one.side,
            one.hp,
            one.max_hp,
            one.nonlethal,
            one.temporary,
            self.met.get(who),
            *place,
        )

    def apart(self, one: str, other: str) -> int | None:
        """Return the feet between the nearest squares of two, height included; None for no combatant."""
        combatants = self.state.combatants
        a, b = combatants.get(one), combatants.get(other)
        if a is None or b is None:
            return None
        return distance(a, b)

    def d20(self, key: str) -> bool:
        """Say whether the roll of that key, in the declaration at hand, was one plain d20."""
        return self.notations.get(key) == "1d20"

    def sides(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return how many of each side have hit points left, and these added up, as far as may be told."""
        count: dict[str, int] = {}
        points: dict[str, int] = {}
        for who, one in self.state.combatants.items():
            if self.shows(who):
                count[one.side] = count.get(one.side, 0) + (one.hp > 0)
                points[one.side] = points.get(one.side, 0) + max(one.hp, 0)
        return count, points
