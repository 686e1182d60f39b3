"""`woa`: Worlds of Adventure, point by point: declared actions, initiative every round, combat reactions."""

from collections.abc import Callable, Mapping
from typing import Any

from affray.engine.book import Book
from affray.engine.dialects.dialect import Dialect, Points
from affray.engine.dialects.woa import (
    aftermath,
    attack,
    circumstances,
    covering,
    cycle,
    damage,
    defense,
    disarm,
    feint,
    flanking,
    gallop,
    groping,
    hiding,
    initiative,
    injury,
    magic,
    movement,
    objects,
    opportunity,
    overrun,
    plan,
    posture,
    push,
    reach,
    readied,
    riding,
    saddle,
    saves,
    seat,
    situation,
    special,
    stunt,
    sunder,
    tactics,
    trip,
    ways,
)
from affray.engine.dialects.woa.checks import CHECKS
from affray.engine.dialects.woa.conditions import CONDITIONS
from affray.engine.dialects.woa.features import FEATURES
from affray.engine.fight import Fight
from affray.engine.rules import flow, minor
from affray.engine.rules.abilities import has_feat
from affray.engine.rules.attempt import Substitute
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts

keeping = plan.keeping


def draw(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon: declared as a move action, or on the fly with Quick Draw (woa.feat.quick-draw)."""
    quick = has_feat(fight.combatant(act.actor), "quick draw")
    yield from special.quick_draw(fight, act) if quick else _planned_draw(fight, act)


_planned_draw = keeping(special.draw)


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
    acts.Move: saddle.riding(ways.move),
    acts.Step: saddle.step,
    acts.Run: saddle.riding(groping.run),
    acts.Charge: saddle.charge,
    acts.Attack: keeping(saddle.attack),
    acts.FullAttack: keeping(saddle.full_attack),
    acts.TotalDefense: keeping(special.total_defense),
    acts.Ready: keeping(readied.ready),
    acts.Refocus: keeping(special.refocus),
    acts.Cast: keeping(magic.cast),
    acts.Stand: keeping(posture.stand),
    acts.Drop: posture.drop,
    acts.Hide: keeping(hiding.hide),
    acts.Seek: keeping(hiding.seek),
    acts.Ignore: flanking.ignore,
    acts.Circumstance: circumstances.circumstance,
    acts.Expose: circumstances.expose,
    acts.Draw: draw,
    acts.Sheathe: keeping(special.sheathe),
    acts.Load: keeping(special.load),
    acts.Stabilize: keeping(special.stabilize),
    acts.Trip: saddle.maneuvering(trip.trip),
    acts.Mount: riding.mount,
    acts.Dismount: riding.dismount,
    acts.Guide: riding.guide,
    acts.Ride: gallop.ride,
    acts.Disarm: keeping(disarm.disarm),
    acts.Sunder: keeping(sunder.sunder),
    acts.Push: saddle.maneuvering(push.push),
    acts.Stunt: keeping(stunt.stunt),
    acts.Overrun: saddle.maneuvering(overrun.overrun),
    acts.Feint: feinting,
    acts.Burst: keeping(objects.burst),
    acts.Speak: minor.speak,
    acts.Hazard: ways.hazard,
    acts.Expose: ways.expose,
    acts.Close: flow.close,
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
}

POINTS = Points(
    acts=ACTS,
    surprise=cycle.surprise,
    initiative=initiative.initiative,
    order=flow.order,
    open_round=cycle.open_round,
    close_round=cycle.close_round,
    open_turn=cycle.open_turn,
    close_turn=cycle.close_turn,
    allowance=plan.allowance,
    stack=attack.stack,
    reactions=saddle.before_attack,
    attack_bonus=attack.attack_bonus,
    attack_situation=situation.attack_situation,
    defense_bonus=defense.defense_bonus,
    defense_situation=situation.defense_situation,
    dexterity_denied=defense.dexterity_denied,
    cover=covering.cover_parts,
    miss_chance=situation.no_miss_chance,
    bands=reach.bands,
    space_and_reach=reach.space_and_reach,
    placed=reach.placed,
    threatens_critical=attack.threatens_critical,
    confirm=attack.confirm,
    damage=damage.damage,
    full_attacks=attack.full_attacks,
    defensive_casting_dc=no_defensive_casting,
    minimum_is_nonlethal=False,
    reduce=damage.reduce,
    injure=injury.injure,
    death_at=injury.no_death_line,
    massive_damage=injury.no_massive_damage,
    leaving=opportunity.leaving,
    arrived=movement.arrived,
    running=movement.running,
    propose=tactics.next_act,
    opportunities=opportunity.opportunities,
    save_bonus=saves.save_bonus,
    missed=aftermath.missed,
    struck=aftermath.struck,
    attend=aftermath.attend,
    averted=seat.averted,
    checks=CHECKS,
    features=FEATURES,
    substitutes=SUBSTITUTES,
)


def build(book: Book) -> Dialect:
    """Return the dialect over a catalogue (perhaps one with changed figures)."""
    return Dialect(
        name="woa",
        title="Worlds of Adventure",
        book=book,
        options={name: entry.default for name, entry in book.contested.items()},
        points=POINTS,
        conditions=CONDITIONS,
    )
