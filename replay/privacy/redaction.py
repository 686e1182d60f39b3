"""What players may see of a log, and the check of what they were given.

Two rules, which may be combined:

- *for a side*: what shows the numbers of a combatant of another side is hidden: its sheet, rolls, checks,
  attacks by and on it, damage, hit points, effects, supplies, plans and readied acts, its questions and
  answers, a tie in the order, the hazards that the game master springs, and whatever else a served table
  does not show to players whole: conditions, reactions and openings of others, why something of theirs was
  refused, changes of rulings. Moves, turns, the order, declarations, actions stay.
- *a hidden combatant*: every event that names it anywhere, by its id or its sheet's name, is hidden: by
  what the fields of the event hold (`events/field_kinds.py`), not by its bytes. Words of people and sentences
  that name it are hidden with the whole event; that words name it in a way that no program knows cannot be
  excluded, so the events with words that are shown are told.

As soon as anything is hidden, so is the closing event with the seed, from which the rolls would follow, and
so are the ends of rounds: the digest of the state there would confirm a guess at what is hidden of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, Final

from msgspec import Struct

from affray.events import merkle
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.exports import DifferentLines, Redacted, combined, digest_of, write_parts, write_redacted
from affray.events.field_kinds import TextKind, texts
from affray.events.stores.store import MAIN, Store
from affray.projections.state import Encounter
from affray.replay.names import People
from affray.replay.privacy.audience import Audience, AudienceFilter
from affray.replay.privacy.visibility import NUMBERS, Sieve, whose
from affray.replay.verification.seals import Seal, Verdict, code, judged, parse_seal, sealed

LEARNED_FROM: Final = frozenset({"declared", "refused", *NUMBERS})
"""Events that say who is who, and what declarations are about."""


class Redaction:
    """Who may not see what along one line of play."""

    def __init__(self, store: Store, branch: str, *, side: str = "", hide: Iterable[str] = ()) -> None:
        """Learn who is on which side. O(events). Raises AffrayError for a side or combatant that
        is not there, and where the name of a branch names what is to be hidden; combatants go by id,
        or by name where only one bears it.
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
                reason = "its name stands in every line of the file, under every digest"
                raise AffrayError(f"the branch {stream!r} names what is to be hidden: {reason}")

    def why(self, event: Event) -> str:
        """Return why an event is hidden; "" for one that is shown. Raises NewerLog, BrokenLog.

        For a side, what a served table holds back in part is hidden whole, so that a copy shows nothing that
        it does not. Whom the dice and answers of nobody concern is known afterwards: the sieve decides.
        """
        why = self._sieve.why(event)
        if why or not self.side:
            return why
        fact = decode(event)
        if event.type in NUMBERS and not any(whose(event, fact)):
            return ""
        return self._eyes.why(event, fact)

    def _of_table(self, store: Store, branch: str) -> AudienceFilter:
        """Return the eyes with which those of the side see a table that is served."""
        called = frozenset((id, self._sieve.called[id]) for id in self.hide)
        sides = frozenset({self.side}) if self.side else None
        eyes = AudienceFilter(Audience(sides, hide=frozenset(self.hide), called=called), Encounter())
        for event in store.read(branch):
            if event.type in LEARNED_FROM:
                eyes.learn(event, decode(event))
        return eyes


def find_events_with_user_words(events: Iterable[Event]) -> list[int]:
    """Return the positions of events that hold what somebody said or wrote. O(events)."""
    return [
        event.seq
        for event in events
        if any(held is TextKind.SAID and text.strip() for held, text in texts(decode(event)))
    ]


class Audit(Struct, frozen=True):
    """What a redacted export shows: how much of it, under which seal, and how that compares."""

    branch: str
    events: int
    hidden: int
    seal: Seal
    verdict: Verdict


def export_redacted(store: Store, branch: str, out: BinaryIO, redaction: Redaction) -> int:
    """Write a line of play with what `redaction` hides left out; return how many events are hidden.

    Raises BrokenLog where the chain breaks, before anything is written.
    """
    seal = sealed(store, branch)
    events = store.read(branch, upto=seal.seq)
    return write_redacted(events, out, branch=branch, count=seal.seq, seal=str(seal), why=redaction.why)


def shown(store: Store, branch: str, why: Callable[[Event], str]) -> Iterator[Event]:
    """Yield the events of a line that a redaction shows."""
    return (event for event in store.read(branch) if not why(event))


def combine(copies: Sequence[Iterable[bytes]], out: BinaryIO) -> tuple[int, int]:
    """Write one copy that shows what one of several copies of a line of play shows; return events and hidden.

    Raises BrokenExport, NotALog, NewerLog, and OtherLine for copies of different lines.
    """
    files = [Redacted(lines) for lines in copies]
    longest = max(files, key=lambda file: file.header.events)
    if any(file.header.branch != longest.header.branch for file in files):
        raise DifferentLines(f"copies of different branches: {_list({file.header.branch for file in files})}")
    return longest.header.events, write_parts(longest.header, combined(files), out)


def audit_redacted(lines: Iterable[bytes], seal: Seal | None = None) -> Audit:
    """Check a redacted export: every shown event against its digest, all digests against the seal.

    Without `seal` the one in the file is taken, which only shows that the file agrees with itself.
    Raises BrokenExport naming line and event, BadSeal, NotALog, NewerLog. O(events).
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
