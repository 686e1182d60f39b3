"""Senses: light and obscured areas, special senses, and what combatants see."""

from collections.abc import Iterator, Mapping
from typing import Final

from affray.engine.dialects.srd52 import areas
from affray.engine.dialects.srd52.classes import fields_of
from affray.engine.dialects.srd52.features import SPELL, Feature, ask, has
from affray.engine.dialects.srd52.position import (
    distance,
    ground_at,
    is_barred,
    is_ground,
    is_in_water,
    obstacles,
    points_of,
)
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_map, per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import gaps
from affray.engine.grid.lines_and_cover import with_rim
from affray.engine.kernel.places import level_of, squares_of
from affray.projections.state import Combatant

HIDING: Final = "hiding"
"""The source of the Invisible condition of a hidden combatant."""

# --- Light: of the map, and of what combatants carry

DARK, DIM, BRIGHT = range(3)
LIT: Final = "lit "
"""The beginning of the counter of a light source that burns: "lit torch"."""


def light_at(fight: Fight, at: Square) -> int:
    """Return the light in a square: that of the map, or more by light sources nearby.

    Their light does not pass walls, and does not lift magical Darkness.
    """
    if is_magically_dark(fight, at):
        return DARK
    light = BRIGHT
    if is_ground(fight, at, "senses.bright-light"):
        return BRIGHT
    if is_ground(fight, at, "senses.darkness"):
        light = DARK
    elif is_ground(fight, at, "senses.dim-light"):
        light = DIM
    if light == BRIGHT:
        return light
    dim = int("dim light" in areas.traits_at(fight, at))
    for place, bright_ft, dim_ft in light_sources(fight):
        far = SQUARE_FT * max(gaps(place, 1, at, 1))
        if far > bright_ft + dim_ft or not is_line_clear(fight, place, 1, at, 1):
            continue
        if far <= bright_ft:
            return BRIGHT
        dim += 1
    added = dim > 1 and fight.option("light_stack") == "add"
    return BRIGHT if added else max(light, DIM) if dim else light


def light_sources(fight: Fight) -> Iterator[tuple[Square, int, int]]:
    """Yield the burning light sources: a square, the radius of Bright Light, and that of Dim Light beyond."""
    for one in fight.state.combatants.values():
        for name, way in one.counters.items():
            if name.startswith(LIT):
                item = name.removeprefix(LIT)
                row = f"{item} lowered" if way > 1 else item
                bright, dim = fight.figure("gear.lamp-lights", row)
                for place in one.lying.get(item, (one.at,)):
                    yield place, bright, dim
        for function, held in ask(fight, one, "sheds"):
            yield one.at, *function(fight, held)
    table: Mapping[str, Feature] = fight.dialect.kernel.features
    for area in fight.state.areas.values():
        if "light" in area.traits and area.squares:
            row = fight.figure(table[f"{SPELL} {area.what}"].topic)
            yield area.squares[0], row["bright_ft"], row["dim_ft"]


# --- Obscured areas

CLEAR, LIGHTLY, HEAVILY = range(3)


def is_clear_everywhere(fight: Fight) -> bool:
    """Return whether nothing on the map is obscured."""
    return not fight.state.ground and not fight.field.concealing and not fight.state.areas


def is_magically_dark(fight: Fight, at: Square) -> bool:
    """Return whether a square lies in magical Darkness, of the map or of a spell."""
    return is_ground(fight, at, "senses.darkness", "magical") or "darkness" in areas.traits_at(fight, at)


def obscurement(fight: Fight, viewer: Combatant, at: Square) -> int:
    """Return how obscured a square is for a viewer: by fog and foliage, weather, and the lack of light.

    Darkvision turns Dim Light into Bright Light and Darkness into Dim Light, Truesight pierces any Darkness.
    """
    if is_clear_everywhere(fight):
        return CLEAR
    fog = fog_at(fight, at)
    if fog == HEAVILY:
        return fog
    far, own = SQUARE_FT * max(gaps(viewer.at, viewer.space, at, 1)), fields_of(fight, viewer)
    light = BRIGHT if far <= own.truesight > 0 else light_at(fight, at)
    magical = is_magically_dark(fight, at)
    if far <= own.darkvision > 0 and not magical:
        light += 1
    return max(fog, BRIGHT - light)


def fog_at(fight: Fight, at: Square) -> int:
    """Return how obscured a square is by what hangs or grows there, without regard to light."""
    traits, veils = areas.traits_at(fight, at), veils_at(fight, at)
    if "heavily obscured" in traits or veils.intersection(fight.figure("senses.heavily-obscured", "ground")):
        return HEAVILY
    if at in fight.field.concealing or "lightly obscured" in traits:
        return LIGHTLY
    topics = ("senses.lightly-obscured", "environment.heavy-precipitation")
    lightly = any(veils.intersection(fight.figure(topic, "ground")) for topic in topics)
    return LIGHTLY if lightly else CLEAR


def veils_at(fight: Fight, at: Square) -> frozenset[str]:
    """Return the names of the ground in a square, without the fog that strong wind disperses."""
    here, topic = ground_at(fight, at), "environment.strong-wind"
    windy = bool(here) and not here.isdisjoint(fight.figure(topic, "ground"))
    return here.difference(fight.figure(topic, "fog")) if windy else here


def obscurement_of(fight: Fight, viewer: Combatant, other: Combatant) -> int:
    """Return how obscured a combatant is for a viewer: as its least obscured square."""
    if is_clear_everywhere(fight):
        return CLEAR
    return min(obscurement(fight, viewer, at) for at in squares_of(other))


# --- Lines of sight


@per_map("here", "side", "there", "other_side")
def is_line_clear(fight: Fight, here: Square, side: int, there: Square, other_side: int) -> bool:
    """Return whether some line between corners of two spaces meets no wall, thin or not."""
    bars = obstacles(fight)
    if not bars.walls and not fight.field.sides:
        return True
    ends = points_of(there, other_side)
    return any(not is_barred(start, end, bars.walls, bars) for start in points_of(here, side) for end in ends)


def in_sight(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a line from a corner of one space to a corner of the other meets no wall."""
    return is_line_clear(fight, combatant.at, combatant.space, other.at, other.space)


def is_opaque(fight: Fight, viewer: Combatant, at: Square) -> bool:
    """Return whether a square blocks sight from within and without: heavy fog and magical Darkness do.

    Plain Darkness hides only what is in it, unless another reading is in force.
    """
    reading = fight.option("obscurement_model")
    if reading == "target-space-only":
        return False
    if reading == "opaque-both-ways":
        return obscurement(fight, viewer, at) == HEAVILY
    opaque = fight.figure("senses.heavily-obscured", "ground")
    if veils_at(fight, at).intersection(opaque) or "heavily obscured" in areas.traits_at(fight, at):
        return True
    own = fields_of(fight, viewer)
    far = SQUARE_FT * max(gaps(viewer.at, viewer.space, at, 1))
    pierced = own.truesight and far <= own.truesight
    return is_magically_dark(fight, at) and not pierced


def is_screened(fight: Fight, viewer: Combatant, other: Combatant) -> bool:
    """Return whether opaque squares are in the way of sight: around the viewer, or on every line."""
    if not fight.state.ground and not fight.state.areas:
        return False
    if all(is_opaque(fight, viewer, at) for at in squares_of(viewer)):
        return True
    (x, y), (other_x, other_y) = viewer.at, other.at
    between = [
        (column, row)
        for column in range(min(x, other_x) - 1, max(x + viewer.space, other_x + other.space) + 1)
        for row in range(min(y, other_y) - 1, max(y + viewer.space, other_y + other.space) + 1)
        if is_opaque(fight, viewer, (column, row))
    ]
    veil = with_rim(fight.field, between)
    return bool(between) and all(
        is_barred(start, end, veil)
        for start in points_of(viewer.at, viewer.space)
        for end in points_of(other.at, other.space)
    )


# --- Sight between combatants


@per_scene("combatant.id", "other.id", "combatant.at", "other.at")
def sees(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant sees another, or perceives it with Blindsight.

    The unconscious are unaware of everything, the blinded see nothing, the invisible are concealed from all
    but Truesight (srd52.conditions.unconscious-unaware, srd52.conditions.blinded-sight,
    srd52.conditions.invisible-concealed).
    """
    if combatant.id == other.id:
        return True
    if not could_see(fight, combatant, other):
        return False
    far, own = distance(combatant, other), fields_of(fight, combatant)
    pierced = max(own.blindsight, own.truesight)
    if "invisible" not in other.conditions or 0 < far <= pierced or has(fight, other, "reveals"):
        return True
    return other.conditions["invisible"].source != HIDING and has(fight, combatant, "sees_invisible")


@per_scene("combatant.id", "other.id", "combatant.at", "other.at")
def could_see(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant sees another if that one is not invisible."""
    if any(one in combatant.conditions for one in ("unconscious", "petrified", "dead")):
        return False
    if not in_sight(fight, combatant, other):
        return False
    blindsight = fields_of(fight, combatant).blindsight
    if blindsight and distance(combatant, other) <= blindsight:
        return True
    if "blinded" in combatant.conditions:
        return False
    return obscurement_of(fight, combatant, other) != HEAVILY and not is_screened(fight, combatant, other)


@per_scene("viewer.id", "other.id", "viewer.at", "other.at")
def sight_topics(fight: Fight, viewer: Combatant, other: Combatant) -> tuple[str, ...]:
    """Return the topics of the rules by which a viewer sees another, or not: light, fog, special senses."""
    own, far, topics = fields_of(fight, viewer), distance(viewer, other), list[str]()
    hidden = "invisible" in other.conditions or "blinded" in viewer.conditions
    dark = [light_at(fight, at) for at in squares_of(other)] if fight.state.ground else [BRIGHT]
    if far <= own.blindsight and (hidden or max(dark) < BRIGHT):
        return ("senses.blindsight",)
    if far <= own.truesight and ("invisible" in other.conditions or max(dark) < BRIGHT):
        return ("senses.truesight",)
    if max(dark) < BRIGHT:
        topics.append("senses.darkness" if max(dark) == DARK else "senses.dim-light")
        topics += ["senses.darkvision"] if far <= own.darkvision else []
    elif fight.state.ground and any(is_ground(fight, at, "senses.darkness") for at in squares_of(other)):
        topics.append("senses.bright-light")
    if any(veils_at(fight, at) != ground_at(fight, at) for at in squares_of(other)):
        topics.append("environment.strong-wind")
    if not sees(fight, viewer, other):
        topics += ["senses.heavily-obscured"] if obscurement_of(fight, viewer, other) == HEAVILY else []
        topics += ["senses.tremorsense"] if pinpoints(fight, viewer, other) else []
    return tuple(topics)


def pinpoints(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether Tremorsense tells a combatant where another is; it is no sight.

    Both must be on the ground, or in water, and the unconscious feel nothing.
    """
    reach = fields_of(fight, combatant).tremorsense
    if not reach or "unconscious" in combatant.conditions:
        return False
    apart = is_in_water(fight, combatant) != is_in_water(fight, other)
    return not (apart or level_of(combatant) or level_of(other)) and distance(combatant, other) <= reach


def knows_place(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant knows where another is: seen, felt, or unseen but not hidden."""
    if sees(fight, combatant, other) or pinpoints(fight, combatant, other):
        return True
    if any(function(fight, held, other) for function, held in ask(fight, combatant, "knows")):
        return True
    if fight.option("invisible_location") == "unknown":
        return False
    return "hidden" not in other.conditions
