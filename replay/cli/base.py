"""What the commands share: opening logs, telling stories, JSON."""

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from affray.engine.book.card import wrapped
from affray.engine.table.dice import is_for_link
from affray.events import oplog
from affray.events.address import Address, is_address
from affray.events.codec import decode
from affray.events.envelope import Entry, Event
from affray.events.errors import AffrayError, BrokenLog, clear_line
from affray.events.facts.declared import Asked
from affray.events.secrets import secrets_path
from affray.events.sqlite import SqliteStore
from affray.events.store import Store
from affray.events.wording import counted, shell_command
from affray.projections.state import Question
from affray.replay.chain_file import asked_at
from affray.replay.cli.completing import complete_branches
from affray.replay.cli.output import refuse_log
from affray.replay.cli.pager import paged_columns
from affray.replay.cli.printing import print_json, put, say
from affray.replay.installed import book_of
from affray.replay.line_tree import first_fault
from affray.replay.narrate.line import Line, plain, styled
from affray.replay.narrate.story import Narrator
from affray.replay.opened_log import begun_at, open_log, where_log_is


class LogPath(click.Path):
    """Where a log is: the path of its file, or the address of a fight in a database."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path or the Address. Raises AffrayError for a bad address."""
        return where_log_is(value) if is_address(str(value)) else super().convert(value, param, ctx)


F = TypeVar("F", bound=Callable[..., Any])

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
    with in_file(path), open_log(path, readonly=True) as store, naming_damage(store):
        yield store


@contextmanager
def naming_damage(store: Store) -> Iterator[None]:
    """Say of nonsense in a damaged log that it is damaged: BrokenLog in place of what came of the nonsense.

    Where the log is whole, an unexpected error stays what it is: a fault of the program. A kept state that is
    passed over, because it is not what it was, is told on standard error.
    """
    with oplog.telling(_passed_over):
        try:
            yield
        except (AffrayError, OSError, click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except Exception as error:
            fault = first_fault(store)
            if fault is None:
                raise
            raise fault from error


def _passed_over(event: str, values: dict[str, Any]) -> None:
    if event == "checkpoint.dropped":
        place = f"{values['stream']}#{values['seq']}"
        told = f"affray: the state kept at {place} is damaged and passed over: the events tell (see verify)"
        say(clear_line(told), err=True)
    elif event == "work.small":
        parts = counted(values["parts"], "part")
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
    with in_file(path), open_log(path) as store, naming_damage(store):
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

    In a database it is a new fight (see `begun_at`).

    The file is taken back if it stays empty, or when one of the errors in `discard` ends the block: only a
    file that is made here and that nobody else is about to begin, and with it the file of its secrets.
    """
    refuse_log(None, path)
    if isinstance(path, Address):
        with oplog.telling(_passed_over), in_file(path), begun_at(path, discard) as begun:
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


def in_colour() -> bool:
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
    for one in for_width(row, hanging):
        put(one)


def for_width(row: str, hanging: str = "") -> list[str]:
    """Return a row in as many as a terminal or the prompt has room for, itself where it is neither.

    `hanging` stands before what follows the first; two blanks more than before that one without it.
    """
    if not (terminal_width() or at_a_prompt()):
        return [row]
    further = " " * (len(row) - len(row.lstrip()) + 2)
    return wrapped(row, width(), hanging=hanging or further) or [row]


def tell(lines: Iterable[Line]) -> None:
    """Print the lines of a story."""
    show = styled if in_colour() else plain
    columns = width()
    for line in lines:
        for row in show(line, columns):
            say(row)


def event_json(event: Event) -> dict[str, Any]:
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
        link = shell_command("link", "FILE", asked_at(asked))
        return f"({by}: {link}; then: {shell_command('choose', db, 'LINK', *on)})"
    answer = question.options[0] if question.options else "FACES"
    return f"(answer with: {shell_command('choose', db, answer, *on)})"


AT_A_PROMPT = "at a prompt"
"""The object of the outermost context where a command was typed at the prompt of `affray table`."""


def at_a_prompt() -> bool:
    """Say whether a command was typed at a prompt, which itself says how a question is answered."""
    context = click.get_current_context(silent=True)
    return context is not None and context.find_root().obj == AT_A_PROMPT


class Teller:
    """Tells what a log holds, in pieces as it grows: as a story or as JSON Lines."""

    def __init__(self, store: Store, branch: str, *, after: int = 0, json: bool = False) -> None:
        """Stand after event `after`, everything before it known and untold. O(after)."""
        from affray.projections.fold import fold

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
