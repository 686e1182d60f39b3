"""What is told to be open to a combatant is never refused, and what is left out is."""

import random
from collections.abc import Iterator

import pytest

from affray.engine.rules.movement.movement import knows_of
from affray.engine.rules.turns.proposals import straight
from affray.engine.table.appending import MustAnswer, Nobody, Outcome
from affray.engine.table.legal import NOT_ALL, Legal, legal
from affray.engine.table.scenario import fixed_seed, parse_scenario, play_line, set_up
from affray.engine.table.scenario_parts import Line, Scenario
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.combat import Moved, Provoked
from affray.events.facts.flow import AnyAct, RuleApplied
from affray.projections.state import freeze
from tests.bench import arena
from tests.house.fights import opened, play_wildly
from tests.relatives import RELATIVES
from tests.scenarios.cases import cases_of
from tests.timing import seconds

pytestmark = pytest.mark.slow

PAST_A_GUARD = """
name = "past a guard"
dialect = "srd35"
map = ["........", "........", "........", "........", "........", "........", "........"]
combatants = [
  {id = "scout", side = "heroes", use = "goblin", at = [0, 4], initiative = 20, change = {speed = 30}},
  {id = "guard", side = "guards", use = "fighter", at = [3, 3], initiative = 10, acted = true},
  {id = "fallen", side = "guards", use = "fighter", at = [7, 0], hp = -3, initiative = 5, acted = true},
]
"""
EVERY = 50
"""Each so many-th scenario of a dialect is gone through."""
SAMPLE = 5


def outcome_of(table: Table, act: AnyAct) -> Outcome:
    """Return what comes of a declaration, made on a branch of its own from here."""
    store = table.store
    name = f"try-{len(store.branches())}"
    store.fork(name, table.branch, store.head(table.branch).seq)
    return Table(store, name).declare(act)


def played(table: Table, act: AnyAct) -> str:
    """Return why a declaration would be refused, "" if it would not."""
    refused = outcome_of(table, act).refused
    return refused.reason if refused is not None else ""


def comes_to_nothing(table: Table, act: AnyAct) -> bool:
    """Say whether a declaration is done in vain: somebody unseen is in the way, or the mover falls first."""
    facts = outcome_of(table, act).facts
    if any(isinstance(fact, RuleApplied) and "whom it has not perceived" in fact.what for fact in facts):
        return True
    return isinstance(act, acts.Move) and not any(isinstance(fact, Moved) for fact in facts)


def asked(table: Table, dice: random.Random) -> Legal | None:
    """Return what is open to whose turn it is, having declared samples of that and of the rest."""
    if table.waiting is not None or not table.state.active or table.state.closed:
        return None
    before = freeze(table.state)
    found = table.legal()
    assert freeze(table.state) == before
    assert len(set(found.open)) == len(found.open)
    for act in dice.sample(found.open, min(SAMPLE, len(found.open))):
        assert played(table, act) == "", act
    for act in left_out(table, found, dice):
        assert played(table, act) != "" or comes_to_nothing(table, act), act
    actor = table.state.combatants[found.who]
    if any(not knows_of(table.fight, actor, one) for one in table.state.combatants.values()):
        thought = [act for act in legal(table.fight, actor, known=True).open if act not in found.open]
        for act in dice.sample(thought, min(SAMPLE, len(thought))):
            assert played(table, act) == "", act
    return found


def left_out(table: Table, found: Legal, dice: random.Random) -> Iterator[AnyAct]:
    """Yield declarations by the same combatant, of kinds that are listed whole, which the list has not."""
    actor = table.state.combatants[found.who]
    kinds = {type(act) for act in found.open}
    squares = {act.path[-1] for act in found.open if isinstance(act, acts.Move)}
    rows = table.state.terrain
    for _ in range(SAMPLE):
        to = dice.randrange(len(rows[0])), dice.randrange(len(rows))
        if to not in squares and to != actor.at and not actor.mount and "move" not in found.not_all:
            yield acts.Move(actor=actor.id, path=straight(actor.at, to))
    known = {one.name for one in actor.sheet.weapons}
    for _ in range(SAMPLE):
        weapon, target = dice.choice([*sorted(known), "broom"]), dice.choice(list(table.state.combatants))
        for act in (
            acts.Attack(actor=actor.id, target=target, weapon=weapon),
            acts.Trip(actor=actor.id, target=target, weapon=weapon),
            acts.Step(
                actor=actor.id, to=(actor.at[0] + dice.randint(-2, 2), actor.at[1] + dice.randint(-2, 2))
            ),
        ):
            listed = type(act) not in NOT_ALL or type(act) not in kinds
            if listed and act not in found.open and type(act) in table.fight.dialect.acts:
                yield act


def test_what_the_unseen_bar_is_open_as_far_as_one_knows() -> None:
    """Their squares, and the ways past them; who knows better is told so."""
    scenario = parse_scenario(
        PAST_A_GUARD.replace("initiative = 10", 'initiative = 10, conditions = ["invisible"]')
    )
    table = set_up(scenario, MemoryStore(), seed=fixed_seed(scenario))
    table.declare(acts.Begin())
    scout = table.state.combatants["scout"]
    true, thought = (legal(table.fight, scout, known=known) for known in (False, True))
    assert (3, 3) not in {way.to for way in true.ways}
    assert (3, 3) in {way.to for way in thought.ways}
    assert any("guard" in way.past for way in true.ways)
    assert not any("guard" in way.past for way in thought.ways)
    into = next(act for act in thought.open if isinstance(act, acts.Move) and act.path[-1] == (3, 3))
    assert into not in true.open
    assert comes_to_nothing(table, into)


@pytest.mark.parametrize("dialect", RELATIVES)
def test_in_random_fights(dialect: str) -> None:
    """Whatever has been declared before."""
    seen = 0
    for seed in range(3):
        dice = random.Random(f"{dialect} {seed}")
        table = opened(dialect, MemoryStore(), seed)
        table.declare(acts.Begin())
        for _ in range(6):
            play_wildly(table, dice, 3)
            seen += asked(table, dice) is not None
    assert seen > 3


@pytest.mark.parametrize("dialect", RELATIVES)
def test_in_the_middle_of_scenarios(dialect: str) -> None:
    """In all states that the tables bring about: mounted, grappled, prone, turned, in the air."""
    seen = 0
    for scenario in list(cases_of(dialect).values())[::EVERY]:
        dice = random.Random(scenario.name)
        for table in states_of(scenario):
            seen += asked(table, dice) is not None
    assert seen > 10


def states_of(scenario: Scenario) -> Iterator[Table]:
    """Yield the table of a scenario after each of its lines."""
    table = set_up(scenario, MemoryStore(), seed=fixed_seed(scenario))
    for line in (Line(scenario.begin.act(), scenario.dice, scenario.choose), *scenario.script):
        play_line(table, line, spare=[])
        yield table


@pytest.mark.parametrize("dialect", RELATIVES)
def test_a_way_tells_its_cost_whom_it_passes_and_what_leads_around(dialect: str) -> None:
    """It costs what the move then costs, nobody else strikes, and nobody at all on the way around."""
    told = 0
    for seed in range(4):
        table = opened(dialect, MemoryStore(), seed)
        table.declare(acts.Begin())
        play_wildly(table, random.Random(seed), 9)
        while not table.state.active and (act := next_act(table)) is not None:
            table.declare(act)
        if not table.state.active:
            continue
        found = table.legal()
        for way in found.ways:
            facts = outcome_of(table, acts.Move(actor=found.who, path=way.path)).facts
            assert {one.by for one in facts if isinstance(one, Provoked) and not one.denied} <= {*way.past}
            gone = [one for one in facts if isinstance(one, Moved)]
            assert not gone or gone[-1].path[-1:] != (way.to,) or sum(one.feet for one in gone) == way.feet
            told += bool(way.past)
            if way.around:
                assert way.past
                assert way.around[-1] == way.to
                facts = outcome_of(table, acts.Move(actor=found.who, path=way.around)).facts
                assert not [one for one in facts if isinstance(one, Provoked)]
    assert told


def test_the_best_way_leads_past_and_a_longer_one_around() -> None:
    """Straight past the guard costs 25 feet; around it two of five squares are diagonals, 30 feet."""
    table = set_up(parse_scenario(PAST_A_GUARD), MemoryStore())
    table.declare(acts.Begin())
    ways = {way.to: way for way in table.legal("scout").ways}
    assert (ways[5, 4].feet, ways[5, 4].past) == (25, ("guard",))
    assert ways[5, 4].around == ((1, 4), (2, 5), (3, 5), (4, 5), (5, 4))
    assert (ways[6, 4].feet, ways[6, 4].around) == (30, ())
    assert (ways[5, 6].feet, ways[5, 6].past) == (30, ())
    assert (3, 3) not in ways
    assert (7, 4) not in ways


BESIDE_A_DOOR = """
name = "beside a door"
dialect = "{dialect}"
map = ["........", "........"]
combatants = [
  {{id = "goblin", side = "heroes", use = "goblin", at = [0, 0], initiative = 20}},
  {{id = "near", side = "house", use = "door", at = [1, 0], initiative = 2}},
  {{id = "far", side = "house", use = "door", at = [4, 0], initiative = 1}},
  {{id = "ogre", side = "ogres", use = "ogre", at = [6, 0], initiative = 5}},
]
sheets = {{door = {{name = "Door", hp = 10, thing = {{table = "simple wooden door"}}}}}}
"""


@pytest.mark.parametrize("dialect", ["futurepath", "pf1", "srd35"])
def test_doors_in_reach_are_told(dialect: str) -> None:
    """Those beside one are opened and closed, nothing else is; one that is open is not opened again."""
    table = set_up(parse_scenario(BESIDE_A_DOOR.format(dialect=dialect)), MemoryStore())
    table.declare(acts.Begin())

    def doors() -> set[tuple[str, str]]:
        handled = (one for one in table.legal("goblin").open if isinstance(one, acts.Handle))
        return {(one.item, one.what) for one in handled if one.what in ("open", "close")}

    if dialect != "futurepath":  # there a door is a thing with an action of its own, and bars no way
        assert doors() == {("near", "open"), ("near", "close")}
        return
    assert doors() == {("near", "open")}
    assert (
        played(table, acts.Handle(actor="goblin", item="near", what="close")) == "the near is closed already"
    )
    table.declare(acts.Handle(actor="goblin", item="near", what="open"))
    assert doors() == {("near", "close")}


def test_what_takes_words_of_ones_own_is_told_only_to_who_may_declare_it() -> None:
    """Whoever lies dying readies nothing, and nobody flies by without the feat: a rule refuses both."""
    table = set_up(parse_scenario(PAST_A_GUARD), MemoryStore())
    table.declare(acts.Begin())
    scout, fallen = table.legal("scout"), table.legal("fallen")
    assert "ready" in scout.not_all
    assert {one.rule for one in scout.closed if one.kind == "flyby"} == {"srd35.feat.flyby-attack"}
    assert "ready" not in fallen.not_all
    assert [one for one in fallen.closed if one.kind == "ready"]


def test_who_is_nobody_and_a_fight_that_waits_are_told() -> None:
    """An id that nobody has, no turn that is running, a question that is open."""
    table = opened("srd35", MemoryStore(), 1)
    with pytest.raises(Nobody, match="no turn is running"):
        table.legal()
    with pytest.raises(Nobody, match="no combatant 'zed'"):
        table.legal("zed")
    table = Table(table.store, hands=["everybody"])
    table.declare(acts.Begin())
    with pytest.raises(MustAnswer):
        table.legal("fighter")


def test_four_against_four_are_told_in_time() -> None:
    """What is open to one of eight in the middle of a fight is known after 50 ms of the processor's time."""
    table = arena.opened(MemoryStore())
    table.declare(acts.Begin())
    for _ in range(12):
        table.declare(next_act(table) or acts.EndTurn(actor=table.state.active), "tactics")
    table.legal()
    assert len(table.state.combatants) == 8
    assert table.legal().open
    assert seconds(table.legal, 0.05, tries=10) < 0.05
