"""What can go wrong when a rule is looked up."""

from collections.abc import Iterable
from difflib import get_close_matches

from affray.events.errors import AffrayError


def _hint(asked: str, known: Iterable[str]) -> str:
    near = get_close_matches(asked, list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""


class UnknownDialect(AffrayError):
    """No rule catalogue of that name is installed."""

    def __init__(self, dialect: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown dialect {dialect!r}; there are {', '.join(sorted(known))}")
        self.dialect = dialect


class UnknownRule(AffrayError):
    """The catalogue has no rule of that id or topic; the message names the nearest ids."""

    def __init__(self, rule: str, dialect: str, known: Iterable[str]) -> None:
        super().__init__(f"no rule {rule!r} in {dialect}{_hint(rule, known)}")
        self.rule, self.dialect = rule, dialect


class UnknownFigure(AffrayError):
    """The rule has no figure at that path."""

    def __init__(self, rule: str, path: str, known: Iterable[str]) -> None:
        there = ", ".join(known)
        super().__init__(f"rule {rule} has no figure {path!r}; there is {there or 'none'}")
        self.rule, self.path = rule, path


class BadTable(AffrayError):
    """A table that cannot replace one of the dialect: which file, which row, and why, in one line."""


class MissingPackage(AffrayError):
    """A package of a dialect or of house rules is not installed, or not as it was: its name and why."""


class BadPackage(AffrayError):
    """An installed package that offers no dialect and no house rules that can be used: which, and why."""


class BadPrecedence(AffrayError):
    """A tree of rules and exceptions that does not say who wins: which rules, and why."""


class UnknownOption(AffrayError):
    """The dialect has no contested rule of that option name."""

    def __init__(self, option: str, dialect: str, known: Iterable[str]) -> None:
        super().__init__(f"no contested rule {option!r} in {dialect}{_hint(option, known)}")
        self.option, self.dialect = option, dialect


class UnreadOption(AffrayError):
    """No rule of the dialect reads the option yet, so that another reading than the default has no effect."""

    def __init__(self, option: str, dialect: str, awaits: str) -> None:
        super().__init__(f"no rule of {dialect} reads option {option} yet: it does not play {awaits}")
        self.option, self.dialect = option, dialect


class UnreadFigure(AffrayError):
    """A changed figure is one of a rule that another one takes precedence over, and would change nothing."""

    def __init__(self, address: str, in_force: str) -> None:
        super().__init__(f"changing {address} has no effect: {in_force} is in force instead of that rule")
        self.address, self.in_force = address, in_force


class UnknownReading(AffrayError):
    """The contested rule has no reading of that name."""

    def __init__(self, option: str, reading: str, known: Iterable[str]) -> None:
        super().__init__(f"option {option} has no reading {reading!r}; there are {', '.join(known)}")
        self.option, self.reading = option, reading
