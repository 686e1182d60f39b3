"""Whatever is done to a real fight's log behind its back is found, and named by its position."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from affray.engine.table.scenario import packaged, play
from affray.events.chain import START, link, verified
from affray.events.envelope import Entry, Event
from affray.events.errors import BrokenLog
from affray.events.exports import export_jsonl
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.replay.log.branches import fork
from affray.replay.verification.seals import Seal, compared, sealed
from affray.replay.verification.verify import verify
from tests.cli.conftest import Run, copied, run  # noqa: F401

ROW = "UPDATE events SET {} WHERE stream = 'main' AND seq = {}"
FLIPS = {
    "data": "data = substr(data, 1, length(data) - 1) || ' }'",
    "digest": "digest = substr(digest, 1, 63) || CASE substr(digest, 64) WHEN '0' THEN '1' ELSE '0' END",
    "type": "type = type || 'x'",
    "version": "version = version + 1",
    "round": "round = round + 1",
    "turn": "turn = turn + 1",
    "actor": "actor = actor || 'x'",
    "cause": "cause = cause + 1",
    "seq": "seq = seq + 100000",
    "stream": "stream = 'second'",
}
LENGTH = 247


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole fight in a file, with a branch; its triggers have been dropped by the attacker."""
    path = tmp_path_factory.mktemp("tamper") / "fight.db"
    with SqliteStore(path, synchronous="NORMAL") as store:
        table = play(packaged("demo_srd35"), store)
        table.declare(acts.Close(reason="over"))
        for name in ("second", "third"):
            fork(store, "r3", name, "main")
        for name, words in (("second", "left"), ("third", "right")):
            told = (
                b'{"type":"ruled","author":"gm","subject":"","text":"%s","verdict":"note"}' % words.encode()
            )
            head = store.head(name)
            store.append(name, [Entry("ruled", 1, 3, 1, "", head.seq + 1, told)], head.seq)
    return path


@pytest.fixture
def log(fought: Path, tmp_path: Path) -> Path:
    """A copy of the fight to spoil."""
    return copied(fought, tmp_path / "fight.db")


@contextmanager
def unguarded(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file as an attacker with SQL does: the triggers are away meanwhile, and back afterwards."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, sql in triggers:
            connection.execute(sql)


def spoiled(path: Path, *statements: str) -> None:
    """Let an attacker run SQL on the file."""
    with unguarded(path) as connection:
        for statement in statements:
            connection.execute(statement)


def test_every_field_of_every_event_is_covered(log: Path) -> None:
    """One change to any field of any event breaks the chain there, or at the event that then is missing."""
    checked = 0
    with unguarded(log) as connection:
        execute = connection.execute
        truth = execute("SELECT * FROM events WHERE stream = 'main' ORDER BY seq").fetchall()
        columns = [row[1] for row in execute("PRAGMA table_info(events)")]
        names = dict(zip(columns, count(), strict=False))
        restored = ", ".join(f"{name} = ?" for name in columns)
        for row in truth:
            for field in FLIPS.keys() - {"stream", "seq"}:
                execute(ROW.format(FLIPS[field], row[names["seq"]]))
                (changed,) = execute(f"SELECT * FROM events WHERE position = {row[0]}")
                assert changed != row
                event = as_event(changed, names)
                before = as_event(truth[event.seq - 2], names).digest if event.seq > 1 else START.digest
                with pytest.raises(BrokenLog) as caught:
                    list(verified([event], msgspec.structs.replace(START, seq=event.seq - 1, digest=before)))
                assert caught.value.seq == event.seq
                execute(f"UPDATE events SET {restored} WHERE position = {row[0]}", row)
                checked += 1
    assert checked == LENGTH * 8


def as_event(row: Iterable[Any], names: dict[str, int]) -> Event:
    """Return a row of the file as an event."""
    values = list(row)
    fields = [values[names[name]] for name in Event.__struct_fields__[:10]]
    return Event(*fields[:8], fields[8].encode(), bytes.fromhex(fields[9]))


@pytest.mark.parametrize("field", FLIPS)
def test_verify_names_the_event(log: Path, run: Run, field: str) -> None:  # noqa: F811
    """The command ends with 1 and names the event, whichever field was touched."""
    for seq in (1, Random(field).randint(2, LENGTH - 1), LENGTH):
        path = Path(shutil.copy(log, log.with_name(f"{seq}.db")))
        spoiled(path, ROW.format(FLIPS[field], seq))
        result = run("verify", path)
        assert result.exit_code == 1, (seq, result.output)
        assert f"main#{named(field, seq)}: " in result.output


def named(field: str, seq: int) -> int:
    """Return which event is named: the one that was touched, or the one found in its place."""
    if field not in ("seq", "stream") or seq == 1:
        return seq
    if seq < LENGTH:
        return seq + 1
    # Moved away, the last event is found where it went; on another stream it leaves half a declaration.
    return seq + 100000 if field == "seq" else seq - 1


def moved(seq: int, to: int) -> str:
    """Return SQL that gives an event of the main line another number."""
    return f"UPDATE events SET seq = {to} WHERE stream = 'main' AND seq = {seq}"


STRUCTURAL = {
    "two events swapped": (
        [
            moved(60, 9999),
            moved(61, 60),
            moved(9999, 61),
        ],
        60,
    ),
    "one deleted": (["DELETE FROM events WHERE stream = 'main' AND seq = 60"], 61),
    "one deleted, the rest moved up": (
        [
            "DELETE FROM events WHERE stream = 'main' AND seq = 60",
            *[moved(n, n - 1) for n in range(61, LENGTH + 1)],
        ],
        60,
    ),
    "one inserted": (
        [
            *[
                f"UPDATE events SET seq = {n + 1} WHERE stream = 'main' AND seq = {n}"
                for n in range(LENGTH, 59, -1)
            ],
            "INSERT INTO events (stream, seq, type, version, round, turn, actor, cause, data, digest)"
            " SELECT stream, 60, type, version, round, turn, actor, cause, data, digest"
            " FROM events WHERE stream = 'main' AND seq = 59",
        ],
        60,
    ),
    "a digest that is no number": ([ROW.format("digest = printf('%064s', 'x')", 60)], 60),
    "the last digest no number": ([ROW.format("digest = printf('%064s', 'x')", LENGTH)], LENGTH),
}


@pytest.mark.parametrize("what", STRUCTURAL)
def test_verify_names_the_place(log: Path, run: Run, what: str) -> None:  # noqa: F811
    """Reordering, deleting and inserting end with 1 and the first event that stands where it cannot."""
    statements, seq = STRUCTURAL[what]
    spoiled(log, *statements)
    result = run("verify", log)
    assert result.exit_code == 1
    assert f"main#{seq}: " in result.output


def test_swapped_branches_are_found(log: Path, run: Run) -> None:  # noqa: F811
    """Two branches that trade their events no longer verify, though both are whole."""
    swap = "UPDATE events SET stream = '{}' WHERE stream = '{}'"
    spoiled(log, swap.format("x", "second"), swap.format("second", "third"), swap.format("third", "x"))
    with SqliteStore(log, readonly=True) as store:
        first = store.branches()[1].at + 1
    assert run("verify", log, "--branch", "main").exit_code == 0
    whole = run("verify", log)
    assert whole.exit_code == 1
    assert "3 lines, main line main: 249 events, broken second, third, the log is NOT" in whole.output
    for name in ("second", "third"):
        result = run("verify", log, "--branch", name)
        assert result.exit_code == 1
        assert f"{name}#{first}: " in result.output


def rechained(path: Path, edit: Callable[[list[Entry]], object]) -> MemoryStore:
    """Return the main line after an edit by somebody who computes every digest anew."""
    with SqliteStore(path, readonly=True) as store:
        entries = [
            Entry(e.type, e.version, e.round, e.turn, e.actor, e.cause, e.data) for e in store.read("main")
        ]
        secret = store.secret("seed")
    edit(entries)
    made = MemoryStore()
    made.append("main", entries, 0)
    if secret:
        made.keep_secret("seed", secret)
    return made


def replaced(entries: list[Entry], type: str, nth: int, old: bytes, new: bytes) -> int:
    """Edit the data of the nth entry of a type and return its position."""
    index = [at for at, entry in enumerate(entries) if entry.type == type][nth]
    data = entries[index].data.replace(old, new, 1)
    assert data != entries[index].data
    entries[index] = msgspec.structs.replace(entries[index], data=data)
    return index + 1


def test_an_edited_state_digest_is_found_after_rechaining(log: Path) -> None:
    """With every digest of the chain made anew, the state digest itself is compared with the fold."""
    where = 0

    def edit(entries: list[Entry]) -> None:
        nonlocal where
        where = replaced(entries, "round.ended", 1, b'"state":"', b'"state":"0')

    report = verify(rechained(log, edit))
    assert not report.ok
    assert report["state"].problem is not None
    assert report["state"].problem.seq == where


def test_a_forged_roll_is_found_after_rechaining(log: Path) -> None:
    """A seeded face that the seed does not give is named, however well the digests fit."""
    where = 0

    def edit(entries: list[Entry]) -> None:
        nonlocal where
        index = next(at for at, one in enumerate(entries) if one.type == "rolled" and b"attack" in one.data)
        fact = msgspec.json.decode(entries[index].data)
        fact["faces"], fact["total"] = [fact["faces"][0] % 20 + 1], fact["faces"][0] % 20 + 1
        data = msgspec.json.encode(fact)
        entries[index], where = msgspec.structs.replace(entries[index], data=data), index + 1

    report = verify(rechained(log, edit))
    assert report["dice"].problem is not None
    assert report["dice"].problem.seq == where
    assert report["chain"].ok


def test_a_cut_tail_is_found_by_the_seal(log: Path, run: Run) -> None:  # noqa: F811
    """A log cut after a declaration is a whole log; only the seal knows that there was more."""
    seal = run("seal", log).stdout.strip()
    spoiled(log, "DELETE FROM events WHERE stream = 'main' AND seq > 230")
    with SqliteStore(log, readonly=True) as store:
        tail = store.head("main").seq
        assert verify(store)["chain"].ok
    result = run("seal", log, "--check", seal)
    assert result.exit_code == 1
    assert f"shorter: ends at event {tail}, but {LENGTH} were sealed" in result.output
    assert run("verify", log, "--seal", seal).exit_code == 1


def test_a_consistent_rewrite_is_found_by_the_seal(log: Path) -> None:
    """What neither dice nor rules depend on can be rewritten so that verify is content: the seal is not."""
    with SqliteStore(log, readonly=True) as store:
        seal = sealed(store)
    forged = rechained(
        log, lambda entries: replaced(entries, "encounter.opened", 0, b'"engine":"affray', b'"engine":"other')
    )
    assert verify(forged).ok
    verdict = compared(forged, seal)
    assert verdict.outcome == "other"
    assert f"the first {LENGTH} are not those" in verdict.told


def test_another_fight_in_its_place_is_found_by_the_seal(log: Path) -> None:
    """A whole fight played with dice of the forger's choice verifies: nothing but the seal tells."""
    with SqliteStore(log, readonly=True) as store:
        seal = sealed(store)
    forged = MemoryStore()
    play(packaged("demo_srd35"), forged, seed=b"dice to the forger's liking")
    assert verify(forged).ok
    assert compared(forged, seal).outcome in ("other", "shorter")


def test_an_honest_log_passes(log: Path, tmp_path: Path, run: Run) -> None:  # noqa: F811
    """What nobody touched verifies as a file and as an export, against its seal too."""
    file = tmp_path / "fight.jsonl"
    with SqliteStore(log, readonly=True) as store, file.open("wb") as out:
        export_jsonl(store, out)
    seal = run("seal", log).stdout.strip()
    for path in (log, file):
        result = run("verify", path, "--seal", seal)
        assert result.exit_code == 0, result.output
        assert "ok      seal" in result.output


def test_link_is_what_the_forger_uses(log: Path) -> None:
    """The rewritten chain of these tests is a perfect one: else they would prove less than they say."""
    made = rechained(log, lambda entries: None)
    assert list(verified(made.read("main"))) == list(made.read("main"))
    assert link("main", START, []) == []
    assert isinstance(sealed(made), Seal)
