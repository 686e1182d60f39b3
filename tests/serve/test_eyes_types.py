"""Every type of event, field by field: what of others leaves the server, and nothing of the hidden."""

from functools import cache
from typing import Any

import pytest
from msgspec import Struct
from msgspec import inspect as shapes

from affray.engine.table.table import Table
from affray.events.codec import TAG_OF, VERSIONS, decode
from affray.events.facts import acts
from affray.events.facts.flow import CombatantEntered, Declared
from affray.events.facts.sheet import Sheet
from affray.events.field_kinds import TextKind, field_kind
from affray.events.stores.memory import MemoryStore
from affray.replay.privacy.audience import GAME_MASTER, Audience
from affray.replay.serve.messages import encode_sse
from affray.replay.serve.visibility import Counted, Passed, Passing, Teller
from tests.serve.canaries import Filled, as_event

PLAYER = Audience(frozenset({"heroes"}), frozenset({"hero"}))
ONLOOKER = Audience(frozenset())

WHOLE = frozenset(
    {
        "disputed", "branch.promoted", "encounter.opened", "seed.contributed", "chain.begun", "link.given",
        "chain.left", "options.changed", "awareness.settled", "order.set", "round.began", "phase.changed",
        "turn.began", "turn.ended", "budget.renewed", "turn.delayed", "ready.ended", "casting.began",
        "casting.ended", "encounter.decided", "time.passed", "moved", "mounted", "dismounted",
        "mount.directed", "side.changed", "item.changed", "grip.changed", "door.moved",
        "area.placed", "area.ended",
    }
)  # fmt: skip
"""Types of which everything of everybody is told."""

SEEN: dict[str, set[str]] = {
    "combatant.entered": {"side"},
    "ruled": {"author", "verdict", "text", "subject", "id", "dispute", "event", "scope"},
    "round.ended": {"number"},
    "reaction.spent": {"kind"},
    "opportunity.provoked": {"reason"},
    "attack.resolved": {"weapon", "mode", "result"},
    "condition.gained": {"condition"},
    "condition.lost": {"condition"},
    "item.struck": {"item"},
}
"""Of others what is told besides who they are; of the types that stand nowhere here, nothing."""

OWN: dict[str, set[str]] = {
    "declared": {"id"},
    "disputed": {"id", "event"},
    "ruled": {"id", "event"},
    "turn.began": {"number"},
}
"""In place of these the reader is told numbers of its own."""

SECRET_ACTS = {"enter", "plan", "ready", "circumstance", "hazard", "fall", "expose", "fiat"}
"""Declarations of others, and of the game master about others, of which nothing is told."""


@cache
def fought() -> MemoryStore:
    """Return the log of a fight of three, one of whom may be hidden."""
    store = MemoryStore()
    table = Table.create(store, dialect="srd35", terrain=["......"] * 4, seed=b"s")
    for id, side, at in (("hero", "heroes", (1, 1)), ("ogre", "dark", (3, 1)), ("zorgimp", "dark", (5, 1))):
        name = "Vexlord" if id == "zorgimp" else id.title()
        table.declare(acts.Enter(id=id, side=side, sheet=Sheet(name=name, hp=20), at=at))
    return store


def told(kind: type[Struct], data: dict[str, Any], who: Audience, actor: str = "ogre") -> bytes:
    """Return what is told of one more event."""
    seq, tag = fought().head("main").seq + 1, TAG_OF[kind]
    event = as_event(seq, tag, VERSIONS[tag], data, actor, seq if kind is Declared else 0)
    line = Passing(fought(), "main", seq - 1, framed=False)
    counted = None if who.all_seeing else Counted(who)
    if counted is not None:
        counted.take((*fought().read("main"), event))
    teller = Teller(who, line.state, line.group, "", ("main", 0), counted)
    told = teller.tell([Passed(event, decode(event), None, None)], frames=False)
    return b"".join(map(encode_sse, told))


def acts_of_all_kinds() -> list[type[Struct]]:
    """Return all that can be declared."""
    info = shapes.type_info(Declared)
    assert isinstance(info, shapes.StructType)
    (act,) = (one.type for one in info.fields if one.name == "act")
    assert isinstance(act, shapes.UnionType)
    return [one.cls for one in act.types if isinstance(one, shapes.StructType)]


@pytest.mark.parametrize("kind", TAG_OF, ids=TAG_OF.values())
@pytest.mark.parametrize("who", [PLAYER, ONLOOKER], ids=["player", "onlooker"])
def test_what_is_told_of_others(kind: type[Struct], who: Audience) -> None:
    """Whatever stands in a field that is not seen stands in no byte; the game master is told all of it."""
    tag = TAG_OF[kind]
    filled = Filled(kind, "ogre", acts.Attack)
    every = set(filled.where.values())
    found = filled.found_in(told(kind, filled.data, who))
    if tag in WHOLE or tag == "declared":
        assert found == every - OWN.get(tag, set())
    else:
        assert found == SEEN.get(tag, set()) - OWN.get(tag, set())
    assert filled.found_in(told(kind, filled.data, GAME_MASTER)) == every


@pytest.mark.parametrize("act", acts_of_all_kinds(), ids=lambda act: act.__name__)
@pytest.mark.parametrize("actor", ["ogre", "stranger", ""])
def test_declarations_of_others(act: type[Struct], actor: str) -> None:
    """All of it, or nothing: what is planned, readied, sprung or brought into the fight is not heard."""
    tag = str(act.__struct_config__.tag)
    filled = Filled(Declared, "ogre", act)
    filled.data["act"]["actor"] = actor
    found = filled.found_in(told(Declared, filled.data, PLAYER, actor))
    every = set(filled.where.values()) - OWN["declared"]
    assert found == (set() if tag in SECRET_ACTS else every)


@pytest.mark.parametrize("kind", TAG_OF, ids=TAG_OF.values())
def test_one_s_own_numbers_are_told(kind: type[Struct]) -> None:
    """What is told of one's own side is all, but for what gives others away and what changes by a ruling."""
    tag = TAG_OF[kind]
    filled = Filled(kind, "hero", acts.Plan)
    found = filled.found_in(told(kind, filled.data, PLAYER, "hero"))
    if tag in ("refused", "invalidated", "combatant.entered"):
        return  # these follow from a declaration, and a side
    every = set(filled.where.values()) - OWN.get(tag, set())
    assert found == ({"number"} if tag == "round.ended" else set() if tag == "encounter.closed" else
                     every - {"changes"} if tag == "ruled" else every)  # fmt: skip


def texts_of(kind: type[Struct], data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where in plain data a text stands that may name somebody."""
    info = shapes.type_info(kind)
    assert isinstance(info, shapes.StructType)
    found = []
    for one in info.fields:
        held = field_kind(kind, one.name)
        value = data.get(one.encode_name)
        if isinstance(value, str) and held in (
            TextKind.COMBATANT,
            TextKind.SAID,
            TextKind.TOLD,
            TextKind.REASON,
            TextKind.TITLE,
        ):
            found.append((*path, one.encode_name))
        elif isinstance(value, list) and value and isinstance(value[0], str) and held is not TextKind.WORD:
            found.append((*path, one.encode_name, 0))
        for inner in inner_structs(one.type):
            if isinstance(value, dict) and value.get("act", value.get("type")) in (
                None,
                inner.__struct_config__.tag,
            ):
                found += texts_of(inner, value, (*path, one.encode_name))
            if isinstance(value, list) and value and isinstance(value[0], dict):
                found += texts_of(inner, value[0], (*path, one.encode_name, 0))
    return found


def inner_structs(shape: Any) -> list[type[Struct]]:
    """Return the parts that a field of this shape may hold."""
    if isinstance(shape, shapes.StructType):
        return [shape.cls]
    if isinstance(shape, shapes.UnionType):
        return [one.cls for one in shape.types if isinstance(one, shapes.StructType)]
    if isinstance(shape, shapes.VarTupleType):
        return inner_structs(shape.item_type)
    return []


@pytest.mark.parametrize("word", ["zorgimp", "Vexlord", "the vexlords' lair"])
@pytest.mark.parametrize("kind", [*TAG_OF, *acts_of_all_kinds()], ids=lambda kind: kind.__name__)
def test_the_hidden_in_any_field(kind: type[Struct], word: str) -> None:
    """Whichever field names somebody hidden, by id, by name or in a sentence, the name leaves with none."""
    act = None if kind in TAG_OF else kind
    hide = Audience(frozenset({"heroes"}), frozenset({"hero"}), frozenset({"zorgimp"}))
    fact = Declared if act is not None else kind
    filled = Filled(fact, "hero", act or acts.Attack)
    filled.data.pop("by_chance", None)
    count = 0
    for path in texts_of(fact, filled.data):
        if kind is CombatantEntered and path == ("id",) and word != "zorgimp":
            continue  # who comes in under a name of the hidden is somebody else
        data = changed(filled.data, path, word)
        told_of_it = told(fact, data, hide, "hero").lower()
        assert b"zorgimp" not in told_of_it, path
        assert b"vexlord" not in told_of_it, path
        count += 1
    assert count or kind.__name__ in (
        "RoundBegan", "RoundEnded", "PhaseChanged", "TimePassed", "EndTurn", "ChainBegun",
    )  # fmt: skip
    assert b"zorgimp" not in told(fact, filled.data, hide, "zorgimp")


@pytest.mark.parametrize("word", ["zorgimp", "Vexlord", "the vexlords' lair"])
def test_who_is_hidden_and_named_by_chance(word: str) -> None:
    """The words of one who did not know are told; whom a declaration is about is nobody's own word."""
    hide = Audience(frozenset({"heroes"}), frozenset({"hero"}), frozenset({"zorgimp"}))
    filled = Filled(Declared, "orc", acts.Attack)
    filled.data["act"]["actor"] = "hero"
    for name, is_told in (("weapon", True), ("feat", True), ("target", False)):
        data = changed(filled.data, ("act", name), word)
        assert (word.encode() in told(Declared, data, hide, "hero")) is is_told, name
        del data["by_chance"]
        assert (word.encode() in told(Declared, data, hide, "hero")) is (name == "feat")


def changed(data: Any, path: tuple[Any, ...], word: str) -> Any:
    """Return plain data with a word in one place of it."""
    if not path:
        return word
    if isinstance(data, dict):
        return {**data, path[0]: changed(data[path[0]], path[1:], word)}
    return [changed(data[0], path[1:], word), *data[1:]]
