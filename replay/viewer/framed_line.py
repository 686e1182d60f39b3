"""A line of play while its events are folded, one frame each."""

from typing import Any

from msgspec import Struct

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import BrokenLog
from affray.events.facts.combat import AttackResolved
from affray.events.facts.declared import Declared
from affray.events.facts.rolled import Rolled
from affray.projections.audit import causes, cited
from affray.projections.fold import HANDLERS, apply
from affray.projections.hit_chance import hitting
from affray.projections.sentence import sentence
from affray.projections.state import Encounter, duplicate
from affray.replay.groups import starts
from affray.replay.installed import playable
from affray.replay.luck import Tally, thrown_for, was_given
from affray.replay.narrate.cast import Cast
from affray.replay.viewer.frame import Change, Frame, Sight
from affray.replay.viewer.sight import area_of, shapes_of, sight
from affray.replay.viewer.views import affected, combatant_view, encounter_view


class Begun(Struct, frozen=True):
    """How things stand where a line leaves another one; nothing in it may be written.

    `group` is the declaration that the last event belongs to, as far as it was decided.
    """

    state: Encounter
    tally: Tally
    group: tuple[tuple[Event, Any], ...] = ()


class FramedLine:
    """A line of play while its events are folded, one frame each."""

    def __init__(self, begun: Begun, cast: Cast, rules: dict[str, None], at: int) -> None:
        """Stand after event `at`; what is cited goes into `rules`."""
        self.cast, self.rules = cast, rules
        self.state: Encounter = duplicate(begun.state)
        self.tally = begun.tally.copy()
        self.shapes: dict[str, list[tuple[int, int]]] = {}
        self.fight: Fight | None = None
        self._given: set[str] = set()
        self._encounter = encounter_view(self.state, cast) if at else {}
        self._views: dict[str, dict[str, Any]] = {}
        # A branch may leave in the middle of a declaration: what it has decided so far leads on.
        self.group: list[tuple[Event, Any]] = list(begun.group)
        for _, fact in self.group:
            self._chance(fact)

    def frame(self, event: Event) -> Frame:
        """Fold an event and return its frame. Raises NewerLog, and BrokenLog as `fold` does."""
        fact = decode(event)
        if not self._views:  # of a line without events nobody asks
            self._views.update((id, self._view(id)) for id in self.state.combatants)
        try:
            made = self._frame(event, fact)
            self.tally.count(event.seq, fact)
            return made
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            reason = f"{event.type} does not fit the events before it ({type(error).__name__}: {error})"
            raise BrokenLog(event.stream, event.seq, reason) from None

    def _frame(self, event: Event, fact: Any) -> Frame:
        self.rules.update(dict.fromkeys(cited(fact)))
        if starts(event, self.group[-1][0] if self.group else None):
            self.group = []
            self._given.clear()
        self.group.append((event, fact))
        seen = self._sight(fact) if type(fact) is AttackResolved else None
        area = self._area(fact) if type(fact) is Declared else None
        apply(self.state, fact)
        text, change = sentence(self.cast.saying(fact)), self._change(fact)
        return Frame(text, self._chain(), change, seen, self._chance(fact), area)

    def _chance(self, fact: Any) -> int | None:
        if type(fact) is Rolled and was_given(fact):
            self._given.add(fact.key)
        elif type(fact) is AttackResolved and thrown_for(fact, self._given):
            return int(hitting(fact) * 20)
        return None

    def _chain(self) -> tuple[int, ...]:
        last = len(self.group) - 1
        found = {0, *causes([fact for _, fact in self.group], last)} - {last}
        return tuple(self.group[index][0].seq for index in sorted(found))

    def _change(self, fact: Any) -> Change | None:
        if type(fact) not in HANDLERS:
            return None
        change = Change(_differing(self._encounter, now := encounter_view(self.state, self.cast)))
        self._encounter = now
        for id in affected(fact, self.state):
            view = self._view(id)
            if fields := _differing(self._views.get(id, {}), view):
                change.c[id] = fields
                self._views[id] = view
        return change if change.g or change.c else None

    def _view(self, id: str) -> dict[str, Any]:
        one = self.state.combatants[id]
        shapes = shapes_of(self._rules_of_play(), one)
        self.shapes.update(shapes)
        return combatant_view(one, self.cast, list(shapes))

    def _sight(self, fact: AttackResolved) -> Sight | None:
        fight = self._rules_of_play()
        return sight(fight, fact.attacker, fact.target, fact.mode) if fight is not None else None

    def _area(self, fact: Declared) -> tuple[Square, ...] | None:
        fight = self._rules_of_play() if getattr(fact.act, "spell", "") else None
        return (area_of(fight, fact.act) or None) if fight is not None else None

    def _rules_of_play(self) -> Fight | None:
        """Return the geometry's context, places looked at afresh; None for a dialect not installed."""
        if self.fight is None and playable(self.state):
            state = self.state
            self.fight = Fight(state, load(state.dialect, None, state.tables, state.packages))
        if self.fight is not None:
            self.fight.memory.touch_everything()
        return self.fight


def _differing(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in after.items() if name not in before or before[name] != value}
