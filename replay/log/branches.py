"""Branches: leaving a line, listing where lines leave each other, and making one of them the main line."""

import msgspec
from msgspec import Struct

from affray.events.codec import decode, entry
from affray.events.envelope import Branch
from affray.events.errors import AffrayError
from affray.events.facts.flow import BranchPromoted
from affray.events.stores.store import Store
from affray.projections.timeline import Timeline, filed, parse
from affray.replay.log.declarations import group_of
from affray.replay.log.playhead import state_at

# --- Which events of a merged line came from which branch: kept beside the log when the line is made
#
# It is no fact of the fight, which is decided without it; an export and a copy of the log leave it behind.

_NAME = "merged."


class Origins(Struct):
    """The branches of which a line was put together, and which of them hold what stands at its events.

    `events` are the declarations that were taken over, the rulings, faces, readings and answers that hold on
    it, and the declarations they are about, by position; all others follow, or stand on the common line.
    """

    branches: list[str]
    events: dict[int, list[str]]


def origins(store: Store, name: str) -> Origins | None:
    """Return of which branches a line was put together, None if it was not, or the log does not know."""
    kept = store.note(_NAME + name)
    return msgspec.json.decode(kept, type=Origins) if kept is not None else None


def keep_origins(store: Store, name: str, found: Origins) -> None:
    """Keep beside the log of which branches a new line was put together."""
    store.keep_note(_NAME + name, msgspec.json.encode(found))


class Line(Struct, frozen=True):
    """A branch as it stands: where it left its parent, where it ends, and whether it is the main line.

    `left` and `ends` say the places in rounds and turns; `own` counts the events that are its own, `merged`
    are the branches that it was put together of, if it was.
    """

    name: str
    parent: str
    at: int
    left: str
    head: int
    ends: str
    own: int
    main: bool
    merged: tuple[str, ...] = ()


def locate(store: Store, branch: str, position: str) -> int:
    """Return the event after which a line is at `position` (17, r3, r3.t2, start, end).

    O(1) for a number, O(events) for a round or turn. Raises BadPosition naming what exists.
    """
    wanted = parse(position)
    if wanted.seq is not None:
        return Timeline((), store.head(branch).seq).seq_of(wanted)
    return Timeline.of(store.read(branch)).seq_of(wanted)


def find_declarable_event(store: Store, branch: str, position: str) -> int:
    """Return the event of a position after which somebody can declare something.

    That is the event itself for a number; a round or turn is settled when the declaration with which it
    began has been decided to its end.
    """
    seq = locate(store, branch, position)
    return seq if parse(position).seq is not None else group_of(store, branch, seq)[-1].seq


def concerned(store: Store, branch: str, position: str) -> int:
    """Return an event of the declaration that a position speaks of.

    A number names the event; a round or turn means the first declaration made in it.
    """
    seq = find_declarable_event(store, branch, position)
    return seq if parse(position).seq is not None else seq + 1


def fork(store: Store, at: str, name: str, parent: str = "") -> Branch:
    """Make a branch that leaves `parent` (the main line by default) at a position, and return it.

    A number leaves exactly after that event. A round or turn leaves at the first moment of it at which
    somebody can declare something: after the declaration with which it began. Raises BadPosition,
    InvalidBranch, UnknownStream.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import fork
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> fork(store, "r2", "again").at
    71
    """
    parent = parent or store.main_line()
    return store.fork(name, parent, find_declarable_event(store, parent, at))


def branches(store: Store) -> list[Line]:
    """Return all branches in order of creation, with where they leave and where they end. O(branches).

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import branches, fork
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> again = fork(store, "r2", "again")
    >>> [(line.name, line.parent, line.at, line.main) for line in branches(store)]
    [('main', '', 0, True), ('again', 'main', 71, False)]
    """
    main = store.main_line()
    known: dict[str, Line] = {}
    for branch in store.branches():
        known[branch.name] = _line(store, branch, main, known.get(branch.parent))
    return list(known.values())


def _line(store: Store, branch: Branch, main: str, parent: Line | None) -> Line:
    head = store.head(branch.name).seq
    left = ""
    if branch.parent:
        # What left its parent where that left another one left it at the very same event.
        same = parent is not None and parent.parent and parent.at == branch.at
        left = parent.left if same and parent is not None else _place(store, branch.name, branch.at)
    ends = left if branch.parent and head == branch.at else _place(store, branch.name, head)
    own = head - branch.at
    merged = origins(store, branch.name) if branch.parent else None
    of = tuple(merged.branches) if merged is not None else ()
    return Line(branch.name, branch.parent, branch.at, left, head, ends, own, branch.name == main, of)


def _place(store: Store, branch: str, seq: int) -> str:
    """Return the round and turn after event `seq` of a branch: where it stands, or what it begins."""
    for event in store.read(branch, seq - 1, seq) if seq else ():
        begins = event.type in ("round.began", "turn.began")
        round, turn = filed(event, decode(event)) if begins else (event.round, event.turn)
        return f"r{round}.t{turn}" if turn else f"r{round}"
    return "r0"


def promote(store: Store, name: str, by: str = "", request: str = "") -> int:
    """Make a branch the main line by an event on it, and return that event's position.

    The line that was the main one stays readable. Promoting the main line again changes nothing and
    returns its head. Raises UnknownStream, and AffrayError while the branch waits for an answer: what
    is open must be answered before the answer's declaration is cut off by another event. `request` is that of
    `Store.append`.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import promote, what_if
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> other = what_if(store, faces={"d10/aoo:ogre/attack/1": [2]}, name="luck")
    >>> position = promote(store, "luck", by="GM")
    >>> store.main_line()
    'luck'
    """
    head = store.head(name)
    if store.main_line() == name:
        return head.seq
    state = state_at(store, name, head.seq)
    if state.pending is not None:
        raise AffrayError(f"{name!r} waits for an answer ({state.pending.question}): answer it first")
    made = entry(BranchPromoted(name, by), state.round, state.turn, "", head.seq + 1)
    return store.append(name, [made], head.seq, request)[-1].seq


# --- Where two lines of play part


def parting(store: Store, a: str, b: str) -> int:
    """Return the last event that two branches have in common. O(their depth)."""
    shares = [_shares(store, name) for name in (a, b)]
    return max(
        (min(upto, shares[1][name]) for name, upto in shares[0].items() if name in shares[1]), default=0
    )


def _shares(store: Store, name: str) -> dict[str, int]:
    """Return how far a branch's line goes along each stream that it is made of."""
    upto = store.head(name).seq
    found = {}
    for branch in store.lineage(name):
        found[branch.name] = upto
        upto = min(upto, branch.at)
    return found
