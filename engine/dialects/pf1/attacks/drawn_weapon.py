"""Drawing a weapon on the way of a charge (pf1.charge.draw)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.fascination import startled_by_drawing
from affray.engine.rules.gear.draw_and_sheathe import refuse_undrawable
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.magic.touch_of_charge import into_drawn_weapon
from affray.engine.rules.movement.movement import speed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOPIC: Final = "pf1.charge.draw"
FEAT: Final = "quick draw"


def weapon_of_charge(
    fight: Fight, striker: Combatant, mover: Combatant, act: acts.Charge
) -> tuple[Weapon, Steps[None] | None]:
    """Return the weapon of a charge, and how it is drawn on the way if it is not at hand.

    From a base attack bonus of +1 on, in a charge of no more than the speed that takes the full round; in
    any with Quick Draw. Refuses to draw in others (pf1.charge.draw, pf1.feat.quick-draw).
    """
    stowed = next((one for one in striker.sheet.weapons if one.name == act.weapon), None)
    if stowed is None or stowed.wield in ("natural", "unarmed") or stowed.name in striker.held:
        return find_weapon(fight, striker, act.weapon), None
    rule = fight.rule(TOPIC)
    refuse_undrawable(striker, stowed.name, fight.rule("move-action.draw"))
    if FEAT in striker.sheet.feats:
        return stowed, draw(fight, striker, stowed, rule, fight.rule("feat.quick-draw"))
    if not fight.dialect.turns.allowance(fight, mover).full:
        raise Refusal(f"{striker.id} draws in so short a charge only with Quick Draw", rule)
    if striker.sheet.base_attack < fight.figure(TOPIC, "base_attack_bonus"):
        raise Refusal(f"{striker.id} is not skilled enough to draw while charging", rule)
    feet = fight.dialect.movement.measure(fight, mover, (mover.at, *act.path), "charge").feet
    if feet > speed(fight, mover) * fight.figure(TOPIC, "speed_multiple"):
        raise Refusal(f"{striker.id} draws only in a charge of {speed(fight, mover)} ft. at most", rule)
    return stowed, draw(fight, striker, stowed, rule)


def draw(fight: Fight, striker: Combatant, weapon: Weapon, *cites: str) -> Steps[None]:
    """Take a weapon in hand on the way, with what follows the drawing of one."""
    yield ItemChanged(who=striker.id, item=weapon.name, state="held", cites=cites)
    drawing = acts.Draw(actor=striker.id, item=weapon.name)
    yield from into_drawn_weapon(fight, drawing)
    yield from startled_by_drawing(fight, drawing)
