"""Scenario files: a fight, or the start of one, as TOML.

A scenario names its dialect and options, draws the map, lists the combatants and may script
declarations with their dice and answers. Everything not scripted is played by seed and policy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from affray.engine.book import BadPackage, Book, read_folder, read_tables
from affray.engine.book.packages import dialect_folder, offered_dialects, shipped
from affray.engine.dialects import load
from affray.engine.dice import LeftoverDice, Scripted, Source, seed_of
from affray.engine.fight.memory import Mode
from affray.engine.kernel.sheets import expand_sheet, fault_of
from affray.engine.maps import map_in
from affray.engine.table import policies
from affray.engine.table.appending import Outcome
from affray.engine.table.policies import Answers
from affray.engine.table.scenario_parts import (
    BadScenario,
    Entrant,
    Line,
    NotationLine,
    Scenario,
    Sheets,
    converted,
    declare_script_line,
    packaged_sheets,
    place_named,
    read_sheets,
    read_text,
    read_toml,
    reading_of,
    spoken,
    whole_scenarios,
    with_custom_acts,
)
from affray.engine.table.scenario_parts import Start as Start
from affray.engine.table.table import Table, yield_unsupported_parts
from affray.engine.table.tactics import next_act, play_on
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts.acts import Enter
from affray.events.facts.base import JsonObject
from affray.events.facts.sheet import Sheet
from affray.events.stores.store import Store
from affray.events.validation import Unreadable, fitted


def read_scenario(path: str | Path, *, within: str | Path | None = None) -> Scenario:
    """Return the scenario of a file. Raises BadScenario.

    Files that it names (`map`, `sheets_from`, `tables`) must lie under its own folder, or under `within`.

    >>> from affray.engine import read_scenario
    >>> read_scenario("docs/examples/ambush.toml").dialect
    'srd35'
    """
    return parse_scenario(read_text(path), str(path), within=within)


def parse_scenario(text: str, where: str = "scenario", *, within: str | Path | None = None) -> Scenario:
    """Return the scenario that a TOML text describes. Raises BadScenario.

    `where` is the path of the file, from whose folder those are sought that it names (see `read_scenario`).

    >>> from affray.engine import parse_scenario
    >>> fight = parse_scenario('''
    ... dialect = "srd35"
    ... map = ["......"]
    ... combatants = [{id = "gharm", side = "monsters", use = "ogre", at = [2, 0]}]
    ... ''')
    >>> fight.combatants[0].id
    'gharm'
    """
    raw = read_toml(text, where)
    script = raw.pop("script") if isinstance(raw.get("script"), str) else ""
    scenario = scenario_in(raw, where)
    if not scenario.dialect:
        raise BadScenario(f"{where}: `dialect` is missing")
    files = _Files(where, within)
    return _with_script(files.tables(files.map(files.sheets(scenario))), script, where)


def scenario_in(raw: JsonObject, where: str) -> Scenario:
    """Return the scenario of a file's data. Raises BadScenario, with the id of the combatant it is about."""
    try:
        scenario: Scenario = fitted(with_custom_acts(raw), Scenario)
    except Unreadable as error:
        fault = str(error)
        if entry := re.search(r"\bcombatants\[(\d+)\]", fault):
            entrant = raw["combatants"][int(entry[1])]
            fault = naming(str(entrant.get("id", "")), fault) if isinstance(entrant, dict) else fault
        raise BadScenario(f"{where}: {fault}") from None
    return scenario


def naming(id: str, reason: str) -> str:
    """Return why a combatant cannot enter, after its id if the reason does not contain that."""
    is_named = not id or re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", reason)
    return reason if is_named else f"{id}: {reason}"


def _with_script(scenario: Scenario, script: str, where: str) -> Scenario:
    """Return the scenario with a script that is given in the notation of combat. Raises BadScenario."""
    if not script:
        return scenario
    lines = tuple(
        NotationLine(one.act, said=one) for one in spoken(script, scenario.dialect, scenario.sheets, where)
    )
    return msgspec.structs.replace(scenario, script=lines)


class _Files:
    """The files that the file `where` names, under its own folder or under `within`."""

    def __init__(self, where: str, within: str | Path | None) -> None:
        self._where = where
        self._within = None if within is None else Path(within)

    def map(self, scenario: Scenario) -> Scenario:
        """Return the scenario with the map of the file that it names. Raises BadScenario."""
        if not isinstance(scenario.map, str):
            return scenario
        path, folder = place_named(scenario.map, self._where, self._within)
        plan = map_in(path, scenario.barriers, scenario.ground, folder)
        return msgspec.structs.replace(scenario, map=plan.map, barriers=plan.barriers, ground=plan.ground)

    def sheets(self, scenario: Scenario) -> Scenario:
        """Return the scenario with the sheets of the file that it names below its own. Raises BadScenario."""
        if not scenario.sheets_from:
            return scenario
        sheets = {**self.sheets_in(scenario.sheets_from), **scenario.sheets}
        return msgspec.structs.replace(scenario, sheets=sheets, sheets_from="")

    def sheets_in(self, name: str) -> Sheets:
        """Return the sheets of a file. Raises BadScenario."""
        return read_sheets(name, self._where, self._within)

    def tables(self, scenario: Scenario) -> Scenario:
        """Return the scenario with the tables of its folder read. Raises BadScenario."""
        if not isinstance(scenario.tables, str):
            raise BadScenario(f"{self._where}: `tables` names a folder")
        if not scenario.tables:
            return scenario
        path, folder = place_named(scenario.tables, self._where, self._within)
        try:
            rows = read_folder(path, read_tables(scenario.dialect), folder)
        except AffrayError as fault:
            raise BadScenario(f"{self._where}: {fault}") from fault
        return msgspec.structs.replace(scenario, tables=rows)


def read_scenarios(path: str | Path, *, within: str | Path | None = None) -> list[Scenario]:
    """Return the scenarios of a table file, each with what the file shares. Raises BadScenario.

    A file shares its dialect, sheets, openings and other keys. `within` is that of `read_scenario`.
    """
    where = str(path)
    raw = read_toml(read_text(path), where)
    wholes = list(whole_scenarios(raw, where))
    files = _Files(where, within)
    shared = files.sheets_in(raw["sheets_from"]) if raw.get("sheets_from") else {}
    found = []
    for place, one in wholes:
        script = one.pop("script") if isinstance(one.get("script"), str) else ""
        scenario = files.map(files.sheets(scenario_in(one, place)))
        sheets = {**shared, **raw.get("sheets", {}), **scenario.sheets}
        dialect = scenario.dialect or raw["dialect"]
        whole = files.tables(msgspec.structs.replace(scenario, dialect=dialect, sheets=sheets))
        found.append(_with_script(whole, script, where))
    return found


def packaged_names() -> tuple[str, ...]:
    """Return the names of the fights that can be played by name, in alphabetical order.

    Those that ship with Affray, and those of packages: DIALECT.FIGHT for `fights/FIGHT.toml` in the folder of
    a dialect. A package that cannot be used has none.
    """
    files = resources.files("affray.engine").joinpath("scenarios").iterdir()
    names = [file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")]
    found = [name for name in names if not name.startswith("sheets_")]
    for dialect in offered_dialects():
        with suppress(BadPackage):
            found += fights_of(dialect)
    return tuple(sorted(found))


FIGHTS: Final = "fights"
"""The folder of fights in the folder of a package with a dialect."""


def fights_of(dialect: str) -> dict[str, Path]:
    """Return the fights of a dialect from a package: name -> file. Raises BadPackage."""
    files = sorted((dialect_folder(dialect) / FIGHTS).glob("*.toml"))
    return {f"{dialect}.{file.stem}": file for file in files}


def demo_name(dialect: str) -> str:
    """Return the name of the fight that shows a dialect. Raises BadScenario if its package has none."""
    if dialect in shipped():
        return f"demo_{dialect}"
    name = f"{dialect}.demo"
    if name not in fights_of(dialect):
        file = dialect_folder(dialect) / FIGHTS / "demo.toml"
        raise BadScenario(f"{dialect} has no fight to show: its package lacks {file}")
    return name


def packaged(name: str) -> Scenario:
    """Return a fight by its name (`packaged_names`). Raises BadScenario for an unknown name.

    >>> from affray.engine import packaged
    >>> packaged("toll").title
    'The toll at the ford'
    """
    dialect, dot, _ = name.rpartition(".")
    if dot and dialect in offered_dialects():
        return _of_package(dialect, name)
    file = resources.files("affray.engine").joinpath("scenarios", f"{name}.toml")
    if not name.isidentifier() or not file.is_file():
        raise BadScenario(f"no packaged scenario {name!r}{did_you_mean(name, packaged_names())}")
    return parse_scenario(file.read_text(encoding="utf-8"), f"{name}.toml")


def _of_package(dialect: str, name: str) -> Scenario:
    known = fights_of(dialect)
    if name not in known:
        raise BadScenario(f"{dialect} has no fight {name!r}{did_you_mean(name, known)}")
    scenario = read_scenario(known[name], within=dialect_folder(dialect))
    if scenario.dialect != dialect:
        raise BadScenario(
            f"{known[name]}: its dialect is {scenario.dialect}, not {dialect}, that of the package"
        )
    return scenario


def sheet_of(scenario: Scenario, entrant: Entrant) -> Sheet:
    """Return the sheet of an entrant: its own or the named one, with its changes. Raises BadScenario."""
    raw = dict(entrant.sheet)
    if entrant.use:
        sheets = {**packaged_sheets(scenario.dialect), **scenario.sheets}
        if entrant.use not in sheets:
            meant = did_you_mean(entrant.use, sorted(sheets))
            raise BadScenario(f"{scenario.name}: {entrant.id} uses no known sheet: {entrant.use!r}{meant}")
        raw = {**sheets[entrant.use], **raw}
    sheet: Sheet = converted(
        expand_sheet({**raw, **entrant.change}), Sheet, f"{scenario.name}: sheet of {entrant.id}"
    )
    if fault := fault_of(sheet):
        raise BadScenario(f"{scenario.name}: {entrant.id}: {fault}")
    return sheet


def fixed_seed(scenario: Scenario) -> bytes:
    """Return the seed of a scenario's dice, that of its name if it gives none: no two runs of it differ."""
    return seed_of(scenario.seed or scenario.name)


def set_up(
    scenario: Scenario,
    store: Store,
    *,
    seed: bytes | None = None,
    answers: Answers | None = None,
    changes: Mapping[str, object] | None = None,
    watch: Callable[[Outcome], None] | None = None,
    memory: Mode | bool = True,
    salted: bool = True,
) -> Table:
    """Open the encounter and bring the combatants in, but do not begin. Raises BadScenario.

    >>> from affray.engine import acts, packaged, set_up
    >>> from affray.events import MemoryStore
    >>> table = set_up(packaged("demo_srd35"), MemoryStore())
    >>> table.declare(acts.Begin()).refused is None
    True
    """
    load(scenario.dialect, changes)  # a wrong name is reported before its consequences
    options = {name: reading_of(value) for name, value in scenario.options.items()}
    if seed is None:
        seed = seed_of(scenario.seed) if scenario.seed else None
    entrants = [(entrant, sheet_of(scenario, entrant)) for entrant in scenario.combatants]
    table = Table.create(
        store,
        dialect=scenario.dialect,
        terrain=scenario.map,
        barriers=scenario.barriers,
        ground=scenario.ground,
        name=scenario.title or scenario.name,
        options=options,
        seed=seed,
        answers=answers,
        changes=changes,
        tables=scenario.tables if isinstance(scenario.tables, dict) else None,
        house_rules=scenario.house_rules,
        memory=memory,
        salted=salted,
    )
    refused = []
    for entrant, sheet in entrants:
        outcome = table.declare(
            Enter(
                id=entrant.id,
                side=entrant.side,
                sheet=sheet,
                at=entrant.at,
                hp=entrant.hp,
                nonlethal=entrant.nonlethal,
                conditions=entrant.conditions,
                held=entrant.held,
                initiative=entrant.initiative,
                acted=entrant.acted,
                policy=entrant.policy,
                riding=entrant.riding,
                by=tuple(entrant.by.items()),
                levels=tuple(entrant.levels.items()),
                losses=tuple(entrant.losses.items()),
                used=tuple(entrant.used.items()),
                grapples=entrant.grapples,
                grip=entrant.grip,
                unloaded=entrant.unloaded,
            )
        )
        if outcome.refused is not None:
            refused.append(naming(entrant.id, outcome.refused.reason))
            continue
        if outcome.waiting is not None:
            reason = f"{outcome.waiting.question} Say it among the conditions of {entrant.id}"
            raise BadScenario(f"{scenario.name}: {reason}")
        if watch is not None:
            watch(outcome)
    if refused:
        raise BadScenario(f"{scenario.name}: {'; '.join(refused)}")
    return table


def play(
    scenario: Scenario,
    store: Store,
    *,
    seed: bytes | None = None,
    answers: Answers | None = None,
    watch: Callable[[Outcome], None] | None = None,
    strict: bool = False,
    changes: Mapping[str, object] | None = None,
    memory: Mode | bool = True,
) -> Table:
    """Play a scenario into an empty store; return the table where it ends, or waits.

    `watch` is called with every outcome. Scripted dice and answers must be used up. With `strict`,
    rolls that no script covers are an error. `memory` is the table's. Raises BadScenario, LeftoverDice,
    DiceExhausted.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> table = play(packaged("demo_srd35"), MemoryStore())
    >>> table.state.round
    6
    """
    table = set_up(scenario, store, seed=seed, answers=answers, changes=changes, watch=watch, memory=memory)
    policy = table.answers
    start = scenario.begin
    begin = start.act()
    opening = Line(begin, scenario.dice, scenario.choose)
    for line in (opening, *scenario.script):
        outcome = play_line(table, line, strict=strict)
        if line is opening:
            refuse_no_beginning(scenario, outcome)
        if watch is not None:
            watch(outcome)
        if outcome.waiting is not None:
            return table
    table.use(None, policy)
    if scenario.auto:
        play_on(table, scenario.auto, watch)
    return table


def refuse_no_beginning(scenario: Scenario, outcome: Outcome) -> None:
    """Raise BadScenario if the fight cannot begin, unless the scenario expects that."""
    if outcome.refused is not None and not scenario.expect:
        raise BadScenario(f"{scenario.name}: {outcome.refused.reason}")


def play_line(table: Table, line: Line, *, strict: bool = False, spare: list[str] | None = None) -> Outcome:
    """Declare one scripted line with its dice and answers, all of which must be used up.

    Dice and answers may be left over if the fight waits in the middle of the line or the rules refuse it.
    With `spare` leftovers are listed there instead of being an error. Raises BadScenario where automatic play
    should continue but at most one side has combatants up.
    """
    if isinstance(line, NotationLine) and line.said is not None:
        return declare_script_line(table, line.said, strict=strict, spare=spare)
    act = line.do if line.do is not None else next_act(table)
    if act is None:
        raise BadScenario("a line without `do`, but automatic play has nothing left to declare")
    seeded = table.seeded
    dice: Source = seeded
    scripted = None
    if not isinstance(line.dice, str):
        scripted = dice = Scripted(line.dice, None if strict else seeded)
    elif strict and line.dice != "seed":
        scripted = dice = Scripted([], None)
    answers, script = table.answers, None
    if line.choose:
        script = policies.Scripted(line.choose, answers)
        table.use(dice, script)
    else:
        table.use(dice)
    try:
        outcome = table.declare(act, "" if line.do is not None else "tactics")
    finally:
        table.use(None, answers)
    if outcome.waiting is not None or (outcome.refused is not None and spare is None):
        return outcome
    for check in (scripted and scripted.check_empty, script and script.check_empty):
        try:
            if check:
                check()
        except (LeftoverDice, policies.LeftoverAnswers) as left:
            if spare is None:
                raise
            spare.append(str(left))
    return outcome


# --- A scenario of one rulebook, converted to another


def under(scenario: Scenario, dialect: str) -> tuple[Scenario, list[str]]:
    """Return a scenario under another rulebook, and in sentences the parts that are lost.

    Its sheets are written out with their values under its own rulebook, its script and dice stay. Left out
    are readings and tables that the other rulebook does not know, and the script's expectations.  Raises
    UnknownDialect, BadScenario.
    """
    if scenario.dialect == dialect:
        return scenario, []
    book = Book.load(dialect)
    readings = {name: reading_of(value) for name, value in scenario.options.items()}
    known = book.known_readings(readings)
    carried = replace(
        scenario,
        dialect=dialect,
        combatants=tuple(_written_out(scenario, one) for one in scenario.combatants),
        options=dict(known),
        tables="",
        house_rules=(),
        expect=[],
        after={},
        cites=(),
        script=tuple(
            line if isinstance(line, NotationLine) else Line(line.do, line.dice, line.choose)
            for line in scenario.script
        ),
    )
    left = yield_unsupported_parts(
        scenario.dialect,
        readings={*readings} - {*known},
        tables=scenario.tables,
        house_rules=scenario.house_rules,
    )
    return carried, list(left)


def _written_out(scenario: Scenario, one: Entrant) -> Entrant:
    return replace(one, use="", change={}, sheet=to_builtins(sheet_of(scenario, one)))
