"""Putting branches together at the command line: what holds, what contradicts, what stays open."""

import json
from pathlib import Path

from tests.cli.conftest import Run

EARLY, LATE = 52, 88
GM = ("--branch", "main", "--by", "GM", "--text")


def ruled(run: Run, log: Path, name: str, at: int, *change: str, verdict: str = "amend") -> None:
    """Rule on the main line."""
    words = ("ruling", log, verdict, "--at", at, *GM, "so be it", "--as", name)
    assert run(*words, *(word for one in change for word in ("--change", one))).exit_code == 0


def test_two_rulings_in_either_order_are_one_line(run: Run, copy: Path) -> None:
    """Both hold, the state is the same, and the line is listed with the branches that it was made of."""
    ruled(run, copy, "covered", EARLY, "sorcerer.defense+4:cover")
    ruled(run, copy, "warded", LATE, "fighter.hp=30")
    one = run("merge", copy, "covered", "warded", "--as", "settled")
    assert one.exit_code == 0, one.output
    assert (
        "  holds: R1 on event 52 (covered: so be it)\n  holds: R2 on event 88 (warded: so be it)\n"
        in one.stdout
    )
    assert f"See more with: affray diff {copy} covered settled\n" in one.stdout
    other = run("merge", copy, "warded", "covered", "--json")
    assert other.exit_code == 0
    told = json.loads(other.stdout)
    assert (told["name"], told["branches"], told["waiting"]) == ("merge-1", ["covered", "warded"], "")
    assert [side["what"] for side in told["held"]] == ["R1", "R2"]
    assert f"state {told['digest']}\n" in one.stdout
    assert run("verify", copy, "--branch", "settled").exit_code == 0
    assert ", merged from covered, warded\n" in run("branches", copy).stdout
    found = json.loads(run("branches", copy, "--json").stdout)
    assert [line["merged"] for line in found] == [[], [], [], *2 * [["covered", "warded"]]]


def test_a_conflict_is_told_with_both_sides(run: Run, copy: Path) -> None:
    """Status 1 and nothing written, in either order and as JSON; the command that it tells settles it."""
    ruled(run, copy, "covered", EARLY, "fighter.hp=30")
    ruled(run, copy, "struck", EARLY, "fighter.hp=20")
    told = []
    for names in (("covered", "struck"), ("struck", "covered")):
        result = run("merge", copy, *names)
        assert result.exit_code == 1
        rows = result.stdout.splitlines()
        assert rows[0] == "nothing was written: 1 conflict"
        told.append(rows[1:4])
        assert rows[4] == f"Resolve it with: affray merge {copy} {' '.join(names)} --take R1"
    assert told[0] == told[1]
    assert told[0][1:] == ["    R1 on event 52 (covered: so be it)", "    R2 on event 52 (struck: so be it)"]
    result = run("merge", copy, "covered", "struck", "--json")
    assert result.exit_code == 1
    sides = json.loads(result.stdout)["conflicts"][0]["sides"]
    assert [(side["what"], side["event"], side["branches"]) for side in sides] == [
        ("R1", EARLY, ["covered"]),
        ("R2", EARLY, ["struck"]),
    ]
    assert len(json.loads(run("branches", copy, "--json").stdout)) == 3
    settled = run("merge", copy, "covered", "struck", "--take", "R1")
    assert settled.exit_code == 0
    assert "  is overridden: R2 on event 52 (struck: so be it)" in settled.stdout
    assert run("merge", copy, "covered", "struck", "--take", "R9").exit_code == 2
    assert run("merge", copy, "covered").exit_code == 2


def test_a_question_that_one_branch_asks(run: Run, fight: Path) -> None:
    """The new line waits for it too, takes the answer that was given there, and two answers contradict."""
    for words in (("end-turn", "fighter"), ("end-turn", "ogre"), ("move", "fighter", "0,1")):
        assert run("do", fight, *words).exit_code == 0
    log = run("log", fight, "--json").stdout.splitlines()
    at = next(json.loads(line)["seq"] for line in log if '"moved"' in line)
    stood = ("--ruling", "he stood there", "--effect", "ogre.at=1,1", "--policy", "ask")
    for name in ("open", "other"):
        assert run("whatif", fight, "--branch", "main", "--at", at, *stood, "--as", name).exit_code == 0
    ruled(run, fight, "hurt", at, "fighter.hp=30")
    waits = run("merge", fight, "open", "hurt", "--as", "both")
    assert waits.exit_code == 0
    assert "\n  both waits: " in waits.stdout
    assert f"  (answer with: affray choose {fight} ANSWER --branch both)\n" in waits.stdout
    assert run("choose", fight, "take", "--branch", "open").exit_code == 0
    taken = json.loads(run("merge", fight, "hurt", "open", "--json").stdout)
    assert (taken["waiting"], taken["asked"], taken["unasked"]) == ("", {}, {})
    assert run("verify", fight, "--branch", taken["name"]).exit_code == 0
    assert run("choose", fight, "decline", "--branch", "other").exit_code == 0
    result = run("merge", fight, "other", "open")
    assert result.exit_code == 1
    assert [row[: row.index(" to ")] for row in result.stdout.splitlines()[2:4]] == [
        "    the answer 'take'",
        "    the answer 'decline'",
    ]
    assert run("merge", fight, "open", "other", "--take", "other", "--as", "declined").exit_code == 0
    assert '"attack.resolved"' not in run("log", fight, "--branch", "declined", "--json").stdout
