"""Carrying combatants between logs at the command line, and following them back."""

import json
import os
import resource
from pathlib import Path

import pytest

from affray.events.stores.sqlite import SqliteStore
from affray.projections.fold import fold
from affray.replay.viewer.frames import frames
from tests.cli.conftest import Run
from tests.server import Server


def alive(db: Path) -> list[str]:
    """Return who is not dead at the end of a fight."""
    with SqliteStore(db, readonly=True) as store:
        state = fold(store.read("main"))
    return [id for id, one in state.combatants.items() if "dead" not in one.conditions]


@pytest.fixture
def following(run: Run, tmp_path: Path) -> Path:
    """The log of a new fight, empty."""
    db = tmp_path / "next.db"
    assert run("new", db, "--dialect", "srd35", "--name", "the next one", "--seed", "x").exit_code == 0
    return db


def test_carried_told_and_followed(run: Run, played: Path, following: Path) -> None:
    """What goes along and what stays is told; verify follows it, and says what it could not follow."""
    who = alive(played)[0]
    result = run("carry", played, who, "--into", following, "--as", "gruk", "--at", "5,5", "--after", "10m")
    assert result.exit_code == 0, result.output
    assert f"gruk (there {who}) left {played} after event" in result.stdout
    assert "carried: " in result.stdout
    followed = run("verify", following, "--with", played.parent)
    assert followed.exit_code == 0, followed.output
    assert f"gruk is as it left {played}" in followed.stdout
    alone = run("verify", following)
    assert alone.exit_code == 0
    assert "gruk not followed" in alone.stdout
    told = json.loads(run("verify", following, "--with", played, "--json").stdout)
    assert told["ok"]
    assert [(one["id"], one["ok"], one["found"]) for one in told["followed"]] == [("gruk", True, str(played))]
    with SqliteStore(following, readonly=True) as store:
        shown = [frame.text for frame in frames(store, "main").lines[0].frames]
    assert any(f" comes, as {who}, from " in text for text in shown), shown


def test_carry_in_json(run: Run, played: Path, following: Path) -> None:
    """What was carried, and what was left behind, for programs."""
    who = alive(played)[0]
    told = json.loads(run("carry", played, who, "--into", following, "--json").stdout)
    (one,) = told["carried"]
    assert (one["id"], one["refused"], one["origin"]["id"]) == (who, None, who)
    assert one["carried"]["hp"] <= one["carried"]["max_hp"]
    blamed = json.loads(run("blame", following, f"{who}.hp", "--follow", played, "--json").stdout)
    assert [before["log"] for before in blamed["before"]] == [str(played)]
    career = json.loads(run("career", who, following, played, "--json").stdout)
    assert [bout["log"] for bout in career["career"]["bouts"]] == [str(played), str(following)]


def test_blame_and_career_are_told(run: Run, played: Path, following: Path) -> None:
    """As rows: from where something was brought along, and the fights of one combatant."""
    who = alive(played)[0]
    assert run("carry", played, who, "--into", following).exit_code == 0
    assert "which is not available (--follow)" in run("blame", following, f"{who}.hp").stdout
    followed = run("blame", following, f"{who}.hp", "--follow", played).stdout
    assert followed.count(f"{who}.hp = ") == 2
    assert f", {played}" in " ".join(followed.split())
    told = run("career", who, played, following)
    assert told.exit_code == 0, told.output
    assert f"{who}: 2 fights" in told.stdout
    assert "comes from log" in run("career", who, following).stdout


def test_an_export_is_carried_from_a_players_copy_is_not(
    run: Run, played: Path, following: Path, tmp_path: Path
) -> None:
    """An export holds every event; a copy for players does not, and nobody can leave it."""
    who = alive(played)[0]
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    run("export", played, "--format", "jsonl", "--out", whole)
    run("export", played, "--format", "jsonl", "--for", "heroes", "--out", part)
    refused = run("carry", part, who, "--into", following)
    assert refused.exit_code == 2
    assert "redacted" in refused.stderr or "players" in refused.stderr
    assert run("carry", whole, who, "--into", following).exit_code == 0
    followed = run("verify", following, "--with", part, "--with", whole)
    assert followed.exit_code == 0
    assert f"{part}: skipped" in followed.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nobody",), "nobody"),
        (("{who}", "--after", "soon"), "--after soon: write the time as 3r"),
        (("{who}", "--at", "here"), "--at here: write the square as 8,3"),
        (("{who}", "{other}", "--as", "x"), "--as x: for several combatants name one: ID=x"),
        (("{who}", "--as", "somebody=x"), "'somebody' is not one of"),
        (("{who}", "--renew", "wish"), "has no 'wish' to renew"),
        (("{who}", "--at-event", "0"), "there is no combatant"),
        (("{who}", "--at-event", "7000"), "there is no event 7000"),
        (("{who}", "--at", "99,99"), "refused: "),
        (("{who}", "--into-branch", "second"), "second"),
    ],
)
def test_what_cannot_be_carried_is_said(
    run: Run, played: Path, following: Path, words: tuple[str, ...], told: str
) -> None:
    """One line says what is wrong, and nothing is written."""
    who, other = (*alive(played), "ogre")[:2]
    result = run("carry", played, *(word.format(who=who, other=other) for word in words), "--into", following)
    assert result.exit_code in (1, 2)
    assert told in result.stderr, result.stderr
    assert "unexpected" not in result.stderr


def test_the_next_fight_is_opened_first(run: Run, played: Path, following: Path, tmp_path: Path) -> None:
    """Where there is no fight yet, the line says how to open one; nobody enters one that is closed."""
    who = alive(played)[0]
    missing = run("carry", played, who, "--into", tmp_path / "none.db")
    assert missing.exit_code == 2
    assert "open the next fight first: affray new" in missing.stderr
    run("do", following, "close", "--reason", "over")
    closed = run("carry", played, who, "--into", following)
    assert closed.exit_code == 2
    assert "is closed" in closed.stderr


def test_a_request_is_carried_out_once(run: Run, played: Path, following: Path) -> None:
    """A command that is repeated under its request id says that it has been done, and does nothing again."""
    who = alive(played)[0]
    first = run("carry", played, who, "--into", following, "--request", "r1")
    assert first.exit_code == 0, first.output
    again = run("carry", played, who, "--into", following, "--request", "r1")
    assert again.exit_code == 0, again.output
    assert again.stdout == first.stdout
    with SqliteStore(following, readonly=True) as store:
        assert len(fold(store.read("main")).combatants) == 1


def test_of_many_logs_few_are_open_at_once(run: Run, played: Path, tmp_path: Path) -> None:
    """A folder or a database of hundreds of fights needs no hundreds of files and connections."""
    who = alive(played)[0]
    there = tmp_path / "there"
    there.mkdir()
    for number in range(40):
        assert run("new", there / f"{number}.db", "--dialect", "srd35", "--seed", str(number)).exit_code == 0
    assert run("carry", played, who, "--into", there / "7.db").exit_code == 0
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 20, limits[1]))
    try:
        followed = run("verify", there / "7.db", "--with", there, "--with", played)
        career = run("career", who, there, played)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert followed.exit_code == 0, followed.output
    assert career.exit_code == 0, career.output
    assert "skipped" not in followed.output + career.output


def test_from_a_file_into_databases_and_between_them(run: Run, played: Path, postgres: Server) -> None:
    """A campaign in a database: each fight has its address there, and is followed back out of it."""
    who = alive(played)[0]
    address = postgres.address()
    second, third = (postgres.address(fight=name) for name in ("bridge", "tower"))
    for place in (second, third):
        assert run("new", place, "--dialect", "srd35", "--name", place[-6:], "--seed", "x").exit_code == 0
    for there, here in ((played, second), (second, third)):
        result = run("carry", there, who, "--into", here)
        assert result.exit_code == 0, result.output
    followed = run("verify", third, "--with", address, "--with", played)
    assert followed.exit_code == 0, followed.output
    assert f"{who} is as it left" in followed.stdout
    assert "not followed" not in followed.stdout
    words = ("blame", third, f"{who}.hp", "--follow", second, "--follow", played, "--json")
    blamed = json.loads(run(*words).stdout)
    assert len(blamed["before"]) == 2
    told = json.loads(run("career", who, third, second, played, "--json").stdout)
    assert len(told["career"]["bouts"]) == 3


def test_logs_that_cannot_serve_are_told(run: Run, played: Path, following: Path, tmp_path: Path) -> None:
    """A log that cannot be read, one of whom nobody comes, and logs where none can be followed."""
    part, none = tmp_path / "part.jsonl", tmp_path / "none.db"
    run("export", played, "--format", "jsonl", "--for", "heroes", "--out", part)
    assert "there is none to follow" in run("verify", played, "--with", played).stderr
    who = alive(played)[0]
    assert run("carry", played, who, "--into", following).exit_code == 0
    none.write_text("no log")
    told = json.loads(run("verify", following, "--with", played, "--with", none, "--json").stdout)
    assert list(told["unread"]) == [str(none)]
    assert f"{none}: skipped: " in run("blame", following, f"{who}.hp", "--follow", none).stderr
    assert "redacted" in run("verify", part, "--with", played).stderr
    for words in (("--paths", "--follow", played), (f"{who}.defense", "--against", who, "--follow", played)):
        assert run("blame", following, *words).exit_code == 2
