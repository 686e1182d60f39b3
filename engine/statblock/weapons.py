"""From printed attacks to weapons whose parts add up to what is printed.

The engine's own arithmetic says what sheet and weapon give without help; the difference to the printed
figure is explained where a rule explains it, and kept as an untyped part, with a note, where none does.
"""

from collections.abc import Iterator
from typing import Any, Literal, cast

from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.dice.notation import DiceNotationError, parse
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.damage.plain import TYPES
from affray.engine.statblock.arms import ASSUMED_RANGE, look_up, qualities
from affray.engine.statblock.attacks import PRINTED, Attack, Strike
from affray.engine.statblock.defences import ENERGIES
from affray.engine.statblock.figures import attack_bonus, attack_series, damage_bonus
from affray.engine.statblock.lines import Note, first_of, shown
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
MOST_ATTACKS = 60
#: What throwers by nature or training have for one kind of missile.
_RACIAL = {("rock", 1): ("racial", "rock throwing"), ("bomb", 1): ("untyped", "Throw Anything")}


def arm(
    sheet: Sheet, attacks: list[Attack], dialect: str, notes: list[Note]
) -> tuple[tuple[Weapon, ...], tuple[Strike, ...]]:
    """Return the weapons of the attacks, each once, and which attack is made with which."""
    weapons: dict[str, Weapon] = {}
    strikes = []
    for attack in attacks[MOST_ATTACKS:]:
        notes.append(
            Note(attack.line, shown(attack.text), f"more than {MOST_ATTACKS} attacks: not read", "unread")
        )
    for attack in attacks[:MOST_ATTACKS]:
        weapon: Weapon | None = None
        remarks: list[Note] = []
        base = look_up(attack.name, attack.mode, is_made(attack))[0]
        for place, name in enumerate(_names(base, attack)):
            # Feats go by the name of a weapon: under another one other parts explain its bonus.
            if place < 3:
                remarks = []
                weapon = weapon_of(sheet, attack, name, dialect, remarks)
            elif weapon is not None:  # a third name and those after it differ by a number only
                weapon = replace(weapon, name=name)
            if weapon is None or name not in weapons or _bare(weapons[name]) == _bare(weapon):
                break
        notes += remarks
        if weapon is None:
            continue
        if name not in weapons or _count(weapon) > _count(weapons[name]):
            weapons[name] = weapon
        strikes.append(Strike(name, attack))
    return tuple(weapons.values()), tuple(strikes)


def _names(base: str, attack: Attack) -> Iterator[str]:
    yield base
    full = f"+{attack.enhancement} {attack.name}" if attack.enhancement else attack.name
    yield full
    number = 2
    while True:
        yield f"{full} ({number})"
        number += 1


def is_made(attack: Attack) -> bool:
    """Say whether the print of an attack shows that its weapon was made: magic, masterwork, several blows."""
    return attack.masterwork or attack.enhancement > 0 or len(attack.bonuses) > 1


def _bare(weapon: Weapon) -> Weapon:
    return replace(weapon, name="", traits=tuple(t for t in weapon.traits if not t.startswith("attacks ")))


def _count(weapon: Weapon) -> int:
    return next((int(trait[8:]) for trait in weapon.traits if trait.startswith("attacks ")), 1)


def weapon_of(sheet: Sheet, attack: Attack, name: str, dialect: str, notes: list[Note]) -> Weapon | None:
    """Return the weapon of an attack under a name; None, with a note, if its dice are none."""
    base, family, fields = look_up(attack.name, attack.mode, is_made(attack))
    try:
        parse(attack.dice)
        for dice, _ in attack.extra:
            parse(dice)
        for loss in attack.losses:
            parse(loss.split()[0])
    except DiceNotationError as error:
        notes.append(Note(attack.line, shown(attack.text), str(error), "unread"))
        return None
    plain = replace(_as_printed(sheet, attack, base, family, fields, dialect, notes), name=name)
    melee = attack.mode == "melee"
    shaped = _shaped(sheet, attack, plain, melee, dialect) if attack.dice != "0" else plain
    to_hit, secondary = _attack_parts(sheet, attack, shaped, melee, dialect, notes)
    traits = shaped.traits
    if shaped.wield == "natural":
        traits = first_of((*traits, "secondary" if secondary else "primary"))
    harm: tuple[Bonus, ...] = ()
    if attack.dice != "0":
        harm = _damage_parts(sheet, attack, shaped, melee, dialect, notes)
    weapon = replace(
        shaped, attack=(*shaped.attack, *to_hit), bonus_damage=(*shaped.bonus_damage, *harm), traits=traits
    )
    _check_series(sheet, attack, weapon, dialect, notes)
    return weapon


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
    if attack.count > 1:
        traits.append(f"attacks {attack.count}")
    extra = []
    for dice, kind in attack.extra:
        if kind and kind not in TYPES:
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


def _shaped(sheet: Sheet, attack: Attack, weapon: Weapon, melee: bool, dialect: str) -> Weapon:
    """Return the weapon held in the way that gives the printed damage, or as it is if none does."""
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
        ways.append(replace(weapon, off_hand=True))
    elif weapon.wield == "two-handed":
        # A creature large enough, or with feats for it, holds a two-handed weapon in one hand.
        ways = [replace(weapon, hands=2), replace(weapon, wield="one-handed", hands=1)]
    fits = (way for way in ways if damage_bonus(sheet, way, melee, dialect) == attack.flat)
    return next(fits, ways[0])


def _attack_parts(
    sheet: Sheet, attack: Attack, weapon: Weapon, melee: bool, dialect: str, notes: list[Note]
) -> tuple[tuple[Bonus, ...], bool]:
    """Return what the sheet lacks of the printed attack bonus, and whether it is a secondary attack."""
    missing = attack.bonuses[0] - attack_bonus(sheet, weapon, melee, dialect)
    if not missing:
        return (), False
    focused = any(feat.startswith("weapon focus (") and _alike(feat, attack.name) for feat in sheet.feats)
    for focus in (0, 1) if focused and f"weapon focus ({weapon.name})" not in sheet.feats else (0,):
        parts: tuple[Bonus, ...] = (Bonus(1, "untyped", "Weapon Focus"),) * focus
        rest = missing - focus
        if not rest:
            return parts, False
        if weapon.wield == "natural" and melee:
            if rest == -5:
                return (*parts, Bonus(-5, "penalty", "secondary natural attack")), True
            if rest == -2 and any(feat.startswith("multiattack") for feat in sheet.feats):
                return (*parts, Bonus(-2, "penalty", "secondary natural attack, Multiattack")), True
        dexterity = ability(sheet, "dex")
        if sheet.abilities.str is None and melee and rest == dexterity:
            return (*parts, Bonus(dexterity, "ability", "Dexterity, having no Strength")), False
        racial = _RACIAL.get((weapon.name, rest))
        if racial is not None and not melee:
            return (*parts, Bonus(rest, *racial)), False
        if rest == -2 and not melee and "rapid shot" in sheet.feats and len(attack.bonuses) > 1:
            return (*parts, Bonus(rest, "penalty", "Rapid Shot")), False
        if rest in (-2, -4) and weapon.wield != "natural" and any("two-weapon" in f for f in sheet.feats):
            return (*parts, Bonus(rest, "penalty", "two weapons")), False
    reason = f"attack bonus {attack.bonuses[0]:+d}: {missing:+d} of it is explained by nothing on the sheet"
    notes.append(Note(attack.line, shown(attack.text), reason))
    return (Bonus(missing, "untyped" if missing > 0 else "penalty", PRINTED),), False


def _alike(feat: str, name: str) -> bool:
    """Say whether a feat's weapon is this one by another form of its name: claws, tail slap."""
    words = set(feat.partition("(")[2].rstrip(")").split())
    return bool(words & {word.rstrip("s") for word in name.split()} | words & set(name.split()))


def _damage_parts(
    sheet: Sheet, attack: Attack, weapon: Weapon, melee: bool, dialect: str, notes: list[Note]
) -> tuple[Bonus, ...]:
    """Return what sheet and weapon do not say of the printed damage bonus."""
    missing = attack.flat - damage_bonus(sheet, weapon, melee, dialect)
    if not missing:
        return ()
    strength = ability(sheet, "str")
    if weapon.family == "spell" or (not melee and not weapon.thrown):
        shares = {strength: "Strength", strength * 3 // 2: "Strength, half again"}
    else:
        shares = {
            strength * 3 // 2 - strength: "Strength, half again",
            strength // 2 - strength: "Strength, half of it",
            -strength: "no Strength",
        }
    if missing in shares and strength:
        return (Bonus(missing, "ability", shares[missing]),)
    reason = f"damage bonus {attack.flat:+d}: {missing:+d} of it is explained by nothing on the sheet"
    notes.append(Note(attack.line, shown(attack.text), reason))
    return (Bonus(missing, "untyped" if missing > 0 else "penalty", PRINTED),)


def _check_series(sheet: Sheet, attack: Attack, weapon: Weapon, dialect: str, notes: list[Note]) -> None:
    """Note a printed series of attacks that the base attack bonus does not give."""
    series = attack_series(sheet, attack.bonuses[0], dialect)
    if weapon.wield == "natural":
        series = series[:1]
    if attack.bonuses not in (series, series[:1]):
        given = "/".join(f"{bonus:+d}" for bonus in series)
        notes.append(
            Note(
                attack.line,
                shown(attack.text),
                f"another series of attacks than the engine's {given}",
                "unplayed",
            )
        )
