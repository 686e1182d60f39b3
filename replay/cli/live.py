"""Running a fight one declaration at a time: new, add, choose."""

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from affray.engine.book import read_folder, read_tables
from affray.engine.dialects import dialects
from affray.engine.dice import Manual, seed_of
from affray.engine.table import policies
from affray.engine.table.by_hand import by_hand
from affray.engine.table.scenario import Entrant, Scenario, packaged_sheets, read_sheets, sheet_of
from affray.engine.table.scenario_text import BadScenario, read_text, read_toml
from affray.engine.table.table import Table
from affray.events.errors import did_you_mean
from affray.events.facts.acts import Enter
from affray.events.facts.sheet import Sheet
from affray.events.wording import counted
from affray.projections.fold import fold
from affray.replay.cli.base import (
    Teller,
    as_json,
    creating,
    database,
    on_branch,
    reading,
    request_id,
    writing,
)
from affray.replay.cli.completing import beginning, log_on_line
from affray.replay.cli.do import report
from affray.replay.cli.entry_states import entry_states, said
from affray.replay.cli.printing import put
from affray.replay.people import People

_OPEN_GROUND = ("." * 20,) * 12


def complete_sheets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the sheets that ship with the dialect of the log."""
    db = log_on_line(ctx)
    if db is None:
        return []
    with reading(db) as store:
        dialect = fold(store.read("main", upto=1)).dialect
    return beginning(incomplete, ((one, "") for one in packaged_sheets(dialect)))


@click.command(epilog="Example: affray new fight.db --dialect srd35 --map bridge.txt --name Bridge")
@database
@click.option("--dialect", type=click.Choice(dialects()), required=True, help="The rules to play by.")
@click.option("--map", "file", type=click.Path(path_type=Path), help="A text file with the rows of the map.")
@click.option("--rows", multiple=True, help="A row of the map, from the top; repeat it.")
@click.option("--name", default="encounter", show_default=True, help="What to call the fight.")
@click.option("--option", "options", multiple=True, help="A reading, as OPTION=READING; repeat it.")
@click.option(
    "--seed",
    default="",
    help="Seed of the dice: any text (who guesses it knows all dice), or 64 hexadecimal digits.",
)
@click.option("--tables", type=click.Path(path_type=Path), help="A folder with tables of your campaign.")
@click.option("--house-rules", multiple=True, help="House rules of an installed package; repeat it.")
@as_json
def new(
    db: Path,
    dialect: str,
    file: Path | None,
    rows: tuple[str, ...],
    name: str,
    options: tuple[str, ...],
    seed: str,
    tables: Path | None,
    house_rules: tuple[str, ...],
    json: bool,
) -> None:
    """Open a new fight in a file.

    The map has a character for every 5-foot square: . floor, # wall, = low wall, ~ difficult, ^ high,
    % fog or foliage, T pillar or tree. Without --map and --rows it is open ground, 20 by 12 squares.
    """
    if file is not None and rows:
        raise click.UsageError("give the map either as --map or as --rows")
    terrain = rows or (_map_of(file) if file is not None else _OPEN_GROUND)
    chosen = dict(_pair(option) for option in options)
    own = read_folder(tables, read_tables(dialect)) if tables is not None else {}
    with creating(db) as store:
        table = Table.create(
            store,
            dialect=dialect,
            terrain=terrain,
            name=name,
            options=chosen,
            seed=seed_of(seed) if seed else None,
            tables=own,
            house_rules=house_rules,
        )
        Teller(store, table.branch, json=json).go_on()


@click.command(epilog="Example: affray add fight.db --id ogre --side monsters --at 8,3 --use ogre")
@database
@click.option("--id", "id", required=True, help="The name that declarations use.")
@click.option("--side", required=True, help="Whom it fights for.")
@click.option("--at", required=True, help="Its square, or its upper left one: 8,3.")
@click.option("--sheet", type=click.Path(path_type=Path), help="A TOML file: one sheet, or several by name.")
@click.option("--statblock", type=click.Path(path_type=Path, allow_dash=True), help="A printed stat block.")
@click.option("--accept-unread", is_flag=True, help="Take the block though something that matters is unread.")
@click.option(
    "--use",
    default="",
    shell_complete=complete_sheets,
    help="A named sheet of that file, or one that ships with the dialect.",
)
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
    statblock: Path | None,
    accept_unread: bool,
    use: str,
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
    if statblock is not None and (sheet is not None or use):
        raise click.UsageError("a combatant comes from --statblock or from --sheet and --use, not from both")
    if accept_unread and statblock is None:
        raise click.UsageError("--accept-unread says something of a --statblock only")
    if statblock is None and sheet is None and not use:
        raise click.UsageError("a combatant needs --sheet FILE, --use NAME or both, or --statblock FILE")
    with writing(db) as store:
        table = Table(store, hands=by_hand(store))
        act = Enter(
            id=id,
            side=side,
            sheet=_read(table.state.dialect, statblock, accept_unread)
            if statblock is not None
            else _sheet(table.state.dialect, sheet, use, id),
            at=_square(at),
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


def _map_of(file: Path) -> tuple[str, ...]:
    return tuple(read_text(file).rstrip("\r\n").splitlines())


def _pair(option: str) -> tuple[str, str]:
    name, equals, value = option.partition("=")
    if not (name and equals and value):
        raise click.UsageError(f"--option {option}: write it as OPTION=READING")
    return name, value


def _square(text: str) -> tuple[int, int]:
    x, _, y = text.partition(",")
    try:
        return int(x), int(y)
    except ValueError:
        raise click.UsageError(f"--at {text}: write a square as 8,3") from None


def _read(dialect: str, file: Path, accept_unread: bool) -> Sheet:
    """Return the sheet of a printed stat block; say what of it was not understood.

    Raises StatBlockError, for what is unread and matters too unless that is accepted.
    """
    from affray.engine.statblock import StatBlockError
    from affray.replay.cli.statblock import read_file

    block = read_file(file, dialect)
    if block.unread and not accept_unread:
        said = "; ".join(f"line {one.line}: {one.reason}" for one in block.unread[:3])
        more = f" and {len(block.unread) - 3} more" if len(block.unread) > 3 else ""
        raise StatBlockError(f"{file}: {said}{more} (take it so with --accept-unread)")
    if block.notes:
        put(f"{counted(len(block.notes), 'remark')} on what was read; see: affray statblock {file}", err=True)
    return block.sheet


def _sheet(dialect: str, file: Path | None, use: str, id: str) -> Sheet:
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
            named = {**read_sheets(str(raw["sheets_from"]), str(file)), **named}
        if not use and "hp" not in raw:
            raise BadScenario(f"{file} holds several sheets; choose with --use: {', '.join(sorted(named))}")
        named = named if use else {"sheet": raw}
    elif use not in packaged_sheets(dialect):
        meant = did_you_mean(use, sorted(packaged_sheets(dialect)))
        raise BadScenario(f"no sheet {use!r} ships with {dialect}{meant}")
    holder = Scenario(map=(), combatants=(), dialect=dialect, name=where, sheets=named)
    return sheet_of(holder, Entrant(id=id, side="", at=(0, 0), use=use or "sheet"))
