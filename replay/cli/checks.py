"""Checks as people read them: one row each, what is wrong beneath."""

from collections.abc import Iterable

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


def differing(recorded: str, found: str) -> tuple[str, str]:
    """Return two versions of an event reduced to the fields that differ; other texts as they are."""
    try:
        one, other = read_json(recorded), read_json(found)
    except Unreadable:
        return recorded, found
    if not isinstance(one, dict) or not isinstance(other, dict) or one.get("type") != other.get("type"):
        return recorded, found
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return tuple(  # type: ignore[return-value]
        f"{one.get('type')} {msgspec.json.encode({name: version.get(name) for name in names}).decode()}"
        for version in (one, other)
    )
