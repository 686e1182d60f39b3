"""A line of play with some events hidden, which still proves itself event by event.

A header, one line per event of one line of play, and an end line:

    {"format":"affray-redacted","version":1,"branch":"main","events":3,"seal":"main:3:..."}
    {"stream":"main","seq":1,"type":"...", ... ,"digest":"...","data":{...}}
    {"stream":"main","seq":2,"round":1,"turn":1,"digest":"...","hidden":"the reason"}
    {"events":3,"hidden":1,"sha256":"..."}

An event that is shown stands there as in an export, one that is hidden keeps its place and its digest.
A digest covers the one before, which is on the line above whether that event is shown or not: so every
shown event can be compared with its digest, and all digests together with the seal.

Of a salted log nothing else is told of a hidden event (version 2 of the format): neither kind nor round nor
why, and its digest confirms no guess, for its salt stays behind.

    {"seq":2,"digest":"..."}
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, islice, zip_longest
from typing import TypeAlias

import msgspec
from msgspec import Struct

from affray.events.chain import START, verified
from affray.events.codec import check_fact
from affray.events.envelope import Event, Head
from affray.events.errors import AffrayError, BrokenLog, NewerLog, NotALog
from affray.events.facts.base import Count, Name, Words
from affray.events.jsonl import REDACTED, Output, Source, decode_line, event_of, line_of
from affray.events.misfit import Unreadable, misfit_in_json, read_json
from affray.events.wording import counted

VERSION = 2
PLAIN = 1
"""The version for a log without salts."""


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which line of play, how long, and its seal as it is compared."""

    format: Name
    version: Count
    branch: Name
    events: Count
    seal: Name


class Hidden(Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a log without salts that is not shown: its place, its digest (hex), and why."""

    stream: Name
    seq: Count
    round: Count
    turn: Count
    digest: Name
    hidden: Words


class Withheld(Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a salted log that is not shown: where it stands, and its digest (hex)."""

    seq: Count
    digest: Name


class _End(Struct, frozen=True, forbid_unknown_fields=True):
    events: int
    hidden: int
    sha256: str


class _Format(Struct, frozen=True):
    format: str
    version: int


class OtherLine(AffrayError):
    """Copies that are not of one line of play."""


Part: TypeAlias = Event | Hidden | Withheld
"""What stands on a line between the first and the last one."""

_encode = msgspec.json.Encoder().encode
_held_back = msgspec.json.Decoder(Hidden).decode, msgspec.json.Decoder(Withheld).decode
"""How what is not shown is read, in an older and in a newer version."""


def write_redacted(
    events: Iterable[Event], out: Output, *, branch: str, count: int, seal: str, why: Callable[[Event], str]
) -> int:
    """Write a line of play and return how many events are hidden: those for which `why` is a reason."""
    line = iter(events)
    first = tuple(islice(line, 1))
    version = VERSION if any(e.salt for e in first) else PLAIN

    def parts() -> Iterator[Part]:
        for e in chain(first, line):
            reason = why(e)
            if not reason:
                yield e
            elif e.salt:
                yield Withheld(e.seq, e.digest.hex())
            else:
                yield Hidden(e.stream, e.seq, e.round, e.turn, e.digest.hex(), reason)

    return write_parts(Header(REDACTED, version, branch, count, seal), parts(), out)


def write_parts(header: Header, parts: Iterable[Part], out: Output) -> int:
    """Write what a header announces, shown and hidden, and return how many events are hidden."""
    hash, hidden, seen = sha256(), 0, 0

    def put(value: Struct) -> None:
        line = _encode(value) + b"\n"
        hash.update(line)
        out.write(line)

    put(header)
    for part in parts:
        seen += 1
        if isinstance(part, Event):
            put(line_of(part))
        else:
            hidden += 1
            put(part)
    out.write(_encode(_End(seen, hidden, hash.hexdigest())) + b"\n")
    return hidden


def is_redacted(first: bytes) -> bool:
    """Say whether a file with this first line is a redacted export."""
    try:
        return bool(read_json(first, _Format).format == REDACTED)
    except Unreadable:
        return False


class Redacted:
    """A redacted export, read line by line. `header` is known from the start, `hidden` counts up."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        """Read the header. Raises NotALog, NewerLog, BrokenExport."""
        self._source = source = Source(lines)
        first = source.next()
        if not is_redacted(first):
            raise NotALog(f"no redacted export: line 1 is no header of the format {REDACTED!r}")
        if (version := read_json(first, _Format).version) > VERSION:
            raise NewerLog(
                f"the redacted export has format version {version}, this Affray reads up to {VERSION}"
            )
        try:
            self.header: Header = read_json(first, Header)
        except Unreadable as error:
            raise source.broken(str(error)) from error
        self.hidden = 0
        source.seal.update(first)

    def events(self) -> Iterator[Part]:
        """Yield what the file holds, each shown event compared with its digest and the one before.

        Raises BrokenExport, naming line and event, for gaps, wrong digests, and a file that was cut.
        """
        source, head = self._source, START
        while not (line := source.next()).startswith(b'{"events"'):
            source.seal.update(line)
            one = self._event(line)
            if one.seq != head.seq + 1:
                reason = f"event {one.seq} stands where event {head.seq + 1} was expected"
                raise source.broken(reason, getattr(one, "stream", ""), one.seq)
            if not isinstance(one, Event):
                self.hidden += 1
                head = Head(one.seq, source.digest(one.digest))
            else:
                try:
                    next(verified((one,), head))
                    check_fact(one)
                except BrokenLog as error:
                    reason = f"{one.stream}#{one.seq}: {error.reason}"
                    raise source.broken(reason, one.stream, one.seq) from error
                head = Head(one.seq, one.digest)
            yield one
        self._end(line, head.seq)

    def _event(self, line: bytes) -> Part:
        source = self._source
        for held_back in _held_back:
            try:
                return held_back(line)
            except (msgspec.MsgspecError, UnicodeError, RecursionError):
                pass
        try:
            return event_of(decode_line(line), source)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            reason = misfit_in_json(error, line)
            raise source.broken(f"neither a shown nor a hidden event: {reason}") from error

    def _end(self, line: bytes, seq: int) -> None:
        source = self._source
        try:
            end: _End = read_json(line, _End)
        except Unreadable as error:
            raise source.broken("neither an event nor the end of a log") from error
        if end.sha256 != source.seal.hexdigest():
            raise source.broken("the hash does not match the lines before it")
        if (end.events, end.hidden) != (seq, self.hidden) or self.header.events != seq:
            found = f"{counted(seq, 'event')}, {self.hidden} of them hidden"
            raise source.broken(f"{found}, are not what the file says")
        if source.more():
            source.number += 1
            raise source.broken("the log has ended before this line")


def combined(copies: Sequence[Redacted]) -> Iterator[Part]:
    """Yield the events of several copies of one line of play, as many as the longest has.

    Shown is what one of them shows. Raises what `Redacted.events` raises, and OtherLine where two digests of
    one event differ.
    """
    for parts in zip_longest(*(copy.events() for copy in copies)):
        there = [one for one in parts if one is not None]
        if len({digest_of(one) for one in there}) > 1:
            raise OtherLine(f"these are not copies of one line of play: they part at event {there[0].seq}")
        yield next((one for one in there if isinstance(one, Event)), there[0])


def digest_of(part: Part) -> bytes:
    """Return the digest of an event, shown or not."""
    return part.digest if isinstance(part, Event) else bytes.fromhex(part.digest)
