"""How much is taken from whom: requests by the second, feeds at a time. What is remembered is bounded."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from math import ceil

from affray.events.errors import AffrayError
from affray.replay.serve.errors import Problem

MOST_REMEMBERED = 4096
"""So many who have asked lately are told apart; all beyond that count as one."""

THE_REST = "the rest"

FEED_AGAIN = 5
"""Seconds after which a feed may be tried again."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second for long, and so many at once after a pause."""

    a_second: float
    at_once: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server takes: bytes and seconds of a body, requests, and feeds in all and of one guest."""

    body_bytes: int = 64 * 1024
    body_seconds: float = 10.0
    posts: Rate = Rate(20, 60)
    gets: Rate = Rate(100, 300)
    feeds: int = 500
    feeds_of_one: int = 300


def address_of(client: tuple[str, int] | None) -> str:
    """Return by what a client without a known token is told from others.

    The address; of IPv6 the network, as one who has an address there has them all.
    """
    try:
        address = ip_address(client[0].partition("%")[0]) if client else None
    except ValueError:
        return str(client and client[0])
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return address.exploded[:19]
    return str(address)


def allowed_proxies(given: Iterable[str]) -> frozenset[str]:
    """Return the addresses of proxies as connections have them. Raises AffrayError for what is no address."""
    try:
        return frozenset(str(ip_address(one.strip())) for one in given)
    except ValueError as error:
        raise AffrayError(f"a proxy is named by its IP address: {error}") from None


def client_of(
    client: tuple[str, int] | None, forwarded: Sequence[bytes], proxies: frozenset[str]
) -> tuple[str, int] | None:
    """Return who asks: the client, or for whom it passes the request on if it is one of the proxies.

    Each of them adds an address at the end of `X-Forwarded-For` (`forwarded`), so the last that is no proxy's
    is the one that no client can make up.
    """
    if client is None or client[0] not in proxies:
        return client
    for said in reversed(b",".join(forwarded).decode("latin-1").split(",")):
        try:
            address = str(ip_address(said.strip()))
        except ValueError:
            break
        if address not in proxies:
            return address, 0
    return client


class Buckets:
    """A bucket for each who asks, that fills at a rate; who finds it empty has to wait.

    One that has had time to fill is the same as none, and forgotten. Never more than `MOST_REMEMBERED` are
    kept: while all of these are in use, whoever is new draws from one bucket together.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with every bucket full."""
        self.rate, self._clock = rate, clock
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        """Return how many buckets are kept."""
        return len(self._full_at)

    def draw(self, who: str) -> None:
        """Take one from the bucket of `who`. Raises Problem if it is empty. O(1) over many calls."""
        now = self._clock()
        key = who if who in self._full_at or self._has_room(now) else THE_REST
        full_at = max(self._full_at.get(key, now), now) + 1 / self.rate.a_second
        wait = full_at - now - self.rate.at_once / self.rate.a_second
        if wait > 1e-9:
            raise Problem("too_many", "too many requests; wait a moment", retry_after=ceil(wait))
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)

    def _has_room(self, now: float) -> bool:
        """Forget whose buckets are full again, and say whether another one fits."""
        while self._full_at:
            oldest, full_at = next(iter(self._full_at.items()))
            if full_at > now:
                break
            del self._full_at[oldest]
        return len(self._full_at) < MOST_REMEMBERED - 1


@dataclass(slots=True)
class Feeds:
    """The feeds that are open, in all and of each guest."""

    limits: Limits
    _of: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        """Return how many are open."""
        return self._of.total()

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Count a feed of `who` as open inside the block. Raises Problem if there are too many."""
        if len(self) >= self.limits.feeds:
            raise Problem("too_many_feeds", "too many listen already", retry_after=FEED_AGAIN)
        if self._of[who] >= self.limits.feeds_of_one:
            raise Problem("too_many_feeds", "too many listen with this link already", retry_after=FEED_AGAIN)
        self._of[who] += 1
        try:
            yield
        finally:
            self._of[who] -= 1
            if not self._of[who]:
                del self._of[who]
