"""`affray verify`: is this log what was recorded, and would the rules decide it so again?"""

import sys
from pathlib import Path

import click
import msgspec

from affray.replay.cli.base import as_json, database, on_branch, print_json, reading
from affray.replay.report import Report
from affray.replay.verification import verify as audited

STRIDE = 20_000
"""Events between two signs of life on a terminal."""


@click.command(epilog="Example: affray verify fight.db")
@database
@on_branch
@as_json
def verify(db: Path, branch: str, json: bool) -> None:
    """Check a log: digests, states, dice against the seed, and every decision once more.

    Status 0: all is well; 1: something is not as it should be; 2: cannot tell.
    """
    with reading(db) as store:
        report = audited(store, branch, progress=_progress if sys.stderr.isatty() else None)
    if sys.stderr.isatty() and report.events >= STRIDE:
        click.echo(err=True)
    if json:
        print_json({"ok": report.ok, **_fields(report)})
    else:
        click.echo("\n".join(lines(report)))
    if not report.ok:
        click.get_current_context().exit(1)


def _fields(report: Report) -> dict[str, object]:
    checks = [
        {
            "name": check.name,
            "ok": check.ok,
            "asks": check.asks,
            "count": check.count,
            "problems": check.problems,
            "problem": check.problem,
            "note": check.note,
        }
        for check in report.checks
    ]
    return {"branch": report.branch, "events": report.events, "checks": checks}


def lines(report: Report) -> list[str]:
    """Return the report as people read it: one line a check, problems beneath."""
    told = []
    for check in report.checks:
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
    verdict = "is as it was recorded" if report.ok else "is NOT as it should be"
    told.append(f"{report.branch}: {report.events} events, the log {verdict}")
    return told


def differing(recorded: str, found: str) -> tuple[str, str]:
    """Return two versions of an event reduced to the fields that differ; other texts as they are."""
    try:
        one, other = msgspec.json.decode(recorded), msgspec.json.decode(found)
    except msgspec.DecodeError:
        return recorded, found
    if not isinstance(one, dict) or not isinstance(other, dict) or one.get("type") != other.get("type"):
        return recorded, found
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return tuple(  # type: ignore[return-value]
        f"{one.get('type')} {msgspec.json.encode({name: version.get(name) for name in names}).decode()}"
        for version in (one, other)
    )


def _progress(count: int) -> None:
    if count % STRIDE == 0:
        click.echo(f"\r{count} events", err=True, nl=False)
