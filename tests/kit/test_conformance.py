"""Conformance: the small dialect passes every check, and each check notices what it is for."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine import packaged, play
from affray.engine.text import narrate
from affray.events import MemoryStore
from affray.events.exports import import_jsonl
from affray.events.facts import combat, flow
from affray.events.facts.acts import Attack
from affray.replay import Conformance, conformance, verify
from affray.replay.rulebook.conformance import (
    Conformance as Whole,
)
from affray.replay.rulebook.conformance import (
    ConformanceCheck,
    RandomFight,
    check_narrated,
    check_notation,
    check_page,
    check_refereed,
    raw_name,
)
from tests.cli.conftest import Run
from tests.kit.conftest import Using
from tests.kit.little import FIGHT, SCENARIOS, SHEETS, staged

pytestmark = pytest.mark.slow

CHECKS = (
    "rules",
    "sheets",
    "scenarios",
    "words",
    "fights",
    "modes",
    "verify",
    "notation",
    "page",
    "narration",
    "referee",
)


def found(seeds: int = 1, steps: int = 6, **more: Path) -> Conformance:
    """Return the result for the small dialect with short random fights."""
    return conformance("little", seeds=seeds, steps=steps, **more)


def failing(result: Conformance, name: str) -> str:
    """Hold that one check alone fails, and return its text."""
    assert [one.name for one in result.checks if not one.ok] == [name], str(result)
    with pytest.raises(AssertionError) as fault:
        result.assert_ok()
    assert str(fault.value).strip() == str(result)
    return "\n".join(result[name].lines())


def test_the_small_dialect_passes(using: Using) -> None:
    """Every check has something to check; progress counts the fights."""
    using()
    steps: list[tuple[int, int]] = []
    result = conformance("little", seeds=2, steps=12, progress=lambda done, of: steps.append((done, of)))
    result.assert_ok()
    assert tuple(one.name for one in result.checks) == CHECKS
    assert all(one.count for one in result.checks), str(result)
    assert steps == [(number, 5) for number in range(1, 6)]
    assert result["scenarios"].count == 2
    assert result["fights"].count == 3
    assert result["verify"].count == 5
    assert str(result).endswith("little: every check passed")
    assert "judged" in result["referee"].note


def test_a_scenario_that_ends_otherwise(using: Using) -> None:
    """Its name, the line of the script, the event and the place in the file are given."""
    using(scenarios=SCENARIOS.replace('result = "miss"', 'result = "hit"'))
    told = failing(found(), "scenarios")
    assert "attacks: a club misses it: line 1: expected" in told
    assert "result is 'miss', not 'hit'" in told
    assert "(scenarios/attacks/attacks.toml:17)" in told


def test_a_scenario_that_nothing_plays(using: Using) -> None:
    """A table outside the folders of chapters, a table of another dialect, a file that cannot be read."""
    folder = using()
    (folder / "scenarios" / "more.toml").write_text(SCENARIOS)
    assert "scenarios/more.toml: scenarios belong in the folder of a chapter" in failing(found(), "scenarios")
    (folder / "scenarios" / "more.toml").rename(folder / "scenarios" / "attacks" / "more.toml")
    (folder / "scenarios" / "attacks" / "more.toml").write_text(SCENARIOS.replace("little", "srd35"))
    assert "it is played by srd35 (scenarios/attacks/more.toml:4)" in failing(found(), "scenarios")
    (folder / "scenarios" / "attacks" / "more.toml").write_text("dialect = ")
    assert "attacks/more.toml: " in failing(found(), "scenarios")


def test_nothing_to_check_is_no_pass(using: Using) -> None:
    """Without scenarios or fights the checks that need them fail."""
    folder = using()
    (folder / "scenarios" / "attacks" / "attacks.toml").unlink()
    assert "there are no scenarios" in failing(found(), "scenarios")
    (folder / "little_rules" / "fights" / "demo.toml").unlink()
    result = found()
    assert not result["fights"].ok
    assert "fights/demo.toml" in str(result)


def test_a_topic_that_the_catalogue_lacks(using: Using) -> None:
    """The function and the topic are named before a fight gets there."""
    stage = """
def cite_nothing(fight, blow):
    if blow.target.hp > 10_000:
        return [fight.modifier("weather.sleet", "attack", kind="untyped", source="sleet")]
    return []
"""
    using(module=staged('Put("attacks.attack_situation", "gather", cite_nothing)', stage))
    told = failing(found(), "rules")
    assert "little_rules:cite_nothing: no rule weather.sleet (affray rules little --check)" in told


def test_a_figure_that_the_catalogue_lacks(using: Using) -> None:
    """It is listed, as a missing topic is, and the next topics are still looked at."""
    stage = """
def miscount(fight, blow):
    return [] if blow.melee is not None else [fight.modifier("flank.bonus", "sideways", source="x")]
"""
    using(module=staged('Put("attacks.attack_situation", "gather", miscount)', stage))
    told = failing(found(steps=0), "rules")
    assert "little_rules:miscount: no figure 'sideways' of flank.bonus" in told


def test_a_sheet_that_cannot_enter(using: Using) -> None:
    """The sheet is named, also one that no fight uses."""
    using(sheets=f"{SHEETS}\n[ghost]\nname = 'Ghost'\nhp = 'none'\n")
    assert "ghost: sheets.toml: sheet of ghost" in failing(found(), "sheets")


def test_a_rule_that_breaks_in_a_fight(using: Using) -> None:
    """The fight, the last event and the line of the package are named, and the log can be kept."""
    stage = """
def break_late(fight, blow):
    return [1 / 0] if fight.state.round > 2 else []
"""
    module = staged('Put("attacks.attack_situation", "gather", break_late)', stage)
    folder = using(module=module, sheets=SHEETS.replace("hp = ", "hp = 9"))
    logs = folder.parent / "logs"
    told = failing(found(out=logs), "fights")
    assert "little.demo, after event" in told
    assert "ZeroDivisionError: division by zero" in told
    assert "little_rules/__init__.py:12 in break_late" in told
    store = MemoryStore()
    with (logs / "little-demo.jsonl").open("rb") as file:
        assert import_jsonl(file, store) > 10
    assert verify(store).ok
    assert not (logs / "attacks-a-club-misses-it.jsonl").exists()


def test_a_legal_act_that_is_refused(using: Using, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of legal acts that is wrong is reported with the act, the reason and the rule."""
    using()
    run = Attack(actor="guard", target="nobody")
    monkeypatch.setattr("affray.replay.rulebook.conformance.choose_legal_act", lambda dice, table: run)
    told = failing(found(), "fights")
    assert "little.demo, seed 1, after event" in told
    assert "attack is listed as legal for guard and refused: " in told


def test_a_stage_whose_reads_no_key_holds(using: Using) -> None:
    """Checked mode names the cached function; play itself, without caches, is right."""
    stage = """
def against_the_wounded(fight, blow):
    wounded = blow.target.hp * 2 <= blow.target.max_hp
    return [fight.modifier("charge.attack", "attack", kind="morale", source="blood")] if wounded else []
"""
    sword = SHEETS.replace("base_attack = 2", "base_attack = 6").replace("hp = 9", "hp = 8")
    scenarios = """
dialect = "little"

[[scenario]]
name = "blood in the water"
map = ["....."]
combatants = [
  {id = "guard", side = "town", use = "guard", at = [0, 0], initiative = 12},
  {id = "bandit", side = "road", use = "bandit", at = [1, 0], initiative = 8, acted = true},
]
script = [
  {dice = [15, 3, 15, 1], do = {act = "full-attack", actor = "guard", strikes = STRIKES}, expect = [
    {type = "attack.resolved"},
    {type = "attack.resolved"},
  ]},
]
"""
    scenarios = scenarios.replace("STRIKES", '[{target = "bandit"}, {target = "bandit"}]')
    using(
        module=staged('Put("attacks.attack_situation", "gather", against_the_wounded)', stage),
        sheets=sword,
        scenarios=scenarios,
    )
    told = failing(found(steps=0), "modes")
    assert "attacks: blood in the water, event " in told
    assert "stale answer of affray.engine.rules.attacks.attack_roll" in told
    assert "is not in its key" in told


def test_a_rule_that_is_not_the_same_twice(using: Using) -> None:
    """Play that depends on more than its log is noticed by the modes and by `verify`, with the event."""
    stage = """
from itertools import count


COUNT = count()

def whim(fight, blow):
    part = fight.modifier("charge.attack", "attack", kind="untyped", source=f"whim {next(COUNT)}")
    return [part]
"""
    using(module=staged('Put("attacks.attack_situation", "gather", whim)', stage))
    result = found(steps=0)
    assert not result["modes"].ok
    assert "(attack.resolved, r1.t1): checked play: attack" in str(result["modes"].failures[0])
    assert 'attack[2].source "whim 1" becomes "whim 2"' in str(result["modes"].failures[0])
    assert not result["verify"].ok
    (failure, *_) = result["verify"].failures
    assert failure.message == 'outcomes: d4: attack[2].source "whim 1" becomes "whim 4"'


def test_a_roll_that_no_chapter_lists(using: Using) -> None:
    """Scenarios and people use the names of rolls: the contents list them."""
    stage = """
def omen(fight, blow):
    yield Roll(blow.attacker.id, "omen", "1d6")
"""
    dice = SCENARIOS.replace("dice = [12, 4]", "dice = {attack = 12, damage = 4, omen = 3}")
    dice = dice.replace("dice = [3]", "dice = {attack = 3, omen = 3}")
    using(module=staged('Put("attacks.before_roll", "steps", omen)', stage), scenarios=dice)
    told = failing(found(steps=0), "words")
    assert "attacks: a spear reaches its Armor Class: no chapter lists roll omen" in told


def test_names_of_fields_in_sentences() -> None:
    """Fields and their names are no sentence; words of people, ids and figures may look as they like."""
    seen = combat.ResourceSpent(who="ada", resource="spell", amount=1)
    assert (
        raw_name("resource.spent: who ada, resource spell, amount 1", seen) == "the fields of resource.spent"
    )
    assert raw_name("", seen) == "no words"
    refused = flow.Refused(id="x1", reason="damage_key is not there", rule="little.x")
    assert raw_name("Refused: damage_key is not there", refused) == ""
    assert raw_name("Ada has no damage_key", seen) == "the field damage_key"
    assert raw_name("Ada casts Spell(name='x')", seen).startswith("data, Spell(")
    assert raw_name("Ada casts a spell", seen) == ""


def test_an_event_without_words(using: Using, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event and what is wrong with its words are named."""
    using()
    store = MemoryStore()

    RandomFight(packaged("little.demo"), 1, 6)(store, "uncached")
    monkeypatch.setitem(
        narrate.TELLERS, combat.AttackResolved, lambda tale, fact: tale.say("note", "damage_key 3")
    )
    check = ConformanceCheck("narration", "")
    check_narrated(check, "bridge", store)
    assert not check.ok
    assert "(attack.resolved, r" in check.failures[0].where
    assert "the field damage_key in 'damage_key 3'" in check.failures[0].message


def test_the_referee_reads_the_story(using: Using, monkeypatch: pytest.MonkeyPatch) -> None:
    """It can judge the rolls of the story; a hit that is told as a miss is found, with the line."""
    using()
    store = MemoryStore()

    play(packaged("little.demo"), store)
    check = ConformanceCheck("referee", "")
    assert check_refereed(check, "bridge", store) > 0
    assert check.ok

    def turned(*given: object, **more: object) -> list[str]:
        told = narrate.lines(*given, **more)  # type: ignore[arg-type]
        return [row.replace(": hit", ": miss") for row in told]

    monkeypatch.setattr("affray.replay.rulebook.conformance.story_lines", turned)
    check_refereed(check, "bridge", store)
    assert "of the story" in check.failures[0].where
    assert ": miss" in check.failures[0].look


@pytest.mark.parametrize(
    ("run", "reads"), [(check_notation, "import_notation"), (check_page, "import_jsonl")]
)
def test_a_log_that_is_read_otherwise(
    using: Using, monkeypatch: pytest.MonkeyPatch, run: Any, reads: str
) -> None:
    """The first event that differs is named, with both values; so is a log that is read in part."""
    using()
    store = MemoryStore()
    play(packaged("little.demo"), store)
    check = ConformanceCheck("copy", "")
    run(check, "bridge", store)
    assert check.ok
    title = replace(packaged("little.demo"), title="The ford")
    monkeypatch.setattr(
        f"affray.replay.rulebook.conformance.{reads}",
        lambda one, other: play(title, other if isinstance(other, MemoryStore) else one),
    )
    run(check, "bridge", store)
    assert check.failures[0].where == "event 1 (encounter.opened, r0.t0)"
    assert 'name "The bridge" becomes "The ford"' in check.failures[0].message
    monkeypatch.setattr(f"affray.replay.rulebook.conformance.{reads}", lambda one, other: None)
    run(check, "bridge", store)
    assert "it has 0 events" in check.failures[1].message


def test_random_fights_repeat(using: Using) -> None:
    """The same number gives the same fight, another one another; a repetition makes the same log."""
    using()

    heads = []
    for number in (1, 1, 2):
        fight, first, again = RandomFight(packaged("little.demo"), number, 8), MemoryStore(), MemoryStore()
        fight(first, "cached")
        fight(again, "uncached")
        assert first.head("main") == again.head("main")
        heads.append(first.head("main").digest)
    assert heads[0] == heads[1] != heads[2]


def test_the_text_shows_the_first_failures() -> None:
    """Of many the number of the others is given."""
    check = ConformanceCheck("verify", "every log verifies", 9)
    for number in range(7):
        check.fail("bridge", f"wrong {number}", f"event {number}")
    told = str(Whole("little", "Little rules", [check]))
    assert "FAILED  verify" in told
    assert "bridge, event 4: wrong 4" in told
    assert "wrong 5" not in told
    assert "and 2 more" in told
    assert told.endswith("little: 1 of 1 check failed")


def test_the_command(little: Path, run: Run, tmp_path: Path) -> None:
    """Status 0 if every check passes, 1 if one fails, 2 for an unknown dialect; --json has all."""
    (little / "little_rules" / "fights" / "demo.toml").write_text(FIGHT.replace("auto = 20", "auto = 2"))
    told = run("rules", "little", "--conformance", "--package", little)
    assert told.exit_code == 0, told.output
    assert "little: every check passed" in told.stdout
    wrong = little / "scenarios" / "attacks" / "attacks.toml"
    wrong.write_text(SCENARIOS.replace('result = "miss"', 'result = "hit"'))
    logs = tmp_path / "logs"
    told = run("rules", "little", "--conformance", "--package", little, "--json", "--out", logs)
    assert told.exit_code == 1
    result = json.loads(told.stdout)
    assert (result["ok"], result["dialect"]) == (False, "little")
    (failure,) = next(one for one in result["checks"] if one["name"] == "scenarios")["failures"]
    assert failure["look"] == "scenarios/attacks/attacks.toml:17"
    for words in (
        ("little", "--conformance"),
        ("srd35", "--conformance", "--house-rules", "x"),
        ("srd35", "--only", "trip"),
        ("little", "--conformance", "--package", little, "--only", "nothing of the kind"),
    ):
        refused = run("rules", *words)
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
