"""The body of a request: JSON, not too much of it, and in time."""

import asyncio
from contextlib import suppress

from starlette.types import Message, Receive

from affray.replay.serve.errors import Problem
from affray.replay.serve.hosts import Headers, values_of
from affray.replay.serve.limits import Limits

BODIES = frozenset({"POST"})
"""The methods of requests that have a body."""

LINGER_SECONDS, LINGER_BYTES = 1.0, 4 * 1024 * 1024
"""What is let go by, at most, of a body that is not wanted."""


def has_body(headers: Headers) -> bool:
    """Say whether a request with these headers has a body that is not empty."""
    length = values_of(headers, b"content-length")
    return any(one.strip(b" \t0") for one in length) or bool(values_of(headers, b"transfer-encoding"))


def refuse_body(limits: Limits, method: str, headers: Headers) -> None:
    """Raise Problem for a request whose headers announce a body that is not taken."""
    lengths = values_of(headers, b"content-length")
    if len(lengths) > 1 or any(not one.isdigit() for one in lengths):
        raise Problem("bad_request", "the length of the body is one number")
    if lengths and values_of(headers, b"transfer-encoding"):
        raise Problem("bad_request", "a body has a length or comes in chunks, not both")
    if lengths and (len(lengths[0]) > 19 or int(lengths[0]) > limits.body_bytes):
        raise _too_large(limits)
    if method in BODIES:
        kinds = values_of(headers, b"content-type")
        if len(kinds) != 1 or kinds[0].partition(b";")[0].strip().lower() != b"application/json":
            raise Problem("not_json", "the body is JSON: content-type: application/json")
    elif has_body(headers):
        raise Problem("bad_request", f"a body is sent with {' and '.join(sorted(BODIES))} only")


class Body:
    """The body of one request, as the application receives it: counted, and against the clock.

    The clock starts with the first question for a part of it. `ended` says whether all of it was received.
    """

    def __init__(self, limits: Limits, receive: Receive, *, ended: bool) -> None:
        """Receive from `receive`; a request without a body has `ended` from the beginning."""
        self.limits, self._receive, self.ended = limits, receive, ended
        self._bytes, self._until = 0, 0.0

    async def receive(self) -> Message:
        """Return the next message. Raises Problem for a body that is too long, or not there in time."""
        if self.ended:
            return await self._receive()
        loop = asyncio.get_running_loop()
        self._until = self._until or loop.time() + self.limits.body_seconds
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise Problem("too_slow", "the body of the request did not come in time") from None
        self._bytes += len(message.get("body", b""))
        if self._bytes > self.limits.body_bytes:
            raise _too_large(self.limits)
        self.ended = not message.get("more_body", False)
        return message

    async def linger(self) -> None:
        """Let go by what still comes of a body that nobody wants, for a moment; the answer is sent already.

        A connection that is closed on bytes that nobody has read is reset, and many a client then never reads
        the answer. So is one that goes on sending for longer.
        """
        left = LINGER_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                while left > 0 and not self.ended:
                    message = await self._receive()
                    left -= len(message.get("body", b""))
                    self.ended = not message.get("more_body", False)


def _too_large(limits: Limits) -> Problem:
    return Problem("too_large", f"a request has at most {limits.body_bytes:,} bytes")
