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
"""So many events are listed by their positions."""


def write_jsonl(store: Store, branch: str, out: BinaryIO) -> None:
    """Write the whole log, every branch: the portable form that `affray import` reads."""
    from affray.events.exports import export_jsonl

    export_jsonl(store, out)


def write_notation(store: Store, branch: str, out: BinaryIO) -> None:
    """Write the whole log, every branch, in the notation of combat, which `affray import` reads too."""
    from affray.replay.cli.terminal.base import watched
    from affray.replay.notation.writing import export_notation

    with watched("deciding again") as progress:
        export_notation(store, out, progress)


def write_redacted(
    store: Store, branch: str, out: BinaryIO, *, side: str, hide: Sequence[str], table: str = ""
) -> None:
    """Write one line of play with what a side may not see left out: whole, or as a table of what is shown.

    Which of the events that are shown hold words of people is told on standard error: they may name anybody.
    """
    from affray.replay.privacy.redaction import Redaction, export_redacted, find_events_with_user_words, shown

    redaction = Redaction(store, branch, side=side, hide=hide)
    if table:
        write_table(shown(store, branch, redaction.why), table, out)
    else:
        export_redacted(store, branch, out, redaction)
    if words := find_events_with_user_words(shown(store, branch, redaction.why)):
        listed = ", ".join(map(str, words[:MOST_TOLD])) + ", ..." * (len(words) > MOST_TOLD)
        held = counted(len(words), "event that is shown holds", "events that are shown hold")
        say(f"{held} words of people, who may have spoken of what is hidden; look at {listed}", err=True)


def write_markdown(store: Store, branch: str, out: BinaryIO) -> None:
    """Write one line of play as the report of a session."""
    from affray.events.codec import decode
    from affray.projections.fold import fold
    from affray.replay.log.rules_for_fight import book_of
    from affray.replay.text.narrate import Narrator, markdown

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

    With the path of the log as `swing_of` the chances of winning along that line are drawn; with `odds` it is
    told beside the dice how likely what they decided was; with `pivots` it is listed which single changes
    alone would have turned that outcome. The `picture` of a map file is drawn under the map.
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
        with watched("looking at faces") as progress:
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
    """Write one line of play as a table, the one of all events unless another is named."""
    write_table(store.read(branch), table, out)


def write_table(events: Iterable[Event], table: str, out: BinaryIO) -> None:
    """Write a table of events as CSV. Raises UnknownTable."""
    from affray.projections.tables import columns, write

    columns(table)
    text = TextIOWrapper(out, encoding="utf-8", newline="")
    try:
        write(events, table, text)
    finally:
        text.detach()  # flushed, and left to its owner


FORMATS: dict[str, Writer] = {
    "csv": write_csv,
    "html": write_html,
    "jsonl": write_jsonl,
    "markdown": write_markdown,
    "notation": write_notation,
}
"""What can be written, by name."""


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
@click.option("--for", "side", default="", help="jsonl, csv: hide the numbers of all other sides.")
@click.option("--hide", multiple=True, help="jsonl, csv: hide every event that names this combatant.")
@make_rulebook_option("html: the page that rules link to (affray rules --page), or the folder that it is in.")
@click.option("--swing", is_flag=True, help="html: draw the chances of winning (see affray swing).")
@click.option("--odds", is_flag=True, help="html: tell beside all dice how likely it was (takes longer).")
@click.option(
    "--pivots",
    default="",
    metavar="OUTCOME",
    shell_complete=complete_outcomes,
    help="html: list what alone would have turned it (see affray pivots).",
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    help="html: the map file whose picture lies under the map (see affray map).",
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

    jsonl is the whole log with all its branches, proves itself and can be imported again; html is a page
    that replays it in any browser without a network and carries that same log; notation is the whole log in
    words that people write and read, one line a declaration, and can be imported too; markdown is the report
    of one line of play; csv is a table for a spreadsheet: every event, or all fields of one type of event.
    With --for or --hide jsonl is one line of play with events left out, which still verifies against the
    same seal, and csv has no row of them.
    """
    redacted = bool(side or hide)
    if redacted and kind == "notation":
        raise click.UsageError(
            "--for and --hide: the notation is decided again from all that was thrown; use jsonl or csv"
        )
    if redacted and kind not in ("jsonl", "csv"):
        raise click.UsageError("--for and --hide go with --format jsonl or csv")
    if table and kind != "csv":
        raise click.UsageError("--table goes with --format csv")
    of_the_page = {
        "rulebook": rulebook and not is_rulebook_from_environment(),
        "swing": swing,
        "odds": odds,
        "pivots": pivots,
        "picture": picture,
    }
    if kind != "html" and (wrong := [name for name, value in of_the_page.items() if value]):
        raise click.UsageError(f"--{wrong[0]} goes with --format html")
    if kind in ("jsonl", "notation") and branch and not redacted:
        raise click.UsageError(f"--branch: {kind} always carries every branch")
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
@click.option("--roll", is_flag=True, help="notation: throw and answer what the text leaves unknown.")
@as_json
def import_(file: Path, db: Path, roll: bool, json: bool) -> None:
    """Read an exported log into a new file, all or nothing, verifying every digest.

    FILE is JSON Lines, or a page of the viewer, which carries the same log, or a text in the notation of
    combat: there the rules decide every line again, and the digests that the text gives must come out. What
    such a text leaves unknown (a face `?`, an answer not given) is refused, unless --roll has it thrown by
    the seed and answered by policy.
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
            raise click.UsageError("--roll goes with a text in the notation")
        else:
            count = import_jsonl(log_lines(lines) if beginning.startswith(b"<") else lines, store)
        branches = len(store.branches())
    rows = [f"{db}: {_much(count, branches)}, all digests good"]
    if told.get("comments"):
        rows.append(
            f"{counted(told['comments'], 'comment')} kept beside the log, for exports in the notation"
        )
    print_found({"db": str(db), "events": count, "branches": branches} | told, rows, json)


# --- `affray copy`: a log from one place to another; `affray fights`: which fights a database holds

ADDRESS = "postgresql://HOST/DATABASE"


@click.command(
    epilog="\b\nExamples:\n  affray copy fight.db backup.db\n  affray copy fight.db postgresql://db.local/games#friday\n"
    "  affray copy postgresql://db.local/games#friday friday.db"
)
@click.argument("source", metavar="FROM", type=LOG)
@click.argument("target", metavar="TO", type=LOG)
@as_json
def copy(source: Path, target: Path, json: bool) -> None:
    """Copy a whole log into a new file, or a new fight of a database, with all branches.

    Every digest is checked on the way and comes out the same; the secrets go along, so that the copy can be
    played on. Request ids stay behind.
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
        raise click.UsageError(f"{database}: no address of a database; write {ADDRESS}")
    found = fights_in(database)
    nothing = f"{database}: no fight yet; open one with: {shell_command('new', f'{database}#NAME')}"
    rows = [f"{one.name:<24} {_much(one.events, one.branches)}, made {one.made}" for one in found]
    print_found(found, rows or [nothing], json)


def _much(events: int, branches: int) -> str:
    return f"{counted(events, 'event')}, {counted(branches, 'branch', 'branches')}"


# --- `affray checker`: the page with which players check a log in a browser, without Affray

CHECKER_EXAMPLES = """\b
Examples:
  affray checker --out checker.html
  affray checker > checker.html"""


@click.command(epilog=CHECKER_EXAMPLES)
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output without it.")
def checker(out: Path | None) -> None:
    """Write a page that checks logs in any browser, without a network and without Affray.

    An export, a players' copy or a page is chosen or dropped on it. It says what it checked (the chain of
    digests, dice, revealed seed), prints the seal of each line and compares one that was noted earlier. It
    carries no log, and is the same for everybody who has the same release: take it from somebody you trust.
    """
    from affray.replay.viewer import checker as page

    with output(out, None) as file:
        file.write(page().encode())
