"""A file of sheets that several scenarios share: whose sheet counts, and what is refused."""

from pathlib import Path

import pytest

from affray.engine.table.scenario import read_scenario, read_scenarios, set_up, sheet_of
from affray.engine.table.scenario_parts import BadScenario
from affray.events import MemoryStore

FIGHT = """
dialect = "srd35"
map = ["...."]
sheets_from = "shared/people.toml"
combatants = [
  {id = "guard", side = "a", use = "town guard", at = [0, 0]},
  {id = "rat", side = "b", use = "rat", at = [1, 0]},
  {id = "ogre", side = "b", use = "ogre", at = [2, 0]},
]
[sheets.rat]
name = "Own rat"
hp = 1
"""
PEOPLE = """
["town guard"]
name = "Guard"
hp = 9
[rat]
name = "Shared rat"
hp = 2
"""
TABLE = """
dialect = "srd35"
sheets_from = "shared/people.toml"
[sheets.rat]
name = "Rat of the table"
hp = 1
[[scenario]]
map = [".."]
combatants = [{id = "rat", side = "b", use = "rat", at = [1, 0]}]
[[scenario]]
map = [".."]
sheets_from = "shared/beasts.toml"
combatants = [
  {id = "rat", side = "b", use = "rat", at = [1, 0]},
  {id = "guard", side = "a", use = "town guard", at = [0, 0]},
]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a fight, a table of two and the files of sheets that they share."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "people.toml").write_text(PEOPLE)
    (tmp_path / "shared" / "beasts.toml").write_text('[rat]\nname = "Beast"\nhp = 3\n')
    (tmp_path / "fight.toml").write_text(FIGHT)
    (tmp_path / "table.toml").write_text(TABLE)
    return tmp_path


def test_a_scenario_uses_the_sheets_of_another_file(folder: Path) -> None:
    """The sheet of the scenario counts, then the shared one, then the packaged one."""
    scenario = read_scenario(folder / "fight.toml")
    names = [sheet_of(scenario, one).name for one in scenario.combatants]
    assert names == ["Guard", "Own rat", "Gharm, ogre"]
    (folder / "shared" / "people.toml").write_text(PEOPLE + '[ogre]\nname = "Shared ogre"\nhp = 7\n')
    scenario = read_scenario(folder / "fight.toml")
    assert sheet_of(scenario, scenario.combatants[2]).name == "Shared ogre"


def test_a_table_uses_them_for_all_of_its_scenarios(folder: Path) -> None:
    """What a scenario names itself counts before what its table holds or names."""
    plain, other = read_scenarios(folder / "table.toml")
    assert [sheet_of(plain, one).name for one in plain.combatants] == ["Rat of the table"]
    assert [sheet_of(other, one).name for one in other.combatants] == ["Beast", "Guard"]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (None, "No such file"),
        ("hp = 3\n", "Expected `object`, got `int`"),
        ("[rat\n", "Expected"),
        (b"\xff", "not a UTF-8 text"),
    ],
)
def test_bad_files_of_sheets_are_refused_in_one_line(
    folder: Path, file: str | bytes | None, said: str
) -> None:
    """The line names the scenario, the key and the file that it asks for."""
    people = folder / "shared" / "people.toml"
    people.unlink()
    if file is not None:
        people.write_bytes(file if isinstance(file, bytes) else file.encode())
    for read, name in ((read_scenario, "fight.toml"), (read_scenarios, "table.toml")):
        with pytest.raises(BadScenario, match=said) as refused:
            read(folder / name)
        assert f"{name}: sheets_from: {people}: " in str(refused.value)
        assert "\n" not in str(refused.value)


def test_an_unknown_sheet_is_refused_in_one_line(folder: Path) -> None:
    """The line says who asks for which sheet, and which there are."""
    (folder / "fight.toml").write_text(FIGHT.replace('use = "town guard"', 'use = "tawn guard"'))
    scenario = read_scenario(folder / "fight.toml")
    with pytest.raises(BadScenario) as refused:
        sheet_of(scenario, scenario.combatants[0])
    said = "guard uses no known sheet: 'tawn guard'; did you mean town guard?"
    assert str(refused.value) == f"scenario: {said}"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('conditions = ["pronne"]', "rat: srd35 knows no conditions 'pronne' in 'enter', but 'prone'"),
        ("levels = {prone = 2}", "rat: srd35 knows no 'levels' in 'enter' without 'conditions'"),
        ('conditions = ["prone"], by = {prone = "zoe"}', "rat: there is no combatant 'zoe' in this fight"),
        ("losses = {strenth = 2}", "rat: 'strenth' is no ability"),
        ("change = {custom = {x = 1}}", "rat: Gnawer: custom: Object contains unknown field `x`"),
        ("hp = 400", "rat cannot have 400 hit points: full ones are 1"),
        ("hp = 2000000", "rat: combatants[1].hp is 2000000, the most is 1000000"),
        ("acted = 3", "rat: Expected `bool`, got `int` - at `$.combatants[1].acted`"),
        ("nam = 3", "rat: Object contains unknown field `nam` - at `$.combatants[1]`"),
    ],
)
def test_a_bad_entry_is_refused_by_the_id_of_its_combatant(folder: Path, entry: str, said: str) -> None:
    """The line names the combatant once, whether the file or the rules refuse its entry."""
    fight = folder / "fight.toml"
    text = FIGHT.replace("Own rat", "Gnawer").replace("at = [1, 0]}", f"at = [1, 0], {entry}}}")
    fight.write_text(text)
    with pytest.raises(BadScenario) as refused:
        set_up(read_scenario(fight), MemoryStore())
    assert str(refused.value).partition(": ")[2].startswith(said)
