"""Verify: is this log what was recorded, did the dice fall so, and would the rules decide it so again?

The log is read once. A state folded from the recorded events is carried along, and beside it a second
one which the rules make anew from the declarations, the recorded dice and the recorded answers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from affray.engine.dice import Recorded
from affray.engine.fight.fight import Fight
from affray.engine.table.policies import Recorded as RecordedAnswers
from affray.engine.table.policies import ask
from affray.engine.table.runner import RulesChanged, refusal_of, resolve
from affray.events.chain import GENESIS
from affray.events.chain import digest as link_digest
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import BrokenLog, NewerLog
from affray.events.facts.declared import Asked, Chosen, Declared, Disputed, Invalidated, Refused, Ruled
from affray.events.facts.flow import EncounterClosed, EncounterOpened, OptionsChanged, RoundEnded
from affray.events.facts.rolled import Rolled
from affray.events.store import Store
from affray.projections.fold import apply
from affray.projections.state import Encounter, digest, duplicate
from affray.replay.dice_audit import DiceAudit
from affray.replay.groups import STARTS, Recording, fight_over, groups, known_seed, why_no_seed
from affray.replay.report import Check, Problem, Report

__all__ = ["Check", "Problem", "Report", "verify"]


class _Unreadable(Exception):
    """What follows cannot be judged."""


def verify(
    store: Store,
    branch: str = "",
    *,
    changes: Mapping[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Check a branch from its first event to its last and report; the main line by default.

    The checks: `chain` (digests), `structure` (causes, ids, keys, places), `state` (digests recorded at
    round ends), `dice` (commitment, totals, and seeded faces against the seed as soon as it is known)
    and `outcomes` (every declaration decided again). `changes` alters figures of the rule catalogue;
    `progress` is told the number of events every thousand. One pass, O(events); memory does not grow
    with the log but for the ids of its declarations. Raises NewerLog, UnknownStream, UnknownDialect
    and LogUnavailable: then nothing can be said.
    """
    branch = branch or store.main_line()
    return _Auditor(store, branch, changes, progress).report()


class _Auditor:
    def __init__(
        self,
        store: Store,
        branch: str,
        changes: Mapping[str, Any] | None,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.store, self.branch, self.progress = store, branch, progress
        self.changes = dict(changes) if changes else None
        self.chain = Check("chain", "every digest covers its event and the one before")
        self.structure = Check("structure", "every event stands where it can, behind what caused it")
        self.state = Check("state", "the state has the digest recorded at each round's end")
        self.dice = DiceAudit(None)
        self.outcomes = Check("outcomes", "the rules decide every declaration so again")
        self.folded = Encounter()
        self.fight: Fight | None = None
        self.seed: bytes | None = None
        self.ids: set[str] = set()
        self.voided: set[str] = set()
        self.count = 0
        self.refusals: dict[str, dict[str, tuple[bytes, str, str]]] = {}
        self.cuts = {one.at for one in _lineage(store, branch)}

    def report(self) -> Report:
        """Go through the whole line."""
        end = self.store.head(self.branch)
        last: Event | None = None
        try:
            self.seed = known_seed(self.store, self.branch)
            self.dice = DiceAudit(self.seed, why_no_seed(self.store))
            for group in groups(self._chained(self.store.read(self.branch, upto=end.seq))):
                last = group[-1]
                self._group(group)
        except BrokenLog as error:
            (self.structure if self.chain.problems else self.chain).bad(_place(error), error.reason)
        except _Unreadable:
            pass
        except NewerLog:
            # An edited type or version looks like one of a newer release: the chain tells them apart.
            if self.chain.ok:
                self._chain_alone()
            if self.chain.ok:
                raise
        else:
            if last is not None and (last.seq, last.digest) != (end.seq, end.digest):
                self.chain.bad(last, f"the line ends here, its head is {end.seq}")
        self._notes()
        return Report(
            self.branch,
            self.count,
            [self.chain, self.structure, self.state, self.dice.sum_up(), self.outcomes],
        )

    def _chain_alone(self) -> None:
        self.count = self.chain.count = 0
        try:
            for _ in self._chained(self.store.read(self.branch)):
                pass
        except (BrokenLog, _Unreadable) as error:
            if isinstance(error, BrokenLog):
                self.chain.bad(_place(error), error.reason)

    def _chained(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events, each compared with its digest; after a break the chain is taken up anew."""
        seq, before = 0, GENESIS
        for e in events:
            seq += 1
            self.count += 1
            if self.progress is not None and self.count % 1000 == 0:
                self.progress(self.count)
            if e.seq != seq:
                self.chain.bad(e, f"stands where event {seq} was expected")
            try:
                found = link_digest(
                    before,
                    e.stream,
                    e.seq,
                    type=e.type,
                    version=e.version,
                    round=e.round,
                    turn=e.turn,
                    actor=e.actor,
                    cause=e.cause,
                    data=e.data,
                )
            except (AttributeError, TypeError, UnicodeEncodeError):
                self.chain.bad(e, "a field is not of its type")
                raise _Unreadable from None
            if found != e.digest:
                self.chain.bad(e, "its digest does not match its bytes and the event before it")
            self.chain.count += 1
            seq, before = e.seq, e.digest
            yield e

    def _group(self, group: Sequence[Event]) -> None:
        if group[0].type == "declared" and self.folded.pending is not None:
            self.structure.bad(group[0], "a declaration comes while another one waits for an answer")
        facts = [decode(event) for event in group]
        keys: set[str] = set()
        for event, fact in zip(group, facts, strict=True):
            self._structure(event, fact, group[0], facts[0], keys)
            kind = type(fact)
            if kind is Rolled:
                self.dice.roll(event, fact)
            elif kind is RoundEnded:
                self.state.count += 1
                if (found := digest(self.folded, fact.view)) != fact.state:
                    self.state.bad(event, f"the state after round {fact.number}", fact.state, found)
            elif kind is EncounterOpened:
                self.dice.sealed(event, fact)
            elif kind is EncounterClosed and fact.seed:
                self.dice.revealed(event, fact, self.folded.commitment)
            try:
                apply(self.folded, fact)
            except (LookupError, ValueError, TypeError) as error:
                self.structure.bad(event, f"it cannot follow on what stands before it: {error!r}")
                raise _Unreadable from None
        self._decide(group, facts)

    def _structure(self, event: Event, fact: Any, first: Event, start: Any, keys: set[str]) -> None:
        check = self.structure
        check.count += 1
        if event is first:
            if event.type not in STARTS and event.type != "ruled":
                check.bad(event, f"{event.type} follows from no declaration")
            elif event.cause != event.seq:
                check.bad(event, "its cause is not itself", event.cause, event.seq)
            if (event.type == "encounter.opened") != (event.seq == 1):
                check.bad(event, "an encounter opens with its first event and only there")
        elif event.cause != first.seq:
            check.bad(event, f"its cause is not the {first.type} before it", event.cause, first.seq)
        if (event.round, event.turn) != (self.folded.round, self.folded.turn):
            check.bad(
                event,
                "its round and turn",
                f"r{event.round}.t{event.turn}",
                f"r{self.folded.round}.t{self.folded.turn}",
            )
        kind = type(fact)
        if kind is Declared:
            if fact.id in self.ids:
                check.bad(event, f"declaration {fact.id} comes twice")
            self.ids.add(fact.id)
        elif kind is Rolled or kind is Chosen:
            if fact.key in keys:
                check.bad(event, f"key {fact.key} comes twice")
            keys.add(fact.key)
            if type(start) is not Declared or not fact.key.startswith(f"{start.id}/"):
                check.bad(event, f"key {fact.key} belongs to another declaration")
        wanted = start.act.actor if type(start) is Declared and kind is not Ruled else ""
        if event.actor != wanted:
            check.bad(event, "its actor", event.actor, wanted)

    def _decide(self, group: Sequence[Event], facts: Sequence[Any]) -> None:
        """Decide one group again over the second state; after a difference take up the recorded one."""
        first = facts[0]
        if type(first) is Ruled and first.verdict == "void":
            self.voided.add(first.subject)
        elif type(first) is Declared and type(facts[-1]) is Invalidated and first.id in self.voided:
            pass  # struck out by hand: no rule can say whether it should be
        elif type(first) is Declared and self.fight is not None:
            self.outcomes.count += 1
            try:
                if type(facts[-1]) is Refused and facts[-1].stays:
                    self._stays_refused(self.fight, group, facts)
                else:
                    self._again(self.fight, first, group, facts)
                return
            except RulesChanged as error:
                place = error.event or group[-1]
                self.outcomes.bad(place, first.id, _text(error.expected), _text(error.found))
            except _Parted as error:
                # A branch may leave its parent in the middle of a declaration: half of one is no fault.
                if group[-1].seq not in self.cuts:
                    self.outcomes.bad(error.event, first.id, error.recorded, error.found)
            except Exception as error:
                # Whatever a rule does with a log that somebody forged is a finding, never a crash.
                self.outcomes.bad(group[0], f"{first.id} cannot be decided: {type(error).__name__}: {error}")
        elif type(first) not in (EncounterOpened, OptionsChanged, Ruled, Disputed):
            return
        if self.folded.dialect:
            self.fight = fight_over(duplicate(self.folded), self.seed, self.changes)

    def _again(self, fight: Fight, first: Declared, group: Sequence[Event], facts: Sequence[Any]) -> None:
        ends = next((at for at, fact in enumerate(facts) if type(fact) in (Ruled, Invalidated)), len(facts))
        known = Recording.of(facts)
        result = resolve(
            fight,
            first,
            seq=group[0].seq,
            dice=Recorded(known.faces),
            answers=RecordedAnswers(known.answers, ask),
            recorded=group[:ends],
        )
        last = facts[-1]
        if type(last) is Invalidated:
            told = (last.reason, last.rule)
            found = (result.refused.reason, result.refused.rule) if result.refused else ("no refusal", "")
            if told != found:
                raise _Parted(group[-1], _cited(*told), _cited(*found))
        elif result.entries:
            raise _Parted(group[ends - 1], "nothing more", _text(result.entries[0].data))
        elif ends < len(facts):
            for fact in facts[ends:]:
                apply(fight.state, fact)
            fight.memory.touch_everything()
        elif result.waiting is not None and type(last) is not Asked:
            raise _Parted(group[-1], "the end", f"a question: {result.waiting.question}")

    def _stays_refused(self, fight: Fight, group: Sequence[Event], facts: Sequence[Any]) -> None:
        """Decide whether a declaration was refused on the line before, and would be allowed on this one."""
        (first, last), event = facts, group[-1]
        told = _cited(last.reason, last.rule)
        stream = group[0].stream
        if stream not in self.refusals:
            self.refusals[stream] = dict(_refusals(self.store, stream))
        if self.refusals[stream].get(first.id) != (group[0].data, last.reason, last.rule):
            raise _Parted(event, f"refused on the line before: {told}", "no such refusal there")
        apply(fight.state, first)
        fight.memory.touch_everything()
        refusal = refusal_of(fight, first)
        if refusal is not None:
            found = _cited(refusal.reason, refusal.rule)
            raise _Parted(event, f"allowed, but refused on the line before: {told}", found)
        apply(fight.state, last)

    def _notes(self) -> None:
        if self.folded.pending is not None:
            self.outcomes.note = f"the fight waits: {self.folded.pending.question}"


class _Parted(Exception):
    """The rules go on where the log ends, or end where it goes on."""

    def __init__(self, event: Event, recorded: str, found: str) -> None:
        super().__init__(found)
        self.event, self.recorded, self.found = event, recorded, found


def _place(error: BrokenLog) -> Event:
    return Event(error.stream, error.seq, "", 0, 0, 0, "", 0, b"", b"")


def _lineage(store: Store, branch: str) -> Iterator[Any]:
    known = {one.name: one for one in store.branches()}
    while branch in known and known[branch].parent:
        yield known[branch]
        branch = known[branch].parent


def _refusals(store: Store, branch: str) -> Iterator[tuple[str, tuple[bytes, str, str]]]:
    """Yield what was refused on the line that a branch left, after it left: by id the declaration and why."""
    for one in store.branches():
        if one.name == branch and one.parent:
            for group in groups(store.read(one.parent, after=one.at)):
                if group[-1].type == "refused":
                    fact = decode(group[-1])
                    yield fact.id, (group[0].data, fact.reason, fact.rule)


def _cited(reason: str, rule: str) -> str:
    return f"{reason} [{rule}]" if rule else reason


def _text(data: bytes) -> str:
    text = data.decode(errors="replace")
    return text if len(text) <= 2000 else text[:1997] + "..."
