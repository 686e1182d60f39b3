"""Chains of hashes whose links the dice follow from: begun, given away link by link, left."""

from typing import Annotated

from msgspec import Meta, Struct

from affray.events.facts.base import Count, Name, Words

Hash = Annotated[str, Meta(max_length=64)]
"""32 bytes as hexadecimal digits; what is none, no chain fits."""

Length = Annotated[int, Meta(ge=1, le=65_536)]
"""How many links a chain has."""


class ChainBegun(Struct, frozen=True, gc=False, tag_field="type", tag="chain.begun"):
    """From here on the dice follow from links of this chain too.

    `by` is a player, "" the game master. The `anchor` is sha256 of link 1, and each of the `length` links is
    sha256 of the one after it.
    """

    by: Name
    anchor: Hash
    length: Length


class LinkGiven(Struct, frozen=True, gc=False, tag_field="type", tag="link.given"):
    """A link was given away for the declaration that waited for it.

    A player's number is the next that stands on no line of the log, the game master's the next on this line.
    """

    by: Name
    number: Count
    link: Hash


class ChainLeft(Struct, frozen=True, gc=False, tag_field="type", tag="chain.left"):
    """A player gives no more links: from here on, the declaration that waited for one included, the dice
    follow from those of the others alone.
    """

    by: Name
    reason: Words = ""
