"""Who is hidden, and does what it likes, against a fight in which it is not at all: the same bytes.

On every route, in every answer and error, for whoever is not the game master; as soon as somebody is on turn
again whom they see.
"""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.stores.sqlite import SqliteStore
from affray.replay.serve.access import Access, Guest
from tests.serve.served import Served, enter, server

IMP = "imp"
STEP = 1 if "AFFRAY_SEEDS" in os.environ else 11
"""Every so many events explanations and states are asked for; in a wider run (`tests/serve/many.py`) all."""

OPEN = ("/openapi.json", "/asyncapi.json", "/schemas/events.json", "/", "/overlay")


def fight(log: Path, *, imp: bool) -> None:
    """Make a log: a hero, an imp in between or nobody, a friend, an orc."""
    with SqliteStore(log) as store:
        table = Table.create(store, dialect="srd35", terrain=["........"] * 6, seed=b"s")
        enter(table, "hero", "heroes", (1, 1), initiative=20)
        if imp:
            enter(table, IMP, "dark", (3, 4), initiative=18, name="Vexlord")
        enter(table, "friend", "heroes", (1, 3), initiative=15)
        enter(table, "orc", "dark", (5, 1), initiative=10)
        table.declare(acts.Begin())


class Both:
    """The fight with the imp and the one without it, and who plays hero and friend or looks on in each."""

    def __init__(self, served: list[Served]) -> None:
        """Invite the same to both."""
        self.served = served
        self.guests: list[list[Guest]] = []
        for one in served:
            access = one.access
            self.guests.append([access.invite("player", ["hero", "friend"]), access.invite("onlooker")])
        self.sources = [one.get(one.master, "/events?limit=1")["events"][0]["source"] for one in served]

    def same(self, who: int, ask: Any) -> Any:
        """Return what both answer to a guest, and assert that it is the same."""
        answers = []
        for at, served in enumerate(self.served):
            status, text = ask(served, self.guests[at][who])
            answers.append((status, text.replace(self.sources[at], "urn:affray:this")))
        there, gone = answers
        assert there == gone
        return there

    def post(self, who: int, path: str, **body: Any) -> Any:
        """Post the same to both, at the position that the guest knows."""
        return self.same(who, lambda served, guest: served.post(guest, path, **body))

    def master(self, at: int, act: str, **fields: Any) -> Any:
        """Let the game master of one of both declare."""
        answer = self.served[at].declare(self.served[at].master, act, **fields)
        assert answer.status == 200
        assert answer.json["refused"] is None, answer.text
        return answer.json

    def assert_same(self) -> None:
        """Assert that nothing that can be asked differs."""
        for who in (0, 1):
            position = json.loads(self.get(who, "/session")[1])["position"]
            line, _, last = position.rpartition(":")
            for path in (
                "/state", "/held", "/page", "/names", f"/names?after={position}", "/swing", "/legal/hero",
                "/legal/friend", "/legal/imp", "/legal/hero/way?path=2,2;3,3;3,4", "/events?limit=1000",
                "/events?limit=3", f"/events?after={line}:5", f"/events?after={line}:{int(last) + 1}",
                f"/feed?after={line}:{int(last) + 1}", "/why/0", f"/why/{int(last) + 1}", "/state?at=r1.t4",
                "/state?at=r7", f"/state?at={int(last) + 1}", "/invitations", "/nowhere",
            ):  # fmt: skip
                self.get(who, path)
            for seq in range(2, int(last) + 1, STEP):
                self.get(who, f"/why/{seq}")
                self.get(who, f"/state?at={seq}")
            for turn in range(1, 4):
                self.get(who, f"/state?at=r1.t{turn}")
            for frames in (0, 1):
                for after in ("start", f"{line}:{int(last) // 2}"):
                    self.same(who, lambda served, guest, a=after, f=frames: (200, feed(served, guest, a, f)))

    def get(self, who: int, path: str) -> Any:
        """Return what both answer."""
        return self.same(who, lambda served, guest: served.ask(guest, "GET", path))


def feed(served: Served, guest: Guest, after: str, frames: int) -> str:
    """Return what the feed tells up to the position now."""
    position, told = served.get(guest, "/session")["position"], []
    if after == position:
        return ""
    with served.following(guest, after, frames) as events:
        for kind, event in events:
            told.append(f"{kind} {json.dumps(event)}")
            if event["id"] == position:
                return "\n".join(told)
    raise AssertionError("the feed ends")


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Both]:
    """Serve the fight with the imp, hidden, and without it."""
    with ExitStack() as stack:
        found = []
        for imp in (True, False):
            log = tmp_path / f"{imp}.db"
            Access.open(log).hide(IMP, heard_of=False)
            fight(log, imp=imp)
            found.append(stack.enter_context(server(log)))
        yield Both(found)


def imp_acts(both: Both) -> None:
    """Let the imp have its turn, where there is one, in which nobody sees what it does."""
    both.master(0, "move", actor=IMP, path=[[3, 3]])
    both.master(0, "speak", actor=IMP, words="where are they?")
    both.master(0, "end-turn", actor=IMP)


def test_nothing_tells_that_somebody_is_there(both: Both) -> None:
    """What is open, what is refused and why, what comes of moves and turns, who is where, and how many."""
    both.assert_same()
    for path in OPEN:
        both.get(0, path)
    far = [[2, 1], [3, 1], [4, 1], *([5, 2], [4, 2]) * 12]
    for act in (
        {"act": "move", "actor": "hero", "path": far},
        {"act": "attack", "actor": "hero", "target": IMP},
        {"act": "charge", "actor": "hero", "target": "orc", "path": [[2, 1], [3, 1]]},
        {"act": "step", "actor": "hero", "to": [3, 3]},
        {"act": "move", "actor": "hero", "path": [[2, 2], [2, 3]]},
        {"act": "end-turn", "actor": "friend"},
    ):
        both.post(0, "/declarations", act=act)
    both.post(0, "/disputes", at=9, text="that cannot be")
    both.post(0, "/disputes", at=999, text="that neither")
    both.post(0, "/choices", answer="roll")
    both.post(1, "/declarations", act={"act": "end-turn", "actor": "hero"})
    stale = {"expected": "main:0:3", "act": {"act": "end-turn", "actor": "hero"}}
    assert both.post(0, "/declarations", **stale)[0] == 409


def test_nothing_tells_what_it_does(both: Both) -> None:
    """Its turns, in the middle of a round, and how many things came to pass in them, leave no trace."""
    imps = both.served[0]
    for round in (1, 2):
        for at in (0, 1):
            player = both.guests[at][0]
            ended = both.served[at].declare(player, "end-turn", actor="hero")
            assert ended.status == 200
        before = imps.get(both.guests[0][0], "/session")["position"]
        imp_acts(both) if round == 1 else both.master(0, "end-turn", actor=IMP)
        assert imps.get(both.guests[0][0], "/session")["position"] != before  # the friend's turn has begun
        # What comes to pass unseen now makes nothing stale.
        known = [both.served[at].get(both.guests[at][0], "/session")["position"] for at in (0, 1)]
        both.master(0, "circumstance", target=IMP, hampers=True, why="fog")
        both.assert_same()
        act = {"act": "move", "actor": "friend", "path": [[0, 3], [0, 4 - round % 2]]}
        assert known[0] == known[1]
        assert both.post(0, "/declarations", expected=known[0], act=act)[0] == 200
        for at in (0, 1):
            both.master(at, "end-turn", actor="friend")
            both.master(at, "end-turn", actor="orc")
    both.assert_same()


def test_a_follower_hears_nothing_of_it(both: Both) -> None:
    """Nor does the stream of one who follows all the while hold a byte for it."""
    told: list[list[str]] = []
    for at, served in enumerate(both.served):
        player = both.guests[at][0]
        with served.following(player, "start", 1) as events:
            served.declare(player, "end-turn", actor="hero")
            if at == 0:
                imp_acts(both)
                served.ask(served.master, "POST", "/hidden", {"combatant": "another imp"})
            served.declare(player, "speak", actor="friend", words="who is there?")
            found: list[str] = []
            for kind, event in events:
                event["source"] = ""
                found.append(f"{kind} {json.dumps(event)}")
                if "who is there" in found[-1]:
                    break
            told.append(found)
    assert told[0] == told[1]


def test_it_is_found_by_being_run_into_alone(both: Both) -> None:
    """A way into its square is open in both fights; with it there the game master has the declaration."""
    into = {"act": "move", "actor": "hero", "path": [[2, 2], [3, 3], [3, 4]]}
    statuses = []
    for at, served in enumerate(both.served):
        statuses.append(served.post(both.guests[at][0], "/declarations", act=into).status)
    assert statuses == [202, 200]
