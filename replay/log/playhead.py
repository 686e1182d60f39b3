"""The playhead: the state of a fight at any position of its log, forwards and backwards.

Everything here folds from the nearest checkpoint that the store keeps, so what a position costs is its
distance from one and not its distance from the beginning.
"""

import zlib
from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from affray.events.envelope import Event
from affray.events.errors import LogUnavailable
from affray.events.stores.store import Checkpoint, Store, bound
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.projections.timeline import END, BadPosition, Mark, Position, Timeline, parse

PROJECTION = "encounter"
FOLD = 3
"""Count this up when a handler of the fold starts to write something else for the same fact.

3 is the same as 2: checkpoints were bound to their events by then, and older ones are not asked for."""

SPACING = 2000
"""Events between checkpoints: about 10 ms to fold."""

_ANCHORS = 64
_STRIDE = 50

# Not the canonical bytes: those sort the combatants and conditions, whose order of entry rules look at.
_pack = msgspec.json.Encoder().encode
_unpack = msgspec.json.Decoder(Encounter).decode


@cache
def version() -> int:
    """Return the version of the checkpoints that this release can read.

    It follows from the shape of the state, so that a forgotten step cannot bring back a state that
    lacks a field.
    """
    shape = msgspec.json.encode(msgspec.json.schema(Encounter), order="deterministic")
    return FOLD << 32 | zlib.crc32(shape)


def state_at(store: Store, branch: str, seq: int) -> Encounter:
    """Return the state after event `seq` of the branch's line; it belongs to the caller.

    Leaves checkpoints on the way where the store can be written. O(distance to the checkpoint before).
    Raises BadPosition outside the line, BrokenLog or NewerLog as reading does.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import state_at
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> state_at(store, "main", 52).combatants["sorcerer"].hp
    5
    """
    last = store.head(branch).seq
    if not 0 <= seq <= last:
        raise BadPosition(f"there is no event {seq}: {branch!r} goes from 1 to {last}")
    state, start = load_nearest_checkpoint(store, branch, seq)
    return fold(save_checkpoints_along(store, branch, state, start, store.read(branch, start, seq)), state)


def load_nearest_checkpoint(store: Store, branch: str, seq: int) -> tuple[Encounter, int]:
    """Return the state of the newest checkpoint at or before `seq` and its position; else the beginning."""
    found = store.checkpoint(branch, PROJECTION, version(), seq) if seq else None
    if found is not None:
        try:
            return _unpack(found.state), found.seq
        except msgspec.MsgspecError:
            # A damaged checkpoint is a cache miss: the events themselves still tell.
            pass
    return Encounter(), 0


def is_valid_checkpoint(found: Checkpoint, event: Event, state: Encounter) -> bool:
    """Say whether a checkpoint is bound to the event and holds the state after it."""
    try:
        return bound(found, event.digest) == found.digest and _pack(_unpack(found.state)) == _pack(state)
    except msgspec.MsgspecError:
        return False


def save_checkpoints_along(
    store: Store, branch: str, state: Encounter, start: int, events: Iterable[Event]
) -> Iterator[Event]:
    """Yield `events` while `state` is folded from them; save it at round ends, `SPACING` events apart.

    An endless round saves too, after four times as many. A store that cannot be written is left alone.
    """
    writable = True
    previous: Event | None = None
    for event in events:
        # The state now holds everything up to the event before this one.
        if previous is not None and writable:
            distance = previous.seq - start
            if distance >= SPACING and (previous.type == "round.ended" or distance >= 4 * SPACING):
                start = previous.seq
                try:
                    store.save_checkpoint(branch, PROJECTION, version(), start, previous.digest, _pack(state))
                except LogUnavailable:
                    writable = False
        yield event
        previous = event


class Playhead:
    """A place in a branch that moves. `state` must not be written; `seq` 0 is before the first event.

    The line ends for the playhead where it ended when it was made.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Playhead
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> playhead = Playhead(store)
    >>> playhead.seek("r1.t3").active
    'sorcerer'
    >>> playhead.step(), playhead.seq
    (True, 42)
    """

    def __init__(self, store: Store, branch: str = "") -> None:
        """Stand before the first event. O(1)."""
        self.store = store
        self.branch = branch or store.main_line()
        self.last = store.head(self.branch).seq
        self.seq = 0
        self.state = Encounter()
        self.event: Event | None = None
        self._ahead: Iterator[Event] | None = None
        self._timeline: Timeline | None = None
        self._anchors: dict[int, bytes] = {}

    @property
    def timeline(self) -> Timeline:
        """The rounds and turns of the line; read once, O(events)."""
        if self._timeline is None:
            self._timeline = Timeline.of(self.store.read(self.branch, 0, self.last))
        return self._timeline

    def seek(self, position: str | int) -> Encounter:
        """Stand after `position` (17, "r3", "r3.t2", "end") and return the state there.

        O(distance to a checkpoint); a round or turn needs the timeline first. Raises BadPosition and
        stays where it was.
        """
        wanted = Position(seq=position) if isinstance(position, int) else parse(position)
        seq = self.timeline.seq_of(wanted) if wanted.seq is None else wanted.seq
        seq = self.last if wanted == END else seq
        if not 0 <= seq <= self.last:
            raise BadPosition(f"there is no event {seq}: {self.branch!r} goes from 1 to {self.last}")
        if seq == self.seq + 1:
            self.step()
        elif seq != self.seq:
            self._jump(seq)
        return self.state

    def step(self) -> bool:
        """Go one event on; False at the end, where nothing changes. O(1)."""
        if self.seq >= self.last:
            return False
        if self._ahead is None:
            self._ahead = self.store.read(self.branch, self.seq, self.last)
        event = next(self._ahead)
        fold((event,), self.state)
        self.seq, self.event = event.seq, event
        return True

    def back(self) -> bool:
        """Go one event back; False at the beginning. Amortized O(50 events)."""
        if not self.seq:
            return False
        self._jump(self.seq - 1)
        return True

    def next_turn(self) -> bool:
        """Go to the beginning of the next turn; False if there is none."""
        return self._to(self.timeline.after(self.seq))

    def previous_turn(self) -> bool:
        """Go to the beginning of this turn, or from there to that of the one before; False if none."""
        return self._to(self.timeline.before(self.seq))

    def next_round(self) -> bool:
        """Go to the beginning of the next round; False if there is none."""
        return self._to(self.timeline.after(self.seq, rounds=True))

    def previous_round(self) -> bool:
        """Go to the beginning of this round, or from there to that of the one before; False if none."""
        return self._to(self.timeline.before(self.seq, rounds=True))

    def _to(self, mark: Mark | None) -> bool:
        if mark is None:
            return False
        self._jump(mark.seq)
        return True

    def _jump(self, seq: int) -> None:
        """Fold anew from the nearest known state, leaving anchors so that the way back is short."""
        state, start = load_nearest_checkpoint(self.store, self.branch, seq)
        anchor = max((at for at in self._anchors if start < at <= seq), default=0)
        if anchor:
            state, start = _unpack(self._anchors[anchor]), anchor
        event = self.event if self.event is not None and self.event.seq == seq else None
        # Only the last stretch before a step backwards gets anchors: a far seek does not walk back.
        close = seq - _ANCHORS * _STRIDE if 0 < self.seq - seq <= _ANCHORS * _STRIDE else seq
        if len(self._anchors) > 2 * _ANCHORS:
            self._anchors.clear()
        # Nothing to fold, yet the event itself is wanted: read one.
        events = self.store.read(self.branch, start, seq)
        for event in save_checkpoints_along(self.store, self.branch, state, start, events):
            fold((event,), state)
            if event.seq > close and event.seq % _STRIDE == 0 and event.seq != seq:
                self._anchors[event.seq] = _pack(state)
        if event is None and seq:
            event = next(self.store.read(self.branch, seq - 1, seq))
        self.state, self.seq, self.event, self._ahead = state, seq, event, None
