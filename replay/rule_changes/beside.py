"""A recorded line decided beside itself with changed rules, until they part; and what follows from there."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from affray.engine.dialects import load
from affray.engine.dice import Notation
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.steps import Roll
from affray.engine.table.policies import Recorded, ask, by_combatant
from affray.engine.table.runner import refusal_of, resolve
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.facts.declared import Declared, Invalidated, Refused, Ruled
from affray.events.facts.flow import EncounterOpened, OptionsChanged
from affray.projections.fold import apply
from affray.projections.state import Encounter, duplicate
from affray.replay.groups import Recording
from affray.replay.reach import Reach
from affray.replay.redecide import Again
from affray.replay.rule_changes.change import Rules
from affray.replay.rule_changes.first_parting import first_apart
from affray.replay.scripts import scripts


class OtherRoll(Exception):
    """Changed rules ask for dice that were not thrown."""


class Thrown:
    """The dice of a declaration as they fell. Raises OtherRoll for any others."""

    def __init__(self, then: Any) -> None:
        self.then = then

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the recorded throw of these dice; None for a roll that the fight waits for."""
        try:
            found: Answer | None = self.then.throw(key, notation)
        except Exception as fault:
            raise OtherRoll from fault
        return found


class Beside:
    """Changed rules beside a record: `parted` holds the groups from the first on of which they make another.

    As long as both agree they share one state but for the readings and house rules that hold, so that what
    comes after the parting is the change's own.
    """

    def __init__(self, rules: Rules, seed: bytes | None) -> None:
        self.rules, self.seed = rules, seed
        self.fight: Fight | None = None
        self.before: Encounter | None = None
        self.parted: list[Sequence[Event]] = []
        self.voided: set[str] = set()

    def hear(self, group: Sequence[Event], facts: Sequence[Any]) -> None:
        """Decide the next group of the record, or take it up as it is where no rule decides it."""
        if self.parted:
            self.parted.append(group)
            return
        first = facts[0]
        if type(first) is Ruled and first.verdict == "void":
            self.voided.add(first.subject)
        if type(first) is Declared and self.fight is not None and first.id not in self.voided:
            before = duplicate(self.fight.state)
            if self._same(self.fight, first, group, facts):
                return
            self.before = before
            self.parted.append(group)
            return
        self._take(facts)

    def _take(self, facts: Sequence[Any]) -> None:
        """Let facts happen as recorded; the readings that the change is about stay what they are."""
        state = self.fight.state if self.fight is not None else Encounter()
        for fact in facts:
            apply(state, fact)
        if type(facts[0]) is EncounterOpened:
            state.packages = self.rules.packages
        if self.fight is None or type(facts[0]) is OptionsChanged:
            state.options.update(self.rules.readings)
            self.fight = self._over(state)
        else:
            self.fight.memory.touch_everything()

    def _over(self, state: Encounter) -> Fight:
        fight = Fight(state, load(state.dialect, self.rules.figures, state.tables, state.packages))
        fight.dialect.book.check_changes(state.options)
        fight.seed = self.seed.hex() if self.seed else ""
        return fight

    def _same(self, fight: Fight, first: Declared, group: Sequence[Event], facts: Sequence[Any]) -> bool:
        """Say whether the rules make of a declaration what was recorded, and let it happen if so."""
        last = facts[-1]
        if type(last) is Refused:
            apply(fight.state, first)
            refusal = refusal_of(fight, first)
            same = last.stays or (
                refusal is not None and (refusal.reason, refusal.rule) == (last.reason, last.rule)
            )
            apply(fight.state, last)
            fight.memory.touch_everything()
            return same
        ends = next((at for at, fact in enumerate(facts) if type(fact) in (Ruled, Invalidated)), len(facts))
        known = Recording.of(facts)
        heard: list[Any] = []
        try:
            result = resolve(
                fight,
                first,
                seq=group[0].seq,
                dice=Thrown(known.dice()),
                answers=Recorded(known.answers, ask),
                tell=heard.append,
            )
        except OtherRoll:
            return False
        heard = [fact for fact in heard if type(fact) is not Roll]
        if type(last) is Invalidated:
            refused = result.refused
            return refused is not None and (refused.reason, refused.rule) == (last.reason, last.rule)
        if len(heard) != ends or first_apart(heard, facts[:ends]) != ends:
            return False
        for fact in facts[ends:]:
            apply(fight.state, fact)
        if ends < len(facts):
            fight.memory.touch_everything()
        return True

    def onward(self) -> tuple[Again, list[list[Event]]]:
        """Decide all from the parting on with the changed rules, and return what came, by declaration.

        The same roll shows the same faces, the same question gets the same answer, others follow from the
        seed and the combatants' policies. Raises what the rules raise.
        """
        assert self.before is not None
        start = self.parted[0][0].seq - 1
        recorded = scripts(self.parted, self.before.active)
        again = Again(
            self._over(duplicate(self.before)),
            start,
            {},
            by_combatant(),
            self.seed,
            {one.id for one in recorded},
        )
        if self.rules.readings:
            again.options(self.rules.readings)  # those recorded later do not undo them
        skipped = len(again.entries)
        Reach(again, recorded).run()
        events = [
            Event("", start + number, made.type, made.version, made.round, made.turn, *_rest(made))
            for number, made in enumerate(again.entries, 1)
        ]
        return again, [list(group) for _, group in groupby(events[skipped:], key=lambda event: event.cause)]


def _rest(made: Any) -> tuple[str, int, bytes, bytes]:
    return made.actor, made.cause, made.data, b""


def decoded(group: Sequence[Event]) -> list[Any]:
    """Return the facts of a group."""
    return [decode(event) for event in group]
