"""Commands that write on a full disk: one clear line that names the file, and nothing left of it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from affray.events.stores.sqlite import SqliteStore
from affray.replay.chance.swing import compute_stored_swing
from tests.cli.conftest import Run, copied

FREE = 60_000
"""Bytes that are free: more than any of these commands begins with, less than it needs."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, which is almost full."""
    found = tmp_path / "disk"
    found.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(found)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"a file system of its own needs the right to mount: {mounted.stderr.strip()}")
    try:
        (found / "ballast").write_bytes(bytes(shutil.disk_usage(found).free - FREE))
        yield found
    finally:
        subprocess.run(["umount", str(found)], check=True)


@pytest.mark.parametrize(
    ("command", "made"),
    [
        (("rows", "{log}", "--into", "{made}"), "fight.rows.db"),
        (("rows", "{log}", "--format", "csv", "--into", "{made}"), "rows"),
        (("export", "{log}", "--format", "jsonl", "--out", "{made}"), "fight.jsonl"),
        (("export", "{log}", "--format", "html", "--out", "{made}"), "fight.html"),
        (("demo", "--db", "{made}"), "demo.db"),
        (("import", "{export}", "--db", "{made}"), "again.db"),
        (("copy", "{log}", "{made}"), "copy.db"),
        (("samples", "{made}", "--fights", "1", "--jobs", "1", "--no-rows"), "set"),
    ],
)
def test_on_a_full_disk(
    played: Path, tmp_path: Path, run: Run, disk: Path, command: tuple[str, ...], made: str
) -> None:
    """What is made whole or not at all is not there, under no other name either."""
    log, export = copied(played, tmp_path / "fight.db"), tmp_path / "fight.jsonl"
    assert run("export", log, "--format", "jsonl", "--out", export).exit_code == 0
    words = [word.format(log=log, export=export, made=disk / made) for word in command]
    before = {file.name for file in disk.iterdir()}
    result = run(*words)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1), result.output
    assert made in result.stderr
    assert "disk is full" in result.stderr or os.strerror(28) in result.stderr
    assert {file.name for file in disk.iterdir()} == before


def test_win_chances_on_a_full_disk(played: Path, disk: Path) -> None:
    """They are calculated all the same; what would be kept of them is not there, in part either."""
    with (disk / "more").open("wb") as file, suppress(OSError):
        file.write(bytes(2 * FREE))
    before = {file.name for file in disk.iterdir()}
    with SqliteStore(played, readonly=True) as store:
        assert compute_stored_swing(store, disk / "fight.db", runs=1).turns
    assert {file.name for file in disk.iterdir()} == before
