"""The option that names a rulebook, and the page of it that a fight's rules lead to."""

import os
from collections.abc import Callable
from pathlib import Path

import click
from click.decorators import FC

from affray.events.codec import decode
from affray.events.store import Store
from affray.events.wording import shell_command
from affray.replay.cli.printing import say
from affray.replay.rulebook.address import VARIABLE, BadRulebook, file_at, page_of, refuse_rulebook, settled


def rulebook_option(help: str) -> Callable[[FC], FC]:
    """Return the option --rulebook, which the environment may give for all commands."""
    return click.option(
        "--rulebook",
        default="",
        envvar=VARIABLE,
        show_envvar=True,
        metavar="ADDRESS",
        callback=_checked,
        help=help,
    )


def from_environment() -> bool:
    """Say whether nobody named a rulebook for this command itself."""
    source = click.get_current_context().get_parameter_source("rulebook")
    return source is not click.core.ParameterSource.COMMANDLINE


def rulebook_of_environment() -> str:
    """Return the rulebook that the environment names, "" for none. Raises UsageError for a bad address."""
    return _clean(os.environ.get(VARIABLE, ""), VARIABLE)


def page_for(store: Store, rulebook: str, beside: Path | None) -> str:
    """Return the page of a rulebook for a fight, and say which command writes it, if it is not there yet.

    Paths count from the folder `beside`; without one nothing is known of where they lead.
    """
    dialect = next((str(getattr(decode(event), "dialect", "")) for event in store.read("main", upto=1)), "")
    page = page_of(settled(rulebook, beside), dialect)
    file = file_at(page, beside) if page else None
    if file is not None and not file.is_file() and (beside is not None or file.is_absolute()):
        written = shell_command("rules", dialect, "--page", "--out", file)
        say(f"{file}: there is no rulebook yet; this writes it: {written}", err=True)
    return page


def _checked(ctx: click.Context, param: click.Parameter, value: str) -> str:
    return _clean(value, "--rulebook")


def _clean(address: str, name: str) -> str:
    try:
        refuse_rulebook(address)
    except BadRulebook as fault:
        raise click.UsageError(f"{name}: {fault}") from None
    return address
