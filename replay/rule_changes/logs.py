"""Which files in folders are logs."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from affray.events.address import Address
from affray.events.errors import AffrayError
from affray.events.files import open_found
from affray.events.secrets import SUFFIX
from affray.replay.opened_log import where_log_is

SUFFIXES = (".db", ".sqlite", ".sqlite3", ".jsonl")
"""How the names of logs end; a database of any other name is one too."""
BESIDE = ("-wal", "-shm", "-journal", SUFFIX, ".rows.db")
"""How the names of files end that belong to a log."""
_SQLITE = b"SQLite format 3\x00"


def logs_in(places: Iterable[str | Path]) -> tuple[list[Path], int]:
    """Return the logs among files and below folders, by path, and how many other files are passed over.

    A file that is named is taken whatever it is, and so is a fight in a database; a database that is named
    without a fight stands for all that may be read there. Hidden folders are not looked into. Raises
    AffrayError for what is not there, and where there is no log at all.
    """
    found: dict[Path, None] = {}
    passed = 0
    for place in (where_log_is(place) if isinstance(place, str) else place for place in places):
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
    from affray.events.postgres_fights import fights_in

    yield from (address.of(fight.name) for fight in fights_in(address) if fight.events)
