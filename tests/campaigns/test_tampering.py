"""The tampering campaign in small, and files damaged at random: no command is taken in, none breaks."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from affray.events import SqliteStore
from affray.events.exports import export_jsonl
from tests.campaigns.indexes import indexed
from tests.campaigns.spoiling import built, called, spoilings
from tests.campaigns.tampering import READING, Campaign, unknown_commands
from tests.campaigns.wal_damage import Campaign as WalCampaign
from tests.campaigns.workbench import Spoiled, Workbench, unguarded
from tests.cli.conftest import copied
from tests.house.fights import DIALECTS

EVERY = 400
"""Of all that can be done to a log, so many-th is tried here."""


def test_every_command_is_known_to_read_or_not() -> None:
    """A new command joins those whose output is compared, or is said not to read a log."""
    assert unknown_commands() == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_that_shows_goes_unnoticed(dialect: str, tmp_path: Path) -> None:
    """Whatever is done to a row by hand, verify says so, or no command says anything else than before."""
    dice = random.Random(dialect)
    campaign = Campaign(dialect, tmp_path)
    every = list(spoilings(campaign.base, dice))
    campaign.run(every[dice.randrange(EVERY) :: EVERY], listen=9)
    assert campaign.found == []
    assert campaign.counts["noticed"] > 10


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with branches, rulings, promotions, kept states, requests and settings."""
    return built("srd35", tmp_path_factory.mktemp("tampered") / "base.db")


def sql(*statements: str) -> Callable[[sqlite3.Connection], object]:
    """Return what runs these statements."""
    return lambda connection: [connection.execute(statement) for statement in statements]


def promotions_swapped(connection: sqlite3.Connection) -> None:
    """Let the first and the last promotion trade places: another line is the main line then."""
    found = connection.execute("SELECT position FROM events WHERE type = 'branch.promoted' ORDER BY position")
    (first, *_, last) = [row[0] for row in found]
    for new, old in ((99999, first), (first, last), (last, 99999)):
        connection.execute("UPDATE events SET position = ? WHERE position = ?", (new, old))


BY_HAND: dict[str, tuple[str, ...] | Callable[[sqlite3.Connection], object]] = {
    "two promotions swapped": promotions_swapped,
    "another parent with the same beginning": ("UPDATE branches SET parent = 'main' WHERE name = 'empty'",),
    "another parent of a line with events": ("UPDATE branches SET parent = 'main' WHERE name = 'third'",),
    "another fork digest": ("UPDATE branches SET digest = printf('%064d', 0) WHERE name = 'void'",),
    "an empty branch moved with its digest": (
        "UPDATE branches SET at = 11, digest = (SELECT digest FROM events WHERE stream = 'main' AND seq = 11)"
        " WHERE name = 'empty'",
    ),
    "an empty branch renamed": ("UPDATE branches SET name = 'emptied' WHERE name = 'void'",),
    "an empty branch without a name": ("UPDATE branches SET name = '' WHERE name = 'void'",),
    "an empty branch deleted": ("DELETE FROM branches WHERE name = 'void'",),
    "a branch doubled": (
        "INSERT INTO branches SELECT NULL, 'twin', parent, at, digest FROM branches WHERE id = 3",
    ),
    "branches in another order": ("UPDATE branches SET id = 99 WHERE name = 'third'",),
    "parents in a circle": ("UPDATE branches SET parent = 'third' WHERE name = 'second'",),
    "the root below its branch": ("UPDATE branches SET parent = 'void' WHERE name = 'main'",),
    "a branch that is its own parent": ("UPDATE branches SET parent = 'void' WHERE name = 'void'",),
    "a parent that is not there": ("UPDATE branches SET parent = 'nobody' WHERE name = 'second'",),
    "the last event deleted": (
        "DELETE FROM events WHERE position = (SELECT max(position) FROM events WHERE stream = 'main')",
    ),
    "an event before its branch": (
        "UPDATE events SET seq = seq - 1 WHERE stream = 'undo-1' AND seq = 1 +"
        " (SELECT at FROM branches WHERE name = 'undo-1')",
    ),
    "events of no branch": ("DELETE FROM branches WHERE name = 'second'",),
    "the settings deleted": ("DELETE FROM secrets WHERE name LIKE 'by-hand.%'",),
    "a kept state edited": ("UPDATE checkpoints SET state = CAST(replace(state, '1', '2') AS BLOB)",),
    "a kept state of another event": ("UPDATE checkpoints SET seq = seq + 1",),
}  # fmt: skip


@pytest.mark.parametrize("what", BY_HAND)
def test_what_the_chain_does_not_cover_is_covered(base: Path, tmp_path: Path, what: str) -> None:
    """Each is named by verify with status 1, and every command ends in one line, within seconds."""
    path, how = tmp_path / "fight.db", BY_HAND[what]
    assert not Workbench(base, path).spoil(Spoiled(what, sql(*how) if isinstance(how, tuple) else how))
    result = called("verify", path)
    assert result.exit_code == 1, result.output
    assert "unexpected" not in result.output
    for name, lines in READING.items():
        result = called(name, *(str(path) if word == "DB" else word for word in lines[0].split()))
        assert "unexpected" not in result.output, (name, result.output)
        assert result.exit_code in (0, 1, 2)


@pytest.mark.parametrize("which", ["without", "elsewhere", "for"])
@pytest.mark.parametrize("at", [0, -1])
def test_an_index_that_leads_elsewhere_is_named(base: Path, tmp_path: Path, which: str, at: int) -> None:
    """A line is read by an index, the whole log by the table: where they differ one of them is not the log.

    The last event of all is such a one: without it the line is shorter, and nothing in it is wrong.
    """
    with closing(sqlite3.connect(base)) as connection:
        every = [one for one in indexed(connection) if "events_1" in one.name and which in one.name]
    bench = Workbench(base, tmp_path / "fight.db")
    assert not bench.spoil(every[at])
    result = called("verify", bench.path)
    assert result.exit_code == 1, every[at].name
    assert "the file does not hang together" in result.output or "index is damaged" in result.output


def test_a_row_that_stands_twice_is_named(base: Path, tmp_path: Path) -> None:
    """A file whose index knows only one of two rows of a branch is broken for whoever reads branches."""
    path = copied(base, tmp_path / "fight.db")
    with unguarded(path, bare=True) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        row = connection.execute(
            "SELECT * FROM sqlite_master WHERE name = 'sqlite_autoindex_branches_1'"
        ).fetchone()
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ', UNIQUE (name)', '') WHERE name = 'branches'"
        )
        connection.execute("DELETE FROM sqlite_master WHERE name = 'sqlite_autoindex_branches_1'")
        connection.execute("PRAGMA writable_schema = RESET")
        connection.execute(
            "INSERT INTO branches SELECT NULL, name, 'main', 1, digest FROM branches WHERE id = 3"
        )
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", row)
    for name in ("verify", "branches", "show"):
        result = called(name, path)
        assert "unexpected" not in result.output, result.output
    assert called("verify", path).exit_code == 1


@pytest.mark.parametrize("seed", range(6))
def test_random_damage_breaks_no_command(base: Path, tmp_path: Path, seed: int) -> None:
    """Bytes overwritten anywhere in the file: whatever reads says what it can, or one clear line."""
    dice, path = random.Random(seed), tmp_path / "fight.db"
    content = bytearray(base.read_bytes())
    for _ in range(dice.choice((1, 3, 30, 300))):
        at = dice.randrange(100, len(content))
        content[at : at + dice.choice((1, 1, 8))] = dice.randbytes(1)
    path.write_bytes(content[: len(content) if dice.random() < 0.8 else dice.randrange(len(content))])
    for name, lines in READING.items():
        for line in lines[:2]:
            result = called(name, *(str(path) if word == "DB" else word for word in line.split()))
            assert "unexpected" not in result.output, (name, result.output)
            assert result.exit_code in (0, 1, 2)


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_export_is_refused(base: Path, tmp_path: Path, seed: int) -> None:
    """A line of an export changed, taken out, put in twice or moved is named by verify and by import."""
    dice, file = random.Random(seed), tmp_path / "fight.jsonl"
    with SqliteStore(base, readonly=True) as store, file.open("wb") as out:
        export_jsonl(store, out)
    whole = file.read_bytes().splitlines(keepends=True)
    assert called("verify", file).exit_code == 0
    for number in range(12):
        lines, at, other = list(whole), dice.randrange(len(whole)), dice.randrange(len(whole))
        if number % 4 == 0:
            place = dice.randrange(len(lines[at]) - 1)
            lines[at] = (
                lines[at][:place]
                + bytes([lines[at][place] ^ 1 << dice.randrange(5)])
                + lines[at][place + 1 :]
            )
        elif number % 4 == 1:
            del lines[at]
        elif number % 4 == 2:
            lines.insert(other, lines[at])
        else:
            lines[at], lines[other] = lines[other], lines[at]
        file.write_bytes(b"".join(lines))
        if lines != whole:
            for words in (("verify", file), ("import", file, "--db", tmp_path / "copy.db")):
                result = called(*words)
                assert result.exit_code in (1, 2), (number, at, result.output)
                assert "unexpected" not in result.output
            assert not (tmp_path / "copy.db").exists()


def test_what_was_a_row_of_the_record_is_missed(base: Path, tmp_path: Path) -> None:
    """The record itself has no gaps: a row more or less is named, and without any it is no older log."""
    path = tmp_path / "fight.db"
    for statement in (
        "DELETE FROM record WHERE number = 5",
        "DELETE FROM record WHERE number = (SELECT max(number) FROM record)",
        "DELETE FROM record",
        "INSERT INTO record SELECT NULL, kind, name, position, digest FROM record WHERE number = 5",
    ):
        assert not Workbench(base, path).spoil(Spoiled("record", sql(statement)))
        result = called("verify", path)
        assert result.exit_code == 1
        assert "BROKEN  record" in result.output
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
    assert "older than the record in it" in called("verify", path).output


def test_a_damaged_write_ahead_log(tmp_path: Path) -> None:
    """What a crash left and a bad disk spoiled: a commit that verifies, or one clear line."""
    campaign = WalCampaign(tmp_path)
    campaign.run(1500, random.Random(7), part=12, listen=20)
    assert campaign.found == []
    assert campaign.counts["what stood after some commits"] > 20
    assert campaign.counts["what stood after all commits"] > 0
