"""The pages of the library: what each face offers, with signature and docstring as they are written."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from making.words import fenced, plain

FACES = ("affray.engine", "affray.events", "affray.replay")


def told(face: str) -> str:
    """Return each public name of a face."""
    module = import_module(face)
    lines: list[str] = []
    for name in sorted(module.__all__, key=lambda name: (name[:1].isupper(), name)):
        lines += [f"## {name}", "", *_name(face, name, getattr(module, name)), ""]
    return "\n".join(lines)


def _name(face: str, name: str, value: Any) -> Iterator[str]:
    if isinstance(value, ModuleType):
        yield from _doc(inspect.getdoc(value))
        yield from _within(f"{face}.{name}", value)
        return
    node = _node(value)
    kind = "class" if isinstance(node, ast.ClassDef) else "function"
    yield from _described(kind, f"{face}.{name}", node, _doc(inspect.getdoc(value)))
    if isinstance(node, ast.ClassDef):
        for owner in _lineage(value):
            for part in _node(owner).body:
                if isinstance(part, ast.FunctionDef) and _public(part, node, owner, value):
                    own = _doc(ast.get_docstring(part))
                    yield from _described(_kind_of(part), f"{face}.{name}.{part.name}", part, own)


def _within(path: str, module: ModuleType) -> Iterator[str]:
    """Yield the public functions of a module; of one that only gathers classes, their names."""
    own = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    for value in own:
        if inspect.isfunction(value) and value.__name__[0] != "_":
            yield from _described(
                "function", f"{path}.{value.__name__}", _node(value), _doc(inspect.getdoc(value))
            )
    if not own:
        held = sorted(
            name for name, value in vars(module).items() if inspect.isclass(value) and name[0] != "_"
        )
        yield f"It holds {', '.join(f'`{name}`' for name in held)}; their fields: [acts](../events.md#acts)."
        yield ""


def _lineage(value: type) -> list[type]:
    """Return a class and those of Affray that it is made from."""
    return [one for one in value.__mro__ if one.__module__.startswith("affray.")]


def _public(part: ast.FunctionDef, node: ast.ClassDef, owner: type, value: type) -> bool:
    """Return whether a method is for users, and not said again nearer to the class itself."""
    said = any(part.name in vars(one) for one in value.__mro__[: value.__mro__.index(owner)])
    return part.name[0] != "_" and bool(ast.get_docstring(part)) and not said


def _kind_of(part: ast.FunctionDef) -> str:
    marks = {ast.unparse(one) for one in part.decorator_list}
    if marks & {"property", "cached_property"}:
        return "property"
    return (
        "classmethod" if "classmethod" in marks else "staticmethod" if "staticmethod" in marks else "method"
    )


@cache
def _node(value: Any) -> Any:
    """Return the definition of a function or class as it is written."""
    tree = ast.parse(inspect.getsource(inspect.getmodule(value)))
    return next(one for one in tree.body if getattr(one, "name", "") == value.__name__)


def _described(kind: str, path: str, node: Any, body: list[str]) -> Iterator[str]:
    """Yield the directive of one name."""
    if kind == "property":
        yield f"````{{py:property}} {path}"
        yield f":type: {_linked(ast.unparse(node.returns))}"
    else:
        yield f"````{{py:{kind}}} {path}{_signature(node)}"
    yield ""
    yield from body
    yield "````"
    yield ""


def _signature(node: Any) -> str:
    """Return the parameters of a function, of a class's beginning, or the fields of a struct."""
    if isinstance(node, ast.ClassDef):
        begin = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
        if begin:
            return _parameters(begin[0].args)
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
        told = (
            f"{ast.unparse(one.target)}: {_linked(ast.unparse(one.annotation))}"
            f"{f' = {ast.unparse(one.value)}' if one.value else ''}"
            for one in fields
        )
        return f"({', '.join(told)})" if fields else ""
    back = f" -> {_linked(ast.unparse(node.returns))}" if node.returns else ""
    return f"{_parameters(node.args)}{back}"


def _parameters(args: ast.arguments) -> str:
    text = ast.unparse(args)
    return f"({_linked(re.sub(r'^(self|cls)(, )?', '', text))})"


def _linked(annotation: str) -> str:
    """Return types as they are written, public names by their whole names, so that they are links."""
    return re.sub(
        r"(?<![\w.'\"])([A-Z]\w+)\b(?!=)", lambda found: _homes().get(found[1], found[1]), annotation
    )


@cache
def _homes() -> dict[str, str]:
    return {
        name: f"{face}.{name}" for face in FACES for name in import_module(face).__all__ if name[0].isupper()
    }


def _doc(text: str | None) -> list[str]:
    """Return a docstring as Markdown: its paragraphs, its examples as blocks."""
    lines: list[str] = []
    for block in (text or "").split("\n\n"):
        lines += [fenced(block, "pycon") if block.startswith(">>>") else plain(block), ""]
    return lines
