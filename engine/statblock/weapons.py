"""From printed attacks to weapons, as their names and their own print have them."""

from typing import Any, Literal, cast

from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.dice.notation import DiceNotationError, parse
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.statblock.arms import ASSUMED_RANGE, qualities
from affray.engine.statblock.defences import ENERGIES
from affray.engine.statblock.figures import damage_bonus, names_off_hand
from affray.engine.statblock.hands import Hand, is_volley, known
from affray.engine.statblock.lines import Note, first_of, shown
from affray.engine.statblock.printed_attack import Attack
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.facts.sheet_parts import Bonus, ExtraDamage, Rider

ABILITIES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}


def as_printed(sheet: Sheet, hand: Hand, dialect: str, notes: list[Note]) -> Weapon | None:
    """Return the weapon of a hand before any figure is explained; None, with a note, if its dice are none."""
    attack = hand.attack
    try:
        parse(attack.dice)
        for dice, _ in attack.extra:
            parse(dice)
        for loss in attack.losses:
            parse(loss.split()[0])
    except DiceNotationError as error:
        notes.append(Note(attack.line, shown(attack.text), str(error), "unread"))
        return None
    base, family, fields = known(attack)
    if is_volley(attack):
        fields = fields | {"wield": "natural", "thrown": True, "family": ""}
        fields["traits"] = (*fields["traits"], "no melee use")
    weapon = _as_printed(sheet, attack, base, family, fields, dialect, notes)
    apart = hand.off and can_differ(weapon, dialect) and attack.mode == "melee"
    return replace(weapon, off_hand=True) if apart else weapon


def can_differ(weapon: Weapon, dialect: str) -> bool:
    """Say whether each hand holds a weapon of its own: not of fists, double weapons and parts of the body.

    Where no strike can be declared to be one of the off hand, each end of a double weapon is a weapon.
    """
    one = weapon.wield in ("natural", "unarmed") or ("double" in weapon.traits and names_off_hand(dialect))
    return not one


def _as_printed(
    sheet: Sheet,
    attack: Attack,
    base: str,
    family: str,
    fields: dict[str, Any],
    dialect: str,
    notes: list[Note],
) -> Weapon:
    """Return the weapon as its name and its own print have it, before any figure is explained."""
    fields = dict(fields)
    if not family:
        guess = "a natural weapon" if fields["wield"] == "natural" else "a one-handed weapon"
        if attack.mode == "ranged":
            guess = f"a range increment of {ASSUMED_RANGE} ft."
        notes.append(
            Note(attack.line, shown(attack.text), f"no weapon known by the name {base!r}: {guess} assumed")
        )
    if attack.mode == "melee" and fields["wield"] == "projectile":
        fields |= {"wield": "one-handed", "range": 0, "hands": 1, "family": ""}
    if attack.mode == "ranged" and not fields.get("range"):
        fields |= {"range": 10, "thrown": True}
        notes.append(
            Note(attack.line, shown(attack.text), "no range increment printed: thrown, 10 ft. assumed")
        )
    traits = [*fields["traits"], *qualities(attack.name)]
    magical = any("magic" in reduction.bypass for reduction in sheet.reductions)
    if attack.enhancement or (magical and fields["wield"] in ("natural", "unarmed")):
        traits.append("magic")
    traits += ["touch"] * attack.touch + ["incorporeal"] * attack.incorporeal
    traits += ["nonlethal"] * attack.nonlethal
    extra = []
    for dice, kind in attack.extra:
        if kind and kind not in load(dialect).damage.types:
            traits.append(f"plus {dice} {kind}")
            notes.append(
                Note(
                    attack.line,
                    f"{dice} {kind}",
                    "extra damage of no known type: kept as a trait",
                    "unplayed",
                )
            )
        else:
            extra.append(ExtraDamage(dice, kind or fields.get("damage_type", "slashing"), attack.name))
    if fields.get("family") not in load(dialect).gear.families:
        fields["family"] = ""
    for rider in attack.riders:
        traits.append(f"plus {rider}")
        notes.append(
            Note(attack.line, rider, f"what a hit of the {base} does besides: kept as a trait", "unplayed")
        )
    if attack.kind:
        fields["damage_type"] = attack.kind
        if attack.kind in ENERGIES and not fields.get("family"):
            # Energy is resisted and has no Strength behind it: the sheet says so by the family of spells.
            fields["family"] = "spell"
    improved: tuple[Bonus, ...] = ()
    if attack.enhancement:
        improved = (Bonus(attack.enhancement, "enhancement", f"+{attack.enhancement} {base}"),)
    greater = f"greater weapon focus ({base})" in sheet.feats
    specialized = f"greater weapon specialization ({base})" in sheet.feats
    fields |= {
        "traits": first_of(traits),
        "attack": (
            *(improved or (Bonus(1, "enhancement", "masterwork"),) * attack.masterwork),
            *(Bonus(1, "untyped", "Greater Weapon Focus"),) * greater,
        ),
        "bonus_damage": (*improved, *(Bonus(2, "untyped", "Greater Weapon Specialization"),) * specialized),
        "extra": tuple(extra),
        "riders": tuple(_loss(attack, loss) for loss in attack.losses),
        "threat": attack.threat,
        "multiplier": attack.multiplier,
    }
    return Weapon(base, attack.dice, **fields)


def _loss(attack: Attack, effect: str) -> Rider:
    """Return what costs a target ability points or levels; where no hit points are lost it needs no wound."""
    *_, ability = effect.removesuffix(" drain").split(" ")
    bare = attack.dice == "0" or attack.touch or attack.name == "touch"
    delivery: Literal["injury", "contact"] = "contact" if bare else "injury"
    save = cast(Literal["", "fort", "ref", "will"], attack.save)
    if ability not in ABILITIES:
        return Rider("energy drain", "energy drain", delivery, save, attack.dc, effect)
    name = f"{ABILITIES[ability]} {'drain' if effect.endswith('drain') else 'damage'}"
    return Rider(name, "ability", delivery, save, attack.dc, effect)


def in_hand(sheet: Sheet, hand: Hand, weapon: Weapon, alone: bool, dialect: str) -> Weapon:
    """Return the weapon held in the way that gives the printed damage, or as it is if none does.

    `alone` says that no other hand strikes.
    """
    attack, melee = hand.attack, hand.attack.mode == "melee"
    if attack.dice == "0" or weapon.off_hand:
        return weapon
    ways = [weapon]
    strength = ability(sheet, "str")
    if weapon.family == "bow":
        rating = attack.rating
        if rating is None and "composite" in weapon.name:
            rating = min(max(0, attack.flat - attack.enhancement), max(0, strength))
        ways = [replace(weapon, rating=rating), replace(weapon, rating=max(0, strength))]
    elif weapon.wield in ("light", "one-handed") and melee:
        if weapon.wield == "one-handed":
            ways.append(replace(weapon, hands=2))
        if alone:
            ways.append(replace(weapon, off_hand=True))
    elif weapon.wield == "two-handed":
        # A creature large enough, or with feats for it, holds a two-handed weapon in one hand.
        ways = [replace(weapon, hands=2), replace(weapon, wield="one-handed", hands=1)]
    fits = (way for way in ways if damage_bonus(sheet, way, melee, dialect) == attack.flat)
    return next(fits, ways[0])
