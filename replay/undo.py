"""Taking back the last declarations, and bringing them again: another main line beside the old one."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from affray.events.codec import decode, entry
from affray.events.envelope import Entry, Event
from affray.events.errors import AffrayError
from affray.events.facts.declared import BranchPromoted
from affray.events.store import PROMOTED, Store
from affray.events.wording import counted
from affray.projections.sentence import act_words
from affray.replay.branch import promote
from affray.replay.groups import group_of
from affray.replay.playhead import state_at

_OTHERS = ("ruled", "disputed", "options.changed", PROMOTED)


class NothingToUndo(AffrayError):
    """The main line does not hold so many declarations."""


class NothingToRedo(AffrayError):
    """Nothing was taken back, or something has happened since."""


class Taken(Struct, frozen=True, omit_defaults=True):
    """A declaration that was taken back or brought again; `refused` if it had changed nothing."""

    id: str
    actor: str
    act: str
    refused: bool = False


class Step(Struct):
    """A step back or forth: `line` is the main line now, `left` the one before, which stays as it is.

    They part after event `at`. `declarations` were taken back, or brought again, in their order; `others` is
    how many rulings, disputes, readings and promotions stood among them. `round` and `turn` say where the
    fight stands. `closed` tells that the encounter had been closed, and the seed of its dice been shown.
    """

    line: str
    left: str
    at: int
    declarations: list[Taken]
    others: int
    round: int
    turn: int
    closed: bool = False


def undo(store: Store, count: int = 1, by: str = "", request: str = "") -> Step:
    """Take back the last `count` declarations of the main line, with all that came of them and after them.

    A new line leaves before the first of them and is the main line; the old one stays. Ids, and so keys and
    faces, are those of before: the same act declared again falls as it did. A declaration that waits for an
    answer counts; one that was refused has changed nothing, and goes along with the one before it. O(events).
    `request` is that of `Store.append`, for the promotion. Raises NothingToUndo.
    """
    left = store.main_line()
    events = list(store.read(left))
    without = _refused_at(events)
    declared = [event.seq for event in events if event.type == "declared" and event.seq not in without]
    if not 1 <= count <= len(declared):
        raise NothingToUndo(f"{left} holds {_many(len(declared))}: {count} cannot be taken back")
    at = declared[-count] - 1
    line = _free(store, "undo")
    store.fork(line, left, at)
    promote(store, line, by, request)
    return _step(store, line, left, at, store.read(left, after=at))


def redo(store: Store, by: str = "", request: str = "") -> Step:
    """Bring again what the last `undo` took back, and return what that is.

    The line from before is the main line again. Where it waits for an answer, a new line does so in the very
    same way: nothing can be added to a declaration that is open but its answer. O(events of the step). Raises
    NothingToRedo if anything but a promotion happened on the main line since; refusals have changed nothing.
    """
    left = store.main_line()
    branch = next(one for one in store.branches() if one.name == left)
    own = list(store.read(left, after=branch.at))
    without = _refused_at(own)
    if not branch.parent or any(event.type != PROMOTED and event.cause not in without for event in own):
        raise NothingToRedo(f"nothing was taken back at the end of {left}: there is nothing to bring again")
    back = list(store.read(branch.parent, after=branch.at))
    if not any(event.type == "declared" for event in back):
        raise NothingToRedo(f"{branch.parent} holds no declaration that {left} does not hold")
    line = branch.parent
    if state_at(store, line, store.head(line).seq).pending is None:
        promote(store, line, by, request)
    else:
        line = _waiting_again(store, line, by, request)
    return _step(store, line, left, branch.at, back)


def _waiting_again(store: Store, parent: str, by: str, request: str) -> str:
    """Make a main line that ends with the open declaration of another one, and return its name."""
    group = group_of(store, parent, store.head(parent).seq)
    at, line = group[0].seq - 1, _free(store, "redo")
    state = state_at(store, parent, at)
    promoted = entry(BranchPromoted(line, by), state.round, state.turn, "", at + 1)
    store.fork(line, parent, at)
    store.append(line, [promoted, *_caused(group, at + 2)], at, request)
    return line


def _caused(group: Iterable[Event], cause: int) -> Iterator[Entry]:
    for one in group:
        yield Entry(one.type, one.version, one.round, one.turn, one.actor, cause, one.data)


def _step(store: Store, line: str, left: str, at: int, events: Iterable[Event]) -> Step:
    found, others, closed = [], 0, False
    events = list(events)
    without = _refused_at(events)
    for event in events:
        if event.type == "declared":
            fact = decode(event)
            found.append(Taken(fact.id, fact.act.actor, act_words(fact.act), event.seq in without))
        closed = closed or event.type == "encounter.closed"
        others += (
            event.type in ("ruled", "disputed", "options.changed", PROMOTED) and event.cause == event.seq
        )
    state = state_at(store, line, store.head(line).seq)
    return Step(line, left, at, found, others, state.round, state.turn, closed)


def _refused_at(events: Iterable[Event]) -> set[int]:
    """Return the places of declarations that were refused."""
    return {event.cause for event in events if event.type == "refused"}


def _free(store: Store, stem: str) -> str:
    taken = {one.name for one in store.branches()}
    return next(f"{stem}-{n}" for n in range(1, len(taken) + 2) if f"{stem}-{n}" not in taken)


def _many(count: int) -> str:
    return counted(count, "declaration")
