"""What players may see of a log, and the check of what they were given.

Two rules, which may be combined:

- *for a side*: what shows the numbers of a combatant of another side is hidden: its sheet, rolls, checks,
  attacks by and on it, damage, hit points, effects, supplies, plans and readied acts, its questions and
  answers, a tie in the order, and the hazards that the game master springs. Moves, turns, conditions, the
  order, declarations and rulings stay.
- *a hidden combatant*: every event that names it anywhere, by its id or its sheet's name, is hidden: by
  what the fields of the event hold (`events/meaning.py`), not by its bytes. Words of people and sentences
  that name it are hidden with the whole event; that words name it in a way that no program knows cannot be
  excluded, so the events with words that are shown are told.

As soon as anything is hidden, so is the closing event with the seed, from which the rolls would follow, and
so are the ends of rounds: the digest of the state there would confirm a guess at what is hidden of it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from affray.engine.dice import MASTER
from affray.events import merkle
from affray.events.codec import decode, encode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.chains import LinkGiven
from affray.events.facts.declared import Declared
from affray.events.meaning import Holds, texts
from affray.events.redacted import (
    OtherLine,
    Redacted,
    combined,
    digest_of,
    write_parts,
    write_redacted,
)
from affray.events.store import MAIN, Store
from affray.replay.mentions import Mentions
from affray.replay.people import People
from affray.replay.sealing import Seal, Verdict, code, judged, parse_seal, sealed

NUMBERS: dict[str, tuple[str, ...]] = {
    "asked": ("who",),
    "chosen": ("who",),
    "rolled": ("who",),
    "combatant.entered": ("id",),
    "initiative.rolled": ("who",),
    "initiative.changed": ("who",),
    "plan.made": ("who",),
    "act.readied": ("who",),
    "attack.resolved": ("attacker", "target"),
    "confirmation.resolved": ("attacker", "target"),
    "miss-chance.resolved": ("attacker",),
    "damage.resolved": ("attacker", "target"),
    "hit-points.changed": ("who",),
    "effect.gained": ("who",),
    "effect.ended": ("who",),
    "check.resolved": ("who",),
    "contest.resolved": ("who", "against"),
    "turning.resolved": ("who",),
    "resource.spent": ("who",),
    "item.struck": ("attacker", "bearer"),
    "injury.suffered": ("who",),
    "rule.applied": ("who",),
    "ability.changed": ("who",),
    "maximum.changed": ("who",),
    "affliction.held": ("who",),
    "affliction.ended": ("who",),
}
"""Events that show somebody's numbers, and the fields that say whose."""

OPEN = frozenset(
    {
        "declared",
        "refused",
        "invalidated",
        "ruled",
        "disputed",
        "branch.promoted",
        "encounter.opened",
        "seed.contributed",
        "chain.begun",
        "link.given",
        "chain.left",
        "encounter.decided",
        "encounter.closed",
        "options.changed",
        "awareness.settled",
        "order.set",
        "round.began",
        "phase.changed",
        "round.ended",
        "turn.began",
        "turn.ended",
        "budget.renewed",
        "action.spent",
        "reaction.spent",
        "turn.delayed",
        "ready.ended",
        "casting.began",
        "casting.ended",
        "moved",
        "mounted",
        "dismounted",
        "mount.directed",
        "opportunity.provoked",
        "condition.gained",
        "condition.lost",
        "side.changed",
        "item.changed",
        "grip.changed",
        "time.passed",
    }
)
"""Events that everybody at the table sees happen; of `declared` all but sheets, plans and hazards."""

CONFIRMING = {"encounter.closed": "the seed", "round.ended": "a digest of what is hidden"}
"""Events that give away, or confirm a guess at, what others hold back; and why they are hidden."""

_SECRET_ACTS = (acts.Enter, acts.Plan, acts.Ready, acts.Hazard, acts.Fall, acts.Expose)


class Redaction:
    """Who may not see what along one line of play."""

    def __init__(self, store: Store, branch: str, *, side: str = "", hide: Iterable[str] = ()) -> None:
        """Learn who is on which side. O(events). Raises AffrayError for a side or combatant that
        is not there, and where the name of a branch names what is to be hidden; combatants go by id,
        or by name where only one bears it.
        """
        self.sides: dict[str, str] = {}
        called: dict[str, str] = {}
        streams: dict[str, None] = {branch: None}
        self._refused: set[str] = set()
        declared: dict[int, tuple[Declared, list[str]]] = {}
        for event in store.read(branch):
            streams[event.stream] = None
            if event.type == "declared":
                declared[event.seq] = decode(event), []
            elif event.type in NUMBERS:
                fact = decode(event)
                if event.type == "combatant.entered":
                    self.sides[fact.id], called[fact.id] = fact.side, fact.sheet.name
                elif event.cause in declared:
                    declared[event.cause][1].extend(whose(event, fact))
            elif event.type == "refused":
                self._refused.add(decode(event).id)
        people = People(called)
        self.side, self.hide = side, tuple(people.id_of(word) for word in hide)
        if side and side not in self.sides.values():
            raise AffrayError(f"no side {side!r}: there are {_list(set(self.sides.values()))}")
        self._hidden = Mentions(called, self.hide)
        self._others = Mentions(called, [id for id in called if side and self._other(id)])
        self._against = {seq for seq, (fact, met) in declared.items() if self._concerns_others(fact, met)}
        for stream in streams:
            if stream != MAIN and self._hidden.within(stream):
                reason = "its name stands in every line of the file, under every digest"
                raise AffrayError(f"the branch {stream!r} names what is to be hidden: {reason}")

    def why(self, event: Event) -> str:
        """Return why an event is hidden; "" for one that is shown. Raises NewerLog, BrokenLog."""
        if event.type in CONFIRMING:
            return CONFIRMING[event.type] if self.side or self.hide else ""
        fact = decode(event)
        if isinstance(fact, LinkGiven) and fact.by == MASTER:
            return "rolls follow from it" if self.side or self.hide else ""
        if self.hide and self._names(event, fact):
            return "names what is hidden"
        return self._numbers(event, fact) if self.side else ""

    def _names(self, event: Event, fact: Any) -> bool:
        """Say whether an event names a hidden combatant, field by field."""
        if event.actor and self._hidden.is_one(event.actor):
            return True
        # A word that the rules refused may be anything.
        anything = isinstance(fact, Declared) and fact.id in self._refused
        if any(self._named(held, text, anything) for held, text in texts(fact)):
            return True
        # What another release wrote, or another hand, may hold more than is read here.
        return encode(fact) != event.data and any(map(self._hidden.within, _unread(event, fact)))

    def _named(self, held: Holds, text: str, anything: bool) -> bool:
        if held is Holds.COMBATANT:
            return self._hidden.is_one(text)
        if held is Holds.KEY:
            # Neither the declaration's id nor the number at the end names anybody.
            return self._hidden.within("/".join(text.split("/")[1:-1]))
        return (held is not Holds.WORD or anything) and self._hidden.within(text)

    def _numbers(self, event: Event, fact: Any) -> str:
        if event.type in NUMBERS:
            those = whose(event, fact)
            # Dice and answers of nobody are about whoever the declaration is about.
            against = event.cause in self._against and not any(those)
            return "shows another side's numbers" if against or any(map(self._other, those)) else ""
        if event.type == "order.set":
            # Ties are told with their results, and the order itself shows in the turns.
            return "shows another side's numbers" if self._others.within(fact.why) else ""
        if event.type == "declared":
            return "known to the game master only" if self._is_secret(fact.act) else ""
        return "" if event.type in OPEN else "of a type that no rule opens"

    def _is_secret(self, act: Any) -> bool:
        if isinstance(act, acts.Enter):
            return act.side != self.side  # by its own word: one that was refused is on no side
        return isinstance(act, _SECRET_ACTS) and (not act.actor or self._other(act.actor))

    def _concerns_others(self, fact: Declared, met: Iterable[str]) -> bool:
        """Say whether a declaration is another side's, or the game master's about somebody of another side.

        `met` are those whose numbers came of it.
        """
        if fact.act.actor:
            return self._other(fact.act.actor)
        named = (text for held, text in texts(fact) if held is Holds.COMBATANT)
        return any(map(self._other, (*named, *met)))

    def _other(self, who: str) -> bool:
        return self.sides.get(who, self.side) != self.side


def whose(event: Event, fact: Any) -> list[str]:
    """Return whose numbers an event shows, "" for nobody's."""
    return [getattr(fact, field) for field in NUMBERS[event.type]]


def _unread(event: Event, fact: Any) -> Iterator[str]:
    """Yield the texts of an event's data that its fact does not hold: of fields that are not known here, or
    that stand there twice, of which only one is read.
    """
    known = set(_strings(msgspec.to_builtins(fact)))
    raw = json.loads(event.data, object_pairs_hook=lambda pairs: [one for pair in pairs for one in pair])
    return (text for text in _strings(raw) if text not in known)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)


def words_of_people(events: Iterable[Event]) -> list[int]:
    """Return the positions of events that hold what somebody said or wrote. O(events)."""
    return [
        event.seq
        for event in events
        if any(held is Holds.SAID and text.strip() for held, text in texts(decode(event)))
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
        raise OtherLine(f"copies of different branches: {_list({file.header.branch for file in files})}")
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
