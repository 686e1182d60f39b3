"""Feats, class abilities and special qualities that add to rolls (srd35.feat.*, srd35.class.*)."""

from affray.engine.rules.features import Feature
from affray.engine.rules.turning_power import synergy

FEATURES: tuple[Feature, ...] = (Feature("knowledge religion", check=synergy),)
