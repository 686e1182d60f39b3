"""What a dialect reads of the names on a sheet, and which of its fields it does not read at all."""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final, get_args, get_type_hints

from msgspec import Struct

from affray.events.facts.sheet_parts import Rider

KINDS_OF_RIDERS: Final = frozenset(get_args(get_type_hints(Rider)["kind"]))


class SheetNames(Struct, frozen=True):
    """The names that some rule looks for on a sheet, and the fields that none does.

    A name may be a pattern: "weapon focus (*)".

    feats: feats that some rule looks for.
    traits: traits of a combatant that some rule looks for.
    weapon_traits: traits of a weapon that some rule looks for.
    skills: skills by their usual names; another one that is nearly called so is remarked on.
    classes: classes by their usual names, likewise.
    immunities: what a trait "immunity to ..." keeps off.
    class_immunities: what levels of a class make immune to as published, and no rule here does: each immunity
        with the level, by class.
    riders: the kinds of riders that some rule lets take effect.
    unread: fields of "Sheet", "Weapon", "Worn", "Spell" and "Rider" that no rule reads.
    """

    feats: frozenset[str] = frozenset()
    traits: frozenset[str] = frozenset()
    weapon_traits: frozenset[str] = frozenset()
    skills: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    immunities: frozenset[str] = frozenset()
    class_immunities: Mapping[str, Mapping[str, int]] = {}
    riders: frozenset[str] = KINDS_OF_RIDERS
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


def details_of(name: str, entries: Iterable[str]) -> Iterator[str]:
    """Yield the detail of each entry of a sheet that is the feature `name`: "" without one.

    A feature without a name is everybody's.
    """
    if not name:
        yield ""
        return
    for entry in entries:
        if entry == name:
            yield ""
        elif entry.startswith(f"{name} "):
            yield entry[len(name) + 1 :].strip("()")
