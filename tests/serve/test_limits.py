"""How much is taken: by the second, and at a time; whoever asks, little is remembered."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.replay.serve import http
from affray.replay.serve.http import MOST_REMEMBERED, Buckets, Feeds, Limits, Problem, Rate, address_of


class Clock:
    """A clock that stands until it is moved."""

    now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def draws(buckets: Buckets, who: str, count: int) -> int:
    """Return how many of so many requests are taken."""
    return count - sum(isinstance(refusal(lambda: buckets.draw(who)), Problem) for _ in range(count))


def refusal(act: Callable[[], object]) -> Problem | None:
    """Return the problem that something raises."""
    try:
        act()
    except Problem as problem:
        return problem
    return None


def test_a_burst_and_then_the_rate() -> None:
    """60 at once, 20 a second from there, 60 again after a pause of three seconds."""
    clock = Clock()
    buckets = Buckets(Rate(20, 60), clock)
    assert draws(buckets, "a", 200) == 60
    clock.now += 1
    assert draws(buckets, "a", 200) == 20
    clock.now += 0.05
    assert draws(buckets, "a", 200) == 1
    clock.now += 1000
    assert draws(buckets, "a", 200) == 60


def test_who_has_to_wait_is_told_how_long() -> None:
    """In whole seconds, at least one, after which it is taken."""
    clock = Clock()
    buckets = Buckets(Rate(0.25, 2), clock)
    assert draws(buckets, "a", 2) == 2
    problem = refusal(lambda: buckets.draw("a"))
    assert problem is not None
    assert (problem.status, problem.code, problem.retry_after) == (429, "too_many", 4)
    clock.now += 4
    assert draws(buckets, "a", 2) == 1


def test_each_has_a_bucket() -> None:
    """Who asks too often keeps nobody else waiting, and does not wait longer for asking on."""
    clock = Clock()
    buckets = Buckets(Rate(1, 2), clock)
    assert draws(buckets, "a", 500) == 2
    assert draws(buckets, "b", 2) == 2
    clock.now += 1
    assert draws(buckets, "a", 2) == 1


def test_what_is_remembered_is_bounded() -> None:
    """However many ask; those beyond have one bucket together: many addresses are no way around it."""
    clock = Clock()
    buckets = Buckets(Rate(20, 60), clock)
    taken = 0
    for number in range(50_000):
        taken += draws(buckets, f"address {number}", 1)
    assert len(buckets) == MOST_REMEMBERED
    assert taken == MOST_REMEMBERED - 1 + 60
    assert draws(buckets, "address 5", 1) == 1
    clock.now += 3
    assert draws(buckets, "somebody new", 100) == 60
    assert len(buckets) == 1


def test_who_asks_all_the_time_keeps_no_place_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who asked once are forgotten, though somebody who asked before them is still there."""
    monkeypatch.setattr(http, "MOST_REMEMBERED", 10)
    clock = Clock()
    buckets = Buckets(Rate(20, 60), clock)
    draws(buckets, "always", 50)
    for number in range(8):
        draws(buckets, f"once {number}", 1)
    clock.now += 1
    assert draws(buckets, "always", 10) == 10
    assert [draws(buckets, f"new {number}", 60) for number in range(8)] == [60] * 8
    assert len(buckets) == 9


@given(st.lists(st.tuples(st.floats(0, 2), st.sampled_from("ab")), max_size=200))
def test_never_more_than_the_rate(asked: list[tuple[float, str]]) -> None:
    """In any stretch of time: at most the burst and what the rate gives for the time that has gone by."""
    clock, rate = Clock(), Rate(3, 5)
    buckets = Buckets(rate, clock)
    taken: dict[str, list[float]] = {"a": [], "b": []}
    for pause, who in asked:
        clock.now += pause
        if draws(buckets, who, 1):
            taken[who].append(clock.now)
    for times in taken.values():
        for first, begun in enumerate(times):
            for last in range(first, len(times)):
                allowed = rate.at_once + rate.a_second * (times[last] - begun)
                assert last - first + 1 <= allowed + 1e-6


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("127.0.0.1", 5), "127.0.0.1"),
        (("::ffff:10.0.0.7", 5), "10.0.0.7"),
        (("2001:db8:1:2:3:4:5:6", 5), "2001:0db8:0001:0002"),
        (("2001:db8:1:2::9", 7), "2001:0db8:0001:0002"),
        (("fe80::1%eth0", 7), "fe80:0000:0000:0000"),
        (("somewhere", 7), "somewhere"),
        (None, "None"),
    ],
)
def test_addresses(client: tuple[str, int] | None, address: str) -> None:
    """One who has an IPv6 network is one, whatever address of it speaks."""
    assert address_of(client) == address


def test_feeds_in_all_and_of_one() -> None:
    """Each counts as long as it is open, however it ends; nobody is remembered then."""
    feeds = Feeds(Limits(feeds=3, feeds_of_one=2))
    with feeds.one("a"), feeds.one("a"):
        found = refusal(lambda: feeds.one("a").__enter__())
        assert found is not None
        assert (found.status, found.retry_after > 0, "this link" in found.message) == (503, True, True)
        with feeds.one("b"):
            assert len(feeds) == 3
            found = refusal(lambda: feeds.one("c").__enter__())
            assert found is not None
            assert (found.status, found.code) == (503, "too_many_feeds")
        with pytest.raises(KeyError), feeds.one("c"):
            raise KeyError
    assert (len(feeds), len(feeds._of)) == (0, 0)
