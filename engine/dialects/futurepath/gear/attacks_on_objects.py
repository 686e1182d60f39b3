"""Attacks on objects in Futurepath: what nobody holds, carries or wears gives no opening."""

from typing import Any, Final

from affray.engine.dialects.futurepath.turns.special_initiative import told_safe
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Steps, onward
from affray.events.facts import acts

TABLE: Final = "futurepath.table.actions.attack"
TOPIC: Final = "futurepath.action.attack-object.provokes-if-attended"


def tell_unattended(fight: Fight, act: acts.Attack, attacking: Steps[None]) -> Steps[None]:
    """Strike an object that stands by itself, which does not provoke; a shot at it does as any other.

    futurepath.action.attack-object.provokes-if-attended.
    """
    first: Any = next(attacking)
    # Of a blow into a square nothing is known yet.
    actor, target = fight.combatant(act.actor), fight.state.combatants.get(act.target)
    alone = target is not None and (target.sheet.thing is not None or target.sheet.kind == "object")
    weapon = find_weapon(fight, actor, act.weapon)
    if (
        alone
        and not act.thrown
        and strikes_in_melee(weapon)
        and dict(fight.figure(TABLE))["attack an object"] == "maybe"
    ):
        what = f"an attack on {act.target}, which nobody holds,"
        yield from told_safe(fight, actor, what, fight.rules(TOPIC, TABLE))
    yield from onward(attacking, first)
