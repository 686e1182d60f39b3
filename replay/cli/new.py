"""`affray new`: a fight that is open and not begun, on a map of one's own or with everybody in it."""

from pathlib import Path

import click
from msgspec.structs import replace

from affray.engine.book import read_folder, read_tables
from affray.engine.dialects import dialects
from affray.engine.dice import seed_of
from affray.engine.maps import GroundPlan, map_in
from affray.engine.table.scenario import set_up
from affray.engine.table.scenario_parts import Scenario, reading_of
from affray.events.errors import AffrayError
from affray.replay.cli.base import Teller, as_json, creating, database
from affray.replay.cli.fights import complete_fights, files_within, find_fight, tell_remarks

_OPEN_GROUND = ("." * 20,) * 12


@click.command(
    epilog="\b\nExamples:\n  affray new fight.db --dialect srd35 --map bridge.txt --name Bridge\n"
    "  affray new ford.db --encounter toll"
)
@database
@click.option("--dialect", type=click.Choice(dialects()), help="The rules to play by; an encounter has some.")
@click.option("--map", "file", type=click.Path(path_type=Path), help="A file with the map: see below.")
@click.option("--rows", multiple=True, help="A row of the map, from the top; repeat it.")
@click.option(
    "--encounter",
    type=click.Path(path_type=Path),
    shell_complete=complete_fights,
    help="A fight that ships, or a scenario file: its map, its readings and everybody in it.",
)
@click.option("--name", default="", help="What to call the fight: encounter, or as the encounter is called.")
@click.option("--option", "options", multiple=True, help="A reading, as OPTION=READING; repeat it.")
@click.option(
    "--seed",
    default="",
    help="Seed of the dice: any text (who guesses it knows all dice), or 64 hexadecimal digits.",
)
@files_within
@click.option("--tables", type=click.Path(path_type=Path), help="A folder with tables of your campaign.")
@click.option("--house-rules", multiple=True, help="House rules of an installed package; repeat it.")
@as_json
def new(
    db: Path,
    dialect: str | None,
    file: Path | None,
    rows: tuple[str, ...],
    encounter: Path | None,
    name: str,
    options: tuple[str, ...],
    seed: str,
    within: Path | None,
    tables: Path | None,
    house_rules: tuple[str, ...],
    json: bool,
) -> None:
    """Open a new fight in a file.

    The map has a character for every 5-foot square: . floor, # wall, = low wall, ~ difficult, ^ high,
    % fog or foliage, T pillar or tree. Without --map and --rows it is open ground, 20 by 12 squares. The file
    of --map has such rows, or it is a map in TOML (.toml), or one that was drawn elsewhere (.dd2vtt, .uvtt,
    .df2vtt): what is to be known of that one `affray map` tells.
    With --encounter everybody has entered and nothing has begun: nothing of its script is played, and its
    dice follow from --seed or a new secret one.
    """
    chosen = dict(_pair(option) for option in options)
    if encounter is not None:
        fight = find_fight(encounter, within)
        refuse_contradictions(fight, dialect, [file, *rows], chosen)
        if tables is not None and fight.tables:
            raise click.UsageError(f"{encounter} brings tables of its own: leave --tables out")
        fight = replace(fight, title=name or fight.title, options={**fight.options, **chosen})
        fight = replace(fight, house_rules=(*fight.house_rules, *house_rules))
    elif within is not None:
        raise click.UsageError("--within says where the files of an --encounter may lie")
    elif dialect is None:
        raise click.UsageError(f"say the rules with --dialect ({', '.join(dialects())}), or an --encounter")
    elif file is not None and rows:
        raise click.UsageError("give the map either as --map or as --rows")
    else:
        plan = map_in(file) if file is not None else GroundPlan(rows or _OPEN_GROUND)
        fight = Scenario(
            map=plan.map,
            barriers=plan.barriers,
            ground=plan.ground,
            combatants=(),
            dialect=dialect,
            title=name or "encounter",
            options=dict(chosen),
            house_rules=house_rules,
        )
    if tables is not None:
        fight = replace(fight, tables=read_folder(tables, read_tables(fight.dialect)))
    with creating(db, discard=(AffrayError,)) as store:
        # What a scenario says of its seed is no secret: whoever knows it would know all dice to come.
        table = set_up(
            replace(fight, seed=""), store, seed=seed_of(seed) if seed else None, watch=tell_remarks
        )
        Teller(store, table.branch, json=json).go_on()


def refuse_contradictions(
    fight: Scenario, dialect: str | None, terrain: list[object], chosen: dict[str, str]
) -> None:
    """Refuse what says otherwise than the encounter that is to be opened. Raises UsageError."""
    what = fight.title or fight.name
    if dialect not in (None, fight.dialect):
        raise click.UsageError(f"{what!r} goes by {fight.dialect}, --dialect says {dialect}: leave it out")
    if any(terrain):
        raise click.UsageError(f"{what!r} has a map of its own: leave --map and --rows out")
    own = {name: reading_of(value) for name, value in fight.options.items()}
    for name, reading in chosen.items():
        if own.get(name, reading) != reading:
            raise click.UsageError(f"{what!r} is played with {name}={own[name]}, not with {name}={reading}")


def _pair(option: str) -> tuple[str, str]:
    name, equals, value = option.partition("=")
    if not (name and equals and value):
        raise click.UsageError(f"--option {option}: write it as OPTION=READING")
    return name, value
