"""What a shot takes: a missile (woa.items.draw-ammunition)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.steps import Steps
from affray.events.facts.combat import ResourceSpent


def take_missile(fight: Fight, blow: Blow) -> Steps[None]:
    """Take a missile for the shot, where they are counted; a blow in melee takes none.

    woa.items.draw-ammunition.
    """
    if blow.weapon.ammunition is not None and not blow.melee:
        cites = fight.rules("woa.items.draw-ammunition")
        yield ResourceSpent(who=blow.attacker.id, resource=blow.weapon.name, amount=1, cites=cites)
