"""What commands write: whole or not at all, and never onto a log, whatever the path is called."""

import errno
import os
import stat
import subprocess
from pathlib import Path

import pytest

from affray.events.errors import AffrayError
from affray.events.secrets import secrets_path
from affray.replay.cli.terminal.output import output, refuse_log
from affray.replay.workers import PYTHON
from tests.cli.conftest import Run
from tests.cli.test_faults import one_line

WRITERS = (
    ("export", "--format", "jsonl"),
    ("export", "--format", "html"),
    ("export", "--format", "csv"),
    ("export", "--format", "jsonl", "--for", "heroes"),
    ("report", "--dispute", "Q1"),
)


def called_otherwise(log: Path) -> dict[str, Path]:
    """Return paths that lead to a log or to what belongs to it, by what they are."""
    folder = log.parent
    (folder / "there").mkdir()
    (folder / "soft").symlink_to(log)
    (folder / "soft-again").symlink_to(folder / "soft")
    (folder / "dangling").symlink_to(f"{log}-wal")
    (folder / "linked").symlink_to(folder, target_is_directory=True)
    os.link(log, folder / "hard.txt")
    found = {
        "itself": log,
        "relative": Path(os.path.relpath(log)),
        "with dots": folder / "there" / ".." / log.name,
        "a link": folder / "soft",
        "a link to a link": folder / "soft-again",
        "a hard link": folder / "hard.txt",
        "by another folder": folder / "linked" / log.name,
        "its wal": log.with_name(f"{log.name}-wal"),
        "its shm": log.with_name(f"{log.name}-shm"),
        "its journal": log.with_name(f"{log.name}-journal"),
        "its secrets": secrets_path(log),
        "its wal in capitals": log.with_name(f"{log.name}-wal".upper()),
        "a link to its wal to be": folder / "dangling",
    }
    return found


@pytest.mark.parametrize("words", WRITERS, ids=lambda words: " ".join(words[:3]))
def test_nothing_is_written_onto_the_log(run: Run, copy: Path, words: tuple[str, ...]) -> None:
    """One clear line, status 2, and no byte of any file is another one."""
    paths = called_otherwise(copy)
    before = {file: file.read_bytes() for file in copy.parent.iterdir() if file.is_file()}
    for name, path in paths.items():
        result = run(words[0], copy, *words[1:], "--out", path)
        assert result.exit_code == 2, name
        one_line(result.stderr, str(path), "overwrite the log")
    after = {file: file.read_bytes() for file in copy.parent.iterdir() if file.is_file()}
    assert {name: data for name, data in after.items() if not name.name.endswith(("-wal", "-shm"))} == before


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc here")
def test_an_open_file_by_its_number(run: Run, copy: Path) -> None:
    """/proc/self/fd/N and /dev/fd/N lead to the log too, and so may standard output itself."""
    before = copy.read_bytes()
    with copy.open("rb") as file:
        for place in ("/proc/self/fd", "/dev/fd"):
            result = run("export", copy, "--format", "jsonl", "--out", f"{place}/{file.fileno()}")
            assert result.exit_code == 2
            one_line(result.stderr, "overwrite the log")
    command = [*PYTHON, "-m", "affray.replay.cli", "export", str(copy), "--format", "jsonl"]
    for words in (command, [*command[:4], "show", str(copy)], [*command[:4], "log", str(copy), "--json"],
                  [*command[:4], "fork", str(copy), "--at", "5", "--as", "x"]):  # fmt: skip
        with copy.open("ab") as file:
            ended = subprocess.run(words, stdout=file, stderr=subprocess.PIPE, text=True, check=False)
        assert ended.returncode == 2
        one_line(ended.stderr, "standard output is", str(copy))
        assert copy.read_bytes() == before


def test_names_that_differ_in_case_only(copy: Path, tmp_path: Path) -> None:
    """Where a file system ignores case, a new file of such a name would be the log: it is refused anywhere.

    One that is there beside the log, and is another file, may be written.
    """
    for name in ("COPY.db-journal", "Copy.DB-Secrets", "copy.db-WAL"):
        with pytest.raises(AffrayError, match="overwrite the log"):
            refuse_log(tmp_path / name, copy)
    other = tmp_path / "COPY.DB"
    other.write_text("another file")
    refuse_log(other, copy)
    refuse_log(tmp_path / "copy.jsonl", copy)


def test_other_logs_are_spared(run: Run, copy: Path, played: Path, tmp_path: Path) -> None:
    """A slip of the hand that names another log, secrets or a player's chain overwrites none of them."""
    chain = tmp_path / "alex.chain"
    assert run("link", chain, "--new").exit_code == 0
    for path in (played, secrets_path(played), chain):
        before = path.read_bytes()
        for words in (
            ("export", copy, "--format", "jsonl"),
            ("checker",),
            ("rules", "pf1", "--page"),
        ):
            result = run(*words, "--out", path)
            assert result.exit_code == 2
            one_line(result.stderr, "is never overwritten")
            assert path.read_bytes() == before


def test_the_page_of_a_demo(run: Run, tmp_path: Path) -> None:
    """The page goes onto no file of the log that is about to be made."""
    db = tmp_path / "d.db"
    for name in ("d.db", "d.db-wal", "d.db-secrets", "D.DB"):
        result = run("demo", "--db", db, "--html", tmp_path / name)
        assert result.exit_code == 2
        one_line(result.stderr, "overwrite the log")
        assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_whole_or_not_at_all(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there stays until the new file is whole, keeps its rights, and a link stays a link."""
    out, link = tmp_path / "out.txt", tmp_path / "link.txt"
    out.write_bytes(b"before")
    out.chmod(0o640)
    link.symlink_to(out)

    def broken_off() -> None:
        with output(link, copy) as file:
            file.write(b"half")
            assert out.read_bytes() == b"before"
            raise ZeroDivisionError

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def on_a_full_disk() -> None:
        monkeypatch.setattr(os, "fsync", full)
        with output(link, copy) as file:
            file.write(b"half")

    for failing in (broken_off, on_a_full_disk):
        with pytest.raises((ZeroDivisionError, AffrayError)):
            failing()
        assert out.read_bytes() == b"before"
    monkeypatch.undo()
    with output(link, copy) as file:
        file.write(b"whole")
        assert out.read_bytes() == b"before"
    assert (out.read_bytes(), stat.S_IMODE(out.stat().st_mode), link.is_symlink()) == (b"whole", 0o640, True)
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]


def test_streams_are_written_to(run: Run, copy: Path, tmp_path: Path) -> None:
    """What is no file cannot be replaced: a pipe or /dev/null takes what comes."""
    result = run("export", copy, "--format", "jsonl", "--out", os.devnull)
    assert result.exit_code == 0
    assert not Path(os.devnull).is_file()
    result = run("export", copy, "--format", "jsonl", "--out", tmp_path)
    assert result.exit_code == 2
    one_line(result.stderr, str(tmp_path))
    result = run("export", copy, "--format", "jsonl", "--out", tmp_path / "none" / "x.jsonl")
    assert result.exit_code == 2
    one_line(result.stderr, "No such file")
