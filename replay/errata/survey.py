"""Errata: many logs decided again with a change of the rules, and what comes out otherwise, rule by rule."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from msgspec import Struct, field

from affray.engine.book import Book, dialects
from affray.engine.book.from_folder import for_a_while
from affray.replay.errata.change import Change, check_change
from affray.replay.errata.logs import logs_in
from affray.replay.errata.one_log import OneLog, Place, decide
from affray.replay.fan_out import fan_out

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
    """What a change makes of logs, each in `logs`; `passed_over` counts files in folders that are none."""

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


def errata(
    places: Iterable[str | Path],
    change: Change | None = None,
    *,
    branch: str = "",
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Errata:
    """Decide logs again as they were recorded, then with a change, and say what comes out otherwise.

    `places` are logs and folders of logs. Each is read along its main line, or along `branch`; one that does
    not come out again as it was recorded is told apart, so that a difference is the change's own. After the
    first difference the same roll shows the same faces. The logs are only read, and the result is the same
    however many processes (`jobs`) share the work; `progress` is told how many of how many logs are done.

    O(events), some tens of milliseconds for a fight. What is wrong with a log stands in the result. Raises
    BadChange, UnknownFigure, BadPackage and the like for a change that no rulebook knows, AffrayError where
    there is no log.
    """
    change = change if change is not None else Change()
    logs = []
    with for_a_while():
        check_change(change)
        found, passed = logs_in(places)
        for one in fan_out(decide, [(log, branch, change) for log in found], jobs=jobs):
            logs.append(one)
            if progress is not None:
                progress(len(logs), len(found))
    return Errata(str(change), logs, by_rule(logs), passed)


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
