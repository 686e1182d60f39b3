"""A small dialect as a package in a folder, with sheets, a fight and scenarios; derived from srd35."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SRD35 = ROOT / "engine" / "dialects" / "srd35"

PROJECT = """
[project]
name = "affray-little"
version = "1.0"

[project.entry-points."affray.dialects"]
little = "little_rules"
"""

MODULE = """
from affray.engine.dialects.srd35 import CHAPTERS

TITLE = "Little rules"
__all__ = ["CHAPTERS", "TITLE"]
"""

STAGED = '''
"""Little rules with a stage of their own."""

from affray.engine.dialects.srd35 import CHAPTERS as BASE
from affray.engine.record.house_rules import HouseRules, Put, put_into
from affray.engine.steps import Refusal, Roll

TITLE = "Little rules"

{stage}

CHAPTERS = put_into(BASE, HouseRules(dialect="little", stages=({put},)), "little")
'''

SHEETS = """
[bandit]
name = "Bandit"
hp = 9
abilities = {str = 12, dex = 12}
base_attack = 1
weapons = [{name = "club", damage = "1d6", damage_type = "bludgeoning", wield = "one-handed"}]

[guard]
name = "Guard"
hp = 12
abilities = {str = 14}
base_attack = 2
armor = [{value = 4, kind = "armor", source = "chain shirt"}]
weapons = [{name = "spear", damage = "1d8", damage_type = "piercing", wield = "two-handed", multiplier = 3}]
"""

FIGHT = """
dialect = "little"
name = "bridge"
title = "The bridge"
seed = "a bridge"
map = [".....", "....."]
combatants = [
  {id = "guard", side = "town", use = "guard", at = [0, 0], initiative = 12},
  {id = "bandit", side = "road", use = "bandit", at = [3, 1], initiative = 8},
]
auto = 20
"""

SCENARIOS = """
dialect = "little"

[[scenario]]
name = "a spear reaches its Armor Class"
map = ["....."]
combatants = [
  {id = "guard", side = "town", use = "guard", at = [0, 0], initiative = 12},
  {id = "bandit", side = "road", use = "bandit", at = [1, 0], initiative = 8, acted = true},
]
script = [
  {do = {act = "attack", actor = "guard", target = "bandit"}, dice = [12, 4], expect = [
    {type = "attack.resolved", result = "hit", cites = ["little.attack.roll"]},
  ]},
]

[[scenario]]
name = "a club misses it"
map = ["....."]
combatants = [
  {id = "guard", side = "town", use = "guard", at = [0, 0], initiative = 2, acted = true},
  {id = "bandit", side = "road", use = "bandit", at = [1, 0], initiative = 8},
]
script = [
  {do = {act = "attack", actor = "bandit", target = "guard"}, dice = [3], expect = [
    {type = "attack.resolved", result = "miss"},
  ]},
]
"""


def make(folder: Path, **texts: str) -> Path:
    """Write the package into a folder, which is returned; `texts` replace files, by `file_name`."""
    folder.mkdir(parents=True, exist_ok=True)
    rules, fights = folder / "little_rules", folder / "little_rules" / "fights"
    chapter = folder / "scenarios" / "attacks"
    for place in (fights, chapter):
        place.mkdir(parents=True)
    for file in sorted(SRD35.iterdir()):
        if file.suffix in (".jsonl", ".toml"):
            (rules / file.name).write_text(file.read_text("utf-8").replace('"srd35.', '"little.'), "utf-8")
    (folder / "pyproject.toml").write_text(texts.get("project", PROJECT), "utf-8")
    (rules / "__init__.py").write_text(texts.get("module", MODULE), "utf-8")
    (rules / "sheets.toml").write_text(texts.get("sheets", SHEETS), "utf-8")
    (fights / "demo.toml").write_text(texts.get("fight", FIGHT), "utf-8")
    (chapter / "attacks.toml").write_text(texts.get("scenarios", SCENARIOS), "utf-8")
    return folder


def staged(put: str, stage: str) -> str:
    """Return the module of the package with one more stage: `stage` is its code, `put` puts it in."""
    return STAGED.format(stage=stage, put=put)
