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
from affray.engine.dialects.woa.attacks.charge import SKILLS
from affray.engine.dialects.woa.classes import described_uses
from affray.engine.dialects.woa.mounted import cover_beside_mount, mounted_charge, mounted_combat
from affray.engine.dialects.woa.movement import checks_when_struck
from affray.engine.dialects.woa.opportunity import shield_block
from affray.engine.dialects.woa.turns import ready_concentration, special_actions
from affray.engine.dialects.woa.turns.declared_actions import keeping
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.compose import steps, when
from affray.engine.record.maneuvers import substitutes
from affray.engine.record.words import Judged
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.events.facts import acts

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    acts={
        acts.Charge: Honours(
            mounted_charge.charge,
            "target",
            "path",
            "weapon",
            "item",
            "part",
            "stunt",
            "dc",
            skill=SKILLS,
            special=Judged(substitutes),
        ),
        acts.Attack: Honours(
            attack_once, "target", "weapon", "thrown", "nonlethal", "at", "take", refuses=("defensively",)
        ),
        acts.Skirmish: Honours(keeping(spring_attack.skirmish), "path", "target", "weapon", "onward"),
        acts.FullAttack: Honours(
            keeping(mounted_combat.full_attack),
            "nonlethal",
            "step",
            "step_after",
            refuses=("defensively",),
            strikes=Fields("target", "weapon", "thrown", "item", "off_hand", "part", special=substitutes),
        ),
        acts.CalledShot: Honours(
            keeping(mounted_combat.wielding(called_shots.called_shot)),
            "target",
            "weapon",
            "part",
            "thrown",
            "nonlethal",
        ),
        acts.TotalDefense: Honours(keeping(special_actions.total_defense)),
        acts.UseFeat: Honours(keeping(described_uses.use_feat), "feat", "target"),
        acts.Ignore: Honours(flanking.ignore, "targets"),
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
