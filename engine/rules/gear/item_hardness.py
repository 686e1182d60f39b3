"""Objects: how hard they are and what they stand.

srd35.sunder.table-hardness-hp, srd35.object.*, pf1.object.tables-ref.
"""

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import SIZES, Weapon, Worn
from affray.projections.state import Combatant

MEDIUM = SIZES.index("medium")


class Durability(Struct, frozen=True, gc=False):
    """Hardness and hit points of an object, and the rules that say so."""

    hardness: int
    hp: int
    cites: tuple[str, ...]


def shield_of(holder: Combatant, item: str) -> bool:
    """Say whether an item is the shield of a combatant."""
    return any(bonus.kind == "shield" and (bonus.source or "shield") == item for bonus in holder.sheet.armor)


def weapon_row(weapon: Weapon) -> str:
    """Return the row of the table for a weapon: by handling, and by the trait "hafted" or "metal-hafted"."""
    if weapon.wield == "projectile":
        return "Projectile weapon"
    hands = {"two-handed": "Two-handed", "one-handed": "One-handed"}.get(weapon.wield, "Light")
    if "metal-hafted" in weapon.traits and hands != "Two-handed":
        return f"{hands} metal-hafted weapon"
    hafted = "hafted" in weapon.traits or "metal-hafted" in weapon.traits
    return f"{hands} hafted weapon" if hafted else f"{hands} blade"


def shield_row(name: str) -> str:
    """Return the row of the table for a shield by its name; steel unless the name says wooden."""
    if "buckler" in name:
        return "Buckler"
    if "tower" in name:
        return "Tower shield"
    weight = "Light" if "light" in name else "Heavy"
    return f"{weight} {'wooden' if 'wooden' in name else 'steel'} shield"


def kind_worn(holder: Combatant, item: str) -> str:
    """Return what a thing worn is by its row of the armor table, its own name if it has none."""
    return next((one.table for one in holder.sheet.worn if one.name == item and one.table), item)


def is_held(holder: Combatant, item: str) -> bool:
    """Say whether an item is in its bearer's hands or on its arm, and not merely worn."""
    return item in holder.held or shield_of(holder, item)


def durability(fight: Fight, holder: Combatant, item: str) -> Durability | None:
    """Return how sturdy a weapon or shield of a combatant is, None for what is neither.

    Hit points are those of Medium things: half for each size smaller, double for each size larger. An
    enhancement adds to both (srd35.sunder.table-hardness-hp, srd35.sunder.size-hp-scaling,
    srd35.object.enhancement, pf1.object.tables-ref).
    """
    weapon = next((one for one in holder.sheet.weapons if one.name == item), None)
    if weapon is not None:
        name, enhanced = weapon_row(weapon), [one.value for one in weapon.attack if one.kind == "enhancement"]
    elif shield_of(holder, item):
        name, enhanced = shield_row(kind_worn(holder, item)), enhancements_of(holder, item, "shield")
    else:
        return None
    rows = {row["item"]: row for row in fight.figure("sunder.table-hardness-hp", "rows")}
    row = rows[name]
    cites = fight.rules("sunder.table-hardness-hp")
    hp, hardness = int(row["hp"]), int(row["hardness"])
    steps = SIZES.index(holder.sheet.size) - MEDIUM
    if steps:
        factor = fight.figure(
            "sunder.size-hp-scaling", "per_size_larger" if steps > 0 else "per_size_smaller"
        )
        for _ in range(abs(steps)):
            hp = int(hp * factor)
        cites += fight.rules("sunder.size-hp-scaling")
    harder, more, magic = by_enhancement(fight, enhanced)
    return Durability(hardness + harder, max(1, hp + more), cites + magic)


def durability_of_armor(fight: Fight, holder: Combatant, armor: Worn) -> Durability:
    """Return how sturdy armor is: by its bonus and what it is made of.

    Five hit points for each point of bonus (srd35.sunder.armor-hardness-material, pf1.object.tables-ref).
    """
    topic = "sunder.armor-hardness-material"
    soft = any(word in (armor.table or armor.name) for word in ("padded", "leather", "hide"))
    cloth = "padded" in (armor.table or armor.name)
    of = armor.material or ("paper or cloth" if cloth else "leather or hide" if soft else "iron or steel")
    rows = {row["substance"]: row for row in fight.figure("object.substance-table")}
    hardness = int(rows.get(of, rows["iron or steel"])["hardness"])
    hp = fight.formula(topic, "hp") * armor.bonus
    cites = fight.rules(topic, "object.substance-table")
    harder, more, magic = by_enhancement(fight, enhancements_of(holder, armor.name, "armor"))
    return Durability(hardness + harder, max(1, hp + more), cites + magic)


def enhancements_of(holder: Combatant, item: str, kind: str) -> list[int]:
    """Return the enhancement bonuses of a piece of armor or a shield, by the kind that it is."""
    raising = (bonus for bonus in holder.sheet.armor if bonus.kind == f"enhancement to {kind}")
    found = [bonus.value for bonus in raising if bonus.source in (item, f"enhancement to {kind}", "")]
    return found + [one.enhancement for one in holder.sheet.worn if one.name == item]


def by_enhancement(fight: Fight, enhanced: list[int]) -> tuple[int, int, tuple[str, ...]]:
    """Return what enhancement bonuses add to hardness and hit points, and the rule if they do.

    The best of several counts (srd35.object.enhancement, pf1.object.tables-ref).
    """
    topic, plus = "object.enhancement", max(enhanced, default=0)
    if not plus:
        return 0, 0, ()
    harder, more = (plus * int(fight.figure(topic, name)) for name in ("hardness", "hp"))
    return harder, more, fight.rules(topic)
