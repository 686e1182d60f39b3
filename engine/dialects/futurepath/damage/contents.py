"""The chapter on damage in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import attack_roll
from affray.engine.dialects.futurepath.damage import injury as futurepath_injury
from affray.engine.dialects.futurepath.gear import shoot_held, things
from affray.engine.dialects.futurepath.turns import flow
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, refine, steps, when
from affray.engine.record.damage import Damage
from affray.engine.rules.damage import loss_of_hit_points, weapon_damage
from affray.engine.rules.damage.plain import PLAIN_DAMAGE, TYPES
from affray.engine.rules.gear import object_creature
from affray.events.facts import acts

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    rolls=PLAIN_DAMAGE.rolls | rolls("1d100: stabilize", "1d20: treat-injury"),
    acts={**PLAIN_DAMAGE.acts, acts.Stabilize: Honours(futurepath_injury.stabilize, "target")},
    types=TYPES | {"ballistic", "concussion"},
    strength_damage=attack_roll.strength_damage,
    injure=steps(
        when(
            "'conversing' in target.conditions and harm.attacker is not None",
            futurepath_injury.break_conversation,
        ),
        when(
            "target.sheet.thing is None",
            refine(loss_of_hit_points.injure, futurepath_injury.cite_thresholds),
        ),
        when(
            "target.sheet.thing is not None and target.hp <= 0 and 'dead' not in target.conditions",
            object_creature.ruin,
        ),
    ),
    deal=choose(
        when(shoot_held.AT_ITEM, shoot_held.deal_to_item),
        refine(weapon_damage.weapon_damage, when("target.sheet.thing is not None", things.deal_to_thing)),
    ),
    reduce=choose(when("target.sheet.thing is not None", things.reduce_to_thing), weapon_damage.reduce),
    questions=PLAIN_DAMAGE.questions | questions("effective: effective, ineffective"),
    death_at=futurepath_injury.death_at,
    disabled_from=futurepath_injury.disabled_from,
    dying_from=futurepath_injury.dying_from,
    loss_topics=refine(weapon_damage.loss_topics, futurepath_injury.rules_of_loss),
    massive_damage=flow.massive_damage,
)
