"""What the fuzzers start from, made once: fights in their middle, a database, an export, scenarios."""

import copy
import tempfile
import tomllib
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from affray.engine.table.scenario import packaged, play, set_up
from affray.engine.table.scenario_parts import packaged_sheets
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events import MemoryStore, SqliteStore
from affray.events.exports import export_jsonl
from affray.events.facts import acts
from affray.events.secrets import FORMAT, SEED, VERSION, Secrets, put_secrets, secrets_path
from affray.replay.log.branches import fork

DIALECTS = ("srd35", "pf1", "futurepath", "woa")


@cache
def _middle(dialect: str, rounds: int) -> MemoryStore:
    store = MemoryStore()
    table = set_up(packaged(f"demo_{dialect}"), store, seed=b"m" * 32)
    if rounds >= 0:
        table.declare(acts.Begin())
    if rounds > 0:
        play_on(table, rounds)
    return store


def middle(dialect: str, rounds: int) -> MemoryStore:
    """Return a copy of the packaged fight: -1 not begun, 0 begun, else so many rounds on."""
    found, fresh = _middle(dialect, rounds), MemoryStore()
    fresh.restore(found.branches(), found.read_all())
    fresh.keep_secret("seed", b"m" * 32)
    return fresh


@cache
def scenario_values(dialect: str) -> dict[str, Any]:
    """Return the packaged scenario of a dialect as plain values; copy before changing."""
    from importlib import resources

    file = resources.files("affray.engine").joinpath("scenarios", f"demo_{dialect}.toml")
    values = tomllib.loads(file.read_text(encoding="utf-8"))
    values["auto"] = 2
    return values


def scenario(dialect: str) -> dict[str, Any]:
    """Return a deep copy of the packaged scenario of a dialect."""
    return copy.deepcopy(scenario_values(dialect))


@cache
def names(dialect: str) -> tuple[str, ...]:
    """Return the named sheets that ship with a dialect."""
    return tuple(packaged_sheets(dialect))


def put_database(path: Path) -> None:
    """Put a small database with a branch, and its secrets, to a place."""
    path.write_bytes(database())
    put_secrets(secrets_path(path), Secrets(FORMAT, VERSION, "", {SEED: (b"d" * 32).hex()}))


@cache
def database() -> bytes:
    """Return the bytes of a small database with a branch."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fight.db"
        with SqliteStore(path) as store:
            table = set_up(packaged("demo_srd35"), store, seed=b"d" * 32)
            table.declare(acts.Begin())
            play_on(table, 1)
            fork(store, "r1", "other")
        return path.read_bytes()


@cache
def export() -> bytes:
    """Return an exported log."""
    out = BytesIO()
    export_jsonl(middle("srd35", 1), out)
    return out.getvalue()


def sealed(lines: Iterable[bytes]) -> bytes:
    """Return lines of an export, headed and chained by the caller, with the end line that fits them."""
    from hashlib import sha256

    body = b"".join(lines)
    count = body.count(b"\n") - 1
    return body + b'{"events":%d,"sha256":"%s"}\n' % (count, sha256(body).hexdigest().encode())


__all__ = [
    "DIALECTS",
    "Table",
    "database",
    "export",
    "middle",
    "names",
    "play",
    "put_database",
    "scenario",
    "sealed",
]
