"""Pivots: every single change that makes the difference, and no other, as brute force finds them."""

import ast
import time
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

import affray.engine.dialects
from affray.engine.dice import parse, rethrow
from affray.engine.fight.fight import Fight
from affray.engine.table.scenario import packaged, play
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.timeline import BadPosition
from affray.replay import pivot_branch, pivots
from affray.replay.chance.summaries import Pivots
from affray.replay.difference import diff
from affray.replay.log.playhead import state_at
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.names import UnknownPath
from affray.replay.predicates import BadOutcome, continued, holds, outcome
from affray.replay.whatif.one_change import RecordedLine
from affray.replay.whatif.pivots import throws
from tests.campaigns.pivoting import after_declaration, as_found, at_last, at_round, brute, copy_of
from tests.cli.conftest import Run, copied, played, run  # noqa: F401
from tests.fuzz.monsters import fill, rows
from tests.house.fights import opened

pytestmark = pytest.mark.slow

SECONDS = 5.0


@pytest.fixture(scope="module")
def fight() -> MemoryStore:
    """The packaged srd35 fight."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    return store


def skirmish(seed: int) -> Table:
    """Play the first declarations of the packaged combatants, as automatic play makes them."""
    table = opened("srd35", MemoryStore(), seed)
    table.declare(acts.Begin())
    for _ in range(7):
        act = next_act(table)
        assert act is not None
        table.declare(act)
    return table


def test_they_are_what_brute_force_finds() -> None:
    """Each throw, answer, modifier and reading by itself, decided from the opening and folded anew."""
    table = skirmish(12)
    left, order = table.state.combatants["sorcerer"].hp, table.state.combatants["ogre"].initiative
    declared = [event for event in table.store.read("main") if event.type == "declared"]
    awaited = next(event for event in declared if decode(event).id == "d8")
    for text, asked in (
        (f"sorcerer.hp <= {left}", at_last(lambda state: state.combatants["sorcerer"].hp <= left)),
        (
            f"ogre.initiative >= {order} at r1",
            at_round(1, lambda state: state.combatants["ogre"].initiative >= order),
        ),
        # With another initiative it is declared out of its old order.
        (
            f"sorcerer.hp < 24 at {awaited.seq}",
            after_declaration(decode(awaited).id, lambda state: state.combatants["sorcerer"].hp < 24),
        ),
    ):
        found = pivots(table.store, text)
        told, wanted = as_found(found), brute(table.store, asked)
        assert told.dice == wanted.dice, text
        assert wanted.dice, text
        assert told.others == wanted.others, text
        assert not found.unknown


def test_the_same_come_out_however_many_processes_share_the_work(fight: MemoryStore) -> None:
    """With two as with one, in the same order; `progress` hears of every part."""
    heard: list[tuple[int, int]] = []
    one = pivots(fight, "ysolde is down at r1.t4", progress=lambda done, of: heard.append((done, of)))
    assert pivots(fight, "ysolde is down at r1.t4", jobs=2) == one
    assert heard == [(done, len(heard)) for done in range(1, len(heard) + 1)]


@pytest.fixture(scope="module")
def death(fight: MemoryStore) -> tuple[Pivots, float]:
    """What alone would have saved Ysolde, and the processor time that it took to find out."""
    begun = time.process_time()
    found = pivots(fight, "ysolde dies")
    return found, time.process_time() - begun


def test_all_rolls_of_the_packaged_fight_take_less_than_five_seconds(death: tuple[Pivots, float]) -> None:
    """Of processor time, in one process; and what is found is known to be so."""
    found, took = death
    print(f"{found.tried} single changes of {found.rolls} rolls in {took:.2f} s")
    assert took < SECONDS
    assert (found.holds, found.rolls) == (True, 36)
    chances = {one.key: one.chance for one in found.pivots}
    assert chances["d10/aoo:ogre/attack/1"] == Fraction(9, 20)
    assert chances["d10/aoo:ogre/damage/1"] == Fraction(3, 64)
    assert chances["d19/sorcerer/stabilize/1"] == Fraction(1, 10)
    assert [one.chance or 0 for one in found.pivots] == sorted(
        (one.chance or 0 for one in found.pivots), reverse=True
    )
    skit = next(one for one in found.pivots if one.key == "d8/goblin/attack/1")
    assert [id for id, _, _ in skit.impossible] == ["d10", "d11"], "what she did falls away with her"
    assert skit.told == "Skit's attack roll: 12-19 hits, 20 threatens a critical instead of 7"
    assert skit.percent == 45.0


def test_each_is_a_branch_on_request(fight: MemoryStore, death: tuple[Pivots, float]) -> None:
    """One of each kind: on its branch the outcome is the other way round."""
    store, found = copy_of(fight), death[0]
    kinds = {one.kind: number for number, one in enumerate(found.pivots, 1)}
    assert kinds.keys() == {"die", "choice", "modifier", "reading"}
    for kind, number in kinds.items():
        done = pivot_branch(store, found, number, kind)
        assert list(done.invalidated) == [id for id, _, _ in found.pivots[number - 1].impossible]
        assert "dead" not in at_end(store, kind).state.combatants["sorcerer"].conditions
        assert "Ysolde" in diff(store, "main", kind).sentence


def at_end(store: Store, branch: str = "main") -> Fight:
    """Return the fight as a line ends."""
    return make_fight_context(state_at(store, branch, store.head(branch).seq), None)


@pytest.mark.parametrize("notation", ["1d20", "2d8", "3d6+2", "4d6kh3", "1d8+1d6", "d%"])
def test_throws_are_all_there_are(notation: str) -> None:
    """Every throw is counted once, and those that are told stand for their total and first face."""
    found = throws(notation)
    sides = [term for term in parse(notation).terms if hasattr(term, "sides")]
    possible = 1
    for term in sides:
        possible *= term.sides**term.count
    assert sum(one.ways for one in found) == possible
    assert len({(one.faces[0], one.total) for one in found}) == len(found)
    for one in found:
        assert rethrow(parse(notation), one.faces).total == one.total


SAID = {
    "ysolde dies": True,
    "ysolde is dead": True,
    "Ysolde survives": False,
    "gharm survives and not ysolde lives": True,
    "heroes win": False,
    "monsters win or heroes win": True,
    "heroes lose": True,
    "gharm falls": False,
    "skit is down": True,
    "skit is not dead and skit is prone": True,
    "ysolde.hp <= -10": True,
    "ysolde.hp > -10": False,
    "(ysolde dies or gharm dies) and not (gharm dies)": True,
    "gharm.at = 5,6 or round = 6": True,
    "ysolde.conditions.dead != none": True,
    "ysolde.mount = none": True,
    "ysolde.acted == yes": True,
    "gharm.held = greatclub": True,
}


def test_what_can_be_asked(fight: MemoryStore) -> None:
    """The language, said of the end of the packaged fight, by name or id."""
    end = at_end(fight)
    for text, so in SAID.items():
        asked = outcome(end, text)
        assert asked.of([holds(end, atom) for atom in asked.atoms]) is so, text


def test_it_is_asked_of_positions(fight: MemoryStore) -> None:
    """A round or turn as it begins, an event once its declaration is decided."""
    for text, so in (
        ("ysolde.hp = 24 at r1", True),
        ("ysolde is down at r1.t4", True),
        ("ysolde is down at 42", False),
        ("ysolde is prone at 52", True),
        ("ysolde.hp <= 5 at r1.t2 and not ysolde dies at r4", True),
    ):
        line = RecordedLine(fight, "main", text)
        assert line.outcome.of(line.recorded) is so, text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the outcome ends early: expected a combatant"),
        ("ysolde", "the outcome ends early: expected a verb for ysolde"),
        ("ysold dies", "did you mean ysolde"),
        ("ysolde dyes", "did you mean dies"),
        ("ysolde is pron", "did you mean prone"),
        ("ysolde wins", "is not a side: the sides are heroes, monsters"),
        ("heroes dies", "heroes is a side"),
        ("heros win", "did you mean heroes"),
        ("ysolde.hp <= many", "is a number"),
        ("ysolde.mount <= 3", "only numbers can be compared by size"),
        ("ysolde dies gharm", "can come before 'gharm'"),
        ("(ysolde dies", "the outcome ends early"),
        ("ysolde dies; gharm dies", "did you mean"),
        ("ysolde.hp <= ~", "is a number"),
        ("x" * 501, "at most 500 signs"),
    ],
)
def test_what_it_does_not_know_is_refused_in_one_line(fight: MemoryStore, text: str, why: str) -> None:
    """With the nearest that it knows, before anything is tried."""
    with pytest.raises(BadOutcome, match=why) as raised:
        pivots(fight, text)
    assert "\n" not in str(raised.value)


def test_unknown_paths_and_positions_are_refused(fight: MemoryStore) -> None:
    """As everywhere else."""
    with pytest.raises(UnknownPath, match="did you mean hp"):
        pivots(fight, "ysolde.hpp <= 3")
    with pytest.raises(BadPosition):
        pivots(fight, "ysolde dies at r99")
    with pytest.raises(BadPosition):
        pivots(fight, "ysolde dies at noon")


def test_it_is_completed(fight: MemoryStore) -> None:
    """Words that begin as what was typed; what is offered is understood."""
    end = at_end(fight)
    offered = list(continued(end, "sorcerer d"))
    assert offered == ["sorcerer dies"]
    assert "heroes win" in [one[: len("heroes win")] for one in continued(end, "heroes w")]
    for one in continued(end, "not ogre is p"):
        assert outcome(end, one).atoms
    assert "ogre dies and " in continued(end, "ogre dies")


def test_the_command_tells_them(run: Run, played: Path, tmp_path: Path) -> None:  # noqa: F811
    """In words, as JSON, and as a branch; a number that there is not is said so."""
    words = ("pivots", played, "--jobs", 1, "--outcome", "ysolde is down at r2")
    told = run(*words)
    assert told.exit_code == 0
    assert "45.0 %  #51   Gharm's attack roll: 1-9 misses instead of 13" in told.stdout
    raw = msgspec.json.decode(run(*words, "--json").stdout)
    assert raw["holds"] is True
    assert raw["pivots"][0]["ways"] > 0
    db = copied(played, tmp_path / "own.db")
    number = next(at for at, one in enumerate(raw["pivots"], 1) if one["seq"] == 51)
    own = ("pivots", db, "--jobs", 1, "--outcome", "ysolde is down at r2")
    made = run(*own, "--branch", number, "--as", "lucky")
    assert made.exit_code == 0
    assert "Gharm misses Ysolde with the greatclub" in made.stdout
    assert run("verify", db, "--branch", "lucky").exit_code == 0
    assert "they go from 1 to" in run(*own, "--branch", 99).stderr
    assert run(*own, "--as", "lucky").exit_code == 2
    assert run("pivots", db, "--outcome", "nobody dies").exit_code == 2


def test_the_rules_read_the_total_and_the_first_face_of_a_throw() -> None:
    """And nothing else of its faces: throws that have both in common need not be told apart.

    But for questions that offer single dice of a roll, and for rolls in `kernel.single_dice`: their throws
    are tried set by set.
    """
    for folder in ("rules", "dialects", "fight", "record"):
        for file in (Path(affray.engine.dialects.__file__).parents[1] / folder).rglob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            first = {
                node.value
                for node in ast.walk(tree)
                if isinstance(node, ast.Subscript)
                and isinstance(node.slice, ast.Constant)
                and node.slice.value == 0
            }
            read = [
                node
                for node in ast.walk(tree)
                if isinstance(node, ast.Attribute)
                and node.attr in ("faces", "dropped", "rerolled", "exploded")
            ]
            others = [ast.unparse(node) for node in read if node not in first]
            single = {"rolled.faces", "again.faces", "each.faces"} if file.parent.name == "srd52" else set()
            assert set(others) <= {"sums.faces", *single}, (
                f"{file.name} reads {others}: see single_changes.throws"
            )


def test_a_roll_that_shows_no_face_is_tried_like_others() -> None:
    """A log from elsewhere may record a total without faces: every throw differs from it."""
    from_elsewhere = {"provenance": "imported", "algorithm": "given", "faces": [], "total": 1}
    odd = {"type": "rolled", "key": "d1/fighter/damage/1", "who": "fighter", "notation": "1d6"}
    store = MemoryStore()
    fill(store, rows(odd | from_elsewhere))
    found = pivots(store, "fighter dies")
    assert not found.pivots
