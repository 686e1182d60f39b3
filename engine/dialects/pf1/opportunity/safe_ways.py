"""Ways that give nobody an opening (pf1.aoo.unarmed-no-threat, pf1.aoo.diagram-path-1)."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.rules.conditions.condition_rules import can_react
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.rules.position.place import reaches
from affray.engine.steps import Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import Moved
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

UNARMED: Final = "pf1.aoo.unarmed-no-threat"
APPROACH: Final = "pf1.aoo.diagram-path-1"


def tell_safe_way(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move, with a word on the unarmed whom the way leads past, and on an approach that provokes nothing."""
    mover = fight.state.combatants[act.actor]
    left = (mover.at, *act.path[:-1])
    unarmed = [enemy for enemy in fight.enemies(mover) if stands_by_unarmed(fight, enemy, mover, left)]
    cites = fight.rules(APPROACH) if approaches_safely(fight, mover, left, act.path) else ()

    def cited(step: Any) -> Any:
        if cites and type(step) is Moved and step.who == act.actor and step.path[-1:] == act.path[-1:]:
            return replace(step, cites=(*step.cites, *cites))
        return step

    yield from altered(moving, cited)
    for enemy in unarmed if mover.at in act.path else ():
        what = f"moving past {enemy.id} provokes nothing: it is unarmed"
        yield RuleApplied(who=mover.id, what=what, cites=fight.rules(UNARMED))


def stands_by_unarmed(fight: Fight, enemy: Combatant, mover: Combatant, left: Sequence[Square]) -> bool:
    """Say whether an enemy could reach a mover on its way, and threatens nothing for want of a weapon.

    pf1.aoo.unarmed-no-threat.
    """
    return (
        not can_react(fight, enemy)
        and not fight.dialect.position.reach_bands(fight, enemy)
        and any(reaches(enemy, mover, 0, enemy.reach, at) for at in left)
    )


def approaches_safely(fight: Fight, mover: Combatant, left: Sequence[Square], path: Sequence[Square]) -> bool:
    """Say whether a way ends where an enemy threatens without having led through such a square.

    pf1.aoo.diagram-path-1.
    """
    standing = [enemy for enemy in fight.enemies(mover) if not is_down(fight, enemy)]
    return any(endangers(fight, enemy, mover, at) for at in path[-1:] for enemy in standing) and not any(
        endangers(fight, enemy, mover, at) for at in left for enemy in standing
    )
