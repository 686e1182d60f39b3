"""Gear: weapons and armor, carried and handled, broken, thrown."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from affray.engine.dialects.srd35.maneuvers.bull_rush_and_trip import rending
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.distance import distance_ft
from affray.engine.kernel.places import refuse_no_friend
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Drawing
from affray.engine.rules.attacks import declared_blow, full_attack
from affray.engine.rules.attacks.full_attack import whirlwind_strikes
from affray.engine.rules.attacks.natural_weapons import secondary_part
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.checks import masters
from affray.engine.rules.classes.sheets import has_feat, has_named, is_printed_as, trait_detail
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.rules.gear import nets
from affray.engine.rules.gear.handling import is_missile
from affray.engine.rules.gear.hands import OFF, SPIKES, UNLOADED, needs_loading, wands_of
from affray.engine.rules.gear.objects import durability, durability_of_armor
from affray.engine.rules.gear.tables import (
    borne_of_row,
    explain_other_figure,
    shields_struck_with,
    uses_shield_arm,
    usual_name,
    weight_for_size,
    worn_now,
)
from affray.engine.rules.gear.weapons_in_hand import CASE, find_weapon, loads_slowly, weapon_to_load
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.places import side_by_side
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Roll, Steps, unknown_word
from affray.events.errors import counted, did_you_mean
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, EffectGained, ItemChanged, ResourceSpent, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SIZES, Modifier, Sheet, Weapon, Worn
from affray.projections.state import Combatant

# --- How a weapon is drawn (srd35.feat.quick-draw, srd35.skill.sleight)


def way_of_drawing(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return how a weapon is drawn: ammunition freely, others so with Quick Draw.

    A hidden one takes a standard action that does not provoke, or with Quick Draw a move action
    (srd35.feat.quick-draw, srd35.skill.sleight).
    """
    quick = masters(fight, holder, "quick draw") and item not in wands_of(holder)
    feat = fight.rules("srd35.feat.quick-draw") if quick else ()
    if is_hidden(holder, item):
        slow = str(fight.figure("srd35.feat.quick-draw" if quick else "srd35.skill.sleight", "hidden"))
        sleight = fight.rules("srd35.skill.sleight")
        return Drawing(slow, (*sleight, *feat), "standard", "Draw a hidden weapon")
    return Drawing("free" if quick or is_missile(holder, item) else "move", feat)


def is_hidden(holder: Combatant, item: str) -> bool:
    """Return whether a combatant has a weapon hidden about its person."""
    return any(one.name == item and "hidden" in one.traits for one in holder.sheet.weapons)


# --- The squares of dropped items (srd35.free.list)


def refuse_drop_afar(fight: Fight, act: acts.Drop) -> None:
    """Refuse to drop an item farther away than an adjacent square, or to drop prone elsewhere.

    srd35.free.list
    """
    actor = fight.combatant(act.actor)
    if act.to is not None and (act.item == "prone" or distance_ft(actor.at, act.to, actor.space) > SQUARE_FT):
        reason = f"{actor.id} drops things in its own square or an adjacent one"
        raise Refusal(reason, fight.rule("srd35.free.list"))


def tell_where_it_lies(fight: Fight, act: acts.Drop, dropping: Steps[None]) -> Steps[None]:
    """Report the square in which a dropped item lies (srd35.free.list)."""
    yield from dropping
    if act.to is not None and act.item not in fight.combatant(act.actor).held:
        what = f"the {act.item} lies at {act.to[0]},{act.to[1]}"
        yield RuleApplied(who=act.actor, what=what, cites=fight.rules("srd35.free.list"))


# --- Objects in hand or worn: their sizes, and bonds (srd35.sunder.*, srd35.object.*)

#: Handling classes that determine the size of a weapon as an object.
HANDLED = ("light", "one-handed", "two-handed")

#: The size of a net or bonds as a target of attacks.
BONDS_SIZE = "small"


class Sturdiness(Struct, frozen=True, gc=False):
    """Size category, hardness and hit points of an object, and their rules."""

    size: str
    hardness: int
    hp: int
    cites: tuple[str, ...]


def sturdiness(fight: Fight, holder: Combatant, item: str) -> Sturdiness | None:
    """Return size, hardness and hit points of a combatant's object, None for one without a table.

    A weapon is an object of a size by its handling (srd35.weapons.category-object-size); armor counts if it
    is off (srd35.sunder.armor-hardness-material).
    """
    found = durability(fight, holder, item)
    if found is None:
        return armor_or_bonds(fight, holder, item)
    size, cites = holder.sheet.size, found.cites
    weapon = next((one for one in holder.sheet.weapons if one.name == item), None)
    if weapon is not None and weapon.wield in HANDLED:
        size = SIZES[
            max(0, SIZES.index(size) + fight.figure("srd35.weapons.category-object-size", weapon.wield))
        ]
        cites += fight.rules("srd35.weapons.category-object-size") if size != holder.sheet.size else ()
    return Sturdiness(size, found.hardness, found.hp, cites)


def armor_or_bonds(fight: Fight, holder: Combatant, item: str) -> Sturdiness | None:
    """Return the sturdiness of armor that is off, or of the net or bonds that hold a combatant."""
    armor = next((one for one in holder.sheet.worn if one.name == item and one.kind == "armor"), None)
    if armor is None:
        bonds = fight.dialect.grapple.bonds(fight, holder, item)
        return Sturdiness(BONDS_SIZE, bonds[0], bonds[1], (bonds[2],)) if bonds is not None else None
    found = durability_of_armor(fight, holder, armor)
    return Sturdiness(holder.sheet.size, found.hardness, found.hp, found.cites)


# --- Saving throws of objects: their bearer's, their magic's, or none (srd35.object.saves)


def object_save(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw; an object's are its bearer's, or those of its magic if better.

    srd35.object.saves.
    """
    thing = combatant.sheet.thing
    if thing is None:
        return parts
    ways = []
    bearer = fight.state.combatants.get(trait_detail(combatant, "carried by"))
    if bearer is not None:
        ways.append(fight.dialect.classes.save_bonus(fight, bearer, kind))
    if thing.caster_level:
        base = fight.formula("srd35.object.saves", "magic_save")
        value = base + thing.caster_level // 2
        ways.append([Modifier(value, "base", "magic item", fight.rule("srd35.object.saves"))])
    return max(ways, key=lambda parts: sum(part.value for part in parts), default=[])


def saves_never(fight: Fight, combatant: Combatant) -> str:
    """Return the topic of the rule by which a saving throw fails unrolled: for mundane objects."""
    thing = combatant.sheet.thing
    if thing is None or thing.caster_level or trait_detail(combatant, "carried by"):
        return ""
    return "srd35.object.saves"


# --- The distance of a splash weapon's miss, by either reading (srd35.splash.miss-distance)


def strays_by_increments(fight: Fight, flask: Weapon, feet: int) -> bool:
    """Return whether a miss goes as many squares astray as range increments were thrown."""
    return fight.option("splash_miss_distance") == "increments-thrown"


def increment_in_squares(fight: Fight, flask: Weapon, feet: int) -> int:
    """Return how many squares a miss goes astray: as many as the increment is long."""
    return flask.range // SQUARE_FT


# --- Kinds of weapons that rules distinguish: how one is gripped, crossbows by size


def crossbow_class(weapon: Weapon) -> str:
    """Return "hand", "light" or "heavy" for a crossbow, by its row or name, repeating or not."""
    name = weapon.table or weapon.name
    return next((size for size in ("hand", "heavy") if size in name), "light")


def grip_category(weapon: Weapon) -> str:
    """Return how a weapon is wielded, for feats that distinguish it.

    "one-handed", "two-handed" (any but a light weapon in both hands), "light" or "unarmed_or_natural".
    """
    if weapon.wield in ("unarmed", "natural"):
        return "unarmed_or_natural"
    if weapon.wield == "light":
        return "light"
    return "two-handed" if weapon.hands == 2 or weapon.wield == "two-handed" else "one-handed"


# --- The weapon tables: a sheet names a weapon, and its figures come from the row (srd35.weapons.*)
# Other figures on the sheet must agree with the row. The figures are those for the size that the weapon is
# made for; one for another size than its wielder's is handled differently (srd35.weapon.wrong-size).

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
#: The figures of a weapon in a row, which a sheet may give too.
TOLD: Final = ("damage", "damage_type", "wield", "threat", "multiplier", "range", "reach", "load", "second")
TYPES: Final = {"S": "slashing", "P": "piercing", "B": "bludgeoning"}
#: Words of the tables and their forms in the weapons of a sheet.
TRAITS: Final = {
    "set": "brace",
    "set (spear head)": "brace",
    "hits adjacent too": "near-and-far",
    "reach 15 no threat": "no-threat",
    "unarmed strike, lethal": "lethal",
    "touch attack": "touch",
    "ranged trip, no counter-trip": "ranged trip",
}
#: Words in the names of weapons with a wooden haft.
HAFTED: Final = (
    *("axe", "club", "flail", "glaive", "guisarme", "halberd", "hammer", "kama", "lance", "morningstar"),
    *("nunchaku", "pick", "ranseur", "scythe", "sickle", "spear", "staff", "trident", "urgrosh", "javelin"),
)
#: Shields that cannot be used to bash.
NO_BASH: Final = ("buckler", "tower shield", "shield, tower")
#: Missiles that can only be thrown.
NOT_IN_MELEE: Final = ("bolas", "net")
#: Words of the tables that correspond to fields of the weapon.
FIELDS: Final = {"reach", "two hands", "one hand", "Str rating", "5 bolts, lever free"}
HANDLING: Final = ("light", "one-handed", "two-handed")
BLANK: Final = Weapon("", "")
#: Dice of a weapon that deals no damage, such as a net.
NO_DAMAGE: Final = "0"


def weapon_row(fight: Fight, name: str) -> tuple[JsonObject, str]:
    """Return the row of a weapon, by its name there or its usual name, and the topic of its table.

    Refuses a name that no table has.
    """
    rows = rows_by_name(fight)
    if name in NO_BASH:
        raise Refusal(f"a {name} cannot be used to strike", fight.rule("srd35.weapons.shield-bash"))
    if name not in rows:
        known = did_you_mean(name, (one for one in rows if one not in NO_BASH))
        raise Refusal(f"no weapon table has a {name!r}{known}", fight.rule(TABLES[0]))
    return rows[name]


@per_fight()
def rows_by_name(fight: Fight) -> dict[str, tuple[JsonObject, str]]:
    """Return the rows of all weapons, by their names there and their usual names, each with its topic."""
    index: dict[str, tuple[JsonObject, str]] = {}
    for topic in TABLES:
        for row in fight.figure(topic):
            index[row["name"]] = index[usual_name(row["name"])] = row, topic
    # A missile in the hand has the figures of a dagger (srd35.weapons.ammunition).
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
    """Return a weapon with the figures of its row, and their rules.

    A weapon given by figures alone is unchanged except for its material. Refuses figures that contradict the
    row.
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
    fight: Fight, sheet: Sheet, weapon: Weapon, row: JsonObject, topics: list[str]
) -> JsonObject:
    """Return the fields that a row gives to a weapon made for its own size, otherwise its wielder's."""
    name, special = row["name"], row.get("special", [])
    size: str = weapon.size or sheet.size
    if "stones" in weapon.traits:
        size = SIZES[SIZES.index(size) - 1]
        topics.append("srd35.weapons.sling-stones")
    dice, _, second = dice_for_size(fight, row, size, topics).partition("/")
    kinds = [
        TYPES[letter] for letter in (row["type"] or "").replace(" or ", " ").replace(" and ", " ").split()
    ]
    if "slashing" in kinds:  # the kind that also allows sundering comes first
        kinds.sort(key="slashing".__ne__)
    traits = [TRAITS.get(word, word) for word in special if word not in FIELDS and "load: " not in word]
    # Bare hands deal nonlethal damage, unless training says otherwise.
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
    """Return the mark of a weapon with a haft, whose hardness and hit points are in a separate row."""
    if "mace" in name:
        return ["metal-hafted"]
    return ["hafted"] * any(word in name for word in HAFTED)


def dice_for_size(fight: Fight, row: JsonObject, size: str, topics: list[str]) -> str:
    """Return the damage dice of a row for a weapon made for a size (srd35.weapons.size-damage-table).

    Both ends of a double weapon, joined by a slash. Refuses sizes that the tables lack.
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
    fight: Fight, weapon: Weapon, found: JsonObject, row: JsonObject, table: str
) -> None:
    """Refuse figures that differ from the row's; hands and a bow's rating are up to the wielder."""
    for name in TOLD:
        given = getattr(weapon, name)
        if given not in (getattr(BLANK, name), found[name]):
            raise Refusal(
                explain_other_figure(weapon.name, name, row["name"], found[name], given), fight.rule(table)
            )


def with_exotic_proficiency(
    fight: Fight, sheet: Sheet, weapon: Weapon, row: JsonObject, topics: list[str]
) -> Weapon:
    """Return a weapon with the proficiency that an exotic one requires (srd35.feat.proficiencies).

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
    """Return an item that was not made as a weapon: no better than 20 and x2 (srd35.weapon.improvised)."""
    topic = "srd35.weapon.improvised"
    topics.append(topic)
    threat, _, multiplier = str(fight.figure(topic, "crit")).partition("/x")
    feet = fight.figure(topic, "range_ft") if weapon.thrown else weapon.range
    return replace(weapon, threat=int(threat), multiplier=int(multiplier), range=feet)


def handled_by_size(fight: Fight, sheet: Sheet, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon as a wielder of another size handles it; the penalty is on the attack.

    Each category shifts light, one-handed and two-handed by one step. Refuses weapons that cannot be wielded
    at that size.
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
    """Return a weapon as a combatant of another size than its owner handles it, None if it cannot.

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
"""Special materials of arms and armor.

srd35.weapons.special-materials, srd35.object.substance-table
"""


def of_material(weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon with the marks of its material, for damage reduction."""
    if not weapon.material or weapon.material in weapon.traits:
        return weapon
    topics.append("weapons.special-materials")
    made = ("masterwork",) if weapon.material == "adamantine" else ()
    return replace(
        weapon,
        traits=(*weapon.traits, weapon.material),
        masterwork=weapon.masterwork or bool(made),
    )


# --- Worn items in srd35: shields that hamper the arm, and loads

MEDIUM_LOAD: Final = "under a medium load"

HEAVY_LOAD: Final = "under a heavy load"

OVERLOADED: Final = "overloaded"

#: The rows of bucklers and tower shields in the table, and the word in the name of one without a row.
BUCKLER: Final = ("buckler", "buckler")
TOWER: Final = ("shield, tower", "tower shield")

LOADS: Final = (MEDIUM_LOAD, HEAVY_LOAD, OVERLOADED)


def load_condition(combatant: Combatant) -> str:
    """Return the condition of a medium or heavier load that a combatant has, "" for none."""
    return next((name for name in LOADS if name in combatant.conditions), "")


# --- A blow's costs to its weapon: loading, missiles, a shield's bonus, a thrown net
# srd35.weapons.reload, .ammunition, .shield-bash, .net, srd35.armor.buckler, srd35.feat.rapid-reload,
# srd35.weapon.thrown-unsuited.

RELOAD: Final = "srd35.weapons.reload"


def provoke_by_whip(fight: Fight, blow: Blow, declaration: str) -> Steps[None]:
    """Make a weapon that provokes like a shot do so: the whip (srd35.weapons.whip)."""
    return fight.dialect.opportunity.provoke(
        fight,
        blow.attacker,
        threatening(fight, blow.attacker),
        f"attacks with the {blow.weapon.name}",
        f"whip:{declaration}",
        *fight.rules("srd35.weapons.whip", "srd35.weapons.special-key"),
    )


def empty_weapon(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Report the effect of a shot or throw on the weapon: cast away, unloaded, a missile spent.

    srd35.weapons.net, srd35.weapons.reload, srd35.weapons.ammunition.
    """
    weapon = blow.weapon
    if needs_loading(weapon):
        yield from unload(fight, blow.attacker, weapon)
    if weapon.ammunition is not None and not hit and weapon.wield == "projectile":
        cites = fight.rules("srd35.weapons.ammunition")
        missed = missed_of(weapon.name)
        yield ResourceSpent(who=blow.attacker.id, resource=missed, amount=blow.intent.arrows, cites=cites)


def unload(fight: Fight, holder: Combatant, weapon: Weapon) -> Steps[None]:
    """Leave a crossbow or sling unloaded, a repeating one when its case is empty (srd35.weapons.reload)."""
    if weapon.load == CASE:
        case = f"bolts of the {weapon.name}"
        yield ResourceSpent(who=holder.id, resource=case, amount=1, cites=fight.rules(RELOAD))
        if holder.resources[case] % bolts_in_case(fight):
            return
    yield ItemChanged(who=holder.id, item=weapon.name, state=UNLOADED, cites=fight.rules(RELOAD))


def bolts_in_case(fight: Fight) -> int:
    """Return how many bolts the case of a repeating crossbow holds."""
    found = re.search(r"[0-9]+", fight.figure(RELOAD, "repeating"))
    return int(found[0]) if found else 1


def gather_missiles(fight: Fight, act: acts.Gather) -> Steps[None]:
    """Gather the missiles of a weapon that have missed, a full-round action; half of them are whole.

    Those are ammunition again; missiles that hit are not (srd35.weapons.ammunition).
    """
    actor = fight.combatant(act.actor)
    topic = "srd35.weapons.ammunition"
    rule = fight.rule(topic)
    missed = actor.resources.get(missed_of(act.item), 0)
    if missed <= 0:
        known = (one.name for one in actor.sheet.weapons if actor.resources.get(missed_of(one.name), 0) > 0)
        reason = (
            f"no missile of the {act.item!r} lies on the ground"
            if act.item
            else "name the weapon whose missiles to gather"
        )
        raise Refusal(f"{reason}{did_you_mean(act.item, known)}", rule)
    yield spending(fight, actor, "full-round", "gather", rule)
    whole = 0
    for _ in range(missed):
        rolled = yield Roll(actor.id, "ammunition", "1d100")
        whole += rolled.total > fight.figure(topic, "lost_on_miss_pct")
    yield RuleApplied(
        who=actor.id,
        what=f"whole: {whole} of {counted(missed, 'missile')}",
        cites=(rule,),
    )
    yield ResourceSpent(who=actor.id, resource=missed_of(act.item), amount=-missed, cites=(rule,))
    if whole:
        yield ResourceSpent(who=actor.id, resource=act.item, amount=-whole, cites=(rule,))


def missed_of(weapon: str) -> str:
    """Return the name under which the missed missiles of a weapon are counted."""
    return f"missed with the {weapon}"


def lower_striking_shield(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Remove the shield bonus of a combatant that bashes with it, or attacks with the arm of a buckler.

    Until its next turn; Improved Shield Bash keeps it (srd35.weapons.shield-bash, srd35.armor.buckler).
    """
    attacker = blow.attacker
    bash = "shield bash" in blow.weapon.traits
    topic = "srd35.weapons.shield-bash" if bash else "srd35.armor.buckler"
    lowered = shields_struck_with(blow) if bash else borne_of_row(attacker, *BUCKLER)
    if not lowered:
        return
    if bash and has_feat(attacker, "improved shield bash"):
        kept = fight.rules("srd35.weapons.shield-bash", "srd35.feat.improved-shield-bash")
        yield RuleApplied(who=attacker.id, what=f"keeps the guard of the {lowered[0]}", cites=kept)
        return
    rule = fight.rule(topic)
    for name in lowered:
        if any(one.stat == "no.defense" and one.modifier.source == name for one in attacker.effects):
            continue
        yield EffectGained(
            who=attacker.id,
            id=f"{fight.declaration}:lowered {name}",
            stat="no.defense",
            modifier=Modifier(0, "shield", name, rule),
            until=Until("turn-start", attacker.id, fight.state.round + 1),
            cites=(rule,),
        )


def load_weapon(fight: Fight, act: acts.Load) -> Steps[None]:
    """Load a crossbow or sling; it provokes (srd35.weapons.reload).

    Rapid Reload for that kind of crossbow makes it faster (srd35.feat.rapid-reload).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(RELOAD)
    weapon = weapon_to_load(fight, actor, act.item, rule)
    if actor.items.get(act.item) != UNLOADED:
        raise Refusal(f"{act.item!r} needs no loading", rule)
    kind, cites = action_to_load(fight, actor, weapon)
    yield spending(fight, actor, kind, "load", *cites)
    name = f"load:{fight.declaration}"
    slow = ("full-round", "Load a heavy or repeating crossbow")
    column, action = slow if kind == "full-round" else ("move", "Load a hand or light crossbow")
    table = fight.dialect.turns.table_rules(fight, column, action)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "loads a weapon", name, rule, *table
    )
    if not is_down(fight, actor):
        yield ItemChanged(who=actor.id, item=act.item, state="loaded", cites=(rule,))


def action_to_load(fight: Fight, holder: Combatant, weapon: Weapon) -> tuple[str, tuple[str, ...]]:
    """Return the action that loading takes, and its rules."""
    if weapon.load == CASE:
        return str(fight.figure(RELOAD, "repeating").rpartition("case ")[2]), fight.rules(RELOAD)
    heavy = loads_slowly(weapon)
    kind = "sling" if weapon.family == "sling" else "heavy" if heavy else crossbow_class(weapon)
    names = {weapon.name, usual_name(weapon.table or weapon.name)}
    if weapon.family != "sling" and any(has_named(holder.sheet, f"rapid reload ({name})") for name in names):
        rapid = fight.figure("srd35.feat.rapid-reload", "heavy" if kind == "heavy" else "hand_light")
        return str(rapid), fight.rules(RELOAD, "srd35.feat.rapid-reload")
    return str(fight.figure(RELOAD, kind)), fight.rules(RELOAD)


def attack_or_hurl(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack, also by throwing a weapon that is not made for it (srd35.weapon.thrown-unsuited)."""
    actor = fight.combatant(act.actor)
    weapon = find_weapon(fight, actor, act.weapon)
    if act.thrown and not weapon.thrown and weapon.wield in HANDLING:
        return hurl_unsuited_weapon(fight, act, actor, weapon)
    if nets.NET in weapon.traits:
        return declared_blow.attack(fight, nets.as_thrown_net(fight, act))
    return declared_blow.attack(fight, act)


def hurl_unsuited_weapon(fight: Fight, act: acts.Attack, holder: Combatant, weapon: Weapon) -> Steps[None]:
    """Throw a melee weapon at -4: a standard action, for a two-handed one a full-round action."""
    topic = "srd35.weapon.thrown-unsuited"
    kind = "full-round" if weapon.wield == "two-handed" else "standard"
    threat, multiplier = threat_and_multiplier(fight, topic)
    flung = replace(
        weapon,
        thrown=True,
        range=fight.figure(topic, "range_ft"),
        threat=threat,
        multiplier=multiplier,
        traits=(*weapon.traits, "not made to be thrown"),
    )
    target = fight.combatant(act.target)
    blow = fight.dialect.attacks.prepare(
        fight, holder, target, flung, "attack", thrown=True, nonlethal=act.nonlethal
    )
    fight.dialect.attacks.declared_feats(fight, holder, act, (blow,))  # no feat's option goes with a throw
    yield spending(fight, holder, kind, "throw", *fight.rules(topic, "srd35.attack-action.ranged"))
    if act.defensively:
        yield from declared_blow.fight_defensively(fight, holder)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def threat_and_multiplier(fight: Fight, topic: str) -> tuple[int, int]:
    """Return threat and multiplier of a figure such as "20/x2"."""
    threat, _, multiplier = str(fight.figure(topic, "crit")).partition("/x")
    return int(threat), int(multiplier)


def full_attack_and_rend(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make a full attack; an illegal special attack among the blows is refused at once.

    A Whirlwind Attack strikes at all around, and a creature that rends tears a target that it hit often
    enough (srd35.feat.whirlwind-attack, srd35.constrict-rake-rend).
    """
    actor = fight.combatant(act.actor)
    if act.whirlwind:
        act = whirlwind_strikes(fight, actor, act)
    if len(actor.sheet.weapons) > 1:
        refuse_spikes(fight, actor, act)
    steps = full_attack.make_full_attack_in_parts(fight, actor, act)
    return rending(fight, actor, steps) if actor.sheet.traits and trait_detail(actor, "rend") else steps


def refuse_spikes(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse armor spikes along with another weapon of the off hand (srd35.weapons.armor-spikes)."""
    if not [weapon for weapon in actor.sheet.weapons if weapon.table == SPIKES]:
        return
    found = [(find_weapon(fight, actor, one.weapon), one.off_hand) for one in act.strikes if not one.special]
    others = [off or weapon.off_hand for weapon, off in found if weapon.table != SPIKES]
    if len(others) < len(found) and any(others):
        raise Refusal("armor spikes are the off hand's only weapon", fight.rule("srd35.weapons.armor-spikes"))


# --- Donning and doffing armor, sleeping in it, hiding behind a tower shield
# srd35.armor.donning-table, srd35.armor.hasty, srd35.armor.sleep, srd35.armor.tower-shield.

TABLE: Final = "srd35.armor.donning-table"
ROUNDS: Final = {"rounds": 1, "minute": 10, "minutes": 10}
#: Rows of the table by a word in their entries.
ROWS: Final = {
    "half-plate": 3,
    "full plate": 3,
    "breastplate": 2,
    "scale": 2,
    "chainmail": 2,
    "banded": 2,
    "splint": 2,
}


def don(fight: Fight, act: acts.Don) -> Steps[None]:
    """Put on armor, a full round at a time until it is done; a shield is one move action.

    In haste it takes less time and protects less; a helper halves the time, and plate armor needs one unless
    it is put on in haste (srd35.armor.donning-table, srd35.armor.hasty).
    """
    actor = fight.combatant(act.actor)
    item = owned_armor(fight, actor, act.item)
    if actor.items.get(item.name) not in OFF:
        raise Refusal(f"{actor.id} wears the {item.name} already", fight.rule(TABLE))
    row = donning_row(fight, item)
    time = row["hasty"] if act.hasty else row["don"]
    if time is None:
        raise Refusal(f"a {item.name} cannot be put on in haste", fight.rule(TABLE))
    helped = has_helper(fight, actor, act.helper)
    if "help needed" in time and not helped:
        raise Refusal(f"the {item.name} takes a helper unless it is put on in haste", fight.rule(TABLE))
    state = "hasty" if act.hasty else "held" if item.kind == "shield" else "worn"
    cites = fight.rules(TABLE, *(("srd35.armor.hasty",) if act.hasty or helped else ()))
    yield from spend_time_on_armor(fight, actor, item, time, state, helped, cites)


def doff(fight: Fight, act: acts.Doff) -> Steps[None]:
    """Take off armor, a full round at a time; a shield is one move action (srd35.armor.donning-table)."""
    actor = fight.combatant(act.actor)
    item = owned_armor(fight, actor, act.item)
    if actor.items.get(item.name) in OFF:
        raise Refusal(f"{actor.id} does not wear the {item.name}", fight.rule(TABLE))
    helped = has_helper(fight, actor, act.helper)
    cites = fight.rules(TABLE, *(("srd35.armor.hasty",) if helped else ()))
    yield from spend_time_on_armor(
        fight, actor, item, donning_row(fight, item)["remove"], "doffed", helped, cites
    )


def owned_armor(fight: Fight, holder: Combatant, name: str) -> Worn:
    """Return the armor or shield of that name. Refuses one that a combatant does not own."""
    for one in holder.sheet.worn:
        if one.name == name:
            return one
    known = (one.name for one in holder.sheet.worn)
    raise unknown_word("armor", name, known, fight.rule(TABLE), holder.id)


def has_helper(fight: Fight, holder: Combatant, name: str) -> bool:
    """Return whether a helper is named. Refuses one that cannot help: too far away, down or an enemy."""
    if not name:
        return False
    other, rule = fight.combatant(name), fight.rule("srd35.armor.hasty")
    refuse_no_friend(holder, other, rule)
    refuse_down(fight, other, "help")
    if not side_by_side(fight, holder, other):
        raise Refusal(f"{name} is not at {holder.id}'s side", rule)
    return True


def donning_row(fight: Fight, item: Worn) -> JsonObject:
    """Return the row of the table for armor or a shield; by weight if no row has the name."""
    rows: list[JsonObject] = fight.figure(TABLE)
    if item.kind == "shield":
        return rows[0]
    name = item.table or item.name
    by_weight = {"none": 1, "light": 1, "medium": 2, "heavy": 3}[item.weight]
    return rows[next((place for word, place in ROWS.items() if word in name), 1 if item.table else by_weight)]


def spend_time_on_armor(
    fight: Fight, holder: Combatant, item: Worn, time: str, state: str, helped: bool, cites: tuple[str, ...]
) -> Steps[None]:
    """Spend a full round on armor, or the move action of a shield; at the end it is on or off.

    The work adds up from round to round; a time decided by dice is rolled when the work begins.
    """
    verb = "doff" if state == "doffed" else "don"
    if "action" in time:
        yield spending(fight, holder, "move", f"{verb} {item.name}", *cites)
        yield ItemChanged(who=holder.id, item=item.name, state=state, cites=cites)
        return
    yield spending(fight, holder, "full-round", f"{verb} {item.name}", *cites)
    left = f"rounds left to {verb} the {item.name}"
    if holder.resources.get(left, 0) <= 0:
        dice, unit = re.match(r"(\S+) (\w+)", time).groups()  # type: ignore[union-attr]
        if "d" in dice:
            rolled = yield Roll(holder.id, verb, dice)
            number = rolled.total
        else:
            number = int(dice)
        rounds = number * ROUNDS[unit]
        if helped:
            rounds = int(rounds * fight.figure("srd35.armor.hasty", "helped_time"))
        yield ResourceSpent(who=holder.id, resource=left, amount=rounds, cites=cites)
    yield ResourceSpent(who=holder.id, resource=left, amount=-1, cites=cites)
    if holder.resources[left] <= 0:
        yield ItemChanged(who=holder.id, item=item.name, state=state, cites=cites)


def sleep(fight: Fight, act: acts.Sleep) -> Steps[None]:
    """Record by ruling that a combatant has slept: in medium or heavy armor it is fatigued."""
    target = fight.combatant(act.target)
    rule = fight.rule("srd35.armor.sleep")
    heavy = [one.name for one in worn_now(target) if one.weight in ("medium", "heavy")]
    unnamed = not target.sheet.worn and target.sheet.armor_weight in ("medium", "heavy")
    if heavy or unnamed:
        source = f"sleep in the {heavy[0] if heavy else 'armor'}"
        yield ConditionGained(who=target.id, condition="fatigued", source=source, cites=(rule,))
    else:
        yield RuleApplied(who=target.id, what="sleeps well in what it wears", cites=(rule,))


def shelter_behind_shield(fight: Fight, act: acts.Shelter) -> Steps[None]:
    """Give up one's attacks for total cover behind a tower shield, until the next turn.

    Spells may still be aimed at the shield's bearer (srd35.armor.tower-shield).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.armor.tower-shield")
    if not borne_of_row(actor, *TOWER):
        raise Refusal(f"{actor.id} has no tower shield", rule)
    yield spending(fight, actor, "standard", "shelter", rule)
    until = Until("turn-start", actor.id, fight.state.round + 1)
    source = "total cover behind a tower shield"
    yield ConditionGained(who=actor.id, condition="sheltered", source=source, until=until, cites=(rule,))


# --- The grip on a weapon, and the equipment worn with it: modifiers of an attack by make, size and use
# srd35.weapon.*, srd35.weapons.*, srd35.armor.nonproficient, srd35.armor.buckler, srd35.armor.tower-shield.

#: Checks of Strength and Dexterity without an armor penalty, except for lack of proficiency.
PHYSICAL_CHECKS: Final = frozenset(
    {"strength", "dexterity", "initiative", "disable device", "open lock", "ride", "use rope"}
)


def attack_parts(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the modifiers of an attack from the weapon's make and grip, and from worn items."""
    attacker, weapon = blow.attacker, blow.weapon
    yield from make_parts(fight, attacker, weapon)
    if weapon.traits:
        yield from use_parts(fight, blow)
        if weapon.wield == "natural" and fight.dialect.attacks.secondary_limb(fight, attacker, weapon):
            yield secondary_part(fight, attacker)
    if weapon.rating is not None and not blow.melee and ability_now(fight, attacker, "str") < weapon.rating:
        source = f"too weak for a rating of {weapon.rating}"
        yield fight.modifier("srd35.weapons.composite", "too_weak_attack", kind="penalty", source=source)
    if weapon.family == "crossbow" and weapon.hands == 1 and not blow.melee:
        of = crossbow_class(weapon)
        part = fight.modifier(
            "srd35.weapons.crossbow-one-hand", of, kind="penalty", source=f"{of} crossbow in one hand"
        )
        if part.value:
            yield part
    if attacker.sheet.worn or attacker.sheet.armor:
        yield from worn_parts(fight, blow)


def make_parts(fight: Fight, holder: Combatant, weapon: Weapon) -> Iterator[Modifier]:
    """Yield the modifiers from a weapon's size and make: -2 for each category off, +1 for a masterwork
    one.
    """
    if weapon.size:
        steps = abs(SIZES.index(weapon.size) - SIZES.index(holder.sheet.size))
        if steps:
            topic = "srd35.weapon.wrong-size"
            per = fight.figure(topic, "attack_per_category")
            yield Modifier(per * steps, "penalty", f"made for a {weapon.size} creature", fight.rule(topic))
    if weapon.masterwork:
        yield fight.modifier(
            "srd35.weapon.masterwork", "weapon_attack", kind="enhancement", source="masterwork"
        )


def use_parts(fight: Fight, blow: Blow) -> Iterator[Modifier]:
    """Yield the penalties of a use that a weapon was not made for: improvised, thrown, in melee, with
    stones.
    """
    traits = blow.weapon.traits
    if "improvised" in traits:
        yield fight.modifier("srd35.weapon.improvised", "attack", kind="penalty", source="improvised weapon")
    if "not made to be thrown" in traits:
        yield fight.modifier(
            "srd35.weapon.thrown-unsuited", "attack", kind="penalty", source="not made to be thrown"
        )
    if blow.melee and "nonproficient in melee" in traits and blow.weapon.proficient:
        yield fight.modifier(
            "srd35.weapon.nonproficient", "attack", kind="penalty", source="not made for melee"
        )
    if "stones" in traits and not blow.melee:
        yield fight.modifier("srd35.weapons.sling-stones", "attack", kind="penalty", source="ordinary stones")
    if "entangle" in traits:
        yield from nets.unfolded_part(fight, blow)


def worn_parts(fight: Fight, blow: Blow) -> Iterator[Modifier]:
    """Yield the penalties of armor and shields on the attacks of their wearer.

    Check penalties of shields also count on attacks by Dexterity (srd35.feat.weapon-finesse).
    """
    for one in worn_now(blow.attacker):
        yield from unpractised(fight, blow.attacker, one)
        practised = one.kind == "shield" and one.check and one.proficient
        if practised and fight.dialect.attacks.finesse(fight, blow):
            rule = fight.rule("srd35.feat.weapon-finesse")
            yield Modifier(one.check, "penalty", f"{one.name} with Weapon Finesse", rule)
    if uses_shield_arm(blow.weapon) and borne_of_row(blow.attacker, *BUCKLER):
        yield fight.modifier("srd35.armor.buckler", "attack", kind="penalty", source="buckler on that arm")
    if borne_of_row(blow.attacker, *TOWER):
        yield fight.modifier("srd35.armor.tower-shield", "attack", kind="penalty", source="tower shield")


def unpractised(fight: Fight, combatant: Combatant, worn: Worn) -> Iterator[Modifier]:
    """Yield the check penalty of items worn without proficiency, 1 worse if put on in haste.

    srd35.armor.nonproficient, srd35.armor.hasty.
    """
    if worn.proficient:
        return
    source = f"not proficient with the {worn.name}"
    if worn.check:
        yield Modifier(worn.check, "penalty", source, fight.rule("srd35.armor.nonproficient"))
    if combatant.items.get(worn.name) == "hasty":
        yield fight.modifier(
            "srd35.armor.hasty", "check", kind="penalty", source=f"{worn.name} put on in haste"
        )


def damage_parts(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Return the damage modifier of the weapon's material: alchemical silver is soft."""
    if blow.weapon.material != "silver":
        return ()
    return (
        fight.modifier(
            "srd35.weapons.special-materials", "silver", "damage", kind="penalty", source="silver"
        ),
    )


def check_parts(fight: Fight, holder: Combatant, name: str, detail: str) -> Iterator[Modifier]:
    """Yield the check penalty of armor worn without proficiency, on checks of Strength and Dexterity."""
    if not holder.sheet.worn or name not in PHYSICAL_CHECKS:
        return
    for one in worn_now(holder):
        yield from unpractised(fight, holder, one)


def initiative_parts(fight: Fight, holder: Combatant, name: str, detail: str) -> Iterator[Modifier]:
    """Yield the penalty on initiative of armor worn without proficiency, as a check of Dexterity."""
    yield from check_parts(fight, holder, "initiative", detail)


#: Asked of every combatant: a sheet's arms are in no list of feats.
