"""Twins of a log: the same fight to somebody who looks on, and another one to the game master."""

import re
from collections.abc import Callable, Collection
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.language.cast import dialect_words
from affray.events.codec import decode, encode
from affray.events.envelope import Entry, Event
from affray.events.facts import acts
from affray.events.facts.combat import DamagePart, Until
from affray.events.facts.flow import Declared
from affray.events.facts.sheet import Modifier, Sheet
from affray.events.field_kinds import TextKind, field_kind
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.replay.privacy.audience import Audience

ABOUT: dict[str, tuple[str, ...]] = {
    "combatant.entered": ("id",),
    "attack.resolved": ("attacker", "target"),
    "confirmation.resolved": ("attacker", "target"),
    "miss-chance.resolved": ("attacker",),
    "damage.resolved": ("attacker", "target"),
    "contest.resolved": ("who", "against"),
    "item.struck": ("attacker", "bearer"),
    "opportunity.provoked": ("by",),
    **dict.fromkeys(
        (
            "rolled", "asked", "chosen", "initiative.rolled", "initiative.changed", "plan.made",
            "act.readied",
            "hit-points.changed", "effect.gained", "effect.ended", "check.resolved", "turning.resolved",
            "resource.spent", "injury.suffered", "rule.applied", "ability.changed", "feats.changed",
            "maximum.changed", "form.changed",
            "affliction.held", "affliction.ended", "condition.gained", "condition.lost", "reaction.spent",
        ),
        ("who",),
    ),
}  # fmt: skip
"""Type of an event -> the fields that say whose numbers it shows."""

OPEN: dict[str, tuple[str, ...]] = {
    "combatant.entered": ("id", "side", "at", "space", "held"),
    "attack.resolved": ("attacker", "target", "weapon", "mode", "result"),
    "confirmation.resolved": ("attacker", "target", "confirmed"),
    "miss-chance.resolved": ("attacker", "target", "missed"),
    "damage.resolved": ("attacker", "target"),
    "hit-points.changed": ("who",),
    "item.struck": ("attacker", "bearer", "item"),
    "turning.resolved": ("who",),
    "injury.suffered": ("who",),
    "condition.gained": ("who", "condition"),
    "condition.lost": ("who", "condition"),
    "opportunity.provoked": ("who", "by", "reason"),
    "reaction.spent": ("who", "kind", "against"),
    "initiative.changed": ("who", "order", "before"),
    "contest.resolved": ("who", "against", "contest", "won"),
    "asked": ("who",),
    "rule.applied": ("who", "squares", "corner"),
}
"""Type of an event -> what everybody at the table sees of it; of the types that are not here, nothing."""


def copied_as(store: Store, change: Callable[[Event, Any], Any]) -> MemoryStore:
    """Return a log with the same events but for what `change` makes of their facts."""
    made = MemoryStore()
    for head, event in enumerate(store.read("main")):
        fact = change(event, decode(event))
        entry = Entry(
            event.type, event.version, event.round, event.turn, event.actor, event.cause, encode(fact)
        )
        made.append("main", [entry], head)
    return made


ARMS: dict[str, tuple[str, ...]] = {
    "combatant.entered": ("sheet", "reach", "acted"),
    "reaction.spent": ("amount",),
    "condition.gained": ("level", "until"),
}
"""What an opponent may strike with and whether it may, which the ways past it depend on."""


def twin(store: Store, who: Audience, sides: dict[str, str], *, armed: bool = False) -> MemoryStore:
    """Return a log in which everything differs that is hidden from an audience, and nothing else does.

    With `armed` their arms stay what they are.
    """
    declared: dict[int, Declared] = {}
    plain = dialect_words(fold(store.read("main"))).actions

    def is_other(id: str) -> bool:
        return who.sides is not None and sides.get(id) not in who.sides

    def change(event: Event, fact: Any) -> Any:
        kind = event.type
        if kind == "declared":
            declared[event.seq] = fact
            return replace(fact, act=_other_act(fact.act)) if _is_secret(fact.act, is_other, who) else fact
        if kind in ("refused", "invalidated"):
            act = declared[event.cause].act
            ours = act.actor and not is_other(act.actor)
            return fact if ours else replace(fact, reason=f"{fact.reason}~", rule="another.rule")
        if kind == "round.ended":
            return replace(fact, state="f" * 64)
        if kind == "encounter.closed":
            return replace(fact, seed="0" * 64, reason="otherwise")
        if kind == "order.set" and fact.why:
            return (
                replace(fact, why=f"{fact.why}~")
                if any(map(is_other, sides)) and _names(fact.why, sides, is_other)
                else fact
            )
        if kind == "action.spent" and is_other(fact.who):
            return fact if fact.kind in plain else altered(fact, ("who", "kind"))
        those = [getattr(fact, name) for name in ABOUT.get(kind, ())]
        if kind not in ABOUT or (any(those) and not any(is_other(id) for id in those if id)):
            return fact
        if not any(those) and who.sides is None:
            return fact
        return altered(fact, (*OPEN.get(kind, ABOUT[kind]), *(ARMS.get(kind, ()) if armed else ())))

    return copied_as(store, change)


def _names(text: str, sides: dict[str, str], is_other: Callable[[str], bool]) -> bool:
    return any(re.search(rf"\b{re.escape(id)}\b", text) for id in sides if is_other(id))


def _is_secret(act: Any, is_other: Callable[[str], bool], who: Audience) -> bool:
    if isinstance(act, acts.Enter):
        return who.sides is None or act.side not in who.sides
    if isinstance(act, acts.Circumstance | acts.Fiat):
        return is_other(act.target)
    if isinstance(act, acts.Hazard | acts.Fall | acts.Expose):
        return True
    return isinstance(act, acts.Plan | acts.Ready) and (not act.actor or is_other(act.actor))


def _other_act(act: Any) -> Any:
    if isinstance(act, acts.Enter):
        sheet = _other_sheet(act.sheet) if act.sheet is not None else None
        return replace(act, sheet=sheet, hp=None if act.hp is None else act.hp - 1, policy="cautious")
    if isinstance(act, acts.Plan):
        return replace(act, actions=(acts.Intent("move", "wait", ""),))
    if isinstance(act, acts.Ready):
        return replace(act, then=acts.Speak(words="never"))
    if isinstance(act, acts.Hazard):
        return replace(act, damage="9d6", dc=99, source="another thing")
    if isinstance(act, acts.Fall):
        return replace(act, feet=act.feet + 10)
    if isinstance(act, acts.Circumstance):
        return replace(act, hampers=not act.hampers, why="other")
    if isinstance(act, acts.Fiat):
        return replace(act, hp=1, gains=("stunned",), at=(0, 0), text="other")
    return act


def _other_sheet(sheet: Sheet) -> Sheet:
    weapons = tuple(replace(one, damage="1d3", damage_type="secret") for one in sheet.weapons)
    return replace(sheet, hp=sheet.hp + 1, weapons=weapons, feats=(*sheet.feats, "Secret Feat"))


def altered(fact: Any, keep: Collection[str]) -> Any:
    """Return a fact in which every field but some says something else; ids of combatants stay."""
    made = {}
    for name in fact.__struct_fields__:
        value = getattr(fact, name)
        held = field_kind(type(fact), name)
        # What leads to what is told by keys and openings: these stay, or other events would differ with them.
        if name in (*keep, "opportunity") or held in (TextKind.COMBATANT, TextKind.KEY):
            continue
        made[name] = _other(value, name)
    return replace(fact, **made)


def _other(value: Any, name: str = "") -> Any:
    if isinstance(value, bool):
        return value if name == "aloft" else not value
    if name == "faces":
        return tuple(2 if face == 1 else 1 for face in value)
    if name == "notation":
        return f"{value}+1"
    if isinstance(value, int):
        return value + 3
    if isinstance(value, str):
        # Whether an opening was taken shows in the blow that follows.
        return value if not value or (name, value) == ("answer", "take") else f"{value}~"
    if isinstance(value, Sheet):
        return _other_sheet(value)
    if isinstance(value, Modifier):
        return replace(value, value=value.value + 5, source=f"{value.source}~")
    if isinstance(value, DamagePart):
        return replace(value, total=value.total + 3, source="~")
    if isinstance(value, Until):
        return replace(value, round=value.round + 1)
    if isinstance(value, acts.Ready):
        return _other_act(value)
    if isinstance(value, Struct) or value is None or value is msgspec.UNSET:
        return value
    if isinstance(value, tuple):
        if name == "actions":
            return (("move", "wait", ""),)
        return tuple(_other(one) for one in value)
    return value


def renamed(store: Store, names: dict[str, str]) -> MemoryStore:
    """Return a log in which words stand for others, wherever they stand in it."""
    made = MemoryStore()
    for head, event in enumerate(store.read("main")):
        data, actor = event.data, event.actor
        for word, other in names.items():
            data, actor = data.replace(word.encode(), other.encode()), actor.replace(word, other)
        entry = Entry(event.type, event.version, event.round, event.turn, actor, event.cause, data)
        made.append("main", [entry], head)
    return made
