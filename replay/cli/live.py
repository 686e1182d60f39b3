"""Running a fight one declaration at a time: add, choose."""

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from affray.engine.dice import Manual
from affray.engine.table import policies
from affray.engine.table.dice import by_hand
from affray.engine.table.scenario import sheet_of
from affray.engine.table.scenario_parts import (
    BadScenario,
    Entrant,
    Scenario,
    packaged_sheets,
    read_sheets,
    read_text,
    read_toml,
)
from affray.engine.table.table import Table
from affray.events.errors import nearest
from affray.events.facts.acts import Enter
from affray.events.facts.sheet import Sheet
from affray.projections.fold import fold
from affray.replay.cli.base import (
    as_json,
    database,
    on_branch,
    reading,
    request_id,
    writing,
)
from affray.replay.cli.completing import beginning, log_on_line, option_on_line
from affray.replay.cli.do import report
from affray.replay.cli.entry_states import entry_states, said, square_said
from affray.replay.cli.fights import files_within
from affray.replay.people import People


def complete_sheets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the files of the folder of blocks on the line, else the sheets that ship with the dialect."""
    block = option_on_line(ctx, "block", "--block", "--statblock")
    if block is not None:
        from affray.replay.cli.blocks import files_in

        return beginning(incomplete, ((one.stem, "") for one in files_in(block)) if block.is_dir() else ())
    db = log_on_line(ctx)
    if db is None:
        return []
    with reading(db) as store:
        dialect = fold(store.read("main", upto=1)).dialect
    return beginning(incomplete, ((one, "") for one in packaged_sheets(dialect)))


@click.command(
    epilog="\b\nExamples:\n  affray add fight.db --id ogre --side monsters --at 8,3 --use ogre\n"
    "  affray add fight.db --id ogre --side monsters --at 8,3 --block - < pasted.txt\n"
    "  affray add fight.db --id wolf --side monsters --at 8,3 --block bestiary --use wolf"
)
@database
@click.option("--id", "id", required=True, help="The name that declarations use.")
@click.option("--side", required=True, help="Whom it fights for.")
@click.option("--at", required=True, help="Its square, or its upper left one: 8,3.")
@click.option("--sheet", type=click.Path(path_type=Path), help="A TOML file: one sheet, or several by name.")
@click.option(
    "--block",
    "--statblock",
    "block",
    type=click.Path(path_type=Path, allow_dash=True),
    help="A printed stat block: a file, - for standard input, or a folder of blocks.",
)
@click.option("--accept-unread", is_flag=True, help="Take the block though something that matters is unread.")
@click.option(
    "--use",
    default="",
    shell_complete=complete_sheets,
    help="A named sheet of that file, one of that folder of blocks, or one that ships with the dialect.",
)
@files_within
@click.option("--hp", type=int, help="Hit points now, if not all.")
@entry_states
@click.option("--initiative", type=int, help="Its initiative, if it should not roll.")
@click.option("--policy", type=click.Choice(sorted(policies.NAMED)), help="Who answers its questions.")
@request_id
@as_json
def add(
    db: Path,
    id: str,
    side: str,
    at: str,
    sheet: Path | None,
    block: Path | None,
    accept_unread: bool,
    use: str,
    within: Path | None,
    hp: int | None,
    initiative: int | None,
    policy: str | None,
    request: str,
    json: bool,
    **states: Any,
) -> None:
    """Bring a combatant into a fight, before it begins or later.

    What was not understood of a stat block is counted on standard error; affray statblock lists it. What the
    fight turns on (Armor Class, Hit Dice, base attack, saves, attacks) must be understood or accepted.
    """
    if block is not None and (sheet is not None or (use and (str(block) == "-" or not block.is_dir()))):
        raise click.UsageError("a combatant comes from --block or from --sheet and --use, not from both")
    if within is not None and sheet is None:
        raise click.UsageError("--within says where a file may lie that a --sheet names")
    if accept_unread and block is None:
        raise click.UsageError("--accept-unread says something of a --block only")
    if block is None and sheet is None and not use:
        raise click.UsageError("a combatant needs --sheet FILE, --use NAME or both, or --block FILE")
    from affray.replay.cli.blocks import sheet_of_block

    with writing(db) as store:
        table = Table(store, hands=by_hand(store))
        act = Enter(
            id=id,
            side=side,
            sheet=sheet_of_block(table.state.dialect, block, use, accept_unread)
            if block is not None
            else _sheet(table.state.dialect, sheet, use, id, within),
            at=square_said(at),
            hp=hp,
            initiative=initiative,
            policy=policy or "",
            **People.in_fight(table.state).named(said(states)),
        )
        report(store, table, table.declare(act, request=request), db, json)


@click.command(epilog="Example: affray choose fight.db take")
@database
@click.argument("answer")
@click.option("--by", default="person", show_default=True, help="Who answers, for the record.")
@click.option("--ask", is_flag=True, help="Let the fight wait for the next choice too.")
@click.option("--manual", is_flag=True, help="Let the fight wait for the next roll too.")
@request_id
@on_branch
@as_json
def choose(
    db: Path, answer: str, by: str, ask: bool, manual: bool, request: str, branch: str, json: bool
) -> None:
    """Answer the question that a fight waits for; for a roll with the faces, as 4,6."""
    with writing(db) as store:
        table = Table(
            store,
            branch,
            answers=policies.by_combatant(policies.ask if ask else policies.auto),
            dice=Manual(lambda key, notation: None) if manual else None,
            hands=by_hand(store),
        )
        people, asked = People.in_fight(table.state), table.waiting
        if asked is not None and answer not in asked.options and people.knows(answer):
            answer = people.id_of(answer)
        report(store, table, table.choose(answer, by, request), db, json)


def _sheet(dialect: str, file: Path | None, use: str, id: str, within: Path | None) -> Sheet:
    """Return the sheet of a file or of the dialect's named ones. Raises BadScenario."""
    named: dict[str, Any] = {}
    where = str(file or f"sheets of {dialect}")
    if file is not None:
        raw = read_toml(read_text(file), str(file))
        shares = "sheets_from" in raw
        named = raw.get("sheets", {} if shares else raw)
        if not isinstance(named, dict) or (use and not isinstance(named.get(use, {}), dict)):
            raise BadScenario(f"{file}: a sheet is a table of fields")
        if shares:
            named = {**read_sheets(str(raw["sheets_from"]), str(file), within), **named}
        if not use and "hp" not in raw:
            raise BadScenario(f"{file} holds several sheets; choose with --use: {', '.join(sorted(named))}")
        named = named if use else {"sheet": raw}
    elif use not in packaged_sheets(dialect):
        ship = sorted(packaged_sheets(dialect))
        near = nearest(use, ship)
        meant = f" (did you mean {near}?)" if near else ""
        raise BadScenario(f"no sheet {use!r} ships with {dialect}{meant}; there are {', '.join(ship)}")
    holder = Scenario(map=(), combatants=(), dialect=dialect, name=where, sheets=named)
    return sheet_of(holder, Entrant(id=id, side="", at=(0, 0), use=use or "sheet"))
