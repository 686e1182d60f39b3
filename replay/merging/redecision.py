"""Decide one line again with all changes made by hand on several, each in its place."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct, field

from affray.engine.dice import Notation
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.language.names import People
from affray.engine.steps import Choice
from affray.engine.table.policies import Answers
from affray.engine.table.runner import refusal_of
from affray.events.envelope import Entry
from affray.events.errors import AffrayError
from affray.events.facts.flow import Invalidated, Refused
from affray.projections.state import Encounter, duplicate
from affray.replay.log.declarations import Script
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.merging.lines import Change
from affray.replay.redecide.redecide import BranchWriter, Reach
from affray.replay.redecide.rulings import Ruling, Sorted, amended, concerned, facts_of, sort


class Broken(Exception):
    """A declaration cannot be decided with its changes."""


class Merging(BranchWriter):
    """A line being decided again that makes every change before its declaration.

    `at` are the changes by the declaration before which they come; `failed` is the reason a change has no
    object, by the number of its place in the line. Questions in `left_open` are not answered: the line waits.
    """

    at: Mapping[str, Sequence[Change]]
    failed: dict[int, str]
    left_open: Collection[str] = ()

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the results of a key; None for a roll that is pending on a branch, and made on none."""
        return None if key in self.left_open else super().throw(key, notation)

    def answer(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the answer to a key; None for a question pending on a branch and answered on none."""
        if key in self.left_open and key not in self.ruled.choices:
            return None
        return super().answer(fight, key, choice)

    def play(self, script: Script) -> None:
        """Decide a recorded group again, after the changes before it."""
        changes = self.at.get(script.id, ()) if script.id else ()
        for change in changes:
            self.make(change, script)
        try:
            super().play(script)
        except AffrayError as error:
            if not changes:
                raise
            for change in changes:
                self.failed.setdefault(change.place, str(error))
            raise Broken from error
        for change in changes:
            # A purpose alone ("attack") means the roll of this declaration, and again that of the next
            # ruling's.
            for roll in [roll for roll in change.sorted.words if "/" not in roll]:
                if self.worded.pop(roll, self) is self and self.waiting is None:
                    self.failed.setdefault(change.place, f"no roll of {script.id} is for {roll}")
                self.ruled.words.pop(roll, None)

    def make(self, change: Change, script: Script | None) -> None:
        """Make a change before the next declaration, None at the end."""
        ruling = change.ruling
        if ruling is not None:
            subject = script.id if script is not None and change.subject else ""
            try:
                self._make(ruling, subject, script)
            except AffrayError as error:
                self.failed[change.place] = str(error)
        elif change.options is not None:
            self.options(change.options.options, change.options.by, mine=False, cites=change.options.cites)
        elif change.beside is not None:
            super().play(change.beside)

    def _make(self, ruling: Ruling, subject: str, script: Script | None) -> None:
        changes = sort(ruling)
        self.fight.dialect.book.check_readings(changes.options)
        facts = facts_of(self.fight, ruling, subject or "fight")
        if ruling.void and script is not None and type(script.facts[-1]) not in (Refused, Invalidated):
            refusal = refusal_of(self.fight, script.facts[0])
            if refusal is not None:
                raise AffrayError(f"{subject} is no longer possible: {refusal.reason}")
        self.ruled.words.update({roll: word for roll, word in changes.words.items() if "/" not in roll})
        self.rules.update(changes.cited(ruling.rule))
        self.rule(ruling, subject, facts)


class Attempt(Struct):
    """The result of deciding a line with some changes: the new line, and the changes without a place."""

    again: Merging
    left: list[str]
    failed: dict[int, str]

    @property
    def entries(self) -> list[Entry]:
        """The entries to record."""
        return self.again.entries

    @property
    def state(self) -> Encounter:
        """The state at its end."""
        return self.again.fight.state


class Base(Struct):
    """The common part of all attempts: the state there, and the declarations after it."""

    state: Encounter
    after: int
    line: list[Script]
    people: People
    ids: set[str]
    seed: bytes | None
    answers: Answers
    leave_open: bool = False
    earlier: list[str] = field(default_factory=list)
    open: Collection[str] = ()

    def attempt(self, changes: Iterable[Change]) -> Attempt:
        """Decide the line again with these changes, in this order if they are about one declaration."""
        line, at, end, failed = self._arranged(changes)
        made = [change for found in (*at.values(), end) for change in found]
        known, new = {id(script.facts[0]) for script in self.line}, {script.id for script in self.line}
        ruled, rules = _together(made)
        again = Merging(
            make_fight_context(duplicate(self.state), self.seed),
            self.after,
            {key: faces for change in made for key, faces in change.faces.items()},
            self.answers,
            self.seed,
            {*self.ids, *(script.id for script in line)},
            lambda: self.earlier,
            ruled=ruled,
            rules=rules,
            leave_open=self.leave_open,
            amended=[script.id for script in line if id(script.facts[0]) not in known],
            inserted={script.id for script in line if script.id} - new,
        )
        again.at, again.failed, again.left_open = at, failed, self.open
        reach = Reach(again, line)
        with suppress(Broken):
            reach.run()
        if again.waiting is None and not reach.queue:
            for change in end:
                again.make(change, None)
            self._unused(again, made)
        return Attempt(again, [script.id for script in reach.queue if script.id], failed)

    def _arranged(
        self, changes: Iterable[Change]
    ) -> tuple[list[Script], dict[str, list[Change]], list[Change], dict[int, str]]:
        """Return the amended line, the changes by declaration and at its end, and those without a place."""
        line, ids = list(self.line), set(self.ids)
        at: dict[str, list[Change]] = {}
        end, failed = list[Change](), dict[int, str]()
        for change in changes:
            anchor, found = change.anchor, change.sorted
            try:
                if found.amendments and change.ruling is not None:
                    first = concerned(found.amendments, line)
                    line = amended(line, found.amendments, self.people, ids, change.ruling.rule or "what-if")
                    places = [at for at, script in enumerate(line) if script.id == anchor]
                    anchor = line[min((first, *places))].id
            except AffrayError as error:
                failed[change.place] = str(error)
                continue
            if any(script.id == anchor for script in line if anchor):
                at.setdefault(anchor, []).append(change)
            elif change.subject or change.faces or change.revived:
                failed[change.place] = f"{change.subject or anchor} is not declared there"
            else:
                end.append(change)
        return line, at, end, failed

    def _unused(self, again: Merging, made: Iterable[Change]) -> None:
        for change in made:
            found = change.sorted
            unused = [key for key in found.faces if key not in again.overridden]
            unused += [key for key in found.choices if key not in again.chosen]
            unused += [roll for roll in found.words if "/" in roll and roll not in again.worded]
            if unused:
                again.failed.setdefault(change.place, f"{unused[0]} is no longer asked for")
            for id in found.revived:
                if id not in again.revived:
                    why = again.refused.get(id, ("it is not declared", ""))[0]
                    again.failed.setdefault(change.place, f"{id} is not revived: {why}")


def _together(changes: Iterable[Change]) -> tuple[Sorted, dict[str, str]]:
    """Return the dice, answers and revived declarations of all changes, and the ruling of each."""
    ruled, rules = Sorted(), dict[str, str]()
    for change in changes:
        if change.ruling is None:
            ruled.revived += change.sorted.revived
            continue
        found = change.sorted
        ruled.faces |= found.faces
        ruled.choices |= found.choices
        ruled.revived += found.revived
        ruled.words |= {roll: word for roll, word in found.words.items() if "/" in roll}
        rules |= found.cited(change.ruling.rule)
    return ruled, rules
