"""Checks as people read them: one row each, what is wrong beneath."""

from collections.abc import Iterable
from typing import Any

import msgspec

from affray.events.misfit import Unreadable, read_json
from affray.replay.report import Check


def told_checks(checks: Iterable[Check]) -> list[str]:
    """Return checks as rows, the first problem of each beneath it."""
    told = []
    for check in checks:
        note = f" ({check.note})" if check.note else ""
        mark = "ok    " if check.ok else "BROKEN"
        told.append(f"{mark}  {check.name:<9}  {check.count:>7}  {check.asks}{note}")
        if check.problem is not None:
            more = f" (and {check.problems - 1} more)" if check.problems > 1 else ""
            told.append(f"        {check.problem.stream}#{check.problem.seq}: {check.problem.what}{more}")
            if check.problem.recorded or check.problem.found:
                recorded, found = differing(check.problem.recorded, check.problem.found)
                told.append(f"          recorded: {recorded}")
                told.append(f"          found:    {found}")
    return told


def checks_json(checks: Iterable[Check]) -> list[dict[str, object]]:
    """Return checks for JSON."""
    return [
        {
            "name": check.name,
            "ok": check.ok,
            "asks": check.asks,
            "count": check.count,
            "problems": check.problems,
            "problem": check.problem,
            "note": check.note,
        }
        for check in checks
    ]


MOST_SHOWN = 240
"""So many characters are shown of either version of a difference."""


def differing(recorded: str, found: str) -> tuple[str, str]:
    """Return two versions of an event reduced to what differs, long values cut."""
    try:
        one, other = read_json(recorded), read_json(found)
    except Unreadable:
        return cut(recorded), cut(found)
    if not isinstance(one, dict) or not isinstance(other, dict) or one.get("type") != other.get("type"):
        return cut(recorded), cut(found)
    left, right = apart(one, other)
    kind = one.get("type")
    return (
        cut(f"{kind} {msgspec.json.encode(left).decode()}"),
        cut(f"{kind} {msgspec.json.encode(right).decode()}"),
    )


def apart(one: Any, other: Any) -> tuple[Any, Any]:
    """Return two values without what is the same in both: fields, and parts of lists of one length."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
        pairs = {name: apart(one.get(name), other.get(name)) for name in names}
        return {name: pair[0] for name, pair in pairs.items()}, {
            name: pair[1] for name, pair in pairs.items()
        }
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        both = [apart(a, b) for a, b in zip(one, other, strict=True) if a != b]
        return [pair[0] for pair in both], [pair[1] for pair in both]
    return one, other


def cut(text: str) -> str:
    """Return a text, or as much of it as is shown."""
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."
