"""Each check of the referee objects where a good log has been altered, and nowhere else."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from tests.campaigns.played import played, scenarios_of
from tests.referee.referee import CHECKS, judged

pytestmark = pytest.mark.slow

Fact = dict[str, Any]
Log = list[Fact]
Alteration = Callable[[Log], bool]
DIALECTS = ("srd35", "pf1", "futurepath", "woa")
MANY = 400
"""So many scenarios of a dialect are looked at first for one that an alteration fits."""
TRIES = 12
"""An alteration may fall where it means nothing, as a turn that is left out at the very end of a log."""
USED = (
    "longbow",
    "shortbow",
    "pistol",
    "composite bow",
    "sparks",
    "bolt",
    "ray",
    "aid",
    "fireball",
    "missile",
)
"""Supplies of which sheets say how many there are."""


@cache
def log_of(dialect: str, number: int) -> str:
    """Return the log of a scenario of a dialect as JSON."""
    _, case = scenarios_of(dialect)[number]
    return json.dumps([json.loads(event.data) for event in played(case).read("main")])


def logs(dialect: str) -> Iterator[Log]:
    """Yield fresh copies of the logs of a dialect's scenarios, spread over its chapters."""
    count = len(scenarios_of(dialect))
    step = max(1, count // MANY)
    for start in range(step):
        for number in range(start, count, step):
            yield json.loads(log_of(dialect, number))


def objections(log: Log) -> set[str]:
    """Return the names of the checks that object to a log."""
    return {one.check for one in judged(json.dumps(fact).encode() for fact in log)}


def first(log: Log, type: str, fits: Callable[[Fact], bool] = lambda fact: True) -> Fact | None:
    """Return the first event of a type that fits."""
    return next((fact for fact in log if fact["type"] == type and fits(fact)), None)


def changing(type: str, fits: Callable[[Fact], bool], change: Callable[[Fact], Any]) -> Alteration:
    """Return what changes the first event of a type that fits, and says whether there is one."""

    def alter(log: Log) -> bool:
        fact = first(log, type, fits)
        if fact is not None:
            change(fact)
        return fact is not None

    return alter


def doubling(type: str, fits: Callable[[Fact], bool]) -> Alteration:
    """Return what puts the first event of a type that fits there twice."""

    def alter(log: Log) -> bool:
        fact = first(log, type, fits)
        if fact is not None:
            log.insert(log.index(fact), dict(fact))
        return fact is not None

    return alter


def leaving_out(type: str, fits: Callable[[Fact], bool]) -> Alteration:
    """Return what takes the first event of a type that fits away."""

    def alter(log: Log) -> bool:
        fact = first(log, type, fits)
        if fact is not None:
            log.remove(fact)
        return fact is not None

    return alter


def put(name: str, value: Callable[[Any], Any]) -> Callable[[Fact], None]:
    """Return what puts another value into a field, made of what it holds."""

    def change(fact: Fact) -> None:
        fact[name] = value(fact[name])

    return change


def onto_another(log: Log) -> bool:
    """Let a walk end where an enemy of the same size stands, whole and upright."""
    at: dict[str, list[int]] = {}
    sides: dict[str, tuple[str, str]] = {}
    for place, fact in enumerate(log):
        if fact["type"] == "condition.gained":
            return False
        if fact["type"] == "combatant.entered":
            at[fact["id"]] = fact["at"]
            sides[fact["id"]] = fact["side"], fact["sheet"]["size"]
        if fact["type"] == "moved" and fact["how"] == "normal" and fact["path"]:
            side, size = sides[fact["who"]]
            for other, (its_side, its_size) in sides.items():
                if its_side != side and its_size == size == "medium":
                    fact["path"] = [*fact["path"], at[other]]
                    del log[place + 1 :]
                    return True
    return False


def over_early(log: Log) -> bool:
    """Let what is over by its time have been meant to last fifty rounds more."""
    end = first(log, "condition.lost", lambda fact: bool(fact["why"] == "its time is over"))
    if end is None:
        return False
    gains = [
        fact
        for fact in log[: log.index(end)]
        if fact["type"] == "condition.gained"
        and fact["condition"] == end["condition"]
        and fact["who"] == end["who"]
    ]
    for fact in gains:
        fact["until"] = {**fact["until"], "round": fact["until"]["round"] + 50}
    return bool(gains) and first(log, "time.passed") is None


ALTERATIONS: dict[str, tuple[str, Alteration]] = {
    "a walk ends on an enemy": ("squares", onto_another),
    "a walk leads off the map": (
        "squares",
        changing("moved", lambda fact: fact["how"] == "normal", put("path", lambda path: [*path, [-1, 0]])),
    ),
    "a combatant enters in the void": (
        "squares",
        changing("combatant.entered", lambda fact: True, put("at", lambda at: [500, 500])),
    ),
    "a walk sets out from elsewhere": (
        "movement",
        changing("moved", lambda fact: True, put("start", lambda at: [at[0] + 1, at[1]])),
    ),
    "a walk skips a square": (
        "movement",
        changing(
            "moved",
            lambda fact: fact["how"] == "normal" and len(fact["path"]) > 2,
            put("path", lambda path: [path[0], *path[2:]]),
        ),
    ),
    "a walk is too cheap": (
        "movement",
        changing(
            "moved", lambda fact: fact["how"] == "normal" and fact["feet"] > 5, put("feet", lambda n: n - 5)
        ),
    ),
    "diagonals are miscounted": (
        "movement",
        changing("moved", lambda fact: fact["how"] == "normal", put("diagonals", lambda n: n + 5)),
    ),
    "a walk is too long": (
        "movement",
        changing("moved", lambda fact: fact["how"] == "normal", put("feet", lambda n: n + 500)),
    ),
    "an action is spent twice": (
        "budgets",
        doubling(
            "action.spent", lambda fact: fact["kind"] in ("standard", "full-round") and fact["amount"] == 1
        ),
    ),
    "a standard action in another's turn": (
        "budgets",
        leaving_out("turn.began", lambda fact: True),
    ),
    "an opening is answered twice": (
        "reactions",
        doubling("reaction.spent", lambda fact: fact["kind"] == "opportunity"),
    ),
    "nobody gave an opening": (
        "reactions",
        leaving_out("opportunity.provoked", lambda fact: not fact["denied"]),
    ),
    "hit points do not add up": (
        "hit points",
        changing("hit-points.changed", lambda fact: True, put("change", lambda n: n - 1)),
    ),
    "damage is not taken": (
        "hit points",
        changing(
            "hit-points.changed",
            lambda fact: fact["change"] < -1 and fact["hp"] > 1,
            lambda fact: fact.update(hp=fact["hp"] + 1, change=fact["change"] + 1),
        ),
    ),
    "somebody is fit below zero": (
        "hit points",
        leaving_out("condition.gained", lambda fact: fact["condition"] in ("dying", "unconscious")),
    ),
    "the dead rise": (
        "hit points",
        changing(
            "condition.gained",
            lambda fact: fact["condition"] == "dead",
            lambda fact: fact.update(type="condition.lost", why="a mistake"),
        ),
    ),
    "a die shows what it cannot": (
        "dice",
        changing("rolled", lambda fact: fact["notation"] == "1d20", put("faces", lambda faces: [21])),
    ),
    "a die is thrown twice": ("dice", doubling("rolled", lambda fact: True)),
    "a roll does not add up": ("dice", changing("rolled", lambda fact: True, put("total", lambda n: n + 1))),
    "an attack does not add up": (
        "sums",
        changing("attack.resolved", lambda fact: bool(fact["key"]), put("total", lambda n: n + 1)),
    ),
    "a miss hits": (
        "sums",
        changing(
            "attack.resolved",
            lambda fact: fact["result"] == "miss" and 1 < fact["natural"] < 20,
            put("result", lambda result: "hit"),
        ),
    ),
    "a failed save succeeds": (
        "sums",
        changing(
            "check.resolved", lambda fact: bool(fact["key"]), put("success", lambda success: not success)
        ),
    ),
    "damage does not add up": (
        "sums",
        changing("damage.resolved", lambda fact: bool(fact["dice"]), put("total", lambda n: n * 4 + 9)),
    ),
    "something outlasts its time": (
        "ends",
        leaving_out("condition.lost", lambda fact: fact["why"] == "its time is over"),
    ),
    "an effect outlasts its time": (
        "ends",
        leaving_out("effect.ended", lambda fact: fact["why"] == "its time is over"),
    ),
    "something is over too early": ("ends", over_early),
    "a turn is skipped": ("turns", leaving_out("turn.ended", lambda fact: True)),
    "a turn comes twice": ("turns", doubling("turn.began", lambda fact: True)),
    "a round is skipped": (
        "turns",
        changing("round.began", lambda fact: fact["number"] > 1, put("number", lambda n: n + 1)),
    ),
    "the order is upside down": (
        "turns",
        changing("order.set", lambda fact: len(fact["order"]) > 1, put("order", lambda ids: ids[::-1])),
    ),
    "a condition is gained twice": (
        "conditions",
        doubling("condition.gained", lambda fact: fact["condition"] == "prone"),
    ),
    "a condition is lost twice": ("conditions", doubling("condition.lost", lambda fact: True)),
    "an effect holds twice": ("conditions", doubling("effect.gained", lambda fact: True)),
    "a spell beyond its uses": (
        "supplies",
        changing("resource.spent", lambda fact: fact["resource"] in USED, put("amount", lambda n: n + 1000)),
    ),
}


def test_every_check_has_an_alteration() -> None:
    """No check is there of which nothing shows that it can object."""
    assert {check for check, _ in ALTERATIONS.values()} == {kind.name for kind in CHECKS}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ALTERATIONS)
def test_the_referee_objects(name: str, dialect: str) -> None:
    """In a dialect that has such events, the check objects to one of the first logs that are altered so."""
    check, alter = ALTERATIONS[name]
    tried = 0
    for log in logs(dialect):
        if not alter(log):
            continue
        tried += 1
        if check in objections(log):
            return
        if tried == TRIES:
            break
    assert not tried, f"{tried} altered logs of {dialect} pass"
