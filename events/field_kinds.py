"""The kinds of text in the fields of facts: ids of combatants, words of people, terms of the rules.

One table covers every text field of every fact, declaration and part of them; the type alone describes a
field of numbers, squares or a few fixed words. Code that hides or searches for a combatant uses this table,
never the raw bytes. A field missing from the table raises an error on access and fails a test.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, structs
from msgspec import inspect as shapes

from affray.events.errors import AffrayError
from affray.events.facts import acts, combat, flow, sheet, words
from affray.events.facts.base import JsonObject
from affray.events.facts.sheet import Modifier


class TextKind(Enum):
    """The kind of text in a field."""

    COMBATANT = "the id of a combatant, of several, or none"
    KEY = "the purpose of a roll or question: declaration/combatant or scope/purpose/number"
    SAID = "words that a person said or wrote, which may name any combatant"
    TOLD = "a name of a thing, or a sentence of the rules: either may name a combatant"
    REASON = "a reason or question of the engine: it may name a combatant, and a later version may reword it"
    TITLE = "the name of a fight, side or sheet: it may contain a combatant's name, and is never reworded"
    WORD = "a term of the rules, a number in words, an id of anything except a combatant: never a name"


One = TypeVar("One", bound=Struct)
C, K, S, T, W = TextKind.COMBATANT, TextKind.KEY, TextKind.SAID, TextKind.TOLD, TextKind.WORD
N, R = TextKind.TITLE, TextKind.REASON
Meaning = TextKind | tuple[TextKind, ...]
"""The kind of a field; for pairs and triples, the kind of each position."""

COMMON: dict[str, Meaning] = {
    "actor": C, "attacker": C, "target": C, "targets": C, "weapon": T, "item": T, "spell": T, "cites": W,
    "rule": W, "key": K, "why": R,
}  # fmt: skip
"""The kinds of fields with these names, unless `FIELDS` has another one."""

FIELDS: dict[type, dict[str, Meaning]] = {
    # Declarations.
    acts.CalledShot: {"part": T},
    acts.Strike: {"part": T},
    acts.FullAttack: {"second": T},
    acts.Charge: {"part": T, "stunt": S, "skill": T},
    acts.Attack: {"feat": W},
    acts.Enter: {
        "id": C, "side": N, "conditions": W, "held": T, "policy": W, "riding": C, "by": (W, C),
        "levels": (W,), "losses": (W,), "used": (T,), "grapples": C, "grip": W, "unloaded": T,
    },
    sheet.Origin: {
        "log": W, "branch": T, "digest": W, "id": C, "state": W, "fight": T, "renewed": T, "together": C,
    },
    sheet.Carried: {
        "own_side": T, "held": T, "items": (T, W), "unloaded": T, "used": (T,), "injuries": T, "losses": (W,),
        "counters": (W,),
    },
    sheet.LastingCondition: {"condition": W, "source": T},
    sheet.LastingEffect: {"id": T, "stat": W, "against": C},
    sheet.LastingAffliction: {"id": T, "by": C},
    acts.Begin: {"unaware": C, "turn": C, "ambushes": (C, C, T), "stealthy": C},
    acts.Fall: {"opponent": C},
    acts.Close: {"reason": S},
    acts.Rule: {"declaration": W, "text": S, "author": T},
    acts.Fiat: {"gains": W, "loses": W, "text": S},
    acts.Circumstance: {"why": S, "row": T},
    acts.Hazard: {
        "damage": W, "damage_type": W, "condition": W, "source": T, "skill": W, "injury": T, "bleeding": W,
    },
    acts.Opening: {"opponent": C, "reason": S},
    acts.Expose: {"degree": T},
    acts.Rest: {"healer": C, "interrupted": S},
    acts.Draw: {"also": T},
    acts.Drop: {"also": T},
    acts.Envenom: {"poison": T},
    acts.Don: {"helper": C},
    acts.Doff: {"helper": C},
    acts.TurnUndead: {"kind": T, "words": S, "boost": T},
    acts.Sunder: {"material": T},
    acts.Stunt: {"what": S},
    acts.Overrun: {"strike": C},
    acts.DirtyTrick: {"condition": W},
    acts.Recover: {"condition": W},
    acts.Grapple: {"part": T},
    acts.Grab: {"means": T},
    acts.Move: {"how": W, "surface": W, "draw": T},
    acts.Withdraw: {"how": W},
    acts.Aid: {"friend": C, "opponent": C, "what": T},
    acts.Speak: {"words": S},
    acts.UseFeat: {"feat": T},
    acts.UseAbility: {"ability": T},
    acts.UseSkill: {"skill": W},
    acts.Custom: {"name": W, "fields": T},
    acts.Plan: {"after": C},
    acts.Intent: {"what": W},
    acts.Trigger: {"who": C},
    # Outcomes.
    combat.Until: {"when": W, "who": C},
    combat.Moved: {"who": C, "how": W},
    combat.Mounted: {"who": C, "mount": C},
    combat.Dismounted: {"who": C, "mount": C, "how": W},
    combat.MountDirected: {"who": C, "mount": C},
    combat.Provoked: {"who": C, "by": C, "reason": R, "denied": R},
    combat.AttackResolved: {"mode": W, "against": W, "result": W},
    combat.DamagePart: {"notation": W, "kind": W, "source": T},
    combat.HitPointsChanged: {"who": C},
    combat.ConditionGained: {"who": C, "condition": W, "source": T},
    combat.ConditionLost: {"who": C, "condition": W},
    combat.EffectGained: {"who": C, "id": T, "stat": W, "against": C},
    combat.EffectEnded: {"who": C, "id": T},
    combat.CheckResolved: {"who": C, "check": W, "against": C},
    combat.ContestResolved: {"who": C, "against": C, "contest": W},
    combat.TurningResolved: {"who": C, "what": W, "kind": T, "damage_key": K},
    combat.SideChanged: {"who": C, "side": N},
    combat.ItemChanged: {"who": C, "state": W, "of": C},
    combat.DoorMoved: {"who": C, "door": T},
    combat.AreaPlaced: {"id": T, "who": C, "what": T, "around": C, "traits": W},
    combat.AreaEnded: {"id": T, "who": C, "what": T},
    combat.GripChanged: {"who": C},
    combat.ItemStruck: {"bearer": C},
    combat.ResourceSpent: {"who": C, "resource": T},
    combat.CounterChanged: {"who": C, "counter": W},
    combat.InjurySuffered: {"who": C, "name": T},
    combat.AbilityChanged: {"who": C, "ability": W},
    combat.FeatsChanged: {"who": C, "unusable": W},
    combat.MaximumChanged: {"who": C},
    combat.FormChanged: {"who": C, "held": T},
    combat.AfflictionHeld: {"who": C, "id": T, "by": C},
    combat.AfflictionEnded: {"who": C, "id": T},
    flow.Declared: {"id": W, "by": T},
    flow.Refused: {"id": W, "reason": R},
    flow.Asked: {"who": C, "question": R, "options": T, "notation": W},
    flow.Chosen: {"who": C, "answer": T, "by": T, "question": R, "options": T},
    flow.Invalidated: {"id": W, "reason": R},
    flow.Disputed: {"id": W, "by": T, "claim": S, "subject": W},
    flow.Ruled: {
        "author": T, "verdict": W, "text": S, "subject": W, "id": W, "dispute": W, "scope": W, "changes": T,
    },
    flow.BranchPromoted: {"name": T, "by": T},
    flow.ChainBegun: {"by": T, "anchor": W},
    flow.LinkGiven: {"by": T, "link": W},
    flow.ChainLeft: {"by": T, "reason": S},
    flow.SeedContributed: {"by": T, "words": S},
    flow.EncounterOpened: {
        "name": N, "dialect": W, "options": W, "terrain": W, "commitment": W, "algorithm": W, "engine": W,
        "catalogue": W, "tables": T,
    },
    flow.OptionsChanged: {"options": W, "by": T, "restores": W},
    flow.CombatantEntered: {"id": C, "side": N, "held": T, "policy": W, "unusable": W},
    flow.AwarenessSettled: {"aware": C, "surprised": C},
    flow.InitiativeRolled: {"who": C},
    flow.OrderSet: {"order": C},
    flow.RoundBegan: {"phase": W},
    flow.PhaseChanged: {"phase": W},
    flow.RoundEnded: {"state": W},
    flow.TurnBegan: {"who": C},
    flow.TurnEnded: {"who": C, "skipped": T},
    flow.BudgetRenewed: {"who": C, "what": W},
    flow.ActionSpent: {"who": C, "kind": T, "what": T, "also": T},
    flow.ReactionSpent: {"who": C, "kind": W, "against": C, "opportunity": T},
    flow.PlanMade: {"who": C, "actions": (W, W, C)},
    flow.TurnDelayed: {"who": C},
    flow.InitiativeChanged: {"who": C, "order": C, "before": C},
    flow.ActReadied: {"who": C},
    flow.ReadyEnded: {"who": C, "how": W},
    flow.CastingBegan: {"who": C, "when": W},
    flow.CastingEnded: {"who": C, "how": W},
    flow.EncounterDecided: {"side": N, "standing": C},
    flow.EncounterClosed: {"reason": S, "standing": C, "seed": W},
    flow.RuleApplied: {"who": C, "what": T},
    flow.TimePassed: {"what": T},
    flow.Rolled: {"who": C, "notation": W, "provenance": W, "algorithm": W},
    words.DialectWords: {
        "title": N, "attack": W, "defense": W, "defenses": W, "fallen": W, "dead": W,
        "checks": W, "actions": W, "roll_modes": W, "ongoing": W, "fields": W, "acts": W,
    },
    words.ActWords: {"sentence": W, "fields": W},
    Modifier: {"kind": W, "source": T, "denied": R},
    sheet.Package: {"name": N, "version": W, "digest": W},
    # Sheets.
    sheet.Sheet: {
        "name": N, "kind": T, "classes": T, "save_bonuses": T, "feats": T, "traits": T, "skills": T,
        "resistances": T, "lethal": T, "bare": W, "race": T, "ranks": T, "good_saves": T, "custom": T,
    },
    sheet.Weapon: {
        "name": T, "damage": W, "damage_type": T, "family": T, "traits": T, "table": T, "material": T,
        "load": W, "second": W,
    },
    sheet.Spell: {
        "name": T, "damage": W, "damage_type": T, "condition": W, "components": T, "school": T,
        "metamagic": T, "ongoing": W, "healing": W, "temporary": W,
    },
    sheet.Reduction: {"bypass": T},
    sheet.Worn: {"name": T, "table": T, "material": T, "traits": T},
    sheet.Thing: {"table": T, "substance": T},
    sheet.Bonus: {"kind": T, "source": T},
    sheet.ExtraDamage: {"dice": W, "kind": T, "source": T},
    sheet.Rider: {"name": T, "effect": W, "secondary": W},
    sheet.Grant: {"stat": W, "kind": T},
    sheet.Barrier: {"check": W, "door": T},
    sheet.Ground: {"what": T},
}  # fmt: skip
"""The kinds of all other fields."""


class UndeclaredField(AffrayError):
    """A field that can hold text is missing from the table of meanings."""


def field_kind(kind: type, name: str) -> Meaning | None:
    """Return the kind of text in a field, None if the table does not list it."""
    return FIELDS.get(kind, {}).get(name) or COMMON.get(name)


def texts(value: Struct) -> Iterator[tuple[TextKind, str]]:
    """Yield every text of a fact and its parts with its kind; "" and `None` are skipped.

    Fields at their default are left out. Raises Meaningless for a field that the table does not list.
    O(size of the fact).
    """
    for name, held, usual, take in _readers(type(value)):
        found = getattr(value, name)
        if found is not None and found != usual:
            yield from take(held, found)


Take = Callable[[Any, object], Iterator[tuple[TextKind, str]]]


@cache
def _readers(kind: type[Struct]) -> tuple[tuple[str, Meaning | None, object, Take], ...]:
    """Return the name, kind, default and reader of each field that holds text or parts."""
    made: list[tuple[str, Meaning | None, object, Take]] = []
    info = shapes.type_info(kind)
    assert isinstance(info, shapes.StructType)
    for one in info.fields:
        usual = one.default if one.default is not msgspec.NODEFAULT else _NOTHING
        if not holds_text(one.type):
            if holds_parts(one.type):
                made.append((one.name, None, usual, _parts))
            continue
        held = field_kind(kind, one.name)
        if held is None:
            raise UndeclaredField(f"{kind.__name__}.{one.name}: the kind of its text is not in the table")
        made.append((one.name, held, usual, _strings))
        if holds_parts(one.type):
            made.append((one.name, None, usual, _parts))
    return tuple(made)


_NOTHING = object()


def _parts(_: object, value: object) -> Iterator[tuple[TextKind, str]]:
    if isinstance(value, Struct):
        yield from texts(value)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _parts(_, one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _parts(_, one)


def _strings(held: Meaning, value: object) -> Iterator[tuple[TextKind, str]]:
    if isinstance(value, str):
        assert isinstance(held, TextKind)
        if value:
            yield held, value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _strings(held, name)
            yield from _strings(held, one)
    elif isinstance(value, tuple | list):
        # In a list of pairs, each position of a pair has a separate kind.
        inner = any(isinstance(one, tuple | list) for one in value)
        for at, one in enumerate(value):
            if isinstance(held, TextKind) or inner:
                yield from _strings(held, one)
            elif isinstance(one, str):
                yield from _strings(held[min(at, len(held) - 1)], one)


def rewritten(value: One, change: Callable[[TextKind, str], str]) -> One:
    """Return a copy of a fact with each text of it and its parts replaced by `change(text, kind)`.

    Texts that `texts` leaves out stay as they are. O(size of the fact).
    """
    made: JsonObject = {}
    for name, held, usual, _ in _readers(type(value)):
        found = made.get(name, getattr(value, name))
        if found is not None and found != usual:
            made[name] = _changed(held, found, change)
    return structs.replace(value, **made) if made else value


def without_reasons(fact: One) -> One:
    """Return a copy of a fact with the same placeholder for every reason and question that is not empty.

    Two copies are equal if the facts differ only in the engine's wording, which a later version may change.
    """
    return rewritten(fact, lambda holds, text: "..." if holds is TextKind.REASON else text)


def _changed(held: Meaning | None, value: object, change: Callable[[TextKind, str], str]) -> object:
    if isinstance(value, str):
        return change(held, value) if value and isinstance(held, TextKind) else value
    if isinstance(value, Struct):
        return rewritten(value, change)
    if isinstance(value, dict):
        return {_changed(held, name, change): _changed(held, one, change) for name, one in value.items()}
    if isinstance(value, tuple | list):
        inner = any(isinstance(one, tuple | list) for one in value)
        return type(value)(
            _changed(held[min(at, len(held) - 1)], one, change)
            if isinstance(held, tuple) and not inner
            else _changed(held, one, change)
            for at, one in enumerate(value)
        )
    return value


def holds_text(shape: object) -> bool:
    """Return whether a field of this shape can hold text itself, not only in its parts."""
    return any(isinstance(one, shapes.StrType) for one in _within(shape))


def holds_parts(shape: object) -> bool:
    """Return whether a field of this shape holds structs."""
    return any(isinstance(one, shapes.StructType) for one in _within(shape))


def _within(shape: object) -> Iterator[object]:
    """Yield a shape and the shapes inside it, down to structs."""
    yield shape
    if isinstance(shape, shapes.StructType):
        return
    for name in ("type", "item_type", "key_type", "value_type"):
        if isinstance(inner := getattr(shape, name, None), shapes.Type):
            yield from _within(inner)
    for name in ("item_types", "types"):
        for inner in getattr(shape, name, None) or ():
            yield from _within(inner)
