"""The chapter on attacks in srd35: what stands at each point that is not plain, in the order of an attack.

Natural weapons have `wield = "natural"` and traits "attacks 2", "secondary", "improved grab", "rake",
"rends"; the creature's own traits are "pounce", "constrict 1d8+6", "rend 2d6+9", "powerful charge 2d6",
"swallow whole 2d8+8" and "gut 25" (the damage that cuts a way out).
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.attacks import (
    aid_another,
    cleave,
    coup_de_grace,
    critical_hits,
    declared_feats,
    flanking,
    flyby_attack,
    full_attack,
    modifier_tables,
    shooting,
    spring_attack,
    two_weapon_fighting,
    unarmed_strikes,
)
from affray.engine.dialects.srd35.attacks.modifier_tables import cite_attack_table
from affray.engine.dialects.srd35.classes import (
    monk,
    paladin,
    rogue,
    turned_undead,
)
from affray.engine.dialects.srd35.conditions import confusion_fascination, poison
from affray.engine.dialects.srd35.defense import bonus_types, incorporeal
from affray.engine.dialects.srd35.defense.armor_as_worn import behind_tower_shield
from affray.engine.dialects.srd35.environment.water import shot_through_water
from affray.engine.dialects.srd35.gear import ammunition
from affray.engine.dialects.srd35.grapple import grapple_state, improved_grab, restraints
from affray.engine.dialects.srd35.maneuvers import awesome_blow
from affray.engine.dialects.srd35.movement import walk_and_run
from affray.engine.dialects.srd35.opportunity import attacks_of_opportunity
from affray.engine.dialects.srd35.position.creature_size import cite_place
from affray.engine.dialects.srd35.senses import attack_square, concealment, seek
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import amend, any_of, choose, first, gather, refine, steps, until, when
from affray.engine.record.maneuvers import substitutes
from affray.engine.record.other_fields import UNSAID
from affray.engine.record.silent import never
from affray.engine.record.words import Judged
from affray.engine.rules.attacks import aid_another as shared_aid
from affray.engine.rules.attacks import (
    attack_roll,
    attack_series,
    declared_blow,
    natural_weapons,
    precise_shot,
    several_arrows,
    straight_charge,
    stunning_fist,
    swarm_prohibitions,
    whirlwind_attack,
)
from affray.engine.rules.attacks import coup_de_grace as shared_coup
from affray.engine.rules.attacks import critical_hits as shared_critical_hits
from affray.engine.rules.attacks import full_attack as shared_full_attack
from affray.engine.rules.attacks import two_weapon_fighting as shared_two_weapon_fighting
from affray.engine.rules.attacks import unarmed_strikes as shared_unarmed_strikes
from affray.engine.rules.attacks.aid_with_check import with_check_of
from affray.engine.rules.attacks.attack_modifiers import deny_flanking_by_immunity, higher_ground
from affray.engine.rules.attacks.attack_roll import ATTACKER_STATE
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.engine.rules.classes import sneak_attack, uncanny_dodge
from affray.engine.rules.classes.natures import INCORPOREAL, natured
from affray.engine.rules.classes.saves_and_checks import SKILLS
from affray.engine.rules.environment import in_water, water
from affray.engine.rules.gear import nets, splash_weapons, splash_weapons_in_hand
from affray.engine.rules.gear.thrown_weapons import THROWS, leave_hand
from affray.engine.rules.magic import held_charge
from affray.engine.rules.magic.gazes import eyes_turned_away
from affray.engine.rules.mounted import mounted_attacks as shared_mounted_attacks
from affray.engine.rules.mounted import mounted_combat, ride_skill
from affray.engine.rules.senses import blind_fight
from affray.events.facts import acts

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
        acts.Flyby: Honours(flyby_attack.flyby, "path up after then"),
        acts.Charge: Honours(
            refine(
                straight_charge.charge_straight,
                walk_and_run.charge_unless_winded,
                awesome_blow.pounce_after_charge,
            ),
            "target path weapon item power",
            special=substitutes,
            under={"item": {"special": ("disarm", "sunder")}},
        ),
        acts.Attack: Honours(
            attack_square.attack_creature_or_square,
            "target weapon thrown nonlethal defensively power expertise stunning at aim",
            under={
                "at": {"target": UNSAID},
                "aim": dict.fromkeys(("at", "defensively", "power", "expertise", "stunning"), UNSAID),
            },
        ),
        acts.FullAttack: Honours(
            amend(
                splash_weapons_in_hand.throw_flasks,
                steps(
                    when(mounted_combat.RIDDEN, shared_mounted_attacks.refuse_to_send),
                    refine(
                        ammunition.full_attack_and_rend,
                        when(mounted_combat.MOUNTED, shared_mounted_attacks.rider_strikes),
                        when(mounted_combat.RIDDEN, shared_mounted_attacks.mount_attacks),
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
        acts.Skirmish: Honours(spring_attack.skirmish, "path target weapon onward"),
        acts.Manyshot: Honours(shooting.manyshot, "target weapon arrows"),
        acts.UseFeat: Honours(declared_feats.use_feat, "target", feat=Judged(("dodge",))),
        acts.Aid: Honours(
            choose(
                when("benefit == 'check'", with_check_of(SKILLS)),
                when("benefit == 'condition'", aid_another.with_condition),
                shared_aid.aid,
            ),
            "friend opponent benefit what weapon",
            under={
                "opponent": {"benefit": ("attack", "defense")},
                "weapon": {"benefit": ("attack", "defense")},
                "what": {"benefit": ("check", "condition")},
            },
        ),
        acts.CoupDeGrace: Honours(
            first(
                coup_de_grace.refuse_distant_shot,
                coup_de_grace.locate_first,
                refine(shared_coup.coup_de_grace, coup_de_grace.cite_grounds),
            ),
            "target weapon",
        ),
        acts.Brace: Honours(declared_blow.brace, "weapon target"),
    },
    stack=bonus_types.stack,
    before_attacks=shared_unarmed_strikes.cite_armed_fists,
    before_blow=steps(when("melee and 'provokes' in weapon.traits", ammunition.provoke_by_whip)),
    before_roll=steps(
        when("'grappling' in target.conditions", grapple_state.strike_into_grapple),
        when("'turned' in target.conditions", turned_undead.break_turning),
        when("target.conditions", confusion_fascination.rouse_attacked),
        when("attacker.effects", paladin.smite),
        when("attacker.sheet.traits or attacker.sheet.classes", sneak_attack.look_for_opening),
    ),
    attack_bonus=refine(
        attack_roll.attack_bonus,
        when(
            "weapon.thrown and not (melee or weapon.proficient)",
            splash_weapons.needs_no_proficiency,
            holds=bonus_types.splash_proficiency,
        ),
        when("melee", when(natured("attacker", INCORPOREAL), incorporeal.dexterity_without_body)),
    ),
    attack_situation=refine(
        gather(
            when("attacker.effects", aid_another.cite_aid_to_attack),
            cite_place,
            concealment.cite_sight,
            when("not melee", precise_shot.cite_ignored_concealment),
            *ATTACKER_STATE,
            when("melee", flanking.flanking_bonus),
            when("melee", higher_ground),
            when("not melee", shooting.cite_far_shot),
            when("not melee", modifier_tables.range_penalty),
            when("not melee", shooting.into_melee),
            when("not melee", modifier_tables.higher_ground_at_range),
            when("not melee", modifier_tables.flanking_at_range),
            when(f"melee and {in_water.IN_WATER!r} in attacker.conditions", water.swung_in_water),
            when(f"not melee and {in_water.IN_WATER!r} in attacker.conditions", shot_through_water),
            when(f"{in_water.OFF_BALANCE!r} in target.conditions", water.off_balance_target),
            when("melee and attacker.mount", ride_skill.from_above),
            when("target.conditions", turned_undead.cowering_undead),
        ),
        when("'invisible' in attacker.conditions", concealment.invisible_attacker),
        when("found", deny_flanking_by_immunity),
        when("found", uncanny_dodge.deny_flanking),
        when("found", cite_attack_table),
    ),
    range_increment=shooting.range_increment,
    finesse=refine(attack_roll.finesse, when("found", attacks_of_opportunity.is_trained_in_finesse)),
    miss_chance=refine(
        concealment.chance_by_concealment,
        when("attacker.effects", eyes_turned_away),
        when("not melee and found[0]", precise_shot.past_concealment),
    ),
    barred=first(
        when("attacker.sheet.traits", swarm_prohibitions.bar_single_blow),
        incorporeal.inside_object,
        behind_tower_shield,
    ),
    through_surface=incorporeal.through_surface,
    threatens_critical=any_of(
        when(shared_critical_hits.WITH_FEAT, shared_critical_hits.in_widened_range),
        when("natural >= weapon.threat or 'keen' in weapon.traits", critical_hits.in_threat_range),
    ),
    finds_its_mark=choose(
        when("'ethereal' in target.conditions or 'blinking' in target.conditions", never),
        blind_fight.strikes_home,
    ),
    passes_through=until(when(natured("target", INCORPOREAL), incorporeal.passes_through)),
    deflected=unarmed_strikes.is_deflected,
    after_miss=steps(
        when("outcome.natural == 1 and weapon.wield not in ('natural', 'unarmed')", poison.poison_by_fumble)
    ),
    after_hit=steps(
        when("'entangle' in weapon.traits and 'dead' not in target.conditions", restraints.entangle),
        when("'improved grab' in weapon.traits and intent.kind != 'grapple'", improved_grab.grab),
        when("intent.arrows > 1", several_arrows.further_arrows),
        when("intent.stunning", refine(stunning_fist.stun, unarmed_strikes.cite_halved_level)),
        when("melee and target.conditions and intent.kind != 'whirlwind'", cleave.cleave),
        when("attacker.conditions or target.conditions", seek.locate_attacker, holds=seek.strikes_unseen),
        when("melee", rogue.opportunist_attacks),
    ),
    after_blow=steps(
        when("'splash' in weapon.traits", splash_weapons.break_flask),
        when("not melee and 'entangle' in weapon.traits", nets.cast_away),
        when("not melee and 'splash' not in weapon.traits", ammunition.empty_weapon),
        when(f"{THROWS} and 'splash' not in weapon.traits and 'entangle' not in weapon.traits", leave_hand),
        when(
            "melee and 'splash' not in weapon.traits and (weapon.off_hand or 'shield bash' in weapon.traits)",
            ammunition.lower_striking_shield,
        ),
        when("attacker.conditions", held_charge.discharge_by_strike),
    ),
    attack_series=choose(
        when("act.whirlwind", whirlwind_attack.once_each),
        when("act.flurry", monk.series_of_flurry),
        when(
            "sheet.weapons",
            first(
                natural_weapons.refuse_limbs,
                natural_weapons.limbs_and_hands(shared_full_attack.series_of_hands),
            ),
            holds=natural_weapons.strikes_with_limbs,
        ),
        shared_full_attack.series_of_hands,
    ),
    two_weapon_parts=two_weapon_fighting.two_weapon_penalties,
    off_hand_series=two_weapon_fighting.off_hand_series,
    begin_full_attack=gather(
        full_attack.spend_full_round,
        when("act.rapid_shot", full_attack.shoot_rapidly),
        when("second", two_weapon_fighting.table_rules_told),
    ),
    secondary_limb=natural_weapons.marked_secondary,
    usual_strikes=choose(
        when("weapon.wield == 'natural'", natural_weapons.strikes_of_every_limb), attack_series.usual_strikes
    ),
    declared_feats=declared_feats.declare_feats,
    drawn_together=shared_two_weapon_fighting.drawn_together,
    no_automatic_rule="srd35.check.no-auto",
)
