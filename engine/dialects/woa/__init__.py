"""`woa`: Worlds of Adventure, point by point: declared actions, initiative every round, combat reactions."""

from collections.abc import Callable, Mapping
from typing import Any

from affray.engine.dialects.dialect import Points
from affray.engine.dialects.woa import together
from affray.engine.dialects.woa.attacks import (
    attack,
    called,
    calm,
    damage,
    defense,
    flanking,
    situation,
    skirmish,
)
from affray.engine.dialects.woa.casting import counter, delivered, devices, magic, redirected, spells, turning
from affray.engine.dialects.woa.casting.components import refuse_casting
from affray.engine.dialects.woa.checks import CHECKS
from affray.engine.dialects.woa.elements import aftermath
from affray.engine.dialects.woa.features import FEATURES
from affray.engine.dialects.woa.gear import arms, drawing, handling, objects
from affray.engine.dialects.woa.harm import afflictions, bleeding, hampered, injury, rest, saves, treatment
from affray.engine.dialects.woa.harm.conditions import CONDITIONS
from affray.engine.dialects.woa.holding import grab, grabbing, grapple, grapple_casting, hauling
from affray.engine.dialects.woa.maneuvers import disarm, feint, overrun, push, stunt, sunder, trip
from affray.engine.dialects.woa.mounts import beside, fighting, gallop, mounted_charge, riding, saddle, seat
from affray.engine.dialects.woa.moving import fall, going, groping, movement, passing, ways
from affray.engine.dialects.woa.place import circumstances, covering, heights, hiding, perch, posture, reach
from affray.engine.dialects.woa.reactions import opportunity, shields
from affray.engine.dialects.woa.turns import (
    abilities,
    cycle,
    free,
    halves,
    initiative,
    plan,
    readied,
    special,
    tactics,
    uses,
)
from affray.engine.fight import Fight
from affray.engine.rules.classes.abilities import has_feat
from affray.engine.rules.maneuvers.attempt import Substitute
from affray.engine.rules.turns import flow
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts

keeping = plan.keeping


def attack_once(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack, or outside combat one without a roll (woa.attack.single, woa.attack.take-10)."""
    return calm.take_ten(fight, act) if act.take else _planned_attack(fight, act)


_planned_attack = keeping(fighting.attack)


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Say something: free and at any time, or a declared round of speaking (woa.speak.*)."""
    yield from _planned_speech(fight, act) if free.is_long(fight, act) else free.speak(fight, act)


_planned_speech = keeping(free.speak)


def use_ability(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Use a special ability: for ki or combat reactions, else as its description says.

    woa.action-type.*, woa.reaction.other-sources, woa.use-special-ability
    """
    known = abilities.is_known(fight.combatant(act.actor), act.ability)
    return abilities.use_ability(fight, act) if known else _described_use(fight, act)


_described_use = keeping(uses.use_ability)


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
    acts.Move: saddle.riding(hauling.hauling(hampered.tethered(ways.move))),
    acts.Step: hauling.hauling(saddle.step),
    acts.Run: saddle.riding(hauling.hauling(groping.run)),
    acts.Charge: mounted_charge.charge,
    acts.Attack: attack_once,
    acts.Skirmish: keeping(skirmish.skirmish),
    acts.Split: keeping(halves.split),
    acts.FullAttack: keeping(fighting.full_attack),
    acts.CalledShot: keeping(fighting.wielding(called.called_shot)),
    acts.TotalDefense: keeping(special.total_defense),
    acts.Ready: keeping(readied.ready),
    acts.Refocus: keeping(special.refocus),
    acts.Cast: keeping(grapple_casting.grappled(magic.cast)),
    acts.Counter: counter.counter,
    acts.Grapple: keeping(grapple.grapple),
    acts.Grab: keeping(fighting.wielding(grabbing.grabbing)),
    acts.Stand: keeping(posture.stand),
    acts.Touch: keeping(magic.touch),
    acts.Maintain: keeping(turning.maintain),
    acts.Dismiss: keeping(magic.dismiss),
    acts.Redirect: keeping(redirected.redirect),
    acts.TurnUndead: keeping(turning.turn_undead),
    acts.Activate: keeping(devices.activate),
    acts.UseFeat: keeping(uses.use_feat),
    acts.UseSkill: keeping(uses.use_skill),
    acts.UseAbility: use_ability,
    acts.Drop: readied.letting_go(keeping(free.drop)),
    acts.Hide: keeping(hiding.hide),
    acts.Seek: keeping(hiding.seek),
    acts.Ignore: flanking.ignore,
    acts.Circumstance: circumstances.circumstance,
    acts.Draw: keeping(drawing.draw),
    acts.Sheathe: readied.letting_go(keeping(drawing.sheathe)),
    acts.Handle: keeping(handling.handle),
    acts.Load: keeping(special.load),
    acts.Stabilize: keeping(special.stabilize),
    acts.Trip: fighting.maneuvering(trip.trip),
    acts.Mount: riding.mount,
    acts.Dismount: riding.dismount,
    acts.Guide: riding.guide,
    acts.Ride: gallop.ride,
    acts.Disarm: keeping(fighting.wielding(disarm.disarm)),
    acts.Sunder: keeping(fighting.wielding(sunder.sunder)),
    acts.Push: fighting.maneuvering(push.push),
    acts.Stunt: keeping(fighting.wielding(stunt.stunt)),
    acts.Overrun: fighting.maneuvering(overrun.overrun),
    acts.Feint: feinting,
    acts.Burst: keeping(objects.burst),
    acts.Speak: speak,
    acts.Delay: cycle.delay,
    acts.Treat: keeping(special.treat_wound),
    acts.Rouse: keeping(treatment.rouse),
    acts.GetFree: keeping(hampered.get_free),
    acts.BreakFree: keeping(hampered.break_free),
    acts.Fall: fall.fall,
    acts.Rest: rest.rest,
    acts.Clamber: keeping(perch.clamber),
    acts.ShakeOff: keeping(perch.shake_off),
    acts.Close: going.close,
    acts.Hazard: ways.hazard,
    acts.Expose: ways.expose,
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
    allowance=plan.allowance,
    stack=attack.stack,
    reactions=beside.before_attack,
    attack_bonus=attack.attack_bonus,
    attack_situation=situation.attack_situation,
    defense_bonus=defense.defense_bonus,
    defense_situation=situation.defense_situation,
    dexterity_denied=defense.dexterity_denied,
    cover=covering.cover_parts,
    miss_chance=situation.no_miss_chance,
    judging=attack.judging,
    missed=together.missed,
    struck=together.struck,
    tried=together.tried,
    bands=reach.bands,
    apart=heights.apart,
    space_and_reach=reach.space_and_reach,
    placed=reach.placed,
    threatens_critical=attack.threatens_critical,
    confirm=attack.confirm,
    damage=shields.damage,
    full_attacks=attack.full_attacks,
    defensive_casting_dc=no_defensive_casting,
    reduce=damage.reduce,
    injure=injury.injure,
    death_at=injury.no_death_line,
    massive_damage=injury.no_massive_damage,
    leaving=opportunity.leaving,
    arrived=together.arrived,
    running=movement.running,
    refuse_step=passing.refuse_step,
    measure=passing.measure,
    may_pass=passing.passes_freely,
    reckoned=together.reckoned,
    propose=tactics.next_act,
    opportunities=opportunity.opportunities,
    equip=arms.equip,
    turned_aside=shields.stopped,
    save_bonus=saves.save_bonus,
    refuse_casting=refuse_casting,
    holds_charges=True,
    touching=delivered.touching,
    spell_blow=delivered.spell_blow,
    discharge=delivered.discharge,
    affect=spells.affect,
    afflict=spells.afflict,
    laden=devices.wears,
    score_steps=bleeding.score_steps,
    gain=afflictions.gain,
    attend=aftermath.attend,
    averted=seat.averted,
    checks=CHECKS,
    features=FEATURES,
    substitutes=SUBSTITUTES,
)

TITLE = "Worlds of Adventure"

__all__ = ["CONDITIONS", "POINTS", "TITLE"]
