"""Where the product opens files and starts processes: in few modules, each for a reason."""

import ast
import re
from pathlib import Path

from tests.house.test_imports import ROOT, modules

OPENS = {"open", "read_bytes", "read_text", "write_bytes", "write_text"}
FILES = "affray.events.files"
"""What opens files that no command line names, and replaces files."""

NAMED = {
    "on the command line, or to a function of the library": (
        "affray.replay.cli.",
        "affray.replay.chain_file",
        "affray.replay.log_files",
    ),
    "by the program, below the folder of an installed package": (
        "affray.engine.book.",
        "affray.engine.statblock.weapons",
        "affray.engine.table.scenario_parts",
        "affray.engine.table.scenario",
        "affray.events.stores.postgres_connection",
        "affray.replay.rulebook.",
        "affray.replay.serve.",
        "affray.replay.viewer.pages",
    ),
    "by the program, in a folder that it has just made": (
        "affray.replay.rows.dataset",
        "affray.replay.rows.samples",
        "affray.replay.verification.witness",
    ),
    "by the system: the user's own folder of settings": ("affray.replay.cli.terminal.prompt_terminal",),
    "by nobody: a folder is opened, to be flushed or locked": (
        "affray.events.secrets",
        "affray.replay.log_files",
    ),
}
"""Who names the files that other modules open; a dot at the end stands for all modules of a package."""

STARTS = re.compile(r'sys\.executable,\s*"-[cm]"')
"""How a Python is started that has the current folder first on its path."""


def opened(file: Path) -> set[str]:
    """Return by what calls a module opens files: of `open`, and of methods of paths."""
    return {
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and (ast.unparse(node.func) == "open" or getattr(node.func, "attr", "") in OPENS)
    }


def test_files_are_opened_in_few_modules() -> None:
    """Whoever opens a file elsewhere uses `events/files.py`, or says here who has named the file."""
    found = {name for name, file in modules().items() if opened(file)} - {FILES}
    named = tuple(one for several in NAMED.values() for one in several)
    assert [name for name in sorted(found) if not name.startswith(named)] == []
    assert [one for one in named if not any(name.startswith(one) for name in found)] == []


def test_no_process_imports_from_the_current_folder() -> None:
    """Python is started with -P, by the product, the tests and the pages (see `replay/workers.py`)."""
    code = {file for file in modules().values() if "sys.executable" in file.read_text(encoding="utf-8")}
    assert code == {ROOT / "replay" / "workers.py"}
    others = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").rglob("*.py"), *(ROOT / "docs").rglob("*.md")]
    found = {file.name for file in others if STARTS.search(file.read_text(encoding="utf-8"))}
    assert found == {"test_foreign_modules.py"}  # which shows what happens without


def test_code_is_unpacked_in_one_module() -> None:
    """What can run code as it is read (pickle and the like) is read from our own workers alone."""
    running = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
    found = {
        name
        for name, file in modules().items()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        and running & {*(one.name for one in node.names), getattr(node, "module", None)}
    }
    assert found == {"affray.replay.workers"}
