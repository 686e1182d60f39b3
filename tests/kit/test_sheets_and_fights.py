"""The sheets and fights of a package: used, played and listed wherever those that ship are."""

import json
import sys
from io import BytesIO
from pathlib import Path

import pytest

from affray.engine.book import BadPackage
from affray.engine.book.packages import for_a_while, packages_named
from affray.engine.table.scenario import demo_name, packaged, packaged_names, parse_scenario, play, set_up
from affray.engine.table.scenario_parts import BadScenario, packaged_sheets
from affray.engine.text.words import format_notable_modifiers
from affray.events import MemoryStore
from affray.events.facts.sheet import Modifier
from affray.events.facts.words import NO_WORDS
from affray.replay import export_notation, import_notation, verify
from affray.replay.entry_sheets import shipped, shipped_sheet
from affray.replay.notation.header import library
from affray.replay.text.rulebook_links import link_rules
from tests.cli.conftest import Run
from tests.house.test_house_rules import offer
from tests.kit.conftest import Using
from tests.kit.little import FIGHT, PROJECT, SHEETS, make

DUEL = """
dialect = "little"
map = ["....."]
combatants = [
  {id = "guard", side = "town", use = "guard", at = [0, 0]},
  {id = "bandit", side = "road", use = "bandti", at = [3, 0]},
]
"""


def test_sheets_are_used_by_name(using: Using) -> None:
    """In scenarios, by the page and in the notation; an unknown name is answered with the nearest."""
    using()
    assert {*packaged_sheets("little")} == {*library("little")} == {"bandit", "guard"}
    assert shipped("little") == {"bandit": "Bandit", "guard": "Guard"}
    assert shipped_sheet("little", "guard").hp == 12
    with pytest.raises(BadScenario, match="'bandti'; did you mean bandit"):
        set_up(parse_scenario(DUEL), MemoryStore())
    table = set_up(parse_scenario(DUEL.replace("bandti", "bandit")), MemoryStore())
    assert table.state.combatants["bandit"].sheet.weapons[0].name == "club"
    assert packaged_sheets("srd36") == {}


def test_the_notation_names_the_sheets(using: Using) -> None:
    """A sheet of the package is written by its name, and read again."""
    using()
    store, copy, text = MemoryStore(), MemoryStore(), BytesIO()
    play(packaged("little.demo"), store)
    export_notation(store, text)
    assert b"[sheet" not in text.getvalue()
    import_notation(text.getvalue(), copy)
    assert copy.head("main") == store.head("main")


def test_fights_are_listed_and_played(using: Using) -> None:
    """By the name of the dialect and of the file; the demo by its dialect."""
    folder = using()
    bridge = FIGHT.replace("The bridge", "At night")
    (folder / "little_rules" / "fights" / "night.toml").write_text(bridge)
    assert {"little.demo", "little.night", "toll", "demo_srd35"} < {*packaged_names()}
    assert packaged("little.night").title == "At night"
    assert (demo_name("little"), demo_name("pf1")) == ("little.demo", "demo_pf1")
    with pytest.raises(BadScenario, match=r"no fight 'little\.nihgt'; did you mean little\.night"):
        packaged("little.nihgt")
    with pytest.raises(BadScenario, match=r"no packaged scenario 'litle\.night'; did you mean little\.night"):
        packaged("litle.night")


def test_commands_use_a_folder(little: Path, tmp_path: Path, run: Run) -> None:
    """`demo`, `play` and `new` with --package; all other commands with the variable."""
    demo, fight = tmp_path / "demo.db", tmp_path / "fight.db"
    here = ("--package", little)
    told = run("demo", *here, "--dialect", "little", "--db", demo)
    assert told.exit_code == 0, told.output
    assert "every check passed" in told.stdout
    assert "The bridge" in run("play", "little.demo", *here).stdout
    assert run("new", fight, *here, "--encounter", "little.demo").exit_code == 0
    assert run("new", tmp_path / "empty.db", *here, "--dialect", "little").exit_code == 0
    # Without the package the logs are read, not continued.
    assert run("show", demo).exit_code == 0
    without = run("verify", demo)
    assert (without.exit_code, without.stderr.count("\n")) == (2, 1)
    assert "'little' 1.0" in without.stderr
    missing = run("play", "little.demo")
    assert (missing.exit_code, missing.stderr.count("\n")) == (2, 1)
    unknown = run("demo", "--dialect", "little", "--db", tmp_path / "no.db")
    assert unknown.exit_code == 2
    assert "'little' is not one of" in unknown.stderr


def test_every_command_uses_the_folders_of_the_variable(
    little: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fight from a folder goes on: combatants are added by name, declare, and the log verifies."""
    monkeypatch.setenv("AFFRAY_PACKAGES", str(little))
    fight = tmp_path / "fight.db"
    assert run("new", fight, "--dialect", "little", "--seed", "x").exit_code == 0
    for id, side, at in (("guard", "town", "0,0"), ("bandit", "road", "1,0")):
        added = run("add", fight, "--id", id, "--side", side, "--at", at, "--use", id, "--initiative", 9)
        assert added.exit_code == 0, added.output
    unknown = run("add", fight, "--id", "x", "--side", "x", "--at", "2,0", "--use", "gard")
    assert "did you mean guard?" in unknown.stderr
    assert run("do", fight, "begin").exit_code == 0
    assert run("auto", fight, "--rounds", 1).exit_code == 0
    assert run("verify", fight).exit_code == 0
    assert json.loads(run("options", fight, "--json").stdout)
    odds = run("odds", fight, "--at", "r1", "--runs", 4, "--jobs", 2)
    assert odds.exit_code == 0, odds.output


def test_a_wrong_folder_in_the_variable_is_one_line(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every command, also one that needs no package."""
    monkeypatch.setenv("AFFRAY_PACKAGES", str(tmp_path / "nowhere"))
    result = run("rules", "srd35", "--search", "flanking")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "nowhere" in result.stderr
    monkeypatch.delenv("AFFRAY_PACKAGES")
    assert run("rules", "srd35", "--search", "flanking", "--package", tmp_path).exit_code == 2


def test_an_installed_package_needs_no_option(
    little: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its demo is played by the name of the dialect."""
    offer(little, "affray_little", "1.0", "little = little_rules")
    monkeypatch.syspath_prepend(little)
    try:
        assert run("demo", "--dialect", "little", "--db", tmp_path / "demo.db").exit_code == 0
        assert run("verify", tmp_path / "demo.db").exit_code == 0
        assert "little.demo" in packaged_names()
        (little / "little_rules" / "rules.jsonl").unlink()
        assert "toll" in packaged_names()  # a package that cannot be used hides no other fight
        assert "little.demo" not in packaged_names()
        with pytest.raises(BadPackage, match=r"no rules\.jsonl"):
            packaged("little.demo")
    finally:
        sys.modules.pop("little_rules", None)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"sheets": "[guard"}, "sheets.toml: "),
        ({"sheets": "guard = 3"}, "sheets.toml: "),
        ({"sheets": SHEETS.replace("hp = 12", 'hp = "many"')}, "sheet of guard: .*hp"),
        ({"sheets": SHEETS.replace("hp = 12", "hpp = 12")}, "sheet of guard: "),
        ({"sheets": SHEETS.replace("[guard]", "[watch]")}, "guard uses no known sheet: 'guard'"),
        ({"fight": "dialect = "}, r"demo\.toml: "),
        ({"fight": FIGHT.replace('dialect = "little"', "")}, r"demo\.toml: `dialect` is missing"),
        ({"fight": FIGHT.replace("little", "srd35")}, r"demo\.toml: its dialect is srd35, not little"),
        ({"fight": f'{FIGHT}sheets_from = "../../../more.toml"\n'}, r"demo\.toml: \.\./\.\./\.\./more\.toml"),
    ],
)
def test_wrong_sheets_and_fights_are_one_line(using: Using, texts: dict[str, str], words: str) -> None:
    """Each names the file, or the sheet and the fight, and what is wrong."""
    using(**texts)
    with pytest.raises(BadScenario, match=words) as fault:
        set_up(packaged("little.demo"), MemoryStore())
    assert "\n" not in str(fault.value)


def test_a_package_without_a_fight_to_show(using: Using, run: Run, tmp_path: Path) -> None:
    """The missing file is named, and no log is left."""
    folder = using()
    (folder / "little_rules" / "fights" / "demo.toml").unlink()
    told = run("demo", "--dialect", "little", "--db", tmp_path / "demo.db")
    assert (told.exit_code, told.stderr.count("\n")) == (2, 1)
    assert "little has no fight to show: its package lacks" in told.stderr
    assert "demo.toml" in told.stderr
    assert not (tmp_path / "demo.db").exists()


def test_a_fight_verifies(using: Using) -> None:
    """Played from its file, with a map and sheets next to it."""
    folder = using(fight=FIGHT.replace('map = [".....", "....."]', 'map = "bridge.txt"'))
    (folder / "little_rules" / "fights" / "bridge.txt").write_text(".....\n.....\n")
    store = MemoryStore()
    play(packaged("little.demo"), store)
    assert verify(store).ok


def test_rules_of_a_dialect_with_a_hyphen_are_links(tmp_path: Path) -> None:
    """Its name may have any number of them; a word in front of it is no part of it."""
    folder = make(tmp_path / "hex", project=PROJECT.replace("little =", "hex-and-ash ="))
    for file in (folder / "little_rules").glob("*.*"):
        file.write_text(file.read_text("utf-8").replace('"little.', '"hex-and-ash.'), "utf-8")
    text = "hit (hex-and-ash.attack.roll), srd35.attack.roll, and-ash.attack.roll, -hex-and-ash.attack.roll"
    with for_a_while():
        assert packages_named(str(folder)) == ("hex-and-ash",)
        linked = link_rules(text, "rules/", lambda id, address: f"[{id}|{address}]")
    first, second = "hex-and-ash.attack.roll", "srd35.attack.roll"
    assert linked == (
        f"hit ([{first}|rules/hex-and-ash.html#{first}]), [{second}|rules/srd35.html#{second}], "
        "and-ash.attack.roll, -hex-and-ash.attack.roll"
    )
    part = Modifier(2, "luck", "", "", f"not here ({first})")
    assert format_notable_modifiers([part], NO_WORDS) == ["not here"]
