"""The way that an escape from a grapple is said to take (srd35.grapple.escape-move)."""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight
from affray.engine.rules.grapple.way_out import places_beside
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant


def refuse_way_out(
    fight: Fight, combatant: Combatant, holders: Sequence[Combatant], act: acts.Grapple
) -> None:
    """Refuse a way out that leads to no free place beside all opponents, or out of a pin or a gullet."""
    if not act.path:
        return
    for state, topic in (("pinned", "srd35.grapple.pinned-escape"), ("swallowed", "srd35.swallow-whole")):
        if state in combatant.conditions:
            raise Refusal(f"{combatant.id} is {state} and still goes nowhere", fight.rule(topic))
    if len(act.path) > 1 or act.path[0] not in places_beside(fight, combatant, holders):
        x, y = act.path[-1]
        others = ", ".join(one.id for one in holders)
        raise Refusal(f"{x},{y} is no free place next to {others}", fight.rule("srd35.grapple.escape-move"))
