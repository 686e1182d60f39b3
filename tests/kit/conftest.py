"""The small dialect of the kit's tests, and a way to use it for one test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from affray.engine.book.packages import for_a_while, packages_named
from tests.cli.conftest import run
from tests.kit.little import make

__all__ = ["run"]

Using = Callable[..., Path]


@pytest.fixture
def little(tmp_path: Path) -> Path:
    """The package in a folder that no process knows of."""
    return make(tmp_path / "little")


@pytest.fixture
def using(tmp_path: Path) -> Iterator[Using]:
    """What makes the package with other texts and lets this process use it until the test ends."""
    with for_a_while():

        def use(**texts: str) -> Path:
            folder = make(tmp_path / "used", **texts)
            assert packages_named(str(folder)) == ("little",)
            return folder

        yield use
