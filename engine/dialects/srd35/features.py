"""Feats, class abilities and special qualities that add to rolls (srd35.feat.*, srd35.class.*)."""

from affray.engine.rules import favored, monk, paladin, rage, sneak_attack
from affray.engine.rules.bearing import HANDLING
from affray.engine.rules.blasting import POWERFUL_CHARGE
from affray.engine.rules.feats import FEATS
from affray.engine.rules.features import Feature
from affray.engine.rules.magic import feats as caster_feats
from affray.engine.rules.skirmish import MOBILITY
from affray.engine.rules.swarm import SWARM
from affray.engine.rules.thing import THING
from affray.engine.rules.turning_power import synergy

CLASS_ABILITIES = (
    Feature("knowledge religion", check=synergy),
    Feature("sneak attack", damage=sneak_attack.sneak_denied, dice=sneak_attack.sneak_dice),
    Feature("rage", attack=rage.attack, damage=rage.damage, save=rage.save),
    Feature("barbarian", attack=rage.attack, damage=rage.damage, save=rage.save),
    Feature("monk", defense=monk.body, damage=monk.fist_cites),
    Feature("favored enemy", damage=favored.damage),
    Feature("divine grace", save=paladin.grace),
)

FEATURES: tuple[Feature, ...] = (
    *FEATS,
    *caster_feats.FEATS,
    *CLASS_ABILITIES,
    MOBILITY,
    SWARM,
    HANDLING,
    POWERFUL_CHARGE,
    THING,
)
