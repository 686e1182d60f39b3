"""The chapter on classes in srd35: what stands at each point that is not plain.

Class levels (`classes`) count by themselves: uncanny dodge, a barbarian's damage reduction, a monk's fists,
levels for turning. What else a class gives stands among the traits, in lower case: "turn undead" or "rebuke
undead" with "good" or "evil", "turn resistance +4", "knowledge religion 5" (ranks), "sneak attack" (or with
its dice: "sneak attack 3d6"), "evasion", "improved evasion", "divine grace", "favored enemy undead +4",
"defensive roll", "opportunist". `turn-undead` and `use-ability` bring them to bear. "crippling strike" (rogue
10) costs Strength with every sneak attack; "arms 4" counts the arms for "multiweapon fighting".
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import (
    combat_feats,
    derived_statistics,
    favored_enemy,
    fear_bonuses,
    gm_checks,
    inspire_courage,
    intimidate,
    monk,
    paladin,
    rage,
    saves,
    take_10_20,
    turn_undead,
    turning_power,
    use_ability,
)
from affray.engine.dialects.srd35.classes.daily_pools import daily_pools
from affray.engine.dialects.srd35.classes.sheet_names import SHEET_NAMES
from affray.engine.dialects.srd35.environment import gm_settings
from affray.engine.dialects.srd35.gear import object_saves, weapon_modifiers
from affray.engine.dialects.srd35.maneuvers import awesome_blow
from affray.engine.dialects.srd35.movement import load_penalties
from affray.engine.modifiers import KINDS
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.classes import Classes
from affray.engine.record.compose import choose, gather, named, refine, steps, when
from affray.engine.record.listed import listed
from affray.engine.record.words import Judged
from affray.engine.rules.attacks import swarms
from affray.engine.rules.attacks.stunning_fist import daily_stuns
from affray.engine.rules.classes import combat_feats as shared_feats
from affray.engine.rules.classes import rage as shared_rage
from affray.engine.rules.classes import saves_and_checks, sneak_attack
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.classes.evasion import evasion
from affray.engine.rules.classes.plain import PLAIN_CLASSES
from affray.engine.rules.classes.pools import pools_of_sheet
from affray.engine.rules.defense.enhanced_armor import ENHANCED, RAISED
from affray.engine.rules.gear import object_creature
from affray.events.facts import acts

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    rolls=PLAIN_CLASSES.rolls
    | rolls(
        "1d20: constitution, demoralize, heal, sleight of hand, str, strength, survival, turning, use-rope",
        "2d6: turning-damage",
    ),
    questions=questions(
        "defensive-roll: roll, take",
        "diehard: act, fall",
        "distracted: distracted, calm",
        "first: <combatant>",
        "release: keep, release",
        "skip: skip, include",
    ),
    sheet_names=SHEET_NAMES,
    acts={
        acts.TurnUndead: Honours(
            turn_undead.turn_undead,
            "kind targets words",
            what=("turn", "rebuke", "bolster", "dispel", "order", "release"),
            under={
                "kind": {"what": ("turn", "rebuke", "bolster", "dispel")},
                "targets": {"what": ("bolster", "order", "release")},
                "words": {"what": ("order",)},
            },
        ),
        acts.UseAbility: Honours(
            steps(
                use_ability.refuse_ability,
                choose(
                    when("ability == 'rage'", rage.rage),
                    when("ability == 'end rage'", rage.calm_down),
                    when(f"ability == '{paladin.SMITE}'", paladin.declare_smite),
                    when(f"ability == '{paladin.HANDS}'", paladin.lay_on_hands),
                    when(f"ability == '{inspire_courage.INSPIRE}'", inspire_courage.inspire),
                    inspire_courage.stop_music,
                ),
            ),
            "target amount",
            ability=Judged(tuple(use_ability.OF)),
            under={
                "target": {"ability": (paladin.SMITE, paladin.HANDS)},
                "amount": {"ability": (paladin.HANDS,)},
            },
        ),
        acts.Circumstance: Honours(take_10_20.circumstance, "target hampers why", changes=take_10_20.CHANGES),
        acts.Demoralize: Honours(intimidate.demoralize, "target"),
    },
    save_bonus=refine(
        saves_and_checks.save_bonus,
        saves.class_base_save,
        object_saves.object_save,
    ),
    after_save=refine(
        saves_and_checks.half_on_save,
        evasion(saves.CRAMPED),
        gm_settings.evade_behind_cover,
    ),
    saves_never=object_saves.saves_never,
    save_against_condition=gather(
        when("effects", fear_bonuses.inspired_save_bonus),
        fear_bonuses.aura_of_courage,
    ),
    take_10_20=take_10_20.number_taken,
    gm_check=gm_checks.called_for,
    bonus_kinds=KINDS | {f"{ENHANCED}{kind}" for kind in RAISED},
    attack_features=listed(
        named("greater weapon focus", combat_feats.greater_focus),
        named("point blank shot", shared_feats.point_blank_attack),
        named("power attack", combat_feats.power_attack_penalty),
        weapon_modifiers.attack_parts,
    ),
    defense_features=listed(
        named("two-weapon defense", shared_feats.two_weapon_defense),
        named("monk", monk.monk_armor_bonus),
        object_creature.defense_parts,
    ),
    moving_features=listed(named("mobility", shared_feats.mobility_bonus)),
    damage_features=listed(
        named("greater weapon specialization", combat_feats.greater_specialization),
        named("point blank shot", shared_feats.point_blank_damage),
        named("power attack", combat_feats.power_damage),
        named("sneak attack", sneak_attack.sneak_denied),
        named("monk", monk.cite_monk_table),
        named("favored enemy", favored_enemy.favored_enemy_damage),
        weapon_modifiers.damage_parts,
    ),
    dice_features=listed(
        named("sneak attack", sneak_attack.sneak_dice),
        named("powerful charge", awesome_blow.charge_dice),
    ),
    save_features=listed(
        saves.better_save("great fortitude", "fort"),
        saves.better_save("lightning reflexes", "ref"),
        saves.better_save("iron will", "will"),
        named("rage", shared_rage.rage_save_bonus),
        named("barbarian", shared_rage.rage_save_bonus),
        named("divine grace", paladin.divine_grace_bonus),
    ),
    check_features=listed(
        named("knowledge religion", turning_power.turning_synergy),
        weapon_modifiers.check_parts,
    ),
    initiative_features=listed(
        named("improved initiative", shared_feats.improved_initiative_bonus),
        weapon_modifiers.initiative_parts,
    ),
    shrug_features=listed(named("swarm", swarms.swarm_resists)),
    pools=gather(pools_of_sheet, daily_pools, daily_stuns),
    check_penalty=load_penalties.check_penalty,
    derived_statistics=refine(
        as_printed,
        on_sheet_so_far(derived_statistics.class_base_attack),
        on_sheet_so_far(derived_statistics.toughness),
    ),
)
