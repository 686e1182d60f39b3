"""Turns that tactics play in a fight that people play: one, those of a side, and where they stop."""

import json
import shlex
from pathlib import Path

import pytest

from affray.events.codec import decode
from affray.events.facts.flow import Declared
from affray.events.stores.sqlite import SqliteStore
from tests.cli.conftest import Run, called
from tests.cli.signed import good


def by_whom(db: Path) -> list[tuple[str, str]]:
    """Return who acts in each declaration since the fight began, and who declared it."""
    with SqliteStore(db, readonly=True) as store:
        facts = [decode(event) for event in store.read(store.main_line())]
    found = [(getattr(one.act, "actor", ""), one.by) for one in facts if isinstance(one, Declared)]
    return [one for one in found if one[0]]


@pytest.fixture
def brawl(tmp_path: Path) -> Path:
    """Return a fight that has begun: two goblins, then a fighter who stands beside both."""
    return opened(tmp_path / "brawl.db", "srd35")


def opened(db: Path, dialect: str, *sheets: tuple[str, str]) -> Path:
    """Open a fight of monsters and a fighter, where they are said to stand, and begin it."""
    rows = [word for _ in range(3) for word in ("--rows", "........")]
    good("new", db, "--dialect", dialect, "--seed", "brawl", *rows)
    for number, (use, at) in enumerate(sheets or (("fighter", "2,1"), ("goblin", "1,1"), ("goblin", "3,1"))):
        id, side = ("brannoc", "heroes") if use == "fighter" else (("skit", "snik")[number - 1], "monsters")
        first = 5 if use == "fighter" and not sheets else 20 - number
        good("add", db, "--id", id, "--side", side, "--use", use, "--at", at, "--initiative", first)
    good("do", db, "begin")
    return db


def test_the_turn_that_is_running(run: Run, brawl: Path) -> None:
    """It is played until it ends, by declarations like any others, which are taken back like any others."""
    told = run("auto", brawl)
    assert told.exit_code == 0
    assert "attacks Brannoc" in told.stdout
    assert told.stdout.rstrip().endswith("snik's turn (11/11 hp)")
    assert set(by_whom(brawl)) == {("skit", "tactics")}
    assert run("verify", brawl).exit_code == 0
    assert "took back" in run("undo", brawl, len(by_whom(brawl))).stdout
    assert by_whom(brawl) == []


def test_a_side_plays_on_until_somebody_else_is_on_turn(run: Run, brawl: Path) -> None:
    """Sides and combatants are named by id or by name; where none of them is next nothing is declared."""
    told = run("auto", brawl, "monsters", "--by", "Anna")
    assert told.exit_code == 0
    assert told.stdout.rstrip().endswith("Brannoc's turn (42/42 hp)")
    assert [*dict.fromkeys(by_whom(brawl))] == [("skit", "Anna"), ("snik", "Anna")]
    not_theirs = run("auto", brawl, "monsters")
    assert (not_theirs.exit_code, not_theirs.stderr) == (1, "affray: nothing was declared: next is Brannoc\n")
    assert run("auto", brawl, "Brannoc").exit_code == 0
    assert by_whom(brawl)[-1] == ("brannoc", "tactics")
    wrong = run("auto", brawl, "monters")
    assert (wrong.exit_code, "did you mean monsters?" in wrong.stderr) == (2, True)


def test_it_stops_after_so_many_rounds_or_when_one_side_stands(run: Run, brawl: Path) -> None:
    """Nobody else being there to be on turn, it would go on for ever."""
    assert (
        "(the limit of rounds is reached: 1)"
        in run("auto", brawl, "heroes", "monsters", "--rounds", "1").stdout
    )
    assert "Round 3" not in run("log", brawl).stdout
    assert "(one side is left standing)" in run("auto", brawl, "heroes", "monsters").stdout
    over = run("auto", brawl)
    assert (over.exit_code, over.stderr) == (1, "affray: nothing was declared: one side is left standing\n")


def test_what_it_would_do(run: Run, brawl: Path) -> None:
    """Proposed, it is not declared; the command that is told declares it."""
    told = run("auto", brawl, "--propose").stdout.splitlines()
    assert told[0] == "skit: attack Brannoc morningstar"
    assert by_whom(brawl) == []
    assert json.loads(run("auto", brawl, "--propose", "--json").stdout)["act"]["target"] == "brannoc"
    words = shlex.split(told[1].removeprefix("(declare it with: ").removesuffix(")"))
    assert run(*words[1:]).exit_code == 0
    assert by_whom(brawl) == [("skit", "")]


def test_it_stops_where_a_person_is_asked(run: Run, fight: Path) -> None:
    """For an answer: whose policy says so is asked. Once it is answered, it goes on."""
    past_the_surprise(run, fight)
    told = run("auto", fight)
    assert told.exit_code == 0
    assert "(answer with: affray choose" in told.stdout
    waits = run("auto", fight)
    assert (waits.exit_code, "the fight waits: " in waits.stderr) == (2, True)
    assert run("choose", fight, "decline").exit_code == 0
    assert json.loads(run("auto", fight, "--json").stdout)["stopped"] == "next is Gharm"


def test_it_stops_for_dice_thrown_by_hand(run: Run, brawl: Path) -> None:
    """Whose dice people throw, theirs are waited for in a turn that tactics play too."""
    run("manual", brawl, "monsters")
    told = json.loads(run("auto", brawl, "--json").stdout)
    assert told["stopped"] == "a person must answer"
    assert told["waiting"]["notation"] == "1d20"
    assert [one["act"]["act"] for one in told["declarations"]] == ["attack"]


def test_policies_answer_as_elsewhere(run: Run, tmp_path: Path) -> None:
    """Those who enter without a policy of their own, on a branch as on the main line."""
    db = opened(tmp_path / "far.db", "srd35", ("fighter", "0,1"), ("ogre", "4,1"))
    past_the_surprise(run, db)
    good("fork", db, "--at", "end", "--as", "look")
    assert "provokes from Gharm, who does not attack" in run("auto", db, "--policy", "cautious").stdout
    assert "(answer with: affray choose" in run("auto", db, "--policy", "ask", "--branch", "look").stdout


def past_the_surprise(run: Run, fight: Path) -> None:
    """Let everybody pass, so that nobody is flat-footed any more."""
    for _ in range(2):
        assert run("do", fight, "end-turn").exit_code == 0


def test_those_who_are_named_declare_before_others(run: Run, tmp_path: Path) -> None:
    """Where everybody declares before anybody acts, a side need not wait for another one to do so."""
    db = opened(tmp_path / "plans.db", "woa")
    assert run("auto", db, "--propose").stdout.startswith("Brannoc: plan attack skit")
    told = run("auto", db, "monsters").stdout
    assert "skit means to attack Brannoc" in told
    assert told.endswith("(next is Brannoc)\n")
    assert {who for who, _ in by_whom(db)} == {"skit", "snik"}
    assert "The turns begin" in run("auto", db).stdout


def test_nothing_before_the_beginning(run: Run, tmp_path: Path) -> None:
    """A fight that has not begun has no turns."""
    good("new", tmp_path / "a.db", "--encounter", "demo_srd35")
    told = run("auto", tmp_path / "a.db")
    assert (told.exit_code, "the fight has not begun" in told.stderr) == (1, True)


def test_at_the_prompt(brawl: Path) -> None:
    """It is a command there like others; names may be cut short."""
    lines = "auto --propose\nauto sk\nauto\nu\nauto monsters\n"
    done = called("table", brawl, "--no-map", input=lines)
    assert done.exit_code == 0, done.stderr
    assert '(declare it with: do \'{"act":"attack"' in done.stdout
    assert [*dict.fromkeys(by_whom(brawl))] == [("skit", "tactics"), ("snik", "tactics")]
