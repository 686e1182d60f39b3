"""Verify looks at every line of a log, says which fail, and comes to an end whatever stands in the file."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from affray.engine.table.policies import auto
from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.chain import GENESIS
from affray.events.envelope import Branch
from affray.events.errors import AffrayError, BrokenLog
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite_file import SCHEMA
from affray.events.stores.store import Store
from affray.replay.difference import diff
from affray.replay.log import playhead
from affray.replay.log.branches import branches, fork, promote
from affray.replay.log.playhead import Playhead, state_at
from affray.replay.text.show import picture
from affray.replay.verification.verify import verify
from tests.campaigns.workbench import unguarded
from tests.cli.conftest import Run, run  # noqa: F401
from tests.replay.fights import brawl, fought


@pytest.fixture
def store() -> Store:
    """A fight with a branch from r2 that is played on, one from this, and one from the middle of a blow."""
    store = fought(rounds=3, close=False).store
    fork(store, "r2", "one")
    brawl(Table(store, "one", answers=auto), 1)
    fork(store, "end", "two", "one")
    brawl(Table(store, "two", answers=auto), 1)
    rolled = [event.seq for event in store.read("main") if event.type == "attack.resolved"][1]
    fork(store, str(rolled), "half")
    fork(store, str(rolled - 1), "short", "half")
    return store


def spoiled(store: Store, stream: str, nth: int) -> MemoryStore:
    """Return the log with another actor for the nth own event of a stream."""
    made, seen = MemoryStore(), 0
    events = list(store.read_all())
    for index, event in enumerate(events):
        seen += event.stream == stream
        if event.stream == stream and seen == nth:
            events[index] = msgspec.structs.replace(event, actor="nobody")
    made.restore(store.branches(), events)
    seed = store.secret("seed")
    assert seed is not None
    made.keep_secret("seed", seed)
    return made


def test_every_event_is_judged_once_on_its_line(store: Store) -> None:
    """All lines together count each event of the log once; each line is as long as it is."""
    report = verify(store)
    assert report.ok, [check.problem for check in report.checks]
    assert report.events == report["chain"].count == report["structure"].count == len(list(store.read_all()))
    assert [line.branch for line in report.lines] == ["main", "one", "two", "half", "short"]
    assert [line.events for line in report.lines] == [store.head(one.name).seq for one in store.branches()]
    rolled = sum(event.type == "rolled" for event in store.read_all())
    assert report["dice"].count == rolled


@pytest.mark.parametrize(
    ("stream", "nth", "failing"),
    [
        ("main", 3, ["main", "one", "two", "half", "short"]),
        ("main", -1, ["main"]),
        ("one", 1, ["one", "two"]),
        ("two", 2, ["two"]),
    ],
)
def test_the_lines_that_fail_are_named(store: Store, stream: str, nth: int, failing: list[str]) -> None:
    """A line fails by its own events and by those of its parent before it left, and by no other."""
    own = sum(event.stream == stream for event in store.read_all())
    broken = spoiled(store, stream, nth if nth > 0 else own)
    report = verify(broken)
    assert not report.ok
    assert report.failing == failing
    for one in store.branches():
        assert verify(broken, one.name).ok == (one.name not in failing)


def test_a_seed_shown_on_one_line_proves_the_dice_of_all() -> None:
    """A branch of an encounter that was closed on the main line has the seed that was shown there."""
    closed = fought(rounds=3).store
    fork(closed, "r2", "one", "main")
    made = MemoryStore()
    made.restore(closed.branches(), closed.read_all())
    assert "compared with the seed" in verify(made)["dice"].note


CIRCLES = {
    "two": [("one", "two", 3), ("two", "one", 3)],
    "itself": [("one", "one", 3)],
    "the root": [("main", "one", 3), ("one", "main", 3)],
    "three": [("one", "two", 3), ("two", "three", 3), ("three", "one", 3), ("four", "three", 3)],
    "nobody": [("one", "nobody", 3), ("two", "one", 3)],
    "no parent": [("one", "", 0), ("two", "one", 1)],
}


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize("circle", CIRCLES)
def test_parents_in_a_circle_end(circle: str, kind: str, tmp_path: Path, store: Store) -> None:
    """Every question comes to an end; verify names the lines, the others still verify."""
    rows = {name: (parent, at) for name, parent, at in CIRCLES[circle]}
    events = [event for event in store.read_all() if event.stream == "main"]
    third = next(event.digest for event in events if event.seq == 3)
    made = [Branch("main", *rows.pop("main", ("", 0)), GENESIS)]
    made += [Branch(name, parent, at, third) for name, (parent, at) in rows.items()]
    broken: Store
    if kind == "memory":
        broken = MemoryStore()
        broken.restore(made, events)
    else:
        broken = SqliteStore(tmp_path / "fight.db")
        broken.restore([Branch("main", "", 0, GENESIS), *made[1:]], events)
        if made[0].parent:
            broken.close()
            with unguarded(tmp_path / "fight.db") as connection:
                connection.execute("UPDATE branches SET parent = 'one', at = 3 WHERE name = 'main'")
            broken = SqliteStore(tmp_path / "fight.db")
    with broken:
        report = verify(broken)
        lost = {name for name, _, _ in CIRCLES[circle]}
        assert lost <= set(report.failing)
        assert ("main" in report.failing) == ("main" in lost)
        for name in sorted(lost):
            assert not verify(broken, name).ok
            if circle == "no parent":
                continue
            for asked in (
                lambda name=name: list(broken.read(name)),
                lambda name=name: state_at(broken, name, 3),
                lambda name=name: list(picture(Playhead(broken, name).seek("end"))),
                lambda name=name: diff(broken, "main", name),
                lambda: branches(broken),
            ):
                with pytest.raises(BrokenLog):
                    asked()


@pytest.mark.parametrize("seed", range(40))
def test_random_damage_is_never_an_unexpected_error(seed: int, store: Store) -> None:
    """Whatever a store holds, verify reports; nothing but its own errors comes out of the other questions."""
    dice = random.Random(seed)
    lines, events = store.branches(), list(store.read_all())
    names = [one.name for one in lines]
    for _ in range(dice.choice((1, 2, 8))):
        at = dice.randrange(len(events))
        what = dice.choice(("line", "line", "drop", "swap", "field", "data"))
        if what == "line":
            index = dice.randrange(len(lines))
            change = dice.choice(
                ({"parent": dice.choice(names)}, {"at": dice.randint(0, 300)}, {"digest": GENESIS})
            )
            lines[index] = msgspec.structs.replace(lines[index], **change)
        elif what == "drop":
            del events[at]
        elif what == "swap":
            other = dice.randrange(len(events))
            events[at], events[other] = events[other], events[at]
        elif what == "field":
            field = dice.choice(("seq", "version", "round", "turn", "cause"))
            events[at] = msgspec.structs.replace(events[at], **{field: dice.choice((-1, 0, 1, 7, 10**9))})
        else:
            data = dice.choice((b"{}", b'{"type":"moved"}', events[dice.randrange(len(events))].data))
            events[at] = msgspec.structs.replace(events[at], data=data)
    broken = MemoryStore()
    broken.restore(lines, events)
    verify(broken)
    for one in broken.branches():
        verify(broken, one.name)
        for asked in (lambda: state_at(broken, one.name, 60), lambda: diff(broken, "main", one.name)):  # noqa: B023
            try:
                asked()
            except AffrayError:
                continue


def test_many_branches_are_judged_in_time_of_their_events(store: Store) -> None:
    """A thousand branches from one event cost no more than their own events; so do branches of branches."""
    for number in range(500):
        fork(store, "40", f"a{number}", "main")
        fork(store, "40", f"b{number}", f"b{number - 1}" if number else "main")
    told: list[int] = []
    report = verify(store, progress=told.append)
    assert report.ok
    assert len(report.lines) == 1005
    assert report.events == len(list(store.read_all()))


@pytest.fixture
def filed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fight in a file with kept states."""
    monkeypatch.setattr(playhead, "SPACING", 20)
    path = tmp_path / "fight.db"
    with SqliteStore(path) as filed:
        filed.keep_secret("seed", b"twelve")
        source = fought(rounds=3, close=False, seed=b"twelve").store
        filed.append("main", [_entry(event) for event in source.read("main")], 0)
        state_at(filed, "main", filed.head("main").seq)
        assert list(filed.checkpoints("main", playhead.PROJECTION, playhead.version()))
    return path


def _entry(event):  # type: ignore[no-untyped-def]
    from affray.events.envelope import Entry

    return Entry(*(getattr(event, name) for name in Entry.__struct_fields__))


EDITED = "UPDATE checkpoints SET state = CAST(replace(state, '\"hp\":', '\"hp\":9') AS BLOB)"


@pytest.mark.parametrize(
    "edit",
    [EDITED, "UPDATE checkpoints SET state = x'7b7d'", "UPDATE checkpoints SET state = x'00'",
     "UPDATE checkpoints SET digest = printf('%064d', 0)", "UPDATE checkpoints SET seq = seq + 1",
     "UPDATE checkpoints SET digest = (SELECT digest FROM events e WHERE e.seq = checkpoints.seq)"],
)  # fmt: skip
def test_an_edited_kept_state_is_never_believed(filed: Path, edit: str, run: Run) -> None:  # noqa: F811
    """The state is made from the events, with a remark; verify says which is wrong; a write mends it."""
    before = run("show", filed)
    with closing(sqlite3.connect(filed)) as connection:  # no trigger guards a cache
        connection.execute(edit)
        connection.commit()
    after = run("show", filed)
    assert after.stdout == before.stdout
    assert "skipped a damaged stored state at main#" in after.stderr
    assert "skipped" in after.stderr
    result = run("verify", filed)
    assert result.exit_code == 1
    assert "BROKEN  record" in result.output
    assert "main#" in result.output
    assert run("verify", filed, "--branch", "main").exit_code == 1
    with SqliteStore(filed) as writable:
        state_at(writable, "main", writable.head("main").seq)
    assert run("verify", filed).exit_code == 0


def test_a_state_bound_anew_by_somebody_who_reckons_is_found_by_its_events(filed: Path) -> None:
    """With the digest made anew it is believed by whoever shows it, and verify compares it with the fold."""
    with SqliteStore(filed) as store:
        *_, found = store.checkpoints("main", playhead.PROJECTION, playhead.version())
        state = found.state.replace(b'"hp":', b'"hp":9', 1)
        (event,) = store.read("main", found.seq - 1, found.seq)
        store.save_checkpoint("main", playhead.PROJECTION, playhead.version(), found.seq, event.digest, state)
        report = verify(store)
    assert not report["record"].ok
    assert f"main#{found.seq}: " in str(report["record"].problem)


class TestOlder:
    """Logs that were written before there was a record."""

    @pytest.fixture
    def older(self, filed: Path) -> Path:
        """A log as the first schema has it, with a promoted branch."""
        with SqliteStore(filed) as store:
            fork(store, "r2", "one", "main")
            promote(store, "one")
        with closing(sqlite3.connect(filed, isolation_level=None)) as connection:
            connection.execute("DROP TABLE record")
            connection.execute("ALTER TABLE events DROP COLUMN salt")
            connection.execute("DELETE FROM _sqlite_migrations WHERE name IN ('record_2', 'salts_3')")
            connection.execute("PRAGMA user_version = 1")
        return filed

    def test_it_is_read_as_it_is(self, older: Path, run: Run) -> None:  # noqa: F811
        """Reading changes no byte; verify passes and says what is not covered."""
        before = older.read_bytes()
        result = run("verify", older)
        assert result.exit_code == 0, result.output
        assert "not covered: the log was written before there was a record" in result.output
        assert run("show", older).exit_code == run("branches", older).exit_code == 0
        assert older.read_bytes() == before

    def test_it_is_covered_when_it_is_next_written(self, older: Path, run: Run) -> None:  # noqa: F811
        """The next command that writes takes up what stands there; from then on changes are noticed."""
        assert run("fork", older, "--at", "r1", "--as", "two").exit_code == 0
        result = run("verify", older)
        assert result.exit_code == 0, result.output
        assert "covered since event" in result.output
        with closing(sqlite3.connect(older)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
            kinds = [row[0] for row in connection.execute("SELECT kind FROM record ORDER BY number")]
        assert kinds == ["adopted", "fork"]
        with unguarded(older) as connection:
            connection.execute("UPDATE branches SET parent = 'main' WHERE name = 'two'")
        assert run("verify", older).exit_code == 1


def test_an_import_is_covered_from_its_first_row(store: Store, tmp_path: Path) -> None:
    """What comes in at once is recorded at once, and without a remark."""
    with SqliteStore(tmp_path / "copy.db") as copy:
        copy.restore(store.branches(), store.read_all())
        seed = store.secret("seed")
        assert seed is not None
        copy.keep_secret("seed", seed)
        brawl(Table(copy, "one", answers=auto), 1)
        report = verify(copy)
        assert report.ok, [check.problem for check in report.checks]
        assert report["record"].note == ""


def test_verify_tells_all_lines(filed: Path, run: Run) -> None:  # noqa: F811
    """The last line counts lines, with --json each stands with its first problem; the status tells."""
    with SqliteStore(filed) as store:
        fork(store, "r2", "one", "main")
        brawl(Table(store, "one", answers=auto), 1)
    result = run("verify", filed)
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].startswith("2 lines, main line main: ")
    with unguarded(filed) as connection:
        connection.execute("UPDATE events SET actor = 'x' WHERE stream = 'one' AND type = 'rolled'")
    result = run("verify", filed)
    assert result.exit_code == 1
    assert "BROKEN  one: one#" in result.output
    assert "broken one, the log is NOT as it was recorded" in result.output
    assert run("verify", filed, "--branch", "main").exit_code == 0
    told = msgspec.json.decode(run("verify", filed, "--json").stdout)
    assert not told["ok"]
    assert [(line["branch"], line["ok"]) for line in told["lines"]] == [("main", True), ("one", False)]
    assert told["lines"][1]["problem"]["stream"] == "one"
