"""The command group: imports commands when they are called, and prints errors as one line."""

import importlib
import os
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any, NoReturn

import click
from click.shell_completion import shell_complete

from affray.replay.cli.terminal.pager import (
    CLOSED_PIPE,
    COLUMNS,
    PAGED,
    UNHEARD,
    drop_output,
    make_no_pager_option,
)
from affray.replay.text.rulebook_links import VARIABLE, whole

# --- Groups of commands that suggest the nearest name for an unknown one


class GuidingGroup(click.Group):
    """A group whose error for an unknown command suggests a known one."""

    what = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the words name. Raises UsageError for none, with the nearest one."""
        if not ctx.resilient_parsing and args[0][:1] != "-" and self.get_command(ctx, args[0]) is None:
            from affray.events.errors import did_you_mean

            meant = did_you_mean(args[0], self.list_commands(ctx))
            ctx.fail(f"No such {self.what} {args[0]!r}{meant}")
        return super().resolve_command(ctx, args)


COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "Play": {
        "demo": ("play.demo", "Play the packaged fight of a dialect and verify its log."),
        "play": ("play.play", "Play a scenario file and print what happens."),
        "new": ("play.new", "Open a new fight in a file."),
        "contribute": ("dice.contribute", "Add words to the seed of the dice."),
        "chain": ("dice.chain", "Begin, leave or list the chains for the dice."),
        "link": ("dice.link", "Give a link of your own chain."),
        "add": ("live.add", "Add a combatant to a fight."),
        "carry": ("campaign.carry", "Carry combatants of one fight into the next."),
        "do": ("declare.do", "Declare one act."),
        "auto": ("live.auto", "Play the current turn automatically."),
        "choose": ("live.choose", "Answer the question that a fight waits for."),
        "table": ("table.table", "Play a fight at a prompt that holds it open."),
        "serve": ("serve.serve", "Serve a fight to browsers, and its feed to programs."),
        "options": ("table.options", "List what a combatant may declare now."),
        "undo": ("branches.undo", "Undo the last declarations."),
        "redo": ("branches.redo", "Redo what was undone."),
        "manual": ("dice.manual", "Choose who rolls physical dice."),
    },
    "Read": {
        "show": ("show.show", "Show the state at any position: order, health, map."),
        "log": ("show.log", "List the events, one a line."),
        "blame": ("why.blame", "List the events that set a part of the state."),
        "career": ("campaign.career", "List the fights of one combatant, and how it did in each."),
        "why": ("why.why", "Explain one event down to every die, modifier and rule."),
        "rows": ("rows.rows_", "Convert logs to tables for SQL, data frames, spreadsheets."),
        "ask": ("rows.ask", "Query fights in SQL and draw the answer."),
        "samples": ("samples.samples", "Build the sample set: 200 fights in four dialects."),
        "statblock": ("statblock.statblock", "Parse a stat block and report what was not read."),
        "map": ("statblock.map_", "Convert a map that was drawn elsewhere, with a report."),
        "referee": ("referee.referee", "Check rolls and outcomes that were played elsewhere."),
        "rules": ("rules.rules", "Look up rules, compare dialects, measure coverage."),
    },
    "Dispute": {
        "dispute": ("rulings.dispute", "Record a dispute of an event."),
        "ruling": ("rulings.ruling", "Uphold, overturn or amend; or void an open declaration."),
        "rulings": ("rulings.rulings", "List all disputes and rulings."),
        "report": ("rulings.report", "Write a page about a dispute or a ruling."),
        "odds": ("chance.odds", "Calculate the odds of an event, or of how the fight ends."),
        "difficulty": ("difficulty.difficulty", "Compare an encounter with the budget of its rulebook."),
        "swing": ("swing.swing", "Show which declarations, dice and rulings turned the fight."),
        "pivots": ("whatif.pivots", "List single changes that would have changed an outcome."),
        "luck": ("chance.luck", "Audit the dice: expected and actual hits and damage."),
        "verify": ("verify.verify", "Check chain, states, dice and decisions of a log."),
        "seal": ("seals.seal", "Print or check the seal of a log."),
        "countersign": ("seals.countersign", "Sign the newest seal of a witness file."),
        "whatif": ("whatif.whatif", "Replay the rest of a fight under another ruling."),
        "fork": ("branches.fork", "Create a branch at a position."),
        "branches": ("branches.branches", "List the branches."),
        "promote": ("branches.promote", "Make a branch the main line."),
        "merge": ("branches.merge", "Merge the rulings of several branches into one line."),
        "diff": ("branches.diff", "Compare two branches."),
        "replay": ("replay.replay", "Decide a fight again under another rulebook."),
    },
    "Carry": {
        "export": ("transfer.export", "Write a log in another format."),
        "combine": ("verify.combine", "Combine redacted copies of one line of play."),
        "checker": ("transfer.checker", "Write the page that checks logs in a browser."),
        "import": ("transfer.import_", "Read an exported log into a new file."),
        "copy": ("transfer.copy", "Copy a whole log to another file, or into a database."),
        "fights": ("transfer.fights", "List the fights of a database."),
        "secrets": ("dice.secrets", "Show where the seed of the dice is stored."),
    },
}
"""Section -> command -> its location ("module.attribute") and summary."""

COMPLETION = "_AFFRAY_COMPLETE"
"""The variable with which shells ask for completions."""

PACKAGES = "AFFRAY_PACKAGES"
"""The variable that names folders of packages for every command, separated as in PATH."""

_PLACES = {name: place for section in COMMANDS.values() for name, (place, _) in section.items()}


class LazyGroup(GuidingGroup):
    """A group whose help imports no command, and whose errors are one line on standard error."""

    debug = False

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(_PLACES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import the command of that name; None if there is none."""
        if name not in _PLACES:
            return None
        module, _, attribute = _PLACES[name].partition(".")
        command: click.Command = getattr(importlib.import_module(f"affray.replay.cli.{module}"), attribute)
        if name in PAGED and not any(param.name == "no_pager" for param in command.params):
            command.params.append(make_no_pager_option())
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section, from the table alone."""
        for section, commands in COMMANDS.items():
            with formatter.section(section):
                formatter.write_dl([(name, text) for name, (_, text) in commands.items()])

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run and exit: status 0 success, 1 negative result, 2 error or cannot be decided."""
        self.debug = False
        words, paged = list(sys.argv[1:] if args is None else args), False
        name = prog_name or "affray"
        try:
            if wanted := os.environ.get(COMPLETION):
                sys.exit(shell_complete(self, extra, name, COMPLETION, wanted))
            # Not click's own main: it exits with 1, here a negative result, when the reader is gone.
            with self.make_context(name, words, **extra) as context:
                try:
                    self.invoke(context)
                finally:
                    paged = COLUMNS in context.meta
            sys.stdout.flush()
        except click.exceptions.Exit as leaving:
            sys.exit(leaving.exit_code)
        except (KeyboardInterrupt, click.Abort):
            print_error("interrupted")
            sys.exit(130)
        except BrokenPipeError:
            drop_output(sys.stdout)
            # Quitting the pager early is normal.
            sys.exit(0 if paged else CLOSED_PIPE)
        except Exception as error:
            if self.debug:
                sys.excepthook = trace
                raise
            message, status = described(error)
            print_error(message)
            sys.exit(status)
        sys.exit(CLOSED_PIPE if context.meta.get(UNHEARD) else 0)


def print_error(message: str) -> None:
    """Print an error as one line, if standard error is still read."""
    from affray.replay.cli.terminal.printing import complaint, put

    try:
        coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
        put(complaint("affray:", message, coloured), err=True)
    except BrokenPipeError:
        drop_output(sys.stderr)


def trace(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
    """Print a traceback without terminal control characters."""
    import traceback

    from affray.replay.cli.terminal.printing import put

    for text in traceback.format_exception(kind, error, where):
        for row in text.rstrip("\n").split("\n"):
            put(row, err=True)


def described(error: Exception) -> tuple[str, int]:
    """Return the line that describes an error, and the exit status."""
    from affray.events.errors import AffrayError, BrokenLog, clear_line

    if isinstance(error, click.UsageError):
        hint = f" (see {clear_line(error.ctx.command_path)} --help)" if error.ctx is not None else ""
        return f"{clear_line(error.format_message())}{hint}", 2
    if isinstance(error, click.ClickException):
        return clear_line(error.format_message()), 2
    if isinstance(error, AffrayError):
        refused = hasattr(error, "rule") and hasattr(error, "reason")
        status = getattr(error, "status", 1 if refused or isinstance(error, BrokenLog) else 2)
        return clear_line(str(error)), int(status)
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return clear_line(f"{where}{error.strerror}"), 2
    what = clear_line(str(error))[:200]
    return f"unexpected {type(error).__name__}: {what} (affray --debug shows where)", 2


def _debug(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Set debug at once: importing the command may already fail."""
    assert isinstance(ctx.command, LazyGroup)
    ctx.command.debug = value


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Print the version and exit. It is defined in the engine, which the help does not import."""
    if value and not ctx.resilient_parsing:
        from affray.engine.version import VERSION
        from affray.replay.cli.terminal.printing import put

        put(f"affray {VERSION}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Start with: affray demo. Every command has --help with an example.\n\n"
    "\b\nThe tab key completes commands, acts, ids, branches and sheets after\n"
    '  eval "$(_AFFRAY_COMPLETE=bash_source affray)"',
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="Write the operational log to standard error.",
)
@click.option("--no-pager", is_flag=True, help="Print long output without a pager.")
@click.option("--log-json", is_flag=True, help="Write that log as one JSON object a line.")
@click.option(
    "--debug",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_debug,
    help="Show the traceback of an unexpected error.",
)
def affray(log_level: str | None, log_json: bool, no_pager: bool) -> None:
    """Combat for d20 games as a log of events: play it, explain it, replay it with changes.

    Exit status: 0 success, 1 negative result (refused, broken, different), 2 error or cannot be decided.
    """
    if os.environ.get(VARIABLE):
        from affray.replay.cli.terminal.base import rulebook_of_environment
        from affray.replay.cli.terminal.printing import link_to_rulebook

        link_to_rulebook(whole(rulebook_of_environment()))
    if folders := os.environ.get(PACKAGES):
        from affray.replay.cli.terminal.base import enter_packages

        enter_packages(click.get_current_context(), folders.split(os.pathsep))
    if log_level or log_json:
        from affray.events import logging

        logging.show(log_level or "info", json=log_json)  # type: ignore[arg-type]
