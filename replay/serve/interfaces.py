"""What the routes ask of the other parts of a server, so that they need know none of them."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from typing import Any, Literal, Protocol, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request

from affray.engine.steps import Refusal
from affray.events.envelope import Event
from affray.events.facts.flow import AnyAct, Asked, Refused
from affray.events.facts.sheet import Sheet
from affray.events.stores.store import Store
from affray.replay.serve.access import Access, Guest
from affray.replay.serve.messages import (
    Body,
    Done,
    Events,
    Expects,
    Held,
    Legal,
    Names,
    Page,
    Place,
    Priced,
    Session,
    State,
    Swinging,
)
from affray.replay.viewer.map_picture import Underlay

T = TypeVar("T")


class Written(Struct, frozen=True):
    """What a command came to: the positions before and after it, its events, a refusal, a question.

    `before` and `after` are on one line unless another one became the main line. With `held` nothing came of
    it: under this id the game master has it.
    """

    before: Place
    after: Place
    events: tuple[Event, ...] = ()
    refused: Refused | None = None
    asked: Asked | None = None
    told: str = ""
    held: str = ""


class Judge(Protocol):
    """Records disputes and rulings: the module `affray.replay.explain.disputes` does."""

    @property
    def dispute(self) -> Callable[..., Any]:
        """What records that somebody contests an event."""

    @property
    def rule(self) -> Callable[..., Any]:
        """What rules on an event or a dispute."""


class SheetBook(Protocol):
    """Knows sheets of those who are to enter: the module `affray.replay.entry_sheets` does."""

    @property
    def shipped(self) -> Callable[[str], dict[str, str]]:
        """What tells the sheets that ship with a dialect."""

    @property
    def shipped_sheet(self) -> Callable[[str, str], Sheet]:
        """What returns one of them."""

    @property
    def printed_sheet(self) -> Callable[[str, str], tuple[Sheet, Sequence[Any]]]:
        """What reads a printed stat block."""


class Looks(Protocol):
    """Looks up for one audience, where the store is at home."""

    def session(self, store: Store, guest: Guest, hidden: tuple[str, ...]) -> Session:
        """Tell who asks, and how the fight stands."""

    def state(self, store: Store, at: str) -> State:
        """Tell the state at a position."""

    def events(self, store: Store, after: Place | None, limit: int) -> Events:
        """Tell a page of the feed."""

    def why(self, store: Store, seq: int) -> Any:
        """Explain an event of the main line."""

    def legal(self, store: Store, who: str) -> Legal:
        """Tell what is open to a combatant."""

    def price(self, store: Store, act: AnyAct) -> Priced:
        """Tell what a declaration along a way would come to."""

    def page(self, store: Store) -> Page:
        """Tell what a page is drawn from."""

    def names(self, store: Store, after: Place) -> Names:
        """Tell names, wordings and shapes that came up after a position."""

    def strangers(self, store: Store, act: AnyAct) -> list[str]:
        """Return whom a declaration names that is not there for the audience."""

    def by_chance(self, store: Store, said: Collection[str], hidden: Collection[str]) -> bool | None:
        """Return whether words of the audience name a combatant that is hidden from it."""

    def event_of(self, store: Store, number: int) -> int:
        """Return the event of the main line that the audience knows by a number."""

    def may_answer(self, store: Store, expected: Expects) -> bool:
        """Say whether what is asked at a position is for the audience to answer."""

    def swing(self, store: Store, told: Swinging) -> Swinging:
        """Tell chances of winning with the numbers that the audience knows."""

    def names_hidden(self, store: Store, hidden: tuple[str, ...], name: str) -> bool:
        """Say whether a name tells of combatants that are hidden from others."""


class Wanted(Struct, frozen=True):
    """What a guest wants to know that takes many events: `limit` events after a place, names, or a page."""

    what: Literal["page", "events", "names"]
    after: Place | None = None
    limit: int = 0

    def found(self, looking: Looks, store: Store) -> bytes:
        """Return it as JSON. Raises AffrayError, Problem."""
        found: object
        match self.what, self.after:
            case "events", after:
                found = looking.events(store, after, self.limit)
            case "names", Place() as after:
                found = looking.names(store, after)
            case _:
                found = looking.page(store)
        return msgspec.json.encode(found)


class Holds(Protocol):
    """Holds declarations for the game master."""

    changed: Callable[[], None]

    def again(self, request: str, act: AnyAct, now: Expects) -> str:
        """Tell under which id a request is held already."""

    def hold(self, guest: Guest, act: AnyAct, place: Expects, refusal: Refusal, request: str) -> str:
        """Hold a declaration, and tell under which id."""

    def let_go(self, who: str) -> None:
        """Hold nothing of a combatant any more."""

    def waiting(self, id: str, request: str) -> Held:
        """Tell what waits under an id."""

    def decide(self, id: str, status: str, words: str, request: str) -> None:
        """Put down what was decided."""

    def seen_by(self, guest: Guest) -> tuple[Held, ...]:
        """Tell what a guest may know of what is held."""


class Follows(Protocol):
    """Follows the main line of a log."""

    async def begin(self, guest: Guest, after: Place | str) -> tuple[Place, Any, Place | None]:
        """Return where in the log a guest goes on, for whom that is so, and what it knew of another past."""

    def follow(
        self,
        guest: Guest,
        place: Place,
        *,
        frames: bool,
        seen: object = None,
        come_from: Place | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """Yield what a guest is told from a position of the log on."""

    def poke(self) -> None:
        """Look at once: who may see what has changed."""


class Writes(Protocol):
    """Writes to the main line."""

    async def declare(
        self,
        act: AnyAct,
        expected: Expects,
        by: str,
        request: str,
        manual: bool,
        *,
        by_chance: bool | None = None,
    ) -> Written:
        """Declare an act, whose words may name by chance a combatant that their speaker cannot know."""

    async def choose(self, answer: str, expected: Expects, by: str, request: str, manual: bool) -> Written:
        """Answer what the fight waits for."""

    async def undo(self, count: int, expected: Expects, by: str, request: str) -> Written:
        """Take back the last declarations."""

    async def redo(self, expected: Expects, by: str, request: str) -> Written:
        """Bring again what the last undo took back."""

    async def fork(self, at: str, name: str, expected: Expects, request: str) -> Written:
        """Begin a branch of the main line."""

    async def promote(self, branch: str, expected: Expects, by: str, request: str) -> Written:
        """Make a branch the main line."""

    async def dispute(
        self, at: int, claim: str, expected: Expects, by: str, request: str, *, by_chance: bool | None = None
    ) -> Written:
        """Put on record that somebody contests an event."""

    async def rule(self, expected: Expects, request: str, by: str, **ruling: Any) -> Written:
        """Rule on an event."""


class Reckons(Protocol):
    """Works out the chances of winning beside the fight. `for_all` says whether everybody may see them."""

    for_all: bool

    def begin(self, runs: int) -> None:
        """Begin with it, unless it is under way."""

    def seen(self, *, all_of_it: bool) -> Swinging:
        """Tell what is known."""


class Weaves(Protocol):
    """Weaves rulebooks beside the fight."""

    async def packed(self, dialect: str) -> bytes:
        """Return the page of a dialect's rules, packed by gzip."""


class House(Protocol):
    """A server as its routes know it: its guests, its parts, its picture, and where it is found."""

    picture: Underlay
    access: Access
    address: str
    sheets: SheetBook

    @property
    def swing(self) -> Reckons:
        """What works out the chances of winning."""

    @property
    def weaving(self) -> Weaves:
        """What weaves the rulebook."""

    @property
    def holding(self) -> Holds:
        """What is held for the game master."""

    async def refused_by_hidden(self, guest: Guest, act: AnyAct, expected: Expects) -> Refusal | None:
        """Return why a declaration is refused by what a guest cannot know, None if it is not."""

    @property
    def feed(self) -> Follows:
        """Who follows the log."""

    @property
    def ledger(self) -> Writes:
        """Who writes to it."""

    async def look(self, guest: Guest, work: Callable[[Looks, Store], T]) -> T:
        """Return what is looked up for a guest. Raises Problem."""

    async def look_briefly(self, guest: Guest, what: str, work: Callable[[Looks, Store], T]) -> T:
        """Return what is looked up for a guest in no time (`what`), each in turn. Raises Problem."""

    async def look_by_rules(self, guest: Guest, what: str, work: Callable[[Looks, Store], T]) -> T:
        """Return what the rules or some events have to be asked for, each guest in turn. Raises Problem."""

    async def look_long(self, guest: Guest, wanted: Wanted) -> bytes:
        """Return what is looked up in many events, as JSON, each guest in turn. Raises Problem."""

    async def apart(self, work: Callable[[Store], T]) -> T:
        """Return what is done where it holds nobody up. Raises Problem."""

    async def done(
        self, guest: Guest, command: Callable[[Expects, str], Awaitable[Written]], body: Body
    ) -> Done:
        """Return what came of a command, as far as the guest may know it, one of each guest at a time."""


def house_of(request: Request) -> House:
    """Return the server that a request has come to."""
    house: House = request.app.state.house
    return house
