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


def names(text: str) -> frozenset[str]:
    """Return the names that a text lists, parted by commas."""
    return frozenset(" ".join(text.split()).split(", "))


def fields(**unread: str) -> Mapping[str, tuple[str, ...]]:
    """Return the names of fields of each part of a sheet, given parted by blanks."""
    return {part: tuple(text.split()) for part, text in unread.items()}


def among(name: str, known: frozenset[str]) -> bool:
    """Say whether a name is known, itself or by a pattern."""
    return name in known or any("*" in one and fnmatchcase(name, one) for one in known)
