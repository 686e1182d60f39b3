"""Frames: what the page needs beside the log itself, event by event.

The facts stand in the log that the page carries. A frame adds what takes Python to know: the event in
a sentence, what led to it, and what became of the state, as the fields that changed. So the page folds
nothing and holds no rules, and a long fight stays small.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from affray.engine.book import Book
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.facts.flow import CombatantEntered
from affray.events.store import Store
from affray.projections.state import Encounter
from affray.replay.drawn_chances import Beside, Swing
from affray.replay.found_pivots import Pivots
from affray.replay.installed import book_of
from affray.replay.luck import Audit
from affray.replay.map_picture import Underlay
from affray.replay.merge_origins import Origins, origins
from affray.replay.narrate.cast import Cast
from affray.replay.viewer.forks import Forks
from affray.replay.viewer.frame import Frame
from affray.replay.viewer.framed_line import FramedLine

FORMAT = 1


class Own(Struct):
    """A branch and the frames of the events that are its own, the first one being event `at` + 1.

    `luck` audits the dice of the whole line; `merged` says of which branches it was put together, if it was.
    """

    name: str
    parent: str
    at: int
    main: bool
    parted: str
    frames: list[Frame]
    luck: Audit
    merged: Origins | None = None


class Wording(Struct, array_like=True):
    """A rule as the catalogue words it."""

    title: str
    section: str
    text: str
    provenance: str


class Contest(Struct):
    """A contested rule that the fight touches, its readings by name."""

    option: str
    title: str
    question: str
    rules: tuple[str, ...]
    readings: dict[str, str]
    default: str


class Frames(Struct):
    """All that the page embeds beside the log. `shapes` are threatened squares around the anchor (0, 0)."""

    format: int
    title: str
    show: str
    names: dict[str, str]
    letters: dict[str, str]
    lines: list[Own]
    rules: dict[str, Wording]
    contested: list[Contest]
    shapes: dict[str, list[tuple[int, int]]]
    rulebook: str = ""
    """The address of a page with the rules (`affray rules DIALECT --page`); "" for none."""
    swing: Swing | None = None
    """The chances of winning along one of the lines; None where nobody has worked them out."""
    pivots: Pivots | None = None
    """What alone would have turned an outcome on one of the lines; None where nobody has asked."""
    picture: Underlay | None = None
    """The picture under the map; None for none."""
    odds: dict[str, list[Beside]] = {}
    """How likely each outcome was, by branch; of no branch where that was not asked for."""


def frames(store: Store, show: str) -> Frames:
    """Return the frames of every branch; the page opens on `show`. Raises UnknownStream."""
    store.head(show)
    cast, main = everybody(store), store.main_line()
    made = Frames(FORMAT, "Fight", show, {}, {}, [], {}, [], {})
    rules: dict[str, None] = {}
    forks = Forks(store)
    for branch in forks.branches:
        begun = forks.begun(branch)
        line = FramedLine(begun, cast, rules, branch.at)
        own = list(_own_frames(line, store.read(branch.name, after=branch.at), forks))
        parted = cast.prose(forks.parting(branch, begun.state)) if branch.parent else ""
        audit = line.tally.audit(branch.name)
        merged = origins(store, branch.name) if branch.parent else None
        made.lines.append(
            Own(branch.name, branch.parent, branch.at, branch.name == main, parted, own, audit, merged)
        )
        made.title = line.state.name or made.title
        made.shapes.update(line.shapes)
    made.names = {id: cast.name(id) for id in cast.letters}
    made.letters = dict(cast.letters)
    made.rules, made.contested = wordings(line.state, rules)
    return made


def wordings(state: Encounter, rules: Iterable[str]) -> tuple[dict[str, Wording], list[Contest]]:
    """Return the rules that were cited as the fight's catalogue words them, and what is contested of them."""
    book = book_of(state)
    if book is None:
        return {}, []
    cited = dict.fromkeys(rules)
    return {id: _wording(book, id) for id in cited if id in book}, list(_contested(book, state, cited))


def everybody(store: Store) -> Cast:
    """Return the names and letters of whoever enters on any branch. O(events), few of them decoded."""
    cast = Cast()
    for event in store.read_all():
        if event.type == "combatant.entered":
            fact: CombatantEntered = decode(event)
            if fact.id not in cast.letters:
                cast.enter(fact.id, fact.side, fact.sheet.name)
    return cast


def _own_frames(line: FramedLine, events: Iterable[Event], forks: Forks) -> Iterator[Frame]:
    """Yield the frame of each event of a branch, and leave at each fork how it stands. Raises BrokenLog."""
    for event in events:
        yield line.frame(event)
        forks.leave(event, line.state, line.tally, line.group)


def _wording(book: Book, id: str) -> Wording:
    rule = book[id]
    return Wording(rule.title, rule.section, rule.text, rule.provenance)


def _contested(book: Book, state: Encounter, rules: dict[str, None]) -> Iterator[Contest]:
    unnamed = book.chosen({}, state.defaults)
    for entry in book.contested.values():
        if any(rule in rules for rule in entry.rules):
            readings = {reading.name: reading.meaning for reading in entry.readings}
            default = unnamed.get(entry.option, entry.default)
            yield Contest(entry.option, entry.title, entry.question, entry.rules, readings, default)
