"""One number that speaks for or against a roll, with the rule it comes from."""

from typing import Annotated

from msgspec import Meta, Struct

from affray.events.facts.base import Name, Sum, Told, Words


class Modifier(Struct, frozen=True, gc=False):
    """A typed bonus (positive) or penalty (negative).

    `kind` is the bonus type ("armor", "dodge", "size", ...), `source` what a person calls it,
    `rule` the id of the rule that grants it. `denied` is empty while the modifier counts;
    otherwise it says why it does not (what overruled it, or what takes it away).
    """

    value: Sum
    kind: Words
    source: Words
    rule: Name
    denied: Told = ""


Modifiers = Annotated[tuple[Modifier, ...], Meta(max_length=10_000)]
"""All that speaks for or against one roll, what does not count included."""
