"""Shared parts of the commands: opening logs, printing stories, JSON."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from click.decorators import FC
from click.shell_completion import CompletionItem

from affray.engine.book.card import wrapped
from affray.engine.book.catalogue import dialects
from affray.engine.book.packages import for_a_while, packages_named
from affray.engine.table.dice import is_for_link
from affray.engine.text.lines import Line, plain
from affray.engine.text.narrate import Narrator
from affray.events import logging
from affray.events.codec import decode
from affray.events.envelope import Entry, Event
from affray.events.errors import AffrayError, BrokenLog, clear_line, printable, shell_command
from affray.events.errors import counted as errors_counted
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import Asked, Declared
from affray.events.secrets import secrets_path
from affray.events.stores.address import Address, is_address
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter, Question
from affray.replay.chain_file import get_place_of_asked_link
from affray.replay.cli.terminal.output import refuse_log
from affray.replay.cli.terminal.pager import AT_A_PROMPT, paged_columns
from affray.replay.cli.terminal.printing import print_json, put, say, wipe
from affray.replay.log.line_tree import find_first_fault
from affray.replay.log.rules_for_fight import book_of, make_fight_context
from affray.replay.log_files import open_empty_fight, open_log, parse_log_location
from affray.replay.text.rulebook_links import (
    VARIABLE,
    BadRulebook,
    file_at,
    page_of,
    refuse_rulebook,
    settled,
)
from affray.replay.text.styled import styled

# --- Completion with the tab key, beyond commands and options: ids, branches, sheets


def complete_branches(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the branches of the log named earlier in the line; none if there is no log."""
    return complete_from_log(ctx, incomplete, lambda store: ((one.name, "") for one in store.branches()))


def complete_combatants(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the ids of the combatants, each with its name."""

    def combatants(store: Store) -> Iterator[tuple[str, str]]:
        state = fold(store.read(ctx.params.get("branch") or store.main_line()))
        return ((one.id, one.sheet.name) for one in state.combatants.values())

    return complete_from_log(ctx, incomplete, combatants)


def complete_outcomes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return outcomes for `affray pivots` about the combatants in the fight."""
    from affray.replay.predicates import continued

    def outcomes(store: Store) -> Iterator[tuple[str, str]]:
        fight = make_fight_context(fold(store.read(store.main_line())), None)
        return ((one, "") for one in continued(fight, incomplete))

    return complete_from_log(ctx, incomplete, outcomes)


def complete_from_log(
    ctx: click.Context, incomplete: str, read: Callable[[Store], Iterable[tuple[str, str]]]
) -> list[CompletionItem]:
    """Return words with descriptions, read from the log in the line; none without a log."""
    db = log_on_line(ctx)
    if db is None:
        return []
    with open_log(db, readonly=True) as store:
        return beginning(incomplete, read(store))


def log_on_line(ctx: click.Context) -> Path | None:
    """Return the log that the line names, None if it names none that can be read."""
    one: click.Context | None = ctx
    while one is not None and not one.params.get("db"):
        one = one.parent
    # An option that still lacks its value keeps click from reading the words before it.
    typed = os.environ.get("COMP_WORDS", "").split()
    for word in (one.params["db"],) if one is not None else typed:
        try:
            place = word if isinstance(word, Path) else parse_log_location(word)
            if place.is_file() or is_address(str(place)):
                with open_log(place, readonly=True):
                    return place
        except AffrayError:
            continue
    return None


def option_on_line(ctx: click.Context, name: str, *spelt: str) -> Path | None:
    """Return the file that an option of the line names, None if it is missing."""
    given = ctx.params.get(name)
    # An option that still lacks its value keeps click from reading the words before it.
    typed = os.environ.get("COMP_WORDS", "").split()
    after = (word for before, word in pairwise(typed) if before in spelt)
    found = given or next(after, None)
    return None if found is None else Path(found)


def beginning(incomplete: str, found: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    """Return the words, with descriptions, that begin with the typed text.

    Names that contain terminal control characters are left out.
    """
    return [
        CompletionItem(name, help=printable(told))
        for name, told in found
        if name.startswith(incomplete) and name.isprintable()
    ]


class LogPath(click.Path):
    """The location of a log: the path of its file, or the address of a fight in a database."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or the Address. Raises AffrayError for a bad address."""
        return parse_log_location(value) if is_address(str(value)) else super().convert(value, param, ctx)


F = TypeVar("F", bound=Callable[..., object])

LOG = LogPath(path_type=Path)
database = click.argument("db", type=LOG)
as_json = click.option("--json", "json", is_flag=True, help="Print JSON.")
request_id = click.option(
    "--request", default="", help="An id of yours; a repeated command with it runs once."
)
on_branch = click.option(
    "--branch", default="", shell_complete=complete_branches, help="A branch; default: the main line."
)


MOST_TRIES = 100
"""Attempts to claim a file that other processes remove again."""


class Refused(AffrayError):
    """The rules refused a declaration."""

    status = 1


@contextmanager
def reading(path: Path) -> Iterator[Store]:
    """Open an existing log without changing it; standard output must not be the log (see `output`)."""
    refuse_log(None, path)
    with in_file(path), open_log(path, readonly=True) as store, report_damage(store):
        yield store


@contextmanager
def report_damage(store: Store) -> Iterator[None]:
    """Report a damaged log as such: raise BrokenLog in place of errors that the damage caused.

    For an undamaged log, an unexpected error is raised as it is: a fault of the program. A damaged stored
    state is skipped with a message on standard error.
    """
    with logging.telling(_passed_over):
        try:
            yield
        except (AffrayError, OSError, click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except Exception as error:
            fault = find_first_fault(store)
            if fault is None:
                raise
            raise fault from error


def _passed_over(event: str, values: JsonObject) -> None:
    if event == "checkpoint.dropped":
        place = f"{values['stream']}#{values['seq']}"
        told = f"affray: skipped a damaged stored state at {place}; the events are used instead (see verify)"
        say(clear_line(told), err=True)
    elif event == "work.small":
        parts = errors_counted(values["parts"], "part")
        told = f"affray: {parts} of work: too little for Ray (at least {values['needed']})"
        say(f"{told}; local processes are used", err=True)
    elif event == "postgres.unflushed":
        say(
            f"affray: {values['off']} off at this server: a power failure may damage or lose the log",
            err=True,
        )


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Add the file's name to errors about a broken log."""
    try:
        yield
    except BrokenLog as error:
        error.in_file(str(path))
        raise


@contextmanager
def writing(path: Path) -> Iterator[Store]:
    """Open an existing log for writing. Raises AffrayError if there is no such file or fight."""
    if isinstance(path, Address):
        open_log(path, readonly=True).close()  # raises if there is none
    elif not path.exists():
        raise AffrayError(f"{path}: no such file; open a new fight with: {shell_command('new', path)}")
    refuse_log(None, path)
    with in_file(path), open_log(path) as store, report_damage(store):
        yield store


class _Begun(SqliteStore):
    """A new log: `has_recorded` is true once this process has recorded an event."""

    has_recorded = False

    def append(self, stream: str, entries: Sequence[Entry], expected: int, request: str = "") -> list[Event]:
        """Append, and remember it; see Store."""
        found = super().append(stream, entries, expected, request)
        self.has_recorded = True
        return found


@contextmanager
def creating(path: Path, discard: tuple[type[Exception], ...] = ()) -> Iterator[Store]:
    """Open an empty log: a new file, or one that a crash left before its first event.

    In a database it is a new fight (see `open_empty_fight`).

    The file is deleted again, together with its secrets, if it stays empty, or if one of the errors in
    `discard` ends the block. This only happens to a file that was created here and that no other process is
    using for a new log.
    """
    refuse_log(None, path)
    if isinstance(path, Address):
        with logging.telling(_passed_over), in_file(path), open_empty_fight(path, discard) as begun:
            yield begun
        return
    with _claimed(path) as (ours, alone):
        if not ours and path.exists() and path.stat().st_size and not _unused(path):
            raise AffrayError(f"{path}: the file exists already; choose another name")
        kept = secrets_path(path).exists()
        store = spoiled = None
        try:
            store = _Begun(path)
            yield store
        except BaseException as error:
            # Events recorded by other processes stay after a failure here.
            spoiled = isinstance(error, discard) and store is not None and store.has_recorded
            raise
        finally:
            if store is not None:
                store.close()
            # Checked only now: another process may have recorded events since the block ended.
            if ours and alone() and (spoiled or not path.stat().st_size or _unused(path)):
                for suffix in ("", "-wal", "-shm"):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
                if not kept:
                    secrets_path(path).unlink(missing_ok=True)


@contextmanager
def _claimed(path: Path) -> Iterator[tuple[bool, Callable[[], bool]]]:
    """Yield whether this call created the file, and claim it for a new log.

    Of several processes that open a new log, one creates it. The second value is a function that returns
    whether no other process is using the file for a new log now: deleting it would lose that process's
    events. The lock is flock, which neither SQLite nor closing the file elsewhere affects; without flock, the
    file stays.
    """
    for _ in range(MOST_TRIES):
        ours = _made(path)
        try:
            held = os.open(path, os.O_RDONLY)
        except FileNotFoundError:  # deleted in between, or it cannot be created: opening the log raises
            continue
        except OSError:
            break
        try:
            locked = _locked(held)
            if not _is_still(held, path):
                continue
            yield ours, lambda held=held, locked=locked: locked and _locked(held, alone=True)  # type: ignore[misc]
            return
        finally:
            os.close(held)
    yield False, lambda: False


def _locked(held: int, *, alone: bool = False) -> bool:
    """Lock a file, waiting for it, or with `alone` only if it is free; return whether it is locked."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)
    except OSError:
        return False
    return True


def _is_still(held: int, path: Path) -> bool:
    """Return whether a path still leads to an open file."""
    try:
        return os.path.samestat(os.fstat(held), path.stat())
    except OSError:
        return False


def _made(path: Path) -> bool:
    """Return whether this call created the file: of several processes that open a new log, one does."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except OSError:  # it exists, or cannot be created: opening it raises
        return False
    return True


def _unused(path: Path) -> bool:
    """Return whether a file is a log without an event."""
    try:
        with SqliteStore(path, readonly=True) as store:
            return not any(store.read_all())
    except AffrayError:
        return False


def is_output_in_colour() -> bool:
    """Return whether standard output is a terminal with colour, directly or through a pager."""
    return bool(terminal_width()) and not os.environ.get("NO_COLOR")


def width() -> int:
    """Return the columns to write in: those of the terminal within limits, 80 without a terminal."""
    return min(100, max(40, terminal_width() or 80))


def terminal_width() -> int:
    """Return the columns of the terminal, 0 if standard output is not one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else paged_columns()


def put_prose(row: str, hanging: str = "") -> None:
    """Print a row; on a terminal or at the prompt it is wrapped, with further rows indented more."""
    for one in wrap_row(row, hanging):
        put(one)


def wrap_row(row: str, hanging: str = "") -> list[str]:
    """Return a row wrapped for a terminal or the prompt; unchanged elsewhere.

    `hanging` is the indent of further rows; default: two blanks more than the first.
    """
    if not (terminal_width() or is_at_prompt()):
        return [row]
    further = " " * (len(row) - len(row.lstrip()) + 2)
    return wrapped(row, width(), hanging=hanging or further) or [row]


def tell(lines: Iterable[Line]) -> None:
    """Print the lines of a story."""
    show = styled if is_output_in_colour() else plain
    columns = width()
    for line in lines:
        for row in show(line, columns):
            say(row)


def event_json(event: Event) -> dict[str, object]:
    """Return an event for JSON output, with its data as stored."""
    return {
        "stream": event.stream,
        "seq": event.seq,
        "type": event.type,
        "round": event.round,
        "turn": event.turn,
        "actor": event.actor,
        "cause": event.cause,
        "digest": event.digest.hex(),
        "data": msgspec.Raw(event.data),
    }


def answering(db: Path | str, store: Store, branch: str, question: Question | Asked) -> str:
    """Return how to answer a pending question: with an option, the results of dice, or a link."""
    on = () if branch in ("", store.main_line()) else ("--branch", branch)
    if is_for_link(question):
        asked = next(iter(store.read(branch, after=store.head(branch).seq - 1)))
        by = f"{question.who} gives it with" if question.who else "it comes with"
        link = shell_command("link", "FILE", get_place_of_asked_link(asked))
        return f"({by}: {link}; then: {shell_command('choose', db, 'LINK', *on)})"
    answer = question.options[0] if question.options else "FACES"
    return f"(answer with: {shell_command('choose', db, answer, *on)})"


def is_at_prompt() -> bool:
    """Return whether a command was typed at a prompt, which itself shows how to answer a question."""
    context = click.get_current_context(silent=True)
    return context is not None and context.find_root().obj == AT_A_PROMPT


class Teller:
    """Print the events of a log in parts as it grows: as a story or as JSON Lines."""

    def __init__(self, store: Store, branch: str, *, after: int = 0, json: bool = False) -> None:
        """Start after event `after`: earlier events are known and not printed. O(after)."""
        self.store, self.branch, self.json, self.seq = store, branch, json, after
        begun = self._open_declaration(after)
        state = fold(store.read(branch, upto=begun))
        self.narrator = Narrator(state, book=book_of(state))
        # A declaration that waited for an answer continues in the middle: physical dice rolled since then
        # count.
        self.narrator.hear(decode(event) for event in store.read(branch, after=begun, upto=after))

    def _open_declaration(self, after: int) -> int:
        """Return the position before the declaration to which the event after `after` belongs."""
        following = next(iter(self.store.read(self.branch, after=after, upto=after + 1)), None)
        if following is None or not 0 < following.cause <= after:
            return after
        return following.cause - 1

    def go_on(self, *_: object, upto: int | None = None) -> None:
        """Print the events recorded since the last call, up to event `upto`."""
        events = list(self.store.read(self.branch, after=self.seq, upto=upto))
        self.seq += len(events)
        if self.json:
            for event in events:
                print_json(event_json(event))
        else:
            tell(self.narrator.tell(decode(event) for event in events))


# --- Shared parts of commands that play a fight on: processes, a progress bar, declarations in words


def add_worker_options(command: F) -> F:
    """Add the options for the number of workers and their location to a command."""
    jobs = click.option(
        "--jobs",
        type=click.IntRange(min=1),
        help="Workers; default: as many as there are cores.",
        callback=lambda context, option, jobs: jobs or cores(),
    )
    on = click.option(
        "--on", default="", metavar="ray[://HOST:PORT]", help="Work on Ray, of this machine or a cluster."
    )
    return jobs(on(command))


def in_words(state: Encounter, declared: Declared) -> str:
    """Return a declaration in words, as in a story."""
    return Narrator(state).brief(declared)


def cores() -> int:
    """Return the number of processes that this machine runs at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def watched(label: str = "playing on") -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal until the block ends; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    try:
        with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

            def progress(done: int, of: int) -> None:
                bar.length = of
                bar.update(done - bar.pos)

            yield progress
    finally:
        wipe()


@contextmanager
def yield_until_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether to continue: false after an interrupt, which then stops nothing
    else.
    """
    asked = False

    def stop(*_: object) -> None:
        nonlocal asked
        if asked:  # a second one is meant
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: not asked
    finally:
        signal.signal(signal.SIGINT, before)


# --- Dialects by name, and the option for packages in folders, which offer more of them


class DialectName(click.Choice[str]):
    """The name of a dialect: one that ships, of an installed package, or of a package that the line names."""

    def __init__(self) -> None:
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """Return the names that are known now."""
        return dialects()


DIALECT = DialectName()


def enter_packages(ctx: click.Context, locations: Sequence[str]) -> None:
    """Use packages in folders until the command ends. Raises BadPackage."""
    if locations:
        ctx.find_root().with_resource(for_a_while())
    for location in locations:
        packages_named(location)


packages = click.option(
    "--package",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, param, locations: enter_packages(ctx, locations),
    metavar="FOLDER",
    help="Use the dialect or house rules in this folder, without installing them; repeat it.",
)


# --- The option for a rulebook, and its page for a fight's rules


def make_rulebook_option(help: str) -> Callable[[FC], FC]:
    """Return the option --rulebook, which the environment can also set for all commands."""
    return click.option(
        "--rulebook",
        default="",
        envvar=VARIABLE,
        show_envvar=True,
        metavar="ADDRESS",
        callback=_checked,
        help=help,
    )


def is_rulebook_from_environment() -> bool:
    """Return whether the rulebook comes from the environment, not from the command line."""
    source = click.get_current_context().get_parameter_source("rulebook")
    return source is not click.core.ParameterSource.COMMANDLINE


def rulebook_of_environment() -> str:
    """Return the rulebook from the environment, "" for none. Raises UsageError for a bad address."""
    return _clean(os.environ.get(VARIABLE, ""), VARIABLE)


def find_rulebook_page(store: Store, rulebook: str, beside: Path | None) -> str:
    """Return the page of a rulebook for a fight; print the command that creates it if it is missing.

    Paths are relative to the folder `beside`; without it, their targets are unknown.
    """
    dialect = next((str(getattr(decode(event), "dialect", "")) for event in store.read("main", upto=1)), "")
    page = page_of(settled(rulebook, beside), dialect)
    file = file_at(page, beside) if page else None
    if file is not None and not file.is_file() and (beside is not None or file.is_absolute()):
        written = shell_command("rules", dialect, "--page", "--out", file)
        say(f"{file}: the rulebook does not exist yet; create it with: {written}", err=True)
    return page


def _checked(ctx: click.Context, param: click.Parameter, value: str) -> str:
    return _clean(value, "--rulebook")


def _clean(address: str, name: str) -> str:
    try:
        refuse_rulebook(address)
    except BadRulebook as fault:
        raise click.UsageError(f"{name}: {fault}") from None
    return address


# --- The state of a combatant that enters, other than its square: wounds, grips, bonds, used supplies


def counted(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[object, ...]:
    """Parse pairs of a name and a number. Raises UsageError for other text."""
    found = []
    for text in given:
        name, equals, number = text.rpartition("=")
        if not (name and equals and number.removeprefix("-").isdecimal()):
            raise click.UsageError(f"{option.opts[0]} {text}: write it as NAME=NUMBER")
        found.append((name, int(number)))
    return tuple(found)


def paired(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[object, ...]:
    """Parse pairs of a condition and a combatant. Raises UsageError for other text."""
    found = []
    for text in given:
        name, equals, other = text.rpartition("=")
        if not (name and equals and other):
            raise click.UsageError(f"{option.opts[0]} {text}: write it as CONDITION=COMBATANT")
        found.append((name, other))
    return tuple(found)


OPTIONS = (
    click.option("--nonlethal", type=int, default=0, help="Its nonlethal damage."),
    click.option("--condition", "conditions", multiple=True, help="A condition that it is under; repeat it."),
    click.option(
        "--by",
        multiple=True,
        callback=paired,
        help="Who caused a condition, as CONDITION=COMBATANT; repeat it.",
    ),
    click.option(
        "--level",
        "levels",
        multiple=True,
        callback=counted,
        help='The level of a condition, as "energy drained=2"; repeat it.',
    ),
    click.option(
        "--loss",
        "losses",
        multiple=True,
        callback=counted,
        help='Ability points lost, as str=3 or "str drain=3"; repeat it.',
    ),
    click.option(
        "--used",
        multiple=True,
        callback=counted,
        help="Supplies used up, as longbow=5 for arrows; repeat it.",
    ),
    click.option("--held", multiple=True, help="A weapon in hand, if not the first one; repeat it."),
    click.option("--empty-handed", is_flag=True, help="With nothing in hand."),
    click.option("--unloaded", multiple=True, help="A weapon that must be loaded first; repeat it."),
    click.option("--riding", default="", help="The mount that it rides."),
    click.option("--grapples", default="", help="The opponent that it grapples."),
    click.option(
        "--grip", type=click.Choice(("pins", "pinned")), help="Whether it pins that opponent, or is pinned."
    ),
    click.option("--acted", is_flag=True, help="It has already acted in this fight."),
)
"""The options of an entry that set a combatant's state, in the order of the help."""


def add_entry_options(command: F) -> F:
    """Add these options to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def said(states: JsonObject) -> JsonObject:
    """Return the fields of the entry from the options. Raises UsageError if two contradict."""
    held, empty = states.pop("held"), states.pop("empty_handed")
    if held and empty:
        raise click.UsageError("--held and --empty-handed contradict each other: use one")
    return {**states, "held": () if empty else held or None, "grip": states["grip"] or ""}


def parse_entry_square(text: str) -> tuple[int, int]:
    """Parse the square of an entry for --at. Raises click.UsageError."""
    x, _, y = text.partition(",")
    try:
        return int(x), int(y)
    except ValueError:
        raise click.UsageError(f"--at {text}: write the square as 8,3") from None
