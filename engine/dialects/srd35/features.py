"""Feats, class abilities and special qualities that add to rolls (srd35.feat.*, srd35.class.*)."""

from affray.engine.rules.feats import FEATS
from affray.engine.rules.features import Feature
from affray.engine.rules.magic import feats as caster_feats

FEATURES: tuple[Feature, ...] = (*FEATS, *caster_feats.FEATS)
