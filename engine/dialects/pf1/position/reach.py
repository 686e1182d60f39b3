"""How far creatures of pf1 reach: by which rule a target is out of reach (pf1.reach.*)."""

from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import SIZES, Weapon
from affray.projections.state import Combatant


def rule_of_reach(fight: Fight, attacker: Combatant, weapon: Weapon, feet: int, topic: str) -> str:
    """Return the topic of the rule by which a weapon does not strike at that distance.

    A reach weapon in the hands of Small and Medium creatures has an area of its own; natural reach is 5 feet
    up to Medium size and 10 or more above it, unless the sheet says otherwise
    (pf1.reach.reach-weapon-users, pf1.reach.medium-or-smaller, pf1.reach.larger-creatures).
    """
    size = SIZES.index(attacker.sheet.size)
    medium = SIZES.index("medium")
    if weapon.reach and size in (medium - 1, medium):
        return "pf1.reach.reach-weapon-users"
    if weapon.reach or weapon.wield == "projectile":
        return topic
    if size <= medium:
        own = attacker.reach == fight.figure("pf1.reach.medium-or-smaller", "reach_ft")
        return "pf1.reach.medium-or-smaller" if own else topic
    own = attacker.reach >= fight.figure("pf1.reach.larger-creatures", "min_reach_ft")
    return "pf1.reach.larger-creatures" if own else topic
