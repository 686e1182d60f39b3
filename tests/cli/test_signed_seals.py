"""Signed seals on the command line: sealing, countersigning, checking, forks, several at once."""

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from affray.replay.verification.witness import HEADER
from tests.cli.conftest import Run, called, copied
from tests.cli.signed import AFFRAY, checking, good, refused, sealing, signing
from tests.replay.signing import NEEDS_SSH, make_keys

pytestmark = [pytest.mark.slow, NEEDS_SSH]


def test_the_end_of_two_sessions(copy: Path, keys: Path, table: Path, tmp_path: Path) -> None:
    """The game master signs, players countersign what they hold, and everybody can check all of it."""
    first = good(*sealing(copy, keys, table, "--at", 100)).splitlines()
    assert first == [good("seal", copy, "--at", 100).strip(), f"signed by alex on line 2 of {table}"]
    players = tmp_path / "players.jsonl"
    good("export", copy, "--format", "jsonl", "--for", "heroes", "--out", players)
    assert f"countersigned by kim on line 3 of {table}" in good(*signing(table, keys, "--with", players))
    told = msgspec.json.decode(
        good(*sealing(copy, keys, table, "--signers", keys / "allowed_signers", "--json"))
    )
    seal = good("seal", copy).strip()
    assert (told["seal"], told["by"], told["line"]) == (seal, "alex", 4)
    # What follows from the player's own signature needs no copy.
    kims = tmp_path / "kims.witness"
    shutil.copy(table, kims)
    told = msgspec.json.decode(good(*signing(kims, keys, "--json")))
    assert (told["seal"], told["by"], told["line"]) == (seal, "kim", 5)
    lees = tmp_path / "lees.witness"
    assert "--with" in refused(*signing(lees, keys, "--from", table, by="lee"))
    assert not lees.exists()
    good(*signing(lees, keys, "--from", table, "--with", copy, by="lee"))
    assert good("combine", kims, lees, "--out", table) == "2 seals, 5 signatures\n"
    whole = tmp_path / "whole.jsonl"
    good("export", copy, "--format", "jsonl", "--out", whole)
    for held in (copy, players, whole):
        rows = good(*checking(held, keys, table, "--signed-by", "kim", "--signed-by", "lee"))
        assert [row.split()[-1] for row in rows.splitlines() if row.startswith(" " * 8 + "20")] == [
            *("alex", "kim"),
            *("alex", "kim", "lee"),
        ]
        assert "        not signed by lee\n" in rows
        assert f"seal 2: {seal}, continues event 100" in rows
    told = msgspec.json.decode(good(*checking(copy, keys, table, "--json")))
    assert [seal["missing"] for seal in told["witness"]] == [["lee"], []]
    assert told["checks"][-1]["count"] == 5
    told = msgspec.json.decode(good("verify", table, "--signers", keys / "allowed_signers", "--json"))
    assert (told["ok"], told["witness"][1]["continues"]) == (True, first[0])


def test_nothing_is_added_twice(copy: Path, keys: Path, table: Path) -> None:
    """The same seal by the same name is told, and the file stays what it is."""
    good(*sealing(copy, keys, table))
    data = table.read_bytes()
    assert "alex has signed" in good(*sealing(copy, keys, table))
    assert msgspec.json.decode(good(*sealing(copy, keys, table, "--json")))["line"] == 2
    assert "nothing to add" in good(*signing(table, keys, "--with", copy, by="alex"))
    assert table.read_bytes() == data
    # A player's own seal of the same line is a countersignature.
    good(*sealing(copy, keys, table, by="lee"))
    assert table.read_bytes().startswith(data)
    assert "1 seal, 2 signatures" in good("combine", table, "--out", table)


def test_a_forked_log_is_named(fight: Path, keys: Path, table: Path, tmp_path: Path) -> None:
    """Two logs with one beginning: neither signing, nor countersigning, nor verify is taken in."""
    good(*sealing(fight, keys, table))
    good(*signing(table, keys, "--with", fight))
    other = copied(fight, tmp_path / "other.db")
    good("do", fight, "end-turn")
    good("do", other, "speak", "--words", "hello")
    good("do", other, "end-turn")
    good(*sealing(fight, keys, table))
    line, data = 4, table.read_bytes()
    told = refused(*sealing(other, keys, table, by="lee"))
    assert f"line {line} of the witness file: main:" in told
    assert "a fork: events" in told
    told = refused(*signing(table, keys, "--with", other))
    assert "a fork: events" in told
    assert str(other) in told
    assert table.read_bytes() == data
    result = called(*checking(other, keys, table))
    assert result.exit_code == 1
    assert f"        {table.name}#{line}: main:" in result.stdout
    assert "are not those sealed" in result.stdout
    # A game master who shows others another file: the two part where the fork is.
    forked = tmp_path / "forked.witness"
    forked.write_bytes(b"".join(data.splitlines(keepends=True)[:3]))
    good(*sealing(other, keys, forked))
    assert "differ at line 4" in refused("combine", table, forked, "--out", tmp_path / "both.witness")
    assert "differ at line 4" in refused(*signing(table, keys, "--from", forked))


def test_a_log_that_goes_on_or_was_cut_off(fight: Path, keys: Path, table: Path, tmp_path: Path) -> None:
    """Events behind the newest seal are counted; a log that ends before it is named."""
    before = copied(fight, tmp_path / "before.db")
    good("do", fight, "end-turn")
    good(*sealing(fight, keys, table))
    result = called(*checking(before, keys, table))
    assert result.exit_code == 1
    assert ": here main ends at event " in result.stdout
    assert "here main ends at" in refused(*signing(table, keys, "--with", before))
    good("do", fight, "end-turn")
    assert " since)" in good(*checking(fight, keys, table))


def test_other_lines_of_play(copy: Path, keys: Path, table: Path, tmp_path: Path) -> None:
    """A branch that leaves behind the newest seal continues it; one that leaves before is its own line."""
    good(*sealing(copy, keys, table, "--at", 100))
    good("fork", copy, "--at", 120, "--as", "late")
    good("fork", copy, "--at", 60, "--as", "early")
    good(*signing(table, keys, "--with", copy))
    good(*sealing(copy, keys, table, "--branch", "late"))
    # It follows from main:100, which kim has signed.
    good(*signing(table, keys))
    good(*sealing(copy, keys, table, "--branch", "early"))
    rows = good(*checking(copy, keys, table))
    assert "seal 2: late:120:" in rows
    assert ", continues event 100" in rows
    assert ", a separate line" in rows
    assert "continues nothing that kim has signed" in refused(*signing(table, keys))
    players = tmp_path / "players.jsonl"
    good("export", copy, "--format", "jsonl", "--for", "heroes", "--branch", "main", "--out", players)
    assert "does not contain 'early'" in refused(*signing(table, keys, "--with", players))
    twin = tmp_path / "twin.witness"
    shutil.copy(table, twin)
    result = called(*signing(twin, keys, "--with", copy))
    assert (result.exit_code, "it seals another line of play" in result.stderr) == (0, True)
    assert "not compared, of other lines of play: late:120" in good(*checking(players, keys, table))


@pytest.mark.parametrize("where", ["{db}", "{db}-wal", "{db}-secrets", "link"])
def test_never_onto_the_log(copy: Path, keys: Path, where: str, tmp_path: Path) -> None:
    """Whatever the witness file is called: the log and what lies beside it stay what they are."""
    link = tmp_path / "link"
    link.symlink_to(copy)
    path = Path(where.format(db=copy)) if where != "link" else link
    data = copy.read_bytes()
    refused(*sealing(copy, keys, path), status=2)
    refused(*signing(path, keys, "--from", path, "--with", copy), status=2)
    assert copy.read_bytes() == data
    for kind in ("log.jsonl", "words.txt"):
        other = tmp_path / kind
        other.write_text('{"format":"affray-log","version":1}\n')
        assert "not a witness file" in refused(*sealing(copy, keys, other), status=2)
        assert other.read_text().startswith('{"format":"affray-log"')


def test_nothing_is_lost_by_putting_together(copy: Path, keys: Path, table: Path, tmp_path: Path) -> None:
    """Another witness file or a file of another kind is not replaced by those that are put together."""
    good(*sealing(copy, keys, table))
    other, words = tmp_path / "other.witness", tmp_path / "words.txt"
    good(*sealing(copy, keys, other, by="lee"))
    words.write_text("hello")
    data = other.read_bytes()
    for copies in ((table,), (table, other), (other, table)):
        assert "differ at line 2" in refused("combine", *copies, "--out", other)
    assert "not a witness file" in refused("combine", table, "--out", words, status=2)
    assert "not a witness file" in refused("combine", table, words, "--out", tmp_path / "new", status=2)
    assert (other.read_bytes(), words.read_text()) == (data, "hello")
    told = msgspec.json.decode(good("combine", table, "--out", tmp_path / "new", "--json"))
    assert told == {"seals": 1, "signatures": 1, "late": []}


def test_several_at_once(copy: Path, tmp_path: Path, keys: Path, table: Path) -> None:
    """Processes that sign one file at the same time: every signature is there, or is said not to be."""
    folder = tmp_path / "more"
    folder.mkdir()
    names = [f"p{number}" for number in range(6)]
    allowed = make_keys(folder, names)
    allowed.write_text(allowed.read_text() + (keys / "allowed_signers").read_text())
    good(*sealing(copy, keys, table))

    def process(name: str) -> str:
        words = ("--sign", folder / name, "--by", name, "--signers", allowed, "--with", copy)
        for _ in range(30):
            line = [*AFFRAY, "countersign", table, *words]
            done = subprocess.run([str(word) for word in line], capture_output=True, text=True, timeout=60)
            if done.returncode == 0:
                return name
            assert "another command changed the file" in done.stderr, done.stderr
        return ""

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(process, names)) == names
    told = msgspec.json.decode(good("verify", table, "--signers", allowed, "--json"))
    assert sorted(one["by"] for one in told["witness"][0]["signatures"]) == ["alex", *names]
    assert sorted(one.name for one in tmp_path.iterdir() if "tmp" in one.name) == []


def test_a_file_without_a_seal_is_no_witness(copy: Path, keys: Path, table: Path) -> None:
    """A header alone says nothing; it can be added to."""
    table.write_bytes(HEADER)
    assert called(*checking(copy, keys, table)).exit_code == 1
    assert "contains no seal" in refused(*signing(table, keys, "--with", copy))
    good(*sealing(copy, keys, table))
    good(*checking(copy, keys, table))


def test_proofs_of_growth(copy: Path, run: Run, tmp_path: Path) -> None:
    """From a log, an export and a players' copy the same proof; it is checked without any of them."""
    early, now = run("seal", copy, "--at", 100).stdout.strip(), run("seal", copy).stdout.strip()
    made = run("seal", copy, "--consistent-with", early)
    assert made.exit_code == 0
    proof = tmp_path / "proof.json"
    proof.write_text(made.stdout)
    for side in ((), ("--for", "heroes")):
        out = tmp_path / "copy.jsonl"
        assert run("export", copy, "--format", "jsonl", *side, "--out", out).exit_code == 0
        assert run("seal", out, "--consistent-with", early).stdout == made.stdout
    told = run("seal", proof, "--consistent-with", early, "--check", now)
    assert (told.exit_code, told.stdout) == (0, f"{now} continues {early}: 147 events more\n")
    assert run("seal", proof, "--consistent-with", early.split(":")[2]).exit_code == 0
    said = msgspec.json.decode(run("seal", proof, "--consistent-with", early, "--json").stdout)
    assert (said["ok"], said["outcome"], said["seal"]) == (True, "longer", now)
    for words in (("--consistent-with", now), ("--consistent-with", early, "--check", early)):
        result = run("seal", proof, *words)
        assert (result.exit_code, "not proven" in result.stdout) == (1, True)
    assert refused("seal", copy, "--at", 50, "--consistent-with", early) == (
        "affray: shorter: ends at event 50, but 100 were sealed\n"
    )
    assert "needs the earlier seal too" in refused("seal", proof, "--check", now, status=2)
    event = tmp_path / "event.json"
    event.write_text(run("seal", copy, "--prove", 52).stdout)
    assert "proves one event" in refused("seal", event, "--consistent-with", early, status=2)
