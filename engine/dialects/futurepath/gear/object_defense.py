"""The Defense of objects: by their size, and of those that somebody has (futurepath.object.defense.*)."""

from typing import Final

from affray.engine.dialects.futurepath.conditions.declared_advantages import OF_HELD
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.conditions.condition_rules import condition_parts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SIZES, Weapon
from affray.projections.state import Combatant

TABLE: Final = "futurepath.table.object-size-defense"
SIZE: Final = "futurepath.assumed.weapon-size"
HELD: Final = "futurepath.object.defense.held-carried-worn"


def told_size(weapon: Weapon) -> str:
    """Return the size of a weapon that its traits name, "" if they name none."""
    return next((one for one in weapon.traits if one in SIZES), "")


def rules_of_sizes(*weapons: Weapon) -> tuple[str, ...]:
    """Return the topic of the rule by which sizes are taken from how weapons are wielded, if any is so."""
    return () if all(told_size(one) for one in weapons) else (SIZE,)


def weapon_size(fight: Fight, wielder: Combatant, weapon: Weapon) -> str:
    """Return how large a weapon itself is: as its traits say ("tiny"), else by how it is wielded.

    futurepath.assumed.weapon-size: a light one is a size smaller than whom it is made for.
    """
    if told := told_size(weapon):
        return told
    how: str = weapon.wield
    if how == "projectile":
        how = "projectile, two hands" if wielded_in_two_hands(weapon) else "projectile, one hand"
    made_for = SIZES.index(weapon.size or wielder.sheet.size)
    step = int(fight.figure(SIZE, how))
    return SIZES[min(max(made_for + step, 0), len(SIZES) - 1)]


def base_defense(fight: Fight, size: str) -> Modifier:
    """Return the Defense of an object of a size by itself (futurepath.table.object-size-defense)."""
    return fight.modifier(TABLE, f"size={size}", "defense", kind="base", source=f"{size} object")


def defense_of_carried(fight: Fight, holder: Combatant, size: str) -> list[Modifier]:
    """Return the Defense of an object of a size that somebody holds, carries or wears.

    futurepath.object.defense.held-carried-worn: the table's and 5, the holder's Dexterity, with what the game
    master has declared for that, and class bonus.
    """
    rule = fight.rule(HELD)
    parts = [base_defense(fight, size), fight.modifier(HELD, "added", kind="held", source=f"of {holder.id}")]
    dexterity = ability_now(fight, holder, "dex")
    if dexterity:
        parts.append(Modifier(dexterity, "ability", f"Dexterity of {holder.id}", rule))
    parts += condition_parts(fight, holder, OF_HELD)
    parts += [
        Modifier(bonus.value, "class", bonus.source or "class", rule)
        for bonus in holder.sheet.armor
        if bonus.kind == "class"
    ]
    return parts
