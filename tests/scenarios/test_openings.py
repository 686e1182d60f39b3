"""Files of many scenarios: the keys that they share, what each changes of them, and what is refused."""

from pathlib import Path

import pytest

from affray.engine.table.scenario import read_scenarios
from affray.engine.table.scenario_parts import BadScenario, Scenario

TOP = """
dialect = "srd35"
map = [".."]
combatants = [
  {id = "fighter", side = "a", use = "fighter", at = [0, 0], held = ["longsword"]},
  {id = "orc", side = "b", use = "goblin", at = [1, 0], change = {hp = 20, speed = 20}},
]
"""
YARD = """
[openings.yard]
map = ["....", "...."]
begin = {round = 3}
"""
PLAIN = """
[scenario."plain"]
"""


def read(folder: Path, text: str) -> dict[str, Scenario]:
    """Return the scenarios of a file with this text, by name."""
    (folder / "many.toml").write_text(text)
    return {one.name: one for one in read_scenarios(folder / "many.toml")}


def test_a_scenario_takes_the_keys_that_it_does_not_give(tmp_path: Path) -> None:
    """Its own key counts before that of its opening, and this before that of the file."""
    text = '[scenario."in the yard"]\nopening = "yard"\n[scenario.own]\nopening = "yard"\nmap = ["...."]\n'
    found = read(tmp_path, TOP + YARD + PLAIN + text)
    assert [(one, *case.map, case.begin.round) for one, case in found.items()] == [
        ("plain", "..", 1),
        ("in the yard", "....", "....", 3),
        ("own", "....", 3),
    ]
    assert all([one.id for one in case.combatants] == ["fighter", "orc"] for case in found.values())


def test_fields_of_shared_combatants_are_replaced_in_one_scenario(tmp_path: Path) -> None:
    """`but` replaces a field as a whole, in its scenario alone."""
    text = '[scenario.changed]\nbut = {fighter = {held = ["flail"]}, orc = {change = {hp = 5}}}\n'
    found = read(tmp_path, TOP + text + PLAIN)
    fighter, orc = found["changed"].combatants
    assert (fighter.held, fighter.use, orc.change) == (("flail",), "fighter", {"hp": 5})
    assert [one.change for one in found["plain"].combatants] == [{}, {"hp": 20, "speed": 20}]


def test_a_scenario_lists_shared_combatants_by_id(tmp_path: Path) -> None:
    """They come in the order of its list, among its own ones; those left out are absent."""
    wolf = '{id = "wolf", side = "b", use = "ogre", at = [0, 0]}'
    found = read(
        tmp_path,
        f'{TOP}{PLAIN}[scenario.three]\ncombatants = ["orc", {wolf}, "fighter"]\nbut = {{orc = {{hp = 3}}}}\n'
        f'[scenario.two]\ncombatants = [{wolf}, "orc"]\n',
    )
    assert [(one.id, one.hp) for one in found["three"].combatants] == [
        ("orc", 3),
        ("wolf", None),
        ("fighter", None),
    ]
    assert [(one.id, one.hp) for one in found["two"].combatants] == [("wolf", None), ("orc", None)]


def test_a_list_of_scenarios_shares_keys_too(tmp_path: Path) -> None:
    """`[[scenario]]` tables are read like named ones."""
    listed = '[[scenario]]\nname = "plain"\n[[scenario]]\nname = "x"\nbut = {orc = {hp = 3}}\n'
    named = "[scenario.plain]\n[scenario.x]\nbut = {orc = {hp = 3}}\n"
    assert read(tmp_path, TOP + listed) == read(tmp_path, TOP + named)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('opening = "yrd"' + YARD, "x: no opening 'yrd'; did you mean yard?"),
        (YARD, "no scenario has the opening 'yard'"),
        ('opening = "yard"\nmap = ["."]' + YARD + PLAIN, "no scenario takes the `map` of the opening 'yard'"),
        ('opening = "yard"\n[openings.yard]\nmap = ["."]', "no scenario takes the `map` of the file"),
        ('map = ["."]', "no scenario takes the `map` of the file: all have another"),
        ("combatants = []", "no scenario takes the `combatants` of the file"),
        ("but = {ork = {hp = 3}}", "x: no shared combatant 'ork'; did you mean orc?"),
        ('combatants = ["ork"]', "x: no shared combatant 'ork'; did you mean orc?"),
        ('combatants = ["orc"]\nbut = {fighter = {hp = 3}}', "x: `but` changes 'fighter', which is not"),
        ('but = {orc = {id = "ork"}}', "x: `but` has `id` among the fields of 'orc'"),
        ("but = {orc = {hitpoints = 3}}", "x: "),
        ("but = 3", "x: "),
        ('name = "y"', "x: the name is already that of the table"),
        ("opening = 3", "x: "),
        ("[openings.yard]\nmap = 3", "openings"),
        ("[openings.yard]\nscript = []", "script"),
        ("[openings.yard]\ncombatants = 3", "openings"),
    ],
)
def test_what_cannot_be_shared_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    """The line names the file, the scenario where there is one, and what is wrong."""
    with pytest.raises(BadScenario) as refused:
        read(tmp_path, f"{TOP}[scenario.x]\n{text}\n")
    assert str(refused.value).startswith(str(tmp_path / "many.toml"))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_keys_of_a_file_are_read_before_its_sheets(tmp_path: Path) -> None:
    """A wrong value of a key is refused in one line, like any other."""
    for text in ('sheets_from = 3\ndialect = "srd35"', 'sheets_from = "sheets.toml"'):
        with pytest.raises(BadScenario, match=r"sheets_from|dialect"):
            read(tmp_path, f"{text}\n{PLAIN}")


def test_changes_need_shared_combatants(tmp_path: Path) -> None:
    """A file without shared combatants has none that a scenario could change, or list by id."""
    own = '{id = "orc", side = "b", use = "goblin", at = [0, 0]}'
    for text in (f"combatants = [{own}]\nbut = {{orc = {{hp = 3}}}}", 'combatants = ["orc"]'):
        with pytest.raises(BadScenario, match="x: no shared combatant 'orc'"):
            read(tmp_path, f'dialect = "srd35"\n[scenario.x]\nmap = ["."]\n{text}\n')


def test_two_shared_combatants_with_one_id_are_refused(tmp_path: Path) -> None:
    """Otherwise one of them would be lost without a word."""
    with pytest.raises(BadScenario, match="two shared combatants are 'orc'"):
        read(tmp_path, TOP.replace("fighter", "orc") + PLAIN)
