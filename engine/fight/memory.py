"""How functions remember their answers, in what a fight remembers (`scenes.py`).

A function says with a decorator how long its answer holds and what that depends on:

    @per_fight(Same("mover.sheet"), "topic")                sheets, catalogue, options: for the whole fight
    @per_scene("mover.id")                                  until anything changes, hit points and turns apart
    @per_company("mover.id")                                as that, where combatants stand apart
    @per_map("here", "there")                               the map and the key alone, whatever else changes

The parts of a key are said in terms of the function's parameters and compared by value; `Same` compares by
identity, for sheets and weapons, which are long to compare, and `Each` so for all of several. The memory
holds on to what it compares by identity for as long as the answer. What a fact changes is declared beside its
handler in `projections/fold.py`. How a fight keeps answers, checks them or keeps none: see `kept.py`. The log
is the same each way, and the gate plays fights in all of them.
"""

import ast
from collections.abc import Callable
from functools import update_wrapper
from inspect import Parameter, isgeneratorfunction, signature
from typing import Any, Final, ParamSpec, TypeVar

from msgspec import Struct

from affray.engine.fight.kept import MISSING

P = ParamSpec("P")
R = TypeVar("R")

MOST: Final = 32_768
"""Answers that go by places or by modifiers, which a fight remembers before it begins anew with them."""


class Same(Struct, frozen=True):
    """A part of a key that is compared by identity: for sheets and weapons."""

    path: str


class Each(Same, frozen=True):
    """A part of a key by which each of several, in their order, is compared by identity."""


Part = str | Same
"""A part of a key: what is compared by value, or by identity."""


def per_fight(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember an answer for the whole fight: it depends on sheets, catalogue and options alone."""
    return lambda function: remembering(function, "{fight}.memory.fight", key)


def per_scene(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember an answer until anything changes but hit points, budgets, rounds and turns.

    These must stand in the key where the answer depends on them.
    """
    return lambda function: remembering(function, "{fight}.memory.scene", key)


def per_company(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember an answer that outlasts moves: as `per_scene`, but it does not depend on places either."""
    return lambda function: remembering(function, "{fight}.memory.company", key)


def per_map(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember an answer that depends on the map and its key alone, whatever else changes."""
    return lambda function: remembering(function, "{fight}.memory.map", key, most=MOST)


def per_sum(*key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember for the whole fight what the very same modifiers, or their sums, come to.

    There may be many: what was remembered or forgotten cannot be told from the result.
    """
    return lambda function: remembering(function, "{fight}.memory.sums", key, most=MOST)


def remembering(
    function: Callable[P, R], store: str, key: tuple[Part, ...], most: int = 0, **names: Any
) -> Callable[P, R]:
    """Return a function with its memory before it, written out for its parameters, the fight first.

    What is remembered costs one call each time it is asked, and every blow asks for some dozens: the reason
    to write code here. `store` may use `names`. Raises ValueError for a key that says nothing of a parameter,
    or speaks of something else.
    """
    parameters = signature(function).parameters
    _refuse_unlike(function, store, key, names)
    fight = next(iter(parameters))
    heads = []
    for name, one in parameters.items():
        if one.kind is Parameter.KEYWORD_ONLY and "*" not in heads:
            heads.append("*")
        if one.default is not Parameter.empty:
            names[f"_default_{name}"] = one.default
        heads.append(name if one.default is Parameter.empty else f"{name}=_default_{name}")
    given = [
        f"{name}={name}" if one.kind is Parameter.KEYWORD_ONLY else name for name, one in parameters.items()
    ]
    named = repr(f"{function.__module__}.{function.__qualname__}")
    lines = [
        f"def remembered({', '.join(heads)}):",
        f"    _known = {store.format(fight=fight)}",
        f"    _key = {f'({named}, ' + ', '.join(map(_written, key)) + ')' if key else 'remembered'}",
        "    _found = _known.get(_key, _missing)",
        "    if _found is _missing:",
        f"        _found = _function({', '.join(given)})",
        *([f"        if len(_known) >= {most}:", "            _known.clear()"] if most else []),
        *(f"        _known[{_written(part)}] = {_held(part)}" for part in key if isinstance(part, Same)),
        "        _known[_key] = _found",
        "    return _found",
    ]
    names |= {"_function": function, "_missing": MISSING, "_id": id}
    names |= {"_name": f"{function.__module__}.{function.__qualname__}", "_store": store.format(fight=fight)}
    names["_parts"] = tuple(part if isinstance(part, str) else part.path for part in key)
    exec(compile("\n".join(lines), f"<memory of {named}>", "exec"), names)
    made: Callable[P, R] = names["remembered"]
    update_wrapper(made, function)
    return made


def _written(part: Part) -> str:
    """Return a part of a key as code."""
    if isinstance(part, str):
        return part
    if isinstance(part, Each):
        return f"((*map(_id, {part.path}),) if {part.path} else ())"
    return f"_id({part.path})"


def _held(part: Same) -> str:
    """Return as code what has to be held on to, so that its identity is not given to others."""
    return f"tuple({part.path})" if isinstance(part, Each) else part.path


def _refuse_unlike(function: Callable[..., Any], store: str, key: tuple[Part, ...], names: Any) -> None:
    """Refuse a key that says nothing of one of the parameters, or speaks of something else."""
    parameters = signature(function).parameters
    if isgeneratorfunction(function):
        raise ValueError(f"{function.__qualname__} yields steps, which cannot be taken twice")
    if any(one.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD) for one in parameters.values()):
        raise ValueError(f"{function.__qualname__} takes any number of parameters")
    fight, *others = parameters
    texts = [store.format(fight=fight), *(part if isinstance(part, str) else part.path for part in key)]
    said = {
        node.id
        for text in texts
        for node in ast.walk(ast.parse(text, mode="eval"))
        if isinstance(node, ast.Name)
    }
    if missing := [name for name in others if name not in said]:
        raise ValueError(f"the key of {function.__qualname__} says nothing of {missing[0]!r}")
    if unknown := said - {*parameters, *names}:
        raise ValueError(f"{function.__qualname__} has no {min(unknown)!r}")
