"""What the dice showed."""

from msgspec import Struct


class Rolled(Struct, frozen=True, gc=False, tag_field="type", tag="rolled"):
    """Dice were thrown for the purpose that `key` names.

    `faces` are all dice in the order thrown; `dropped`, `rerolled` and `exploded` are indices into
    them; `total` includes the notation's constants. `provenance`: seeded, physical, scripted,
    imported or overridden.
    """

    key: str
    who: str
    notation: str
    faces: tuple[int, ...]
    total: int
    provenance: str
    algorithm: str
    dropped: tuple[int, ...] = ()
    rerolled: tuple[int, ...] = ()
    exploded: tuple[int, ...] = ()
