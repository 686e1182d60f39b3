"""The plain values of the chapter on position: complete, for a dialect to start from."""

from affray.engine.fight.fight import Fight
from affray.engine.record.position import Bands, Position
from affray.engine.record.silent import yes
from affray.engine.rules.gear.weapons_in_hand import out_of_reach, plain_bands
from affray.engine.rules.position.place import no_height_between
from affray.engine.rules.position.space_and_reach import refuse_taken, rules_of_space, space_and_reach
from affray.engine.rules.position.thin_walls import is_walled_off, refuse_through_walls
from affray.projections.state import Combatant


def bands_of_weapons(fight: Fight, combatant: Combatant, found: Bands) -> Bands:
    """Return the distances at which a combatant threatens: with its weapons alone, whatever its state."""
    return found


PLAIN_POSITION = Position(
    acts={},
    space_and_reach=space_and_reach,
    refuse_taken=refuse_taken,
    placed=rules_of_space,
    out_of_reach=out_of_reach,
    reach_bands=plain_bands,
    arming=frozenset(),
    bands_by_state=bands_of_weapons,
    levels_apart=no_height_between,
    walls_part=yes,
    walled_off=is_walled_off,
    through_walls=refuse_through_walls,
)
