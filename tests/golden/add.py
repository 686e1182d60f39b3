"""Add golden logs: `python -m tests.golden.add LABEL DIALECT...` plays packaged fights and keeps their logs.

DIALECT+NAME plays with the house rules of an installed package. The files are named DIALECT-LABEL.jsonl. The
name of a golden log in place of a dialect has whoever stands at its end carried into a fight that is kept.
Nothing that is there is ever written again: files are created, lines are appended to golden.jsonl, fields are
added to state.json.
"""

import hashlib
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import replace

from affray.engine.table.scenario import packaged, play
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.projections.fold import fold
from affray.projections.state import Encounter, digest
from affray.projections.view import VIEW
from affray.replay import Between, Journey, carry

HERE = Path(__file__).parent
MANIFEST = HERE / "golden.jsonl"
FIELDS = HERE / "state.json"


ROUNDS = 5
"""The round in which a golden log ends, if it was decided before."""


class Golden(Struct, frozen=True):
    """One golden log: its file with its sha256, its length, its head, its final state by view."""

    file: str
    sha256: str
    events: int
    head: str
    view: int
    state: str


def golden() -> list[Golden]:
    """Return the manifest."""
    return [msgspec.json.decode(line, type=Golden) for line in MANIFEST.read_bytes().splitlines()]


def loaded(name: str) -> MemoryStore:
    """Return a golden log in memory, its chain verified on the way."""
    store = MemoryStore()
    with (HERE / name).open("rb") as file:
        import_jsonl(file, store)
    return store


def state_fields() -> dict[str, dict[str, Any]]:
    """Return the fields of every struct in the state, each with its default.

    "required" without one, "unset" where it is left out.
    """
    found: dict[str, dict[str, Any]] = {}

    def visit(kind: Any) -> None:
        if isinstance(kind, msgspec.inspect.StructType):
            if kind.cls.__name__ in found:
                return
            found[kind.cls.__name__] = {field.encode_name: shown(field) for field in kind.fields}
            for field in kind.fields:
                visit(field.type)
        for name in ("item_type", "value_type"):
            if hasattr(kind, name):
                visit(getattr(kind, name))
        for each in (*getattr(kind, "types", ()), *getattr(kind, "item_types", ())):
            visit(each)

    def shown(field: Any) -> Any:
        if field.default is not NODEFAULT:
            return msgspec.to_builtins(field.default)
        if field.default_factory is not NODEFAULT:
            return msgspec.to_builtins(field.default_factory())
        return "required" if field.required else "unset"

    visit(msgspec.inspect.type_info(Encounter))
    return msgspec.json.decode(msgspec.json.encode(found))


def frozen_fields() -> dict[str, dict[str, Any]]:
    """Return the fields and defaults as they were released."""
    return msgspec.json.decode(FIELDS.read_bytes())


def record(name: str, view: int = VIEW) -> None:
    """Append a log to the manifest. Raises SystemExit for one that is there already."""
    if MANIFEST.exists() and any(each.file == name for each in golden()):
        raise SystemExit(f"{name} is recorded already, and golden logs never change")
    store, content = loaded(name), (HERE / name).read_bytes()
    head = store.head("main")
    state = digest(fold(store.read("main")), view)
    line = Golden(name, hashlib.sha256(content).hexdigest(), head.seq, head.digest.hex(), view, state)
    with MANIFEST.open("ab") as file:
        file.write(msgspec.json.encode(line) + b"\n")


def add(dialect: str, label: str) -> str:
    """Play the packaged fight of a dialect, keep its log and return its name."""
    dialect, *houses = dialect.split("+")
    name = f"{dialect}-{label}.jsonl"
    store = MemoryStore()
    scenario = replace(packaged(f"demo_{dialect}"), house_rules=tuple(houses))
    table = play(scenario, store)
    while table.state.round < ROUNDS and not table.state.closed:  # turns go on until it is closed
        table.declare(acts.EndTurn(actor=table.state.active))
    table.declare(acts.Close(reason="kept as a golden log"))
    with (HERE / name).open("xb") as file:
        export_jsonl(store, file)
    record(name)
    return name


def add_next(former: str, label: str) -> str:
    """Carry somebody who stands at the end of a golden log into a fight, and keep the log of that."""
    before, store = loaded(former), MemoryStore()
    state = fold(before.read("main"))
    name = f"{state.dialect}-{label}.jsonl"
    table = Table.create(store, dialect=state.dialect, terrain=state.terrain, name="the next fight")
    standing = next(id for id, one in state.combatants.items() if not one.conditions)
    carry(before, [standing], store, journey=Journey(between=Between(after=100)))
    table = Table(store)
    sheet = state.combatants[standing].sheet
    table.declare(acts.Enter(id="twin", side="strangers", sheet=sheet, at=(1, 1)))
    table.declare(acts.Begin())
    for _ in range(8):  # four rounds in which they look at each other
        table.declare(acts.EndTurn(actor=table.state.active))
    play_on(table, 3)
    table.declare(acts.Close(reason="kept as a golden log"))
    with (HERE / name).open("xb") as file:
        export_jsonl(store, file)
    record(name)
    return name


def add_fields() -> None:
    """Add to state.json the fields that are new; what stands there stays."""
    known = frozen_fields() if FIELDS.exists() else {}
    for kind, fields in state_fields().items():
        known[kind] = {**fields, **known.get(kind, {})}
    FIELDS.write_bytes(msgspec.json.format(msgspec.json.encode(known, order="sorted"), indent=1) + b"\n")


if __name__ == "__main__":
    for each in sys.argv[2:]:
        print((add_next if each.endswith(".jsonl") else add)(each, sys.argv[1]))
    add_fields()
