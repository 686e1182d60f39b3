"""Moments of a fight until which something lasts."""

from msgspec import Struct

from affray.events.facts.base import Count, Name


class Until(Struct, frozen=True, gc=False):
    """When something ends: `when` ("turn-start", "turn-end", "round-end", "rest") of `who`'s turn
    in round `round` or later; `when` "" lasts until something else ends it, "declaration" until the
    declaration is decided for which the game master ruled it.
    """

    when: Name = ""
    who: Name = ""
    round: Count = 0
