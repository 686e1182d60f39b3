"""What stands at a point of which a rulebook says nothing: nothing happens, adds, forbids or is told."""

from typing import Any

from affray.engine.steps import NOTHING, Steps


def nothing(*given: object) -> Steps[None]:
    """Do nothing: the dialect has no rule on it."""
    return NOTHING


def never(*given: object) -> Steps[bool]:
    """Let it not be so, without a roll or a question: the dialect has no rule on it."""
    return False
    yield


def always(*given: object) -> Steps[bool]:
    """Let it be so, without a roll or a question: the dialect has no rule on it."""
    return True
    yield


def nobody(*given: object) -> Steps[str]:
    """Name nobody, without a roll or a question: the dialect has no rule on it."""
    return ""
    yield


def no(*given: object) -> bool:
    """Say that it is not so: the dialect has no rule on it."""
    return False


def yes(*given: object) -> bool:
    """Say that it is so: the dialect has no rule on it."""
    return True


def none(*given: object) -> None:
    """Return that there is none, and refuse nothing: the dialect has no rule on it."""


def no_rules(*given: object, **named: object) -> tuple[Any, ...]:
    """Cite nothing: the dialect has no rule on it."""
    return ()


def no_parts(*given: object) -> list[Any]:
    """Add nothing: the dialect has no rule on it."""
    return []


def no_topic(*given: object) -> str:
    """Return "", for nothing that forbids it: the dialect has no rule on it."""
    return ""


def no_reason(*given: object) -> tuple[str, str]:
    """Return no reason and no topic, for nothing that forbids it: the dialect has no rule on it."""
    return "", ""


def no_points(*given: object) -> int:
    """Return 0: the dialect has no rule on it."""
    return 0
