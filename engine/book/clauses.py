"""The clauses of rules: the conditions, effects, figures, exceptions and choices that a rule consists of.

Each has the code that plays it and the scenario that notices its absence. They are not loaded in play.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from affray.engine.book.catalogue import data_folder
from affray.events.errors import AffrayError

Kind = Literal["condition", "effect", "figure", "exception", "choice"]
Removal = Literal["", "drop", "invert", "shift", "skip-item"]
KINDS: tuple[str, ...] = get_args(Kind)

FILE = "clauses.jsonl"
"""The file of a dialect: a line per rule, in the order of its catalogue."""


class BadClauses(AffrayError):
    """A file of clauses that cannot be read, or that does not fit the catalogue."""


class Clause(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One clause of a rule, in our words.

    `at` is the code, stage or figure that plays it, `mutate` how it is removed, `scenario` the title of the
    scenario that fails without it. Otherwise `unproven` is the reason why its removal cannot be noticed, or
    `no_effect` why it has no effect on a fight.
    """

    n: int
    kind: Kind
    text: str
    at: str = ""
    mutate: Removal = ""
    scenario: str = ""
    unproven: str = ""
    no_effect: str = ""

    @property
    def state(self) -> str:
        """Return "proven", "unproven", "no effect", or "open" if nothing is said of it yet."""
        if self.scenario:
            return "proven"
        return "unproven" if self.unproven else "no effect" if self.no_effect else "open"


def explain_proof(clause: Clause) -> str:
    """Return what shows that a clause is played: its scenario, or the reason why there is none."""
    if clause.scenario:
        return clause.scenario
    if clause.no_effect:
        return f"no effect on a fight: {clause.no_effect}"
    if clause.unproven:
        return f"no scenario can notice: {clause.unproven}"
    return "no scenario that notices its absence is known yet"


class Clauses(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule with its clauses: a line of the file."""

    rule: str
    clauses: tuple[Clause, ...]


_LINE = msgspec.json.Decoder(Clauses)


def parse_clauses(data: bytes, name: str = FILE) -> dict[str, tuple[Clause, ...]]:
    """Return the clauses of a file by rule. Raises BadClauses naming the line."""
    found: dict[str, tuple[Clause, ...]] = {}
    for number, line in enumerate(data.splitlines(), 1):
        try:
            one = _LINE.decode(line)
        except msgspec.MsgspecError as error:
            raise BadClauses(f"{name}, line {number}: {error}") from None
        if one.rule in found:
            raise BadClauses(f"{name}, line {number}: a second line for {one.rule}")
        if [clause.n for clause in one.clauses] != [*range(1, len(one.clauses) + 1)]:
            raise BadClauses(
                f"{name}, line {number}: the clauses of {one.rule} are not numbered 1, 2, 3, ..."
            )
        found[one.rule] = one.clauses
    return found


@cache
def read_clauses(dialect: str) -> Mapping[str, tuple[Clause, ...]]:
    """Return the clauses of a dialect by rule, none if it states none. Raises BadClauses, UnknownDialect."""
    file = data_folder(dialect) / FILE
    return parse_clauses(file.read_bytes(), f"{dialect}/{FILE}") if file.is_file() else {}


class ClauseCount(Struct, frozen=True):
    """How many clauses there are, how many are proven by a scenario, and what else is said of the others.

    `rules` is the number of rules whose clauses are stated.
    """

    rules: int
    clauses: int
    proven: int
    unproven: int
    no_effect: int
    open: int


def count_clauses(found: Iterable[tuple[Clause, ...]]) -> ClauseCount:
    """Count clauses by what is said of them."""
    rules = list(found)
    states = [clause.state for clauses in rules for clause in clauses]
    return ClauseCount(
        len(rules),
        len(states),
        *(states.count(state) for state in ("proven", "unproven", "no effect", "open")),
    )
