"""A dialect: a table of contents, one record for each chapter of its rulebook.

There is no chain of subclasses. A dialect lists every point of every chapter, taking shared steps from
`affray.engine.rules` by name and its own where its rulebook differs. Two dialects differ exactly where their
records do.
"""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from msgspec import Struct

from affray.engine.book.catalogue import Book
from affray.engine.record.acts import Heeded, Honours, heeded
from affray.engine.record.attacks import Attacks
from affray.engine.record.classes import Classes
from affray.engine.record.conditions import Conditions
from affray.engine.record.context import Resolver
from affray.engine.record.damage import Damage
from affray.engine.record.defense import Defense
from affray.engine.record.environment import Environment
from affray.engine.record.gear import Gear
from affray.engine.record.grapple import Grapple
from affray.engine.record.magic import Magic
from affray.engine.record.maneuvers import Maneuvers
from affray.engine.record.mounted import Mounted
from affray.engine.record.movement import Movement
from affray.engine.record.opportunity import Opportunity
from affray.engine.record.position import Position
from affray.engine.record.senses import Senses
from affray.engine.record.turns import MARKED, PAIRED, Refuse, Turns
from affray.events.facts.acts import Act
from affray.events.facts.modifier import Modifier


class Chapters(Struct, frozen=True, kw_only=True, dict=True):
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


class Dialect(Chapters, frozen=True, kw_only=True, dict=True):
    """A rule dialect ready for play: its name, its catalogue, its options and its chapters."""

    name: str
    title: str
    book: Book
    options: Mapping[str, str]

    @cached_property
    def honours(self) -> Mapping[type[Act], Honours]:
        """Every declaration that the dialect knows, with its resolver and the fields that it honours."""
        return {
            kind: honours
            for chapter in Chapters.__struct_fields__
            for kind, honours in getattr(self, chapter).acts.items()
        }

    @cached_property
    def acts(self) -> Mapping[type[Act], Resolver]:
        """Every declaration that the dialect knows, with its resolver and what goes on around it."""
        found = {kind: honours.resolver for kind, honours in self.honours.items()}
        for around in self.turns.around:
            found.update({kind: around.carrying(found[kind]) for kind in around.acts})
        return found

    @cached_property
    def heeded(self) -> Mapping[type[Struct], Heeded]:
        """What is looked at in each type of declaration before it is carried out."""
        return heeded(self.honours, self)

    @cached_property
    def checks_of(self) -> Callable[[type[Act], bool, bool, bool], tuple[tuple[str, Refuse], ...]]:
        """The prohibitions that may concern a type of declaration, each with the condition to ask for still.

        `checks_of(kind, marked, paired, own)`: those for which something has to last on anybody only if it
        does (`marked`), those about riders and mounts only for one (`paired`), those that ask for a condition
        of the actor's only if it has its `own`.
        """

        def found(kind: type[Act], marked: bool, paired: bool, own: bool) -> tuple[tuple[str, Refuse], ...]:
            met = {"": True, MARKED: marked, PAIRED: paired}
            return tuple(
                ("" if check.condition in met else check.condition, check.refuse)
                for check in self.turns.prohibitions
                if (not check.acts or kind in check.acts) and met.get(check.condition, own)
            )

        return cache(found)

    # What follows answers from a cache in C: every fact of every fight cites something.

    @cached_property
    def rule(self) -> Callable[[str], str]:
        """The id of the rule on a topic, by `rule(topic)`; raises UnknownRule."""
        return cache(self.book.topic_id)

    @cached_property
    def rules(self) -> Callable[..., tuple[str, ...]]:
        """The ids of the rules on several topics, each once, by `rules(*topics)`; raises UnknownRule."""
        return cache(lambda *topics: tuple(dict.fromkeys(map(self.rule, topics))))

    @cached_property
    def figure(self) -> Callable[..., Any]:
        """A figure of the rule on a topic, by `figure(topic, *path)`; raises UnknownRule or UnknownFigure."""

        def found(topic: str, *path: str | int) -> Any:
            rule, place = self.book.place(topic, *path)
            return self.book.figure(rule, *place)

        return cache(found)

    @cached_property
    def modifier(self) -> Callable[[str, tuple[str | int, ...], str, str], Modifier]:
        """The modifier whose value and citation come from the rule on a topic.

        By `modifier(topic, path, kind, source)`; raises UnknownRule or UnknownFigure.
        """

        def found(topic: str, path: tuple[str | int, ...], kind: str, source: str) -> Modifier:
            rule, _ = self.book.place(topic, *path)
            return Modifier(self.figure(topic, *path), kind, source, rule)

        return cache(found)
