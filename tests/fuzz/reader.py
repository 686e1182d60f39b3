"""Bytes as decisions: what a fuzzer or Hypothesis sends, read as choices, numbers and texts."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

NASTY_NUMBERS = (
    0,
    1,
    -1,
    2,
    5,
    19,
    20,
    100,
    -100,
    1000,
    10_000,
    10**6,
    -(10**6),
    2**31,
    2**63 - 1,
    2**63,
    2**64,
    -(2**63) - 1,
    10**30,
)
NASTY_TEXTS = (
    "",
    " ",
    "a" * 61,
    "a" * 30_000,
    "\x1b[2J\x1b]0;owned\x07",
    "\x00",
    "\n\nsecond line",
    "\u202edrow",
    "\u2028",
    "../../../tmp/owned",
    "/etc/passwd",
    "a/b",
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "| # * _ `",
    "'; DROP TABLE events; --",
    "{0.__class__}",
    "%s%n",
    "\ud800",
    "é" * 300,
    "\U0001f409",
    "NaN",
    "-0",
    "prone",
    "dead",
    "dying",
    "unconscious",
    "stunned",
    "helpless",
    "grappled",
    "flat-footed",
)


class Reader:
    """Reads decisions off bytes; when they run out every decision is the first one."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    @property
    def more(self) -> bool:
        """Whether bytes are left."""
        return self.at < len(self.data)

    def byte(self) -> int:
        """Return the next byte, 0 at the end."""
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1."""
        return (self.byte() if limit <= 256 else self.byte() << 8 | self.byte()) % limit

    def one_of(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.below(len(values))]

    def rarely(self) -> bool:
        """Return True about one time in sixteen, never when the bytes have run out."""
        return self.byte() >= 240

    def number(self) -> int:
        """Return a small number, seldom a nasty one."""
        return self.one_of(NASTY_NUMBERS) if self.rarely() else self.below(24)

    def text(self) -> str:
        """Return a nasty text or one made of the bytes that follow."""
        if self.byte() & 1:
            return self.one_of(NASTY_TEXTS)
        size = self.below(12)
        raw, self.at = self.data[self.at : self.at + size], self.at + size
        return raw.decode("utf-8", "replace")

    def rest(self) -> bytes:
        """Return the bytes that are left."""
        left, self.at = self.data[self.at :], len(self.data)
        return left
