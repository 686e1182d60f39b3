"""What a print shows without a word for it: feats had by nature, several weapons without a penalty."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.record.sheet_names import among
from affray.engine.rules.classes.feat_prerequisites import BONUS, lacked_by_table
from affray.engine.rules.gear.held_weapons import strikes_per_full_attack
from affray.engine.statblock.fields import Field
from affray.engine.statblock.lines import Note, first_of, shown
from affray.events.facts.sheet import Sheet, Weapon

#: What a sheet says of a creature that pays nothing for several weapons: each arm with all attacks, or not.
SUPERIOR, MASTERY = "superior two-weapon fighting", "multiweapon mastery"
#: The trait of a claw that is no hand, and how many hands there are without a word.
NO_HAND, HANDS = "not a hand", 2
#: The shield that a feat gives, and no hand holds.
DEFENSE = "Two-Weapon Defense"
#: The feat that is printed as part of the shield it raises.
FOCUS = "shield focus"


def shield_without_feat(sheet: Sheet, dialect: str) -> Sheet:
    """Return the sheet, its shield less by what Shield Focus adds by itself in play.

    Of a dialect whose rules count that feat; in others the shield keeps what is printed.
    """
    of = load(dialect)
    if FOCUS not in sheet.feats or FOCUS not in of.classes.sheet_names.feats:
        return sheet
    more = int(of.book.topic("feat.shield-feats").figures["focus"])
    armor = (replace(one, value=one.value - more) if one.kind == "shield" else one for one in sheet.armor)
    return replace(sheet, armor=tuple(armor))


def with_bonus_feats(sheet: Sheet, field: Field | None, dialect: str, notes: list[Note]) -> Sheet:
    """Return the sheet, the printed feats whose prerequisites it lacks had as bonus feats.

    Of the dialect whose rules ask for prerequisites, and read that trait.
    """
    of = load(dialect)
    if field is None or not among(f"{BONUS}any", of.classes.sheet_names.traits):
        return sheet
    traits = list(sheet.traits)
    for feat in sheet.feats:
        lacks = lacked_by_table(of.book.prerequisites, sheet, sheet.feats, feat)
        if lacks:
            traits.append(f"{BONUS}{feat}")
            reason = f"asks for {lacks}, which the sheet lacks: a bonus feat, as it is printed"
            notes.append(Note(field.line, shown(feat), reason))
    return replace(sheet, traits=tuple(traits))


def claws_beside(sheet: Sheet, weapons: Mapping[str, Weapon], dialect: str) -> dict[str, Weapon]:
    """Return the claws that strike though the hands are full, as limbs that are no hands.

    Of a dialect whose rules ask for a free hand; `weapons` are those of a routine.
    """
    if NO_HAND not in load(dialect).classes.sheet_names.weapon_traits:
        return {}
    made = [one for one in weapons.values() if one.wield not in ("natural", "unarmed")]
    taken = sum(1 if one.wield == "projectile" else max(1, one.hands) for one in made)
    taken += sum(part.kind == "shield" and part.source != DEFENSE for part in sheet.armor)
    found = {}
    for name, weapon in weapons.items():
        claws = strikes_per_full_attack(weapon)
        if weapon.wield == "natural" and "claw" in name.split() and max(HANDS, claws) - taken < claws:
            found[name] = replace(weapon, traits=first_of((*weapon.traits, NO_HAND)))
    return found


def masteries(sheet: Sheet, dialect: str, two: bool) -> Iterator[str]:
    """Yield the traits by which the dialect lets a creature strike with several weapons without a penalty.

    `two` says that there are two weapons, each of which may have a full series.
    """
    known = load(dialect).classes.sheet_names.traits
    for trait in (MASTERY, SUPERIOR) if two else (MASTERY,):
        if trait in known and trait not in sheet.traits:
            yield trait
