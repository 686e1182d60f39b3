"""Whatever takes a combatant's attention ends what it keeps up: such conditions are put on in one way."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

from affray.engine.dialects import load

HOUSE = Path(__file__).parents[2]
#: Conditions that are put on alone, by module and function, each with the reason.
ALONE = {
    ("dialects.woa.conditions.conditions", "bring_consequences"): "comes of one that came by `gain`",
    ("dialects.woa.conditions.conditions", "wake_enervated"): "lay passed out before",
    ("dialects.woa.grapple.grapple_round", "settle_grapple"): "says who acts in a grapple's round",
    ("dialects.woa.grapple.grapple_checks", "join"): "says who acts in a grapple's round",
}


def taking_attention(name: str) -> set[str]:
    """Return the conditions of a dialect that leave no action, or nothing but a move."""
    table = load(name).conditions.table
    return {
        one
        for one, rule in table.items()
        if rule.down or rule.budget == "actions" or rule.actions in ("none", "move")
    }


def put_on_alone(module: str) -> list[tuple[str, str]]:
    """Return the functions that yield the fact of a condition, and its name, as far as the source tells."""
    names = import_module(f"affray.engine.{module}").__dict__
    source = (HOUSE / "engine" / Path(*module.split("."))).with_suffix(".py").read_text()
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if not isinstance(node, ast.Yield) or not isinstance(node.value, ast.Call):
                continue
            if getattr(node.value.func, "id", "") != "ConditionGained":
                continue
            said = next(one.value for one in node.value.keywords if one.arg == "condition")
            name = said.value if isinstance(said, ast.Constant) else names.get(getattr(said, "id", ""))
            if isinstance(name, str):
                found.append((function.name, name))
    return found


@pytest.mark.parametrize("dialect", ["srd35", "pf1", "futurepath", "woa"])
def test_what_takes_attention_is_put_on_with_what_it_ends(dialect: str) -> None:
    """None of these conditions is a bare fact: `gain` or `apply_fear_condition` asks what lapses with it."""
    barring = taking_attention(dialect)
    assert {"stunned", "dazed", "unconscious", "dead"} <= barring
    for path in sorted((HOUSE / "engine").rglob("*.py")):
        module = ".".join(path.relative_to(HOUSE / "engine").with_suffix("").parts)
        if module.startswith("dialects.") and not module.startswith(f"dialects.{dialect}."):
            continue
        if not module.startswith(("rules.", "dialects.")) or path.stem == "__init__":
            continue
        alone = [one for one in put_on_alone(module) if one[1] in barring and (module, one[0]) not in ALONE]
        assert not alone, f"{module}: {alone}"
