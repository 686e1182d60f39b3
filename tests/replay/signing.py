"""Keys and signed seals for tests, by the ssh-keygen of the system; without one the tests are skipped."""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from affray.replay.verification.seals import LogDigests, held
from affray.replay.verification.witness import (
    TOOL,
    Witness,
    added,
    countersignature,
    make_further_statement,
    sign,
)
from tests.replay.fights import fought

NEEDS_SSH = pytest.mark.skipif(shutil.which(TOOL) is None, reason=f"{TOOL} is not installed")
PEOPLE = ("alex", "kim", "lee")


def make_keys(folder: Path, names: Iterable[str] = PEOPLE, passphrase: str = "") -> Path:
    """Make a key for each name in a folder, and return the file in which they may sign seals."""
    allowed = folder / "allowed_signers"
    for name in names:
        words = ("-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", str(folder / name))
        subprocess.run([TOOL, *words], check=True, stdin=subprocess.DEVNULL, timeout=60)
        with allowed.open("a", encoding="ascii") as file:
            file.write(allowed_line(name, folder / name))
    return allowed


def allowed_line(name: str, key: Path, options: str = 'namespaces="affray-seal"') -> str:
    """Return the line of a file of allowed signers that lets a name sign with a key."""
    kind, letters, *_ = key.with_name(f"{key.name}.pub").read_text(encoding="ascii").split()
    return f"{name} {options} {kind} {letters}\n" if options else f"{name} {kind} {letters}\n"


def when(second: int) -> str:
    """Return a time, later for a greater number."""
    return f"2026-11-23T20:{second // 60:02}:{second % 60:02}Z"


FOUGHT = fought(rounds=3).store
HELD = held(FOUGHT)
HEAD = FOUGHT.head("main").seq


def witnessed(
    keys: Path, steps: Iterable[tuple[str, int]], log: LogDigests = HELD, start: int = 0
) -> Witness:
    """Return a witness file: for each step a name, and the event up to which it seals; 0 to countersign."""
    file = Witness()
    for second, (name, seq) in enumerate(steps, start):
        if seq:
            said, proof = make_further_statement(file, log, "main", by=name, when=when(second), seq=seq)
        else:
            said, proof = countersignature(file, by=name, when=when(second)), ()
        file = added(file, said, proof, sign(said.text, keys / name))
    return file
