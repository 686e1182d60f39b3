"""The scenarios of all dialects, each file parsed once in a process."""

from functools import lru_cache
from pathlib import Path

from affray.engine.book.catalogue import SeenInPlay, read_seen
from affray.engine.chapters import tables_in
from affray.engine.table.scenario import read_scenarios
from affray.engine.table.scenario_parts import Scenario
from affray.engine.vocabulary import undeclared
from tests.referee.referee import judged
from tests.scenarios.plays import Play, checked

HERE = Path(__file__).parent
DIALECTS = sorted(entry for entry in HERE.iterdir() if entry.is_dir() and entry.name != "__pycache__")

HOW = "run python tests/house/seen_in_play.py, then python tests/house/word_docs.py"

seen_in_play = lru_cache(None)(read_seen)


@lru_cache(None)
def scenarios_in(file: Path) -> tuple[tuple[str, Scenario], ...]:
    """Return the scenarios of a file with their titles ("srd35/trip: a touch that misses ends it")."""
    dialect = file.relative_to(HERE).parts[0]
    found = read_scenarios(file, within=HERE / dialect)
    return tuple((f"{dialect}/{file.stem}: {one.name}", one) for one in found)


@lru_cache(None)
def all_cases() -> tuple[tuple[str, Scenario], ...]:
    """Return all scenarios with their titles: by dialect, then by the name of the file."""
    return tuple(case for folder in DIALECTS for file in tables_in(folder) for case in scenarios_in(file))


def cases_of(dialect: str) -> dict[str, Scenario]:
    """Return the scenarios of a dialect by title."""
    return {title: case for title, case in all_cases() if case.dialect == dialect}


def play_case(title: str, scenario: Scenario) -> Play:
    """Play a scenario; raise AssertionError if it differs from its table, to the last die.

    The referee, which reads only the events, must have no objection to its log, and the rolls and questions
    must be those that the dialect lists. The campaign on memory (tests/campaigns/modes.py) plays it again
    checked, uncached and reopened.
    """
    play, store = checked(title, scenario)
    objections = judged(event.data for event in store.read("main"))
    assert not objections, "\n".join(map(str, objections))
    rolls = [one.name for one in play.everything if one.kind == "rolls"]
    answers = [(one.name, option) for one in play.everything for option in one.options]
    assert not undeclared(scenario.dialect, rolls, answers)
    seen = seen_in_play(scenario.dialect)
    assert all(one.name in getattr(seen.get(one.act, SeenInPlay()), one.kind) for one in play.everything), HOW
    return play
