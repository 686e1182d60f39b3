"""Edits of a package: which of its recorded fights they change, decided with the package in a folder."""

import json
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from affray.replay import Change, errata
from tests.cli.conftest import Run
from tests.house.test_house_rules import offer
from tests.kit.little import MODULE, SHEETS, make, staged

pytestmark = pytest.mark.slow

LUCKY = '''
def lucky(fight, blow):
    """Return +2 on each attack of the guard (little.charge.attack)."""
    if blow.attacker.id != "guard":
        return []
    return [fight.modifier("charge.attack", "attack", kind="luck", source="luck")]
'''


def edit_figure(folder: Path, rule: str, **figures: int) -> None:
    """Change figures of a rule in the catalogue of a package."""
    file = folder / "little_rules" / "rules.jsonl"
    rows = [json.loads(row) for row in file.read_text("utf-8").splitlines()]
    (found,) = (row for row in rows if row["id"] == rule)
    found["figures"].update(figures)
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")


@pytest.fixture
def logs(little: Path, tmp_path: Path, run: Run) -> Path:
    """Three fights of the package and one of srd35, in a folder."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(3):
        more = ("--package", little, "--seed", f"fight {number}", "--db", folder / f"{number}.db")
        assert run("demo", "--dialect", "little", *more).exit_code == 0
    assert run("demo", "--dialect", "srd35", "--db", folder / "srd35.db").exit_code == 0
    return folder


def states(folder: Path, package: Path, **more: int) -> list[str]:
    """Return what becomes of each log, by the name of its file."""
    return [one.state for one in errata([folder], Change(packages=(str(package),)), **more).logs]


def test_without_an_edit_nothing_changes(little: Path, logs: Path, run: Run) -> None:
    """The fights come out as recorded; those of other dialects are not concerned."""
    assert states(logs, little) == ["same"] * 3 + ["other rulebook"]
    assert run("replay", logs, "--package", little, "--expect", "none").exit_code == 0


def test_an_edited_figure(little: Path, logs: Path, run: Run) -> None:
    """The fights that it changes are listed with the first difference and its rule; no log is touched."""
    before = {file: file.read_bytes() for file in logs.glob("*.db")}
    edit_figure(little, "little.ac.formula", base=4)
    refused = run("verify", logs / "0.db")
    assert refused.exit_code == 2
    found = errata([logs], Change(packages=(str(little),)))
    assert [one.state for one in found.logs][3] == "other rulebook"
    assert found.changed
    assert found.groups[0].rule == "little.ac.formula"
    place = found.changed[0].parting
    assert place is not None
    assert "little.ac.formula" in place.rules
    assert place.before != place.after
    told = run("replay", logs, "--package", little, "--expect", "none")
    assert told.exit_code == 1
    assert "little.ac.formula" in told.stdout
    assert {file: file.read_bytes() for file in logs.glob("*.db")} == before


def test_an_edited_stage(little: Path, logs: Path) -> None:
    """Code counts as the catalogue does, and workers find the same as one process."""
    put = 'Put("attacks.attack_situation", "gather", lucky)'
    (little / "little_rules" / "__init__.py").write_text(staged(put, LUCKY))
    found = errata([logs], Change(packages=(str(little),)))
    assert {one.state for one in found.logs[:3]} == {"changed"}
    assert found.groups[0].rule == "little.charge.attack"
    shared = errata([logs], Change(packages=(str(little),)), jobs=2)
    assert shared.logs == found.logs


def test_an_edit_that_changes_no_decision(little: Path, logs: Path) -> None:
    """Whatever the digest: a comment, a sheet and a version change nothing that was decided."""
    (little / "little_rules" / "__init__.py").write_text(f"{MODULE}# no difference\n")
    (little / "little_rules" / "sheets.toml").write_text(SHEETS.replace("hp = 12", "hp = 40"))
    project = little / "pyproject.toml"
    project.write_text(project.read_text().replace('"1.0"', '"1.1"'))
    assert states(logs, little) == ["same"] * 3 + ["other rulebook"]


def test_an_edit_that_breaks(little: Path, logs: Path, run: Run) -> None:
    """A stage that raises, and a package that cannot be loaded: each log with the reason, status 2."""
    put, stage = (
        'Put("attacks.attack_situation", "gather", bad)',
        "def bad(fight, blow):\n    return [1 / 0]\n",
    )
    (little / "little_rules" / "__init__.py").write_text(staged(put, stage))
    found = errata([logs], Change(packages=(str(little),)))
    assert [one.state for one in found.logs] == ["fails"] * 3 + ["other rulebook"]
    assert "ZeroDivisionError" in found.logs[0].why
    assert run("replay", logs, "--package", little, "--expect", "none").exit_code == 2
    (little / "little_rules" / "__init__.py").write_text("1 / 0")
    told = run("replay", logs, "--package", little)
    assert "the package 'little' cannot be loaded: ZeroDivisionError" in told.output


def test_the_folder_is_used_not_the_installed_package(
    little: Path, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """The installed one is as recorded; the folder is not. Afterwards the installed one decides again."""
    site = make(tmp_path / "site")
    offer(site, "affray_little", "1.0", "little = little_rules")
    monkeypatch.syspath_prepend(site)
    edit_figure(little, "little.ac.formula", base=4)
    try:
        assert run("verify", logs / "0.db").exit_code == 0
        assert "changed" in states(logs, little)
        assert run("verify", logs / "0.db").exit_code == 0
        assert errata([logs]).count("same") == 4
        # An installed package is named as it is now.
        edit_figure(site, "little.ac.formula", base=4)
        moved = tmp_path / "moved"
        shutil.copytree(site, moved)
        monkeypatch.syspath_prepend(moved)
        assert "changed" in [one.state for one in errata([logs], Change(packages=("little",))).logs]
    finally:
        for name in [one for one in sys.modules if one.startswith("little_rules")]:
            del sys.modules[name]


def test_a_damaged_log_is_still_damaged(little: Path, logs: Path) -> None:
    """The record is the measure of an edit: its chain is checked as ever."""
    with closing(sqlite3.connect(logs / "0.db")) as db, db:
        triggers = db.execute("select name, sql from sqlite_master where type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"drop trigger {name}")
        changed = db.execute("update events set data = replace(data, 'Guard', 'Gnoll') where seq = 2")
        assert changed.rowcount == 1
        for _, sql in triggers:
            db.execute(sql)
    edit_figure(little, "little.ac.formula", base=4)
    found = errata([logs], Change(packages=(str(little),)))
    assert found.logs[0].state == "cannot be read"
    assert "digest" in found.logs[0].why


def test_edited_house_rules(tmp_path: Path, run: Run) -> None:
    """House rules that a fight was opened with are used as they are in the folder, not added twice."""
    example = Path(__file__).parents[2] / "docs" / "examples" / "house-rules"
    folder = tmp_path / "house"
    shutil.copytree(example, folder, ignore=shutil.ignore_patterns("__pycache__"))
    log = tmp_path / "logs" / "fight.db"
    log.parent.mkdir()
    fight = folder / "fight.toml"
    assert run("play", fight, "--package", folder, "--db", log).exit_code == 0
    change = Change(packages=(str(folder),))
    assert [one.state for one in errata([log.parent], change).logs] == ["same"]
    rules = folder / "no_quarter.py"
    rules.write_text(
        rules.read_text().replace('"srd35.charge.attack/attack": 3', '"srd35.charge.attack/attack": 9')
    )
    found = errata([log.parent], change)
    assert [one.state for one in found.logs] == ["changed"]
    assert found.groups[0].rule == "srd35.charge.attack"
