"""The lance in one hand, from the saddle (srd35.weapons.handed-use, woa.damage.two-handed-strength)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.grip import change_grip, weapon_to_grip
from affray.engine.rules.gear.weapons_in_hand import is_lance
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Steps
from affray.events.facts import acts


def is_lance_in_saddle(fight: Fight, act: acts.Grip) -> bool:
    """Say whether a rider means to take its lance in one hand."""
    rider = fight.combatant(act.actor)
    lances = (one.name for one in rider.sheet.weapons if is_lance(one))
    return bool(rider.mount) and act.hands == "one" and act.item in lances


def couch_lance(fight: Fight, act: acts.Grip) -> Steps[None]:
    """Take a lance in one hand, and wield it as a one-handed weapon from then on."""
    rider = fight.combatant(act.actor)
    check_turn(fight, rider)
    weapon = weapon_to_grip(fight, rider, act)
    yield from change_grip(fight, rider, weapon, act, "one-handed")
