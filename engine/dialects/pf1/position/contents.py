"""The chapter on position in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.dialects.pf1.attacks import natural_weapons
from affray.engine.dialects.pf1.position import reach, very_small
from affray.engine.record.compose import choose, refine, when
from affray.engine.record.position import Position
from affray.engine.rules.magic import charge_as_weapon
from affray.engine.rules.magic.lost_charge import CHARGED
from affray.engine.rules.position import long_reach, space_and_reach
from affray.engine.rules.position.plain import PLAIN_POSITION

POSITION: Position = replace(
    PLAIN_POSITION,
    space_and_reach=own_attack.space_and_reach_by_size,
    refuse_taken=choose(
        when("", very_small.refuse_to_share, holds=very_small.shares_squares), space_and_reach.refuse_taken
    ),
    out_of_reach=refine(long_reach.out_of_reach, reach.rule_of_reach),
    reach_bands=natural_weapons.reach_bands,
    arming=frozenset({CHARGED}),
    bands_by_state=charge_as_weapon.bands_of_charge,
)
