"""`woa`: Worlds of Adventure, point by point: declared actions, initiative every round, combat reactions."""

from collections.abc import Callable, Mapping
from typing import Any

from affray.engine.dialects.dialect import Points
from affray.engine.dialects.woa import together
from affray.engine.dialects.woa.attacks import (
    attack_modifiers,
    attack_roll,
    called_shots,
    flanking,
    spring_attack,
    take_10,
)
from affray.engine.dialects.woa.classes import described_uses, saves, special_abilities, turn_undead
from affray.engine.dialects.woa.classes.feature_list import FEATURES
from affray.engine.dialects.woa.conditions import gained_conditions, impeded_mobility
from affray.engine.dialects.woa.conditions.condition_table import CONDITIONS
from affray.engine.dialects.woa.damage import bleeding, injury, rest, treatment, weapon_damage
from affray.engine.dialects.woa.defense import armor_class, cover
from affray.engine.dialects.woa.environment import circumstances
from affray.engine.dialects.woa.gear import draw_and_sheathe, equip, handling, objects
from affray.engine.dialects.woa.grapple import drag, grab, grab_actions, grapple, grapple_casting
from affray.engine.dialects.woa.magic import (
    casting,
    counterspell,
    devices,
    redirect_spell,
    spell_effects,
    touch_spells,
)
from affray.engine.dialects.woa.magic.components import refuse_casting
from affray.engine.dialects.woa.maneuvers import disarm, feint, overrun, push, stunt, sunder, trip
from affray.engine.dialects.woa.mounted import (
    cover_beside_mount,
    mount_movement,
    mounted_charge,
    mounted_combat,
    riding,
    shots_from_the_saddle,
    stay_mounted,
)
from affray.engine.dialects.woa.movement import (
    blind_movement,
    checks_when_struck,
    fall,
    move_modes,
    movement,
    movement_rules,
)
from affray.engine.dialects.woa.opportunity import attacks_of_opportunity, shield_block
from affray.engine.dialects.woa.position import (
    creature_as_terrain,
    high_ground,
    pass_through,
    posture,
    space_and_reach,
)
from affray.engine.dialects.woa.prohibitions import CHECKS
from affray.engine.dialects.woa.senses import hide
from affray.engine.dialects.woa.turns import (
    cycle,
    declared_actions,
    free_actions,
    initiative,
    ready,
    special_actions,
    split_full_round,
    tactics,
)
from affray.engine.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.record.maneuvers import Substitute
from affray.engine.rules.turns import flow
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts

keeping = declared_actions.keeping


def attack_once(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack, or outside combat one without a roll (woa.attack.single, woa.attack.take-10)."""
    return take_10.take_ten(fight, act) if act.take else _planned_attack(fight, act)


_planned_attack = keeping(mounted_combat.attack)


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Say something: free and at any time, or a declared round of speaking (woa.speak.*)."""
    yield from (
        _planned_speech(fight, act) if free_actions.is_long(fight, act) else free_actions.speak(fight, act)
    )


_planned_speech = keeping(free_actions.speak)


def use_ability(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Use a special ability: for ki or combat reactions, else as its description says.

    woa.action-type.*, woa.reaction.other-sources, woa.use-special-ability
    """
    known = special_abilities.is_known(fight.combatant(act.actor), act.ability)
    return special_abilities.use_ability(fight, act) if known else _described_use(fight, act)


_described_use = keeping(described_uses.use_ability)


def feinting(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Feint: declared as a move action, or on the fly with Improved Feint (woa.feint.improved-feint)."""
    quick = has_feat(fight.combatant(act.actor), "improved feint")
    yield from feint.feint(fight, act) if quick else _planned_feint(fight, act)


_planned_feint = keeping(feint.feint)

ACTS: Mapping[type[acts.Act], Callable[[Fight, Any], Steps[None]]] = {
    acts.Enter: riding.enter,
    acts.Begin: flow.begin,
    acts.Plan: cycle.declare,
    acts.EndTurn: cycle.end_turn,
    acts.Move: mount_movement.riding(drag.hauling(impeded_mobility.tethered(move_modes.move))),
    acts.Step: drag.hauling(mount_movement.step),
    acts.Run: mount_movement.riding(drag.hauling(blind_movement.run)),
    acts.Charge: mounted_charge.charge,
    acts.Attack: attack_once,
    acts.Skirmish: keeping(spring_attack.skirmish),
    acts.Split: keeping(split_full_round.split),
    acts.FullAttack: keeping(mounted_combat.full_attack),
    acts.CalledShot: keeping(mounted_combat.wielding(called_shots.called_shot)),
    acts.TotalDefense: keeping(special_actions.total_defense),
    acts.Ready: keeping(ready.ready),
    acts.Refocus: keeping(special_actions.refocus),
    acts.Cast: keeping(grapple_casting.grappled(casting.cast)),
    acts.Counter: counterspell.counter,
    acts.Grapple: keeping(grapple.grapple),
    acts.Grab: keeping(mounted_combat.wielding(grab_actions.grabbing)),
    acts.Stand: keeping(posture.stand),
    acts.Touch: keeping(casting.touch),
    acts.Maintain: keeping(turn_undead.maintain),
    acts.Dismiss: keeping(casting.dismiss),
    acts.Redirect: keeping(redirect_spell.redirect),
    acts.TurnUndead: keeping(turn_undead.turn_undead),
    acts.Activate: keeping(devices.activate),
    acts.UseFeat: keeping(described_uses.use_feat),
    acts.UseSkill: keeping(described_uses.use_skill),
    acts.UseAbility: use_ability,
    acts.Drop: ready.letting_go(keeping(free_actions.drop)),
    acts.Hide: keeping(hide.hide),
    acts.Seek: keeping(hide.seek),
    acts.Ignore: flanking.ignore,
    acts.Circumstance: circumstances.circumstance,
    acts.Draw: keeping(draw_and_sheathe.draw),
    acts.Sheathe: ready.letting_go(keeping(draw_and_sheathe.sheathe)),
    acts.Handle: keeping(handling.handle),
    acts.Load: keeping(special_actions.load),
    acts.Stabilize: keeping(special_actions.stabilize),
    acts.Trip: mounted_combat.maneuvering(trip.trip),
    acts.Mount: riding.mount,
    acts.Dismount: riding.dismount,
    acts.Guide: riding.guide,
    acts.Ride: shots_from_the_saddle.ride,
    acts.Disarm: keeping(mounted_combat.wielding(disarm.disarm)),
    acts.Sunder: keeping(mounted_combat.wielding(sunder.sunder)),
    acts.Push: mounted_combat.maneuvering(push.push),
    acts.Stunt: keeping(mounted_combat.wielding(stunt.stunt)),
    acts.Overrun: mounted_combat.maneuvering(overrun.overrun),
    acts.Feint: feinting,
    acts.Burst: keeping(objects.burst),
    acts.Speak: speak,
    acts.Delay: cycle.delay,
    acts.Treat: keeping(special_actions.treat_wound),
    acts.Rouse: keeping(treatment.rouse),
    acts.GetFree: keeping(impeded_mobility.get_free),
    acts.BreakFree: keeping(impeded_mobility.break_free),
    acts.Fall: fall.fall,
    acts.Rest: rest.rest,
    acts.Clamber: keeping(creature_as_terrain.clamber),
    acts.ShakeOff: keeping(creature_as_terrain.shake_off),
    acts.Close: movement_rules.close,
    acts.Hazard: move_modes.hazard,
    acts.Expose: move_modes.expose,
}


def no_defensive_casting(fight: Fight, spell: Any) -> int:
    """Refuse: casting provokes nothing here, so none is done defensively (woa.spell.no-combat-reactions)."""
    raise Refusal("there is no casting defensively", fight.rule("spell.no-combat-reactions"))


IN_PLACE = "attack.in-place-of-attack"
SUBSTITUTES = {
    "trip": Substitute(trip.plan_trip, trip.carry_out_trip, IN_PLACE, ("maneuver.trip.action-cost",)),
    "disarm": Substitute(disarm.plan_disarm, disarm.carry_out_disarm, IN_PLACE, ("disarm.action",)),
    "sunder": Substitute(
        sunder.plan_sunder, sunder.carry_out_sunder, IN_PLACE, ("maneuver.sunder.action-cost",)
    ),
    "push": Substitute(push.plan_push, push.carry_out_push, IN_PLACE, ("maneuver.push.action-cost",)),
    "grab": Substitute(grab.plan_grab, grab.carry_out_grab, IN_PLACE, ("grab.action",)),
}

POINTS = Points(
    acts=ACTS,
    surprise=cycle.surprise,
    initiative=initiative.initiative,
    order=cycle.order,
    open_round=cycle.open_round,
    close_round=cycle.close_round,
    open_turn=cycle.open_turn,
    close_turn=cycle.close_turn,
    ending=cycle.ending,
    allowance=declared_actions.allowance,
    stack=attack_roll.stack,
    reactions=cover_beside_mount.before_attack,
    attack_bonus=attack_roll.attack_bonus,
    attack_situation=attack_modifiers.attack_situation,
    defense_bonus=armor_class.defense_bonus,
    defense_situation=attack_modifiers.defense_situation,
    dexterity_denied=armor_class.dexterity_denied,
    cover=cover.cover_parts,
    miss_chance=attack_modifiers.no_miss_chance,
    judging=attack_roll.judging,
    missed=together.missed,
    struck=together.struck,
    tried=together.tried,
    bands=space_and_reach.bands,
    apart=high_ground.apart,
    space_and_reach=space_and_reach.space_and_reach,
    placed=space_and_reach.placed,
    threatens_critical=attack_roll.threatens_critical,
    confirm=attack_roll.confirm,
    damage=shield_block.damage,
    full_attacks=attack_roll.full_attacks,
    defensive_casting_dc=no_defensive_casting,
    reduce=weapon_damage.reduce,
    injure=injury.injure,
    death_at=injury.no_death_line,
    massive_damage=injury.no_massive_damage,
    leaving=attacks_of_opportunity.leaving,
    arrived=together.arrived,
    running=movement.running,
    refuse_step=pass_through.refuse_step,
    measure=pass_through.measure,
    may_pass=pass_through.passes_freely,
    reckoned=together.reckoned,
    propose=tactics.next_act,
    opportunities=attacks_of_opportunity.opportunities,
    equip=equip.equip,
    turned_aside=shield_block.stopped,
    save_bonus=saves.save_bonus,
    refuse_casting=refuse_casting,
    holds_charges=True,
    touching=touch_spells.touching,
    spell_blow=touch_spells.spell_blow,
    discharge=touch_spells.discharge,
    affect=spell_effects.affect,
    afflict=spell_effects.afflict,
    laden=devices.wears,
    score_steps=bleeding.score_steps,
    gain=gained_conditions.gain,
    attend=checks_when_struck.attend,
    averted=stay_mounted.averted,
    checks=CHECKS,
    features=FEATURES,
    substitutes=SUBSTITUTES,
)

TITLE = "Worlds of Adventure"

__all__ = ["CONDITIONS", "POINTS", "TITLE"]
