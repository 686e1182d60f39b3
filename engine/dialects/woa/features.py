"""The feats, class abilities and special qualities that `woa` knows, and where each has a say."""

from affray.engine.dialects.woa.attacks import strengths
from affray.engine.dialects.woa.harm import fear
from affray.engine.dialects.woa.holding import clutch_modifiers
from affray.engine.dialects.woa.maneuvers import steadiness
from affray.engine.dialects.woa.moving import going, groping
from affray.engine.dialects.woa.place import sight
from affray.engine.rules.classes.features import Feature

FEATURES: tuple[Feature, ...] = (
    *going.FEATURES,
    Feature("", attack=sight.blow_sight),
    Feature("", attack=fear.stands_ground),
    *groping.FEATURES,
    *steadiness.FEATURES,
    Feature("weapon specialization", damage=strengths.specialized),
    Feature("favored enemy", damage=strengths.favored),
    *clutch_modifiers.FEATURES,
)
"""In the order in which their modifiers are listed."""
