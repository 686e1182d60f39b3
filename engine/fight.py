"""The working context that resolvers read: state, dialect, map, and names for rolls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeVar

from affray.engine.book import Book
from affray.engine.grid.battlefield import Battlefield, battlefield
from affray.engine.modifiers import Tally
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant, Encounter, restore

if TYPE_CHECKING:
    from affray.engine.record.dialect import Dialect

MOST_TALLIES: Final = 2048
"""Sums that a fight remembers before it begins anew; an entry takes about 500 bytes."""

MOST_MEETINGS: Final = 1024
"""Pairs of combatants, as they and those near once stood, that a fight remembers before it begins anew."""

MOST_PLACES: Final = 4096
"""Pairs of places that a fight remembers the lay of before it begins anew."""

R = TypeVar("R")


class Fight:
    """One fight as the rules see it.

    Resolvers read `state` and never write it: they yield facts, which the runner applies.
    `rule`, `figure` and `modifier` take topics ("charge.attack") and answer with the dialect's own
    rule ids and figures, so that a number and its citation always come from the same entry.
    """

    def __init__(self, state: Encounter, dialect: Dialect) -> None:
        self.state = state
        self.dialect = dialect
        self.rule: Callable[[str], str] = dialect.rule
        """The id of the dialect's rule on a topic."""
        self.figure: Callable[..., Any] = dialect.figure
        """A figure of the dialect's rule on a topic, by topic and path."""
        self.rules: Callable[..., tuple[str, ...]] = dialect.rules
        """The ids of the rules on several topics, each once."""
        self.book: Book = dialect.book
        self.declaration = ""
        self.seed = ""
        self.readied = ""
        self.scope = ""
        self.counts: dict[str, int] = {}
        """How often each of the declaration's names for rolls and choices was given; new with each one."""
        self.cache: dict[Any, Any] = {}
        """What depends on sheets and catalogue only: good for the whole fight."""
        self.scene: dict[Any, Any] = {}
        """What depends on places, conditions, effects and items too: new when one of them changes."""
        self.company: dict[Any, Any] = {}
        """What depends on who is there and what lasts on them, wherever they stand: outlasts moves."""
        self._opening = self.scene, self.company
        self.pairs: dict[tuple[str, str], dict[Any, Any]] = {}
        """What was found out between two of this scene; see `between` in rules/position/vicinity.py."""
        self.stamps: dict[str, int] = {}
        """A number for each combatant about whom anything but its place has changed: a new one each time."""
        self._stamped = count(1)
        self._age = 0
        self._meetings: dict[Any, dict[Any, Any]] = {}
        self._lay: dict[Any, Any] = {}
        self._tallies: dict[tuple[int, ...], tuple[Tally, tuple[Modifier, ...]]] = {}
        self.sums: dict[tuple[int, int], Any] = {}
        """What goes with two tallies that have met, by their ids; it holds them, and not too many."""

    @cached_property
    def field(self) -> Battlefield:
        """The map, built once."""
        return battlefield(self.state.terrain)

    def change_scene(self) -> None:
        """Begin a new scene: anything may have changed that what was remembered of this one depends on."""
        self._age = next(self._stamped)
        self.scene, self.pairs, self.company = {}, {}, {}

    def change_one(self, id: str) -> None:
        """Begin a new scene, in which something about one combatant is new, and nothing about others."""
        self.stamps[id] = next(self._stamped)
        self.scene, self.pairs, self.company = {}, {}, {}

    def change_places(self) -> None:
        """Begin a new scene, in which nothing has changed but where combatants stand."""
        self.scene, self.pairs = {}, {}

    def meeting(self, one: str, other: str, near: tuple[Any, ...]) -> dict[Any, Any]:
        """Return what was found out between two when those `near` stood so; many make room for new ones."""
        key = (self._age, one, other, near)
        found = self._meetings.get(key)
        if found is None:
            if len(self._meetings) >= MOST_MEETINGS:
                self._meetings.clear()
            found = self._meetings[key] = {}
        return found

    def begin_again(self, start: Encounter) -> None:
        """Put everything back as `start` has it, the state this fight was made with.

        Its records stay the same objects, so that what was remembered of the first scene still holds.
        """
        restore(self.state, start)
        (self.scene, self.company), self.pairs = self._opening, {}
        self.stamps, self._age = {}, 0
        self.readied = ""

    def key(self, who: str, purpose: str) -> str:
        """Return the next key for a roll or choice: declaration/actor or scope/purpose/ordinal."""
        prefix = f"{self.declaration}/{self.scope or who}/{purpose}/"
        count = self.counts.get(prefix, 0) + 1
        self.counts[prefix] = count
        return f"{prefix}{count}"

    def combatant(self, id: str, rule: str = "") -> Combatant:
        """Return a combatant by id. Refuses an unknown one."""
        found = self.state.combatants.get(id)
        if found is None:
            raise Refusal(f"there is no combatant {id!r} in this fight", rule or self.rule("encounter"))
        return found

    def option(self, name: str) -> str:
        """Return the reading in force for a contested rule or house rule of the dialect."""
        chosen = self.state.options.get(name)
        return chosen if chosen is not None else self.dialect.options[name]

    def formula(self, topic: str, *path: str | int) -> int:
        """Return the number that a figure such as "15 + spell level" begins with."""
        figure = self.dialect.figure(topic, *path)
        return figure if isinstance(figure, int) else int(str(figure).split()[0])

    def modifier(self, topic: str, *path: str | int, kind: str, source: str) -> Modifier:
        """Return a modifier whose value and citation both come from the rule on `topic`."""
        return self.dialect.modifier(topic, path, kind, source)

    def stack(self, parts: Sequence[Modifier]) -> Tally:
        """Return what the dialect makes of `parts`; the very same modifiers are added up only once.

        A sum depends on its parts and the options in force, and a fight keeps its options: what was
        remembered or forgotten cannot be told from the result.
        """
        key = tuple(map(id, parts))
        found = self._tallies.get(key)
        if found is None:
            if len(self._tallies) >= MOST_TALLIES:
                self._tallies.clear()
            # Keeping the parts with their sum keeps their ids from being given to others.
            found = self._tallies[key] = self.dialect.attacks.stack(self, parts), tuple(parts)
        return found[0]

    def keep(self, sheet: Sheet) -> None:
        """Hold on to a sheet by whose id something is remembered, so that its id is not given to another."""
        self.cache["kept", id(sheet)] = sheet

    def lay_of(self, find: Callable[..., R], *where: Any) -> R:
        """Return `find(fight, *where)`, which depends on the map and on what it is given alone.

        Remembered whatever else changes; many places make room for new ones.
        """
        key = (find, where)
        found: R | None = self._lay.get(key)
        if found is None:
            if len(self._lay) >= MOST_PLACES:
                self._lay.clear()
            found = self._lay[key] = find(self, *where)
        return found

    def enemies(self, of: Combatant) -> list[Combatant]:
        """Return the combatants on other sides, in order of entry."""
        key = ("enemies", of.side)
        found: list[Combatant] | None = self.company.get(key)
        if found is None:
            found = [other for other in self.state.combatants.values() if other.side != of.side]
            self.company[key] = found
        return found

    def allies(self, of: Combatant) -> list[Combatant]:
        """Return the other combatants of the same side, in order of entry."""
        return [c for c in self.state.combatants.values() if c.side == of.side and c.id != of.id]
