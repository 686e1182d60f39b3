"""A line of play with some events hidden, which still proves itself event by event.

A header, one line per event of one line of play, and an end line:

    {"format":"affray-redacted","version":1,"branch":"main","events":3,"seal":"main:3:..."}
    {"stream":"main","seq":1,"type":"...", ... ,"digest":"...","data":{...}}
    {"stream":"main","seq":2,"round":1,"turn":1,"digest":"...","hidden":"the reason"}
    {"events":3,"hidden":1,"sha256":"..."}

An event that is shown stands there as in an export, one that is hidden keeps its place and its digest.
A digest covers the one before, which is on the line above whether that event is shown or not: so every
shown event can be compared with its digest, and all digests together with the seal.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

import msgspec
from msgspec import Raw, Struct

from affray.events.chain import START, verified
from affray.events.codec import check_fact
from affray.events.envelope import Event, Head
from affray.events.errors import BrokenLog, NewerLog, NotALog
from affray.events.facts.base import Count, Name, Words
from affray.events.jsonl import REDACTED, Line, Output, Source, decode_line
from affray.events.misfit import Unreadable, misfit_in_json, read_json
from affray.events.wording import counted

VERSION = 1


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which line of play, how long, and its seal as it is compared."""

    format: Name
    version: Count
    branch: Name
    events: Count
    seal: Name


class Hidden(Struct, frozen=True, forbid_unknown_fields=True):
    """An event that is not shown: its place, its digest (hex), and why."""

    stream: Name
    seq: Count
    round: Count
    turn: Count
    digest: Name
    hidden: Words


class _End(Struct, frozen=True, forbid_unknown_fields=True):
    events: int
    hidden: int
    sha256: str


class _Format(Struct, frozen=True):
    format: str
    version: int


_encode = msgspec.json.Encoder().encode
_hidden = msgspec.json.Decoder(Hidden).decode


def write_redacted(
    events: Iterable[Event], out: Output, *, branch: str, count: int, seal: str, why: Callable[[Event], str]
) -> int:
    """Write a line of play and return how many events are hidden: those for which `why` is a reason."""
    hash, hidden, seen = sha256(), 0, 0

    def put(value: Struct) -> None:
        line = _encode(value) + b"\n"
        hash.update(line)
        out.write(line)

    put(Header(REDACTED, VERSION, branch, count, seal))
    for e in events:
        seen += 1
        if reason := why(e):
            hidden += 1
            put(Hidden(e.stream, e.seq, e.round, e.turn, e.digest.hex(), reason))
        else:
            place = (e.stream, e.seq, e.type, e.version, e.round, e.turn, e.actor, e.cause, e.digest.hex())
            put(Line(*place, Raw(e.data)))
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

    def events(self) -> Iterator[Event | Hidden]:
        """Yield what the file holds, each shown event compared with its digest and the one before.

        Raises BrokenExport, naming line and event, for gaps, wrong digests, and a file that was cut.
        """
        source, head = self._source, START
        while (line := source.next()).startswith(b'{"stream"'):
            source.seal.update(line)
            one = self._event(line)
            if one.seq != head.seq + 1:
                reason = f"{one.stream}#{one.seq}: stands where event {head.seq + 1} was expected"
                raise source.broken(reason, one.stream, one.seq)
            if isinstance(one, Hidden):
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

    def _event(self, line: bytes) -> Event | Hidden:
        source = self._source
        try:
            return _hidden(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            pass
        try:
            e = decode_line(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            reason = misfit_in_json(error, line)
            raise source.broken(f"neither a shown nor a hidden event: {reason}") from error
        place = (e.stream, e.seq, e.type, e.version, e.round, e.turn, e.actor, e.cause)
        return Event(*place, bytes(e.data), source.digest(e.digest))

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
