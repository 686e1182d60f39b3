"""Remarks on a sheet: the names and fields that no rule of the dialect reads."""

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from affray.engine.fight.fight import Dialect
from affray.engine.record.acts import among
from affray.events.facts.flow import CombatantEntered
from affray.events.facts.sheet import Rider, Sheet


def remarks(dialect: Dialect, sheet: Sheet, entered: CombatantEntered | None = None) -> tuple[str, ...]:
    """Return the feats, traits and fields of a sheet that no rule reads, a sentence each."""
    known = dialect.kernel.sheet_names
    traits = {name for weapon in sheet.weapons for name in weapon.traits}
    said = []
    for what, names, read in (
        ("feats", sheet.feats, known.feats),
        ("traits", sheet.traits, known.traits),
        ("traits of weapons", sorted(traits), known.weapon_traits),
    ):
        if listed := ", ".join(dict.fromkeys(one for one in names if not among(one, read))):
            said.append(f"no rule of {dialect.name} reads these {what}: {listed}")
    return (*said, *unread_fields(dialect, sheet))


#: Parts of a sheet in plain words.
TITLES = {"Sheet": "the sheet", "Weapon": "weapons", "Worn": "armor", "Spell": "spells", "Rider": "riders"}


def unread_fields(dialect: Dialect, sheet: Sheet) -> Iterator[str]:
    """Yield the set fields of the sheet, its weapons and its spells that have no effect."""
    for kind, parts in (
        ("Sheet", (sheet,)),
        ("Weapon", sheet.weapons),
        ("Worn", sheet.worn),
        ("Spell", sheet.spells),
        ("Rider", riders_of(sheet)),
    ):
        names = dialect.kernel.sheet_names.unread.get(kind, ())
        if listed := ", ".join(name for name in names if says(parts, name)):
            yield f"no rule of {dialect.name} reads these fields of {TITLES[kind]}: {listed}"


def riders_of(sheet: Sheet) -> tuple[Rider, ...]:
    """Return all riders of the weapons and spells of a sheet, and its poisons."""
    of_weapons = (rider for weapon in sheet.weapons for rider in weapon.riders)
    of_spells = (rider for spell in sheet.spells for rider in spell.riders)
    return (*of_weapons, *of_spells, *sheet.poisons)


def says(parts: Iterable[Struct], name: str) -> bool:
    """Return whether one of several parts of a sheet has a non-default value in a field."""
    return any(getattr(part, name) != defaults(type(part))[name] for part in parts)


@cache
def defaults(kind: type[Struct]) -> dict[str, object]:
    """Return the default values of the fields of a part of a sheet."""
    return {
        one.name: one.default if one.default_factory is NODEFAULT else one.default_factory()
        for one in fields(kind)
    }
