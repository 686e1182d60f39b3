"""The pages of the library: what each face offers, with signature and docstring as they are written."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from msgspec import Struct

from affray.events.facts.base import Act
from making.errors import faults
from making.words import fenced, plain

FACES = ("affray.engine", "affray.events", "affray.replay")


def told(face: str) -> str:
    """Return each public name of a face, then the types without a name there that these take and return."""
    module = import_module(face)
    lines: list[str] = []
    for name in sorted(module.__all__, key=lambda name: (name[:1].isupper(), name)):
        lines += [f"## {name}", "", *_name(f"{face}.{name}", getattr(module, name)), ""]
    if behind := [kind for kind, page in _behind().items() if page == face]:
        lines += ["## What they take and return", ""]
        lines += [
            "A program reads their fields, and seldom needs to import them.",
            "",
        ]
        for kind in sorted(behind, key=lambda kind: (kind.__name__, kind.__module__)):
            lines += [*_name(_homes()[kind], kind), ""]
    return "\n".join(lines)


def _name(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, ModuleType):
        yield from _doc(inspect.getdoc(value))
        yield from _within(path, value)
        return
    node, module = _node(value), inspect.getmodule(value)
    kind = "class" if isinstance(node, ast.ClassDef) else "function"
    yield from _described(kind, path, node, _doc(inspect.getdoc(value)), module)
    if isinstance(node, ast.ClassDef):
        for owner in _lineage(value):
            for part in _methods(owner, value):
                own = _doc(ast.get_docstring(part))
                name = f"{path}.{part.name}"
                yield from _described(_kind_of(part), name, part, own, inspect.getmodule(owner))


def _within(path: str, module: ModuleType) -> Iterator[str]:
    """Yield the public functions and classes of a module; of one that only gathers acts, their names."""
    own = _defined(module)
    for value in own:
        yield from _name(f"{path}.{value.__name__}", value)
    if not own:
        held = sorted(
            (value.__name__, value.__struct_config__.tag)
            for value in vars(module).values()
            if inspect.isclass(value) and issubclass(value, Act) and value is not Act
        )
        links = ", ".join(f"[`{name}`](../events.md#{tag})" for name, tag in held)
        yield f"It holds {links}."
        yield ""


def _defined(module: ModuleType) -> list[Any]:
    """Return the functions and classes that a module defines for others."""
    return [
        value
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and name[0] != "_"
        if name == getattr(value, "__name__", "")
    ]


def _lineage(value: type) -> list[type]:
    """Return a class and those of Affray that it is made from."""
    return [one for one in value.__mro__ if one.__module__.startswith("affray.")]


def _methods(owner: type, value: type) -> Iterator[ast.FunctionDef]:
    """Yield the methods of a class that are for users, and not said again nearer to the class itself."""
    said = {name for one in value.__mro__[: value.__mro__.index(owner)] for name in vars(one)}
    for part in _node(owner).body:
        plain_name = isinstance(part, ast.FunctionDef) and part.name[0] != "_" and part.name not in said
        if plain_name and ast.get_docstring(part):
            yield part


@cache
def _behind() -> dict[type, str]:
    """Return the types that public names take and return and that are none, by the face that is first to.

    Those of the project that hold fields, or say what something must be able to do. Facts are no part of
    them: they have pages of their own.
    """
    known = _public()
    found: dict[type, str] = {}
    for face in FACES:
        waiting = [getattr(import_module(face), name) for name in import_module(face).__all__]
        while waiting:
            for kind in _named(waiting.pop(0)):
                if kind not in known and kind not in found:
                    found[kind] = face
                    waiting.append(kind)
    return found


def _named(value: Any) -> Iterator[type]:
    """Yield the types without a page that the signature of a name, its fields and its methods speak of."""
    if isinstance(value, ModuleType):
        return
    told = [(value, one) for one in _annotations(_node(value))]
    if inspect.isclass(value):
        for owner in _lineage(value):
            told += [(owner, one) for part in _methods(owner, value) for one in _annotations(part)]
    for owner, annotation in told:
        for word in re.findall(r"[A-Z]\w+", annotation):
            kind = getattr(inspect.getmodule(owner), word, None)
            if inspect.isclass(kind) and kind.__module__.startswith("affray."):
                a_fact = kind.__module__.startswith("affray.events.facts")
                if (issubclass(kind, Struct) and not a_fact) or getattr(kind, "_is_protocol", False):
                    yield kind


def _annotations(node: Any) -> Iterator[str]:
    """Yield the types of the fields of a class, or of the parameters of a function and what it returns."""
    if isinstance(node, ast.ClassDef):
        yield from (ast.unparse(one.annotation) for one in node.body if isinstance(one, ast.AnnAssign))
        begin = (one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__")
        yield from (one for function in begin for one in _annotations(function))
        return
    given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    yield from (ast.unparse(one.annotation) for one in given if one.annotation)
    if node.returns:
        yield ast.unparse(node.returns)


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
    body = _tree(inspect.getmodule(value)).body
    return next(one for one in body if getattr(one, "name", "") == value.__name__)


@cache
def _tree(module: Any) -> ast.Module:
    """Return a module as it is written."""
    return ast.parse(inspect.getsource(module))


def _described(kind: str, path: str, node: Any, body: list[str], home: Any) -> Iterator[str]:
    """Yield the directive of one name, whose types are those of the module that is its home."""
    if kind == "property":
        yield f"````{{py:property}} {path}"
        yield f":type: {_linked(ast.unparse(node.returns), home)}"
    else:
        yield f"````{{py:{kind}}} {path}{_signature(node, home)}"
    yield ""
    yield from body
    yield "````"
    yield ""


def _signature(node: Any, home: Any) -> str:
    """Return the parameters of a function, of a class's beginning, or the fields of a struct."""
    if isinstance(node, ast.ClassDef):
        begin = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
        if begin:
            return _parameters(begin[0].args, home)
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
        told = (
            f"{ast.unparse(one.target)}: {_linked(ast.unparse(one.annotation), home)}"
            f"{f' = {_default(one.value)}' if one.value else ''}"
            for one in fields
        )
        return f"({', '.join(told)})" if fields else ""
    back = f" -> {_linked(ast.unparse(node.returns), home)}" if node.returns else ""
    return f"{_parameters(node.args, home)}{back}"


def _default(value: ast.expr) -> str:
    """Return the default of a field, a new list or object as it is written in a program."""
    made = {"field(default_factory=list)": "[]", "field(default_factory=dict)": "{}"}
    return made.get(ast.unparse(value), ast.unparse(value))


def _parameters(args: ast.arguments, home: Any) -> str:
    text = ast.unparse(args)
    return f"({_linked(re.sub(r'^(self|cls)(, )?', '', text), home)})"


def _linked(annotation: str, home: Any) -> str:
    """Return types as they are written, without bounds; those with a page by their whole names, as links."""
    annotation = re.sub(r"Annotated\[(.*), Meta\([^()]*\)\]", r"\1", annotation)
    return re.sub(
        r"(?<![\w.'\"])([A-Z]\w+)\b(?!=)",
        lambda found: _path(getattr(home, found[1], None), found[1]),
        annotation,
    )


def _path(kind: Any, name: str) -> str:
    """Return the whole name of a type; where its module imports it for type checkers, of a public one."""
    if inspect.isclass(kind):
        return _homes().get(kind, name)
    return next((path for path in _homes().values() if path.rpartition(".")[2] == name), name)


@cache
def _public() -> dict[Any, str]:
    """Return the whole names of what is public: by a name of a face, or in a module that is one."""
    found: dict[Any, str] = {}
    for face in FACES:
        for name in import_module(face).__all__:
            value = getattr(import_module(face), name)
            if isinstance(value, ModuleType):
                found |= {one: f"{face}.{name}.{one.__name__}" for one in _defined(value)}
            else:
                found[value] = f"{face}.{name}"
    return found


@cache
def _homes() -> dict[type, str]:
    """Return what each type is called that has a place on a page."""
    behind = {kind: f"{kind.__module__}.{kind.__name__}" for kind in _behind()}
    return {**behind, **{one: path for one, path in _public().items() if inspect.isclass(one)}}


def _to_errors(text: str) -> str:
    """Return a paragraph in which the errors that are no code lead to the page of all errors."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [
        re.sub(
            r"\b[A-Z]\w+[a-z]\b",
            lambda found: f"[{found[0]}](errors.md#{found[0].lower()})" if found[0] in faults() else found[0],
            part,
        )
        for part in parts[::2]
    ]
    return "".join(parts)


def _doc(text: str | None) -> list[str]:
    """Return a docstring as Markdown: its paragraphs, its examples as blocks."""
    lines: list[str] = []
    for block in (text or "").split("\n\n"):
        lines += [fenced(block, "pycon") if block.startswith(">>>") else _to_errors(plain(block)), ""]
    return lines
