"""`affray verify`: is this log what was recorded, and would the rules decide it so again?"""

import sys
from pathlib import Path
from typing import Any, BinaryIO

import click
import msgspec

from affray.events.envelope import Event
from affray.events.errors import AffrayError, BrokenLog
from affray.events.jsonl import MAX_LINE, import_jsonl
from affray.events.memory import MemoryStore
from affray.events.redacted import is_redacted
from affray.events.store import Store
from affray.events.wording import counted
from affray.replay.campaign.follow import Followed, Following, follow_back
from affray.replay.campaign.logs import Logs, logs_at
from affray.replay.campaign.origins import comes_from_elsewhere
from affray.replay.cli.base import LOG, as_json, database, on_branch, reading
from affray.replay.cli.checks import checks_json, told_checks
from affray.replay.cli.holding import is_exported
from affray.replay.cli.printing import print_json, progress, put, put_all
from affray.replay.cli.reckoned import Asked, seals_json, told_seals
from affray.replay.cli.signing import revoked_option, signers_option
from affray.replay.held import held, held_copy
from affray.replay.redaction import audit_redacted
from affray.replay.report import Check, Report
from affray.replay.sealing import Seal, compared, parse_seal
from affray.replay.verification import verify as audited
from affray.replay.witness.file import is_witness
from affray.replay.witness.reckoning import Reckoning

MOST_TOLD = 12
"""So many broken lines are listed one by one."""

STRIDE = 20_000
"""Events between two signs of life on a terminal."""


EXAMPLES = """\b
Examples:
  affray verify fight.db
  affray verify players.jsonl --seal SEAL
  affray verify tower.db --with bridge.db --with ford.db
  affray verify fight.db --witness table.witness --signers allowed_signers
  affray verify table.witness --signers allowed_signers --signed-by alex"""


@click.command(epilog=EXAMPLES)
@database
@on_branch
@click.option(
    "--with",
    "beside",
    metavar="LOG",
    multiple=True,
    type=LOG,
    help="Follow those who come from other fights into these logs, or a folder of logs.",
)
@click.option("--seal", "sealing", help="Also compare the log with this seal.")
@click.option("--witness", type=click.Path(path_type=Path), help="Also check the signed seals of this file.")
@signers_option
@revoked_option
@click.option("--signed-by", "expected", multiple=True, help="Who must have signed the newest seal.")
@as_json
def verify(
    db: Path,
    branch: str,
    beside: tuple[Path, ...],
    sealing: str | None,
    witness: Path | None,
    signers: Path | None,
    revoked: Path | None,
    expected: tuple[str, ...],
    json: bool,
) -> None:
    """Check a log: digests, states, dice against the seed, and every decision once more.

    All lines of play are checked and those that fail are named; with --branch it is that line alone. DB may
    also be an export in jsonl. In a redacted one what is shown is compared with its digests.

    Whoever was carried here from another fight (affray carry) is followed into the logs --with, which are
    verified too, and on from there: what entered must be what left, field by field.

    With --witness every seal in a witness file is compared with the log, with the one before and with its
    signatures, and who signed what is listed. DB may be a witness file itself, checked without a log.

    Status 0: all is well; 1: something is not as it should be; 2: cannot tell.
    """
    seal = parse_seal(sealing) if sealing is not None else None
    first = _first_line(db)
    if alone := witness is None and is_witness(first):
        witness = db
    asked = None if witness is None else Asked(witness, signers, revoked, expected)
    if asked is None and (signers is not None or revoked is not None or expected):
        raise click.UsageError("--signers, --revoked and --signed-by go with --witness")
    if asked is not None and alone:
        if seal is not None or branch or beside:
            raise click.UsageError("of a witness file alone: neither --seal nor --branch nor --with")
        _reckoned(asked.answered(None), json)
        return
    if is_redacted(first):
        if beside:
            raise click.UsageError(
                "a redacted copy has not all events: nobody is followed out of it (--with)"
            )
        with db.open("rb") as file:
            _redacted(file, seal, branch, asked, json)
        return
    logs = logs_at(beside)
    if first:
        with db.open("rb") as file, MemoryStore() as store:
            import_jsonl(file, store)
            report, found = _report(store, branch, seal, asked)
            way = _way(store, report, logs, str(db), branch)
    else:
        with reading(db) as store:
            report, found = _report(store, branch, seal, asked)
            way = _way(store, report, logs, str(db), branch)
    if sys.stderr.isatty() and report.events >= STRIDE:
        put(err=True)
    if json:
        print_json(
            {
                "ok": report.ok,
                **_fields(report),
                **({} if found is None else {"witness": seals_json(found)}),
                **({} if way is None else {"followed": [_followed(one) for one in way.followed]}),
                **({"unread": logs.unread} if logs.unread else {}),
            }
        )
    else:
        ways = [] if way is None else list(map(str, way.followed))
        put_all([*([] if found is None else told_seals(found)), *ways, *lines(report)])
        if beside and way is None and report["chain"].ok:
            put("nobody came here from another fight: there is nobody to follow (--with)", err=True)
        for name, why in logs.unread.items():
            put(f"{name}: passed over: {why}", err=True)
    if not report.ok:
        click.get_current_context().exit(1)


def _way(store: Store, report: Report, logs: Logs, name: str, branch: str) -> Following | None:
    """Follow those who come from other fights, and add what was found to the report; None if nobody does."""
    if not report["chain"].ok or not comes_from_elsewhere(store):
        return None
    found = follow_back(store, logs, name, branch, progress=_progress if sys.stderr.isatty() else None)
    report.checks += [check for check in found.checks if check.count]
    return found


def _followed(one: Followed) -> dict[str, object]:
    return {**msgspec.structs.asdict(one), "ok": one.ok}


def _first_line(path: Path) -> bytes:
    """Return the first line of a file of text that begins like an export; nothing of another one."""
    if not is_exported(path):
        return b""
    with path.open("rb") as file:
        return file.readline(MAX_LINE)


def _reckoned(found: Reckoning, json: bool) -> None:
    """Print what a witness file shows by itself; leave with 1 if it is not as it should be."""
    if json:
        print_json({"ok": found.ok, "checks": checks_json(found.checks), "witness": seals_json(found)})
    else:
        verdict = "the witness file hangs together" if found.ok else "the witness file is NOT as it should be"
        put_all([*told_seals(found), *told_checks(found.checks), verdict])
    if not found.ok:
        click.get_current_context().exit(1)


def _report(
    store: Store, branch: str, seal: Seal | None, asked: Asked | None
) -> tuple[Report, Reckoning | None]:
    report = audited(store, branch, progress=_progress if sys.stderr.isatty() else None)
    if seal is not None:
        report.checks.append(_sealed(store, branch or seal.branch or report.branch, seal))
    found = None
    if asked is not None:
        try:
            found = asked.answered(held(store))
        except BrokenLog:
            found = asked.answered(None)
            found.checks[0].note = "not compared with the log, whose chain is broken"
        report.checks += found.checks
    return report, found


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


def _redacted(file: BinaryIO, seal: Seal | None, branch: str, asked: Asked | None, json: bool) -> None:
    """Print what a redacted export shows; leave with 1 if it is not what was sealed."""
    audit = audit_redacted(file, seal)
    found = None
    if asked is not None:
        file.seek(0)
        found = asked.answered(held_copy(file))
    if branch and branch != audit.branch:
        raise AffrayError(f"the file holds branch {audit.branch!r}, not {branch!r}")
    ok = audit.verdict.outcome == "same"
    good = ok and (found is None or found.ok)
    whose = "the seal" if seal is not None else "the seal in the file"
    if json:
        told: dict[str, Any] = {
            "ok": good,
            "branch": audit.branch,
            "events": audit.events,
            "hidden": audit.hidden,
        }
        if found is not None:
            told |= {"checks": checks_json(found.checks), "witness": seals_json(found)}
        print_json({**told, "seal": str(audit.seal), "outcome": audit.verdict.outcome, "compared": whose})
    else:
        if found is not None:
            put_all([*told_seals(found), *told_checks(found.checks)])
        visible = audit.events - audit.hidden
        put(
            f"ok      {audit.branch}: {counted(visible, 'event')} as their digests say, "
            f"{audit.hidden} hidden, no gap"
        )
        put(f"{'ok    ' if ok else 'BROKEN'}  {whose}: {audit.verdict.told}")
        if seal is None and found is None:
            put(f"To know that it is the log of the table, compare the seal: {audit.seal}")
    if not good:
        click.get_current_context().exit(1)


def _fields(report: Report) -> dict[str, object]:
    lines = [
        {"branch": line.branch, "ok": line.ok, "events": line.events, "problem": line.problem}
        for line in report.lines
    ]
    return {
        "branch": report.branch,
        "events": report.events,
        "checks": checks_json(report.checks),
        "lines": lines,
    }


def lines(report: Report) -> list[str]:
    """Return the report as people read it: one line a check, problems beneath."""
    told = told_checks(report.checks)
    told += [
        f"BROKEN  {line.branch}: {line.problem.stream}#{line.problem.seq}: {line.problem.what}"
        for line in [one for one in report.lines if not one.ok][:MOST_TOLD]
        if line.problem is not None and len(report.lines) > 1
    ]
    if report.otherwise:
        told.append(
            "every event, state and die is as recorded, and the rules decide something otherwise: they have "
            "changed, or the log was made anew; a seal from then (--seal) tells which"
        )
    return [*told, _verdict(report)]


def _verdict(report: Report) -> str:
    """Return the last line: how much was looked at, which lines fail, and what it comes to."""
    verdict = "the log is as it was recorded" if report.ok else "the log is NOT as it should be"
    if report.other_rules:
        verdict = "the log is whole, and other rules decide it today than those it was recorded under"
    looked, failing = counted(report.events, "event"), report.failing
    if len(report.lines) < 2:
        return f"{report.branch}: {looked}, {verdict}"
    which = "all good" if report.ok else "each good by itself"
    if failing:
        more = f" and {len(failing) - MOST_TOLD} more" if len(failing) > MOST_TOLD else ""
        which = f"broken {', '.join(failing[:MOST_TOLD])}{more}"
    return f"{len(report.lines)} lines, main line {report.branch}: {looked}, {which}, {verdict}"


def _progress(count: int) -> None:
    if count % STRIDE == 0:
        progress(counted(count, "event"))
