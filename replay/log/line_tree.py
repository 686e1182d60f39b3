"""The lines of a log as a tree: which stream holds the event after which each of them leaves."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from affray.events.chain import verified
from affray.events.envelope import Branch
from affray.events.errors import BrokenLog, UnknownStream
from affray.events.stores.store import MAIN, Store, ancestry
from affray.replay.checks import Line


class Tree:
    """All branches of a log, by the stream that their first own event follows.

    `lost` says of the branches that stand in no tree why: their parents go round in a circle, or are missing.
    """

    def __init__(self, store: Store, branches: Sequence[Branch]) -> None:
        """Sort the branches. O(branches)."""
        self.known = {one.name: one for one in branches}
        self.lost: dict[str, str] = {}
        self._leaving: dict[str, list[Branch]] = {}
        self._holds: dict[str, str] = {}
        sound: set[str] = set()
        for one in branches:
            self._check(one, sound)
        for one in branches:
            if one.name in sound:
                self._leaving.setdefault(self._holder(store, one), []).append(one)

    def leaving(self, stream: str) -> list[Branch]:
        """Return the branches that leave behind an event of a stream; of "" those with a beginning."""
        return self._leaving.get(stream, [])

    def unread(self, found: Iterable[str]) -> list[Branch]:
        """Return the branches that are not among those found."""
        there = set(found)
        return [one for one in self.known.values() if one.name not in there]

    def inherited(self, found: Mapping[str, Line]) -> list[Line]:
        """Return the lines in order of creation, each with the problems of its parent before it left."""
        told: dict[str, Line] = {}
        for name in self.known:
            trail = [name]
            while trail:
                one = self.known[trail[-1]]
                if one.parent and one.name not in self.lost and one.parent not in told:
                    trail.append(one.parent)
                    continue
                told[one.name] = self._with_parent(one, found[one.name], told)
                trail.pop()
        return [told[name] for name in self.known]

    def _with_parent(self, one: Branch, own: Line, told: Mapping[str, Line]) -> Line:
        if not one.parent or one.name in self.lost:
            return own
        before = told[one.parent].problem
        return replace(own, problem=before) if before is not None and before.seq <= one.at else own

    def _check(self, one: Branch, sound: set[str]) -> None:
        """Note whether the parents of a branch lead to the root, for all of them that nobody asked about."""
        trail: list[str] = []
        try:
            for each in ancestry(self._find, one.name):
                if each.name in sound:
                    break
                trail.append(each.name)
                if each.name in self.lost:
                    raise BrokenLog(one.name, one.at, self.lost[each.name])
        except BrokenLog as error:
            for name in trail:
                self.lost.setdefault(name, error.reason)
        else:
            sound.update(trail)

    def _find(self, name: str) -> Branch:
        if name not in self.known:
            raise UnknownStream(f"no branch named {name!r}")
        return self.known[name]

    def _holder(self, store: Store, one: Branch) -> str:
        """Return the stream that holds the event after which a branch leaves, "" for the beginning of all."""
        name = one.parent
        while name and one.at and self.known[name].at >= one.at:
            # Many branches may leave at one event and hold nothing: they are passed over at one stroke.
            name = self._full(store, self.known[name].parent)
        return name if one.at and one.name != MAIN else ""

    def _full(self, store: Store, name: str) -> str:
        """Return the nearest branch, from this one up, that holds events of its own."""
        trail = []
        while name not in self._holds and self.known[name].parent and not _own(store, self.known[name]):
            trail.append(name)
            name = self.known[name].parent
        name = self._holds.get(name, name)
        self._holds.update(dict.fromkeys(trail, name))
        return name


def _own(store: Store, one: Branch) -> bool:
    try:
        return store.head(one.name).seq > one.at
    except BrokenLog:
        return True


def find_first_fault(store: Store) -> BrokenLog | None:
    """Return the first fault of a log that digests and record show, None if they show none. O(events).

    What the digests show of the lines goes before what the record says of order, branches and requests.
    """
    try:
        for one in store.branches():
            for _ in verified(store.read(one.name)):
                pass
    except BrokenLog as error:
        return error
    return next(iter(store.cover().faults), None)
