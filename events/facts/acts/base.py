"""What all declarations have in common."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.events.facts.limits import Name, Number

Square = tuple[Number, Number]
Path = Annotated[tuple[Square, ...], Meta(max_length=1000)]
Names = Annotated[tuple[Name, ...], Meta(max_length=1000)]
#: A special attack that takes the place of an ordinary one.
Special = Literal["", "trip", "disarm", "sunder", "grapple", "push", "grab"]


class Act(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="act"):
    """Root of all declarations."""

    actor: Name = ""
