"""Special attacks that take the place of an ordinary one: in an attack, a charge, an opportunity."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def can_trip(weapon: Weapon) -> bool:
    """Say whether a weapon trips: the bare hand, and what is made for it."""
    return weapon.wield == "unarmed" or "trip" in weapon.traits


def charging_blow(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> Blow:
    """Return the blow of a charge. Refuses weapons that do not strike hand to hand, and the unreachable."""
    if not strikes_in_melee(weapon):
        raise Refusal(
            f"the {weapon.name} is no melee weapon: a charge ends with one", fight.rule("charge.attack")
        )
    return fight.dialect.attacks.prepare(fight, attacker, target, weapon, "charge")
