"""How several contributors to one point combine: choose, refine, gather, first, any of, most, and so on.

Prohibitions are asked about a declaration, features are found by the names on a sheet (`prohibit`, `listed`).

A point of a record is one function (`decide`), or a list of stages combined here. The list is data: it can be
read, printed (`affray rules DIALECT --points NAME`) and replaced, and its order is the order of play. The
condition of a stage is part of the stage (`when`), never of the code that calls the point.

Every composition is compiled to one plain function when the dialect is loaded, conditions included, so a
stage that does not apply costs no call.
"""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from inspect import Parameter, signature
from operator import attrgetter, itemgetter
from types import FunctionType
from typing import Any, Final, ParamSpec, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.record.acts import Context, details_of
from affray.engine.steps import NOTHING, Steps
from affray.events.facts.base import Act, JsonObject
from affray.events.generated import run_generated

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])
Write = Callable[[str, "list[Line]"], str]
Prohibition = Callable[..., None]

KINDS: Final = (
    *("decide", "choose", "refine", "amend", "gather", "first", "any of", "most", "steps", "until"),
    *("prohibit", "listed"),
)

#: The syntax allowed in a condition: presence, membership, comparison; never a call.
SPEECH: Final = (
    *(ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.Load),
    *(ast.JoinedStr, ast.FormattedValue),
    *(ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not),
    *(ast.Compare, ast.In, ast.NotIn, ast.Is, ast.IsNot, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)


#: The name of a generated function until its point is known.
COMPOSED: Final = "composed"

#: Names that the generated functions use themselves, in addition to the parameters.
WRITTEN: Final = frozenset(
    (
        "NOTHING",
        "after",
        "answers",
        COMPOSED,
        "first_part",
        "found",
        "parts",
        "rest",
        "__name__",
        *dir(builtins),
    )
)


class Stage(Struct, frozen=True):
    """One contributor: the function, and the condition under which it is called.

    The `condition` reads as in Python, "" for always: "target.conditions", "not melee and weapon.traits",
    "'swallowed' in attacker.conditions". A name in it is a parameter of the point, or else an attribute of
    the point's second argument, such as the blow; in a stage that refines, `found` is the value so far.
    Other conditions are functions, `holds`, called with the stage's arguments if the condition holds.

    `acts` are the types of declarations that a prohibition concerns, all if empty. `name` is the entry of a
    sheet that gives a feature, "" if every creature has it.
    """

    function: Callable[..., object]
    condition: str = ""
    holds: Callable[..., object] | None = None
    acts: tuple[type[Act], ...] = ()
    name: str = ""

    @property
    def told(self) -> tuple[str, ...]:
        """Return in words when the stage is asked; "" for always."""
        name = getattr(self.holds, "__name__", "")
        said = " and ".join(filter(None, (self.condition, name)))
        return (said,) if said else ()

    @property
    def label(self) -> str:
        """Return the label of the stage: declarations, or a name on sheets; "" for none."""
        return self.name or ", ".join(str(kind.__struct_config__.tag) for kind in self.acts)


class Composition(Struct, frozen=True):
    """The structure of a composed function: the kind of combination, and the stages in order."""

    kind: str
    stages: tuple[Stage, ...]


def when(condition: str | tuple[str, ...], function: F, *, holds: Callable[..., object] | None = None) -> F:
    """Return a stage that is asked only if the `condition` (any one of several) and `holds` are true.

    It may already be a stage: then both conditions have to be true. A stage outside of a composition is no
    function: every composition takes it apart.
    """
    said = condition if isinstance(condition, str) else " or ".join(f"({one})" for one in condition)
    if isinstance(function, Stage):
        said = " and ".join(f"({one})" for one in (said, function.condition) if one)
        return cast(F, replace(function, condition=said, holds=holds or function.holds))
    return cast(F, Stage(function, said, holds))


def about(acts: tuple[type[Act], ...], function: F) -> F:
    """Return the stage of a prohibition that is asked about declarations of these types only."""
    return cast(F, replace(staged(function), acts=acts))


def named(name: str, function: F) -> F:
    """Return the stage of a feature that is asked only of combatants whose sheet lists its name."""
    return cast(F, replace(staged(function), name=name))


def by_word(field: str, ways: Mapping[str, F]) -> tuple[F, ...]:
    """Return stages of which only that for the field's word is asked, such as each mode of movement."""
    return tuple(when(f"{field} == {word!r}", way) for word, way in ways.items())


def asks(point: str) -> Callable[..., Any]:
    """Return a stage that asks another point of the record, such as "damage.bleed_out"."""

    def asked(fight: Context, *given: object) -> object:
        return attrgetter(point)(fight.dialect)(fight, *given)

    asked.__name__ = asked.__qualname__ = point
    asked.__doc__ = f"Call the point {point}."
    return asked


def composition_of(point: object) -> Composition:
    """Return the composition of a point of a record; a plain function is a decision with one stage."""
    found = getattr(point, "composition", None)
    return found if isinstance(found, Composition) else Composition("decide", (staged(point),))


def staged(one: Any) -> Stage:
    """Return a contributor as a stage."""
    return one if isinstance(one, Stage) else Stage(one)


def parameters(function: Callable[..., object]) -> tuple[str, ...]:
    """Return the names of a stage's parameters, the last with a star if there may be any number."""
    found = []
    for one in signature(function).parameters.values():
        if one.kind is Parameter.VAR_POSITIONAL:
            found.append(f"*{one.name}")
        elif (
            one.kind not in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD) and one.default is Parameter.empty
        ):
            found.append(one.name)
    return tuple(found)


def condition_of(text: str, names: tuple[str, ...]) -> str:
    """Return a condition as code of the generated function. Raises ValueError for other syntax."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, SPEECH):
            raise ValueError(f"a condition may not call or calculate: {text}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in names:
            node.id = f"{names[1]}.{node.id}"
    return ast.unparse(tree)


class Line(Struct, frozen=True):
    """A stage in the generated function: its condition ("" for always), and its call."""

    condition: str
    call: str

    def ask(self, then: str, indent: str = "    ") -> str:
        """Return the lines that run `then` if the stage is asked."""
        if not self.condition:
            return "".join(f"{indent}{line}\n" for line in then.splitlines())
        inner = "".join(f"{indent}    {line}\n" for line in then.splitlines())
        return f"{indent}if {self.condition}:\n{inner}"


def stage_names(taken: tuple[Stage, ...], reserved: Collection[str]) -> list[str]:
    """Return the name of each stage in the generated function: its own, with a number if that is taken.

    Names of parameters are `reserved`.
    """
    made: list[str] = []
    for at, one in enumerate(taken):
        name = getattr(one.function, "__name__", "")
        taken_already = name in WRITTEN or name in reserved or name in made
        if not name.isidentifier() or keyword.iskeyword(name) or taken_already:
            name = f"{name}_{at}" if name.isidentifier() else f"stage_{at}"
        made.append(name)
    return made


def lines_of(
    taken: tuple[Stage, ...], called: Sequence[str], names: tuple[str, ...], found: bool, still: bool
) -> list[Line]:
    """Return the lines for stages under the names `called`, at a point with parameters of these names.

    Stages after the first also get the value `found` if they refine it. If nothing changes from stage to
    stage (`still`), as among prohibitions, a shared `holds` is called once.
    """
    made = []
    held: dict[Callable[..., object], int] = {}
    for at, one in enumerate(taken):
        given = (*names, "found") if found and at else names
        said = [f"({condition_of(one.condition, given)})"] if one.condition else []
        if one.holds in held:
            said.append(f"held{held[one.holds]}")
        elif one.holds is not None:
            asked = f"holds{at}({', '.join(given)})"
            if still and not one.condition:
                held[one.holds], asked = at, f"(held{at} := {asked})"
            said.append(asked)
        made.append(Line(" and ".join(said), f"{called[at]}({', '.join(given)})"))
    return made


def _composed(kind: str, stages: Iterable[object], write: Write, found: bool = False) -> object:
    """Return the function that `write` generates for the stages, marked with its composition."""
    taken = tuple(map(staged, stages))
    _refuse_labels(kind, (one.name or (kind != "prohibit" and one.label) for one in taken))
    given = [parameters(one.function) for one in taken]
    names = max((one[:-1] if found and at else one for at, one in enumerate(given)), key=len)
    called = stage_names(taken, {*names, *(name.lstrip("*") for name in names)})
    space: JsonObject = {"__name__": __name__, "NOTHING": NOTHING, "first_part": itemgetter(0)}
    for at, one in enumerate(taken):
        space[called[at]], space[f"holds{at}"] = one.function, one.holds
    source = write(", ".join(names), lines_of(taken, called, names, found, kind == "prohibit"))
    run_generated(source, f"{kind} of {taken[0].function.__module__}.{called[0]}", space)
    composed = space["composed"]
    composed.__doc__ = f"Combine the stages of this point ({kind})."
    composed.composition = Composition(kind, taken)
    return composed


def name_point(function: object, place: str) -> None:
    """Have tracebacks and profiles call a composed function by its place in the record: "attacks.prepare"."""
    if isinstance(function, FunctionType) and function.__name__ == COMPOSED:
        function.__name__ = function.__qualname__ = place
        function.__code__ = function.__code__.replace(co_name=place, co_qualname=place)


def _refuse_labels(kind: str, labels: Iterable[str | bool]) -> None:
    """Raise ValueError if stages have labels that their composition ignores."""
    for label in filter(None, labels):
        raise ValueError(f"stages of {kind} take no names or declarations: {label}")


def _always_asked(kind: str, line: Line) -> None:
    """Raise ValueError if a stage has a condition without which the composition would have no answer."""
    if line.condition:
        raise ValueError(f"that stage of {kind} is always asked: {line.condition}")


def steps(*stages: Callable[P, Steps[None] | None]) -> Callable[P, Steps[None]]:
    """Run the steps of each stage, one after the other; a stage may return None for no steps.

    Stages are called at once until one has steps; only then is a generator needed.
    """

    def write(given: str, lines: list[Line]) -> str:
        text = f"def rest({given}, found, after):\n    yield from found\n"
        for at, line in enumerate(lines[1:], 1):
            then = f"found = {line.call}\nif found is not None:\n    yield from found"
            inner = line.ask(then, "        ")
            text += f"    if after < {at}:\n{inner}"
        text += f"def composed({given}):\n"
        for at, line in enumerate(lines[:-1]):
            then = f"found = {line.call}\nif found is not None and found is not NOTHING:\n"
            text += line.ask(f"{then}    return rest({given}, found=found, after={at})")
        then = f"found = {lines[-1].call}\nif found is not None:\n    return found"
        return f"{text}{lines[-1].ask(then)}    return NOTHING\n"

    return cast(Callable[P, Steps[None]], _composed("steps", stages, write))


def until(*stages: Callable[P, Steps[bool]]) -> Callable[P, Steps[bool]]:
    """Run the steps of each stage, one after the other, until one returns True; return whether one did.

    If no stage is called there are no steps, and the result is falsy.
    """

    def write(given: str, lines: list[Line]) -> str:
        text = f"def rest({given}, found, after):\n    if (yield from found):\n        return True\n"
        for at, line in enumerate(lines[1:], 1):
            inner = line.ask(f"if (yield from {line.call}):\n    return True", "        ")
            text += f"    if after < {at}:\n{inner}"
        text += f"    return False\ndef composed({given}):\n"
        for at, line in enumerate(lines):
            text += line.ask(f"return rest({given}, found={line.call}, after={at})")
        return f"{text}    return NOTHING\n"

    return cast(Callable[P, Steps[bool]], _composed("until", stages, write))


def gather(*stages: Callable[P, Iterable[T] | None]) -> Callable[P, list[T]]:
    """Return the parts of every stage, in order; one that only cites a rule may return None."""

    def write(given: str, lines: list[Line]) -> str:
        text = f"def composed({given}):\n    parts = []\n"
        for line in lines:
            text += line.ask(f"found = {line.call}\nif found:\n    parts += found")
        return f"{text}    return parts\n"

    return cast(Callable[P, list[T]], _composed("gather", stages, write))


def first(*stages: Callable[P, T | None]) -> Callable[P, T]:
    """Return the first answer with content; the last stage's if none has any.

    An answer has content if it is true and, for a tuple, if its first part is: ("", "") has none. The same
    goes for stages that may refuse: each is asked until one raises its refusal.
    """

    def write(given: str, lines: list[Line]) -> str:
        _always_asked("first", lines[-1])
        text = f"def composed({given}):\n"
        for line in lines[:-1]:
            then = f"found = {line.call}\nif found and (type(found) is not tuple or found[0]):\n"
            text += line.ask(f"{then}    return found")
        return f"{text}    return {lines[-1].call}\n"

    return cast(Callable[P, T], _composed("first", stages, write))


def choose(*stages: Callable[P, T]) -> Callable[P, T]:
    """Return the answer of the first stage whose condition holds; the last one has none."""

    def write(given: str, lines: list[Line]) -> str:
        _always_asked("choose", lines[-1])
        return f"def composed({given}):\n" + "".join(line.ask(f"return {line.call}") for line in lines)

    return cast(Callable[P, T], _composed("choose", stages, write))


def any_of(*stages: Callable[P, bool]) -> Callable[P, bool]:
    """Return whether any of the stages returns True."""

    def write(given: str, lines: list[Line]) -> str:
        asked = "".join(line.ask(f"if {line.call}:\n    return True") for line in lines)
        return f"def composed({given}):\n{asked}    return False\n"

    return cast(Callable[P, bool], _composed("any of", stages, write))


def most(*stages: Callable[P, T]) -> Callable[P, T]:
    """Return the greatest answer, the first of equals; of tuples that with the greatest first part."""

    def write(given: str, lines: list[Line]) -> str:
        _always_asked("most", lines[0])
        text = f"def composed({given}):\n    answers = [{lines[0].call}]\n"
        text += "".join(line.ask(f"answers.append({line.call})") for line in lines[1:])
        text += "    if type(answers[0]) is tuple:\n        return max(answers, key=first_part)\n"
        return f"{text}    return max(answers)\n"

    return cast(Callable[P, T], _composed("most", stages, write))


def amend(*stages: Callable[..., object]) -> Callable[..., Any]:
    """Return the answer of the last stage, after each earlier stage has replaced the last argument.

    A rule uses it to carry out a declaration as a different one, such as that of a mount.
    """

    def write(given: str, lines: list[Line]) -> str:
        _always_asked("amend", lines[-1])
        asked = "".join(line.ask(f"{given.split(', ')[-1]} = {line.call}") for line in lines[:-1])
        return f"def composed({given}):\n{asked}    return {lines[-1].call}\n"

    return cast(Callable[..., Any], _composed("amend", stages, write))


def prohibit(*stages: Prohibition) -> Prohibition:
    """Ask each stage that concerns a declaration until one raises its refusal.

    The function's `about_act(type)` returns the stages for one type, generated when first asked for.
    """
    taken = tuple(map(staged, stages))
    _refuse_labels("prohibit", (one.name for one in taken))

    @cache
    def about_act(kind: type) -> Prohibition:
        concerned = [one for one in taken if not one.acts or kind in one.acts]
        return cast(Prohibition, _composed("prohibit", concerned, _in_turn)) if concerned else _permit

    def composed(fight: object, actor: object, act: object) -> None:
        about_act(type(act))(fight, actor, act)  # type: ignore[arg-type]

    vars(composed).update(composition=Composition("prohibit", taken), about_act=about_act)
    return composed


def _in_turn(given: str, lines: list[Line]) -> str:
    return f"def composed({given}):\n" + "".join(line.ask(line.call) for line in lines)


def _permit(fight: object, actor: object, act: object) -> None:
    pass  # no prohibition is about such a declaration


def refine(start: Callable[P, T], *stages: Callable[..., T]) -> Callable[P, T]:
    """Return the first stage's value as changed by each further stage, `stage(fight, ..., found)`."""

    def write(given: str, lines: list[Line]) -> str:
        _always_asked("refine", lines[0])
        text = f"def composed({given}):\n    found = {lines[0].call}\n"
        text += "".join(line.ask(f"found = {line.call}") for line in lines[1:])
        return f"{text}    return found\n"

    return cast(Callable[P, T], _composed("refine", (start, *stages), write, found=True))


# --- Features found by the names on a sheet: the stages whose name it lists

Feature = Callable[..., Any]
"""What a name on a sheet gives: a function whose arguments are those of the point that asks it."""

Listed = Callable[[Iterable[str]], tuple[tuple[Feature, str], ...]]
"""Returns the features that apply to a sheet with those entries, each with its detail."""


def listed(*stages: Callable[..., object]) -> Listed:
    """Return the functions of the stages whose name a sheet lists, in order, each with the detail there.

    A name listed twice, with two details, is returned twice.
    """
    taken = tuple(map(staged, stages))
    for one in taken:
        if one.told or one.acts:
            raise ValueError(f"a feature is found by its name alone: {one.function.__name__}")

    def composed(entries: Iterable[str]) -> tuple[tuple[Feature, str], ...]:
        return tuple((one.function, detail) for one in taken for detail in details_of(one.name, entries))

    composed.composition = Composition("listed", taken)  # type: ignore[attr-defined]
    return composed


def feature_names(record: Struct) -> tuple[str, ...]:
    """Return the names under which the features of a record are listed, each once, in order."""
    made = (composition_of(getattr(record, field)) for field in record.__struct_fields__)
    return tuple(dict.fromkeys(one.name for each in made for one in each.stages if one.name))


# --- Defaults for points without a rule: nothing happens, adds, forbids or is reported


def nothing(*given: object) -> Steps[None]:
    """Do nothing: the dialect has no rule on it."""
    return NOTHING


def never(*given: object) -> Steps[bool]:
    """Return False, without a roll or a question: the dialect has no rule on it."""
    return False
    yield


def always(*given: object) -> Steps[bool]:
    """Return True, without a roll or a question: the dialect has no rule on it."""
    return True
    yield


def nobody(*given: object) -> Steps[str]:
    """Return no combatant, without a roll or a question: the dialect has no rule on it."""
    return ""
    yield


def no(*given: object) -> bool:
    """Return False: the dialect has no rule on it."""
    return False


def yes(*given: object) -> bool:
    """Return True: the dialect has no rule on it."""
    return True


def none(*given: object) -> None:
    """Return None, and refuse nothing: the dialect has no rule on it."""


def no_rules(*given: object, **named: object) -> tuple[T, ...]:
    """Cite nothing: the dialect has no rule on it."""
    return ()


def no_parts(*given: object) -> list[T]:
    """Add nothing: the dialect has no rule on it."""
    return []


def no_topic(*given: object) -> str:
    """Return "", for no prohibition: the dialect has no rule on it."""
    return ""


def no_reason(*given: object) -> tuple[str, str]:
    """Return no reason and no topic, for no prohibition: the dialect has no rule on it."""
    return "", ""


def no_points(*given: object) -> int:
    """Return 0: the dialect has no rule on it."""
    return 0
