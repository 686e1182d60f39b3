"""A number on a roll or score, with its reason: the part of an outcome people dispute."""

from msgspec import Struct


class Modifier(Struct, frozen=True, gc=False):
    """One bonus or penalty, whether it counted or not.

    `kind` is the bonus type in lower case ("armor", "dodge", "size", "ability", "base", "untyped", ...),
    `source` what a player would call it ("Weapon Focus", "flanking with Mira"), `rule` the id of the
    rule it comes from. `denied` is empty when the value applies, else the reason why it does not.
    """

    value: int
    kind: str
    source: str
    rule: str
    denied: str = ""
