"""What a line of the notation says, of each kind (docs/notation.md)."""

from typing import Any

from msgspec import Struct, field


class Item(Struct, gc=False):
    """What was thrown or answered at one moment of a declaration.

    `kind`: "faces", "answer", "unknown" (`?`), "moot" (`-`: nobody was asked for it then) or "open": the
    fight still waits. `wait`: it waited for this first.
    """

    kind: str
    line: int
    column: int
    faces: tuple[int, ...] = ()
    answer: str = ""
    by: str | None = None
    wait: bool = False


class Verdict(Struct):
    """What became of a declaration that was not decided: "void" or "refused", why, and by which rule."""

    word: str
    reason: str
    rule: str = ""


class Said(Struct):
    """A declaration: who, in what words, its items and the verdict. `columns` has those of its fields."""

    line: int
    column: int
    actor: str = ""
    by: str = ""
    id: str = ""
    word: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    places: list[Any] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    verdict: Verdict | None = None
    comment: str = ""


class Beside(Struct):
    """A fact that no rule decides; `follows` one before it, or stands by itself."""

    line: int
    column: int
    follows: bool
    said: Said


class Marker(Struct):
    """Which round, and whose turn, it is here; checked."""

    line: int
    column: int
    round: int
    turn: str | None = None
    comment: str = ""


class Variation(Struct):
    """A branch begins: its name, the line that it leaves, and after which event or declaration."""

    line: int
    column: int
    name: str
    of: str = ""
    after: int | str = ""
    comment: str = ""


class Back(Struct):
    """A branch ends; the line around it goes on."""

    line: int
    column: int
    comment: str = ""


class End(Struct):
    """How many events a line of play has, and the digest of the last."""

    line: int
    column: int
    events: int
    digest: str
    comment: str = ""


class Tag(Struct):
    """A name and values of the header."""

    line: int
    column: int
    name: str
    values: list[Any]
    columns: list[int]
    comment: str = ""


class Row(Struct):
    """A row of the map, so often in succession."""

    line: int
    column: int
    text: str
    times: int = 1


class Packed(Struct):
    """A line of what is packed: how the log differs from what the rules make of it today."""

    line: int
    column: int
    text: str


class Comment(Struct):
    """A line that only people read."""

    line: int
    column: int
    text: str


Statement = Said | Beside | Marker | Variation | Back | End | Tag | Row | Packed | Comment
