"""Who wins, lives and dies otherwise; and in brief, why a log is not what it was."""

import re

from affray.engine.fight.fight import Fight, is_down
from affray.events.misfit import Unreadable, read_json
from affray.projections.state import Encounter
from affray.replay.report import Problem
from affray.replay.rule_changes.found import Fate, OneLog


def fates(
    found: OneLog, before: tuple[Encounter, Fight | None], after: tuple[Encounter, Fight | None]
) -> None:
    """Write down who wins, lives and dies after a change, and did not before."""
    found.won, found.wins = _stands(*before), _stands(*after)
    for id, other in after[0].combatants.items():
        one = before[0].combatants.get(id)
        dead = one is not None and "dead" in one.conditions, "dead" in other.conditions
        if one is not None and dead[0] != dead[1]:
            (found.dies if dead[1] else found.lives).append(Fate(id, other.sheet.name))


def _stands(state: Encounter, fight: Fight | None) -> str:
    """Return the side that alone has somebody standing, "" if that is not so."""
    if fight is None:
        return ""
    sides = {one.side for one in state.combatants.values() if not is_down(fight, one)}
    return next(iter(sides)) if len(sides) == 1 else ""


def in_brief(problem: Problem) -> str:
    """Return what of an event comes out otherwise today: its type and the fields that differ."""
    try:
        sides = [read_json(side) for side in (problem.recorded, problem.found)]
        names = [name for name in {**sides[0], **sides[1]} if sides[0].get(name) != sides[1].get(name)]
        return f"{problem.what}: {sides[0]['type']} differs in {', '.join(names)}"
    except (Unreadable, TypeError, AttributeError, LookupError):
        kind = _TYPE.match(problem.recorded)
        if kind:
            return f"{problem.what}: {kind[1]} comes out otherwise"
        both = f": recorded {problem.recorded}, today {problem.found}" if problem.found else ""
        return f"{problem.what}{both}"[:300]


_TYPE = re.compile(r'\{"type":"([a-z.-]+)"')
