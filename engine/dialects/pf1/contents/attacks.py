"""The chapters on attacks, defense and damage in pf1: the functions at each point, in the order of a blow."""

from msgspec.structs import replace

from affray.engine.dialects.pf1 import damage, defense, gear, grapple, mounted, movement, opportunity, senses
from affray.engine.dialects.pf1.attacks import attack_roll, weapons_and_feats
from affray.engine.dialects.pf1.classes import abilities, channel_energy
from affray.engine.dialects.pf1.classes.abilities import SKILLS
from affray.engine.dialects.pf1.conditions import afflictions, condition_table
from affray.engine.dialects.pf1.maneuvers import maneuver_check, trip_and_disarm
from affray.engine.record.acts import SAID, UNSAID, ActSpec, Fields, questions, rolls
from affray.engine.record.chapters import Attacks, Damage, Defense, substitutes
from affray.engine.record.compose import amend, any_of, choose, first, gather, refine, steps, when
from affray.engine.rules import defense as shared_defense
from affray.engine.rules import environment
from affray.engine.rules.attacks import aid, declared_blow, full_attack, natural_weapons, straight_charge
from affray.engine.rules.attacks import attack_roll as shared_attack_roll
from affray.engine.rules.attacks.aid import make_skill_aid_resolver
from affray.engine.rules.classes import feats
from affray.engine.rules.classes.sheets import INCORPOREAL, natured
from affray.engine.rules.conditions.conditions import is_spared_massive_damage
from affray.engine.rules.damage import damage as shared_damage
from affray.engine.rules.damage import injury, recovery_and_riders
from affray.engine.rules.gear import nets, objects, splash_weapons
from affray.engine.rules.gear.weapons_in_hand import EMPTIES, THROWS, leave_hand, leave_unloaded
from affray.engine.rules.magic import casting, ongoing_spells, spell_effects, touch_spells
from affray.engine.rules.mounted import mounted_combat, riding
from affray.engine.rules.plain import PLAIN_ATTACKS, PLAIN_DAMAGE, PLAIN_DEFENSE, no_massive_damage
from affray.engine.rules.senses import senses as shared_senses
from affray.events.facts import acts

# --- The chapter on attacks in pf1: each point that differs from the default

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls
    | rolls("1d100: blind-fight, miss-chance", "1d20: aid", "critical-effect, swarm"),
    questions=PLAIN_ATTACKS.questions
    | questions("shove: pull, push, decline", "trip: trip, decline")
    | questions("cleave: <combatant>, decline", "critical feat: <feat>", "provokes: yes, no"),
    acts={
        **PLAIN_ATTACKS.acts,
        acts.Charge: ActSpec(
            refine(straight_charge.charge_straight, movement.report_charge),
            "target path weapon item power",
            special=substitutes,
            under={"item": {"special": ("disarm", "sunder")}},
        ),
        acts.Attack: ActSpec(
            steps(
                when(mounted_combat.RIDDEN, mounted_combat.refuse_to_send),
                amend(
                    when("at is not None", senses.who_is_there),
                    choose(
                        when("aim", gear.line_up_blow),
                        when("at is not None", senses.strike_at_nobody, holds=senses.is_guess),
                        when("", splash_weapons.throw_flask, holds=splash_weapons.is_thrown),
                        amend(
                            when("", nets.as_thrown_net, holds=nets.is_net_cast),
                            refine(
                                declared_blow.attack,
                                when(mounted_combat.MOUNTED, mounted_combat.rider_attacks),
                                when(mounted_combat.RIDDEN, mounted_combat.mount_attacks),
                            ),
                        ),
                    ),
                ),
            ),
            "target weapon thrown nonlethal defensively power expertise stunning at aim",
            feat=(*weapons_and_feats.CLEAVES, weapons_and_feats.VITAL),
            under={
                "at": {"target": UNSAID},
                "stunning": {"at": UNSAID},
                "feat": {"at": UNSAID},
                "aim": dict.fromkeys(("at", "defensively", "power", "expertise", "stunning", "feat"), UNSAID),
            },
        ),
        acts.FullAttack: ActSpec(
            amend(
                splash_weapons.throw_flasks,
                steps(
                    when(mounted_combat.RIDDEN, mounted_combat.refuse_to_send),
                    refine(
                        weapons_and_feats.full_attack,
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
                    "item": {"special": ("disarm", "sunder")},
                    "thrown": {"special": UNSAID},
                    "stunning": {"special": UNSAID},
                },
            ),
        ),
        acts.CoupDeGrace: ActSpec(
            first(senses.find_victim_first, declared_blow.coup_de_grace), "target weapon"
        ),
        acts.Skirmish: ActSpec(weapons_and_feats.skirmish, "path target weapon onward"),
        acts.Aid: ActSpec(
            choose(when("benefit == 'check'", make_skill_aid_resolver(SKILLS)), aid.aid),
            "friend opponent what weapon",
            benefit=("attack", "defense", "check"),
            under={
                "opponent": {"benefit": ("attack", "defense")},
                "weapon": {"benefit": ("attack", "defense")},
                "what": {"benefit": ("check",)},
            },
        ),
        acts.Brace: ActSpec(declared_blow.brace, "weapon target"),
    },
    deciding_rules=attack_roll.rules_of_sum,
    sure_faces=choose(
        when("purpose in ('stabilize', 'wake', 'begin to heal')", damage.only_twenty),
        shared_attack_roll.sure_faces,
    ),
    threatens_critical=refine(
        choose(
            when("attacker.effects or weapon.traits", gear.threatens, holds=gear.strikes_with_broken),
            any_of(
                when(shared_attack_roll.WITH_FEAT, shared_attack_roll.is_in_widened_range),
                when("natural >= weapon.threat", shared_attack_roll.is_natural_threat),
            ),
        ),
        when("found", attack_roll.cite_threat),
    ),
    confirm_critical=refine(
        shared_attack_roll.confirm, when("attacker.effects or weapon.traits", gear.confirm_weaker)
    ),
    confirmation_parts=abilities.confirm_surely,
    before_attacks=refine(natural_weapons.cite_armed_fists, opportunity.except_the_armed),
    barred=first(
        when("attacker.sheet.traits", natural_weapons.bar_single_blow),
        when(("attacker.conditions", "target.conditions"), grapple.bar_by_gut),
        when("attacker.conditions", grapple.hands_are_held),
        when("target.effects", gear.behind_closed_edge),
        weapons_and_feats.limb_is_taken,
    ),
    attack_bonus=refine(
        choose(
            when("intent.maneuver", maneuver_check.combat_maneuver_bonus), shared_attack_roll.attack_bonus
        ),
        when("weapon.wield == 'natural' and weapon.traits", natural_weapons.lower_secondary_attack),
        when("'splash' in weapon.traits and not weapon.proficient", splash_weapons.needs_no_proficiency),
    ),
    attack_situation=refine(
        gather(
            *shared_attack_roll.ATTACKER_STATE,
            when("attacker.effects", attack_roll.parts_of_attack),
            when("attacker.effects or weapon.traits", gear.broken_on_attack),
            when("attacker.sheet.armor", gear.shields_on_attack),
            when("attacker.sheet.worn", gear.penalties_on_attack),
            when("'entangle' in weapon.traits", nets.unfolded_part),
            when("weapon.thrown", attack_roll.cite_use_of_weapon),
            when("attacker.sheet.size != 'medium' and not intent.maneuver", attack_roll.cite_size),
            when("intent.touch and not intent.maneuver", attack_roll.cite_touch),
            when("melee", shared_attack_roll.flanking_bonus),
            when("melee", shared_attack_roll.higher_ground),
            when("melee and attacker.mount", riding.from_above),
            when("not melee", attack_roll.range_penalty),
            when("not melee", attack_roll.into_melee),
            when("not melee", shared_attack_roll.cite_ignored_concealment),
            when("target.conditions", senses.cite_keen_sight),
            when(f"{environment.IN_WATER!r} in attacker.conditions", environment.swung_in_water),
            when(f"{environment.OFF_BALANCE!r} in target.conditions", environment.off_balance_target),
            when("intent.maneuver", maneuver_check.better_at_it),
            when("intent.maneuver and 'stunned' in target.conditions", maneuver_check.stunned_target),
        ),
        when(attack_roll.UNSEEN, attack_roll.deny_unseen_attacker),
        when(attack_roll.INVISIBLE, attack_roll.deny_seen_attacker),
        when("found", shared_attack_roll.deny_flanking_by_immunity),
        when("found", feats.deny_flanking),
        when(f"intent.maneuver in {grapple.IN_A_GRAPPLE}", grapple.spare_grapplers),
    ),
    finesse=choose(when("intent.maneuver", maneuver_check.uses_dexterity), shared_attack_roll.finesse),
    miss_chance=refine(
        shared_attack_roll.miss_chance,
        when("attacker.effects", ongoing_spells.eyes_turned_away),
        when("target.conditions", senses.hidden_by_light),
        when("attacker.effects and found[0]", senses.cite_known_square),
        when("not melee and found[0]", shared_attack_roll.deny_concealment_to_precise_shot),
        when("'grappled' in target.conditions", grapple.unseen_in_vain),
    ),
    finds_its_mark=shared_senses.strikes_home,
    before_roll=steps(
        when("not melee and attacker.effects", senses.shoot_from_hiding),
        when("target.conditions", condition_table.rouse_attacked),
        when("intent.arrows > 1", weapons_and_feats.spend_further_arrows),
        when("attacker.sheet.traits or attacker.sheet.classes", feats.record_sneak_opening),
    ),
    after_miss=steps(
        when("attacker.effects", channel_energy.missed_with_channel),
        when(
            "outcome.natural == 1 and weapon.wield not in ('natural', 'unarmed')",
            afflictions.exposed_by_fumble,
        ),
    ),
    after_hit=steps(
        when("target.conditions", abilities.shatter_defenses),
        when("intent.kind == 'charge' and attacker.mount", mounted.unseat),
        when("attacker.effects", abilities.first_hit_is_over),
        when("attacker.effects", channel_energy.strike_with_channel),
        when("intent.arrows > 1", declared_blow.further_arrows),
        when("intent.stunning", natural_weapons.stun),
        when("'rends' in weapon.traits", weapons_and_feats.rend_with_limbs),
        when("'entangle' in weapon.traits and 'dead' not in target.conditions", gear.entangle),
        when("melee and intent.kind == 'full'", weapons_and_feats.rend_with_both_hands),
        when("'shield bash' in weapon.traits", weapons_and_feats.slam),
        when("outcome.critical", attack_roll.add_to_critical),
        when("'grab' in weapon.traits", grapple.grab_with_hit),
        when("weapon.wield == 'natural' and 'trip' in weapon.traits", trip_and_disarm.trip_with_hit),
        when("weapon.wield == 'natural' and weapon.traits", trip_and_disarm.shove_with_hit),
        when(f"{grapple.SWALLOWED!r} in attacker.conditions", grapple.cut_out),
        when(f"intent.kind in {weapons_and_feats.CLEAVES!r}", weapons_and_feats.strike_next),
    ),
    after_blow=steps(
        when("'shield bash' in weapon.traits", weapons_and_feats.lower_bashing_shield),
        when("weapon.off_hand", gear.lower_by_off_hand),
        when("'splash' in weapon.traits", splash_weapons.break_flask),
        when("'entangle' in weapon.traits", nets.cast_away),
        when(EMPTIES, leave_unloaded),
        when(f"{THROWS} and 'splash' not in weapon.traits and 'entangle' not in weapon.traits", leave_hand),
        when("attacker.conditions", touch_spells.discharge_by_strike),
        when("'invisible' in attacker.conditions", senses.locate_striker),
    ),
    attack_series=refine(
        choose(
            when("act.whirlwind", full_attack.once_each),
            when("act.flurry", abilities.series_of_flurry),
            when(
                "",
                first(
                    natural_weapons.refuse_limbs,
                    weapons_and_feats.refuse_taken_limbs,
                    natural_weapons.limbs_and_hands(full_attack.series_of_hands),
                ),
                holds=natural_weapons.is_natural_strike,
            ),
            full_attack.series_of_hands,
        ),
        when("", weapons_and_feats.spare_shield, holds=weapons_and_feats.masters_shield),
    ),
    two_weapon_parts=weapons_and_feats.two_weapon_penalty,
    off_hand_series=weapons_and_feats.off_hand_series,
    begin_full_attack=gather(
        weapons_and_feats.spend_full_round,
        when("act.rapid_shot", weapons_and_feats.shoot_rapidly),
        when("act.flurry", abilities.flurry_penalty),
        when("second", weapons_and_feats.table_row_told),
    ),
    declared_feats=weapons_and_feats.declare_feats,
    drawn_together=full_attack.drawn_together,
    weapon_of_charge=weapons_and_feats.weapon_of_charge,
    secondary_limb=refine(
        natural_weapons.is_marked_secondary, when("found", weapons_and_feats.unless_only_kind)
    ),
    set_against_charge=any_of(declared_blow.has_brace, weapons_and_feats.is_listed),
    usual_strikes=choose(
        when(
            "weapon.wield == 'natural'",
            refine(natural_weapons.strikes_of_every_limb, weapons_and_feats.leave_out_taken),
        ),
        full_attack.usual_strikes,
    ),
)
"""Natural weapons have `wield = "natural"` and traits "attacks 2" (how many there are of it), "primary" (not
the only one, even if the sheet lists no others), "secondary", "a hand" (the limb strikes only while it holds
nothing, as a claw does), "not a hand" (a claw of another limb), "rends" (several hits of it tear, with
the creature's trait "rend 2d6+9") and "rake" (only attacks a creature that it grapples). Other weapons
have the traits "double" (two ends, strike with `off_hand` for the other one) "monk" (goes with a flurry)
and "shield bash" (a shield to strike with, by the name of its part of Armor Class).
"""


# --- The chapter on defense in pf1: each point that differs from the default

#: An incorporeal blow: by its weapon, or by the limbs of an incorporeal creature.
WITHOUT_BODY = (
    "'incorporeal' in weapon.traits",
    f"weapon.wield in ('natural', 'unarmed') and {natured('attacker', INCORPOREAL)}",
)

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    uncanny_dodge=feats.is_uncanny,
    dexterity_denied=refine(
        shared_defense.dexterity_denied,
        when(attack_roll.UNSEEN, attack_roll.keep_dexterity),
        when(attack_roll.INVISIBLE, attack_roll.keep_dexterity_by_sight),
        attack_roll.rule_on_flat_footed,
        when("target.conditions", senses.denied_in_the_dark),
        when("attacker.effects", senses.unnoticed_attacker),
    ),
    dexterity_cap=refine(
        shared_defense.armor_cap,
        defense.cap_of_armor,
        when("'fighter' in sheet.classes", abilities.dexterity_in_armor),
    ),
    defense_bonus=choose(
        when("intent.maneuver", maneuver_check.combat_maneuver_defense),
        when("attacker.conditions", grapple.armor_from_inside, holds=grapple.strikes_the_gut),
        refine(
            shared_defense.printed_armor_class,
            attack_roll.rules_by_kind,
            shared_defense.enhanced_armor,
            when("target.effects or target.sheet.worn", gear.on_armor),
            when("'shield focus' in target.sheet.feats", weapons_and_feats.focus_on_shield),
            when("target.effects", gear.without_lowered_shield),
            when("'fighter' in target.sheet.classes", abilities.cite_training),
            defense.cite_parts,
            when(WITHOUT_BODY, attack_roll.incorporeal_touch),
        ),
    ),
    around_corners=defense.around_corners,
    cover=refine(
        choose(
            when(WITHOUT_BODY, attack_roll.no_cover_from_touch),
            first(when("target.mount", riding.behind_mount), attack_roll.best_cover),
        ),
        when("found and not melee", shared_attack_roll.deny_cover_to_precise_shot),
    ),
    defense_situation=choose(
        when(
            "intent.maneuver",
            gather(
                maneuver_check.situation_of_target,
                maneuver_check.warded_by_feat,
                when(
                    "intent.maneuver == 'grapple' and 'grappled' in target.conditions"
                    " and 'invisible' in target.conditions",
                    grapple.hard_to_find,
                ),
            ),
        ),
        refine(
            gather(
                *shared_defense.TARGET_STATE,
                when(feats.TAKEN_UNAWARES, feats.cite_uncanny_dodge),
                when("target.conditions", senses.defense_in_the_dark),
                when("not target.acted", defense.cite_start_of_battle),
            ),
            when("target.conditions", defense.count_denied_once),
            when("found and 'prone' in target.conditions", shared_defense.worse_of_helpless_and_prone),
        ),
    ),
    reflex_cover=first(
        when(f"target.mount and {riding.BEHIND!r} in target.conditions", riding.reflex_behind_mount),
        when("'improved cover' in target.conditions", attack_roll.reflex_behind_improved_cover),
        spell_effects.reflex_cover,
        attack_roll.reflex_behind_partial_cover,
    ),
)


# --- The chapter on damage in pf1: each point that differs from the default

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    rolls=PLAIN_DAMAGE.rolls | rolls("1d20: begin to heal, stabilize, wake", "bleed"),
    questions=PLAIN_DAMAGE.questions | questions("exposed: nothing, <item>"),
    acts={
        **PLAIN_DAMAGE.acts,
        acts.Stabilize: ActSpec(damage.first_aid, "target"),
        acts.Rest: ActSpec(
            damage.rest,
            "hours minutes bed healer care",
            under={"bed": {"hours": SAID}, "care": {"healer": SAID}},
        ),
    },
    strength_damage=refine(
        shared_damage.strength_share,
        when("'as printed' in weapon.traits", recovery_and_riders.nothing_of_strength),
        when(
            "found and found[2] in ('damage.off-hand', 'damage.two-handed')",
            recovery_and_riders.strength_by_table,
        ),
        attack_roll.rule_on_strength,
        when("found and found[2] == 'damage.off-hand'", attack_roll.whole_with_double_slice),
        when("found and strength > 0 and intent.kind == 'flurry'", recovery_and_riders.strength_in_flurry),
        when(
            "found and strength > 0 and melee and weapon.wield == 'natural'",
            recovery_and_riders.strength_of_limb,
        ),
    ),
    force_rules=attack_roll.rules_of_damage,
    reduce=refine(
        amend(
            when("attacker is not None and 'in water' in attacker.conditions", environment.halve_in_water),
            choose(
                when("target.sheet.thing is not None", objects.reduce_by_hardness),
                when("", damage.reduce_apart, holds=damage.deals_energy),
                PLAIN_DAMAGE.reduce,
            ),
        ),
        when(natured("target", INCORPOREAL), defense.without_body),
    ),
    overcomes=any_of(
        abilities.smites,
        damage.overcome_by_enhancement,
        damage.overcome_as_magic,
        abilities.overcome_by_arcane_strike,
    ),
    pierced=damage.points_ignored,
    minimum_is_nonlethal=True,
    settle=steps(
        PLAIN_DAMAGE.settle,
        when("target.sheet.thing is not None", gear.break_at_half),
    ),
    injure=steps(
        when("target.sheet.regeneration", damage.stop_regeneration),
        when(
            "target.sheet.thing is not None and target.hp <= 0 and 'dead' not in target.conditions",
            objects.ruin,
        ),
        when("target.sheet.thing is not None", gear.break_thing),
        when(
            "target.sheet.thing is None",
            refine(recovery_and_riders.injure, damage.cite_threshold),
        ),
        when("target.sheet.thing is None", damage.cite_death_line),
        when(
            "target.sheet.thing is None and (target.conditions or target.casting is not None)",
            casting.disturb_casting_by_damage,
        ),
    ),
    loss_topics=damage.loss_topics,
    disabled_from=damage.disabled_from,
    dying_from=damage.dying_from,
    bleed_out=damage.bleed_out,
    last_stand=injury.last_stand(damage.ON_ITS_FEET),
    undying=damage.undying,
    death_at=choose(
        when("combatant.sheet.regeneration", damage.never_dead, holds=damage.refuses_to_die),
        damage.death_at,
    ),
    massive_damage=choose(
        when("", no_massive_damage, holds=is_spared_massive_damage),
        when("victim.sheet.regeneration", no_massive_damage, holds=damage.refuses_to_die),
        damage.massive_damage,
    ),
    nonlethal_limit=damage.nonlethal_limit,
    along_with_damage=steps(when("weapon.riders or attacker.effects", afflictions.apply_weapon_riders)),
    effect_over=recovery_and_riders.take_back_lent,
)
