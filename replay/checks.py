"""What verify reports: checks, and the first problem of each."""

from msgspec import Struct, field

from affray.events.envelope import Event


class Problem(Struct, frozen=True):
    """Something that is not as it should be: where, what, and both versions where there are two."""

    stream: str
    seq: int
    what: str
    recorded: str = ""
    found: str = ""

    def __str__(self) -> str:
        place = f"{self.stream}#{self.seq}: {self.what}"
        return f"{place}: recorded {self.recorded}, found {self.found}" if self.found else place


class Check(Struct):
    """One question put to the whole log: how much was looked at, and the first problem."""

    name: str
    asks: str
    count: int = 0
    problems: int = 0
    problem: Problem | None = None
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.problems

    def add(self, other: "Check") -> None:
        """Count what the same question found elsewhere; the first problem of all is kept."""
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
    """What verify found on one line of play: the events from its first to its last, and its first problem.

    A line that leaves its parent behind a problem has that problem too.
    """

    branch: str
    events: int
    problem: Problem | None = None

    @property
    def ok(self) -> bool:
        """Whether every check passed on the whole line."""
        return self.problem is None


class Report(Struct):
    """What verify found: on one branch, or on the whole log. `ok` is True when no check found a problem.

    Of a whole log `branch` is the main line, `events` counts those of all lines once, and `lines` says of
    each branch, in order of creation, how it stands. Of one branch it is the only line. `same_rules` is False
    where another release opened the log, or one whose rulebook has another number of rules.
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
        """Whether all is as it was recorded, and what it names as its rules stands here no longer.

        Then the rules of today decide something otherwise; by itself a log cannot show that it was not made
        anew with all its digests: a seal can.
        """
        return self.otherwise and not self.same_rules

    @property
    def otherwise(self) -> bool:
        """Whether nothing is wrong but that the rules decide something otherwise."""
        return [check.name for check in self.checks if not check.ok] == ["outcomes"]

    @property
    def failing(self) -> list[str]:
        """The names of the lines on which a check found a problem."""
        return [line.branch for line in self.lines if not line.ok]
