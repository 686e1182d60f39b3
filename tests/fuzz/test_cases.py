"""Bad input that is named: one clear line, the right exit status, and nothing lost or half-written."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from affray.engine.table.scenario import parse_scenario, play, read_scenario, set_up
from affray.engine.table.scenario_parts import BadScenario
from affray.engine.table.table import Table
from affray.engine.text.narrate import Line, markdown
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.envelope import Entry
from affray.events.errors import AffrayError, BrokenLog, InvalidEntry
from affray.events.exports import export_jsonl
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Spell, Weapon
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import Ruling, what_if
from tests.cli.conftest import Run, copy, fight, played, run
from tests.cli.test_faults import one_line
from tests.fuzz.grounds import export, middle
from tests.fuzz.targets import TARGETS
from tests.house.fights import demo

__all__ = ["copy", "fight", "played", "run"]

HERE = Path(__file__).parent
CASES = HERE / "cases"
SCENARIOS = sorted(CASES.glob("*.toml"))
INPUTS = sorted(CASES.glob("*.bin"))


@pytest.fixture
def log(fight: Path) -> Iterator[Path]:
    """A log which must be the same after the test, byte for byte."""
    before = fight.read_bytes()
    yield fight
    assert fight.read_bytes() == before
    assert not fight.with_name("fight.db-journal").exists()


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_bad_scenario(run: Run, tmp_path: Path, file: Path) -> None:
    """A scenario that cannot be played is refused in one line that says what is wrong, and leaves no file."""
    expected = file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    result = run("play", file, "--db", tmp_path / "new.db")
    assert result.exit_code == 2
    one_line(result.stderr, expected)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(AffrayError, match=r"\S"):
        play(read_scenario(file), MemoryStore())


@pytest.mark.parametrize("file", INPUTS, ids=lambda file: file.stem)
def test_input_that_once_failed(file: Path) -> None:
    """An input that a fuzzer broke something with breaks nothing now."""
    TARGETS[file.stem.split(".")[0]](file.read_bytes())


def test_huge_file(run: Run, tmp_path: Path) -> None:
    """Ten megabytes of scenario, sheet, map or device are refused before they are read."""
    file, db = tmp_path / "huge.toml", tmp_path / "new.db"
    file.write_text(f'title = "{"a" * 10_000_000}"\n')
    began = time.thread_time()
    for words in (
        ("play", file, "--db", db),
        ("play", "/dev/zero", "--db", db),
        ("new", db, "--dialect", "srd35", "--map", file),
    ):
        result = run(*words)
        assert result.exit_code == 2
        one_line(result.stderr, "larger than")
    assert time.thread_time() - began < 5
    assert list(tmp_path.iterdir()) == [file]


def test_huge_sheet_file(run: Run, log: Path, tmp_path: Path) -> None:
    """A sheet of ten megabytes is refused before it is read."""
    file = tmp_path / "sheet.toml"
    file.write_text(f'name = "{"a" * 10_000_000}"\nhp = 3\n')
    result = run("add", log, "--id", "x", "--side", "y", "--at", "1,1", "--sheet", file)
    assert result.exit_code == 2
    one_line(result.stderr, "larger than")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("attack", "ogre", "fighter"), "turn"),
        (("move", "fighter", "1,0", "2,0", "3,0", "4,0"), "bars the way"),
        (("attack", "fighter", "ogre"), "away"),
        (("charge", "fighter", "ogre", "--path", " ".join(f"{x},0" for x in range(1, 8))), "ogre"),
        (("full-attack", "fighter", *["ogre"] * 9), "1 attack in a full attack"),
        (("move", "fighter", "5,5"), "no step"),
        (("step", "fighter", "0,-1"), "0,-1"),
    ],
)
def test_illegal_declaration(run: Run, fight: Path, words: tuple[str, ...], said: str) -> None:
    """A declaration against the rules is refused in one line with status 1, and changes no state."""
    before = json.loads(run("show", fight, "--json").stdout)
    command, *rest = words
    result = run("do", fight, command, *rest)
    assert result.exit_code == 1, result.output
    one_line(result.stderr, "refused", said)
    after = json.loads(run("show", fight, "--json").stdout)
    for name in ("combatants", "round", "order"):
        assert before.get(name) == after.get(name)
    assert run("verify", fight).exit_code == 0


def test_five_foot_step_after_moving(run: Run, fight: Path) -> None:
    """A 5-foot step after a move is refused."""
    assert run("do", fight, "move", "fighter", "0,1").exit_code == 0
    result = run("do", fight, "step", "fighter", "0,2")
    assert result.exit_code == 1
    one_line(result.stderr, "refused")


@pytest.mark.parametrize(
    ("conditions", "said"), [(("dead",), "dead"), (("dying",), "dying"), (("unconscious",), "unconscious")]
)
def test_dead_actor(conditions: tuple[str, ...], said: str) -> None:
    """The dead, the dying and the unconscious declare nothing."""
    table = Table(middle("srd35", 0))
    hero = table.state.combatants["fighter"]
    hp = -3 if "dying" in conditions else None
    entry = acts.Enter(id="late", side="heroes", sheet=hero.sheet, at=(0, 0), conditions=conditions, hp=hp)
    assert table.declare(entry).refused is None
    outcome = table.declare(acts.Attack(actor="late", target="ogre"))
    assert outcome.refused is not None
    assert said in outcome.refused.reason or "turn" in outcome.refused.reason


def test_more_opportunities_than_allowed() -> None:
    """Nobody takes more attacks of opportunity in a round than the rules allow, however many provoke."""
    scenario = parse_scenario(
        """
        dialect = "srd35"
        map = ["........", "........", "........"]
        combatants = [
          {id = "ogre", side = "b", at = [3, 1], use = "ogre", initiative = 30},
          {id = "one", side = "a", at = [2, 1], use = "fighter", initiative = 20},
          {id = "two", side = "a", at = [5, 1], use = "fighter", initiative = 19},
        ]
        """
    )
    table = play(scenario, MemoryStore(), seed=b"o" * 32)
    assert table.declare(acts.EndTurn(actor="ogre")).refused is None
    for id, path in (("one", ((1, 1), (0, 1))), ("two", ((6, 1), (7, 1)))):
        if table.state.active == id:
            assert table.declare(acts.Move(actor=id, path=path)).refused is None
            table.declare(acts.EndTurn(actor=id))
    taken = [event for event in table.store.read("main") if event.type == "reaction.spent"]
    assert len(taken) == 1
    assert table.state.combatants["ogre"].reactions.get("opportunity", 0) <= 1


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("do", "speak", "fighter", "\udcff"), 2),
        (("do", "speak", "fighter", "a" * 100_000), 2),
        (("do", "move", "fighter", *[f"{x % 8},0" for x in range(2000)]), 2),
        (("do", "move", "9" * 5000 + ",1"), 2),
        (("do", '{"act":' + "[" * 50_000), 2),
        (("do", '{"act":"nonsense"}'), 2),
        (("do", '{"act":"ready","actor":"fighter","then":{"act":"ready"}}'), 2),
        (("do", '{"act":"move","actor":"fighter","path":[[1.5,2]]}'), 2),
        (("do", '{"act":"move","actor":"fighter","path":"abc","sneak":1}'), 2),
        (("do", "hazard", "fighter", "--dc", "9" * 30), 2),
        (("choose", "yes"), 2),
        (("whatif", "--at", "9" * 5000, "--ruling", "x"), 2),
        (("whatif", "--at", "20", "--ruling", "x", "--effect", "fighter.hp=" + "9" * 5000), 2),
        (("whatif", "--at", "20", "--ruling", "x", "--effect", "fighter.at=-1,-1"), 2),
        (("whatif", "--at", "20", "--ruling", "x", "--effect", "fighter.at=3,0"), 2),
        (("whatif", "--at", "20", "--ruling", "\udcff"), 2),
        (("whatif", "--at", "20", "--ruling", "x", "--as", "../../escaped"), 2),
        (("fork", "--at", "r1", "--as", "../../escaped"), 2),
        (("fork", "--at", "r1", "--as", "a\x1b[2Jb"), 2),
        (("show", "--at", "r" + "9" * 5000), 2),
        (("why", "9" * 5000), 2),
        (("add", "--id", "x", "--side", "y", "--at", "9999999999999999999999,0", "--use", "ogre"), 2),
    ],
    ids=lambda words: " ".join(words)[:40] if isinstance(words, tuple) else "",
)
def test_bad_words(run: Run, log: Path, words: tuple[str, ...], status: int) -> None:
    """Words that no log could hold, or nobody could mean, are refused in one line and recorded nowhere."""
    began = time.thread_time()
    result = run(words[0], log, *words[1:])
    assert result.exit_code == status, result.output
    one_line(result.stderr)
    assert len(result.stderr) < 1000
    assert time.thread_time() - began < 5


def test_failed_command_leaves_no_file(run: Run, played: Path, tmp_path: Path) -> None:
    """What fails to begin, to play or to import leaves nothing behind."""
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(export()[:-60])
    deep = tmp_path / "deep.jsonl"
    deep.write_bytes(b'{"a":' * 100_000)
    db = tmp_path / "new.db"
    for words, status in (
        (("import", bad, "--db", db), 1),
        (("import", deep, "--db", db), 2),
        (("import", played, "--db", db), 2),
        (("new", db, "--dialect", "srd99"), 2),
        (("new", db, "--dialect", "srd35", "--option", "nothing=x"), 2),
        (("new", db, "--dialect", "srd35", "--rows", "." * 201), 2),
        (("new", db, "--dialect", "srd35", "--name", "\udcff"), 2),
        (("new", tmp_path / "no" / "such.db", "--dialect", "srd35"), 2),
    ):
        result = run(*words)
        assert result.exit_code == status, (words, result.output)
        one_line(result.stderr)
        assert sorted(tmp_path.iterdir()) == [bad, deep]


@pytest.mark.parametrize("keep", [0, 1, 100, 4096, 20_000])
def test_truncated_database(run: Run, copy: Path, keep: int) -> None:
    """A database that was cut is named as such and is not touched."""
    copy.write_bytes(copy.read_bytes()[:keep])
    before = copy.read_bytes()
    for command in ("show", "log", "verify"):
        result = run(command, copy)
        assert result.exit_code in (1, 2)
        one_line(result.stderr)
        assert copy.read_bytes() == before


def test_edited_database(run: Run, copy: Path) -> None:
    """Whoever edits an event, triggers put back and all, is found out; the file stays as it is."""
    with closing(sqlite3.connect(copy)) as connection, connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        table = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%digest%cause%' OR "
            "type = 'table' AND sql LIKE '%cause%digest%'"
        ).fetchone()[0]
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(f"UPDATE {table} SET data = replace(data, 'name', 'nose') WHERE seq = 2")
        for _, sql in triggers:
            connection.execute(sql)
    before = copy.read_bytes()
    result = run("verify", copy)
    assert result.exit_code == 1
    assert copy.read_bytes() == before


def test_newer_event(run: Run, tmp_path: Path) -> None:
    """An event of a type that this version does not know is said to be newer, not misread."""
    store = MemoryStore()
    store.append("main", [Entry("dragon.landed", 1, 0, 0, "", 1, b'{"type":"dragon.landed"}')], 0)
    file, db = tmp_path / "newer.jsonl", tmp_path / "newer.db"
    with file.open("wb") as out:
        export_jsonl(store, out)
    assert run("import", file, "--db", db).exit_code == 0
    before = db.read_bytes()
    result = run("show", db)
    assert result.exit_code == 2
    one_line(result.stderr, "newer")
    assert db.read_bytes() == before


def test_nonsense_with_good_digests(run: Run, tmp_path: Path) -> None:
    """A forged log whose digests fit is broken where its facts cannot follow from those before."""
    store = MemoryStore()
    for event in middle("srd35", 0).read("main"):
        if event.type == "combatant.entered" and event.seq < 6:
            continue
        place = (event.type, event.version, event.round, event.turn, event.actor, event.cause, event.data)
        store.append("main", [Entry(*place)], store.head("main").seq)
    file, db = tmp_path / "forged.jsonl", tmp_path / "forged.db"
    with file.open("wb") as out:
        export_jsonl(store, out)
    assert run("import", file, "--db", db).exit_code == 0
    for words in (("show",), ("log",), ("verify",), ("export", "--format", "markdown")):
        result = run(words[0], db, *words[1:])
        assert result.exit_code == 1, (words, result.output)
        assert "Traceback" not in result.output
        assert "unexpected" not in result.stderr


@pytest.mark.parametrize(
    "name",
    ["../../escaped", "/tmp/escaped", "a\x1b]0;x\x07", "CON:", "main\n", "", "-rf", "a" * 65, "\udcff"],
)
def test_import_with_a_hostile_branch(run: Run, tmp_path: Path, name: str) -> None:
    """A branch name in an imported header can neither be a path nor steer a terminal."""
    header, *rest = export().splitlines(keepends=True)
    value = json.loads(header)
    first = json.loads(rest[0])
    value["branches"].append({"name": name, "parent": "main", "at": 1, "digest": first["digest"]})
    body = [json.dumps(value, separators=(",", ":")).encode() + b"\n", *rest[:-1]]
    from tests.fuzz.grounds import sealed

    file = tmp_path / "hostile.jsonl"
    file.write_bytes(sealed(body))
    result = run("import", file, "--db", tmp_path / "new.db")
    assert result.exit_code in (1, 2)
    one_line(result.stderr)
    assert list(tmp_path.iterdir()) == [file]


HOSTILE = "\x1b]0;owned\x07<script>alert(1)</script> [x](javascript:alert(1)) **b** `c` | #\n# second\n"


def test_words_cannot_steer_terminal_or_page(run: Run, fight: Path) -> None:
    """What somebody says is recorded as it is, but told without control characters and without markup."""
    assert run("do", fight, "speak", "fighter", HOSTILE).exit_code == 0
    for words in (("log",), ("show",), ("export", "--format", "markdown")):
        out = run(words[0], fight, *words[1:]).stdout
        assert all(row.isprintable() for row in out.split("\n")), words
    page = run("export", fight, "--format", "markdown").stdout
    assert "\\<script\\>" in page
    assert "<script>" not in page
    assert "[x](javascript" not in page
    assert "\\[x\\](javascript" in page
    assert "\n# second" not in page
    stored = run("log", fight, "--json").stdout
    assert "\x1b" not in stored


def test_titles_cannot_be_markup() -> None:
    """Titles and maps in a Markdown export hold one line of plain text."""
    rows = list(markdown([Line("title", HOSTILE), Line("map", "a\x1b[2Jb\n```\n")]))
    assert all(row.isprintable() for row in rows)
    assert rows[0].count("\\<") == 2


@pytest.mark.parametrize("id", ["\x1b[31mred", "a/b", "", "x" * 61, "new\nline", "\u202eogre", "\ud800"])
def test_hostile_id(id: str) -> None:
    """An id that would steer a terminal, or the names of rolls, is refused."""
    table = set_up(demo("srd35"), MemoryStore(), seed=b"h" * 32)
    sheet = table.state.combatants["fighter"].sheet
    before = table.seq
    try:
        refused = table.declare(acts.Enter(id=id, side="a", sheet=sheet, at=(0, 0))).refused
        assert refused is not None
    except InvalidEntry:
        assert table.seq == before


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        (Sheet("x", -5), "hit points"),
        (Sheet("x\x1b[2J", 5), "printable"),
        (Sheet("", 5), "names"),
        (Sheet("x", 5, speed=-30), "negative"),
        (Sheet("x", 5, speed=900_000), "map"),
        (Sheet("x", 5, space=900_000), "map"),
        (Sheet("x", 5, reach=900_000), "map"),
        (Sheet("x", 5, weapons=(Weapon("w", "9999d9999"),)), "dice"),
        (Sheet("x", 5, weapons=(Weapon("w", "banana"),)), "dice"),
        (Sheet("x", 5, weapons=(Weapon("w", "1d6"), Weapon("w", "1d8"))), "two weapons"),
        (Sheet("x", 5, weapons=(Weapon("w", "1d6", threat=1),)), "threatens"),
        (Sheet("x", 5, weapons=(Weapon("w", "1d6", multiplier=500_000),)), "multiplier"),
        (Sheet("x", 5, spells=(Spell("s", area="burst", area_feet=900_000),)), "area"),
        (Sheet("x", 5, spells=(Spell("s", rounds=-1),)), "negative"),
    ],
)
def test_bad_sheet(sheet: Sheet, said: str) -> None:
    """A sheet that no creature has is refused, however it comes in."""
    table = set_up(demo("srd35"), MemoryStore(), seed=b"h" * 32)
    outcome = table.declare(acts.Enter(id="x", side="a", sheet=sheet, at=(0, 0)))
    assert outcome.refused is not None
    assert said in outcome.refused.reason


@pytest.mark.parametrize(
    "act",
    [
        acts.Move(actor="fighter", path=((1, 1),) * 1_000_000),
        acts.Move(actor="fighter", path=((10**30, 0),)),
        acts.Move(actor="fighter", path="up"),  # type: ignore[arg-type]
        acts.Move(actor=17, path=()),  # type: ignore[arg-type]
        acts.Attack(actor="fighter", target="\ud800"),
        acts.FullAttack(actor="fighter", strikes=(acts.Strike("ogre"),) * 5000),
        acts.Speak(actor="fighter", words="a" * 10_000_000),
        acts.Hazard(target="ogre", dc=10**12),
        acts.Hazard(target="ogre", dc=1.5),  # type: ignore[arg-type]
        acts.Begin(round=10**18),
    ],
    ids=lambda act: type(act).__name__,
)
def test_declaration_beyond_bounds(act: acts.Act) -> None:
    """An act of wrong types or beyond all bounds is refused quickly and leaves no trace."""
    table = Table(middle("srd35", 0))
    before, began = table.seq, time.thread_time()
    with pytest.raises(InvalidEntry, match="declared"):
        table.declare(act)  # type: ignore[arg-type]
    assert time.thread_time() - began < 10
    assert table.seq == before == table.store.head("main").seq


def test_readied_brace_in_a_dialect_without() -> None:
    """A dialect that knows no bracing refuses to ready it instead of failing when it goes off."""
    for dialect in ("futurepath", "woa"):
        table = Table(middle(dialect, 0))
        who = table.state.active or "fighter"
        outcome = table.declare(acts.Ready(actor=who, then=acts.Brace()))
        assert outcome.refused is not None


def test_nobody_has_a_second_turn_when_a_fight_goes_on() -> None:
    """Turns go on in a fight that one side has won, and a newcomer who joins comes in with the next round."""
    store = MemoryStore()
    table = set_up(demo("srd35"), store, seed=b"t" * 32)
    table.declare(acts.Begin())
    sheet = table.state.combatants["fighter"].sheet
    for foe in ("ogre", "goblin"):
        table.declare(acts.Hazard(target=foe, damage="999"))
    over_in = table.state.round
    while table.state.round == over_in:
        assert table.declare(acts.EndTurn(actor=table.state.active)).refused is None
    assert table.declare(acts.Enter(id="late", side="foes", sheet=sheet, at=(0, 0))).refused is None
    while table.state.round == over_in + 1:
        assert table.declare(acts.EndTurn(actor=table.state.active)).refused is None
    assert "late" in table.state.order
    seen: list[tuple[int, str]] = []
    for event in store.read("main"):
        if event.type == "turn.began":
            seen.append((event.round, decode(event).who))
    assert len(seen) == len(set(seen))


def test_turns_ended_on_a_branch_of_a_branch() -> None:
    """A what-if on a what-if gives the turns that policy ends names of their own, and verifies."""
    store = middle("srd35", 2)
    line = "main"
    for _ in range(3):
        ends = [e.seq for e in store.read(line, 20) if e.type == "declared" and b'"end-turn"' in e.data]
        line = what_if(store, line, at=ends[len(ends) // 2], ruling=Ruling("it did not end")).name
        report = verify(store, line)
        assert report.ok, report


def test_broken_log_says_where() -> None:
    """An event whose data is of another type than its name is broken, and is named."""
    store = MemoryStore()
    store.append("main", [Entry("encounter.opened", 1, 0, 0, "", 1, b'{"type":"round.began","number":1}')], 0)
    with pytest.raises(BrokenLog, match="main#1"):
        Table(store)
    out = BytesIO()
    assert export_jsonl(store, out) == 1


def test_scenario_of_wrong_numbers_from_a_program() -> None:
    """Texts are parsed as files are: what TOML allows and no fight does is refused."""
    with pytest.raises(BadScenario, match="auto"):
        parse_scenario('dialect = "srd35"\nmap = ["."]\ncombatants = []\nauto = 999999999999')
