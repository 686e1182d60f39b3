"""What stands between attacker and target, what a combatant threatens, what a spell covers: as squares."""

from collections.abc import Iterator
from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import adjacent, space, threatened
from affray.engine.grid.lines_and_cover import Cover, corners, edge_corners, trace
from affray.engine.rules.magic.spell_effects import AROUND, area_squares
from affray.engine.rules.position.places import cover_between
from affray.projections.state import Combatant
from affray.replay.viewer.frame import Line, Sight, Sightline


def sight(fight: Fight, attacker: str, target: str, mode: str) -> Sight | None:
    """Return what the target has of cover from the attacker; None if one of them is not on the map."""
    people = fight.state.combatants
    one, other = people.get(attacker), people.get(target)
    if one is None or other is None or not fight.state.terrain:
        return None
    melee = mode == "melee"
    found = cover_between(fight, one, other, melee)
    if found.kind == "total" or (melee and adjacent(one.at, other.at, one.space, other.space)):
        return Sight(found.kind, found.squares, found.creatures)
    return Sight(found.kind, found.squares, found.creatures, _lines(fight, found, one, other, melee))


def area_of(fight: Fight, act: Any) -> tuple[Square, ...]:
    """Return the squares of the map that the area of a spell covers, aimed as declared; () without one."""
    at = getattr(act, "at", None)
    caster = fight.state.combatants.get(act.actor)
    name = getattr(act, "spell", "")
    if at is None or caster is None or not name or not fight.state.terrain:
        return ()
    spell = next((one for one in caster.sheet.spells if one.name == name and one.area), None)
    if spell is None or (at == caster.at and spell.area not in AROUND):
        return ()
    return tuple(sorted(filter(fight.field.passable, area_squares(fight, caster, spell, at))))


def shapes_of(fight: Fight | None, one: Combatant) -> dict[str, list[Square]]:
    """Return the squares that a combatant threatens, relative to its anchor, by a name for the shape."""
    if fight is None or {"grappling", "grappled", "dead", "unconscious", "dying"} & one.conditions.keys():
        return {}
    return {
        f"{one.space}/{least}/{most}": sorted(threatened((0, 0), one.space, least, most, True))
        for least, most in fight.dialect.position.reach_bands(fight, one)
    }


def _lines(
    fight: Fight, found: Cover, attacker: Combatant, target: Combatant, melee: bool
) -> tuple[Sightline, ...]:
    """Return the lines from the corner that the engine's answer comes from, () if none explains it."""
    stops = set(found.squares)
    for id in found.creatures:
        one = fight.state.combatants[id]
        stops.update(space(one.at, one.space))
    for lines in _choices(attacker, target, melee):
        drawn = tuple((*line, int(_stopped(line, stops))) for line in lines)
        if sum(line[-1] for line in drawn) == found.lines:
            return drawn
    return ()


def _choices(attacker: Combatant, target: Combatant, melee: bool) -> Iterator[list[Line]]:
    """Yield the sets of lines that the attacker may choose from, nearest corner first."""
    ends = [corners(square, 1) for square in space(target.at, target.space)]
    if not melee:
        ends = [corners(target.at, target.space)]
    starts = edge_corners(attacker.at, attacker.space)
    middle = (2 * target.at[0] + target.space, 2 * target.at[1] + target.space)
    for x, y in sorted(starts, key=lambda at: (2 * at[0] - middle[0]) ** 2 + (2 * at[1] - middle[1]) ** 2):
        for four in ends:
            yield [(x, y, *end) for end in four]


def _stopped(line: Line, stops: set[Square]) -> bool:
    met = trace(line[:2], line[2:])
    return any(at in stops for at in met.squares) or any(a in stops and b in stops for a, b in met.pairs)
