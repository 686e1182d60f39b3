"""Light: what burns how brightly, and who stands in shadow or in the dark (srd35.light.levels)."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from affray.engine.dialects.srd35.senses.special_senses import is_within_range
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.position.place import distance
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.projections.state import Combatant

TABLE, LEVELS = "srd35.gear.light-table", "srd35.light.levels"
#: Who stands where no daylight falls, and who carries a light.
UNLIT, BEARING = "unlit", "bearing a light"
BRIGHT, SHADOWY, DARK = "bright light", "shadowy light", "darkness"
MINUTES_AN_HOUR = 60
DEGREES = (BRIGHT, SHADOWY, DARK)
#: The eight ways in which a lantern's cone may point; its place among them is the level of the condition.
WAYS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


class Lit(Struct, frozen=True, gc=False):
    """How well lit somebody is in another's eyes, and the topics of the rules that made it so."""

    degree: str
    topics: tuple[str, ...] = ()


def light_seen(fight: Fight, viewer: Combatant, other: Combatant) -> Lit:
    """Return how well lit a combatant is for a viewer: the best that any light near it gives.

    Low-light vision doubles both radii (srd35.gear.light-table, srd35.light.levels, .concealment.low-light).
    """
    if UNLIT not in other.conditions:
        return Lit(BRIGHT)
    plain, used = best_light(fight, other, 1)
    if not has_trait(viewer, "low-light vision") or plain == BRIGHT:
        return Lit(plain, used)
    keen, used = best_light(fight, other, fight.figure(LEVELS, "low_light_multiplier"))
    return Lit(keen, used if keen == plain else (*used, "srd35.concealment.low-light"))


def best_light(fight: Fight, other: Combatant, times: int) -> tuple[str, tuple[str, ...]]:
    """Return the best light on a combatant, and the table's topic where a light source gives any."""
    found = DARK
    for bearer in fight.state.combatants.values():
        held = bearer.conditions.get(BEARING)
        if held is not None and shines_at(bearer, other, held.level):
            row = light_row(fight, held.source)
            feet = distance(bearer, other)
            degree = BRIGHT if row["bright"] and is_within_range(feet, row["bright"] * times) else DARK
            if degree == DARK and is_within_range(feet, row["shadowy"] * times):
                degree = SHADOWY
            found = min(found, degree, key=DEGREES.index)
    return found, (LEVELS, TABLE) if found != DARK else (LEVELS,)


def light_row(fight: Fight, item: str) -> Mapping[str, Any]:
    """Return the row of a light source. Refuses what is none."""
    rows: list[Mapping[str, Any]] = fight.figure(TABLE)
    found = next((row for row in rows if row["item"] in (item, f"{item} (cone)")), None)
    if found is None:
        raise Refusal(f"a {item!r} gives no light", fight.rule(TABLE))
    return found


def shines_at(bearer: Combatant, other: Combatant, way: int) -> bool:
    """Say whether a light falls on somebody: any but a lantern's cone that points elsewhere."""
    if not way or bearer is other:
        return not way
    (x, y), (dx, dy) = WAYS[way - 1], (other.at[0] - bearer.at[0], other.at[1] - bearer.at[1])
    if x and y:
        return dx * x >= 0 and dy * y >= 0
    along, across = (dx * x, dy) if x else (dy * y, dx)
    return abs(across) <= along


def no_daylight(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Let somebody be where only such lights help as people carry (srd35.light.levels)."""
    yield ConditionGained(who=target.id, condition=UNLIT, source="no daylight", cites=fight.rules(LEVELS))


def carry_light(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Let somebody carry a burning light; a lantern's cone has its way (srd35.gear.light-table)."""
    row = light_row(fight, act.degree)
    cone = row["item"].endswith("(cone)")
    hour = fight.figure("srd35.round.six-seconds", "rounds_per_minute") * MINUTES_AN_HOUR
    if cone and act.way not in WAYS:
        raise Refusal(f"the {act.degree} has to point somewhere", fight.rule(TABLE))
    yield ConditionGained(
        who=target.id,
        condition=BEARING,
        source=act.degree,
        level=WAYS.index(act.way) + 1 if cone else 0,
        until=Until("round-end", target.id, fight.state.round + row["hours"] * hour),
        cites=fight.rules(TABLE),
    )
