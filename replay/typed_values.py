"""From words, as people type them, to the values of an act's fields."""

from typing import Any

from msgspec import inspect as types

from affray.events.errors import did_you_mean
from affray.events.misfit import read_json
from affray.events.wording import counted


def typed_value(type: Any, raw: Any) -> Any:
    """Return the plain value of what was typed for a field. Raises ValueError or what msgspec raises.

    Squares are `3,2`; a list is given in several words or options; parts of one thing are joined by
    commas in their order or named (`what=moves,who=ogre`), and may have blanks in them
    (`ogre,light crossbow`); JSON is taken as it is.
    """
    if isinstance(raw, bool | int):
        return raw
    if isinstance(raw, tuple):
        return [_value(type.item_type, item) for text in raw for item in _pieces(type.item_type, text)]
    return _value(type, raw)


def _pieces(type: Any, text: str) -> list[str]:
    """Return the values that one word holds: names with commas between them, squares with blanks."""
    if isinstance(type, types.StrType):
        return text.split(",")
    return text.split() if isinstance(type, types.TupleType) else [text]


def _value(type: Any, text: str) -> Any:
    if text[:1] in ("{", "["):
        return read_json(text)
    type = bare(type)
    if isinstance(type, types.IntType):
        return int(text)
    if isinstance(type, types.TupleType):
        parts = text.split(",")
        if len(parts) != len(type.item_types):
            raise ValueError(f"expected {len(type.item_types)} values joined by commas")
        return [_value(item, part) for item, part in zip(type.item_types, parts, strict=True)]
    if isinstance(type, types.UnionType):
        tag, _, rest = text.partition(",")
        found = {str(one.tag): one for one in type.types if isinstance(one, types.StructType)}
        if tag not in found:
            raise ValueError(f"nothing is called so{did_you_mean(tag, found, whole='affray do --help')}")
        return {found[tag].tag_field: tag, **(_struct_parts(found[tag], rest) if rest else {})}
    if isinstance(type, types.StructType):
        return _struct_parts(type, text)
    if isinstance(type, types.LiteralType) and text not in type.values:
        meant = did_you_mean(text, map(str, type.values), whole="affray do DB ACT --help")
        raise ValueError(f"{text!r} is none of its words{meant}")
    return text


def _struct_parts(type: types.StructType, text: str) -> dict[str, Any]:
    """Return the fields of a struct from "a,b" in order or "name=a,other=b"."""
    known = {field.name: field.type for field in type.fields if field.name != "actor"}
    parts = text.split(",")
    if len(parts) > len(known):
        raise ValueError(f"at most {counted(len(known), 'part')}: {', '.join(known)}")
    values = {}
    for name, part in zip(known, parts, strict=False):
        key, equals, value = part.partition("=")
        if equals and key not in known:
            raise ValueError(f"no part {key!r}; there are {', '.join(known)}")
        target, value = (key, value) if equals else (name, part)
        if value:
            values[target] = _value(known[target], value)
    return values


def bare(type: Any) -> Any:
    """Return the type without its None."""
    if isinstance(type, types.UnionType):
        rest = [one for one in type.types if not isinstance(one, types.NoneType)]
        return rest[0] if len(rest) == 1 else type
    return type
