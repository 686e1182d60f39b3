"""The bullets in a firearm, which go along with it from hand to hand."""

from typing import Any, Final

from affray.engine.dialects.futurepath.attacks.attack_roll import FIREARMS
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.let_go import weapon_named
from affray.engine.steps import Steps, answered
from affray.events.facts.combat import ItemChanged, ResourceSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOPIC: Final = "futurepath.attack.firearm.single-shot"


def follow_bullets(fight: Fight, steps: Steps[None], watched: Steps[None]) -> Steps[None]:
    """Go through a declaration; a firearm that is taken from somebody is as loaded as it was.

    futurepath.attack.firearm.single-shot.
    """
    return answered(watched, lambda step: handed_over(fight, step))


def handed_over(fight: Fight, step: Any) -> Steps[None]:
    """Yield how many bullets more or fewer a firearm has in it than its new holder's sheet says."""
    if not isinstance(step, ItemChanged) or not step.of or step.unwieldy:
        return
    taker, owner = fight.combatant(step.who), fight.combatant(step.of)
    theirs, mine = weapon_named(owner, step.item), weapon_named(taker, step.item)
    if theirs is None or mine is None or theirs.family not in FIREARMS:
        return
    if theirs.ammunition is None or mine.ammunition is None:
        return
    missing = bullets_in(taker, mine) - bullets_in(owner, theirs)
    # Whoever has one of that name, which counts its own bullets, has no more of them than the sheet says.
    if missing > 0 or (missing and not mine.ammunition):
        cites = fight.rules(TOPIC)
        yield ResourceSpent(who=taker.id, resource=step.item, amount=missing, cites=cites)


def bullets_in(holder: Combatant, weapon: Weapon) -> int:
    """Return how many bullets are in a weapon that counts them."""
    return (weapon.ammunition or 0) - holder.resources.get(weapon.name, 0)
