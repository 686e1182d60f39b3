"""The feats, class abilities and special qualities that `woa` knows, and where each has a say."""

from affray.engine.dialects.woa import groping, steadiness
from affray.engine.rules.features import Feature

FEATURES: tuple[Feature, ...] = (*groping.FEATURES, *steadiness.FEATURES)
"""In the order in which their modifiers are listed."""
