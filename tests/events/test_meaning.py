"""Every field of every fact says what it holds."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec import inspect as shapes

from affray.events.codec import FACTS
from affray.events.facts import acts, combat, flow, sheet
from affray.events.facts.acts import Act
from affray.events.field_kinds import COMMON, FIELDS, TextKind, UndeclaredField, field_kind, holds_text, texts


def kinds(kind: type[Struct], seen: set[type]) -> Iterator[shapes.StructType]:
    """Yield a type and every type that its fields lead to, once each."""
    if kind in seen:
        return
    seen.add(kind)
    info = shapes.type_info(kind)
    assert isinstance(info, shapes.StructType)
    yield info
    for field in info.fields:
        for part in parts(field.type):
            yield from kinds(part, seen)


def parts(shape: Any) -> Iterator[type[Struct]]:
    """Yield the types with fields that stand in a shape."""
    if isinstance(shape, shapes.StructType):
        yield shape.cls
    for name in ("type", "item_type", "key_type", "value_type"):
        if isinstance(inner := getattr(shape, name, None), shapes.Type):
            yield from parts(inner)
    for name in ("item_types", "types"):
        for inner in getattr(shape, name, None) or ():
            yield from parts(inner)


SEEN: set[type] = set()
KINDS = [info for fact in FACTS for info in kinds(fact, SEEN)]


def test_every_field_that_can_hold_text_says_what_it_is() -> None:
    """A new field is refused here until its meaning stands in the table."""
    missing = [
        f"{info.cls.__name__}.{field.name}"
        for info in KINDS
        for field in info.fields
        if holds_text(field.type) and field_kind(info.cls, field.name) is None
    ]
    assert missing == []
    assert len(KINDS) > 150


def test_nothing_is_said_of_what_is_not_there() -> None:
    """No entry outlives its field, or repeats what its name says already."""
    known = {info.cls: {f.name for f in info.fields if holds_text(f.type)} for info in KINDS}
    for kind, fields in FIELDS.items():
        assert fields.keys() <= known[kind], kind
        assert not [name for name, held in fields.items() if COMMON.get(name) == held], kind
    assert COMMON.keys() <= set().union(*known.values())


def test_a_field_without_a_meaning_is_refused() -> None:
    """Whoever goes by meaning does not pass over it."""

    class Newer(flow.TurnBegan, frozen=True, kw_only=True, tag="newer"):
        nickname: str = ""

    fact = Newer(who="ogre", number=1, nickname="Gharm")
    with pytest.raises(UndeclaredField, match=r"Newer\.who"):
        list(texts(fact))
    list(texts(flow.TurnBegan(who="ogre", number=1)))


ACTS = [info for act in Act.__subclasses__() for info in kinds(act, set())]
"""Declarations, and the parts that they are made of."""


@pytest.mark.parametrize("info", ACTS, ids=lambda info: info.cls.__name__)
def test_who_is_named_by_name_too(info: shapes.StructType) -> None:
    """Exactly the fields that hold combatants are those in which commands take a name for the id.

    What a sheet holds is no part of the fight, nor is what was brought along from another one, and who enters
    has no other name yet.
    """
    from affray.engine.language.names import MANY, NEW, ONE, PLACES

    if issubclass(info.cls, sheet.Sheet) or info.cls.__module__ == sheet.__name__:
        return
    for field in info.fields:
        means = field_kind(info.cls, field.name) if holds_text(field.type) else None
        if means is TextKind.COMBATANT and (info.cls, field.name) != (acts.Enter, "id"):
            assert field.name in ONE | MANY, field.name
        elif isinstance(means, tuple):
            held = tuple(at for at, one in enumerate(means) if one is TextKind.COMBATANT)
            assert PLACES.get(field.name, ()) == held, field.name
        elif means is not None and field.name not in NEW:
            assert field.name not in ONE | MANY, field.name


def test_places_of_pairs_and_parts() -> None:
    """Of pairs each place has its own meaning; parts are looked into; the usual word is left out."""
    enter = acts.Enter(actor="", id="x", by=(("prone", "ogre"),), levels=(("aloft", 5),), grapples="y")
    assert set(texts(enter)) == {
        (TextKind.COMBATANT, "x"),
        (TextKind.WORD, "prone"),
        (TextKind.COMBATANT, "ogre"),
        (TextKind.WORD, "aloft"),
        (TextKind.COMBATANT, "y"),
    }
    begin = acts.Begin(ambushes=(("a", "b", "bow"),))
    assert list(texts(begin)) == [
        (TextKind.COMBATANT, "a"),
        (TextKind.COMBATANT, "b"),
        (TextKind.TOLD, "bow"),
    ]
    plan = flow.PlanMade(who="a", actions=(("standard", "attack", "b"), ("move", "move", "")))
    assert [text for held, text in texts(plan) if held is TextKind.COMBATANT] == ["a", "b"]
    gained = combat.ConditionGained(
        who="a", condition="held", source="b", until=combat.Until("turn-end", "c")
    )
    assert [text for held, text in texts(gained) if held is not TextKind.WORD] == ["a", "b", "c"]
    ready = acts.Ready(
        actor="a", trigger=acts.Trigger("moves", "b"), then=acts.Attack(target="c", weapon="d")
    )
    assert sorted(text for _, text in texts(ready)) == ["a", "b", "c", "d"]
    assert list(texts(acts.Move(actor="a"))) == [(TextKind.COMBATANT, "a")]
    assert list(texts(acts.Move(actor="a", how="fly")))[1:] == [(TextKind.WORD, "fly")]


def test_no_text_is_passed_over() -> None:
    """What `texts` yields of a fact is every text in it, but for tags, choices and the usual."""
    fact = flow.EncounterOpened(
        name="n", dialect="d", options={"o": "p"}, terrain=("..",), commitment="c", algorithm="a", engine="e",
        catalogue="k", tables={"t": "u"}, cites=("r",),
    )  # fmt: skip
    found = {text for _, text in texts(fact)}
    assert found == {"n", "d", "o", "p", "..", "c", "a", "e", "k", "t", "u", "r"}
    assert msgspec.to_builtins(fact)["name"] == "n"
