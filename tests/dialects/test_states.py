"""What the sources ask for by its name: conditions."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from affray.replay.rulebook.places import tree_of
from tests.dialects.test_topics import each_dialect, functions

GIVEN = ("ConditionGained", "ConditionLost")

#: How the names of the modules begin that dialects share.
SHARED = "affray.engine.rules."


def texts(node: ast.AST, known: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts that an expression of constants stands for."""
    try:
        value = eval(compile(ast.Expression(node), "", "eval"), dict(known))  # type: ignore[arg-type]
    except Exception:
        return ()
    if isinstance(value, str):
        return (value,)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, Iterable) else ()


def asked(node: ast.AST, known: Mapping[str, Any]) -> Iterator[str]:
    """Yield the conditions that a piece of code asks for or brings about."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        if ast.unparse(node.comparators[0]).endswith(".conditions"):
            yield from texts(node.left, known)
    elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(".conditions"):
        yield from texts(node.slice, known)
    elif isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        if name.endswith(".conditions.get"):
            yield from texts(node.args[0], known)
        elif name in GIVEN:
            for one in node.keywords:
                if one.arg == "condition":
                    yield from texts(one.value, known)


@cache
def states_asked_for(dialect: str) -> dict[str, str]:
    """Return each condition that the functions of a dialect ask for, with one of them: of its own, if any."""
    found: dict[str, str] = {}
    for function in functions(dialect):
        for node in ast.walk(tree_of(function)):
            for name in asked(node, function.__globals__):
                if found.get(name, SHARED).startswith(SHARED):
                    found[name] = f"{function.__module__}.{function.__name__}"
    return found


@each_dialect
def test_conditions_are_found(dialect: str) -> None:
    """The reading of the sources finds what every dialect asks for."""
    assert {"prone", "dead"} <= set(states_asked_for(dialect))
