"""The chapter on classes in pf1: what stands at each point that is not plain.

Class levels (`classes`) count by themselves: uncanny dodge, rounds of rage, smitings, channeling by paladins.
What else a class gives stands among the traits, in lower case: "sneak attack" (or with its dice: "sneak
attack 3d6"), "weapon training (heavy blades, bows)" (in the order of choice; a weapon's traits name its
group), "evasion", "improved evasion", "channel positive energy" or "channel negative energy", "channel
resistance +4". `turn-undead` channels: "heal" or "harm" all in the burst, but for `targets` whom Selective
Channeling spares; the feats "turn undead" and "command undead" use it on undead.
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import lunge, pledges, vital_strike
from affray.engine.dialects.pf1.classes import (
    arcane_strike,
    channel_energy,
    channel_smite,
    combat_feats,
    fighter,
    intimidate,
    rage,
    saves,
    smite,
    turned_undead,
    use_ability,
)
from affray.engine.dialects.pf1.classes.daily_pools import daily_pools
from affray.engine.dialects.pf1.classes.sheet_names import SHEET_NAMES
from affray.engine.dialects.pf1.classes.skills import SKILLS
from affray.engine.dialects.pf1.gear import armor_check, broken
from affray.engine.modifiers import KINDS
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.classes import Classes
from affray.engine.record.compose import choose, gather, named, refine, steps, when
from affray.engine.record.listed import listed
from affray.engine.record.words import Judged
from affray.engine.rules.attacks import stunning_fist, swarms
from affray.engine.rules.classes import combat_feats as shared_feats
from affray.engine.rules.classes import rage as shared_rage
from affray.engine.rules.classes import saves_and_checks, saves_by_kind, sneak_attack
from affray.engine.rules.classes.derived_statistics import as_printed, on_sheet_so_far
from affray.engine.rules.classes.evasion import evasion
from affray.engine.rules.classes.natures import UNDEAD, natured
from affray.engine.rules.classes.plain import PLAIN_CLASSES
from affray.engine.rules.classes.pools import pools_of_sheet
from affray.engine.rules.defense.enhanced_armor import ENHANCED, RAISED
from affray.engine.rules.gear import object_creature
from affray.events.facts import acts

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    rolls=PLAIN_CLASSES.rolls | rolls(f"1d20: {', '.join(SKILLS)}", "channel"),
    questions=questions("diehard: act, fall"),
    sheet_names=SHEET_NAMES,
    acts={
        acts.TurnUndead: Honours(
            choose(
                when("what in ('turn', 'command')", turned_undead.turn_or_command), channel_energy.channel
            ),
            "targets",
            what=("heal", "harm", "turn", "command"),
        ),
        acts.Demoralize: Honours(intimidate.demoralize, "target"),
        acts.UseAbility: Honours(
            steps(
                use_ability.refuse_ability,
                choose(
                    when("ability == 'rage'", rage.rage),
                    when("ability == 'end rage'", rage.calm_down),
                    when(f"ability == '{lunge.LUNGE}'", lunge.lunge),
                    when(f"ability == '{smite.SMITE}'", smite.declare_smite),
                    when(f"ability == '{intimidate.DISPLAY}'", intimidate.display),
                    when(f"ability == '{arcane_strike.NAME}'", arcane_strike.declare_arcane_strike),
                    channel_smite.declare_channel_smite,
                ),
            ),
            "target",
            ability=Judged(tuple(use_ability.OF)),
            under={"target": {"ability": (smite.SMITE,)}},
        ),
    },
    bonus_kinds=KINDS | {f"{ENHANCED}{kind}" for kind in RAISED},
    attack_features=listed(
        named(fighter.TRAINING, fighter.trained_attack),
        named("greater weapon focus", combat_feats.greater_focus),
        named("point blank shot", shared_feats.point_blank_attack),
    ),
    defense_features=listed(
        object_creature.defense_parts,
        named("dodge", combat_feats.dodge),
        named("two-weapon defense", shared_feats.two_weapon_defense),
    ),
    moving_features=listed(named("mobility", shared_feats.mobility_bonus)),
    damage_features=listed(
        broken.on_damage,
        named(fighter.TRAINING, fighter.trained_damage),
        named("greater weapon specialization", combat_feats.greater_specialization),
        named("point blank shot", shared_feats.point_blank_damage),
        named("power attack", pledges.power_damage),
        named(arcane_strike.NAME, arcane_strike.arcane_damage),
        named("deadly aim", pledges.aim_damage),
        named("sneak attack", sneak_attack.sneak_denied),
        named("paladin", smite.damage_of_first_hit),
    ),
    dice_features=listed(
        named(vital_strike.VITAL, vital_strike.vital_dice),
        named("sneak attack", sneak_attack.sneak_dice),
    ),
    initiative_features=listed(named("improved initiative", shared_feats.improved_initiative_bonus)),
    derived_statistics=refine(as_printed, on_sheet_so_far(combat_feats.toughness)),
    pools=gather(pools_of_sheet, stunning_fist.daily_stuns, daily_pools),
    save_bonus=refine(
        saves_and_checks.save_bonus,
        saves_by_kind.by_kind_of_save,
        when(natured("combatant", UNDEAD), saves.save_without_constitution),
    ),
    after_save=refine(saves_and_checks.half_on_save, evasion()),
    save_features=listed(
        named("rage", shared_rage.rage_save_bonus),
        named("barbarian", shared_rage.rage_save_bonus),
    ),
    shrug_features=listed(named("swarm", swarms.swarm_resists)),
    save_against_condition=fighter.bravery,
    check_penalty=refine(
        armor_check.check_penalty, when("'fighter' in sheet.classes", fighter.lighter_armor)
    ),
)
