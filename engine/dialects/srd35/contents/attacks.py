"""The chapters on attacks, defense and damage in srd35: the functions at each point, in the order of a
blow.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35 import (
    attacks,
    defense,
    environment,
    gear,
    mounted,
    opportunity,
    position,
    senses,
)
from affray.engine.dialects.srd35.attacks import cite_attack_table, cite_defense_table
from affray.engine.dialects.srd35.classes import abilities, turning
from affray.engine.dialects.srd35.conditions import condition_table
from affray.engine.dialects.srd35.damage import injury, reduction_and_rest
from affray.engine.dialects.srd35.defense import behind_tower_shield
from affray.engine.dialects.srd35.environment import shot_through_water, water_cover
from affray.engine.dialects.srd35.grapple import grapple, restraints
from affray.engine.dialects.srd35.maneuvers import bull_rush_and_trip
from affray.engine.dialects.srd35.movement import movement, speed
from affray.engine.dialects.srd35.position import cite_place
from affray.engine.record.acts import SAID, UNSAID, ActSpec, Fields, Judged, questions, rolls
from affray.engine.record.chapters import Attacks, Damage, Defense, substitutes
from affray.engine.record.compose import (
    amend,
    any_of,
    choose,
    first,
    gather,
    never,
    no_parts,
    refine,
    steps,
    until,
    when,
)
from affray.engine.rules import defense as shared_defense
from affray.engine.rules import environment as shared_environment
from affray.engine.rules.attacks import (
    aid,
    attack_roll,
    declared_blow,
    full_attack,
    natural_weapons,
    straight_charge,
)
from affray.engine.rules.attacks.aid import make_skill_aid_resolver
from affray.engine.rules.attacks.attack_roll import ATTACKER_STATE, deny_flanking_by_immunity, higher_ground
from affray.engine.rules.classes import feats
from affray.engine.rules.classes.checks import SKILLS
from affray.engine.rules.classes.sheets import INCORPOREAL, natured
from affray.engine.rules.conditions.conditions import is_spared_massive_damage
from affray.engine.rules.damage import damage, recovery_and_riders
from affray.engine.rules.damage import injury as shared_injury
from affray.engine.rules.gear import nets, objects, splash_weapons
from affray.engine.rules.gear.weapons_in_hand import THROWS, leave_hand
from affray.engine.rules.magic import casting, spell_effects, touch_spells
from affray.engine.rules.magic.ongoing_spells import eyes_turned_away
from affray.engine.rules.mounted import mounted_combat, riding
from affray.engine.rules.plain import PLAIN_ATTACKS, PLAIN_DAMAGE, PLAIN_DEFENSE, no_massive_damage
from affray.engine.rules.senses import senses as shared_senses
from affray.engine.rules.turns import actions
from affray.events.facts import acts

# --- The chapter on attacks in srd35: each point that differs from the default, in the order of an attack

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls | rolls("1d100: miss-chance", "1d20: aid", "swarm"),
    questions=PLAIN_ATTACKS.questions
    | questions(
        "aid: ends, lasts",
        "cleave: <combatant>, decline",
        "deflect: deflect, decline, throw back, catch",
        "provokes: yes, no",
    ),
    acts={
        **PLAIN_ATTACKS.acts,
        acts.Flyby: ActSpec(attacks.flyby, "path up after then"),
        acts.Charge: ActSpec(
            refine(
                straight_charge.charge_straight,
                movement.charge_unless_winded,
                bull_rush_and_trip.pounce_after_charge,
            ),
            "target path weapon item power",
            special=substitutes,
            under={"item": {"special": ("disarm", "sunder")}},
        ),
        acts.Attack: ActSpec(
            senses.attack_creature_or_square,
            "target weapon thrown nonlethal defensively power expertise stunning at aim",
            under={
                "at": {"target": UNSAID},
                "aim": dict.fromkeys(("at", "defensively", "power", "expertise", "stunning"), UNSAID),
            },
        ),
        acts.FullAttack: ActSpec(
            amend(
                splash_weapons.throw_flasks,
                steps(
                    when(mounted_combat.RIDDEN, mounted_combat.refuse_to_send),
                    refine(
                        gear.full_attack_and_rend,
                        when(mounted_combat.MOUNTED, mounted_combat.rider_strikes),
                        when(mounted_combat.RIDDEN, mounted_combat.mount_attacks),
                    ),
                ),
            ),
            "nonlethal defensively flurry power expertise second rapid_shot whirlwind",
            strikes=Fields(
                "target weapon thrown item off_hand stunning",
                special=substitutes,
                under={
                    "item": {"special": ("disarm", "sunder", "grapple")},
                    "thrown": {"special": UNSAID},
                    "stunning": {"special": UNSAID},
                },
            ),
        ),
        acts.Skirmish: ActSpec(attacks.skirmish, "path target weapon onward"),
        acts.Manyshot: ActSpec(attacks.manyshot, "target weapon arrows"),
        acts.UseFeat: ActSpec(attacks.use_feat, "target", feat=Judged(("dodge",))),
        acts.Aid: ActSpec(
            choose(
                when("benefit == 'check'", make_skill_aid_resolver(SKILLS)),
                when("benefit == 'condition'", attacks.with_condition),
                aid.aid,
            ),
            "friend opponent benefit what weapon",
            under={
                "opponent": {"benefit": ("attack", "defense")},
                "weapon": {"benefit": ("attack", "defense")},
                "what": {"benefit": ("check", "condition")},
            },
        ),
        acts.CoupDeGrace: ActSpec(
            first(
                attacks.refuse_distant_shot,
                attacks.locate_first,
                refine(declared_blow.coup_de_grace, attacks.cite_grounds),
            ),
            "target weapon",
        ),
        acts.Brace: ActSpec(declared_blow.brace, "weapon target"),
    },
    stack=defense.stack,
    before_attacks=natural_weapons.cite_armed_fists,
    before_blow=steps(when("melee and 'provokes' in weapon.traits", gear.provoke_by_whip)),
    before_roll=steps(
        when("'grappling' in target.conditions", grapple.strike_into_grapple),
        when("'turned' in target.conditions", turning.break_turning),
        when("target.conditions", condition_table.rouse_attacked),
        when("attacker.effects", abilities.smite),
        when("attacker.sheet.traits or attacker.sheet.classes", feats.record_sneak_opening),
    ),
    attack_bonus=refine(
        attack_roll.attack_bonus,
        when(
            "weapon.thrown and not (melee or weapon.proficient)",
            splash_weapons.needs_no_proficiency,
            holds=defense.splash_proficiency,
        ),
        when("melee", when(natured("attacker", INCORPOREAL), position.dexterity_without_body)),
    ),
    attack_situation=refine(
        gather(
            when("attacker.effects", attacks.cite_aid_to_attack),
            cite_place,
            senses.cite_sight,
            when("not melee", attack_roll.cite_ignored_concealment),
            *ATTACKER_STATE,
            when("melee", attacks.flanking_bonus),
            when("melee", higher_ground),
            when("not melee", attacks.cite_far_shot),
            when("not melee", attacks.range_penalty),
            when("not melee", attacks.into_melee),
            when("not melee", attacks.higher_ground_at_range),
            when("not melee", attacks.flanking_at_range),
            when(
                f"melee and {shared_environment.IN_WATER!r} in attacker.conditions",
                shared_environment.swung_in_water,
            ),
            when(f"not melee and {shared_environment.IN_WATER!r} in attacker.conditions", shot_through_water),
            when(
                f"{shared_environment.OFF_BALANCE!r} in target.conditions",
                shared_environment.off_balance_target,
            ),
            when("melee and attacker.mount", riding.from_above),
            when("target.conditions", turning.cowering_undead),
        ),
        when("'invisible' in attacker.conditions", senses.invisible_attacker),
        when("found", deny_flanking_by_immunity),
        when("found", feats.deny_flanking),
        when("found", cite_attack_table),
    ),
    range_increment=attacks.range_increment,
    finesse=refine(attack_roll.finesse, when("found", opportunity.is_trained_in_finesse)),
    miss_chance=refine(
        senses.chance_by_concealment,
        when("attacker.effects", eyes_turned_away),
        when("not melee and found[0]", attack_roll.deny_concealment_to_precise_shot),
    ),
    barred=first(
        when("attacker.sheet.traits", natural_weapons.bar_single_blow),
        position.inside_object,
        when("attacker.mount", mounted.bar_longbow),
        behind_tower_shield,
    ),
    through_surface=position.through_surface,
    threatens_critical=any_of(
        when(attack_roll.WITH_FEAT, attack_roll.is_in_widened_range),
        when("natural >= weapon.threat or 'keen' in weapon.traits", attacks.in_threat_range),
    ),
    finds_its_mark=choose(
        when("'ethereal' in target.conditions or 'blinking' in target.conditions", never),
        shared_senses.strikes_home,
    ),
    passes_through=until(
        when(natured("target", INCORPOREAL), position.passes_through),
        when("target.sheet.thing is not None", reduction_and_rest.is_useless_on_object),
    ),
    deflected=attacks.is_deflected,
    after_miss=steps(
        when(
            "outcome.natural == 1 and weapon.wield not in ('natural', 'unarmed')",
            condition_table.poison_by_fumble,
        )
    ),
    after_hit=steps(
        when("'entangle' in weapon.traits and 'dead' not in target.conditions", restraints.entangle),
        when("'improved grab' in weapon.traits and intent.kind != 'grapple'", grapple.grab),
        when("intent.arrows > 1", declared_blow.further_arrows),
        when("intent.stunning", refine(natural_weapons.stun, attacks.cite_halved_level)),
        when("melee and target.conditions and intent.kind != 'whirlwind'", attacks.cleave),
        when("attacker.conditions or target.conditions", senses.locate_attacker, holds=senses.strikes_unseen),
        when("melee", abilities.opportunist_attacks),
    ),
    after_blow=steps(
        when("'splash' in weapon.traits", splash_weapons.break_flask),
        when("not melee and 'entangle' in weapon.traits", nets.cast_away),
        when("not melee and 'splash' not in weapon.traits", gear.empty_weapon),
        when(f"{THROWS} and 'splash' not in weapon.traits and 'entangle' not in weapon.traits", leave_hand),
        when(
            "melee and 'splash' not in weapon.traits and (weapon.off_hand or 'shield bash' in weapon.traits)",
            gear.lower_striking_shield,
        ),
        when("attacker.conditions", touch_spells.discharge_by_strike),
    ),
    attack_series=choose(
        when("act.whirlwind", full_attack.once_each),
        when("act.flurry", abilities.series_of_flurry),
        when(
            "sheet.weapons",
            first(
                natural_weapons.refuse_limbs,
                natural_weapons.limbs_and_hands(full_attack.series_of_hands),
            ),
            holds=natural_weapons.is_natural_strike,
        ),
        full_attack.series_of_hands,
    ),
    two_weapon_parts=attacks.two_weapon_penalties,
    off_hand_series=attacks.off_hand_series,
    begin_full_attack=gather(
        attacks.spend_full_round,
        when("act.rapid_shot", attacks.shoot_rapidly),
        when("second", attacks.table_rules_told),
    ),
    secondary_limb=natural_weapons.is_marked_secondary,
    usual_strikes=choose(
        when("weapon.wield == 'natural'", natural_weapons.strikes_of_every_limb), full_attack.usual_strikes
    ),
    declared_feats=attacks.declare_feats,
    drawn_together=full_attack.drawn_together,
    no_automatic_rule="srd35.check.no-auto",
)
"""Natural weapons have `wield = "natural"` and traits "attacks 2", "secondary", "improved grab", "rake",
"rends"; the creature's own traits are "pounce", "constrict 1d8+6", "rend 2d6+9", "powerful charge 2d6",
"swallow whole 2d8+8" and "gut 25" (the damage that cuts a way out).
"""


# --- The chapter on defense in srd35: each point that differs from the default, in the order of an attack

ATTACKER_BODILESS, TARGET_BODILESS = natured("attacker", INCORPOREAL), natured("target", INCORPOREAL)

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    rolls=rolls("1d100: incorporeal"),
    dexterity_denied=refine(
        shared_defense.dexterity_denied,
        when("target.conditions and target.sheet.traits", senses.dexterity_without_eyes),
        when("'invisible' in attacker.conditions", senses.sensed_attacker),
        when("attacker.effects or 'unlit' in attacker.conditions", senses.unseen_attacker),
        when("target.conditions", grapple.dexterity_in_grapple),
    ),
    helpless_dexterity=refine(
        shared_defense.helpless_dexterity,
        when("not melee", defense.helpless_at_range),
    ),
    uncanny_dodge=feats.is_uncanny,
    dexterity_cap=speed.dexterity_cap,
    defense_bonus=refine(
        first(
            when("'swallowed' in attacker.conditions", grapple.armor_from_inside),
            refine(
                shared_defense.printed_armor_class,
                when(ATTACKER_BODILESS, defense.incorporeal_touch),
                defense.cite_lost_parts,
            ),
        ),
        when("'pinned' in target.conditions", grapple.pinned_dexterity),
        shared_defense.enhanced_armor,
        defense.armor_as_worn,
        when(ATTACKER_BODILESS, when(f"not {TARGET_BODILESS}", position.cite_passed_armor)),
        when(TARGET_BODILESS, position.defense_without_body),
    ),
    cover=refine(
        choose(
            when("'ethereal' in attacker.conditions and 'ethereal' in target.conditions", no_parts),
            when("", position.cover_of_object, holds=position.is_target_inside),
            when("", no_parts, holds=position.is_attacker_inside),
            first(
                when("target.conditions", water_cover),
                when("target.mount", riding.behind_mount),
                defense.cover_on_the_map,
            ),
        ),
        when("found and not melee", attack_roll.deny_cover_to_precise_shot),
    ),
    defense_situation=refine(
        gather(
            *shared_defense.TARGET_STATE,
            when("target.effects", attacks.cite_aid_to_defense),
            when(feats.TAKEN_UNAWARES, feats.cite_uncanny_dodge),
            when("'grappling' in target.conditions", grapple.grappling_penalty),
        ),
        when("found", cite_defense_table),
        when("target.conditions and target.sheet.traits", senses.defense_without_eyes),
        when("found", defense.cite_helpless),
        when("found and 'prone' in target.conditions", shared_defense.worse_of_helpless_and_prone),
        when("'pinned' in target.conditions", grapple.pinned_penalty),
    ),
    reflex_cover=first(
        when(f"target.mount and '{riding.BEHIND}' in target.conditions", riding.reflex_behind_mount),
        defense.reflex_behind_soft_cover,
        when(f"'{senses.IMPROVED_COVER}' in target.conditions", defense.reflex_behind_improved_cover),
        spell_effects.reflex_cover,
    ),
    around_corners=defense.around_corners,
)


# --- The chapter on damage in srd35: each point that differs from the default, in the order of a hit

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    rolls=PLAIN_DAMAGE.rolls | rolls("1d100: begin-to-heal, incorporeal, stabilize, wake"),
    questions=questions(
        "damage-type: piercing, slashing",
        "object: usual, useless, double, past hardness, double past hardness",
    ),
    acts={
        **PLAIN_DAMAGE.acts,
        acts.Stabilize: ActSpec(actions.stabilize, "target take"),
        acts.Treat: ActSpec(condition_table.treat_poison, "target"),
        acts.Rest: ActSpec(
            reduction_and_rest.rest,
            "hours minutes bed healer care",
            under={"bed": {"hours": SAID}, "care": {"healer": SAID}},
        ),
    },
    damage_kind=reduction_and_rest.chosen_kind,
    strength_damage=refine(
        damage.strength_share,
        when("'as printed' in weapon.traits", recovery_and_riders.nothing_of_strength),
        when(
            "found and found[2] in ('damage.off-hand', 'damage.two-handed')",
            recovery_and_riders.strength_by_table,
        ),
        when("found and strength > 0 and intent.kind == 'flurry'", recovery_and_riders.strength_in_flurry),
        when(
            "found and strength > 0 and melee and weapon.wield == 'natural' and not weapon.off_hand",
            recovery_and_riders.strength_of_limb,
        ),
        when(
            "found and found[2] == 'damage.two-handed' and weapon.wield == 'one-handed'",
            reduction_and_rest.strength_of_second_hand,
        ),
    ),
    force_rules=reduction_and_rest.force_rules,
    reduce=choose(
        when("target.sheet.thing is not None", objects.reduce_by_hardness),
        when(reduction_and_rest.PLAIN_BLOW, reduction_and_rest.unreduced),
        when(
            f"weapon is not None and '{reduction_and_rest.WHIP}' in weapon.traits",
            reduction_and_rest.stopped_by_armor,
            holds=reduction_and_rest.is_armored,
        ),
        refine(
            reduction_and_rest.weapon_damage_as_magic,
            when("attacker is not None and attacker.conditions", environment.halved_in_water),
            reduction_and_rest.reduce_by_nature,
        ),
    ),
    roll_with=steps(
        when("resisted", reduction_and_rest.note_resistance_used),
        when("target.sheet.traits", abilities.roll_with),
        when(TARGET_BODILESS, position.ignore_spell_without_body),
    ),
    loss_topics=injury.loss_topics,
    massive_damage=choose(when("", no_massive_damage, holds=is_spared_massive_damage), injury.massive_damage),
    injure=steps(
        when(
            "target.sheet.thing is not None and target.hp <= 0 and 'dead' not in target.conditions",
            objects.ruin,
        ),
        when(
            "target.sheet.thing is None",
            refine(recovery_and_riders.injure, injury.dead_at_once),
            holds=injury.is_grave,
        ),
        when(
            "target.sheet.thing is None and (target.conditions or target.casting is not None)",
            casting.disturb_casting_by_damage,
        ),
    ),
    dying_from=injury.dying_from,
    last_stand=shared_injury.last_stand("disabled"),
    death_at=choose(
        when("", injury.minus_constitution, holds=injury.dies_by_constitution), shared_injury.death_at
    ),
    bleed_out=steps(when("", shared_injury.bleed_out, holds=injury.on_own_turn)),
    along_with_damage=steps(
        when("weapon.riders", injury.apply_weapon_riders),
        when("attacker.effects", condition_table.poison_from_weapon),
        when("damage.sneak_attack_dice and not intent.further_arrow", abilities.crippling_strike),
    ),
    effect_over=recovery_and_riders.take_back_lent,
)
