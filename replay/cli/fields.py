"""From the fields of an act to options, and from words to values."""

from typing import Any

import click
import msgspec
from msgspec import Struct
from msgspec import inspect as types

from affray.engine.record.meanings import purposes
from affray.events.facts.base import COMMON_FIELDS
from affray.replay.cli.people import MANY, ONE


class Field(Struct, frozen=True):
    """One field of an act as the command line knows it."""

    name: str
    type: Any
    meaning: str = ""

    @property
    def flag(self) -> str:
        """The option's name."""
        return "--" + self.name.replace("_", "-")

    @property
    def repeated(self) -> bool:
        """Whether the field holds any number of values."""
        return isinstance(self.type, types.VarTupleType)

    @property
    def combatants(self) -> bool:
        """Whether the values are combatants, or attacks at them."""
        return self.name in ONE or self.name in MANY or self.name == "strikes"

    @property
    def metavar(self) -> str:
        """What the help calls the value."""
        return f"[{self.name.upper()}]" + ("..." if self.repeated else "")

    @property
    def example(self) -> str:
        """A value that could be typed."""
        return _example(self.name, self.type)

    def option(self) -> click.Option:
        """Return the option for this field."""
        if isinstance(_bare(self.type), types.BoolType):
            return click.Option(
                [f"{self.flag}/--no-{self.flag[2:]}", self.name], default=None, help=self.meaning
            )
        kind: Any = str
        if isinstance(self.type, types.LiteralType):
            kind = click.Choice([str(value) for value in self.type.values if value != ""])
        elif isinstance(_bare(self.type), types.IntType):
            kind = int
        return click.Option(
            [self.flag, self.name],
            type=kind,
            multiple=self.repeated,
            help=f"{self.meaning} For example {self.example}." if self.example else self.meaning,
        )


def fields_of(struct: type[Struct]) -> list[Field]:
    """Return the fields of an act in their order."""
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)
    told = {**COMMON_FIELDS, **purposes(struct)}
    return [Field(one.name, one.type, _sentence(told.get(one.name, ""))) for one in info.fields]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def value_of(type: Any, raw: Any, flag: str) -> Any:
    """Return the plain value of what was typed for a field. Raises UsageError naming the option.

    Squares are `3,2`; a list is given in several words or options; parts of one thing are joined by
    commas in their order or named (`what=moves,who=ogre`); JSON is taken as it is.
    """
    if isinstance(raw, bool | int):
        return raw
    try:
        if isinstance(raw, tuple):
            items = [item for text in raw for item in _pieces(type.item_type, text)]
            return [_value(type.item_type, item) for item in items]
        return _value(type, raw)
    except (ValueError, msgspec.DecodeError, RecursionError) as error:
        raise click.UsageError(f"{flag} {raw if isinstance(raw, str) else ' '.join(raw)}: {error}") from None


def _pieces(type: Any, text: str) -> list[str]:
    """Return the values that one word holds: names may stand behind each other with commas."""
    return text.split(",") if isinstance(type, types.StrType) else text.split()


def _value(type: Any, text: str) -> Any:
    if text[:1] in ("{", "["):
        return msgspec.json.decode(text)
    type = _bare(type)
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
            raise ValueError(f"expected one of {', '.join(found)}")
        return {found[tag].tag_field: tag, **(_struct_parts(found[tag], rest) if rest else {})}
    if isinstance(type, types.StructType):
        return _struct_parts(type, text)
    return text


def _struct_parts(type: types.StructType, text: str) -> dict[str, Any]:
    """Return the fields of a struct from "a,b" in order or "name=a,other=b"."""
    known = {field.name: field.type for field in type.fields if field.name != "actor"}
    parts = text.split(",")
    if len(parts) > len(known):
        raise ValueError(f"at most {len(known)} parts: {', '.join(known)}")
    values = {}
    for name, part in zip(known, parts, strict=False):
        key, equals, value = part.partition("=")
        if equals and key not in known:
            raise ValueError(f"no part {key!r}; there are {', '.join(known)}")
        target, value = (key, value) if equals else (name, part)
        if value:
            values[target] = _value(known[target], value)
    return values


def _bare(type: Any) -> Any:
    """Return the type without its None."""
    if isinstance(type, types.UnionType):
        rest = [one for one in type.types if not isinstance(one, types.NoneType)]
        return rest[0] if len(rest) == 1 else type
    return type


_NAMED = {
    "path": "3,2 4,2",
    "to": "3,2",
    "at": "3,2",
    "target": "ogre",
    "targets": "ogre,goblin",
    "friend": "rogue",
    "opponent": "ogre",
    "weapon": "longsword",
    "item": "longsword",
    "spell": "bless",
    "unaware": "ogre",
    "turn": "fighter",
    "words": "'Stand back!'",
    "strikes": "ogre ogre,dagger",
    "actions": "standard,attack,ogre",
    "trigger": "moves,ogre,10",
    "then": "attack,target=ogre",
    "ambushes": "rogue,ogre,dagger",
    "save": "ref",
    "dc": "15",
    "damage": "2d6",
    "damage_type": "fire",
    "condition": "prone",
    "source": "'a pit trap'",
    "reason": "truce",
    "round": "3",
}


def _example(name: str, type: Any) -> str:
    if name in _NAMED:
        return _NAMED[name]
    return "3,2" if isinstance(type, types.TupleType) else ""
