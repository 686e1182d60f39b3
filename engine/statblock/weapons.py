"""From printed attacks to weapons, by their names and their printed figures."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Final, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.dice.notation import DiceNotationError, parse
from affray.engine.rules.classes.sheets import ability
from affray.engine.statblock.creature import ENERGIES, Attack, damage_bonus, names_off_hand, singular
from affray.engine.statblock.paste import Field, Note, first_of, shown, split_top
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.sheet import Bonus, ExtraDamage, Rider, Sheet, Weapon

# --- The table of weapons that printed blocks name, `arms.toml`


@cache
def arms() -> dict[str, dict[str, JsonObject]]:
    """Return the table of weapons: by "weapon" or "natural", then by name."""
    file = resources.files("affray.engine.statblock").joinpath("arms.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


# --- The weapons known by name, and their figures that a printed attack omits

#: Words in a weapon's name that show what it bypasses.
QUALITIES: Final = {
    "holy": "good",
    "unholy": "evil",
    "axiomatic": "lawful",
    "anarchic": "chaotic",
    "adamantine": "adamantine",
    "silver": "silver",
    "silvered": "silver",
    "cold iron": "cold iron",
    "mithral": "silver",
}
#: Words in the names of manufactured weapons: an unknown weapon with such a name is held in hand.
MADE: Final = frozenset(
    {
        *("axe", "blade", "bow", "club", "cudgel", "cutlass", "dagger", "flail", "glaive", "gun", "hammer"),
        *(
            "katana",
            "knife",
            "lance",
            "machete",
            "mace",
            "maul",
            "pick",
            "pistol",
            "pole",
            "polearm",
            "rifle",
        ),
        *("saber", "sabre", "shears", "shield", "spear", "staff", "stave", "sword", "weapon", "whip"),
    }
)
#: Increment in feet for a ranged attack of unknown kind: the books print none in the attack line.
ASSUMED_RANGE: Final = 60


def look_up(name: str, mode: str, made: bool = False, several: bool = False) -> tuple[str, str, JsonObject]:
    """Return (base name, "weapon" or "natural" or "", fields of a Weapon) for a printed name.

    The base name is the longest known end of the name: "longsword" of "frost longsword", "mace" of "mace of
    ruin", the whip of "contract (whip)". An unknown weapon is one-handed if it was `made` by its print or its
    name (except for `several` of one name, more than two hands hold), otherwise natural in melee and a
    projectile of ASSUMED_RANGE feet.
    """
    words = name.partition(" of ")[0].replace("(", "").replace(")", "").split(" ")
    for start in range(max(0, len(words) - 6), len(words)):
        tail = " ".join(words[start:])
        for candidate in (tail, singular(tail)):
            for family in ("weapon", "natural"):
                found = arms()[family].get(candidate)
                if found is not None and not (family == "natural" and mode == "ranged"):
                    fields: JsonObject = {"wield": "natural" if family == "natural" else "one-handed"}
                    fields |= found
                    fields["traits"] = tuple(found.get("traits", ()))
                    return candidate, family, fields
    if mode == "ranged":
        return (
            singular(name),
            "",
            {"wield": "projectile", "damage_type": "piercing", "range": ASSUMED_RANGE, "traits": ()},
        )
    if made or not (several or MADE.isdisjoint(words)):
        return singular(name), "", {"wield": "one-handed", "traits": ()}
    return singular(name), "", {"wield": "natural", "damage_type": "bludgeoning", "traits": ()}


def qualities(name: str) -> tuple[str, ...]:
    """Return what a weapon of this name bypasses in addition to its damage types."""
    padded = f" {name} ".replace("-", " ")
    return tuple(dict.fromkeys(kind for word, kind in QUALITIES.items() if f" {word} " in padded))


# --- 3.0 prints attacks without their damage, and the damage on a separate line

_COUNT = re.compile(r"^[0-9]{1,3} ")
_BONUSES = re.compile(r" [+-][0-9]")
_DEALT = re.compile(r"[0-9]{1,3}(?:d[0-9]{1,3})?(?:[+-][0-9]{1,4})?(?=[ ,/.]|$)")


def with_damage(fields: list[Field]) -> list[Field]:
    """Return the fields, with the damage from its separate line after each attack.

    "Claw 1d6+6, bite 1d8+3" goes to "2 claws +9 melee, bite +4 melee" by the names.
    """
    damage = next((one for one in fields if one.name == "damage"), None)
    if damage is None:
        return fields
    said: dict[str, str] = {}
    for piece in split_top(damage.value, ",", ";", " or ", " and "):
        name, _, dice = piece.strip(". ").rpartition(" ")
        dealt = _DEALT.search(piece)
        if dealt is not None:
            name, dice = piece[: dealt.start()].strip(" :"), piece[dealt.start() :].strip(". ")
        said[singular(_COUNT.sub("", name.lower()))] = dice
    return [
        _dealing(one, said) if one.name in ("full attack", "attack") else one
        for one in fields
        if one is not damage
    ]


def _dealing(field: Field, said: dict[str, str]) -> Field:
    """Return a field of attacks with the damage of each in parentheses."""
    routines = []
    for group in split_top(field.value, " or ", ";"):
        pieces = []
        for piece in split_top(group, ",", " and "):
            name = singular(_COUNT.sub("", _BONUSES.split(piece, maxsplit=1)[0]).strip().lower())
            dice = said.get(name) or (next(iter(said.values())) if len(said) == 1 else "")
            pieces.append(f"{piece} ({dice})" if dice and "(" not in piece else piece)
        routines.append(", ".join(pieces))
    return Field(field.line, field.name, " or ".join(routines))


# --- The attacks of a line that are made together, and their means: routines, hands, limbs

#: Beginnings of sheets' names for the training, or the nature, to attack with several hands.
TWO_WEAPONS = ("two-weapon fighting", "improved two-weapon", "greater two-weapon", "multiweapon", "superior")
RAPID = "rapid shot"
#: More of one kind are parts of the body unless a manufactured weapon of the name is known: "3 blades".
MOST_HANDS = 2


class Hand(Struct, frozen=True, gc=False):
    """The attacks of one hand, or one kind of limb, in a routine.

    `copy` distinguishes the weapons of one printed attack ("2 flails": 0 and 1); `bonuses` are its strikes in
    print; `off` means that another hand attacks before it.
    """

    attack: Attack
    bonuses: tuple[int, ...]
    natural: bool = False
    copy: int = 0
    off: bool = False


def is_made(attack: Attack) -> bool:
    """Return whether the print of an attack shows that its weapon was made: magic, masterwork, several
    blows.
    """
    return attack.masterwork or attack.enhancement > 0 or len(attack.bonuses) > 1


def is_volley(attack: Attack) -> bool:
    """Return whether a creature shoots several natural missiles at once: rays, spikes, quills, rocks."""
    if attack.mode != "ranged" or attack.count < 2 or len(attack.bonuses) > 1:
        return False
    base, family, _ = known(attack)
    return family != "weapon" or base == "rock"


def is_natural(attack: Attack) -> bool:
    """Return whether an attack is made with a part of the body."""
    return is_volley(attack) or known(attack)[2]["wield"] == "natural"


def known(attack: Attack) -> tuple[str, str, JsonObject]:
    """Return what is known of the weapon of an attack by its name and print, as `look_up` does."""
    return look_up(attack.name, attack.mode, is_made(attack), attack.count > MOST_HANDS)


def routines_of(
    sheet: Sheet, attacks: Iterable[Attack], series: Sequence[int], notes: list[Note]
) -> list[tuple[Attack, ...]]:
    """Return the attacks of one field by routine; `series` are the steps of the base attack bonus.

    Two weapons, each with all attacks of the base attack bonus, of a creature without training in two are
    alternatives whose "or" print has lost.
    """
    groups: dict[tuple[str, int], list[Attack]] = {}
    for attack in attacks:
        groups.setdefault((attack.mode, attack.routine), []).append(attack)
    found: list[tuple[Attack, ...]] = []
    trained = any(word.startswith(TWO_WEAPONS) for word in (*sheet.feats, *sheet.traits))
    for group in groups.values():
        made = [one for one in group if not is_natural(one)]
        whole = [one for one in made if one.count == 1 and len(one.bonuses) == len(series) > 1]
        if len(made) == len(whole) == 2 and not trained:
            second = made[1]
            reason = "two full series and no training in two weapons: read as another attack, not as one more"
            notes.append(Note(second.line, shown(second.text), reason))
            at = group.index(second)
            found += [tuple(group[:at]), tuple(group[at:])]
        else:
            found.append(tuple(group))
    return found


def hands_of(sheet: Sheet, attacks: Sequence[Attack], series: Sequence[int]) -> list[Hand]:
    """Return the hands and limbs of a routine, in the order of print.

    The first weapon made is that of the main hand, all others are in off hands. One series with more attacks
    than the base attack bonus gives ("+6/+6") is that of two hands, except for flurries and Rapid Shot.
    """
    found: list[Hand] = []
    for attack in attacks:
        if is_natural(attack):
            found.append(Hand(attack, attack.bonuses * attack.count, natural=True))
            continue
        if is_thrown_pair(sheet, attack):
            found += [Hand(attack, (bonus,), copy=copy) for copy, bonus in enumerate(attack.bonuses)]
            continue
        both = () if attack.flurry or shoots_rapidly(sheet, attack, series) else _split(attack, series)
        each = both or (attack.bonuses,) * attack.count
        for copy, bonuses in enumerate(each):
            off = any(not hand.natural for hand in found)
            found.append(Hand(attack, bonuses, copy=copy, off=off))
    return found


def is_thrown_pair(sheet: Sheet, attack: Attack) -> bool:
    """Return whether two throws come from both hands: only Quick Draw draws the second in between."""
    fields = known(attack)[2]
    return (
        attack.mode == "ranged"
        and attack.count == 1
        and len(attack.bonuses) == 2
        and not attack.flurry
        and "quick draw" not in sheet.feats
        and "drawn as ammunition" not in fields["traits"]
        and fields["wield"] in ("light", "one-handed")
        and (fields.get("thrown", False) or not fields.get("range"))
    )


def shoots_rapidly(sheet: Sheet, attack: Attack, series: Sequence[int]) -> bool:
    """Return whether a printed series is one of Rapid Shot: one more attack at the highest bonus."""
    first = attack.bonuses[0]
    return (
        attack.mode == "ranged"
        and attack.count == 1
        and any(feat.startswith(RAPID) for feat in sheet.feats)
        and attack.bonuses == (first, *(first + step for step in series))
    )


def _split(attack: Attack, series: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the series of both hands if print gives them as one, () otherwise."""
    first = attack.bonuses[0]
    main, rest = tuple(first + step for step in series), list(attack.bonuses)
    if attack.count == len(rest) == rest.count(first) == MOST_HANDS:
        return (first,), (first,)
    if attack.count > MOST_HANDS or len(rest) <= len(main) or rest[1] != first:
        return ()
    for bonus in main:
        if bonus not in rest:
            return ()
        rest.remove(bonus)
    return main, tuple(rest)


# --- The words that printed blocks are made of

#: The dialects whose names of feats, traits and the like distinguish words from halves of a compound.
DIALECTS: Final = ("srd35", "pf1", "futurepath", "woa")
#: Words of printed blocks that name nothing on a sheet.
PRINTED: Final = (
    "alignment armor attack attacks base challenge charisma combat constitution damage deflection dexterity "
    "flat-footed fortitude grapple healing humanoid initiative intelligence medium melee "
    "monstrous natural organization perception plus qualities ranged reflex resistance size special strength "
    "touch treasure weapon wisdom"
)
_WORD = re.compile(r"[a-z][a-z-]*")


@cache
def words() -> frozenset[str]:
    """Return the words that printed blocks are made of, compounds with their hyphens."""
    texts = [PRINTED]
    for name in DIALECTS:
        known = load(name).classes.sheet_names
        texts += [*known.feats, *known.traits, *known.weapon_traits, *known.skills, *known.classes]
    texts += [name for named in arms().values() for name in named]
    return frozenset(word for text in texts for word in _WORD.findall(text))


# --- Routines: the declaration of what is printed together, the names of its weapons, their marks


class Routine(Struct, frozen=True, gc=False):
    """One alternative of the printed attacks ("... or ..."), as declared: as one full attack.

    `strikes` are its attacks in the order of print, without a target; `bonuses` the printed bonus of each,
    `held` the weapons in hand. `mode` is "melee" or "ranged".
    """

    mode: str
    strikes: tuple[acts.Strike, ...]
    bonuses: tuple[int, ...]
    held: tuple[str, ...] = ()
    flurry: bool = False
    rapid_shot: bool = False

    def declared(self, actor: str, target: str) -> acts.FullAttack:
        """Return the declaration of all strikes at one target."""
        return acts.FullAttack(
            actor=actor,
            strikes=tuple(replace(one, target=target) for one in self.strikes),
            flurry=self.flurry,
            rapid_shot=self.rapid_shot,
        )


def routine_of(
    sheet: Sheet, hands: Sequence[Hand], names: Sequence[str], series: Sequence[int], told: bool
) -> Routine:
    """Return the declaration of all attacks of the hands of a routine, in the order of print.

    `told` means that strikes are declared as those of the off hand.
    """
    weapons = {weapon.name: weapon for weapon in sheet.weapons}
    mode = hands[0].attack.mode if hands else "melee"
    strikes = []
    for hand, name in zip(hands, names, strict=True):
        thrown = mode == "ranged" and weapons[name].thrown
        strikes += [acts.Strike("", name, thrown=thrown, off_hand=told and hand.off) for _ in hand.bonuses]
    held = first_of(name for name in names if weapons[name].wield not in ("natural", "unarmed"))
    return Routine(
        mode,
        tuple(strikes),
        tuple(bonus for hand in hands for bonus in hand.bonuses),
        held,
        any(hand.attack.flurry for hand in hands),
        any(shoots_rapidly(sheet, hand.attack, series) for hand in hands if not hand.natural),
    )


def names_for(base: str, attack: Attack) -> Iterator[str]:
    """Yield the possible names of the weapon of an attack, the plainest first, without end."""
    yield base
    full = f"+{attack.enhancement} {attack.name}" if attack.enhancement else singular(attack.name)
    if full != base:
        yield full
    number = 2
    while True:
        yield f"{full} ({number})"
        number += 1


def marked(weapon: Weapon, word: str) -> Weapon:
    """Return a natural weapon that is marked only as primary or secondary."""
    others = (trait for trait in weapon.traits if trait not in ("primary", "secondary"))
    return replace(weapon, traits=first_of((*others, word)))


def counted(weapon: Weapon, number: int) -> tuple[str, ...]:
    """Return the traits of a natural weapon with at least that number of attacks."""
    told = (int(trait[8:]) for trait in weapon.traits if trait.startswith("attacks "))
    most = max(number, *told, 1)
    others = [trait for trait in weapon.traits if not trait.startswith("attacks ")]
    return first_of((*others, f"attacks {most}" if most > 1 else ""))


def exchanged(sheet: Sheet, weapon: Weapon) -> Sheet:
    """Return the sheet with a weapon in place of that of its name."""
    return replace(sheet, weapons=tuple(weapon if one.name == weapon.name else one for one in sheet.weapons))


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
    """Return whether each hand holds a separate weapon: not of fists, double weapons and parts of the body.

    If strikes cannot be declared as the off hand's, each end of a double weapon is a weapon.
    """
    one = weapon.wield in ("natural", "unarmed") or ("double" in weapon.traits and names_off_hand(dialect))
    return not one


def _as_printed(
    sheet: Sheet,
    attack: Attack,
    base: str,
    family: str,
    fields: JsonObject,
    dialect: str,
    notes: list[Note],
) -> Weapon:
    """Return the weapon by its name and its own print, before any figure is explained."""
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
            Note(attack.line, rider, f"further effect of a hit of the {base}: kept as a trait", "unplayed")
        )
    if attack.kind:
        fields["damage_type"] = attack.kind
        if attack.kind in ENERGIES and not fields.get("family"):
            # Energy is resisted and gets no Strength bonus: the sheet has the family of spells for it.
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
    """Return a loss of ability points or levels; if no hit points are lost it needs no wound."""
    *_, ability = effect.removesuffix(" drain").split(" ")
    bare = attack.dice == "0" or attack.touch or attack.name == "touch"
    delivery: Literal["injury", "contact"] = "contact" if bare else "injury"
    save = cast(Literal["", "fort", "ref", "will"], attack.save)
    if ability not in ABILITIES:
        return Rider("energy drain", "energy drain", delivery, save, attack.dc, effect)
    name = f"{ABILITIES[ability]} {'drain' if effect.endswith('drain') else 'damage'}"
    return Rider(name, "ability", delivery, save, attack.dc, effect)


def in_hand(sheet: Sheet, hand: Hand, weapon: Weapon, alone: bool, dialect: str) -> Weapon:
    """Return the weapon held in the way that gives the printed damage, or unchanged if none does.

    `alone` means that no other hand attacks.
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
        # A creature that is large enough, or has feats for it, holds a two-handed weapon in one hand.
        ways = [replace(weapon, hands=2), replace(weapon, wield="one-handed", hands=1)]
    fits = (way for way in ways if damage_bonus(sheet, way, melee, dialect) == attack.flat)
    return next(fits, ways[0])
