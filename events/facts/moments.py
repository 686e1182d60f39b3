"""Moments of a fight until which something lasts."""

from msgspec import UNSET, Struct, UnsetType

from affray.events.facts.base import Count, Name, Sum


class Until(Struct, frozen=True, gc=False):
    """When something ends: `when` ("turn-start", "turn-end", "round-end", "rest") of `who`'s turn
    in round `round` or later; `when` "" lasts until something else ends it, "declaration" until the
    declaration is decided for which the game master ruled it.

    With a `count` it ends just before that count of the initiative instead, on which it began.
    """

    when: Name = ""
    who: Name = ""
    round: Count = 0
    count: Sum | UnsetType = UNSET
