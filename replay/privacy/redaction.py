"""Redact a log for players, and audit a redacted copy.

Two rules, which may be combined:

- *for a side*: events that show the numbers of a combatant of another side are hidden: its sheet, rolls,
  checks, attacks by and on it, damage, hit points, effects, supplies, plans and readied acts, its questions
  and answers, a tie in the order, the hazards that the game master triggers, and everything else that a
  served table does not show to players whole: conditions, reactions and provoked attacks of others, the
  reason for a refusal of theirs, changes of rulings. Moves, turns, the order, declarations and actions stay.
- *a hidden combatant*: every event that names it anywhere, by its id or its sheet's name, is hidden. The
  fields of the event decide (`events/field_kinds.py`), not its bytes. Words of people and sentences that name
  it are hidden with the whole event. Words may name it in ways that no program recognizes, so the events with
  words that are shown are listed.

If anything is hidden, so is the closing event with the seed, from which the rolls could be computed, and so
are the ends of rounds: the digest of the state could confirm a guess at what is hidden.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, Final

from msgspec import Struct

from affray.engine.language.names import People
from affray.events import merkle
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.exports import DifferentLines, Redacted, combined, digest_of, write_parts, write_redacted
from affray.events.field_kinds import TextKind, texts
from affray.events.stores.store import MAIN, Store
from affray.projections.state import Encounter
from affray.replay.privacy.audience import Audience, AudienceFilter
from affray.replay.privacy.visibility import NUMBERS, Sieve, whose
from affray.replay.verification.seals import Seal, Verdict, code, judged, parse_seal, sealed

LEARNED_FROM: Final = frozenset({"encounter.opened", "declared", "refused", *NUMBERS})
"""Events that define who is who, what declarations are about, and the words of the dialect."""


class Redaction:
    """What is hidden along one line of play."""

    def __init__(self, store: Store, branch: str, *, side: str = "", hide: Iterable[str] = ()) -> None:
        """Learn the side of each combatant. O(events). Raises AffrayError for a side or combatant that does
        not exist, and for a branch whose name contains what is to be hidden. Combatants are given by id, or
        by a name that is unique.
        """
        self._sieve = Sieve(sides=(side,) if side else None)
        streams: dict[str, None] = {branch: None}
        for event in store.read(branch):
            streams[event.stream] = None
            self._sieve.learn(event)
        people = People(self._sieve.called)
        self.side, self.hide = side, tuple(people.find_id_of_combatant(word) for word in hide)
        self._sieve.hide = self.hide
        self._eyes = self._of_table(store, branch)
        if side and side not in self._sieve.sides.values():
            raise AffrayError(f"no side {side!r}: there are {_list(set(self._sieve.sides.values()))}")
        for stream in streams:
            if stream != MAIN and self._sieve.names_hidden(stream):
                reason = "its name is in every line of the file, under every digest"
                raise AffrayError(f"the branch {stream!r} names a hidden combatant: {reason}")

    def why(self, event: Event) -> str:
        """Return why an event is hidden; "" for one that is shown. Raises NewerLog, BrokenLog.

        For a side, an event that a served table shows in part is hidden whole, which keeps a copy from
        showing more than the table. Which side dice and answers without a combatant belong to is known
        afterwards: the sieve decides.
        """
        why = self._sieve.why(event)
        if why or not self.side:
            return why
        fact = decode(event)
        if event.type in NUMBERS and not any(whose(event, fact)):
            return ""
        return self._eyes.why(event, fact)

    def _of_table(self, store: Store, branch: str) -> AudienceFilter:
        """Return the eyes with which the side sees a served table."""
        called = frozenset((id, self._sieve.called[id]) for id in self.hide)
        sides = frozenset({self.side}) if self.side else None
        eyes = AudienceFilter(Audience(sides, hide=frozenset(self.hide), called=called), Encounter())
        for event in store.read(branch):
            if event.type in LEARNED_FROM:
                eyes.learn(event, decode(event))
        return eyes


def find_events_with_user_words(events: Iterable[Event]) -> list[int]:
    """Return the numbers of events that hold words of people. O(events)."""
    return [
        event.seq
        for event in events
        if any(held is TextKind.SAID and text.strip() for held, text in texts(decode(event)))
    ]


class Audit(Struct, frozen=True):
    """The result of auditing a redacted export: shown and hidden events, seal and comparison."""

    branch: str
    events: int
    hidden: int
    seal: Seal
    verdict: Verdict


def export_redacted(store: Store, branch: str, out: BinaryIO, redaction: Redaction) -> int:
    """Write a line of play without what `redaction` hides; return how many events are hidden.

    Raises BrokenLog if the chain breaks, before anything is written.
    """
    seal = sealed(store, branch)
    events = store.read(branch, upto=seal.seq)
    return write_redacted(events, out, branch=branch, count=seal.seq, seal=str(seal), why=redaction.why)


def shown(store: Store, branch: str, why: Callable[[Event], str]) -> Iterator[Event]:
    """Yield the events of a line that a redaction shows."""
    return (event for event in store.read(branch) if not why(event))


def combine(copies: Sequence[Iterable[bytes]], out: BinaryIO) -> tuple[int, int]:
    """Combine copies of a line of play: show every event that any of them shows. Return events and hidden
    ones.

    Raises BrokenExport, NotALog, NewerLog, and OtherLine for copies of different lines.
    """
    files = [Redacted(lines) for lines in copies]
    longest = max(files, key=lambda file: file.header.events)
    if any(file.header.branch != longest.header.branch for file in files):
        raise DifferentLines(f"copies of different branches: {_list({file.header.branch for file in files})}")
    return longest.header.events, write_parts(longest.header, combined(files), out)


def audit_redacted(lines: Iterable[bytes], seal: Seal | None = None) -> Audit:
    """Check a redacted export: every shown event against its digest, all digests against the seal.

    Without `seal` the file's own seal is used, which only proves that the file agrees with itself. Raises
    BrokenExport naming line and event, BadSeal, NotALog, NewerLog. O(events).
    """
    file = Redacted(lines)
    tree, hit = merkle.Tree(), -1
    branch = file.header.branch
    wanted = seal or parse_seal(file.header.seal)
    for one in file.events():
        tree.add(digest_of(one))
        if wanted.seq in (-1, tree.size) and code(branch, tree.size, tree.root()) == wanted.code:
            hit = tree.size
    found = Seal(branch, tree.size, code(branch, tree.size, tree.root()))
    return Audit(branch, tree.size, file.hidden, found, judged(wanted, found, hit))


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
