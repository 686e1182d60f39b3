"""The chapter on attacks in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks import (
    after_blow,
    attack_modifiers,
    attack_roll,
    called_shots,
    flanking,
    spring_attack,
)
from affray.engine.dialects.woa.attacks.attack_action import attack_once
from affray.engine.dialects.woa.classes import described_uses
from affray.engine.dialects.woa.mounted import cover_beside_mount, mounted_charge, mounted_combat
from affray.engine.dialects.woa.movement import checks_when_struck
from affray.engine.dialects.woa.opportunity import shield_block
from affray.engine.dialects.woa.turns import ready_concentration, special_actions
from affray.engine.dialects.woa.turns.declared_actions import keeping
from affray.engine.record.attacks import Attacks
from affray.engine.record.compose import steps, when
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.events.facts import acts

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    acts={
        acts.Charge: mounted_charge.charge,
        acts.Attack: attack_once,
        acts.Skirmish: keeping(spring_attack.skirmish),
        acts.FullAttack: keeping(mounted_combat.full_attack),
        acts.CalledShot: keeping(mounted_combat.wielding(called_shots.called_shot)),
        acts.TotalDefense: keeping(special_actions.total_defense),
        acts.UseFeat: keeping(described_uses.use_feat),
        acts.Ignore: flanking.ignore,
    },
    stack=attack_roll.stack,
    before_roll=cover_beside_mount.before_attack,
    attack_bonus=attack_roll.attack_bonus,
    attack_situation=attack_modifiers.attack_situation,
    miss_chance=attack_modifiers.no_miss_chance,
    deciding_rules=attack_roll.judging,
    threatens_critical=attack_roll.threatens_critical,
    confirm_critical=attack_roll.confirm,
    deflected=shield_block.stopped,
    after_miss=steps(checks_when_struck.missed, after_blow.missed),
    after_hit=steps(checks_when_struck.struck, after_blow.struck),
    after_maneuver=steps(checks_when_struck.tried, when("target.readied", ready_concentration.jostled)),
    attack_series=attack_roll.full_attacks,
)
