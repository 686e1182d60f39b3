"""Draws a log with its chain, its tree and its seal, and beside it the same fight with another word."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from affray.engine import parse_scenario, play
from affray.events import MemoryStore
from affray.events.envelope import Event
from affray.events.merkle import leaf, node
from affray.replay.verification.seals import prove, sealed
from making.explained.svg import AMBER, BLUE, EDGE, FAINT, GREEN, GREY, INK, RED, WIDE, Drawing, Tint

PAGE = Path(__file__).parents[2] / "explanations" / "what-a-seal-proves.md"
TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""The fight stands on the page, so that whoever plays it there gets the log that is drawn."""

SAID, FORGED = "I do not shoot", "I do now shoot"
EDGES, LEFT, LEVEL, HIGH, BOX = 14, 82, 36, 20, 34
"""Pixels: beside the drawing, left of the tree, from one of its levels to the next, of a box."""


class Knot(NamedTuple):
    """A knot of the tree: its hash, its height, the events below it as a range, and what it is made of."""

    hash: bytes
    high: int
    first: int
    last: int
    below: tuple["Knot", ...]


class Log(NamedTuple):
    """A log as it is drawn: its events, its tree, its seal, and what proves the event that was changed."""

    events: tuple[Event, ...]
    top: Knot
    seal: str
    said: str
    changed: int
    path: frozenset[bytes]


def grown(digests: Sequence[bytes], first: int = 0) -> Knot:
    """Return the tree over digests, as RFC 6962 has it."""
    if len(digests) == 1:
        return Knot(leaf(digests[0]), 0, first, first, ())
    middle = 1 << (len(digests) - 1).bit_length() - 1
    left, right = grown(digests[:middle], first), grown(digests[middle:], first + middle)
    return Knot(
        node(left.hash, right.hash), max(left.high, right.high) + 1, left.first, right.last, (left, right)
    )


def logged(text: str, said: str) -> Log:
    """Play a fight in which somebody says this, and return its log."""
    store = MemoryStore()
    play(parse_scenario(text.replace(SAID, said)), store)
    events = tuple(store.read("main"))
    changed = next(one.seq for one in events if one.type == "declared" and said.encode() in one.data)
    proof = prove(store, changed)
    top = grown([one.digest for one in events])
    assert top.hash.hex() == proof.root
    return Log(events, top, str(sealed(store)), said, changed, frozenset(map(bytes.fromhex, proof.path)))


def logs() -> tuple[Log, Log]:
    """Return the log of the page's fight, and of the one with another word in it."""
    found = TOML.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return logged(found[1], SAID), logged(found[1], FORGED)


def picture() -> str:
    """Return the drawing."""
    ours, other = logs()
    known = frozenset(knot.hash for knot in knots(ours.top)) | {one.digest for one in ours.events}
    changed = [one for one in other.events if one.digest not in known]
    broken = [knot for knot in knots(other.top) if knot.below and knot.hash not in known]
    drawing = Drawing(
        f"Two logs of {len(ours.events)} events, each a chain of digests, above it a tree of hashes, at its "
        f"top a seal. In the second one, event {ours.changed} says another word: {len(changed)} digests, "
        f"{len(broken)} hashes of the tree up to the root, and the seal are others. In the first one "
        f"{len(ours.path)} hashes are marked: they prove event {ours.changed} to whoever has the seal"
    )
    middle = Panel(drawing, 0, ours, frozenset()).foot + 70
    drawing.line(((EDGES, middle), (WIDE - EDGES, middle)))
    below = Panel(drawing, middle, other, known).foot + 60
    left = float(EDGES)
    for tint, text, step in (
        (BLUE, f"what proves event {ours.changed}", 210),
        (AMBER, "the event with the other word", 240),
        (RED, "what becomes another by it", 0),
    ):
        drawing.box((left, below + 16), (18, 16), tint)
        drawing.words((left + 26, below + 28), text)
        left += step
    return drawing.svg(below + 46)


def knots(top: Knot) -> list[Knot]:
    """Return all knots of a tree, the highest first."""
    return [top, *(one for part in top.below for one in knots(part))]


class Panel:
    """One of the logs as it is drawn; what is not `known` from the other one is marked."""

    def __init__(self, drawing: Drawing, top: float, log: Log, known: frozenset[bytes]) -> None:
        self.drawing, self.log, self.known, self.top = drawing, log, known, top
        self.step = (WIDE - LEFT - EDGES) / len(log.events)
        self.foot = top + 58 + LEVEL * (log.top.high + 1)
        self.seal()
        self.tree()
        for event in log.events:
            self.entry(event)

    def at(self, first: float, last: float) -> float:
        """Return where the middle of a range of events is, the first one being 0."""
        return round(LEFT + self.step * (first + last + 1) / 2, 1)

    def middle(self, knot: Knot) -> tuple[float, float]:
        """Return the middle of the upper edge of a knot."""
        return self.at(knot.first, knot.last), self.top + 58 + LEVEL * (self.log.top.high - knot.high)

    def tint(self, hash: bytes) -> Tint:
        """Return the colour of a hash."""
        if self.known:
            return GREY if hash in self.known else RED
        return BLUE if hash in self.log.path else GREY

    def line_of(self, hash: bytes) -> str:
        """Return the colour of the line that leads up from a hash."""
        return RED.deep if self.tint(hash) is RED else EDGE

    def name(self, text: str, level: float) -> None:
        """Say beside the drawing what stands on a level of it."""
        self.drawing.words((EDGES, level), text, size=11, colour=FAINT)

    def seal(self) -> None:
        """Draw the seal, and the arrow that leads there from the root."""
        tint, (middle, level) = RED if self.known else GREEN, self.middle(self.log.top)
        self.name("seal", self.top + 28)
        self.drawing.box((LEFT + 90, self.top + 12), (WIDE - LEFT - EDGES - 180, 24), tint)
        self.drawing.words((middle, self.top + 28), self.log.seal, size=11.5, mono=True, anchor="middle")
        self.drawing.line(((middle, level), (middle, self.top + 36)), tint.deep, arrow=True)

    def tree(self) -> None:
        """Draw the tree: first its lines, then its knots, which lie over them."""
        _, level = self.middle(self.log.top)
        self.name("root", level + 14)
        self.name("tree", level + LEVEL * 2 + 14)
        for knot in knots(self.log.top):
            there, above = self.middle(knot)
            turn = above + (HIGH + LEVEL) / 2
            for part in knot.below:
                here, below = self.middle(part)
                points = ((here, below), (here, turn), (there, turn), (there, above + HIGH))
                self.drawing.line(points, self.line_of(part.hash))
        for knot in knots(self.log.top):
            tint, (middle, level) = self.tint(knot.hash), self.middle(knot)
            self.drawing.box((middle - BOX / 2, level), (BOX, HIGH), tint)
            self.begin_of(knot.hash, (middle, level + 14), tint.deep)

    def begin_of(self, hash: bytes, at: tuple[float, float], colour: str = INK) -> None:
        """Write the first two bytes of a hash."""
        self.drawing.words(at, hash.hex()[:4], size=10.5, mono=True, anchor="middle", colour=colour)

    def entry(self, event: Event) -> None:
        """Draw an event of the chain, and what is said in it if that is what differs."""
        middle, foot, changed = (
            self.at(event.seq - 1, event.seq - 1),
            self.foot,
            event.seq == self.log.changed,
        )
        self.drawing.line(((middle, foot), (middle, foot - LEVEL + HIGH)), self.line_of(event.digest))
        if event.seq > 1:
            ends = ((middle - self.step + BOX / 2, foot + 18), (middle - BOX / 2, foot + 18))
            self.drawing.line(ends, FAINT, arrow=True)
        else:
            self.name("the log's", foot + 14)
            self.name("digests", foot + 28)
        tint = AMBER if changed else self.tint(event.digest)
        self.drawing.box((middle - BOX / 2, foot), (BOX, 36), tint)
        seq = str(event.seq)
        self.drawing.words((middle, foot + 14), seq, size=11, bold=True, anchor="middle", colour=tint.deep)
        self.begin_of(event.digest, (middle, foot + 29))
        if changed:
            said = f'"{self.log.said}"'
            self.drawing.words((middle, foot + 51), said, size=11.5, bold=True, anchor="middle")
