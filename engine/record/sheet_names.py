"""What a dialect reads of the names on a sheet, and which of its fields it does not read at all."""

from collections.abc import Mapping
from fnmatch import fnmatchcase

from msgspec import Struct


class SheetNames(Struct, frozen=True):
    """The feats, traits and traits of weapons that some rule looks for, and the fields that none does.

    A name may be a pattern: "weapon focus (*)". `unread` are fields of "Sheet", "Weapon", "Worn" and "Spell".
    """

    feats: frozenset[str] = frozenset()
    traits: frozenset[str] = frozenset()
    weapon_traits: frozenset[str] = frozenset()
    unread: Mapping[str, tuple[str, ...]] = {}


def among(name: str, known: frozenset[str]) -> bool:
    """Say whether a name is known, itself or by a pattern."""
    return name in known or any("*" in one and fnmatchcase(name, one) for one in known)
