"""`affray verify`, `combine`: check that a log is what was recorded; combine copies of it."""

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from affray.events.envelope import Event
from affray.events.errors import AffrayError, BrokenLog, counted
from affray.events.exports import MAX_LINE, import_jsonl, is_redacted
from affray.events.facts.base import JsonObject
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.events.validation import Unreadable, read_json
from affray.replay.campaign.follow import Followed, Following, follow_back
from affray.replay.campaign.origins import Logs, comes_from_elsewhere, open_logs_at
from affray.replay.checks import Check, Report
from affray.replay.cli.seals import (
    is_exported,
    opened,
    put_witness,
    read_allowed_signers,
    read_bytes,
    read_witness,
    revoked_option,
    signers_option,
)
from affray.replay.cli.terminal.base import LOG, as_json, database, on_branch, reading
from affray.replay.cli.terminal.output import output
from affray.replay.cli.terminal.printing import (
    exit_unless,
    print_found,
    print_json,
    progress,
    put,
    put_all,
    put_unread,
    say,
)
from affray.replay.verification.seals import LogDigests, Seal, compared, get_digests_of_copy, held, parse_seal
from affray.replay.verification.verify import verify as audited
from affray.replay.verification.witness import HEADER, WitnessResult, is_witness, joined, reckon

# --- Checks as printed: one row each, with the problem below it


def yield_check_rows(checks: Iterable[Check]) -> list[str]:
    """Return checks as rows, the first problem of each below it."""
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


def encode_checks(checks: Iterable[Check]) -> list[dict[str, object]]:
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
"""Most characters shown of either version of a difference."""


def differing(recorded: str, found: str) -> tuple[str, str]:
    """Return two versions of an event reduced to their differences, long values shortened."""
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


def apart(one: object, other: object) -> tuple[object, object]:
    """Return two values without their equal parts: fields, and items of lists of equal length."""
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
    """Return a text, shortened if it is too long to show."""
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


# --- `affray verify` on a witness file: who signed which seal, and who did not


class WitnessOptions:
    """The options for a witness file: the file, the allowed signers, and the required signers of the newest
    seal.
    """

    def __init__(
        self, file: Path, signers: Path | None, revoked: Path | None, expected: tuple[str, ...]
    ) -> None:
        """Take the options. Raises UsageError, NoSigners."""
        allowed = read_allowed_signers(signers, revoked)
        if allowed is None:
            raise click.UsageError("checking a witness file needs the keys of its signers: --signers FILE")
        self.file, self.signers, self.expected = file, allowed, expected

    def answered(self, held: LogDigests | None) -> WitnessResult:
        """Return the result for the file, compared with the log if there is one."""
        return reckon(read_bytes(self.file), self.file.name, self.signers, held, self.expected)


def yield_seal_rows(found: WitnessResult) -> list[str]:
    """Return the seals of a file with their signatures, in order."""
    rows = []
    for number, seal in enumerate(found.witness.seals if found.witness is not None else ()):
        was = seal.follows
        how = (
            ""
            if number == 0
            else f", continues event {was.said.seq}"
            if was is not None
            else ", a separate line"
        )
        rows.append(f"seal {number + 1}: {seal.said.seal}{how}")
        for line in seal.lines:
            fault = found.faults.get(line.number, "")
            rows.append(f"        {line.said.when}  {line.said.by}{f'  BROKEN: {fault}' if fault else ''}")
        if missing := found.missing(number):
            rows.append(f"        not signed by {', '.join(missing)}")
    return rows


def encode_seals(found: WitnessResult) -> list[dict[str, object]]:
    """Return the seals of a file with their signatures, for JSON."""
    return [
        {
            "seal": str(seal.said.seal),
            "continues": None if seal.follows is None else str(seal.follows.said.seal),
            "signatures": [
                {
                    "line": line.number,
                    "by": line.said.by,
                    "when": line.said.when,
                    "fault": found.faults.get(line.number, ""),
                }
                for line in seal.lines
            ],
            "missing": found.missing(number),
        }
        for number, seal in enumerate(found.witness.seals if found.witness is not None else ())
    ]


# --- `affray verify`: is this log what was recorded, and would the rules decide it the same again?

MOST_TOLD = 12
"""Most broken lines listed one by one."""

STRIDE = 20_000
"""Events between two progress updates on a terminal."""


VERIFY_EXAMPLES = """\b
Examples:
  affray verify fight.db
  affray verify players.jsonl --seal SEAL
  affray verify tower.db --with bridge.db --with ford.db
  affray verify fight.db --witness table.witness --signers allowed_signers
  affray verify table.witness --signers allowed_signers --signed-by alex"""


@click.command(epilog=VERIFY_EXAMPLES)
@database
@on_branch
@click.option(
    "--with",
    "beside",
    metavar="LOG",
    multiple=True,
    type=LOG,
    help="Follow combatants carried from other fights into these logs, or a folder of logs.",
)
@click.option("--seal", "sealing", help="Also compare the log with this seal.")
@click.option("--witness", type=click.Path(path_type=Path), help="Also check the signed seals in this file.")
@signers_option
@revoked_option
@click.option(
    "--signed-by", "expected", multiple=True, help="A required signer of the newest seal; repeat it."
)
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
    """Check a log: digests, states, dice against the seed, and every decision.

    All lines of play are checked and failing ones are named; with --branch, only that line. DB may also be an
    export in jsonl. In a redacted one, the shown events are compared with their digests.

    Combatants carried here from another fight (affray carry) are followed into the logs of --with, which are
    verified too, and further back: what entered must equal what left, field by field.

    With --witness every seal in a witness file is compared with the log, with the previous seal and with its
    signatures, and the signers are listed. DB may also be a witness file, checked without a log.

    Status 0: all checks pass; 1: a check fails; 2: cannot be decided.
    """
    seal = parse_seal(sealing) if sealing is not None else None
    first = _first_line(db)
    if alone := witness is None and is_witness(first):
        witness = db
    asked = None if witness is None else WitnessOptions(witness, signers, revoked, expected)
    if asked is None and (signers is not None or revoked is not None or expected):
        raise click.UsageError("--signers, --revoked and --signed-by need --witness")
    if asked is not None and alone:
        if seal is not None or branch or beside:
            raise click.UsageError(
                "a witness file without a log takes neither --seal nor --branch nor --with"
            )
        _print_witness_result(asked.answered(None), json)
        return
    if is_redacted(first):
        if beside:
            raise click.UsageError(
                "a redacted copy lacks events: combatants cannot be followed from it (--with)"
            )
        with db.open("rb") as file:
            _redacted(file, seal, branch, asked, json)
        return
    logs = open_logs_at(beside)
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
                **({} if found is None else {"witness": encode_seals(found)}),
                **({} if way is None else {"followed": [_followed(one) for one in way.followed]}),
                **({"unread": logs.unread} if logs.unread else {}),
            }
        )
    else:
        ways = [] if way is None else list(map(str, way.followed))
        put_all([*([] if found is None else yield_seal_rows(found)), *ways, *lines(report)])
        if beside and way is None and report["chain"].ok:
            put("no combatant came here from another fight: there is none to follow (--with)", err=True)
        put_unread(logs.unread)
    exit_unless(report.ok)


def _way(store: Store, report: Report, logs: Logs, name: str, branch: str) -> Following | None:
    """Follow combatants from other fights and add the results to the report; None if there are none."""
    if not report["chain"].ok or not comes_from_elsewhere(store):
        return None
    found = follow_back(store, logs, name, branch, progress=_progress if sys.stderr.isatty() else None)
    report.checks += [check for check in found.checks if check.count]
    return found


def _followed(one: Followed) -> dict[str, object]:
    return {**msgspec.structs.asdict(one), "ok": one.ok}


def _first_line(path: Path) -> bytes:
    """Return the first line of a text file that begins like an export; nothing for another file."""
    if not is_exported(path):
        return b""
    with path.open("rb") as file:
        return file.readline(MAX_LINE)


def _print_witness_result(found: WitnessResult, json: bool) -> None:
    """Print the result for a witness file without a log; exit with 1 if a check fails."""
    verdict = "the witness file is consistent" if found.ok else "the witness file is NOT consistent"
    print_found(
        {"ok": found.ok, "checks": encode_checks(found.checks), "witness": encode_seals(found)},
        [*yield_seal_rows(found), *yield_check_rows(found.checks), verdict],
        json,
    )
    exit_unless(found.ok)


def _report(
    store: Store, branch: str, seal: Seal | None, asked: WitnessOptions | None
) -> tuple[Report, WitnessResult | None]:
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
        check.bad(end, "the chain is broken: the seal cannot be compared")
    else:
        if verdict.outcome != "same":
            check.bad(end, verdict.told)
    return check


def _redacted(
    file: BinaryIO, seal: Seal | None, branch: str, asked: WitnessOptions | None, json: bool
) -> None:
    """Print the result for a redacted export; exit with 1 if it is not what was sealed."""
    from affray.replay.privacy.redaction import audit_redacted

    audit = audit_redacted(file, seal)
    found = None
    if asked is not None:
        file.seek(0)
        found = asked.answered(get_digests_of_copy(file))
    if branch and branch != audit.branch:
        raise AffrayError(f"the file contains branch {audit.branch!r}, not {branch!r}")
    ok = audit.verdict.outcome == "same"
    good = ok and (found is None or found.ok)
    whose = "the seal" if seal is not None else "the seal in the file"
    if json:
        told: JsonObject = {
            "ok": good,
            "branch": audit.branch,
            "events": audit.events,
            "hidden": audit.hidden,
        }
        if found is not None:
            told |= {"checks": encode_checks(found.checks), "witness": encode_seals(found)}
        print_json({**told, "seal": str(audit.seal), "outcome": audit.verdict.outcome, "compared": whose})
    else:
        if found is not None:
            put_all([*yield_seal_rows(found), *yield_check_rows(found.checks)])
        visible = audit.events - audit.hidden
        put(
            f"ok      {audit.branch}: {counted(visible, 'event')} match their digests, "
            f"{audit.hidden} hidden, no gap"
        )
        put(f"{'ok    ' if ok else 'BROKEN'}  {whose}: {audit.verdict.told}")
        if seal is None and found is None:
            put(f"To make sure that it is your table's log, compare the seal: {audit.seal}")
    exit_unless(good)


def _fields(report: Report) -> dict[str, object]:
    lines = [
        {"branch": line.branch, "ok": line.ok, "events": line.events, "problem": line.problem}
        for line in report.lines
    ]
    return {
        "branch": report.branch,
        "events": report.events,
        "checks": encode_checks(report.checks),
        "lines": lines,
    }


def lines(report: Report) -> list[str]:
    """Return the report as rows for people: one per check, problems below it."""
    told = yield_check_rows(report.checks)
    told += [
        f"BROKEN  {line.branch}: {line.problem.stream}#{line.problem.seq}: {line.problem.what}"
        for line in [one for one in report.lines if not one.ok][:MOST_TOLD]
        if line.problem is not None and len(report.lines) > 1
    ]
    if report.otherwise:
        told.append(
            "every event, state and die is as recorded, but the rules decide differently: either they have "
            "changed, or the log was remade; an old seal (--seal) shows which"
        )
    return [*told, _verdict(report)]


def _verdict(report: Report) -> str:
    """Return the last line: how much was checked, which lines fail, and the verdict."""
    verdict = "the log is as it was recorded" if report.ok else "the log is NOT as it was recorded"
    if report.other_rules:
        verdict = "the log is intact, but today's rules differ from those it was recorded under"
    looked, failing = counted(report.events, "event"), report.failing
    if len(report.lines) < 2:
        return f"{report.branch}: {looked}, {verdict}"
    which = "all good" if report.ok else "each good on its own"
    if failing:
        more = f" and {len(failing) - MOST_TOLD} more" if len(failing) > MOST_TOLD else ""
        which = f"broken {', '.join(failing[:MOST_TOLD])}{more}"
    return f"{len(report.lines)} lines, main line {report.branch}: {looked}, {which}, {verdict}"


def _progress(count: int) -> None:
    if count % STRIDE == 0:
        progress(counted(count, "event"))


# --- `affray combine`: several redacted copies of one line of play, or of one witness file, into one

COMBINE_EXAMPLES = """\b
Examples:
  affray combine players.jsonl after-the-session.jsonl --out fuller.jsonl
  affray combine table.witness kims.witness --out table.witness"""


@click.command(epilog=COMBINE_EXAMPLES)
@click.argument(
    "copies", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file to write.")
@as_json
def combine(copies: tuple[Path, ...], out: Path, json: bool) -> None:
    """Combine copies that show different events of one line of play.

    The new copy shows every event that one of COPIES shows; a copy may be longer than one given away earlier.
    The same seal applies: compare it with affray verify FILE --seal SEAL.

    Copies of one witness file, each countersigned by another player, become one with all signatures,
    including those already in the file to write.

    Status 1: the copies differ: other seals are signed after the same lines.
    """
    from affray.replay.privacy.redaction import combine as combined

    if any(map(_is_witness, copies)):
        _combine_witnesses(copies, out, json)
        return
    with ExitStack() as stack:
        files = [stack.enter_context(one.open("rb")) for one in copies]
        events, hidden = combined(files, stack.enter_context(output(out, copies[0])))
    told = f"{counted(events, 'event')}, {hidden} still hidden"
    print_found({"events": events, "hidden": hidden}, [told], json)


def _is_witness(path: Path) -> bool:
    with path.open("rb") as file:
        return is_witness(file.read(len(HEADER)))


def _combine_witnesses(copies: tuple[Path, ...], out: Path, json: bool) -> None:
    """Combine copies of one witness file."""
    before = opened(out, None)[0]
    if before is not None and not any(out.samefile(one) for one in copies):
        copies = (out, *copies)
    whole, late = joined([(str(one), read_witness(one)) for one in copies])
    for remark in late:
        say(remark, err=True)
    put_witness(out, before, whole)
    signatures = sum(len(seal.lines) for seal in whole.seals)
    told = f"{counted(len(whole.seals), 'seal')}, {counted(signatures, 'signature')}"
    print_found({"seals": len(whole.seals), "signatures": signatures, "late": late}, [told], json)
