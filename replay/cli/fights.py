"""Fights by name: those that ship with Affray, and scenario files."""

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from affray.engine.table.appending import Outcome
from affray.engine.table.scenario import packaged, packaged_names, read_scenario
from affray.engine.table.scenario_parts import BadScenario, Scenario
from affray.events.errors import did_you_mean
from affray.replay.cli.completing import beginning
from affray.replay.cli.printing import say

files_within = click.option(
    "--within",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="Where files may lie that the file names; in its own folder without it.",
)


def complete_fights(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the fights that ship; the shell completes files besides."""
    ships = beginning(incomplete, ((one, "") for one in packaged_names()))
    return [*ships, CompletionItem(incomplete, "file")]


def find_fight(name: Path, within: Path | None = None) -> Scenario:
    """Return the scenario of a file, else the one of this name that ships. Raises BadScenario.

    Files that the scenario names must lie under its own folder, or under `within`.
    """
    ships = str(name) in packaged_names() and not name.exists()
    if not ships and not name.suffix and not name.exists():
        meant = did_you_mean(str(name), packaged_names())
        raise BadScenario(f"there is no file {name}, and no fight of that name ships{meant}")
    return packaged(str(name)) if ships else read_scenario(name, within=within)


def tell_remarks(outcome: Outcome) -> None:
    """Say on standard error what no rule reads of a sheet that enters."""
    for line in outcome.remarks:
        say(line, err=True)
