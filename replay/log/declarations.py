"""A line of events, declaration by declaration."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from affray.engine.dice import DRAWN, Drawn, Notation, Recorded, Source, commitment
from affray.engine.dice.sources import Answer
from affray.engine.table.dice import Known, links_of
from affray.events.codec import decode
from affray.events.envelope import Entry, Event
from affray.events.errors import AffrayError, SecretsMissing
from affray.events.facts import combat, flow
from affray.events.facts.flow import (
    Asked,
    ChainBegun,
    ChainLeft,
    Chosen,
    Declared,
    Disputed,
    EncounterClosed,
    LinkGiven,
    OptionsChanged,
    Rolled,
    RoundBegan,
    RoundEnded,
    Ruled,
    SeedContributed,
    TurnBegan,
    TurnEnded,
)
from affray.events.secrets import SEED
from affray.events.stores.store import Store

STARTS = frozenset(
    {
        "encounter.opened",
        "seed.contributed",
        "chain.begun",
        "declared",
        "options.changed",
        "branch.promoted",
        "disputed",
    }
)
"""Events that follow from nothing but themselves."""


def starts(event: Event, previous: Event | None) -> bool:
    """Say whether an event opens a group: a declaration, or a ruling that closes no open question.

    A chain may be left at any time, or while the fight waits for a link of it.
    """
    if event.type == "ruled":
        return previous is None or previous.type != "asked"
    if event.type == "chain.left":
        return event.cause == event.seq
    return event.type in STARTS


def groups(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield each declaration with everything that follows from it, in order.

    The opening, a ruling that stands alone and a change of options are groups of their own.
    """
    group: list[Event] = []
    previous: Event | None = None
    for event in events:
        if starts(event, previous) and group:
            yield group
            group = []
        group.append(event)
        previous = event
    if group:
        yield group


def group_of(store: Store, branch: str, seq: int) -> list[Event]:
    """Return the group that holds event `seq` of a branch, whole. O(its size).

    Raises AffrayError if there is no such event.
    """
    event = event_at(store, branch, seq)
    first = min(event.cause, seq) if event.cause > 0 else seq
    for group in groups(store.read(branch, after=first - 1)):
        if group[-1].seq >= seq:
            return group
    raise AffrayError(f"event {seq} of {branch!r} follows from no declaration")


def find_start_with_rulings(store: Store, branch: str, seq: int) -> int:
    """Return the event after which a declaration begins, with the rulings before it that are about it alone.

    `seq` is its first event. O(events of these rulings).
    """
    id = decode(event_at(store, branch, seq)).id
    while seq > 1:
        group = group_of(store, branch, seq - 1)
        fact = decode(group[0])
        restored = type(fact) is OptionsChanged and bool(fact.restores)
        about = type(fact) is Ruled and fact.subject == id and fact.verdict not in ("ends", "upheld")
        if group[0].type == "ruled" and group[0].cause != group[0].seq:
            break
        if not restored and not about:
            break
        seq = group[0].seq
    return seq - 1


def event_at(store: Store, branch: str, seq: int) -> Event:
    """Return event `seq` of a branch; raises AffrayError saying how far the line goes."""
    if seq > 0:
        for event in store.read(branch, after=seq - 1, upto=seq):
            return event
    raise AffrayError(f"there is no event {seq}: {branch!r} goes from 1 to {store.head(branch).seq}")


class Unanswered:
    """Dice of which some are thrown by people who have not thrown them yet."""

    def __init__(self, open: Collection[str], then: Source) -> None:
        self.open, self.then = open, then

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the throw of the other dice; None for one that people make: the fight waits."""
        return None if key in self.open else self.then.throw(key, notation)


class Recording(Struct):
    """What is known of one declaration: its faces, answers and dice by key, and the links given for it.

    `open` are the keys of rolls that people were asked for and have not made.
    """

    faces: dict[str, tuple[tuple[int, ...], str]]
    answers: dict[str, tuple[str, str]]
    notations: dict[str, str]
    links: Known = field(default_factory=dict)
    open: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, facts: Iterable[object]) -> "Recording":
        """Collect rolls and answers from decoded facts."""
        told = tuple(facts)
        made = cls({}, {}, {}, links_of(told))
        for fact in told:
            if type(fact) is Rolled:
                made.faces[fact.key] = (fact.faces, fact.provenance)
                made.notations[fact.key] = fact.notation
                made.open.discard(fact.key)
            elif type(fact) is Asked and fact.notation:
                made.open.add(fact.key)
            elif type(fact) is Chosen:
                made.answers[fact.key] = (fact.answer, fact.by)
        return made

    def dice(self) -> Source:
        """Return dice that fall as recorded; those that were drawn follow from their links again."""
        thrown = {key: found for key, found in self.faces.items() if found[1] not in DRAWN}
        drawn = Drawn(self.link) if self.links else None
        return Recorded(thrown, Unanswered(self.open, drawn) if drawn and self.open else drawn)

    def link(self, by: str, draw: int) -> LinkGiven | ChainLeft | None:
        """Return what was recorded of a party's link for the n-th draw, None if nothing was."""
        known = self.links.get(by, ())
        return known[draw - 1] if draw <= len(known) else None


def find_known_seed(store: Store, branch: str) -> bytes | None:
    """Return the seed of the dice, kept beside the log or revealed in it, None while it is secret or missing.

    One that opens the commitment goes before one that does not. O(1), O(events) without a kept seed.
    """
    kept = kept_seed(store)
    opening = next(iter(store.read(branch, 0, 1)), None)
    sealed = decode(opening).commitment if opening is not None and opening.type == "encounter.opened" else ""
    if kept and commitment(kept) == sealed:
        return kept
    for shown in yield_revealed_seeds(store.read(branch)):
        if not kept or commitment(shown) == sealed:
            return shown
    return kept or None


def kept_seed(store: Store) -> bytes | None:
    """Return the seed of the dice that is kept beside the log, None if there is none or it is missing."""
    try:
        return store.secret(SEED)
    except SecretsMissing:
        return None


def yield_revealed_seeds(events: Iterable[Event]) -> Iterator[bytes]:
    """Yield the seeds that were revealed as encounters closed, right or wrong."""
    for event in events:
        if event.type == "encounter.closed":
            try:
                shown = bytes.fromhex(decode(event).seed)
            except ValueError:
                continue
            if 0 < len(shown) <= 64:
                yield shown


def explain_missing_seed(store: Store) -> str:
    """Return what keeps a seed that is kept somewhere from being known, "" if nothing does."""
    try:
        store.secret(SEED)
    except SecretsMissing as error:
        return str(error)
    return ""


# --- What was declared on a line, in order, as it is to be decided again on another

BESIDE = (Disputed, SeedContributed, ChainBegun, ChainLeft)
"""Facts beside the declarations that are taken over as they are."""

POLICY = "policy:what-if"
"""By whom turns are ended that nobody had on the line before."""


class Script(Struct):
    """A recorded group: `owner` declared it in its own turn of `round` ("" for anything else)."""

    id: str
    facts: list[Any]
    owner: str
    round: int


def scripts(recorded: Iterable[Sequence[Event]], active: str) -> list[Script]:
    """Return the groups of a line in order, each with whose turn it was; `active` is whose it is at first."""
    made = []
    for group in recorded:
        facts = [decode(event) for event in group]
        first = facts[0]
        declared = type(first) is Declared
        owner = first.act.actor if declared and active and first.act.actor == active else ""
        made.append(Script(first.id if declared else "", facts, owner, group[0].round))
        for fact in facts:
            kind = type(fact)
            if kind is TurnBegan:
                active = fact.who
            elif kind in (TurnEnded, RoundBegan, RoundEnded, EncounterClosed):
                active = ""
    return made


def fact_of(made: Entry | Event) -> Any:
    """Return the fact of an entry or an event."""
    return decode(Event("", 0, made.type, made.version, 0, 0, "", 0, made.data, b""))


# --- Which events are decisions, that numbers or rules explain


def decides(fact: object) -> bool:
    """Say whether a fact is a decision that numbers or rules explain."""
    sides = ("attack", "defense", "parts", "opposed_parts", "modifiers")
    return any(getattr(fact, side, ()) for side in sides) or type(fact) in (
        flow.Refused,
        flow.Invalidated,
        combat.Provoked,
        combat.ConditionGained,
        flow.RuleApplied,
    )


# --- Which events say nothing of what a rulebook makes of a declaration

NO_OUTCOME = frozenset(
    {
        *("declared", "rolled", "chosen", "asked", "action.spent", "reaction.spent", "budget.renewed"),
        *("turn.began", "turn.ended", "round.began", "round.ended", "encounter.closed", "invalidated"),
    }
)
"""Types of events that say nothing of what a rulebook made of a declaration."""
