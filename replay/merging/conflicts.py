"""Conflicts between changes of branches, and the objects of rulings on a line."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from affray.events.envelope import Entry, Event
from affray.events.errors import AffrayError
from affray.events.facts.flow import Declared
from affray.replay.log.declarations import fact_of
from affray.replay.merging.lines import Change

_CITED = re.compile(rb"ruling:(R\d+)(?!\d)")
_SET = re.compile(r"(?P<what>.+\.(?:hp|at))=(?P<value>.+)")
_CONDITION = re.compile(r"(?P<who>[^.=]+?)(?P<sign>[+-])(?P<name>[A-Za-z].*)")


class Side(Struct, frozen=True):
    """One side of a conflict: `what` it is ("R1", or what was declared), on which branches, and its words.

    `event` is the event that a ruling is about, on the line on which it was made; 0 for none.
    """

    what: str
    branches: tuple[str, ...]
    text: str = ""
    event: int = 0
    subject: str = ""

    def told(self) -> str:
        """Return the side in words."""
        where = ", ".join(self.branches)
        about = f" on event {self.event}" if self.event else ""
        words = f": {self.text}" if self.text else ""
        return f"{self.what}{about} ({where}{words})"


class Conflict(Struct, frozen=True):
    """Two sides that cannot both apply to one line, and why."""

    sides: tuple[Side, Side]
    why: str

    def told(self) -> str:
        """Return the conflict in a sentence."""
        one, other = self.sides
        return f"{one.told()} against {other.told()}: {self.why}"


class MergeConflict(AffrayError):
    """Branches that contradict each other: nothing was written. `conflicts` names both sides of each.

    `take` of `merge` chooses a side: the name of a branch or of a ruling.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import MergeConflict, import_notation, merge, what_if
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> one = what_if(store, "main", faces={"d4/fighter/attack/1": [3]}, name="miss")
    >>> two = what_if(store, "main", faces={"d4/fighter/attack/1": [20]}, name="crit")
    >>> try:
    ...     merge(store, ["miss", "crit"])
    ... except MergeConflict as fault:
    ...     print(fault.conflicts[0].why)
    both set d4/fighter/attack/1: 20 and 3
    >>> merge(store, ["miss", "crit"], take=["crit"]).dropped[0].branches
    ('miss',)
    """

    status = 1

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        more = f" (and {len(conflicts) - 1} more)" if len(conflicts) > 1 else ""
        super().__init__(f"conflict: {conflicts[0].told()}{more}; resolve it with --take")
        self.conflicts = list(conflicts)


class LineContents(Struct):
    """The contents of a line: the end of each declaration, its rolls, and the rulings that outcomes cite."""

    ends: dict[str, str] = field(default_factory=dict)
    rolls: dict[str, set[str]] = field(default_factory=dict)
    made: dict[str, list[str]] = field(default_factory=dict)
    cited: set[str] = field(default_factory=set)

    @classmethod
    def on(cls, line: Iterable[Event | Entry]) -> "LineContents":
        """Read a line. O(events)."""
        found, id, cause = cls(), "", 0
        for one in line:
            if one.cause != cause:
                cause, id = one.cause, ""
                if one.type == "declared":
                    fact: Declared = fact_of(one)
                    id = fact.id
                    found.made.setdefault(fact.by, []).append(id)
                    found.ends[id], found.rolls[id] = "", set()
                    continue
            if not id:
                continue
            found.cited.update(match.decode() for match in _CITED.findall(one.data))
            if one.type == "rolled":
                found.rolls[id].add(fact_of(one).key)
            elif one.type in ("refused", "invalidated"):
                found.ends[id] = fact_of(one).reason
        return found


def missing(change: Change, roll: str, before: LineContents, now: LineContents) -> str:
    """Return what a ruling's line had and another one lacks, "" if nothing is missing.

    `roll` is the key of the roll that it is about, "" for none.
    """
    ruling, subject = change.ruling, change.subject
    if ruling is None:
        return ""
    by = ruling.rule or "?"
    mine, theirs = before.made.get(by, []), now.made.get(by, [])
    for id, other in ((subject, subject), *zip(mine, theirs, strict=False)):
        if id in before.ends and not before.ends[id]:
            if other not in now.ends:
                return f"{other} is not declared there"
            if now.ends[other]:
                return f"{other} is no longer possible: {now.ends[other]}"
    if roll in before.rolls.get(subject, ()) and roll not in now.rolls.get(subject, ()):
        return f"the roll {roll}, which it is about, is no longer made"
    if ruling.id in before.cited and ruling.id not in now.cited:
        return "nothing that it changed still happens"
    return ""


def contradiction(one: Change, other: Change) -> str:
    """Return how two changes contradict each other at the same time, "" if they do not."""
    for target, value in _targets(one).items():
        said = _targets(other).get(target)
        if said is not None and said != value and _meet(target, one, other):
            one_value, other_value = (
                ", ".join(map(str, each)) if isinstance(each, tuple) else each for each in (value, said)
            )
            return f"both set {target[-1]}: {one_value} and {other_value}"
    acts = {id for kind, id in _targets(one) if kind == "act"} & _amended_in(other)
    acts |= {id for kind, id in _targets(other) if kind == "act"} & _amended_in(one)
    if acts:
        return f"both change the declaration {min(acts)}"
    here = one.ruling is not None and other.ruling is not None and one.subject == other.subject != ""
    if here and one.ruling is not None and other.ruling is not None and one.ruling.void != other.ruling.void:
        return f"one voids {one.subject}, the other does not"
    return ""


def agree(one: Change, other: Change) -> bool:
    """Return whether two rulings are the same ruling on the same declaration."""
    a, b = one.ruling, other.ruling
    if a is None or b is None or (one.subject, a.scope) != (other.subject, b.scope):
        return False
    # Without a declaration, a repeated ruling may be meant to apply twice.
    return {*a.effects} == {*b.effects} and (bool(one.subject) or a.scope == "fight")


def _meet(target: tuple[str, str], one: Change, other: Change) -> bool:
    """Return whether two changes of one target apply at the same time."""
    kind = target[0]
    if kind in ("key", "act", "field", "entry"):
        return True
    if kind == "option":
        first, last = sorted((one, other), key=lambda change: change.place)
        lasts = first.ruling.scope != "event" if first.ruling is not None else True
        whole = last.ruling is not None and last.ruling.scope == "fight"
        return lasts or whole or first.anchor == last.anchor
    return one.anchor == other.anchor


def _targets(change: Change) -> Mapping[tuple[str, str], object]:
    """Return the values that a change sets."""
    found = change.sorted
    told: dict[tuple[str, str], object] = {("key", key): faces for key, faces in found.faces.items()}
    told |= {("key", key): answer for key, answer in found.choices.items()}
    told |= {("option", option): value for option, value in found.options.items()}
    told |= {("key" if "/" in roll else "roll", roll): word for roll, word in found.words.items()}
    for one in found.amendments:
        if one.kind == "act":
            told["act", one.id] = one.value
        elif one.kind == "field":
            told["field", f"{one.id}.{one.name}"] = one.value
        elif one.kind in ("sheet", "start"):
            told["entry", f"{one.who}.{one.kind}.{one.name}"] = one.value
        elif one.kind == "condition":
            told["entry", f"{one.who} {one.value}"] = one.name
    for effect in found.rest:
        if match := _SET.fullmatch(effect):
            told["set", match["what"]] = match["value"]
        elif match := _CONDITION.fullmatch(effect):
            told["set", f"{match['who']} {match['name']}"] = match["sign"]
    return told


def _amended_in(change: Change) -> set[str]:
    return {one.id for one in change.sorted.amendments if one.kind == "field"}


def pairs(changes: Sequence[Change]) -> Iterator[tuple[Change, Change]]:
    """Yield every two changes that no branch contains together, in order."""
    for at, other in enumerate(changes):
        for one in changes[:at]:
            if not {*one.branches} & {*other.branches}:
                yield one, other


def side(change: Change) -> Side:
    """Return a change as one side of a conflict."""
    ruling = change.ruling
    return Side(
        change.label,
        tuple(change.branches),
        ruling.text if ruling is not None else "",
        ruling.event if ruling is not None else 0,
        change.subject or change.anchor,
    )


__all__ = [
    "Conflict",
    "LineContents",
    "MergeConflict",
    "Side",
    "agree",
    "contradiction",
    "missing",
    "pairs",
    "side",
]
