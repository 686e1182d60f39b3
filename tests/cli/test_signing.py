"""Signing on the command line: what stands in the way of it, and signatures that do not count."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import msgspec
import pytest

from affray.replay.verification import witness
from affray.replay.verification.witness import HEADER
from tests.cli.conftest import called
from tests.cli.signed import AFFRAY, checking, good, refused, sealing, signing
from tests.replay.signing import NEEDS_SSH, allowed_line, make_keys

pytestmark = NEEDS_SSH


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

    assert "no key with this name; create one: ssh-keygen" in offered(tmp_path / "nokey")
    assert "wrong passphrase" in offered(locked / "alex")
    assert "(a public key needs the agent: ssh-add KEY)" in offered(tmp_path / "kim.pub")
    assert "is it an SSH private key" in offered(tmp_path / "words")
    assert "not a valid signer's name" in offered(keys / "alex", "*")
    allowed = keys / "allowed_signers"
    assert "signed with the key of kim, not of alex; nothing was stored" in offered(
        keys / "kim", "alex", "--signers", allowed
    )
    assert "file of allowed signers" in offered(keys / "alex", "alex", "--signers", tmp_path / "none")
    if os.name == "posix":
        (locked / "alex").chmod(0o644)
        assert "other users may read the key" in offered(locked / "alex")


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
    assert (
        said(mine, "--revoked", revoked)
        == f"3: the key of kim is revoked in {revoked}, or this is not a list of keys"
    )
    assert said(mine, "--revoked", keys / "alex.pub").startswith("2: the key of alex is revoked")
    assert said(file(alex)).startswith("3: an unknown key, not listed in ")
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
        assert "file of allowed signers" in told
    # What no longer counts is not signed on.
    assert "the key of kim is revoked" in refused(
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
        monkeypatch.setattr(witness, "TOOL", tool)
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
    monkeypatch.setattr(witness, "TOOL", str(slow))
    monkeypatch.setattr(witness, "SECONDS_TO_SIGN", 0.2)
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
