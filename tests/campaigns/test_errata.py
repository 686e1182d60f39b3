"""The errata campaign in small: changes are put to a few logs, in the time that there is for them."""

from pathlib import Path

import pytest

from tests.campaigns.errata import CHANGES, CORES, measured, write

LOGS = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some logs, decided again once so that what is loaded only once is loaded."""
    place = tmp_path_factory.mktemp("logs")
    write(place, LOGS)
    measured(place, CHANGES["nothing"], 1)
    return place


@pytest.mark.parametrize("name", ["nothing", "reading", "figure"])
def test_a_change_takes_its_time(name: str, folder: Path) -> None:
    """A thousand logs have 60 s on two cores; a few have their share of it."""
    found = measured(folder, CHANGES[name], 1)
    assert found["logs"] == sum(found["states"].values()) == LOGS
    assert not {"fails", "cannot be read", "does not come out as recorded"} & {*found["states"]}
    assert found["processor"] <= LOGS * 60 * CORES / 1000
