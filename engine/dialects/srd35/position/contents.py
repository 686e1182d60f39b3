"""The chapter on position in srd35: what stands at each point that is not plain.

Traits of a sheet that the ground asks for: "flying" and "incorporeal" (not hampered by it), "bulky" (an
obstacle even when helpless), "fills its space" (passed by nobody), "swarm". Who flies or climbs is at the
height that the condition's level says, and distances count it; the "incorporeal" and the "ethereal" pass
through walls.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.opportunity import attacks_of_opportunity
from affray.engine.dialects.srd35.position import creature_size, ethereal, pass_through
from affray.engine.record.compose import choose, gather, when
from affray.engine.record.position import Position
from affray.engine.rules.magic import charge_as_weapon
from affray.engine.rules.magic.lost_charge import CHARGED
from affray.engine.rules.position import long_reach
from affray.engine.rules.position import space_and_reach as shared_space
from affray.engine.rules.position.plain import PLAIN_POSITION

POSITION: Position = replace(
    PLAIN_POSITION,
    space_and_reach=creature_size.space_and_reach_by_size,
    refuse_taken=choose(
        when("", pass_through.refuse_to_share, holds=pass_through.may_share), shared_space.refuse_taken
    ),
    placed=gather(shared_space.rules_of_space, creature_size.rules_on_place),
    out_of_reach=long_reach.out_of_reach,
    levels_apart=ethereal.distance_between_planes,
    walls_part=ethereal.walls_part,
    reach_bands=attacks_of_opportunity.bands_without_rakes,
    arming=frozenset({CHARGED}),
    bands_by_state=charge_as_weapon.bands_of_charge,
)
