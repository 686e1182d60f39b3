"""`affray referee`: check a log from elsewhere, line by line."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from affray.events.errors import AffrayError, counted, shell_command
from affray.events.facts.base import JsonObject
from affray.replay.cli.terminal.base import DIALECT, LOG, as_json, is_output_in_colour, watched, writing
from affray.replay.cli.terminal.printing import print_json, put, put_all
from affray.replay.referee.claims import Claims, Finding
from affray.replay.referee.formats import READERS, BadExport, read_claims
from affray.replay.referee.judge import CHECKS, Judged, judge
from affray.replay.text.ansi import painted

if TYPE_CHECKING:
    from affray.replay.referee.into_fight import ImportedAttack


MOST_BYTES = 200_000_000
"""A larger text is refused."""

SHOWN_UNREAD = 10
"""Most unread lines shown; --unread shows all."""

NAMES = {
    "pbp": "play by post",
    "foundry": "a Foundry chat log",
    "roll20": "a Roll20 chat",
    "avrae": "Avrae's rolls",
    "plain": "a plain log",
}


def list_checks(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Print the list of checks and exit, without a text."""
    if value and not ctx.resilient_parsing:
        width = max(map(len, CHECKS))
        for name, text in CHECKS.items():
            put(f"{name:<{width}}  {text}")
        ctx.exit()


@click.command(
    epilog="\b\nExamples:\n  affray referee session.txt\n"
    "  affray referee thread.txt --dialect pf1 --format pbp\n"
    "  affray referee fvtt-log.txt messages.db --json\n  affray referee - < pasted.txt\n"
    "  affray referee channel.txt --without confirmation\n  affray referee session.txt --into fight.db"
)
@click.argument(
    "texts",
    metavar="TEXT...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option(
    "--format",
    type=click.Choice(["auto", *READERS]),
    default="auto",
    show_default=True,
    help="The program that wrote it.",
)
@click.option("--dialect", type=DIALECT, help="The rules to check by; default: srd35.")
@click.option(
    "--without",
    multiple=True,
    type=click.Choice([*CHECKS]),
    metavar="CHECK",
    help="Leave out a check; repeat it.",
)
@click.option("--into", type=LOG, help="Declare its attacks in this fight, with the dice of the text.")
@click.option("--branch", default="", help="With --into: a branch; default: the main line.")
@click.option("--unread", is_flag=True, help="Show every line that could not be read.")
@click.option(
    "--checks",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=list_checks,
    help="List the checks.",
)
@as_json
def referee(
    texts: tuple[Path, ...],
    format: str,
    dialect: str | None,
    without: tuple[str, ...],
    into: Path | None,
    branch: str,
    unread: bool,
    json: bool,
) -> None:
    """Check rolls and outcomes that were played elsewhere; - is standard input.

    Reads dice of play by post, Foundry chat logs (text or JSON), Roll20 chats, Avrae's rolls and plain attack
    logs, and reports impossible results, with line and rule: wrong sums, hits that are misses by the numbers,
    a natural 20 taken for a miss, a critical hit that was never confirmed. Facts that a log does not state
    are not errors. The exit status is 1 if anything was found.

    With --into the attacks are declared in a fight whose combatants have the same names, by dice that are
    recorded as imported.
    """
    if branch and into is None:
        raise click.UsageError("--branch needs --into")
    if into is not None:
        if dialect is not None or without:
            raise click.UsageError(
                "a fight of --into is decided by its own rules: leave out --dialect and --without"
            )

        if status := into_fight([(str(path), text_of(path)) for path in texts], format, into, branch, json):
            sys.exit(status)
        return
    found = []
    with watched("reading") as progress:
        for place, path in enumerate(texts):
            found.append(
                (
                    str(path),
                    judge(_claims(str(path), text_of(path), format), dialect or "srd35", frozenset(without)),
                )
            )
            progress(place + 1, len(texts))
    if json:
        print_json({"files": [_as_json(name, one) for name, one in found], "findings": _findings(found)})
    else:
        for place, (name, one) in enumerate(found):
            put_all(("",) if place else ())
            put_all(told(name, one, unread))
    if _findings(found):
        sys.exit(1)


def text_of(path: Path) -> str:
    """Return the text of a file or of standard input, in any encoding. Raises AffrayError."""
    name = "standard input" if str(path) == "-" else str(path)
    if str(path) == "-":
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise AffrayError(f"{name}: more than {MOST_BYTES // 1_000_000} MB of text")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def told(name: str, found: Judged, every_unread: bool) -> Iterator[str]:
    """Yield the findings in one text, row by row."""
    yield f"{name}: {NAMES[found.format]}, {counted(found.lines, 'line')}, by the rules of {found.dialect}"
    for one in found.findings:
        yield from yield_finding_rows(one)
    shown = found.unread if every_unread else found.unread[:SHOWN_UNREAD]
    for line in shown:
        row = f"  line {line.line}: not read, {line.reason}: {line.text}"
        yield painted(row, dim=True) if is_output_in_colour() else row
    if len(shown) < len(found.unread):
        yield f"  and {counted(len(found.unread) - len(shown), 'more line')} not read (--unread shows them)"
    yield ""
    yield from _summary(found)


def yield_finding_rows(one: Finding) -> Iterator[str]:
    """Yield one finding: location, message, rule, and the quoted words."""
    row = f"  line {one.line}, column {one.column}: {one.message} ({one.rule or one.check})"
    yield painted(row, bold=True) if is_output_in_colour() else row
    yield f"      {one.who + ': ' if one.who else ''}{one.quote}"


def _summary(found: Judged) -> Iterator[str]:
    wrong = counted(len(found.findings), "finding") if found.findings else "nothing is wrong"
    read = [counted(found.rolls, "roll")]
    if found.sums:
        read.append(counted(found.sums, "sum"))
    if found.points:
        read.append(counted(found.points, "line of points", "lines of points"))
    yield f"  {wrong} in {' and '.join([', '.join(read[:-1]), read[-1]] if len(read) > 1 else read)}"
    judged = f"  outcomes checked: {counted(found.judged, 'roll')}"
    yield (
        f"{judged}; not checked: {found.excused}, which other facts may have decided"
        if found.excused
        else judged
    )
    prose = counted(found.prose, "line")
    yield f"  {prose} of prose, {found.blank} blank, {len(found.unread)} not read"


def _findings(found: Sequence[tuple[str, Judged]]) -> int:
    return sum(len(one.findings) for _, one in found)


def _as_json(name: str, found: Judged) -> dict[str, object]:
    whole: JsonObject = {"file": name, **msgspec.to_builtins(found)}
    return whole


# --- `affray referee --into`: declare the attacks of texts in a fight, and report each result


def into_fight(texts: Sequence[tuple[str, str]], format: str, db: Path, branch: str, json: bool) -> int:
    """Declare the attacks of texts (name and content) in a fight, print each, and return the exit status."""
    from affray.replay.referee.into_fight import ImportedAttack, take_in

    found: list[tuple[str, ImportedAttack]] = []
    with writing(db) as store:
        for name, text in texts:
            for one in take_in(store, _claims(name, text, format), branch):
                found.append((name, one))
                put_all(() if json else _told_rows(name, one))
    if json:
        print_json([{"file": name, "ok": one.ok, "attack": one} for name, one in found])
    else:
        put()
        declared = [one for _, one in found if one.first]
        as_told = sum(one.ok for _, one in found)
        put(f"{counted(len(found), 'attack')}: {len(declared)} declared, {as_told} with the same outcome")
        if declared:
            put(f"see: {shell_command('why', db, str(declared[0].first + 1))}")
    return 0 if found and all(one.ok for _, one in found) else 1


def _told_rows(name: str, one: "ImportedAttack") -> Iterator[str]:
    who = one.attacker or "somebody"
    whom = f"{who} attacks {one.target or 'somebody'}"
    if one.ended:
        ended = f"{counted(len(one.ended), 'turn')} ended: {', '.join(one.ended)}"
        yield f"{name}, line {one.line}: first {ended}"
    if one.first:
        yield f"{name}, line {one.line}: {whom}: {one.result} (events {one.first} to {one.last})"
    else:
        yield f"{name}, line {one.line}: {whom}: not declared, {one.why}"
    yield from (f"    {row}" for row in one.otherwise)
    if one.own:
        yield f"    with the fight's own dice: {', '.join(one.own)}"


def _claims(name: str, text: str, format: str) -> Claims:
    """Return the claims of a text. Raises BadExport, which names the file."""
    try:
        return read_claims(text, format)
    except BadExport as fault:
        raise BadExport(f"{name}: {fault}") from None
