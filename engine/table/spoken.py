"""The script of a scenario in the notation of combat: its lines, and how one is declared at a table."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Protocol

from msgspec import Struct

from affray.engine.dice import Source
from affray.engine.notation.errors import NotationError
from affray.engine.notation.lines import Comment, Marker, Said
from affray.engine.notation.markers import check_marker
from affray.engine.notation.statements import statements
from affray.engine.notation.told import Told
from affray.engine.notation.words import act_of
from affray.engine.rules.classes.sheet_faults import fault_of, spelled_out
from affray.engine.table.outcome import Outcome
from affray.engine.table.packaged_sheets import packaged_sheets
from affray.engine.table.policies import Answers
from affray.engine.table.scenario_text import BadScenario, converted
from affray.events.facts.sheet import Sheet
from affray.projections.state import Encounter


class SaidHere(Struct, frozen=True):
    """A line of such a script: what is declared, which rounds and turns it must be, and where it stands."""

    said: Said
    act: Any
    markers: tuple[Marker, ...]
    where: str


class AtTable(Protocol):
    """What of a table a script declares at."""

    answers: Answers

    @property
    def state(self) -> Encounter:
        """What is true now."""
        ...

    @property
    def seeded(self) -> Source:
        """The encounter's own dice, by its seed."""
        ...

    def use(self, dice: Source | None = None, answers: Answers | None = None) -> None:
        """Take other dice or another policy from here on."""
        ...

    def declare(self, act: Any, by: str = "") -> Outcome:
        """Declare an act and append what comes of it."""
        ...


def spoken(text: str, dialect: str, sheets: Mapping[str, Any], where: str) -> Iterator[SaidHere]:
    """Yield the declarations of a script. Raises BadScenario with line, column and what was expected.

    Whoever enters in it has a sheet of `sheets` or of the library of the dialect.
    """
    named = partial(_sheet, {**packaged_sheets(dialect), **sheets}, where)
    markers: list[Marker] = []
    try:
        for one in statements(text):
            if isinstance(one, Said):
                if one.id:
                    raise NotationError(
                        one.line, one.columns["@"], "no id: a script counts its declarations itself"
                    )
                if one.verdict is not None:
                    raise NotationError(
                        one.line, one.column, "no verdict: the rules decide a script", one.verdict.word
                    )
                yield SaidHere(one, act_of(one, named), tuple(markers), where)
                markers.clear()
            elif isinstance(one, Marker):
                markers.append(one)
            elif not isinstance(one, Comment):
                raise NotationError(one.line, one.column, "a declaration, '== round' or a comment")
    except NotationError as error:
        raise BadScenario(f"{where}: script: {error}") from error


def _sheet(sheets: Mapping[str, Any], where: str, name: str) -> Sheet | None:
    if name not in sheets:
        return None
    sheet: Sheet = converted(spelled_out(sheets[name]), Sheet, f"{where}: sheet of {name}")
    if fault := fault_of(sheet):
        raise BadScenario(f"{where}: {name}: {fault}")
    return sheet


def declare_said(table: AtTable, one: SaidHere, *, strict: bool, spare: list[str] | None) -> Outcome:
    """Declare a line of the script with its dice and answers, all of which must be used up.

    What it leaves unknown is thrown by the table's own dice, unless `strict`, and answered as at the table.
    With `spare` what is left is told there, and no fault. Raises BadScenario.
    """
    answers, said = table.answers, one.said
    told = Told(said, None if strict else table.seeded, answers, "scripted", "script")
    try:
        for marker in one.markers:
            check_marker(marker, table.state)
        table.use(told, told.answer)
        outcome = table.declare(one.act, said.by)
    except NotationError as error:
        raise BadScenario(f"{one.where}: script: {error}") from error
    finally:
        table.use(None, answers)
    if outcome.waiting is None and outcome.refused is None:
        try:
            told.check_empty()
        except NotationError as error:
            if spare is None:
                raise BadScenario(f"{one.where}: script: {error}") from error
            spare.append(str(error))
    return outcome


def scripts_in(raw: Any) -> list[str]:
    """Take the scripts that are given as texts out of the raw scenarios of a file; "" for each other one."""
    listed = raw.get("scenario")
    if not isinstance(listed, list):
        return []
    return [
        one.pop("script") if isinstance(one, dict) and isinstance(one.get("script"), str) else ""
        for one in listed
    ]
