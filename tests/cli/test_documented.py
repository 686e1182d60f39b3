"""Every command is documented: in the pages, in its own help, and in the table that the group prints."""

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest

from affray.engine.language.acts import ACTS
from affray.replay.cli import affray
from affray.replay.cli.group import COMMANDS
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
NAMES = [name for section in COMMANDS.values() for name in section]


def pages() -> str:
    """Return the text of the README and of every page in docs."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.exists())


@pytest.mark.parametrize("name", NAMES)
def test_pages_name_every_command(name: str) -> None:
    """The README or a page of docs shows how each command is called."""
    shown = bool(re.search(rf"\baffray {name}\b", pages()))
    assert shown, f"no page shows `affray {name}`"


@pytest.mark.parametrize("name", NAMES)
def test_help_has_an_example(run: Run, name: str) -> None:
    """Each command explains itself with an example that calls it."""
    result = run(name, "--help")
    assert result.exit_code == 0, result.output
    assert f"affray {name} " in result.stdout.split("Example", 1)[-1]


@pytest.mark.parametrize("act", sorted(ACTS))
def test_every_act_has_help(run: Run, fight: Path, act: str) -> None:
    """Each act of the engine is a command with an example."""
    result = run("do", fight, act, "--help")
    assert result.exit_code == 0
    assert f"affray do fight.db {act}" in result.stdout
    example = result.stdout.partition("Example: affray do fight.db ")[2].partition("\n\n")[0]
    tried = run("do", fight, *shlex.split(example))
    assert "Usage" not in tried.stderr, tried.stderr
    assert "cannot make sense" not in tried.stderr, tried.stderr


@pytest.mark.parametrize("act", ["charge", "overrun"])
def test_an_example_says_the_way(run: Run, fight: Path, act: str) -> None:
    """Without its way an act that goes along one is refused, so the example has it, typed as it can be."""
    assert ' --path "3,2 4,2"' in run("do", fight, act, "--help").stdout


def test_no_command_is_hidden() -> None:
    """The group lists exactly the commands that its modules define."""
    context = click.Context(affray)
    for name in affray.list_commands(context):
        command = affray.get_command(context, name)
        assert command is not None
        assert command.name == name


def test_entry_point() -> None:
    """The installed command is the group's main."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"affray": "affray.replay.cli:main"}
