"""Feats, class abilities and special qualities that add to rolls (srd35.feat.*, srd35.class.*)."""

from affray.engine.rules.attacks import sneak_attack
from affray.engine.rules.attacks.skirmish import MOBILITY
from affray.engine.rules.attacks.swarm import SWARM
from affray.engine.rules.classes import favored, monk, paladin, rage
from affray.engine.rules.classes.feats import FEATS
from affray.engine.rules.classes.features import Feature
from affray.engine.rules.classes.turning_power import synergy
from affray.engine.rules.gear.bearing import HANDLING
from affray.engine.rules.gear.thing import THING
from affray.engine.rules.magic import feats as caster_feats
from affray.engine.rules.maneuvers.blasting import POWERFUL_CHARGE

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
