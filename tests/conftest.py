"""What all tests share: the plays of scenarios, each written down once in a session."""

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import connections, server
from tests.scenarios.plays import FOLDER, Plays


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a session keep its plays, for another interpreter to compare with, and search a built site."""
    parser.addoption("--plays", type=Path, metavar="FOLDER", help="keep what came of each scenario there")
    parser.addoption("--site", type=Path, metavar="FOLDER", help="the built documentation, to be searched")


def pytest_configure(config: pytest.Config) -> None:
    """Hand tests out to the processes of xdist one by one, in their order, if nothing else is wished.

    By itself it gives each of two processes an eighth of them at once. The first eighth holds the campaigns,
    half of all the work: the other process would have done the rest, and wait.
    """
    if getattr(config.option, "maxschedchunk", 0) is None:
        config.option.maxschedchunk = 1
    connections.count()
    if not hasattr(config, "workerinput"):
        share_plays(config)
    leave_out_slow_tests(config)
    # How long an example takes depends on what else the machine does.
    settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("any machine")
    gc.disable()  # until the tests are collected: 15,000 of them, all tables, and nothing to find among them
    if sys.dont_write_bytecode and "PYTHONPYCACHEPREFIX" not in os.environ:
        compile_once(config)


def leave_out_slow_tests(config: pytest.Config) -> None:
    """Deselect the tests marked `slow` unless paths, `-k` or `-m` say what to run."""
    by_paths = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    if not (by_paths or config.option.keyword or config.option.markexpr):
        config.option.markexpr = "not slow"


def share_plays(config: pytest.Config) -> None:
    """Let all processes of the session write the plays of scenarios into one folder."""
    folder: Path | None = config.getoption("--plays")
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="affray-plays-"))
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ[FOLDER] = str(folder.absolute())


def compile_once(config: pytest.Config) -> None:
    """Let whatever the session starts find compiled modules where Python may leave none beside their source.

    Hundreds of processes are started, the tests' own included: each would compile the same modules anew.
    """
    folder = tempfile.mkdtemp(prefix="affray-compiled-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    del os.environ["PYTHONDONTWRITEBYTECODE"]
    os.environ["PYTHONPYCACHEPREFIX"] = folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests that ask about all plays last, when the scenarios have been played."""
    items.sort(key=lambda item: "all_plays" in getattr(item, "fixturenames", ()))


def pytest_collection_finish() -> None:
    """Tell the collector of garbage that what was collected as tests is none, and let it look less often."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session")
def all_plays() -> Plays:
    """Return the plays of this session to a test that asks for every scenario's play."""
    return Plays.of_session()


@pytest.fixture(scope="session")
def postgres() -> Iterator[server.Server]:
    """Yield a PostgreSQL server, one for the session; without its programs the test is skipped by name."""
    if lacking := server.lacking():
        pytest.skip(f"needs PostgreSQL: {lacking}")
    with server.running() as started:
        yield started
