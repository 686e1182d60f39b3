"""Physical dice: kept with the fight, told, and left out of the audit of the dice."""

import json
from pathlib import Path

from affray.engine.table.dice import by_hand, keep_by_hand
from affray.events.stores.memory import MemoryStore
from tests.cli.conftest import Run


def near(run: Run, db: Path) -> None:
    """Bring the fighter next to the ogre."""
    assert run("do", db, "move", "1,0", "2,0").exit_code == 0


def test_a_side_throws_by_hand_until_further_notice(run: Run, fight: Path) -> None:
    """The rolls of a side wait without --manual, those of others fall; the setting outlives commands."""
    assert run("manual", fight, "heroes").stdout == "Physical dice: heroes\n"
    near(run, fight)
    assert "FACES" in run("do", fight, "attack", "gharm").stdout
    assert "FACES" in run("choose", fight, "20").stdout
    run("choose", fight, "19")
    assert "d8 8 physical" in run("choose", fight, "8").stdout
    told = run("choose", fight, "3").stdout
    assert "Gharm takes 2 x (1d8+3) (8, 3) = 17 slashing" in told
    run("do", fight, "end-turn")
    assert "FACES" not in run("do", fight, "attack", "brannoc").stdout
    assert run("manual", fight).stdout == "Physical dice: heroes\n"
    assert run("manual", fight, "--off").stdout == "Physical dice: none\n"
    assert run("verify", fight).exit_code == 0
    report = run("export", fight, "--format", "markdown").stdout
    assert "2 x (1d8+3) (8, 3) = 17" in report


def test_the_fight_s_own_dice_are_thrown_instead(run: Run, fight: Path) -> None:
    """For a roll that waits, where it is said so; the log says so too, and verifies."""
    run("manual", fight, "heroes")
    near(run, fight)
    assert "FACES" in run("do", fight, "attack", "gharm").stdout
    told = json.loads(run("choose", fight, "roll", "--json").stdout)
    assert next(one["data"]["provenance"] for one in told["events"] if one["type"] == "rolled") == "seeded"
    assert run("verify", fight).exit_code == 0


def test_a_combatant_or_everybody_throws_by_hand(run: Run, fight: Path) -> None:
    """A combatant goes by name; everybody is everybody; a word that means nobody is an error."""
    assert json.loads(run("manual", fight, "Gharm", "--json").stdout) == {"by_hand": ["ogre"]}
    near(run, fight)
    assert "FACES" not in run("do", fight, "attack", "gharm").stdout
    run("do", fight, "end-turn")
    assert "FACES" in run("do", fight, "attack", "brannoc").stdout
    run("choose", fight, "2")
    run("do", fight, "end-turn")
    assert run("manual", fight, "everybody").exit_code == 0
    assert "FACES" in run("do", fight, "attack", "gharm").stdout
    wrong = run("manual", fight, "heros")
    assert wrong.exit_code == 2
    assert "did you mean heroes?" in wrong.stderr


def test_who_throws_is_no_fact_of_the_fight(run: Run, fight: Path) -> None:
    """The log holds nothing of the setting, and an export carries it nowhere."""
    before = run("log", fight, "--json").stdout
    run("manual", fight, "everybody")
    assert run("log", fight, "--json").stdout == before


def test_the_setting_may_change_often() -> None:
    """What is kept last counts; the same again changes nothing."""
    store = MemoryStore()
    assert by_hand(store) == ()
    keep_by_hand(store, ["side:a"])
    keep_by_hand(store, ["side:a", "side:a"])
    assert by_hand(store) == ("side:a",)
    keep_by_hand(store, [])
    keep_by_hand(store, ["b", "c"])
    assert by_hand(store) == ("b", "c")


def test_luck_leaves_out_what_people_threw(run: Run, fight: Path) -> None:
    """Faces typed in are counted, not judged; each combatant has its line with its d20s."""
    run("manual", fight, "heroes")
    near(run, fight)
    run("do", fight, "attack", "gharm")
    run("choose", fight, "2")
    run("do", fight, "end-turn")
    run("do", fight, "attack", "brannoc")
    found = json.loads(run("luck", fight, "--json").stdout)
    assert found["by_hand"] == 1
    assert {one["who"]: (one["attacks"], one["d20s"]) for one in found["combatants"]} == {
        "fighter": (0, 0),
        "ogre": (1, 1),
    }
    assert "1 throw of physical dice or from elsewhere left out" in run("luck", fight).stdout


def test_wrong_faces_read_as_english(run: Run, fight: Path) -> None:
    """One face is one face."""
    run("manual", fight, "heroes")
    near(run, fight)
    run("do", fight, "attack", "gharm")
    assert "1d20 takes 1 face, 2 given" in run("choose", fight, "4,5").stderr
