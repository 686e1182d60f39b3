"""Logs that are not as they were: bytes changed under their digests, and facts forged with good digests."""

import json
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from affray.events.codec import encode
from affray.events.envelope import Entry, Event
from affray.events.exports import export_jsonl
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from tests.fuzz.grounds import sealed

Forge = Callable[[list[dict[str, Any]]], None]


def exported(store: Store) -> bytes:
    """Return the portable log of a store."""
    out = BytesIO()
    export_jsonl(store, out)
    return out.getvalue()


def forged(events: Iterable[Event], change: Forge) -> bytes:
    """Return the export of a log in which facts were changed before it was chained, as a forger would.

    `change` is given all facts and may change, add and take some away.
    """
    line = list(events)
    places = {index: (e.type, e.version, e.round, e.turn, e.actor, e.cause) for index, e in enumerate(line)}
    facts = [{**json.loads(e.data), "#": index} for index, e in enumerate(line)]
    change(facts)
    store = MemoryStore()
    made = []
    for fact in facts:
        type, version, *place = places[fact.pop("#")]
        made.append(Entry(fact.get("type", type), version, *place, encode(fact)))
    store.append("main", made, 0)
    return exported(store)


def rolls(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the seeded rolls among some facts."""
    return [fact for fact in facts if fact["type"] == "rolled" and fact["provenance"] == "seeded"]


def one_face(facts: list[dict[str, Any]]) -> None:
    """Give a roll another face, and the total that goes with it."""
    roll = next(one for one in rolls(facts) if one["notation"] == "1d20")
    roll["faces"] = [roll["faces"][0] % 20 + 1]
    roll["total"] = roll["faces"][0]


def one_total(facts: list[dict[str, Any]]) -> None:
    """Let a roll come to one more than its dice show."""
    rolls(facts)[1]["total"] += 1


def no_such_face(facts: list[dict[str, Any]]) -> None:
    """Let a d20 show 21."""
    roll = next(one for one in rolls(facts) if one["notation"] == "1d20")
    roll["faces"], roll["total"] = [21], 21


def a_mark(facts: list[dict[str, Any]]) -> None:
    """Let a roll leave a die out that counts."""
    rolls(facts)[0]["dropped"] = [0]


def key_twice(facts: list[dict[str, Any]]) -> None:
    """Throw for one purpose twice, as if one could choose."""
    roll = rolls(facts)[0]
    facts.insert(facts.index(roll) + 1, dict(roll))


def key_elsewhere(facts: list[dict[str, Any]]) -> None:
    """Throw with the key of another declaration."""
    roll = rolls(facts)[-1]
    roll["key"] = "d1/" + roll["key"].split("/", 1)[1]


def declared_twice(facts: list[dict[str, Any]]) -> None:
    """Call two declarations by one id."""
    first, second = [fact for fact in facts if fact["type"] == "declared"][:2]
    second["id"] = first["id"]


def another_seed(facts: list[dict[str, Any]]) -> None:
    """Reveal a seed that was never committed to."""
    next(fact for fact in facts if fact["type"] == "encounter.closed")["seed"] = "00" * 32


def another_commitment(facts: list[dict[str, Any]]) -> None:
    """Open the fight with another commitment."""
    facts[0]["commitment"] = "00" * 32


def given_late(facts: list[dict[str, Any]]) -> None:
    """Give to the seed when everything is known."""
    place = next(fact for fact in facts if fact["type"] == "declared")["#"]
    facts.insert(place + 1, {"type": "seed.contributed", "by": "kim", "words": "now", "#": place})


def number_left_out(facts: list[dict[str, Any]]) -> None:
    """Pass over numbers of declarations until the dice please."""
    last = [fact for fact in facts if fact["type"] == "declared"][-1]
    last["id"] = "d1008"


FORGED: dict[str, tuple[Forge, str, str]] = {
    "a face": (one_face, "dice", "the seed says"),
    "a total": (one_total, "dice", ", not "),
    "a face beyond the die": (no_such_face, "dice", "a d20 cannot show 21"),
    "a mark": (a_mark, "dice", ", not "),
    "a key twice": (key_twice, "dice", "occurs twice"),
    "a key of another declaration": (key_elsewhere, "dice", "belongs to another declaration"),
    "a declaration twice": (declared_twice, "dice", "occurs twice"),
    "a number": (number_left_out, "dice", "declaration d1008 comes where"),
    "a seed": (another_seed, "seed", "does not open the commitment"),
    "a commitment": (another_commitment, "seed", "does not open the commitment"),
    "something given late": (given_late, "seed", "when their effect could be known"),
}
"""What is forged under good digests, the check that must object, and with which words."""


def changed(log: bytes, name: str) -> bytes:
    """Return an export in which one thing is not as it was written. Its event 30 is the first to tell."""
    rows = log.splitlines(keepends=True)
    row, header = rows[30], json.loads(rows[0])
    if name == "data":
        rows[30] = _turned(row, b'"data":{"', 12)
    elif name == "digest":
        rows[30] = _turned(row, b'"digest":"', 3)
    elif name == "salt":
        rows[30] = _turned(row, b'"salt":"', 3)
    elif name == "round":
        rows[30] = row.replace(b'"round":', b'"round":1', 1)
    elif name == "order":
        rows[30], rows[31] = rows[31], rows[30]
    elif name == "dropped":
        del rows[30]
    elif name == "doubled":
        rows.insert(30, rows[29])
    elif name == "unreadable":
        rows[30] = row.replace(b'"data":{', b'"data":[', 1)
    elif name == "two data":
        rows[30] = row.replace(b'"data":', b'"data":{},"data":', 1)
    elif name == "end":
        rows[-1] = rows[-1].replace(b'"events":', b'"events":1', 1)
    elif name == "hash":
        rows[-1] = _turned(rows[-1], b'"sha256":"', 3)
    elif name == "cut":
        del rows[-1]
    elif name == "behind":
        rows.append(rows[-1])
    elif name == "branch's place":
        header["branches"][1]["at"] -= 1
        rows[0] = encode(header) + b"\n"
    elif name == "branch's digest":
        header["branches"][1]["digest"] = "00" * 32
        rows[0] = encode(header) + b"\n"
    elif name == "branches swapped":
        one, other = header["branches"][1:3]
        one["name"], other["name"] = other["name"], one["name"]
        rows[0] = encode(header) + b"\n"
    made = b"".join(rows)
    assert made != log, name
    return made


def closed(log: bytes) -> bytes:
    """Return a changed export with an end that fits it, as whoever changed it on purpose would write."""
    return sealed(log.splitlines(keepends=True)[:-1])


def _turned(row: bytes, behind: bytes, at: int) -> bytes:
    place = row.index(behind) + len(behind) + at
    old = row[place : place + 1]
    return row[:place] + (b"0" if old != b"0" else b"1") + row[place + 1 :]
