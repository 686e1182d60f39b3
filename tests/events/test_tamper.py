"""What a person with SQL, or a bad disk, does to the file is found and named."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from affray.events.chain import verified
from affray.events.envelope import Entry
from affray.events.errors import BrokenLog, LogUnavailable, NewerLog, NotALog
from affray.events.stores.sqlite import SqliteStore

Entries = Callable[..., list[Entry]]


def alter(path: Path, *statements: str) -> None:
    """Run SQL on the file behind the store's back, as another tool would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


class TestTampering:
    """What a person with SQL, or a bad disk, does to the file is found and named."""

    @pytest.mark.parametrize(
        ("statements", "stream", "seq"),
        [
            (["UPDATE events SET data = '{}' WHERE stream = 'main' AND seq = 3"], "main", 3),
            (["UPDATE events SET actor = 'x' WHERE stream = 'b' AND seq = 4"], "b", 4),
            (["DELETE FROM events WHERE stream = 'main' AND seq = 2"], "main", 3),
            (["UPDATE events SET seq = 9 WHERE stream = 'main' AND seq = 2",
              "UPDATE events SET seq = 2 WHERE stream = 'main' AND seq = 3",
              "UPDATE events SET seq = 3 WHERE stream = 'main' AND seq = 9"], "main", 2),
            (["UPDATE events SET digest = printf('%064d', 0) WHERE stream = 'main' AND seq = 4"], "main", 4),
            (["UPDATE events SET digest = printf('%064s', 'x') WHERE stream = 'b' AND seq = 3"], "b", 3),
            (["UPDATE branches SET at = 1 WHERE name = 'b'"], "b", 3),
        ],
    )  # fmt: skip
    def test_an_edited_row_is_named(self, filled: Path, statements: list[str], stream: str, seq: int) -> None:
        """Edited, deleted and reordered rows are found by the chain though the triggers are back in place."""
        with closing(sqlite3.connect(filled)) as connection:
            triggers = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall()
        drops = [f"DROP TRIGGER {name}" for name, _ in triggers]
        alter(filled, *drops, *statements, *(sql for _, sql in triggers))
        with SqliteStore(filled) as store:
            if stream == "b":
                assert len(list(verified(store.read("main")))) == 4
            with pytest.raises(BrokenLog) as caught:
                list(verified(store.read(stream)))
        assert (caught.value.stream, caught.value.seq) == (stream, seq)

    def test_flipped_bits_never_pass_for_events(self, path: Path, entries: Entries) -> None:
        """With any one bit of the file flipped, what verified reading yields is a prefix of the truth."""
        with SqliteStore(path, synchronous="NORMAL") as store:
            truth = store.append("main", entries(60), 0)
        content, named = path.read_bytes(), 0
        for trial in range(150):
            flipped = bytearray(content)
            flipped[trial * len(content) // 150 + trial % 7] ^= 1 << trial % 8
            path.write_bytes(flipped)
            seen = []
            try:
                with SqliteStore(path, readonly=True) as store:
                    for event in verified(store.read("main")):
                        seen.append(event)
            except (BrokenLog, NotALog, NewerLog, LogUnavailable):
                named += 1
            assert seen == truth[: len(seen)]
        assert named > 20
