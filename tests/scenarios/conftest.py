"""Scenario files as tests: `pytest tests/scenarios/srd35/maneuvers/trip.toml -k touch`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.engine.table.scenario_parts import Scenario
from affray.events.errors import AffrayError
from tests.scenarios.plays import Plays


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "ScenarioFile | None":
    """Collect the scenarios of a table in a chapter of a dialect."""
    if file_path.suffix == ".toml" and len(file_path.relative_to(Path(__file__).parent).parts) == 3:
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


class ScenarioFile(pytest.File):
    """A file of scenarios."""

    def collect(self) -> Iterator["ScenarioItem"]:
        """Yield the scenarios, each with the line of its name."""
        from tests.scenarios.cases import scenarios_in  # the rules are loaded only where scenarios are played

        lines = iter(_lines_of_names(self.path.read_text()))
        for title, scenario in scenarios_in(self.path):
            yield ScenarioItem.from_parent(self, name=title, scenario=scenario, line=next(lines, 1))


def _lines_of_names(text: str) -> list[int]:
    """Return the numbers of the lines that begin a scenario."""
    begins = ("[[scenario]]", "[scenario.")
    return [number for number, line in enumerate(text.splitlines(), 1) if line.startswith(begins)]


class ScenarioItem(pytest.Item):
    """A scenario that is played and compared with its table."""

    def __init__(self, *, scenario: Scenario, line: int, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]
        self.scenario, self.line = scenario, line

    def runtest(self) -> None:
        """Play it, and write the play down for the tests that ask about all plays."""
        from tests.scenarios.cases import play_case

        Plays.of_session().add(play_case(self.name, self.scenario))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """Return the file, the line and the message of a failure, without the source of what compares."""
        if isinstance(excinfo.value, AssertionError | AffrayError):
            return f"{self._where}: {self.name}\n{excinfo.value}"
        return f"{self._where}: {super().repr_failure(excinfo)}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line (counted from 0) and the title."""
        return self.path, self.line - 1, self.name

    @property
    def _where(self) -> str:
        return f"{self.path.relative_to(self.config.rootpath)}:{self.line}"
