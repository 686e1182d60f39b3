"""What the dice showed."""

from msgspec import Struct

from affray.events.facts.base import Faces, Name, Sum, Words


class Rolled(Struct, frozen=True, gc=False, tag_field="type", tag="rolled"):
    """Dice were thrown for the purpose that `key` names.

    `faces` are all dice in the order thrown; `dropped`, `rerolled` and `exploded` are indices into
    them; `total` includes the notation's constants. `provenance`: seeded, joint or alone (from links of
    chains), physical, scripted, imported, overridden, or the ruling that gave them.
    """

    key: Words
    who: Name
    notation: Words
    faces: Faces
    total: Sum
    provenance: Name
    algorithm: Name
    dropped: Faces = ()
    rerolled: Faces = ()
    exploded: Faces = ()
