"""The lines that a merge combines: the declarations on each, and the changes made by hand."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.dice import RULED
from affray.engine.table.policies import AGAIN
from affray.events.codec import entry
from affray.events.facts.flow import (
    Asked,
    Chosen,
    Declared,
    Invalidated,
    OptionsChanged,
    Refused,
    Rolled,
    Ruled,
)
from affray.events.stores.store import Store
from affray.replay.log.declarations import BESIDE, POLICY, Script, groups, scripts
from affray.replay.log.playhead import state_at
from affray.replay.redecide.rulings import Ruling, Sorted, sort

BY_HAND = "overridden"
"""Provenances of dice results given by a what-if."""


class Change(Struct):
    """A change made by hand on the `branches`: before declaration `anchor`, "" for at the end.

    It is a ruling, dice results given by hand, other readings, a revived declaration, or a fact outside the
    declarations (a dispute, words for the seed) that is copied.
    """

    anchor: str
    branches: list[str]
    ruling: Ruling | None = None
    subject: str = ""
    faces: dict[str, tuple[int, ...]] = field(default_factory=dict)
    options: OptionsChanged | None = None
    revived: str = ""
    beside: Script | None = None
    place: int = 0

    @property
    def sorted(self) -> Sorted:
        """Its changes, sorted as the effects of a ruling are."""
        if self.ruling is not None:
            return sort(self.ruling)
        return Sorted(
            faces=self.faces,
            options=dict(self.options.options) if self.options is not None else {},
            revived=[self.revived] if self.revived else [],
        )

    @property
    def same(self) -> tuple[object, ...]:
        """The values that are equal for the same change on two branches."""
        ruling = self.ruling
        if ruling is not None:
            return ("id", ruling.id) if ruling.id else ("ruling", replace(ruling, event=0), self.subject)
        if self.beside is not None:
            return ("beside", *(entry(fact, 0, 0, "", 0).data for fact in self.beside.facts))
        options = self.options and (*self.options.options.items(), self.options.by, self.anchor)
        return ("hand", *self.faces.items(), options, self.revived)

    @property
    def label(self) -> str:
        """Its name for people."""
        if self.ruling is not None:
            return self.ruling.id or f"the ruling {self.ruling.text!r}"
        if self.options is not None:
            return ", ".join(f"{name}={value}" for name, value in self.options.options.items())
        shown = [f"{key}={','.join(map(str, faces))}" for key, faces in self.faces.items()]
        return ", ".join(shown) or (f"revive {self.revived}" if self.revived else self._beside())

    def _beside(self) -> str:
        first = self.beside.facts[0] if self.beside is not None else None
        return f"{first.__struct_config__.tag} {getattr(first, 'id', '')}".strip() if first else ""


class Line(Struct):
    """A line after the common part: its declarations by id, as they were before any change by hand."""

    name: str
    plain: dict[str, Script]
    changes: list[Change]

    @property
    def counted(self) -> list[str]:
        """The declarations that took effect: refused ones did not."""
        return [id for id, script in self.plain.items() if type(script.facts[-1]) is not Refused]


def common(store: Store, names: Sequence[str]) -> tuple[int, str]:
    """Return the last event that all lines have in common, and its stream. O(their depth)."""
    shared: dict[str, int] | None = None
    for name in names:
        upto, own = store.head(name).seq, dict[str, int]()
        for branch in store.lineage(name):
            own[branch.name] = upto
            upto = min(upto, branch.at)
        shared = (
            own
            if shared is None
            else {stream: min(upto, own[stream]) for stream, upto in shared.items() if stream in own}
        )
    after = max((shared or {}).values(), default=0)
    # A branch that leaves another at the place where that left its own parent leaves the parent.
    return after, next((stream for stream, upto in reversed((shared or {}).items()) if upto == after), "")


class Lines:
    """Read the lines that lead from one event to several branches, each of them once."""

    def __init__(self, store: Store, after: int, stream: str) -> None:
        self.store, self.after, self.stream = store, after, stream
        self._active = state_at(store, stream, after).active
        self._read: dict[str, list[Script]] = {}

    def line(self, name: str) -> Line:
        """Return a line, each declaration as it was first made on the way to it. O(events on the way)."""
        way = self._way(name)
        own, plain, first = (
            _find_original_declarations(self.scripts(name)),
            dict[str, Script](),
            dict[str, Script](),
        )
        for stream in way:
            for id, script in _find_original_declarations(self.scripts(stream)).items():
                mine = own.get(id)
                if id in plain or mine is None or _is_made(script):
                    continue
                if _is_made(mine) or mine.facts[0] == script.facts[0]:
                    plain[id] = mine if type(script.facts[-1]) is Asked and not _is_made(mine) else script
                    first[id] = script
        plain |= {id: script for id, script in own.items() if id not in plain}
        if way[0] == name:
            plain = first = own
        return Line(name, plain, list(_changes(name, self.scripts(name), plain | first)))

    def answers(self, name: str, id: str = "") -> Iterator[Rolled | Chosen]:
        """Yield the rolls and answers on a line (of one declaration), except those given by hand."""
        for script in self.scripts(name):
            if not id or script.id == id:
                yield from filter(_is_answer, script.facts)

    def _way(self, name: str) -> list[str]:
        way: list[str] = []
        for branch in self.store.lineage(name):
            way.insert(0, branch.name)
            if branch.name == self.stream:
                break
        return way

    def scripts(self, name: str) -> list[Script]:
        """Return the groups of a line after the common part, as recorded."""
        if name not in self._read:
            recorded = groups(self.store.read(name, after=self.after))
            self._read[name] = scripts(recorded, self._active)
        return self._read[name]


def _is_made(script: Script) -> bool:
    """Return whether a declaration comes from a ruling or a what-if rather than its original declarer."""
    by: str = script.facts[0].by
    return by.startswith(RULED) or by == AGAIN


def _find_original_declarations(line: Iterable[Script]) -> dict[str, Script]:
    """Return the original declarations: inserted ones and turns passed by policy are made again."""
    return {
        script.id: script
        for script in line
        if script.id and script.facts[0].by != POLICY and not ("." in script.id and _is_made(script))
    }


def _is_answer(fact: object) -> bool:
    if type(fact) is Rolled:
        return not fact.provenance.startswith((BY_HAND, RULED))
    return type(fact) is Chosen and not fact.by.startswith(RULED)


def _changes(name: str, line: Sequence[Script], plain: dict[str, Script]) -> Iterable[Change]:
    made: set[tuple[str, str]] = set()
    open: list[Change] = []
    for before, script in pairwise([Script("", [None], "", 0), *line]):
        first, told = script.facts[0], before.facts[0]
        kind = type(first)
        if kind is Declared:
            if script.id in plain and not ("." in script.id and _is_made(script)):
                for one in open:
                    one.anchor = script.id
                open = []
                yield from _by_hand(name, script, plain[script.id], line)
            continue
        change = None
        if kind is Ruled and first.verdict == "ends" and (first.id, first.text) in made:
            continue
        if kind is Ruled and first.verdict not in ("ends", "upheld"):
            made.add((first.id, first.text))
            change = Change("", [name], ruling=_ruling(first), subject=first.subject)
        elif kind is OptionsChanged and not (type(told) is Ruled and _is_of_ruling(told, first)):
            change = Change("", [name], options=first)
        elif kind is Ruled or kind in BESIDE:
            change = Change("", [name], beside=script)
        if change is not None:
            open.append(change)
            yield change


def _ruling(fact: Ruled) -> Ruling:
    """Return the original ruling of a recorded fact."""
    return Ruling(
        fact.text,
        fact.changes,
        fact.author,
        fact.id,
        fact.dispute,
        fact.event,
        fact.scope or "event",
        fact.verdict,
    )


def _is_of_ruling(told: Ruled, changed: OptionsChanged) -> bool:
    """Return whether the readings after a ruling were changed by its beginning or its end."""
    return told.verdict == "ends" or changed.options.keys() <= sort(_ruling(told)).options.keys()


def _by_hand(name: str, script: Script, plain: Script, line: Sequence[Script]) -> Iterable[Change]:
    known = {fact.key: fact for fact in plain.facts if type(fact) is Rolled}
    for fact in script.facts:
        if type(fact) is Rolled and fact.provenance == BY_HAND:
            before = known.get(fact.key)
            if before is None or (before.faces, before.provenance) != (fact.faces, fact.provenance):
                yield Change(script.id, [name], faces={fact.key: fact.faces})
    revived = type(plain.facts[-1]) is Refused and type(script.facts[-1]) not in (Refused, Invalidated)
    ruled = (one.facts[0].changes for one in line if type(one.facts[0]) is Ruled)
    if revived and not _is_made(script) and not any(f"revive {script.id}" in changes for changes in ruled):
        yield Change(script.id, [name], revived=script.id)
