"""Packages in folders: used in place of installed ones, as they are now, until the block ends."""

import json
import sys
import time
from pathlib import Path

import pytest

from affray.engine.book import BadPackage, Book, MissingPackage, dialects
from affray.engine.book.packages import folders_in_use, for_a_while, installed, packages_named, required
from affray.engine.dialects import load, packages_for
from affray.engine.table.scenario import packaged, play, set_up
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.stores.sqlite import SqliteStore
from affray.replay import verify
from tests.cli.conftest import Run
from tests.house.test_house_rules import offer
from tests.kit.little import FIGHT, MODULE, PROJECT, SHEETS, make
from tests.serve.served import server


def title() -> str:
    """Return the title of the dialect, as it would be played now."""
    return load("little", packages=packages_for("little")).title


def test_a_folder_is_used_until_the_block_ends(little: Path) -> None:
    """Its dialect is one of the dialects, is played and verified; afterwards nothing is left of it."""
    path, modules = [*sys.path], {*sys.modules}
    with for_a_while():
        assert packages_named(str(little)) == ("little",)
        assert folders_in_use() == (str(little),)
        assert "little" in dialects()
        store = MemoryStore()
        table = play(packaged("little.demo"), store)
        (package,) = table.state.packages
        assert (package.name, package.version) == ("little", "1.0")
        assert verify(store).ok
    assert "little" not in dialects()
    assert sys.path == path
    assert not {name for name in {*sys.modules} - modules if name.startswith("little")}
    with pytest.raises(MissingPackage, match=r"'little' 1\.0 .*not installed"):
        verify(store)


def test_a_relative_folder_is_that_of_the_beginning(
    little: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other processes use it too after this one has changed its folder: that of the win chances does."""
    monkeypatch.chdir(little.parent)
    away = tmp_path / "away"
    (away / little.name).mkdir(parents=True)
    with for_a_while():
        packages_named(little.name)
        monkeypatch.chdir(away)
        assert folders_in_use() == (str(little),)
        log = tmp_path / "fight.db"
        with SqliteStore(log) as store:
            table = set_up(packaged("little.demo"), store)
            table.declare(acts.Begin())
            table.declare(acts.EndTurn(actor=table.state.active))
        with server(log) as served:
            served.ask(served.master, "POST", "/swing", {"runs": 1})
            until = time.monotonic() + 60
            while (chances := served.get(served.master, "/swing"))["working"] and time.monotonic() < until:
                time.sleep(0.1)
            assert not chances["fault"]
            assert chances["swing"]["runs"] == 1


def test_the_digest_is_that_of_the_installed_package(little: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fight that is opened from the folder goes on with the package installed, and the other way round."""
    with for_a_while():
        packages_named(str(little))
        here = installed("little")
    offer(little, "affray_little", "1.0", "little = little_rules")
    monkeypatch.syspath_prepend(little)
    try:
        assert installed("little") == here
        required([here])
    finally:
        sys.modules.pop("little_rules", None)


def test_a_folder_takes_the_place_of_the_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where that has been imported already; afterwards the installed one is back."""
    site = make(tmp_path / "site")
    offer(site, "affray_little", "1.0", "little = little_rules")
    monkeypatch.syspath_prepend(site)
    edited = make(tmp_path / "edited", module=MODULE.replace("Little rules", "Edited rules"))
    try:
        before = installed("little")
        assert title() == "Little rules"
        with for_a_while():
            packages_named(str(edited))
            assert title() == "Edited rules"
            assert installed("little").digest != before.digest
        assert title() == "Little rules"
        assert installed("little") == before
    finally:
        for name in [one for one in sys.modules if one.startswith("little_rules")]:
            del sys.modules[name]


def test_each_edit_counts(little: Path) -> None:
    """Code, catalogue and sheets are those of now, however short ago and however alike in size."""
    folder = little / "little_rules"
    first, *others = (folder / "rules.jsonl").read_text().splitlines()
    rule = json.loads(first)
    for number in range(3):
        edited = json.dumps({**rule, "title": f"Rule {number}"})
        (folder / "__init__.py").write_text(MODULE.replace("Little", f"Lit{number}le"))
        (folder / "rules.jsonl").write_text("\n".join((edited, *others)))
        (folder / "sheets.toml").write_text(SHEETS.replace("Guard", f"Guar{number}"))
        with for_a_while():
            packages_named(str(little))
            assert title() == f"Lit{number}le rules"
            assert Book.load("little")[rule["id"]].title == f"Rule {number}"
            table = play(packaged("little.demo"), MemoryStore())
            assert table.state.combatants["guard"].sheet.name == f"Guar{number}"
            assert not list(little.rglob("__pycache__"))


def test_wrong_folders_are_refused(tmp_path: Path) -> None:
    """Each in one line with the folder; none of them is used afterwards."""
    plain = tmp_path / "plain"
    plain.mkdir()
    bad = {
        "no dialect and no house rules": plain,
        "there is no module 'little_rule'": make(
            tmp_path / "a", project=PROJECT.replace('"little_rules"', '"little_rule"')
        ),
        "'srd35' is the name of a dialect that ships": make(
            tmp_path / "b", project=PROJECT.replace("little =", "srd35 =")
        ),
        "cannot be read": make(tmp_path / "c", project="["),
    }
    for words, folder in bad.items():
        with for_a_while(), pytest.raises(BadPackage, match=words) as fault:
            packages_named(str(folder))
        assert "\n" not in str(fault.value)
    taken = make(tmp_path / "d", project=PROJECT.replace('"little_rules"', '"json"'))
    (taken / "json.py").write_text("")
    with for_a_while(), pytest.raises(BadPackage, match="'json' cannot be loaded together with that of"):
        packages_named(str(taken))
    with for_a_while(), pytest.raises(BadPackage, match="no folder, no file and no installed package"):
        packages_named("litle")
    assert "little" not in dialects()


def test_a_wrong_option_gives_the_folder_back(little: Path, run: Run) -> None:
    """A command that fails while its options are read keeps no package."""
    failed = run("demo", "--package", little, "--dialect", "none")
    assert failed.exit_code == 2
    assert folders_in_use() == ()


def test_two_folders_with_one_module(tmp_path: Path) -> None:
    """A second package of the same name takes the place of the first; one of another name cannot."""
    one, two = make(tmp_path / "one"), make(tmp_path / "two", module=MODULE.replace("Little", "Second"))
    other = make(tmp_path / "other", project=PROJECT.replace("little =", "other ="))
    with for_a_while():
        packages_named(str(one))
        packages_named(str(two))
        assert title() == "Second rules"
        with pytest.raises(BadPackage, match="cannot be loaded together"):
            packages_named(str(other))
        assert title() == "Second rules"


def test_a_broken_dialect_is_one_line(tmp_path: Path) -> None:
    """A module that cannot be imported, or that offers no dialect; a catalogue that cannot be read."""
    for number, (words, texts) in enumerate(
        {
            "cannot be loaded: ZeroDivisionError": {"module": "1 / 0"},
            "offers no dialect: its module needs TITLE": {"module": "TITLE = 'Little'"},
        }.items()
    ):
        with for_a_while():
            packages_named(str(make(tmp_path / str(number), **texts)))
            with pytest.raises(BadPackage, match=words):
                load("little", packages=packages_for("little"))
    folder = make(tmp_path / "catalogue")
    (folder / "little_rules" / "rules.jsonl").write_text("{")
    with for_a_while():
        packages_named(str(folder))
        with pytest.raises(BadPackage, match="catalogue cannot be read"):
            Book.load("little")
    folder = make(tmp_path / "words")
    (folder / "little_rules" / "words.toml").write_text('attack = "{totl} against {against}"')
    with for_a_while():
        packages_named(str(folder))
        with pytest.raises(BadPackage, match="the sentence of 'attack' has no field 'totl'; there are total"):
            load("little", packages=packages_for("little"))


def test_the_opening_names_the_package(little: Path) -> None:
    """The first event has the digest of the package's files; scenarios beside it are not among them."""
    with for_a_while():
        packages_named(str(little))
        store = MemoryStore()
        play(packaged("little.demo"), store)
        opened = decode(next(iter(store.read("main"))))
        assert opened.packages == (installed("little"),)
    (little / "scenarios" / "attacks" / "more.toml").write_text('dialect = "little"\nscenario = []\n')
    with for_a_while():
        packages_named(str(little))
        required(opened.packages)
    (little / "little_rules" / "fights" / "demo.toml").write_text(f"{FIGHT}\n")
    with for_a_while():
        packages_named(str(little))
        with pytest.raises(MissingPackage, match="digest"):
            required(opened.packages)


def test_a_dialect_is_loaded_again_after_an_edit(little: Path) -> None:
    """Without naming the package too, as listing its vocabulary does."""
    with for_a_while():
        packages_named(str(little))
        assert load("little").title == "Little rules"
    module = little / "little_rules" / "__init__.py"
    module.write_text(module.read_text("utf-8").replace("Little rules", "Edited rules"), "utf-8")
    with for_a_while():
        packages_named(str(little))
        assert load("little").title == "Edited rules"
