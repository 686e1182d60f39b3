"""Foundry beside a served fight: the module in node, against the stand-in, and the documents it keeps."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from affray.engine.language.cast import Cast
from affray.engine.table.scenario import packaged, play
from affray.engine.table.table import Table
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from affray.replay.log.playhead import Playhead
from affray.replay.viewer.frames import everybody, make_combatant_view, make_encounter_view
from tests.serve.served import Served

HERE = Path(__file__).parent
MODULE = HERE.parents[2] / "replay" / "serve" / "foundry" / "module"
NODE = shutil.which("node")

OUTCOMES = frozenset(
    [
        *("initiative.rolled", "attack.resolved", "confirmation.resolved", "miss-chance.resolved"),
        *("damage.resolved", "check.resolved", "contest.resolved", "turning.resolved"),
        *("item.struck", "injury.suffered"),
    ]
)
STATUSES = ("dead", "prone", "dying", "unconscious", "flatFooted", "stun", "grappled", "invisible", "stable")
"""What the stand-in's game system has of conditions."""


HIT_POINTS: Final = {"attributes": {"hp": {"value": 1, "temp": 0, "nonlethal": 0}}}


class Failed(Exception):
    """What the module, or the stand-in, objected to."""


class Foundry:
    """A world in Foundry, with the module in it.

    A square of its scene is `size` pixels wide; the map of the fight begins at the square `origin`.
    """

    size = 100
    origin = (2, 1)

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def __call__(self, order: str, **given: Any) -> Any:
        """Return what came of an order. Raises Failed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": order, **given}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "node has ended"
        answer = json.loads(line)
        if "failed" in answer:
            raise Failed(answer["failed"])
        return answer["done"]

    def loaded(self, served: Served, **settings: Any) -> None:
        """Open the world in a browser: the module is loaded and follows."""
        given = {
            "address": f"http://127.0.0.1:{served.port}",
            "token": f"http://127.0.0.1/#t={served.master.token}",
            "origin": ",".join(map(str, self.origin)),
        }
        self("load", module=MODULE.as_uri(), settings=given | settings)

    def begun(self, served: Served, **settings: Any) -> None:
        """Open the world for the first time, say who belongs to whom, and wait until all is taken in."""
        self.loaded(served, **settings)
        self("bind")
        self.caught_up(served)

    def caught_up(self, served: Served) -> None:
        """Wait until the module has taken in all that has happened."""
        position = served.get(served.master, "/session")["position"]
        assert self("until", position=position) == position, self("dump")["told"]


@contextmanager
def foundry(
    store: Store,
    *,
    players: frozenset[str] = frozenset({"heroes"}),
    system: str = "D35E",
    data: dict[str, Any] = HIT_POINTS,
    statuses: tuple[str, ...] = STATUSES,
) -> Iterator[Foundry]:
    """Have a world inside the block, with an actor and a token for everybody who is on any line of a log.

    Its actors have these `data` of the game system.
    """
    assert NODE is not None
    cast, people = everybody(store), Playhead(store).seek("end").combatants
    actors = [
        {"name": cast.name(id), "system": data, "player": id in people and people[id].side in players}
        for id in cast.letters
    ]
    command = [NODE, str(HERE / "play.mjs")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            made = Foundry(process)
            made("setUp", scene="The wall", system=system, actors=actors, statuses=statuses)
            yield made
        finally:
            process.kill()


def played(log: Path, dialect: str) -> None:
    """Play the packaged fight of a dialect into a file."""
    with SqliteStore(log, synchronous="OFF") as store:
        play(packaged(f"demo_{dialect}"), store, seed=b"a fight that is followed")


def table_of(store: Store) -> Table:
    """Return a table at the end of the main line."""
    return Table(store, store.main_line())


def in_step(documents: Any, store: Store, at: int, hidden: frozenset[str] = frozenset()) -> None:
    """Assert that all documents say what the log says of its main line after event `at`."""
    branch = store.main_line()
    state = Playhead(store, branch).seek(str(at))
    cast: Cast = everybody(store)
    (combat,) = documents["combats"]
    shown = make_encounter_view(state, cast)
    assert combat["round"] == shown["round"]
    turns = [one["flags"]["affray"]["id"] for one in combat["combatants"]]
    assert sorted(turns) == sorted(state.combatants)
    assert turns[: len(state.order)] == list(state.order)
    assert (None if combat["turn"] is None else turns[combat["turn"]]) == (state.active or None)
    tokens = {one["_id"]: one for one in documents["tokens"]}
    actors = {one["_id"]: one for one in documents["actors"]}
    for one in combat["combatants"]:
        id = one["flags"]["affray"]["id"]
        view = make_combatant_view(state.combatants[id], cast, [])
        name = cast.name(id)
        token, actor = tokens.pop(one["tokenId"]), actors.pop(one["actorId"])
        assert one["name"] == token["name"] == actor["name"] == name
        assert one["hidden"] == token["hidden"] == (id in hidden)
        conditions = [words for words, _ in view["conditions"]]
        assert one["defeated"] == bool({"dead", "destroyed"} & {*conditions})
        if view["at"] is not None:
            x, y = (
                Foundry.size * (square + more)
                for square, more in zip(view["at"], Foundry.origin, strict=True)
            )
            assert (token["x"], token["y"]) == (x, y)
            assert (token["width"], token["height"]) == (view["space"], view["space"])
        points = actor["system"]["attributes"]["hp"]
        assert points == {"value": view["hp"], "temp": view["temporary"], "nonlethal": view["nonlethal"]}
        held(conditions, actor["effects"])
    assert not any(one["effects"] for one in actors.values()), "somebody who is not there bears something"
    messages(documents, store, branch, at)


SAME = {"flat-footed": "flatFooted", "stunned": "stun", "destroyed": "dead", "grappling": "grappled"}


def held(conditions: list[str], effects: list[Any]) -> None:
    """Assert that an actor has the conditions: as statuses, or as effects where the system has none."""
    plain = {words: words.rstrip("0123456789- ") for words in conditions}
    known = {words: SAME.get(name, name) for words, name in plain.items() if SAME.get(name, name) in STATUSES}
    assert sorted(s for one in effects for s in one["statuses"]) == sorted({*known.values()})
    assert sorted(one["name"] for one in effects if not one["statuses"]) == sorted({*conditions} - {*known})


def messages(documents: Any, store: Store, branch: str, at: int) -> None:
    """Assert that each outcome up to event `at` is told, once and in finished rolls, and nothing else."""
    told = {one["flags"]["affray"]["digest"]: one for one in documents["messages"]}
    assert len(told) == len(documents["messages"]), "an outcome is told twice"
    shown = {digest for digest, one in told.items() if not one["flags"]["affray"]["gone"]}
    expected = {
        event.digest.hex(): json.loads(event.data)
        for event in store.read(branch)
        if event.type in OUTCOMES and event.seq <= at
    }
    assert shown == expected.keys()
    for digest, one in told.items():
        assert one["content"].startswith(
            '<div class="affray">' if digest in shown else '<div class="affray affray-gone">'
        )
    for digest, fact in expected.items():
        for roll in map(json.loads, told[digest]["rolls"][:1]):
            total = {"miss-chance.resolved": "rolled", "injury.suffered": "entry"}.get(fact["type"], "total")
            assert roll["total"] == fact[total]
