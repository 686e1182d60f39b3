"""The chapter on damage in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35 import contested
from affray.engine.dialects.srd35.attacks import after_hit
from affray.engine.dialects.srd35.classes import endurance, rogue
from affray.engine.dialects.srd35.conditions import poison
from affray.engine.dialects.srd35.damage import (
    damage_reduction,
    strength_to_damage,
    temporary_hit_points,
    weapon_material,
)
from affray.engine.dialects.srd35.damage import injury as srd35_injury
from affray.engine.dialects.srd35.damage import rest as srd35_rest
from affray.engine.dialects.srd35.magic import magic_steps
from affray.engine.record.acts import Honours
from affray.engine.record.damage import Damage
from affray.engine.rules.damage.plain import PLAIN_DAMAGE
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    acts={
        **PLAIN_DAMAGE.acts,
        acts.Stabilize: Honours(minor_acts.stabilize, "target", "take"),
        acts.Treat: Honours(poison.treat, "target"),
        acts.Rest: Honours(srd35_rest.rest, "hours", "minutes", "bed", "healer", "care"),
    },
    strength_damage=strength_to_damage.strength_damage,
    force_rules=after_hit.force_rules,
    damage_kind=damage_reduction.chosen_kind,
    along_with_damage=rogue.bring_along,
    reduce=weapon_material.reduce,
    roll_with=magic_steps.meanwhile,
    injure=magic_steps.injure,
    loss_topics=contested.loss_topics,
    dying_from=contested.dying_from,
    bleed_out=contested.dying,
    last_stand=endurance.last_stand,
    death_at=contested.death_at,
    massive_damage=srd35_injury.massive_damage,
    effect_over=temporary_hit_points.lapse,
)
