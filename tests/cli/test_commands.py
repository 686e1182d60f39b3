"""Reading, playing and carrying logs by command."""

import json
import os
import pty
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields, replace

from affray.engine.book import Book, dialects
from affray.events import logging
from affray.events.codec import decode, entry
from affray.events.exports import export_jsonl
from affray.events.facts.acts import Enter
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.replay.log.playhead import Playhead
from affray.replay.text.show import bar
from affray.replay.workers import PYTHON
from tests.cli.conftest import Run

DUEL = """
dialect = "srd35"
title = "Two at a wall"
seed = "b"
map = ["......", "......", "......"]
combatants = [
  {id = "fighter", side = "heroes", use = "fighter", at = [0, 0], initiative = 5},
  {id = "ogre", side = "monsters", use = "ogre", at = [1, 0], initiative = 9},
]
auto = 30
[[script]]
do = {act = "move", actor = "ogre", path = [[2, 0], [3, 0]]}
"""


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    """A scenario file whose first line gives the fighter an attack of opportunity."""
    file = tmp_path / "duel.toml"
    file.write_text(DUEL)
    return file


def parsed(text: str) -> list[Any]:
    """Return the values of JSON Lines."""
    return [json.loads(line) for line in text.splitlines()]


def test_help_is_quick() -> None:
    """The help appears without importing the engine, within 0.2 s of processor time."""
    code = (
        "import sys, time; t = time.process_time()\n"
        "from affray.replay.cli import affray\n"
        "try: affray.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'msgspec', 'structlog', 'sqlite_utils', 'affray.engine'} & set(sys.modules)\n"
        "print(time.process_time() - t, sorted(heavy), file=sys.stderr)"
    )
    took = []
    for _ in range(3):
        done = subprocess.run([*PYTHON, "-c", code], capture_output=True, text=True, check=True)
        seconds, _, heavy = done.stderr.partition(" ")
        assert heavy.strip() == "[]"
        took.append(float(seconds))
    assert min(took) < 0.2


def test_version(run: Run) -> None:
    """The version is one line."""
    assert re.fullmatch(r"affray \d+\.\d+\.\d+\n", run("--version").stdout)


def test_demo_verifies_and_points_on(run: Run, tmp_path: Path) -> None:
    """The demo plays to its end, says that its log is good, and names an event worth explaining."""
    db = tmp_path / "d.db"
    result = run("demo", "--db", db)
    assert result.exit_code == 0
    assert "every check passed" in result.stdout
    (seq,) = re.findall(rf"affray why {re.escape(str(db))} (\d+)", result.stdout)
    with SqliteStore(db, readonly=True) as store:
        (event,) = store.read("main", int(seq) - 1, int(seq))
        assert store.main_line() == "main"
        assert event.type == "attack.resolved"
        assert json.loads(event.data)["result"] != "miss"
        assert list(store.read("main"))[-1].type == "encounter.closed"


def test_demo_is_the_same_every_time(run: Run, tmp_path: Path) -> None:
    """Without a seed of its own the demo has the same dice and the same log on every run."""
    logs = [run("demo", "--db", tmp_path / f"{n}.db", "--json").stdout.splitlines()[:-1] for n in range(2)]
    assert logs[0] == logs[1]
    other = run("demo", "--db", tmp_path / "other.db", "--json", "--seed", "other").stdout.splitlines()[:-1]
    assert other != logs[0]


def test_show_is_the_state(run: Run, played: Path) -> None:
    """What show prints at a position is what the log folds to there."""
    result = run("show", played, "--at", "r3", "--json")
    shown = json.loads(result.stdout)
    with SqliteStore(played, readonly=True) as store:
        playhead = Playhead(store)
        state = playhead.seek("r3")
        assert shown["seq"] == playhead.seq
        assert shown["state"]["round"] == state.round
        assert {id: one["hp"] for id, one in shown["state"]["combatants"].items()} == {
            id: one.hp for id, one in state.combatants.items()
        }
    text = run("show", played, "--at", "r3.t2").stdout
    assert "Round 3, turn 2" in text
    for one in state.combatants.values():
        assert f"({one.id})" in text
    assert max(map(len, text.splitlines())) <= 80


def test_show_says_what_lies_where(run: Run, fight: Path) -> None:
    """A weapon that was dropped lies where its bearer stood; before there is no such line."""
    assert "On the ground" not in run("show", fight).stdout
    assert run("do", fight, "drop", "longsword").exit_code == 0
    assert "On the ground: longsword of Brannoc at 0,0\n" in run("show", fight).stdout


def test_doors_are_told(run: Run, tmp_path: Path) -> None:
    """The map of letters has no room between squares: each door is told in words, open or closed."""
    plan, fight = tmp_path / "plan.toml", str(tmp_path / "fight.db")
    side = '{here = [1, %d], there = [2, %d], cover = "total", door = "%s", open = %s}'
    sides = (
        side % one for one in ((0, 0, "gate", "false"), (1, 1, "gate", "false"), (2, 2, "hatch", "true"))
    )
    plan.write_text(f'map = ["....", "....", "...."]\nbarriers = [{", ".join(sides)}]\n')
    assert run("new", fight, "--dialect", "srd35", "--map", str(plan)).exit_code == 0
    told = "  Doors: gate between 1,0 and 2,0 (closed), hatch between 1,2 and 2,2 (open)\n"
    assert told in run("show", fight).stdout


def test_show_before_the_beginning(run: Run, played: Path) -> None:
    """Before the first event there is nothing to show, and that is no error."""
    result = run("show", played, "--at", "start")
    assert result.exit_code == 0
    assert "Before the beginning" in result.stdout


def test_log_of_an_unknown_dialect_is_readable(run: Run, played: Path, tmp_path: Path) -> None:
    """A log needs no rules to be read: the story comes from its events alone."""
    store = MemoryStore()
    with SqliteStore(played, readonly=True) as source:
        facts = [decode(event) for event in source.read("main", upto=30)]
    facts[0] = replace(facts[0], dialect="house")
    store.append("main", [entry(fact, 0, 0, "", 1) for fact in facts], 0)
    file, db = tmp_path / "house.jsonl", tmp_path / "house.db"
    with file.open("wb") as out:
        export_jsonl(store, out)
    assert run("import", file, "--db", db).exit_code == 0
    assert "(house)" in run("show", db).stdout
    assert run("log", db).exit_code == 0
    assert "(house)" in run("export", db, "--format", "markdown").stdout


def test_hit_points_as_a_bar() -> None:
    """Only the unhurt have a full bar, only those down an empty one."""
    assert [bar(hp, 40) for hp in (40, 39, 20, 1, 0, -5)] == [
        "##########",
        "#########.",
        "#####.....",
        "#.........",
        "..........",
        "..........",
    ]


def test_log_lists_every_event(run: Run, played: Path) -> None:
    """The list has a line for each event of the range; the JSON Lines hold them as stored."""
    with SqliteStore(played, readonly=True) as store:
        events = list(store.read("main"))
    rows = run("log", played).stdout.splitlines()
    assert [int(row.split()[0]) for row in rows] == [event.seq for event in events]
    found = parsed(run("log", played, "--json").stdout)
    assert [one["digest"] for one in found] == [event.digest.hex() for event in events]
    assert [one["data"] for one in found] == [json.loads(event.data) for event in events]
    some = parsed(run("log", played, "--from", "10", "--to", "12", "--json").stdout)
    assert [one["seq"] for one in some] == [10, 11, 12]


def test_reading_changes_nothing(run: Run, copy: Path) -> None:
    """Reading commands leave the file as it was, byte for byte."""
    before = copy.read_bytes()
    for words in (("show",), ("log",), ("export", "--format", "jsonl"), ("export", "--format", "markdown")):
        assert run(words[0], copy, *words[1:]).exit_code == 0
    assert copy.read_bytes() == before


def test_live_fight(run: Run, fight: Path) -> None:
    """Acts by words, by options and as JSON do the same; the actor is whoever's turn it is."""
    assert "Brannoc moves to 1,0 (5 ft.)" in run("do", fight, "move", "1,0").stdout
    said = run("do", fight, "attack", "fighter", "ogre", "--weapon", "longsword", "--json")
    (declared, *_) = json.loads(said.stdout)["events"]
    assert declared["data"]["act"] == {
        "act": "attack",
        "actor": "fighter",
        "target": "ogre",
        "weapon": "longsword",
        "thrown": False,
        "nonlethal": None,
        "defensively": False,
        "power": 0,
        "expertise": 0,
        "stunning": False,
        "at": None,
        "aim": False,
        "take": 0,
        "feat": "",
        "bullets": 0,
        "autofire": False,
    }
    whole = json.dumps({"act": "end-turn", "actor": "fighter"})
    assert "Gharm's turn" in run("do", fight, whole).stdout


def test_refusal_is_a_no(run: Run, fight: Path) -> None:
    """A refused act is one line with reason and rule, status 1, and stands in the log."""
    result = run("do", fight, "attack", "ogre", "fighter")
    assert result.exit_code == 1
    assert re.fullmatch(r"affray: refused: .+ \(srd35\.[a-z0-9.-]+\)\n", result.stderr)
    assert parsed(run("log", fight, "--json").stdout)[-1]["type"] == "refused"
    both = run("do", fight, "attack", "ogre", "fighter", "--json")
    assert both.exit_code == 1
    assert json.loads(both.stdout)["refused"]["rule"].startswith("srd35.")


def test_waiting_and_answering(run: Run, fight: Path) -> None:
    """A question leaves the fight waiting, names the command that answers it, and goes on from there."""
    assert run("do", fight, "move", "1,1", "2,1").exit_code == 0
    assert run("do", fight, "end-turn").exit_code == 0
    assert run("do", fight, "end-turn").exit_code == 0
    result = run("do", fight, "move", "fighter", "2,2", "1,2", "0,2")
    assert result.exit_code == 0
    assert f"affray choose {fight} take" in result.stdout
    assert f"affray choose {fight} take" in run("show", fight).stdout
    blocked = run("do", fight, "end-turn")
    assert blocked.exit_code == 2
    assert "choose" in blocked.stderr
    wrong = run("choose", fight, "perhaps")
    assert wrong.exit_code == 2
    assert "take, trip, disarm, grapple, decline" in wrong.stderr
    assert "goes" in run("choose", fight, "decline", "--by", "Anna").stdout
    chosen = [one for one in parsed(run("log", fight, "--json").stdout) if one["type"] == "chosen"]
    assert (chosen[-1]["data"]["answer"], chosen[-1]["data"]["by"]) == ("decline", "Anna")


def test_dice_by_hand(run: Run, fight: Path) -> None:
    """With --manual every die is asked for and recorded as thrown by hand."""
    run("do", fight, "move", "1,1", "2,1")
    result = run("do", fight, "attack", "ogre", "--manual")
    assert f"affray choose {fight} FACES" in result.stdout
    assert "cannot show" in run("choose", fight, "21", "--manual").stderr
    assert "d20 19 physical" in run("choose", fight, "19", "--manual").stdout
    assert run("show", fight).stdout.count("Waiting") == 1
    assert run("ruling", fight, "--void", "--text", "late", "--by", "Anna").exit_code == 0
    assert "Waiting" not in run("show", fight).stdout


def test_ruling_needs_something_open(run: Run, fight: Path) -> None:
    """Where nothing is open there is nothing to rule on."""
    result = run("ruling", fight, "--void", "--text", "no", "--by", "Anna")
    assert result.exit_code == 2
    assert "no declaration is open" in result.stderr


def test_add_from_files(run: Run, fight: Path, tmp_path: Path) -> None:
    """A sheet comes from a file of its own, from one with several or naming such, or from those that ship."""
    one, several = tmp_path / "one.toml", tmp_path / "several.toml"
    one.write_text('name = "Nib"\nhp = 5\n')
    several.write_text('[sheets.rat]\nname = "Rat"\nhp = 1\n[sheets.cat]\nname = "Cat"\nhp = 3\n')
    base = ("add", fight, "--side", "others", "--at")
    assert "Nib" in run(*base, "7,0", "--id", "nib", "--sheet", one).stdout
    assert "Cat" in run(*base, "7,1", "--id", "cat", "--sheet", several, "--use", "cat").stdout
    which = run(*base, "7,2", "--id", "rat", "--sheet", several)
    assert which.exit_code == 2
    assert "cat, rat" in which.stderr
    assert "available" in run(*base, "7,2", "--id", "x", "--use", "dragon").stderr
    several.write_text('sheets_from = "party.toml"\n[sheets.rat]\nname = "Rat"\nhp = 1\n')
    assert (
        "party.toml: No such file" in run(*base, "7,2", "--id", "o", "--sheet", several, "--use", "o").stderr
    )
    (tmp_path / "party.toml").write_text('[owl]\nname = "Owl"\nhp = 2\n')
    assert "Owl" in run(*base, "7,2", "--id", "owl", "--sheet", several, "--use", "owl").stdout
    which = run(*base, "7,3", "--id", "rat", "--sheet", several)
    assert "owl, rat" in which.stderr
    one.write_text("name = 3\nhp = 5\n")
    assert "one.toml" in run(*base, "7,2", "--id", "y", "--sheet", one).stderr


def test_play_without_a_terminal_waits(run: Run, duel: Path, tmp_path: Path) -> None:
    """--policy ask with nobody to ask leaves the fight waiting in its file and says how to go on."""
    db = tmp_path / "duel.db"
    result = run("play", duel, "--db", db, "--policy", "ask")
    assert result.exit_code == 0
    assert f"affray choose {db} take" in result.stderr
    assert run("choose", db, "take").exit_code == 0
    without = run("play", duel, "--policy", "ask")
    assert "--db" in without.stderr


def test_play_asks_at_the_terminal(duel: Path) -> None:
    """At a terminal the question is put there and the answer is a person's."""
    master, slave = pty.openpty()
    command = [*PYTHON, "-m", "affray.replay.cli", "play", str(duel), "--policy", "ask", "--json"]
    with subprocess.Popen(command, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.write(master, b"decline\n" * 200)
        out, err = process.communicate(timeout=60)
    os.close(slave)
    os.close(master)
    assert process.returncode == 0, err
    chosen = [one["data"] for one in parsed(out.decode()) if one["type"] == "chosen"]
    assert chosen[0]["answer"] == "decline"
    assert {one["by"] for one in chosen} == {"person"}


def test_play_is_told_and_closed(run: Run, duel: Path) -> None:
    """A fight that automatic play brings to its end is closed, with a summary and the seed revealed."""
    told = run("play", duel).stdout
    assert "The end after" in told
    assert "Standing: " in told
    last = parsed(run("play", duel, "--json").stdout)[-1]
    assert last["type"] == "encounter.closed"
    assert len(last["data"]["seed"]) == 64


STATED = """
name = "stated"
dialect = "srd35"
map = ["....."]
cites = ["srd35.attack-roll"]
combatants = [
  {id = "a", side = "x", use = "a", at = [0, 0], initiative = 9, acted = true},
  {id = "b", side = "y", use = "a", at = [1, 0], initiative = 1, acted = true},
]
[[script]]
do = {act = "attack", actor = "a", target = "b"}
dice = [2]
expect = [{type = "attack.resolved", result = "hit"}]
[[script]]
do = {act = "end-turn", actor = "a"}
after = {b = {hp = 3}}
[sheets.a]
name = "A"
hp = 10
weapons = [{name = "club", damage = "1d6"}]
"""


def test_play_compares_what_a_file_says_of_its_outcomes(run: Run, tmp_path: Path) -> None:
    """Each line that came out otherwise is told, status 1; with other dice it compares nothing."""
    file = tmp_path / "stated.toml"
    file.write_text(STATED)
    played = run("play", file)
    assert played.exit_code == 1
    told = [line for line in played.stderr.splitlines() if line.startswith("stated")]
    assert [line.partition(":")[0] for line in told] == ["stated, line 1", "stated, line 2", "stated"]
    assert "result is 'miss', not 'hit'" in told[0]
    assert "b's hp is 10, not 3" in told[1]
    assert "nothing in its log cites srd35.attack-roll" in told[2]
    assert "3 lines differ from the expected outcome" in played.stderr
    for option in (("--seed", "x"), ("--policy", "ask")):
        other = run("play", file, *option)
        assert other.exit_code == 0
        assert "are not compared: the file is played with" in other.stderr
    right = STATED.replace('"hit"', '"miss"').replace("hp = 3", "hp = 10")
    file.write_text(right.replace('["srd35.attack-roll"]', "[]"))
    played = run("play", file)
    assert played.exit_code == 0, played.stderr
    assert "otherwise" not in played.stderr


def test_seed_decides(run: Run, duel: Path) -> None:
    """The same seed gives the same fight, another seed another one."""
    first, again, other = (run("play", duel, "--seed", seed, "--json").stdout for seed in "aab")
    assert first == again != other


def test_export_and_import(run: Run, played: Path, tmp_path: Path) -> None:
    """What is exported comes back with the same events, and an edited export does not."""
    file, db = tmp_path / "log.jsonl", tmp_path / "back.db"
    assert run("export", played, "--format", "jsonl", "--out", file).exit_code == 0
    assert "all digests good" in run("import", file, "--db", db).stdout
    assert run("log", db, "--json").stdout == run("log", played, "--json").stdout
    file.write_text(file.read_text().replace("longsword", "shortsword", 1))
    broken = run("import", file, "--db", tmp_path / "edited.db")
    assert broken.exit_code == 1
    assert "broken export: line" in broken.stderr
    assert not (tmp_path / "edited.db").exists()


def test_markdown_report(run: Run, played: Path) -> None:
    """The report of a session has a heading for the fight, its rounds and its turns."""
    text = run("export", played, "--format", "markdown").stdout
    assert text.startswith("# The ogre at the ruined wall")
    assert "\n## Round 1\n" in text
    assert "\n### Gharm's turn" in text
    assert text.count("```") % 2 == 0


def test_rules(run: Run, played: Path) -> None:
    """Rules are listed, searched, shown, compared and measured, in words and in JSON."""
    assert {one["dialect"] for one in json.loads(run("rules", "--json").stdout)} == set(dialects())
    assert len(json.loads(run("rules", "srd35", "--json").stdout)) == len(Book.load("srd35"))
    assert "srd35.flank.bonus" in run("rules", "srd35", "--search", "flanking").stdout
    card = json.loads(run("rules", "--id", "srd35.flank.bonus", "--json").stdout)
    assert card["rule"]["figures"]["melee_attack"] == 2
    assert "* " in run("rules", "srd35", "--contested").stdout
    assert json.loads(run("rules", "diff", "srd35", "pf1", "--json").stdout)["a"] == "srd35"
    assert "only in pf1" in run("rules", "diff", "srd35", "pf1").stdout
    found = json.loads(run("rules", "--coverage", played, "--json").stdout)
    assert found["dialect"] == "srd35"
    assert "srd35.attack.roll" in found["covered"]
    assert len(found["covered"]) + len(found["missing"]) == found["rules"]


def test_coverage_of_an_export_is_that_of_its_log(run: Run, played: Path, tmp_path: Path) -> None:
    """Coverage reads exported logs as well, and several logs together."""
    file = tmp_path / "log.jsonl"
    run("export", played, "--format", "jsonl", "--out", file)
    alone = run("rules", "srd35", "--coverage", played, "--json").stdout
    assert run("rules", "srd35", "--coverage", file, played, "--json").stdout == alone


def test_coverage_of_the_checkout(run: Run) -> None:
    """Without logs the dialect's scenario tables are played on the spot."""
    found = json.loads(run("rules", "pf1", "--coverage", "--json").stdout)
    assert found["covered"]


def test_operational_log(run: Run, tmp_path: Path) -> None:
    """Silent unless asked for; then on standard error, one JSON object a line if wanted."""
    quiet = run("new", tmp_path / "a.db", "--dialect", "srd35")
    assert quiet.stderr == ""
    loud = run("--log-json", "new", tmp_path / "b.db", "--dialect", "srd35")
    logging.hide()
    assert {one["event"] for one in parsed(loud.stderr)} >= {"encounter.opened"}
    assert loud.stdout == quiet.stdout


def test_add_says_all_that_an_entry_says(run: Run, tmp_path: Path) -> None:
    """Every field of an entry but those of `carry` has its option; what is no pair is refused."""
    db = tmp_path / "bonds.db"
    sheet = tmp_path / "monk.toml"
    sheet.write_text(
        'name = "Monk"\nhp = 30\nhit_dice = 4\nclasses = {monk = 4}\nabilities = {dex = 13, wis = 13}\n'
        'base_attack = 8\nfeats = ["stunning fist", "improved unarmed strike"]\n'
        'weapons = [{name = "light crossbow", damage = "1d8", wield = "projectile", family = "crossbow", '
        'range = 80, load = "move"}, {name = "kama", damage = "1d6", wield = "light"}]\n'
    )
    run("new", db, "--dialect", "srd35", "--rows", "......")
    run("add", db, "--id", "foe", "--side", "b", "--at", "0,0", "--sheet", sheet)
    base = ("add", db, "--side", "a", "--sheet", sheet, "--at", "0,0", "--json", "--id")
    states = (
        *("--hp", "20", "--nonlethal", "3", "--condition", "energy drained", "--level", "energy drained=2"),
        *("--by", "energy drained=foe", "--loss", "dex=2", "--used", "stunning fist=1", "--held", "kama"),
        *(
            "--unloaded",
            "light crossbow",
            "--grapples",
            "foe",
            "--grip",
            "pins",
            "--initiative",
            "7",
            "--acted",
        ),
    )
    act = json.loads(run(*base, "monk", *states, "--policy", "cautious").stdout)["events"][0]["data"]["act"]
    told = {"hp": 20, "nonlethal": 3, "conditions": ["energy drained"], "levels": [["energy drained", 2]]}
    told |= {"by": [["energy drained", "foe"]], "losses": [["dex", 2]], "used": [["stunning fist", 1]]}
    told |= {"held": ["kama"], "unloaded": ["light crossbow"], "grapples": "foe", "grip": "pins"}
    told |= {"initiative": 7, "acted": True, "policy": "cautious"}
    assert {key: act[key] for key in told} == told
    assert {one.name for one in fields(Enter)} - set(told) == {
        *("actor", "id", "side", "sheet", "at", "riding"),
        *("origin", "carried"),
    }
    bare = json.loads(run(*base, "x", "--empty-handed", "--riding", "monk").stdout)["events"][0]["data"][
        "act"
    ]
    assert (bare["held"], bare["riding"]) == ([], "monk")
    for words, said in (
        (("--level", "energy drained"), "--level energy drained: write it as NAME=NUMBER"),
        (("--by", "foe"), "--by foe: write it as CONDITION=COMBATANT"),
        (("--held", "kama", "--empty-handed"), "--held and --empty-handed contradict each other: use one"),
    ):
        result = run(*base, "y", *words)
        assert result.exit_code == 2
        assert said in result.stderr


def test_a_replay_links_to_no_script(run: Run, played: Path) -> None:
    """An address that a browser would run is refused, and a rulebook beside another format too."""
    for words in (
        ("--format", "html", "--rulebook", "javascript:alert(1)"),
        ("--format", "csv", "--rulebook", "a.html"),
    ):
        found = run("export", played, *words)
        assert found.exit_code == 2
        assert "--rulebook" in found.stderr


def test_what_to_run_next_is_quoted(run: Run, tmp_path: Path) -> None:
    """A path that a shell would take apart is told so that it can be typed."""
    missing = tmp_path / "a b&c?.db"
    assert f"affray new '{missing}'" in run("do", missing, "begin").stderr
