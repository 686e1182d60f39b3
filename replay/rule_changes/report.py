"""What a change of the rules makes of logs: of each, and of all by the rule at which they part."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct, field

from affray.engine.book import Book, dialects
from affray.events.errors import counted
from affray.replay.text.html import framed, strip_markup

State = Literal[
    "same", "changed", "other rulebook", "does not come out as recorded", "cannot be read", "fails"
]
"""What came of a log; `fails` where the changed rules cannot decide it."""


class ChangePlace(Struct, frozen=True):
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


class LogEffects(Struct):
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
    parting: ChangePlace | None = None
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
    examples: list[tuple[str, ChangePlace]] = field(default_factory=list)


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
    logs: list[LogEffects]
    groups: list[Group]
    passed_over: int = 0

    @cached_property
    def changed(self) -> list[LogEffects]:
        """Those that come out otherwise."""
        return [one for one in self.logs if one.state == "changed"]

    @cached_property
    def get_unjudged_logs(self) -> list[LogEffects]:
        """Those of which nothing can be said: unreadable, not as recorded, or beyond the changed rules."""
        judged = ("same", "changed", "other rulebook")
        return [one for one in self.logs if one.state not in judged]

    def count(self, state: str) -> int:
        """Return how many logs are in a state."""
        return sum(one.state == state for one in self.logs)


def by_rule(logs: Iterable[LogEffects]) -> list[Group]:
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


# --- Errata told: in lines for a terminal, and as a page

HEADS = ("logs", "events", "fare", "live", "die", "turned")
MEANING = (
    "fare: logs in which somebody ends otherwise; live, die: combatants who did not before; "
    "turned: logs that another side wins, or none"
)
MOST = 20
"""So many logs are told on a terminal."""


def summary(found: Errata) -> Iterator[str]:
    """Yield in sentences how many logs come out otherwise, and how many cannot tell."""
    said = counted(len(found.logs), "log")
    if not found.change:
        parts = [f"{found.count('same')} as recorded"]
    else:
        parts = [f"{len(found.changed)} otherwise", f"{found.count('same')} the same"]
        if other := found.count("other rulebook"):
            parts.append(f"{other} of another rulebook")
    for state, words in _NOT_JUDGED.items():
        if count := found.count(state):
            parts.append(f"{count} {words}")
    yield f"{found.change or 'Nothing changed'}: {said}: {', '.join(parts)}"
    if found.passed_over:
        yield f"{counted(found.passed_over, 'file')} in the folders that are no logs were passed over"


_NOT_JUDGED = {
    "does not come out as recorded": "not as recorded any more",
    "fails": "cannot be decided",
    "cannot be read": "cannot be read",
}


def yield_errata_lines(found: Errata) -> Iterator[str]:
    """Yield the whole in lines: a table by rule, who fares otherwise, and what could not be judged."""
    yield from summary(found)
    if found.groups:
        wide = max(len("first parts at"), *(len(one.rule) for one in found.groups))
        yield ""
        yield f"{'first parts at':<{wide}}{''.join(f'{head:>8}' for head in HEADS)}  for example"
        for group in found.groups:
            log, place = group.examples[0]
            row = "".join(f"{value:>8}" for value in _counts_of(group))
            yield f"{group.rule:<{wide}}{row}  {log} {place}"
        yield MEANING
    if found.changed:
        # Those with another end first: the others differ on the way there.
        first = sorted(found.changed, key=lambda one: (not any(fares(one)), not one.others))
        yield from ("", "Who fares otherwise")
        for one in first[:MOST]:
            yield f"  {one.log}: {'; '.join(fares(one)) or _otherwise(one)}"
            if one.parting is not None:
                yield f"    {one.parting} {one.parting.before} | {one.parting.after}"
            if one.why:
                yield f"    {one.why}"
        if len(first) > MOST:
            yield f"  and {counted(len(first) - MOST, 'further log')}: all are told with --json and --page"
    if found.get_unjudged_logs:
        yield from ("", "Not counted")
        yield from (f"  {one.log}: {one.state}: {one.why}" for one in found.get_unjudged_logs)


def fares(one: LogEffects) -> Iterator[str]:
    """Yield who lives that died, who dies that lived, and who wins that did not."""
    yield from (f"{who.name} lives who died" for who in one.lives)
    yield from (f"{who.name} dies who lived" for who in one.dies)
    if one.won != one.wins:
        if one.wins and one.won:
            yield f"{one.wins} win in place of {one.won}"
        else:
            yield f"{one.wins} win" if one.wins else f"{one.won} do not win any more"


def _otherwise(one: LogEffects) -> str:
    return (
        f"{', '.join(one.others)} {'ends' if len(one.others) == 1 else 'end'} otherwise"
        if one.others
        else "nobody"
    )


def make_errata_page(found: Errata, rulebook: str = "") -> str:
    """Return the whole as one self-contained HTML file; rules lead into the rulebook at that address."""
    body = [f"<p>{strip_markup(line)}</p>" for line in summary(found)]
    if found.groups:
        heads = "".join(f"<th scope=col>{head}</th>" for head in HEADS)
        rows = "".join(map(_group_row, found.groups))
        body += [
            "<h2>By the rule at which they first part</h2>",
            f"<table><tr><th scope=col style='width:45%'>rule</th>{heads}</tr>{rows}</table>",
            f"<p><small>{MEANING}</small></p>",
        ]
    if found.changed:
        rows = "".join(map(_log_row, found.changed))
        heads = "".join(
            f"<th scope=col>{head}</th>"
            for head in ("log", "who fares otherwise", "as recorded", "with the change")
        )
        body += ["<h2>Log by log</h2>", f"<table><tr>{heads}</tr>{rows}</table>"]
    if found.get_unjudged_logs:
        rows = "".join(
            f"<tr><td>{_broken(one.log)}</td><td>{strip_markup(one.state)}<small>{strip_markup(one.why)}</small></td></tr>"
            for one in found.get_unjudged_logs
        )
        body += ["<h2>Not counted</h2>", f"<table>{rows}</table>"]
    return framed(f"Errata: {found.change or 'as recorded'}", body, rulebook)


def _counts_of(group: Group) -> tuple[int, ...]:
    return group.logs, group.events, group.fare, group.lives, group.dies, group.turned


def _group_row(group: Group) -> str:
    cells = "".join(f"<td>{value}</td>" for value in _counts_of(group))
    examples = "; ".join(f"{log} {place}" for log, place in group.examples)
    about = f"<small>{strip_markup(group.title)}</small><small>{strip_markup(examples)}</small>"
    return f"<tr><td>{strip_markup(group.rule)}{about}</td>{cells}</tr>"


def _log_row(one: LogEffects) -> str:
    place = one.parting
    cells = (
        f"{_broken(one.log)}<small>{strip_markup(str(place) if place else '')}</small>",
        "<br>".join(map(strip_markup, fares(one))) or strip_markup(_otherwise(one)),
        strip_markup(place.before) if place else "",
        (strip_markup(place.after) + f"<small>{strip_markup(', '.join(place.rules))}</small>")
        if place
        else "",
    )
    note = f"<small>{strip_markup(one.why)}</small>" if one.why else ""
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells[:-1])}<td>{cells[-1]}{note}</td></tr>"


def _broken(path: str) -> str:
    """Return a path that may be broken into lines wherever it is wide."""
    return f"<span style='overflow-wrap:anywhere'>{strip_markup(path)}</span>"
