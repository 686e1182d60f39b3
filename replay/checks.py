"""The report of verify: checks, and the first problem of each."""

from msgspec import Struct, field

from affray.events.envelope import Event


class Problem(Struct, frozen=True):
    """A problem: its place, a description, and both versions if there are two."""

    stream: str
    seq: int
    what: str
    recorded: str = ""
    found: str = ""

    def __str__(self) -> str:
        place = f"{self.stream}#{self.seq}: {self.what}"
        return f"{place}: recorded {self.recorded}, found {self.found}" if self.found else place


class Check(Struct):
    """One check of the whole log: how much was checked, and the first problem."""

    name: str
    asks: str
    count: int = 0
    problems: int = 0
    problem: Problem | None = None
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    def add(self, other: "Check") -> None:
        """Add the results of the same check elsewhere; the first problem of all is kept."""
        self.count += other.count
        self.problems += other.problems
        self.problem = self.problem or other.problem
        self.note = self.note or other.note

    def bad(self, event: Event, what: str, recorded: object = "", found: object = "") -> None:
        """Count a problem and keep the first."""
        self.problems += 1
        if self.problem is None:
            self.problem = Problem(event.stream, event.seq, what, str(recorded), str(found))


class Line(Struct, frozen=True):
    """The result of verifying one line of play: the number of its events, and its first problem.

    A line that leaves its parent after a problem has that problem too.
    """

    branch: str
    events: int
    problem: Problem | None = None

    @property
    def ok(self) -> bool:
        """Whether every check passed on the whole line."""
        return self.problem is None


class Report(Struct):
    """The result of verify: on one branch, or on the whole log. `ok` is True if no check found a problem.

    For a whole log `branch` is the main line, `events` counts those of all lines once, and `lines` has the
    result of each branch, in order of creation. For one branch it is the only line. `same_rules` is False if
    another release opened the log, or one whose rulebook has another number of rules.
    """

    branch: str
    events: int
    checks: list[Check] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    same_rules: bool = True

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(check.ok for check in self.checks)

    def __getitem__(self, name: str) -> Check:
        """The check of that name; raises KeyError."""
        return {check.name: check for check in self.checks}[name]

    @property
    def other_rules(self) -> bool:
        """Whether all is as recorded, but by rules that are no longer installed.

        Then today's rules decide differently. A log alone cannot prove that it was not remade with all its
        digests: a seal can.
        """
        return self.otherwise and not self.same_rules

    @property
    def otherwise(self) -> bool:
        """Whether the only problem is that the rules decide differently."""
        return [check.name for check in self.checks if not check.ok] == ["outcomes"]

    @property
    def failing(self) -> list[str]:
        """The names of the lines on which a check found a problem."""
        return [line.branch for line in self.lines if not line.ok]
