"""`srd35`: the D&D 3.5 combat rules, point by point."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from affray.engine.dialects import usual
from affray.engine.dialects.dialect import Points
from affray.engine.dialects.srd35 import contested
from affray.engine.dialects.srd35.attacks import (
    after_hit,
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
from affray.engine.dialects.srd35.classes import (
    class_abilities,
    derived_statistics,
    endurance,
    fear_bonuses,
    gm_checks,
    intimidate,
    monk,
    rogue,
    take_10_20,
    turn_undead,
    turned_undead,
    uncanny_dodge,
    use_ability,
)
from affray.engine.dialects.srd35.classes.feature_list import FEATURES
from affray.engine.dialects.srd35.conditions import ability_loss, confusion_fascination, poison
from affray.engine.dialects.srd35.conditions import fear as srd35_fear
from affray.engine.dialects.srd35.conditions.condition_table import CONDITIONS
from affray.engine.dialects.srd35.damage import (
    attack_riders,
    damage_reduction,
    fast_healing,
    strength_to_damage,
    temporary_hit_points,
    weapon_material,
)
from affray.engine.dialects.srd35.damage import injury as srd35_injury
from affray.engine.dialects.srd35.damage import rest as srd35_rest
from affray.engine.dialects.srd35.defense import bonus_types, cover, incorporeal
from affray.engine.dialects.srd35.environment import environment, gm_settings
from affray.engine.dialects.srd35.gear import (
    ammunition,
    caltrops,
    don_and_doff,
    flask_contents,
    flasks,
    object_creature,
    tanglefoot,
)
from affray.engine.dialects.srd35.gear import equip as srd35_equip
from affray.engine.dialects.srd35.gear import handling as srd35_handling
from affray.engine.dialects.srd35.grapple import restraints, start_grapple
from affray.engine.dialects.srd35.magic import (
    areas,
    lasting_effects,
    magic_items,
    magic_steps,
    quickened_spells,
    redirect_spell,
    spell_resistance,
)
from affray.engine.dialects.srd35.magic import components as srd35_components
from affray.engine.dialects.srd35.magic import counterspell as srd35_counterspell
from affray.engine.dialects.srd35.magic import long_castings as srd35_long_castings
from affray.engine.dialects.srd35.magic import special_abilities as special_powers
from affray.engine.dialects.srd35.maneuvers import awesome_blow, disarm, feint, overrun, sunder, trample, trip
from affray.engine.dialects.srd35.maneuvers import bull_rush as srd35_bull_rush
from affray.engine.dialects.srd35.mounted import airborne_mounts, barding, guide_mount, mounted_combat
from affray.engine.dialects.srd35.mounted import shots_from_the_saddle as srd35_shots_from_the_saddle
from affray.engine.dialects.srd35.mounted import stay_mounted as srd35_stay_mounted
from affray.engine.dialects.srd35.movement import (
    fall,
    jump,
    load,
    move_modes,
    speed,
    step_costs,
    terrain,
    tumble,
)
from affray.engine.dialects.srd35.opportunity import combat_reflexes
from affray.engine.dialects.srd35.position import creature_size, ethereal, pass_through
from affray.engine.dialects.srd35.prohibitions import CHECKS
from affray.engine.dialects.srd35.senses import attack_square, concealment, hide, seek
from affray.engine.dialects.srd35.turns import (
    actions_table,
    course_of_turn,
    delay_and_ready,
    free_actions,
    surprise,
)
from affray.engine.dialects.srd35.turns import split_full_round as srd35_split_full_round
from affray.engine.rules.magic import held_charge as charge_held
from affray.engine.rules.turns import flow
from affray.events.facts import acts

ACTS: Mapping[type[acts.Act], Any] = {
    **usual.ACTS,
    acts.Enter: airborne_mounts.enter,
    acts.Jump: jump.jump,
    acts.Lift: load.lift,
    acts.Flyby: flyby_attack.flyby,
    acts.Extinguish: magic_steps.extinguish,
    acts.TendFeet: caltrops.tend_feet,
    acts.Move: move_modes.move,
    acts.Step: mounted_combat.step,
    acts.Withdraw: mounted_combat.withdraw,
    acts.Run: mounted_combat.run,
    acts.Charge: environment.charge,
    acts.Attack: attack_square.attack,
    acts.FullAttack: mounted_combat.full_attack,
    acts.Skirmish: spring_attack.skirmish,
    acts.Trample: trample.trample,
    acts.Manyshot: shooting.manyshot,
    acts.UseFeat: declared_feats.use_feat,
    acts.Aid: aid_another.aid,
    acts.CoupDeGrace: coup_de_grace.coup_de_grace,
    acts.Delay: delay_and_ready.delay,
    acts.Resume: delay_and_ready.resume,
    acts.Brace: delay_and_ready.set_weapon,
    acts.Cast: redirect_spell.cast,
    acts.Redirect: redirect_spell.redirect,
    acts.Maintain: srd35_long_castings.maintain,
    acts.Touch: charge_held.touch,
    acts.Counter: srd35_counterspell.counter,
    acts.Activate: magic_items.activate,
    acts.Identify: srd35_counterspell.identify,
    acts.LowerResistance: spell_resistance.lower,
    acts.Rouse: confusion_fascination.rouse,
    acts.BreakFree: tanglefoot.break_free,
    acts.Prepare: flask_contents.prepare,
    acts.Mount: airborne_mounts.mount,
    acts.Dismount: airborne_mounts.dismount,
    acts.Guide: guide_mount.guide,
    acts.Ride: srd35_shots_from_the_saddle.ride,
    acts.Draw: magic_steps.draw,
    acts.Handle: srd35_handling.handle,
    acts.Load: ammunition.load,
    acts.Trip: trip.trip,
    acts.Disarm: disarm.disarm,
    acts.Sunder: sunder.sunder,
    acts.BullRush: srd35_bull_rush.bull_rush,
    acts.Overrun: overrun.overrun,
    acts.Feint: feint.feint,
    acts.Grapple: start_grapple.grapple,
    acts.TurnUndead: turn_undead.turn_undead,
    acts.UseAbility: use_ability.use_ability,
    acts.Don: don_and_doff.don,
    acts.Doff: don_and_doff.doff,
    acts.Gather: ammunition.gather,
    acts.Shelter: don_and_doff.shelter,
    acts.Sleep: don_and_doff.sleep,
    acts.Bind: restraints.bind,
    acts.GetFree: restraints.get_free,
    acts.Burst: object_creature.burst,
    acts.AwesomeBlow: awesome_blow.awesome_blow,
    acts.Circumstance: take_10_20.circumstance,
    acts.Split: srd35_split_full_round.split,
    acts.Envenom: poison.envenom,
    acts.Treat: poison.treat,
    acts.Rest: srd35_rest.rest,
    acts.Fall: fall.fall_act,
    acts.Expose: gm_settings.expose,
    acts.Hide: hide.hide,
    acts.Seek: seek.seek,
    acts.Demoralize: intimidate.demoralize,
    acts.Pilfer: intimidate.pilfer,
}


POINTS = Points(
    acts=ACTS,
    surprise=surprise.surprise,
    order=flow.order,
    close_round=contested.close_round,
    open_turn=course_of_turn.open_turn,
    close_turn=course_of_turn.close_turn,
    allowance=contested.allowance,
    stack=bonus_types.stack,
    reactions=class_abilities.reactions,
    attack_bonus=incorporeal.attack_bonus,
    attack_situation=contested.attack_situation,
    defense_bonus=incorporeal.defense_bonus,
    defense_situation=contested.defense_situation,
    dexterity_denied=contested.dexterity_denied,
    cover=shooting.past_cover(incorporeal.cover_parts),
    miss_chance=magic_steps.miss_chance,
    threatens_critical=improved_critical.widened(srd35_critical_hits.threatens),
    force_rules=after_hit.force_rules,
    strength_damage=strength_to_damage.strength_damage,
    full_attacks=class_abilities.full_attacks,
    usual_strikes=natural_weapons.usual_strikes,
    pledged=class_abilities.pledged,
    armed=unarmed_strikes.armed,
    turned_aside=unarmed_strikes.deflected,
    strikes_home=concealment.strikes_home,
    passes_through=incorporeal.passes_through,
    struck=class_abilities.struck,
    range_increment=shooting.range_increment,
    rated=actions_table.rated,
    safe=actions_table.safe,
    still=actions_table.still,
    reasonable=free_actions.reasonable,
    taking=take_10_20.taking,
    drawn_together=two_weapon_fighting.drawn_together,
    reckoned=derived_statistics.reckoned,
    no_automatic="check.no-auto",
    reduce=weapon_material.reduce,
    injure=magic_steps.injure,
    death_at=contested.death_at,
    massive_damage=srd35_injury.massive_damage,
    arrived=magic_steps.arrived,
    opportunities=combat_reflexes.opportunities,
    sees_foe=concealment.sees_foe,
    sheltered=magic_steps.sheltered,
    bonds=restraints.sturdiness,
    barred=incorporeal.barred,
    through_surface=incorporeal.through_surface,
    save_bonus=object_creature.save_parts,
    saves_never=object_creature.saves_never,
    dying=contested.dying,
    helpless_dexterity=contested.helpless_dexterity,
    space_and_reach=creature_size.space_and_reach,
    hampered_dc=contested.hampered_dc,
    laden=load.laden,
    check_penalty=load.check_penalty,
    dexterity_cap=load.dexterity_cap,
    last_stand=endurance.last_stand,
    nimble=tumble.nimble,
    reflex_cover=contested.reflex_cover,
    around_corners=cover.around_corners,
    run_multiple=barding.run_multiple,
    may_pass=pass_through.may_pass,
    refuse_step=terrain.refuse_step,
    refuse_rough=terrain.refuse_rough,
    measure=step_costs.measure,
    too_far=step_costs.too_far,
    shape=terrain.shape,
    may_stop=pass_through.may_stop,
    hindered=terrain.hindered,
    crossing=terrain.crossing,
    noticed=terrain.noticed,
    entered=terrain.entered,
    step_aside=terrain.step_aside,
    opening=creature_size.opening,
    refuse_taken=pass_through.refuse_taken,
    placed=creature_size.placed,
    out_of_reach=creature_size.out_of_reach,
    flank_parts=flanking.flank_parts,
    checks=CHECKS,
    substitutes={
        name: replace(plan, listed=("special-attack.table",))
        for name, plan in {
            "trip": trip.TRIP,
            "disarm": disarm.DISARM,
            "sunder": sunder.SUNDER,
            "grapple": start_grapple.GRAPPLE,
        }.items()
    },
    approach=turned_undead.approach,
    after_save=gm_settings.evade,
    steeled=fear_bonuses.steeled,
    unmoved=fear_bonuses.unmoved,
    roll_with=magic_steps.meanwhile,
    uncanny=uncanny_dodge.is_uncanny,
    unarmed_dice=monk.fist,
    finesse=combat_reflexes.finesse,
    features=FEATURES,
    casting_action=quickened_spells.casting_action,
    refuse_casting=magic_steps.refuse_casting,
    holds_charges=True,
    passes_opening=areas.passes_opening,
    line_topic="cast.line-of-effect",
    spell_range=spell_resistance.spell_range,
    in_area=areas.in_area,
    prelude=magic_steps.prelude,
    casting_provokes=special_powers.casting_provokes,
    heard=srd35_counterspell.heard,
    hindrances=lasting_effects.hindrances,
    defensive_casting=special_powers.defensive_casting,
    drawn_out=srd35_long_castings.drawn_out,
    spell_fails=srd35_components.spell_fails,
    touching=charge_held.touching,
    affected=magic_steps.affected,
    withstands=ethereal.withstands,
    apart=ethereal.beyond,
    spell_dc=spell_resistance.spell_dc,
    gain=srd35_fear.gain,
    pace=barding.pace,
    attend=srd35_stay_mounted.attend,
    interrupt=delay_and_ready.interrupt,
    averted=srd35_stay_mounted.averted,
    tripped_footing=srd35_stay_mounted.tripped_footing,
    hurled=flasks.hurled,
    drawing=ammunition.drawing,
    before_blow=ammunition.before_blow,
    after_blow=magic_steps.after_blow,
    equip=srd35_equip.from_tables,
    called_for=gm_checks.called_for,
    slowed=speed.slowing_rule,
    score_steps=ability_loss.score_steps,
    loss_topics=contested.loss_topics,
    damage_kind=damage_reduction.chosen_kind,
    after_hit=rogue.bring_along,
    missed=poison.after_miss,
    bestow=magic_steps.bestow,
    onset=fast_healing.onset,
    lapse=temporary_hit_points.lapse,
    dying_from=contested.dying_from,
    expose=attack_riders.take,
    aoo_topics=contested.aoo_topics,
)

TITLE = "D&D 3.5 System Reference Document"

__all__ = ["CONDITIONS", "POINTS", "TITLE"]
