"""The house's rules of form: what a function takes and adds, how long a file is, how many share a name."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.house.test_imports import ROOT, modules

WIDEST = 7
"""Positional parameters of a function; a command of the terminal takes its options as they come."""
LONGEST = 400
"""Lines of a file."""
NAMESAKES = 3
"""Modules that define a function of one name."""
RULES = ("affray.engine.rules.", "affray.engine.dialects.")
DIALECT = "affray.engine.dialects.srd35"
"""Where a dialect's record stands, whose name and chapters the loader reads."""
PASSED_ON = {"events/memory.py secret", "events/memory.py note", "events/sqlite.py secret"}
"""Functions that only hand their parameters on, and may: what a store keeps by name is kept elsewhere."""


def functions() -> Iterator[tuple[str, Path, ast.FunctionDef]]:
    """Yield each function and method of the product with its file and what to call it."""
    for file in modules().values():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield f"{file.relative_to(ROOT).as_posix()} {node.name}", file, node


def taken(function: ast.FunctionDef) -> list[str]:
    """Return the positional parameters of a function, without the one that a method is called on."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def test_no_function_takes_too_much() -> None:
    """Who reads a call can still tell which is which."""
    wide = [name for name, file, node in functions() if len(taken(node)) > WIDEST and "cli" not in file.parts]
    assert wide == []


def test_no_function_only_hands_on() -> None:
    """A function whose one line calls another with the very same parameters is a second name for it."""
    passing = set()
    for name, _, node in functions():
        body = [one for one in node.body if not _is_text(one)]
        call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
        given = taken(node)
        if not given or not isinstance(call, ast.Call) or call.keywords:
            continue
        if [getattr(one, "id", None) for one in call.args] == given:
            passing.add(name)
    assert passing == PASSED_ON


def test_no_file_is_too_long() -> None:
    """A file holds one subject."""
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in modules().values()}
    assert {file: length for file, length in lengths.items() if length > LONGEST} == {}


def test_few_modules_share_a_name() -> None:
    """A function found by its name is the one that was meant."""
    bearers = defaultdict(set)
    for module, file in modules().items():
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                bearers[node.name].add(module)
    assert {name: sorted(found) for name, found in bearers.items() if len(found) > NAMESAKES} == {}


def test_nothing_is_left_over() -> None:
    """Every function and figure of a rule is used by another, or stands in a record."""
    trees = {module: ast.parse(file.read_text(encoding="utf-8")) for module, file in modules().items()}
    used = {one for module, tree in trees.items() for one in _used(module, tree, set(trees))}
    rules = [one for one in trees if one.startswith(RULES) and one.count(".") > DIALECT.count(".")]
    left = {
        (module, name)
        for module in rules
        for node in trees[module].body
        for name in _defined(node)
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
