"""Objects: how hard they are and what they stand (srd35.sunder.table-hardness-hp, srd35.object.*)."""

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.item_hardness import shield_of, shield_row, weapon_row
from affray.events.facts.sheet import SIZES
from affray.projections.state import Combatant

#: Handling classes that say how big a weapon is as an object.
HANDLED = ("light", "one-handed", "two-handed")

#: How big a net or bonds are, as something to strike at.
BONDS_SIZE = "small"

MEDIUM = SIZES.index("medium")


class Sturdiness(Struct, frozen=True, gc=False):
    """Size category, hardness and hit points of an object, and the rules that say so."""

    size: str
    hardness: int
    hp: int
    cites: tuple[str, ...]


def sturdiness(fight: Fight, holder: Combatant, item: str) -> Sturdiness | None:
    """Return how sturdy a weapon or shield of a combatant is, None for an object not in the table.

    Hit points are those of Medium things: half for each size smaller, double for each size larger. An
    enhancement adds to both (srd35.sunder.size-hp-scaling, srd35.object.enhancement).
    """
    weapon = next((one for one in holder.sheet.weapons if one.name == item), None)
    if weapon is not None:
        name, enhanced = weapon_row(weapon), [one.value for one in weapon.attack if one.kind == "enhancement"]
    elif shield_of(holder, item):
        name, enhanced = shield_row(item), enhancements_of(holder, item, "shield")
    else:
        return armor_off(fight, holder, item)
    rows = {row["item"]: row for row in fight.figure("srd35.sunder.table-hardness-hp", "rows")}
    row = rows[name]
    cites = fight.rules("srd35.sunder.table-hardness-hp")
    hp, hardness = int(row["hp"]), int(row["hardness"])
    steps = SIZES.index(holder.sheet.size) - MEDIUM
    if steps:
        factor = fight.figure(
            "srd35.sunder.size-hp-scaling", "per_size_larger" if steps > 0 else "per_size_smaller"
        )
        for _ in range(abs(steps)):
            hp = int(hp * factor)
        cites += fight.rules("srd35.sunder.size-hp-scaling")
    harder, more, magic = by_enhancement(fight, enhanced)
    hardness, hp, cites = hardness + harder, hp + more, cites + magic
    size = holder.sheet.size
    if weapon is not None and weapon.wield in HANDLED:
        size = SIZES[
            max(0, SIZES.index(size) + fight.figure("srd35.weapons.category-object-size", weapon.wield))
        ]
        cites += fight.rules("srd35.weapons.category-object-size") if size != holder.sheet.size else ()
    return Sturdiness(size, hardness, max(1, hp), cites)


def armor_off(fight: Fight, holder: Combatant, item: str) -> Sturdiness | None:
    """Return how sturdy armor is that lies or hangs about: by its bonus and what it is made of.

    Five hit points for each point of bonus (srd35.sunder.armor-hardness-material).
    """
    armor = next((one for one in holder.sheet.worn if one.name == item and one.kind == "armor"), None)
    if armor is None:
        bonds = fight.dialect.grapple.bonds(fight, holder, item)
        return Sturdiness(BONDS_SIZE, bonds[0], bonds[1], (bonds[2],)) if bonds is not None else None
    topic = "srd35.sunder.armor-hardness-material"
    soft = any(word in (armor.table or armor.name) for word in ("padded", "leather", "hide"))
    cloth = "padded" in (armor.table or armor.name)
    of = armor.material or ("paper or cloth" if cloth else "leather or hide" if soft else "iron or steel")
    rows = {row["substance"]: row for row in fight.figure("srd35.object.substance-table")}
    hardness = int(rows.get(of, rows["iron or steel"])["hardness"])
    hp = fight.formula(topic, "hp") * armor.bonus
    cites = fight.rules(topic, "srd35.object.substance-table")
    harder, more, magic = by_enhancement(fight, enhancements_of(holder, item, "armor"))
    return Sturdiness(holder.sheet.size, hardness + harder, max(1, hp + more), cites + magic)


def enhancements_of(holder: Combatant, item: str, kind: str) -> list[int]:
    """Return the enhancement bonuses of a piece of armor or a shield, by the kind that it is."""
    raising = (bonus for bonus in holder.sheet.armor if bonus.kind == f"enhancement to {kind}")
    found = [bonus.value for bonus in raising if bonus.source in (item, f"enhancement to {kind}", "")]
    return found + [one.enhancement for one in holder.sheet.worn if one.name == item]


def by_enhancement(fight: Fight, enhanced: list[int]) -> tuple[int, int, tuple[str, ...]]:
    """Return what enhancement bonuses add to hardness and hit points, and the rule if they do.

    The best of several counts (srd35.object.enhancement).
    """
    topic, plus = "srd35.object.enhancement", max(enhanced, default=0)
    if not plus:
        return 0, 0, ()
    harder, more = (plus * int(fight.figure(topic, name)) for name in ("hardness", "hp"))
    return harder, more, fight.rules(topic)
