"""The chapter on attacks in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import gather, when
from affray.engine.rules.attacks import (
    aid_another,
    attack_action,
    attack_modifiers,
    attack_roll,
    attack_series,
    charge,
    declared_blow,
)
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.events.facts import acts

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls | rolls("1d100: miss-chance", "1d20: aid"),
    acts={
        **PLAIN_ATTACKS.acts,
        acts.Charge: Honours(charge.charge, "target path weapon", refuses="special"),
        acts.Attack: Honours(attack_action.attack, "target weapon thrown nonlethal defensively"),
        acts.FullAttack: Honours(
            attack_action.full_attack, "nonlethal defensively", strikes=Fields("target weapon thrown special")
        ),
        acts.Aid: Honours(aid_another.aid, "friend opponent", benefit=("attack", "defense")),
        acts.Brace: Honours(declared_blow.brace, "weapon target"),
    },
    attack_bonus=attack_roll.attack_bonus,
    attack_situation=gather(
        *attack_roll.ATTACKER_STATE,
        when("melee", attack_modifiers.flanking_bonus),
        when("melee", attack_modifiers.higher_ground),
        when("not melee", own_attack.range_penalty),
        when("not melee", own_attack.into_melee),
    ),
    miss_chance=attack_modifiers.miss_chance,
    attack_series=attack_series.full_attacks,
)
