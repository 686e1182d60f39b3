"""The chapter on attacks in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35 import contested
from affray.engine.dialects.srd35.attacks import (
    aid_another,
    coup_de_grace,
    declared_feats,
    flanking,
    flyby_attack,
    improved_critical,
    natural_weapons,
    shooting,
    spring_attack,
    two_weapon_fighting,
    unarmed_strikes,
)
from affray.engine.dialects.srd35.attacks import critical_hits as srd35_critical_hits
from affray.engine.dialects.srd35.classes import class_abilities
from affray.engine.dialects.srd35.conditions import poison
from affray.engine.dialects.srd35.defense import bonus_types, incorporeal
from affray.engine.dialects.srd35.environment import environment
from affray.engine.dialects.srd35.gear import ammunition
from affray.engine.dialects.srd35.magic import magic_steps
from affray.engine.dialects.srd35.mounted import mounted_combat
from affray.engine.dialects.srd35.opportunity import combat_reflexes
from affray.engine.dialects.srd35.senses import attack_square, concealment
from affray.engine.dialects.srd35.turns import delay_and_ready
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.maneuvers import substitutes
from affray.engine.rules.attacks.plain import PLAIN_ATTACKS
from affray.events.facts import acts

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    acts={
        **PLAIN_ATTACKS.acts,
        acts.Flyby: Honours(flyby_attack.flyby, "path", "up", "after", "then"),
        acts.Charge: Honours(
            environment.charge, "target", "path", "weapon", "item", "power", special=substitutes
        ),
        acts.Attack: Honours(
            attack_square.attack,
            "target",
            "weapon",
            "thrown",
            "nonlethal",
            "defensively",
            "power",
            "expertise",
            "stunning",
            "at",
            "aim",
        ),
        acts.FullAttack: Honours(
            mounted_combat.full_attack,
            "nonlethal",
            "defensively",
            "flurry",
            "power",
            "expertise",
            "second",
            "rapid_shot",
            "whirlwind",
            strikes=Fields("target", "weapon", "thrown", "item", "off_hand", "stunning", special=substitutes),
        ),
        acts.Skirmish: Honours(spring_attack.skirmish, "path", "target", "weapon", "onward"),
        acts.Manyshot: Honours(shooting.manyshot, "target", "weapon", "arrows"),
        acts.UseFeat: Honours(declared_feats.use_feat, "feat", "target"),
        acts.Aid: Honours(aid_another.aid, "friend", "opponent", "benefit", "what"),
        acts.CoupDeGrace: Honours(coup_de_grace.coup_de_grace, "target", "weapon"),
        acts.Brace: Honours(delay_and_ready.set_weapon, "weapon", "target"),
    },
    stack=bonus_types.stack,
    before_roll=class_abilities.reactions,
    before_attacks=unarmed_strikes.armed,
    before_blow=ammunition.before_blow,
    attack_bonus=incorporeal.attack_bonus,
    attack_situation=contested.attack_situation,
    flanking=flanking.flank_parts,
    range_increment=shooting.range_increment,
    finesse=combat_reflexes.finesse,
    miss_chance=magic_steps.miss_chance,
    barred=incorporeal.barred,
    through_surface=incorporeal.through_surface,
    threatens_critical=improved_critical.widened(srd35_critical_hits.threatens),
    finds_its_mark=concealment.strikes_home,
    passes_through=incorporeal.passes_through,
    deflected=unarmed_strikes.deflected,
    after_miss=poison.after_miss,
    after_hit=class_abilities.struck,
    after_blow=magic_steps.after_blow,
    attack_series=class_abilities.full_attacks,
    usual_strikes=natural_weapons.usual_strikes,
    declared_feats=class_abilities.pledged,
    drawn_together=two_weapon_fighting.drawn_together,
    no_automatic_rule="check.no-auto",
)
