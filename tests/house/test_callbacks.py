"""What a program's own dice and policies can do to a log: nothing but throw and answer."""

from collections.abc import Callable
from typing import Any

import pytest

from affray.engine.dice import Manual, Scripted, Seeded, Throw
from affray.engine.steps import Interrupted, Refusal
from affray.engine.table import policies
from affray.engine.table.appending import MustAnswer, NothingAsked, WrongAnswer
from affray.engine.table.policies import BadAnswer, BadThrow
from affray.engine.table.runner import RulesChanged
from affray.engine.table.scenario import parse_scenario, play
from affray.engine.table.scenario_parts import packaged_sheets
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.errors import AffrayError, Conflict, InvalidEntry, LogUnavailable, RequestReused
from affray.events.facts import acts
from affray.events.facts.flow import Refused
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.replay import promote
from affray.replay.explain.disputes import dispute, rule
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.house.links_played import Players
from tests.house.test_waiting import SCENARIO

AWAY = acts.Move(actor="fighter", path=((1, 0), (2, 0)))
"""What asks whether to take an attack of opportunity, and then rolls it."""

RAISED: tuple[BaseException, ...] = (
    StopIteration("over"),
    GeneratorExit(),
    KeyboardInterrupt(),
    RecursionError(),
    Refusal("not today", "srd35.rule"),
    Interrupted(Refused("d1", "gone", "srd35.rule")),
    RulesChanged(None, b"", b""),
    MustAnswer("first"),
    NothingAsked("nothing"),
    WrongAnswer("wrong"),
    Conflict("main", 1, 2),
    RequestReused("again"),
    LogUnavailable("gone"),
    InvalidEntry("bad"),
)


class Dice:
    """A source that answers as it is told."""

    def __init__(self, answer: Callable[[Any, Any], Any]) -> None:
        self.answer = answer

    def throw(self, key: Any, notation: Any) -> Any:
        """Return, or raise, what was told."""
        return self.answer(key, notation)


def raising(error: BaseException) -> Callable[..., Any]:
    """Return a callback that raises."""

    def call(*given: Any) -> Any:
        raise error

    return call


def giving(value: Any) -> Callable[..., Any]:
    """Return a callback that answers the same to everything."""
    return lambda *given: value


def opened() -> Table:
    """Return a fight in which the fighter has a turn to walk away in."""
    return play(parse_scenario(SCENARIO), MemoryStore(), answers=policies.auto)


def check(table: Table, expected: type[BaseException] | tuple[type[BaseException], ...]) -> None:
    """Declare with callbacks that fail: nothing is recorded, and the table goes on with others."""
    before = list(table.store.read("main"))
    with pytest.raises(expected):
        table.declare(AWAY)
    assert list(table.store.read("main")) == before
    assert freeze(fold(before)) == freeze(table.state)
    table.use(answers=policies.auto)
    assert table.declare(AWAY).refused is None
    events = list(table.store.read("main"))
    assert sum(event.type == "rolled" for event in events) > sum(event.type == "rolled" for event in before)
    assert freeze(fold(events)) == freeze(table.state) == freeze(Table(table.store).state)
    assert verify(table.store, "main").ok


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("whose", ["dice", "policy", "person"])
def test_what_a_callback_raises_comes_out_and_nothing_is_recorded(whose: str, error: BaseException) -> None:
    table, call = opened(), raising(error)
    if whose == "policy":
        table.use(answers=call)
    else:
        table.use(dice=Dice(call) if whose == "dice" else Manual(call), answers=policies.auto)
    check(table, type(error))


@pytest.mark.parametrize(
    "value",
    [
        15,
        "seeded",
        (),
        (15, "physical"),
        ((15,), "physical"),
        [Throw((15,), (), (), (), 15), "physical"],
        (Throw((15,), (), (), (), 15), "physical", "more"),
        (Throw((15,), (), (), (), 15), "loaded"),
        (Throw((15,), (), (), (), 15), None),
        (Throw((15,), (), (), (), 15), b"physical"),
        (Throw((15,), (), (), (), 15), "ruling:R1"),
        (Throw((15,), (), (), (), 20), "physical"),
        (Throw((15,), (0,), (), (), 0), "physical"),
        (Throw((15,), (), (0,), (), 15), "physical"),
        (Throw((21,), (), (), (), 21), "physical"),
        (Throw((0,), (), (), (), 0), "physical"),
        (Throw((), (), (), (), 0), "physical"),
        (Throw((15, 3), (), (), (), 18), "physical"),
        (Throw((True,), (), (), (), 1), "physical"),
        (Throw((15.0,), (), (), (), 15), "physical"),  # type: ignore[arg-type]
        (Throw([15], (), (), (), 15), "physical"),  # type: ignore[arg-type]
        (Throw(None, (), (), (), 15), "physical"),  # type: ignore[arg-type]
        (Throw((10**30,), (), (), (), 10**30), "physical"),
    ],
    ids=repr,
)
def test_what_is_no_throw_is_not_recorded(value: Any) -> None:
    table = opened()
    table.use(dice=Dice(giving(value)), answers=policies.auto)
    check(table, BadThrow)


@pytest.mark.parametrize(
    "faces", [15, "x", ["15"], [15.0], [True], [0], [21], [15, 3], {15: 1, 3: 2}, [None]]
)
def test_faces_that_no_die_shows_are_not_recorded(faces: Any) -> None:
    table = opened()
    table.use(dice=Manual(giving(faces)), answers=policies.auto)
    check(table, AffrayError)


def test_dice_of_another_seed_are_not_called_seeded() -> None:
    """Else `verify` would call them loaded as soon as the seed is known."""
    table = opened()
    table.use(dice=Seeded(b"another"), answers=policies.auto)
    check(table, BadThrow)
    again = opened()
    again.use(dice=again.seeded, answers=policies.auto)
    assert again.declare(AWAY).refused is None


@pytest.mark.parametrize(
    "value",
    [
        5,
        "take",
        (),
        ("take",),
        ["take", "me"],
        ("take", "me", "too"),
        ("run", "me"),
        ("", "me"),
        (None, "me"),
        (0, "me"),
        ("take", None),
        ("take", 5),
        ("take", "x" * 201),
        ("take", "\ud800"),
    ],
    ids=repr,
)
def test_what_is_no_answer_is_not_recorded(value: Any) -> None:
    table = opened()
    table.use(answers=giving(value))
    check(table, BadAnswer)
    scripted = opened()
    scripted.use(answers=policies.Scripted({}, then=giving(value)))
    check(scripted, BadAnswer)
    shared = opened()
    shared.use(answers=policies.by_combatant(giving(value)))
    check(shared, BadAnswer)


def test_a_policy_changes_nothing_but_its_own_copy() -> None:
    """It may try what it likes with the fight that it is shown."""

    def meddling(fight: Any, key: str, choice: Any) -> tuple[str, str]:
        for one in fight.state.combatants.values():
            one.hp = -100
            one.conditions["dead"] = one.conditions.get("dead")
        fight.state.round = 99
        fight.key(choice.who, choice.purpose)
        fight.counts.clear()
        fight.declaration = fight.scope = "elsewhere"
        fight.state.combatants.clear()
        return choice.options[0], "meddler"

    plain, meddled = opened(), opened()
    meddled.use(answers=meddling)
    for table in (plain, meddled):
        table.declare(AWAY)
    assert freeze(plain.state) == freeze(meddled.state) == freeze(fold(meddled.store.read("main")))
    assert verify(meddled.store, "main").ok


COMMANDS: dict[str, Callable[[Table], object]] = {
    "declare": lambda table: table.declare(acts.Speak(actor="fighter", words="wait")),
    "choose": lambda table: table.choose("take"),
    "begin a chain": lambda table: table.begin_chain("alex", "00" * 32),
    "leave a chain": lambda table: table.leave_chain("kim"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_callback_that_commands_the_table(command: str) -> None:
    """The table is not to be commanded in the middle of a declaration, by nobody."""
    call = COMMANDS[command]

    def commanding(*given: Any) -> Any:
        call(table)

    for whose in ("policy", "dice"):
        table = opened()
        if command == "leave a chain":
            Players("kim").join(table)
        table.use(answers=commanding) if whose == "policy" else table.use(Dice(commanding), policies.auto)
        before = table.seq
        with pytest.raises(AffrayError, match="neither dice nor a policy can command it"):
            table.declare(AWAY)
        assert table.store.head("main").seq == before == table.seq
        table.use(answers=policies.auto)
        if command == "leave a chain":
            table.leave_chain("kim")
        assert table.declare(AWAY).refused is None
        assert verify(table.store).ok


def test_a_callback_that_gives_to_the_seed() -> None:
    """What is given while the first declaration is decided comes too late as well."""
    table = Table.create(MemoryStore(), dialect="srd35", terrain=["..."] * 3, seed=b"s")

    def giving_words(*given: Any) -> Any:
        table.contribute("alex", "seven purple dragons")

    sheet = packaged_sheets("srd35")["ogre"]
    table.declare(acts.Enter(id="ogre", side="a", sheet=sheet, at=(1, 1)))
    table.use(Dice(giving_words), policies.auto)
    with pytest.raises(AffrayError):
        table.declare(acts.Begin())
    assert table.seq == table.store.head("main").seq
    assert verify(table.store).ok


def test_an_answer_that_fails_leaves_the_question_open() -> None:
    """A person answers, what follows fails: the fight still waits for this answer."""
    table = opened()
    table.use(answers=policies.ask, dice=Dice(giving((15, "physical"))))
    asked = table.declare(AWAY).waiting
    assert asked is not None
    before = table.seq
    with pytest.raises(BadThrow):
        table.choose(asked.options[0])
    assert table.waiting is not None
    assert (table.waiting.key, table.seq) == (asked.key, before)
    table.use(dice=None)
    assert table.choose(asked.options[0]).waiting is None
    assert verify(table.store, "main").ok


def test_a_what_if_asks_policies_as_a_table_does() -> None:
    """Answers that are none are not written to a branch either, and the names of policies fit."""
    table = opened()
    table.use(answers=policies.auto)
    table.declare(AWAY)
    store = table.store
    key = next(e for e in store.read("main") if e.type == "chosen")
    declared = key.cause
    for value in (5, ("run", "me"), ("take", "x" * 201)):
        branch = what_if(store, at=declared, reading={"soft_cover_blocks_aoo": "off"}, answers=giving(value))
        assert verify(store, branch.name).ok


@pytest.mark.parametrize("text", ["x" * 10_001, "\ud800"])
def test_what_people_write_is_read_back_before_it_is_recorded(text: str) -> None:
    """A dispute or a ruling that could not be read again is refused, and nothing is recorded."""
    table = opened()
    store, before = table.store, table.seq
    event = next(e for e in store.read("main") if e.type == "rolled")
    with pytest.raises(InvalidEntry):
        dispute(store, event.seq, by="ysolde", claim=text)
    with pytest.raises(InvalidEntry):
        rule(store, "amend", text, at=event.seq, changes=("fighter.hp=5",))
    with pytest.raises(InvalidEntry):
        rule(store, "amend", "so be it", by=text, scope="onward", changes=("fighter.attack+1",))
    assert store.head("main").seq == before
    what_if(store, at=event.seq, faces={decode(event).key: (3,)}, name="other")
    head = store.head("other").seq
    with pytest.raises(InvalidEntry):
        promote(store, "other", by="\ud800")
    assert store.head("other").seq == head


def test_scripted_dice_are_what_they_say() -> None:
    """Dice of the engine come through the check as they are."""
    table = opened()
    table.use(dice=Scripted([1, 2, 3], then=table.seeded), answers=policies.auto)
    outcome = table.declare(AWAY)
    rolled = next(fact for fact in outcome.facts if type(fact).__name__ == "Rolled")
    assert (rolled.faces, rolled.provenance) == ((1,), "scripted")
