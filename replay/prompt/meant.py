"""What a typed line can mean: a command to run, a question back, rows to read, leaving."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from affray.events.errors import AffrayError


class Unclear(AffrayError):
    """The line cannot be understood."""


DB: Final = "\0"
"""What stands for the file of the fight in the words of a command."""


class Command(Struct, frozen=True):
    """The words of a command as `affray` takes them, and the faces of dice thrown on the table for it.

    `told` are rows to read before it is carried out.
    """

    words: tuple[str, ...]
    faces: tuple[int, ...] = ()
    told: tuple[str, ...] = ()


class Which(Struct, frozen=True):
    """A question before anything is declared: what each key would do, and how it is called."""

    question: str
    choices: Mapping[str, tuple[str, "Meant | None"]]


class Told(Struct, frozen=True):
    """Rows to read; nothing is declared."""

    rows: tuple[str, ...]


class Leave(Struct, frozen=True):
    """The prompt is left; the fight stays as it is."""


Meant: TypeAlias = Command | Which | Told | Leave
