"""`affray log`: every event in a line of its own."""

import json
import re
from pathlib import Path

import pytest

from affray.engine.table.scenario import packaged, packaged_names, play
from affray.engine.text.narrate import Narrator
from affray.events.codec import decode
from affray.events.facts import combat, flow
from affray.events.stores.memory import MemoryStore
from tests.cli.conftest import Run
from tests.cli.terminal import in_terminal

RAW = re.compile(r"[{}\[(]\"|\(\)|\(\(|None|\bd\d+:|  | $|[0-9a-f]{32}")
"""What no line says: structures, empty brackets, ids of effects, digests."""


@pytest.mark.parametrize("name", packaged_names())
def test_each_line_says_its_own_event(name: str) -> None:
    """No line is empty, raw, or says what another event is about."""
    store = MemoryStore()
    play(packaged(name), store)
    narrator, fresh = Narrator(), 0
    for event in store.read("main"):
        fact = decode(event)
        said = narrator.brief(fact)
        assert said
        assert not RAW.search(said), said
        if isinstance(fact, flow.Declared):
            assert f"({fact.id}" in said
            fresh += 1
        if isinstance(fact, combat.HitPointsChanged):
            assert f" {fact.hp}" in said
            assert "takes" not in said
    assert fresh


def test_attacks_name_the_attacker_and_show_the_die(run: Run, played: Path) -> None:
    """An attack says who strikes at whom and with which die, damage which dice it is the sum of."""
    rows = run("log", played).stdout.splitlines()
    attacks = [row for row in rows if " attack.resolved " in row]
    assert attacks
    assert all(re.search(r"\w+, [\w ]+ at \w+: d20 \d+ [+-] \d+ = ", row) for row in attacks)
    hurt = [row for row in rows if " damage.resolved " in row]
    assert all(re.search(r"takes (2 x \()?\d+d\d+([+-]\d+)?\)? \([\d, ]+\)", row) for row in hurt)


def test_turns_and_rounds_stand_under_their_own_place(run: Run, played: Path) -> None:
    """What begins a turn or a round is filed in it, in the list, in why and in the table of events."""
    rows = [row.split() for row in run("log", played).stdout.splitlines()]
    begins = [row for row in rows if row[2] == "turn.began"]
    assert [row[1] for row in begins[:3]] == ["r1.t1", "r1.t2", "r1.t3"]
    assert [row[1] for row in rows if row[2] == "round.began"][:2] == ["r1", "r2"]
    seq = begins[0][0]
    assert f"#{seq}  r1.t1  turn.began" in run("why", played, seq).stdout
    table = run("export", played, "--format", "csv").stdout.splitlines()
    assert next(row for row in table if row.startswith(f"{seq},")).split(",")[1:3] == ["1", "1"]


def test_an_empty_range_says_so(run: Run, played: Path) -> None:
    """Nothing to list is said on standard error, in JSON too; the wrong way round is an error."""
    for more in ((), ("--json",)):
        result = run("log", played, "--from", "start", "--to", "start", *more)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == "there are no events from start to start\n"
    wrong = run("log", played, "--from", "r3", "--to", "r2")
    assert wrong.exit_code == 2
    assert re.fullmatch(r"affray: --from r3 \(event \d+\) comes after --to r2 \(event \d+\)\n", wrong.stderr)
    one = run("log", played, "--from", "7", "--to", "7").stdout
    assert len(one.splitlines()) == 1


def test_a_terminal_wraps_and_cuts_nothing(run: Run, played: Path) -> None:
    """In a narrow terminal every line keeps its outcome, on rows that fit."""
    plain = run("log", played).stdout
    _, shown = in_terminal("log", played, columns=70, PAGER="cat", NO_COLOR="1")
    rows = shown.splitlines()
    assert max(map(len, rows)) <= 70
    assert "..." not in shown
    assert " ".join(shown.split()) == " ".join(plain.split())


def test_json_is_what_was_stored(run: Run, played: Path) -> None:
    """The places in JSON are those of the stored events."""
    first = json.loads(run("log", played, "--json", "--to", "1").stdout)
    assert (first["seq"], first["round"], first["turn"]) == (1, 0, 0)
