"""Holds that come loose without a check: of the helpless and the dead, and of those who are driven apart."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.grapple.holds import (
    end_grapple,
    free_of_pin,
    is_pinning,
    opponents,
)
from affray.engine.rules.position.place import distance, squares_of
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionLost
from affray.projections.state import Combatant


def let_go_limp(fight: Fight, grappler: Combatant) -> Steps[None]:
    """Let nobody be pinned or held in one limb by a helpless creature, nor grapple with a dead one at all.

    The others may go on holding whoever is helpless, or release it (srd35.helpless.definition,
    srd35.cond.dead, futurepath.condition.helpless.definition, futurepath.injury.dead-at-minus-10).
    """
    dead = "dead" in grappler.conditions
    why, rule = ("dead", "cond.dead") if dead else ("at one's mercy", "helpless.definition")
    cites = fight.rules(rule)
    for other in opponents(fight, grappler):
        held = other.conditions.get("swallowed")
        if dead and held is not None and held.source == grappler.id:
            yield ConditionLost(who=other.id, condition="swallowed", why=why, cites=cites)
        if dead or "holding" in grappler.conditions:
            yield from end_grapple(fight, grappler, other, why, *cites)
        elif is_pinning(grappler, other):
            yield from free_of_pin(other, why, *cites)


def let_go_apart(fight: Fight, mover: Combatant) -> Steps[None]:
    """End the grapples of a combatant that was driven out of the space in which it grapples.

    Whoever cannot be in the space of the other must let go at once; a limb holds on as far as it
    reaches (srd35.grapple.maintain-fail, futurepath.grapple.start.cannot-move-in).
    """
    cites = fight.rules("grapple.maintain-fail")
    for other in opponents(fight, mover):
        if not (set(squares_of(mover)) & set(squares_of(other)) or in_one_limb(mover, other)):
            yield from end_grapple(fight, mover, other, "driven apart", *cites)


def in_one_limb(one: Combatant, other: Combatant) -> bool:
    """Say whether one of two who stand apart has the other in a limb that still reaches it."""
    return any(
        "holding" in holder.conditions and distance(holder, held) <= holder.reach
        for holder, held in ((one, other), (other, one))
    )
