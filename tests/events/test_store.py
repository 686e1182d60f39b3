"""The contract that every store keeps: the same tests for memory and SQLite."""

from collections.abc import Callable
from itertools import islice

import pytest
from msgspec.structs import replace

from affray.events import logging
from affray.events.chain import GENESIS, verified
from affray.events.envelope import Branch, Entry, Head
from affray.events.errors import (
    Conflict,
    InvalidBranch,
    InvalidEntry,
    RequestReused,
    SecretExists,
    UnknownStream,
)
from affray.events.stores.store import PROMOTED, Store

Entries = Callable[..., list[Entry]]


class TestAppend:
    """append: whole, in its place, once."""

    def test_a_new_log_is_an_empty_main(self, store: Store) -> None:
        """The root stream is there from the start, with nothing on it."""
        assert store.branches() == [Branch("main", "", 0, GENESIS)]
        assert store.head("main") == Head(0, GENESIS)
        assert list(store.read("main")) == []

    def test_events_come_back_as_they_were_appended(self, store: Store, entries: Entries) -> None:
        """What append returns is what read yields: the entries, numbered and chained."""
        made = store.append("main", entries(3), 0) + store.append("main", entries(2, "later"), 3)
        assert list(verified(store.read("main"))) == made
        assert [e.data for e in made] == [e.data for e in entries(3) + entries(2, "later")]
        assert store.head("main") == Head(5, made[-1].digest)

    @pytest.mark.parametrize("expected", [1, 3, 0, -1])
    def test_a_wrong_position_is_a_conflict(self, store: Store, entries: Entries, expected: int) -> None:
        """Nothing is appended unless the head is exactly where the caller believes it."""
        store.append("main", entries(2), 0)
        with pytest.raises(Conflict) as caught:
            store.append("main", entries(1), expected)
        assert (caught.value.expected, caught.value.actual) == (expected, 2)
        assert store.head("main").seq == 2

    def test_nothing_to_append_is_no_error(self, store: Store) -> None:
        """An empty append changes nothing and conflicts with nothing."""
        assert store.append("main", [], 99, "r1") == []
        assert store.head("main").seq == 0

    def test_a_repeated_request_gets_the_first_answer(self, store: Store, entries: Entries) -> None:
        """The same request with the same entries returns what was recorded, though the head has moved on."""
        first = store.append("main", entries(3), 0, "r1")
        store.append("main", entries(1, "other"), 3)
        assert store.append("main", entries(3), 0, "r1") == first
        assert store.head("main").seq == 4

    def test_a_request_is_not_reused(self, store: Store, entries: Entries) -> None:
        """The same request with other entries, fewer entries or on another stream is refused."""
        store.append("main", entries(3), 0, "r1")
        store.fork("b", "main", 0)
        for stream, other in (
            ("main", entries(2)),
            ("main", entries(3, "x")),
            ("main", []),
            ("b", entries(3)),
        ):
            with pytest.raises(RequestReused):
                store.append(stream, other, 3, "r1")
        assert len(list(store.read_all())) == 3

    def test_a_failed_request_may_come_again(self, store: Store, entries: Entries) -> None:
        """A conflict records nothing under the request, so that the retry is appended."""
        with pytest.raises(Conflict):
            store.append("main", entries(1), 7, "r1")
        assert len(store.append("main", entries(1), 0, "r1")) == 1

    @pytest.mark.parametrize(
        "change",
        [
            {"data": b"[1]"},
            {"data": b'{"a":1'},
            {"data": b'{"a":1}\n'},
            {"data": b'{"a":\n1}'},
            {"data": b'{"a":"\xff"}'},
            {"data": b"{a:1}"},
            {"data": b'{"a":"' + b"x" * 8_000_000 + b'"}'},
            {"data": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"},
            {"type": ""},
            {"type": "a\nb"},
            {"actor": "a\x00"},
            {"actor": "\ud800"},
            {"cause": 2**63},
        ],
        ids=lambda change: next(f"{name}={value!r:.20}" for name, value in change.items()),
    )
    def test_what_cannot_be_kept_is_refused(
        self, store: Store, entries: Entries, change: dict[str, object]
    ) -> None:
        """An entry that some store or an export could not hold is refused by all, with those beside it."""
        with pytest.raises(InvalidEntry):
            store.append("main", [entries(1)[0], replace(entries(1)[0], **change)], 0)
        assert store.head("main").seq == 0

    def test_unknown_streams_are_named(self, store: Store, entries: Entries) -> None:
        """Every verb says which branch it did not find, at the call and not at the first event."""
        for use in (
            lambda: store.append("nope", entries(1), 0),
            lambda: store.read("nope"),
            lambda: store.head("nope"),
            lambda: store.fork("b", "nope", 0),
            lambda: store.follow("nope", poll_seconds=0, stop=lambda: True),
            lambda: store.checkpoint("nope", "p", 1, 9),
        ):
            with pytest.raises(UnknownStream, match="nope"):
                use()


class TestRead:
    """read and follow: any part of a line, lazily."""

    @pytest.mark.parametrize(
        ("after", "upto", "seqs"),
        [(0, None, [1, 2, 3, 4]), (2, None, [3, 4]), (1, 3, [2, 3]), (0, 99, [1, 2, 3, 4]), (3, 2, []),
         (9, None, []), (-5, 1, [1]), (0, 0, []), (0, -1, [])],
    )  # fmt: skip
    def test_the_bounds_are_after_and_upto(
        self, store: Store, entries: Entries, after: int, upto: int | None, seqs: list[int]
    ) -> None:
        """`after` is outside, `upto` inside, and bounds beyond the line are no error."""
        store.append("main", entries(4), 0)
        assert [e.seq for e in store.read("main", after, upto)] == seqs

    def test_a_reading_ends_where_the_line_ended_when_it_began(self, store: Store, entries: Entries) -> None:
        """A reader sees a consistent prefix, and does not hinder the writer, while events are appended."""
        store.append("main", entries(1200), 0)
        reading = store.read("main")
        head = list(islice(reading, 10))
        store.append("main", entries(5), 1200)
        assert [e.seq for e in head + list(reading)] == list(range(1, 1201))

    def test_following_sees_what_comes(self, store: Store, entries: Entries) -> None:
        """A follower yields what is there and what is appended meanwhile, and ends when told."""
        store.append("main", entries(2), 0)
        seen: list[int] = []
        following = store.follow("main", 1, poll_seconds=0, stop=lambda: len(seen) >= 3)
        for event in following:
            seen.append(event.seq)
            if event.seq < 5:
                store.append("main", entries(1), store.head("main").seq)
        assert seen == [2, 3, 4, 5]

    def test_all_streams_come_in_order_of_commit(self, store: Store, entries: Entries) -> None:
        """read_all yields every event of every stream once, as they were committed."""
        made = store.append("main", entries(2), 0)
        store.fork("b", "main", 1)
        made += store.append("b", entries(1), 1) + store.append("main", entries(1), 2)
        assert list(store.read_all()) == made


class TestFork:
    """fork: a name, a parent and a position."""

    def test_a_branch_goes_on_where_it_left(self, store: Store, entries: Entries) -> None:
        """A branch reads its parent's prefix, then its own events; the parent doesn't change."""
        main = store.append("main", entries(4), 0)
        branch = store.fork("b", "main", 2)
        assert branch == Branch("b", "main", 2, main[1].digest)
        assert store.head("b") == Head(2, main[1].digest)
        own = store.append("b", entries(3, "b"), 2)
        assert own[0].seq == 3
        assert list(verified(store.read("b"))) == main[:2] + own
        assert list(verified(store.read("main"))) == main
        assert list(store.read("b", 1, 3)) == [main[1], own[0]]

    def test_any_depth(self, store: Store, entries: Entries) -> None:
        """Branches of branches, also ones that leave inside an ancestor's prefix, read as one chain."""
        store.append("main", entries(1), 0)
        parent = "main"
        for depth in range(1, 40):
            name = f"b{depth}"
            store.fork(name, parent, depth)
            store.append(name, entries(2, name), depth)
            parent = name
        line = list(verified(store.read(parent)))
        assert [e.seq for e in line] == list(range(1, 42))
        store.fork("early", parent, 5)
        assert store.head("early").digest == line[4].digest
        store.append("early", entries(1), 5)
        assert [e.stream for e in verified(store.read("early"))] == ["main", "b1", "b2", "b3", "b4", "early"]

    def test_from_nothing(self, store: Store, entries: Entries) -> None:
        """A branch may leave before the first event."""
        store.append("main", entries(1), 0)
        assert store.fork("b", "main", 0).digest == GENESIS
        store.append("b", entries(1), 0)
        assert [e.stream for e in verified(store.read("b"))] == ["b"]

    @pytest.mark.parametrize("name", ["", "-a", ".a", "a b", "a/b", "ä", "a" * 65, "a\n", "main", "taken"])
    def test_bad_and_taken_names(self, store: Store, name: str) -> None:
        """A branch needs a new name of plain characters."""
        store.fork("taken", "main", 0)
        with pytest.raises(InvalidBranch):
            store.fork(name, "main", 0)
        assert [b.name for b in store.branches()] == ["main", "taken"]

    @pytest.mark.parametrize("at", [-1, 3])
    def test_only_from_within_the_line(self, store: Store, entries: Entries, at: int) -> None:
        """A branch leaves between the beginning and the head of its parent."""
        store.append("main", entries(2), 0)
        with pytest.raises(InvalidBranch, match="0 to 2"):
            store.fork("b", "main", at)

    def test_the_main_line_is_the_last_promoted(self, store: Store, entries: Entries) -> None:
        """The newest promotion in order of commit decides, on whatever stream it stands."""
        assert (store.main_line(), store.epoch()) == ("main", 0)
        for epoch, name in enumerate(("b", "a"), 1):
            store.fork(name, "main", 0)
            store.append(name, entries(1, type=PROMOTED), 0)
            store.append("main", entries(1), store.head("main").seq)
            assert (store.main_line(), store.epoch()) == (name, epoch)
        assert store.main_lines() == ["main", "b", "a"]


class TestBeside:
    """Secrets and checkpoints: kept beside the events."""

    def test_a_secret_is_written_once(self, store: Store) -> None:
        """A secret stays what it was; the same value again is no error."""
        assert store.secret("seed") is None
        store.keep_secret("seed", b"\x00\xff")
        store.keep_secret("seed", b"\x00\xff")
        with pytest.raises(SecretExists):
            store.keep_secret("seed", b"other")
        assert store.secret("seed") == b"\x00\xff"

    def test_a_note_is_written_once(self, store: Store) -> None:
        """So does a note, which is no secret: one of the same name is another thing."""
        store.keep_secret("hands", b"1")
        assert store.note("hands") is None
        store.keep_note("hands", b"2")
        store.keep_note("hands", b"2")
        with pytest.raises(SecretExists):
            store.keep_note("hands", b"3")
        assert (store.note("hands"), store.secret("hands")) == (b"2", b"1")

    def test_the_newest_checkpoint_of_the_line(self, store: Store, entries: Entries) -> None:
        """A branch uses its ancestors' checkpoints up to where it left, and only those of its version."""
        main = store.append("main", entries(6), 0)
        store.fork("b", "main", 4)
        own = store.append("b", entries(4), 4)
        store.save_checkpoint("b", "hp", 1, 3, main[2].digest, b"three")  # belongs to main's prefix
        store.save_checkpoint("main", "hp", 1, 5, main[4].digest, b"five")
        store.save_checkpoint("b", "hp", 1, 6, own[1].digest, b"six")
        store.save_checkpoint("main", "hp", 2, 4, main[3].digest, b"newer")
        found = {
            (stream, upto): c.state if (c := store.checkpoint(stream, "hp", 1, upto)) else None
            for stream in ("main", "b")
            for upto in (2, 4, 5, 9)
        }
        assert found == {
            ("main", 2): None, ("main", 4): b"three", ("main", 5): b"five", ("main", 9): b"five",
            ("b", 2): None, ("b", 4): b"three", ("b", 5): b"three", ("b", 9): b"six",
        }  # fmt: skip
        assert store.checkpoint("main", "other", 1, 9) is None

    def test_a_checkpoint_that_does_not_match_is_dropped(self, store: Store, entries: Entries) -> None:
        """A state saved under another digest is dropped with a warning, and the next older one is used."""
        made = store.append("main", entries(3), 0)
        store.save_checkpoint("main", "hp", 1, 2, made[1].digest, b"good")
        store.save_checkpoint("main", "hp", 1, 3, bytes(32), b"stale")
        store.save_checkpoint("main", "hp", 1, 7, bytes(32), b"of no event")
        with logging.captured() as logged:
            found = store.checkpoint("main", "hp", 1, 9)
        assert found is not None
        assert found.state == b"good"
        assert [(entry["event"], entry["seq"]) for entry in logged] == [
            ("checkpoint.dropped", 7),
            ("checkpoint.dropped", 3),
        ]
        with logging.captured() as again:
            store.checkpoint("main", "hp", 1, 9)
        assert again == []

    def test_a_checkpoint_may_be_saved_again(self, store: Store, entries: Entries) -> None:
        """The later state at the same event takes the place of the earlier; before event 1 there is none."""
        (made,) = store.append("main", entries(1), 0)
        for state in (b"one", b"two"):
            store.save_checkpoint("main", "hp", 1, 1, made.digest, state)
        found = store.checkpoint("main", "hp", 1, 1)
        assert found is not None
        assert found.state == b"two"
        with pytest.raises(ValueError, match="count from 1"):
            store.save_checkpoint("main", "hp", 1, 0, GENESIS, b"")
