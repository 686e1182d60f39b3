"""The feats, class abilities and special qualities that `woa` knows, and where each has a say."""

from affray.engine.dialects.woa.conditions import flight_from_fear
from affray.engine.dialects.woa.damage import damage_feats
from affray.engine.dialects.woa.grapple import grab_modifiers
from affray.engine.dialects.woa.maneuvers import maneuver_bonuses
from affray.engine.dialects.woa.movement import blind_movement, movement_rules
from affray.engine.dialects.woa.senses import blinded_deafened
from affray.engine.record.classes import Feature

FEATURES: tuple[Feature, ...] = (
    *movement_rules.FEATURES,
    Feature("", attack=blinded_deafened.blow_sight),
    Feature("", attack=flight_from_fear.stands_ground),
    *blind_movement.FEATURES,
    *maneuver_bonuses.FEATURES,
    Feature("weapon specialization", damage=damage_feats.weapon_specialization),
    Feature("favored enemy", damage=damage_feats.favored_enemy_bonus),
    *grab_modifiers.FEATURES,
)
"""In the order in which their modifiers are listed."""
