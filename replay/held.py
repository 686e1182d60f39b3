"""What is held of a log: the digests of its lines of play, of a log, an export or a players' copy.

Roots, seals and proofs follow from the digests alone, and a copy with events hidden has them all.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from affray.events import merkle
from affray.events.chain import verified
from affray.events.errors import UnknownStream
from affray.events.redacted import Redacted, digest_of
from affray.events.store import Store
from affray.replay.sealing import NotThere


class Held:
    """The digests of a log, line by line; `main` is the line of play that is meant where none is named.

    `whole` says whether all lines of the log are held, or that one alone.
    """

    def __init__(self, main: str, read: Callable[[str], Iterable[bytes]], *, whole: bool) -> None:
        """Take what gives the digests of a line; each line is read once at most."""
        self.main, self.whole = main, whole
        self._read = read
        self._known: dict[str, list[bytes]] = {}

    def digests(self, branch: str = "") -> list[bytes]:
        """Return the digests of a line, those before it left its parent included. O(events) the first time.

        Raises UnknownStream, and BrokenLog where the chain breaks.
        """
        branch = branch or self.main
        if branch not in self._known:
            self._known[branch] = list(self._read(branch))
        return self._known[branch]

    def upto(self, branch: str, seq: int | None) -> list[bytes]:
        """Return the digests of a line up to event `seq`, all without one. Raises NotThere."""
        digests = self.digests(branch)
        if seq is not None and not 0 <= seq <= len(digests):
            raise NotThere(f"there is no event {seq}: {branch or self.main!r} goes from 1 to {len(digests)}")
        return digests[:seq]


def held(store: Store) -> Held:
    """Return what a store holds, every digest compared with its event as it is read."""

    def read(branch: str) -> Iterator[bytes]:
        return (event.digest for event in verified(store.read(branch)))

    return Held(store.main_line(), read, whole=True)


def held_copy(lines: Iterable[bytes]) -> Held:
    """Return what a redacted copy holds of its one line. O(events).

    Raises BrokenExport naming line and event, NotALog, NewerLog.
    """
    file = Redacted(lines)
    digests = [digest_of(one) for one in file.events()]
    name = file.header.branch

    def read(branch: str) -> list[bytes]:
        if branch != name:
            raise UnknownStream(f"the copy holds branch {name!r}, not {branch!r}")
        return digests

    return Held(name, read, whole=False)


def roots(digests: Iterable[bytes], sizes: Collection[int]) -> Mapping[int, bytes]:
    """Return the roots of the beginnings of these sizes, as far as there are so many digests. O(n)."""
    tree = merkle.Tree()
    found = {0: tree.root()} if 0 in sizes else {}
    for digest in digests:
        tree.add(digest)
        if tree.size in sizes:
            found[tree.size] = tree.root()
    return found
