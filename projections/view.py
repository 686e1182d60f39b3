"""The views of the state that digests cover, which never change.

Every later release must compute the same digest for a state recorded today. The structs of the state gain
fields, so their own encoding cannot be hashed; a *view* is, and `round.ended` records which one.

- View 2 leaves out every field that has its default. A field added later, with a default that means
  "none", is therefore absent from the bytes of every older state. Fields are sorted by name, so their order
  in the source does not matter.
- View 1 wrote every field in the order of the source. It remains as the list of the fields at that time.

A test enforces the rules for a digested struct: changing a default, or removing or renaming a field, requires
a new view here that is used from then on.
"""

from collections.abc import Callable, Iterable
from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Raw, Struct
from msgspec.structs import FieldInfo

from affray.events.errors import NewerLog
from affray.events.facts.base import JsonObject
from affray.events.generated import run_generated

VIEW = 2
"""The view that is written today."""

_VIEW_1 = {
    name: tuple(fields.split())
    for name, fields in {
        "Encounter": "name dialect options terrain commitment combatants order begun closed round turn phase"
        " active declarations pending seed",
        "Combatant": "id side sheet at space reach hp max_hp nonlethal temporary held items conditions"
        " effects acted aware initiative fixed_initiative initiative_modifier spent reactions opportunities"
        " resources plan delaying readied injuries policy",
        "Sheet": "name hp size tall kind hit_dice classes abilities base_attack saves save_bonuses armor"
        " armor_weight max_dex initiative speed base_speed fly space reach legs weapons spells feats traits"
        " skills reductions resistances spell_resistance concentration",
        "Abilities": "str dex con int_ wis cha",
        "Saves": "fort ref will",
        "Bonus": "value kind source",
        "Weapon": "name damage damage_type wield threat multiplier range thrown reach hands rating family"
        " proficient traits attack bonus_damage extra ammunition off_hand",
        "ExtraDamage": "dice kind source",
        "Spell": "name level casting range touch area area_feet save dc on_save damage damage_type condition"
        " rounds components resistance uses",
        "Reduction": "amount bypass",
        "Condition": "source until level",
        "Until": "when who round",
        "Effect": "id stat modifier until against uses",
        "Modifier": "value kind source rule denied",
        "Ready": "actor trigger then",
        "Trigger": "what who feet",
        "Attack": "actor target weapon thrown nonlethal defensively",
        "Move": "actor path how",
        "Cast": "actor spell targets at defensively",
        "Step": "actor to",
        "TotalDefense": "actor",
        "Stand": "actor",
        "Brace": "actor weapon",
        "Question": "key who question options rule notation declaration",
    }.items()
}

_ALWAYS = object()
"""The default of a field that has none: equal to no value, so that the field is always written."""

_SCALARS = (str, int, bool, NoneType, ...)

_encode = msgspec.json.Encoder().encode


def viewed(state: Struct, view: int = VIEW) -> bytes:
    """Return the canonical bytes of a state as a view shows it. O(size of the state).

    Raises NewerLog for a view that this release does not know.
    """
    if view not in (1, VIEW):
        raise NewerLog(f"the state digests of view {view} were recorded by a newer version of affray")
    return _encode((_view_1 if view == 1 else _view_2)(type(state))(state))


Show = Callable[[Any], JsonObject]
"""Returns a value of one type as an object, its fields in their order of writing."""

View = Callable[[type], Show]
"""The function that shows values of each type."""

_CONSTANT = ("Sheet", "DialectWords")
"""Records that never change; they are most of a state, and their bytes are needed every round."""

_constants: dict[tuple[int, View], tuple[Struct, Raw]] = {}
"""The cached bytes of such records."""

_MOST = 1000


def _plain(value: Any, view: View) -> Any:
    """Return a value as objects, lists and scalars, objects in their order of writing."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if kind is tuple:
        return [_plain(each, view) for each in value]
    if kind is dict:
        return {key: _plain(value[key], view) for key in sorted(value)}
    if kind.__name__ in _CONSTANT:
        return _constant(value, view)
    return view(kind)(value)


def _constant(record: Struct, view: View) -> Raw:
    known = _constants.get((id(record), view))
    if known is None:
        if len(_constants) >= _MOST:
            _constants.clear()
        # The record is kept with its bytes, so that its id cannot be reused for another object.
        known = _constants[id(record), view] = (record, Raw(_encode(view(type(record))(record))))
    return known[1]


@cache
def _view_1(kind: type[Struct]) -> Show:
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    return _written_out(kind, [(fields[name], _ALWAYS) for name in _VIEW_1[kind.__name__]], _view_1)


@cache
def _view_2(kind: type[Struct]) -> Show:
    fields = sorted(msgspec.structs.fields(kind), key=lambda field: field.encode_name)
    return _written_out(kind, [(field, _default(field)) for field in fields], _view_2)


def _written_out(kind: type[Struct], fields: Iterable[tuple[FieldInfo, object]], view: View) -> Show:
    """Return a function that reads each field by name and leaves out those with the given value.

    Its source is generated, as in dataclasses: a loop over the fields takes twice as long, and a state has
    hundreds of them every round.
    """
    known: JsonObject = {"plain": _plain, "constant": _constant, "view": view}
    config = kind.__struct_config__
    lines = [f"shown = {{{config.tag_field!r}: {config.tag!r}}}" if config.tag is not None else "shown = {}"]
    for number, (field, omitted) in enumerate(fields):
        found = "constant(found, view)" if _is_constant(field.type) else "plain(found, view)"
        if _is_flat(field.type):
            found = "dict(sorted(found.items()))" if get_origin(field.type) is dict else "found"
        elif _holds_records(field.type):
            # That a field holds records is known: no need to ask each value whether it is one.
            if get_origin(field.type) is dict:
                found = "{key: view(type(found[key]))(found[key]) for key in sorted(found)}"
            else:
                found = "[view(type(each))(each) for each in found]"
        store = f"shown[{field.encode_name!r}] = {found}"
        lines.append(f"found = value.{field.name}")
        if omitted is None:
            store = f"if found is not None: {store}"
        elif _is_empty_of(field.type, omitted):
            store = f"if found: {store}"
        elif omitted is not _ALWAYS:
            known[f"omitted{number}"] = omitted
            store = f"if found is not omitted{number} and found != omitted{number}: {store}"
        lines.append(store)
    source = "\n    ".join(("def show(value):", *lines, "return shown"))
    run_generated(source, f"view of {kind.__name__}", known)
    show: Show = known["show"]
    return show


def _is_constant(annotation: object) -> bool:
    """Return whether a type is one of records that never change."""
    return getattr(annotation, "__name__", "") in _CONSTANT


def _holds_records(annotation: object) -> bool:
    """Return whether a type is a dictionary by text, or a tuple of any length, of records that may change."""
    origin, held = get_origin(annotation), get_args(annotation)
    if not ((origin is dict and held[0] is str) or (origin is tuple and held[1:] == (...,))):
        return False
    kind = held[-1] if origin is dict else held[0]
    return isinstance(kind, type) and issubclass(kind, Struct) and not _is_constant(kind)


def _is_empty_of(annotation: object, omitted: object) -> bool:
    """Return whether a field's default is the false value of its type: 0, "", ()."""
    return not omitted and (get_origin(annotation) or annotation) is type(omitted)


def _is_flat(annotation: object) -> bool:
    """Return whether a type is a scalar, or a tuple or dictionary of scalars."""
    return all(one in _SCALARS for one in get_args(annotation) or (annotation,))


def _default(field: FieldInfo) -> object:
    if field.default is not NODEFAULT:
        return field.default
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    return _ALWAYS
