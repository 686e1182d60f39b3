"""Feats, class abilities and special qualities that add to rolls (srd35.feat.*, srd35.class.*)."""

from affray.engine.rules.bearing import HANDLING
from affray.engine.rules.blasting import POWERFUL_CHARGE
from affray.engine.rules.feats import FEATS
from affray.engine.rules.features import Feature
from affray.engine.rules.thing import THING

FEATURES: tuple[Feature, ...] = (
    *FEATS,
    HANDLING,
    POWERFUL_CHARGE,
    THING,
)
