"""Signed seals on the command line: signing, countersigning, checking, and what is refused how."""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from affray.replay.witness import ssh
from affray.replay.witness.file import HEADER
from tests.cli.conftest import Run, called, copied
from tests.replay.signing import NEEDS_SSH, allowed_line, make_keys

pytestmark = NEEDS_SSH
AFFRAY = (sys.executable, "-m", "affray.replay.cli")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a key for each of three people, and the file that lets them sign."""
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The place of a witness file that is not there yet."""
    return tmp_path / "table.witness"


def sealing(db: Path, keys: Path, table: Path, *more: object, by: str = "alex") -> tuple[object, ...]:
    """Return the words of a signed seal."""
    return ("seal", db, "--sign", keys / by, "--by", by, "--witness", table, *more)


def signing(table: Path, keys: Path, *more: object, by: str = "kim") -> tuple[object, ...]:
    """Return the words of a countersignature."""
    allowed = keys / "allowed_signers"
    return ("countersign", table, "--sign", keys / by, "--by", by, "--signers", allowed, *more)


def checking(db: Path, keys: Path, table: Path, *more: object) -> tuple[object, ...]:
    """Return the words of a check of a log and its witness file."""
    return ("verify", db, "--witness", table, "--signers", keys / "allowed_signers", *more)


def good(*words: object) -> str:
    """Return what a command prints that must succeed."""
    result = called(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*words: object, status: int = 1) -> str:
    """Return the one line that says why a command does not do it."""
    result = called(*words)
    assert (result.exit_code, result.stdout) == (status, ""), result.output
    assert result.stderr.count("\n") == 1
    return result.stderr


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
    for held in (copy, players):
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
    assert "part at line 4" in refused("combine", table, forked, "--out", tmp_path / "both.witness")
    assert "part at line 4" in refused(*signing(table, keys, "--from", forked))


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
    assert ", a line of its own" in rows
    assert "continues nothing that kim has signed" in refused(*signing(table, keys))
    players = tmp_path / "players.jsonl"
    good("export", copy, "--format", "jsonl", "--for", "heroes", "--branch", "main", "--out", players)
    assert "does not hold 'early'" in refused(*signing(table, keys, "--with", players))
    twin = tmp_path / "twin.witness"
    shutil.copy(table, twin)
    result = called(*signing(twin, keys, "--with", copy))
    assert (result.exit_code, "it is another line of play" in result.stderr) == (0, True)
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
        assert "no witness file" in refused(*sealing(copy, keys, other), status=2)
        assert other.read_text().startswith('{"format":"affray-log"')


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
            assert "changed meanwhile" in done.stderr, done.stderr
        return ""

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(process, names)) == names
    told = msgspec.json.decode(good("verify", table, "--signers", allowed, "--json"))
    assert sorted(one["by"] for one in told["witness"][0]["signatures"]) == ["alex", *names]
    assert sorted(one.name for one in tmp_path.iterdir() if "tmp" in one.name) == []


def test_what_stands_in_the_way_of_signing(copy: Path, keys: Path, table: Path, tmp_path: Path) -> None:
    """No key, a passphrase that nobody gives, no agent, another file or name: one line, nothing kept."""
    locked = tmp_path / "locked"
    locked.mkdir()
    make_keys(locked, ["alex"], passphrase="secret")
    shutil.copy(keys / "kim.pub", tmp_path / "kim.pub")
    (tmp_path / "words").write_text("hello")

    def offered(key: Path, by: str = "alex", *more: object) -> str:
        words = ("seal", copy, "--sign", key, "--by", by, "--witness", table, *more)
        line = [*AFFRAY, *map(str, words)]
        env = {**os.environ, "SSH_AUTH_SOCK": "", "SSH_ASKPASS": "/bin/false", "SSH_ASKPASS_REQUIRE": "force"}
        done = subprocess.run(
            line, capture_output=True, text=True, timeout=60, env=env, start_new_session=True
        )
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
        assert not table.exists()
        return done.stderr

    assert "no key of that name; make one: ssh-keygen" in offered(tmp_path / "nokey")
    assert "wrong passphrase" in offered(locked / "alex")
    assert "(a public key needs the agent: ssh-add KEY)" in offered(tmp_path / "kim.pub")
    assert "is it a private key of SSH" in offered(tmp_path / "words")
    assert "no name of a signer" in offered(keys / "alex", "*")
    allowed = keys / "allowed_signers"
    assert "signed with the key of kim, not of alex; nothing was kept" in offered(
        keys / "kim", "alex", "--signers", allowed
    )
    assert "no file of allowed signers" in offered(keys / "alex", "alex", "--signers", tmp_path / "none")
    if os.name == "posix":
        (locked / "alex").chmod(0o644)
        assert "others may read the key" in offered(locked / "alex")


def test_a_key_in_the_agent_signs(
    copy: Path, keys: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the public key is named: the agent has the private one, which is nowhere on the disk then."""
    if shutil.which("ssh-agent") is None:
        pytest.skip("ssh-agent is not installed")
    socket = f"/tmp/affray-{os.getpid()}.sock"  # its path must be short
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL)
    try:
        monkeypatch.setenv("SSH_AUTH_SOCK", socket)
        until = time.monotonic() + 10
        while not Path(socket).exists() and time.monotonic() < until:
            time.sleep(0.02)
        private = Path(shutil.copy(keys / "lee", tmp_path / "lee"))
        private.chmod(0o600)
        subprocess.run(["ssh-add", "-q", private], check=True, timeout=30, stdin=subprocess.DEVNULL)
        private.unlink()
        public = shutil.copy(keys / "lee.pub", tmp_path / "lee.pub")
        good("seal", copy, "--sign", public, "--by", "lee", "--witness", table)
    finally:
        agent.terminate()
        agent.wait(10)
        Path(socket).unlink(missing_ok=True)
    assert "1  every signature is its signer's" in good(*checking(copy, keys, table))


def test_signatures_that_do_not_count(copy: Path, keys: Path, table: Path, tmp_path: Path) -> None:
    """Revoked, unknown, out of time, another's, for another purpose: each is named as what it is."""
    good(*sealing(copy, keys, table))
    good(*signing(table, keys, "--with", copy))
    mine = keys / "allowed_signers"

    def said(allowed: Path, *more: object) -> str:
        result = called("verify", table, "--signers", allowed, *more)
        assert result.exit_code == 1, result.output
        row = next(row for row in result.stdout.splitlines() if f"{table.name}#" in row)
        return row.partition(f"{table.name}#")[2]

    def file(*lines: str) -> Path:
        path = tmp_path / f"signers{len(list(tmp_path.iterdir()))}"
        path.write_text("".join(lines))
        return path

    alex, kim = allowed_line("alex", keys / "alex"), allowed_line("kim", keys / "kim")
    revoked = tmp_path / "revoked"
    words = ["ssh-keygen", "-q", "-k", "-f", str(revoked), str(keys / "kim.pub")]
    subprocess.run(words, check=True, timeout=30)
    assert said(mine, "--revoked", revoked) == "3: the key of kim is revoked"
    assert said(mine, "--revoked", keys / "alex.pub") == "2: the key of alex is revoked"
    assert said(file(alex)).startswith("3: an unknown key, which ")
    assert said(file(alex, allowed_line("lee", keys / "kim"))) == "3: signed with the key of lee, not of kim"
    listed = called("verify", table, "--signers", file(alex), "--json")
    seals = msgspec.json.decode(listed.stdout)["witness"]
    assert [one["fault"].split(",")[0] for one in seals[0]["signatures"]] == ["", "an unknown key"]
    old = allowed_line("kim", keys / "kim", 'valid-before="20200101"')
    assert "key has expired" in said(file(alex, old))
    files = allowed_line("kim", keys / "kim", 'namespaces="file"')
    assert said(file(alex, files)).startswith("3: ")
    good("verify", table, "--signers", file(allowed_line("*", keys / "alex", ""), kim))
    for allowed in (tmp_path / "none", tmp_path):
        told = refused("verify", table, "--signers", allowed, status=2)
        assert "no file of allowed signers" in told
    # What no longer counts is not signed on.
    assert "the key of kim is revoked; nothing was signed" in refused(
        *signing(table, keys, "--with", copy, "--revoked", revoked, by="lee")
    )


def test_where_the_tool_is_missing(
    copy: Path, keys: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says what is needed, for signing and for checking; an old one is told too."""
    good(*sealing(copy, keys, table))
    data = table.read_bytes()
    old = table.with_name("old-ssh-keygen")
    old.write_text("#!/bin/sh\necho 'unknown option -- Y' >&2\nexit 1\n")
    old.chmod(0o755)
    for tool, reason in (("no-such-ssh-keygen", "is not installed"), (str(old), "is too old")):
        monkeypatch.setattr(ssh, "TOOL", tool)
        for words in (
            sealing(copy, keys, table, by="kim"),
            signing(table, keys, "--with", copy),
            ("verify", table, "--signers", keys / "allowed_signers"),
            checking(copy, keys, table),
        ):
            told = refused(*words, status=2)
            assert reason in told
            assert "OpenSSH 8.9 or newer" in told
    assert table.read_bytes() == data


def test_one_that_gives_no_answer_is_ended(
    copy: Path, keys: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody gives the passphrase: after a time the command goes on to say so."""
    slow = table.with_name("slow-ssh-keygen")
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setattr(ssh, "TOOL", str(slow))
    monkeypatch.setattr(ssh, "SECONDS_TO_SIGN", 0.2)
    assert "gave no answer in" in refused(*sealing(copy, keys, table), status=2)
    assert not table.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("seal", "{db}", "--sign", "{key}"),
        ("seal", "{db}", "--by", "alex"),
        ("seal", "{db}", "--witness", "{table}"),
        ("seal", "{db}", "--sign", "{key}", "--by", "alex", "--witness", "{table}", "--check", "x"),
        ("seal", "{db}", "--sign", "{key}", "--by", "alex", "--witness", "{table}", "--prove", "1"),
        ("seal", "{db}", "--prove", "1", "--consistent-with", "x"),
        ("seal", "{db}", "--consistent-with", "x", "--check", "x"),
        ("seal", "{db}", "--consistent-with", "x", "--grown"),
        ("seal", "{db}", "--consistent-with", "nonsense"),
        ("countersign", "{table}", "--sign", "{key}", "--by", "alex"),
        ("countersign", "{table}", "--by", "alex", "--signers", "{allowed}"),
        ("countersign", "{none}", "--sign", "{key}", "--by", "alex", "--signers", "{allowed}"),
        ("verify", "{db}", "--witness", "{table}"),
        ("verify", "{db}", "--signers", "{allowed}"),
        ("verify", "{db}", "--signed-by", "alex"),
        ("verify", "{table}", "--revoked", "{allowed}"),
        ("verify", "{table}", "--signers", "{allowed}", "--branch", "main"),
        ("verify", "{db}", "--witness", "{db}", "--signers", "{allowed}"),
        ("verify", "{db}", "--witness", "{none}", "--signers", "{allowed}"),
    ],
)
def test_half_of_what_is_needed_is_bad_usage(
    copy: Path, keys: Path, table: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Nothing that is said is ignored: what goes without something else is refused in one line."""
    table.write_bytes(HEADER)
    given = {"db": copy, "key": keys / "alex", "table": table, "allowed": keys / "allowed_signers"}
    refused(*(word.format(none=tmp_path / "none", **given) for word in words), status=2)
    assert table.read_bytes() == HEADER


def test_a_file_without_a_seal_is_no_witness(copy: Path, keys: Path, table: Path) -> None:
    """A header alone says nothing; it can be added to."""
    table.write_bytes(HEADER)
    assert called(*checking(copy, keys, table)).exit_code == 1
    assert "holds no seal" in refused(*signing(table, keys, "--with", copy))
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
        "affray: shorter: ends at event 50, sealed were 100\n"
    )
    assert "name the earlier seal too" in refused("seal", proof, "--check", now, status=2)
    event = tmp_path / "event.json"
    event.write_text(run("seal", copy, "--prove", 52).stdout)
    assert "proves one event" in refused("seal", event, "--consistent-with", early, status=2)
