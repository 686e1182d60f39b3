"""The chapter on attacks in pf1: what stands at each point that is not plain.

Natural weapons have `wield = "natural"` and traits "attacks 2" (how many there are of it), "primary" (not the
only one, whatever the sheet lists), "secondary", "a hand" (the limb strikes only while it holds nothing, as a
claw does), "not a hand" (a claw of another limb), "rends" (several hits of it tear, with the creature's
trait "rend 2d6+9") and "rake" (strikes only whom the creature grapples). Other weapons have the traits
"double" (two ends, strike with `off_hand` for the other one) "monk" (goes with a flurry) and "shield bash" (a
shield to strike with, by the name of its part of Armor Class).
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.dialects.pf1.attacks import blind_fight as own_blind_fight
from affray.engine.dialects.pf1.attacks import (
    braced_weapons,
    cleave,
    critical_feats,
    drawn_weapon,
    pledges,
    rend,
    roll_rules,
    shield_feats,
    spring_attack,
    vital_strike,
)
from affray.engine.dialects.pf1.attacks import full_attack as own_full_attack
from affray.engine.dialects.pf1.attacks import natural_weapons as own_natural_weapons
from affray.engine.dialects.pf1.attacks import two_weapon_fighting as own_two_weapon_fighting
from affray.engine.dialects.pf1.classes import channel_smite, combat_feats, intimidate, monk, smite
from affray.engine.dialects.pf1.classes.skills import SKILLS
from affray.engine.dialects.pf1.conditions import confusion, poison
from affray.engine.dialects.pf1.gear import broken, shields, splashes, tower_shield
from affray.engine.dialects.pf1.grapple import hold, start_grapple, swallow
from affray.engine.dialects.pf1.maneuvers import combat_maneuver, maneuver_feats, plus_maneuvers
from affray.engine.dialects.pf1.mounted import unseat
from affray.engine.dialects.pf1.movement import speed
from affray.engine.dialects.pf1.opportunity import attacks_of_opportunity as own_opportunity
from affray.engine.dialects.pf1.senses import attack_square, light, seek, stealth
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import amend, any_of, choose, first, gather, refine, steps, when
from affray.engine.record.maneuvers import substitutes
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.attacks import (
    aid_another,
    attack_action,
    attack_modifiers,
    attack_roll,
    attack_series,
    critical_hits,
    declared_blow,
    full_attack,
    natural_weapons,
    precise_shot,
    several_arrows,
    straight_charge,
    stunning_fist,
    swarm_prohibitions,
    two_weapon_fighting,
    unarmed_strikes,
    whirlwind_attack,
)
from affray.engine.rules.attacks.aid_with_check import with_check_of
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.engine.rules.classes import sneak_attack, uncanny_dodge
from affray.engine.rules.environment import in_water, water
from affray.engine.rules.gear import nets, splash_weapons, splash_weapons_in_hand
from affray.engine.rules.gear.loading import EMPTIES, leave_unloaded
from affray.engine.rules.gear.thrown_weapons import THROWS, leave_hand
from affray.engine.rules.magic import gazes, held_charge
from affray.engine.rules.mounted import mounted_attacks, mounted_combat, ride_skill
from affray.engine.rules.senses import blind_fight
from affray.events.facts import acts

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls
    | rolls("1d100: blind-fight, miss-chance", "1d20: aid", "critical-effect, swarm"),
    questions=PLAIN_ATTACKS.questions
    | questions("shove: pull, push, decline", "trip: trip, decline")
    | questions("cleave: <combatant>, decline", "critical feat: <feat>", "provokes: yes, no"),
    acts={
        **PLAIN_ATTACKS.acts,
        acts.Charge: Honours(
            refine(straight_charge.charge_straight, speed.tell_charge),
            "target path weapon item power",
            special=substitutes,
            under={"item": {"special": ("disarm", "sunder")}},
        ),
        acts.Attack: Honours(
            steps(
                when(mounted_combat.RIDDEN, mounted_attacks.refuse_to_send),
                amend(
                    when("at is not None", attack_square.who_is_there),
                    choose(
                        when("at is not None", attack_square.strike_at_nobody, holds=attack_square.is_guess),
                        when("", splash_weapons.throw_flask, holds=splash_weapons.is_thrown),
                        amend(
                            when("", nets.as_thrown_net, holds=nets.is_net_cast),
                            refine(
                                attack_action.attack,
                                when(mounted_combat.MOUNTED, mounted_attacks.rider_attacks),
                                when(mounted_combat.RIDDEN, mounted_attacks.mount_attacks),
                            ),
                        ),
                    ),
                ),
            ),
            "target weapon thrown nonlethal defensively power expertise stunning at",
            feat=(*cleave.CLEAVES, vital_strike.VITAL),
            under={
                "at": {"target": UNSAID},
                "stunning": {"at": UNSAID},
                "feat": {"at": UNSAID},
            },
        ),
        acts.FullAttack: Honours(
            amend(
                splash_weapons_in_hand.throw_flasks,
                steps(
                    when(mounted_combat.RIDDEN, mounted_attacks.refuse_to_send),
                    refine(
                        own_full_attack.full_attack,
                        when(mounted_combat.MOUNTED, mounted_attacks.rider_strikes),
                        when(mounted_combat.RIDDEN, mounted_attacks.mount_attacks),
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
        acts.Skirmish: Honours(spring_attack.skirmish, "path target weapon onward"),
        acts.Aid: Honours(
            choose(when("benefit == 'check'", with_check_of(SKILLS)), aid_another.aid),
            "friend opponent what weapon",
            benefit=("attack", "defense", "check"),
            under={
                "opponent": {"benefit": ("attack", "defense")},
                "weapon": {"benefit": ("attack", "defense")},
                "what": {"benefit": ("check",)},
            },
        ),
        acts.Brace: Honours(declared_blow.brace, "weapon target"),
    },
    deciding_rules=roll_rules.rules_of_sum,
    threatens_critical=refine(
        choose(
            when("attacker.effects or weapon.traits", broken.threatens, holds=broken.strikes_with_broken),
            any_of(
                when(critical_hits.WITH_FEAT, critical_hits.in_widened_range),
                when("natural >= weapon.threat", critical_hits.natural_threat),
            ),
        ),
        when("found", roll_rules.cite_threat),
    ),
    confirm_critical=refine(
        critical_hits.confirm, when("attacker.effects or weapon.traits", broken.confirm_weaker)
    ),
    confirmation_parts=combat_feats.confirm_surely,
    before_attacks=refine(unarmed_strikes.cite_armed_fists, own_opportunity.except_the_armed),
    barred=first(
        when("attacker.sheet.traits", swarm_prohibitions.bar_single_blow),
        when(("attacker.conditions", "target.conditions"), swallow.bar_by_gut),
        when("attacker.conditions", hold.hands_are_held),
        when("target.effects", tower_shield.behind_closed_edge),
        own_natural_weapons.limb_is_taken,
    ),
    attack_bonus=refine(
        choose(when("intent.maneuver", combat_maneuver.combat_maneuver_bonus), attack_roll.attack_bonus),
        when("weapon.wield == 'natural' and weapon.traits", natural_weapons.less_if_secondary),
        when("'splash' in weapon.traits and not weapon.proficient", splash_weapons.needs_no_proficiency),
    ),
    attack_situation=refine(
        gather(
            *attack_roll.ATTACKER_STATE,
            when("attacker.effects", pledges.parts_of_attack),
            when("attacker.effects or weapon.traits", broken.on_attack),
            when("attacker.sheet.armor", shields.on_attack),
            when("'entangle' in weapon.traits", nets.unfolded_part),
            when("weapon.thrown", roll_rules.cite_use_of_weapon),
            when("attacker.sheet.size != 'medium' and not intent.maneuver", roll_rules.cite_size),
            when("intent.touch and not intent.maneuver", roll_rules.cite_touch),
            when("melee", attack_modifiers.flanking_bonus),
            when("melee", attack_modifiers.higher_ground),
            when("melee and attacker.mount", ride_skill.from_above),
            when("not melee", own_attack.range_penalty),
            when("not melee", own_attack.into_melee),
            when("not melee", precise_shot.cite_ignored_concealment),
            when("target.conditions", light.cite_keen_sight),
            when(f"{in_water.IN_WATER!r} in attacker.conditions", water.swung_in_water),
            when(f"{in_water.OFF_BALANCE!r} in target.conditions", water.off_balance_target),
            when("intent.maneuver", maneuver_feats.better_at_it),
            when("intent.maneuver and 'stunned' in target.conditions", maneuver_feats.stunned_target),
        ),
        when(own_blind_fight.UNSEEN, own_blind_fight.deny_unseen_attacker),
        when("found", attack_modifiers.deny_flanking_by_immunity),
        when("found", uncanny_dodge.deny_flanking),
        when(f"intent.maneuver in {hold.IN_A_GRAPPLE}", hold.spare_grapplers),
    ),
    finesse=choose(when("intent.maneuver", combat_maneuver.uses_dexterity), attack_roll.finesse),
    miss_chance=refine(
        attack_modifiers.miss_chance,
        when("attacker.effects", gazes.eyes_turned_away),
        when("target.conditions", light.hidden_by_light),
        when("attacker.effects and found[0]", seek.cite_known_square),
        when("not melee and found[0]", precise_shot.past_concealment),
        when("'grappled' in target.conditions", hold.unseen_in_vain),
    ),
    finds_its_mark=blind_fight.strikes_home,
    before_roll=steps(
        when("not melee and attacker.effects", stealth.shoot_from_hiding),
        when("target.conditions", confusion.rouse_attacked),
        when("intent.arrows > 1", own_full_attack.spend_further_arrows),
        when("attacker.sheet.traits or attacker.sheet.classes", sneak_attack.look_for_opening),
    ),
    after_miss=steps(
        when("attacker.effects", channel_smite.missed_with_channel),
        when("outcome.natural == 1 and weapon.wield not in ('natural', 'unarmed')", poison.exposed_by_fumble),
    ),
    after_hit=steps(
        when("target.conditions", intimidate.shatter_defenses),
        when("intent.kind == 'charge' and attacker.mount", unseat.unseat),
        when("attacker.effects", smite.first_hit_is_over),
        when("attacker.effects", channel_smite.strike_with_channel),
        when("intent.arrows > 1", several_arrows.further_arrows),
        when("intent.stunning", stunning_fist.stun),
        when("'rends' in weapon.traits", rend.rend_with_limbs),
        when("'entangle' in weapon.traits and 'dead' not in target.conditions", splashes.entangle),
        when("melee and intent.kind == 'full'", rend.rend_with_both_hands),
        when("'shield bash' in weapon.traits", shield_feats.slam),
        when("outcome.critical", critical_feats.add_to_critical),
        when("'grab' in weapon.traits", start_grapple.grab_with_hit),
        when("weapon.wield == 'natural' and 'trip' in weapon.traits", plus_maneuvers.trip_with_hit),
        when("weapon.wield == 'natural' and weapon.traits", plus_maneuvers.shove_with_hit),
        when(f"{swallow.SWALLOWED!r} in attacker.conditions", swallow.cut_out),
        when(f"intent.kind in {cleave.CLEAVES!r}", cleave.strike_next),
    ),
    after_blow=steps(
        when("'shield bash' in weapon.traits", shield_feats.lower_bashing_shield),
        when("weapon.off_hand", shields.lower_by_off_hand),
        when("'splash' in weapon.traits", splash_weapons.break_flask),
        when("'entangle' in weapon.traits", nets.cast_away),
        when(EMPTIES, leave_unloaded),
        when(f"{THROWS} and 'splash' not in weapon.traits and 'entangle' not in weapon.traits", leave_hand),
        when("attacker.conditions", held_charge.discharge_by_strike),
        when("'invisible' in attacker.conditions", seek.locate_striker),
    ),
    attack_series=refine(
        choose(
            when("act.whirlwind", whirlwind_attack.once_each),
            when("act.flurry", monk.series_of_flurry),
            when(
                "",
                first(
                    natural_weapons.refuse_limbs,
                    own_natural_weapons.refuse_taken_limbs,
                    natural_weapons.limbs_and_hands(full_attack.series_of_hands),
                ),
                holds=natural_weapons.strikes_with_limbs,
            ),
            full_attack.series_of_hands,
        ),
        when("", shield_feats.spare_shield, holds=shield_feats.masters_shield),
    ),
    two_weapon_parts=own_two_weapon_fighting.two_weapon_penalty,
    off_hand_series=own_two_weapon_fighting.off_hand_series,
    begin_full_attack=gather(
        own_full_attack.spend_full_round,
        when("act.rapid_shot", own_full_attack.shoot_rapidly),
        when("act.flurry", monk.flurry_penalty),
        when("second", own_two_weapon_fighting.table_row_told),
    ),
    declared_feats=own_full_attack.declare_feats,
    drawn_together=two_weapon_fighting.drawn_together,
    weapon_of_charge=drawn_weapon.weapon_of_charge,
    secondary_limb=refine(
        natural_weapons.marked_secondary, when("found", own_natural_weapons.unless_only_kind)
    ),
    set_against_charge=any_of(declared_blow.has_brace, braced_weapons.is_listed),
    usual_strikes=choose(
        when(
            "weapon.wield == 'natural'",
            refine(natural_weapons.strikes_of_every_limb, own_natural_weapons.leave_out_taken),
        ),
        attack_series.usual_strikes,
    ),
)
