"""Logs that hang together and are built as nobody builds them: nested, long, branching, about nobody."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from affray.engine.dice import LONGEST, LinkChain
from affray.events import MemoryStore, SqliteStore
from affray.events.chain import GENESIS
from affray.events.codec import encode
from affray.events.envelope import Entry
from affray.events.exports import export_jsonl
from affray.events.facts.base import LONGEST_NAME, MOST_COMBATANTS
from affray.events.facts.flow import Ruled
from affray.events.facts.sheet import Sheet
from tests.fuzz.grounds import sealed
from tests.fuzz.monsters import AT, PAST, exported, fill, rows, stored

Facts = list[dict[str, Any]]
SHEET = json.loads(encode(Sheet("orc", 5)))


class Giant(NamedTuple):
    """A log of monstrous build, and what writes it into a folder as log.jsonl, log.db or both."""

    name: str
    kind: str
    write: Callable[[Path], None]


def giants() -> list[Giant]:
    """Return all of them."""
    return [*_by_facts(), *_by_bytes(), *_by_branches()]


def _by_facts() -> list[Giant]:
    ghost = [{"type": "order.set", "order": ["fighter", "ghost"]}]
    found: dict[str, Facts] = {
        "a ghost in the order": ghost,
        "a combatant twice in the order": [{"type": "order.set", "order": ["fighter", "fighter"]}],
        "a ghost in a changed order": [
            {"type": "initiative.changed", "who": "ogre", "value": 3, "order": ["ogre", "ghost"]}
        ],
        "a ghost's turn": [{"type": "turn.began", "who": "ghost", "number": 1}],
        "a ghost surprised": [{"type": "awareness.settled", "aware": ["fighter"], "surprised": ["ghost"]}],
        "a ghost struck": [_attack("ghost", "phantom"), _attack("fighter", "ghost")],
        "two who ride each other": [_mounted("fighter", "ogre"), _mounted("ogre", "fighter")],
        "one who rides itself": [_mounted("ogre", "ogre")],
        "entered twice": [_entered("fighter", 0, 0)],
        "a thousand combatants": [_entered(f"n{n}", n % 60, n // 60) for n in range(1000)],
        "as many combatants as a fight holds": _crowd(),
        "as many combatants, each of whom fights": [
            *_crowd(),
            *(_attack(f"n{n}", f"n{n + 40}", mode) for n in range(100) for mode in ("melee", "ranged")),
            *({"type": "round.began", "number": n + 2} for n in range(50)),
        ],
        "as many combatants with the longest ids": [
            {**one, "id": one["id"].ljust(LONGEST_NAME, "x")} for one in _crowd()
        ],
        "as many giants as a fight holds": _crowd(space=4, reach=20),
        "two giants that fight": [
            _entered("a", 0, 0, space=20, reach=500),
            _entered("b", 30, 30, space=20, reach=500),
            *(_attack(*pair, mode) for pair in (("a", "b"), ("b", "a")) for mode in ("melee", "ranged")),
        ],
        "one far from the map": [_entered("a", 400, 400), _attack("fighter", "a", "ranged")],
        "a crowd of effects": [_effect(f"e{n}") for n in range(500)],
        "rounds to the limit": [{"type": "round.began", "number": 10**15}, _attack("fighter", "ogre")],
        "a flood of modifiers": [_attack("fighter", "ogre", attack=[_part()] * 10_000)],
        "a question of every square": [
            {"type": "asked", "key": "d1/x/y", "who": "fighter", "question": "?", "options": ["0,0"] * 50_000}
        ],
        "deep in data": [{"type": "round.began", "number": 1, "more": _nested(900)}],
    }
    found["two hundred chains of the game master"] = _chains()
    found["links of the longest chain to and fro"] = _links_to_and_fro()
    found["a map full of ground and barriers"] = [
        {
            **json.loads(rows()[0][5]),
            "terrain": ["." * 200] * 200,
            "ground": [{"here": [0, 0], "there": [199, 199], "what": "ice"}] * 1000,
            "barriers": [{"here": [n, 0], "there": [n + 1, 0], "cover": "low"} for n in range(199)] * 5,
        }
    ]
    return [Giant(name, AT, _both(facts)) for name, facts in found.items()]


def _chains() -> Facts:
    """Return chains that the revealed seed has to be compared with, none of them its own."""
    begun = [
        {"type": "chain.begun", "by": "", "anchor": "00" * 32, "length": LONGEST - n} for n in range(200)
    ]
    close = {"type": "encounter.closed", "reason": "", "standing": [], "seed": (b"m" * 32).hex()}
    return [*begun, close]


def _links_to_and_fro() -> Facts:
    """Return the first and the last link of a chain of some player, by turns."""
    chain = LinkChain(b"s" * 32, LONGEST)
    ends = [
        {"type": "link.given", "by": "alex", "number": n, "link": chain.link(n).hex()} for n in (LONGEST, 1)
    ]
    begun = {"type": "chain.begun", "by": "alex", "anchor": chain.anchor.hex(), "length": LONGEST}
    return [begun, *ends * 200]


def _both(facts: Facts) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        events = rows(*facts)
        (folder / "log.jsonl").write_bytes(exported(events))
        stored(folder / "log.db", events)

    return write


def _by_bytes() -> list[Giant]:
    lines = exported(rows()).splitlines(keepends=True)
    deep = b"[" * 200_000
    wide = b'"' + b"x" * 9_000_000 + b'"'
    header = lines[0].rstrip(b"}\n")
    found = {
        "a header nested 200,000 deep": [header + b',"more":' + deep + b"\n", *lines[1:-1]],
        "a header nested where branches are": [
            lines[0].replace(b'"branches":[', b'"branches":' + deep),
            *lines[1:-1],
        ],
        "an event nested 200,000 deep": [lines[0], lines[1].rstrip(b"}\n") + b',"more":' + deep + b"\n"],
        "an end nested 200,000 deep": [*lines[:-1], b'{"events":' + deep + b"\n"],
        "an event with an endless field": [lines[0], lines[1].rstrip(b"}\n") + b',"more":' + wide + b"}\n"],
        "a number of a million digits": [lines[0], lines[1].replace(b'"seq":1', b'"seq":' + b"9" * 10**6)],
        "a long branch name": [lines[0].replace(b'"main"', b'"' + b"m" * 10**6 + b'"'), *lines[1:-1]],
        "nothing but openings": [b'{"format":' * 200_000 + b"\n"],
    }

    def writer(made: list[bytes]) -> Callable[[Path], None]:
        return lambda folder: (folder / "log.jsonl").write_bytes(sealed(made)) and None

    return [Giant(name, PAST, writer(made)) for name, made in found.items()]


def _by_branches() -> list[Giant]:
    def from_one_event(count: int) -> Callable[[Path], None]:
        def write(folder: Path) -> None:
            _branching(folder, [("main", 5)] * count)

        return write

    def in_a_row(count: int) -> Callable[[Path], None]:
        def write(folder: Path) -> None:
            parents = ["main", *(f"b{n}" for n in range(count - 1))]
            _branching(folder, [(parent, 5) for parent in parents])

        return write

    def in_a_circle(folder: Path) -> None:
        _branching(folder, [("b1", 5), ("b0", 5)], export=False)

    return [
        Giant("30,000 branches from one event", PAST, from_one_event(30_000)),
        *(Giant(f"{n:,} branches from one event", AT, from_one_event(n)) for n in (200, 1000)),
        *(Giant(f"{n:,} branches in a row", AT, in_a_row(n)) for n in (200, 1000)),
        Giant("branches in a circle", AT, in_a_circle),
        Giant("1,000 branches that go on", AT, _going_on(1000, in_a_row=False)),
        Giant("1,000 branches in a row that go on", AT, _going_on(1000, in_a_row=True)),
    ]


def _going_on(count: int, *, in_a_row: bool) -> Callable[[Path], None]:
    """Return what writes a fight with branches each of which has an event of its own."""

    def write(folder: Path) -> None:
        data = encode(Ruled("gm", "upheld", "as it was"))
        with SqliteStore(folder / "log.db", synchronous="NORMAL") as store:
            fill(store, rows())
            for number in range(count):
                parent = f"b{number - 1}" if in_a_row and number else "main"
                at = store.head(parent).seq
                store.fork(f"b{number}", parent, at)
                store.append(f"b{number}", [Entry("ruled", 1, 1, 1, "", at + 1, data)], at)
            with (folder / "log.jsonl").open("wb") as out:
                export_jsonl(store, out)

    return write


def _branching(folder: Path, branches: list[tuple[str, int]], export: bool = True) -> None:
    """Write the fight with branches b0, b1, ... that leave these parents after these events."""
    events = rows()
    stored(folder / "log.db", events)
    store = MemoryStore()
    fill(store, events)
    digests = [GENESIS.hex(), *(event.digest.hex() for event in store.read("main"))]
    named = [(f"b{n}", parent, at, digests[at]) for n, (parent, at) in enumerate(branches)]
    with closing(sqlite3.connect(folder / "log.db")) as connection, connection:
        connection.executemany("INSERT INTO branches (name, parent, at, digest) VALUES (?, ?, ?, ?)", named)
    if export:
        lines = exported(events).splitlines(keepends=True)
        header = json.loads(lines[0])
        header["branches"] += [
            dict(zip(("name", "parent", "at", "digest"), one, strict=True)) for one in named
        ]
        made = [json.dumps(header, separators=(",", ":")).encode() + b"\n", *lines[1:-1]]
        (folder / "log.jsonl").write_bytes(sealed(made))


def _entered(id: str, x: int, y: int, space: int = 1, reach: int = 5) -> dict[str, Any]:
    place = {"at": [x, y], "space": space, "reach": reach}
    health = {"hp": 5, "max_hp": 5, "nonlethal": 0, "held": [], "acted": False, "policy": ""}
    return {"type": "combatant.entered", "id": id, "side": "x", "sheet": SHEET, **place, **health}


def _crowd(space: int = 1, reach: int = 5) -> Facts:
    """Return the entries of as many as a fight holds, foe beside foe, with those who are there already."""
    there = sum(row[0] == "combatant.entered" for row in rows())
    return [
        {**_entered(f"n{n}", n % 20 * space, n // 20 * space, space, reach), "side": "xy"[n % 2]}
        for n in range(MOST_COMBATANTS - there)
    ]


def _mounted(rider: str, mount: str) -> dict[str, Any]:
    return {"type": "mounted", "who": rider, "mount": mount, "at": [1, 1], "space": 1}


def _part() -> dict[str, Any]:
    return {"value": 1, "kind": "luck", "source": "s", "rule": "srd35.attack.roll"}


def _attack(attacker: str, target: str, mode: str = "melee", attack: Facts | None = None) -> dict[str, Any]:
    numbers = {"natural": 10, "total": 12, "needed": 15}
    said = {"weapon": "fist", "mode": mode, "against": "armor class", "key": "", "result": "miss", "why": ""}
    sides = {"attack": attack or [], "defense": []}
    return {"type": "attack.resolved", "attacker": attacker, "target": target, **numbers, **said, **sides}


def _effect(id: str) -> dict[str, Any]:
    lasting = {"modifier": _part(), "until": {}}
    return {"type": "effect.gained", "who": "fighter", "id": id, "stat": "attack", **lasting}


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value
