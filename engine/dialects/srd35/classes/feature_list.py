"""Feats, class abilities and special qualities that add to rolls (srd35.feat.*, srd35.class.*)."""

from affray.engine.dialects.srd35.attacks.spring_attack import MOBILITY
from affray.engine.dialects.srd35.attacks.swarms import SWARM
from affray.engine.dialects.srd35.classes import favored_enemy, monk, paladin, rage, saves, sneak_attack
from affray.engine.dialects.srd35.classes.combat_feats import FEATS
from affray.engine.dialects.srd35.classes.turning_power import turning_synergy
from affray.engine.dialects.srd35.gear.object_creature import THING
from affray.engine.dialects.srd35.gear.weapon_modifiers import HANDLING
from affray.engine.dialects.srd35.maneuvers.awesome_blow import POWERFUL_CHARGE
from affray.engine.record.classes import Feature

CLASS_ABILITIES = (
    Feature("knowledge religion", check=turning_synergy),
    Feature("sneak attack", damage=sneak_attack.sneak_denied, dice=sneak_attack.sneak_dice),
    Feature("rage", attack=rage.rage_attack, damage=rage.rage_damage, save=rage.rage_save_bonus),
    Feature("barbarian", attack=rage.rage_attack, damage=rage.rage_damage, save=rage.rage_save_bonus),
    Feature("monk", defense=monk.monk_armor_bonus, damage=monk.cite_monk_table),
    Feature("favored enemy", damage=favored_enemy.favored_enemy_damage),
    Feature("divine grace", save=paladin.divine_grace_bonus),
)

FEATURES: tuple[Feature, ...] = (
    *FEATS,
    *saves.FEATS,
    *CLASS_ABILITIES,
    MOBILITY,
    SWARM,
    HANDLING,
    POWERFUL_CHARGE,
    THING,
)
