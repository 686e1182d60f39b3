"""Names of feats and traits that code looks for are those that the dialect says it reads."""

import ast
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from inspect import isfunction, unwrap
from types import FunctionType
from typing import Any

from affray.engine.dialects import load
from affray.engine.record.acts import SheetNames
from affray.engine.rules.classes.checks import count_natural_attacks
from affray.engine.rules.turns import tactics
from affray.events.facts.sheet import Sheet, Spell, Weapon, Worn
from affray.replay.rulebook.places import tree_of
from tests.dialects.test_states import texts
from tests.dialects.test_topics import each_dialect, functions

ASKING = {"has_feat": "feats", "has_trait": "traits"}
#: What combatants are called.
COMBATANTS = ("attacker", "caster", "combatant", "holder", "mover", "target", "victim")
#: What has fields of the same names: exposure to a blow, an object, a barrier, a declaration, harm, impact.
OTHERS = (
    *("exposure", "thing", "barrier", "act", "harm", "impact", "intent", "rider", "rolled", "sums"),
    *("first", "thrown", "carried", *COMBATANTS),
)
#: Shared functions that only pass a field on, or ask of it whether anything is to be done at all: what would
#: come of it stands at points that a dialect may leave empty.
PASSING = {
    "affray.engine.rules.damage.damage.weapon_damage": ("riders",),
    "affray.engine.rules.magic.touch_spells.touch_blow": ("riders",),
    "affray.engine.rules.gear.tables.with_table_armor": ("failure",),
}
#: Fields of parts of a sheet whose names facts and modifiers have too: reads of those are no reads of these.
NAMESAKES = {"kind", "bonus", "size", "traits", "reach"}
#: What no rule of futurepath reads: it heads a sheet, whose figures are worked out by it.
HEADING = {"futurepath": {"hit_dice"}}
#: What is read by functions to which a word of a declaration leads (`by_word`).
BY_WORD = {"futurepath": {"ranks"}}
#: Where a sheet is judged as it enters, not played.
JUDGING = ("affray.engine.rules.classes.sheets", "affray.engine.kernel.sheets")
KINDS = {"Sheet": Sheet, "Weapon": Weapon, "Worn": Worn, "Spell": Spell}
#: Fields that shared functions name on ways which nothing in the dialect leads to; fights show it
#: (`test_fields_that_act`).
NEVER_REACHED = {"futurepath": {"ability", "components", "item"}}


def looked_for(node: ast.AST, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield ("feats" or "traits" or "weapon_traits", name) of what a piece of code looks for by its name."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ASKING:
        for name in texts(node.args[1], known):
            yield ASKING[ast.unparse(node.func).rpartition(".")[2]], name
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        where = ast.unparse(node.comparators[0])
        for kind in ("feats", "traits"):
            if where.endswith(f".{kind}"):
                of_weapon = kind == "traits" and "sheet" not in where
                for name in texts(node.left, known):
                    yield "weapon_traits" if of_weapon else kind, name


@cache
def names_in_code(dialect: str) -> dict[tuple[str, str], str]:
    """Return each name that the functions of a dialect look for, with one of them."""
    found = {}
    # Automatic play is no part of any table of contents, and reads sheets all the same.
    by_itself = [
        unwrap(one)
        for one in vars(tactics).values()
        if isfunction(one) and one.__module__ == tactics.__name__
    ]
    for function in (*functions(dialect), *by_itself):
        if function is count_natural_attacks and not load(dialect).book.prerequisites:
            continue  # the dialect has no feat that asks for natural attacks
        for node in ast.walk(tree_of(function)):
            for name in looked_for(node, function.__globals__):
                found[name] = f"{function.__module__}.{function.__name__}"
    return found


def knows(names: SheetNames, kind: str, name: str) -> bool:
    """Say whether a name is one that a dialect says it reads."""
    return any(fnmatchcase(name, one) for one in getattr(names, kind))


@each_dialect
def test_what_code_looks_for_is_said(dialect: str) -> None:
    """Every name of a feat or trait that a rule looks for stands in the vocabulary of its dialect."""
    names, found = load(dialect).classes.sheet_names, names_in_code(dialect)
    assert len(found) > 10
    missing = {name: where for name, where in found.items() if not knows(names, *name)}
    assert not missing


@cache
def fields_read(dialect: str) -> frozenset[str]:
    """Return the names of what the functions of a dialect read of anything that may be part of a sheet."""
    return frozenset(
        node.attr
        for function in functions(dialect)
        if function.__module__ not in JUDGING
        for node in ast.walk(tree_of(function))
        if isinstance(node, ast.Attribute)
        and not ast.unparse(node.value).endswith(OTHERS)
        and node.attr not in PASSING.get(f"{function.__module__}.{function.__name__}", ())
    )


@each_dialect
def test_fields_that_nothing_reads(dialect: str) -> None:
    """No function of a dialect names a field of a sheet that is told to be unread."""
    read, unread = fields_read(dialect), load(dialect).classes.sheet_names.unread
    for kind, fields in unread.items():
        if kind not in KINDS:  # fights show it of riders
            continue
        assert set(fields) <= set(KINDS[kind].__struct_fields__)
        # A name that other parts of a sheet have too may be read of those.
        of_others = {
            name
            for other in KINDS.keys() - {kind}
            for name in set(KINDS[other].__struct_fields__).difference(unread.get(other, ()))
        }
        assert not read.intersection(fields) - of_others - NAMESAKES - NEVER_REACHED.get(dialect, set()), kind


DECLARED = {"custom"}
"""The fields that hold what an installed dialect declares: all others refuse their contents on entry."""


@each_dialect
def test_fields_that_are_not_told(dialect: str) -> None:
    """What is not told to be unread, some function of the dialect reads, itself or by its name in a table."""
    unread = load(dialect).classes.sheet_names.unread
    known = fields_read(dialect) | HEADING.get(dialect, set()) | BY_WORD.get(dialect, set())
    by_name = {text for function in functions(dialect) for text in strings_in(function)}
    for kind, struct in KINDS.items():
        said = set(struct.__struct_fields__).difference(unread.get(kind, ()), DECLARED)
        assert said <= known | by_name, kind


def strings_in(function: FunctionType) -> Iterator[str]:
    """Yield the words that a function's source has, and those of the tables that it names."""
    for node in ast.walk(tree_of(function)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Name):
            held = function.__globals__.get(node.id)
            if isinstance(held, tuple):
                yield from (one for one in held if isinstance(one, str))
