"""The public names of the library are what they are said to be, and their examples run."""

import doctest
import importlib
import inspect
import pydoc
import subprocess
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

import pytest
from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.record import acts, blow, chapters, kernel
from affray.replay.workers import PYTHON

FACES = ("affray.engine", "affray.events", "affray.replay")
NAMES = [(face, name) for face in FACES for name in importlib.import_module(face).__all__]
IDS = [f"{face}.{name}" for face, name in NAMES]
MODULES = {"acts", "policies"}
"""The names that are modules."""


def value_of(face: str, name: str) -> Any:
    """Return what a program gets that imports a name."""
    return getattr(importlib.import_module(face), name)


@pytest.mark.parametrize(("face", "name"), NAMES, ids=IDS)
def test_a_name_is_not_hidden_by_a_module(face: str, name: str) -> None:
    """No module of the package has the name: once imported by anybody, it would stand in its place."""
    assert isinstance(value_of(face, name), ModuleType) == (name in MODULES)
    assert find_spec(f"{face}.{name}") is None


@pytest.mark.parametrize(("face", "name"), NAMES, ids=IDS)
def test_the_examples_of_a_name_run(face: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a docstring shows of a public name is what comes out, in the folder of the checkout."""
    monkeypatch.chdir(Path(__file__).parents[2])
    value = value_of(face, name)
    if isinstance(value, ModuleType):
        tests = [doctest.DocTestParser().get_doctest(inspect.getdoc(value) or "", {}, name, None, 0)]
    else:
        tests = doctest.DocTestFinder(exclude_empty=True).find(value, name, globs={})
    for test in tests:
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


@pytest.mark.parametrize(("face", "name"), NAMES, ids=IDS)
def test_a_name_has_an_example(face: str, name: str) -> None:
    """Each shows in its own docstring, not in its parent's, how it is used and what comes of it."""
    examples = doctest.DocTestParser().get_examples(value_of(face, name).__doc__ or "")
    assert any(one.want for one in examples)


RECORDS = sorted(
    {
        one
        for module in (acts, blow, chapters, kernel)
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Struct) and one.__module__ == module.__name__
    },
    key=lambda one: one.__name__,
)


@pytest.mark.parametrize("record", RECORDS, ids=lambda one: one.__name__)
def test_help_shows_the_types_of_a_record(record: type[Struct]) -> None:
    """An interactive session gets the signature and the types of a record: no reference is unresolved."""
    assert "ForwardRef(" not in str(inspect.signature(record))
    assert pydoc.render_doc(record, renderer=pydoc.plaintext)
    assert get_type_hints(record).keys() >= set(record.__struct_fields__)


def test_help_of_the_kernel_imports_the_fight_itself() -> None:
    """Nothing but the record needs to be imported beforehand; `Fight` is that of the engine."""
    code = "from affray.engine.record.kernel import Kernel; help(Kernel)"
    shown = subprocess.run([*PYTHON, "-c", code], capture_output=True, text=True, check=True).stdout
    assert f"{Fight.__module__}.Fight" in shown
