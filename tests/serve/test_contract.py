"""A running server says what its documents say: each answer is held against them, statuses and all."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cloudevents")
pytest.importorskip("jsonschema_rs")

from affray.engine.table.scenario import play
from affray.events.stores.sqlite import SqliteStore
from affray.replay.serve.http import STATUSES, Limits, Rate
from affray.replay.serve.routes import TABLE, Entry, May
from tests.house.fights import demo, opened, play_wildly
from tests.relatives import RELATIVES
from tests.serve import contract
from tests.serve.guests import Answered, Asker, Table, at_table

pytestmark = pytest.mark.slow

TURNS = 60
"""So many declarations of the random fight."""

UNTOLD = {"too_slow", "internal", "too_many_feeds"}
"""Codes that want ten seconds, a fault of the server, or hundreds of feeds; the guard's tests have them."""


class Held:
    """Asks, and holds every answer against the document. `codes` and `done` are what came up."""

    def __init__(self) -> None:
        """Begin."""
        self.codes: set[str] = set()
        self.done: set[tuple[str, str]] = set()

    def __call__(self, who: Asker, method: str, path: str, body: Any = None, **headers: str) -> Answered:
        """Return what is answered, which is as the document has it."""
        got = who.ask(method, path, body, **headers)
        entry = entry_of(method, path)
        validator = contract.answers(method, entry.path, got.status)
        if got.status == 200:
            self.done.add((method, entry.path))
            assert got.media == (entry.answer if isinstance(entry.answer, str) else "application/json")
        else:
            assert got.media == "application/json", got
            self.codes.add(got.json["error"]["code"])
        if validator is not None:
            assert contract.faults(validator, got.json) == [], f"{method} {path}: {got.status}"
        return got

    def refused(
        self, who: Asker, code: str, method: str, path: str, body: Any = None, **headers: str
    ) -> None:
        """Ask for what is not done, for a reason."""
        got = self(who, method, path, body, **headers)
        assert (got.status, got.json["error"]["code"]) == (STATUSES[code], code), got


def entry_of(method: str, path: str) -> Entry:
    """Return the route that a path is on."""
    steps = path.partition("?")[0].split("/")
    for one in TABLE:
        there = one.path.split("/")
        if (one.method, len(there)) == (method, len(steps)) and all(
            a == b or a.startswith("{") for a, b in zip(there, steps, strict=True)
        ):
            return one
    raise AssertionError(f"{method} {path} is no route")


@pytest.fixture(params=[*RELATIVES, "random"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Table, str]]:
    """Serve a packaged fight of each dialect, and one that went at random; with the player's combatant."""
    log = tmp_path / "fight.db"
    with SqliteStore(log) as store:
        if request.param == "random":
            made = opened("srd35", store, 7)
            play_wildly(made, random.Random(7), TURNS)
        else:
            made = play(demo(request.param), store)
        who = next(iter(made.state.combatants))
    with at_table(log, who) as there:
        yield there, who


def test_what_is_looked_up_is_as_the_documents_say(table: tuple[Table, str]) -> None:
    """Every route that changes nothing, for everybody, on the whole fight."""
    (people, who), held = table, Held()
    for guest in people[:3]:
        head = held(guest, "GET", "/session").json["position"]
        last = int(head.rpartition(":")[2])
        for path in (
            "/page",
            f"/names?after={head}",
            "/state",
            "/state?at=1",
            f"/state?at={last // 2}",
            f"/legal/{who}",
        ):
            held(guest, "GET", path)
        for words in ("", "path=4,1;4,2", "act=step&path=4,1", f"act=charge&target={who}&path=4,1"):
            held(guest, "GET", f"/legal/{who}/way?{words}")
        for seq in (*range(1, last, max(1, last // 12)), last, last + 1):
            held(guest, "GET", f"/why/{seq}")
        after = "start"
        while True:
            page = held(guest, "GET", f"/events?limit=90&after={after}").json
            for event in page["events"]:
                assert list(contract.held(event)) == []
            after = page["position"]
            if not page["more"]:
                break
        assert after == head
    block = "Wolf\nHit Dice: 2d8+4 (13 hp)\nArmor Class: 14 (+2 Dex, +2 natural), touch 12, flat-footed 12"
    assert held(people.master, "GET", "/sheets").json["sheets"]
    assert held(people.master, "POST", "/sheets", {"block": block}).json["sheet"]["hp"] == 13
    for path in ("/openapi.json", "/asyncapi.json", "/schemas/events.json", "/foundry/module.json"):
        held(people.stranger, "GET", path)
    assert held(people.stranger, "GET", "/schemas/events.json").json == contract.read(contract.EVENTS)


def test_the_feed_is_as_its_document_says(table: tuple[Table, str]) -> None:
    """Every event from the first to the last, to everybody, with what a page draws and without it."""
    people, _ = table
    for guest in people[:3]:
        head = guest.ask("GET", "/session").json["position"]
        for frames in (0, 1):
            seqs = []
            with guest.following(f"/feed?frames={frames}") as feed:
                for id, name, event in feed:
                    assert list(contract.held(event)) == []
                    assert (id, f"dev.affray.{name}") == (event["id"], event["type"].rpartition(".v")[0])
                    assert id == "{branch}:{epoch}:{seq}".format_map(event["data"])
                    seqs.append(event["data"]["seq"])
                    if id == head:
                        break
            assert seqs == [*range(1, len(seqs) + 1)]


def test_what_is_commanded_is_as_the_documents_say(tmp_path: Path) -> None:
    """Every route that changes something, and every reason for which it is not done."""
    log, held = tmp_path / "fight.db", Held()
    with SqliteStore(log) as store:
        play(demo("srd35"), store)
    # However fast all this is asked, nobody has to wait before the end.
    with at_table(log, "sorcerer", Limits(posts=Rate(1, 300))) as people:
        command = Commands(people, held)
        _lines(people, held, command)
        _play(people, held, command)
        _guests(people, held)
        _strangers(people, held)
    commands = {(one.method, one.path) for one in TABLE if one.method == "POST"}
    assert commands - held.done == {("POST", "/held")}, "what is held is in test_held.py"
    assert held.codes == STATUSES.keys() - UNTOLD - {"wrong_method"}


class Commands:
    """Sends commands, each at the position where the fight is for whoever sends it."""

    def __init__(self, people: Table, held: Held) -> None:
        """Begin with none."""
        self.people, self.held, self.sent = people, held, 0

    def now(self, who: Asker | None = None) -> str:
        """Return where the fight is, as it is told to the game master or to somebody else."""
        place: str = self.held(who or self.people.master, "GET", "/session").json["position"]
        return place

    def body(self, who: Asker | None = None, **body: Any) -> dict[str, Any]:
        """Return what is sent, under a new id."""
        self.sent += 1
        return {**body, "expected": self.now(who), "request": f"r{self.sent}"}

    def __call__(self, path: str, who: Asker | None = None, **body: Any) -> Any:
        """Return what is answered to a command that is done."""
        got = self.held(who or self.people.master, "POST", path, self.body(who, **body))
        assert got.status == 200, got
        return got.json

    def refused(self, code: str, path: str, who: Asker | None = None, **body: Any) -> None:
        """Send one that is not done, for a reason."""
        self.held.refused(who or self.people.master, code, "POST", path, self.body(who, **body))


def _lines(people: Table, held: Held, command: Commands) -> None:
    """Change the main line in every way, and follow it."""
    first, known = command.now(), command.now(people.player)
    with people.master.following("/feed?after=end") as feed:
        assert command("/undo", count=1)["told"].startswith("undo-1 is the main line")
        _, name, event = next(feed)
        assert (name, event["data"]["from"], list(contract.held(event))) == ("rebase", first, [])
    late = {"expected": first, "request": "late"}
    held.refused(people.master, "stale_position", "POST", "/redo", late)
    command("/redo")
    command("/disputes", who=people.player, at=52, text="she had cover")
    command("/rulings", at=30, text="no", verdict="uphold")
    command("/rulings", at=52, text="covered", effects=["sorcerer.defense+4:cover"])
    command("/forks", at="r1.t2", name="other")
    command("/promotions", branch="other")
    with people.player.following(f"/feed?after={known}") as feed:
        _, name, event = next(feed)
        assert (name, list(contract.held(event))) == ("rebase", [])


def _play(people: Table, held: Held, command: Commands) -> None:
    """Declare what is done, what the rules refuse, and what people throw the dice for; answer that."""
    master, end = people.master, {"act": "end-turn", "actor": "goblin"}
    again = command.body(act=end)
    done = held(master, "POST", "/declarations", again).json
    again["expected"] = "other:1:1"
    assert held(master, "POST", "/declarations", again).json["events"] == done["events"]
    again["act"] = {"act": "end-turn", "actor": "ogre"}
    held.refused(master, "request_reused", "POST", "/declarations", again)
    own = {"act": "attack", "actor": "sorcerer"}
    assert command("/declarations", who=people.player, act={**own, "target": "sorcerer"})["refused"]["reason"]
    command.refused("not_yours", "/declarations", who=people.player, act=end)
    command.refused("not_waiting", "/choices", answer="3")
    asked = command("/declarations", who=people.player, act={**own, "target": "goblin"}, manual=True)
    assert asked["question"]["notation"] == "1d20", asked
    held.refused(master, "waiting", "GET", "/legal/sorcerer")
    command.refused("waiting", "/declarations", act=end)
    for guest in people[:3]:
        held(guest, "GET", "/state")
    command.refused("waiting", "/say", who=people.player, text="goblin: e")
    while command("/choices", answer="1", manual=True)["question"]:
        pass
    assert command("/say", text="goblin hp 3")["events"]
    assert command("/say", who=people.player, text="w 52")["look"] == 52
    assert command("/say", text="u")["told"]
    command.refused("bad_request", "/say", text="atack goblin")
    command.refused("not_yours", "/say", who=people.player, text="goblin hp 3")
    command.refused("wrong_role", "/say", who=people.player, text="u")


def _guests(people: Table, held: Held) -> None:
    master, player, _, _ = people
    held(master, "GET", "/invitations")
    guests = held(master, "POST", "/invitations", {"role": "onlooker", "name": "the stream"}).json["guests"]
    held(master, "POST", "/invitations/withdraw", {"token": guests[-1]["token"]})
    held.refused(master, "bad_request", "POST", "/invitations/withdraw", {"token": "nobody"})
    with player.following("/feed?after=end") as feed:
        held(master, "POST", "/hidden", {"combatant": "goblin"})
        held(master, "POST", "/sheets", {"use": "ogre"})
        held(master, "POST", "/swing", {"for_all": True})
        _, name, event = next(feed)
        assert (name, list(contract.held(event))) == ("view", [])
    for path in ("/session", "/state", "/page", "/events"):
        assert "goblin" not in held(player, "GET", path).text
    held(master, "POST", "/hidden", {"combatant": "goblin", "hidden": False})
    held.refused(player, "hidden", "GET", "/why/6")
    held.refused(player, "not_yours", "GET", "/legal/ogre")
    held.refused(master, "not_found", "GET", "/legal/nobody")


def _strangers(people: Table, held: Held) -> None:
    master, player, onlooker, stranger = people
    for one in TABLE:
        path = one.path.replace("{seq}", "1").replace("{id}", "sorcerer")
        body = {} if one.method == "POST" else None
        if one.may is not May.ANYBODY:
            held.refused(stranger, "no_token", one.method, path, body)
            held.refused(Asker(stranger.port, "nobody"), "unknown_token", one.method, path, body)
        if one.may is May.MASTER:
            held.refused(player, "wrong_role", one.method, path, body)
        if one.may in (May.MASTER, May.PLAYER):
            held.refused(onlooker, "wrong_role", one.method, path, body)
        held.refused(master, "bad_request", one.method, f"{path}?nonsense=1", body)
        held.refused(master, "wrong_origin", one.method, path, body, origin="http://other.example")
        held.refused(master, "wrong_host", one.method, path, body, host="other.example")
        if one.method == "POST":
            held.refused(master, "bad_request", "POST", path, b"{")
            held.refused(master, "not_json", "POST", path, {}, content_type="text/plain")
            held.refused(master, "too_large", "POST", path, b" " * 70_000)
    for path in ("/feed?frames=2", "/feed?after=main:9:9", "/events?limit=0", "/state?at=never"):
        held.refused(master, "bad_request", "GET", path)
    for method, path in (("DELETE", "/session"), ("GET", "/undo"), ("HEAD", "/feed")):
        assert master.ask(method, path).status == 405
    assert master.ask("HEAD", "/session").status == 200
    other = master.ask("DELETE", "/session")
    assert (other.status, other.json["error"]["code"]) == (405, "wrong_method")
    other = master.ask("GET", "/nothing")
    assert (other.status, other.json["error"]["code"]) == (404, "not_found")
    for _ in range(400):
        got = held(stranger, "POST", "/undo", {})
        if got.status == 429:
            break
