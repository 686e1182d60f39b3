"""Weapons and armor: their rows in the tables, what is in hand, Armor Class."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.srd52.classes import ability, fields_of
from affray.engine.dialects.srd52.features import ask, parts_of
from affray.engine.fight.fight import Fight
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.kernel.tactics import arms as arms_in_hand
from affray.engine.record.acts import details_of
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Modifier, Sheet, Weapon, Worn
from affray.projections.state import Combatant

# --- Rows of the tables

WEAPONS: Final = (
    "gear.weapons-simple-melee",
    "gear.weapons-simple-ranged",
    "gear.weapons-martial-melee",
    "gear.weapons-martial-ranged",
)
UNARMED: Final = Weapon("unarmed strike", "1", "bludgeoning", wield="unarmed")
"""An Unarmed Strike, which every creature can make (srd52.maneuvers.unarmed-damage)."""


def equipped(fight: Fight, sheet: Sheet) -> Sheet:
    """Return a sheet whose weapons and worn items have the figures of their rows. Refuses unknown rows."""
    weapons = tuple(armed(fight, one) if one.table else one for one in sheet.weapons)
    worn = tuple(dressed(fight, one) if one.table else one for one in sheet.worn)
    return replace(sheet, weapons=weapons, worn=worn)


def row_of(fight: Fight, topics: Iterable[str], name: str, kind: str) -> tuple[Mapping[str, Any], str]:
    """Return a row by its name, and the topic of its table. Refuses one that no table has."""
    rows = {row["name"]: (row, topic) for topic in topics for row in fight.figure(topic)}
    if name not in rows:
        raise unknown_word(kind, name, rows, fight.rule("gear.categories"))
    return rows[name]


def armed(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a weapon with the figures of its row; what the sheet itself says stays."""
    row, topic = row_of(fight, WEAPONS, weapon.table, "weapon")
    properties, (near, far) = row["properties"], row.get("range", (0, 0))
    thrown, ranged = "thrown" in properties, topic.endswith("ranged")
    held = (
        "projectile"
        if ranged and not thrown
        else "two-handed"
        if "two-handed" in properties
        else "one-handed"
    )
    return replace(
        weapon,
        damage=weapon.damage or row["damage"],
        damage_type=row["type"],
        wield=held,
        range=near,
        thrown=thrown,
        hands=2 if "two-handed" in properties else 1,
        second=weapon.second or row.get("versatile", ""),
        traits=(
            *weapon.traits,
            *properties,
            f"mastery {row['mastery']}",
            *([f"long range {far}"] if far else []),
        ),
    )


def dressed(fight: Fight, worn: Worn) -> Worn:
    """Return worn armor or a Shield with the figures of its row."""
    if worn.table == "shield":
        return replace(worn, kind="shield", bonus=fight.figure("gear.shield", "ac"))
    row, _ = row_of(fight, ("gear.armor-table",), worn.table, "armor")
    return replace(worn, kind="armor", bonus=row["ac"], weight=row["category"])


def long_range(weapon: Weapon) -> int:
    """Return the long range of a weapon in feet, 0 if it has only one range."""
    return next((int(feet) for feet in details_of("long range", weapon.traits) if feet.isdecimal()), 0)


def has_mastery(fight: Fight, wielder: Combatant, weapon: Weapon, name: str) -> bool:
    """Return whether a weapon has a mastery property that its wielder can use (srd52.gear.mastery-access)."""
    own = fields_of(fight, wielder).masteries
    return f"mastery {name}" in weapon.traits and (weapon.table or weapon.name) in own


# --- Weapons in hand


def arms(fight: Fight, combatant: Combatant) -> list[Weapon]:
    """Return the weapons in a combatant's hands, its natural ones, and its Unarmed Strike."""
    found = arms_in_hand(fight, combatant)
    return found if any(one.wield == "unarmed" for one in found) else [*found, UNARMED]


def weapon_in_hand(fight: Fight, attacker: Combatant, name: str) -> Weapon:
    """Return the named weapon in hand, the first one if none is named. Refuses others."""
    usable = {one.name: one for one in arms(fight, attacker)}
    found = usable.get(name or next(iter(usable)))
    if found is None:
        rule = fight.rule("turns.attack-equip")
        raise Refusal(f"{attacker.id} has no {name} in hand; there is {', '.join(usable)}", rule)
    if found.hands > hands_free(attacker, found.name):
        raise Refusal(f"the {found.name} takes two hands", fight.rule("gear.two-handed"))
    if found.ammunition is not None and attacker.resources.get(found.name, 0) >= found.ammunition:
        raise Refusal(f"{attacker.id} has no {found.name} left to shoot", fight.rule("gear.ammunition"))
    return found


def hands_free(holder: Combatant, apart_from: str = "") -> int:
    """Return how many of two hands hold nothing else: no other weapon, no Shield, no grappled creature."""
    taken = sum(name != apart_from for name in holder.held)
    taken += sum(one.kind == "shield" and holder.items.get(one.name) != "doffed" for one in holder.sheet.worn)
    return 2 - taken


def wields_two_handed(wielder: Combatant, weapon: Weapon) -> bool:
    """Return whether a Versatile weapon is wielded with both hands: the other one is free."""
    return hands_free(wielder, weapon.name) > 1


def draw(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Take a weapon in hand: the free interaction of the turn, or the Utilize action for another one."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.object-interaction")
    check_turn(fight, actor)
    known = [one.name for one in actor.sheet.weapons if one.wield not in ("natural", "unarmed")]
    if act.item not in known:
        raise unknown_word("weapon", act.item, known, rule, actor.id, "to draw")
    if act.item in actor.held:
        raise Refusal(f"{actor.id} holds the {act.item} already", rule)
    if actor.items.get(act.item) in ("dropped", "gone", "broken") and act.item not in lying_near(actor):
        raise Refusal(f"the {act.item} is not at hand", rule)
    if hands_free(actor) < 1:
        raise Refusal(f"{actor.id} has no hand free", rule)
    yield from spend_interaction(fight, actor, f"draw the {act.item}")
    at = actor.at if act.item in lying_near(actor) else None
    yield ItemChanged(who=actor.id, item=act.item, state="held", at=at, cites=(rule,))


def sheathe(fight: Fight, act: acts.Sheathe) -> Steps[None]:
    """Put a weapon away: the free interaction of the turn, or the Utilize action for another one."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.object-interaction")
    check_turn(fight, actor)
    if act.item not in actor.held:
        raise Refusal(f"{actor.id} does not hold {act.item or 'that'}", rule)
    yield from spend_interaction(fight, actor, f"put the {act.item} away")
    yield ItemChanged(who=actor.id, item=act.item, state="stowed", cites=(rule,))


def lying_near(holder: Combatant) -> list[str]:
    """Return a combatant's own items that lie in its square."""
    return [name for name, squares in holder.lying.items() if holder.at in squares]


INTERACTION: Final = "interaction"
"""The counter of a turn for objects that are handled for free."""


def spend_interaction(fight: Fight, actor: Combatant, what: str) -> Steps[None]:
    """Use the free interaction of the turn; the next ones take the Utilize action."""
    free = fight.figure("turns.object-interaction", "free_per_turn")
    if actor.spent.get(INTERACTION, 0) < free:
        cites = fight.rules("turns.object-interaction")
        yield ActionSpent(who=actor.id, kind=INTERACTION, what=what, cites=cites)
    else:
        yield spend(fight, actor, "action", "utilize", *fight.rules("turns.second-object", "turns.utilize"))


# --- Armor Class


def armor_class(fight: Fight, target: Combatant) -> list[Modifier]:
    """Return the parts of Armor Class: the printed one, or armor (otherwise 10), Dexterity and a Shield."""
    printed = fields_of(fight, target).armor_class
    more = list(parts_of(fight, target, "on_armor_class"))
    if printed:
        return [Modifier(printed, "base", "printed", fight.rule("monster.ac")), *more]
    dexterity = ability(fight, target, "dex")
    armor = next((one for one in target.sheet.worn if one.kind == "armor"), None)
    if armor is None:
        base = fight.formula("defense.base-ac", "formula")
        parts = [Modifier(base, "base", "unarmored", fight.rule("defense.base-ac")), dexterity]
        others = [function(fight, held) for function, held in ask(fight, target, "base_armor")]
        parts = (
            max(parts, *others, key=lambda several: sum(one.value for one in several)) if others else parts
        )
    else:
        rule, most = (
            fight.rule("gear.armor-base-ac"),
            fight.figure("gear.armor-base-ac", "most", armor.weight),
        )
        parts = [Modifier(armor.bonus, "armor", armor.name, rule)]
        if most is None or dexterity.value < most:
            parts.append(dexterity)
        elif most:
            parts.append(Modifier(most, "ability", f"Dexterity, at most {most}", rule))
    for one in target.sheet.worn:
        if one.kind == "shield" and target.items.get(one.name) != "doffed":
            parts.append(Modifier(one.bonus, "shield", one.name, fight.rule("gear.shield")))
    return [one for one in (*parts, *more) if one.value]
