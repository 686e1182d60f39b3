"""Declarations that are held for the game master: refused by what their player cannot know."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cloudevents")
pytest.importorskip("jsonschema_rs")

from tests.serve import contract
from tests.serve.served import Served, server, small_fight

INTO = [[2, 1], [3, 1]]
"""The way into the square of the imp, who is hidden."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Serve the small fight, where it is the hero's turn and the imp is hidden."""
    small_fight(tmp_path / "fight.db")
    with server(tmp_path / "fight.db") as running:
        running.ask(running.master, "POST", "/hidden", {"combatant": "imp", "hidden": True})
        yield running


def fits(answer: Any, method: str, path: str, status: int) -> Any:
    """Return what is answered, as the document has it."""
    assert answer.status == status, answer.text
    validator = contract.answers(method, path, status)
    assert validator is not None
    assert contract.faults(validator, answer.json) == []
    return answer.json


def told_held(events: Iterator[tuple[str, Any]]) -> list[Any]:
    """Return what the next event of the feed tells is held."""
    kind, event = next(events)
    assert (kind, list(contract.held(event))) == ("held", [])
    held: list[Any] = event["data"]["held"]
    return held


def test_what_only_the_hidden_forbid_is_held(served: Served) -> None:
    """The player is told that the game master has it, who is told why; nobody else is told anything."""
    player, other = served.access.invite("player", ["hero"]), served.access.invite("player", ["friend"])
    before = served.get(player, "/session")["position"]
    with served.following(player) as mine, served.following(served.master) as all_of_it:
        answer = served.declare(player, "move", actor="hero", path=INTO)
        done = fits(answer, "POST", "/declarations", 202)
        assert (done["held"], done["refused"], done["events"], done["position"]) == (
            "hero-1",
            None,
            [],
            before,
        )
        (own,), (whole,) = told_held(mine), told_held(all_of_it)
    assert (own["who"], own["status"], own["reason"], own["rule"]) == ("hero", "waiting", "", "")
    assert own["label"] == "move to 3,1"
    assert (whole["reason"], whole["rule"]) == ("imp is at 3,1", "srd35.pass.ending-movement")
    assert served.get(player, "/session")["position"] == before
    for guest, seen in ((player, [own]), (other, []), (served.master, [whole])):
        assert fits(served.ask(guest, "GET", "/held"), "GET", "/held", 200)["held"] == seen
    with served.following(player) as again:
        assert told_held(again) == [own]


def test_it_is_held_once(served: Served) -> None:
    """The same request again is answered the same, another one under its id is not done."""
    player = served.access.invite("player", ["hero"])
    body = {"act": {"act": "move", "actor": "hero", "path": INTO}}
    first = served.post(player, "/declarations", "one", **body)
    assert first.status == 202
    assert served.post(player, "/declarations", "one", **body).json == first.json
    late = {"act": {"act": "end-turn", "actor": "hero"}, "expected": "main:0:1"}
    assert served.post(player, "/declarations", **late).json["error"]["code"] == "stale_position"
    assert served.get(player, "/held")["held"][0]["status"] == "waiting"
    body["act"]["path"] = INTO[:1]
    assert served.post(player, "/declarations", "one", **body).json["error"]["code"] == "request_reused"
    assert served.post(player, "/declarations", "two", **body).json["refused"] is None
    assert served.get(player, "/held")["held"] == []


def test_the_game_master_turns_it_down(served: Served) -> None:
    """With words that the player is told; once, whatever is asked after that."""
    player = served.access.invite("player", ["hero"])
    served.declare(player, "move", actor="hero", path=INTO)
    with served.following(player) as events:
        told_held(events)
        done = served.post(served.master, "/held", "no", held="hero-1", words="the floor creaks: think again")
        assert fits(done, "POST", "/held", 200)["held"] == ""
        (own,) = told_held(events)
    assert (own["status"], own["words"]) == ("declined", "the floor creaks: think again")
    assert served.post(served.master, "/held", "no", held="hero-1", words="x").status == 200
    for id in ("hero-1", "hero-2"):
        assert served.post(served.master, "/held", f"late {id}", held=id).json["error"]["code"] == "not_found"
    assert served.post(player, "/held", held="hero-1").status == 403


def test_the_game_master_declares_in_its_place(served: Served) -> None:
    """What the rules refuse again leaves it waiting; what is done is told to the player as done."""
    player = served.access.invite("player", ["hero"])
    served.declare(player, "move", actor="hero", path=INTO)
    act = {"act": "move", "actor": "hero", "path": INTO}
    again = served.post(served.master, "/held", "again", held="hero-1", act=act).json
    assert again["refused"]["reason"] == "Vexlord is at 3,1"
    assert served.get(player, "/held")["held"][0]["status"] == "waiting"
    act["path"] = INTO[:1]
    done = served.post(served.master, "/held", "short", held="hero-1", act=act, words="as far as you get")
    assert done.json["refused"] is None
    assert served.get(player, "/state")["combatants"]["hero"]["at"] == [2, 1]
    (own,) = served.get(player, "/held")["held"]
    assert (own["status"], own["words"]) == ("declared", "as far as you get")
    assert (
        served.post(served.master, "/held", "short", held="hero-1", act=act).json["events"]
        == done.json["events"]
    )


def test_what_is_refused_anyway_is_refused_at_once(served: Served) -> None:
    """The rules forbid it without the hidden too, and nothing is held."""
    player = served.access.invite("player", ["hero"])
    far = [*INTO, [4, 1], *([5, 2], [4, 2]) * 12]
    answer = served.declare(player, "move", actor="hero", path=far)
    assert answer.status == 200
    assert answer.json["refused"]["rule"] == "srd35.move-action.move"
    assert served.get(served.master, "/held")["held"] == []
