"""Every command and program of the top-level pages and the docs runs, every link leads somewhere."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from affray.replay.cli import affray
from affray.replay.workers import PYTHON

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
PLAYED = [
    page
    for page in PAGES
    if page.parent.name not in ("tutorials", "how-to", "explanations") and page.name != "dialects.md"
]
"""Those whose blocks run here; those of the others run in test_played_docs.py, with all that they print."""

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```\n+((?:^    [^\n]*\n)*)", re.MULTILINE | re.DOTALL)
"""The commands of a page, and what it shows right after them of what they print."""

EXCERPT = re.compile(r"^<!-- from (\S+) -->\n```(?:python|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)
"""What a page shows of a file of the checkout."""

BARE = re.compile(r"affray [^!$&*;<>?\\`|~]+")
"""A command in which nothing but its quotes is for the shell."""

LINK = re.compile(r"\[[^\[\]]*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def blocks(page: Path, language: str) -> list[str]:
    """Return the code blocks of a page in one language."""
    return [code for name, code in BLOCK.findall(page.read_text(encoding="utf-8")) if name == language]


def outcome(line: str, folder: Path) -> tuple[int, str, str]:
    """Return status, output and errors of a line: bare commands run in this process, others in a shell."""
    env = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    if BARE.fullmatch(line):
        result = CliRunner(env=env).invoke(affray, shlex.split(line)[1:], prog_name="affray")
        return result.exit_code, result.stdout, result.stderr
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def database(request: pytest.FixtureRequest, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the database `games` be there for a page that uses it."""
    if not any("postgresql:" in code for _, code in BLOCK.findall(page.read_text(encoding="utf-8"))):
        return
    running = request.getfixturevalue("postgres")
    monkeypatch.setenv("PGHOST", str(running.folder))
    monkeypatch.setenv("PGUSER", "gm")
    import psycopg

    with psycopg.connect(running.address(), autocommit=True) as owner:
        owner.execute("DROP DATABASE IF EXISTS games")
        owner.execute("CREATE DATABASE games")


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.name)
def test_every_command_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of a page, in their order and in one folder, all succeed and print what the page shows."""
    for tool in ("ssh-keygen", "curl"):
        if any(tool in code for code in blocks(page, "sh")) and shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    monkeypatch.chdir(tmp_path)
    for code, shown in SHELL.findall(page.read_text(encoding="utf-8")):
        printed = ""
        for line in code.strip().splitlines():
            if line.startswith("python3 -m venv"):
                continue  # the two commands of the README are run by .ci/run, word for word
            status, output, errors = outcome(line, tmp_path)
            assert status == 0, f"{line}\n{output}{errors}"
            printed += " ".join(output.split())
        for line in shown.strip().splitlines():
            assert " ".join(line.split()) in printed, f"{line}\n{printed}"


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.name)
def test_every_program_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    """The Python blocks of a page run as they stand."""
    shown = [code for _, code in EXCERPT.findall(page.read_text(encoding="utf-8"))]
    for code in blocks(page, "python"):
        if code in shown:
            continue  # an excerpt, compared with its file
        done = subprocess.run(
            [*PYTHON, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr


def test_the_program_of_the_readme_prints_the_same_each_time(tmp_path: Path) -> None:
    """Its dice follow from a seed that it names; .ci/run checks its types."""
    (code,) = blocks(ROOT / "README.md", "python")
    first, second = (
        subprocess.run([*PYTHON, "-c", code], cwd=tmp_path, capture_output=True, check=True) for _ in range(2)
    )
    assert first.stdout == second.stdout != b""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_excerpt_of_a_page_stands_in_its_file(page: Path) -> None:
    """What a page says is from a file is there, word for word."""
    for name, code in EXCERPT.findall(page.read_text(encoding="utf-8")):
        assert code in (ROOT / name).read_text(encoding="utf-8"), f"{page.name}: {name}"


def anchors(page: Path) -> set[str]:
    """Return the names by which a page's headings can be linked to."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: set[str] = set()
    for title in HEADING.findall(text):
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found.add(f"{name}-1" if name in found else name)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    """A link to a file of the checkout names one that is there, and a heading that it has."""
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if link.startswith(("https://", "http://")):
            continue
        name, _, anchor = link.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.exists(), link
        assert not anchor or anchor in anchors(there), link


def test_scenarios_of_the_pages_can_be_played(tmp_path: Path) -> None:
    """The scenario of the page about scenario files plays as it stands, and a table is one."""
    from affray.engine.book.rules import parse_table
    from affray.engine.table.scenario import parse_scenario, play, read_scenarios
    from affray.engine.testing import check
    from affray.events import MemoryStore

    for page in PLAYED:
        for code in blocks(page, "toml"):
            if "[[row]]" in code:
                assert parse_table(code, page.name).row
                continue
            if "\n[scenario." in code:
                (tmp_path / "many.toml").write_text(code, encoding="utf-8")
                for scenario in read_scenarios(tmp_path / "many.toml"):
                    check(scenario, MemoryStore())
                continue
            table = play(parse_scenario(code, page.name), MemoryStore())
            assert table.state.begun


def test_the_disputed_event_is_the_hit_that_the_readme_tells_of() -> None:
    """Event 52 of the packaged fight is the ogre's hit on the withdrawing sorcerer."""
    from affray.engine.table.scenario import packaged, play
    from affray.events import MemoryStore
    from affray.events.codec import decode

    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    (event,) = store.read("main", after=51, upto=52)
    fact = decode(event)
    assert (fact.attacker, fact.target, fact.total, fact.needed, fact.result) == (
        "ogre",
        "sorcerer",
        20,
        17,
        "hit",
    )
