"""What is sent to the server, and what it answers, as the documents of its interface describe them."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, Protocol, Self

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from affray.events.errors import AffrayError
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Sheet
from affray.events.stores.store import Store
from affray.replay.chance.summaries import Swing
from affray.replay.log.branches import parting
from affray.replay.viewer.frames import Frame

# --- Positions of the feed: which line, how often the main line had changed by then, which event of it


class BadPlace(AffrayError):
    """What should be a position of the feed is none, or none of this log."""


class FeedCursor(Struct, frozen=True, gc=False):
    """After event `seq` of the line `branch`, which was the main line for the `epoch`-th time of any.

    As it is told to anybody but the game master, `seq` counts what that reader was told, and `view` how often
    that became another thing for the past too (see `visibility.py`).
    """

    branch: str
    epoch: int
    seq: int
    view: int = 0

    def __str__(self) -> str:
        view = f".{self.view}" if self.view else ""
        return f"{self.branch}:{self.epoch}{view}:{self.seq}"

    def stands(self, store: Store, now: "FeedCursor") -> bool:
        """Say whether the fight is still there."""
        return self == now

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the position that is written so. Raises BadPlace."""
        branch, _, rest = text.strip().partition(":")
        epoch, _, seq = rest.partition(":")
        epoch, dot, view = epoch.partition(".")
        if not branch or not all(map(_is_count, (epoch, seq, *([view] if dot else ())))):
            raise BadPlace(f"{text[:80]!r} is no position: write branch:epoch:seq, as main:0:52")
        return cls(branch, int(epoch), int(seq), int(view or 0))


class Expects(Protocol):
    """The position at which somebody expects a fight: written as it was told."""

    def stands(self, store: Store, now: FeedCursor) -> bool:
        """Say whether the fight is still there, as far as whoever expects it can tell."""
        ...


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12


def is_before(place: FeedCursor, other: FeedCursor) -> bool:
    """Say whether the feed comes to one position before the other."""
    return (place.epoch, place.seq) < (other.epoch, other.seq)


def end_of(store: Store) -> FeedCursor:
    """Return where the main line ends now. O(promotions)."""
    while True:
        epoch = store.epoch()
        branch = store.main_line()
        seq = store.head(branch).seq
        if store.epoch() == epoch:  # else another line was promoted in between
            return FeedCursor(branch, epoch, seq)


def rebased(store: Store, place: FeedCursor, end: FeedCursor) -> FeedCursor:
    """Return where the line that ends at `end` has in common with a place of an earlier main line.

    Raises BadPlace for a place that this log has never had.
    """
    # One message for all that is none: it says nothing of branches that never were the main line.
    if not is_earlier_main_line(store, place) or place.epoch > end.epoch or place.view:
        raise make_unknown_position(place, end)
    if place.seq > store.head(place.branch).seq:
        raise make_unknown_position(place, end)
    return FeedCursor(end.branch, end.epoch, min(place.seq, parting(store, place.branch, end.branch)))


def is_earlier_main_line(store: Store, place: FeedCursor) -> bool:
    """Say whether a position is on what was the main line when it says so."""
    return store.main_lines()[place.epoch : place.epoch + 1] == [place.branch]


def make_unknown_position(place: FeedCursor, end: FeedCursor) -> BadPlace:
    """Return what tells that a log has never had a position; `end` is where it is now, as it is told."""
    return BadPlace(f"{place} is no position of this log: it is at {end}")


# --- The events of the feed: CloudEvents with what is told of an event of the log, and how they are sent

TYPES: Final = "dev.affray."
"""What the types of all events of the feed begin with."""

SEEN, HIDDEN, REBASE, VIEW, HELD = "seen", "hidden", "rebase", "view", "held"
"""Events of the feed that are no facts: a glimpse, what is not seen any more, another main line, another view
of the same, and what the game master has of the follower's own declarations."""


class ShownEvent(Struct, omit_defaults=True):
    """An event as it is told: all of it (`fact`), or what is seen of it (`seen`).

    Neither is told of what was seen when it happened and is not any more, since it speaks of somebody who is
    hidden by now. `seq` counts what is told to this reader, `view` is that of its positions. `frame` is what
    a page draws, where that was asked for; `digest` is told to the game master alone. Of a rebase, `seq` is
    the last event that the new line has in common with where it comes `from`. `held` are declarations that
    the game master has, as `GET /held` tells them.
    """

    branch: str
    epoch: int
    seq: int
    type: str = ""
    round: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    actor: str = ""
    cause: int = 0
    text: str = ""
    fact: msgspec.Raw | UnsetType = UNSET
    seen: JsonObject | UnsetType = UNSET
    digest: str = ""
    frame: Frame | UnsetType = UNSET
    come_from: str = field(default="", name="from")
    held: Sequence[Any] | UnsetType = UNSET
    view: int = 0


class CloudEvent(Struct):
    """The envelope of CloudEvents 1.0 in its JSON form; `subject` is the id of who acts."""

    id: str
    source: str
    type: str
    data: ShownEvent
    subject: str | UnsetType = UNSET
    specversion: Literal["1.0"] = "1.0"
    datacontenttype: Literal["application/json"] = "application/json"


_json: Final = msgspec.json.Encoder().encode


def turn_of(kind: str, place: FeedCursor, source: str, come_from: FeedCursor | None = None) -> CloudEvent:
    """Return the event of the feed that tells of another main line, or of another view of this one.

    The positions are those that are told.
    """
    told = told_at(place)
    told.come_from = str(come_from) if come_from else ""
    return CloudEvent(str(place), source, f"{TYPES}{kind}.v1", told)


def make_held_event(held: Sequence[object], place: FeedCursor, source: str) -> CloudEvent:
    """Return the event of the feed that tells what is held for the game master now."""
    told = told_at(place)
    told.held = held
    return CloudEvent(str(place), source, f"{TYPES}{HELD}.v1", told)


def told_at(place: FeedCursor) -> ShownEvent:
    """Return what begins to tell of a position, which is one as they are told."""
    return ShownEvent(place.branch, place.epoch, place.seq, view=place.view)


def encode_sse(event: CloudEvent) -> bytes:
    """Return an event as the feed sends it: id, name, one line of JSON."""
    name = event.type.removeprefix(TYPES).rpartition(".v")[0]
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (event.id.encode(), name.encode(), _json(event))


RequestId = Annotated[str, Meta(min_length=1, max_length=100)]
"""An id of the sender's own: what is repeated under it happens once."""
Words = Annotated[str, Meta(max_length=2000)]
Line = Annotated[str, Meta(max_length=100)]
Seq = Annotated[int, Meta(ge=1, le=999_999_999)]
Square = tuple[int, int]

MOST_EVENTS = 1000
"""So many events are told in one answer at most."""


class Body(Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A command: `expected` is the position that the sender knows, as branch:epoch:seq."""

    expected: Line
    request: RequestId


class Declare(Body, frozen=True):
    """Declare an act; with `manual` its dice are thrown by people, and the fight waits for their faces."""

    act: AnyAct
    manual: bool = False


class Choose(Body, frozen=True):
    """Answer what the fight waits for: an option, or the faces of dice as 4,6."""

    answer: Words
    manual: bool = False


class Decide(Body, frozen=True):
    """Decide on a declaration that is `held`: declare `act` in its place, or without one turn it down.

    `words` are told to the player.
    """

    held: Line
    act: AnyAct | None = None
    words: Words = ""
    manual: bool = False


class RuleOn(Body, frozen=True):
    """Rule on event `at`; `effects` are written as `affray ruling --change` takes them.

    What changes the past makes a branch, which is the main line then, unless `promote` says no.
    """

    text: Words
    verdict: Literal["uphold", "overturn", "amend"] = "amend"
    at: Seq | None = None
    effects: Annotated[tuple[Words, ...], Meta(max_length=50)] = ()
    revive: Annotated[tuple[Line, ...], Meta(max_length=50)] = ()
    scope: Literal["event", "onward", "fight"] = "event"
    dispute: Line = ""
    name: Line = ""
    promote: bool = True


class Contest(Body, frozen=True):
    """Put on record that event `at` is contested, and what is said of it."""

    at: Seq
    text: Words


class Undo(Body, frozen=True):
    """Take back the last `count` declarations."""

    count: Annotated[int, Meta(ge=1, le=1000)] = 1


class Redo(Body, frozen=True):
    """Bring again what the last undo took back."""


class Fork(Body, frozen=True):
    """Begin a branch `name` of the main line at a position: 17, r3, r3.t2."""

    at: Line
    name: Line


class Promote(Body, frozen=True):
    """Make a branch the main line."""

    branch: Line


class Invite(Struct, forbid_unknown_fields=True, frozen=True):
    """Invite a guest; a player with its combatants."""

    role: Literal["game master", "player", "onlooker"]
    combatants: Annotated[tuple[Line, ...], Meta(max_length=100)] = ()
    name: Line = ""


class Withdrawal(Struct, forbid_unknown_fields=True, frozen=True):
    """Let the link of a guest hold no longer."""

    token: Line


class Hiding(Struct, forbid_unknown_fields=True, frozen=True):
    """Let nobody but the game master see a combatant, or with `hidden` false let everybody."""

    combatant: Line
    hidden: bool = True


class SheetWanted(Struct, forbid_unknown_fields=True, frozen=True):
    """Whose sheet is wanted: one that ships, by name, or that of a printed stat block."""

    use: Line = ""
    block: Annotated[str, Meta(max_length=40_000)] = ""


class Sheets(Struct, frozen=True):
    """The sheets that ship with the dialect of the fight: name -> what it is called."""

    sheets: dict[str, str]


class Unheld(Struct, frozen=True):
    """Something of a stat block that the sheet does not hold, or holds otherwise: where, what and why.

    `grade` is `unread` for what the fight turns on and nobody knows, `unplayed` for what no rule plays as it
    is printed, `harmless` for the rest.
    """

    line: int
    text: str
    reason: str
    grade: str


class ParsedSheet(Struct, frozen=True):
    """A sheet, ready to be entered with, and what of the printed block it does not hold."""

    sheet: Sheet
    notes: list[Unheld]


class SwingWanted(Struct, forbid_unknown_fields=True, frozen=True):
    """Have the chances of winning worked out from so many fights a moment, if any; say who may see them."""

    runs: Annotated[int, Meta(ge=0, le=10_000)] = 0
    for_all: bool = False


class WinChanceStatus(Struct, frozen=True):
    """The chances of winning: whether they are being worked out, `done` of so many fights, and what is known.

    `swing` is what was worked out last, of the main line as it was then; null before. `fault` says why it
    came to nothing.
    """

    working: bool
    done: int
    of: int
    for_all: bool
    fault: str
    swing: Swing | None


class Refusal(Struct, frozen=True):
    """Why the rules do not allow what was declared, and which of them."""

    reason: str
    rule: str


class Question(Struct, frozen=True):
    """What the fight waits for: an answer of `who`, or the faces of `notation` where that is not "".

    Who may not answer is told no more than whom the fight waits for. With `rollable` the answer `roll` has
    the encounter's own dice thrown in place of people's.
    """

    who: str
    name: str
    yours: bool
    key: str = ""
    question: str = ""
    options: tuple[str, ...] = ()
    notation: str = ""
    rule: str = ""
    rollable: bool = False


class HeldDeclaration(Struct, frozen=True):
    """A declaration of `who` that is held for the game master, who alone is told the reason and the rule.

    `at` is the position at which it was declared, as its player is told it, `by` whoever did; `words` are the
    game master's to it.
    """

    id: str
    who: str
    act: AnyAct
    label: str
    by: str
    at: str
    status: Literal["waiting", "declared", "declined"]
    words: str = ""
    reason: str = ""
    rule: str = ""


class HeldDeclarations(Struct, frozen=True):
    """The declarations that are held, the last of each combatant, with what became of them."""

    held: list[HeldDeclaration]


class CommandResult(Struct, frozen=True):
    """What a command came to. `told` says it in a sentence where no event does.

    With `held` it came to nothing yet (status 202): under this id the game master has it, and decides.
    """

    position: str
    events: list[CloudEvent]
    refused: Refusal | None = None
    question: Question | None = None
    told: str = ""
    held: str = ""


class Session(Struct, frozen=True):
    """Who asks, and how the fight stands. `hidden` is told to the game master alone."""

    role: str
    name: str
    combatants: tuple[str, ...]
    position: str
    dialect: str
    title: str
    closed: str
    hidden: tuple[str, ...] = ()


class Events(Struct, frozen=True):
    """A page of the feed; `position` is that after its last event, `more` says whether there are others."""

    position: str
    events: list[CloudEvent]
    more: bool


class State(Struct, frozen=True):
    """How the fight stands after event `seq` of the main line, which ends at `head`, as both are told.

    What is a number of others is null.
    """

    position: str
    seq: int
    head: int
    encounter: JsonObject
    combatants: dict[str, JsonObject]
    question: Question | None = None


class OpenAct(Struct, frozen=True):
    """A declaration that is open, ready to be sent: its kind, whom it is aimed at, the rest in words."""

    act: AnyAct
    kind: str
    target: str
    label: str


class PathOption(Struct, frozen=True):
    """A way to a square: what it costs in feet, the squares entered, whom it passes, a way around."""

    to: Square
    feet: int
    path: tuple[Square, ...]
    past: tuple[str, ...]
    around: tuple[Square, ...] | None


class Shut(Struct, frozen=True):
    """A kind of declaration of which nothing is open, and why."""

    kind: str
    reason: str
    rule: str


class Legal(Struct, frozen=True):
    """What is open to a combatant now; of the kinds in `more` others may be declared too."""

    position: str
    who: str
    name: str
    acts: list[OpenAct]
    ways: list[PathOption]
    closed: list[Shut]
    more: tuple[str, ...]


class Priced(Struct, frozen=True):
    """What a declaration along a way would come to, if nobody struck; `act` is ready to be sent.

    `feet` is its cost and `left` what it leaves of the movement, below 0 where that does not suffice; null
    where it is refused before they are reckoned. `past` are those whom it gives an attack of opportunity. No
    step leads from its end into the squares `shut`. Behind a roll or a question on which it `depends` nothing
    is looked at. `refused` says why it may not be declared so.
    """

    position: str
    act: AnyAct
    path: tuple[Square, ...]
    feet: int | None
    left: int | None
    past: tuple[str, ...]
    shut: tuple[Square, ...]
    depends: str
    refused: Refusal | None


class Page(Struct, frozen=True):
    """What a page of the fight is drawn from; `position` is where the feed goes on from."""

    position: str
    title: str
    show: str
    names: dict[str, str]
    letters: dict[str, str]
    lines: list[msgspec.Raw]
    rules: JsonObject
    contested: list[Any]
    shapes: dict[str, list[Square]]


class Names(Struct):
    """What came up since a position: names, letters, wordings of rules, shapes of threatened squares."""

    position: str
    names: dict[str, str]
    letters: dict[str, str]
    rules: JsonObject
    contested: list[Any]
    shapes: dict[str, list[Square]]


class Invited(Struct, frozen=True):
    """A guest as the game master sees it; `qr` is the picture of its link, as SVG."""

    role: str
    name: str
    combatants: tuple[str, ...]
    token: str
    link: str
    qr: str


class Guests(Struct, frozen=True):
    """All guests, and the combatants that only the game master sees."""

    guests: list[Invited]
    hidden: tuple[str, ...]


class Fault(Struct, frozen=True):
    """Why something is not done: a code for programs, one clear line for people, a rule if there is one."""

    code: str
    message: str
    rule: str = ""


class RequestFailure(Struct, frozen=True):
    """What is answered in place of what was asked for; `position` is that of the fight, with status 409."""

    error: Fault
    position: str = ""
