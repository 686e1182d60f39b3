"""Logs decided again with a change of the rules: what differs is the change's own, and nothing is lost."""

import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.book import Book, UnknownFigure
from affray.engine.book.rules import nudged, walk
from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.table.policies import by_combatant
from affray.engine.table.scenario import packaged, read_scenario, set_up
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts import acts
from affray.events.facts.flow import Declared
from affray.events.stores.memory import MemoryStore
from affray.projections.audit import cited
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.replay.log.declarations import find_known_seed, groups, scripts
from affray.replay.redecide.redecide import BranchWriter, Reach
from affray.replay.redecide.rule_change import BadChange, Change
from affray.replay.rule_changes.report import Errata, LogEffects
from affray.replay.rule_changes.survey import decide, errata
from affray.replay.whatif.what_if import what_if
from tests.cli.conftest import Run, begun, copied, run
from tests.errata import record
from tests.house.fights import DIALECTS

__all__ = ["run"]

FIGURE = {"srd35.ac.formula.base": 9}
HOUSE = str(Path(__file__).parents[2] / "docs" / "examples" / "house-rules")


def opened(name: str) -> MemoryStore:
    """Return one of the recorded logs."""
    store = MemoryStore()
    with (record.LOGS / f"{name}.jsonl").open("rb") as lines:
        import_jsonl(lines, store)
    return store


def end(state: Encounter) -> dict[str, tuple[Any, ...]]:
    """Return how everybody stands."""
    return {one.id: (one.hp, one.at, sorted(one.conditions)) for one in state.combatants.values()}


def asked(name: str, **change: Any) -> LogEffects:
    """Return what a change makes of one of the recorded logs."""
    return decide((record.LOGS / f"{name}.jsonl", "", Change(**change)))


def test_the_recorded_logs_come_out_as_they_are() -> None:
    """Whatever a change of the code alters in the outcome of a fight that ships is seen here.

    If each difference that `affray replay tests/errata/logs` names is meant: python -m tests.errata.record
    """
    found = errata([record.LOGS])
    assert [(one.log, one.why) for one in found.logs if one.state != "same"] == []
    assert {one.dialect for one in found.logs} == set(DIALECTS)
    assert not found.changed
    assert not found.groups


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("demo_srd35", {"srd35.ac.formula/base": 9}),
        ("demo_srd35", {"srd35.ac.formula/base": 12}),
        ("demo_pf1", {"pf1.ac.formula/base": 11}),
        ("toll", {"woa.ac.formula/base": 11}),
    ],
)
def test_a_changed_figure_comes_to_what_playing_with_it_does(name: str, change: dict[str, Any]) -> None:
    """The same declarations, made one by one at a table that has the figure, lead to the same end."""
    found = asked(name, figures=change)
    assert found.state == "changed"
    store = opened(name)
    facts = [decode(event) for event in store.read("main")]
    declared = [fact.act for fact in facts if type(fact) is Declared]
    into = MemoryStore()
    table = set_up(packaged(name), into, seed=b"errata", changes=change, salted=False)
    for act in declared[len(packaged(name).combatants) :]:
        assert table.declare(act).refused is None
    recorded = fold(store.read("main"))
    others = {
        one.sheet.name.partition(",")[0]
        for one in table.state.combatants.values()
        if end(table.state)[one.id] != end(recorded)[one.id]
    }
    assert set(found.others) == others
    dead = [{id for id, one in end(state).items() if "dead" in one[2]} for state in (recorded, table.state)]
    assert {who.id for who in found.lives} == dead[0] - dead[1]
    assert {who.id for who in found.dies} == dead[1] - dead[0]


def test_a_reading_comes_to_what_a_what_if_does() -> None:
    """From where the line parts, the same as on the branch that a what-if makes from the opening."""
    reading = {"soft_cover_blocks_aoo": "off"}
    changed = 0
    for number in range(8):
        store = record.fight("demo_srd35", f"reading {number}")
        made = what_if(store, reading=reading)
        log = exported(store)
        found = decide((log, "", Change(readings=reading)))
        ends = end(fold(store.read("main"))), end(fold(store.read(made.name)))
        assert found.state in ("same", "changed")
        assert len(found.others) == sum(ends[0][id] != ends[1][id] for id in ends[0])
        changed += found.state == "changed"
    assert changed


def facing(apart: int) -> tuple[MemoryStore, Table]:
    """Return a fight that has begun, fighter and ogre so many squares apart, and its table."""
    store = MemoryStore()
    table = Table.create(store, dialect="srd35", terrain=("..........",) * 3, name="charge", seed=b"c")
    people = set_up(packaged("demo_srd35"), MemoryStore()).state.combatants
    table.declare(acts.Enter(id="f", side="a", sheet=people["fighter"].sheet, at=(0, 0), initiative=20))
    table.declare(acts.Enter(id="o", side="b", sheet=people["ogre"].sheet, at=(apart, 0), initiative=1))
    table.declare(acts.Begin())
    return store, table


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the logs of a test."""
    monkeypatch.setattr(Made, "folder", tmp_path)
    return tmp_path


class Made:
    """Where the logs of a test are written."""

    folder = Path()


def exported(store: MemoryStore, name: str = "log") -> Path:
    """Write a log into the folder of the test, and return its file."""
    place = Made.folder / f"{name}.jsonl"
    with place.open("wb") as file:
        export_jsonl(store, file)
    return place


def test_the_rule_of_the_figure_is_what_the_group_is_called_by(folder: Path) -> None:
    """A charge with another bonus parts at the attack, by the rule of charges, and says both sums."""
    store, table = facing(6)
    outcome = table.declare(acts.Charge(actor="f", target="o", path=tuple((x, 0) for x in range(1, 6))))
    assert outcome.refused is None
    exported(store)
    found = errata([folder], Change(figures={"srd35.charge.attack.attack": "3"}))
    (group,) = found.groups
    assert (group.rule, group.logs) == ("srd35.charge.attack", 1)
    (one,) = found.changed
    assert one.parting is not None
    assert one.parting.before != one.parting.after
    assert one.parting.rules[0] == "srd35.charge.attack"


def test_a_log_parts_at_the_event_that_differs(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not where its declaration began, which may be turns before; also in the folder that one is in."""
    shutil.copy(record.LOGS / "demo_srd35.jsonl", folder / "good.jsonl")
    (one,) = errata([folder], Change(figures={"srd35.injury.stabilize.chance_pct": "50"})).changed
    assert one.parting is not None
    store = MemoryStore()
    with (folder / "good.jsonl").open("rb") as file:
        import_jsonl(file, store)
    (event,) = store.read("main", one.parting.seq - 1, one.parting.seq)
    assert (event.type, event.round, event.turn) == ("check.resolved", one.parting.round, one.parting.turn)
    monkeypatch.chdir(folder)
    told = run("replay", ".", "--figure", "srd35.injury.stabilize.chance_pct=50")
    assert f"good.jsonl {one.parting}" in told.stdout, told.output


def test_nothing_is_lost(folder: Path) -> None:
    """What cannot be read, is redacted, is not as recorded or is no log: each is told, none counted."""
    shutil.copy(record.LOGS / "demo_srd35.jsonl", folder / "good.jsonl")
    inner = folder / "inner"
    inner.mkdir()
    shutil.copy(record.LOGS / "demo_pf1.jsonl", inner / "other.jsonl")
    (folder / "junk.db").write_bytes(b"no database at all")
    (folder / "notes.txt").write_text("no log")
    lines = (record.LOGS / "demo_srd35.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "cut.jsonl").write_bytes(b"".join(lines[:-1]))
    (folder / "redacted.jsonl").write_bytes(lines[0].replace(b"affray-log", b"affray-redacted") + lines[-1])
    other = MemoryStore()
    table = set_up(packaged("demo_srd35"), other, seed=b"x", changes={"srd35.ac.formula/base": 7})
    table.declare(packaged("demo_srd35").begin.act())
    play_on(table, 2)
    exported(other, "by-other-rules")
    found = errata([folder], Change(figures=FIGURE))
    states = {Path(one.log).name: one.state for one in found.logs}
    assert states == {
        "good.jsonl": "changed",
        "other.jsonl": "other rulebook",
        "junk.db": "cannot be read",
        "cut.jsonl": "cannot be read",
        "redacted.jsonl": "cannot be read",
        "by-other-rules.jsonl": "does not come out as recorded",
    }
    assert found.passed_over == 1
    assert all(one.why for one in found.get_unjudged_logs)
    assert "redacted" in next(one.why for one in found.logs if "redacted" in one.log)
    assert [group.logs for group in found.groups] == [1]


def test_the_same_however_many_processes() -> None:
    """One process or two: the same report."""
    change = Change(figures=FIGURE, readings={"soft_cover_blocks_aoo": "off"})
    steps: list[tuple[int, int]] = []
    one = errata([record.LOGS], change, progress=lambda done, of: steps.append((done, of)))
    assert errata([record.LOGS], change, jobs=2) == one
    assert steps[-1] == (len(one.logs), len(one.logs))


def test_another_rulebook(folder: Path) -> None:
    """Fights of that rulebook are not concerned; those that do not fit are told; the others part."""
    found = by_name(errata([record.LOGS], Change(dialect="pf1")))
    assert found["demo_pf1"].state == "other rulebook" or found["demo_pf1"].state == "same"
    assert found["demo_futurepath"].state == "fails"
    assert "ballistic" in found["demo_futurepath"].why
    changed = found["demo_srd35"]
    assert changed.state == "changed"
    assert changed.parting is not None
    assert changed.parting.rules[0].startswith("pf1.")


def by_name(found: Errata) -> dict[str, LogEffects]:
    """Return the logs by the names of their files."""
    return {Path(one.log).stem: one for one in found.logs}


def test_house_rules_from_a_folder_and_from_a_file(folder: Path) -> None:
    """Whether installed or not: the figure of the package counts, and its stage is cited where lines part."""
    scenario = read_scenario(Path(HOUSE) / "fight.toml")
    store = MemoryStore()
    table = set_up(replace(scenario, house_rules=()), store, seed=b"house")
    table.declare(scenario.begin.act())
    line = scenario.script[0]
    assert line.do is not None
    table.declare(line.do)
    exported(store)
    for place in (HOUSE, f"{HOUSE}/no_quarter.py"):
        (one,) = errata([folder], Change(packages=(place,))).logs
        assert one.state == "changed", one.why
        assert one.parting is not None
        assert {"no-quarter.shaken", "srd35.charge.attack"} <= set(one.parting.rules)
    with pytest.raises(AffrayError, match="no folder, no file and no installed package"):
        errata([folder], Change(packages=("no-such-rules",)))
    assert "no_quarter" not in sys.modules
    assert not any("house-rules" in place for place in sys.path)
    (folder / "empty").mkdir()
    with pytest.raises(AffrayError, match="no house rules are offered there"):
        errata([folder], Change(packages=(str(folder / "empty"),)))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"readings": {"soft_cover_blocks_ao": "off"}}, "did you mean soft_cover_blocks_aoo"),
        ({"readings": {"soft_cover_blocks_aoo": "perhaps"}}, "there are on, off|there are off, on"),
        ({"figures": {"srd35.ac.formla.base": 9}}, "did you mean srd35.ac.formula"),
        ({"figures": {"srd35.ac.formula.bse": 9}}, "no figure 'bse'; there is base"),
        ({"figures": {"srd35.ac.formula.base": "ten"}}, "'ten' cannot take its place"),
        ({"figures": {"srd35.ac.formula.base": 10}}, "is 10 already"),
        ({"figures": {"srd35.ac.formula": 10}}, "no single figure"),
        ({"dialect": "pf2"}, "no dialect 'pf2'"),
        ({"dialect": "pf1", "figures": FIGURE}, "a change by itself"),
    ],
)
def test_what_no_rulebook_knows_is_refused(change: dict[str, Any], told: str) -> None:
    """Before any log is read, with the nearest name there is."""
    with pytest.raises((BadChange, UnknownFigure), match=told):
        errata([record.LOGS], Change(**change))


def test_a_reading_that_was_changed_on_record_stays_what_the_change_says(folder: Path) -> None:
    """What the game master lets hold later does not undo the reading that is tried."""
    store = record.fight("demo_srd35", "reading 1")
    made = what_if(store, reading={"soft_cover_blocks_aoo": "on"}, at=60)
    log = exported(store)
    reading = {"soft_cover_blocks_aoo": "off"}
    plain, changed = (decide((log, branch, Change(readings=reading))) for branch in ("main", made.name))
    assert (changed.state, changed.others) == (plain.state, plain.others)


def test_a_refusal_that_falls_away_is_told(folder: Path) -> None:
    """What was refused would be allowed under the change: that is a difference, though nothing follows."""
    store, table = facing(2)
    refused = table.declare(acts.Charge(actor="f", target="o", path=((1, 0),))).refused
    assert refused is not None
    assert refused.rule == "srd35.charge.distance"
    table.declare(acts.EndTurn(actor="f"))
    exported(store)
    (one,) = errata([folder], Change(figures={"srd35.charge.distance.min_squares": 1})).logs
    assert one.state == "changed"
    assert one.parting is not None
    assert one.parting.rules == ("srd35.charge.distance",)
    assert (one.events, one.others) == (1, [])


@pytest.mark.parametrize("name", ["demo_srd35", "demo_pf1", "demo_futurepath", "demo_woa"])
def test_it_is_what_deciding_all_of_it_again_comes_to(name: str) -> None:
    """Whatever figure of a rule that a log cites is changed: deciding from its first event on ends alike.

    A log is the same just if all events come out as they are, whichever way it is found out.
    """
    store, dice = opened(name), random.Random(name)
    events = list(store.read("main"))
    dialect, seed = decode(events[0]).dialect, find_known_seed(store, "main")
    book = Book.load(dialect)
    rules = sorted({rule for event in events for rule in cited(decode(event)) if rule in book})
    figures = [figure for rule in rules for figure in walk(rule, book[rule].figures)]
    assert seed is not None
    for figure in dice.sample(figures, 6):
        value = nudged(figure.value, dice.choice((1, 2, -1)))
        found = asked(name, figures={figure.address: str(value)})
        fight = Fight(fold(events[:1]), load(dialect, {figure.address: value}))
        fight.seed = seed.hex()
        recorded = scripts(groups(events[1:]), "")
        again = BranchWriter(fight, 1, {}, by_combatant(), seed, {one.id for one in recorded})
        try:
            Reach(again, recorded).run()
        except AffrayError:
            assert found.state == "fails"
            continue
        ends = end(fold(events)), end(again.fight.state)
        assert len(found.others) == sum(ends[0][id] != ends[1][id] for id in ends[0]), figure
        told, made = ([(one.type, one.data) for one in some] for some in (events[1:], again.entries))
        assert (without_digests(told) == without_digests(made)) == (found.state == "same"), figure


def without_digests(told: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return events without the digests of the state at the ends of rounds."""
    return [(type, b"" if type == "round.ended" else data) for type, data in told]


def test_at_the_command_line(run: Run, folder: Path) -> None:
    """Status 1 says that something differs, 2 that some log cannot tell; the page and JSON have every log."""
    for name in ("demo_srd35", "demo_pf1"):
        shutil.copy(record.LOGS / f"{name}.jsonl", folder)
    figure = ("--figure", "srd35.ac.formula.base=9", "--jobs", 1)
    page = folder / "errata.html"
    told = run("replay", folder, *figure, "--page", page)
    assert told.exit_code == 0, told.output
    assert "2 logs: 1 otherwise, 0 the same, 1 of another rulebook" in told.stdout
    assert "srd35.ac.formula" in told.stdout
    text = page.read_text(encoding="utf-8")
    assert "demo_srd35.jsonl" in text
    assert "<script" not in text
    found = json.loads(run("replay", folder, *figure, "--json").stdout)
    assert [one["state"] for one in found["logs"]] == ["other rulebook", "changed"]
    assert found["groups"][0]["rule"] == "srd35.ac.formula"
    assert run("replay", folder, *figure, "--expect", "none").exit_code == 1
    assert run("replay", folder, *figure, "--expect", "some").exit_code == 0
    assert run("replay", folder, "--expect", "none", "--jobs", 1).exit_code == 0
    (folder / "junk.db").write_text("junk")
    assert run("replay", folder, *figure, "--expect", "some").exit_code == 2
    for wrong in (
        ("replay",),
        ("replay", folder / "nothing"),
        ("replay", folder, "--figure", "base"),
        ("replay", folder, "--into", folder / "new.db"),
        ("replay", folder, *figure, "--page", record.LOGS / "toll.jsonl" / "x"),
        ("replay", folder, *figure, "--dialect", "pf1"),
    ):
        assert run(*wrong).exit_code == 2, wrong


def test_a_fight_that_waits_is_decided_as_far_as_it_goes(run: Run, folder: Path) -> None:
    """An open question is as much on record as an answer; a change that it does not touch leaves it open."""
    (folder / "new").mkdir()
    fight = copied(begun(folder / "new"), folder / "fight.db")
    assert run("manual", fight, "fighter").exit_code == 0
    assert run("do", fight, "move", "1,0", "2,0").exit_code == 0
    assert run("do", fight, "attack", "ogre").exit_code == 0
    for change in (Change(), Change(figures=FIGURE)):
        (one,) = errata([fight], change).logs
        assert one.state == "same", one.why
