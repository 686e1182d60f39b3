"""The chapter on attacks in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import (
    attack_action,
    attack_roll,
    charge,
    full_attack,
    knockout_blow,
)
from affray.engine.dialects.futurepath.conditions import declared_advantages, modifier_tables
from affray.engine.dialects.futurepath.defense import cover, defense
from affray.engine.dialects.futurepath.grapple import being_held
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import choose, gather, refine, steps, when
from affray.engine.record.maneuvers import substitutes
from affray.engine.record.other_fields import UNSAID
from affray.engine.record.silent import always, yes
from affray.engine.rules.attacks import attack_roll as shared_attack_roll
from affray.engine.rules.attacks.attack_modifiers import into_melee
from affray.engine.rules.attacks.critical_hits import natural_threat
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.engine.rules.gear.loading import EMPTIES, leave_unloaded
from affray.engine.rules.gear.thrown_weapons import THROWS, leave_hand
from affray.events.facts import acts

#: When a blow is one that is to knock a helpless foe out.
KNOCKOUT = f"intent.kind == {knockout_blow.KNOCKOUT!r}"

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls | rolls("1d100: miss-chance", "1d20: aid"),
    acts={
        **PLAIN_ATTACKS.acts,
        acts.Charge: Honours(
            charge.charge,
            "target path weapon item",
            special=substitutes,
            under={"item": {"special": ("disarm",)}},
        ),
        acts.Attack: Honours(attack_action.attack, "target weapon thrown nonlethal defensively"),
        acts.FullAttack: Honours(
            full_attack.full_attack,
            "nonlethal defensively second",
            strikes=Fields(
                "target weapon thrown item",
                special=substitutes,
                under={"item": {"special": ("disarm", "grapple")}, "thrown": {"special": UNSAID}},
            ),
        ),
        acts.KnockoutBlow: Honours(knockout_blow.knockout_blow, "target weapon"),
        acts.TotalDefense: Honours(attack_action.total_defense),
        acts.Aid: Honours(attack_action.aid, "friend opponent", benefit=("attack", "defense")),
    },
    stack=attack_roll.stack,
    before_roll=steps(when("not melee and 'grappling' in target.conditions", being_held.shoot_into_grapple)),
    attack_bonus=refine(
        shared_attack_roll.attack_bonus, when("not weapon.proficient", attack_roll.firearm_proficiency)
    ),
    attack_situation=refine(
        gather(
            *shared_attack_roll.ATTACKER_STATE,
            when("melee", attack_roll.flanking_advantage),
            when("melee", attack_roll.height_advantage),
            when("not melee", attack_roll.range_disadvantage),
            when("not melee", into_melee),
            when("not melee and weapon.family == 'longarm'", attack_roll.longarm_beside),
            when("not melee and 'prone' in attacker.conditions", attack_roll.shooting_prone),
            when("attacker.conditions", declared_advantages.unrelated_disadvantages),
        ),
        modifier_tables.cite_attack_table,
    ),
    miss_chance=defense.miss_chance,
    threatens_critical=choose(when(KNOCKOUT, knockout_blow.hits_home), natural_threat),
    confirm_critical=choose(when(KNOCKOUT, always), attack_roll.confirm),
    after_miss=cover.strike_cover,
    after_blow=steps(when(EMPTIES, leave_unloaded), when(THROWS, leave_hand)),
    attack_series=full_attack.full_attacks,
    finishing_weapon=yes,
)
