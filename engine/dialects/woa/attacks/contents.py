"""The chapter on attacks in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks import (
    attack_action,
    attack_modifiers,
    attack_roll,
    attack_series,
    blind_attack,
    called_shots,
    charge,
    declared_blow,
    flanking,
    spring_attack,
    stray_missiles,
)
from affray.engine.dialects.woa.classes import described_uses
from affray.engine.dialects.woa.classes.turned_undead import forced_into_melee
from affray.engine.dialects.woa.conditions import stunning_blows
from affray.engine.dialects.woa.conditions.flight_from_fear import flee_or_cower
from affray.engine.dialects.woa.defense import struck_cover
from affray.engine.dialects.woa.defense.defense_citations import cite_guard
from affray.engine.dialects.woa.environment import underwater_combat
from affray.engine.dialects.woa.gear.draw_and_sheathe import end_weapon_surprise
from affray.engine.dialects.woa.gear.objects import damaged_parts
from affray.engine.dialects.woa.grapple import grab_strength_checks, grapple_modifiers
from affray.engine.dialects.woa.grapple.grapple_modifiers import deny_positioning
from affray.engine.dialects.woa.mounted import (
    cover_beside_mount,
    mounted_combat,
    mounted_modifiers,
)
from affray.engine.dialects.woa.movement import checks_when_struck, climb_and_burrow
from affray.engine.dialects.woa.opportunity import combat_reactions, shield_block
from affray.engine.dialects.woa.opportunity.aid_reactions import offer_aid
from affray.engine.dialects.woa.position import crowding, size_difference
from affray.engine.dialects.woa.senses import concealment
from affray.engine.dialects.woa.turns import ready_concentration, special_actions
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, gather, refine, steps, when
from affray.engine.record.maneuvers import substitutes
from affray.engine.record.other_fields import SAID, UNSAID
from affray.engine.record.silent import no
from affray.engine.rules.attacks import attack_roll as shared_attack_roll
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.engine.rules.gear.loading import EMPTIES, leave_unloaded
from affray.engine.rules.gear.thrown_weapons import THROWS, leave_hand
from affray.engine.rules.magic.held_charge import discharge_by_strike
from affray.events.facts import acts

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls | rolls("1d8: astray"),
    questions=PLAIN_ATTACKS.questions
    | questions(
        "astray: no, yes",
        "called-penalty: the usual one, half of it, none",
        "casting-hand: yes, no",
        "distracted: calm, distracted",
        "reach-part: no, yes",
    ),
    acts={
        acts.Charge: Honours(
            charge.charge,
            "target path weapon item part stunt dc",
            skill=charge.SKILLS,
            special=substitutes,
            under={
                "item": {"special": ("disarm", "sunder")},
                "special": {"stunt": UNSAID},
                "part": {"stunt": UNSAID},
                "skill": {"stunt": SAID},
                "dc": {"skill": SAID},
            },
        ),
        acts.Attack: Honours(
            choose(
                when("take", attack_action.take_ten),
                steps(
                    mounted_combat.refuse_mounted,
                    refine(
                        choose(when("at is not None", blind_attack.attack_square), declared_blow.attack),
                        mounted_combat.fight_mounted,
                    ),
                ),
            ),
            "target weapon thrown nonlethal at take",
            refuses="defensively",
            under={"at": {"target": UNSAID, "take": UNSAID}},
        ),
        acts.Skirmish: Honours(spring_attack.skirmish, "path target weapon onward"),
        acts.FullAttack: Honours(
            steps(
                mounted_combat.refuse_mounted,
                refine(declared_blow.full_attack, mounted_combat.fight_mounted),
            ),
            "nonlethal step step_after",
            refuses="defensively",
            under={"step_after": {"step": SAID}},
            strikes=Fields(
                "target weapon thrown item off_hand part",
                special=substitutes,
                under={"item": {"special": ("disarm", "sunder")}, "thrown": {"special": UNSAID}},
            ),
        ),
        acts.CalledShot: Honours(called_shots.called_shot, "target weapon part thrown nonlethal"),
        acts.TotalDefense: Honours(special_actions.total_defense),
        acts.UseFeat: Honours(described_uses.use_feat, "feat"),
        acts.Ignore: Honours(flanking.ignore, "targets"),
    },
    stack=attack_roll.stack,
    prepare=attack_roll.prepare_blow,
    is_nonlethal=attack_roll.is_nonlethal,
    deliver=declared_blow.deliver,
    before_roll=steps(
        when(
            "'grappling' in target.conditions and not outcome.needed and not intent.maneuver"
            f" and intent.kind not in {grapple_modifiers.SURE_OF_AIM!r}",
            grapple_modifiers.strike_wrong_grappler,
        ),
        when(
            "target.mount and not outcome.needed and attacker.id != target.mount",
            cover_beside_mount.take_cover,
        ),
        when("not melee and not outcome.needed and intent.kind != 'ambush'", struck_cover.dodge_ahead),
        when("target.conditions", flee_or_cower),
        when("target.conditions", forced_into_melee),
        when("melee and not outcome.needed and intent.kind != 'ambush'", offer_aid),
        when("not outcome.needed and intent.kind != 'ambush'", combat_reactions.ward_off),
        when("intent.kind == 'ambush'", combat_reactions.cite_ambush),
        cite_guard,
    ),
    attack_bonus=attack_roll.attack_bonus,
    finesse=no,
    attack_situation=refine(
        gather(
            *shared_attack_roll.ATTACKER_STATE,
            when("attacker.resources", damaged_parts),
            when("not melee", attack_modifiers.relative_size),
            when("not melee", attack_modifiers.range_penalties),
            when("attacker.mount", mounted_modifiers.mount_on_attack),
            when("attacker.conditions", underwater_combat.water_on_attack),
            when("intent.kind == 'opportunity'", attack_modifiers.flanked_opportunity),
            crowding.close_attack,
            concealment.concealment_on_attack,
        ),
        when("'grappling' in target.conditions", deny_positioning),
    ),
    miss_chance=attack_modifiers.no_miss_chance,
    deciding_rules=attack_roll.rules_deciding_roll,
    threatens_critical=attack_roll.threatens_critical,
    confirm_critical=attack_roll.confirm,
    deflected=shield_block.taken_by_armor,
    after_miss=steps(
        struck_cover.strike_cover,
        climb_and_burrow.shake_climber,
        when(checks_when_struck.CONCERNED, checks_when_struck.check_after_unhurt),
        when("intent.touch", shield_block.struck_by_touch),
        when("not melee", stray_missiles.stray_near_target),
        when("target.readied is not None", ready_concentration.shake_readied),
    ),
    after_hit=steps(
        refine(
            steps(
                checks_when_struck.break_cover,
                size_difference.crush_far_smaller,
                climb_and_burrow.shake_climber_by_hit,
            ),
            checks_when_struck.check_after_hit,
        ),
        when("attacker.conditions", grab_strength_checks.weaken_grip),
        when("weapon.riders", stunning_blows.stun),
        when("'readying' in target.conditions", ready_concentration.check_readied_hit),
    ),
    after_maneuver=steps(
        climb_and_burrow.shake_climber,
        when(checks_when_struck.CONCERNED, checks_when_struck.check_after_unhurt),
        when(checks_when_struck.CONCERNED, checks_when_struck.upset_flyer),
        when("target.readied", ready_concentration.shake_readied),
    ),
    after_blow=steps(
        when("attacker.conditions", discharge_by_strike),
        when(EMPTIES, leave_unloaded),
        when(THROWS, leave_hand),
        when("attacker.effects", end_weapon_surprise),
    ),
    attack_series=attack_series.full_attacks,
)
