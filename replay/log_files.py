"""Logs as files and in databases: opening, finding and copying them."""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from affray.events.chain import SALT_KEY, digest_after
from affray.events.envelope import Event
from affray.events.errors import AffrayError, BrokenLog, NotALog, SecretsMissing
from affray.events.exports import import_jsonl
from affray.events.files import open_found
from affray.events.secrets import SEED, SUFFIX
from affray.events.stores.address import Address, is_address
from affray.events.stores.store import Store

# --- Opening a log wherever it is: a SQLite file by its path, a fight in a database by its address


def parse_log_location(text: str) -> Path:
    """Return where a log is, from how somebody wrote it. Raises AffrayError for a bad address."""
    return Address(text) if is_address(text) else Path(text)


def encode_log_location(place: Path) -> str:
    """Return what `parse_log_location` reads as this place, a password included; it is not for a command line."""
    return place.with_password() if isinstance(place, Address) else str(place)


def open_log(place: Path, *, readonly: bool = False) -> Store:
    """Open a log, or begin one where none is; see SqliteStore and PostgresStore for what is raised.

    What is recorded in a database is kept with who at the table may see it.
    """
    if isinstance(place, Address):
        from affray.events.stores.postgres import PostgresStore
        from affray.replay.privacy.visibility import VisibilityFilter

        return PostgresStore(place, readonly=readonly, eyes=None if readonly else VisibilityFilter())
    from affray.events.stores.sqlite import SqliteStore

    return SqliteStore(place, readonly=readonly)


@contextmanager
def open_empty_fight(address: Address, discard: tuple[type[Exception], ...]) -> Iterator[Store]:
    """Open a fight of a database that holds nothing yet, a new one or what a crash left of one.

    Its name is free again when one of the errors in `discard` ends the block, unless others have begun there.
    """
    from affray.events.stores.postgres import PostgresStore

    with open_log(address) as store:
        assert isinstance(store, PostgresStore)
        if any(store.read_all()):
            raise AffrayError(f"{address}: there is a fight of that name already; name another one")
        try:
            yield store
        except discard:
            store.give_back()
            raise


# --- Logs as files: databases, and exports that are read into memory


def open_any(log: Path) -> Store:
    """Open a log, or an exported one (jsonl, read into memory). Raises what opening it raises."""
    from affray.events.stores.memory import MemoryStore

    try:
        return open_log(log, readonly=True)
    except NotALog:
        if log.suffix != ".jsonl":
            raise
    store = MemoryStore()
    with log.open("rb") as lines:
        import_jsonl(lines, store)
    return store


# --- Which files in folders are logs

SUFFIXES = (".db", ".sqlite", ".sqlite3", ".jsonl")
"""How the names of logs end; a database of any other name is one too."""
BESIDE = ("-wal", "-shm", "-journal", SUFFIX, ".rows.db")
"""How the names of files end that belong to a log."""
_SQLITE = b"SQLite format 3\x00"


def find_logs_in(places: Iterable[str | Path]) -> tuple[list[Path], int]:
    """Return the logs among files and below folders, by path, and how many other files are passed over.

    A file that is named is taken whatever it is, and so is a fight in a database; a database that is named
    without a fight stands for all that may be read there. Hidden folders are not looked into. Raises
    AffrayError for what is not there, and where there is no log at all.
    """
    found: dict[Path, None] = {}
    passed = 0
    for place in (parse_log_location(place) if isinstance(place, str) else place for place in places):
        if isinstance(place, Address):
            found |= dict.fromkeys(_fights(place))
            continue
        if not place.exists():
            raise AffrayError(f"{place}: no such file or folder")
        if not place.is_dir():
            found[place] = None
            continue
        for file in _files(place):
            if is_log(file, place):
                found[file] = None
            elif not file.name.endswith(BESIDE):
                passed += 1
    if not found:
        raise AffrayError("there is no fight among these: a log is an affray database or an export in jsonl")
    return list(found), passed


def is_log(file: Path, folder: Path) -> bool:
    """Say whether a file below a folder is a log by its name, or a database by its first bytes.

    A link to a file elsewhere is none: the user has named the folder alone.
    """
    if file.name.endswith(BESIDE):
        return False
    try:
        with open_found(file, folder) as opened:
            return file.suffix in SUFFIXES or opened.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False


def _files(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        yield from (Path(here, name) for name in sorted(names))


def _fights(address: Address) -> Iterator[Address]:
    if address.fight:
        yield address
        return
    from affray.events.stores.postgres_connection import fights_in

    yield from (address.of(fight.name) for fight in fights_in(address) if fight.events)


# --- A whole log carried from one store to another: the same events, the same digests, the same secrets

SECRETS = (SALT_KEY, SEED)
"""What is kept beside a log and goes with it, so that the copy can be played on."""


class Copied(Struct, frozen=True):
    """What was copied: `secrets` are the names of those that came along, `heads` the digest of each head."""

    events: int
    branches: int
    secrets: tuple[str, ...]
    heads: dict[str, str]


def copy_log(source: Store, target: Store, passed: Callable[[int], object] = lambda seq: None) -> Copied:
    """Write the whole of a log into an empty one, all or nothing, and compare every line's head afterwards.

    Every digest is checked on the way: order of commit, branches and secrets are those of the source. Request
    ids, notes and kept states stay behind, as with an export. `passed` is told the number of events gone by.
    Raises BrokenLog where a digest does not match, InvalidBranch if the target holds anything. O(events).
    """
    branches = source.branches()
    secrets = {name: value for name in SECRETS if (value := _secret(source, name)) is not None}
    for name, value in secrets.items():
        target.keep_secret(name, value)
    count = target.restore(branches, _checked(source, passed))
    heads = {}
    for branch in branches:
        head = source.head(branch.name)
        if target.head(branch.name) != head:
            raise BrokenLog(
                branch.name, head.seq, "the copy ends elsewhere: somebody wrote meanwhile; copy again"
            )
        heads[branch.name] = head.digest.hex()
    return Copied(count, len(branches), tuple(secrets), heads)


def _secret(store: Store, name: str) -> bytes | None:
    """Return a secret, None where the log has come without those that it had: it can still be read."""
    try:
        return store.secret(name)
    except SecretsMissing:
        return None


def _checked(source: Store, passed: Callable[[int], object]) -> Iterator[Event]:
    """Yield the events in the order of commit, each compared with its digest and the one before it."""
    last: dict[str, bytes] = {}
    for count, event in enumerate(source.read_all(), 1):
        before = last.get(event.stream)
        if before is None:
            before = next(one.digest for one in source.lineage(event.stream))
        if digest_after(before, event) != event.digest:
            raise BrokenLog(
                event.stream, event.seq, "its digest does not match its bytes and the event before it"
            )
        last[event.stream] = event.digest
        passed(count)
        yield event


# --- One at a time: who replaces a file locks its folder meanwhile

BUSY_SECONDS = 10.0
"""So long one waits for another that writes in the same folder."""


@contextmanager
def lock_folder(path: Path) -> Iterator[None]:
    """Be the only one that replaces files in the folder of `path`. Raises AffrayError where it stays taken.

    The folder is locked, not the file, as the file is replaced. Where the system has no such locks, two
    writers in one instant are told apart by what they read alone.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    folder = os.open(Path(os.path.realpath(path)).parent, os.O_RDONLY)
    try:
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise AffrayError(f"{path}: another command is writing it; do it again") from None
                time.sleep(0.02)
            except OSError:  # a file system without locks
                break
            else:
                break
        yield
    finally:
        os.close(folder)
