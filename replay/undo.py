"""Undo the last rulings and declarations, and redo them, by switching to another main line."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from affray.engine.language.cast import Cast, dialect_words
from affray.events.codec import decode, entry
from affray.events.envelope import Branch, Entry, Event
from affray.events.errors import AffrayError, counted
from affray.events.facts.flow import BranchPromoted
from affray.events.stores.store import PROMOTED, Store
from affray.projections.deeds import declaration
from affray.projections.sentence import act_words, sentence
from affray.replay.log.branches import promote
from affray.replay.log.declarations import find_start_with_rulings, group_of
from affray.replay.log.playhead import state_at
from affray.replay.merging.lines import common

_OTHERS = ("ruled", "disputed", "options.changed", PROMOTED)


class NothingToUndo(AffrayError):
    """The main line contains fewer declarations."""


class NothingToRedo(AffrayError):
    """Nothing was undone, or other events have happened since."""


class UndoneDeclaration(Struct, frozen=True, omit_defaults=True):
    """A declaration that was undone or redone; `refused` if it had changed nothing."""

    id: str
    actor: str
    act: str
    refused: bool = False


class UndoneRuling(Struct, frozen=True):
    """A ruling that was undone or redone."""

    id: str
    author: str
    text: str


class Step(Struct):
    """An undo or redo: `line` is the main line now, `left` the previous one, which stays unchanged.

    They separate after event `at`. `declarations` and `rulings` were undone or redone, each in order;
    `others` is the number of other rulings, disputes, readings and promotions among them, and `also`
    describes each. `round` and `turn` are the position of the fight. `closed` is true if the encounter was
    closed before, which revealed the seed of its dice.
    """

    line: str
    left: str
    at: int
    declarations: list[UndoneDeclaration]
    others: int
    round: int
    turn: int
    closed: bool = False
    rulings: list[UndoneRuling] = []
    also: list[str] = []


def spoken(store: Store, step: Step) -> tuple[dict[str, str], list[str]]:
    """Return the declarations of a step in words, by id, and its other changes, with names."""
    lines = (step.left, step.line)
    left, now = (state_at(store, line, store.head(line).seq) for line in lines)
    cast = Cast.of(left, now)
    facts = [
        decode(event)
        for line in lines
        for event in store.read(line, after=step.at)
        if event.type == "declared"
    ]
    return {fact.id: declaration(fact.act, cast) for fact in facts}, list(map(cast.prose, step.also))


def undo(store: Store, count: int = 1, by: str = "", request: str = "") -> Step:
    """Undo the last `count` steps of the main line, with all their consequences.

    A step is a declaration, or a later ruling: on the past, which restores the previous main line, from now
    on, upholding, or closing a pending declaration. A new line without them becomes the main line; the old
    one stays. Ids, and therefore keys and dice results, stay the same: the same act declared again gets the
    same results. A declaration that waits for an answer counts; a refused one has changed nothing, and is
    undone with the one before it. `request` is that of `Store.append`, for the promotion. O(events of the
    line) for each step. Raises NothingToUndo.
    """
    left = store.main_line()
    back = _Back(store, left)
    done = 0
    while (done != count or count < 1) and back.step():
        done += 1
    if done != count or count < 1:
        rulings = f" and {counted(len(back.rulings), 'ruling')}" if back.rulings else ""
        held = counted(done - len(back.rulings), "declaration")
        raise NothingToUndo(f"{left} contains {held}{rulings}: {count} cannot be undone")
    line = _make_main_line_at(store, "undo", back.line, back.at, by, request)
    return back.told(left, line)


def redo(store: Store, by: str = "", request: str = "") -> Step:
    """Redo what the last `undo` undid, and return it.

    The previous line is the main line again. If it waits for an answer, a new line waits in the same way:
    only the answer may be added to a pending declaration. O(events of the line for each step). Raises
    NothingToRedo if anything but a promotion happened on the main line since; refusals have changed nothing.
    """
    left = store.main_line()
    branch = _branch(store, left)
    own = list(store.read(left, after=branch.at))
    without = _find_refused_places(own)
    if not branch.parent or any(event.type != PROMOTED and event.cause not in without for event in own):
        raise NothingToRedo(f"nothing was undone at the end of {left}: there is nothing to redo")
    before = _find_earlier_main_line(store, left) or branch.parent
    back = _Back(store, before)
    while not back.is_on(left) and back.step():
        pass
    if not back.declarations and not back.rulings:
        raise NothingToRedo(f"{before} contains no declaration that {left} lacks")
    head = store.head(before).seq
    if state_at(store, before, head).pending is None:
        promote(store, before, by, request)
        return back.told(left, before)
    return back.told(left, _make_main_line_at(store, "redo", before, head, by, request))


class _Back:
    """A place on a line from which steps lead back: after event `at` of `line`."""

    def __init__(self, store: Store, line: str) -> None:
        self.store = store
        self.line, self.at = line, store.head(line).seq
        self.rulings: list[UndoneRuling] = []
        self._passed: list[list[Event]] = []
        self._events = list(store.read(line))

    def is_on(self, line: str) -> bool:
        """Return whether another line contains all that is left of this one."""
        return self.at <= common(self.store, (self.line, line))[0]

    def step(self) -> bool:
        """Go back over the last ruling or declaration; False if there is none."""
        events = self._events
        without = _find_refused_places(events)
        for event in reversed(events):
            if event.type == "declared" and event.seq not in without:
                self._cut(find_start_with_rulings(self.store, self.line, event.seq))
                return True
            if event.type == PROMOTED and (before := self._find_line_before_ruling(event)):
                at = _branch(self.store, event.stream).at
                self._take_ruling(next(self.store.read(event.stream, at, at + 1)))
                self._cut(event.seq - 1)
                self.line, self.at = before, self.store.head(before).seq
                self._events = list(self.store.read(before))
                return True
            if event.type == "ruled" and self._is_step(event):
                self._take_ruling(event)
                self._cut(event.seq - 1)
                return True
        return False

    @property
    def declarations(self) -> list[UndoneDeclaration]:
        """The declarations that were passed, in order."""
        found = []
        without = _find_refused_places(self.events)
        for event in self.events:
            if event.type == "declared":
                fact = decode(event)
                found.append(
                    UndoneDeclaration(fact.id, fact.act.actor, act_words(fact.act), event.seq in without)
                )
        return found

    @property
    def events(self) -> list[Event]:
        """The events that were passed, in order."""
        return [event for part in reversed(self._passed) for event in part]

    def told(self, left: str, line: str) -> Step:
        """Return the changes between two lines, and the position of the fight at the end of `line`."""
        state = state_at(self.store, line, self.store.head(line).seq)
        also = [
            sentence(decode(event), dialect_words(state)) for event in self.events if self._is_other(event)
        ]
        return Step(
            line=line,
            left=left,
            at=common(self.store, (left, line))[0],
            declarations=self.declarations,
            others=len(also),
            round=state.round,
            turn=state.turn,
            closed=any(event.type == "encounter.closed" for event in self.events),
            rulings=self.rulings[::-1],
            also=also,
        )

    def _is_other(self, event: Event) -> bool:
        return event.type in _OTHERS and event.cause == event.seq and not self._is_step(event)

    def _cut(self, at: int) -> None:
        self._passed.append([event for event in self._events if event.seq > at])
        self._events = [event for event in self._events if event.seq <= at]
        self.at = at

    def _take_ruling(self, event: Event) -> None:
        fact = decode(event)
        self.rulings.append(UndoneRuling(fact.id, fact.author, fact.text))

    def _find_line_before_ruling(self, promoted: Event) -> str:
        """Return the line that a ruling on the past replaced, "" if no ruling did."""
        branch = _branch(self.store, promoted.stream)
        if not branch.parent or promoted.seq != _find_first_promotion(self.store, branch):
            return ""
        first = next(self.store.read(branch.name, branch.at, branch.at + 1))
        if first.type != "ruled" or decode(first).verdict in ("ends", "upheld"):
            return ""
        return _find_earlier_main_line(self.store, branch.name)

    def _is_step(self, event: Event) -> bool:
        """Return whether a ruling is standalone on its line: it changed no earlier decision."""
        if event.type != "ruled":
            return False
        fact = decode(event)
        closes = event.cause != event.seq
        return closes or fact.verdict == "upheld" or (fact.scope == "onward" and not fact.event)


def _find_earlier_main_line(store: Store, line: str) -> str:
    """Return the line that was the main line before `line` first became it, "" for none."""
    lines = store.main_lines()
    return lines[lines.index(line) - 1] if line in lines[1:] else ""


def _find_first_promotion(store: Store, branch: Branch) -> int:
    """Return the event by which a branch first became the main line, 0 for none."""
    own = store.read(branch.name, after=branch.at)
    return next((event.seq for event in own if event.type == PROMOTED), 0)


def _branch(store: Store, name: str) -> Branch:
    return next(one for one in store.branches() if one.name == name)


def _make_main_line_at(store: Store, stem: str, parent: str, at: int, by: str, request: str) -> str:
    """Make a main line that leaves another one after an event, and return its name.

    If a declaration is pending there, the line repeats it: only the answer may follow it.
    """
    line = _free(store, stem)
    state = state_at(store, parent, at)
    if state.pending is None:
        store.fork(line, parent, at)
        promote(store, line, by, request)
        return line
    group = [event for event in group_of(store, parent, at) if event.seq <= at]
    start = group[0].seq - 1
    state = state_at(store, parent, start)
    promoted = entry(BranchPromoted(line, by), state.round, state.turn, "", start + 1)
    store.fork(line, parent, start)
    store.append(line, [promoted, *_caused(group, start + 2)], start, request)
    return line


def _caused(group: Iterable[Event], cause: int) -> Iterator[Entry]:
    for one in group:
        yield Entry(one.type, one.version, one.round, one.turn, one.actor, cause, one.data)


def _find_refused_places(events: Iterable[Event]) -> set[int]:
    """Return the places of declarations that were refused."""
    return {event.cause for event in events if event.type == "refused"}


def _free(store: Store, stem: str) -> str:
    taken = {one.name for one in store.branches()}
    return next(f"{stem}-{n}" for n in range(1, len(taken) + 2) if f"{stem}-{n}" not in taken)
