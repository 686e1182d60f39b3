"""The chapter on damage in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import attack_modifiers as own_attack
from affray.engine.dialects.pf1.attacks import roll_rules
from affray.engine.dialects.pf1.classes import arcane_strike, smite
from affray.engine.dialects.pf1.conditions import poison
from affray.engine.dialects.pf1.damage import (
    energy_of_blows,
    enhancement,
    heal_skill,
    healing,
    penetrating_strike,
)
from affray.engine.dialects.pf1.damage import injury as own_injury
from affray.engine.dialects.pf1.damage import rest as own_rest
from affray.engine.dialects.pf1.defense import incorporeal
from affray.engine.dialects.pf1.gear import broken_things
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import amend, any_of, choose, refine, steps, when
from affray.engine.record.damage import Damage
from affray.engine.record.other_fields import SAID
from affray.engine.rules.classes.natures import INCORPOREAL, natured
from affray.engine.rules.conditions.immunities import is_spared_massive_damage
from affray.engine.rules.damage import (
    last_stand,
    loss_of_hit_points,
    strength_to_damage,
    temporary_hit_points,
    weapon_damage,
)
from affray.engine.rules.damage.plain import PLAIN_DAMAGE, no_massive_damage
from affray.engine.rules.environment import water
from affray.engine.rules.gear import object_creature
from affray.engine.rules.magic import casting_in_progress
from affray.events.facts import acts

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    rolls=PLAIN_DAMAGE.rolls | rolls("1d20: begin to heal, stabilize, wake", "bleed"),
    questions=PLAIN_DAMAGE.questions | questions("exposed: nothing, <item>"),
    acts={
        **PLAIN_DAMAGE.acts,
        acts.Stabilize: Honours(heal_skill.first_aid, "target"),
        acts.Rest: Honours(
            own_rest.rest,
            "hours minutes bed healer care",
            under={"bed": {"hours": SAID}, "care": {"healer": SAID}},
        ),
    },
    strength_damage=refine(
        weapon_damage.strength_share,
        when("'as printed' in weapon.traits", strength_to_damage.nothing_of_strength),
        when(
            "found and found[2] in ('damage.off-hand', 'damage.two-handed')",
            strength_to_damage.strength_by_table,
        ),
        own_attack.rule_on_strength,
        when("found and found[2] == 'damage.off-hand'", own_attack.whole_with_double_slice),
        when("found and strength > 0 and intent.kind == 'flurry'", strength_to_damage.strength_in_flurry),
        when(
            "found and strength > 0 and melee and weapon.wield == 'natural'",
            strength_to_damage.strength_of_limb,
        ),
    ),
    force_rules=roll_rules.rules_of_damage,
    reduce=refine(
        amend(
            when("attacker is not None and 'in water' in attacker.conditions", water.halve_in_water),
            choose(
                when("target.sheet.thing is not None", object_creature.reduce_by_hardness),
                when("", energy_of_blows.reduce_apart, holds=energy_of_blows.deals_energy),
                PLAIN_DAMAGE.reduce,
            ),
        ),
        when(natured("target", INCORPOREAL), incorporeal.without_body),
    ),
    overcomes=any_of(
        smite.smites,
        enhancement.overcome_by_enhancement,
        enhancement.overcome_as_magic,
        arcane_strike.overcome_by_arcane_strike,
    ),
    pierced=penetrating_strike.points_ignored,
    minimum_is_nonlethal=True,
    settle=steps(
        PLAIN_DAMAGE.settle,
        when("target.sheet.thing is not None", broken_things.break_at_half),
    ),
    injure=steps(
        when("target.sheet.regeneration", healing.stop_regeneration),
        when(
            "target.sheet.thing is not None and target.hp <= 0 and 'dead' not in target.conditions",
            object_creature.ruin,
        ),
        when("target.sheet.thing is not None", broken_things.break_thing),
        when(
            "target.sheet.thing is None",
            refine(loss_of_hit_points.injure, own_injury.cite_threshold),
        ),
        when("target.sheet.thing is None", own_injury.cite_death_line),
        when(
            "target.sheet.thing is None and (target.conditions or target.casting is not None)",
            casting_in_progress.shaken_by_harm,
        ),
    ),
    loss_topics=own_injury.loss_topics,
    disabled_from=own_injury.disabled_from,
    dying_from=own_injury.dying_from,
    bleed_out=own_injury.bleed_out,
    last_stand=last_stand.last_stand(own_injury.ON_ITS_FEET),
    undying=own_injury.undying,
    death_at=choose(
        when("combatant.sheet.regeneration", own_injury.never_dead, holds=own_injury.refuses_to_die),
        own_injury.death_at,
    ),
    massive_damage=choose(
        when("", no_massive_damage, holds=is_spared_massive_damage),
        when("victim.sheet.regeneration", no_massive_damage, holds=own_injury.refuses_to_die),
        own_injury.massive_damage,
    ),
    nonlethal_limit=own_injury.nonlethal_limit,
    along_with_damage=steps(when("weapon.riders or attacker.effects", poison.apply_weapon_riders)),
    effect_over=temporary_hit_points.take_back_lent,
)
