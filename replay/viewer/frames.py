"""Frames: the data that the page needs in addition to the log, event by event.

The facts are in the log that the page contains. A frame adds what only Python can compute: the event in a
sentence, the events that led to it, and the changes of the state, as fields. The page therefore folds nothing
and contains no rules, and a long fight stays small.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from affray.engine.book import Book
from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square, side_between
from affray.engine.grid.distance import adjacent, space, threatened
from affray.engine.grid.lines_and_cover import Cover, corners, edge_corners, is_border, trace
from affray.engine.kernel.areas import AROUND, area_squares
from affray.engine.language.cast import INTRODUCING, Cast
from affray.engine.language.names import playable
from affray.engine.text.words import until
from affray.events.codec import decode
from affray.events.envelope import Branch, Event
from affray.events.errors import BrokenLog
from affray.events.facts.base import Act, JsonObject
from affray.events.facts.combat import AttackResolved, Until
from affray.events.facts.flow import (
    AwarenessSettled,
    CombatantEntered,
    Declared,
    EncounterOpened,
    Rolled,
    RoundBegan,
)
from affray.events.stores.store import Store
from affray.projections.audit import causes, cited
from affray.projections.deeds import declaration
from affray.projections.fold import HANDLERS, apply
from affray.projections.sentence import describe_conditions, sentence, stat_words
from affray.projections.state import Combatant, Encounter, duplicate
from affray.replay.chance.luck import Audit, Tally, is_given_roll, is_rolled_for_attack
from affray.replay.chance.recorded_tests import RecordedTests
from affray.replay.chance.summaries import Pivots, RollNote, Swing
from affray.replay.difference import BranchContents, compared, get_contents_after
from affray.replay.log.branches import Origins, origins
from affray.replay.log.declarations import starts
from affray.replay.log.rules_for_fight import book_of
from affray.replay.viewer.map_picture import Underlay

# --- A frame: the data that the page needs for one event in addition to the event

Line = tuple[int, int, int, int]
Sightline = tuple[int, int, int, int, int]
"""From grid corner (x, y) to grid corner (x, y); 1 if the line is blocked."""


Remains = tuple[str, int, int, str]
"""What is left of something: its name, how much, of how much, the unit."""


class Sight(Struct, omit_defaults=True):
    """The cover of a target: its kind, the squares and creatures that give it, the lines that were drawn.

    Adjacent combatants have no lines: only the border between them counts.
    """

    kind: str
    squares: tuple[Square, ...] = ()
    creatures: tuple[str, ...] = ()
    lines: tuple[Sightline, ...] = ()


class Change(Struct, omit_defaults=True):
    """The fields that an event changed: of the encounter, and of combatants by id."""

    g: JsonObject = field(default_factory=dict)
    c: dict[str, JsonObject] = field(default_factory=dict)


class Frame(Struct, array_like=True, omit_defaults=True):
    """One event: its sentence, the events that led to it, its changes, and the lines of sight.

    `chance` is that of an attack to hit, in percent, if rolled dice decided it; `area` are the squares of a
    declared spell.
    """

    text: str
    chain: tuple[int, ...] = ()
    change: Change | None = None
    sight: Sight | None = None
    chance: float | None = None
    area: tuple[Square, ...] | None = None


# --- Cover between attacker and target, threatened squares, areas of spells: as squares


def sight(fight: Fight, attacker: str, target: str, mode: str) -> Sight | None:
    """Return the target's cover from the attacker; None if one of them is not on the map."""
    people = fight.state.combatants
    one, other = people.get(attacker), people.get(target)
    if one is None or other is None or not fight.state.terrain:
        return None
    melee = mode == "melee"
    found = fight.dialect.kernel.sight(fight, one, other, melee)
    if found is None:
        return None
    if found.kind == "total" or (melee and adjacent(one.at, other.at, one.space, other.space)):
        return Sight(found.kind, found.squares, found.creatures)
    return Sight(found.kind, found.squares, found.creatures, _lines(fight, found, one, other, melee))


def area_of(fight: Fight, act: Act) -> tuple[Square, ...]:
    """Return the squares of the map in the area of a spell, aimed as declared; () without an area."""
    at = getattr(act, "at", None)
    caster = fight.state.combatants.get(act.actor)
    name = getattr(act, "spell", "")
    if at is None or caster is None or not name or not fight.state.terrain:
        return ()
    spell = next((one for one in caster.sheet.spells if one.name == name and one.area), None)
    if spell is None or (at == caster.at and spell.area not in AROUND):
        return ()
    return tuple(sorted(filter(fight.field.passable, area_squares(fight, caster, spell, at))))


def shapes_of(fight: Fight | None, one: Combatant) -> dict[str, list[Square]]:
    """Return the squares that a combatant threatens, relative to its anchor, by a name for the shape."""
    if fight is None:
        return {}
    return {
        f"{one.space}/{least}/{most}": sorted(threatened((0, 0), one.space, least, most, True))
        for least, most in fight.dialect.kernel.reach_bands(fight, one)
    }


def _lines(
    fight: Fight, found: Cover, attacker: Combatant, target: Combatant, melee: bool
) -> tuple[Sightline, ...]:
    """Return the lines from the corner that the engine's answer uses, () if none explains it."""
    stops = set(found.squares)
    for id in found.creatures:
        one = fight.state.combatants[id]
        stops.update(space(one.at, one.space))
    for lines in _choices(attacker, target, melee):
        drawn = tuple((*line, int(_stopped(line, stops))) for line in lines)
        if sum(line[-1] for line in drawn) == found.lines:
            return drawn
    return ()


def _choices(attacker: Combatant, target: Combatant, melee: bool) -> Iterator[list[Line]]:
    """Yield the sets of lines that the attacker may choose from, nearest corner first."""
    ends = [corners(square, 1) for square in space(target.at, target.space)]
    if not melee:
        ends = [corners(target.at, target.space)]
    starts = edge_corners(attacker.at, attacker.space)
    middle = (2 * target.at[0] + target.space, 2 * target.at[1] + target.space)
    for x, y in sorted(starts, key=lambda at: (2 * at[0] - middle[0]) ** 2 + (2 * at[1] - middle[1]) ** 2):
        for four in ends:
            yield [(x, y, *end) for end in four]


def _stopped(line: Line, stops: set[Square]) -> bool:
    met = trace(line[:2], line[2:])
    return any(at in stops for at in met.squares) or any(a in stops and b in stops for a, b in met.pairs)


# --- Views: the state in the few words that the page shows, as flat records

KINDS = {"total": "wall", "low": "low", "high": "high", "": "fence"}
"""Kinds of barriers between two squares, by the cover that they give."""


def make_encounter_view(state: Encounter, cast: Cast, fight: Fight | None = None) -> dict[str, object]:
    """Return the page's view of the encounter itself.

    With the rules (`fight`), it has what the combatant whose turn it is has left.
    """
    ask = state.pending
    modes = cast.words.roll_modes
    return {
        "name": state.name,
        "dialect": state.dialect,
        "terrain": state.terrain,
        "sides": make_sides_view(state),
        "options": dict(state.options),
        "order": state.order,
        "round": state.round,
        "turn": state.turn,
        "phase": state.phase,
        "active": state.active,
        "begun": state.begun,
        "closed": state.closed,
        "ask": f"{cast.name(ask.who)}: {cast.prose(ask.question)}" if ask is not None else "",
        **({"modes": modes} if modes else {}),
        **({"left": _turn_left(fight, cast)} if fight is not None else {}),
    }


def _turn_left(fight: Fight, cast: Cast) -> list[Remains]:
    """Return what the combatant whose turn it is has left of it."""
    actor = fight.state.combatants.get(fight.state.active)
    left = fight.dialect.kernel.left(fight, actor) if actor is not None else ()
    return [(cast.words.actions.get(one.kind, one.kind), *one[1:]) for one in left]


def _pools(fight: Fight | None, one: Combatant) -> list[Remains]:
    """Return what is left of the limited resources of a combatant."""
    pools = fight.dialect.kernel.pools(fight, one) if fight is not None else ()
    return [(name, most - one.resources.get(name, 0), most, "") for name, most in pools]


def make_sides_view(state: Encounter) -> list[tuple[bool, int, int, str, str]]:
    """Return the barriers between squares: whether upright, grid line, where it begins, kind, name.

    Kinds are wall, door (closed), open, low, high, and fence for one that only hampers.
    """
    found = []
    for one in state.barriers:
        if is_border(one.here, one.there):
            kind = ("open" if one.open else "door") if one.door else KINDS[one.cover]
            found.append((*side_between(one.here, one.there), kind, one.door))
    return found


def make_combatant_view(
    one: Combatant, cast: Cast, shapes: list[str], fight: Fight | None = None
) -> dict[str, object]:
    """Return the page's view of a combatant; `shapes` names the squares that it threatens.

    With the rules (`fight`), it has what is left of its limited resources.
    """
    pools = _pools(fight, one)
    return {
        "side": one.side,
        "size": one.sheet.size,
        "thing": one.sheet.thing is not None,
        "at": one.at,
        "space": one.space,
        "reach": one.reach,
        "hp": one.hp,
        "max": one.max_hp,
        "nonlethal": one.nonlethal,
        "temporary": one.temporary,
        "held": one.held,
        "initiative": one.initiative,
        "conditions": [
            (words, _source(value.source, value.until, cast)) for words, value in describe_conditions(one)
        ],
        "effects": _effects(one, cast),
        "injuries": one.injuries,
        "plan": [" ".join(filter(None, (act, cast.name(aim) if aim else ""))) for _, act, aim in one.plan],
        "waits": "delaying" if one.delaying else "",
        "readied": declaration(one.readied.then, cast, one.id) if one.readied is not None else "",
        "threat": shapes,
        "counters": one.counters,
        **({"pools": pools} if pools else {}),
    }


def affected(fact: object, state: Encounter) -> Iterable[str]:
    """Return the combatants whose view a fact can have changed, in a stable order."""
    if isinstance(fact, RoundBegan | AwarenessSettled):
        return list(state.combatants)
    names = (getattr(fact, "who", ""), getattr(fact, "id", ""))
    return [id for id in dict.fromkeys(names) if id in state.combatants]


def _source(source: str, span: Until, cast: Cast) -> str:
    return ", ".join(filter(None, (cast.prose(source), until(span, cast.name(span.who)))))


def _effects(one: Combatant, cast: Cast) -> list[str]:
    said = []
    for effect in one.effects:
        part = effect.modifier
        if effect.stat in cast.words.ongoing:
            said.append(cast.prose(part.source))
            continue
        value = f"{part.value:+d} " if part.value else ""
        against = f" against {cast.name(effect.against)}" if effect.against else ""
        said.append(f"{value}{stat_words(effect.stat, cast.words)}{against} ({cast.prose(part.source)})")
    return said


# --- A line of play while its events are folded, one frame each


class Begun(Struct, frozen=True):
    """The state where a line leaves another one; it must not be changed.

    `group` is the declaration that the last event belongs to, as far as it was decided.
    """

    state: Encounter
    tally: Tally
    group: tuple[tuple[Event, Any], ...] = ()


class FramedLine:
    """A line of play while its events are folded, one frame each."""

    def __init__(self, begun: Begun, cast: Cast, rules: dict[str, None], at: int) -> None:
        """Start after event `at`; citations are added to `rules`."""
        self.cast, self.rules = cast, rules
        self.state: Encounter = duplicate(begun.state)
        self.tally = begun.tally.copy()
        self.shapes: dict[str, list[tuple[int, int]]] = {}
        self.fight: Fight | None = None
        self._given: set[str] = set()
        self._dice: dict[str, str] = {}
        self._tests = RecordedTests(self.state)
        self._encounter = make_encounter_view(self.state, cast) if at else {}
        self._views: dict[str, dict[str, object]] = {}
        # A branch may leave in the middle of a declaration: its events so far belong to the chain.
        self.group: list[tuple[Event, Any]] = list(begun.group)
        for _, fact in self.group:
            self._chance(fact)

    def frame(self, event: Event) -> Frame:
        """Fold an event and return its frame. Raises NewerLog, and BrokenLog as `fold` does."""
        fact = decode(event)
        if not self._views:  # not needed for a line without events
            self._views.update((id, self._view(id)) for id in self.state.combatants)
        try:
            made = self._frame(event, fact)
            self.tally.count(event.seq, fact)
            return made
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            reason = f"{event.type} does not fit the events before it ({type(error).__name__}: {error})"
            raise BrokenLog(event.stream, event.seq, reason) from None

    def _frame(self, event: Event, fact: Struct) -> Frame:
        self.rules.update(dict.fromkeys(cited(fact)))
        if starts(event, self.group[-1][0] if self.group else None):
            self.group = []
            self._given.clear()
            self._dice.clear()
        self.group.append((event, fact))
        seen = self._sight(fact) if type(fact) is AttackResolved else None
        area = self._area(fact) if type(fact) is Declared else None
        apply(self.state, fact)
        text, change = sentence(self.cast.saying(fact), self.cast.words), self._change(fact)
        return Frame(text, self._chain(), change, seen, self._chance(fact), area)

    def _chance(self, fact: object) -> float | None:
        if type(fact) is Rolled:
            self._dice[fact.key] = fact.notation
            if is_given_roll(fact):
                self._given.add(fact.key)
        elif type(fact) is AttackResolved and is_rolled_for_attack(fact, self._given):
            chance = self._tests.attack(fact, self._dice.get(fact.key, ""))
            return None if chance is None else round(float(100 * chance), 2)
        return None

    def _chain(self) -> tuple[int, ...]:
        last = len(self.group) - 1
        found = {0, *causes([fact for _, fact in self.group], last)} - {last}
        return tuple(self.group[index][0].seq for index in sorted(found))

    def _change(self, fact: object) -> Change | None:
        if type(fact) not in HANDLERS:
            return None
        now = make_encounter_view(self.state, self.cast, self._rules_of_play())
        change = Change(_differing(self._encounter, now))
        self._encounter = now
        for id in affected(fact, self.state):
            view = self._view(id)
            if fields := _differing(self._views.get(id, {}), view):
                change.c[id] = fields
                self._views[id] = view
        return change if change.g or change.c else None

    def _view(self, id: str) -> dict[str, object]:
        one = self.state.combatants[id]
        fight = self._rules_of_play()
        shapes = shapes_of(fight, one)
        self.shapes.update(shapes)
        return make_combatant_view(one, self.cast, list(shapes), fight)

    def _sight(self, fact: AttackResolved) -> Sight | None:
        fight = self._rules_of_play()
        return sight(fight, fact.attacker, fact.target, fact.mode) if fight is not None else None

    def _area(self, fact: Declared) -> tuple[Square, ...] | None:
        fight = self._rules_of_play() if getattr(fact.act, "spell", "") else None
        return (area_of(fight, fact.act) or None) if fight is not None else None

    def _rules_of_play(self) -> Fight | None:
        """Return the rules' context with current squares; None for a dialect that is not installed."""
        if self.fight is None and playable(self.state):
            state = self.state
            self.fight = Fight(state, load(state.dialect, None, state.tables, state.packages))
        if self.fight is not None:
            self.fight.memory.touch_everything()
        return self.fight


def _differing(before: JsonObject, after: JsonObject) -> dict[str, object]:
    return {name: value for name, value in after.items() if name not in before or before[name] != value}


# --- Where lines leave each other: the beginning of each, from one pass over the events of every branch
#
# A log may have thousands of branches. While a branch is read, the state is stored at each event where
# another one leaves; nothing is folded twice.

Place = tuple[str, int]
"""The stream that contains an event, and its position."""

KEPT = 20_000
"""Most events of parents after a branching point that are cached; branches that leave at one place share
them.
"""


class Forks:
    """The branches of a log in order of creation, parents first, and where each leaves its parent."""

    def __init__(self, store: Store) -> None:
        """Find where branches leave. O(branches)."""
        self.branches = store.branches()
        self._store = store
        self._places: dict[str, Place] = {}
        known: dict[str, Branch] = {}
        for branch in self.branches:
            self._places[branch.name] = self._place(known, branch)
            known[branch.name] = branch
        self._awaited = Counter(self._places.values())
        self._begun: dict[Place, Begun] = {}
        self._told: dict[Place, BranchContents] = {}
        self._kept = 0

    def _place(self, known: dict[str, Branch], branch: Branch) -> Place:
        """Return where a branch leaves. Raises BrokenLog if the place is invalid."""
        name, at = branch.parent, branch.at
        while name and at:
            parent = known.get(name)
            if parent is None:
                raise BrokenLog(branch.name, branch.at, f"it left {name!r}, which was not a branch then")
            if at > parent.at:
                return name, at
            if at == parent.at:
                return self._places[name]
            name = parent.parent
        return "", 0

    def begun(self, branch: Branch) -> Begun:
        """Return the state where a branch begins; called once for each branch, in order."""
        place = self._places[branch.name]
        if not place[1]:
            return Begun(Encounter(), Tally())
        begun = self._begun.get(place)
        if begun is None:
            raise BrokenLog(branch.name, branch.at, f"it left {place[0]}#{place[1]}, which is not an event")
        self._awaited[place] -= 1
        if not self._awaited[place]:
            del self._begun[place]
        return begun

    def leave(self, event: Event, state: Encounter, tally: Tally, group: list[tuple[Event, object]]) -> None:
        """Store the state after an event, if a branch leaves there."""
        place = event.stream, event.seq
        if place in self._awaited:
            self._begun[place] = Begun(duplicate(state), tally.copy(), tuple(group))

    def parting(self, branch: Branch, base: Encounter) -> str:
        """Return in one sentence how a branch differs from its parent; `base` is the common state."""
        place = branch.parent, branch.at
        told = self._told.get(place)
        if told is None:
            told = get_contents_after(self._store, branch.parent, branch.at, base)
            self._told[place] = told
            self._kept += len(told.events) + 1
            while self._kept > KEPT and len(self._told) > 1:
                self._kept -= len(self._told.pop(next(iter(self._told))).events) + 1
        own = get_contents_after(self._store, branch.name, branch.at, base)
        names = branch.parent, branch.name
        return compared(base, names, branch.at, told, own).sentence


FORMAT = 1


class Own(Struct):
    """A branch and the frames of its own events, the first one being event `at` + 1.

    `luck` audits the dice of the whole line; `merged` lists the branches that it was merged from, if it was.
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
    """A contested rule that matters in the fight, and its readings by name."""

    option: str
    title: str
    question: str
    rules: tuple[str, ...]
    readings: dict[str, str]
    default: str


class Frames(Struct):
    """All data in the page besides the log. `shapes` are threatened squares around the anchor (0, 0)."""

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
    """The win chances along one of the lines; None if they were not calculated."""
    pivots: Pivots | None = None
    """The single changes that would have changed an outcome on one of the lines; None if they were not
    requested.
    """
    picture: Underlay | None = None
    """The picture under the map; None for none."""
    odds: dict[str, list[RollNote]] = {}
    """The odds of each outcome, by branch; empty if they were not requested."""


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
        own = list(_yield_own_frames(line, store.read(branch.name, after=branch.at), forks))
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
    """Return the cited rules as the fight's catalogue words them, and the contested ones among them."""
    book = book_of(state)
    if book is None:
        return {}, []
    cited = dict.fromkeys(rules)
    return {id: _wording(book, id) for id in cited if id in book}, list(_contested(book, state, cited))


def everybody(store: Store) -> Cast:
    """Return the names and letters of all combatants that enter on any branch. O(events), few of them
    decoded.
    """
    cast = Cast()
    for event in store.read_all():
        if event.type in INTRODUCING:
            fact: EncounterOpened | CombatantEntered = decode(event)
            if isinstance(fact, EncounterOpened) or fact.id not in cast.letters:
                cast.follow(fact)
    return cast


def _yield_own_frames(line: FramedLine, events: Iterable[Event], forks: Forks) -> Iterator[Frame]:
    """Yield the frame of each event of a branch, and store the state at each fork. Raises BrokenLog."""
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
