"""The chapter on position in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import unarmed
from affray.engine.dialects.futurepath.opportunity import gun_butt
from affray.engine.dialects.futurepath.position import occupancy
from affray.engine.record.compose import choose, refine, when
from affray.engine.record.position import Position
from affray.engine.rules.position.plain import PLAIN_POSITION

POSITION: Position = replace(
    PLAIN_POSITION,
    space_and_reach=choose(
        when("sheet.size == 'medium'", occupancy.human_space_and_reach), PLAIN_POSITION.space_and_reach
    ),
    placed=refine(PLAIN_POSITION.placed, occupancy.also_by_scale),
    reach_bands=refine(unarmed.reach_bands, gun_butt.bands_with_butts),
)
