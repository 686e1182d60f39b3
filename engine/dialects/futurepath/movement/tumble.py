"""Tumbling through opponents' squares and past them, by the old rules (futurepath.assumed.tumble)."""

from typing import Final

from affray.engine.dialects.futurepath.contested import in_force
from affray.engine.fight.fight import Fight
from affray.engine.rules.movement import tumble as tumbling
from affray.engine.rules.movement.tumble import Tumbling, gets_past_by_skill, opponents_in_way
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

#: How a move is declared that tumbles.
TUMBLE: Final = "tumble"
THROUGH: Final = "futurepath.movement.pass-through-enemy"
#: By the new rules this and the tactical retreat alone keep a movement from provoking.
AVOIDED: Final = "futurepath.aoo.avoid-by-5-foot-step"


def tumble_by_old_rules(fight: Fight, act: acts.Move) -> Steps[None]:
    """Tumble by the skill of that name, as the old rules let those who have ranks in it.

    futurepath.movement.pass-through-enemy, futurepath.assumed.tumble.
    """
    return tumbling.tumble(fight, act, TUMBLING)


def refuse_to_tumble(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse to those without ranks, to the encumbered, and to everybody by the new rules.

    futurepath.movement.through-enemy-blocked, futurepath.aoo.avoid-by-5-foot-step.
    """
    rule = in_force(fight, THROUGH, {})
    if rule != THROUGH and opponents_in_way(fight, mover, act.path):
        raise Refusal(f"{mover.id} cannot tumble through the square of an enemy", rule)
    if rule != THROUGH:
        reason = (
            "movement provokes unless it is a tactical retreat or a 5-foot step: nobody tumbles past enemies"
        )
        raise Refusal(reason, fight.rule(AVOIDED))
    if not mover.sheet.ranks.get(TUMBLE) and TUMBLE not in mover.sheet.skills:
        raise Refusal(f"{mover.id} has no ranks in Tumble", rule)
    if "encumbered" in mover.conditions:
        raise Refusal(f"{mover.id} is encumbered and cannot tumble", fight.rule("futurepath.assumed.tumble"))


#: Tumbling takes a skill in which one has ranks (futurepath.movement.pass-through-enemy).
TUMBLING: Final = Tumbling(refuse_to_tumble, gets_past_by_skill)
