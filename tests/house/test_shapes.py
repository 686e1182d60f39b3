"""The house's rules of form: what a function takes and adds, and that each rule is used."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.house.test_imports import ROOT, modules

WIDEST = 7
"""Positional parameters of a function; a command of the terminal takes its options as they come."""
RULES = ("affray.engine.rules.", "affray.engine.dialects.")
DIALECT = "affray.engine.dialects.srd35"
"""Where a dialect's record stands, whose name and chapters the loader reads."""
PASSED_ON = {
    "events/stores/memory.py secret",
    "events/stores/memory.py note",
    "events/stores/sqlite.py secret",
}
"""Functions that only hand their parameters on, and may: what a store keeps by name is kept elsewhere."""


class Function(NamedTuple):
    """A function or method: what to call it, its file, what it takes, whether it only hands on."""

    name: str
    file: Path
    taken: tuple[str, ...]
    hands_on: bool


class Form(NamedTuple):
    """What a module defines and uses; its tree, of which there would be too many at a time, is let go."""

    functions: tuple[Function, ...]
    top: tuple[str, ...]
    defined: tuple[str, ...]
    used: frozenset[tuple[str, str]]


@cache
def forms() -> dict[str, Form]:
    """Return the form of every module of the product, each read once."""
    known = set(modules())
    found = {}
    for module, file in modules().items():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        found[module] = Form(
            tuple(_function(file, node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)),
            tuple(node.name for node in tree.body if isinstance(node, ast.FunctionDef)),
            tuple(name for node in tree.body for name in _defined(node)),
            frozenset(_used(module, tree, known)),
        )
    return found


def functions() -> Iterator[Function]:
    """Yield each function and method of the product."""
    for form in forms().values():
        yield from form.functions


def _function(file: Path, node: ast.FunctionDef) -> Function:
    given = taken(node)
    body = [one for one in node.body if not _is_text(one)]
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    hands_on = (
        bool(given)
        and isinstance(call, ast.Call)
        and not call.keywords
        and [getattr(one, "id", None) for one in call.args] == given
    )
    return Function(f"{file.relative_to(ROOT).as_posix()} {node.name}", file, tuple(given), hands_on)


def taken(function: ast.FunctionDef) -> list[str]:
    """Return the positional parameters of a function, without the one that a method is called on."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def test_no_function_takes_too_much() -> None:
    """Who reads a call can still tell which is which."""
    wide = [one.name for one in functions() if len(one.taken) > WIDEST and "cli" not in one.file.parts]
    assert wide == []


def test_no_function_only_hands_on() -> None:
    """A function whose one line calls another with the very same parameters is a second name for it."""
    assert {one.name for one in functions() if one.hands_on} == PASSED_ON


def test_nothing_is_left_over() -> None:
    """Every function and figure of a rule is used by another, or stands in a record."""
    used = {one for form in forms().values() for one in form.used}
    left = {
        (module, name)
        for module, form in forms().items()
        if module.startswith(RULES) and module.count(".") > DIALECT.count(".")
        for name in form.defined
        if (module, name) not in used
    }
    assert left == set()


def _defined(node: ast.stmt) -> list[str]:
    """The names that a statement of a module defines; without those that a decorator registers."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [] if node.decorator_list else [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [one.id for one in targets if isinstance(one, ast.Name)]


def _used(module: str, tree: ast.Module, known: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the module and name of everything that a module uses: of its own, imported, or over a module."""
    over: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                if f"{node.module}.{one.name}" in known:
                    over[one.asname or one.name] = f"{node.module}.{one.name}"
                else:
                    yield str(node.module), one.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield module, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in over:
            yield over[node.value.id], node.attr


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
