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

# --- Opening a log: a SQLite file by its path, a fight in a database by its address


def parse_log_location(text: str) -> Path:
    """Return the location of a log from its written form. Raises AffrayError for a bad address."""
    return Address(text) if is_address(text) else Path(text)


def encode_log_location(place: Path) -> str:
    """Return a place in the form for `parse_log_location`, with its password: not for a command line."""
    return place.with_password() if isinstance(place, Address) else str(place)


def open_log(place: Path, *, readonly: bool = False) -> Store:
    """Open a log, or create one; see SqliteStore and PostgresStore for the errors raised.

    Events recorded in a database are stored with the sides that may see them.
    """
    if isinstance(place, Address):
        from affray.events.stores.postgres import PostgresStore
        from affray.replay.privacy.visibility import VisibilityFilter

        return PostgresStore(place, readonly=readonly, eyes=None if readonly else VisibilityFilter())
    from affray.events.stores.sqlite import SqliteStore

    return SqliteStore(place, readonly=readonly)


@contextmanager
def open_empty_fight(address: Address, discard: tuple[type[Exception], ...]) -> Iterator[Store]:
    """Open an empty fight of a database, a new one or one that a crash left.

    Its name is released when one of the errors in `discard` ends the block, unless another process has begun
    there.
    """
    from affray.events.stores.postgres import PostgresStore

    with open_log(address) as store:
        assert isinstance(store, PostgresStore)
        if any(store.read_all()):
            raise AffrayError(f"{address}: there is already a fight of that name; choose another name")
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
"""The suffixes of logs; a database with any other name is one too."""
BESIDE = ("-wal", "-shm", "-journal", SUFFIX, ".rows.db")
"""The suffixes of files that belong to a log."""
_SQLITE = b"SQLite format 3\x00"


def find_logs_in(places: Iterable[str | Path]) -> tuple[list[Path], int]:
    """Return the logs among files and in folders, by path, and the number of other files that were skipped.

    A file given by name is taken whatever it is, and so is a fight in a database; a database given without a
    fight means all readable fights there. Hidden folders are skipped. Raises AffrayError for a missing place,
    and if there is no log.
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
        raise AffrayError("found no log: a log is an affray database or an export in jsonl")
    return list(found), passed


def is_log(file: Path, folder: Path) -> bool:
    """Return whether a file in a folder is a log by its name, or a database by its first bytes.

    A link to a file elsewhere is not: the user has only named the folder.
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


# --- Copying a whole log from one store to another: the same events, the same digests, the same secrets

SECRETS = (SALT_KEY, SEED)
"""The secrets copied with a log, which playing on from the copy needs."""


class Copied(Struct, frozen=True):
    """The result of copying: `secrets` are the names of those copied, `heads` the digest of each head."""

    events: int
    branches: int
    secrets: tuple[str, ...]
    heads: dict[str, str]


def copy_log(source: Store, target: Store, passed: Callable[[int], object] = lambda seq: None) -> Copied:
    """Write a whole log into an empty one, all or nothing, and compare every line's head afterwards.

    Every digest is checked on the way: order of commit, branches and secrets are those of the source. Request
    ids, notes and stored states are not copied, as in an export. `passed` is called with the number of copied
    events. Raises BrokenLog if a digest does not match, InvalidBranch if the target is not empty. O(events).
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
                branch.name,
                head.seq,
                "the copy has another end: the source was changed during copying; copy again",
            )
        heads[branch.name] = head.digest.hex()
    return Copied(count, len(branches), tuple(secrets), heads)


def _secret(store: Store, name: str) -> bytes | None:
    """Return a secret, None if the log has come without its secrets: it can still be read."""
    try:
        return store.secret(name)
    except SecretsMissing:
        return None


def _checked(source: Store, passed: Callable[[int], object]) -> Iterator[Event]:
    """Yield the events in the order of commit, each compared with its digest and the previous one."""
    last: dict[str, bytes] = {}
    for count, event in enumerate(source.read_all(), 1):
        before = last.get(event.stream)
        if before is None:
            before = next(one.digest for one in source.lineage(event.stream))
        if digest_after(before, event) != event.digest:
            raise BrokenLog(
                event.stream, event.seq, "its digest does not match its bytes and the previous event"
            )
        last[event.stream] = event.digest
        passed(count)
        yield event


# --- Locking: a command that replaces a file locks its folder

BUSY_SECONDS = 10.0
"""Seconds to wait for another writer in the same folder."""


@contextmanager
def lock_folder(path: Path) -> Iterator[None]:
    """Hold the lock for replacing files in the folder of `path`. Raises AffrayError if it stays locked.

    The folder is locked, not the file, as the file is replaced. Without such locks in the system, two
    simultaneous writers are only detected by the content they read.
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
                    raise AffrayError(f"{path}: another command is writing it; try again") from None
                time.sleep(0.02)
            except OSError:  # a file system without locks
                break
            else:
                break
        yield
    finally:
        os.close(folder)
