"""`affray export`, `import`, `copy`, `fights`, `checker`: logs in other formats and places."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

import click

from affray.events.envelope import Event
from affray.events.errors import AffrayError, counted, shell_command
from affray.events.stores.store import Store
from affray.replay.cli.terminal.base import (
    LOG,
    as_json,
    complete_outcomes,
    creating,
    database,
    find_rulebook_page,
    is_rulebook_from_environment,
    make_rulebook_option,
    on_branch,
    reading,
    watched,
)
from affray.replay.cli.terminal.output import output, refuse_log
from affray.replay.cli.terminal.printing import print_found, put, say
from affray.replay.log_files import copy_log

# --- `affray export`: a log in another format

Writer = Callable[[Store, str, BinaryIO], None]

MOST_TOLD = 20
"""Most events listed by position."""


def write_jsonl(store: Store, branch: str, out: BinaryIO) -> None:
    """Write the whole log, every branch, in the portable form that `affray import` reads."""
    from affray.events.exports import export_jsonl

    export_jsonl(store, out)


def write_notation(store: Store, branch: str, out: BinaryIO) -> None:
    """Write the whole log, every branch, in combat notation, which `affray import` also reads."""
    from affray.replay.cli.terminal.base import watched
    from affray.replay.notation.writing import export_notation

    with watched("deciding again") as progress:
        export_notation(store, out, progress)


def write_redacted(
    store: Store, branch: str, out: BinaryIO, *, side: str, hide: Sequence[str], table: str = ""
) -> None:
    """Write one line of play without what a side may not see: all of it, or as a table.

    The events shown that contain words of people are listed on standard error, since words may name hidden
    combatants.
    """
    from affray.replay.privacy.redaction import Redaction, export_redacted, find_events_with_user_words, shown

    redaction = Redaction(store, branch, side=side, hide=hide)
    if table:
        write_table(shown(store, branch, redaction.why), table, out)
    else:
        export_redacted(store, branch, out, redaction)
    if words := find_events_with_user_words(shown(store, branch, redaction.why)):
        listed = ", ".join(map(str, words[:MOST_TOLD])) + ", ..." * (len(words) > MOST_TOLD)
        held = counted(len(words), "event that is shown contains", "events that are shown contain")
        say(f"{held} words of people, which may mention hidden combatants; check {listed}", err=True)


def write_markdown(store: Store, branch: str, out: BinaryIO) -> None:
    """Write one line of play as a session report."""
    from affray.engine.text.narrate import Narrator, markdown
    from affray.events.codec import decode
    from affray.projections.fold import fold
    from affray.replay.log.rules_for_fight import book_of

    narrator = Narrator(book=book_of(fold(store.read(branch, upto=1))))
    for row in markdown(narrator.tell(decode(event) for event in store.read(branch))):
        out.write(row.encode() + b"\n")


def write_html(
    store: Store,
    branch: str,
    out: BinaryIO,
    *,
    rulebook: str = "",
    swing_of: Path | None = None,
    odds: bool = False,
    pivots: str = "",
    picture: Path | None = None,
) -> None:
    """Write the whole log as a page that replays it in any browser, opening on one line of play.

    With the path of the log as `swing_of`, win chances along that line are drawn. With `odds`, dice show how
    likely the outcome was. With `pivots`, the single changes that would have changed that outcome are listed.
    The `picture` of a map file is drawn under the map.
    """
    from affray.replay.viewer import build

    swing = None
    if swing_of is not None:
        from affray.replay.chance.swing import compute_stored_swing
        from affray.replay.cli.terminal.base import cores, in_words, watched

        with watched() as progress:
            swing = compute_stored_swing(
                store, swing_of, branch=branch, jobs=cores(), progress=progress, told=in_words
            )
    beside = None
    if odds:
        from affray.replay.chance.outcome_odds import get_odds_by_branch
        from affray.replay.cli.terminal.base import watched

        most = sum(store.head(one.name).seq - one.at for one in store.branches())
        with watched("calculating odds") as progress:
            beside = get_odds_by_branch(store, lambda done: progress(done, most))
    turning = None
    if pivots:
        from affray.replay.cli.terminal.base import cores, watched
        from affray.replay.whatif.pivots import pivots as found_by

        with watched("trying single changes") as progress:
            turning = found_by(store, pivots, branch=branch, jobs=cores(), progress=progress)
    under = None
    if picture is not None:
        from affray.replay.viewer.map_picture import explain_wrong_picture, underlay

        under = underlay(picture, store)
        if doubts := explain_wrong_picture(picture, store):
            put(f"affray: {doubts}", err=True)
    out.write(build(store, branch, rulebook, swing, beside, turning, under).encode())


def write_csv(store: Store, branch: str, out: BinaryIO, *, table: str = "events") -> None:
    """Write one line of play as a table: that of all events unless another is named."""
    write_table(store.read(branch), table, out)


def write_table(events: Iterable[Event], table: str, out: BinaryIO) -> None:
    """Write a table of events as CSV. Raises UnknownTable."""
    from affray.engine.book.catalogue import read_words
    from affray.projections.tables import columns, write

    columns(table)
    text = TextIOWrapper(out, encoding="utf-8", newline="")
    try:
        write(events, table, text, read_words)
    finally:
        text.detach()  # flushed, and closed by its owner


FORMATS: dict[str, Writer] = {
    "csv": write_csv,
    "html": write_html,
    "jsonl": write_jsonl,
    "markdown": write_markdown,
    "notation": write_notation,
}
"""Format name -> its writer."""


EXPORT_EXAMPLES = """\b
Examples:
  affray export fight.db --format html --out fight.html
  affray export fight.db --format notation --out fight.affray
  affray export fight.db --format html --pivots "ysolde dies" --out fight.html
  affray export fight.db --format csv --table attack.resolved"""


@click.command(epilog=EXPORT_EXAMPLES)
@database
@click.option("--format", "kind", type=click.Choice(sorted(FORMATS)), required=True, help="The format.")
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output without it.")
@click.option("--table", default="", help="csv: events (the default), or a type such as attack.resolved.")
@click.option("--for", "side", default="", help="jsonl, csv: hide the numbers of all sides but this.")
@click.option("--hide", multiple=True, help="jsonl, csv: hide every event that names this combatant.")
@make_rulebook_option("html: the page that rules link to (affray rules --page), or its folder.")
@click.option("--swing", is_flag=True, help="html: draw win chances (see affray swing).")
@click.option("--odds", is_flag=True, help="html: show the odds of every roll (takes longer).")
@click.option(
    "--pivots",
    default="",
    metavar="OUTCOME",
    shell_complete=complete_outcomes,
    help="html: list the single changes that would change this outcome (see affray pivots).",
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    help="html: the map file whose picture is shown under the map (see affray map).",
)
@on_branch
def export(
    db: Path,
    kind: str,
    out: Path | None,
    table: str,
    side: str,
    hide: tuple[str, ...],
    rulebook: str,
    swing: bool,
    odds: bool,
    pivots: str,
    picture: Path | None,
    branch: str,
) -> None:
    """Write a log in another format.

    jsonl is the whole log with all branches; it proves itself and can be imported again. html is a page that
    replays the log in any browser without a network, and contains it. notation is the whole log in a text
    that people write and read, one line per declaration, and can be imported too. markdown is a report on one
    line of play. csv is a table for a spreadsheet: every event, or all fields of one type of event. With
    --for or --hide, jsonl is one line of play with events left out, which still verifies against the same
    seal, and csv leaves out their rows.
    """
    redacted = bool(side or hide)
    if redacted and kind == "notation":
        raise click.UsageError(
            "--for and --hide: notation needs all dice to be decided again; use jsonl or csv"
        )
    if redacted and kind not in ("jsonl", "csv"):
        raise click.UsageError("--for and --hide need --format jsonl or csv")
    if table and kind != "csv":
        raise click.UsageError("--table needs --format csv")
    of_the_page = {
        "rulebook": rulebook and not is_rulebook_from_environment(),
        "swing": swing,
        "odds": odds,
        "pivots": pivots,
        "picture": picture,
    }
    if kind != "html" and (wrong := [name for name, value in of_the_page.items() if value]):
        raise click.UsageError(f"--{wrong[0]} needs --format html")
    if kind in ("jsonl", "notation") and branch and not redacted:
        raise click.UsageError(f"--branch: {kind} always contains every branch")
    refuse_log(out, db)
    with reading(db) as store:
        line = branch or store.main_line()
        store.head(line)
        write = FORMATS[kind]
        if redacted:
            rows = (table or "events") if kind == "csv" else ""
            write = partial(write_redacted, side=side, hide=hide, table=rows)
        elif table:
            write = partial(write_csv, table=table)
        elif kind == "html":
            write = partial(
                write_html,
                rulebook=find_rulebook_page(store, rulebook, out.parent if out else None),
                swing_of=db if swing else None,
                odds=odds,
                pivots=pivots,
                picture=picture,
            )
        with output(out, db) as file:
            write(store, line, file)


# --- `affray import`: an exported log into a new file

IMPORT_EXAMPLES = """\b
Examples:
  affray import fight.jsonl --db copy.db
  affray import fight.affray --db copy.db
  affray import by-hand.affray --db new.db --roll"""


@click.command("import", epilog=IMPORT_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", type=LOG, required=True, help="The new file for the log.")
@click.option("--roll", is_flag=True, help="notation: roll and answer what the text leaves open.")
@as_json
def import_(file: Path, db: Path, roll: bool, json: bool) -> None:
    """Import an exported log into a new file, all or nothing, verifying every digest.

    FILE is JSON Lines, a page of the viewer, which contains the same log, or a text in combat notation. The
    rules decide every line of a notation again, and the digests given in the text must match. Faces `?` and
    missing answers in it are refused, unless --roll rolls them with the seed and answers by policy.
    """
    from affray.events.exports import import_jsonl
    from affray.replay.notation.header import SUFFIX, is_notation
    from affray.replay.viewer import log_lines

    told = {}
    with file.open("rb") as lines, creating(db) as store:
        beginning = lines.peek(1)
        if file.suffix == SUFFIX or is_notation(beginning):
            from affray.replay.cli.terminal.base import watched
            from affray.replay.notation.header import LARGEST
            from affray.replay.notation.reading import import_notation

            with watched("deciding") as progress:
                came = import_notation(
                    lines.read(LARGEST + 1), store, roll=roll, file=str(file), progress=progress
                )
            count, told = came.events, {"comments": came.comments}
        elif roll:
            raise click.UsageError("--roll needs a text in combat notation")
        else:
            count = import_jsonl(log_lines(lines) if beginning.startswith(b"<") else lines, store)
        branches = len(store.branches())
    rows = [f"{db}: {_much(count, branches)}, all digests good"]
    if told.get("comments"):
        rows.append(
            f"{counted(told['comments'], 'comment')} stored with the log, for exports in combat notation"
        )
    print_found({"db": str(db), "events": count, "branches": branches} | told, rows, json)


# --- `affray copy`: a log to another place; `affray fights`: the fights of a database

ADDRESS = "postgresql://HOST/DATABASE"


@click.command(
    epilog="\b\nExamples:\n  affray copy fight.db backup.db\n  affray copy fight.db postgresql://db.local/games#friday\n"
    "  affray copy postgresql://db.local/games#friday friday.db"
)
@click.argument("source", metavar="FROM", type=LOG)
@click.argument("target", metavar="TO", type=LOG)
@as_json
def copy(source: Path, target: Path, json: bool) -> None:
    """Copy a whole log with all branches into a new file, or a new fight in a database.

    Every digest is checked and stays the same. The secrets are copied too, which allows playing on from the
    copy. Request ids are not copied.
    """
    with reading(source) as log, creating(target, discard=(AffrayError,)) as made:
        total = sum(log.head(one.name).seq - one.at for one in log.branches())
        with watched("copying") as progress:
            done = copy_log(log, made, lambda count: progress(count, total))
    row = f"{target}: {_much(done.events, done.branches)}, all digests as in {source}"
    print_found({"from": str(source), "to": str(target), "copied": done}, [row], json)


@click.command(epilog="Example: affray fights postgresql://db.local/games")
@click.argument("database", metavar="DATABASE", type=LOG)
@as_json
def fights(database: Path, json: bool) -> None:
    """List the fights of a PostgreSQL database that you may read, the oldest first."""
    from affray.events.stores.address import Address
    from affray.events.stores.postgres_connection import fights_in

    if not isinstance(database, Address):
        raise click.UsageError(f"{database}: not the address of a database; write {ADDRESS}")
    found = fights_in(database)
    nothing = f"{database}: no fight yet; open one with: {shell_command('new', f'{database}#NAME')}"
    rows = [f"{one.name:<24} {_much(one.events, one.branches)}, created {one.made}" for one in found]
    print_found(found, rows or [nothing], json)


def _much(events: int, branches: int) -> str:
    return f"{counted(events, 'event')}, {counted(branches, 'branch', 'branches')}"


# --- `affray checker`: the page that checks a log in a player's browser, without Affray

CHECKER_EXAMPLES = """\b
Examples:
  affray checker --out checker.html
  affray checker > checker.html"""


@click.command(epilog=CHECKER_EXAMPLES)
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output without it.")
def checker(out: Path | None) -> None:
    """Write a page that checks logs in any browser, without a network and without Affray.

    Open it and choose an export, a players' copy or a page. It lists its checks (chain of digests, dice,
    revealed seed), prints the seal of each line, and compares a seal noted earlier. It contains no log and is
    the same for all users of a release: get it from a person you trust.
    """
    from affray.replay.viewer import checker as page

    with output(out, None) as file:
        file.write(page().encode())
