"""What a fight remembers is what it would find out anew: every fight is the same without a memory.

The scenarios of the tables are played both ways in tests/scenarios/conftest.py.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import (
    MOST,
    PASSING,
    AnswerCache,
    Asker,
    Each,
    NullCache,
    Same,
    per_company,
    per_fight,
    per_map,
    per_scene,
    per_sum,
    touched_by,
)
from affray.engine.rules.attacks import attack_roll
from affray.engine.table import policies
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, DoorMoved, HitPointsChanged, Moved
from affray.events.facts.sheet import Sheet
from affray.projections.fold import HANDLERS, TOUCHES
from affray.projections.state import Combatant, Encounter, duplicate
from tests.house.fights import DIALECTS, opened
from tests.house.key_reads import UNREAD
from tests.house.wild import anywhere, wild_act
from tests.scenarios.cases import all_cases
from tests.scenarios.plays import played

FIGHTS = 10
"""Random fights in a lot."""


def fought(dialect: str, seed: int, memory: bool) -> str:
    """Return the digest of a random fight's log: sensible and senseless acts from anywhere on."""
    dice = random.Random(f"{dialect} {seed}")
    store = MemoryStore()
    known = dice.random() < 0.3
    table = opened(dialect, store, seed, memory) if known else anywhere(dice, dialect, store, seed, memory)
    table.use(None, dice.choice((policies.auto, policies.ask, policies.cautious)))
    plan = [] if table.state.begun else [acts.Begin(unaware=())]
    sensible = dice.choice((0.2, 0.5, 0.8))
    for _ in range(60):
        if table.waiting is not None:
            table.choose(dice.choice(table.waiting.options))
            continue
        act: Any = plan.pop() if plan else (next_act(table) if dice.random() < sensible else None)
        table.declare(act if act is not None else wild_act(dice, table.fight))
    assert type(table.fight.memory.scene) is (AnswerCache if memory else NullCache)
    return store.head("main").digest.hex()


@pytest.mark.parametrize("lot", range(5))
@pytest.mark.parametrize("dialect", DIALECTS)
def test_random_fights_are_the_same_without_a_memory(dialect: str, lot: int) -> None:
    """Whatever is declared comes out byte for byte the same if nothing is remembered."""
    for seed in range(lot * FIGHTS, (lot + 1) * FIGHTS):
        assert fought(dialect, seed, True) == fought(dialect, seed, False), seed


def test_a_key_that_lacks_something_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a blow's kind and weapon no part of a key, scenarios would not be the same."""
    plain: Any = attack_roll.standing_parts
    poor = per_scene("blow.attacker.id", "blow.target.id")(plain.__wrapped__)
    monkeypatch.setattr(attack_roll, "standing_parts", poor)
    assert any(
        played(scenario, memory=True).head("main") != played(scenario, memory=False).head("main")
        for _, scenario in all_cases()
    )


def test_every_fact_that_changes_the_state_says_what_it_touches() -> None:
    """What folds a fact tells what a memory forgets after it."""
    assert TOUCHES.keys() == HANDLERS.keys()
    assert touched_by(HitPointsChanged) is None
    forgets = [touched_by(kind) for kind in (Moved, ConditionGained, DoorMoved)]
    assert len(set(forgets)) == 3
    assert None not in forgets


@pytest.fixture
def fight() -> Fight:
    """Return a fight of nobody."""
    return Fight(Encounter(dialect="srd35", terrain=("..",)), load("srd35"))


def counted() -> tuple[list[object], Callable[[Fight, list[object]], int]]:
    """Return a function, and what it was asked for."""
    asked: list[object] = []

    def length(fight: Fight, things: list[object]) -> int:
        asked.append(things)
        return len(things)

    return asked, length


def test_identity_is_not_equality(fight: Fight) -> None:
    """What a key compares by identity is held on to; equals are not the same."""
    asked, length = counted()
    remembered = per_fight(Same("things"))(length)
    for _ in range(50):
        assert remembered(fight, list("ab")) == 2
    one = list("abc")
    assert [remembered(fight, one), remembered(fight, one)] == [3, 3]
    assert len(asked) == 51
    severally = per_sum(Each("things"))(length)
    assert [severally(fight, [one]), severally(fight, [one]), severally(fight, [list("abc")])] == [1, 1, 1]
    assert len(asked) == 53


def test_a_memory_that_keeps_nothing_asks_anew(fight: Fight) -> None:
    """Without a memory each answer is found out each time."""
    asked, length = counted()
    remembered = per_fight(Same("things"))(length)
    forgetful = Fight(fight.state, fight.dialect, memory=False)
    one = list("ab")
    assert [remembered(forgetful, one), remembered(forgetful, one)] == [2, 2]
    assert len(asked) == 2
    assert not any((forgetful.memory.fight, forgetful.memory.scene))


def test_a_scene_ends_with_what_an_answer_reads(fight: Fight) -> None:
    """What depends on places ends with a move, what does not outlasts it; the first scene comes back."""
    fight.state.combatants["one"] = Combatant("one", "a", Sheet("One", hp=1), (0, 0), 1, 5, 1, 1)
    asked: list[str] = []

    @per_scene()
    def near(fight: Fight) -> str:
        asked.append("near")
        return "near"

    @per_company()
    def hurt(fight: Fight) -> str:
        asked.append("hurt")
        return "hurt"

    memory = fight.memory
    memory.begin_again()
    for _ in range(2):
        assert (near(fight), hurt(fight)) == ("near", "hurt")
        assert (memory.scene[near], memory.company[hurt]) == ("near", "hurt")
    assert asked == ["near", "hurt"]
    one = next(iter(fight.state.combatants.values()))
    one.at = (1, 0)
    memory.touch_places()
    assert (near(fight), hurt(fight)) == ("near", "hurt")
    assert asked == ["near", "hurt", "near"]
    memory.touch_combatants()
    assert (near(fight), memory.company[hurt]) == ("near", "hurt")
    assert asked == ["near", "hurt", "near", "near", "hurt"]
    one.at = (0, 0)
    memory.begin_again()
    assert (near(fight), hurt(fight)) == ("near", "hurt")
    assert len(asked) == 5


def test_the_same_facts_lead_to_the_same_position() -> None:
    """A fight that begins again finds what it found out where the same facts have led to; nowhere else."""
    table = opened("srd35", MemoryStore(), 1)
    table.declare(acts.Begin())
    fight = Fight(duplicate(table.state), table.fight.dialect)
    start = duplicate(fight.state)
    asked: list[str] = []

    @per_scene()
    def near(fight: Fight) -> None:
        asked.append("near")

    @per_company()
    def hurt(fight: Fight) -> None:
        asked.append("hurt")

    def tell(fact: Any) -> list[str]:
        HANDLERS[type(fact)](fight.state, fact)
        touched = touched_by(type(fact))
        assert touched is not None
        touched(fight.memory, fact)
        asked.clear()
        near(fight), hurt(fight)
        return asked

    one, other, *_ = fight.state.combatants.values()
    here, there = one.at, (one.at[0], one.at[1] + 1)
    to_there = Moved(who=one.id, start=here, path=(there,), feet=5, diagonals=0, how="normal", cites=())
    prone = ConditionGained(who=other.id, condition="prone", source="x", cites=())
    for again in range(3):
        fight.begin_again(start)
        found = [["near", "hurt"], ["near"]] if again == 0 else [[], []]
        assert [[*tell(prone)], [*tell(to_there)]] == found
        assert tell(replace(prone, source="y")) == ([] if again else ["near", "hurt"])
    fight.begin_again(start)
    assert tell(to_there) == ["near", "hurt"]
    assert tell(prone) == [], "all are where they were in a company that is known"
    fight.begin_again(start)
    fight.memory.touch_everything()
    assert tell(prone) == ["near", "hurt"], "changed by no fact, it is another position"


def test_what_touches_nothing_changes_what_must_stand_in_keys() -> None:
    """A fact that touches nothing changes only that of combatants; one that touches places, these too."""
    seen = set()
    places = {"at", "space", "stretch"}
    for dialect in DIALECTS:
        for seed in range(6):
            dice = random.Random(f"{dialect} {seed}")
            store = MemoryStore()
            table = anywhere(dice, dialect, store, seed, True)
            for _ in range(40):
                if table.waiting is not None:
                    table.choose(dice.choice(table.waiting.options))
                    continue
                act: Any = next_act(table) if dice.random() < 0.5 else None
                table.declare(act if act is not None else wild_act(dice, table.fight))
            state = Encounter()
            for event in store.read("main"):
                fact = decode(event)
                handler = HANDLERS.get(type(fact))
                if handler is None:
                    continue
                before = {id: fields_of(one) for id, one in state.combatants.items()}
                handler(state, fact)
                touches = TOUCHES[type(fact)]
                if touches in ("nothing", "places"):
                    seen.add(type(fact))
                    free = PASSING | UNREAD | (places if touches == "places" else set())
                    for id, one in state.combatants.items():
                        changed = {
                            name for name, found in fields_of(one).items() if found != before[id][name]
                        }
                        assert changed <= free, (fact, changed - free)
    assert len(seen) > 5


def fields_of(one: Combatant) -> dict[str, Any]:
    """Return the fields of a combatant, its dictionaries as they are now."""
    found = {name: getattr(one, name) for name in one.__struct_fields__}
    return {name: dict(value) if isinstance(value, dict) else value for name, value in found.items()}


def test_many_answers_make_room_for_new_ones(fight: Fight) -> None:
    """What goes by places begins anew before it grows without end."""
    doubled = per_map("number")(lambda fight, number: 2 * number)
    for number in range(MOST + 10):
        assert doubled(fight, number) == 2 * number
    assert len(fight.memory.map) < MOST


def steps(fight: Fight, number: int) -> Iterator[int]:
    """Yield a step."""
    yield number


def several(fight: Fight, *numbers: int) -> int:
    """Return how many there are."""
    return len(numbers)


@pytest.mark.parametrize(
    ("decorator", "function", "why"),
    [
        (per_fight(), lambda fight, number: number, "says nothing of 'number'"),
        (per_fight("number", "other"), lambda fight, number: number, "has no 'other'"),
        (per_fight("number"), steps, "cannot be taken twice"),
        (per_fight("numbers"), several, "any number of parameters"),
    ],
)
def test_a_key_that_does_not_fit_is_refused(decorator: Any, function: Any, why: str) -> None:
    """A key speaks of every parameter and of nothing else."""
    with pytest.raises(ValueError, match=why):
        decorator(function)


def test_a_question_about_everybody_needs_no_call() -> None:
    """Looked up by the function, its answer is found out once."""
    kept = AnswerCache(Asker(lambda: 7))
    assert kept[lambda fight: fight + 1] == 8
    assert not kept
