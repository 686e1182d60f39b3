"""The command group: commands imported when they are called, errors as one line each."""

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

# --- Groups of commands that tell the nearest one where a name is none of theirs


class GuidingGroup(click.Group):
    """A group whose error for an unknown command names the one that was meant."""

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
        "play": ("play.play", "Play a scenario file and tell what happens."),
        "new": ("play.new", "Open a new fight in a file."),
        "contribute": ("dice.contribute", "Give words to the seed of the dice."),
        "chain": ("dice.chain", "Say whose chains the dice follow from."),
        "link": ("dice.link", "Give a link of a chain of your own."),
        "add": ("live.add", "Bring a combatant into a fight."),
        "carry": ("campaign.carry", "Bring combatants of one fight into the next one."),
        "do": ("declare.do", "Declare one act."),
        "auto": ("live.auto", "Let tactics play the turn that is running."),
        "choose": ("live.choose", "Answer the question that a fight waits for."),
        "table": ("table.table", "Play a fight at a prompt that holds it open."),
        "serve": ("serve.serve", "Serve a fight to browsers, and a feed of it to machines."),
        "options": ("table.options", "List what is open to a combatant now."),
        "undo": ("branches.undo", "Take back the last declarations."),
        "redo": ("branches.redo", "Bring again what was taken back."),
        "manual": ("dice.manual", "Say whose dice are thrown by hand."),
    },
    "Read": {
        "show": ("show.show", "Show the state at any position: order, health, map."),
        "log": ("show.log", "List the events, one a line."),
        "blame": ("why.blame", "Tell which events made a part of the state what it is."),
        "career": ("campaign.career", "List the fights of one combatant, and how it did in each."),
        "why": ("why.why", "Explain one event down to every die, modifier and rule."),
        "rows": ("rows.rows_", "Make tables of logs: for SQL, data frames, spreadsheets."),
        "ask": ("rows.ask", "Put a question to fights in SQL, and draw the answer."),
        "samples": ("samples.samples", "Build the sample set: 200 fights in four dialects."),
        "statblock": ("statblock.statblock", "Read a printed stat block, and say what was not."),
        "map": ("statblock.map_", "Read a map that was drawn elsewhere, and say how."),
        "referee": ("referee.referee", "Check rolls and outcomes that were played elsewhere."),
        "rules": ("rules.rules", "Look rules up, compare dialects, measure coverage."),
    },
    "Dispute": {
        "dispute": ("rulings.dispute", "Put on record that somebody contests an event."),
        "ruling": ("rulings.ruling", "Uphold, overturn or amend; or void what is open."),
        "rulings": ("rulings.rulings", "List all disputes and rulings."),
        "report": ("rulings.report", "Write one page about a dispute or a ruling."),
        "odds": ("chance.odds", "How likely an event was, or how the fight will end."),
        "swing": ("swing.swing", "Which declaration, die and ruling turned the fight."),
        "pivots": ("whatif.pivots", "Every single change that alone would have made the difference."),
        "luck": ("chance.luck", "Audit the dice: expected and actual hits and damage."),
        "verify": ("verify.verify", "Check chain, states, dice and decisions of a log."),
        "seal": ("seals.seal", "Print or check the seal of a log."),
        "countersign": ("seals.countersign", "Sign the newest seal of a witness file too."),
        "whatif": ("whatif.whatif", "Replay the rest of a fight under another ruling."),
        "fork": ("branches.fork", "Begin a branch at a position."),
        "branches": ("branches.branches", "List the branches."),
        "promote": ("branches.promote", "Make a branch the main line."),
        "merge": ("branches.merge", "Put what was ruled on several branches into one line."),
        "diff": ("branches.diff", "Compare two branches."),
        "replay": ("replay.replay", "Decide a fight again under another rulebook."),
    },
    "Carry": {
        "export": ("transfer.export", "Write a log in another format."),
        "combine": ("verify.combine", "Put redacted copies of one line of play together."),
        "checker": ("transfer.checker", "Write the page that checks logs in a browser."),
        "import": ("transfer.import_", "Read an exported log into a new file."),
        "copy": ("transfer.copy", "Copy a whole log to another file, or into a database."),
        "fights": ("transfer.fights", "List the fights of a database."),
        "secrets": ("dice.secrets", "Say where the seed of the dice is kept."),
    },
}
"""Section -> command -> where it is ("module.attribute") and what it does."""

COMPLETION = "_AFFRAY_COMPLETE"
"""The variable by which shells ask for completions."""

_PLACES = {name: place for section in COMMANDS.values() for name, (place, _) in section.items()}


class LazyGroup(GuidingGroup):
    """A group whose help needs none of its commands, and whose errors are one line on standard error."""

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
        """Run and leave: status 0 good, 1 the answer is no, 2 cannot tell or bad usage."""
        self.debug = False
        words, paged = list(sys.argv[1:] if args is None else args), False
        name = prog_name or "affray"
        try:
            if wanted := os.environ.get(COMPLETION):
                sys.exit(shell_complete(self, extra, name, COMPLETION, wanted))
            # Not click's own main: that leaves with 1, here a "no", when the reader has gone away.
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
            # Who leaves the pager early has read what was wanted.
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
    """Print an error as one line, if anybody still reads it."""
    from affray.replay.cli.terminal.printing import complaint, put

    try:
        coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
        put(complaint("affray:", message, coloured), err=True)
    except BrokenPipeError:
        drop_output(sys.stderr)


def trace(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
    """Print a traceback; what it quotes steers no terminal."""
    import traceback

    from affray.replay.cli.terminal.printing import put

    for text in traceback.format_exception(kind, error, where):
        for row in text.rstrip("\n").split("\n"):
            put(row, err=True)


def described(error: Exception) -> tuple[str, int]:
    """Return the one line that says what went wrong, and the exit status."""
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
    """Note the wish at once: importing the command may already fail."""
    assert isinstance(ctx.command, LazyGroup)
    ctx.command.debug = value


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Print the version and leave. It stands in the engine, of which the help needs nothing."""
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
@click.option("--no-pager", is_flag=True, help="Print long output at once, on a terminal too.")
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
    """Combat for d20 games as a log of events: play it, explain it, replay it another way.

    Exit status: 0 good, 1 the answer is no (refused, broken, different), 2 cannot tell or bad usage.
    """
    if os.environ.get(VARIABLE):
        from affray.replay.cli.terminal.base import rulebook_of_environment
        from affray.replay.cli.terminal.printing import link_to_rulebook

        link_to_rulebook(whole(rulebook_of_environment()))
    if log_level or log_json:
        from affray.events import logging

        logging.show(log_level or "info", json=log_json)  # type: ignore[arg-type]
