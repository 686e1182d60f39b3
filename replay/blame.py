"""Blame: which events made a part of the state what it is, each with its modifiers and rules."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import BrokenLog
from affray.events.store import Store
from affray.projections.audit import Part, causes, cited, parts_of_fact
from affray.projections.fold import HANDLERS, apply
from affray.projections.sentence import sentence
from affray.projections.state import Encounter
from affray.projections.timeline import filed
from affray.replay.groups import starts
from affray.replay.narrate.cast import Cast
from affray.replay.state_paths import OF_COMBATANTS, OF_ENCOUNTER, PLACE, named_parts, path_of

MOST = 12
"""So many events are told of what has changed often, the first and the latest of them."""


class Maker(Struct, frozen=True):
    """An event that made something what it was then: `value`, None for nothing any more.

    `parts` are the modifiers that had a part in it, `rules` the ids of all rules that were cited on the way
    from the declaration, `way` the events of that way.
    """

    seq: int
    place: str
    type: str
    text: str
    value: Any
    parts: tuple[Part, ...]
    rules: tuple[str, ...]
    way: tuple[int, ...]


class Blamed(Struct, frozen=True):
    """What a part of the state is after event `at`, and the events that made it so, the latest first.

    The last of them is where it begins: a combatant's entering, with its sheet, or when it came to be at all.
    Of many, so many as `left_out` counts are left out before it.
    """

    branch: str
    at: int
    path: str
    value: Any
    makers: tuple[Maker, ...]
    left_out: int = 0


class Blame:
    """Knows when each part of the state changed along a line of play; `state` is that after event `at`."""

    def __init__(self, store: Store, branch: str = "", at: int | None = None) -> None:
        """Fold the line once, up to event `at` (its end without). O(events).

        Raises UnknownStream, BrokenLog, NewerLog.
        """
        self.branch = branch or store.main_line()
        self.state = Encounter()
        self.events: list[Event] = []
        self._facts: list[Any] = []
        self._begins: list[int] = []
        self._changed: dict[str, list[tuple[int, Any]]] = {}
        self._known: dict[str, Any] = {}
        self._cast = Cast()
        for event in store.read(self.branch, upto=at):
            self._take(event)
        self.at = len(self.events)

    def of(self, text: str, most: int = MOST) -> Blamed:
        """Return who made what a path means (`state_paths.path_of`), `most` of them. Raises UnknownPath.

        O(most, and their declarations).
        """
        who, name, part = path_of(self.state, text)
        path = PLACE.join(filter(None, (who, name, part)))
        found = list(reversed(self.changes(path)))
        shown = found if len(found) <= most else [*found[: most - 1], found[-1]]
        makers = tuple(self.maker(seq, value) for seq, value in shown)
        return Blamed(self.branch, self.at, path, plain(self._value(path)), makers, len(found) - len(shown))

    def paths(self) -> Iterator[str]:
        """Yield every path that has ever led somewhere."""
        yield from self._changed

    def value(self, path: str) -> Any:
        """Return what a path leads to, as plain data."""
        return plain(self._value(path))

    def changes(self, path: str) -> list[tuple[int, Any]]:
        """Return the events that changed what a path means, with what it was then, since it came to be."""
        found = self._changed.get(path, [])
        begun = max((at for at, (_, value) in enumerate(found[:-1]) if value is None), default=-1)
        return found[begun + 1 :]

    def _value(self, path: str) -> Any:
        found = self._changed.get(path)
        return found[-1][1] if found else None

    def maker(self, seq: int, value: Any) -> Maker:
        """Return an event as the maker of a value."""
        event, fact = self.events[seq - 1], self._facts[seq - 1]
        first = self._begins[seq - 1]
        facts = self._facts[first - 1 : seq]
        way = sorted({0, *causes(facts, len(facts) - 1)})
        parts = tuple(part for at in way for part in parts_of_fact(first + at, facts[at]))
        rules = tuple(dict.fromkeys(rule for at in reversed(way) for rule in cited(facts[at])))
        round, turn = filed(event, fact)
        place = f"r{round}.t{turn}" if turn else f"r{round}"
        said = sentence(self._cast.saying(fact))
        seqs = tuple(first + at for at in way if first + at != seq)
        return Maker(seq, place, event.type, said, plain(value), parts, rules, seqs)

    def _take(self, event: Event) -> None:
        fact = decode(event)
        before = self.events[-1] if self.events else None
        begins = event.seq if starts(event, before) or not self._begins else self._begins[-1]
        self.events.append(event)
        self._facts.append(fact)
        self._begins.append(begins)
        if event.type == "combatant.entered":
            self._cast.enter(fact.id, fact.side, fact.sheet.name)
        if type(fact) not in HANDLERS:
            return
        try:
            apply(self.state, fact)
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            reason = f"{event.type} does not fit the events before it ({type(error).__name__}: {error})"
            raise BrokenLog(event.stream, event.seq, reason) from None
        self._compare(event.seq)

    def _compare(self, seq: int) -> None:
        """Note what an event has changed."""
        note = self._note
        for name in OF_ENCOUNTER:
            note(seq, name, getattr(self.state, name))
        for id, one in self.state.combatants.items():
            for name in OF_COMBATANTS:
                note(seq, f"{id}{PLACE}{name}", getattr(one, name))

    def _note(self, seq: int, path: str, value: Any) -> None:
        known = self._known.get(path, self)
        if known is value or known == value:
            return
        parts = named_parts(value)
        if parts is None and isinstance(known, dict):
            parts = {}
        if parts is not None:
            old = known if isinstance(known, dict) else {}
            if parts == old and path in self._known:
                return
            for name in old.keys() - parts.keys():
                self._changed[f"{path}{PLACE}{name}"].append((seq, None))
            for name, part in parts.items():
                if old.get(name, self) != part:
                    self._changed.setdefault(f"{path}{PLACE}{name}", []).append((seq, part))
            self._known[path] = dict(parts)
        else:
            self._known[path] = value
        self._changed.setdefault(path, []).append((seq, dict(value) if isinstance(value, dict) else value))


def plain(value: Any) -> Any:
    """Return a value of the state as plain data."""
    return msgspec.to_builtins(value, str_keys=True)
