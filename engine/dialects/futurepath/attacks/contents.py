"""The chapter on attacks in futurepath: what stands at each point that is not plain.

`bullets` fires several at the target, `autofire` what has the trait "automatic" or, if it fires no single
shots, "automatic only": at the target, or with `at` at an area of two by two squares, of which `at` is the
upper left one. Each attack of a full attack may be one at a target.

A weapon with the trait "explosive" is thrown at a square, `at`; "burst (20)" and "reflex (15)" say how many
feet its burst reaches and the DC of the save. One with the trait "splash" is thrown at a target or at a
square; "splash damage (1d3)" says what it splashes, 1 point if it is left out.
"""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import (
    aimed_shot,
    attack_action,
    attack_roll,
    autofire,
    charge,
    coup_de_grace,
    engaged,
    flanking,
    full_attack,
    knockout_blow,
    prepared,
    ranged_attacks,
    roll_rules,
    unarmed,
    usual_fire,
)
from affray.engine.dialects.futurepath.conditions import declared_advantages, modifier_tables
from affray.engine.dialects.futurepath.defense import cover
from affray.engine.dialects.futurepath.gear import explosives, shoot_held, splashes, things
from affray.engine.dialects.futurepath.grapple import being_held
from affray.engine.dialects.futurepath.senses import attack_square, concealment
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import amend, choose, first, gather, refine, steps, when
from affray.engine.record.maneuvers import substitutes
from affray.engine.record.other_fields import UNSAID
from affray.engine.record.silent import always
from affray.engine.rules.attacks import attack_roll as shared_attack_roll
from affray.engine.rules.attacks import coup_de_grace as shared_coup_de_grace
from affray.engine.rules.attacks import declared_blow, interrupted_blow
from affray.engine.rules.attacks.attack_series import one_missile, usual_shot, usual_strikes
from affray.engine.rules.attacks.critical_hits import natural_threat
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.engine.rules.gear.loading import EMPTIES, leave_unloaded
from affray.engine.rules.gear.thrown_weapons import THROWS, leave_hand
from affray.events.facts import acts

#: When a blow is one that is to knock a helpless foe out.
KNOCKOUT = f"intent.kind == {knockout_blow.KNOCKOUT!r}"
#: When a blow is made with what explodes or splashes.
BREAKS_OUT = "('explosive' in weapon.traits or 'splash' in weapon.traits)"

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls | rolls("1d100: miss-chance", "1d20: aid"),
    questions=PLAIN_ATTACKS.questions | questions("caught: alert, precautions, helpless"),
    acts={
        **PLAIN_ATTACKS.acts,
        acts.Attack: Honours(
            choose(
                when("act.aim", aimed_shot.line_up_at_thing, holds=aimed_shot.is_aimed_at),
                when("act.at is not None and act.autofire", autofire.sweep_area),
                when("", explosives.throw_explosive, holds=explosives.is_explosive),
                when("", splashes.throw_splash, holds=splashes.is_splash),
                when("act.autofire or act.bullets", autofire.fire_volley),
                amend(
                    when("at is not None", attack_square.who_is_there),
                    choose(
                        when("at is not None", attack_square.strike_at_nobody),
                        when("aim", aimed_shot.shoot_helpless),
                        attack_action.attack,
                    ),
                ),
            ),
            "target weapon thrown nonlethal defensively bullets autofire at aim",
            under={"aim": dict.fromkeys(("at", "defensively", "bullets", "autofire"), UNSAID)},
        ),
        acts.Charge: Honours(
            charge.charge,
            "target path weapon item",
            special=substitutes,
            under={"item": {"special": ("disarm",)}},
        ),
        acts.FullAttack: Honours(
            full_attack.full_attack,
            "nonlethal defensively second",
            strikes=Fields(
                "target weapon thrown item off_hand bullets autofire",
                special=substitutes,
                under={
                    "item": {"special": ("disarm", "grapple")},
                    **{one: {"special": UNSAID} for one in ("thrown", "off_hand", "bullets", "autofire")},
                },
            ),
        ),
        acts.CoupDeGrace: Honours(
            refine(shared_coup_de_grace.coup_de_grace, coup_de_grace.finish), "target weapon"
        ),
        acts.KnockoutBlow: Honours(knockout_blow.knockout_blow, "target weapon"),
        acts.TotalDefense: Honours(attack_action.total_defense),
        acts.Aid: Honours(attack_action.aid, "friend opponent weapon", benefit=("attack", "defense")),
    },
    stack=attack_roll.stack,
    barred=first(
        when("not melee and 'prone' in attacker.conditions", ranged_attacks.prone_weapons),
        when("not melee", ranged_attacks.beyond_maximum),
        when("'explosive' in weapon.traits", prepared.only_at_squares),
        cover.behind_total_cover,
    ),
    before_attacks=unarmed.why_no_opening,
    before_roll=steps(
        when("not melee and 'grappling' in target.conditions", being_held.shoot_into_grapple),
        when(f"not melee and {shoot_held.AT_ITEM}", shoot_held.strike_whom_it_meets),
        when("melee and target.conditions", engaged.note_attack),
        when("weapon.wield in ('unarmed', 'natural')", unarmed.cite_damage),
    ),
    attack_bonus=refine(
        shared_attack_roll.attack_bonus,
        roll_rules.by_ability,
        when("not weapon.proficient", attack_roll.firearm_proficiency),
        when(f"not weapon.proficient and {BREAKS_OUT}", explosives.needs_no_proficiency),
    ),
    deciding_rules=roll_rules.rules_of_sum,
    attack_situation=refine(
        gather(
            *shared_attack_roll.ATTACKER_STATE,
            when("attacker.sheet.size != 'medium' or target.sheet.size != 'medium'", roll_rules.cite_sizes),
            when("melee and weapon.wield == 'natural'", unarmed.cite_natural_arms),
            when("melee", flanking.flanking_advantage),
            attack_roll.height_advantage,
            when("not melee", flanking.no_flanking_at_range),
            when("not melee", ranged_attacks.range_disadvantage),
            when("not melee", engaged.shot_into_melee),
            when("not melee and weapon.family == 'longarm'", ranged_attacks.longarm_beside),
            when("not melee and 'prone' in attacker.conditions", ranged_attacks.shooting_prone),
            when("attacker.conditions", modifier_tables.cite_hampering_cover),
            when("attacker.conditions", declared_advantages.unrelated_disadvantages),
        ),
        modifier_tables.cite_attack_table,
    ),
    miss_chance=concealment.miss_chance,
    threatens_critical=refine(
        choose(
            when(KNOCKOUT, knockout_blow.hits_home),
            when(("target.sheet.thing is not None", shoot_held.AT_ITEM), things.no_threat_to_things),
            natural_threat,
        ),
        roll_rules.cite_threat,
    ),
    confirm_critical=choose(when(KNOCKOUT, always), attack_roll.confirm),
    after_miss=cover.strike_cover,
    after_blow=steps(
        when("'splash' in weapon.traits", splashes.break_flask),
        when(EMPTIES, leave_unloaded),
        when(THROWS, leave_hand),
    ),
    deliver=refine(
        declared_blow.deliver,
        when("not melee and weapon.family in ('firearm', 'handgun', 'longarm')", autofire.provoking_shot),
        when("intent.arrows > 1", autofire.spend_bullets),
        when("target.sheet.thing is not None", things.provoke_bearer),
        when(shoot_held.AT_ITEM, shoot_held.provoke_by_shot),
    ),
    still_strikes=choose(when("blow.intent.item", shoot_held.still_at_item), interrupted_blow.still_strikes),
    attack_series=full_attack.full_attacks,
    usual_strikes=refine(usual_strikes, when(usual_fire.FIRES_ONLY_SO, usual_fire.automatic_strikes)),
    usual_shot=choose(when(usual_fire.FIRES_ONLY_SO, usual_fire.automatic_shot), usual_shot),
    least_missiles=choose(when(usual_fire.FIRES_ONLY_SO, usual_fire.least_bullets), one_missile),
    finishing_weapon=prepared.finishes,
)
