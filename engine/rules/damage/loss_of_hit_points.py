"""What lost hit points bring about: massive damage first, then the state that they call for."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.damage.injury import change_health, settle_loss
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def injure(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Settle what the loss of hit points does, after the loss itself.

    Massive damage first, then the state by hit points and nonlethal damage
    (srd35.injury.*, srd35.nonlethal.track).
    """
    if "dead" in target.conditions:
        return
    threshold = fight.dialect.damage.massive_damage(fight, target)
    if (
        harm.amount >= threshold
        and not harm.nonlethal
        and target.hp > fight.dialect.damage.death_at(fight, target)
    ):
        survived = yield from saving_throw(
            fight,
            target,
            "fort",
            fight.figure("injury.massive-damage", "dc"),
            f"massive damage ({harm.amount})",
            fight.rule("injury.massive-damage"),
        )
        if not survived:
            yield from change_health(fight, target, "dead", "massive damage", "injury.massive-damage")
            return
    yield from settle_loss(fight, target, before, harm.source)
