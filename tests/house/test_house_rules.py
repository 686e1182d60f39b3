"""Packages with house rules or a dialect: installed, played, verified, and missed by name."""

import importlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import Result

from affray.engine.book import BadPackage, Book, MissingPackage, dialects
from affray.engine.dialects import load, packages_for
from affray.engine.dice import Scripted
from affray.engine.fight.memory import Mode, StaleAnswer
from affray.engine.table.scenario import fixed_seed, play, read_scenario
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.stores.sqlite import SqliteStore
from affray.replay.rulebook.points import points
from affray.replay.verification.verify import verify
from affray.replay.workers import PYTHON
from tests.cli.conftest import Run, run

pytestmark = pytest.mark.slow

__all__ = ["run"]

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "house-rules"
FIGHT = EXAMPLE / "fight.toml"


def install(source: Path, into: Path, work: Path) -> None:
    """Install a package by pip into a folder, from a copy, so that the source stays clean."""
    copy = work / "source"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    command = [*PYTHON, "-m", "pip", "install", "-q", "--no-deps", "--target", str(into), str(copy)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)


def offer(folder: Path, name: str, version: str, points: str, **modules: str) -> None:
    """Write what an installation leaves behind: modules, and a dist-info with entry points."""
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[affray.dialects]\n{points}\n")
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the example is installed."""
    into = tmp_path_factory.mktemp("site")
    install(EXAMPLE, into, tmp_path_factory.mktemp("work"))
    return into


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The example installed: found by this process as long as the test runs."""
    monkeypatch.syspath_prepend(site)
    yield site
    sys.modules.pop("no_quarter", None)


def played() -> MemoryStore:
    """Return the log of the example's fight."""
    scenario, store = read_scenario(FIGHT), MemoryStore()
    play(scenario, store, seed=fixed_seed(scenario))
    return store


def test_a_fight_under_house_rules(installed: Path) -> None:
    """Stage and figure count, are cited, and the log verifies; the first event tells of the package."""
    store = played()
    first = next(iter(store.read("main")))
    assert (first.type, first.version) == ("encounter.opened", 3)
    (package,) = decode(first).packages
    assert (package.name, package.version) == ("no-quarter", "1.0")
    assert len(package.digest) == 64
    blow = next(decode(event) for event in store.read("main") if event.type == "attack.resolved")
    parts = {part.rule: part.value for part in blow.attack}
    assert parts["srd35.charge.attack"] == 3
    assert parts["no-quarter.shaken"] == 1
    report = verify(store)
    assert report.ok
    assert Table(store).state.packages == (package,)


BLOODED = """
from affray.engine.book import Rule
from affray.engine.record.compose import when
from affray.engine.record.house_rules import HouseRules, Put

def against_the_wounded(fight, blow):
    if blow.target.hp * 2 > blow.target.max_hp:
        return []
    return [fight.modifier("blooded.wounded", "attack", kind="morale", source="blood in the water")]

HOUSE = HouseRules(
    dialect="srd35",
    stages=(Put("attacks.attack_situation", "gather", against_the_wounded),),
    rules=(
        Rule(
            id="blooded.wounded",
            title="Blooded",
            section="House rules",
            kind="modifier",
            text="An attack on an opponent with half of its hit points or fewer has a +2 morale bonus.",
            tier="core",
            provenance="house",
            figures={"attack": 2},
        ),
    ),
)
"""


def test_a_stage_may_read_what_no_key_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house rule that reads hit points is right between two blows of a kind, and its log verifies.

    Checked mode, asked for by name, says which cached function such a rule makes stale.
    """
    offer(tmp_path, "blooded", "1.0", "blooded = blooded:HOUSE", blooded=BLOODED)
    monkeypatch.syspath_prepend(tmp_path)

    def total_of_second_blow(memory: Mode) -> int:
        store = MemoryStore()
        table = Table.create(
            store, dialect="srd35", terrain=("...",), seed=b"1" * 32, house_rules=["blooded"], memory=memory
        )
        sword = Weapon("longsword", "1d8")
        guard = Sheet("Guard", hp=20, base_attack=6, weapons=(sword,))
        for act in (
            acts.Enter(id="guard", side="a", sheet=guard, at=(0, 0), initiative=9, held=("longsword",)),
            acts.Enter(id="orc", side="b", sheet=Sheet("Orc", hp=8), at=(1, 0), initiative=1, acted=True),
            acts.Begin(),
        ):
            assert table.declare(act).refused is None
        table.use(Scripted([15, 4, 15, 4]))
        strikes = (acts.Strike("orc", "longsword"), acts.Strike("orc", "longsword"))
        assert table.declare(acts.FullAttack(actor="guard", strikes=strikes)).refused is None
        assert verify(store).ok
        return [decode(one).total for one in store.read("main") if one.type == "attack.resolved"][1]

    try:
        assert {total_of_second_blow(memory) for memory in ("cached", "uncached", "reopened")} == {15 + 1 + 2}
        with pytest.raises(StaleAnswer, match="attack_roll"):
            total_of_second_blow("checked")
    finally:
        sys.modules.pop("blooded", None)


def test_without_house_rules_nothing_changes(installed: Path) -> None:
    """A fight that names no package keeps to the dialect, and its first event says nothing of packages."""
    scenario, store = read_scenario(FIGHT), MemoryStore()
    play(msgspec.structs.replace(scenario, house_rules=()), store, seed=fixed_seed(scenario))
    first = next(iter(store.read("main")))
    assert b"packages" not in first.data
    assert Book.load("srd35").figure("srd35.charge.attack", "attack") == 2
    assert load("srd35").book.topic_figure("charge.attack", "attack") == 2


def test_a_missing_package_is_asked_for_by_name(
    installed: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the package nobody can tell: status 2 and one line with its name. The log can still be read."""
    db = tmp_path / "fight.db"
    assert run("play", FIGHT, "--db", db).exit_code == 0
    assert run("verify", db).exit_code == 0
    told = run("why", db, charge_of(db)).stdout
    assert "No quarter  [house]" in told
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one != str(installed)])
    for result in (
        run("verify", db),
        run("add", db, "--id", "x", "--side", "y", "--at", "9,1", "--use", "ogre"),
        run("play", FIGHT, "--db", tmp_path / "other.db"),
        run("new", tmp_path / "new.db", "--dialect", "srd35", "--house-rules", "no-quarter"),
    ):
        refused(result, "'no-quarter'")
    assert "1.0" in run("verify", db).stderr
    for command in ("show", "log", "why"):
        assert run(command, db, *([charge_of(db)] if command == "why" else [])).exit_code == 0


def charge_of(db: Path) -> int:
    """Return the position of the first attack of a log."""
    with SqliteStore(db, readonly=True) as store:
        return next(event.seq for event in store.read("main") if event.type == "attack.resolved")


def refused(result: Result, word: str) -> None:
    """Hold that a command could not tell, in one line with this word."""
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1
    assert word in result.stderr


def test_another_version_or_content_is_told(installed: Path, tmp_path: Path) -> None:
    """A package that is not as it was recorded is no better than none."""
    store = played()
    # Whoever has not played yet in this process has imported the module just now, from where it lay then.
    sys.modules.pop("no_quarter", None)
    changed = tmp_path / "changed"
    shutil.copytree(installed, changed)
    module = changed / "no_quarter.py"
    module.write_text(module.read_text() + "\n")
    sys.path.insert(0, str(changed))
    try:
        sys.path.remove(str(installed))
        importlib.invalidate_caches()
        with pytest.raises(MissingPackage, match=r"'no-quarter' 1.0, digest \w{12}; the files installed"):
            verify(store)
        (info,) = changed.glob("*.dist-info")
        meta = info / "METADATA"
        meta.write_text(meta.read_text().replace("Version: 1.0", "Version: 1.1"))
        info.rename(changed / "affray_no_quarter-1.1.dist-info")
        again = tmp_path / "again"
        changed.rename(again)
        sys.path[0] = str(again)
        importlib.invalidate_caches()
        with pytest.raises(MissingPackage, match=r"'no-quarter' 1.0; installed is 1.1"):
            Table(store)
    finally:
        sys.path[:] = [one for one in sys.path if not one.startswith(str(tmp_path))]


def test_the_stage_is_told_at_its_point(installed: Path, run: Run) -> None:
    """What house rules put in stands among the points, and their rules in the catalogue."""
    rules = load("srd35", packages=packages_for("srd35", ["no-quarter"]))
    (told,) = points(rules, "attacks.attack_situation")
    assert told.kind == "refine"
    gathered = told.stages[0]
    assert gathered.function == "gather"
    assert gathered.made_of[-1].function == "no_quarter:against_the_shaken"
    assert gathered.made_of[-1].when == ("target.conditions",)
    assert [one.rule for one in gathered.made_of[-1].cites] == ["no-quarter.shaken"]
    listed = run("rules", "srd35", "--points", "attack_situation", "--house-rules", "no-quarter", "--json")
    assert json.loads(listed.stdout)["points"][0]["stages"][0]["function"] == "gather"
    shown = run("rules", "srd35", "--id", "no-quarter.shaken", "--house-rules", "no-quarter").stdout
    assert "added by a package of house rules" in shown


STURDY = """
from affray.engine.record.compose import about, named, when
from affray.engine.record.house_rules import HouseRules, Put
from affray.engine.steps import Refusal
from affray.events.facts import acts

def no_runners(fight, actor, act):
    '''Forbid whoever is shaken to run (srd35.run.basic).'''
    raise Refusal("the shaken do not run", fight.rule("srd35.action.full-round"))

def iron_nerves(fight, combatant, name, detail):
    '''Yield +1 on saves (srd35.feat.saves).'''
    yield fight.modifier("srd35.feat.saves", "save", kind="untyped", source="Iron Nerves")

HOUSE = HouseRules(dialect="srd35", stages=(
    Put("turns.prohibitions", "prohibit", about((acts.Run,), when("'shaken' in conditions", no_runners))),
    Put("classes.save_features", "listed", named("iron nerves", iron_nerves)),
))
"""


def test_house_rules_forbid_and_add_feats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A prohibition and a feature are stages like any other; what sheets name is read from then on."""
    offer(tmp_path, "sturdy", "1.0", "sturdy = sturdy:HOUSE", sturdy=STURDY)
    monkeypatch.syspath_prepend(tmp_path)
    store = MemoryStore()
    table = Table.create(
        store, dialect="srd35", terrain=("......",) * 3, seed=b"1" * 32, house_rules=["sturdy"]
    )
    sheet = Sheet(name="Guard", hp=8, feats=("iron nerves",))
    entered = table.declare(
        acts.Enter(id="guard", side="a", sheet=sheet, at=(0, 0), initiative=2, conditions=("shaken",))
    )
    assert entered.remarks == ()
    table.declare(acts.Enter(id="orc", side="b", sheet=Sheet(name="Orc", hp=8), at=(5, 2), initiative=1))
    table.declare(acts.Begin())
    refused = table.declare(acts.Run(actor="guard", path=((1, 0), (2, 0)))).refused
    assert refused is not None
    assert refused.reason == "the shaken do not run"
    guard = table.state.combatants["guard"]
    parts = table.fight.dialect.classes.save_bonus(table.fight, guard, "will")
    assert "Iron Nerves" in {one.source for one in parts}
    assert verify(store).ok
    sys.modules.pop("sturdy", None)


def test_wrong_packages_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """House rules for another dialect, at no point, of no such kind, or that cannot be imported."""
    head = "from affray.engine.record.house_rules import HouseRules, Put\n"
    offer(
        tmp_path,
        "wrong",
        "0.1",
        "other = wrong_other:HOUSE\nnowhere = wrong_nowhere:HOUSE\nkind = wrong_kind:HOUSE\n"
        "broken = wrong_broken:HOUSE\nnothing = wrong_nothing:HOUSE\nknown = wrong_known:HOUSE\n"
        "unasked = wrong_unasked:HOUSE",
        wrong_other=head + "HOUSE = HouseRules(dialect='pf1')",
        wrong_nowhere=head
        + "HOUSE = HouseRules(dialect='srd35', stages=(Put('attacks.no', 'gather', list),))",
        wrong_kind=head + "HOUSE = HouseRules(dialect='srd35', stages=(Put('attacks.stack', 'add', list),))",
        wrong_unasked="from affray.engine.record.compose import when\n"
        + head
        + "HOUSE = HouseRules(dialect='srd35', stages=("
        "Put('classes.save_features', 'listed', when('melee', list)),))",
        wrong_broken="1 / 0",
        wrong_nothing="HOUSE = 3",
        wrong_known=head + "from affray.engine.book import Book\n"
        "HOUSE = HouseRules(dialect='srd35', rules=(Book.load('srd35')['srd35.charge.attack'],))",
    )
    monkeypatch.syspath_prepend(tmp_path)
    for name, words in {
        "other": "are for pf1, not for srd35",
        "nowhere": "no point 'attacks.no'",
        "kind": "no stage goes to 'attacks.stack' as 'add'",
        "unasked": "'classes.save_features' takes no such stage: a feature is found by its name alone",
        "broken": "cannot be loaded: ZeroDivisionError",
        "nothing": "offers no house rules, but a int",
        "known": "cannot add the rule 'srd35.charge.attack'",
    }.items():
        with pytest.raises(BadPackage, match=words):
            load("srd35", packages=packages_for("srd35", [name]))


def test_two_packages_of_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that two packages offer means neither."""
    for number in ("one", "two"):
        offer(tmp_path, number, "1", f"twin = twin_{number}:HOUSE", **{f"twin_{number}": "HOUSE = 1"})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadPackage, match="two packages offer 'twin': one 1 and two 1"):
        packages_for("srd35", ["twin"])


def test_a_dialect_from_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """A package's folder stands for one under engine/dialects: its catalogue, topics and contents."""
    folder = tmp_path / "site" / "little_rules"
    there = ROOT / "engine" / "dialects" / "pf1"
    folder.mkdir(parents=True)
    for file in ("rules.jsonl", "contested.toml", "topics.toml"):
        text = (there / file).read_text(encoding="utf-8")
        (folder / file).write_text(text.replace('"pf1.', '"little.'), encoding="utf-8")
    (folder / "__init__.py").write_text(
        "from affray.engine.dialects.pf1 import CHAPTERS\nTITLE = 'Little rules'\n"
        "__all__ = ['CHAPTERS', 'TITLE']\n"
    )
    offer(tmp_path / "site", "little", "2.0", "little = little_rules")
    monkeypatch.syspath_prepend(tmp_path / "site")
    try:
        assert "little" in dialects()
        store = MemoryStore()
        scenario = read_scenario(FIGHT)
        sheet = {"name": "Guard", "hp": 8}
        cast = tuple(msgspec.structs.replace(one, use="", sheet=sheet) for one in scenario.combatants)
        little = msgspec.structs.replace(
            scenario, dialect="little", house_rules=(), combatants=cast, script=(), auto=1
        )
        table = play(little, store, seed=b"1" * 32)
        assert [one.name for one in table.state.packages] == ["little"]
        assert verify(store).ok
        assert run("rules", "little", "--points", "turns").exit_code == 0
        assert run("rules", "--id", "little.bonus.stacking").exit_code == 0
        monkeypatch.setattr(sys, "path", [one for one in sys.path if one != str(tmp_path / "site")])
        assert "little" not in dialects()
        with pytest.raises(MissingPackage, match=r"'little' 2\.0"):
            verify(store)
    finally:
        sys.modules.pop("little_rules", None)
