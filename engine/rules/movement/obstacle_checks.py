"""The skill checks by which obstacles between squares are crossed."""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.terrain import Barrier
from affray.projections.state import Combatant

#: The ability behind the skills that obstacles ask for.
KEY_ABILITY = {"climb": "str", "jump": "str", "swim": "str"}


def overcome(fight: Fight, mover: Combatant, crossed: Sequence[Barrier]) -> Steps[bool]:
    """Make the skill checks that obstacles ask for; a failure ends the movement before them.

    srd35.obstacle.skill-check, pf1.terrain.obstacle.
    """
    rule = fight.rule("obstacle.skill-check")
    for barrier in crossed:
        if barrier.check:
            parts = skill_parts(fight, mover, barrier.check, KEY_ABILITY.get(barrier.check, "dex"), rule)
            why = "to cross the obstacle"
            if not (yield from check(fight, mover, barrier.check, parts, barrier.dc, rule, why=why)):
                yield RuleApplied(who=mover.id, what="does not get across the obstacle", cites=(rule,))
                return False
    return True
