"""What holds of all scenario tables; conftest.py plays each scenario."""

from pathlib import Path

import pytest

from affray.engine.chapters import CHAPTERS, KERNEL_CHAPTERS, tables_in
from affray.engine.table.scenario import parse_scenario
from affray.engine.testing import check
from tests.scenarios.cases import DIALECTS, all_cases
from tests.scenarios.plays import played


def test_a_scenario_without_a_seed_has_its_own() -> None:
    """What a table leaves to chance falls the same every time it is played, as its name says."""
    name = "srd35/sneak-attack: "
    found = next(
        case for title, case in all_cases() if title.startswith(name) and "a feint opens the way" in title
    )
    heads = [played(found, memory=True).head("main") for _ in range(3)]
    assert not found.seed
    assert heads[0] == heads[1] == heads[2]


def test_names_are_unique() -> None:
    """No two scenarios share a name, so that a report points at one."""
    names = [name for name, _ in all_cases()]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda folder: folder.name)
def test_tables_stand_in_chapters(dialect: Path) -> None:
    """Every folder of a dialect is a chapter, and holds tables; chapters may have tables of one name."""
    assert {entry.name for entry in dialect.iterdir() if entry.is_dir()} <= {*CHAPTERS, *KERNEL_CHAPTERS}
    assert tables_in(dialect)


FIGHT = """
dialect = "srd35"
name = "a wall"
map = [".."]
combatants = [
  {{id = "a", side = "a", use = "orc", at = [0, 0], initiative = 9}},
  {{id = "b", side = "b", use = "orc", at = [1, 0], initiative = 1}},
]
script = [{{do = {{act = "attack", actor = "a", target = "b"}}, dice = [12, 1, 1], {expectation}}}]
"""


@pytest.mark.parametrize(
    ("expectation", "reason"),
    [
        ("parts = {attack = 4}", "parts has the form {attack = {size = -1}}, not {'attack': 4}"),
        ("parts = {atack = {size = 0}}", "there is no list of modifiers 'atack'; did you mean attack?"),
        ("denied = {defense = 2}", "denied has the form {defense = [\"dexterity\"]}, not {'defense': 2}"),
        ("sources = ['flanking']", "sources has the form {attack = [\"flanking\"]}, not ['flanking']"),
        ("arms = {falchion = 3}", "arms has the form {longsword = {damage = \"1d8\"}}, not {'falchion': 3}"),
        ("sheet_has = 3", "sheet_has has the form {speed = 30}, not 3"),
        ("cites = 'x'", "cites has the form [\"srd35.attack.roll\"], not 'x'"),
    ],
)
def test_an_expectation_in_the_wrong_form_is_one_line(expectation: str, reason: str) -> None:
    """It names the place in the scenario, what is written there and the form that it has to have."""
    text = FIGHT.format(expectation=f"expect = [{{type = 'attack.resolved', {expectation}}}]")
    with pytest.raises(AssertionError) as fault:
        check(parse_scenario(text))
    assert str(fault.value).startswith("a wall, line 1: expected {'type': 'attack.resolved', ")
    assert str(fault.value).endswith(f"; {reason}")


def test_an_unknown_field_of_the_state_is_one_line() -> None:
    """Of a combatant as of the encounter, with the nearest name."""
    for id, field, meant in (("b", "hpp", "hp"), ("encounter", "rund", "round")):
        text = FIGHT.format(expectation=f"after = {{{id} = {{{field} = 3}}}}")
        with pytest.raises(AssertionError) as fault:
            check(parse_scenario(text))
        reason = f"{id} has no {field!r} to expect afterwards; did you mean {meant}?"
        assert str(fault.value) == f"a wall, line 1: {reason}"
