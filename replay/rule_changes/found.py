"""What a change of the rules makes of logs: of each, and of all by the rule at which they part."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct, field

from affray.engine.book import Book, dialects

State = Literal[
    "same", "changed", "other rulebook", "does not come out as recorded", "cannot be read", "fails"
]
"""What came of a log; `fails` where the changed rules cannot decide it."""


class Place(Struct, frozen=True):
    """Where a log parts from its record: the event, its round and turn, the declaration.

    `rules` are those cited there, the one that tells it apart first; `before` and `after` what came of it.
    """

    seq: int
    round: int
    turn: int
    declaration: str
    rules: tuple[str, ...]
    before: str
    after: str

    def __str__(self) -> str:
        return f"r{self.round}.t{self.turn} (#{self.seq})" if self.turn else f"r{self.round} (#{self.seq})"


class Fate(Struct, frozen=True):
    """Somebody who lives or dies otherwise, by id and by name."""

    id: str
    name: str


class OneLog(Struct):
    """What a change makes of one log.

    `why` says what keeps it from being decided, and of one that parts what else is to be known. Of a changed
    one `parting` says where, `events`, `rolls` and `declarations` how much is otherwise from there on,
    `others` who stands otherwise at the end, `lives` and `dies` who does so and did not, `won` and `wins` the
    sides that alone stand at the end, "" for none.
    """

    log: str
    state: State
    dialect: str = ""
    name: str = ""
    length: int = 0
    why: str = ""
    parting: Place | None = None
    sentence: str = ""
    events: int = 0
    rolls: int = 0
    declarations: int = 0
    others: list[str] = field(default_factory=list)
    lives: list[Fate] = field(default_factory=list)
    dies: list[Fate] = field(default_factory=list)
    won: str = ""
    wins: str = ""


EXAMPLES = 3
"""So many logs are named for a rule."""
NO_RULE = "no rule is cited"
"""What stands in the place of a rule where none is cited."""


class Group(Struct):
    """The logs that first part where a rule is cited.

    `events` is how many events differ in all of them; `fare` in how many logs somebody stands otherwise at
    the end, `lives` and `dies` how many combatants do so and did not, `turned` in how many logs another side
    stands alone at the end, or none, or one where none did.
    `examples` are the first of them, with where they part.
    """

    rule: str
    title: str
    logs: int = 0
    events: int = 0
    fare: int = 0
    lives: int = 0
    dies: int = 0
    turned: int = 0
    examples: list[tuple[str, Place]] = field(default_factory=list)


class Errata(Struct, dict=True):
    """What a change makes of logs, each in `logs`; `passed_over` counts files in folders that are none.

    `groups` are those that come out otherwise, by the rule at which they first part.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from affray.events import SqliteStore
    >>> from affray.replay import Change, errata, import_notation
    >>> with TemporaryDirectory() as folder:
    ...     with SqliteStore(f"{folder}/gate.db") as store:
    ...         gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    ...     found = errata([folder], Change(figures={"srd35.ac.formula/base": 20}))
    >>> found.count("changed"), found.groups[0].rule
    (1, 'srd35.ac.formula')
    >>> print(found.changed[0].parting.after)
    Brannoc hits Skit with longsword: 27 against armor class 24 (27 reaches 24)
    """

    change: str
    logs: list[OneLog]
    groups: list[Group]
    passed_over: int = 0

    @cached_property
    def changed(self) -> list[OneLog]:
        """Those that come out otherwise."""
        return [one for one in self.logs if one.state == "changed"]

    @cached_property
    def not_judged(self) -> list[OneLog]:
        """Those of which nothing can be said: unreadable, not as recorded, or beyond the changed rules."""
        judged = ("same", "changed", "other rulebook")
        return [one for one in self.logs if one.state not in judged]

    def count(self, state: str) -> int:
        """Return how many logs are in a state."""
        return sum(one.state == state for one in self.logs)


def by_rule(logs: Iterable[OneLog]) -> list[Group]:
    """Return the changed logs by the rule that tells them apart where they first part, most logs first."""
    found: dict[str, Group] = {}
    titles: dict[str, str] = {}
    for one in logs:
        if one.state != "changed" or one.parting is None:
            continue
        rule = next(iter(one.parting.rules), NO_RULE)
        if not titles:
            titles.update(_titles())
        group = found.setdefault(rule, Group(rule, titles.get(rule, "")))
        group.logs += 1
        group.events += one.events
        group.fare += bool(one.others)
        group.lives += len(one.lives)
        group.dies += len(one.dies)
        group.turned += one.won != one.wins
        if len(group.examples) < EXAMPLES:
            group.examples.append((one.log, one.parting))
    return sorted(found.values(), key=lambda group: (-group.logs, group.rule))


def _titles() -> Iterator[tuple[str, str]]:
    for dialect in dialects():
        for rule in Book.load(dialect):
            yield rule.id, rule.title
