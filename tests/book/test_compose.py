"""Points made of several contributors: what each kind of combination comes to, and when a stage is asked."""

import ast
import inspect
import linecache
import sys
from collections.abc import Callable, Iterator
from traceback import extract_tb
from types import SimpleNamespace
from typing import Any

import pytest

from affray.engine.chapters import CHAPTERS
from affray.engine.dialects import dialects, load
from affray.engine.record.blow import Blow, BlowDamage, Harm, Intent, Outcome
from affray.engine.record.compose import (
    about,
    any_of,
    choose,
    composition_of,
    first,
    gather,
    listed,
    most,
    name_point,
    named,
    prohibit,
    refine,
    steps,
    when,
)
from affray.engine.steps import NOTHING, Refusal
from affray.events.facts import acts
from affray.events.generated import run_generated
from affray.projections.state import Combatant

#: What a blow has of its own, with fields to ask for.
PARTS = {"intent": Intent, "damage": BlowDamage, "outcome": Outcome}
BLOW = SimpleNamespace(melee=True, kind="attack", target=SimpleNamespace(conditions={"prone": 1}), hit=3)


def say(answer: Any) -> Callable[[Any, Any], Any]:
    """Return a stage that gives an answer, whatever it is asked about."""

    def stage(fight: Any, blow: Any) -> Any:
        return answer

    return stage


def walk(*names: str) -> Callable[[Any, Any], Any]:
    """Return a stage with steps of these names."""

    def stage(fight: Any, blow: Any) -> Any:
        yield from names

    return stage


def plus(number: int) -> Callable[[Any, Any, int], int]:
    """Return a stage that adds a number to what was found."""

    def stage(fight: Any, blow: Any, found: int) -> int:
        return found + number

    return stage


def is_low(fight: Any, blow: Any) -> bool:
    """Say whether a blow lies low."""
    return bool(blow.hit < 3)


@pytest.mark.parametrize(
    ("point", "answer"),
    [
        (gather(say((1, 2)), when("not melee", say((3,))), say(None), when("melee", say((4,)))), [1, 2, 4]),
        (first(say(("", "")), say(()), say(("a", "b")), say(("c", ""))), ("a", "b")),
        (first(say(("", "")), when("kind == 'full'", say(("a", ""))), say(("", "c"))), ("", "c")),
        (choose(when("'dead' in target.conditions", say(1)), when("hit > 2", say(0)), say(2)), 0),
        (choose(when("melee", say(1), holds=is_low), say(2)), 2),
        (most(say(3), when("not melee", say(9)), say(4)), 4),
        (most(say((3, "a")), say((1, "b")), say((3, "c"))), (3, "a")),
        (refine(say(1), plus(2), when("found == 3", plus(4)), when("found == 3", plus(8))), 7),
        (refine(say(1), when(("not melee", "'prone' in target.conditions"), plus(2))), 3),
        (
            refine(gather(say((1,))), when("blow.melee and hit == 3", lambda fight, blow, found: found * 2)),
            [1, 1],
        ),
        (any_of(when("not melee", say(True)), say(False), when("melee", when("hit == 3", say(True)))), True),
        (any_of(say(False), when("not melee", say(True))), False),
    ],
)
def test_a_point_is_what_its_stages_come_to(point: Any, answer: Any) -> None:
    """Each kind of combination gives its answer, asking only the stages whose conditions hold."""
    assert point(None, BLOW) == answer


def test_steps_go_one_after_the_other() -> None:
    """Stages run in order; what a condition asks about is looked at only when its turn comes."""
    blow = SimpleNamespace(angry=False)

    def anger(fight: Any, blow: Any) -> Any:
        blow.angry = True
        yield "anger"

    point = steps(say(None), when("angry", walk("never")), anger, say(NOTHING), when("angry", walk("roar")))
    assert list(point(None, blow)) == ["anger", "roar"]


def test_steps_without_any_are_nothing() -> None:
    """Where no stage has steps there is nothing to go through, and no stage is asked twice."""
    asked: list[int] = []

    def ask(fight: Any, blow: Any) -> None:
        asked.append(1)

    assert steps(ask, when("not melee", walk("never")), say(NOTHING))(None, BLOW) is NOTHING
    assert list(steps(ask, walk("a"), ask)(None, BLOW)) == ["a"]
    assert len(asked) == 3


def test_a_stage_costs_one_call_and_its_condition_none() -> None:
    """A composition is written out: it calls its stages and nothing else."""
    calls: list[str] = []
    point = refine(say(1), when("not melee", plus(1)), plus(1))
    sys.setprofile(lambda frame, event, argument: calls.append(event) if event == "call" else None)
    try:
        point(None, BLOW)
    finally:
        sys.setprofile(None)
    assert len(calls) == 3


@pytest.mark.parametrize("condition", ["f(melee)", "[one for one in kind]", "lambda: 1", "hit + 1"])
def test_a_condition_only_says_what_holds(condition: str) -> None:
    """A condition with a call or a sum in it is refused as the dialect is made."""
    with pytest.raises(ValueError, match="a condition may not call or calculate"):
        gather(when(condition, say(())))


def test_there_is_always_an_answer() -> None:
    """The stage that answers where no other does cannot depend on a condition."""
    for make in (lambda: first(when("melee", say(1))), lambda: refine(when("melee", say(1)))):
        with pytest.raises(ValueError, match="always asked"):
            make()


def refuse(reason: str) -> Callable[[Any, Any, Any], None]:
    """Return a prohibition with this reason."""

    def stage(fight: Any, actor: Any, act: Any) -> None:
        raise Refusal(reason, "rule")

    return stage


def test_a_prohibition_meets_what_it_is_about() -> None:
    """Each is asked about its declarations only, while its condition holds; the first gives the reason."""
    permit = prohibit(
        about((acts.Move, acts.Step), refuse("rooted")),
        about((acts.Cast,), when("'mute' in conditions", refuse("mute"))),
        when("'mute' in conditions", refuse("anything")),
    )
    free, mute = SimpleNamespace(conditions={}), SimpleNamespace(conditions={"mute": 1})
    permit(None, free, acts.Cast(actor="a", spell="ray"))
    permit(None, free, acts.Stand(actor="a"))
    for actor, act, reason in (
        (free, acts.Move(actor="a"), "rooted"),
        (mute, acts.Cast(actor="a", spell="ray"), "mute"),
        (mute, acts.Stand(actor="a"), "anything"),
    ):
        with pytest.raises(Refusal, match=reason):
            permit(None, actor, act)
    prohibit()(None, mute, acts.Stand(actor="a"))
    assert [one.label for one in composition_of(permit).stages] == ["move, step", "cast", ""]


def test_features_are_found_by_their_names() -> None:
    """In the order of the list, each with the detail that the sheet gives, twice for two details."""
    focus, charge, everybody = say(1), say(2), say(3)
    features = listed(everybody, named("weapon focus", focus), named("powerful charge", charge))
    assert features(("weapon focus (club)", "dodge", "weapon focus (bow)")) == (
        (everybody, ""),
        (focus, "club"),
        (focus, "bow"),
    )
    assert features(("powerful charge 2d6",)) == ((everybody, ""), (charge, "2d6"))
    assert features(("weapon focused",)) == ((everybody, ""),)


def test_nothing_is_listed_in_vain() -> None:
    """A name or declarations outside of their lists, or a condition of a feature, are refused at once."""
    for make in (
        lambda: listed(named("dodge", when("melee", say(1)))),
        lambda: listed(about((acts.Move,), say(1))),
        lambda: gather(named("dodge", say(()))),
        lambda: steps(about((acts.Move,), walk("a"))),
        lambda: prohibit(named("dodge", refuse("no"))),
    ):
        with pytest.raises(ValueError, match=r"by its name alone|take no names"):
            make()


def test_what_a_point_is_made_of_can_be_read() -> None:
    """A composition tells its kind and its stages with their conditions; a plain function is a decision."""
    stage = say(1)
    made = composition_of(choose(when("melee", stage), stage))
    assert made.kind == "choose"
    assert [(one.condition, one.function) for one in made.stages] == [("melee", stage), ("", stage)]
    assert composition_of(stage).kind == "decide"


def conditioned(value: Any) -> Iterator[tuple[Any, str]]:
    """Yield the stages below a point, each with the names of what it is given and its condition."""
    made = getattr(value, "composition", None)
    for stage in made.stages if made is not None else ():
        if stage.condition:
            yield value, stage.condition
        yield from conditioned(stage.function)


@pytest.mark.parametrize("dialect", dialects())
def test_conditions_ask_for_what_there_is(dialect: str) -> None:
    """What a condition begins with is a parameter, or an attribute of a blow, of harm or of a combatant."""
    rules, unknown = load(dialect), set()
    there = {*Blow.__struct_fields__, *Harm.__struct_fields__, *Combatant.__struct_fields__}
    for chapter in CHAPTERS:
        record = getattr(rules, chapter)
        for name in record.__struct_fields__:
            for point, condition in conditioned(getattr(record, name)):
                known = there | {*inspect.signature(point).parameters, "found"}
                nodes = list(ast.walk(ast.parse(condition)))
                names = {node.id for node in nodes if isinstance(node, ast.Name)} - known
                for node in nodes:
                    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                        part = PARTS.get(node.value.id)
                        names |= {node.attr} if part and not hasattr(part, node.attr) else set()
                unknown |= {f"{chapter}.{name}: {one}" for one in names}
    assert unknown == set()


def test_a_traceback_shows_the_stage_and_the_point() -> None:
    """Where a stage raises, the frame above it names the point and calls the stage by its name."""

    def careful(fight: object, blow: object) -> list[int]:
        return []

    def broken(fight: object, blow: object) -> list[int]:
        raise ZeroDivisionError

    point = gather(careful, when("weapon.traits", broken))
    name_point(point, "attacks.parts")
    blow = SimpleNamespace(weapon=SimpleNamespace(traits=("trip",)))
    with pytest.raises(ZeroDivisionError) as raised:
        point(None, blow)
    _, written, own = extract_tb(raised.tb)
    assert (written.name, written.line) == ("attacks.parts", "found = broken(fight, blow)")
    assert own.name == "broken"


def test_stages_of_one_name_are_told_apart() -> None:
    """Two stages that were defined under one name, or under one of a parameter, are both asked."""

    def makers(number: int) -> Callable[[object, object], list[int]]:
        def found(fight: object, blow: object) -> list[int]:
            return [number]

        return found

    assert gather(makers(1), makers(2), makers(3))(None, None) == [1, 2, 3]


def test_source_is_stored_once() -> None:
    """Rules that are loaded again do not fill the cache of lines; other source has a name of its own."""
    space: dict[str, Any] = {}
    run_generated("def f():\n    return 1\n", "stored once", space)
    before = len(linecache.cache)
    for _ in range(3):
        run_generated("def f():\n    return 1\n", "stored once", space)
    assert len(linecache.cache) == before
    run_generated("def f():\n    return 2\n", "stored once", space)
    assert linecache.getline("<stored once 2>", 2) == "    return 2\n"
    assert linecache.getline("<stored once>", 2) == "    return 1\n"
