"""A scenario of one rulebook, made ready to be played under another."""

from msgspec import to_builtins
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.table.left_behind import left_behind
from affray.engine.table.scenario import Entrant, Line, Scenario, Spoken, sheet_of
from affray.engine.table.scenario_text import reading_of


def under(scenario: Scenario, dialect: str) -> tuple[Scenario, list[str]]:
    """Return a scenario under another rulebook, and in sentences what of it stays behind.

    Its sheets are written out as they are under its own, its script and dice stay. Left out are readings
    and tables that the other rulebook does not know, and what the script expects of outcomes. Raises
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
            line if isinstance(line, Spoken) else Line(line.do, line.dice, line.choose)
            for line in scenario.script
        ),
    )
    left = left_behind(
        scenario.dialect,
        readings={*readings} - {*known},
        tables=scenario.tables,
        house_rules=scenario.house_rules,
    )
    return carried, list(left)


def _written_out(scenario: Scenario, one: Entrant) -> Entrant:
    return replace(one, use="", change={}, sheet=to_builtins(sheet_of(scenario, one)))
