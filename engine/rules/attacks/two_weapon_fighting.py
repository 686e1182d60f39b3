"""Two weapons at once: which hands hold one."""

from collections.abc import Sequence

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


@per_fight(Same("attacker.sheet"), "weapon.name", "off")
def wielded_with_another(fight: Fight, attacker: Combatant, weapon: Weapon, off: bool) -> Weapon:
    """Return a weapon as it is wielded with another in the other hand; the same object each time.

    A double weapon is then a one-handed and a light one (srd35.twf.double-weapons).
    """
    if "double" in weapon.traits:
        found = replace(weapon, wield="light" if off else "one-handed", hands=1, off_hand=off)
        if off and weapon.second:
            times = weapon.second_multiplier or weapon.multiplier
            found = replace(found, damage=weapon.second, multiplier=times)
        return found
    return replace(weapon, off_hand=off) if weapon.off_hand != off else weapon


def one_by_one(fight: Fight, combatant: Combatant, items: Sequence[str]) -> tuple[str, ...]:
    """Refuse to draw several weapons as one: for dialects in which nobody can."""
    if len(items) > 1:
        raise Refusal("weapons are drawn one by one", fight.rule("move-action.draw"))
    return ()
