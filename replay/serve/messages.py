"""What is sent to the server, and what it answers, as the documents of its interface describe them."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from affray.events.facts.declared import AnyAct
from affray.events.facts.sheet import Sheet
from affray.replay.drawn_chances import Swing
from affray.replay.serve.cloud_events import CloudEvent

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


class SheetFound(Struct, frozen=True):
    """A sheet, ready to be entered with, and what of the printed block it does not hold."""

    sheet: Sheet
    notes: list[Unheld]


class SwingWanted(Struct, forbid_unknown_fields=True, frozen=True):
    """Have the chances of winning worked out from so many fights a moment, if any; say who may see them."""

    runs: Annotated[int, Meta(ge=0, le=10_000)] = 0
    for_all: bool = False


class Swinging(Struct, frozen=True):
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


class Held(Struct, frozen=True):
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


class AllHeld(Struct, frozen=True):
    """The declarations that are held, the last of each combatant, with what became of them."""

    held: list[Held]


class Done(Struct, frozen=True):
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
    encounter: dict[str, Any]
    combatants: dict[str, dict[str, Any]]
    question: Question | None = None


class OpenAct(Struct, frozen=True):
    """A declaration that is open, ready to be sent: its kind, whom it is aimed at, the rest in words."""

    act: AnyAct
    kind: str
    target: str
    label: str


class OpenWay(Struct, frozen=True):
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
    ways: list[OpenWay]
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
    rules: dict[str, Any]
    contested: list[Any]
    shapes: dict[str, list[Square]]


class Names(Struct):
    """What came up since a position: names, letters, wordings of rules, shapes of threatened squares."""

    position: str
    names: dict[str, str]
    letters: dict[str, str]
    rules: dict[str, Any]
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


class NotDone(Struct, frozen=True):
    """What is answered in place of what was asked for; `position` is that of the fight, with status 409."""

    error: Fault
    position: str = ""
