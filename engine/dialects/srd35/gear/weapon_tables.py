"""The weapon tables: a sheet names a weapon, and its figures come from the row (srd35.weapons.*).

What the sheet says besides must agree with the row. The figures are those for the size that the weapon is
made for; one made for another size than its wielder's is handled another way (srd35.weapon.wrong-size).
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import asdict, replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.rules.classes.ability_modifiers import has_named
from affray.engine.rules.classes.natures import is_printed_as
from affray.engine.rules.gear.table_rows import other_figure, usual_name, weight_for_size
from affray.engine.steps import Refusal
from affray.events.errors import did_you_mean
from affray.events.facts.sheet import SIZES, Sheet, Weapon
from affray.projections.state import Combatant

TABLES: Final = (
    "srd35.weapons.table-simple-melee",
    "srd35.weapons.table-simple-ranged",
    "srd35.weapons.table-martial-melee-light",
    "srd35.weapons.table-martial-melee-one-handed",
    "srd35.weapons.table-martial-melee-two-handed",
    "srd35.weapons.table-martial-ranged",
    "srd35.weapons.table-exotic-melee",
    "srd35.weapons.table-exotic-ranged",
)
#: What a row says of a weapon, and a sheet may say too.
TOLD: Final = ("damage", "damage_type", "wield", "threat", "multiplier", "range", "reach", "load", "second")
TYPES: Final = {"S": "slashing", "P": "piercing", "B": "bludgeoning"}
#: Words of the tables that weapons of a sheet say otherwise.
TRAITS: Final = {
    "set": "brace",
    "set (spear head)": "brace",
    "hits adjacent too": "near-and-far",
    "reach 15 no threat": "no-threat",
    "unarmed strike, lethal": "lethal",
    "touch attack": "touch",
    "ranged trip, no counter-trip": "ranged trip",
}
#: Words in the names of weapons with a haft of wood.
HAFTED: Final = (
    *("axe", "club", "flail", "glaive", "guisarme", "halberd", "hammer", "kama", "lance", "morningstar"),
    *("nunchaku", "pick", "ranseur", "scythe", "sickle", "spear", "staff", "trident", "urgrosh", "javelin"),
)
#: Shields that strike nobody.
NO_BASH: Final = ("buckler", "tower shield", "shield, tower")
#: Missiles that are thrown and nothing else.
NOT_IN_MELEE: Final = ("bolas", "net")
#: Words of the tables that stand in fields of the weapon.
FIELDS: Final = {"reach", "two hands", "one hand", "Str rating", "5 bolts, lever free"}
HANDLING: Final = ("light", "one-handed", "two-handed")
BLANK: Final = Weapon("", "")
#: Dice of a weapon that does no harm of itself, such as a net.
NO_DAMAGE: Final = "0"


def weapon_row(fight: Fight, name: str) -> tuple[Mapping[str, Any], str]:
    """Return the row of a weapon, by its name there or as people say it, and the topic of its table.

    Refuses a name that no table has.
    """
    rows = rows_by_name(fight)
    if name in NO_BASH:
        raise Refusal(f"one does not strike with a {name}", fight.rule("srd35.weapons.shield-bash"))
    if name not in rows:
        known = did_you_mean(name, (one for one in rows if one not in NO_BASH))
        raise Refusal(f"no weapon table has a {name!r}{known}", fight.rule(TABLES[0]))
    return rows[name]


@per_fight()
def rows_by_name(fight: Fight) -> dict[str, tuple[Mapping[str, Any], str]]:
    """Return the rows of all weapons, by their names there and as people say them, each with its topic."""
    index: dict[str, tuple[Mapping[str, Any], str]] = {}
    for topic in TABLES:
        for row in fight.figure(topic):
            index[row["name"]] = index[usual_name(row["name"])] = row, topic
    # A missile in the hand does what a dagger does (srd35.weapons.ammunition).
    knife, _ = index["dagger"]
    for missile in ("arrow", "bolt"):
        row = {
            **knife,
            "name": missile,
            "threat": 20,
            "range_ft": None,
            "type": "P",
            "special": ["improvised"],
        }
        index[missile] = row, "srd35.weapons.ammunition"
    return index


def with_table_weapons(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet whose weapons have the figures of the tables, and the rules that these come from.

    Refuses names that the tables lack and figures that contradict them (srd35.weapons.*).
    """
    weapons: list[Weapon] = []
    cites: list[str] = []
    for weapon in sheet.weapons:
        found, rules = from_table(fight, sheet, weapon)
        weapons.append(found)
        cites += rules
    return replace(sheet, weapons=tuple(weapons)), tuple(cites)


def from_table(fight: Fight, sheet: Sheet, weapon: Weapon) -> tuple[Weapon, tuple[str, ...]]:
    """Return a weapon with the figures of its row, and the rules they come from.

    A weapon given by figures alone stays as it is but for its material. Refuses what contradicts the row.
    """
    topics: list[str] = []
    if weapon.table:
        row, table = weapon_row(fight, weapon.table)
        topics.append(table)
        found = fields_of_weapon_row(fight, sheet, weapon, row, topics)
        refuse_contradiction(fight, weapon, found, row, table)
        kept = {name: value for name, value in asdict(weapon).items() if value != getattr(BLANK, name)}
        kept |= {"traits": tuple(dict.fromkeys((*found["traits"], *weapon.traits))), "table": row["name"]}
        weapon = Weapon(**{**found, **kept})
        weapon = with_exotic_proficiency(fight, sheet, weapon, row, topics)
    if "improvised" in weapon.traits:
        weapon = improvised(fight, weapon, topics)
    weapon = handled_by_size(fight, sheet, weapon, topics)
    weapon = of_material(weapon, topics)
    return weapon, fight.rules(*topics)


def fields_of_weapon_row(
    fight: Fight, sheet: Sheet, weapon: Weapon, row: Mapping[str, Any], topics: list[str]
) -> dict[str, Any]:
    """Return the fields that a row gives to a weapon made for its own size, else its wielder's."""
    name, special = row["name"], row.get("special", [])
    size: str = weapon.size or sheet.size
    if "stones" in weapon.traits:
        size = SIZES[SIZES.index(size) - 1]
        topics.append("srd35.weapons.sling-stones")
    dice, _, second = dice_for_size(fight, row, size, topics).partition("/")
    kinds = [
        TYPES[letter] for letter in (row["type"] or "").replace(" or ", " ").replace(" and ", " ").split()
    ]
    if "slashing" in kinds:  # the kind that also serves to sunder comes first
        kinds.sort(key="slashing".__ne__)
    traits = [TRAITS.get(word, word) for word in special if word not in FIELDS and "load: " not in word]
    # Bare hands subdue of themselves, unless training says otherwise.
    traits += kinds[1:] + ["nonlethal"] * (row.get("nonlethal", False) and row["cat"] != "unarmed")
    traits += haft_trait(name)
    traits += ["no melee use"] * (name in NOT_IN_MELEE)
    ranged = row["cat"] == "ranged"
    family = next((kind for kind in ("crossbow", "bow", "sling", "shuriken") if kind in name), "")
    shoots = family in ("crossbow", "bow", "sling")
    wield = "projectile" if shoots else "one-handed" if ranged else row["cat"]
    both = "two hands" in special or row["cat"] == "two-handed"
    both = both or (family == "crossbow" and "one hand" not in special)
    both = both and "in one hand" not in weapon.traits
    if "no-threat" in traits:
        topics.append("weapons.whip")
    loading = next((word[6:].split()[0] for word in special if word.startswith("load: ")), "")
    return {
        "name": weapon.name,
        "damage": dice,
        "damage_type": kinds[0] if kinds else BLANK.damage_type,
        "wield": wield,
        "threat": row.get("threat", BLANK.threat),
        "multiplier": int(row["mult"].partition("/")[0][1:]) if "mult" in row else BLANK.multiplier,
        "range": row["range_ft"] or 0,
        "thrown": bool(row["range_ft"]) and not shoots,
        "reach": "reach" in special,
        "far": fight.figure("srd35.weapons.whip", "reach_ft") if "no-threat" in traits else 0,
        "hands": 2 if both else 1,
        "rating": 0 if "Str rating" in special else None,
        "family": family,
        "load": "case" if "5 bolts, lever free" in special else loading,
        "second": second,
        "second_multiplier": int(row["mult"].partition("/x")[2] or 0) if second else 0,
        "ounces": weight_for_size(fight, row.get("weight_lb", 0), weapon.size or sheet.size, topics),
        "traits": traits,
    }


def haft_trait(name: str) -> list[str]:
    """Return the mark of a weapon with a haft, which stands blows as its own row of objects says."""
    if "mace" in name:
        return ["metal-hafted"]
    return ["hafted"] * any(word in name for word in HAFTED)


def dice_for_size(fight: Fight, row: Mapping[str, Any], size: str, topics: list[str]) -> str:
    """Return the damage dice of a row for a weapon made for a size (srd35.weapons.size-damage-table).

    Both ends of a double weapon, joined by a slash. Refuses sizes of which the tables say nothing.
    """
    if row["dmg_m"] is None:
        return NO_DAMAGE
    if size in ("small", "medium"):
        return str(row["dmg_s" if size == "small" else "dmg_m"])
    topic = "srd35.weapons.size-damage-table"
    topics.append(topic)
    found = []
    for dice in row["dmg_m"].split("/"):
        rows = {one["medium"]: one for one in fight.figure(topic)}
        of_size = rows[dice].get(size)
        if of_size is None:
            raise Refusal(
                f"no table has the damage of a {row['name']} for a {size} creature", fight.rule(topic)
            )
        found.append(of_size)
    return "/".join(found)


def refuse_contradiction(
    fight: Fight, weapon: Weapon, found: Mapping[str, Any], row: Mapping[str, Any], table: str
) -> None:
    """Refuse figures that are not those of the row; hands and a bow's rating are the wielder's own."""
    for name in TOLD:
        given = getattr(weapon, name)
        if given not in (getattr(BLANK, name), found[name]):
            raise Refusal(other_figure(weapon.name, name, row["name"], found[name], given), fight.rule(table))


def with_exotic_proficiency(
    fight: Fight, sheet: Sheet, weapon: Weapon, row: Mapping[str, Any], topics: list[str]
) -> Weapon:
    """Return a weapon with the proficiency that an exotic one asks for (srd35.feat.proficiencies).

    The feat needs some base attack bonus; in both hands, or for dwarves, some exotic weapons are martial.
    """
    if row["prof"] != "exotic":
        return weapon
    special = row.get("special", [])
    martial = "martial if two-handed" in special and weapon.hands == 2
    if martial or ("martial for dwarves" in special and is_printed_as(sheet, "dwarf")):
        topics.append("srd35.weapons.special-key")
        return weapon
    topics.append("srd35.feat.proficiencies")
    least = fight.figure("srd35.feat.proficiencies", "exotic_base_attack_bonus")
    names = {row["name"], usual_name(row["name"]), weapon.name}
    trained = any(has_named(sheet, f"exotic weapon proficiency ({name})") for name in names)
    by_class = "monk" in special and "monk" in sheet.classes
    if by_class or (trained and sheet.base_attack >= least):
        return weapon
    return replace(weapon, proficient=False)


def improvised(fight: Fight, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a thing that was never made for a weapon: no better than 20 and x2 (srd35.weapon.improvised)."""
    topic = "srd35.weapon.improvised"
    topics.append(topic)
    threat, _, multiplier = str(fight.figure(topic, "crit")).partition("/x")
    feet = fight.figure(topic, "range_ft") if weapon.thrown else weapon.range
    return replace(weapon, threat=int(threat), multiplier=int(multiplier), range=feet)


def handled_by_size(fight: Fight, sheet: Sheet, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon as a wielder of another size handles it; the penalty is on the attack.

    Each category shifts light, one-handed and two-handed by one step. Refuses what cannot be wielded so.
    """
    steps = SIZES.index(weapon.size) - SIZES.index(sheet.size) if weapon.size else 0
    if not steps or weapon.wield not in HANDLING:
        return weapon
    topics.append("srd35.weapon.wrong-size")
    place = HANDLING.index(weapon.wield) + steps
    if not 0 <= place < len(HANDLING):
        words = f"a {weapon.name} made for a {weapon.size} creature cannot be wielded by a {sheet.size} one"
        raise Refusal(words, fight.rule("srd35.weapon.wrong-size"))
    wield = HANDLING[place]
    hands = 2 if wield == "two-handed" else 1 if weapon.wield == "two-handed" else weapon.hands
    return replace(weapon, wield=wield, hands=hands)


def handled_by_taker(
    fight: Fight, taker: Combatant, owner: Combatant, weapon: Weapon
) -> tuple[Weapon | None, tuple[str, ...]]:
    """Return a weapon as somebody of another size than its owner handles it, None if that cannot be.

    srd35.weapon.wrong-size
    """
    topics: list[str] = []
    with suppress(Refusal):
        sized = replace(weapon, size=owner.sheet.size)
        return handled_by_size(fight, taker.sheet, sized, topics), fight.rules(*topics)
    return None, fight.rules(*topics)


MATERIALS = frozenset(
    {
        *("", "adamantine", "cold iron", "mithral", "silver"),
        *("glass", "ice", "iron or steel", "leather or hide", "paper or cloth", "rope", "stone", "wood"),
    }
)
"""What arms and armor are made of, if not of the usual.

srd35.weapons.special-materials, srd35.object.substance-table
"""


def of_material(weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon with the marks of its material: what damage reduction asks for."""
    if not weapon.material or weapon.material in weapon.traits:
        return weapon
    topics.append("weapons.special-materials")
    made = ("masterwork",) if weapon.material == "adamantine" else ()
    return replace(
        weapon,
        traits=(*weapon.traits, weapon.material),
        masterwork=weapon.masterwork or bool(made),
    )
