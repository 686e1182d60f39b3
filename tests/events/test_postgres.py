"""What only a log in PostgreSQL has: many fights, migrations, guards, seats, readers of everything."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from affray.events import logging
from affray.events.chain import verified
from affray.events.envelope import Entry
from affray.events.errors import AffrayError, BrokenLog, Conflict, LogUnavailable, NewerLog, NotALog
from affray.events.stores.address import Address
from affray.events.stores.postgres import Cursor, Everything, PostgresStore
from affray.events.stores.postgres_connection import fights_in
from affray.replay.cli import affray
from affray.replay.workers import PYTHON
from tests.server import Server

Entries = Callable[..., list[Entry]]
CAMPAIGN = Path(__file__).parents[1] / "campaigns" / "everything.py"


def as_owner(fight: str) -> "psycopg.Connection[tuple[object, ...]]":
    """Return a connection of the owner to the database of a fight."""
    return psycopg.connect(Address(fight).uri, autocommit=True)


class TestAddress:
    """The address of a fight: what it names, and what is told of it."""

    def test_a_password_is_never_shown(self) -> None:
        """The text of an address leaves the password out, its URI has it."""
        for text in ("postgresql://gm:s3cret@h/db#x", "postgresql://gm@h/db?password=s3cret&port=1#x"):
            at = Address(text)
            assert (at.fight, "s3cret" in at.uri, "s3cret" in f"{at} {at!r}") == ("x", True, False)

    @pytest.mark.parametrize(
        "text", ["postgresql:h/db", "postgresql://h/db#a b", "postgresql://[/db", "sqlite://x"]
    )
    def test_what_is_none_is_refused(self, text: str) -> None:
        """Neither a bad name nor half an address is taken."""
        with pytest.raises(AffrayError):
            Address(text)

    def test_without_the_driver_the_extra_is_named(self) -> None:
        """Where psycopg is not installed the message says what to install."""
        code = (
            "import sys; sys.modules['psycopg'] = None\n"
            "from affray.replay.cli import main; sys.argv[1:] = ['show', 'postgresql://h/x#y']; main()"
        )
        done = subprocess.run([*PYTHON, "-c", code], capture_output=True, text=True)
        assert (done.returncode, "affray[postgres]" in done.stderr, "Traceback" in done.stderr) == (
            2,
            True,
            False,
        )


class TestFights:
    """Many fights in one database."""

    def test_each_is_a_log_of_its_own(self, fight: str, entries: Entries) -> None:
        """Two fights have the same names, requests and positions, and know nothing of one another."""
        with PostgresStore(fight) as one, PostgresStore(f"{fight}b") as other:
            made = one.append("main", entries(2), 0, "r")
            assert other.append("main", entries(2), 0, "r") == made
            one.fork("x", "main", 1)
            assert (len(one.branches()), len(other.branches())) == (2, 1)
            assert one.cover().faults == other.cover().faults == []
        names = [listed.name for listed in fights_in(Address(fight))]
        assert {Address(fight).fight, Address(f"{fight}b").fight} <= {*names}

    def test_one_that_is_not_there_is_not_made_to_read_it(self, fight: str) -> None:
        """A reader is told that there is no such fight, and whoever names none that there are some."""
        PostgresStore(fight).close()
        with pytest.raises(LogUnavailable, match="no such fight"):
            PostgresStore(f"{fight}nope", readonly=True)
        with pytest.raises(AffrayError, match="name the fight"):
            PostgresStore(fight.partition("#")[0])

    def test_a_reader_changes_nothing(self, fight: str, entries: Entries) -> None:
        """A store for reading refuses to write, in its own words and in those of the server."""
        PostgresStore(fight).close()
        with (
            PostgresStore(fight, readonly=True) as store,
            pytest.raises(LogUnavailable, match="reading only"),
        ):
            store.append("main", entries(1), 0)

    def test_databases_without_logs_and_with_newer_ones(self, postgres: Server, fight: str) -> None:
        """Reading makes no schema; a newer one is refused by name; who may not make one is told."""
        PostgresStore(fight).close()
        with as_owner(fight) as owner:
            for name in ("empty", "newer"):
                owner.execute(f"CREATE DATABASE {name}")
            owner.execute("CREATE ROLE stranger LOGIN")
        with pytest.raises(NotALog):
            PostgresStore(postgres.address("empty", "x"), readonly=True)
        with pytest.raises(LogUnavailable, match="no log of Affray"):
            PostgresStore(postgres.address("empty", "x", "stranger"))
        with pytest.raises(LogUnavailable, match="may not"):
            PostgresStore(postgres.address("postgres", "x", "stranger"))
        PostgresStore(postgres.address("newer", "x")).close()
        with psycopg.connect(postgres.address("newer"), autocommit=True) as owner:
            owner.execute("INSERT INTO affray.schema VALUES (99)")
        with pytest.raises(NewerLog):
            PostgresStore(postgres.address("newer", "x"))


class TestTogether:
    """Several connections to one fight."""

    def test_one_wins_each_position(self, fight: str, entries: Entries) -> None:
        """Who decided from a position that is taken gets a Conflict that says where the log is."""
        with PostgresStore(fight) as here, PostgresStore(fight) as there:
            here.append("main", entries(2), 0)
            with pytest.raises(Conflict) as caught:
                there.append("main", entries(1), 0)
            assert (caught.value.expected, caught.value.actual) == (0, 2)

    def test_branches_of_one_fight_do_not_stop_each_other(self, fight: str, entries: Entries) -> None:
        """Threads append to branches of their own at once: no conflict, and the record covers them all."""
        with PostgresStore(fight) as store:
            store.append("main", entries(1), 0)
            for name in "abc":
                store.fork(name, "main", 1)

            def work(name: str) -> None:
                with PostgresStore(fight) as own:
                    for at in range(1, 16):
                        own.append(name, entries(1, name), at, f"{name}{at}")

            threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
            assert [store.head(name).seq for name in "abc"] == [16, 16, 16]
            assert store.cover().faults == []
            assert all(list(verified(store.read(name))) for name in "abc")

    def test_a_lost_connection_is_opened_again(self, fight: str, entries: Entries) -> None:
        """After its backend was ended a store reads on at once, and appends what was not recorded."""
        with PostgresStore(fight) as store, as_owner(fight) as owner:
            store.append("main", entries(1), 0)
            for _ in range(2):
                owner.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'affray'"
                )
                assert store.head("main").seq >= 1
            assert len(store.append("main", entries(1), 1)) == 1


class TestGuards:
    """What is recorded stays as it was."""

    @pytest.mark.parametrize(
        "sql",
        [
            "UPDATE affray.events SET actor = 'x'",
            "DELETE FROM affray.events",
            "TRUNCATE affray.events",
            "UPDATE affray.branches SET at = 0",
            "DELETE FROM affray.record",
            "DELETE FROM affray.requests",
            "UPDATE affray.secrets SET value = ''",
            "DELETE FROM affray.notes",
            "DELETE FROM affray.fights",
            "UPDATE affray.fights SET name = 'other'",
            "INSERT INTO affray.events (fight, position, stream, seq, type, version, round, turn, actor,"
            " cause, data, digest) SELECT fight, position + 50, stream, seq + 50, type, version, round,"
            " turn, actor, cause, data, digest FROM affray.events",
            "INSERT INTO affray.record SELECT fight, number + 7, kind, name, position, digest"
            " FROM affray.record",
        ],
    )
    def test_its_owner_too_cannot_change_it(self, fight: str, entries: Entries, sql: str) -> None:
        """Triggers forbid every change, and every event that does not follow."""
        with PostgresStore(fight) as store, as_owner(fight) as owner:
            store.append("main", entries(1), 0, "r")
            with pytest.raises(psycopg.Error, match=r"append-only|without a gap"):
                owner.execute(sql)

    def test_a_database_without_its_guards_is_refused(self, postgres: Server) -> None:
        """A trigger that is disabled is named when a log is opened."""
        with psycopg.connect(postgres.address(), autocommit=True) as owner:
            owner.execute("CREATE DATABASE unguarded")
        PostgresStore(postgres.address("unguarded", "x")).close()
        with psycopg.connect(postgres.address("unguarded"), autocommit=True) as owner:
            owner.execute("ALTER TABLE affray.events DISABLE TRIGGER events_only_append")
        with pytest.raises(BrokenLog, match="events_only_append"):
            PostgresStore(postgres.address("unguarded", "x"))

    def test_the_record_tells_what_its_owner_did_behind_it(self, postgres: Server, entries: Entries) -> None:
        """An owner who takes the guards away and changes what stands beside the events is found out."""
        with psycopg.connect(postgres.address(), autocommit=True) as owner:
            owner.execute("CREATE DATABASE altered")
        with PostgresStore(postgres.address("altered", "x")) as store:
            store.append("main", entries(2), 0, "r")
        with psycopg.connect(postgres.address("altered"), autocommit=True) as owner:
            owner.execute("SET session_replication_role = replica")
            owner.execute("UPDATE affray.requests SET request = 's'")
        with PostgresStore(postgres.address("altered", "x")) as store:
            assert store.cover().faults


class TestSeats:
    """Roles of the database: a master plays, a player reads what the side may see, and nothing else."""

    @pytest.fixture
    def seated(self, postgres: Server, fight: str, entries: Entries) -> str:
        """Return a fight with events for everybody, for the heroes and for the master, and some roles."""
        seen: dict[str, list[str] | None] = {"open": [""], "heroes": ["heroes"], "hidden": None}

        def eyes(store: object, events: list[object]) -> list[list[str] | None]:
            return [seen[event.actor] for event in events]  # type: ignore[attr-defined]

        with PostgresStore(fight, eyes=eyes) as store:  # type: ignore[arg-type]
            store.keep_secret("seed", b"12")
            store.append(
                "main", [replace(one, actor=who) for who, one in zip(seen, entries(3), strict=True)], 0
            )
            store.save_checkpoint("main", "state", 1, 3, bytes(32), b"all that is hidden")
        name = Address(fight).fight
        with as_owner(fight) as owner:
            for role in ("anna", "ysolde", "gharm", "watcher", "other"):
                owner.execute(
                    f"DO $$ BEGIN CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
                )
            owner.execute("SELECT affray.host('anna'), affray.admit('ysolde'), affray.admit('gharm')")
            owner.execute("SELECT affray.admit('watcher'), affray.admit('other')")
            for role, part, side in (
                ("anna", "master", ""), ("ysolde", "player", "heroes"),
                ("gharm", "player", "monsters"), ("watcher", "onlooker", ""),
            ):  # fmt: skip
                owner.execute("SELECT affray.seat(%s, %s, %s, %s)", (name, role, part, side))
        return fight

    def as_role(self, fight: str, role: str) -> "psycopg.Connection[tuple[object, ...]]":
        """Return a connection of a role."""
        return psycopg.connect(Address(fight).uri.replace("user=gm", f"user={role}"), autocommit=True)

    @pytest.mark.parametrize(
        ("role", "seen"),
        [("ysolde", {"open", "heroes"}), ("gharm", {"open"}), ("watcher", {"open"}), ("other", set()),
         ("anna", {"open", "heroes", "hidden"})],
    )  # fmt: skip
    def test_everybody_reads_what_is_theirs(self, seated: str, role: str, seen: set[str]) -> None:
        """Whatever is asked, a player's connection is told of no row that its side may not see."""
        with self.as_role(seated, role) as own:
            told = own.execute("SELECT actor FROM affray.events_of(%s)", (Address(seated).fight,)).fetchall()
            assert {row[0] for row in told} == seen
        with Everything(seated.replace("user=gm", f"user={role}")) as reader:
            passed = [one for one in reader.read() if one.fight == Address(seated).fight]
            assert {one.event.actor for one in passed} == seen

    def test_a_player_lists_what_it_may_see(self, seated: str) -> None:
        """The list of fights has those in which a role has a seat, with what it sees of them."""
        at = Address(seated)
        for role, events in (("ysolde", 2), ("gharm", 1), ("anna", 3)):
            (listed,) = (
                one
                for one in fights_in(Address(seated.replace("user=gm", f"user={role}")))
                if one.name == at.fight
            )
            assert (listed.events, listed.branches) == (events, 1)
        names = [one.name for one in fights_in(Address(seated.replace("user=gm", "user=other")))]
        assert at.fight not in names

    def test_who_follows_as_a_player_is_woken(self, seated: str, entries: Entries) -> None:
        """A player's reader is told of what is recorded, and given what its side may see."""
        with (
            Everything(seated.replace("user=gm", "user=ysolde")) as reader,
            PostgresStore(seated, eyes=lambda _, events: [[""] for _ in events]) as store,
        ):
            cursor = Cursor()
            for passed in reader.read():
                cursor = passed.cursor
            timer = threading.Timer(0.3, lambda: store.append("main", entries(1, "new"), 3))
            timer.start()
            told = next(reader.follow(cursor, poll_seconds=30, stop=lambda: False))
            assert (told.fight, told.event.seq) == (Address(seated).fight, 4)
            timer.join()

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT * FROM affray.secrets",
            "SELECT state FROM affray.checkpoints",
            "SELECT * FROM affray.notes",
            "SELECT * FROM affray.requests",
            "SELECT * FROM affray.branches",
            "SELECT * FROM affray.record",
            "SELECT kept FROM affray.guests",
            "SELECT * FROM affray.seats",
            "SELECT * FROM affray_one.events",
            "SELECT seq FROM affray.events",
            "SELECT name FROM affray.fights",
            "SELECT * FROM affray.hidden",
            "SELECT * FROM affray.places()",
            "SELECT affray.is_master(1)",
            "INSERT INTO affray.events (fight) VALUES (1)",
            "UPDATE affray.events SET seen_by = '{}'",
            "INSERT INTO affray.seats VALUES (1, 'ysolde', 'master', '')",
            "SELECT affray.seat((SELECT min(name) FROM affray.fights), 'ysolde', 'master')",
            "SELECT affray.host('ysolde')",
            "SET session_replication_role = replica",
        ],
    )
    def test_a_player_reaches_nothing_else(self, seated: str, sql: str) -> None:
        """Neither what stands beside the events nor any way to a better seat."""
        with self.as_role(seated, "ysolde") as own, pytest.raises(psycopg.errors.InsufficientPrivilege):
            own.execute(sql)

    def test_a_function_of_a_player_sees_no_more(self, seated: str) -> None:
        """A condition that reports its rows gets those alone that the player may see."""
        with self.as_role(seated, "ysolde") as own:
            told: list[str] = []
            own.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
            own.execute(
                "CREATE FUNCTION pg_temp.peep(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS"
                " $$ BEGIN RAISE NOTICE 'peeped %', $1; RETURN true; END $$"
            )
            asked = "SELECT seq FROM affray.events_of(%s) WHERE pg_temp.peep(actor)"
            own.execute(asked, (Address(seated).fight,)).fetchall()
            assert told
            assert "peeped hidden" not in told

    def test_a_player_is_told_what_the_role_is_for(self, seated: str) -> None:
        """A store needs the rights of a master, and says so."""
        at = seated.replace("user=gm", "user=ysolde")
        with pytest.raises(LogUnavailable, match=r"may not|player's role"):
            PostgresStore(at, readonly=True)

    def test_a_master_plays_that_fight_and_fights_of_their_own(self, seated: str, entries: Entries) -> None:
        """A master's role appends, and opens fights, of which others then see nothing."""
        at = seated.replace("user=gm", "user=anna")
        with PostgresStore(at) as store:
            assert store.append("main", entries(1), 3)
            store.fork("b", "main", 1)
            store.keep_note("n", b"1")
            assert store.secret("seed") == b"12"
            assert store.cover().faults == []
        with PostgresStore(f"{at}-own") as store:
            store.append("main", entries(1), 0)
        with self.as_role(seated, "ysolde") as own:
            found = own.execute("SELECT name FROM affray.my_fights()").fetchall()
            assert (f"{Address(at).fight}-own",) not in found
        with self.as_role(seated, "anna") as own, pytest.raises(psycopg.errors.InsufficientPrivilege):
            own.execute("INSERT INTO affray.events (fight, xid) VALUES (1, '3')")


class TestEverything:
    """Readers of all fights."""

    def test_what_commits_late_is_not_skipped(self, fight: str, entries: Entries) -> None:
        """While a commit is held back nothing behind it is told; then all of it, the late one first."""
        with PostgresStore(fight) as late, PostgresStore(f"{fight}z") as early, Everything(fight) as reader:
            begin = Cursor()
            for passed in reader.read():
                begin = passed.cursor
            with late._wire.transaction():
                late.append("main", entries(2, "late"), 0)
                early.append("main", entries(1, "early"), 0)
                assert list(reader.read(begin)) == []
            told = list(reader.read(begin))
            assert [(one.fight, one.event.seq) for one in told] == [
                (Address(fight).fight, 1), (Address(fight).fight, 2), (Address(f"{fight}z").fight, 1)
            ]  # fmt: skip
            assert [one.event for one in told[:2]] == list(late.read("main"))
            assert list(reader.read(Cursor.read(str(told[1].cursor)))) == told[2:]

    def test_a_hint_wakes_who_follows(self, fight: str, entries: Entries) -> None:
        """Who waits for a long time looks at once when something was appended."""
        with PostgresStore(fight) as store, PostgresStore(fight) as other:
            store.append("main", entries(1), 0)
            timer = threading.Timer(0.3, lambda: other.append("main", entries(1), 1))
            timer.start()
            following = store.follow("main", 1, poll_seconds=30, stop=lambda: False)
            assert next(following).seq == 2
            timer.join()

    def test_the_campaign_in_small(self, postgres: Server) -> None:
        """Four writers hold commits back and overtake one another: nothing skipped, nothing doubled."""
        done = subprocess.run(
            [sys.executable, str(CAMPAIGN), "--appends", "200", "--writers", "4", "--json"],
            capture_output=True, text=True, timeout=240,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        found = json.loads(done.stdout)
        assert (found["appends"], found["skipped"], found["doubled"]) == (200, 0, 0)


def test_a_server_that_does_not_flush_is_told_of(fight: str) -> None:
    """Commits are flushed whatever the server's default; what cannot be mended for a session is warned of."""
    with logging.captured() as noted, PostgresStore(fight) as store:
        assert store._wire.rows("SHOW synchronous_commit") == [("on",)]
    (one,) = (entry for entry in noted if entry["event"] == "postgres.unflushed")
    assert one["off"] == "fsync and full_page_writes"
    told = CliRunner().invoke(affray, ["new", f"{fight}x", "--dialect", "srd35", "--seed", "x"])
    assert told.exit_code == 0
    assert "fsync and full_page_writes off at this server" in told.stderr
