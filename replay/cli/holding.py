"""Opening what is held of a log for its digests alone: a database, an export, a players' copy."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from affray.events.jsonl import MAX_LINE, import_jsonl
from affray.events.memory import MemoryStore
from affray.events.redacted import is_redacted
from affray.replay.cli.base import reading
from affray.replay.held import Held, held, held_copy


def is_exported(path: Path) -> bool:
    """Say whether a file is text that begins like an export, a copy, a proof or a witness file."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1) == b"{"


@contextmanager
def holding(path: Path) -> Iterator[Held]:
    """Give the digests of a log, an export in jsonl or a redacted copy, checked as they are read."""
    if not is_exported(path):
        with reading(path) as store:
            yield held(store)
        return
    with path.open("rb") as file:
        first = file.readline(MAX_LINE)
        file.seek(0)
        if is_redacted(first):
            yield held_copy(file)
            return
        with MemoryStore() as store:
            import_jsonl(file, store)
            yield held(store)
