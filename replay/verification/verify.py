"""Verify a log: it is what was recorded, with the same dice, and the rules decide it the same again.

Every event of the log is read and judged once, on the line that contains it: the audit of a branch continues
from the moment at which it left its parent (`line_audit`).
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.dice import commitment
from affray.engine.version import VERSION
from affray.events.codec import decode
from affray.events.envelope import Branch, Event
from affray.events.errors import AffrayError, BrokenLog, NewerLog
from affray.events.facts.flow import EncounterOpened
from affray.events.stores.store import MAIN, Store
from affray.replay.checks import Check, Line, Problem, Report
from affray.replay.log.declarations import (
    explain_missing_seed,
    find_known_seed,
    kept_seed,
    yield_revealed_seeds,
)
from affray.replay.log.line_tree import Tree
from affray.replay.verification.dice_audit import DiceAudit
from affray.replay.verification.line_audit import LineAudit, Moment, place_of, questions

__all__ = ["Check", "Line", "Problem", "Report", "verify"]


def verify(
    store: Store,
    branch: str = "",
    *,
    changes: Mapping[str, object] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Check the whole log, every line of it, and report; with `branch` only that line, from its first event.

    The checks: `chain` (digests), `structure` (causes, ids, keys, places), `state` (digests recorded at round
    ends), `dice` (commitment, totals, and seeded results against the seed once it is known), `outcomes`
    (every declaration decided again), and for a whole log `record`, the data other than events: order,
    branches, requests, settings, stored states. `changes` alters figures of the rule catalogue; `progress` is
    called with the number of events every thousand. O(events) and O(branches), each event once; memory grows
    with the ids of the declarations and the places where branches leave. All problems are in the report.
    Raises UnknownStream and LogUnavailable, and, if nothing is wrong but something cannot be judged,
    NewerLog, UnknownDialect and the like.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import verify
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> [(check.name, check.problems) for check in verify(store).checks]
    [('chain', 0), ('structure', 0), ('state', 0), ('dice', 0), ('outcomes', 0), ('record', 0)]
    """
    return _Audit(store, changes, progress).report(branch)


class _Audit:
    """The audit of a log, line by line."""

    def __init__(
        self, store: Store, changes: Mapping[str, object] | None, progress: Callable[[int], None] | None
    ) -> None:
        self.store, self.changes, self.progress = store, changes, progress
        self.count = 0
        self.checks = questions()
        self.record = Check("record", "all data other than events is as recorded")
        self.kept = self.record
        self.dice = DiceAudit(None, check=self.checks[3])
        self.shown: list[bytes] | None = None
        self.unsaid: AffrayError | None = None

    def report(self, branch: str) -> Report:
        """Judge one line or all, and return the report."""
        lines: list[Line] = []
        self.kept = self.checks[2] if branch else self.record
        try:
            self.dice.why = explain_missing_seed(self.store)
            main = branch or self.store.main_line()
            lines = self._one(branch) if branch else self._all(self.store.branches(), main)
            if not branch:
                lines = self._covered(lines)
        except BrokenLog as error:
            main = branch or MAIN
            self.checks[1].bad(place_of(error), error.reason)
        self.dice.sum_up()
        checks = self.checks if branch else [*self.checks, self.record]
        report = Report(main, self.count, checks, lines)
        if report.otherwise:
            recorded, here = self._rules(main)
            report.same_rules = recorded == here
            self.checks[4].note = f"recorded by {recorded}, decided by {here}"
        if self.unsaid is not None and self.checks[0].ok and self.record.ok:
            raise self.unsaid
        return report

    def _rules(self, line: str) -> tuple[str, str]:
        """Return the release and the rulebook that opened a line, and those installed here."""
        opened = decode(next(iter(self.store.read(line, 0, 1))))
        rules = load(opened.dialect, self.changes, opened.tables, opened.packages or ())
        return f"{opened.engine} {opened.catalogue}", f"affray {VERSION} {opened.dialect}/{len(rules.book)}"

    def _one(self, branch: str) -> list[Line]:
        audit = self._audited(next(self.store.lineage(branch)), None, (), branch)[0]
        return [Line(branch, audit.count, audit.problem)]

    def _all(self, branches: Sequence[Branch], main: str) -> list[Line]:
        """Judge every line, parents first, and return the result of each, in order of creation."""
        tree = Tree(self.store, branches)
        self.dice.draws.parents = {one.name: one.parent for one in branches}
        found: dict[str, Line] = {}
        waiting: list[tuple[Branch, Moment | None]] = [(one, None) for one in tree.leaving("")]
        while waiting:
            own, begin = waiting.pop()
            leaving = tree.leaving(own.name)
            audit, begun = self._audited(own, begin, leaving, main)
            found[own.name] = Line(own.name, own.at + audit.count, audit.problem)
            waiting += begun
            read = {one.name for one, _ in begun}
            for one in leaving:
                if one.name not in read:
                    tree.lost[one.name] = (
                        f"it left {one.parent!r} at a place that does not exist or cannot be read"
                    )
        for one in tree.unread(found):
            reason = tree.lost.get(one.name, f"its parent {one.parent!r} cannot be read")
            self.checks[1].bad(place := Event(one.name, one.at, "", 0, 0, 0, "", 0, b"", b""), reason)
            found[one.name] = Line(one.name, one.at, Problem(place.stream, place.seq, reason))
        return tree.inherited(found)

    def _audited(
        self, own: Branch, begin: Moment | None, leaving: Sequence[Branch], main: str
    ) -> tuple[LineAudit, list[tuple[Branch, Moment]]]:
        """Judge a line from a moment on and add the findings to the whole."""
        audit = LineAudit(
            self.store,
            own,
            seed=lambda: self._seed(own.name),
            changes=self.changes,
            begin=begin,
            after=own.at if begin is not None else 0,
            passed=self._passed,
            allowance=self.dice.allowance,
        )
        begun = audit.run(leaving)
        if own.name != main:
            audit.outcomes.note = ""
        for mine, its in zip(self.checks, audit.checks, strict=True):
            mine.add(its)
        self.kept.add(audit.kept)
        self.dice.add(audit.dice)
        self.unsaid = self.unsaid or audit.unsaid
        return audit, begun

    def _covered(self, lines: list[Line]) -> list[Line]:
        """Compare the data other than events with its record; return the lines with the problems found."""
        cover = self.store.cover()
        self.record.count += cover.looked
        self.record.note = cover.note
        faults: dict[str, Problem] = {}
        for fault in cover.faults:
            self.record.bad(place_of(fault), fault.reason)
            faults.setdefault(fault.stream, Problem(fault.stream, fault.seq, fault.reason))
        return [replace(line, problem=line.problem or faults.get(line.branch)) for line in lines]

    def _passed(self) -> None:
        self.count += 1
        if self.progress is not None and self.count % 1000 == 0:
            self.progress(self.count)

    def _seed(self, line: str) -> bytes | None:
        """Return the seed that opens the commitment of a line, stored or revealed anywhere; else any."""
        kept = kept_seed(self.store)
        opening = next(iter(self.store.read(line, 0, 1)), None)
        fact = decode(opening) if opening is not None else None
        if not isinstance(fact, EncounterOpened) or (kept and commitment(kept) == fact.commitment):
            return kept
        if self.shown is None:
            try:
                self.shown = list(yield_revealed_seeds(self.store.read_all()))
            except (BrokenLog, NewerLog):  # perhaps on another line, whose own audit reports it
                self.shown = []
        opens = (seed for seed in self.shown if commitment(seed) == fact.commitment)
        return next(opens, None) or find_known_seed(self.store, line)
