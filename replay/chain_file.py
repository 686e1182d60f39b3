"""A player's own chain: a file with its secret, and with what every link was given for.

The file is one object of JSON that its owner alone may read:

    {"format":"affray-chain","version":1,"secret":"9b1d...","length":4096,"given":[["main#11:0f3c...",1]]}

A link is given for a place, which is the event by which the fight waits for it: branch, position and digest.
That covers all that stands before, the declaration included. Given twice for one place it is the same link.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from re import compile
from secrets import token_bytes
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from affray.engine.dice import LONGEST, ChainUsedUp, LinkChain
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError, NewerLog, counted, shell_command
from affray.events.exports import Redacted, digest_of
from affray.events.facts.flow import ChainBegun, ChainLeft, Length
from affray.events.secrets import write_private
from affray.events.stores.store import Store

FORMAT = "affray-chain"
VERSION = 1
MAX_BYTES = 16_000_000
TOLD = frozenset({"chain.begun", "chain.left", "link.given"})
"""The types of events that tell of chains."""

_PLACE = compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}#[0-9]{1,15}:[0-9a-f]{64}")

Number = Annotated[int, Meta(ge=1, le=65_536)]


class BadChain(AffrayError):
    """A file that is no chain, or a place for which no link can be given."""


class ChainFile(Struct, frozen=True):
    """What the file holds: the secret in hexadecimal digits, and each place with the number of its link."""

    format: str
    version: int
    secret: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    length: Length
    given: Annotated[tuple[tuple[str, Number], ...], Meta(max_length=LONGEST)] = ()

    @property
    def chain(self) -> LinkChain:
        """The chain itself. O(length)."""
        return LinkChain(bytes.fromhex(self.secret), self.length)


def made(path: Path, length: int) -> ChainFile:
    """Make a chain in a new file. Raises AffrayError for a length that none has, LogUnavailable."""
    LinkChain(bytes(32), length)
    file = ChainFile(FORMAT, VERSION, token_bytes(32).hex(), length)
    write_private(path, msgspec.json.encode(file) + b"\n", new=True)
    return file


def read(path: Path) -> ChainFile:
    """Return what a file holds. Raises BadChain, NewerLog, OSError."""
    with path.open("rb") as opened:
        data = opened.read(MAX_BYTES + 1)
    try:
        found = msgspec.json.decode(data, type=ChainFile)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadChain(f"{path}: it is damaged, or no chain ({error})") from None
    if found.format != FORMAT or len(data) > MAX_BYTES:
        raise BadChain(f"{path}: no chain; make one with: {shell_command('link', path, '--new')}")
    if found.version > VERSION:
        raise NewerLog(f"{path}: a chain of version {found.version}, this Affray reads up to {VERSION}")
    return found


def give(path: Path, place: str) -> tuple[int, str]:
    """Give the next link for a place, note it in the file, and return its number and hexadecimal digits.

    Raises BadChain for what is no place, ChainUsedUp, LogUnavailable.
    """
    if not _PLACE.fullmatch(place):
        raise BadChain(f"{place[:80]!r} is no place; one looks like main#11:0f3c..., as the fight says it")
    file = read(path)
    number = dict(file.given).get(place)
    if number is None:
        number = len(file.given) + 1
        if number > file.length:
            raise ChainUsedUp(
                f"{path}: the last of {counted(file.length, 'link')} was given; make another chain"
            )
        given = (*file.given, (place, number))
        kept = msgspec.structs.replace(file, given=given)
        write_private(path, msgspec.json.encode(kept) + b"\n", new=False)
    return number, file.chain.link(number).hex()


def get_place_of_asked_link(event: Event) -> str:
    """Return the place of an event by which the fight waits for a link."""
    return f"{event.stream}#{event.seq}:{event.digest.hex()}"


def compared(file: ChainFile, events: Iterable[tuple[str, object]]) -> Iterator[str]:
    """Yield what is not as it was when the links were given: places that are gone, links that do not follow.

    And whether the dice follow from this chain at all: that it never began, or from where on they do not.
    `events` are all that the log holds, in order: the digest in hexadecimal digits, and the facts of chains.
    """
    chain = file.chain
    anchor, owner, ended = chain.anchor.hex(), "", ""
    links = {place.partition(":")[2]: chain.link(number).hex() for place, number in file.given}
    found: dict[str, bool] = {}
    last = ""
    for digest, fact in events:
        if isinstance(fact, ChainBegun) and fact.anchor == anchor:
            owner, ended = fact.by, ""
        elif isinstance(fact, ChainBegun) and owner and fact.by == owner:
            ended = f"another chain of {owner} has begun since: {fact.anchor}"
        elif isinstance(fact, ChainLeft) and owner and fact.by == owner:
            ended = f"{owner} has left this chain"
        if digest in links:
            found[digest] = False
        if last in links and getattr(fact, "link", "") == links[last]:
            found[last] = True
        last = digest
    if not owner:
        yield f"no chain with the anchor {anchor} has begun in this log"
    elif ended:
        yield f"{ended}: if it was not you, the dice since then are no dice of yours"
    for place, number in file.given:
        digest = place.partition(":")[2]
        if digest not in found:
            yield f"link {number} was given for {place}, which is not in this log"
        elif not found[digest] and digest != last:
            yield f"link {number} was given for {place}, but does not follow there"


def events_of(store: Store) -> Iterator[tuple[str, object]]:
    """Yield the digests of all lines of a log, each event once, and the facts of chains."""
    for branch in store.branches():
        for event in store.read(branch.name, after=branch.at):
            yield event.digest.hex(), decode(event) if event.type in TOLD else None


def read_shown_digests(copy: Redacted) -> Iterator[tuple[str, object]]:
    """Yield the digests of a redacted copy, and the facts of chains. Raises BrokenExport."""
    for part in copy.events():
        told = isinstance(part, Event) and part.type in TOLD
        yield digest_of(part).hex(), decode(part) if isinstance(part, Event) and told else None
