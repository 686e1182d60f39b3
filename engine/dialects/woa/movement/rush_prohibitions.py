"""What forbids to run, charge and tumble in the air and in the water (woa.fly.buoyant.no-run-charge)."""

from affray.engine.dialects.woa.environment import water
from affray.engine.dialects.woa.movement import aloft
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.fight.fight import Fight
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant


def refuse_rush(fight: Fight, mover: Combatant, act: acts.Act) -> None:
    """Refuse to run and charge to buoyant flyers, and in a mode of movement without a listed speed.

    woa.fly.buoyant.no-run-charge, woa.charge.natural-modes-only.
    """
    if aloft.is_flying(mover) and aloft.kind_of_flight(mover) == aloft.BUOYANT:
        reason = f"{mover.id} floats in the air and cannot run or charge"
        raise Refusal(reason, fight.rule("woa.fly.buoyant.no-run-charge"))
    if not isinstance(act, acts.Run) and water.SWIMMING in mover.conditions:
        reason = f"{mover.id} swims without a swim speed and cannot charge"
        raise Refusal(reason, fight.rule("woa.charge.natural-modes-only"))


def refuse_out_of_sight(fight: Fight, mover: Combatant, target: Combatant) -> None:
    """Refuse to charge at a target behind total cover, or in total concealment (woa.charge.line-of-sight)."""
    if not sees(fight, mover, target) or unseen(fight, mover, target):
        reason = f"{mover.id} does not see {target.id} and cannot charge it"
        raise Refusal(reason, fight.rule("woa.charge.line-of-sight"))


def refuse_tumbling(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse Acrobatics in the air to those who fly by a spell and are no Born Flyers.

    woa.fly.buoyant.born-flyer.
    """
    if act.how == "tumble" and aloft.is_flying(mover) and not aloft.at_ease(mover):
        reason = f"{mover.id} is no Born Flyer and cannot use Acrobatics in the air"
        raise Refusal(reason, fight.rule("woa.fly.buoyant.born-flyer"))
