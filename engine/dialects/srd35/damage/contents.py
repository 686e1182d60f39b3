"""The chapter on damage in srd35: what stands at each point that is not plain, in the order of a hit."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import rogue
from affray.engine.dialects.srd35.conditions import poison
from affray.engine.dialects.srd35.damage import (
    attack_riders,
    damage_reduction,
    strength_to_damage,
    weapon_material,
)
from affray.engine.dialects.srd35.damage import injury as srd35_injury
from affray.engine.dialects.srd35.damage import rest as srd35_rest
from affray.engine.dialects.srd35.environment import water
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, refine, steps, when
from affray.engine.record.damage import Damage
from affray.engine.record.other_fields import SAID
from affray.engine.rules.conditions.immunities import is_spared_massive_damage
from affray.engine.rules.damage import (
    injury,
    last_stand,
    loss_of_hit_points,
    temporary_hit_points,
    weapon_damage,
)
from affray.engine.rules.damage import strength_to_damage as shared_strength
from affray.engine.rules.damage.plain import PLAIN_DAMAGE, no_massive_damage
from affray.engine.rules.gear import object_creature
from affray.engine.rules.magic import casting_in_progress
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    rolls=PLAIN_DAMAGE.rolls | rolls("1d100: begin-to-heal, stabilize, wake"),
    questions=questions("damage-type: piercing, slashing"),
    acts={
        **PLAIN_DAMAGE.acts,
        acts.Stabilize: Honours(minor_acts.stabilize, "target take"),
        acts.Treat: Honours(poison.treat_poison, "target"),
        acts.Rest: Honours(
            srd35_rest.rest,
            "hours minutes bed healer care",
            under={"bed": {"hours": SAID}, "care": {"healer": SAID}},
        ),
    },
    damage_kind=damage_reduction.chosen_kind,
    strength_damage=refine(
        weapon_damage.strength_share,
        when("'as printed' in weapon.traits", shared_strength.nothing_of_strength),
        when(
            "found and found[2] in ('damage.off-hand', 'damage.two-handed')",
            shared_strength.strength_by_table,
        ),
        when("found and strength > 0 and intent.kind == 'flurry'", shared_strength.strength_in_flurry),
        when(
            "found and strength > 0 and melee and weapon.wield == 'natural' and not weapon.off_hand",
            shared_strength.strength_of_limb,
        ),
        when(
            "found and found[2] == 'damage.two-handed' and weapon.wield == 'one-handed'",
            strength_to_damage.strength_of_second_hand,
        ),
    ),
    force_rules=strength_to_damage.force_rules,
    reduce=choose(
        when("target.sheet.thing is not None", object_creature.reduce_by_hardness),
        when(weapon_material.PLAIN_BLOW, weapon_material.unreduced),
        when(
            f"weapon is not None and '{weapon_material.WHIP}' in weapon.traits",
            weapon_material.stopped_by_armor,
            holds=weapon_material.is_armored,
        ),
        refine(
            weapon_material.weapon_damage_as_magic,
            when("attacker is not None and attacker.conditions", water.halved_in_water),
            damage_reduction.reduce_by_nature,
        ),
    ),
    roll_with=steps(
        when("resisted", damage_reduction.note_resistance_used), when("target.sheet.traits", rogue.roll_with)
    ),
    loss_topics=srd35_injury.loss_topics,
    massive_damage=choose(
        when("", no_massive_damage, holds=is_spared_massive_damage), srd35_injury.massive_damage
    ),
    injure=steps(
        when(
            "target.sheet.thing is not None and target.hp <= 0 and 'dead' not in target.conditions",
            object_creature.ruin,
        ),
        when(
            "target.sheet.thing is None",
            refine(loss_of_hit_points.injure, srd35_injury.dead_at_once),
            holds=srd35_injury.is_grave,
        ),
        when(
            "target.sheet.thing is None and (target.conditions or target.casting is not None)",
            casting_in_progress.shaken_by_harm,
        ),
    ),
    dying_from=srd35_injury.dying_from,
    last_stand=last_stand.last_stand("disabled"),
    death_at=choose(
        when("", srd35_injury.minus_constitution, holds=srd35_injury.dies_by_constitution), injury.death_at
    ),
    bleed_out=steps(when("", injury.bleed_out, holds=srd35_injury.on_own_turn)),
    along_with_damage=steps(
        when("weapon.riders", attack_riders.apply_weapon_riders),
        when("attacker.effects", poison.poison_from_weapon),
        when("damage.sneak_attack_dice and not intent.further_arrow", rogue.crippling_strike),
    ),
    effect_over=temporary_hit_points.take_back_lent,
)
