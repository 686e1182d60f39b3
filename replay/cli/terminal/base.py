"""What the commands share: opening logs, telling stories, JSON."""

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
from affray.engine.table.dice import is_for_link
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
from affray.replay.cli.terminal.pager import paged_columns
from affray.replay.cli.terminal.printing import print_json, put, say, wipe
from affray.replay.log.line_tree import find_first_fault
from affray.replay.log.rules_for_fight import book_of, make_fight_context
from affray.replay.log_files import open_empty_fight, open_log, parse_log_location
from affray.replay.text.lines import Line, plain, styled
from affray.replay.text.narrate import Narrator
from affray.replay.text.rulebook_links import (
    VARIABLE,
    BadRulebook,
    file_at,
    page_of,
    refuse_rulebook,
    settled,
)

# --- What the tab key completes besides commands and options: ids, branches, sheets


def complete_branches(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the branches of the log that stands before on the line; none where there is no log."""
    return complete_from_log(ctx, incomplete, lambda store: ((one.name, "") for one in store.branches()))


def complete_combatants(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the ids of the combatants, each with its name."""

    def combatants(store: Store) -> Iterator[tuple[str, str]]:
        state = fold(store.read(ctx.params.get("branch") or store.main_line()))
        return ((one.id, one.sheet.name) for one in state.combatants.values())

    return complete_from_log(ctx, incomplete, combatants)


def complete_outcomes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return outcomes that `affray pivots` understands, of those who are in the fight."""
    from affray.replay.predicates import continued

    def outcomes(store: Store) -> Iterator[tuple[str, str]]:
        fight = make_fight_context(fold(store.read(store.main_line())), None)
        return ((one, "") for one in continued(fight, incomplete))

    return complete_from_log(ctx, incomplete, outcomes)


def complete_from_log(
    ctx: click.Context, incomplete: str, read: Callable[[Store], Iterable[tuple[str, str]]]
) -> list[CompletionItem]:
    """Return the words, each with what it is, that are read of the log on the line; none without a log."""
    db = log_on_line(ctx)
    if db is None:
        return []
    with open_log(db, readonly=True) as store:
        return beginning(incomplete, read(store))


def log_on_line(ctx: click.Context) -> Path | None:
    """Return the log that the line names, None where it names none that can be read."""
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
    """Return the file that an option of the line names, None where it is not there."""
    given = ctx.params.get(name)
    # An option that still lacks its value keeps click from reading the words before it.
    typed = os.environ.get("COMP_WORDS", "").split()
    after = (word for before, word in pairwise(typed) if before in spelt)
    found = given or next(after, None)
    return None if found is None else Path(found)


def beginning(incomplete: str, found: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    """Return those of the words, each with what it is, that begin with what was typed.

    A name that would steer the terminal is left out.
    """
    return [
        CompletionItem(name, help=printable(told))
        for name, told in found
        if name.startswith(incomplete) and name.isprintable()
    ]


class LogPath(click.Path):
    """Where a log is: the path of its file, or the address of a fight in a database."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or the Address. Raises AffrayError for a bad address."""
        return parse_log_location(value) if is_address(str(value)) else super().convert(value, param, ctx)


F = TypeVar("F", bound=Callable[..., object])

LOG = LogPath(path_type=Path)
database = click.argument("db", type=LOG)
as_json = click.option("--json", "json", is_flag=True, help="Print JSON.")
request_id = click.option(
    "--request", default="", help="An id of yours: what is repeated under it happens once."
)
on_branch = click.option(
    "--branch", default="", shell_complete=complete_branches, help="A branch; the main line without it."
)


MOST_TRIES = 100
"""So often a file is claimed that others take back meanwhile."""


class Refused(AffrayError):
    """The rules forbid what was declared."""

    status = 1


@contextmanager
def reading(path: Path) -> Iterator[Store]:
    """Open an existing log without changing it; standard output must lead elsewhere (see `output`)."""
    refuse_log(None, path)
    with in_file(path), open_log(path, readonly=True) as store, report_damage(store):
        yield store


@contextmanager
def report_damage(store: Store) -> Iterator[None]:
    """Say of nonsense in a damaged log that it is damaged: BrokenLog in place of what came of the nonsense.

    Where the log is whole, an unexpected error stays what it is: a fault of the program. A kept state that is
    passed over, because it is not what it was, is told on standard error.
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
        told = f"affray: the state kept at {place} is damaged and passed over: the events tell (see verify)"
        say(clear_line(told), err=True)
    elif event == "work.small":
        parts = errors_counted(values["parts"], "part")
        told = f"affray: {parts} of work: too little for Ray (from {values['needed']} on)"
        say(f"{told}: processes do it", err=True)
    elif event == "postgres.unflushed":
        say(f"affray: {values['off']} off at this server: a power cut may take or break the log", err=True)


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Have a broken log say in which file it is."""
    try:
        yield
    except BrokenLog as error:
        error.in_file(str(path))
        raise


@contextmanager
def writing(path: Path) -> Iterator[Store]:
    """Open an existing log to play on. Raises AffrayError if there is no such file or fight."""
    if isinstance(path, Address):
        open_log(path, readonly=True).close()  # says so where there is none
    elif not path.exists():
        raise AffrayError(f"{path}: no such file; open a new fight with: {shell_command('new', path)}")
    refuse_log(None, path)
    with in_file(path), open_log(path) as store, report_damage(store):
        yield store


class _Begun(SqliteStore):
    """A log that is begun: `has_recorded` says whether anything was recorded in it by this process."""

    has_recorded = False

    def append(self, stream: str, entries: Sequence[Entry], expected: int, request: str = "") -> list[Event]:
        """Append, and remember it; see Store."""
        found = super().append(stream, entries, expected, request)
        self.has_recorded = True
        return found


@contextmanager
def creating(path: Path, discard: tuple[type[Exception], ...] = ()) -> Iterator[Store]:
    """Open a log that holds nothing yet: a new file, or what a crash left of one before its first event.

    In a database it is a new fight (see `open_empty_fight`).

    The file is taken back if it stays empty, or when one of the errors in `discard` ends the block: only a
    file that is made here and that nobody else is about to begin, and with it the file of its secrets.
    """
    refuse_log(None, path)
    if isinstance(path, Address):
        with logging.telling(_passed_over), in_file(path), open_empty_fight(path, discard) as begun:
            yield begun
        return
    with _claimed(path) as (ours, alone):
        if not ours and path.exists() and path.stat().st_size and not _unused(path):
            raise AffrayError(f"{path}: there is a file already; name another one")
        kept = secrets_path(path).exists()
        store = spoiled = None
        try:
            store = _Begun(path)
            yield store
        except BaseException as error:
            # What others have recorded is theirs, whatever went wrong here.
            spoiled = isinstance(error, discard) and store is not None and store.has_recorded
            raise
        finally:
            if store is not None:
                store.close()
            # Looked at only now: somebody may have recorded something since the block has ended.
            if ours and alone() and (spoiled or not path.stat().st_size or _unused(path)):
                for suffix in ("", "-wal", "-shm"):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
                if not kept:
                    secrets_path(path).unlink(missing_ok=True)


@contextmanager
def _claimed(path: Path) -> Iterator[tuple[bool, Callable[[], bool]]]:
    """Say whether this call made the file, and let others know that a log is begun in it.

    Of several processes that open a new log one makes it. What else is yielded says whether nobody else
    begins a log there now: whoever takes the file away from somebody loses what that one records. The lock is
    flock, which neither SQLite nor closing the file elsewhere touches; where there is none, the file stays.
    """
    for _ in range(MOST_TRIES):
        ours = _made(path)
        try:
            held = os.open(path, os.O_RDONLY)
        except FileNotFoundError:  # taken back in between, or it cannot be made: opening the log says so
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
    """Take the lock of a file, waiting for it, or `alone` only if it is free; say whether it was taken."""
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
    """Say whether an open file is the one that its path leads to."""
    try:
        return os.path.samestat(os.fstat(held), path.stat())
    except OSError:
        return False


def _made(path: Path) -> bool:
    """Say whether this call made the file: of several processes that open a new log, one did."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except OSError:  # there is one already, or there can be none: opening it says which
        return False
    return True


def _unused(path: Path) -> bool:
    """Say whether a file is a log without an event."""
    try:
        with SqliteStore(path, readonly=True) as store:
            return not any(store.read_all())
    except AffrayError:
        return False


def is_output_in_colour() -> bool:
    """Say whether standard output is a terminal, behind a pager or not, that wants colour."""
    return bool(terminal_width()) and not os.environ.get("NO_COLOR")


def width() -> int:
    """Return the columns to write in: those of the terminal within reason, 80 without one."""
    return min(100, max(40, terminal_width() or 80))


def terminal_width() -> int:
    """Return the columns of the terminal, 0 where standard output is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else paged_columns()


def put_prose(row: str, hanging: str = "") -> None:
    """Print a row; on a terminal or at the prompt it breaks at blanks, and what follows stands further in."""
    for one in wrap_row(row, hanging):
        put(one)


def wrap_row(row: str, hanging: str = "") -> list[str]:
    """Return a row in as many as a terminal or the prompt has room for, itself where it is neither.

    `hanging` stands before what follows the first; two blanks more than before that one without it.
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
    """Return an event as it is shown in JSON, its data as stored."""
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
    """Return how to answer an open question: with one of the options, the faces of the dice, or a link."""
    on = () if branch in ("", store.main_line()) else ("--branch", branch)
    if is_for_link(question):
        asked = next(iter(store.read(branch, after=store.head(branch).seq - 1)))
        by = f"{question.who} gives it with" if question.who else "it comes with"
        link = shell_command("link", "FILE", get_place_of_asked_link(asked))
        return f"({by}: {link}; then: {shell_command('choose', db, 'LINK', *on)})"
    answer = question.options[0] if question.options else "FACES"
    return f"(answer with: {shell_command('choose', db, answer, *on)})"


AT_A_PROMPT = "at a prompt"
"""The object of the outermost context where a command was typed at the prompt of `affray table`."""


def is_at_prompt() -> bool:
    """Say whether a command was typed at a prompt, which itself says how a question is answered."""
    context = click.get_current_context(silent=True)
    return context is not None and context.find_root().obj == AT_A_PROMPT


class Teller:
    """Tells what a log holds, in pieces as it grows: as a story or as JSON Lines."""

    def __init__(self, store: Store, branch: str, *, after: int = 0, json: bool = False) -> None:
        """Stand after event `after`, everything before it known and untold. O(after)."""
        self.store, self.branch, self.json, self.seq = store, branch, json, after
        begun = self._open_declaration(after)
        state = fold(store.read(branch, upto=begun))
        self.narrator = Narrator(state, book=book_of(state))
        # What waited for an answer goes on in the middle: the dice on the table are those thrown since.
        self.narrator.hear(decode(event) for event in store.read(branch, after=begun, upto=after))

    def _open_declaration(self, after: int) -> int:
        """Return the position before the declaration to which the event after `after` belongs."""
        following = next(iter(self.store.read(self.branch, after=after, upto=after + 1)), None)
        if following is None or not 0 < following.cause <= after:
            return after
        return following.cause - 1

    def go_on(self, *_: object, upto: int | None = None) -> None:
        """Print what has been recorded since the last time, as far as event `upto`."""
        events = list(self.store.read(self.branch, after=self.seq, upto=upto))
        self.seq += len(events)
        if self.json:
            for event in events:
                print_json(event_json(event))
        else:
            tell(self.narrator.tell(decode(event) for event in events))


# --- What commands share that play a fight on: processes, a bar of how far it is, declarations in words


def add_worker_options(command: F) -> F:
    """Let a command be told how many workers share its work, and where they are."""
    jobs = click.option(
        "--jobs",
        type=click.IntRange(min=1),
        help="Workers; as many as there are cores.",
        callback=lambda context, option, jobs: jobs or cores(),
    )
    on = click.option(
        "--on", default="", metavar="ray[://HOST:PORT]", help="Work on Ray, of this machine or a cluster."
    )
    return jobs(on(command))


def in_words(state: Encounter, declared: Declared) -> str:
    """Return a declaration as a story tells it."""
    return Narrator(state).brief(declared)


def cores() -> int:
    """Return how many processes this machine runs at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def watched(label: str = "playing on") -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how far it is, until it is done; elsewhere nothing."""
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
    """Yield what says whether to go on: no longer after an interrupt, which then stops nothing else."""
    asked = False

    def stop(*_: object) -> None:
        nonlocal asked
        if asked:  # a second one means it
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: not asked
    finally:
        signal.signal(signal.SIGINT, before)


# --- The option that names a rulebook, and the page of it that a fight's rules lead to


def make_rulebook_option(help: str) -> Callable[[FC], FC]:
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


def is_rulebook_from_environment() -> bool:
    """Say whether nobody named a rulebook for this command itself."""
    source = click.get_current_context().get_parameter_source("rulebook")
    return source is not click.core.ParameterSource.COMMANDLINE


def rulebook_of_environment() -> str:
    """Return the rulebook that the environment names, "" for none. Raises UsageError for a bad address."""
    return _clean(os.environ.get(VARIABLE, ""), VARIABLE)


def find_rulebook_page(store: Store, rulebook: str, beside: Path | None) -> str:
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


# --- What an entry says of its combatant besides where it stands: wounds, grips, bonds, what is used up


def counted(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[object, ...]:
    """Return pairs of a name and a number. Raises UsageError for what is written otherwise."""
    found = []
    for text in given:
        name, equals, number = text.rpartition("=")
        if not (name and equals and number.removeprefix("-").isdecimal()):
            raise click.UsageError(f"{option.opts[0]} {text}: write it as NAME=NUMBER")
        found.append((name, int(number)))
    return tuple(found)


def paired(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[object, ...]:
    """Return pairs of a condition and a combatant. Raises UsageError for what is written otherwise."""
    found = []
    for text in given:
        name, equals, other = text.rpartition("=")
        if not (name and equals and other):
            raise click.UsageError(f"{option.opts[0]} {text}: write it as CONDITION=COMBATANT")
        found.append((name, other))
    return tuple(found)


OPTIONS = (
    click.option("--nonlethal", type=int, default=0, help="Its nonlethal damage."),
    click.option("--condition", "conditions", multiple=True, help="A condition that holds; repeat it."),
    click.option(
        "--by", multiple=True, callback=paired, help="Whose doing it is, as CONDITION=COMBATANT; repeat it."
    ),
    click.option(
        "--level",
        "levels",
        multiple=True,
        callback=counted,
        help='How high it stands, as "energy drained=2"; repeat it.',
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
        help="What is used up, as longbow=5 for arrows; repeat it.",
    ),
    click.option("--held", multiple=True, help="A weapon in hand, if not the first one; repeat it."),
    click.option("--empty-handed", is_flag=True, help="With nothing in hand."),
    click.option("--unloaded", multiple=True, help="A weapon that must be loaded first; repeat it."),
    click.option("--riding", default="", help="The mount in whose saddle it sits."),
    click.option("--grapples", default="", help="The opponent that it grapples."),
    click.option(
        "--grip", type=click.Choice(("pins", "pinned")), help="It pins that opponent, or is pinned."
    ),
    click.option("--acted", is_flag=True, help="It has acted in this fight already."),
)
"""The options of an entry that say in which state a combatant is, in the order of the help."""


def add_entry_options(command: F) -> F:
    """Give a command these options."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def said(states: JsonObject) -> JsonObject:
    """Return the fields of the entry that the options stand for. Raises UsageError where two contradict."""
    held, empty = states.pop("held"), states.pop("empty_handed")
    if held and empty:
        raise click.UsageError("--held says what is in hand, --empty-handed that nothing is")
    return {**states, "held": () if empty else held or None, "grip": states["grip"] or ""}


def parse_entry_square(text: str) -> tuple[int, int]:
    """Return the square of an entry that --at says. Raises click.UsageError for what is none."""
    x, _, y = text.partition(",")
    try:
        return int(x), int(y)
    except ValueError:
        raise click.UsageError(f"--at {text}: write a square as 8,3") from None
