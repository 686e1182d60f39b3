"""Remarks on a sheet: parts that no rule of the dialect reads, and feats without their prerequisites.

A printed creature has many such parts. They are accepted and reported once when it enters; they are not
logged, so rules can be added later without changing recorded events.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache

from msgspec.json import decode, encode

from affray.engine.fight.fight import Dialect
from affray.engine.kernel.remarks import riders_of, unread_fields
from affray.engine.record.acts import among, details_of
from affray.engine.record.compose import feature_names
from affray.engine.rules.classes.checks import find_unmet_prerequisite, find_unusable_feats, prerequisites_of
from affray.engine.rules.classes.sheets import ALIGNED, BYPASSING
from affray.engine.rules.conditions.conditions import yield_immunities
from affray.events.errors import nearest
from affray.events.facts.flow import CombatantEntered
from affray.events.facts.sheet import Sheet

NEAR = 0.8
"""How much of a name must agree for it to be taken as a misspelling."""

SAVES = ("all", "fort", "ref", "will")


def remarks(dialect: Dialect, sheet: Sheet, entered: CombatantEntered | None = None) -> tuple[str, ...]:
    """Return the remarks on a sheet, one sentence each. O(size of the sheet).

    Cached by the sheet's contents, since the same sheets enter many fights. The prerequisites of feats are
    checked against the sheet as it `entered`, with everything that follows from race and class.
    """
    unread = remarks_on(dialect, encode(sheet))
    if entered is None:
        return (*unread, *lacking(dialect, sheet))
    return (*unread, *lacking(dialect, entered.sheet, entered.unusable or ()))


@lru_cache(maxsize=1024)
def remarks_on(dialect: Dialect, said: bytes) -> tuple[str, ...]:
    """Return the remarks on a sheet given as JSON."""
    sheet = decode(said, type=Sheet)
    return (
        *unread_names(dialect, sheet),
        *misspelt(dialect, sheet),
        *missing_immunities(dialect, sheet),
        *unread_fields(dialect, sheet),
        *nothing_to_save_from(sheet),
    )


def unread_names(dialect: Dialect, sheet: Sheet) -> Iterator[str]:
    """Yield the feats, traits, traits of weapons, saves and kinds of riders that no rule looks for."""
    known = dialect.kernel.sheet_names
    given = {name for weapon in sheet.weapons for name in weapon.traits}
    saved = (*sheet.save_bonuses, *(name for names in sheet.good_saves.values() for name in names))
    riders = {one.kind for one in riders_of(sheet)} - known.riders
    saves = (name for name in saved if name.split(" ")[0] not in SAVES)
    for what, names in (
        ("feats", (one for one in sheet.feats if not is_read(dialect, one, known.feats))),
        ("traits", (one for one in sheet.traits if not is_read(dialect, one, known.traits))),
        (
            "traits of weapons",
            (one for one in sorted(given) if not among(one, known.weapon_traits | BYPASSING | ALIGNED)),
        ),
        ("saves", saves),
        ("riders", sorted(riders)),
    ):
        if listed := ", ".join(dict.fromkeys(names)):
            yield f"no rule of {dialect.name} reads these {what}: {listed}"


def misspelt(dialect: Dialect, sheet: Sheet) -> Iterator[str]:
    """Yield skills and classes whose names nearly match those of the dialect.

    Rules look for the exact names. Other names are accepted: a sheet may have custom skills and classes.
    """
    known = dialect.kernel.sheet_names
    for what, names, usual in (
        ("skill", (*sheet.skills, *sheet.ranks), known.skills),
        ("class", (*sheet.classes, *sheet.good_saves), known.classes),
    ):
        for name in dict.fromkeys(names):
            if not among(name, usual) and (meant := nearest(name, usual, NEAR)):
                yield f"{dialect.name} knows no {what} {name!r}; did you mean {meant}?"


def missing_immunities(dialect: Dialect, sheet: Sheet) -> Iterator[str]:
    """Yield a creature's immunities from class levels that no rule of the dialect gives.

    A trait gives them.
    """
    said = set(yield_immunities(sheet.traits))
    for name, immunities in dialect.kernel.sheet_names.class_immunities.items():
        level = sheet.classes.get(name, 0)
        lacking = [kind for kind, least in immunities.items() if level >= least and kind not in said]
        if lacking:
            listed = ", ".join(f"'immunity to {kind}'" for kind in lacking)
            yield f"no rule of {dialect.name} gives a {name} of level {level} this: {listed}; a trait does"


def is_read(dialect: Dialect, name: str, known: frozenset[str]) -> bool:
    """Return whether a rule looks for a feat or trait, or one of the dialect's features has that name.

    A trait may name an immunity of its bearer.
    """
    features = feature_names(dialect.classes)
    if not dialect.kernel.sheet_names.immunities.isdisjoint(yield_immunities((name,))):
        return True
    return among(name, known) or any(True for one in features for _ in details_of(one, (name,)))


def nothing_to_save_from(sheet: Sheet) -> Iterator[str]:
    """Yield the spells that allow a new saving throw each round but give no condition that it would end."""
    for spell in sheet.spells:
        if spell.save_each_round and not (spell.save and spell.condition):
            yield f"{spell.name} allows a new save each round, but has no save, or no condition, to end by it"


def lacking(dialect: Dialect, sheet: Sheet, unusable: Collection[str] | None = None) -> Iterator[str]:
    """Yield each feat whose prerequisites the sheet lacks.

    `unusable` are those without effect in a fight, by the dialect's table without it.
    """
    table = dialect.book.prerequisites
    gone = find_unusable_feats(table, sheet) if unusable is None else unusable
    usable = [feat for feat in sheet.feats if feat not in gone]
    for feat in dict.fromkeys(gone):
        known, lacks = prerequisites_of(table, feat), find_unmet_prerequisite(table, sheet, usable, feat)
        if known is not None:
            yield f"the feat {feat} asks for {lacks} ({known.rule}): it gives nothing, unless as a bonus feat"
    for feat in dict.fromkeys(usable):
        known, lacks = prerequisites_of(table, feat), find_unmet_prerequisite(table, sheet, usable, feat)
        if known is not None and lacks:
            yield f"the feat {feat} asks for {lacks} ({known.rule})"
