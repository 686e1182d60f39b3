"""One number that speaks for or against a roll, with the rule it comes from."""

from msgspec import Struct


class Modifier(Struct, frozen=True, gc=False):
    """A typed bonus (positive) or penalty (negative).

    `kind` is the bonus type ("armor", "dodge", "size", ...), `source` what a person calls it,
    `rule` the id of the rule that grants it. `denied` is empty while the modifier counts;
    otherwise it says why it does not (what overruled it, or what takes it away).
    """

    value: int
    kind: str
    source: str
    rule: str
    denied: str = ""
