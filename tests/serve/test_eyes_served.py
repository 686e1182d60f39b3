"""A fight while it is served: who is hidden and shown in it, who comes later, what players are answered."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table.table import Table
from affray.events.codec import entry
from affray.events.facts import acts
from affray.events.facts.combat import SideChanged
from affray.events.stores.sqlite import SqliteStore
from affray.replay.serve.access import Guest
from tests.serve.served import Served, enter, server, small_fight


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Serve the small fight, where it is the hero's turn."""
    small_fight(tmp_path / "fight.db")
    with server(tmp_path / "fight.db") as running:
        yield running


def hide(served: Served, id: str, hidden: bool = True) -> None:
    """Hide somebody, or show it."""
    answer = served.ask(served.master, "POST", "/hidden", {"combatant": id, "hidden": hidden})
    assert answer.status == 200


def until(events: Iterator[tuple[str, Any]], kind: str) -> list[tuple[str, Any]]:
    """Return what is told up to the first event of a kind."""
    found = []
    for one in events:
        found.append(one)
        if one[0] == kind:
            return found
    raise AssertionError(f"the feed ends without {kind}")


def test_somebody_is_hidden_and_shown(served: Served) -> None:
    """A follower is told that the view is another one, and no more of the hidden; its page is made anew."""
    player = served.access.invite("player", ["hero"])
    with served.following(player) as events:
        assert served.declare(served.master, "speak", actor="imp", words="here I am").status == 200
        assert "Vexlord" in str(until(events, "declared"))
        hide(served, "imp")
        kind, told = until(events, "view")[-1]
        assert (kind, told["type"]) == ("view", "dev.affray.view.v1")
        assert served.declare(served.master, "speak", actor="imp", words="boo").status == 200
        assert served.declare(player, "speak", actor="hero", words="who is there?").status == 200
        rest = until(events, "declared")
        assert [kind for kind, _ in rest] == ["declared"]
        assert "'imp'" not in str(rest)
        assert "Vexlord" not in str(rest)
        page = served.ask(player, "GET", "/page").text
        assert '"imp"' not in page
        assert "Vexlord" not in page
        assert "imp" not in served.get(player, "/state")["combatants"]
        assert "Vexlord" in str(served.get(served.master, "/page"))
        hide(served, "imp", hidden=False)
        until(events, "view")
    assert "Vexlord" in str(served.get(player, "/page"))


def test_numbers_of_another_past(served: Served) -> None:
    """Who comes back with one is told everything anew. That one never heard of is hidden nobody can tell."""
    player = served.access.invite("player", ["hero"])
    before = served.get(player, "/session")["position"]
    hide(served, "nobody that there is")
    assert served.get(player, "/session")["position"] == before
    hide(served, "imp")
    now = served.get(player, "/session")["position"]
    assert now.partition(".")[2]
    with served.following(player, before) as events:
        kind, told = next(events)
        assert (kind, told["data"]["seq"], told["data"]["from"]) == ("rebase", 0, before)
        anew = [next(events)[1] for _ in range(int(now.rpartition(":")[2]))]
    assert [one["data"]["seq"] for one in anew] == [*range(1, len(anew) + 1)]
    assert anew[-1]["id"] == now
    assert served.get(player, f"/events?after={before}&limit=1000")["events"] == anew
    assert served.post(player, "/disputes", at=2, text="no", expected=before).status == 409
    assert served.ask(player, "GET", "/events?after=main:0.9:1").json["events"] == anew
    for wrong in (f"{now}9", "main:3:1", "other:0:1"):
        assert served.ask(player, "GET", f"/events?after={wrong}").status == 400


def test_one_s_own_combatant_is_never_hidden(served: Served) -> None:
    """From its player; from everybody else it is."""
    own, other = served.access.invite("player", ["imp"]), served.access.invite("player", ["hero"])
    hide(served, "imp")
    assert served.get(own, "/state")["combatants"]["imp"]["hp"] == 66
    assert "imp" not in served.get(other, "/state")["combatants"]
    assert served.get(own, "/legal/imp")["who"] == "imp"


def test_a_withdrawn_guest_s_feed_ends(served: Served) -> None:
    """Also while nothing happens; and nothing more is answered."""
    player = served.access.invite("player", ["hero"])
    with served.following(player) as events:
        answer = served.ask(served.master, "POST", "/invitations/withdraw", {"token": player.token})
        assert answer.status == 200
        assert list(events) == []
    assert served.ask(player, "GET", "/session").status == 401


def test_who_is_withdrawn_elsewhere_is_told_nothing_more(served: Served) -> None:
    """By another program: with the next event the feed ends before it."""
    player = served.access.invite("player", ["hero"])
    with served.following(player) as events:
        served.access.withdraw(player.token)
        assert served.declare(served.master, "speak", actor="orc", words="ha").status == 200
        assert list(events) == []


def test_a_combatant_that_enters_later(tmp_path: Path) -> None:
    """Its player sees as an onlooker until then, and then the numbers of its side."""
    log = tmp_path / "fight.db"
    small_fight(log)
    with server(log) as served:
        player = served.access.invite("player", ["latecomer"])
        assert served.get(player, "/state")["combatants"]["hero"]["hp"] is None
        assert served.ask(player, "GET", "/legal/latecomer").status == 404
        with served.following(player) as events:
            with SqliteStore(log) as store:
                enter(Table(store), "latecomer", "heroes", (0, 0))
            told = until(events, "view")
        assert told[-1][0] == "view"
        people = served.get(player, "/state")["combatants"]
        assert (people["hero"]["hp"], people["latecomer"]["hp"], people["orc"]["hp"]) == (20, 20, None)
        assert served.ask(player, "GET", "/legal/latecomer").status == 200


def test_nobody_has_entered_yet(tmp_path: Path) -> None:
    """Of an encounter without combatants all can be asked."""
    log = tmp_path / "fight.db"
    with SqliteStore(log) as store:
        Table.create(store, dialect="pf1", terrain=["...."] * 3)
    with server(log) as served:
        player = served.access.invite("player", ["hero"])
        hide(served, "imp")
        for guest in (served.master, player, served.access.invite("onlooker")):
            assert served.get(guest, "/state")["combatants"] == {}
            assert len(served.get(guest, "/page")["lines"]) == 1
            assert served.get(guest, "/events")["more"] is False


def refused(served: Served, guest: Guest, act: str, **fields: Any) -> tuple[Any, Any]:
    """Return the status of a declaration and what is answered, without what counts on."""
    answer = served.declare(guest, act, **fields)
    return answer.status, {name: value for name, value in answer.json.items() if name != "position"}


def test_a_guessed_id_is_as_unknown_as_any(served: Served) -> None:
    """Who is hidden and who does not exist are answered alike, in every place of a declaration."""
    player = served.access.invite("player", ["hero"])
    hide(served, "imp")
    for act, fields in (
        ("attack", {"target": "?"}),
        ("charge", {"target": "?", "path": [[2, 1]]}),
        ("aid", {"friend": "friend", "opponent": "?"}),
        ("ready", {"trigger": {"what": "attacks", "who": "?"}, "then": {"act": "stand"}}),
        ("full-attack", {"strikes": [{"target": "?"}]}),
    ):
        answers = []
        for id in ("imp", "nix"):
            text = str(fields).replace("?", id)
            answer = served.declare(player, act, actor="hero", **eval(text))
            answers.append((answer.status, answer.text.replace(id, "?")))
        assert answers[0] == answers[1], act
        assert answers[0][0] == 400
    for path in ("/legal/imp", "/legal/nix"):
        assert served.ask(player, "GET", path).json["error"]["code"] == "not_yours"


def test_the_square_of_the_hidden(served: Served) -> None:
    """It is open as any other; whoever would walk into it is told that the game master has it, and no more.

    What is refused anyway is refused for the same reason as without the hidden, so no square is found so.
    """
    player = served.access.invite("player", ["hero"])
    hide(served, "imp")
    ways = served.get(player, "/legal/hero")["ways"]
    assert [3, 1] in [way["to"] for way in ways]
    assert all("imp" not in way["past"] for way in ways)
    far = [[2, 1], [3, 1], [4, 1], *([5, 2], [4, 2]) * 12]
    around = [[2, 1], [3, 0], [4, 1], *([5, 2], [4, 2]) * 12]
    with served.following(player) as events:
        told = [served.declare(player, "move", actor="hero", path=path).json for path in (far, around)]
        for one in told:
            assert one["refused"]["reason"].startswith("the path costs 1")
            assert one["refused"]["rule"] == "srd35.move-action.move"
        into = served.declare(player, "move", actor="hero", path=[[2, 1], [3, 1]])
        assert (into.status, into.json["refused"], into.json["events"]) == (202, None, [])
        for kind in ("declared", "seen") * 2:
            found, data = next(events)
            assert found == kind
            assert data["data"].get("seen", {}).keys() <= {"id"}
        assert "'imp'" not in str(told) + into.text
    assert served.declare(player, "move", actor="hero", path=[[2, 1]]).json["refused"] is None


def test_what_is_asked_of_others_is_not_told(served: Served) -> None:
    """Neither by a declaration, nor by a dispute, nor by an answer that comes while the fight waits."""
    player, other = served.access.invite("player", ["hero"]), served.access.invite("player", ["friend"])
    assert served.declare(player, "move", actor="hero", path=[[2, 1]]).json["refused"] is None
    assert served.declare(player, "end-turn", actor="hero").status == 200
    assert served.declare(served.master, "end-turn", actor="friend").status == 200
    moved = served.declare(served.master, "move", actor="orc", path=[[4, 1], [3, 2], [2, 3]])
    question = moved.json["question"]
    assert question["who"] == "hero", moved.text
    assert question["options"]
    mine, others = (served.get(guest, "/state")["question"] for guest in (player, other))
    assert (mine["yours"], bool(mine["question"])) == (True, True)
    # The declaration that it is about is the orc's only one, and counted as the player hears of them.
    heard = [one["fact"]["id"] for one in _told(served, player) if one["type"] == "declared"]
    assert mine["key"].startswith(f"{heard[-1]}/")
    assert not question["key"].startswith(f"{heard[-1]}/")
    assert (others["yours"], others["question"], others["options"], others["key"]) == (False, "", [], "")
    for answer in (
        served.declare(other, "speak", actor="friend", words="hm"),
        served.post(other, "/disputes", at=3, text="no"),
        served.post(other, "/choices", answer=question["options"][0]),
        served.ask(other, "GET", "/legal/friend"),
    ):
        assert answer.status in (403, 409)
        assert question["question"] not in answer.text
        assert "hero" not in answer.text
    done = served.post(player, "/choices", "mine", answer=question["options"][0])
    assert done.status == 200
    again = served.post(player, "/choices", "mine", answer=question["options"][0])
    assert (again.status, again.json["events"]) == (200, done.json["events"])


def test_the_title_and_the_end(tmp_path: Path) -> None:
    """A title that names the hidden is none, and why the fight is over is the game master's own word."""
    log = tmp_path / "fight.db"
    with SqliteStore(log) as store:
        table = Table.create(store, dialect="srd35", terrain=["......"] * 4, name="The lair of Vexlord")
        enter(table, "hero", "heroes", (1, 1))
        enter(table, "imp", "dark", (3, 1), name="Vexlord, imp")
        table.declare(acts.Begin())
        table.declare(acts.Close(reason="Vexlord fled"))
    with server(log) as served:
        player = served.access.invite("player", ["hero"])
        hide(served, "imp")
        assert served.get(served.master, "/session")["closed"] == "Vexlord fled"
        for path in ("/session", "/state", "/page", "/events?limit=1000"):
            told = served.ask(player, "GET", path)
            assert "Vexlord" not in told.text, path
        assert served.get(player, "/session")["closed"] == "over"
        assert served.get(player, "/state")["encounter"]["closed"] == "over"


def test_a_line_that_names_the_hidden(served: Served) -> None:
    """Its name would stand in every position: it is neither begun nor made the main line."""
    hide(served, "imp")
    for name in ("imp-flees", "without the Vexlord"):
        answer = served.post(served.master, "/forks", at="5", name=name)
        assert (answer.status, answer.json["error"]["code"]) == (400, "bad_request")
    assert served.post(served.master, "/forks", at="5", name="improved").status == 200
    hide(served, "imp", hidden=False)
    assert served.post(served.master, "/forks", at="5", name="imp-flees").status == 200
    hide(served, "imp")
    assert served.post(served.master, "/promotions", branch="imp-flees").status == 400


def test_who_is_made_to_fight_for_others(tmp_path: Path) -> None:
    """Neither are its masters' numbers shown to its player, nor its own to theirs."""
    log = tmp_path / "fight.db"
    small_fight(log)
    with SqliteStore(log) as store:
        changed = SideChanged(who="orc", side="heroes", why="charmed")
        other = SideChanged(who="hero", side="dark", why="charmed")
        head = store.head("main").seq
        store.append("main", [entry(changed, 1, 1, "", head), entry(other, 1, 1, "", head)], head)
    with server(log) as served:
        player = served.access.invite("player", ["hero"])
        people = served.get(player, "/state")["combatants"]
        assert {id: one["hp"] for id, one in people.items()} == {
            "hero": 20, "friend": 20, "orc": None, "imp": None,
        }  # fmt: skip
        assert "'hp': 77" not in str([one["fact"] for one in _told(served, player) if "fact" in one])
        assert people["orc"]["side"] == "heroes"


def _told(served: Served, guest: Guest) -> list[Any]:
    return [one["data"] for one in served.get(guest, "/events?limit=1000")["events"]]
