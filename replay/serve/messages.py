"""The requests and answers of the server, as its interface documents describe them."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, Protocol, Self

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from affray.engine.book.catalogue import FoundryPaths
from affray.events.errors import AffrayError
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Sheet
from affray.events.stores.store import Store
from affray.replay.chance.summaries import Swing
from affray.replay.log.branches import parting
from affray.replay.viewer.frames import Frame

# --- Positions of the feed: the line, how often the main line had changed by then, and the event


class BadPlace(AffrayError):
    """A text that is not a position of the feed, or not one of this log."""


class FeedCursor(Struct, frozen=True, gc=False):
    """The position after event `seq` of the line `branch`, the `epoch`-th line to be the main line.

    For readers other than the game master, `seq` counts the events that the reader was shown, and `view`
    counts how often the past that it is shown has changed (see `visibility.py`).
    """

    branch: str
    epoch: int
    seq: int
    view: int = 0

    def __str__(self) -> str:
        view = f".{self.view}" if self.view else ""
        return f"{self.branch}:{self.epoch}{view}:{self.seq}"

    def stands(self, store: Store, now: "FeedCursor") -> bool:
        """Return whether the fight is still at this position."""
        return self == now

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse a position. Raises BadPlace."""
        branch, _, rest = text.strip().partition(":")
        epoch, _, seq = rest.partition(":")
        epoch, dot, view = epoch.partition(".")
        if not branch or not all(map(_is_count, (epoch, seq, *([view] if dot else ())))):
            raise BadPlace(f"{text[:80]!r} is not a position: write branch:epoch:seq, for example main:0:52")
        return cls(branch, int(epoch), int(seq), int(view or 0))


class Expects(Protocol):
    """The position at which a sender expects a fight, as the server sent it."""

    def stands(self, store: Store, now: FeedCursor) -> bool:
        """Return whether the fight is still there, as far as the sender can see."""
        ...


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12


def is_before(place: FeedCursor, other: FeedCursor) -> bool:
    """Return whether the feed reaches one position before the other."""
    return (place.epoch, place.seq) < (other.epoch, other.seq)


def end_of(store: Store) -> FeedCursor:
    """Return the end of the main line. O(promotions)."""
    while True:
        epoch = store.epoch()
        branch = store.main_line()
        seq = store.head(branch).seq
        if store.epoch() == epoch:  # else another line was promoted in between
            return FeedCursor(branch, epoch, seq)


def rebased(store: Store, place: FeedCursor, end: FeedCursor) -> FeedCursor:
    """Return the last position that the line ending at `end` shares with an earlier main line.

    Raises BadPlace for a position that this log has never had.
    """
    # One message for all invalid positions: it reveals no branches that were never the main line.
    if not is_earlier_main_line(store, place) or place.epoch > end.epoch or place.view:
        raise make_unknown_position(place, end)
    if place.seq > store.head(place.branch).seq:
        raise make_unknown_position(place, end)
    return FeedCursor(end.branch, end.epoch, min(place.seq, parting(store, place.branch, end.branch)))


def is_earlier_main_line(store: Store, place: FeedCursor) -> bool:
    """Return whether the line of a position was the main line at its epoch."""
    return store.main_lines()[place.epoch : place.epoch + 1] == [place.branch]


def make_unknown_position(place: FeedCursor, end: FeedCursor) -> BadPlace:
    """Return the error for a position that a log has never had; `end` is its current position as shown."""
    return BadPlace(f"{place} is no position of this log: it is at {end}")


# --- The events of the feed: CloudEvents with the shown part of an event of the log, and how they are sent

TYPES: Final = "dev.affray."
"""The beginning of the types of all events of the feed."""

SEEN, HIDDEN, REBASE, VIEW, HELD = "seen", "hidden", "rebase", "view", "held"
"""Events of the feed that are not facts: an event seen in part, one no longer visible, a new main line, a new
view of the same line, and the reader's declarations that wait for the game master.
"""


class ShownEvent(Struct, omit_defaults=True):
    """An event as shown to a reader: all of it (`fact`), or the part that is seen (`seen`).

    Both are missing if the event was visible when it happened and is not any more, because it names a
    combatant that is hidden by now. `seq` counts the events shown to this reader, `view` is that of its
    positions. `frame` is what a page draws, if requested; `digest` is only sent to the game master. Of a
    rebase, `seq` is the last event that the new line has in common with the line it comes `from`. `held` are
    declarations that wait for the game master, as in `GET /held`.
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
    """The envelope of CloudEvents 1.0 in its JSON form; `subject` is the id of the actor."""

    id: str
    source: str
    type: str
    data: ShownEvent
    subject: str | UnsetType = UNSET
    specversion: Literal["1.0"] = "1.0"
    datacontenttype: Literal["application/json"] = "application/json"


_json: Final = msgspec.json.Encoder().encode


def turn_of(kind: str, place: FeedCursor, source: str, come_from: FeedCursor | None = None) -> CloudEvent:
    """Return the event of the feed that announces another main line, or another view of this one.

    The positions are those shown to the reader.
    """
    told = told_at(place)
    told.come_from = str(come_from) if come_from else ""
    return CloudEvent(str(place), source, f"{TYPES}{kind}.v1", told)


def make_held_event(held: Sequence[object], place: FeedCursor, source: str) -> CloudEvent:
    """Return the event of the feed that lists the declarations now held for the game master."""
    told = told_at(place)
    told.held = held
    return CloudEvent(str(place), source, f"{TYPES}{HELD}.v1", told)


def told_at(place: FeedCursor) -> ShownEvent:
    """Return the fields of a position that is shown, to be completed."""
    return ShownEvent(place.branch, place.epoch, place.seq, view=place.view)


def encode_sse(event: CloudEvent) -> bytes:
    """Return an event as the feed sends it: id, name, one line of JSON."""
    name = event.type.removeprefix(TYPES).rpartition(".v")[0]
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (event.id.encode(), name.encode(), _json(event))


RequestId = Annotated[str, Meta(min_length=1, max_length=100)]
"""An id chosen by the sender: a command repeated under it is executed once."""
Words = Annotated[str, Meta(max_length=2000)]
Line = Annotated[str, Meta(max_length=100)]
Seq = Annotated[int, Meta(ge=1, le=999_999_999)]
Square = tuple[int, int]

MOST_EVENTS = 1000
"""Most events in one answer."""


class Body(Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A command: `expected` is the position that the sender knows, as branch:epoch:seq."""

    expected: Line
    request: RequestId


class Declare(Body, frozen=True):
    """Declare an act. With `manual`, people roll its dice, and the fight waits for the results."""

    act: AnyAct
    manual: bool = False


class Say(Body, frozen=True):
    """Declare, answer, rule or undo in one line of text: `a gharm 17`, `2`, `skit hp 9`, `rule hit`, `u`.

    `actor` is the combatant meant if the line names none, by default the one whose turn it is. A line with
    several meanings, or a path that provokes, is answered with `choices` and nothing happens; `sure` declares
    such a path.
    """

    text: Words
    actor: Line = ""
    manual: bool = False
    sure: bool = False


class Choose(Body, frozen=True):
    """Answer the pending question: an option, or the results of dice as 4,6."""

    answer: Words
    manual: bool = False


class Decide(Body, frozen=True):
    """Decide on a declaration that is `held`: declare `act` in its place, or reject it if there is no `act`.

    `words` are sent to the player.
    """

    held: Line
    act: AnyAct | None = None
    words: Words = ""
    manual: bool = False


class RuleOn(Body, frozen=True):
    """Rule on event `at`; `effects` are written as for `affray ruling --change`.

    A ruling that changes the past makes a branch, which becomes the main line unless `promote` is false.
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
    """Record a dispute of event `at`, with a remark."""

    at: Seq
    text: Words


class Undo(Body, frozen=True):
    """Undo the last `count` declarations."""

    count: Annotated[int, Meta(ge=1, le=1000)] = 1


class Redo(Body, frozen=True):
    """Redo what the last undo undid."""


class Fork(Body, frozen=True):
    """Create a branch `name` of the main line at a position: 17, r3, r3.t2."""

    at: Line
    name: Line


class Promote(Body, frozen=True):
    """Make a branch the main line."""

    branch: Line


class Invite(Struct, forbid_unknown_fields=True, frozen=True):
    """Invite a guest: a player with combatants, an onlooker, or a game master."""

    role: Literal["game master", "player", "onlooker"]
    combatants: Annotated[tuple[Line, ...], Meta(max_length=100)] = ()
    name: Line = ""


class Withdrawal(Struct, forbid_unknown_fields=True, frozen=True):
    """Invalidate the link of a guest."""

    token: Line


class Hiding(Struct, forbid_unknown_fields=True, frozen=True):
    """Hide a combatant from everyone except the game master; with `hidden` false, show it to everyone."""

    combatant: Line
    hidden: bool = True


class SheetWanted(Struct, forbid_unknown_fields=True, frozen=True):
    """A request for a sheet: an included one by name, or one made from a printed stat block."""

    use: Line = ""
    block: Annotated[str, Meta(max_length=40_000)] = ""


class Sheets(Struct, frozen=True):
    """The included sheets of the fight's dialect: name -> title."""

    sheets: dict[str, str]


class Unheld(Struct, frozen=True):
    """A part of a stat block that the sheet lacks or records differently: place, text and reason.

    `grade` is `unread` for a part that matters and was not understood, `unplayed` for a part that no rule
    plays as printed, `harmless` for the rest.
    """

    line: int
    text: str
    reason: str
    grade: str


class ParsedSheet(Struct, frozen=True):
    """A sheet, ready to enter with, and the parts of the printed block that it does not hold."""

    sheet: Sheet
    notes: list[Unheld]


class SwingWanted(Struct, forbid_unknown_fields=True, frozen=True):
    """Calculate win chances from `fights` fights a moment, if given; choose who may see them."""

    runs: Annotated[int, Meta(ge=0, le=10_000)] = 0
    for_all: bool = False


class WinChanceStatus(Struct, frozen=True):
    """Win chances: whether they are being calculated, `done` of how many fights, and the result.

    `swing` is the last result, for the main line of that time; null before the first. `fault` is the reason a
    calculation failed.
    """

    working: bool
    done: int
    of: int
    for_all: bool
    fault: str
    swing: Swing | None


class Refusal(Struct, frozen=True):
    """Why the rules do not allow a declaration, and which rules."""

    reason: str
    rule: str


class Question(Struct, frozen=True):
    """What the fight waits for: an answer of `who`, or the results of the dice `notation` if it is not "".

    Readers that may not answer only see `who`. With `rollable`, the answer `roll` makes
    the encounter roll the dice itself.
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
    """A declaration of `who` that is held for the game master, who alone sees the reason and the rule.

    `at` is the position at which it was declared, as its player sees it; `by` is the player; `words` is the
    game master's reply.
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
    """The declarations that are held, the last of each combatant, with the decisions on them."""

    held: list[HeldDeclaration]


class Choice(Struct, frozen=True):
    """One of several meanings of a line: what to call it, and what it declares."""

    label: str
    act: AnyAct


class CommandResult(Struct, frozen=True):
    """The result of a command. `told` is a sentence about it if no event shows it.

    With `held` nothing has happened yet (status 202): the declaration waits under this id for the game
    master. With `choices` nothing has happened either: `told` asks which of them is meant. `look` is the
    event that the line asks about.
    """

    position: str
    events: list[CloudEvent]
    refused: Refusal | None = None
    question: Question | None = None
    told: str = ""
    held: str = ""
    choices: tuple[Choice, ...] = ()
    look: int = 0


class Session(Struct, frozen=True):
    """The guest who asks, and the position of the fight. `hidden` is only sent to the game master."""

    role: str
    name: str
    combatants: tuple[str, ...]
    position: str
    dialect: str
    title: str
    closed: str
    hidden: tuple[str, ...] = ()


class Events(Struct, frozen=True):
    """A page of the feed; `position` is the one after its last event, `more` is true if others follow."""

    position: str
    events: list[CloudEvent]
    more: bool


class State(Struct, frozen=True):
    """The state of the fight after event `seq` of the main line, which ends at `head`, both as shown.

    Numbers of other sides are null. `foundry` is where Foundry VTT keeps counters, conditions and pools in
    an actor of a game system, null where the rulebook does not say.
    """

    position: str
    seq: int
    head: int
    encounter: JsonObject
    combatants: dict[str, JsonObject]
    question: Question | None = None
    foundry: FoundryPaths | None = None


class OpenAct(Struct, frozen=True):
    """An allowed declaration, ready to send: its kind, its target, the rest in words."""

    act: AnyAct
    kind: str
    target: str
    label: str


class PathOption(Struct, frozen=True):
    """A path to a square: cost in feet, squares entered, whom it passes, a way around them."""

    to: Square
    feet: int
    path: tuple[Square, ...]
    past: tuple[str, ...]
    around: tuple[Square, ...] | None


class Shut(Struct, frozen=True):
    """A kind of declaration of which none is allowed, and why."""

    kind: str
    reason: str
    rule: str


class Remaining(Struct, frozen=True):
    """The rest of a combatant's budget of one kind: `amount` of `most`, with a unit ("ft.") if any."""

    name: str
    amount: int
    most: int
    unit: str


class Legal(Struct, frozen=True):
    """The declarations that a combatant may make now; kinds in `more` allow others too.

    `left` is what it has left of its turn and of its limited resources.
    """

    position: str
    who: str
    name: str
    acts: list[OpenAct]
    ways: list[PathOption]
    closed: list[Shut]
    more: tuple[str, ...]
    left: list[Remaining]


class Priced(Struct, frozen=True):
    """The result of a declaration along a path if no combatant attacks; `act` is ready to send.

    `feet` is its cost and `left` the movement left after it, below 0 if it is not enough; null if the path is
    refused before they are computed. `past` are the combatants whose attack of opportunity it provokes. No
    step leads from its end into the squares `shut`. Nothing is computed after a roll or a question on which
    it `depends`. `refused` is the reason it may not be declared.
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
    """The data that a page of the fight is drawn from; `position` is where the feed continues."""

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
    """Names new since a position: names, letters, texts of rules, shapes of threatened squares."""

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
    """Why a request failed: a code for programs, one clear line for people, a rule if there is one."""

    code: str
    message: str
    rule: str = ""


class RequestFailure(Struct, frozen=True):
    """The answer to a failed request; `position` is that of the fight, with status 409."""

    error: Fault
    position: str = ""
