"""Small changes to rule code: what could be written wrong in a function, or in the list of a point's stages.

A mutant of a function is the function with one thing changed: a comparison turned or moved by one, a
condition negated, `and` for `or`, plus for minus, a step or a refusal left out. A mutant of a list of stages
leaves one stage out, asks it always, or asks it where it should not be. It is put in place of what it changes
for as long as a scenario is played, in the very objects that the dialects' records hold.
"""

import ast
import gc
import importlib
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from inspect import unwrap
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import Chapters, load
from affray.engine.record import compose
from affray.engine.record.acts import ActSpec

ENGINE = Path(__file__).parents[2] / "engine"
SHARED = [ENGINE / "kernel" / f"{name}.py" for name in ("actions", "areas", "durations", "places")]
"""The files of the kernel that the scenarios of the four dialects play."""

TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
TEXTS = (ast.JoinedStr, ast.Tuple, ast.List, ast.Set, ast.Dict)


class Mutant(Struct, frozen=True):
    """One change: what it is, and of which function or list (`place`, "rules/damage:roll_damage").

    `number` tells the changes of one place apart, in the order of its source. `lines` are the first and the
    last line of the statement that is changed, without the block below it; 0 in a list of stages.
    """

    place: str
    number: int
    what: str
    lines: tuple[int, int] = (0, 0)

    @property
    def name(self) -> str:
        """The name by which the list of reviewed mutants knows it; lines may move."""
        return f"{self.place} #{self.number}: {self.what}"


class Site(Struct):
    """A node of a function's source that can be changed, and how: `change` returns the node to put there."""

    node: ast.AST
    what: str
    change: Callable[[ast.AST], ast.AST]


def sites(function: ast.AST) -> Iterator[Site]:
    """Yield what can be changed in a function, in the order of its source."""
    for node in in_order(function):
        if isinstance(node, ast.Compare):
            for at, op in enumerate(node.ops):
                for other in TURNED[type(op)]:
                    what = f"{ast.unparse(node)[:60]}: {other.__name__} for {type(op).__name__}"
                    yield Site(node, what, turning(at, other))
        elif isinstance(node, ast.BoolOp):
            swapped = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield Site(node, f"{swapped.__name__}: {ast.unparse(node)[:60]}", joined_by(swapped))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield Site(node, f"without not: {ast.unparse(node)[:60]}", lambda one: one.operand)  # type: ignore[attr-defined]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and is_number(node):
            other_op = ast.Sub if isinstance(node.op, ast.Add) else ast.Add
            yield Site(node, f"{other_op.__name__}: {ast.unparse(node)[:60]}", reckoned_by(other_op))
        elif isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(
            node.test, ast.Compare | ast.BoolOp | ast.UnaryOp
        ):
            yield Site(node, f"if not {ast.unparse(node.test)[:60]}", negated)
        elif isinstance(node, ast.Raise | ast.AugAssign) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom | ast.Call)
        ):
            yield Site(node, f"left out: {ast.unparse(node)[:60]}", left_out)


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below one in the order of the source, without annotations, decorators and defaults."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "args", "type_comment"):
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST):
                yield one
                yield from in_order(one)
    if isinstance(node, ast.Call):
        for one in node.args:
            yield one
            yield from in_order(one)


def is_number(node: ast.BinOp) -> bool:
    """Say whether a sum may be one of numbers: no text and no list stands in it."""
    parts = [one for one in ast.walk(node) if isinstance(one, (*TEXTS, ast.Constant, ast.ListComp))]
    return all(isinstance(one, ast.Constant) and not isinstance(one.value, str) for one in parts)


def turning(at: int, other: type[ast.cmpop]) -> Callable[[ast.AST], ast.AST]:
    """Return what puts another operator into a comparison."""

    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Compare)
        ops = [other() if number == at else op for number, op in enumerate(node.ops)]
        return ast.Compare(node.left, ops, node.comparators)

    return change


def joined_by(other: type[ast.boolop]) -> Callable[[ast.AST], ast.AST]:
    """Return what puts `and` for `or`, or the other way round."""
    return lambda node: ast.BoolOp(other(), node.values)  # type: ignore[attr-defined]


def reckoned_by(other: type[ast.operator]) -> Callable[[ast.AST], ast.AST]:
    """Return what puts plus for minus, or the other way round."""
    return lambda node: ast.BinOp(node.left, other(), node.right)  # type: ignore[attr-defined]


def negated(node: ast.AST) -> ast.AST:
    """Return a branch that is taken where it was not."""
    assert isinstance(node, ast.If | ast.IfExp | ast.While)
    test = ast.UnaryOp(ast.Not(), node.test)
    if isinstance(node, ast.IfExp):
        return ast.IfExp(test, node.body, node.orelse)
    return type(node)(test, node.body, node.orelse)


def left_out(node: ast.AST) -> ast.AST:
    """Return a step that does nothing; the function stays a generator if it was one."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom):
        return ast.Expr(ast.YieldFrom(ast.Tuple([], ast.Load())))
    return ast.Pass()


class Put(ast.NodeTransformer):
    """Puts the changed node in place of one."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def visit(self, node: ast.AST) -> Any:
        """Return the changed node for the site's, and any other with what is below it visited."""
        if node is self.site.node:
            return ast.copy_location(self.site.change(node), node)
        return self.generic_visit(node)


@cache
def source_of(module: str) -> dict[str, ast.AST]:
    """Return the functions and methods of a module by their names, as they are written."""
    tree = ast.parse((ENGINE / f"{module}.py").read_text(encoding="utf-8"))
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{one.name}": one for one in node.body if isinstance(one, ast.FunctionDef)}
    return found


def function_at(module: str, name: str) -> FunctionType:
    """Return the function itself, below whatever decorates it."""
    found: Any = importlib.import_module(f"affray.engine.{module.replace('/', '.')}")
    for part in name.split("."):
        found = getattr(found, part)
    found = unwrap(found.fget if isinstance(found, property) else getattr(found, "func", found))
    assert isinstance(found, FunctionType)
    return found


def modules() -> list[str]:
    """Return the modules of rule code, those of the dialects included, without tables of contents."""
    files = [*SHARED, *ENGINE.glob("rules/**/*.py"), *ENGINE.glob("dialects/**/*.py")]
    names = {file.relative_to(ENGINE).with_suffix("").as_posix() for file in files}
    return sorted(one for one in names if not {"__init__", "contents", "plain"} & {*Path(one).parts})


def mutants_of(module: str) -> Iterator[Mutant]:
    """Yield the mutants of a module's functions."""
    for name, function in source_of(module).items():
        lines = dict(statement_lines(function))
        for number, site in enumerate(sites(function), 1):
            yield Mutant(f"{module}:{name}", number, site.what, lines[site.node])


def statement_lines(
    node: ast.AST, around: tuple[int, int] = (0, 0)
) -> Iterator[tuple[ast.AST, tuple[int, int]]]:
    """Yield each node below one with the lines of the statement that it is part of, without its block."""
    if isinstance(node, ast.stmt | ast.ExceptHandler):
        block = getattr(node, "body", None)
        last = max(node.lineno, block[0].lineno - 1) if block else node.end_lineno or node.lineno
        around = node.lineno, last
    yield node, around
    for one in ast.iter_child_nodes(node):
        yield from statement_lines(one, around)


def code_with(place: str, find: Callable[[ast.AST], Site]) -> CodeType:
    """Return the code of a function with the change to the site that `find` returns."""
    module, name = place.split(":")
    source_of.cache_clear()  # the change is made to nodes of a fresh tree
    function = source_of(module)[name]
    site = find(function)
    changed = Put(site).visit(function)
    changed.decorator_list = []
    owner, _, _ = name.rpartition(".")
    # A method stands in a class, of which its super() speaks, also where the change has left that out.
    if function_at(module, name).__code__.co_freevars:
        changed.body.append(ast.Expr(ast.Name("__class__", ast.Load())))
    keep_free_names(changed, function_at(module, name).__code__)
    body = ast.ClassDef(owner, [], [], [changed], []) if owner else changed
    tree = ast.fix_missing_locations(ast.Module([body], []))
    code = compile(tree, f"<mutant of {place}>", "exec")
    # What stands in the defaults of the function, a lambda, comes before it.
    for part in name.split("."):
        code = next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == part)
    return code


def keep_free_names(function: ast.AST, code: CodeType) -> None:
    """Let each function within one go on speaking of the names around it of which it spoke.

    A function that lives on can only change its code for one with the same.
    """
    inner = {one.co_name: one for one in functions_within(code)}
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef) and node is not function and node.name in inner:
            names = [ast.Name(name, ast.Load()) for name in inner[node.name].co_freevars]
            node.body.append(ast.Expr(ast.Tuple(list[ast.expr](names), ast.Load())))


def functions_within(code: CodeType) -> list[CodeType]:
    """Return the code of the functions written within one, lambdas aside, in order."""
    return [one for one in code.co_consts if isinstance(one, CodeType) and not one.co_name.startswith("<")]


def living_with(before: CodeType, after: CodeType) -> Iterator[tuple[FunctionType, CodeType]]:
    """Yield the functions that a function has made for good, such as stages, and their changed code."""
    for old, new in zip(functions_within(before), functions_within(after), strict=True):
        for one in gc.get_referrers(old):
            if isinstance(one, FunctionType) and one.__code__ is old:
                yield one, new
        yield from living_with(old, new)


def lists_of(dialect: str) -> Iterator[tuple[str, FunctionType]]:
    """Yield each list of stages of a dialect's points and acts, those within others too, by its place."""
    seen: set[int] = set()

    def below(place: str, value: Any) -> Iterator[tuple[str, FunctionType]]:
        value = unwrap(value) if callable(value) else value  # below what goes through its steps
        if not hasattr(value, "composition") or id(value) in seen:
            return
        seen.add(id(value))
        yield place, value
        for number, stage in enumerate(value.composition.stages):
            yield from below(f"{place}.{number}", stage.function)

    record = load(dialect)
    for chapter in Chapters.__struct_fields__:
        part = getattr(record, chapter)
        for field in part.__struct_fields__:
            value = getattr(part, field)
            if field == "acts":
                for kind, honours in value.items():
                    assert isinstance(honours, ActSpec)
                    yield from below(f"{dialect}/{chapter}.{kind.__name__}", honours.resolver)
            else:
                yield from below(f"{dialect}/{chapter}.{field}", value)


MADE = {kind.replace(" ", "_"): kind for kind in ("steps", "gather", "refine", "any of", "choose", "first")}


def stage_mutants(dialect: str) -> Iterator[Mutant]:
    """Yield the mutants of a dialect's lists of stages."""
    for place, composed in lists_of(dialect):
        made: compose.Composition = composed.composition  # type: ignore[attr-defined]
        if made.kind not in MADE.values():
            continue
        last = len(made.stages) - 1
        for number, stage in enumerate(made.stages):
            name = getattr(stage.function, "__name__", "")
            answers = number == (0 if made.kind == "refine" else last)
            if not (answers and made.kind in ("refine", "choose", "first")):
                yield Mutant(place, number * 3 + 1, f"without the stage {name}")
            if stage.condition and not answers:
                yield Mutant(place, number * 3 + 2, f"{name} whether or not {stage.condition[:60]}")
                yield Mutant(place, number * 3 + 3, f"{name} if not {stage.condition[:60]}")


def stages_with(mutant: Mutant, made: compose.Composition) -> list[Any]:
    """Return the stages of a list with the change."""
    number, way = divmod(mutant.number - 1, 3)
    stages: list[Any] = list(made.stages)
    if way == 0 and len(stages) == 1:
        stages = [replace(stages[0], condition="False", holds=None)]
    elif way == 0:
        del stages[number]
    else:
        condition = "" if way == 1 else f"not ({stages[number].condition})"
        stages[number] = replace(stages[number], condition=condition)
    return stages


@contextmanager
def in_place(mutant: Mutant) -> Iterator[None]:
    """Let a mutant stand in the place of what it changes for a while."""
    if ":" in mutant.place:
        with function_changed(mutant.place, lambda function: list(sites(function))[mutant.number - 1]):
            yield
    else:
        with stages_changed(mutant.place, lambda made: stages_with(mutant, made)):
            yield


@contextmanager
def function_changed(place: str, find: Callable[[ast.AST], Site]) -> Iterator[None]:
    """Let a function have the change to the site that `find` returns for a while."""
    function, code = function_at(*place.split(":")), code_with(place, find)
    inner = [(one, one.__code__, new) for one, new in living_with(function.__code__, code)]
    before = function.__code__
    recode(function, code)
    for one, _, new in inner:
        recode(one, new)
    forget()
    try:
        yield
    finally:
        recode(function, before)
        for one, old, _ in inner:
            recode(one, old)
        forget()


@contextmanager
def stages_changed(place: str, change: Callable[[compose.Composition], list[Any]]) -> Iterator[None]:
    """Let a list of stages be made of those that `change` returns for a while."""
    function = dict(lists_of(place.partition("/")[0]))[place]
    made: compose.Composition = function.composition  # type: ignore[attr-defined]
    make: Callable[..., Any] = getattr(compose, made.kind.replace(" ", "_"))
    changed = make(*change(made))
    before, names = function.__code__, dict(function.__globals__)
    recode(function, changed.__code__)
    function.__globals__.update(changed.__globals__)
    forget()
    try:
        yield
    finally:
        recode(function, before)
        function.__globals__.update(names)
        forget()


def recode(function: FunctionType, code: CodeType) -> None:
    """Give a function other code, of whatever type: what has lost its only `yield` is a plain function."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        function.__code__ = code


def forget() -> None:
    """Forget what functions of the rules have remembered for good, which may be what a mutant said."""
    for name, module in list(sys.modules.items()):
        if name.startswith(tuple(f"affray.engine.{one}" for one in ("grid", "kernel", "rules", "dialects"))):
            for value in vars(module).values():
                clear = getattr(value, "cache_clear", None)
                if clear is not None and getattr(value, "__module__", "") == name:
                    clear()
