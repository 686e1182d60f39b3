"""Drawing a weapon with a held charge (srd35.cast.hold-charge)."""

from affray.engine.fight import Fight
from affray.engine.rules.gear import draw_and_sheathe
from affray.engine.rules.magic.held_charge import goes_off
from affray.engine.steps import Steps
from affray.events.facts import acts


def draw(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon; a held charge goes into the first thing that is touched (srd35.cast.hold-charge)."""
    yield from draw_and_sheathe.draw(fight, act)
    yield from goes_off(fight, fight.combatant(act.actor), act.item)
