"""What a fight remembers, and what facts make it forget; how functions remember stands in `memory.py`."""

from collections.abc import Callable
from typing import Any, Final
from weakref import ref

from affray.engine.fight.kept import Asker, Kept
from affray.projections.touches import TOUCHES, Touches

PASSING: Final = frozenset(
    {
        *("hp", "nonlethal", "temporary"),
        *("spent", "reactions", "opportunities", "acted"),
        *("initiative", "fixed_initiative", "initiative_modifier"),
    }
)
"""What of a combatant may change while nothing is forgotten: what depends on it has it in its key."""

MOST_RULES: Final = 8
"""Of so many rules and options something is remembered; of others it is found out anew."""

MOST_MAPS: Final = 16
"""Of so many maps something is remembered; the same map with another door open is another one."""

MOST_POSITIONS: Final = 4_096
"""So many positions a fight that begins again remembers before it begins anew with them."""

MOST_OF_SHEETS: Final = 32_768
"""Answers that go by sheets, after which the next fight begins anew with them."""


class RulesMemory:
    """What is remembered of sheets, sums and maps under the same rules and options, whatever the fight.

    These answers depend on their keys and the rules alone, so all fights of a process share them.
    """

    def __init__(self, store: type[Kept]) -> None:
        self.store = store
        self.sheets, self.sums = self.new(), self.new()
        self._maps: dict[Any, Kept] = {}

    def new(self) -> Kept:
        """Return an empty store of answers."""
        return self.store(Asker(lambda: None))

    def map_of(self, state: Any) -> Kept:
        """Return what is remembered of a map as its doors stand."""
        key = state.terrain, state.barriers
        found = self._maps.get(key)
        if found is None:
            if len(self._maps) >= MOST_MAPS:
                self._maps.clear()
            found = self._maps[key] = self.new()
        return found


def rules_memory(fight: Any, store: type[Kept]) -> RulesMemory:
    """Return what is remembered under the rules of a fight, kept as `store` keeps it."""
    state, known = fight.state, fight.dialect.memories
    said = [tuple(each.items()) for each in (state.options, state.tables)]
    key = store, state.defaults, state.packages, *said
    found: RulesMemory | None = known.get(key)
    if found is None or len(found.sheets) > MOST_OF_SHEETS:
        if len(known) >= MOST_RULES:
            known.clear()
        found = known[key] = RulesMemory(store)
    return found


class Position:
    """What is remembered of a position: `company` outlasts moves. `after` are those that facts led to."""

    __slots__ = ("after", "company", "scene")

    def __init__(self, scene: Kept, company: Kept) -> None:
        self.scene, self.company = scene, company
        self.after: dict[Any, Position] = {}


class Memory:
    """What one fight remembers.

    `fight`, `sums` and `map` are those of its rules. `company` holds while nothing changes but where
    combatants stand, hit points, budgets, rounds and turns; `scene` while they stand where they stood, too.

    A fight that begins again comes to many a position as it did before. The same facts lead from one to the
    next, so the positions are remembered by these.
    """

    def __init__(self, fight: Any, store: type[Kept] = Kept) -> None:
        # Not held: so a fight goes, with all that it remembers, when it is left.
        self._fight: Callable[[], Any] = ref(fight)
        self._rules = rules_memory(fight, store)
        self.fight, self.sums = self._rules.sheets, self._rules.sums
        self.map = self._rules.map_of(fight.state)
        self.scene, self.company = self._new(), self._new()
        self._first = self._now = Position(self.scene, self.company)
        self._positions = 0
        """So many positions are remembered; 0 where the fight has not begun again."""
        self._plans = True
        """Whether anybody may have a plan for the round."""

    def _new(self) -> Kept:
        return self._rules.store(Asker(self._fight))

    def touch_places(self, fact: Any = None) -> None:
        """Forget what depends on where combatants stand."""
        if self._positions:
            self._go_on(fact, self.company)
        elif self.scene is self._first.scene:
            self.scene = self._new()
        else:
            self.scene.clear()

    def touch_combatants(self, fact: Any = None) -> None:
        """Forget what depends on anything about combatants or around them, the map apart."""
        if self._positions:
            self._go_on(fact, None)
            return
        if self.company is self._first.company:
            self.company = self._new()
        else:
            self.company.clear()
        self.touch_places()

    def touch_plan(self, fact: Any = None) -> None:
        """Forget what depends on anything about combatants: one has a plan for the round."""
        self._plans = True
        self.touch_combatants(fact)

    def touch_round(self, fact: Any = None) -> None:
        """Forget what depends on plans, if anybody had one."""
        if self._plans:
            self._plans = False
            self.touch_combatants(fact)

    def touch_map(self, fact: Any = None) -> None:
        """Take up the map as its doors stand now, and forget what depends on it."""
        fight = self._fight()
        vars(fight).pop("field", None)
        self.map = self._rules.map_of(fight.state)
        self.touch_combatants(fact)

    def touch_everything(self) -> None:
        """Forget all that is known of this position: the state was changed otherwise than by a fact."""
        fight = self._fight()
        vars(fight).pop("field", None)
        self.map, self._plans = self._rules.map_of(fight.state), True
        self._now = Position(self._new(), self._new())
        self.scene, self.company = self._now.scene, self._now.company

    def _go_on(self, fact: Any, company: Kept | None) -> None:
        """Take up the position to which a fact leads; a change without one leads to a new one."""
        known = self._now.after
        try:
            found = known.get(fact)
        except TypeError:  # it holds a dictionary, as who enters may
            fact = found = None
        if found is None:
            found = Position(self._new(), self._new() if company is None else company)
            if fact is not None and self._positions < MOST_POSITIONS:
                known[fact] = found
                self._positions += 1
        self._now = found
        self.scene, self.company = found.scene, found.company

    def begin_again(self) -> None:
        """Take up the first position: the fight stands as it stood when it was made."""
        if self._positions >= MOST_POSITIONS:
            self._first.after.clear()
            self._positions = 0
        self._positions = max(1, self._positions)
        self._now, self._plans = self._first, True
        self.scene, self.company = self._first.scene, self._first.company
        self.map = self._rules.map_of(self._fight().state)


TOUCHING: Final[dict[Touches, Callable[[Memory, Any], None] | None]] = {
    "nothing": None,
    "places": Memory.touch_places,
    "combatants": Memory.touch_combatants,
    "map": Memory.touch_map,
    "plan": Memory.touch_plan,
    "round": Memory.touch_round,
}


def touched_by(kind: type) -> Callable[[Memory, Any], None] | None:
    """Return what a fact of that kind makes a memory forget; None for nothing."""
    return TOUCHING[TOUCHES.get(kind, "nothing")]
