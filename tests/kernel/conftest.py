"""The old-school example, installed as a package is."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import run
from tests.house.test_house_rules import install

__all__ = ["run"]

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "old-school"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the example is installed."""
    into = tmp_path_factory.mktemp("site")
    install(EXAMPLE, into, tmp_path_factory.mktemp("work"))
    return into


@pytest.fixture
def oldschool(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of the example, which this process finds as long as the test runs."""
    monkeypatch.syspath_prepend(site)
    yield "oldschool"
    for name in [one for one in sys.modules if one.partition(".")[0] == "oldschool"]:
        del sys.modules[name]
