"""Combatants from another fight: what they bring along, and what belongs to the fight that they left."""

from functools import partial
from typing import Final

from affray.engine.dialects.srd52 import environment, hiding, items, monster, mounted
from affray.engine.fight.fight import Fight
from affray.engine.kernel.arrival import bring_along, entered, refuse_strange_origin
from affray.engine.kernel.turns import refuse_newcomer
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

LOCAL: Final = frozenset(
    {
        *("grappled", "restrained", monster.SWALLOWED, items.TRAPPED, items.HOBBLED),
        *(hiding.HIDDEN, environment.FLYING, environment.HOLDING, "surprised", "disengaged", "dodging"),
    }
)
"""The conditions of a place or moment, or of two combatants."""


def left_behind(fight: Fight, condition: str, source: str) -> str:
    """Return why a condition stays behind as its bearer leaves for another fight, "" if it goes along."""
    return "it belongs to that place and moment" if condition in LOCAL else ""


def why_not_brought(fight: Fight, condition: str, source: str) -> str:
    """Return why no combatant brings a condition along, "" if it can."""
    if condition not in fight.dialect.kernel.conditions:
        return f"{fight.dialect.name} knows no condition {condition!r}"
    return f"no combatant brings along being {condition}" if condition in LOCAL else ""


def arrive(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map in the state in which it left another fight."""
    sheet, rule = refuse_newcomer(fight, act), fight.rule("encounter")
    origin, carried = refuse_strange_origin(fight, act, sheet, partial(why_not_brought, fight))
    kernel = fight.dialect.kernel
    space, reach = kernel.space(fight, sheet)
    x, y = act.at
    if not fight.field.passable(act.at, space):
        raise Refusal(f"{act.id} cannot enter at {x},{y}: there is a wall, or the map ends", rule)
    fact = entered(act, sheet, carried, space, reach)
    newcomer = Combatant(act.id, act.side, sheet, act.at, space, reach, carried.hp, carried.max_hp)
    steed = fight.combatant(act.riding) if act.riding else None
    if steed is not None:
        mounted.refuse_steed(fight, newcomer, steed)
    elif there := kernel.occupants(fight, newcomer, act.at):
        raise Refusal(f"{act.id} cannot enter at {x},{y}: {there[0].id} is there", rule)
    yield fact
    yield from bring_along(fight, act, origin, carried)
    if steed is not None:
        yield from mounted.seat(fight, fight.combatant(act.id), steed)
