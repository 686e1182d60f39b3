"""The kernel: its size, and that nothing else asks for the rules of the 3.5 family."""

import ast
import re
from pathlib import Path

import pytest

from affray.engine.dialects import load
from affray.engine.fight.fight import Chapters
from affray.engine.kernel.contents import KERNEL
from affray.engine.record.acts import purposes
from affray.engine.record.kernel import Kernel, Untaken
from affray.engine.steps import Refusal
from tests.relatives import RELATIVES

ROOT = Path(__file__).parents[2]

POINTS = [name for name in Kernel.__struct_fields__ if name not in ("acts", "rolls", "questions")]


def test_the_kernel_is_one_page() -> None:
    """It has at most fifty points, each with its purpose, and a value to start from."""
    assert len(POINTS) <= 50
    told = purposes(Kernel)
    assert [name for name in POINTS if not told.get(name)] == []
    assert [name for name in POINTS if not hasattr(KERNEL, name)] == []


@pytest.mark.parametrize("dialect", RELATIVES)
def test_a_relative_of_35_answers_for_each_point(dialect: str) -> None:
    """The kernel of a dialect with chapters is made of them."""
    rules = load(dialect)
    assert rules.contents == Chapters.__struct_fields__
    assert rules.kernel.conditions is rules.conditions.table
    assert rules.kernel.open_turn is rules.turns.open_turn


def test_a_chapter_that_is_not_taken_up_refuses_by_name() -> None:
    """Whatever asks for one of its points gets a refusal with the dialect and the point."""
    chapter = Untaken("oldschool", "grapple")
    assert not chapter.acts
    with pytest.raises(Refusal, match=r"oldschool has no rule for grapple\.bonds"):
        _ = chapter.bonds


FAMILY = "affray.engine.rules"
"""The rules that the relatives of 3.5 share."""

BESIDE = {
    "engine/statblock": "printed stat blocks of 3.5 and its relatives become sheets",
    "replay/cli/statblock.py": "printed stat blocks of 3.5 and its relatives",
    "replay/campaign": "carrying asks for the states of things that the relatives know",
    "replay/chance/balance.py": "encounter sums by the numbers of a 3.5 sheet",
    "replay/rule_changes/another_dialect.py": "remarks on a sheet under another rulebook",
}
"""The places outside the family that import its rules, each with the reason."""


def imports_of_family() -> list[str]:
    """Return the modules outside the family that import its rules."""
    found = []
    for folder in ("engine", "events", "projections", "replay"):
        for file in (ROOT / folder).rglob("*.py"):
            name = file.relative_to(ROOT).as_posix()
            if name.startswith(("engine/rules/", "engine/dialects/")):
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(FAMILY):
                    found.append(name)
    return sorted(set(found))


def test_what_imports_the_rules_of_the_family() -> None:
    """The engine asks the kernel; what needs the family's rules is listed with the reason."""
    found = imports_of_family()
    assert [name for name in found if not name.startswith(tuple(BESIDE))] == []
    assert [place for place in BESIDE if not any(name.startswith(place) for name in found)] == []


def test_only_the_family_asks_its_chapters() -> None:
    """Outside the family a point is asked through the kernel."""
    chapters = "|".join(Chapters.__struct_fields__)
    asked = re.compile(rf"dialect\.({chapters})\.\w+")
    found = {}
    for folder in ("engine", "events", "projections", "replay"):
        for file in (ROOT / folder).rglob("*.py"):
            name = file.relative_to(ROOT).as_posix()
            own = ("engine/rules/", "engine/dialects/", "engine/record/", *BESIDE)
            names = [] if name.startswith(own) else asked.findall(file.read_text())
            if names:
                found[name] = names
    assert found == {}


WORDS = {
    "kinds of action": ("standard", "move", "full-round", "swift", "immediate"),
    "saves": ("fort", "ref", "will"),
    "creatures": ("undead", "construct", "ooze", "humanoid", "outsider"),
    "kinds of bonus": ("dodge", "deflection", "morale", "enhancement", "insight"),
    "damage": ("slashing", "piercing", "bludgeoning"),
    "sizes": ("tiny", "small", "medium", "large", "huge"),
}
"""Lists of 3.5 words: a literal with three of one list is a list of its own."""

SCHEMA = ("events/facts/", "engine/statblock/", "engine/rules/", "engine/dialects/")
"""Where words of 3.5 belong: the schema of logs and sheets, printed blocks, the family and its dialects."""


def test_no_list_of_words_of_35_outside_its_dialects() -> None:
    """What speaks reads its words from the dialect (`words.toml`) or from the log."""
    found = []
    for folder in ("engine", "events", "projections", "replay"):
        for file in (ROOT / folder).rglob("*.py"):
            name = file.relative_to(ROOT).as_posix()
            if name.startswith(SCHEMA):
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
                    inner = node.keys if isinstance(node, ast.Dict) else node.elts
                    texts = {one.value for one in inner if isinstance(one, ast.Constant)}
                    found += [
                        f"{name}:{node.lineno} {what}"
                        for what, words in WORDS.items()
                        if len(texts & {*words}) > 2
                    ]
    assert found == []
