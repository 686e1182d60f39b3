"""What the fuzzers feed: each target takes bytes and raises AssertionError where a promise is broken.

Whatever comes in, there is a clear refusal (an AffrayError of one line or a Refused value) or a valid
log that verifies; never another exception and never a changed log.
"""

import json
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner

from affray.engine.dice import Seeded, parse, rethrow, seed_of
from affray.engine.table import policies
from affray.engine.table.appending import MustAnswer
from affray.engine.table.runner import RulesChanged
from affray.engine.table.scenario import parse_scenario, play
from affray.engine.table.scenario_parts import Scenario
from affray.engine.table.table import Table
from affray.engine.text.narrate import Narrator, markdown, plain
from affray.events import MemoryStore, SqliteStore
from affray.events.envelope import Entry
from affray.events.errors import AffrayError
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts.flow import AnyAct
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.replay.cli import affray
from affray.replay.log.branches import concerned, fork, locate
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import Ruling, what_if
from tests.fuzz.grounds import DIALECTS, database, export, middle, names, put_database, scenario
from tests.fuzz.reader import Reader
from tests.fuzz.shapes import Hints, shape_of
from tests.fuzz.shapes import plain as made
from tests.fuzz.toml import toml
from tests.house.fights import legal

Target = Callable[[bytes], None]

BUGS = (RulesChanged,)
"""Errors that are lines of ours, but say that the engine contradicts itself."""


@contextmanager
def refusals() -> Iterator[None]:
    """Let clear refusals pass and turn everything else into a failure."""
    try:
        yield
    except AffrayError as error:
        if isinstance(error, BUGS) or "after its first step" in str(error):
            raise AssertionError(f"the engine contradicts itself: {error}") from error
        one_line(str(error))


def one_line(text: str) -> None:
    """Assert that this is one clear line, as the command line prints it, and no book."""
    assert text.strip(), "an error without a word"
    assert len(text) < 2000, f"an error of {len(text)} characters"


def sound(store: MemoryStore, table: Table | None = None) -> None:
    """Assert that a log verifies, that it folds to the live state, and that it can be told."""
    report = verify(store)
    assert report.ok, report
    events = list(store.read("main"))
    if table is not None:
        assert freeze(fold(iter(events))) == freeze(table.state)
    told(events)


def told(events: list[Any]) -> None:
    """Assert that a log can be told without a control character in it."""
    from affray.events.codec import decode
    from affray.projections.state import Encounter

    story = list(Narrator(Encounter()).tell(decode(event) for event in events))
    rows = [row for line in story for row in plain(line)]
    rows += [row for whole in markdown(story) for row in whole.split("\n")]
    for row in rows:
        assert row.isprintable(), ascii(row)


def dice(data: bytes) -> None:
    """Dice notation: what parses is spelled canonically and can be thrown and thrown again."""
    text = data.decode("utf-8", "surrogateescape")
    with refusals():
        notation = parse(text)
        assert parse(str(notation)) == notation
        thrown = Seeded(b"s" * 32).throw("d1/x/attack/1", notation)
        assert thrown is not None
        assert rethrow(notation, thrown[0].faces).total == thrown[0].total


def position(data: bytes) -> None:
    """Positions and seeds: a place in the log or a clear line."""
    text = data.decode("utf-8", "surrogateescape")
    store = middle("srd35", 1)
    for find in (locate, concerned):
        with refusals():
            assert 0 <= find(store, "main", text) <= store.head("main").seq + 1
    with refusals():
        assert len(seed_of(text)) == 32
    with refusals():
        fork(store, "r1", text)


def scenario_text(data: bytes) -> None:
    """A scenario file as text."""
    with refusals():
        found = parse_scenario(data.decode("utf-8", "replace"))
        _played(found)


def scenario_values(data: bytes) -> None:
    """A scenario file of the right shape with wrong values in it."""
    reader = Reader(data)
    dialect = reader.one_of(DIALECTS)
    values = scenario(dialect)
    shape = shape_of(Scenario)
    fields = {field.name: field for field in shape.fields}
    for _ in range(1 + reader.below(3)):
        where = reader.one_of(("combatants", "script", "sheet", "begin", "top", "deep"))
        if where == "top":
            name = reader.one_of(tuple(fields))
            values[name] = made(reader, fields[name].type, _hints_of(dialect), name)
        elif where == "deep":
            _spoil(reader, values, _hints_of(dialect))
        else:
            name = "combatants" if where == "sheet" else where
            found = made(reader, fields[name].type, _hints_of(dialect), name)
            if isinstance(found, list) and isinstance(values.get(name), list) and not reader.rarely():
                values[name] = [*values[name], *found]
            else:
                values[name] = found
    try:
        text = toml(values)
    except ValueError:
        return
    with refusals():
        _played(parse_scenario(text))


def _played(found: Scenario) -> None:
    store = MemoryStore()
    table = None
    try:
        table = play(msgspec.structs.replace(found, auto=min(found.auto, 3)), store, seed=b"p" * 32)
    finally:
        if store.head("main").seq:
            sound(store, table)


def _spoil(reader: Reader, values: Any, hints: Hints) -> None:
    """Replace one value anywhere inside."""
    while True:
        if isinstance(values, dict) and values:
            key: Any = reader.one_of(tuple(values))
        elif isinstance(values, list) and values:
            key = reader.below(len(values))
        else:
            return
        if isinstance(values[key], dict | list) and values[key] and not reader.rarely():
            values = values[key]
            continue
        values[key] = reader.one_of((reader.number(), reader.text(), [], {}, -1, True, 1.5, float("nan")))
        return


def _hints_of(dialect: str) -> Hints:
    ids = [one["id"] for one in scenario(dialect)["combatants"]]
    return {
        "dialect": (dialect,),
        "use": names(dialect),
        "id": (*ids, "new", "newer"),
        "at": ([0, 0], [1, 1], [3, 2], [5, 5]),
        "policy": ("", "auto", "ask", "cautious"),
        **_ids(ids),
    }


def _ids(ids: list[str]) -> dict[str, Any]:
    return dict.fromkeys(
        ("actor", "target", "who", "friend", "opponent", "targets", "unaware", "turn", "after", "side"), ids
    )


def declarations(data: bytes) -> None:
    """Declarations of any shape in the middle of a fight."""
    reader = Reader(data)
    dialect = reader.one_of(DIALECTS)
    store = middle(dialect, reader.below(4) - 1)
    table = Table(store, answers=reader.one_of((policies.auto, policies.ask, policies.cautious)))
    shape = shape_of(AnyAct)
    for _ in range(8):
        if not reader.more:
            break
        if table.waiting is not None:
            options = table.waiting.options
            answer = reader.one_of(options) if options and not reader.rarely() else reader.text()
            with refusals():
                table.choose(answer)
            continue
        active = table.state.combatants.get(table.state.active)
        hints = _acting(table, active)
        values = made(reader, reader.one_of(shape.types), hints)
        if isinstance(values, dict) and reader.byte() < 200 and table.state.active:
            values["actor"] = table.state.active
        try:
            raw = json.dumps(values).encode()
            act = msgspec.json.decode(raw, type=AnyAct)
        except (msgspec.DecodeError, ValueError):
            continue
        before = table.seq
        with refusals():
            outcome = table.declare(act)
            if outcome.refused is not None:
                assert [fact.__struct_config__.tag for fact in outcome.facts] == ["declared", "refused"]
                assert outcome.refused.rule in table.fight.book
        assert table.seq == store.head("main").seq >= before
        legal(table.fight)
    sound(store, table)


def _acting(table: Table, active: Any) -> Hints:
    one = active or next(iter(table.state.combatants.values()))
    ids = list(table.state.combatants)
    weapons = ["", *(weapon.name for weapon in one.sheet.weapons), "unarmed strike"]
    x, y = one.at
    near = [[x + dx, y + dy] for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    return {
        **_ids(ids),
        "weapon": weapons,
        "item": weapons,
        "spell": [spell.name for spell in one.sheet.spells] or ["none"],
        "to": near,
        "walk": [(x, y)],
        "how": ("normal", "defensive", "tumble", "careful"),
        "what": ("attacks", "casts", "moves", "attack", "move", "cast"),
    }


def jsonl(data: bytes) -> None:
    """An exported log with bytes changed, cut out and put in."""
    with refusals():
        store = MemoryStore()
        try:
            import_jsonl(BytesIO(_mutated(data, export())), store)
        except AffrayError:
            assert store.head("main").seq == 0
            assert len(store.branches()) == 1
            raise
        out = BytesIO()
        export_jsonl(store, out)


def jsonl_text(data: bytes) -> None:
    """Anything at all as an exported log."""
    with refusals():
        store = MemoryStore()
        import_jsonl(BytesIO(data), store)


def _mutated(data: bytes, original: bytes) -> bytes:
    """Return a copy of `original` with a few changes that `data` describes."""
    reader, out = Reader(data), bytearray(original)
    for _ in range(1 + reader.below(4)):
        where = (reader.byte() << 16 | reader.byte() << 8 | reader.byte()) % max(1, len(out))
        kind, size = reader.below(5), reader.below(64)
        if kind == 0 and out:
            out[where] ^= 1 << reader.below(8)
        elif kind == 1:
            del out[where : where + size]
        elif kind == 2:
            out[where:where] = bytes(reader.byte() for _ in range(size))
        elif kind == 3:
            out[where : where + size] = bytes(reader.byte() for _ in range(size))
        else:
            del out[where:]
    return bytes(out)


def database_bytes(data: bytes) -> None:
    """A database file with bytes changed: read, verified, exported and played on."""
    spoiled = _mutated(data, database())
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        path = Path(folder) / "fight.db"
        path.write_bytes(spoiled)
        for words in (("show",), ("log", "--json"), ("verify",), ("export", "--format", "jsonl")):
            command([words[0], str(path), *words[1:]])
            assert path.read_bytes() == spoiled, f"{words[0]} wrote into the file"
        with refusals(), SqliteStore(path) as store:
            table = Table(store)
            if table.waiting is None:
                with refusals():
                    play_one(table)


def forged(data: bytes) -> None:
    """A log whose events were changed, dropped, doubled and moved by somebody who made the digests fit."""
    reader = Reader(data)
    dialect = reader.one_of(DIALECTS)
    entries = [
        (event.type, event.round, event.turn, event.actor, event.cause, json.loads(event.data))
        for event in middle(dialect, reader.below(2)).read("main")
    ]
    for _ in range(1 + reader.below(3)):
        where, kind = reader.below(min(len(entries), 65536)), reader.below(6)
        if kind == 0:
            del entries[where]
        elif kind == 1:
            entries.insert(reader.below(len(entries)), entries[where])
        elif kind == 2:
            number, text = reader.number(), reader.text()
            entries[where] = (*entries[where][:1], number, number, text, number, entries[where][5])
        else:
            _spoil(reader, entries[where][5], {})
    store = MemoryStore()
    with tempfile.TemporaryDirectory() as folder:
        path, export_path = Path(folder) / "fight.db", Path(folder) / "fight.jsonl"
        with refusals():
            raw = [
                Entry(kind, 1, *place, json.dumps(facts).encode()) for kind, *place, facts in entries if facts
            ]
            store.append("main", raw, 0)
            with export_path.open("wb") as out:
                export_jsonl(store, out)
            if command(["import", str(export_path), "--db", str(path)]) != 0:
                return
            before = path.read_bytes()
            for words in READINGS:
                command([words[0], str(path), *words[1:]])
            assert path.read_bytes() == before
            command(["do", str(path), "end-turn"])
            command(["whatif", str(path), "--at", "30", "--ruling", "no"])


READINGS = (
    ("show",),
    ("show", "--at", "r1", "--json"),
    ("log",),
    ("verify",),
    ("why", "30"),
    ("branches",),
    ("export", "--format", "markdown"),
)


def play_one(table: Table) -> None:
    """Declare what tactics propose."""
    from affray.engine.table.tactics import next_act

    act = next_act(table)
    if act is not None:
        table.declare(act)


def command(words: list[str]) -> int:
    """Run a command and assert that it answers, or complains in one line; return its status."""
    result = CliRunner().invoke(affray, words, prog_name="affray")
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    assert result.exit_code in (0, 1, 2), result.exit_code
    if result.exit_code == 2:
        assert result.stderr.startswith("affray: "), result.stderr
        assert result.stderr.count("\n") == 1, result.stderr
        assert result.stderr.strip().isprintable(), ascii(result.stderr)
        assert "affray: unexpected" not in result.stderr, result.stderr
    assert "Traceback" not in result.stderr
    return result.exit_code


ACT_WORDS = (
    "attack", "move", "step", "charge", "full-attack", "aid", "ready", "cast", "begin", "hazard", "plan",
    "speak", "close", "withdraw", "coup-de-grace", "ogre", "fighter", "--weapon", "longsword", "--target",
    "--path", "3,2", "4,2 5,2", "--trigger", "moves,ogre,10", "--then", "attack,target=ogre", "--strikes",
    "ogre,longsword", "[", "{", "[[1]]", '{"act":"stand"}', '{"act":"ready","then":{"act":"ready"}}', "NaN",
    "-1", "9" * 30, "9" * 5000, "--dc", "--damage", "1d6", "--to", "--actor", "--unaware", "--round", "--by",
    "--json", "--help", "--ask", "--manual", "end-turn", "a=b,c=d", ",,,", "--actions", "standard,attack",
)  # fmt: skip


def act_words(data: bytes) -> None:
    """`affray do` and its kin with any words; the log holds or grows by a valid declaration."""
    reader = Reader(data)
    commands = ("do", "do", "do", "choose", "whatif", "fork", "show", "why", "log", "promote", "diff", "add")
    name = reader.one_of(commands)
    words = []
    while reader.more and len(words) < 8:
        words.append(reader.text() if reader.rarely() else reader.one_of(ACT_WORDS + EFFECTS))
    words = [word for word in words if word != "--help" and "\x00" not in word]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fight.db"
        put_database(path)
        before = path.read_bytes()
        status = command([name, str(path), *words])
        if status == 2:
            with SqliteStore(path, readonly=True) as store:
                assert _log_of(store) == _before()
        if path.read_bytes() != before:
            with SqliteStore(path, readonly=True) as store:
                assert verify(store).ok
        assert sorted(file.name for file in Path(folder).iterdir() if "-" not in file.name) == ["fight.db"]


def _log_of(store: Any) -> list[bytes]:
    return [event.digest for event in store.read_all()]


def _before() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fight.db"
        put_database(path)
        with SqliteStore(path, readonly=True) as store:
            return _log_of(store)


EFFECTS = (
    "void", "fighter.hp=-12", "ogre.at=3,4", "ogre.at=-5,99999", "ogre+dead", "ogre-prone",
    "fighter.attack+4:cover",
    "ogre.defense-9999", "fighter.hp=999999999999999999999", "fighter+nonsense", "+", "a.hp=1",
    "ogre.save.ref+2",
    "--ruling", "--effect", "--faces", "--reading", "--at", "--as", "20", "r1", "end", "main",
    "other", "diagonals=x",
)  # fmt: skip


def effects(data: bytes) -> None:
    """A what-if with any effects, faces and readings leaves the parent alone and verifies."""
    reader = Reader(data)
    dialect = reader.one_of(DIALECTS)
    store = middle(dialect, 1)
    before = [event.digest for event in store.read("main")]
    ids = list(Table(store).state.combatants)
    keys = [json.loads(event.data)["key"] for event in store.read("main") if event.type == "rolled"]
    found = []
    for _ in range(reader.below(4)):
        who = reader.text() if reader.rarely() else reader.one_of(ids)
        form = reader.one_of(
            (
                "{0}.hp={1}",
                "{0}.at={1},{2}",
                "{0}+{3}",
                "{0}-{3}",
                "{0}.attack{4}",
                "{0}.defense{4}:{3}",
                "{3}",
                "void",
            )
        )
        number, other = reader.number(), reader.number()
        word = reader.one_of(("prone", "dead", "stunned", "blinded", "dying", "grappled", "nonsense"))
        word = reader.text() if reader.rarely() else word
        try:
            found.append(form.format(who, number, other, word, f"{other:+d}"))
        except (ValueError, IndexError):
            continue
    faces = {reader.one_of(keys): [reader.number()] for _ in range(reader.below(2))} if keys else {}
    ruling = Ruling(reader.text(), tuple(found), "") if reader.byte() & 3 else None
    at = reader.one_of((None, 0, 1, 10, 20, 30, 40, 10**9, -5))
    with refusals():
        done = what_if(
            store, at=at, ruling=ruling, faces=faces, name=reader.text() if reader.rarely() else ""
        )
        report = verify(store, done.name)
        assert report.ok, (found, report)
        state = fold(store.read(done.name))
        for one in state.combatants.values():
            assert -(10**6) <= one.hp <= 10**6
            assert 0 <= one.at[0] < 200
            assert 0 <= one.at[1] < 200
    assert [event.digest for event in store.read("main")] == before


def manual(data: bytes) -> None:
    """Answers typed for dice and choices."""
    reader = Reader(data)
    from affray.engine.dice import Manual
    from affray.engine.table.tactics import next_act

    store = middle(reader.one_of(DIALECTS), reader.below(2))
    table = Table(store, answers=policies.ask, dice=Manual(lambda key, notation: None))
    for _ in range(12):
        if table.waiting is None:
            act = next_act(table)
            if act is None:
                break
            table.declare(act)
            continue
        good = table.waiting.options or ("1", "4", "11", "20", "3,3", "100")
        with refusals():
            table.choose(reader.one_of(good) if reader.byte() < 200 else reader.text())
        if table.waiting is not None:
            with refusals(), suppress(MustAnswer):
                play_one(table)
    sound(store, table)


TARGETS: dict[str, Target] = {
    "dice": dice,
    "position": position,
    "scenario-text": scenario_text,
    "scenario-values": scenario_values,
    "declarations": declarations,
    "jsonl": jsonl,
    "jsonl-text": jsonl_text,
    "database": database_bytes,
    "act-words": act_words,
    "forged": forged,
    "effects": effects,
    "manual": manual,
}
"""Every target by the name that the campaign command knows."""
