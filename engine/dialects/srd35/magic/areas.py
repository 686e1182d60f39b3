"""Where areas start and what they reach (srd35.cast.area-origin, srd35.cast.line-of-effect)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid import height
from affray.engine.grid.area import burst
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.line import line_from_corner
from affray.engine.rules.magic.targets_and_areas import AROUND, corner_towards
from affray.engine.rules.position.place import level_of, squares_of
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def passes_opening(fight: Fight, act: acts.Cast) -> bool:
    """Say whether a spell goes through the hole in the wall that its caster aims at."""
    return bool(act.opening >= fight.figure("srd35.cast.line-of-effect", "opening_sq_ft"))


def in_area(fight: Fight, caster: Combatant, spell: Spell, at: Square, one: Combatant) -> bool:
    """Say whether an area reaches a combatant in it: no barrier between its origin and them.

    A spread has gone round the corners already; others stop where cover is total. What starts from a corner
    starts on the ground there, and reaches as far up as aside.
    """
    if (caster.conditions or one.conditions) and not reaches_up(caster, spell, at, one):
        return False
    if spell.area == "spread":
        return True
    corner = at if spell.area in AROUND else corner_towards(caster, at)[0]
    return line_from_corner(fight.field, corner, one.at, one.space)


def reaches_up(caster: Combatant, spell: Spell, at: Square, one: Combatant) -> bool:
    """Say whether an area reaches the height of a combatant above or below where it starts.

    A cone widens upward and downward as it does aside; a line leads, as far as it is long, to who is in the
    square aimed at, or goes level.
    """
    here, level = level_of(caster), level_of(one)
    if spell.area in AROUND:
        return not level or any(
            SQUARE_FT * height.squares_in_space(*offset_of_far_corner(at, square), level + 1)
            <= spell.area_feet
            for square in squares_of(one)
        )
    up, is_line = height.squares_above(here, caster.space, level, one.space), spell.area == "line"
    if not up:
        return True
    if is_line and at not in squares_of(one):
        return False
    start = corner_towards(caster, at)[0]
    return any(
        (is_line or up <= max(way)) and SQUARE_FT * height.squares_in_space(*way, up) <= spell.area_feet
        for way in (offset_of_far_corner(start, square) for square in squares_of(one))
    )


def offset_of_far_corner(corner: Square, square: Square) -> Square:
    """Return columns and rows from a corner to the far corner of a square."""
    dx, dy = square[0] - corner[0], square[1] - corner[1]
    return max(abs(dx), abs(dx + 1)), max(abs(dy), abs(dy + 1))


def tell_affected(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant], at: Square | None
) -> Steps[list[Combatant]]:
    """Say whom an area has caught and whom total cover shelters, and by which rule; return the caught.

    srd35.cast.area-origin.
    """
    if spell.area:
        caught = ", ".join(one.id for one in targets) or "nobody"
        if spell.area == "spread":
            what = f"the spread turns corners: {caught}"
        elif spell.area in AROUND:
            sheltered = ", ".join(one.id for one in sheltered_from(fight, spell, at))
            what = f"the {spell.area} catches {caught}"
            what += f"; total cover shelters {sheltered}" if sheltered else ""
        else:
            what = f"the {spell.area} starts at a corner of the caster's square: {caught}"
        yield RuleApplied(who=caster.id, what=what, cites=(fight.rule("srd35.cast.area-origin"),))
    return targets


def sheltered_from(fight: Fight, spell: Spell, at: Square | None) -> list[Combatant]:
    """Return who is in the squares of a burst and has total cover from the corner where it originates."""
    if at is None:
        return []
    covered = burst(at, spell.area_feet)
    return [
        one
        for one in fight.state.combatants.values()
        if "dead" not in one.conditions
        and covered.intersection(squares_of(one))
        and not line_from_corner(fight.field, at, one.at, one.space)
    ]
