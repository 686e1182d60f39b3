"""Disputing, ruling, odds and luck at the command line."""

import json
from pathlib import Path

from affray.replay.cli.whatif import passed
from tests.cli.conftest import Run

HIT = 52


def test_a_dispute_from_claim_to_page(run: Run, copy: Path) -> None:
    """Claim, ruling, register, page: each command says what the next one needs, and the branch verifies."""
    result = run("dispute", copy, HIT, "--by", "Anna", "--claim", "<b>stones</b>")
    assert result.exit_code == 0, result.output
    assert "--dispute Q1" in result.stdout
    change = ("--change", "sorcerer.defense+4:cover")
    result = run("ruling", copy, "amend", "--dispute", "Q1", "--by", "GM", "--text", "half cover", *change)
    assert result.exit_code == 0, result.output
    assert "With the ruling 'half cover' Gharm misses Ysolde" in result.stdout
    assert "\n  Ysolde has 4 turns here without declarations: they pass\n" in result.stdout
    listed = run("rulings", copy).stdout
    assert "(resolved by R1)" in listed
    assert "R1  amended by GM on event 52" in listed
    found = json.loads(run("rulings", copy, "--json").stdout)
    assert found["rulings"][0]["branch"] == "ruling-R1"
    assert run("verify", copy, "--branch", "ruling-R1").exit_code == 0
    out = copy.with_name("page.html")
    assert run("report", copy, "--dispute", "Q1", "--format", "html", "--out", out).exit_code == 0
    assert "<b>" not in out.read_text(encoding="utf-8")
    assert "## The difference" in run("report", copy, "--ruling", "R1").stdout
    assert (
        json.loads(run("report", copy, "--ruling", "R1", "--format", "json").stdout)["ruling"]["id"] == "R1"
    )


def test_one_turn_that_nobody_played_is_told() -> None:
    """One turn passes, several pass."""
    assert passed("Ysolde", 1) == "Ysolde has a turn here without declarations: it passes"


def test_promoting_and_ruling_from_now_on(run: Run, copy: Path, fight: Path) -> None:
    """--promote makes the branch the main line; a ruling about no event is added to the line itself."""
    words = ("ruling", copy, "overturn", "--at", HIT, "--by", "GM", "--text", "no", "--promote")
    assert "ruling-R1 is the main line" in run(*words).stdout
    branches = {line["name"]: line["main"] for line in json.loads(run("branches", copy, "--json").stdout)}
    assert branches == {"main": False, "ruling-R1": True}
    words = ("ruling", fight, "amend", "--scope", "onward", "--by", "GM", "--text", "luck")
    made = json.loads(run(*words, "--change", "fighter.attack+1:luck", "--json").stdout)
    assert made["ruling"]["branch"] == "main"
    assert run("verify", fight).exit_code == 0


def test_a_ruling_without_effect_does_not_become_the_main_line(run: Run, copy: Path) -> None:
    """The attack hit already: the command says so, exits with 1 and leaves the main line."""
    words = ("ruling", copy, "amend", "--at", HIT, "--by", "GM", "--text", "so", "--change", "attack=hit")
    result = run(*words, "--promote")
    assert result.exit_code == 1
    assert "attack roll was a hit already: " in result.stdout
    assert result.stderr == "affray: ruling-R1 is not promoted: the ruling changes nothing on main\n"
    branches = {line["name"]: line["main"] for line in json.loads(run("branches", copy, "--json").stdout)}
    assert branches == {"main": True, "ruling-R1": False}


def test_an_open_question_of_a_branch_is_answered_there(run: Run, fight: Path) -> None:
    """With --policy ask the branch waits; choose --branch answers it, the main line stays as it was."""
    for words in (
        ("end-turn", "fighter"),
        ("end-turn", "ogre"),
        ("move", "fighter", "0,1", "--branch", "main"),
    ):
        assert run("do", fight, *words).exit_code == 0
    log = run("log", fight, "--json").stdout
    assert '"asked"' not in log
    at = next(json.loads(line)["seq"] for line in log.splitlines() if '"moved"' in line)
    result = run(
        "whatif", fight, "--at", at, "--ruling", "he stood there", "--effect", "ogre.at=1,1",
        "--policy", "ask", "--as", "open",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "open waits:" in result.stdout
    assert run("choose", fight, "take", "--branch", "open").exit_code == 0
    assert run("verify", fight, "--branch", "open").exit_code == 0


def test_what_was_refused_is_listed_and_revived(run: Run, fight: Path) -> None:
    """Both commands list what would be allowed now and say how to play it; --revive does."""
    assert run("do", fight, "attack", "ogre").exit_code == 1
    assert run("do", fight, "end-turn").exit_code == 0
    refused = next(
        json.loads(line)
        for line in run("log", fight, "--json").stdout.splitlines()
        if json.loads(line)["type"] == "refused"
    )
    at, id = refused["seq"], refused["data"]["id"]
    ruling = ("ruling", fight, "amend", "--at", at, "--by", "GM", "--text", "near", "--change", "ogre.at=1,0")
    asked = ("whatif", fight, "--at", at, "--ruling", "near", "--effect", "ogre.at=1,0")
    for words in (ruling, asked):
        told = run(*words).stdout
        assert f"stays refused, though allowed now: {id}: " in told
        assert f"(play it with: --revive {id})" in told
        again = run(*words, "--revive", id)
        assert f"revived: {id}" in again.stdout, again.output
        found = json.loads(run(*words, "--revive", id, "--json").stdout)["whatif"]
        assert (found["revived"], found["allowed"]) == ([id], {})
        assert run("verify", fight, "--branch", found["name"]).exit_code == 0
    result = run(*asked, "--revive", "d1")
    assert (result.exit_code, f"d1 was not refused there and cannot be revived; refused declarations: {id}" in
            result.stderr) == (2, True)  # fmt: skip


def test_undo_and_redo(run: Run, fight: Path) -> None:
    """What was taken back is told, and how to bring it again; the other line becomes the main line."""
    assert run("do", fight, "end-turn").exit_code == 0
    assert run("do", fight, "speak", "ogre", "hm").exit_code == 0
    told = run("undo", fight, 2)
    assert told.exit_code == 0, told.output
    assert "took back d4: Brannoc ends the turn" in told.stdout
    assert 'took back d5: Gharm: "hm"' in told.stdout
    assert "undo-1 is the main line now, at r1.t1; main keeps what was undone" in told.stdout
    assert f"affray redo {fight}" in told.stdout
    assert 'brought back d5: Gharm: "hm"' in run("redo", fight, "--by", "GM").stdout
    found = json.loads(run("undo", fight, "--json").stdout)
    assert (found["line"], found["left"], found["at"]) == ("undo-2", "main", 17)
    assert found["declarations"] == [{"id": "d5", "actor": "ogre", "act": "speak, words hm"}]
    assert json.loads(run("redo", fight, "--json").stdout)["line"] == "main"
    assert run("dispute", fight, 17, "--by", "Ann", "--claim", "no turn").exit_code == 0
    assert "took back Ann disputes event 17: no turn" in run("undo", fight).stdout
    assert "brought back Ann disputes event 17: no turn" in run("redo", fight).stdout
    for words, message in (
        (("undo", fight, 99), "99 cannot be undone"),
        (("redo", fight), "nothing was"),
    ):
        result = run(*words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert message in result.stderr
    for branch in ("main", "undo-1", "undo-2", "undo-3"):
        assert run("verify", fight, "--branch", branch).exit_code == 0


def test_odds_and_luck(run: Run, played: Path) -> None:
    """The odds of an event and of the fight, and the audit of the dice, in words and as JSON."""
    assert run("odds", played, "--event", HIT).stdout == "#52 hits: 55.0 % (11/20); misses: 45.0 %\n"
    (told,) = json.loads(run("odds", played, "--event", HIT, "--json").stdout)
    assert told["favourable"] == 11
    roll = run("odds", played, "--event", HIT - 1).stdout
    assert roll == "#51 13 or more on 1d20: 40.0 % (2/5)\n#52 hits: 55.0 % (11/20); misses: 45.0 %\n"
    words = ("odds", played, "--at", "r2", "--runs", 6, "--seed", "s")
    assert "Who lives" in run(*words).stdout
    one, two = (json.loads(run(*words, "--jobs", jobs, "--json").stdout) for jobs in (1, 2))
    assert one == two
    told = run("luck", played).stdout
    assert "Combatants" in told
    assert "chi-square" in told
    found = json.loads(run("luck", played, "--json").stdout)
    assert {one["who"] for one in found["sides"]} == {"heroes", "monsters"}


def test_mistakes_are_one_line(run: Run, copy: Path) -> None:
    """What cannot be ruled, reported or counted is said in one line with status 2."""
    by = ("--by", "GM", "--text", "x")
    for words, message in (
        (("ruling", copy, *by), "choose uphold, overturn or amend"),
        (("ruling", copy, "amend", "--at", HIT, *by), "needs changes"),
        (("ruling", copy, "amend", "--at", HIT, *by, "--change", "so what"), "not an effect of a ruling"),
        (("report", copy), "either a --dispute or a --ruling"),
        (("report", copy, "--ruling", "R4"), "no ruling 'R4'"),
        (("odds", copy), "use --event SEQ, --at POSITION"),
        (("odds", copy, "--event", 2), "event 2 was not decided by dice"),
        (("dispute", copy, 9999, "--claim", "x"), "there is no event 9999"),
    ):
        result = run(*words)
        assert result.exit_code == 2, result.output
        assert message in result.stderr
        assert result.stderr.count("\n") == 1
