"""The chapter on position in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.opportunity import gun_butt
from affray.engine.dialects.futurepath.position import occupancy
from affray.engine.record.compose import refine
from affray.engine.record.position import Position
from affray.engine.rules.position.plain import PLAIN_POSITION

POSITION: Position = replace(
    PLAIN_POSITION,
    space_and_reach=occupancy.side_and_reach,
    placed=occupancy.rules_of_place,
    reach_bands=refine(PLAIN_POSITION.reach_bands, gun_butt.bands_with_butts),
)
