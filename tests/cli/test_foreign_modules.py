"""Commands and routes in a folder full of modules named like ours and our dependencies': none is run."""

import os
import re
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray.replay.serve.handlers import PAGES
from affray.replay.serve.openapi import EXAMPLES
from affray.replay.serve.routes import FEED, TABLE
from affray.replay.workers import PYTHON
from tests.cli.conftest import Run
from tests.fuzz.commands import WORDS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OURS = (
    "affray",
    "docs",
    "engine",
    "events",
    "projections",
    "replay",
    "tests",
    "sitecustomize",
    "usercustomize",
)
OPTIONAL = (
    "duckdb",
    "numpy",
    "pandas",
    "polars",
    "psycopg",
    "pyarrow",
    "pysqlite3",
    "ray",
    "uvloop",
    "xdist",
)
SECONDS = 60

COMMANDS = """
import multiprocessing
from click.testing import CliRunner
from affray.replay.cli import affray
from tests.fuzz.commands import filled

def run(*words):
    return CliRunner().invoke(affray, words, prog_name="affray", input="")

if __name__ == "__main__":
    assert run("export", "fight.db", "--format", "jsonl", "--out", "fight.jsonl").exit_code == 0
    given = {"db": "fight.db", "file": "fight.jsonl", "new": "new.db", "out": "out", "scenario": "duel",
             "id": "ogre", "seq": "12", "last": "40", "text": "word"}
    for words in filled(given):
        run(*words)
    for method in multiprocessing.get_all_start_methods():
        multiprocessing.set_start_method(method, force=True)
        assert run("odds", "fight.db", "--at", "r1", "--runs", "64", "--jobs", "2").exit_code == 0, method
"""


@pytest.fixture
def folder(tmp_path: Path, played: Path) -> Path:
    """A folder with a fight and hundreds of modules, each of which leaves its name in `ran` if it is run."""
    found = tmp_path / "downloads"
    found.mkdir()
    (found / "fight.db").write_bytes(played.read_bytes())
    (found / "fight.db-secrets").write_bytes(played.with_name(f"{played.name}-secrets").read_bytes())
    text = f"open({str(tmp_path / 'ran')!r}, 'a').write(__name__ + ' ')\nraise SystemExit(70)\n"
    for name in {*OURS, *OPTIONAL, *sys.stdlib_module_names, *packages_distributions()}:
        if name.isidentifier():
            (found / f"{name}.py").write_text(text)
    return found


def ran(folder: Path) -> str:
    """Return which of the modules have been run."""
    file = folder.with_name("ran")
    return file.read_text() if file.exists() else ""


def left_over(folder: Path) -> list[str]:
    """Return the files that nothing but a process that was killed leaves beside a log."""
    ends = ("-wal", "-shm", "-journal", ".tmp", ".part")
    return sorted(file.name for file in folder.iterdir() if file.name.endswith(ends))


def test_the_modules_would_run(folder: Path) -> None:
    """Python runs them where it is started without -P: what the other tests find is worth something."""
    command = [sys.executable, "-m", "affray.replay.cli", "log", "fight.db"]
    subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=False)
    assert ran(folder)


def test_commands(folder: Path, tmp_path: Path) -> None:
    """Every command, and work for several processes under each way that Python has of starting one."""
    assert WORDS
    # As the installed `affray` is: a script elsewhere, whose own folder is first on the path.
    script = tmp_path / "bin" / "commands"
    script.parent.mkdir()
    script.write_text(COMMANDS)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, script], cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert (done.returncode, ran(folder)) == (0, ""), done.stderr
    assert left_over(folder) == []


def test_routes(folder: Path, run: Run) -> None:
    """Every route of a served fight, those that start processes above all: the rulebook, the win chances."""
    log = folder / "served.db"
    assert run("new", log, "--encounter", "gunfight", "--seed", "x").exit_code == 0
    for act in ("begin", "end-turn"):
        assert run("do", log, act).exit_code == 0
    words = [*PYTHON, "-m", "affray.replay.cli", "serve", log.name, "--port", "0", "--json"]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        master = msgspec.json.decode(server.stdout.readline())["guests"][0]["link"]
        address, _, token = master.partition("/#t=")
        line = HTTPConnection(address.removeprefix("http://"), timeout=SECONDS)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

        def asked(method: str, path: str, body: Any = None) -> tuple[int, bytes]:
            line.request(method, path, None if body is None else msgspec.json.encode(body), headers)
            answer = line.getresponse()
            return answer.status, answer.read()

        try:
            for one in TABLE:
                if one.answer != FEED:
                    sent = EXAMPLES[one.method, one.path][0] if one.body else None
                    status, told = asked(one.method, re.sub(r"\{\w+\}", "12", one.path), sent)
                    assert status < 500, (one, told)
            for page in PAGES:
                assert asked("GET", page.path)[0] == 200, page
            assert asked("POST", "/swing", {"runs": 1})[0] == 200
            while (told := msgspec.json.decode(asked("GET", "/swing")[1]))["working"]:
                time.sleep(0.05)
            assert told["fault"] == ""
            assert told["swing"]
        finally:
            line.close()
            server.send_signal(signal.SIGINT)
            server.wait(SECONDS)
    assert ran(folder) == ""
    assert left_over(folder) == []
