"""From the fields of an act to options, and from words to values."""

from typing import Any

import click
from msgspec import Struct
from msgspec import inspect as types

from affray.engine.record.acts import purposes
from affray.events.facts.base import COMMON_FIELDS
from affray.replay.cli.completing import complete_combatants
from affray.replay.people import MANY, ONE
from affray.replay.typed_values import bare, typed_value


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

    @property
    def typed(self) -> str:
        """That value as it is typed after the option: quoted if it is several words."""
        return f'"{self.example}"' if " " in self.example and "'" not in self.example else self.example

    @property
    def always_said(self) -> bool:
        """Whether nothing comes of the act without it: the way of one that goes along it."""
        return self.name == "path" and self.meaning == _sentence(COMMON_FIELDS["path"])

    def option(self) -> click.Option:
        """Return the option for this field."""
        if isinstance(bare(self.type), types.BoolType):
            return click.Option(
                [f"{self.flag}/--no-{self.flag[2:]}", self.name], default=None, help=self.meaning
            )
        kind: Any = str
        if isinstance(self.type, types.LiteralType):
            kind = click.Choice([str(value) for value in self.type.values if value != ""])
        elif isinstance(bare(self.type), types.IntType):
            kind = int
        return click.Option(
            [self.flag, self.name],
            type=kind,
            multiple=self.repeated,
            shell_complete=complete_combatants if self.combatants else None,
            help=f"{self.meaning} For example {self.typed}." if self.example else self.meaning,
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
    """Return the plain value of what was typed for a field. Raises UsageError naming the option."""
    try:
        return typed_value(type, raw)
    except ValueError as error:
        raise click.UsageError(f"{flag} {raw if isinstance(raw, str) else ' '.join(raw)}: {error}") from None


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
    "stealthy": "ogre",
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
