"""The register: all disputes and all rulings of a log."""

from msgspec import Struct, field

from affray.events.codec import decode
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts.flow import Ruled
from affray.events.stores.store import Store


class UnknownDispute(AffrayError):
    """There is no dispute or ruling with that id."""


class Dispute(Struct):
    """A dispute: the event and branch, who disputes it, and the ruling that resolved it ("" while open)."""

    id: str
    by: str
    claim: str
    branch: str
    event: int
    subject: str
    seq: int
    ruling: str = ""


class Verdict(Struct):
    """A ruling: who decided what about event `event` of `parent`, and its scope.

    It is event `seq` of `branch`, which is `parent` itself for a ruling that did not change the past.
    `counts` is true if the main line contains it, `also` lists other branches with it that were decided again
    or merged.
    """

    id: str
    author: str
    verdict: str
    text: str
    scope: str
    changes: tuple[str, ...]
    dispute: str
    parent: str
    event: int
    subject: str
    branch: str
    seq: int
    counts: bool
    also: list[str] = field(default_factory=list)


class Register(Struct):
    """All disputes and all rulings of a log, in the order in which they were made."""

    disputes: list[Dispute] = field(default_factory=list)
    rulings: list[Verdict] = field(default_factory=list)

    def dispute(self, id: str) -> Dispute:
        """Return a dispute by id. Raises UnknownDispute."""
        for one in self.disputes:
            if one.id == id:
                return one
        raise UnknownDispute(f"no dispute {id!r}{_meant(id, self.disputes)}")

    def ruling(self, id: str) -> Verdict:
        """Return a ruling by id. Raises UnknownDispute."""
        for one in self.rulings:
            if one.id == id:
                return one
        raise UnknownDispute(f"no ruling {id!r}{_meant(id, self.rulings)}")


def register(store: Store) -> Register:
    """Return the disputes and rulings of all branches. O(events of the log), decoding only these.

    A branch that was decided again repeats those of the original line: the first counts.
    """
    parents = {one.name: (one.parent, one.at) for one in store.branches()}
    found = Register()
    disputes: dict[str, Dispute] = {}
    rulings: dict[str, Verdict] = {}
    for event in store.read_all():
        if event.type == "disputed":
            fact = decode(event)
            if fact.id not in disputes:
                disputes[fact.id] = Dispute(
                    fact.id, fact.by, fact.claim, event.stream, fact.event, fact.subject, event.seq
                )
        elif event.type == "ruled":
            fact = decode(event)
            if fact.id and fact.id not in rulings and fact.verdict != "ends":
                parent, at = parents.get(event.stream, ("", 0))
                # A ruling on the past is the first event of the branch that it made.
                past = fact.verdict != "upheld" and (fact.event or fact.scope == "fight")
                old = parent if past and parent and event.seq == at + 1 else event.stream
                rulings[fact.id] = verdict_of(fact, old, event.stream, event.seq)
            elif fact.id and fact.verdict != "ends" and event.stream != rulings[fact.id].branch:
                rulings[fact.id].also.append(event.stream)
    for one in rulings.values():
        if one.dispute in disputes:
            disputes[one.dispute].ruling = one.id
    if rulings:
        for event in store.read(store.main_line()):
            if event.type == "ruled" and (id := decode(event).id) in rulings:
                rulings[id].counts = True
    found.disputes, found.rulings = list(disputes.values()), list(rulings.values())
    return found


def verdict_of(fact: Ruled, parent: str, branch: str, seq: int, *, counts: bool = False) -> Verdict:
    """Return the register's entry for a ruling that is event `seq` of `branch`."""
    return Verdict(
        fact.id,
        fact.author,
        fact.verdict,
        fact.text,
        fact.scope,
        fact.changes,
        fact.dispute,
        parent,
        fact.event,
        fact.subject,
        branch,
        seq,
        counts,
    )


def _meant(id: str, found: list[Dispute] | list[Verdict]) -> str:
    return did_you_mean(id, [one.id for one in found], whole="affray rulings DB")
