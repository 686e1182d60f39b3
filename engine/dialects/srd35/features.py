"""Feats, class abilities and special qualities that add to rolls (srd35.feat.*, srd35.class.*)."""

from affray.engine.rules.feats import FEATS
from affray.engine.rules.features import Feature

FEATURES: tuple[Feature, ...] = (*FEATS,)
