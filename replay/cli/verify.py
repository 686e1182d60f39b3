"""`affray verify`: is this log what was recorded, and would the rules decide it so again?"""

import sys
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from affray.events.envelope import Event
from affray.events.errors import AffrayError, BrokenLog
from affray.events.jsonl import MAX_LINE, import_jsonl
from affray.events.memory import MemoryStore
from affray.events.misfit import Unreadable, read_json
from affray.events.redacted import is_redacted
from affray.events.store import Store
from affray.events.wording import counted
from affray.replay.cli.base import as_json, database, on_branch, reading
from affray.replay.cli.printing import print_json, progress, put, put_all
from affray.replay.redaction import audit_redacted
from affray.replay.report import Check, Report
from affray.replay.sealing import Seal, compared, parse_seal
from affray.replay.verification import verify as audited

MOST_TOLD = 12
"""So many broken lines are listed one by one."""

STRIDE = 20_000
"""Events between two signs of life on a terminal."""


@click.command(epilog="Example: affray verify fight.db")
@database
@on_branch
@click.option("--seal", "sealing", help="Also compare the log with this seal.")
@as_json
def verify(db: Path, branch: str, sealing: str | None, json: bool) -> None:
    """Check a log: digests, states, dice against the seed, and every decision once more.

    All lines of play are checked and those that fail are named; with --branch it is that line alone. DB may
    also be an export in jsonl. In a redacted one what is shown is compared with its digests.

    Status 0: all is well; 1: something is not as it should be; 2: cannot tell.
    """
    seal = parse_seal(sealing) if sealing is not None else None
    if _exported(db):
        with db.open("rb") as file:
            first = file.readline(MAX_LINE)
            file.seek(0)
            if is_redacted(first):
                _redacted(file, seal, branch, json)
                return
            with MemoryStore() as store:
                import_jsonl(file, store)
                report = _report(store, branch, seal)
    else:
        with reading(db) as store:
            report = _report(store, branch, seal)
    if sys.stderr.isatty() and report.events >= STRIDE:
        put(err=True)
    if json:
        print_json({"ok": report.ok, **_fields(report)})
    else:
        put_all(lines(report))
    if not report.ok:
        click.get_current_context().exit(1)


def _exported(path: Path) -> bool:
    """Say whether a file is text that begins like an export."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1) == b"{"


def _report(store: Store, branch: str, seal: Seal | None) -> Report:
    report = audited(store, branch, progress=_progress if sys.stderr.isatty() else None)
    if seal is not None:
        report.checks.append(_sealed(store, branch or seal.branch or report.branch, seal))
    return report


def _sealed(store: Store, branch: str, seal: Seal) -> Check:
    check = Check("seal", "the events are those that were sealed", count=1)
    end = Event(branch, 0, "", 0, 0, 0, "", 0, b"", b"")
    try:
        end = Event(branch, store.head(branch).seq, "", 0, 0, 0, "", 0, b"", b"")
        verdict = compared(store, seal, branch)
    except BrokenLog:
        check.bad(end, "the chain is broken: there is nothing to compare with the seal")
    else:
        if verdict.outcome != "same":
            check.bad(end, verdict.told)
    return check


def _redacted(file: BinaryIO, seal: Seal | None, branch: str, json: bool) -> None:
    """Print what a redacted export shows; leave with 1 if it is not what was sealed."""
    audit = audit_redacted(file, seal)
    if branch and branch != audit.branch:
        raise AffrayError(f"the file holds branch {audit.branch!r}, not {branch!r}")
    ok = audit.verdict.outcome == "same"
    whose = "the seal" if seal is not None else "the seal in the file"
    if json:
        told = {"ok": ok, "branch": audit.branch, "events": audit.events, "hidden": audit.hidden}
        print_json({**told, "seal": str(audit.seal), "outcome": audit.verdict.outcome, "compared": whose})
    else:
        visible = audit.events - audit.hidden
        put(
            f"ok      {audit.branch}: {counted(visible, 'event')} as their digests say, "
            f"{audit.hidden} hidden, no gap"
        )
        put(f"{'ok    ' if ok else 'BROKEN'}  {whose}: {audit.verdict.told}")
        if seal is None:
            put(f"To know that it is the log of the table, compare the seal: {audit.seal}")
    if not ok:
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
    lines = [
        {"branch": line.branch, "ok": line.ok, "events": line.events, "problem": line.problem}
        for line in report.lines
    ]
    return {"branch": report.branch, "events": report.events, "checks": checks, "lines": lines}


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
    told += [
        f"BROKEN  {line.branch}: {line.problem.stream}#{line.problem.seq}: {line.problem.what}"
        for line in [one for one in report.lines if not one.ok][:MOST_TOLD]
        if line.problem is not None and len(report.lines) > 1
    ]
    return [*told, _verdict(report)]


def _verdict(report: Report) -> str:
    """Return the last line: how much was looked at, which lines fail, and what it comes to."""
    verdict = "the log is as it was recorded" if report.ok else "the log is NOT as it should be"
    looked, failing = counted(report.events, "event"), report.failing
    if len(report.lines) < 2:
        return f"{report.branch}: {looked}, {verdict}"
    which = "all good" if report.ok else "each good by itself"
    if failing:
        more = f" and {len(failing) - MOST_TOLD} more" if len(failing) > MOST_TOLD else ""
        which = f"broken {', '.join(failing[:MOST_TOLD])}{more}"
    return f"{len(report.lines)} lines, main line {report.branch}: {looked}, {which}, {verdict}"


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


def _progress(count: int) -> None:
    if count % STRIDE == 0:
        progress(counted(count, "event"))
