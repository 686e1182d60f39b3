"""The chapter on damage in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.dialects.pf1.damage import injury as own_injury
from affray.engine.record.damage import Damage
from affray.engine.rules.damage.plain import PLAIN_DAMAGE

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    strength_damage=own_attack.strength_damage,
    minimum_is_nonlethal=True,
    injure=own_injury.injure,
    bleed_out=own_injury.bleed_out,
    death_at=own_injury.death_at,
    massive_damage=own_injury.massive_damage,
    nonlethal_limit=own_injury.nonlethal_limit,
)
