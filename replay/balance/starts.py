"""The moment from which the fights of a cell are played: the fight with the cell's values in it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.table.scenario_parts import reading_of
from affray.events.codec import decode
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts.acts import Begin, Enter
from affray.events.facts.declared import AnyAct, Declared, Refused
from affray.events.store import Store
from affray.projections.fold import apply, fold
from affray.projections.state import Encounter, duplicate
from affray.replay.balance.axes import (
    ARMOR,
    PLACE,
    SHEET,
    WEAPON,
    Axis,
    BadAxis,
    armor_class,
    entering,
    figure_value,
    value_there,
    with_value,
)
from affray.replay.branch import declarable_after
from affray.replay.fight_over import fight_over
from affray.replay.groups import group_of, groups
from affray.replay.odds import Scratch
from affray.replay.playhead import state_at

SETTING_UP = b"the fight is set up"
"""The seed of dice that fall before a fight begins, the same in each cell."""


class Start(Struct, frozen=True):
    """Where a cell's fights are played from: a state, the declaration that begins it, changed figures."""

    state: Encounter
    begin: Begin | None
    figures: dict[str, Any]


class CannotBe(AffrayError):
    """The rules refuse a cell: somebody cannot enter so."""


class Beginnings:
    """The starts of a grid's cells: from before the fight began, or from a position of a line.

    From the beginning everybody enters anew, with other sheets where an axis says so, and rolls initiative.
    From a position on, sheets are exchanged there: hit points, and what was done, stay.
    """

    def __init__(self, store: Store, branch: str, position: str) -> None:
        """Read the line. Raises AffrayError if there is nothing to play on, BadPosition."""
        self.seq = 0
        self.acts: list[Declared] = []
        self.begin: Begin | None = None
        if position:
            after = max(1, declarable_after(store, branch, position))
            self.seq = group_of(store, branch, after)[-1].seq
            self.state = state_at(store, branch, self.seq)
            if self.state.pending is not None:
                told = f"the fight waits at event {self.seq} ({self.state.pending.question}): answer it first"
                raise AffrayError(told)
            if not self.state.begun or self.state.closed:
                raise AffrayError(f"there is nothing to play on at event {self.seq}: the fight is not on")
            self.whole = self.state
            return
        self.state = Encounter()
        for group in groups(store.read(branch)):
            facts = [decode(event) for event in group]
            first = facts[0]
            if (
                isinstance(first, Declared)
                and isinstance(first.act, Begin)
                and type(facts[-1]) is not Refused
            ):
                self.begin = first.act
                break
            if not isinstance(first, Declared):
                for fact in facts:
                    apply(self.state, fact)
            elif type(facts[-1]) is not Refused:
                self.acts.append(first)
            self.seq = group[-1].seq
        if not self.state.dialect or not any(isinstance(one.act, Enter) for one in self.acts):
            raise AffrayError("nobody has entered this fight: there is nothing to play")
        self.begin = self.begin or Begin()
        self.whole = fold(store.read(branch, upto=self.seq))

    def start(self, chosen: Sequence[tuple[Axis, str]]) -> Start:
        """Return the start of a cell. Raises CannotBe, BadAxis, BadFigure, UnreadFigure."""
        plain = fight_over(self.state, None)
        figures = {
            axis.name: value
            for axis, said in chosen
            if axis.kind == "figure"
            for value in [figure_value(axis, said, plain.dialect.book)]
            if str(value) != value_there(axis, plain.dialect.book, self.state)
        }
        state = duplicate(self.state)
        state.options.update({axis.name: reading_of(said) for axis, said in chosen if axis.kind == "reading"})
        fight = fight_over(state, None, figures)
        fight.dialect.book.check_changes(state.options)
        sheets = [(axis, said) for axis, said in chosen if axis.kind == "sheet"]
        if self.begin is None:
            self._exchange(fight, sheets)
        else:
            self._set_up(fight, sheets)
        return Start(fight.state, self.begin, figures)

    def _exchange(self, fight: Fight, sheets: Iterable[tuple[Axis, str]]) -> None:
        state = fight.state
        for axis, said in sheets:
            if axis.name in (SHEET, PLACE):
                raise BadAxis(f"{axis.said}: somebody enters so; leave --at out, to play from the beginning")
            one = state.combatants[axis.who]
            total = armor_class(fight, axis.who) if axis.name == ARMOR else 0
            one.sheet = with_value(axis, said, one.sheet, state.dialect, total)
            fight.memory.touch_everything()

    def _set_up(self, fight: Fight, sheets: Sequence[tuple[Axis, str]]) -> None:
        table = Scratch(fight)
        table.again(SETTING_UP)
        for declared in self.acts:
            act = declared.act
            if isinstance(act, Enter):
                mine = [(axis, said) for axis, said in sheets if axis.who == act.id]
                # A whole sheet first: the other axes vary what it says.
                for axis, said in sorted(mine, key=lambda one: one[0].name != SHEET):
                    total = self._armor_class(act, declared, table) if axis.name == ARMOR else 0
                    act = entering(axis, said, act, table.state.dialect, total)
            refused = table.declare(act, declared.by).refused
            if refused is not None:
                raise CannotBe(refused.reason + _meant(declared.act, sheets))

    def _armor_class(self, act: Enter, declared: Declared, table: Scratch) -> int:
        """Return the Armor Class that somebody would have, entering so."""
        apart = Scratch(fight_over(duplicate(table.state), None, _changes(table)))
        apart.again(SETTING_UP)
        refused = apart.declare(act, declared.by).refused
        if refused is not None:
            raise CannotBe(refused.reason)
        return armor_class(apart.fight, act.id)


def _meant(act: AnyAct, sheets: Iterable[tuple[Axis, str]]) -> str:
    """Return the nearest weapon that somebody has, where one was named that there is not."""
    if not isinstance(act, Enter) or act.sheet is None:
        return ""
    names = [weapon.name for weapon in act.sheet.weapons]
    unknown = [
        said for axis, said in sheets if (axis.who, axis.name) == (act.id, WEAPON) and said not in names
    ]
    return did_you_mean(unknown[0], names) if unknown else ""


def _changes(table: Scratch) -> dict[str, Any]:
    changes: Mapping[str, Any] = table.fight.dialect.book.changes
    return dict(changes)
