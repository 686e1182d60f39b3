"""The working context that resolvers read: state, dialect, map, names of rolls; and the combatants still up.

A dialect is a table of contents, one record for each chapter of its rulebook. There is no chain of
subclasses: it lists every point of every chapter, with shared steps from `affray.engine.rules` by name and
its own functions where its rulebook differs. Two dialects differ exactly where their records do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Final, cast, get_args, get_type_hints

from msgspec import UNSET, MsgspecError, Struct, convert
from msgspec.structs import fields as struct_fields
from msgspec.structs import replace

from affray.engine.book.catalogue import Book
from affray.engine.fight.memory import Each, Memory, Mode, per_company, per_sum, store_for
from affray.engine.grid.battlefield import Battlefield, Square, battlefield, side_between
from affray.engine.modifiers import Tally
from affray.engine.notation.tokens import expected_by
from affray.engine.record.acts import ActSpec, ActValidator, Resolver, heeded
from affray.engine.record.blocks import BlockReader
from affray.engine.record.chapters import (
    Attacks,
    Change,
    Classes,
    ConditionRule,
    Conditions,
    Damage,
    Defense,
    Difficulty,
    Environment,
    Gear,
    Grapple,
    Magic,
    Maneuvers,
    Mounted,
    Movement,
    Opportunity,
    Position,
    Senses,
    Turns,
)
from affray.engine.record.kernel import Kernel
from affray.engine.steps import Refusal
from affray.events.errors import UNNAMED, did_you_mean
from affray.events.facts.acts import Custom
from affray.events.facts.base import Act, Names, Number
from affray.events.facts.base import Path as ActPath
from affray.events.facts.base import Square as ActSquare
from affray.events.facts.combat import Until
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Modifier, Sheet
from affray.events.facts.words import NO_WORDS, ActWords, DialectWords
from affray.events.validation import Unreadable, fitted
from affray.projections.state import Combatant, Encounter, digest, duplicate, restore

# --- The space of combatants on the map, and the rectangle between two of them

Standing = tuple[Square, int, Square]
"""A combatant's anchor, the side of its space in squares, and the extra columns and rows."""

NO_STRETCH: Final = (0, 0)
"""The extra columns and rows of a combatant that does not squeeze."""


def rectangle_between(here: Standing, there: Standing) -> tuple[int, int, int, int]:
    """Return the columns and rows, first and last, within which all lines between two combatants run."""
    ((x, y), space, (wide, high)), ((other_x, other_y), other_space, (other_wide, other_high)) = here, there
    right, other_right = x + space + wide, other_x + other_space + other_wide
    bottom, other_bottom = y + space + high, other_y + other_space + other_high
    # Inlined: min and max are calls, and a fight asks for hundreds of these rectangles.
    return (
        x if x < other_x else other_x,
        y if y < other_y else other_y,
        (right if right > other_right else other_right) - 1,
        (bottom if bottom > other_bottom else other_bottom) - 1,
    )


# --- The map of a fight with its barriers, given which doors are open

WALL: Final = "total"
"""The cover of a barrier that is a wall, or a door."""


def field_of(state: Encounter) -> Battlefield:
    """Return the map as it is now: walls and closed doors separate the squares. O(barriers), and cached."""
    if not state.barriers:
        return battlefield(state.terrain)
    sides = (
        side_between(one.here, one.there)
        for one in state.barriers
        if one.cover == WALL and not (one.door and one.open)
    )
    return battlefield(state.terrain, frozenset(sides))


class Citing:
    """The rules and figures of a catalogue by topic, from a cache in C: every fact cites something."""

    def __init__(self, book: Book, chosen: Mapping[str, str]) -> None:
        self.book = book
        self.readings: Mapping[str, str] = book.precedence.readings(chosen)
        self.rule: Callable[[str], str] = cache(book.topic_id)
        """The id of the rule on a topic, by `rule(topic)`; raises UnknownRule."""
        self.rules: Callable[..., tuple[str, ...]] = cache(
            lambda *topics: tuple(dict.fromkeys(map(self.rule, topics)))
        )
        """The ids of the rules on several topics, each once, by `rules(*topics)`; raises UnknownRule."""
        self.figure: Callable[..., Any] = cache(book.topic_figure)
        """A figure of the rule on a topic, by `figure(topic, *path)`; raises UnknownRule or UnknownFigure."""
        self.modifier: Callable[[str, tuple[str | int, ...], str, str], Modifier] = cache(self._modifier)
        """The modifier whose value and citation come from the rule on a topic.

        By `modifier(topic, path, kind, source)`; raises UnknownRule or UnknownFigure.
        """

    def _modifier(self, topic: str, path: tuple[str | int, ...], kind: str, source: str) -> Modifier:
        rule, _ = self.book.place(topic, *path)
        return Modifier(self.figure(topic, *path), kind, source, rule)


class Chapters(Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """The chapters of a dialect, in the one order that folders, scenarios and docs follow too."""

    turns: Turns
    attacks: Attacks
    defense: Defense
    damage: Damage
    conditions: Conditions
    movement: Movement
    position: Position
    senses: Senses
    opportunity: Opportunity
    maneuvers: Maneuvers
    grapple: Grapple
    magic: Magic
    mounted: Mounted
    gear: Gear
    classes: Classes
    environment: Environment


RECORDED: Final = frozenset(get_args(AnyAct))
"""The types of declarations that are recorded as they are."""

KERNEL: Final = "kernel"
"""The name of the record that every dialect has."""


class NoSheetFields(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a sheet that a dialect declares, if it declares none."""


MOST_SHEETS: Final = 1_000
"""The most sheets whose own fields are kept."""


def _held_by(kind: type[Act]) -> dict[str, str]:
    """Return the fields of a declaration, each with what it holds."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        one.name: HELD.get(hints[one.name], "a word") for one in struct_fields(kind) if one.name != "actor"
    }


HELD: Final[Mapping[object, str]] = {
    bool: "yes or no",
    Number: "a number",
    Names: "names",
    ActSquare: "a square",
    ActSquare | None: "a square",
    Square: "a square",
    Square | None: "a square",
    Number | None: "a number",
    ActPath: "squares",
}
"""What the fields of a declaration hold, by their types."""


class Dialect(Chapters, frozen=True, kw_only=True, dict=True, eq=False):
    """A rule dialect ready for play: its name, its catalogue, its options and its chapters.

    >>> from affray.engine import load
    >>> dialect = load("pf1")
    >>> dialect.name, dialect.title
    ('pf1', 'Pathfinder 1e')
    """

    name: str
    title: str
    book: Book
    options: Mapping[str, str]
    kernel: Kernel
    words: DialectWords = NO_WORDS
    sheet_fields: type[Struct] = NoSheetFields
    blocks: BlockReader | None = None
    difficulty: Callable[[Fight, Sequence[Combatant], Sequence[Combatant]], Difficulty] | None = None

    @property
    def contents(self) -> tuple[str, ...]:
        """Return the names of its records: the chapters, or the kernel for a dialect without chapters."""
        return (KERNEL,) if self.kernel.acts else Chapters.__struct_fields__

    @cached_property
    def recorded_words(self) -> DialectWords:
        """Return the words that a fight of an installed dialect records: its labels, and its acts."""
        acts = {
            name: ActWords(
                self.honours[kind].sentence or f"{{actor}}: {name.partition('.')[2]}", _held_by(kind)
            )
            for name, kind in self.own_acts.items()
        }
        return replace(self.words, title=self.title, acts=acts)

    def custom_of(self, sheet: Sheet) -> Any:
        """Return the dialect's own fields of a sheet. Refuses unknown fields and values of other types."""
        known: dict[int, tuple[Sheet, Struct]] = self._custom
        found = known.get(id(sheet))
        if found is None:
            try:
                made: Struct = fitted(sheet.custom or {}, self.sheet_fields)
            except Unreadable as error:
                raise Refusal(f"{sheet.name}: custom: {error}", self.book.topic_id("encounter")) from None
            if len(known) >= MOST_SHEETS:
                known.clear()
            # Sheets never change; the sheet is held, so that its id is not reused.
            found = known[id(sheet)] = sheet, made
        return found[1]

    @cached_property
    def _custom(self) -> dict[int, tuple[Sheet, Struct]]:
        return {}

    @cached_property
    def honours(self) -> Mapping[type[Act], ActSpec]:
        """Return every declaration that the dialect knows, with its resolver and the fields that it
        supports.
        """
        return {kind: spec for name in self.contents for kind, spec in getattr(self, name).acts.items()}

    @cached_property
    def own_acts(self) -> Mapping[str, type[Act]]:
        """Return the declarations that only this dialect knows, by name: "oldschool.parley"."""
        tags = {str(kind.__struct_config__.tag): kind for kind in self.honours}
        return {tag: kind for tag, kind in tags.items() if kind not in RECORDED}

    def recorded(self, act: Act) -> AnyAct:
        """Return a declaration as it is recorded: the dialect's own in the form that reads without it."""
        name = str(act.__struct_config__.tag)
        if name not in self.own_acts:
            return cast(AnyAct, act)
        usual = {one.name: one.default for one in struct_fields(type(act))}
        said = {one: value for one in usual if (value := getattr(act, one)) != usual[one]}
        said.pop("actor", None)
        return Custom(actor=act.actor, name=name, fields=said)

    def understood(self, act: Act) -> Act:
        """Return a recorded declaration as the rules read it. Refuses one that the dialect does not know."""
        if not isinstance(act, Custom):
            return act
        kind = self.own_acts.get(act.name)
        if kind is None:
            reason = f"{self.name} knows no {act.name!r}{did_you_mean(act.name, self.own_acts)}"
            raise Refusal(reason, self.book.topic_id("encounter"))
        values = {**act.fields, "actor": act.actor}
        try:
            return convert(values, kind)
        except (MsgspecError, RecursionError) as error:
            expected, found = expected_by(error, values, kind, repr(act.name))
            reason = f"expected {expected}{f', found {found}' if found else ''}"
            raise Refusal(reason, self.book.topic_id(self.honours[kind].rule or "encounter")) from None

    @cached_property
    def acts(self) -> Mapping[type[Act], Resolver]:
        """Return every declaration that the dialect knows, with its resolver wrapped in the rules around
        it.
        """
        found = {kind: honours.resolver for kind, honours in self.honours.items()}
        for around in self.kernel.around:
            found.update({kind: around.carrying(found[kind]) for kind in around.acts})
        return found

    @cached_property
    def heeded(self) -> Mapping[type[Struct], ActValidator]:
        """Return the fields to check in each type of declaration before it is carried out."""
        return heeded(self.honours, self)

    def citing(self, options: Mapping[str, str], defaults: int) -> Citing:
        """Return the rules and figures in force for an encounter with these options.

        `defaults` is the number of the default readings that its opening records.
        """
        made: dict[tuple[tuple[str, str], ...], Citing] = self._citing
        chosen = self.book.chosen(options if self.book.precedence.said.exceptions else {}, defaults)
        key = tuple(sorted(chosen.items()))
        if key not in made:
            made[key] = Citing(self.book.under(dict(key)), dict(key))
        return made[key]

    @cached_property
    def _citing(self) -> dict[tuple[tuple[str, str], ...], Citing]:
        return {}

    @cached_property
    def memories(self) -> dict[object, Any]:
        """Return the caches shared by all fights of this dialect (see `memory.py`)."""
        return {}

    @cached_property
    def forbids(self) -> Callable[[type[Act]], Callable[..., None]]:
        """Return the prohibition of a type of declaration: `forbids(type(act))(fight, actor, act)`."""
        of_any = self.kernel.prohibitions
        found: Callable[[type[Act]], Callable[..., None]] = getattr(of_any, "about_act", lambda kind: of_any)
        return found


class Paced(Struct, frozen=True, gc=False):
    """A path that a rule has checked: its cost in feet, the most feet available, and the kind of movement."""

    feet: int
    most: int
    how: str


class Fight:
    """One fight as the rules see it.

    Resolvers read `state` and never write it: they yield facts, which the runner applies. `rule`, `figure`
    and `modifier` take topics ("charge.attack") and answer with the dialect's own rule ids and figures, so
    that a number and its citation always come from the same entry. Answers are cached, checked or not cached,
    by `memory` (`kept.Mode`), with the same results.
    """

    def __init__(self, state: Encounter, dialect: Dialect, memory: Mode | bool = True) -> None:
        self.state = state
        self.dialect = dialect
        citing = dialect.citing(state.options, state.defaults)
        self.rule: Callable[[str], str] = citing.rule
        """The id of the dialect's rule on a topic, the one in force if there are an old and a new one."""
        self.figure: Callable[..., Any] = citing.figure
        """A figure of the dialect's rule on a topic, by topic and path."""
        self.rules: Callable[..., tuple[str, ...]] = citing.rules
        """The ids of the rules on several topics, each once."""
        self.modified = citing.modifier
        self.book: Book = citing.book
        self.readings = citing.readings
        """Every contested option with the reading that applies if the encounter names none."""
        self.declaration = ""
        self.seed = ""
        self.readied = ""
        self.doing: Act | None = None
        """The act in progress: the declaration, or the act readied for it; None in a reaction."""
        self.used_before: Mapping[str, int] = {}
        """The resources that its actor had used up when it began: each use makes a new mapping of them."""
        self.scope = ""
        self.roller = ""
        """The combatant for which dice are being rolled; "" for the game master."""
        self.paced: Paced | None = None
        """The cost of the path that was checked last, and the most feet available."""
        self.counts: dict[str, int] = {}
        """How often each of the declaration's names for rolls and choices was given; new with each one."""
        self.digest: Callable[[Encounter], str] = digest
        """The digest of the state given by facts; one that is always "" where no facts are reported."""
        self.memory = Memory(self, store_for(memory, bool(state.packages)))
        """The cached answers that are still valid."""

    @cached_property
    def field(self) -> Battlefield:
        """Return the map; it is built once, and again when a door has been moved."""
        return field_of(self.state)

    def apart(self) -> Fight:
        """Return a fight in the same state that shares nothing mutable with this one.

        O(combatants).
        """
        made = Fight(duplicate(self.state), self.dialect)
        made.declaration, made.scope, made.counts = self.declaration, self.scope, dict(self.counts)
        made.doing, made.readied, made.roller = self.doing, self.readied, self.roller
        return made

    def begin_again(self, start: Encounter) -> None:
        """Put everything back to the state `start`, with which this fight was made.

        Its records stay the same objects, so that the caches of the first scene are still valid.
        """
        if self.state.barriers is not start.barriers:  # a door was moved
            vars(self).pop("field", None)
        restore(self.state, start)
        self.memory.begin_again()
        self.readied = ""

    def key(self, combatant_id: str, purpose: str) -> str:
        """Return the next key for a roll or choice: declaration/actor or scope/purpose/ordinal."""
        prefix = f"{self.declaration}/{self.scope or combatant_id}/{purpose}/"
        counts = self.counts
        count = counts[prefix] = counts[prefix] + 1 if prefix in counts else 1
        return f"{prefix}{count}"

    def combatant(self, id: str, rule: str = "") -> Combatant:
        """Return a combatant by id. Refuses an unknown one."""
        try:
            return self.state.combatants[id]
        except KeyError:
            # A combatant that names no other does not mean itself.
            own = self.doing.actor if not id and self.doing is not None else ""
            meant = did_you_mean(id, (one for one in self.state.combatants if one != own))
        if not id:
            raise Refusal(f"{NOBODY}{meant}", rule or self.rule("encounter"))
        raise Refusal(f"there is no combatant {id!r} in this fight{meant}", rule or self.rule("encounter"))

    def option(self, name: str) -> str:
        """Return the reading in force for a contested rule or house rule of the dialect."""
        chosen = self.state.options.get(name)
        return chosen if chosen is not None else self.readings[name]

    def formula(self, topic: str, *path: str | int) -> int:
        """Return the number that a figure such as "15 + spell level" begins with."""
        figure = self.figure(topic, *path)
        return figure if isinstance(figure, int) else int(str(figure).split()[0])

    def modifier(self, topic: str, *path: str | int, kind: str, source: str) -> Modifier:
        """Return a modifier whose value and citation both come from the rule on `topic`."""
        return self.modified(topic, path, kind, source)

    @per_sum(Each("parts"))
    def stack(self, parts: Sequence[Modifier]) -> Tally:
        """Return the dialect's sum of `parts`; identical modifiers are added up only once.

        A sum depends on its parts and the options in force, and a fight keeps its options.
        """
        return self.dialect.kernel.stack(self, parts)

    @per_company("of.side")
    def enemies(self, of: Combatant) -> list[Combatant]:
        """Return the combatants on other sides, in order of entry."""
        return [other for other in self.state.combatants.values() if other.side != of.side]

    def allies(self, of: Combatant) -> list[Combatant]:
        """Return the other combatants of the same side, in order of entry."""
        return [c for c in self.state.combatants.values() if c.side == of.side and c.id != of.id]


@per_company()
def is_marked(fight: Fight) -> bool:
    """Return whether any combatant has a condition or an effect."""
    return any([one.conditions or one.effects for one in fight.state.combatants.values()])


@per_company()
def has_effects(fight: Fight) -> bool:
    """Return whether any combatant has an effect."""
    return any([one.effects for one in fight.state.combatants.values()])


#: The moment of everything that lasts until a count of the initiative.
COUNTED = ("count", "")


@per_company()
def moments_of_expiry(fight: Fight) -> frozenset[tuple[str, str]]:
    """Return the moments until which conditions and effects last: which, and in whose turn, or `COUNTED`."""
    untils: list[Until] = []
    for one in fight.state.combatants.values():
        if one.conditions or one.effects:
            untils += [condition.until for condition in one.conditions.values()]
            untils += [effect.until for effect in one.effects]
    return frozenset([(until.when, until.who) if until.count is UNSET else COUNTED for until in untils])


NOBODY: Final = f"nobody {UNNAMED}"
"""The reason for refusing a declaration without a required combatant."""

_UNKNOWN = ConditionRule("")


def rule_of(fight: Fight, condition: str) -> ConditionRule:
    """Return the dialect's rule of a condition; an unknown condition has no effect."""
    return fight.dialect.kernel.conditions.get(condition, _UNKNOWN)


def condition_changes(fight: Fight, combatant: Combatant, *stats: str) -> Iterator[tuple[str, Change, str]]:
    """Yield the changes by conditions in one of `stats`: the condition, the change, why it does not count.

    The same figure of the same rule, reached through several conditions, counts once (helpless: paralyzed,
    bound and dying alike), and a condition does not count in addition to a greater one that includes it.
    Changes per level, or declared several times, add up.
    """
    conditions = combatant.conditions
    counted: dict[tuple[str, str, tuple[str | int, ...]], str] = {}
    for name in conditions:
        rule = rule_of(fight, name)
        for change in rule.changes:
            if change.stat not in stats or not change_holds(fight, change):
                continue
            denied = ""
            if len(conditions) > 1:
                greater = next((one for one in rule.part_of if one in conditions), "")
                if greater:
                    denied = f"part of being {greater} ({fight.rule(rule_of(fight, greater).topic)})"
                elif not (change.each or change.apart):
                    figure = (change.stat, *fight.book.place(change.topic, *change.path))
                    other = counted.setdefault(figure, name)
                    if other != name:
                        denied = f"counts once, for {other} ({figure[1]})"
            yield name, change, denied


def change_holds(fight: Fight, change: Change) -> bool:
    """Return whether a change applies under the readings in force."""
    return change.only is None or fight.option(change.only[0]) == change.only[1]


def is_helpless(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is helpless."""
    return any(rule_of(fight, name).helpless for name in combatant.conditions)


def leaves_nothing(fight: Fight, condition: str) -> bool:
    """Return whether a condition leaves no act; purely mental acts are left to the prohibitions."""
    rule = rule_of(fight, condition)
    return (fight.figure(rule.topic, rule.budget) if rule.budget else rule.actions) in (0, "none")


def is_down(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is out of the fight: unconscious, dying, dead."""
    if combatant.conditions:
        known = fight.dialect.kernel.conditions
        for name in combatant.conditions:
            rule = known.get(name, _UNKNOWN)
            if rule.down:
                return True
    return False
