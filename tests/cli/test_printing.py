"""Whatever stands in a log, nothing of it reaches a terminal raw, by whatever command, stream and format."""

import ast
import csv
import io
import json
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import inspect as types

from affray.events import SqliteStore, logging
from affray.events.codec import FACTS
from affray.events.errors import escaped, printable
from affray.replay.cli.group import trace
from affray.replay.cli.terminal import printing
from affray.replay.cli.terminal.base import beginning
from affray.replay.text.ansi import Painted, cleaned, painted
from tests.cli.terminal import in_terminal
from tests.fuzz.commands import ended, filled
from tests.fuzz.monsters import fill, rows, sample
from tests.fuzz.shapes import shape_of

pytestmark = pytest.mark.slow

CLI = Path(printing.__file__).parent

NASTY = "=1+1\x1b[31mred\x1b]0;own\x07\x1b]8;;http://x\x07l\x9b2J\x7f\x00\u202egnol\u2066i\u200bz\ufeff\u2028s\n\tn\r\xad"
"""Escape sequences, links, C0 and C1 controls, marks of direction, what takes no room, line breaks."""

KEPT = {
    "act", "type", "dialect", "notation", "terrain", "state", "seed", "commitment", "dice", "damage", "who",
    "attacker", "target", "bearer", "mount", "id", "order", "aware", "surprised", "standing", "engine",
    "catalogue", "algorithm", "digest",
}  # fmt: skip
"""Fields whose text the log needs as it is, for it to be read that far."""

WHO = "evil\x1b[31m\u202e\nrow"
"""The id of a combatant, which only somebody who wrote the log by hand can have given."""


def nasty(shape: Any, name: str, depth: int = 0) -> Any:
    """Return a value of a shape in which every text and every key is nasty, whatever else it is."""
    match shape:
        case types.StructType():
            made: dict[str, Any] = {} if shape.tag_field is None else {shape.tag_field: shape.tag}
            for field in shape.fields:
                made[field.encode_name] = nasty(field.type, field.encode_name, depth + 1)
            return {key: value for key, value in made.items() if value is not None}
        case types.UnionType():
            if any(isinstance(one, types.NoneType) for one in shape.types) and depth > 3:
                return None
            return nasty(next(one for one in shape.types if not isinstance(one, types.NoneType)), name, depth)
        case types.StrType():
            if name in ("who", "attacker", "target", "bearer", "mount", "id", "of"):
                return WHO
            return sample(shape, name) if name in KEPT else NASTY
        case types.VarTupleType():
            if name in ("order", "aware", "standing"):
                return ["fighter", "ogre", WHO]
            return [] if name in KEPT or depth > 4 else [nasty(shape.item_type, name, depth + 1)]
        case types.TupleType():
            return [nasty(one, name, depth + 1) for one in shape.item_types]
        case types.DictType():
            return {NASTY[:60]: nasty(shape.value_type, name, depth + 1)}
    return sample(shape, name)


def evil() -> dict[str, Any]:
    """Return the fact that somebody came in of whom everything is nasty."""
    sheet = {"name": NASTY, "hp": 9, "feats": [NASTY], "traits": [NASTY], "skills": {NASTY: 3}, "kind": NASTY}
    sheet["weapons"] = [{"name": NASTY, "damage": "1d6"}]
    place = {"at": [5, 5], "space": 1, "reach": 5, "held": [NASTY], "acted": False, "policy": ""}
    health = {"hp": 9, "max_hp": 9, "nonlethal": 0}
    return {"type": "combatant.entered", "id": WHO, "side": NASTY, "sheet": sheet, **place, **health}


def nasty_facts() -> Iterator[dict[str, Any]]:
    """Yield a fact of each kind with nothing but nasty texts in it."""
    for kind in FACTS:
        made = nasty(shape_of(kind), "")
        if made["type"] in ("encounter.opened", "combatant.entered", "refused"):
            continue
        if made["type"] == "declared":
            made["act"] = {"act": "speak", "actor": WHO, "words": NASTY}
            made["id"] = "d9"
        if made["type"] == "round.began":
            made["number"] = 2
        yield made


def opening() -> dict[str, Any]:
    """Return the opening of the fight with nasty names and options, and a door that is called so too."""
    door = {"here": [0, 0], "there": [1, 0], "cover": "total", "door": NASTY}
    options = {"option\x1b[31m": NASTY}
    return {**json.loads(rows()[0][5]), "name": NASTY, "options": options, "barriers": [door]}


def nasty_logs() -> dict[str, list[dict[str, Any]]]:
    """Return the facts of several logs: all that can be told at once, and each kind in a log of its own."""
    ends = ("asked", "branch.promoted", "casting.ended")
    facts = [fact for fact in nasty_facts() if fact["type"] not in ends]
    logs = {"everything": [evil(), *facts]}
    for fact in nasty_facts():
        logs[fact["type"]] = [evil(), fact]
    return logs


def raw(shown: bytes) -> list[str]:
    """Return what of the output would steer a terminal, with what stands around it."""
    text = shown.decode("utf-8", "surrogateescape")
    return [
        ascii(text[max(0, at - 40) : at + 20])
        for at, one in enumerate(text)
        if one != "\n" and not one.isprintable()
    ][:3]


def written(folder: Path, facts: list[dict[str, Any]]) -> dict[str, str]:
    """Write a nasty log with a nasty branch into a file of a nasty name; return the words for it."""
    path = folder / "fight\x1b[31m\u202e\nx.db"
    with SqliteStore(path, synchronous="NORMAL") as store:
        fill(store, rows(*facts))
        digest = next(store.read("main", 4, 5)).digest.hex()
        last = store.head("main").seq
    with closing(sqlite3.connect(path)) as connection, connection:
        sql = "INSERT INTO branches (name, parent, at, digest) VALUES (?, 'main', 5, ?)"
        connection.executemany(sql, [(NASTY[:60], digest), ("other", digest)])
    block = folder / "block\x1b[31m.txt"
    block.write_text(f"{NASTY}\n{NASTY} 12 hp\nAtk {NASTY} +3 (1d6)\n", encoding="utf-8")
    scenario = folder / "s\x1b[31m.toml"
    scenario.write_text(
        'dialect = "srd35"\nmap = ["."]\ncombatants = [{id = "\\u001b[31m"}]\n', encoding="utf-8"
    )
    words = {
        "db": str(path),
        "file": str(block),
        "scenario": str(scenario),
        "text": NASTY.replace("\x00", ""),
    }
    return {**words, "new": str(folder / "new\x1b[31m.db"), "id": WHO, "seq": str(last), "last": "30"}


LOGS = nasty_logs()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each command runs in a process of its own")
@pytest.mark.parametrize("name", [*list(LOGS)[:1], *sorted(list(LOGS)[1:])[::36]])
def test_nothing_raw_from_any_command(tmp_path: Path, name: str) -> None:
    """No command prints a control, an escape, a mark of direction or an invisible character of the log."""
    words = written(tmp_path, [opening(), *LOGS[name]])
    answered = 0
    for command in filled(words):
        (tmp_path / words["new"]).unlink(missing_ok=True)
        if command[0] == "export" and "jsonl" in command:
            continue  # bytes for a file: see the test of the terminal
        found = ended(command, tmp_path)
        ends = b"\r\n" if "csv" in command else b"\n"
        assert raw(found.out.replace(ends, b"\n")) == [], command
        assert raw(found.err) == [], command
        assert found.err.count(b"\n") <= 8, (command, found.err)
        answered += found.status == 0
    assert answered > 20, f"only {answered} commands had anything to say"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each command runs in a process of its own")
def test_rows_stay_rows(tmp_path: Path) -> None:
    """A line break in a name begins no row: one row an event, as many columns as the heading has."""
    words = written(tmp_path, [opening(), *LOGS["everything"]])
    events = len(rows(*LOGS["everything"]))
    assert ended(("log", words["db"]), tmp_path).out.count(b"\n") == events
    table = ended(("export", words["db"], "--format", "csv"), tmp_path).out.decode()
    found = list(csv.reader(io.StringIO(table)))
    assert len(found) == events + 1
    assert {len(row) for row in found} == {8}
    assert table.count("\r\n") == events + 1
    assert not any(cell.startswith(("=", "+", "@", "\t")) for row in found for cell in row)
    branches = ended(("branches", words["db"]), tmp_path).out.decode()
    assert branches.count("\n") == 3
    told = ended(("show", words["db"], "--json"), tmp_path).out
    assert told.count(b"\n") == 1
    assert json.loads(told)["state"]["combatants"][WHO]["sheet"]["name"] == NASTY


@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("log",),
        ("why", "14"),
        ("export", "--format", "jsonl"),
        ("export", "--format", "html"),
        ("export", "--format", "csv"),
        ("branches",),
    ],
    ids=" ".join,
)
def test_nothing_raw_in_a_terminal(tmp_path: Path, words: tuple[str, ...]) -> None:
    """On a terminal there is nothing but colours of ours; what is meant for a file is escaped to be read."""
    given = written(tmp_path, [opening(), *LOGS["everything"]])
    _, shown = in_terminal(words[0], given["db"], *words[1:], PAGER="cat")
    without = re.sub(r"\x1b\[[0-9;]*m", "", shown).replace("\r", "")
    assert raw(without.encode("utf-8", "surrogateescape")) == []
    assert "\x1b[31mred" not in shown
    assert shown


def test_there_is_one_way_to_the_terminal() -> None:
    """No command prints, colours or asks by itself."""
    ways = {"echo", "secho", "style", "prompt", "confirm", "echo_via_pager"}
    for file in sorted(CLI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or file.name in ("printing.py", "prompt_terminal.py"):
                continue
            function = node.func
            where = f"{file.name}:{node.lineno}"
            if isinstance(function, ast.Name):
                assert function.id not in ("print", "input"), where
            elif isinstance(function, ast.Attribute):
                holder = ast.unparse(function.value)
                assert (holder, function.attr in ways) != ("click", True), where
                assert not (holder.startswith("sys.std") and function.attr in ("write", "writelines")), where


def test_texts_keep_their_length() -> None:
    """Character for character, so that columns stay where they are; JSON keeps its meaning."""
    assert len(printable(NASTY)) == len(NASTY)
    assert printable(NASTY).isprintable()
    assert printable("a\tb\nc\x1bd\ud800é") == "a b c?d?é"
    whole = json.dumps({"a\u202e": [NASTY, "\U000e0001"]}, ensure_ascii=False)
    assert escaped(whole).isprintable()
    assert json.loads(escaped(whole)) == json.loads(whole)
    assert escaped('{"a":\t1}') == '{"a": 1}'


def test_colour_is_put_on_what_is_clean() -> None:
    """Only what was cleaned before is coloured, and only that passes as it is."""
    row = painted(NASTY, fg="red")
    assert isinstance(row, Painted)
    assert cleaned(row) is row
    assert row.count("\x1b") == 2
    assert "\x1b" not in cleaned(str("".join(row)) + NASTY)


def test_what_the_tab_key_offers_is_clean() -> None:
    """A name that would steer the terminal is not offered, what is said of one is clean."""
    offered = beginning("", [("good", NASTY), (NASTY, "")])
    assert [one.value for one in offered] == ["good"]
    assert (offered[0].help or "").isprintable()


def test_the_operational_log_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    """What is noted is shown without what would steer a terminal, for eyes and as JSON."""
    for as_json in (False, True):
        logging.show("info", json=as_json)
        logging.info("encounter.opened", name=NASTY)
        logging.hide()
        shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().err)
        assert raw(shown.encode()) == []
        assert shown.count("\n") == 1


def test_a_traceback_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    """--debug shows where it went wrong, and what the error quotes steers nothing."""
    try:
        raise RuntimeError(NASTY)
    except RuntimeError as error:
        trace(type(error), error, error.__traceback__)
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert "RuntimeError: =1+1?[31mred" in shown
    assert raw(shown.encode()) == []
