"""Shared rules call what stands at a point through the record, not by its name."""

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from affray.engine.book.packages import shipped
from affray.engine.dialects import load
from affray.engine.fight.fight import Chapters
from affray.engine.kernel.contents import KERNEL
from affray.replay.rulebook.points import plain_record

ROOT = Path(__file__).parents[2]
RULES = ("affray.engine.rules.", "affray.engine.kernel.")

BY_NAME = {
    (
        "magic.ongoing_spells:poor_sight",
        "miss_chance",
    ): "what the eyes of a spell's bearer see, not the blow's",
    (
        "magic.spell_effects:targets_of_spell",
        "printed_range",
    ): "tells a range that differs from the printed one",
    ("movement.movement:refuse_crowded", "refuse_held"): "crowding has no skill to get past an opponent",
    ("conditions.conditions:report_spared_hazard", "is_spared_fortitude"): "the rule itself, not noise",
    ("conditions.conditions:is_spared_spell", "is_spared_fortitude"): "the rule itself, not noise",
    ("attacks.natural_weapons:damage_in_swarm", "is_spared_fortitude"): "the rule itself, not noise",
    ("attacks.declared_blow:coup_de_grace", "is_spared_fortitude"): "the rule itself, not noise",
}
"""Calls by name of what stands at a point of some dialect, each with the reason."""


@cache
def at_points() -> frozenset[tuple[str, str]]:
    """Return the shared functions that alone decide a point, of a dialect or by default."""
    records: list[Any] = [KERNEL]
    for dialect in shipped():
        for chapter in Chapters.__struct_fields__:
            records += [getattr(load(dialect), chapter), plain_record(chapter)]
    values = (getattr(record, point) for record in records for point in record.__struct_fields__)
    alone = (one for one in values if isinstance(one, FunctionType) and not hasattr(one, "composition"))
    functions = map(inspect.unwrap, alone)
    return frozenset((one.__module__, one.__name__) for one in functions if one.__module__.startswith(RULES))


def called_by_name() -> Iterator[tuple[str, str]]:
    """Yield each call of such a function by name in the shared rules: the caller and the name."""
    for file in (*(ROOT / "engine" / "rules").rglob("*.py"), *(ROOT / "engine" / "kernel").glob("*.py")):
        if file.name in ("plain.py", "as_kernel.py", "contents.py"):  # where the points are filled
            continue
        module = "affray." + file.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        tree = ast.parse(file.read_text())
        known = {
            name.asname or name.name: (node.module or "", name.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        }
        for function in tree.body:
            for node in ast.walk(function) if isinstance(function, ast.FunctionDef) else ():
                if isinstance(node, ast.Call):
                    where = _meant(node.func, module, known)
                    stored = (one for one in ast.walk(function) if isinstance(one, ast.Name))
                    local = {one.id for one in stored if isinstance(one.ctx, ast.Store)}
                    if where in at_points() and where != (module, function.name) and where[1] not in local:
                        yield f"{module.removeprefix(RULES[0])}:{function.name}", where[1]


def _meant(called: ast.expr, module: str, known: dict[str, tuple[str, str]]) -> tuple[str, str]:
    if isinstance(called, ast.Name):
        return known.get(called.id, (module, called.id))
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in known:
        home, name = known[called.value.id]
        return f"{home}.{name}", called.attr
    return "", ""


def test_points_are_asked_through_the_record() -> None:
    """A dialect that replaces a point replaces it for every caller; exceptions have a reason."""
    found = set(called_by_name())
    assert found - BY_NAME.keys() == set()
    assert BY_NAME.keys() - found == set()
