"""The portable form of a log: JSON Lines, readable in any language and self-verifying.

A header, one line per event of all streams in order of commit, and an end line that seals the file:

    {"format":"affray-log","version":1,"branches":[{"name":"main","parent":"","at":0,"digest":"..."}]}
    {"stream":"main","seq":1,"type":"...","version":1,"round":0,"turn":0,"actor":"","cause":1,"digest":"...","data":{...}}
    {"events":1,"sha256":"..."}

Events of a salted log (version 2 of the format) end with a `salt` of 32 hexadecimal digits.
`data` is byte for byte what was stored and hashed; `sha256` covers all lines before the last, line ends
included, so a file cut at the end of a line is detected too. Secrets, requests and checkpoints are not
exported.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, islice, zip_longest
from typing import Annotated, Protocol, TypeAlias

import msgspec
from msgspec import Meta, Raw, Struct

from affray.events.chain import GENESIS, SALT_BYTES, START, verified
from affray.events.codec import check_fact
from affray.events.envelope import Branch, Event, Head
from affray.events.errors import (
    AffrayError,
    BrokenExport,
    BrokenLog,
    InvalidBranch,
    InvalidEntry,
    LogUnavailable,
    NewerLog,
    NotALog,
    counted,
)
from affray.events.facts.base import Count, Name, Words
from affray.events.stores.store import MAIN, MOST_BRANCHES, Store, check_branch_name
from affray.events.validation import Unreadable, invalid_json_message, read_json

FORMAT = "affray-log"
REDACTED = "affray-redacted"
"""The format of `redacted`: checked like a log, but no log."""
VERSION = 2
PLAIN = 1
"""The version for a log without salts, which older releases read too."""
MAX_LINE = 10_000_000
"""The most bytes in one line: a file of another kind cannot fill the memory."""


class _Branch(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    parent: Name
    at: Count
    digest: Name


class _Header(Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    version: int
    branches: Annotated[tuple[_Branch, ...], Meta(max_length=MOST_BRANCHES)]


class _Format(Struct, frozen=True):
    format: str
    version: int


class Line(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event as written to a file; digest and salt in hexadecimal digits."""

    stream: Name
    seq: Count
    type: Words
    version: Count
    round: Count
    turn: Count
    actor: Words
    cause: Count
    digest: Name
    data: Raw
    salt: Name = ""


class _End(Struct, frozen=True, forbid_unknown_fields=True):
    events: int
    sha256: str


class Output(Protocol):
    """Anything that accepts bytes: a binary file, sys.stdout.buffer."""

    def write(self, data: bytes, /) -> object: ...


_OURS = b'{"format":"%b"' % FORMAT.encode()
_encode = msgspec.json.Encoder().encode
decode_line = msgspec.json.Decoder(Line).decode


def line_of(e: Event) -> Line:
    """Return an event as it is written to a file."""
    place = (e.stream, e.seq, e.type, e.version, e.round, e.turn, e.actor, e.cause, e.digest.hex())
    return Line(*place, Raw(e.data), e.salt.hex())


def event_of(line: Line, source: "Source") -> Event:
    """Return the event of a line; not verified. Raises BrokenExport for a digest or salt that is none."""
    place = (line.stream, line.seq, line.type, line.version, line.round, line.turn, line.actor, line.cause)
    return Event(*place, bytes(line.data), source.digest(line.digest), source.salt(line.salt))


def export_jsonl(store: Store, out: Output) -> int:
    """Write the whole log to `out` and return the number of events. Streams: memory stays bounded.

    What is written is the log at one moment, even while others append and fork.
    """
    # Branches first: each left its parent at an event that read_all, called later, does see.
    branches = store.branches()
    known = {branch.name for branch in branches}
    seal, count = sha256(), 0
    salted = any(event.salt for event in store.read(MAIN, upto=1))
    header = _Header(
        FORMAT,
        VERSION if salted else PLAIN,
        tuple(_Branch(b.name, b.parent, b.at, b.digest.hex()) for b in branches),
    )
    line = _encode(header) + b"\n"
    if len(line) > MAX_LINE:
        raise LogUnavailable(f"{len(branches)} branches do not fit into the header of an export")
    seal.update(line)
    out.write(line)
    for e in store.read_all():
        if e.stream not in known:
            continue
        line = _encode(line_of(e)) + b"\n"
        seal.update(line)
        out.write(line)
        count += 1
    out.write(_encode(_End(count, seal.hexdigest())) + b"\n")
    return count


def import_jsonl(lines: Iterable[bytes], store: Store) -> int:
    """Write the exported log into the empty `store`, all or nothing, and return the number of events.

    Every branch's chain is verified while the lines pass, and the seal at the end. `lines` is a binary
    file or any iterable of lines.

    Raises BrokenExport with the line's number, NotALog if the file is of another kind, NewerLog if its
    format is newer than this one, InvalidBranch if `store` is not empty.
    """
    source = Source(lines)
    header = _header(source)
    branches = [Branch(b.name, b.parent, b.at, source.digest(b.digest)) for b in header.branches]
    chains = _Chains(branches, source)
    try:
        return store.restore(branches, chains.events())
    except InvalidEntry as error:
        raise source.broken(str(error)) from error


class Source:
    """The lines one by one, counted, bounded and hashed."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        readline = getattr(lines, "readline", None)
        # A file is asked for a bounded line, or one without line ends would be read whole.
        self._lines = iter(lambda: readline(MAX_LINE + 1), b"") if readline else iter(lines)
        name = getattr(lines, "name", "")
        self.file = name if isinstance(name, str) else ""
        self.number = 0
        self.seal = sha256()

    def next(self) -> bytes:
        """Return the next line. Raises BrokenExport if there is none or if it is too long or cut."""
        self.number += 1
        line = next(self._lines, b"")
        if not line:
            raise self.broken("the file ends here, without its end line")
        if len(line) > MAX_LINE:
            raise self.broken(f"longer than {MAX_LINE} bytes")
        if not line.endswith(b"\n"):
            raise self.broken("the line is cut off")
        return line

    def more(self) -> bool:
        return bool(next(self._lines, b""))

    def broken(self, reason: str, stream: str = "", seq: int = 0) -> BrokenExport:
        return BrokenExport(self.number, reason, stream, seq, self.file)

    def digest(self, text: str) -> bytes:
        """Return the bytes of a digest. Raises BrokenExport."""
        return self._bytes(text, "digest", 32)

    def salt(self, text: str) -> bytes:
        """Return the bytes of a salt, none for none. Raises BrokenExport."""
        return self._bytes(text, "salt", SALT_BYTES) if text else b""

    def _bytes(self, text: str, what: str, size: int) -> bytes:
        try:
            value = bytes.fromhex(text)
        except ValueError:
            value = b""
        if len(value) != size or value.hex() != text:
            raise self.broken(f"a {what} is not {2 * size} lower-case hexadecimal digits")
        return value


def _header(source: Source) -> _Header:
    where, line = f"{source.file}: " if source.file else "", b""
    try:
        line = source.next()
        about: _Format = read_json(line, _Format)
    except (BrokenExport, Unreadable) as error:
        deep = f": {error}" if isinstance(error, Unreadable) and line.startswith(_OURS) else ""
        reason = f"no exported log: line 1 is no header of the format {FORMAT!r}{deep}"
        raise NotALog(f"{where}{reason}") from error
    if about.format == REDACTED:
        raise NotALog(
            f"{where}a redacted export: it can be verified but not imported, for events are left out"
        )
    if about.format != FORMAT:
        raise NotALog(f"{where}no exported log: its format is {about.format[:40]!r}, not {FORMAT!r}")
    if about.version > VERSION:
        raise NewerLog(f"the export has format version {about.version}, this Affray reads up to {VERSION}")
    try:
        header: _Header = read_json(line, _Header)
    except Unreadable as error:
        raise source.broken(str(error)) from error
    source.seal.update(line)
    return header


class _Chains:
    """The chains of all branches, verified side by side while the lines pass."""

    def __init__(self, branches: list[Branch], source: Source) -> None:
        self._source = source
        self._branches: dict[str, Branch] = {}
        self._heads: dict[str, Head] = {}
        self._from: dict[str, str] = {}  # the stream that holds the event where a branch leaves
        self._forks: dict[tuple[str, int], bytes] = {}  # where branches leave, until that event has passed
        for branch in branches:
            self._add(branch)
        if MAIN not in self._branches:
            raise source.broken(f"the branch {MAIN!r} is missing")

    def _add(self, branch: Branch) -> None:
        try:
            check_branch_name(branch.name)
        except InvalidBranch as error:
            raise self._source.broken(str(error)) from error
        root = not self._branches
        wanted = (MAIN, "", 0) if root else (branch.name, branch.parent, max(branch.at, 0))
        if (branch.name, branch.parent, branch.at) != wanted or branch.name in self._branches:
            raise self._source.broken(f"branch {branch.name!r} stands where it cannot")
        if not root and branch.parent not in self._branches:
            raise self._source.broken(f"branch {branch.name!r} comes before its parent {branch.parent!r}")
        if branch.at:
            holder = self._holder(branch.parent, branch.at)
            self._from[branch.name] = holder
            place = holder, branch.at
            expected = self._forks.setdefault(place, branch.digest)
        else:
            expected = GENESIS
        if branch.digest != expected:
            raise self._source.broken(f"branch {branch.name!r} has not the digest of its fork")
        self._branches[branch.name] = branch
        self._heads[branch.name] = Head(branch.at, branch.digest)

    def _holder(self, name: str, seq: int) -> str:
        """Return the stream that holds event `seq` of a line, by the streams that hold where each left."""
        while seq <= self._branches[name].at:
            name = self._from[name]
        return name

    def events(self) -> Iterator[Event]:
        """Yield the events of all lines up to the end line, each verified, and check the seal."""
        source, count = self._source, 0
        while (line := source.next()).startswith(b'{"stream"'):
            event = self._event(line)
            source.seal.update(line)
            count += 1
            yield event
        try:
            end: _End = read_json(line, _End)
        except Unreadable as error:
            raise source.broken("neither an event nor the end of a log") from error
        if (end.events, end.sha256) != (count, source.seal.hexdigest()):
            raise source.broken("the seal does not match the lines before it")
        if self._forks:
            (stream, seq) = next(iter(self._forks))
            raise source.broken(f"a branch leaves {stream}#{seq}, which is not in the file", stream, seq)
        if source.more():
            source.number += 1
            raise source.broken("the log has ended before this line")

    def _event(self, line: bytes) -> Event:
        source = self._source
        try:
            found = decode_line(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise source.broken(invalid_json_message(error, line)) from error
        event = event_of(found, source)
        stream, seq, digest = event.stream, event.seq, event.digest
        if stream not in self._heads:
            raise source.broken(f"no branch is named {stream!r}", stream, seq)
        try:
            next(verified((event,), self._heads[stream]))
            check_fact(event)
        except BrokenLog as error:
            raise source.broken(f"{stream}#{seq}: {error.reason}", stream, seq) from error
        self._heads[stream] = Head(seq, digest)
        if self._forks.pop((stream, seq), digest) != digest:
            raise source.broken(f"{stream}#{seq}: a branch left here from another event", stream, seq)
        return event


# --- A line of play with some events hidden, which still proves itself event by event
#
# A header, one line per event of one line of play, and an end line:
#
#     {"format":"affray-redacted","version":1,"branch":"main","events":3,"seal":"main:3:..."}
#     {"stream":"main","seq":1,"type":"...", ... ,"digest":"...","data":{...}}
#     {"stream":"main","seq":2,"round":1,"turn":1,"digest":"...","hidden":"the reason"}
#     {"events":3,"hidden":1,"sha256":"..."}
#
# A shown event has the form of an export; a hidden one keeps its position and its digest. A digest covers the
# previous one, which is on the line above even if that event is hidden: every shown event can be compared
# with its digest, and all digests with the seal.
#
# For a salted log (version 2 of the format) a hidden event has nothing else, neither type nor round nor
# reason, and its digest confirms no guess, because its salt is not included.
#
#     {"seq":2,"digest":"..."}


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the line of play, its length, and its seal."""

    format: Name
    version: Count
    branch: Name
    events: Count
    seal: Name


class Hidden(Struct, frozen=True, forbid_unknown_fields=True):
    """A hidden event of a log without salts: its position, its digest (hex), and the reason."""

    stream: Name
    seq: Count
    round: Count
    turn: Count
    digest: Name
    hidden: Words


class Withheld(Struct, frozen=True, forbid_unknown_fields=True):
    """A withheld event of a salted log: its position and its digest (hex)."""

    seq: Count
    digest: Name


class _RedactedEnd(Struct, frozen=True, forbid_unknown_fields=True):
    events: int
    hidden: int
    sha256: str


class _RedactedFormat(Struct, frozen=True):
    format: str
    version: int


class DifferentLines(AffrayError):
    """Copies of different lines of play."""


Part: TypeAlias = Event | Hidden | Withheld
"""The content of a line between the header and the end line."""

_redacted_encode = msgspec.json.Encoder().encode
_held_back = msgspec.json.Decoder(Hidden).decode, msgspec.json.Decoder(Withheld).decode
"""The decoders of hidden events in the older and the newer version."""


def write_redacted(
    events: Iterable[Event], out: Output, *, branch: str, count: int, seal: str, why: Callable[[Event], str]
) -> int:
    """Write a line of play and return the number of hidden events, those with a reason from `why`."""
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
    """Write a header and its events, shown and hidden, and return the number of hidden events."""
    hash, hidden, seen = sha256(), 0, 0

    def put(value: Struct) -> None:
        line = _redacted_encode(value) + b"\n"
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
    out.write(_redacted_encode(_RedactedEnd(seen, hidden, hash.hexdigest())) + b"\n")
    return hidden


def is_redacted(first: bytes) -> bool:
    """Return whether a file with this first line is a redacted export."""
    try:
        return bool(read_json(first, _RedactedFormat).format == REDACTED)
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
        if (version := read_json(first, _RedactedFormat).version) > VERSION:
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
        """Yield the events of the file, each shown one compared with its digest and the previous digest.

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
            reason = invalid_json_message(error, line)
            raise source.broken(f"neither a shown nor a hidden event: {reason}") from error

    def _end(self, line: bytes, seq: int) -> None:
        source = self._source
        try:
            end: _RedactedEnd = read_json(line, _RedactedEnd)
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
    """Yield the events of several copies of one line of play, as many as in the longest.

    An event is shown if one of the copies shows it. Raises what `Redacted.events` raises, and OtherLine if
    two digests of one event differ.
    """
    for parts in zip_longest(*(copy.events() for copy in copies)):
        there = [one for one in parts if one is not None]
        if len({digest_of(one) for one in there}) > 1:
            raise DifferentLines(
                f"these are not copies of one line of play: they part at event {there[0].seq}"
            )
        yield next((one for one in there if isinstance(one, Event)), there[0])


def digest_of(part: Part) -> bytes:
    """Return the digest of a shown or hidden event."""
    return part.digest if isinstance(part, Event) else bytes.fromhex(part.digest)
