"""A fight that waits for an answer: committed, picked up elsewhere, stopped by changed rules."""

import subprocess
from pathlib import Path

import pytest

from affray.engine.table import policies
from affray.engine.table.appending import MustAnswer, NothingAsked, WrongAnswer
from affray.engine.table.runner import RulesChanged
from affray.engine.table.scenario import parse_scenario, play
from affray.engine.table.table import Table
from affray.events import MemoryStore, SqliteStore
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, HitPointsChanged
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.replay.workers import PYTHON

SCENARIO = """
dialect = "srd35"
name = "a step past the ogre"
seed = "waiting"
map = ["........", "........", "........"]
dice = {"ogre/initiative" = 18, "fighter/initiative" = 3}
combatants = [
  {id = "fighter", side = "heroes", use = "fighter", at = [0, 0]},
  {id = "ogre", side = "monsters", use = "ogre", at = [3, 0]},
]
[[script]]
do = {act = "end-turn", actor = "ogre"}
"""

MOVE = acts.Move(actor="fighter", path=((1, 0), (2, 0)))

ANSWER = """
import sys
from affray.engine.table.table import Table
from affray.events import SqliteStore
with SqliteStore(sys.argv[1]) as store:
    table = Table(store)
    print(table.waiting.who, table.choose("take", "another person").events[0].type)
"""


def waiting(store: Store) -> Table:
    """Return a table whose fighter has moved through the ogre's reach, waiting for the ogre's player."""
    table = play(parse_scenario(SCENARIO), store, answers=policies.ask)
    outcome = table.declare(MOVE)
    assert outcome.waiting is not None
    assert outcome.waiting.options == ("take", "trip", "disarm", "grapple", "decline")
    return table


def test_what_happened_before_the_question_is_committed() -> None:
    """The beginning of the declaration, the provocation and the question stand in the log."""
    store = MemoryStore()
    waiting(store)
    kinds = [event.type for event in store.read("main")]
    assert kinds[-5:] == ["declared", "action.spent", "moved", "opportunity.provoked", "asked"]


def test_another_process_answers(tmp_path: Path) -> None:
    """Another process opens the file, sees the question, answers, and the fight goes on from there."""
    path = tmp_path / "fight.db"
    with SqliteStore(path) as store:
        waiting(store)
    done = subprocess.run(
        [*PYTHON, "-c", ANSWER, str(path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["ogre", "chosen"]
    with SqliteStore(path) as store:
        table = Table(store)
        assert table.waiting is None
        assert table.state.combatants["fighter"].at == (2, 0)
        assert freeze(fold(store.read("main"))) == freeze(table.state)


def test_answering_equals_never_having_waited() -> None:
    """The same answer given at once by a policy leads to the same dice and the same state."""
    store = MemoryStore()
    waiting(store).choose("take")
    at_once = MemoryStore()
    table = play(parse_scenario(SCENARIO), at_once)
    table.declare(MOVE)
    assert freeze(fold(store.read("main"))) == freeze(table.state)


def test_a_declaration_must_wait_for_the_answer() -> None:
    """While a question is open nothing else can be declared, and only its options are answers."""
    table = waiting(MemoryStore())
    before = table.seq
    with pytest.raises(MustAnswer, match="take the attack of opportunity"):
        table.declare(acts.EndTurn(actor="fighter"))
    with pytest.raises(WrongAnswer, match="take, trip, disarm, grapple, decline"):
        table.choose("perhaps")
    assert table.seq == before
    table.choose("decline")
    with pytest.raises(NothingAsked):
        table.choose("take")


def test_changed_rules_are_named_and_a_ruling_goes_on() -> None:
    """If the rules now decide the beginning differently, the place is named and nothing is appended."""
    store = MemoryStore()
    waiting(store)
    changed = Table(store, changes={"srd35.aoo.limit/per_round": 0})
    before = changed.seq
    with pytest.raises(RulesChanged, match=r"main#\d+: recorded .*opportunity.provoked.*a ruling is needed"):
        changed.choose("take")
    assert changed.seq == before
    outcome = changed.declare(acts.Rule(text="we play on as it stands", author="GM"))
    assert [event.type for event in outcome.events] == ["ruled"]
    assert changed.waiting is None
    assert changed.declare(acts.EndTurn(actor="fighter")).refused is None


def test_people_may_throw_the_dice() -> None:
    """Without a seed the fight waits for each roll; typed faces are recorded as physical."""
    store = MemoryStore()
    table = play(parse_scenario(SCENARIO), store)
    table.use(dice=Nobody())
    assert table.declare(acts.Move(actor="fighter", path=((1, 0), (2, 0)))).waiting is not None
    outcome = table.choose("15")
    rolled = next(fact for fact in outcome.facts if type(fact).__name__ == "Rolled")
    assert (rolled.faces, rolled.provenance) == ((15,), "physical")
    assert any(isinstance(fact, AttackResolved) and fact.natural == 15 for fact in outcome.facts)
    assert table.waiting is not None
    assert table.waiting.notation == "2d8"
    with pytest.raises(WrongAnswer):
        table.choose("four")
    outcome = table.choose("4, 6")
    assert any(isinstance(fact, HitPointsChanged) for fact in outcome.facts)


class Nobody:
    """A source of dice that never has any."""

    def throw(self, key: object, notation: object) -> None:
        """Leave every roll to people."""
        return
