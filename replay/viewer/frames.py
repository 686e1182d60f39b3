"""Frames: what the page needs beside the log itself, event by event.

The facts stand in the log that the page carries. A frame adds what takes Python to know: the event in
a sentence, what led to it, and what became of the state, as the fields that changed. So the page folds
nothing and holds no rules, and a long fight stays small.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from affray.engine.book import Book
from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import BrokenLog
from affray.events.facts.combat import AttackResolved
from affray.events.facts.declared import Declared
from affray.events.facts.flow import CombatantEntered
from affray.events.facts.rolled import Rolled
from affray.events.store import Store
from affray.projections.audit import causes, cited
from affray.projections.fold import HANDLERS, apply
from affray.projections.sentence import sentence
from affray.projections.state import Encounter, duplicate
from affray.replay.drawn_chances import Beside, Swing
from affray.replay.groups import starts
from affray.replay.installed import book_of, playable
from affray.replay.luck import Audit, hitting, thrown_for, was_given
from affray.replay.narrate.cast import Cast
from affray.replay.viewer.forks import Begun, Forks
from affray.replay.viewer.sight import Sight, area_of, shapes_of, sight
from affray.replay.viewer.views import affected, combatant_view, encounter_view

FORMAT = 1


class Change(Struct, omit_defaults=True):
    """The fields that an event changed: of the encounter, and of combatants by id."""

    g: dict[str, Any] = field(default_factory=dict)
    c: dict[str, dict[str, Any]] = field(default_factory=dict)


class Frame(Struct, array_like=True, omit_defaults=True):
    """One event: its sentence, the events that led to it, what it changed, and who could see whom.

    `chance` is that of an attack to hit, in twentieths, where a die that was thrown decided it; `area` are
    the squares of a spell that is declared.
    """

    text: str
    chain: tuple[int, ...] = ()
    change: Change | None = None
    sight: Sight | None = None
    chance: int | None = None
    area: tuple[Square, ...] | None = None


class Own(Struct):
    """A branch and the frames of the events that are its own, the first one being event `at` + 1.

    `luck` audits the dice of the whole line.
    """

    name: str
    parent: str
    at: int
    main: bool
    parted: str
    frames: list[Frame]
    luck: Audit


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
        made.lines.append(Own(branch.name, branch.parent, branch.at, branch.name == main, parted, own, audit))
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
    return {id: _wording(book, id) for id in cited if id in book}, list(_contested(book, cited))


def everybody(store: Store) -> Cast:
    """Return the names and letters of whoever enters on any branch. O(events), few of them decoded."""
    cast = Cast()
    for event in store.read_all():
        if event.type == "combatant.entered":
            fact: CombatantEntered = decode(event)
            if fact.id not in cast.letters:
                cast.enter(fact.id, fact.side, fact.sheet.name)
    return cast


def _own_frames(line: "FramedLine", events: Iterable[Event], forks: Forks) -> Iterator[Frame]:
    """Yield the frame of each event of a branch, and leave at each fork how it stands. Raises BrokenLog."""
    for event in events:
        yield line.frame(event)
        forks.leave(event, line.state, line.tally, line.group)


class FramedLine:
    """A line of play while its events are folded, one frame each."""

    def __init__(self, begun: Begun, cast: Cast, rules: dict[str, None], at: int) -> None:
        """Stand after event `at`; what is cited goes into `rules`."""
        self.cast, self.rules = cast, rules
        self.state: Encounter = duplicate(begun.state)
        self.tally = begun.tally.copy()
        self.shapes: dict[str, list[tuple[int, int]]] = {}
        self.fight: Fight | None = None
        self._given: set[str] = set()
        self._encounter = encounter_view(self.state, cast) if at else {}
        self._views: dict[str, dict[str, Any]] = {}
        # A branch may leave in the middle of a declaration: what it has decided so far leads on.
        self.group: list[tuple[Event, Any]] = list(begun.group)
        for _, fact in self.group:
            self._chance(fact)

    def frame(self, event: Event) -> Frame:
        """Fold an event and return its frame. Raises NewerLog, and BrokenLog as `fold` does."""
        fact = decode(event)
        if not self._views:  # of a line without events nobody asks
            self._views.update((id, self._view(id)) for id in self.state.combatants)
        try:
            made = self._frame(event, fact)
            self.tally.count(event.seq, fact)
            return made
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            reason = f"{event.type} does not fit the events before it ({type(error).__name__}: {error})"
            raise BrokenLog(event.stream, event.seq, reason) from None

    def _frame(self, event: Event, fact: Any) -> Frame:
        self.rules.update(dict.fromkeys(cited(fact)))
        if starts(event, self.group[-1][0] if self.group else None):
            self.group = []
            self._given.clear()
        self.group.append((event, fact))
        seen = self._sight(fact) if type(fact) is AttackResolved else None
        area = self._area(fact) if type(fact) is Declared else None
        apply(self.state, fact)
        text, change = sentence(self.cast.saying(fact)), self._change(fact)
        return Frame(text, self._chain(), change, seen, self._chance(fact), area)

    def _chance(self, fact: Any) -> int | None:
        if type(fact) is Rolled and was_given(fact):
            self._given.add(fact.key)
        elif type(fact) is AttackResolved and thrown_for(fact, self._given):
            return int(hitting(fact) * 20)
        return None

    def _chain(self) -> tuple[int, ...]:
        last = len(self.group) - 1
        found = {0, *causes([fact for _, fact in self.group], last)} - {last}
        return tuple(self.group[index][0].seq for index in sorted(found))

    def _change(self, fact: Any) -> Change | None:
        if type(fact) not in HANDLERS:
            return None
        change = Change(_differing(self._encounter, now := encounter_view(self.state, self.cast)))
        self._encounter = now
        for id in affected(fact, self.state):
            view = self._view(id)
            if fields := _differing(self._views.get(id, {}), view):
                change.c[id] = fields
                self._views[id] = view
        return change if change.g or change.c else None

    def _view(self, id: str) -> dict[str, Any]:
        one = self.state.combatants[id]
        shapes = shapes_of(self._rules_of_play(), one)
        self.shapes.update(shapes)
        return combatant_view(one, self.cast, list(shapes))

    def _sight(self, fact: AttackResolved) -> Sight | None:
        fight = self._rules_of_play()
        return sight(fight, fact.attacker, fact.target, fact.mode) if fight is not None else None

    def _area(self, fact: Declared) -> tuple[Square, ...] | None:
        fight = self._rules_of_play() if getattr(fact.act, "spell", "") else None
        return (area_of(fight, fact.act) or None) if fight is not None else None

    def _rules_of_play(self) -> Fight | None:
        """Return the geometry's context, places looked at afresh; None for a dialect not installed."""
        if self.fight is None and playable(self.state):
            state = self.state
            self.fight = Fight(state, load(state.dialect, None, state.tables, state.packages))
        if self.fight is not None:
            self.fight.memory.touch_everything()
        return self.fight


def _differing(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in after.items() if name not in before or before[name] != value}


def _wording(book: Book, id: str) -> Wording:
    rule = book[id]
    return Wording(rule.title, rule.section, rule.text, rule.provenance)


def _contested(book: Book, rules: dict[str, None]) -> Iterator[Contest]:
    for entry in book.contested.values():
        if any(rule in rules for rule in entry.rules):
            readings = {reading.name: reading.meaning for reading in entry.readings}
            yield Contest(entry.option, entry.title, entry.question, entry.rules, readings, entry.default)
