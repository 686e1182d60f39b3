"""The lance in one hand, from the saddle (srd35.weapons.handed-use, woa.damage.two-handed-strength)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.grip import TOPIC, change_grip, weapon_to_grip
from affray.engine.rules.gear.let_go import COUCHED
from affray.engine.rules.gear.weapons_in_hand import is_lance
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier


def is_lance_in_saddle(fight: Fight, act: acts.Grip) -> bool:
    """Say whether a rider means to take its lance in one hand."""
    rider = fight.combatant(act.actor)
    lances = (one.name for one in rider.sheet.weapons if is_lance(one))
    return bool(rider.mount) and act.hands == "one" and act.item in lances


def couch_lance(fight: Fight, act: acts.Grip) -> Steps[None]:
    """Take a lance in one hand; it is a one-handed weapon then as long as it stays there in the saddle."""
    rider = fight.combatant(act.actor)
    check_turn(fight, rider)
    weapon = weapon_to_grip(fight, rider, act)
    changed = yield from change_grip(fight, rider, weapon, act, "one-handed")
    if not changed or weapon.wield != "two-handed":
        return
    rule = fight.rule(TOPIC)
    yield EffectGained(
        who=rider.id,
        id=f"{COUCHED}:{weapon.name}",
        stat=COUCHED,
        modifier=Modifier(0, "untyped", f"{weapon.name} in one hand", rule),
        until=Until(),
        cites=(rule,),
    )
