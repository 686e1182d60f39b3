"""The audit of one line of play: event by event, declaration by declaration, with a folded state.

A state folded from the recorded events is kept, and a second one that the rules make again from the
declarations, the recorded dice and the recorded answers.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.table.dice import players
from affray.engine.table.policies import AGAIN, Recorded, ask
from affray.engine.table.runner import RulesChanged, refusal_of, resolve
from affray.events.chain import GENESIS, digest_after
from affray.events.codec import decode
from affray.events.envelope import Branch, Event
from affray.events.errors import AffrayError, BrokenLog, LogUnavailable
from affray.events.facts.flow import (
    REFUSED,
    Asked,
    ChainBegun,
    ChainLeft,
    Chosen,
    Declared,
    Disputed,
    EncounterClosed,
    EncounterOpened,
    Invalidated,
    LinkGiven,
    OptionsChanged,
    Refused,
    Rolled,
    RoundEnded,
    Ruled,
    SeedContributed,
)
from affray.events.stores.store import MAIN, Checkpoint, Store
from affray.projections.fold import apply
from affray.projections.state import Encounter, digest, duplicate
from affray.replay.checks import Check, Problem
from affray.replay.log.declarations import STARTS, Recording, groups
from affray.replay.log.playhead import PROJECTION, is_valid_checkpoint, version
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.verification.dice_audit import Allowance, DiceAudit

# --- Deciding one declaration again as recorded, and differences between the rules and the record

Refusal: TypeAlias = tuple[bytes, str]
"""The declaration as stored, and the rule of its refusal."""


LONGEST = 100_000
"""Most characters of stored data kept for a difference."""


class RulesDiffer(Exception):
    """The rules continue where the log ends, or end where the log continues."""

    def __init__(self, event: Event, recorded: str, found: str) -> None:
        super().__init__(found)
        self.event, self.recorded, self.found = event, recorded, found


def decide_again(fight: Fight, first: Declared, group: Sequence[Event], facts: Sequence[object]) -> None:
    """Decide a declaration again with the recorded dice and answers; afterwards the state includes it.

    Raises Parted, and RulesChanged if an event differs from the record.
    """
    ends = next((at for at, fact in enumerate(facts) if type(fact) in (Ruled, Invalidated)), len(facts))
    known = Recording.of(facts)
    result = resolve(
        fight,
        first,
        seq=group[0].seq,
        dice=known.dice(),
        answers=Recorded(known.answers, ask),
        recorded=group[:ends],
    )
    last = facts[-1]
    if type(last) is Invalidated:
        refused = result.refused
        if refused is None or refused.rule != last.rule:
            found = _cited(refused.reason, refused.rule) if refused else "no refusal"
            raise RulesDiffer(group[-1], _cited(last.reason, last.rule), found)
    elif result.entries:
        raise RulesDiffer(group[ends - 1], "nothing more", shown(result.entries[0].data))
    elif ends < len(facts):
        for fact in facts[ends:]:
            apply(fight.state, fact)
        fight.memory.touch_everything()
    elif result.waiting is not None and type(last) is not Asked:
        raise RulesDiffer(group[-1], "the end", f"a question: {result.waiting.question}")


def check_stays_refused(
    fight: Fight, group: Sequence[Event], facts: Sequence[Any], before: Mapping[str, Refusal]
) -> None:
    """Check that a declaration was refused on the previous line, and would be allowed on this one.

    Raises Parted if not.
    """
    (first, last), event = facts, group[-1]
    told = _cited(last.reason, last.rule)
    if before.get(first.id) != (group[0].data, last.rule):
        raise RulesDiffer(event, f"refused on the previous line: {told}", "no such refusal there")
    apply(fight.state, first)
    fight.memory.touch_everything()
    refusal = refusal_of(fight, first)
    if refusal is not None:
        found = _cited(refusal.reason, refusal.rule)
        raise RulesDiffer(event, f"allowed, but refused on the previous line: {told}", found)
    apply(fight.state, last)


def yield_refusals_of_parent(store: Store, branch: str) -> Iterator[tuple[str, Refusal]]:
    """Yield the refusals on a branch's parent after the branch left it: id -> declaration and reason."""
    left = next(store.lineage(branch))
    if left.parent:
        for group in groups(store.read(left.parent, after=left.at)):
            if group[-1].type == "refused":
                fact = decode(group[-1])
                yield fact.id, (group[0].data, fact.rule)


def _cited(reason: str, rule: str) -> str:
    return f"{reason} [{rule}]" if rule else reason


def shown(data: bytes) -> str:
    """Return stored data for a report: whole, unless it is longer than anything that is compared."""
    text = data.decode(errors="replace")
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


# --- Are declarations numbered as a table numbers them? The dice depend on the numbers
#
# A person who knows the seed could otherwise skip numbers until a die pleases. On the main line each
# declaration has the number after the previous one. A line that is decided again takes the numbers of its
# parent, each for the same declaration, or for what a ruling on the line makes of it; an inserted declaration
# has its neighbour's number with a suffix.

_BETWEEN = re.compile(r"(?P<base>.+)\.(?P<number>[1-9][0-9]{0,8})")


class Numbering:
    """The numbers of a log's declarations, line by line."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._of_parents: dict[str, dict[str, bytes]] = {}
        self._chains: dict[str, set[bytes]] = {}

    def fault(self, event: Event, id: str, state: Encounter, ids: set[str], ruled: bool) -> str:
        """Return what is wrong with a declaration's id, "" if nothing is.

        It is declared in this `state`; `ids` are the earlier ones on its line, and `ruled` is true if its own
        part of the line has a ruling. O(1); for ids that do not continue the count O(events of the parent),
        once per line.
        """
        refused = id.startswith(REFUSED)
        wanted = f"{REFUSED}{state.refusals + 1}" if refused else f"d{state.declarations + 1}"
        if id == wanted or self._is_of_a_branch(event, id, ids, ruled):
            return ""
        return f"declaration {id} comes where {wanted} was expected"

    def has_wrong_dice(self, event: Event, first: Event, id: str) -> bool:
        """Return whether dice are rolled for a refused declaration that is not revived on another line."""
        return id.startswith(REFUSED) and not self._is_of_a_branch(first, id, {id}, event.stream != MAIN)

    def is_decided_again(self, first: Event, id: str, ruled: bool) -> bool:
        """Return whether a declaration, `first` of its events, is one of the parent's or was inserted between
        two.
        """
        return self._is_of_a_branch(first, id, {id}, ruled)

    def is_chain_of_parent(self, begun: Event) -> bool:
        """Return whether the same chain began on the parent's line, after the same number of declarations."""
        if begun.stream == MAIN:
            return False
        self._parents(begun.stream)
        return begun.data in self._chains[begun.stream]

    def _is_of_a_branch(self, event: Event, id: str, ids: set[str], ruled: bool) -> bool:
        if event.stream == MAIN:
            return False
        parents = self._parents(event.stream)
        if parents.get(id) == event.data or (id in parents and ruled):
            return True
        between = _BETWEEN.fullmatch(id)
        if between is None:
            return False
        number = int(between["number"])
        stems = (between["base"], between["base"].removeprefix(REFUSED), f"{REFUSED}{between['base']}")
        return number == 1 or any(
            f"{stem}.{number - 1}" in known for stem in stems for known in (ids, parents)
        )

    def _parents(self, stream: str) -> dict[str, bytes]:
        """Return the declarations of a line's parent after the line has left it, as stored, by id."""
        if stream not in self._of_parents:
            left = next(iter(self.store.lineage(stream)))
            found, chains = dict[str, bytes](), set[bytes]()
            for event in self.store.read(left.parent, after=left.at) if left.parent else ():
                if event.type == "declared":
                    found[decode(event).id] = event.data
                elif event.type == "chain.begun":
                    chains.add(event.data)
            self._of_parents[stream], self._chains[stream] = found, chains
        return self._of_parents[stream]


UNDECIDED = (EncounterOpened, SeedContributed, ChainBegun, ChainLeft, OptionsChanged, Ruled, Disputed)
"""First facts of groups that no rule decides."""


class Unreadable(Exception):
    """Later events cannot be judged."""


class Moment(Struct, frozen=True):
    """A line before one of its declarations, from which the audit of another line can continue.

    `ids` is the list of the line's declarations, which continues to grow: the first `declared` had been made.
    """

    seq: int
    digest: bytes
    folded: Encounter
    ids: list[str]
    declared: int
    voided: frozenset[str]
    dice: DiceAudit


def questions() -> list[Check]:
    """Return the five checks of every line, in the order of reports."""
    return [
        Check("chain", "every digest covers its event and the previous one"),
        Check("structure", "every event is in a valid place, after its cause"),
        Check("state", "the state has the digest recorded at each round's end"),
        Check("dice", "no die was changed"),
        Check("outcomes", "the rules decide every declaration the same again"),
    ]


class LineAudit:
    """The checks of the events of one line, from its beginning or from a moment of its parent's audit.

    Events before event `after` were judged on the parent's line: they are read again if their declaration
    does not end there, but neither counted nor blamed.
    """

    def __init__(
        self,
        store: Store,
        branch: Branch,
        *,
        seed: Callable[[], bytes | None] = lambda: None,
        changes: Mapping[str, object] | None = None,
        begin: Moment | None = None,
        after: int = 0,
        passed: Callable[[], object] = lambda: None,
        allowance: Allowance | None = None,
    ) -> None:
        """Start at the moment `begin`, else before the first event, where `seed` is called.

        `passed` is called for each event; `allowance` is that of the whole log.
        """
        self.store, self.branch, self.after, self.passed = store, branch, after, passed
        self.seed = seed
        self.changes = dict(changes) if changes else None
        self.checks = questions()
        self.chain, self.structure, self.state, dice, self.outcomes = self.checks
        self.dice = DiceAudit(None if begin is None else begin.dice.seed, check=dice, allowance=allowance)
        self.kept = Check("kept", "stored states match the events")
        self.next_checkpoint: Checkpoint | None = None
        self.elsewhere = Check("elsewhere", "judged on the parent's line")
        self.folded = Encounter()
        self.fight: Fight | None = None
        self.order: list[str] = []
        self.voided: set[str] = set()
        self.ruled: set[str] = set()
        self.numbering = Numbering(store)
        self.start = self.tail = (0, GENESIS)
        self.count = 0
        self.refusals: dict[str, dict[str, Refusal]] = {}
        self.cuts: set[int] = set()
        self.unsaid: AffrayError | None = None
        if begin is not None:
            self._go_on(begin)
        self.ids = set(self.order)

    def _go_on(self, begin: Moment) -> None:
        self.start = self.tail = (begin.seq, begin.digest)
        self.folded = duplicate(begin.folded)
        self.order = begin.ids[: begin.declared]
        self.voided = set(begin.voided)
        self.dice.seeded = begin.dice.seeded
        self._take_up()

    @property
    def problem(self) -> Problem | None:
        """The first problem on the line, None if there is none."""
        found = [check.problem for check in self.checks if check.problem is not None]
        return min(found, key=lambda one: one.seq, default=None)

    def run(self, leaving: Sequence[Branch] = ()) -> list[tuple[Branch, Moment]]:
        """Audit the line to its end; return the branches leaving it that can be judged.

        Each comes with the moment at which its audit begins. Problems are counted, never raised. Raises
        LogUnavailable. An obstacle to judging a good chain (another release, a package that is not installed)
        is stored in `unsaid`.
        """
        found: list[tuple[Branch, Moment]] = []
        ahead = sorted(leaving, key=lambda one: one.at, reverse=True)
        last: Event | None = None
        try:
            end = self.store.head(self.branch.name)
            self.cuts = {one.at for one in self.store.lineage(self.branch.name)}
            self._left()
            if not self.start[0]:
                self.dice.seed = self.seed()
            self.checkpoints = self.store.checkpoints(self.branch.name, PROJECTION, version())
            self.next_checkpoint = next(self.checkpoints, None)
            for group in groups(self._chained(end.seq)):
                last = group[-1]
                if ahead and ahead[-1].at <= last.seq:
                    moment = self._moment()
                    while ahead and ahead[-1].at <= last.seq:
                        found.append((ahead.pop(), moment))
                self._group(group)
                self.tail = (last.seq, last.digest)
            if self.next_checkpoint is not None:
                self.kept.bad(
                    Event(self.branch.name, self.next_checkpoint.seq, "", 0, 0, 0, "", 0, b"", b""),
                    "a state is stored for an event that does not exist: it is not used",
                )
            if last is not None and (last.seq, last.digest) != (end.seq, end.digest):
                self.chain.bad(last, f"the line ends here, its head is {end.seq}")
            if self.folded.pending is not None:
                self.outcomes.note = f"the fight waits: {self.folded.pending.question}"
        except Unreadable:
            pass
        except BrokenLog as error:
            (self.structure if self.chain.problems else self.chain).bad(place_of(error), error.reason)
        except LogUnavailable:
            raise
        except Exception as error:
            self._report_not_judged(error)
        return found

    def _report_not_judged(self, error: Exception) -> None:
        """Report why no more can be checked: a chain that is broken further on, else the error itself.

        An edited type, version or dialect looks like one of a newer release: the chain shows the difference.
        """
        if self.chain.ok:
            self._chain_alone()
        if not self.chain.ok:
            return
        place = Event(self.branch.name, self.tail[0] + 1, "", 0, 0, 0, "", 0, b"", b"")
        if isinstance(error, AffrayError):
            self.unsaid = error
            self.structure.bad(place, str(error))
        else:
            self.structure.bad(place, f"it cannot be judged: {type(error).__name__}: {error}")

    def _moment(self) -> Moment:
        folded, dice = duplicate(self.folded), DiceAudit(self.dice.seed)
        dice.seeded = self.dice.seeded
        return Moment(*self.tail, folded, self.order, len(self.order), frozenset(self.voided), dice)

    def _left(self) -> None:
        """Compare the digest that the branch left with, before the first event."""
        if not self.branch.at and self.branch.digest != GENESIS:
            self._left_wrongly()

    def _left_wrongly(self) -> None:
        one = self.branch
        place = Event(one.name, one.at, "", 0, 0, 0, "", 0, b"", b"")
        self.chain.bad(place, "the branch lacks the digest of the event after which it left")

    def _chain_alone(self) -> None:
        self.count = self.chain.count = 0
        try:
            for _ in self._chained(None):
                pass
        except (BrokenLog, Unreadable) as error:
            if isinstance(error, BrokenLog):
                self.chain.bad(place_of(error), error.reason)

    def _chained(self, upto: int | None) -> Iterator[Event]:
        """Yield the events, each compared with its digest; after a break the comparison continues."""
        seq, before = self.start
        for e in self.store.read(self.branch.name, after=seq, upto=upto):
            seq += 1
            check = self.chain if e.seq > self.after else self.elsewhere
            if e.seq > self.after:
                self.count += 1
                self.passed()
            if e.seq != seq:
                check.bad(e, f"is in the place of event {seq}")
            try:
                found = digest_after(before, e)
            except BrokenLog as error:
                self.chain.bad(e, error.reason)
                raise Unreadable from None
            if found != e.digest:
                check.bad(e, "its digest does not match its bytes and the previous event")
            if e.seq == self.branch.at and e.digest != self.branch.digest:
                self._left_wrongly()
            check.count += 1
            seq, before = e.seq, e.digest
            yield e

    def _group(self, group: Sequence[Event]) -> None:
        if group[0].type == "declared" and self.folded.pending is not None:
            self.structure.bad(group[0], "a declaration is made while another one waits for an answer")
        facts = [decode(event) for event in group]
        keys: set[str] = set()
        self.dice.begin()
        for event, fact in zip(group, facts, strict=True):
            self._structure(event, fact, group[0], facts[0], keys)
            kind, own = type(fact), event.seq > self.after
            if kind is EncounterOpened:
                self.dice.sealed(event, fact, self._blamed(event))
            elif kind is ChainBegun and not self.numbering.is_chain_of_parent(event):
                self.dice.begun(event, fact, self.folded.declarations, self._blamed(event))
            elif kind is LinkGiven:
                self.dice.given(event, fact, self.folded.chains, group[0], self._blamed(event))
            elif kind is Rolled and own:
                self.dice.roll(event, fact)
            elif kind is RoundEnded and own:
                self.state.count += 1
                if (found := digest(self.folded, fact.view)) != fact.state:
                    self.state.bad(event, f"the state after round {fact.number}", fact.state, found)
            elif kind is EncounterClosed and fact.seed and own:
                self.dice.revealed(event, fact, self.folded.commitment)
            try:
                apply(self.folded, fact)
            except (AttributeError, LookupError, ValueError, TypeError) as error:
                self.structure.bad(event, f"it cannot follow the events before it: {error!r}")
                raise Unreadable from None
            if kind is SeedContributed:
                late = bool(self.folded.declarations or self.folded.refusals)
                self.dice.contributed(event, self.folded.contributions, late, self._blamed(event))
            if self.next_checkpoint is not None and own and self.next_checkpoint.seq <= event.seq:
                self._compare_checkpoints(event)
        self._decide(group, facts)

    def _blamed(self, event: Event) -> Check:
        """Return the check that counts problems with the dice at an event."""
        return self.dice.check if event.seq > self.after else self.elsewhere

    def _compare_checkpoints(self, event: Event) -> None:
        """Compare the states stored after this event; skip one that is stored for no event."""
        while self.next_checkpoint is not None and self.next_checkpoint.seq <= event.seq:
            found, self.next_checkpoint = self.next_checkpoint, next(self.checkpoints, None)
            if found.seq != event.seq or not is_valid_checkpoint(found, event, self.folded):
                told = f"the state stored after event {found.seq} does not match the events: it is not used"
                self.kept.bad(event, told)

    def _structure(self, event: Event, fact: Any, first: Event, start: Any, keys: set[str]) -> None:
        check = self.structure if event.seq > self.after else self.elsewhere
        check.count += 1
        if event is first:
            if event.type not in STARTS and event.type not in ("ruled", "chain.left"):
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
                check.bad(event, f"declaration {fact.id} occurs twice")
            elif told := self.numbering.fault(
                event, fact.id, self.folded, self.ids, event.stream in self.ruled
            ):
                check.bad(event, told)
            self.ids.add(fact.id)
            self.order.append(fact.id)
        elif kind is Rolled or kind is Chosen:
            if fact.key in keys:
                check.bad(event, f"key {fact.key} occurs twice")
            keys.add(fact.key)
            if type(start) is not Declared or not fact.key.startswith(f"{start.id}/"):
                check.bad(event, f"key {fact.key} belongs to another declaration")
            elif kind is Rolled and self.numbering.has_wrong_dice(event, first, start.id):
                check.bad(event, f"dice are rolled for {start.id}, which was refused")
            elif self._needs_no_links(fact) and not self._is_decided_again(first, start):
                told = f"answered by {fact.by}" if kind is Chosen else f"{fact.key} is rolled without links"
                check.bad(event, f"{told}, but {start.id} was not decided again")
        wanted = start.act.actor if type(start) is Declared and kind is not Ruled else ""
        if event.actor != wanted:
            check.bad(event, "its actor", event.actor, wanted)

    def _needs_no_links(self, fact: Rolled | Chosen) -> bool:
        """Return whether a roll or an answer needs no links of players, although the dice depend on them.

        Results from the seed are known in advance; an answer that no person chose cannot select other dice.
        """
        without = fact.provenance == "seeded" if isinstance(fact, Rolled) else fact.by.startswith(AGAIN)
        return without and bool(players(self.folded))

    def _is_decided_again(self, first: Event, start: Declared) -> bool:
        return self.numbering.is_decided_again(first, start.id, first.stream in self.ruled)

    def _decide(self, group: Sequence[Event], facts: Sequence[object]) -> None:
        """Decide one group again on the second state; after a difference continue from the recorded one."""
        first = facts[0]
        if type(first) is Ruled:
            self.ruled.add(group[0].stream)
        if type(first) is Ruled and first.verdict == "void":
            self.voided.add(first.subject)
        elif type(first) is Declared and type(facts[-1]) is Invalidated and first.id in self.voided:
            pass  # ruled void: no rule decides that
        elif group[-1].seq <= self.after:
            pass  # judged on the parent's line, which continues after it
        elif type(first) is Declared and self.fight is not None:
            self.outcomes.count += 1
            try:
                if type(facts[-1]) is Refused and facts[-1].stays:
                    check_stays_refused(self.fight, group, facts, self._refused_before(group[0].stream))
                else:
                    decide_again(self.fight, first, group, facts)
                return
            except RulesChanged as error:
                place = error.event or group[-1]
                self.outcomes.bad(place, first.id, shown(error.expected), shown(error.found))
            except RulesDiffer as error:
                # A branch may leave its parent in the middle of a declaration: half a declaration is not a
                # fault.
                if group[-1].seq not in self.cuts:
                    self.outcomes.bad(error.event, first.id, error.recorded, error.found)
            except Exception as error:
                # Any failure of a rule on a forged log is a finding, never a crash.
                self.outcomes.bad(group[0], f"{first.id} cannot be decided: {type(error).__name__}: {error}")
        elif type(first) not in UNDECIDED:
            return
        self._take_up()

    def _refused_before(self, stream: str) -> dict[str, Refusal]:
        if stream not in self.refusals:
            self.refusals[stream] = dict(yield_refusals_of_parent(self.store, stream))
        return self.refusals[stream]

    def _take_up(self) -> None:
        """Continue deciding from the recorded state."""
        if self.folded.dialect:
            self.fight = make_fight_context(duplicate(self.folded), self.dice.seed, self.changes)


def place_of(error: BrokenLog) -> Event:
    """Return an event with only the place that an error names."""
    return Event(error.stream, error.seq, "", 0, 0, 0, "", 0, b"", b"")
